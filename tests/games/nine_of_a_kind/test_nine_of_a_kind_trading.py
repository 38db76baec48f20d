"""9 of a Kind, R3: parcels, offers, answers and the centre."""

from __future__ import annotations

import numpy as np
import pytest

import ninefold as nf
from ninefold.game.nine_of_a_kind import FACTS, parcels
from ninefold.game.nine_of_a_kind.invariants import broken_invariants
from ninefold.kernel.cards import NINE_SUITS
from support.nine_hands import (
    HEARTS,
    ONE,
    SEVENS,
    ZERO,
    at_table,
    deal,
    dealt,
    hand,
    in_centre,
    offer_sizes,
    refused,
    rules,
    stat,
)


def test_r3_1_there_are_2241_parcels() -> None:
    assert parcels.COUNT == len(set(parcels.PARCELS)) == 2_241 and FACTS.actions == 10 * 2_241 + 5
    assert [parcels.SIZE.tolist().count(size) for size in (1, 2, 3)] == [81, 648, 1_512]


def test_r3_1_parcels_of_a_hand() -> None:
    state = at_table()
    offers = [move.removeprefix("offer ") for move in state.moves(0) if move.startswith("offer")]
    # 9 cards; three sevens, four spades, two clubs
    assert len(offers) == 9 + (3 + 6 + 1) + (1 + 4)
    assert offers[:3] == ["AS", "2S", "3S"] and "7S 7H 7D" in offers and "AS 2S 7S" in offers
    assert "7S 9C" not in offers


def test_r3_1_the_most_moves_fit_the_fact_sheet() -> None:
    state = dealt(HEARTS, *[SEVENS.replace("7H", "8S"), "9R 9P 9X 9W 9L 9S 9D 9C 8R"])
    spans = np.empty((FACTS.spans, 2), np.int64)
    state.play(1, "offer 7R")
    state.play(0, "answer 1 AH")
    for seat, parcel in ((1, "7P 7X 7W"), (2, "9R 9P 9X")):
        state.play(seat, f"offer {parcel}")
    assert 0 < int(rules.legal(state.position, 0, spans)) <= FACTS.spans


@pytest.mark.parametrize(
    ("move", "rule"),
    [
        ("offer 7S 7C", "R3.1"),
        ("offer 9R", "R3.1"),
        ("centre 9R", "R3.1"),
        ("answer 1 9R", "R3.1"),
        ("offer 7S 9C", "R3.1"),
        ("offer 7S 7H 8C", "R3.1"),
        ("offer AS 2S 7H", "R3.1"),
        ("offer", "R3.1"),
        ("centre", "R3.1"),
        ("answer 1", "R3.1"),
        ("offer 7S AS 2S 3S", "R3.1"),
        ("answer 1 7S AS 2S 3S", "R3.1"),
    ],
)
def test_r3_1_what_is_no_parcel_of_ones_own(move: str, rule: str) -> None:
    state = at_table()
    state.play(1, "offer 9R")
    refused(state, 0, move, rule)


def test_r3_1_says_which_card_is_missing() -> None:
    assert "Player 1 does not hold 7R 7C" in refused(at_table(), 0, "offer 7C 7R", "R3.1")
    assert "Player 1 does not hold 7C" in refused(at_table(), 0, "offer 7S 7C", "R3.1")


def test_r3_2_an_offer_is_open_to_everyone() -> None:
    state = at_table()
    state.play(0, "offer AS")
    for seat in (1, 2, 3, 4):
        answers = [move for move in state.moves(seat) if move.startswith("answer")]
        assert len(answers) == 9 and all(move.startswith("answer 0 ") for move in answers)
    assert not [move for move in state.moves(0) if move.startswith("answer")]


def test_r3_3_an_offer_may_be_changed_or_withdrawn() -> None:
    state = at_table()
    assert "withdraw" not in state.moves(0)
    refused(state, 0, "withdraw", "R3.3")
    state.play(0, "offer AS")
    state.play(0, "offer 7S 7H")
    assert offer_sizes(state, 1)[0] == 2, "a new offer replaces the old one"
    assert "AS" in hand(state, 0) and "7S" in hand(state, 0), "the cards stay in the hand"
    assert "withdraw" in state.moves(0)
    state.play(0, "withdraw")
    assert offer_sizes(state, 1)[0] == 0
    refused(state, 1, "answer 0 9R 9P", "R3.4")


def test_r3_3_a_changed_offer_is_never_executed() -> None:
    state = at_table()
    state.play(0, "offer AS")
    state.play(0, "offer 2S")
    state.play(1, "answer 0 9R")
    assert "2S" in hand(state, 1) and "AS" in hand(state, 0)


def test_r3_4_both_parcels_change_hands_at_once() -> None:
    state = at_table()
    state.play(0, "offer 7S 7H 7D")
    state.play(1, "offer AW")
    state.play(1, "answer 0 9R 9P 9X")
    assert {"9R", "9P", "9X"} <= set(hand(state, 0)) and {"7S", "7H", "7D"} <= set(hand(state, 1))
    assert offer_sizes(state) == [0] * 5, "both open offers are gone"
    assert stat(state, 0, "cards") == stat(state, 1, "cards") == 9


def test_r3_4_nobody_answers_oneself_or_a_player_without_an_offer() -> None:
    state = at_table()
    state.play(0, "offer AS")
    assert "nobody answers their own offer" in refused(state, 0, "answer 0 2S", "R3.4")
    assert "Player 4 has no open offer" in refused(state, 0, "answer 3 2S", "R3.4")
    assert "nobody with that number is at the table" in refused(state, 0, "answer 7 2S", "R3.4")
    nobodys = rules.ANSWER + 7 * parcels.COUNT + NINE_SUITS.read("2S")
    assert "has no open offer" in refused(state, 0, nobodys, "R3.4")


def test_r3_4_two_answers_to_one_offer() -> None:
    """Exactly one succeeds, the other is refused, and no card is lost."""
    state = at_table()
    state.play(0, "offer AS")
    theirs = hand(state, 2)[0]
    state.play(1, "answer 0 9R")
    refused(state, 2, f"answer 0 {theirs}", "R3.4")
    assert "AS" in hand(state, 1) and "9R" in hand(state, 0) and theirs in hand(state, 2)
    assert not broken_invariants(state.position)


def test_r3_5_exactly_as_many_cards() -> None:
    state = at_table()
    state.play(0, "offer 7S 7H")
    for move in ("answer 0 9R", "answer 0 9R 9P 9X"):
        assert "Player 1 offers two cards" in refused(state, 1, move, "R3.5")
    assert all(len(move.split()) == 4 for move in state.moves(1) if move.startswith("answer"))


def test_r3_6_the_centre_only_after_a_trade_with_a_player() -> None:
    state = at_table()
    refused(state, 0, "centre 7S", "R3.6")
    state.play(0, "offer AS")
    state.play(1, "answer 0 9R")
    state.play(1, "centre 9P 9X")
    assert state.actors == (nf.CHANCE,) and len(state.chance()) == 36
    refused(state, 0, "wait", "R3.6", nf.NotYourTurn)
    assert "deal 9P" not in state.chance(), "none of the cards just laid down comes back"
    first, second = [text.removeprefix("deal ") for text in list(state.chance())[:2]]
    state.play(nf.CHANCE, f"deal {first}")
    assert len(state.chance()) == 35 and "deal 9P" not in state.chance()
    state.play(nf.CHANCE, f"deal {second}")
    assert {first, second} <= set(hand(state, 1)) and in_centre(state) == 36
    refused(state, 1, "centre AS", "R3.6")
    assert "centre 7S" in state.moves(0), "the other player may still use the centre"
    state.play(0, "offer 7S")
    state.play(1, "answer 0 AS")
    state.play(1, "centre 5R")
    assert "deal 9P" in state.chance(), "what was laid down before may come now"


def test_r3_6_not_in_the_next_round_for_a_trade_in_this_one() -> None:
    state = at_table()
    state.play(0, "offer AS")
    state.play(1, "answer 0 9R")
    for seat in (2, 3, 4, 1):
        state.play(seat, "claim nine")
    deal(state, ZERO, ONE)
    refused(state, 0, "centre 7S", "R3.6")


def test_r3_7_the_centre_must_hold_enough() -> None:
    state = dealt(ZERO, ONE, players=9)
    state.play(0, "offer AS")
    state.play(1, "answer 0 9R")
    assert "centre holds no cards" in refused(state, 0, "centre 7S", "R3.7")
    state.play(2, "claim nine")
    assert in_centre(state) == 9 and "centre 7S 7H 7D" in state.moves(0)


def test_r3_8_a_centre_trade_withdraws_the_offer() -> None:
    state = at_table()
    state.play(0, "offer AS")
    state.play(1, "answer 0 9R")
    state.play(0, "offer 7S 7H")
    state.play(0, "centre 9C")
    assert offer_sizes(state, None)[0] == 0
    state.play(nf.CHANCE, next(iter(state.chance())))
    refused(state, 1, "answer 0 9P 9X", "R3.4")
