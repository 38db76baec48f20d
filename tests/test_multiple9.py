"""Multiple 9 by its numbered rules (src/ninefold/game/multiple9/RULES.md) and the cases of its sources."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections import Counter
from itertools import product
from math import comb
from typing import Any

import pytest

import ninefold as nf
from ninefold.engine.players import Company
from ninefold.game import nines
from ninefold.game.multiple9 import FACTS
from ninefold.kernel.cards import PLAIN
from ninefold.kernel.stream import new_stream
from ninefold.testkit import check

DULL = ("K 7 2 J Q", "K 7 2 J 10", "K 7 2 J 4")  # hands in which there is little to put down


def begin(players: int = 2, **options: object) -> nf.State:
    return nf.make("multiple9", players=players, **options).start(manual=True)


def chance(state: nf.State, *ranks: str) -> None:
    for rank in ranks:
        state.play(nf.CHANCE, f"deal {rank}")


def dealt(*hands: str, **options: object) -> nf.State:
    """A match in which the seats have these five cards each."""
    state = begin(len(hands), **options)
    for cards in zip(*(hand.split() for hand in hands), strict=True):
        chance(state, *cards)
    return state


def zone(state: nf.State, name: str, seat: int | None = None) -> dict[str, Any]:
    found: dict[str, Any] = next(part for part in state.view(seat)["zones"] if part["id"] == name)
    return found


def hand(state: nf.State, seat: int) -> str:
    return " ".join(card["card"] for card in zone(state, f"hand-{seat}", seat)["cards"])


def discards(state: nf.State) -> str:
    return " ".join(card["card"] for card in zone(state, "discards")["cards"])


def sizes(state: nf.State) -> list[int]:
    return [seat["cards"] for seat in state.view(None)["seats"]]


def refused(state: nf.State, seat: int, move: str | int, match: str, kind: type = nf.IllegalMove) -> None:
    before = state.tobytes()
    with pytest.raises(kind, match=match):
        state.play(seat, move)
    assert state.tobytes() == before


def without_stock(*hands: str, **options: object) -> nf.State:
    """A match in which everybody has drawn and nobody put anything down, until no card was left."""
    state = dealt(*hands, **options)
    while state.view(None)["counters"][0]["value"]:
        seat = state.actors[0]
        if seat >= 0:
            state.play(seat, "wait" if "wait" in state.moves(seat) else "done")
        else:
            state.play(nf.CHANCE, next(iter(state.chance())))
    state.play(state.actors[0], "done")
    return state


# 1: the table


@pytest.mark.parametrize("players", range(2, 10))
def test_r1_1_two_to_nine_players(players: int) -> None:
    state = nf.make("multiple9", players=players).start(seed=players)
    assert len(state.scores) == players and sum(sizes(state)) >= 5 * players


@pytest.mark.parametrize("players", [0, 1, 10, -2, "many", 2.5, True])
def test_r1_1_other_numbers_of_players_are_refused(players: Any) -> None:
    with pytest.raises(nf.RuleError, match="2 to 9 players"):
        nf.make("multiple9", players=players)


def test_r1_1_the_deck() -> None:
    state = begin()
    assert state.chance() == {f"deal {rank}": pytest.approx(1 / 13) for rank in PLAIN.ranks}
    chance(state, "7")
    assert state.chance()["deal 7"] == pytest.approx(3 / 51)
    chance(state, "7", "7", "7")
    assert "deal 7" not in state.chance() and sum(state.chance().values()) == pytest.approx(1)
    refused(state, nf.CHANCE, "deal 7", "48 in the stock; deal 7 cannot happen")


def test_r1_2_values() -> None:
    """Two cards are a group exactly where their values total 9 or 18."""
    values = {rank: place + 1 for place, rank in enumerate(PLAIN.ranks)}
    for one, other in product(PLAIN.ranks, repeat=2):
        pair = nf.multiple9.split([one, other])
        assert (pair is not None) == ((values[one] + values[other]) % 9 == 0)
    assert nf.multiple9.verdict("K Q J 10 A").total == 47


def test_r1_3_suits_never_matter() -> None:
    assert nf.multiple9.split("8S 4H 4D AC AS") == nf.multiple9.split("8 4 4 A A")
    state = begin()
    state.play(nf.CHANCE, "deal 7H")
    assert state.steps == [(nf.CHANCE, 6)]
    other = dealt("8 8 A A K", DULL[0])
    chance(other, "2")
    refused(other, 0, "lay 8H AS", "suits, which do not matter", nf.Unreadable)


def test_r1_4_only_its_holder_sees_a_hand() -> None:
    state = dealt("8 8 A A K", DULL[0])
    chance(state, "5")
    assert hand(state, 0) == "K 8 8 5 A A"
    for viewer in (1, None):
        cards = zone(state, "hand-0", viewer)["cards"]
        assert cards == [{"card": None, "up": False}] * 6
        assert state.view(viewer)["seats"][0]["cards"] == 6
    state.play(0, "lay K 5")
    assert all(discards(state) == "K 5" for viewer in (0, 1, None))


def test_r1_4_a_draw_is_told_to_its_owner_only() -> None:
    from ninefold.engine.views import tell

    state = dealt(DULL[0], DULL[1])
    before, game = state._s.copy(), state.game
    chance(state, "5")
    told = {viewer: tell(game, before, nf.CHANCE, 4, state._s, viewer) for viewer in (0, 1, None)}
    assert told[0][0]["text"] == "Player 1 draws a 5." and told[0][0]["cards"] == ["5"]
    for viewer in (1, None):
        assert told[viewer][0]["text"] == "Player 1 draws a card." and told[viewer][0]["cards"] == [None]
        assert (told[viewer][0]["from"], told[viewer][0]["to"]) == ("stock", "hand-0")


# 2: groups and plays; the cases of the rule page and of its source

GROUPS = {
    "6 6 6": 18,
    "Q Q Q": 36,
    "9 9 9 9": 36,
    "8 8 A A": 18,
    "8 8 2": 18,
    "8 8 8 3": 27,
    "8 8 8 Q": 36,
    "8 8 8 8 4": 36,
    "8 8 8 8 K": 45,
    "8 8 8 8 J J": 54,
    "K K K K 10 10": 72,
    "Q Q Q Q J J J": 81,
}


@pytest.mark.parametrize(("cards", "total"), GROUPS.items())
def test_r2_2_groups_of_the_page(cards: str, total: int) -> None:
    written = sorted(cards.split(), key=PLAIN.ranks.index, reverse=True)
    assert written in nf.multiple9.groups(cards)
    said = nf.multiple9.verdict(cards)
    assert said.legal and not said.only_last and said.total == total


@pytest.mark.parametrize(
    ("cards", "total"),
    [("8 8 8 8", 32), ("8 8 8", 24), ("8 8", 16), ("K K K K", 52), ("K K K", 39), ("K K", 26)],
)
def test_r2_1_sets_of_the_source(cards: str, total: int) -> None:
    said = nf.multiple9.verdict(cards)
    assert said.total == total and not said.legal and nf.multiple9.groups(cards) == []


@pytest.mark.parametrize("cards", ["9", "6 3", "8 A", "3 3 3"])
def test_r2_3_a_nine_alone_only_as_the_last_cards(cards: str) -> None:
    said = nf.multiple9.verdict(cards)
    assert said.legal and said.only_last and said.total == 9 and "R2.5" in said.why
    assert nf.multiple9.split(cards) == [cards.split()]


@pytest.mark.parametrize(
    ("cards", "groups"),
    [
        ("6 3 9", ["6 3", "9"]),
        ("6 3 K 5", ["6 3", "K 5"]),
        ("A 6 8 Q", ["Q 6", "8 A"]),
        ("8 4 4 A A", ["8 A", "4 4 A"]),
        ("Q Q 3 8 10", ["Q Q 3", "10 8"]),
        ("8 A 9", ["8 A", "9"]),
        ("J J J 3", ["J J J 3"]),
        ("7 10 10", ["10 10 7"]),
    ],
)
def test_r2_5_legal_plays_of_the_page(cards: str, groups: list[str]) -> None:
    """R2.4 too: the aces of the fourth are in two groups."""
    said = nf.multiple9.verdict(cards)
    assert said.legal and not said.only_last
    assert sorted(" ".join(group) for group in said.groups or []) == sorted(groups)


@pytest.mark.parametrize("cards", ["3 3 5 7", "8 4 4 2"])
def test_r2_2_three_ranks_are_no_group(cards: str) -> None:
    said = nf.multiple9.verdict(cards)
    assert not said.legal and said.groups is None and said.total == 18
    assert "at most two ranks" in said.why and "R2.2" in said.why
    assert nf.multiple9.split(cards) is None


def test_r2_4_no_card_in_two_groups() -> None:
    """8 A and 10 8 share an 8; with two of them both go down."""
    assert nf.multiple9.groups("10 8 A") == [["8", "A"], ["10", "8"]]
    assert nf.multiple9.split("10 8 A") is None
    assert nf.multiple9.split("10 8 8 A") == [["10", "8"], ["8", "A"]]
    state = dealt("10 8 A K 7", DULL[1])
    chance(state, "Q")
    state.play(0, "lay 10 8")
    assert list(state.moves(0)) == ["done"]


def test_r2_5_a_multiple_alone_is_a_play() -> None:
    state = dealt("10 8 K 7 2", DULL[1])
    chance(state, "J")
    state.play(0, "lay 8 10")
    assert "done" in state.moves(0)
    state.play(0, "done")
    assert state.turns == 2 and hand(state, 0) == "K J 7 2"


# 3: before the first turn


def test_r3_1_five_cards_one_at_a_time_from_seat_0() -> None:
    state = begin(3)
    for number, rank in enumerate(
        ["K", "K", "K", "7", "7", "7", "2", "2", "2", "J", "J", "J", "Q", "10", "4"]
    ):
        assert state.turns == 0 and state.actors == (nf.CHANCE,)
        chance(state, rank)
        assert rank in hand(state, number % 3).split()
    assert sizes(state) == [5, 5, 5] and state.turns == 1
    assert zone(state, "stock")["count"] == 52 - 15


def test_r3_1_no_move_during_the_deal() -> None:
    state = begin()
    for move in ("lay 8 A", "done", "go out", "wait"):
        refused(state, 0, move, r"being dealt \(R3\.1\)", nf.NotYourTurn)


def test_r3_2_who_can_go_out_is_asked_in_turn_order() -> None:
    state = dealt(DULL[0], "Q Q 3 8 10", DULL[1], "8 4 4 A A")
    assert state.actors == (1,) and list(state.moves(1)) == ["go out", "wait"] and state.turns == 0
    assert state.view(None)["prompt"] == "Seat 1 can go out with the cards dealt: to go out or to wait?"
    assert [seat["could_go_out_at_the_deal"] for seat in state.view(0)["seats"]] == [
        False,
        True,
        False,
        False,
    ]
    refused(state, 3, "go out", r"it is seat 1 that is asked \(R3\.2\)", nf.NotYourTurn)
    refused(state, 1, "lay Q Q 3", r"must say go out or wait \(R3\.2\)")
    refused(state, 1, "lay Q Q 3 8 10", r"must say go out or wait \(R3\.2\)")
    refused(state, 1, "done", r"R3\.2")
    state.play(1, "wait")
    assert state.actors == (3,)
    state.play(3, "wait")
    assert state.actors == (nf.CHANCE,) and state.turns == 1


def test_r3_2_nobody_else_is_asked() -> None:
    state = dealt("K K K 7 2", "8 4 4 A 2")
    assert state.actors == (nf.CHANCE,) and state.turns == 1


@pytest.mark.parametrize("cards", ["Q Q 3 8 10", "8 4 4 A A", "9 9 9 9 6", "2 2 2 3 9"])
def test_r3_3_going_out_wins_at_once(cards: str) -> None:
    state = dealt(DULL[2], cards)
    if cards == "9 9 9 9 6":
        assert state.turns == 1, "42 is no multiple of nine"
        return
    state.play(1, "go out")
    assert state.over and state.winners == [1] and state.scores == [0, 1] and state.turns == 0
    assert sizes(state) == [5, 0] and sorted(discards(state).split()) == sorted(cards.split())


def test_r3_3_going_out_is_not_offered_again() -> None:
    state = dealt("Q Q 3 8 10", DULL[2])
    state.play(0, "wait")
    chance(state, "K")
    assert "go out" not in state.moves(0)
    refused(state, 0, "go out", r"before the first turn \(R3\.3\)")
    refused(state, 0, "wait", r"R3\.3")
    state.play(0, "lay Q Q 3")
    state.play(0, "lay 10 8")
    assert not state.over and hand(state, 0) == "K", "the drawn card is a card of the hand"


def test_r3_2_deals_that_go_out_are_2_524_in_100() -> None:
    """Every deal of five cards by its ranks, with its weight: exact."""
    good = 0
    sure = 0
    for numbers in deals(13, 5):
        weight = 1
        packed = 0
        for rank, number in enumerate(numbers):
            weight *= comb(4, number)
            packed |= number << 4 * rank
        sure += weight
        good += weight * bool(nines.splits(packed))
    assert sure == comb(52, 5)
    assert good == 65_600
    assert round(100 * good / sure, 3) == 2.524


def deals(ranks: int, cards: int) -> list[tuple[int, ...]]:
    """All ways to have so many cards of so many ranks, four of each at most."""
    if ranks == 0:
        return [()] if cards == 0 else []
    return [
        (number, *others)
        for number in range(min(4, cards) + 1)
        for others in deals(ranks - 1, cards - number)
    ]


# 4: a turn


def test_r4_1_turns_go_round() -> None:
    state = dealt(*DULL)
    order = []
    for card in ("K", "Q", "Q", "Q", "3", "3", "3"):
        assert state.actors == (nf.CHANCE,)
        chance(state, card)
        order.append((state.actors[0], state.turns))
        state.play(state.actors[0], "done")
    assert order == [(0, 1), (1, 2), (2, 3), (0, 4), (1, 5), (2, 6), (0, 7)]


def test_r4_1_out_of_turn() -> None:
    state = dealt(*DULL)
    chance(state, "K")
    for move in ("done", "lay J 7", 17, "wait"):
        refused(state, 1, move, r"it is seat 0's turn \(R4\.1\)", nf.NotYourTurn)
    refused(state, 1, "lay 7 3 2", r"seat 0's turn \(R4\.1\)", nf.NotYourTurn)


def test_r4_2_one_card_is_drawn_first() -> None:
    state = dealt("10 8 K 7 2", DULL[0])
    assert state.view(0)["prompt"] == "You draw a card."
    refused(state, 0, "lay 10 8", r"a card is drawn first \(R4\.2\)", nf.NotYourTurn)
    refused(state, 0, "done", r"R4\.2", nf.NotYourTurn)
    chance(state, "3")
    assert sizes(state) == [6, 5] and zone(state, "stock")["count"] == 41


def test_r4_3_groups_of_the_hand_one_at_a_time() -> None:
    state = dealt("10 8 6 3 K", DULL[1])
    chance(state, "5")
    assert list(state.moves(0)) == ["lay 6 3", "lay 10 8", "lay K 5", "done"]
    refused(state, 0, "lay J 7", r"seat 0 does not have J 7 \(R4\.3\)")
    refused(state, 0, "lay 10 10 7", r"R4\.3")
    refused(state, 0, "lay 10 8 K 5", r"one at a time, here lay K 5 and lay 10 8 \(R4\.3\)")
    refused(state, 0, "lay 10 8 3", r"totals 21, which is no multiple of nine \(R2\.2\)")
    refused(state, 0, "lay 10 6 2", r"at most two ranks, and these are of 3 \(R2\.2\)")
    state.play(0, "lay 5 K")
    state.play(0, "lay 3 6")
    state.play(0, "8 + 10")
    assert state.over and state.winners == [0]
    assert sorted(discards(state).split()) == sorted(["10", "8", "6", "3", "K", "5"])


def test_r4_3_nobody_has_to_put_anything_down() -> None:
    state = dealt("10 8 6 3 K", DULL[1])
    chance(state, "5")
    state.play(0, "done")
    assert sizes(state) == [6, 5] and discards(state) == ""


def test_r4_4_done_only_after_a_legal_play() -> None:
    state = dealt("6 3 K 5 2", DULL[1])
    chance(state, "J")
    state.play(0, "lay 6 3")
    assert list(state.moves(0)) == ["lay K 5"]
    refused(state, 0, "done", r"another group has to follow \(R4\.4\)")
    state.play(0, "lay K 5")
    assert list(state.moves(0)) == ["done"]
    state.play(0, "done")
    assert hand(state, 0) == "J 2"


def test_r4_4_two_nines_are_a_play() -> None:
    state = dealt("6 3 9 J 2", DULL[1])
    chance(state, "J")
    state.play(0, "lay 9")
    assert list(state.moves(0)) == ["lay 6 3"]
    state.play(0, "lay 6 3")
    assert list(state.moves(0)) == ["done"]


def test_r4_5_a_nine_first_only_if_another_group_is_left() -> None:
    state = dealt("6 3 K J 2", DULL[0])
    chance(state, "J")
    assert list(state.moves(0)) == ["done"]
    refused(state, 0, "lay 6 3", r"no other group is in the rest of the hand \(R4\.5\)")
    other = dealt("8 A 10 K J", "K 7 2 J Q")
    chance(other, "3")
    assert list(other.moves(0)) == ["lay 10 8", "done"], "8 A leaves 10 K J 3, and no group in them"


def test_r4_5_or_if_it_empties_the_hand() -> None:
    state = dealt("K 5 10 8 4", DULL[0])
    chance(state, "J")
    state.play(0, "lay K 5")
    state.play(0, "lay 10 8")
    state.play(0, "done")
    assert hand(state, 0) == "J 4"
    chance(state, "3")
    state.play(1, "done")
    chance(state, "3")
    state.play(0, "done")
    # Down to a nine as the last cards:
    last = dealt("K K 5 5 6", DULL[0])
    chance(last, "3")
    last.play(0, "lay K K 5 5")
    assert list(last.moves(0)) == ["lay 6 3", "done"]
    last.play(0, "lay 6 3")
    assert last.over and last.winners == [0]


def test_r4_5_a_lone_nine_as_the_last_cards_in_a_turn_of_its_own() -> None:
    state = dealt("K 5 10 8 6", DULL[0])
    chance(state, "4")
    state.play(0, "lay K 5")
    state.play(0, "lay 10 8")
    state.play(0, "done")
    chance(state, "Q")
    state.play(1, "done")
    chance(state, "A")  # 6 4 A
    assert list(state.moves(0)) == ["done"]
    state.play(0, "done")
    chance(state, "3")
    state.play(1, "done")
    other = dealt("K K 5 5 6", DULL[0])
    chance(other, "Q")
    other.play(0, "lay K K 5 5")
    other.play(0, "lay Q 6")
    assert other.over, "a multiple as well"
    nine = dealt("K K 5 5 6", DULL[0])
    chance(nine, "A")
    nine.play(0, "lay K K 5 5")
    nine.play(0, "done")
    chance(nine, "3")
    nine.play(1, "done")
    chance(nine, "2")
    assert hand(nine, 0) == "6 2 A" and list(nine.moves(0)) == ["done"]


def test_r4_6_the_discards_become_the_stock() -> None:
    state = dealt("K K 5 5 6", DULL[0])
    chance(state, "8")
    state.play(0, "lay K K 5 5")
    state.play(0, "done")
    while zone(state, "stock")["count"]:
        if state.actors[0] >= 0:
            state.play(state.actors[0], "done")
        else:
            state.play(nf.CHANCE, next(iter(state.chance())))
    assert zone(state, "discards")["count"] == 4, "not before a card is to be drawn"
    state.play(state.actors[0], "done")
    assert state.actors == (nf.CHANCE,)
    assert state.chance() == {"deal 5": 0.5, "deal K": 0.5}
    assert zone(state, "stock")["count"] == 4 and discards(state) == ""
    assert state.view(None)["turned_over"] == ["K", "K", "5", "5"], "everybody has seen them"


def test_r4_6_what_is_put_down_with_the_last_card_is_mixed_in() -> None:
    state = without_stock("K K 5 5 6", DULL[0])
    seat = state.actors[0]
    move = next(move for move in state.moves(seat) if len(move.split()) == 3 and move not in nine_texts())
    state.play(seat, move)
    state.play(seat, "done")
    assert {text.split()[1] for text in state.chance()} == set(move.split()[1:])


def nine_texts() -> list[str]:
    return [f"lay {text}" for text, nine in zip(nines.TEXTS, nines.NINES, strict=True) if nine == 1]


def test_r4_7_no_card_to_draw() -> None:
    state = without_stock(*DULL)
    seat, turn, size = state.actors[0], state.turns, sizes(state)
    assert state.chance() == {} and sum(size) == 52
    assert "No card is left to draw." in state.view(seat)["prompt"] and len(state.moves(seat)) > 1
    state.play(seat, "done")
    assert sizes(state) == size and state.turns == turn + 1 and state.actors == ((seat + 1) % 3,)


# 5: the end


def test_r5_1_the_first_without_cards_wins_at_once() -> None:
    state = dealt("K K 5 5 2", DULL[0])
    chance(state, "7")
    for move in ("lay 7 2", "lay K K 5 5"):
        assert not state.over and state.winners == [] and state.scores == [0, 0]
        state.play(0, move)
    assert state.over and state.actors == () and state.winners == [0] and state.scores == [1, 0]
    with pytest.raises(nf.IllegalMove, match="over"):
        state.play(0, "done")


def test_r5_2_undecided_after_a_round_without_cards() -> None:
    state = without_stock(*DULL)
    for _ in range(3):
        assert not state.over
        state.play(state.actors[0], "done")
    assert state.over and state.winners == [] and state.scores == [0, 0, 0]
    assert sum(sizes(state)) == 52


def test_r5_2_putting_down_begins_the_round_anew() -> None:
    state = without_stock(*DULL)
    state.play(state.actors[0], "done")
    state.play(state.actors[0], "done")
    seat = state.actors[0]
    move = next(move for move in state.moves(seat) if move not in nine_texts() and len(move.split()) == 3)
    state.play(seat, move)
    state.play(seat, "done")
    for _ in range(2):
        state.play(nf.CHANCE, next(iter(state.chance())))
        state.play(state.actors[0], "done")
    for _ in range(3):
        assert not state.over
        assert state.actors[0] >= 0, "no card to draw again"
        state.play(state.actors[0], "done")
    assert state.over and state.winners == []


def test_r5_3_cards_left_are_reported() -> None:
    state = dealt("K K 5 5 2", DULL[0])
    chance(state, "7")
    state.play(0, "lay 7 2")
    state.play(0, "lay K K 5 5")
    assert [seat["cards"] for seat in state.view(None)["seats"]] == [0, 5]
    result = nf.simulate("multiple9", bots=["medium"] * 4, games=200, seed=1)
    text = json.dumps(result.json())
    assert "cards left in all hands" in text and "games that ended undecided" in text


# 6: options


def test_r6_1_the_fewest_cards_win_an_undecided_game() -> None:
    state = without_stock(*DULL, undecided="fewest")
    while not state.over:
        assert state.winners == []
        state.play(state.actors[0], "done")
    assert sizes(state) == [18, 17, 17]
    assert state.winners == [1, 2] and state.scores == [0, 1, 1]


def test_r6_1_does_not_touch_a_game_that_is_won() -> None:
    state = dealt("Q Q 3 8 10", DULL[2], undecided="fewest")
    state.play(0, "go out")
    assert state.winners == [0] and state.scores == [1, 0]


@pytest.mark.parametrize("given", ["most", 1, True, None, ""])
def test_other_values_of_the_option_are_refused(given: object) -> None:
    with pytest.raises(nf.RuleError, match="draw or fewest"):
        nf.make("multiple9", undecided=given)
    with pytest.raises(nf.RuleError, match="no option"):
        nf.make("multiple9", decided=given)


# The worked game of the rule page and its source


def test_the_worked_game() -> None:
    state = dealt("7 K J 10 10", "5 A 6 8 9")
    chance(state, "3")
    assert {"lay J 7", "lay 10 10 7"} <= set(state.moves(0))
    state.play(0, "lay 7 10 10")
    state.play(0, "done")
    assert hand(state, 0) == "K J 3"
    chance(state, "A")
    state.play(1, "lay 8 A")
    refused(state, 1, "done", r"R4\.4")
    state.play(1, "lay 9")
    state.play(1, "done")
    assert hand(state, 1) == "6 5 A"
    chance(state, "5")
    state.play(0, "lay K 5")
    state.play(0, "done")
    assert hand(state, 0) == "J 3"
    chance(state, "3")
    refused(state, 1, "lay 6 3", r"R4\.5")
    assert list(state.moves(1)) == ["done"]
    state.play(1, "done")
    chance(state, "J")
    assert hand(state, 0) == "J J 3" and list(state.moves(0)) == ["done"]
    state.play(0, "done")
    chance(state, "K")
    state.play(1, "lay 5 K")
    state.play(1, "lay 6 3")
    state.play(1, "done")
    assert hand(state, 1) == "A"
    chance(state, "J")
    state.play(0, "lay J J J 3")
    assert state.over and state.winners == [0] and state.scores == [1, 0] and sizes(state) == [0, 1]
    assert nf.replay(state.record()) == state


# Bad input


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("lay", "names no cards"),
        ("", "names no cards"),
        ("lay 8 8 8 8 8", "holds 4 eights"),
        ("lay JK", "joker"),
        ("lay 14 4", "not a card"),
        ("lay eight ace", "not a card"),
        ("discard 8 A", "not a card"),
        ("lay ♥", "not a card"),
        ("stay", "not a card"),
        ("lay 8♥ A", "suits"),
    ],
)
def test_unreadable_moves(text: str, sentence: str) -> None:
    state = dealt("8 8 A A K", DULL[0])
    chance(state, "5")
    refused(state, 0, text, sentence, nf.Unreadable)


@pytest.mark.parametrize(
    "text", ["lay 8 8 A A", "LAY a 8 A 8", "8 8 1 1", "lay 8,8,A,A", "lay 88AA", "put down 8+8+A+A"]
)
def test_other_spellings(text: str) -> None:
    state = dealt("8 8 A A K", DULL[0])
    chance(state, "5")
    state.play(0, text)
    assert discards(state) == "8 8 A A"


@pytest.mark.parametrize("move", [-1, 157, 2**70, True, 1.5, None])
def test_numbers_that_are_no_move(move: Any) -> None:
    state = dealt("8 8 A A K", DULL[0])
    chance(state, "5")
    refused(state, 0, move, "0 to 156")


@pytest.mark.parametrize("text", ["deal 14", "deal", "roll 3 4", "7 8", "deal JK"])
def test_unreadable_chance(text: str) -> None:
    refused(begin(), nf.CHANCE, text, "is not a card", nf.Unreadable)


@pytest.mark.parametrize(
    ("cards", "sentence"),
    [
        ("8 8 8 8 8", "holds 4 eights, and here are 5"),
        ("8S 8S", "holds one 8S"),
        ("", "1 to 52 cards, not 0"),
        ("8 X", "not a card"),
        ("JK 8", "joker"),
        (7, "written as text"),
    ],
)
@pytest.mark.parametrize("ask", ["groups", "split", "best", "verdict"])
def test_the_judge_refuses_hands_that_cannot_be(ask: str, cards: Any, sentence: str) -> None:
    with pytest.raises(nf.RuleError, match=sentence):
        getattr(nf.multiple9, ask)(cards)


# The judge


def test_best_is_what_the_source_calls_better() -> None:
    play = nf.multiple9.best("7 K J 10 10 3")
    assert play.groups == [["10", "10", "7"]] and play.rest == ["K", "J", "3"]
    second = nf.multiple9.best("5 A 6 8 9 A")
    assert sorted(second.groups) == [["8", "A"], ["9"]] and second.rest == ["6", "5", "A"]


def test_best_counts_the_cards_that_would_let_the_rest_go_out() -> None:
    play = nf.multiple9.best("K 5 4 9")
    assert len(play.rest) == 1 and play.outs == ["5"], "a K or a 4, and both wait for a 5"
    assert nf.multiple9.best("Q Q 3 8 10") == ([["Q", "Q", "3"], ["10", "8"]], [], [])
    assert nf.multiple9.best("6 3 K") == ([], ["K", "6", "3"], ["5"]), "a lone nine may not go down"
    assert nf.multiple9.best("8 10 8 9") == ([["10", "8"], ["9"]], ["8"], ["A", "10"])


def test_best_is_the_best_of_all_plays() -> None:
    """Against every play there is, tried one by one."""
    import random

    chooser = random.Random(3)
    deck = [rank for rank in PLAIN.ranks for _ in range(4)]
    tried = 0
    while tried < 60:
        cards = chooser.sample(deck, chooser.randint(4, 8))
        plays = all_plays(cards)
        found = nf.multiple9.best(cards)
        assert Counter(found.rest) + Counter(card for group in found.groups for card in group) == Counter(
            cards
        )
        if not plays:
            assert found.groups == []
            continue
        tried += 1
        best = max(plays, key=lambda rest: (outs(rest, cards), -len(rest)))
        assert (outs(tuple(found.rest), cards), -len(found.rest)) == (outs(best, cards), -len(best)), cards


def outs(rest: tuple[str, ...], cards: list[str]) -> int:
    if not rest:
        return 1_000
    unseen = Counter(dict.fromkeys(PLAIN.ranks, 4)) - Counter(cards)
    return sum(number for rank, number in unseen.items() if nf.multiple9.split([*rest, rank]) is not None)


def all_plays(cards: list[str]) -> set[tuple[str, ...]]:
    """What every legal play of some cards leaves."""
    left: set[tuple[str, ...]] = set()
    seen = set()
    todo: list[tuple[tuple[str, ...], tuple[int, ...]]] = [(tuple(sorted(cards)), ())]
    while todo:
        rest, totals = todo.pop()
        if (rest, totals) in seen:
            continue
        seen.add((rest, totals))
        if totals and (len(totals) > 1 or totals[0] > 9 or not rest):
            left.add(rest)
        for group in nf.multiple9.groups(list(rest)) if rest else []:
            after = Counter(rest) - Counter(group)
            total = sum(PLAIN.ranks.index(rank) + 1 for rank in group)
            todo.append((tuple(sorted(after.elements())), (*totals[:1], total)))
    return left


def run_cli(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "ninefold", *arguments], capture_output=True, text=True, env={**os.environ}
    )


def test_the_judge_answers_like_a_referee(capsys: pytest.CaptureFixture[str]) -> None:
    from ninefold.game.multiple9.judge import command

    def asked(*arguments: str) -> str:
        command.main(list(arguments), standalone_mode=False)
        return capsys.readouterr().out

    assert asked("8 4 4 A A") == "Legal: 4 4 A makes 9 and 8 A makes 9 (R2.5).\n"
    assert asked("6", "3").startswith("Only as the last cards: 6 3 makes 9")
    assert asked("8 4 4 2").startswith(
        "Not legal: the total of 18 is right, but a group is of at most two ranks"
    )
    assert asked("K K K").startswith("Not legal: K K K total 39, between 36 and 45")
    seen = asked("7 K J 10 10 3")
    assert "the K and 3 are in no group" in seen and "Best is to put down 10 10 7 and keep K J 3." in seen
    assert asked("--hand", "8 10 8 7 9").startswith(
        "Groups in the hand: 9, 10 8.\nBest is to put down 10 8 and 9"
    )
    answer = json.loads(asked("--json", "8 4 4 A A"))
    assert answer["legal"] and answer["groups"] == [["4", "4", "A"], ["8", "A"]] and answer["total"] == 18


def test_the_judge_on_the_command_line() -> None:
    bad = run_cli("judge", "multiple9", "8 8 8 8 8")
    assert bad.returncode == 2 and "holds 4 eights" in bad.stderr and "Traceback" not in bad.stderr


# The table


def test_a_hand_can_be_played_from_its_view_alone() -> None:
    """Every offer names its move, and the places of its cards in the zone are those cards."""
    state = nf.make("multiple9", players=3).start(seed=5)
    for _ in range(60):
        if state.over:
            break
        seat = state.actors[0]
        view = state.view(seat)
        cards = [card["card"] for card in zone(state, f"hand-{seat}", seat)["cards"]]
        offered = []
        for offer in view["offers"]:
            if offer["kind"] == "button":
                offered.append(offer["move"])
                continue
            assert offer["zone"] == f"hand-{seat}"
            for choice in offer["choices"]:
                assert len(set(choice["cards"])) == len(choice["cards"])
                assert "lay " + " ".join(cards[place] for place in choice["cards"]) == choice["move"]
                offered.append(choice["move"])
        assert offered == view["moves"] == list(state.moves(seat))
        state.play(seat, offered[0])


def test_the_story_of_a_game() -> None:
    told: list[str] = []
    from ninefold.engine.views import tell

    game = nf.make("multiple9", players=2)
    state = game.start(manual=True)
    state.watchers.append(
        lambda before, seat, action, after: told.extend(
            event["text"] for event in tell(game, before, seat, action, after, 0, ("Ann", "Bob"))
        )
    )
    for cards in zip(["Q", "Q", "3", "8", "10"], DULL[0].split(), strict=True):
        chance(state, *cards)
    assert told[-3:] == [
        "Everybody has five cards.",
        "Ann has Q Q 10 8 3.",
        "Ann can go out with the cards dealt.",
    ]
    state.play(0, "wait")
    chance(state, "A")
    state.play(0, "lay 8 A")
    state.play(0, "lay Q Q 3")
    state.play(0, "done")
    assert told[-5:] == [
        "Ann waits.",
        "Ann draws an A.",
        "Ann puts down 8 A, which makes 9.",
        "Ann also puts down Q Q 3, which makes 27.",
        "Ann keeps one card.",
    ]


def test_any_of_two_equal_cards_may_be_picked() -> None:
    """R1.3: the second 8 is as good as the first, also for a hand that points at it."""
    from ninefold.terminal import asking

    state = dealt("8 8 A A K", "K 7 2 J 10")
    for rank in ("5", "6"):
        chance(state, rank)
        state.play(state.actors[0], "done")
    chance(state, "10")
    while state.actors != (0,) or len(state.moves(0)) < 12:
        if state.actors == (nf.CHANCE,):
            state.play(nf.CHANCE, next(iter(state.chance())))
        else:
            state.play(state.actors[0], "done")
    view = state.view(0)
    cards = [card["card"] for card in zone(state, "hand-0", 0)["cards"]]
    second = max(place for place, card in enumerate(cards) if card == "8")
    ace = max(place for place, card in enumerate(cards) if card == "A")
    picked = frozenset({("hand-0", second), ("hand-0", ace)})
    assert [action.move for action in asking.actions(view, picked) if action.move != "done"] == ["lay 8 A"]
    assert picked <= asking.lit(view)


@pytest.mark.parametrize("number", range(5))
def test_lessons_can_be_played(number: int) -> None:
    from ninefold.engine.registry import lessons

    lesson = lessons("multiple9")[number]
    for answer in lesson.answers or ("lay 10 8", "done"):
        state = nf.make("multiple9", players=lesson.players).start(manual=True)
        for seat, text in lesson.script():
            state.play(seat, text)
        assert state.actors == (lesson.seat,) and answer in state.moves(lesson.seat)
        state.play(lesson.seat, answer)
    assert len(lessons("multiple9")) == 5


# Laws and bots


@pytest.mark.parametrize("players", [2, 5])
def test_laws_with_the_option(players: int) -> None:
    check(nf.make("multiple9", players=players, undecided="fewest"), matches=1)


def test_redeal_respects_what_all_have_seen() -> None:
    """R1.4, R4.6: cards kept since the discards were turned over cannot be among those in the new stock."""
    state = without_stock("K K 5 5 6", DULL[0])
    seat = state.actors[0]
    move = next(move for move in state.moves(seat) if len(move.split()) > 3 and move not in nine_texts())
    state.play(seat, move)
    state.play(seat, "done")
    stock = Counter(move.split()[1:])
    luck = new_stream(3)
    seen = set()
    for _ in range(50):
        other = state.copy()
        nf.make("multiple9").package.rules.redeal(other._s, seat, luck)
        assert Counter(PLAIN.rank_text(rank) for rank in nines.unpack(int(other._s.stock))) == stock
        assert (other._s.hands == state._s.hands).all(), "of two players, each knows the other's hand by now"
    drawn = next(iter(state.chance()))
    state.play(nf.CHANCE, drawn)
    for _ in range(50):
        other = state.copy()
        nf.make("multiple9").package.rules.redeal(other._s, seat, luck)
        seen.add(int(other._s.stock))
    assert len(seen) == len(stock), "which of them the other drew is not known"


def test_redeal_respects_who_was_asked() -> None:
    """R3.2: that somebody was asked is public, and that the others were not."""
    state = dealt(DULL[0], "Q Q 3 8 10", DULL[1])
    state.play(1, "wait")
    chance(state, "4")
    luck = new_stream(1)
    hands = set()
    for _ in range(60):
        other = state.copy()
        nf.make("multiple9").package.rules.redeal(other._s, 0, luck)
        hands.add(int(other._s.hands[1]))
        assert nines.splits(int(other._s.hands[1])) and not nines.splits(int(other._s.hands[2]))
    assert len(hands) > 20


@pytest.mark.parametrize(
    ("better", "worse", "least"),
    [("easy", "random", 0.6), ("medium", "easy", 0.75), ("hard", "medium", 0.54)],
)
def test_each_level_beats_the_one_below(better: str, worse: str, least: float) -> None:
    wins = [0.0, 0.0]
    for first in (0, 1):
        bots = [better, worse] if first == 0 else [worse, better]
        result = nf.simulate("multiple9", bots=bots, games=4_000, seed=first)
        for seat, share in enumerate(result.wins):
            wins[(seat + first) % 2] += share
    assert wins[0] / sum(wins) > least, wins


def test_holding_back_is_worth_it_and_leaves_games_undecided() -> None:
    """About 78 to 19 heads-up; where all hold back, 19 (two) and 69 (nine) of 100 games end undecided."""
    for players, share in ((2, 0.185), (9, 0.687)):
        result = nf.simulate("multiple9", bots=["medium"] * players, games=20_000, seed=2)
        assert 1 - sum(result.wins) / result.games == pytest.approx(share, abs=0.015)
    result = nf.simulate("multiple9", bots=["medium", "easy"], games=20_000, seed=2)
    assert [wins / result.games for wins in result.wins] == pytest.approx([0.777, 0.189], abs=0.015)


def test_hard_beats_medium_at_a_table_of_four() -> None:
    wins = {"hard": 0.0, "medium": 0.0}
    for first in range(4):
        bots = ["hard" if (seat + first) % 2 == 0 else "medium" for seat in range(4)]
        result = nf.simulate("multiple9", bots=bots, games=8_000, seed=first)
        for bot, share in zip(bots, result.wins, strict=True):
            wins[bot] += share
    assert wins["hard"] > 1.08 * wins["medium"], wins


@pytest.mark.parametrize("players", [2, 9])
@pytest.mark.parametrize("bot", ["medium", "hard"])
def test_no_game_between_bots_goes_on_for_ever(bot: str, players: int) -> None:
    """R5.2: where cards are put down again and again to keep a game alive, patience ends."""
    for undecided in ("draw", "fewest"):
        result = nf.simulate("multiple9", bots=[bot] * players, games=1_500, seed=1, undecided=undecided)
        assert result.unfinished == 0


@pytest.mark.parametrize("bot", [bot.name for bot in FACTS.bots])
def test_every_bot_plays_to_the_end(bot: str) -> None:
    game = nf.make("multiple9", players=3)
    state = game.start(seed=4)
    Company(game, [bot] * 3, 4).play_out(state, 10_000)
    assert state.over
