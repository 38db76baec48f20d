"""Multiple 9, R3 and R4: going out at the deal, and what a turn is."""

from __future__ import annotations

from math import comb

import pytest

import ninefold as nf
from ninefold.game import nines
from support.multiple9 import (
    DULL,
    begin,
    chance,
    dealt,
    discards,
    hand,
    nine_texts,
    refused,
    sizes,
    without_stock,
    zone,
)


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
    assert str(state.picture(None).prompt) == "Player 2 can go out with the cards dealt, and is deciding."
    assert [seat.marks for seat in state.picture(0).seats] == [[], ["could_go_out"], [], []]
    asked = r"Player 2 must choose to go out with the cards dealt, or to wait \(R3\.2\)"
    refused(state, 3, "go out", asked, nf.NotYourTurn)
    refused(state, 3, "lay 8 4 4 2", asked, nf.NotYourTurn)
    refused(state, 1, "lay Q Q 3", asked)
    refused(state, 1, "lay Q Q 3 8 10", asked)
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
        refused(state, 1, move, r"it is Player 1's turn \(R4\.1\)", nf.NotYourTurn)
    refused(state, 1, "lay 7 3 2", r"Player 1's turn \(R4\.1\)", nf.NotYourTurn)


def test_r4_2_one_card_is_drawn_first() -> None:
    state = dealt("10 8 K 7 2", DULL[0])
    assert state.view(0)["prompt"] == "You draw a card."
    refused(state, 0, "lay 10 8", r"a card must be drawn first \(R4\.2\)", nf.NotYourTurn)
    refused(state, 0, "done", r"R4\.2", nf.NotYourTurn)
    chance(state, "3")
    assert sizes(state) == [6, 5] and zone(state, "stock")["count"] == 41


def test_r4_3_groups_of_the_hand_one_at_a_time() -> None:
    state = dealt("10 8 6 3 K", DULL[1])
    chance(state, "5")
    assert list(state.moves(0)) == ["lay 6 3", "lay 10 8", "lay K 5", "done"]
    refused(state, 0, "lay J 7", r"Player 1 does not have J 7 \(R4\.3\)")
    refused(state, 0, "lay 10 10 7", r"R4\.3")
    refused(state, 0, "lay 10 8 K 5", r"one at a time, such as lay K 5 and lay 10 8 \(R4\.3\)")
    refused(state, 0, "lay 10 8 3", r"totals 21, which is not a multiple of nine \(R2\.2\)")
    refused(state, 0, "lay 10 6 2", r"at most two ranks, and these cards have 3 \(R2\.2\)")
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
    refused(state, 0, "done", r"a single nine needs a second group \(R4\.4\)")
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
    refused(state, 0, "lay 6 3", r"the rest of the hand has no other group \(R4\.5\)")
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
    assert discards(state) == "K K 5 5", "not before a card is to be drawn"
    state.play(state.actors[0], "done")
    assert state.actors == (nf.CHANCE,)
    assert state.chance() == {"deal 5": 0.5, "deal K": 0.5}
    assert zone(state, "stock")["count"] == 4 and discards(state) == ""
    assert state.picture(None).details["turned_over"] == ["K", "K", "5", "5"], "everyone has seen them"


def test_r4_6_what_is_put_down_with_the_last_card_is_mixed_in() -> None:
    state = without_stock("K K 5 5 6", DULL[0])
    seat = state.actors[0]
    move = next(move for move in state.moves(seat) if len(move.split()) == 3 and move not in nine_texts())
    state.play(seat, move)
    state.play(seat, "done")
    assert {text.split()[1] for text in state.chance()} == set(move.split()[1:])


def test_r4_7_no_card_to_draw() -> None:
    state = without_stock(*DULL)
    seat, turn, size = state.actors[0], state.turns, sizes(state)
    assert state.chance() == {} and sum(size) == 52
    assert "No card is left to draw." in state.view(seat)["prompt"] and len(state.moves(seat)) > 1
    state.play(seat, "done")
    assert sizes(state) == size and state.turns == turn + 1 and state.actors == ((seat + 1) % 3,)
