"""9 of a Kind, R4: claims, and the window in which others may join."""

from __future__ import annotations

import pytest

import ninefold as nf
from support.nine_hands import (
    BLOCKER,
    HEARTS,
    SEVENS,
    SPADES,
    ZERO,
    at_table,
    deal,
    dealt,
    hand,
    in_centre,
    offer_sizes,
    refused,
    stat,
    status,
    visible,
    zone_cards,
)


@pytest.mark.parametrize("mine", [HEARTS, SEVENS])
def test_r4_1_nine_of_a_kind(mine: str) -> None:
    state = dealt(mine)
    state.play(0, "claim nine")
    assert state.picture().details["claimant"] == 0 and state.actors == (1, 2, 3, 4)


def test_r4_1_not_with_eight() -> None:
    state = dealt(HEARTS.replace("9H", "9S"))
    state.play(0, "claim nine")
    assert status(state, 0) == "out"


def test_r4_2_blocked() -> None:
    state = dealt(BLOCKER)
    state.play(0, "claim blocked")
    assert state.scores[0] > 0 and state.picture().details["last_round"]["ending"] == "blocked"


@pytest.mark.parametrize("mine", [BLOCKER.replace("9C", "9D"), BLOCKER.replace("9C", "8C"), HEARTS])
def test_r4_2_not_with_a_rank_or_suit_missing(mine: str) -> None:
    state = dealt(mine)
    state.play(0, "claim blocked")
    assert state.scores == [0] * 5 and status(state, 0) == "out"


@pytest.mark.parametrize("claim", ["claim nine", "claim blocked"])
def test_r4_3_a_false_claim(claim: str) -> None:
    state = at_table()
    state.play(0, "offer AS")
    state.play(0, claim)
    assert status(state, 0) == "out" and stat(state, 0, "cards") == 0
    assert offer_sizes(state)[0] == 0 and in_centre(state) == 45
    assert state.actors == (1, 2, 3, 4) and len(state.moves(0)) == 0
    for move in ("wait", "offer AS", "claim nine", "offer AS 7H"):
        assert "next one" in refused(state, 0, move, "R4.3", nf.NotYourTurn)
    refused(state, 1, "answer 0 9R", "R3.4")
    assert visible(state, 1) <= set(hand(state, 1)), "the hand is not shown"


def test_r4_3_a_claim_is_always_a_legal_move() -> None:
    state = at_table()
    assert {"claim nine", "claim blocked", "wait"} <= set(state.moves(3))
    assert "chicken" not in state.moves(3)


def test_r4_4_only_two_words_in_the_window() -> None:
    state = dealt(HEARTS, ZERO.replace("7H", "6S"))
    state.play(1, "offer AS")
    state.play(0, "claim nine")
    assert offer_sizes(state) == [0] * 5, "the cards are frozen"
    for seat in (1, 2, 3, 4):
        assert list(state.moves(seat)) == ["claim nine", "wait"]
    for move in ("offer AS", "withdraw", "claim blocked", "centre AS", "answer 2 AS"):
        refused(state, 1, move, "R4.4")
    assert zone_cards(state, 3, "hand-0") == HEARTS.split(), "a claim lays out the cards"


def test_r4_5_everyone_speaks_once_in_any_order() -> None:
    state = dealt(HEARTS)
    state.play(0, "claim nine")
    assert len(state.moves(0)) == 0
    refused(state, 0, "wait", "R4.5", nf.NotYourTurn)
    for seat in (3, 1, 4):
        state.play(seat, "wait")
        refused(state, seat, "claim nine", "R4.5", nf.NotYourTurn)
        assert state.scores == [0] * 5
    assert state.actors == (2,)
    state.play(2, "wait")
    assert state.scores[0] > 0 and state.actors == (nf.CHANCE,)


def test_r4_5_who_is_out_is_not_asked() -> None:
    state = dealt(HEARTS)
    state.play(2, "claim blocked")
    state.play(0, "claim nine")
    assert state.actors == (1, 3, 4)
    refused(state, 2, "wait", "R4.3", nf.NotYourTurn)


def test_r4_6_claims_in_unison_share_and_false_ones_are_ignored() -> None:
    state = dealt(HEARTS, SPADES, "AR 2R 3R 4R 5R 6R 7R 8R 9R")
    state.play(0, "claim nine")
    state.play(1, "claim nine")
    state.play(3, "claim nine")
    assert zone_cards(state, 4, "hand-1") == SPADES.split(), "every true claim lays out the cards"
    assert status(state, 3) == "silent", "still in, and ignored"
    state.play(2, "wait")
    state.play(4, "wait")
    gained = state.picture().details["last_round"]["gained"]
    held = state.picture().details["last_round"]["held"]
    assert gained[0] == gained[1] == held[3] + held[4] > 0
    assert gained[2:] == [0, 0, 0] and held[2] == 0, "nine of a kind, not claimed: nothing held, nothing won"


def test_r4_7_no_window_after_blocked() -> None:
    state = dealt(BLOCKER)
    state.play(0, "claim blocked")
    assert str(state.picture().phase) == "Round 2 (the deal)"


def test_r4_8_a_dead_round() -> None:
    state = at_table()
    for seat in (0, 1, 2):
        state.play(seat, "claim nine")
    assert list(state.actors) == [3, 4]
    state.play(4, "claim blocked")
    assert state.scores == [0] * 5 and str(state.picture().phase) == "Round 2 (the deal)"
    assert state.picture().details["last_round"]["ending"] == "nobody"
    deal(state)
    assert state.actors == (0, 1, 2, 3, 4), "all are back"
