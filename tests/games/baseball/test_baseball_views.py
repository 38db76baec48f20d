"""What a seat of Baseball sees, is offered and is told, and what it must not learn."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest

import ninefold as nf
from ninefold.game.baseball import rules
from ninefold.game.baseball.notation import PLACE_NAMES as PLACES
from ninefold.kernel.cards import WITH_JOKERS
from ninefold.kernel.stream import new_stream
from ninefold.testkit import check
from support.baseball import PASS, begin, go, last_card, short_shoe, table
from support.stories import listen


def walk(game: nf.Game, seed: int, habit: float) -> Iterator[nf.State]:
    """The positions of a match whose players draw and discard more often than by chance."""
    dice, rng = random.Random(seed), new_stream(seed)
    state = game.start(manual=True)
    while not state.over:
        yield state
        seat = state.actors[0]
        if seat == nf.CHANCE:
            state.play(seat, int(game.package.rules.sample(state.position, rng)))
            continue
        moves = list(state.moves(seat))
        waiting = [move for move in moves if move in ("draw", "discard")]
        state.play(seat, dice.choice(waiting if waiting and dice.random() < habit else moves))
    yield state


def test_offers_are_the_moves() -> None:
    for state in walk(nf.make("baseball", players=3), 5, 0.2):
        for seat in state.actors if state.actors != (nf.CHANCE,) else ():
            view = state.view(seat)
            offered = [part["move"] for part in view["offers"] if part["kind"] == "button"]
            places = [
                choice for part in view["offers"] if part["kind"] == "cards" for choice in part["choices"]
            ]
            offered += [choice["move"] for choice in places]
            assert sorted(offered) == sorted(view["moves"]) == sorted(state.moves(seat))
            assert all(choice["move"].endswith(PLACES[choice["cards"][0]]) for choice in places)
            assert view["prompt"] and not state.view((seat + 1) % 3)["offers"]


def test_scores_tell_nothing_that_lies_face_down() -> None:
    state = go(begin(), "look r1c1=QH, look r1c2=QD, turn up first")
    for viewer in (0, 1, None):
        assert state.view(viewer)["scores"] == [25, 0]
        assert [seat["stats"][1]["value"] for seat in state.view(viewer)["seats"]] == [8, 9]


def test_stories_name_cards_to_those_who_may_know_them() -> None:
    state = nf.make("baseball", players=2, decks=16).start(manual=True)
    script = "=9C, look r1c1=KH, look r2c1=QD, turn up first, look r1c1=2C, look r1c2=3C, turn up none"
    texts = {viewer: told(state.copy(), f"{script}, draw=AS", viewer) for viewer in (0, 1, None)}
    assert texts[None] == [
        "Player 1 begins. The first discard is the 9♣.",
        "Player 1 peeks at the top left card.",
        "Player 1 peeks at the middle left card.",
        "Player 1 turns up the K♥ (top left).",
        "Player 2 peeks at the top left card.",
        "Player 2 peeks at the top middle card.",
        "Player 2 leaves both cards face down.",
        "Player 1 draws from the deck.",
    ]
    assert "Player 1 sees the Q♦ (middle left)." in texts[0] and "Player 1 draws the A♠." in texts[0]
    assert "Player 2 sees the 2♣ (top left)." in texts[1] and "Q♦" not in " ".join(texts[1])


def told(state: nf.State, script: str, viewer: int | None = None) -> list[str]:
    """What a viewer is told while a script is played."""
    events = listen(state, viewer)
    go(state, script)
    return [str(event.text) for event in events]


def test_stories_of_replacements_and_columns() -> None:
    state = table(own="7S QD", up="first")
    assert told(state, f"draw=7H, put r3c1=2S, {PASS}, draw=7D, put r2c1", 1) == [
        "Player 1 draws from the deck.",
        "Player 1 keeps the 7♥ (bottom left) and discards the 2♠.",
        "Player 2 draws the 6♣.",
        "Player 2 discards the 6♣.",
        "Player 1 draws from the deck.",
        "Player 1 keeps the 7♦ (middle left) and discards the Q♦.",
        "Player 1 clears the left column: three sevens.",
    ]
    assert told(table(own="7S 7D", up="both"), "draw=7C, discard, take r1c1") == [
        "Player 1 draws from the deck.",
        "Player 1 discards the 7♣.",
        "Player 2 takes the 7♣ (top left) and discards the 8♠.",
    ]


def test_stories_of_the_end() -> None:
    state = last_card()
    assert told(state, "flip r3c3=KS, draw=8D, put r3c1=JK=JD=KD=JC=KC=JH=KH") == [
        "Player 1 turns up the K♠ (bottom right).",
        "Player 1 has gone out. Everyone else has one more turn.",
        "Player 2 draws from the deck.",
        "Player 2 keeps the 8♦ (bottom left) and discards the joker.",
        "Player 2 turns up the 8♠ (top left).",
        "Player 2 turns up the J♦ (top middle).",
        "Player 2 turns up the K♦ (top right) and the 8♥ (middle left).",
        "Player 2 turns up the J♣ (centre).",
        "Player 2 turns up the K♣ (middle right).",
        "Player 2 turns up the J♥ (bottom middle).",
        "Player 2 turns up the K♥ (bottom right).",
        "Player 2 clears the left column: three eights.",
        "Player 2 clears the middle column: three jacks.",
        "Player 2 clears the right column: three kings.",
        "Player 2 wins with 0 points, 36 fewer than Player 1.",
    ]


def test_stories_of_the_shoe_and_of_innings() -> None:
    assert told(short_shoe(), "draw=QD, discard")[:2] == [
        "The deck is empty. The discards are shuffled and become the new deck: nine cards.",
        "Player 4 draws from the deck.",
    ]
    state = table(2, turn_limit=1, innings=2)
    texts = told(state, f"{PASS}, {PASS}" + "=KD" * 14 + "=2C")
    assert "The turn limit is reached: all cards are turned up." in texts
    assert texts[-2:] == [
        "Inning 1 is over: Player 1 20 and Player 2 16.",
        "Inning 2 of 2: Player 2 begins. The first discard is the 2♣.",
    ]


def test_secrets_are_kept_over_thousands_of_positions_and_reshuffles() -> None:
    """States that differ only in what a seat may not see give that seat equal views, reshuffles included."""
    rng = new_stream(1)
    positions = reshuffles = changed = 0
    for seed, (players, options) in enumerate(
        [(5, {"decks": 1}), (5, {"decks": 1, "innings": 2}), (2, {}), (3, {}), (4, {}), (9, {"decks": 2})]
    ):
        game = nf.make("baseball", players=players, **options)
        hide, redeal = rules.mask_hidden, rules.redeal
        for number in range(3):
            for state in walk(game, 100 * seed + number, 0.7 if players in (5, 9) else 0.3):
                positions += 1
                for viewer in [*range(players), -1]:
                    other, mine, theirs = state.position.copy(), state.position.copy(), None
                    redeal(other, viewer, rng)
                    changed += other.tobytes() != mine.tobytes()
                    theirs = other.copy()
                    hide(mine, viewer)
                    hide(theirs, viewer)
                    assert mine.tobytes() == theirs.tobytes()
                    if positions % 40 == 0:
                        assert not game.package.invariants.broken_invariants(other)
                        twin = state.copy()
                        twin.position = other
                        seat = None if viewer < 0 else viewer
                        assert twin.view(seat) == state.view(seat)
            reshuffles += int(state.position.reshuffles)
    assert positions > 3_000 and reshuffles > 20 and changed > positions


def test_a_redeal_is_any_of_the_cards_not_seen_and_equally_likely() -> None:
    """After a reshuffle, what others looked at is of the original shoe, and what they drew of the new one."""
    state = go(short_shoe(), "draw=QD")
    rng = new_stream(3)
    looked: Counter[str] = Counter()
    drawn: Counter[str] = Counter()
    for _ in range(4_000):
        other = state.position.copy()
        state.game.package.rules.redeal(other, 0, rng)
        looked[WITH_JOKERS.texts[other.cards[3, 0]]] += 1
        drawn[WITH_JOKERS.texts[other.drawn]] += 1
        assert [WITH_JOKERS.texts[card] for card in other.cards[0, :2]] == ["AS", "AH"], "its own it knows"
    assert set(drawn) == {"KC", "JS", "JH", "JD", "JC", "QS", "QH", "QD", "QC"}
    public = {"AS", "AH", "KC", "JS", "JH", "JD", "JC", "QS", "QH", "QD", "QC"}
    assert set(looked) == set(WITH_JOKERS.texts) - public
    assert all(abs(number - 4_000 / 9) < 5 * (4_000 / 9) ** 0.5 for number in drawn.values())
    expected = {text: 4_000 / 43 * (2 if text == "JK" else 1) for text in looked}
    assert all(abs(looked[text] - mean) < 5 * mean**0.5 for text, mean in expected.items())


@pytest.mark.parametrize(
    "settings",
    [
        {"players": 5, "decks": 1},
        {"players": 3, "innings": 2, "clear_jokers": False},
        {"players": 4, "turn_limit": 2, "innings": 2},
        {"players": 6, "decks": 2},
        {"players": 2, "decks": 16},
    ],
)
def test_laws_under_options(settings: dict[str, Any]) -> None:
    check(nf.make("baseball", **settings), matches=1, seed=3)


def test_the_law_of_soundness_can_fail() -> None:
    sound = nf.make("baseball").package.invariants.broken_invariants
    state = go(table(), "flip r1c1")
    assert sound(state.position) == []
    for field, value in (("top", 30), ("in_shoe", 3), ("out", 1), ("drawn", 5)):
        broken = state.position.copy()
        setattr(broken, field, value)
        assert sound(broken), field
    for change in (
        lambda s: s.up.__setitem__(0, 3),
        lambda s: s.pile.__setitem__(0, 0),
        lambda s: s.cards.__setitem__((0, 0), 4),
    ):
        broken = state.position.copy()
        change(broken)
        assert sound(broken)
