"""A second, plain referee (reference/baseball.py) plays the same matches of Baseball move by move."""

from __future__ import annotations

import copy
import random
from collections import Counter
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

import ninefold as nf
from ninefold.kernel.cards import WITH_JOKERS
from ninefold.testkit import trees
from reference.baseball import PLACES, Baseball, rank_of
from support.golden import read_counts
from support.referees import MANY, in_blocks, same_result, seeds_of

COUNTS = Path(__file__).parents[2] / "counts" / "baseball.tsv"
TEXTS = WITH_JOKERS.texts

WAITS = ("card", "look", "card", "turn up", "turn", "card", "card", "drawn", "card", "card", "over")


def stock(words: Any) -> Counter[str]:
    held = [word for word in words.tolist() if word]
    return Counter(text for word in held for bit, text in enumerate(TEXTS) if word >> bit & 1)


def hand(s: Any, seat: int) -> list[Any]:
    """Every place: None where the column is gone, else the card (None if undecided) and whether it is up."""
    left, up = int(s.left[seat]), int(s.up[seat])
    return [
        (TEXTS[card] if card >= 0 else None, bool(up >> place & 1)) if left >> place & 1 else None
        for place, card in enumerate(s.cards[seat].tolist()[:9])
    ]


def text(card: Any) -> str | None:
    return TEXTS[card] if card >= 0 else None


def same_position(state: nf.State, plain: Baseball, thorough: bool = True) -> None:
    """Moves, weights, scores and the mover's hand every time; what changes seldom now and then."""
    s = SimpleNamespace(
        **{name: state.position[name] for name in state.position.dtype.names}
    )  # quicker to ask
    assert WAITS[s.stage] == plain.awaits
    same_result(state, plain)
    assert (int(s.columns), int(s.reshuffles)) == (plain.columns, plain.reshuffles)
    if plain.awaits == "card":
        outcomes, weights = state.outcomes()
        assert dict(zip([TEXTS[card] for card in outcomes], weights, strict=True)) == plain.outcomes()
        if plain.wanted == "first discard":
            return  # ours leaves the last hands on the table until the next card is dealt
    else:
        assert state.actors == (() if plain.over else (plain.seat,))
        assert list(state.moves(plain.seat)) == plain.moves()
        assert text(s.top) == (plain.discards[-1] if plain.discards else None)
        assert text(s.drawn) == plain.drawn
    for seat in range(plain.players) if thorough else [plain.seat]:
        theirs = [None if place.gone else (place.card, place.up) for place in plain.hands[seat]]
        assert hand(s, seat) == theirs
    assert (int(s.inning), int(s.first), int(s.in_shoe)) == (plain.inning, plain.first, plain.shoe)
    assert (int(s.out) if s.out >= 0 else None) == plain.out
    if not thorough:
        return
    assert all(not state.moves(seat) for seat in range(plain.players) if seat not in state.actors)
    assert plain.awaits == "card" or stock(s.pile) == Counter(plain.discards)
    assert stock(s.unseen) == +plain.unseen
    assert bool(s.renewed) == (plain.recycled is not None)
    assert stock(s.stock) == +(plain.recycled or Counter())


def settings(dice: random.Random) -> tuple[int, dict[str, Any]]:
    players = dice.choice([2, 2, 3, 4, 5, 5, 6, 9])
    options: dict[str, Any] = {}
    if dice.random() < 0.5:
        least = -(-(9 * players + 1) // 54)
        options["decks"] = dice.choice([least, least, least + 1, 5])
    if dice.random() < 0.4:
        options["innings"] = dice.choice([2, 3])
    if dice.random() < 0.4:
        options["clear_jokers"] = False
    if dice.random() < 0.3:
        options["turn_limit"] = dice.choice([1, 2, 5, 9])
    return players, options


def weight(plain: Baseball, move: str, habit: str) -> float:
    """Habits lead to rare positions: some empty the shoe, some make columns."""
    verb, _, where = move.partition(" ")
    if habit == "draw":
        return 30.0 if verb in ("draw", "discard") else 1.0
    if habit == "columns" and verb in ("take", "put"):
        card, place = (plain.drawn or plain.discards[-1]), PLACES.index(where)
        column = [plain.hands[plain.seat][other] for other in range(place % 3, 9, 3) if other != place]
        alike = sum(other.up and rank_of(other.card or "") == rank_of(card) for other in column)
        return (0.5, 20.0, 500.0)[alike]
    return 1.0


def play_both(seed: int) -> Baseball:
    dice = random.Random(seed)
    players, options = settings(dice)
    habit = dice.choice(["plain", "draw", "columns", "columns"])
    few_ranks = dice.random() < 0.4  # chance prefers a few ranks, so that columns are made
    state = nf.make("baseball", players=players, **options).start(manual=True)
    plain = Baseball(players, **options)
    same_position(state, plain)
    while not state.over:
        if plain.awaits == "card":
            cards = Counter(plain.outcomes())
            liked = {card: n * (300 if few_ranks and card[0] in "K7" else 1) for card, n in cards.items()}
            card = dice.choices(list(liked), list(liked.values()))[0]
            if dice.random() < 0.02:
                odds = {said.split()[1]: chance for said, chance in state.chance().items()}
                assert odds == pytest.approx({card: n / cards.total() for card, n in cards.items()})
            state.play(nf.CHANCE, dice.choice([f"deal {card}", f"reveal {card}", card]))
            plain.deal(card)
        else:
            moves = plain.moves()
            move = dice.choices(moves, [weight(plain, move, habit) for move in moves])[0]
            state.play(plain.seat, move)
            plain.play(move)
        same_position(state, plain, state.over or dice.random() < 0.15)
    return plain


@in_blocks
def test_300_matches_move_by_move(block: int) -> None:
    played = [play_both(seed) for seed in seeds_of(block)]
    assert sum(plain.columns for plain in played) > 10, "columns must be cleared in these matches"
    assert sum(plain.reshuffles for plain in played) > 5, "shoes must run out in these matches"


@pytest.mark.soak
def test_10_000_matches_move_by_move() -> None:
    for seed in MANY:
        play_both(seed)


def children(plain: Baseball) -> list[Baseball]:
    """The positions one step further; of equal kinds behind a card only the first is made."""
    made = []
    for step in plain.outcomes() or plain.moves():
        after = copy.deepcopy(plain)
        (after.deal if plain.awaits == "card" else after.play)(step)
        made.append(after)
    return made


def slow_for_many(pair: tuple[nf.Game, list[trees.Level]]) -> Any:
    """A plain table of many players takes long to copy: those are counted in the long tests."""
    return pytest.param(pair, id=repr(pair[0]), marks=pytest.mark.soak if pair[0].players > 2 else ())


@pytest.mark.parametrize("game_and_levels", [slow_for_many(pair) for pair in read_counts(COUNTS)])
def test_tree_counts_are_those_of_the_plain_referee(
    game_and_levels: tuple[nf.Game, list[trees.Level]],
) -> None:
    game, levels = game_and_levels
    here = [Baseball(game.players, **game.options)]
    for level in levels[:3]:
        kinds = Counter("card" if plain.awaits == "card" else "move" for plain in here if not plain.over)
        ends = sum(plain.over for plain in here)
        assert (kinds["card"], kinds["move"], ends) == (level.chance, level.decisions, level.ends)
        last, here = (
            here,
            [after for plain in here for after in children(plain)[: 1 if level is levels[2] else None]],
        )
    if len(levels) == 4:  # too many to make: the last ones are counted, and one of each kind looked at
        assert all(plain.awaits == "look" for plain in here)
        assert sum(len(plain.outcomes()) for plain in last) == levels[3].decisions
