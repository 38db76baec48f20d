"""9 of a Kind by its numbered rules (RULES.md in its package) and the cases of its sources."""

from __future__ import annotations

import json
import random
from typing import Any

import numpy as np
import pytest

import ninefold as nf
from nine_hands import BLOCKER, DECK, HEARTS, SEVENS, begin, deal, dealt, hand, in_centre, shuffled_hands
from ninefold.engine.players import Company
from ninefold.engine.views import tell
from ninefold.game.nine_of_a_kind import FACTS, memory, parcels, table
from ninefold.kernel.cards import NINE_SUITS
from ninefold.kernel.stream import new_stream
from ninefold.testkit import check
from ninefold.testkit.fairness import is_even

rules: Any = nf.make("nine_of_a_kind").package.rules

ZERO = "7S 7H 7D AS 2S 3S 9C 8C 4L"
ONE = "9R 9P 9X 5R 5P 5X AW 2W 3W"


def at_table(**options: Any) -> nf.State:
    """Five players; seats 0 and 1 hold what the tests trade with."""
    return dealt(ZERO, ONE, **options)


def refused(state: nf.State, seat: Any, move: Any, rule: str, error: type[Exception] = nf.IllegalMove) -> str:
    """The sentence with which a move is refused; nothing has changed."""
    before = state.tobytes(), state.steps
    with pytest.raises(error) as caught:
        state.play(seat, move)
    assert (state.tobytes(), state.steps) == before
    assert type(caught.value) is error and str(caught.value).endswith(f"({rule})"), caught.value
    return str(caught.value)


# 1: the table


@pytest.mark.parametrize("players", [5, 6, 7, 8, 9])
def test_r1_1_five_to_nine_players(players: int) -> None:
    state = shuffled_hands(players, players)
    assert [len(hand(state, seat)) for seat in range(players)] == [9] * players
    assert state.actors == tuple(range(players))


@pytest.mark.parametrize("players", [0, 1, 4, 10, -5, "many", 5.5, True])
def test_r1_1_other_numbers_of_players_are_refused(players: Any) -> None:
    with pytest.raises(nf.RuleError, match="5 to 9 players"):
        nf.make("nine_of_a_kind", players=players)


def test_r1_1_nine_suits_that_are_told_apart_without_colour() -> None:
    suits = NINE_SUITS.suits
    assert [suit.letter for suit in suits] == list("RPXWLSHDC")
    for part in ("letter", "symbol", "name"):
        assert len({getattr(suit, part) for suit in suits}) == 9
    assert len(set(DECK)) == 81 == len({NINE_SUITS.drawn(card) for card in range(81)})
    for card, text in enumerate(DECK):
        assert NINE_SUITS.read(text) == NINE_SUITS.read(text.lower()) == card
        assert NINE_SUITS.read(NINE_SUITS.drawn(card)) == card


def test_r1_2_pips() -> None:
    for rank, pips in zip("A23456789", range(1, 10), strict=True):
        eight = [card for card in HEARTS.split() if card[0] != rank]
        assert nf.nine_of_a_kind.held([*eight, rank + "S"]).points == pips


# 2: a round


@pytest.mark.parametrize(("players", "left"), [(5, 36), (6, 27), (7, 18), (8, 9), (9, 0)])
def test_r2_1_nine_cards_each_and_the_rest_in_the_centre(players: int, left: int) -> None:
    state = begin(players)
    for number in range(9 * players):
        assert state.actors == (nf.CHANCE,) and state.turns == 0
        assert state.chance() == {f"deal {card}": pytest.approx(1 / (81 - number)) for card in DECK[number:]}
        state.play(nf.CHANCE, f"deal {DECK[number]}")
        assert DECK[number] in hand(state, number % players), "one at a time, from seat 0 on"
    assert in_centre(state) == left and state.turns == 1
    assert state.actors == tuple(range(players))


def test_r2_1_no_move_before_the_deal_is_done() -> None:
    state = begin()
    for move in ("wait", "offer 7S", "claim nine", "chicken", "offer 7S 7H 8C", "answer 1 7S 7H 7D 7C"):
        assert "dealt" in refused(state, 0, move, "R2.1", nf.NotYourTurn)


def visible(state: nf.State, seat: int | None) -> set[str]:
    """Every card whose face is anywhere in a view."""
    text = json.dumps(state.view(seat))
    return {card for card in DECK if f'"{card}"' in text or f" {card}" in text or f"{card} " in text}


def test_r2_2_a_seat_sees_its_own_cards_and_no_others() -> None:
    for seed in range(6):
        state = shuffled_hands(seed, 5 + seed % 5)
        company = Company(state.game, ["medium"] * state.game.players, seed)
        for _ in range(40):
            company.step(state)
        for _ in range(8):
            company.step(state)
            for seat in range(state.game.players):
                assert visible(state, seat) <= set(hand(state, seat))
            assert visible(state, None) == set()


def test_r2_2_sizes_are_public() -> None:
    state = at_table()
    state.play(0, "offer 7S 7H")
    for viewer in (1, 2, None):
        view = state.view(viewer)
        assert [seat["offer"] for seat in view["seats"]] == [2, 0, 0, 0, 0]
        zone = next(part for part in view["zones"] if part["id"] == "offer-0")
        assert zone["count"] == 2 and zone["cards"] == [{"card": None, "up": False}] * 2
    own = next(part for part in state.view(0)["zones"] if part["id"] == "offer-0")
    assert [card["card"] for card in own["cards"]] == ["7S", "7H"]


def told(state: nf.State, viewer: int | None, *steps: tuple[int, str]) -> list[dict[str, Any]]:
    events: list[dict[str, Any]] = []
    names = ["Ann", "Bob", "Cy", "Di", "Ed", "Flo", "Gus", "Hal", "Ida"][: state.game.players]

    def watch(before: Any, seat: int, action: int, after: Any) -> None:
        events.extend(tell(state.game, before, seat, action, after, viewer, names))

    state.watchers.append(watch)
    for seat, text in steps:
        state.play(seat, text)
    state.watchers.clear()
    return events


TRADE = ((0, "offer 7S 7H"), (1, "answer 0 9R 9P"))


@pytest.mark.parametrize(
    ("viewer", "offer", "trade"),
    [
        (0, "Ann offers two cards (7♠ 7♥).", "Bob and Ann trade: Ann gives 7♠ 7♥ and gets 9● 9▤."),
        (1, "Ann offers two cards.", "Bob and Ann trade: Bob gives 9● 9▤ and gets 7♠ 7♥."),
        (2, "Ann offers two cards.", "Bob and Ann trade two cards."),
        (None, "Ann offers two cards.", "Bob and Ann trade two cards."),
    ],
)
def test_r2_2_what_is_told_of_a_trade(viewer: int | None, offer: str, trade: str) -> None:
    events = told(at_table(), viewer, *TRADE)
    assert [event["text"] for event in events if event["kind"] != "trade back"] == [offer, trade]
    loud = [event["kind"] for event in events if not event.get("quiet")]
    assert loud == ([] if viewer is None else ["offer", "trade"]), "a spectator is told the sum of it"
    there, back = events[1], events[2]
    assert (there["from"], there["to"], back["from"], back["to"]) == ("hand-1", "hand-0", "hand-0", "hand-1")
    sees = viewer in (0, 1)
    assert there["cards"] == (["9R", "9P"] if sees else [None, None])
    assert back["cards"] == (["7S", "7H"] if sees else [None, None])


def test_r2_2_a_refusal_depends_on_nothing_the_seat_cannot_see() -> None:
    """Whatever the others hold, every id is refused or allowed alike, in the same words."""
    luck = new_stream(5)
    for seed in range(4):
        state = shuffled_hands(seed, 6)
        company = Company(state.game, ["medium"] * 6, seed)
        for _ in range(25):
            company.step(state)
        other = state.copy()
        memory.redeal(other._s, 2, luck)
        assert other != state and list(other.moves(2)) == list(state.moves(2))
        for action in random.Random(seed).sample(range(FACTS.actions), 300):
            rule = int(rules.refuse(state._s, 2, action))
            assert rule == int(rules.refuse(other._s, 2, action))
            if rule:
                assert table.why(state._s, 2, action, rule) == table.why(other._s, 2, action, rule)


def test_r2_3_moves_count_in_the_order_in_which_they_arrive() -> None:
    state = at_table()
    for seat in (4, 4, 2, 0, 4, 1, 1):
        state.play(seat, "wait")
    assert [seat for seat, _ in state.steps[-7:]] == [4, 4, 2, 0, 4, 1, 1] and state.turns == 8


def test_r2_3_waiting_changes_nothing_but_the_count_of_turns() -> None:
    state = at_table()
    before = state.view(3)
    state.play(3, "wait")
    assert {**state.view(3), "turn": 1} == before
    assert told(state, 3, (3, "wait")) == told(state, 0, (3, "wait")) == []


def test_r2_3_a_simulation_asks_any_of_those_who_are_in() -> None:
    state = at_table()
    state.play(2, "claim nine")
    whim = new_stream(3)
    asked = np.bincount([int(rules.ask(state._s, whim)) for _ in range(8_000)], minlength=5)
    assert asked[2] == 0 and is_even(asked[[0, 1, 3, 4]])


# 3: trading


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
    assert 0 < int(rules.legal(state._s, 0, spans)) <= FACTS.spans


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
    assert "7C 7R are not in the hand" in refused(at_table(), 0, "offer 7C 7R", "R3.1").replace(
        "7R 7C", "7C 7R"
    )
    assert "7C is not in the hand of seat 0" in refused(at_table(), 0, "offer 7S 7C", "R3.1")


def test_r3_2_an_offer_is_open_to_everybody() -> None:
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
    assert state.view(1)["seats"][0]["offer"] == 2, "a new offer replaces the old one"
    assert "AS" in hand(state, 0) and "7S" in hand(state, 0), "the cards stay in the hand"
    assert "withdraw" in state.moves(0)
    state.play(0, "withdraw")
    assert state.view(1)["seats"][0]["offer"] == 0
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
    assert [seat["offer"] for seat in state.view(None)["seats"]] == [0] * 5, "both open offers are gone"
    assert state.view(None)["seats"][0]["cards"] == state.view(None)["seats"][1]["cards"] == 9


def test_r3_4_nobody_answers_oneself_or_a_player_without_an_offer() -> None:
    state = at_table()
    state.play(0, "offer AS")
    assert "own offer" in refused(state, 0, "answer 0 2S", "R3.4")
    assert "seat 3 has no open offer" in refused(state, 0, "answer 3 2S", "R3.4")
    assert "seats are 0 to 4" in refused(state, 0, "answer 7 2S", "R3.4")
    refused(state, 0, rules.ANSWER + 7 * parcels.COUNT + NINE_SUITS.read("2S"), "R3.4")


def test_r3_4_two_answers_to_one_offer() -> None:
    """Exactly one succeeds, the other is refused, and no card is lost."""
    state = at_table()
    state.play(0, "offer AS")
    theirs = hand(state, 2)[0]
    state.play(1, "answer 0 9R")
    refused(state, 2, f"answer 0 {theirs}", "R3.4")
    assert "AS" in hand(state, 1) and "9R" in hand(state, 0) and theirs in hand(state, 2)
    assert not table.sound(state._s)


def test_r3_5_exactly_as_many_cards() -> None:
    state = at_table()
    state.play(0, "offer 7S 7H")
    for move in ("answer 0 9R", "answer 0 9R 9P 9X"):
        assert "is of two cards" in refused(state, 1, move, "R3.5")
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
    assert state.view(None)["seats"][0]["offer"] == 0
    state.play(nf.CHANCE, next(iter(state.chance())))
    refused(state, 1, "answer 0 9P 9X", "R3.4")


# 4: claims


@pytest.mark.parametrize("mine", [HEARTS, SEVENS])
def test_r4_1_nine_of_a_kind(mine: str) -> None:
    state = dealt(mine)
    state.play(0, "claim nine")
    assert state.view(None)["claimant"] == 0 and state.actors == (1, 2, 3, 4)


def test_r4_1_not_with_eight() -> None:
    state = dealt(HEARTS.replace("9H", "9S"))
    state.play(0, "claim nine")
    assert state.view(None)["seats"][0]["status"] == "out"


def test_r4_2_blocked() -> None:
    state = dealt(BLOCKER)
    state.play(0, "claim blocked")
    assert state.scores[0] > 0 and state.view(None)["last_round"]["ending"] == "blocked"


@pytest.mark.parametrize("mine", [BLOCKER.replace("9C", "9D"), BLOCKER.replace("9C", "8C"), HEARTS])
def test_r4_2_not_with_a_rank_or_suit_missing(mine: str) -> None:
    state = dealt(mine)
    state.play(0, "claim blocked")
    assert state.scores == [0] * 5 and state.view(None)["seats"][0]["status"] == "out"


@pytest.mark.parametrize("claim", ["claim nine", "claim blocked"])
def test_r4_3_a_false_claim(claim: str) -> None:
    state = at_table()
    state.play(0, "offer AS")
    state.play(0, claim)
    view = state.view(None)
    assert view["seats"][0]["status"] == "out" and view["seats"][0]["cards"] == 0
    assert view["seats"][0]["offer"] == 0 and in_centre(state) == 45
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
    assert [seat["offer"] for seat in state.view(None)["seats"]] == [0] * 5, "the cards are frozen"
    for seat in (1, 2, 3, 4):
        assert list(state.moves(seat)) == ["claim nine", "wait"]
    for move in ("offer AS", "withdraw", "claim blocked", "centre AS", "answer 2 AS"):
        refused(state, 1, move, "R4.4")
    shown = next(part for part in state.view(3)["zones"] if part["id"] == "hand-0")
    assert [card["card"] for card in shown["cards"]] == HEARTS.split(), "whoever wins lays out the cards"


def test_r4_5_everybody_speaks_once_in_any_order() -> None:
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


SPADES = "AS 2S 3S 4S 5S 6S 7S 8S 9S"


def test_r4_6_claims_in_unison_share_and_false_ones_are_ignored() -> None:
    state = dealt(HEARTS, SPADES, "AR 2R 3R 4R 5R 6R 7R 8R 9R")
    state.play(0, "claim nine")
    state.play(1, "claim nine")
    state.play(3, "claim nine")
    assert state.view(None)["seats"][3]["status"] == "silent", "still in, and ignored"
    state.play(2, "wait")
    state.play(4, "wait")
    gained = state.view(None)["last_round"]["gained"]
    held = state.view(None)["last_round"]["held"]
    assert gained[0] == gained[1] == held[3] + held[4] > 0
    assert gained[2:] == [0, 0, 0] and held[2] == 0, "nine of a kind, not claimed: nothing held, nothing won"


def test_r4_7_no_window_after_blocked() -> None:
    state = dealt(BLOCKER)
    state.play(0, "claim blocked")
    assert state.view(None)["phase"] == "Round 2 (the deal)"


def test_r4_8_a_dead_round() -> None:
    state = at_table()
    for seat in (0, 1, 2):
        state.play(seat, "claim nine")
    assert list(state.actors) == [3, 4]
    state.play(4, "claim blocked")
    assert state.scores == [0] * 5 and state.view(None)["phase"] == "Round 2 (the deal)"
    assert state.view(None)["last_round"]["ending"] == "nobody"
    deal(state)
    assert state.actors == (0, 1, 2, 3, 4), "all are back"


# 5: points


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
    assert state.view(None)["seats"][1]["status"] == "out"
    state = dealt("AP 2R 3W 4X 5S 6L 7D 8H 9C", BLOCKER.replace("9C", "9R").replace("AR", "AC"))
    state.play(0, "claim blocked")
    assert state.view(None)["last_round"]["held"][1] == 36


def test_r5_2_the_winner_scores_what_all_others_hold() -> None:
    state = dealt(HEARTS, ZERO.replace("7H", "6S"), ONE)
    expected = [nf.nine_of_a_kind.held(hand(state, seat)).points for seat in range(5)]
    state.play(0, "claim nine")
    for seat in (1, 2, 3, 4):
        state.play(seat, "wait")
    assert state.scores == [sum(expected[1:]), 0, 0, 0, 0]
    assert state.view(None)["last_round"]["held"] == expected


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


# 6: Chicken

EIGHT_HEARTS = HEARTS.replace("9H", "9S")  # holds 9
SEVEN_ACES = "AR AP AX AW AL AS AD 2R 2P"  # holds 4


def totals(state: nf.State) -> list[int]:
    return [nf.nine_of_a_kind.held(hand(state, seat)).points for seat in range(state.game.players)]


def test_r6_1_off_unless_agreed() -> None:
    assert "not played" in refused(at_table(), 0, "chicken", "R6.1")
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


# Options and the fact sheet


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"target": 0}, "option target is a whole number from 1"),
        ({"target": "lots"}, "option target is a whole number"),
        ({"target": 10**9}, "option target is a whole number"),
        ({"chicken": "maybe"}, "option chicken is on or off"),
        ({"forfeit": "half"}, "option forfeit is free or counts"),
        ({"unison": 2}, "no option 'unison'"),
        ({"pace": "pulse"}, "no option 'pace'"),
    ],
)
def test_bad_options_are_refused(options: dict[str, Any], sentence: str) -> None:
    with pytest.raises(nf.RuleError, match=sentence):
        nf.make("nine_of_a_kind", **options)


def test_options_in_words() -> None:
    game = nf.make("nine_of_a_kind", target="500", chicken="on", forfeit="COUNTS")
    assert game.options == {"target": 500, "chicken": True, "forfeit": "counts"}
    assert nf.make("nine_of_a_kind").options == {"target": 300, "chicken": False, "forfeit": "free"}


@pytest.mark.parametrize(
    ("players", "options"),
    [(6, {"chicken": True, "forfeit": "counts", "target": 60})],
)
def test_laws(players: int, options: dict[str, Any]) -> None:
    check(nf.make("nine_of_a_kind", players=players, **options), matches=1, seed=50)


def test_a_dealt_hand_as_the_page_says() -> None:
    """27.5 points and 18 parcels on average."""
    points, moves = [], []
    for seed in range(150):
        state = shuffled_hands(seed)
        points += totals(state)
        moves += [len(state.moves(seat)) - 3 for seat in range(5)]
    assert np.mean(points) == pytest.approx(27.5, abs=0.9) and np.mean(moves) == pytest.approx(18, abs=0.7)


# Texts and bad input


@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        ("offer 7S 7H", "offer 7S 7H"),
        ("OFFER 7h 7s", "offer 7S 7H"),
        ("offer 7♥ 7♠", "offer 7S 7H"),
        ("o 7S7H", "offer 7S 7H"),
        ("offer 7S, 7H", "offer 7S 7H"),
        ("answer 1 7S", "answer 1 7S"),
        ("a 1 7s", "answer 1 7S"),
        ("9 of a Kind!", "claim nine"),
        ("nine", "claim nine"),
        ("Claim  Nine", "claim nine"),
        ("Blocked!", "claim blocked"),
        ("pass", "wait"),
        ("  wait ", "wait"),
    ],
)
def test_spellings(text: str, canonical: str) -> None:
    state = at_table()
    state.play(1, "offer 9R")
    state.play(0, text)
    assert state.say(*state.steps[-1]) == canonical


@pytest.mark.parametrize(
    ("seat", "move", "error"),
    [
        (0, "jump", nf.Unreadable),
        (0, "", nf.Unreadable),
        (0, "offer 7Z", nf.Unreadable),
        (0, "offer 7", nf.Unreadable),
        (0, "offer 10S", nf.Unreadable),
        (0, "offer JK", nf.Unreadable),
        (0, "offer 7S 7S", nf.Unreadable),
        (0, "answer", nf.Unreadable),
        (0, "answer 7S", nf.Unreadable),
        (0, "answer Bob 7S", nf.Unreadable),
        (0, "deal 7S", nf.Unreadable),
        (0, "claim", nf.Unreadable),
        (0, 22_415, nf.IllegalMove),
        (0, -1, nf.IllegalMove),
        (0, 1.5, nf.IllegalMove),
        (0, True, nf.IllegalMove),
        (0, None, nf.IllegalMove),
        (5, "wait", nf.IllegalMove),
        (nf.CHANCE, "deal 7S", nf.NotYourTurn),
    ],
)
def test_bad_moves_change_nothing(seat: Any, move: Any, error: type[Exception]) -> None:
    state = at_table()
    before = state.tobytes(), state.steps
    with pytest.raises(error) as caught:
        state.play(seat, move)
    assert (state.tobytes(), state.steps) == before
    assert type(caught.value) is error and len(str(caught.value)) > 10


@pytest.mark.parametrize("outcome", ["deal AR", "deal 7", "roll 3 4", "deal 10S", "", 0, 81, -1])
def test_bad_deals_change_nothing(outcome: Any) -> None:
    state = begin()
    state.play(nf.CHANCE, "deal AR")
    before = state.tobytes()
    with pytest.raises(nf.IllegalMove):
        state.play(nf.CHANCE, outcome)
    assert state.tobytes() == before


# Memory: what a seat knows of cards that went through its hands


def knows(state: nf.State, seat: int, holder: int) -> set[str]:
    low, high = (int(word) for word in state._s.knows[seat, holder])
    both = low & (1 << 64) - 1 | high << 64
    return {DECK[card] for card in range(81) if both >> card & 1}


CENTRE = 9


def test_a_seat_knows_where_its_cards_went_until_they_may_have_gone_on() -> None:
    state = at_table()
    state.play(0, "offer 7S 7H")
    state.play(1, "answer 0 9R 9P")
    assert knows(state, 0, 1) == {"7S", "7H"} and knows(state, 1, 0) == {"9R", "9P"}
    state.play(0, "offer AS")
    state.play(1, "answer 0 7S")
    assert knows(state, 0, 1) == {"7H", "AS"}, "it saw what came back"
    state.play(1, "centre 9X")
    state.play(nf.CHANCE, next(iter(state.chance())))
    assert knows(state, 0, 1) == set() and knows(state, 1, CENTRE) == {"9X"}
    state.play(0, "centre 9R")
    assert knows(state, 1, 0) == set() and knows(state, 1, CENTRE) == set()
    state.play(nf.CHANCE, "deal 9X")
    state.play(0, "claim nine")
    assert knows(state, 0, CENTRE) >= {"9R", "9X"}


def test_redeal_keeps_what_a_seat_remembers() -> None:
    luck = new_stream(8)
    for seed in range(5):
        state = shuffled_hands(seed, 5 + seed % 3)
        company = Company(state.game, ["medium"] * state.game.players, seed)
        for _ in range(200):
            company.step(state)
        for seat in range(state.game.players):
            other = state.copy()
            memory.redeal(other._s, seat, luck)
            assert not table.sound(other._s)
            for holder in [*range(state.game.players), CENTRE]:
                assert knows(other, seat, holder) == knows(state, seat, holder)
            for holder in range(state.game.players):
                assert knows(state, seat, holder) <= set(hand(other, holder))


# Views and stories


def test_the_view_offers_parcels_as_selections() -> None:
    state = at_table()
    state.play(1, "offer 9R 9P")
    state.play(2, f"offer {hand(state, 2)[0]}")
    offers = state.view(0)["offers"]
    by_verb = {part["verb"]: part for part in offers if part["kind"] == "cards"}
    assert set(by_verb) == {"offer", "answer 1", "answer 2"}
    assert by_verb["answer 1"]["seat"] == 1 and by_verb["answer 1"]["size"] == 2
    mine = hand(state, 0)
    listed = []
    for part in by_verb.values():
        assert part["zone"] == "hand-0"
        for choice in part["choices"]:
            assert choice["move"] == f"{part['verb']} {' '.join(mine[at] for at in choice['cards'])}"
            listed.append(choice["move"])
    listed += [part["move"] for part in offers if part["kind"] == "button"]
    assert sorted(listed) == sorted(state.moves(0)), "every move is on offer, and no other"
    assert json.loads(json.dumps(state.view(0))) == state.view(0)


def test_prompts() -> None:
    state = at_table()
    assert state.view(0)["prompt"] == "Hold out one to three cards of one suit or rank, claim, or wait."
    state.play(1, "offer 9R")
    assert "answer an open offer" in state.view(0)["prompt"]
    assert state.view(1)["prompt"] == "You hold out one card. Change that, withdraw it, claim, or wait."
    state.play(0, "answer 1 AS")
    assert "trade with the centre" in state.view(0)["prompt"]
    state.play(3, "claim nine")
    assert state.view(3)["prompt"] == "You are out of this round. The others trade."


def test_stories_of_a_round() -> None:
    state = dealt(HEARTS, SPADES)
    events = told(
        state,
        None,
        (2, "claim blocked"),
        (0, "9 of a kind"),
        (1, "claim nine"),
        (3, "claim nine"),
        (4, "wait"),
    )
    first, second = state.scores[:2]
    held = state.view(None)["last_round"]["held"]
    named = state.view(None)["last_round"]["collected"]
    assert [event["text"] for event in events] == [
        "Cy makes a false claim: the hand goes to the centre, and Cy is out of the round.",
        "Ann calls: 9 of a Kind! It is true: all nine Hearts. Does anybody else have nine?",
        "Bob has 9 of a Kind, too.",
        "Di shows nothing.",
        "Ed shows nothing.",
        "Round 1 is over after 0 trades.",
        f"Di names {named[3]} and holds {held[3]}.",
        f"Ed names {named[4]} and holds {held[4]}.",
        f"Ann scores {first} and has {first}.",
        f"Bob scores {second} and has {second}.",
    ]
    assert (events[0]["from"], events[0]["to"], events[0]["cards"]) == ("hand-2", "centre", [None] * 9)


def test_stories_of_the_centre() -> None:
    for viewer, cards, text in (
        (0, ["7S"], "Ann trades one card (7♠) with the centre."),
        (1, [None], "Ann trades one card with the centre."),
    ):
        state = at_table()
        state.play(0, "offer AS")
        state.play(1, "answer 0 9R")
        events = told(state, viewer, (0, "centre 7S"))
        card = next(iter(state.chance()))
        events += told(state, viewer, (nf.CHANCE, card))
        assert events[0]["text"] == text and events[0]["cards"] == cards
        assert events[1]["cards"] == ([card.removeprefix("deal ")] if viewer == 0 else [None])
        assert bool(events[1]["quiet"]) == (viewer != 0)


def test_lessons() -> None:
    from ninefold.engine import registry

    for lesson in registry.lessons("nine_of_a_kind"):
        state = begin(lesson.players, **lesson.options)
        for seat, text in lesson.script():
            state.play(seat, text)
        for answer in lesson.answers:
            after = state.copy()
            after.play(lesson.seat, answer)
            assert after.view(None)["seats"][lesson.seat]["status"] != "out", lesson.title


def test_people_at_a_terminal_are_asked_between_bots() -> None:
    from ninefold.terminal.match import Match, Seat

    game = nf.make("nine_of_a_kind", players=5)
    match = Match(game, [Seat("Ann"), *(Seat(f"B{n}", "medium") for n in range(4))], 3, lambda line: None)
    match.begin()
    for _ in range(3):
        bots = 0
        while match.next_bot is not None and bots < 50:
            match.step_bot()
            bots += 1
        assert bots == 4, "each bot moves once, then it is Ann's turn"
        match.play(0, "wait")


# The judge


@pytest.mark.parametrize("cards", ["7S", HEARTS + " AS", "7S 7S " + HEARTS[6:], "7 8 9", "10S", 7, ""])
def test_the_judge_refuses_what_is_no_hand(cards: Any) -> None:
    with pytest.raises(nf.RuleError):
        nf.nine_of_a_kind.held(cards)


@pytest.mark.parametrize(
    ("arguments", "answer"),
    [
        (
            ["AS AH AD AC AR AP 9S 9H 9D"],
            "Held: 6 points, naming nines (R5.1).\n7 cards away from a blocker: keep A● 9♠.\n",
        ),
        (
            HEARTS.split(),
            "9 of a Kind: all nine Hearts (R4.1).\nHeld: 0 points, naming Hearts (R5.1).\n"
            "8 cards away from a blocker: keep A♥.\n",
        ),
        (
            [BLOCKER],
            "Blocked: one card of every rank and of every suit (R4.2).\n"
            "Held: 36 points, naming Clubs (R5.1).\n",
        ),
    ],
)
def test_the_judge_on_the_command_line(
    arguments: list[str], answer: str, capsys: pytest.CaptureFixture[str]
) -> None:
    from ninefold.cli import main

    assert main(["judge", "nine_of_a_kind", *arguments]) == 0
    assert capsys.readouterr().out == answer
    assert main(["judge", "nine_of_a_kind", "--json", *arguments]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["points"] == nf.nine_of_a_kind.held(" ".join(arguments)).points


def test_the_judge_says_what_is_wrong_in_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    from ninefold.cli import main

    for arguments in (["7S"], ["Z"], []):
        assert main(["judge", "nine_of_a_kind", *arguments]) == 2
        out, err = capsys.readouterr()
        assert out == "" and err.startswith("ninefold: ") and err.count("\n") == 1


# Bots


def test_random_is_uniform_over_the_moves() -> None:
    state = at_table(chicken=True)
    for seat, move in (
        (0, "offer AS"),
        (1, "answer 0 9R"),
        (0, "offer 2S"),
        (1, "offer 5R 5P"),
        (2, f"offer {hand(state, 2)[0]}"),
    ):
        state.play(seat, move)
    company = Company(state.game, ["random"] * 5, 3)
    moves = state.moves(0).actions
    drawn = [int(company.choose(state, 0)) for _ in range(200 * len(moves))]
    assert set(drawn) == set(moves)
    assert is_even([drawn.count(move) for move in moves])


@pytest.mark.parametrize("bot", ["easy", "medium", "hard"])
def test_bots_claim_what_they_have(bot: str) -> None:
    for mine, word in ((HEARTS, "claim nine"), (BLOCKER, "claim blocked")):
        state = dealt(mine)
        assert state.say(0, int(Company(state.game, [bot] * 5, 1).choose(state, 0))) == word
    state = dealt(HEARTS, SPADES)
    state.play(0, "claim nine")
    company = Company(state.game, [bot] * 5, 1)
    assert state.say(1, int(company.choose(state, 1))) == "claim nine"
    assert state.say(2, int(company.choose(state, 2))) == "wait"


@pytest.mark.parametrize(("players", "games"), [(5, 60), (7, 60)])
def test_each_level_beats_the_one_below(players: int, games: int) -> None:
    """With certainty: the margin is many times its interval. Random tables end by Chicken! only."""
    levels: list[tuple[str, str, dict[str, Any]]] = [
        ("easy", "random", {"chicken": True}),
        ("medium", "easy", {}),
        ("hard", "medium", {}),
    ]
    for better, worse, options in levels:
        bots = [better, *[worse] * (players - 1)]
        result = nf.simulate("nine_of_a_kind", bots, games=games, seed=2, threads=1, **options)
        assert result.unfinished == 0
        assert result.share(0) - 1 / players > 2 * result.margin(0), f"{better}, {worse}: {result.share(0)}"


@pytest.mark.parametrize("players", [5, 7, 9])
def test_medium_and_hard_finish_rounds(players: int) -> None:
    for bot, most in (("medium", 700), ("hard", 300)):
        result = nf.simulate("nine_of_a_kind", [bot] * players, games=20, seed=4, threads=1)
        assert result.unfinished == 0
        rounds = result.tallies["rounds"].mean
        assert result.tallies["trades between players"].mean / rounds < most
        assert 3 <= rounds <= 25


def test_legal_is_quick() -> None:
    """A call takes well under 5 µs on average: the best of many short runs, for the machine may be busy."""
    import time

    import numba

    legal = rules.legal

    @numba.njit
    def ask_everybody(s: Any, out: Any, times: int) -> int:
        total = 0
        for _ in range(times):
            for seat in range(9):
                total += legal(s, seat, out)
        return total

    state = shuffled_hands(1, 9)
    company = Company(state.game, ["medium"] * 9, 1)
    out = np.empty((FACTS.spans, 2), np.int64)
    quickest = []
    for _ in range(30):
        for _ in range(5):
            company.step(state)
        ask_everybody(state._s, out, 1)
        runs = []
        for _ in range(5):
            start = time.perf_counter()
            ask_everybody(state._s, out, 20)
            runs.append(time.perf_counter() - start)
        quickest.append(min(runs) / 180)
    assert sum(quickest) / len(quickest) < 5e-6
