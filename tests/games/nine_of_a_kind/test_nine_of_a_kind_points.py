"""9 of a Kind, R5 and R6: points, the target, and Chicken!"""

from __future__ import annotations

import pytest

import ninefold as nf
from ninefold.engine.beats import Moment
from support.nine_hands import (
    BLOCKER,
    HEARTS,
    ONE,
    SEVENS,
    SPADES,
    ZERO,
    at_table,
    deal,
    dealt,
    hand,
    refused,
    status,
    totals,
)


@pytest.mark.parametrize(
    ("cards", "points", "collection"),
    [
        ("AS AH AD AC AR AP 9S 9H 9D", 6, "nines"),
        (HEARTS, 0, "Hearts"),
        (SEVENS, 0, "sevens"),
        ("AS 2S 3S 4S 5S 6S 7S 8S 9H", 9, "Spades"),
        (BLOCKER, 36, "nines"),
        ("AR AP AX AW AL AS AH AD 9C", 8, "Clubs"),
    ],
)
def test_r5_1_points_held(cards: str, points: int, collection: str) -> None:
    held = nf.nine_of_a_kind.held(cards)
    assert held.points == points and (held.collection == collection or cards == BLOCKER)
    assert held == (points, held.collection)


def test_r5_1_an_unclaimed_blocker_counts_like_any_hand() -> None:
    state = dealt("AP 2R 3W 4X 5S 6L 7D 8H 9C", "AR 2P 3X 4W 5L 6S 7H 8D 9R")
    state.play(1, "claim nine")
    assert status(state, 1) == "out"
    state = dealt("AP 2R 3W 4X 5S 6L 7D 8H 9C", BLOCKER.replace("9C", "9R").replace("AR", "AC"))
    state.play(0, "claim blocked")
    assert state.picture().details["last_round"]["held"][1] == 36


def test_r5_2_the_winner_scores_what_all_others_hold() -> None:
    state = dealt(HEARTS, ZERO.replace("7H", "6S"), ONE)
    expected = [nf.nine_of_a_kind.held(hand(state, seat)).points for seat in range(5)]
    state.play(0, "claim nine")
    for seat in (1, 2, 3, 4):
        state.play(seat, "wait")
    assert state.scores == [sum(expected[1:]), 0, 0, 0, 0]
    assert state.picture().details["last_round"]["held"] == expected


def test_r5_3_each_of_several_scores_in_full() -> None:
    state = dealt(HEARTS, SPADES)
    rest = sum(nf.nine_of_a_kind.held(hand(state, seat)).points for seat in (2, 3, 4))
    state.play(1, "claim nine")
    for seat, word in ((0, "claim nine"), (2, "wait"), (3, "wait"), (4, "claim nine")):
        state.play(seat, word)
    assert state.scores == [rest, rest, 0, 0, 0]


@pytest.mark.parametrize("forfeit", ["free", "counts"])
def test_r5_4_points_of_a_forfeited_hand(forfeit: str) -> None:
    state = dealt(HEARTS, ONE, forfeit=forfeit)
    lost = nf.nine_of_a_kind.held(ONE).points
    rest = sum(nf.nine_of_a_kind.held(hand(state, seat)).points for seat in (2, 3, 4))
    state.play(1, "claim nine")
    state.play(0, "claim nine")
    for seat in (2, 3, 4):
        state.play(seat, "wait")
    assert lost > 0 and state.scores[0] == rest + (lost if forfeit == "counts" else 0)


def test_r5_4_nobody_gets_them_in_a_dead_round() -> None:
    state = dealt(ZERO, ONE, forfeit="counts")
    for seat in range(4):
        state.play(seat, "claim nine")
    assert state.scores == [0] * 5


def test_r5_5_the_target_ends_the_game() -> None:
    state = dealt(HEARTS, target=50)
    state.play(0, "claim nine")
    for seat in (1, 2, 3, 4):
        state.play(seat, "wait")
    assert state.over and state.winners == [0] and state.actors == ()
    for seat in range(5):
        assert len(state.moves(seat)) == 0
    with pytest.raises(nf.IllegalMove, match="over"):
        state.play(1, "wait")


def test_r5_5_below_the_target_a_new_round_is_dealt() -> None:
    state = dealt(HEARTS, target=10_000)
    state.play(0, "claim nine")
    for seat in (1, 2, 3, 4):
        state.play(seat, "wait")
    assert not state.over and state.actors == (nf.CHANCE,) and len(state.chance()) == 81
    assert state.winners == [] and state.scores[0] > 0


def test_r5_5_the_highest_of_several_wins_and_equal_scores_share() -> None:
    state = dealt(HEARTS, SPADES, target=10)
    state.play(1, "claim nine")
    for seat, word in ((0, "claim nine"), (2, "wait"), (3, "wait"), (4, "wait")):
        state.play(seat, word)
    assert state.over and state.winners == [0, 1]
    state = dealt(BLOCKER, target=200)
    state.play(0, "claim blocked")
    before = state.scores[0]
    deal(state, HEARTS, SPADES)
    state.play(1, "claim nine")
    for seat, word in ((0, "claim nine"), (2, "wait"), (3, "wait"), (4, "wait")):
        state.play(seat, word)
    if state.over:
        assert state.scores[0] - state.scores[1] == before > 0 and state.winners == [0]


EIGHT_HEARTS = HEARTS.replace("9H", "9S")  # holds 9


SEVEN_ACES = "AR AP AX AW AL AS AD 2R 2P"  # holds 4


def test_r6_1_off_unless_agreed() -> None:
    assert "does not use" in refused(at_table(), 0, "chicken", "R6.1")
    assert "chicken" in at_table(chicken=True).moves(0)


def test_r6_1_half_of_all_points_rounded_up() -> None:
    for mine in (SEVEN_ACES, SEVEN_ACES.replace("2R", "3R")):
        state = dealt(mine, chicken=True)
        total = sum(totals(state))
        state.play(0, "chicken")
        assert state.scores == [(total + 1) // 2, 0, 0, 0, 0]


def test_r6_1_not_in_the_window() -> None:
    state = dealt(HEARTS, chicken=True)
    state.play(0, "claim nine")
    refused(state, 1, "chicken", "R4.4")


def test_r6_2_seven_cards_and_nobody_with_fewer_points() -> None:
    state = dealt(SEVEN_ACES, EIGHT_HEARTS, chicken=True)
    assert totals(state)[0] < totals(state)[1] < min(totals(state)[2:])
    state.play(0, "chicken")
    assert state.scores[0] > 0 and state.scores[1:] == [0] * 4


def test_r6_2_equal_points_are_enough() -> None:
    state = dealt(SEVEN_ACES, "9R 9P 9X 9W 9L 9S 9H 3R AC", chicken=True)
    assert totals(state)[:2] == [4, 4]
    state.play(1, "chicken")
    assert state.scores[1] > 0 and state.scores[0] == 0


def test_r6_3_with_too_few_cards_the_fewest_points_of_the_others_earn_it() -> None:
    state = dealt("AR AP AX AW AL AS 9R 9P 9X", EIGHT_HEARTS, chicken=True)
    assert totals(state)[:2] == [6, 9], "the caller holds the fewest points, but only six cards of a kind"
    state.play(0, "chicken")
    assert state.scores[1] > 0 and state.scores[0] == 0


def test_r6_3_with_too_many_points_too() -> None:
    state = dealt(SEVEN_ACES, EIGHT_HEARTS, chicken=True)
    state.play(1, "chicken")
    assert state.scores[0] > 0 and state.scores[1:] == [0] * 4


def test_r6_3_each_of_several() -> None:
    state = dealt(SEVEN_ACES, "9R 9P 9X 9W 9L 9S 9H 3R AC", chicken=True)
    total = sum(totals(state))
    assert totals(state)[:2] == [4, 4]
    state.play(2, "chicken")
    assert state.scores == [(total + 1) // 2, (total + 1) // 2, 0, 0, 0]


def test_r6_3_those_who_are_out_neither_pay_nor_earn() -> None:
    state = dealt(SEVEN_ACES, EIGHT_HEARTS, chicken=True, forfeit="counts")
    state.play(0, "claim nine")
    total = sum(nf.nine_of_a_kind.held(hand(state, seat)).points for seat in range(1, 5))
    state.play(2, "chicken")
    assert state.scores == [0, (total + 1) // 2, 0, 0, 0]


def test_r5_6_every_hand_that_is_in_is_laid_open() -> None:
    state = dealt(BLOCKER)
    hands = [hand(state, seat) for seat in range(5)]
    state.play(1, "claim nine")
    before, claim = state.copy(), state.admit(0, "claim blocked")
    state.play(0, claim)
    for viewer in (None, 1, 2):
        (beat,) = state.perspectives.beats([Moment(before.tobytes(), 0, claim, state.tobytes())], viewer)
        shown = {event.seat: event for event in beat.events if event.kind in ("held", "score")}
        assert set(shown) == {0, 2, 3, 4}, "a hand that was put into the centre stays unknown"
        for seat in (0, 2, 3, 4):
            cards = [str(card) for card in shown[seat].cards]
            assert sorted(cards) == sorted(hands[seat])
            costly = [cards[at][0] for at in shown[seat].costs]
            cost = sum(1 if rank == "A" else int(rank) for rank in costly)
            assert cost == (nf.nine_of_a_kind.held(hands[seat]).points if seat else 0)
            assert seat == 0 or cost == shown[seat].amount
    last = state.picture().details["last_round"]
    assert last["hands"][1] == [] and sorted(last["hands"][2]) == sorted(hands[2])


def test_r5_6_without_points_nothing_is_shown() -> None:
    state = dealt(ZERO, ONE)
    for seat in range(4):
        state.play(seat, "claim nine")
    assert state.picture().details["last_round"]["hands"] == [[]] * 5
