"""9 of a Kind, R1 and R2: the table, the deal, and what is hidden."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest

import ninefold as nf
from ninefold.engine.bots import SeatedBots
from ninefold.game.nine_of_a_kind import FACTS, knowledge, notation
from ninefold.kernel.cards import NINE_SUITS
from ninefold.kernel.stream import new_stream
from ninefold.model.events import Movement
from ninefold.model.view import HIDDEN
from ninefold.testkit.fairness import is_even
from support.nine_hands import (
    DECK,
    HEARTS,
    at_table,
    begin,
    events_for,
    hand,
    in_centre,
    offer_sizes,
    refused,
    rules,
    shuffled_hands,
    visible,
    zone_cards,
)


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
    for part in ("letter", "symbol", "many"):
        assert len({getattr(suit, part) for suit in suits}) == 9
    assert len(set(DECK)) == 81 == len({NINE_SUITS.drawn(card) for card in range(81)})
    for card, text in enumerate(DECK):
        assert NINE_SUITS.read(text) == NINE_SUITS.read(text.lower()) == card
        assert NINE_SUITS.read(NINE_SUITS.drawn(card)) == card


def test_r1_2_pips() -> None:
    for rank, pips in zip("A23456789", range(1, 10), strict=True):
        eight = [card for card in HEARTS.split() if card[0] != rank]
        assert nf.nine_of_a_kind.held([*eight, rank + "S"]).points == pips


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


def test_r2_2_a_seat_sees_its_own_cards_and_no_others() -> None:
    for seed in range(6):
        state = shuffled_hands(seed, 5 + seed % 5)
        players = SeatedBots(state.game, ["medium"] * state.game.players, seed)
        for _ in range(40):
            players.step(state)
        for _ in range(8):
            players.step(state)
            for seat in range(state.game.players):
                assert visible(state, seat) <= set(hand(state, seat))
            assert visible(state, None) == set()


def test_r2_2_sizes_are_public() -> None:
    state = at_table()
    state.play(0, "offer 7S 7H")
    for viewer in (1, 2, None):
        assert offer_sizes(state, viewer) == [2, 0, 0, 0, 0]
        assert zone_cards(state, viewer, "offer-0") == [HIDDEN.card] * 2
    assert zone_cards(state, 0, "offer-0") == ["7S", "7H"]


TRADE = ((0, "offer 7S 7H"), (1, "answer 0 9R 9P"))


@pytest.mark.parametrize(
    ("viewer", "offer", "trade"),
    [
        (0, "Ann offers 7♠ 7♥.", "Ann gives Bob 7♠ 7♥ and gets 9● 9▤."),
        (1, "Ann offers two cards.", "Bob gives Ann 9● 9▤ and gets 7♠ 7♥."),
        (2, "Ann offers two cards.", "Bob and Ann trade two cards."),
        (None, "Ann offers two cards.", "Bob and Ann trade two cards."),
    ],
)
def test_r2_2_what_is_told_of_a_trade(viewer: int | None, offer: str, trade: str) -> None:
    events = events_for(at_table(), viewer, *TRADE)
    unseen = [Movement("hand-1", "hand-0", [None] * 2), Movement("hand-0", "hand-1", [None] * 2)]
    assert [event.text for event in events] == [offer, trade]
    loud = [event.kind for event in events if not event.quiet]
    assert loud == (["offer", "trade"] if viewer == 0 else ["trade"] if viewer == 1 else []), (
        "what others trade is seen on the table, and is in nobody's log"
    )
    assert events[1].moves == {
        0: [
            Movement("hand-1", "hand-0", ["9R", "9P"], target_places=[6, 7]),
            Movement("hand-0", "hand-1", ["7S", "7H"], source_places=[4, 5]),
        ],
        1: [
            Movement("hand-1", "hand-0", ["9R", "9P"], source_places=[6, 7]),
            Movement("hand-0", "hand-1", ["7S", "7H"], target_places=[6, 7]),
        ],
    }.get(-1 if viewer is None else viewer, unseen)


def test_r2_2_a_refusal_depends_on_nothing_the_seat_cannot_see() -> None:
    """Whatever the others hold, every id is refused or allowed alike, in the same words."""
    rng = new_stream(5)
    for seed in range(4):
        state = shuffled_hands(seed, 6)
        players = SeatedBots(state.game, ["medium"] * 6, seed)
        for _ in range(25):
            players.step(state)
        other = state.copy()
        knowledge.redeal(other.position, 2, rng)
        assert other != state and list(other.moves(2)) == list(state.moves(2))
        for action in random.Random(seed).sample(range(FACTS.actions), 300):
            rule = int(rules.refuse(state.position, 2, action))
            assert rule == int(rules.refuse(other.position, 2, action))
            if rule:
                said = [notation.explain_refusal(one.position, 2, action, rule) for one in (state, other)]
                assert said[0] == said[1]


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
    assert events_for(state, 3, (3, "wait")) == events_for(state, 0, (3, "wait")) == []


def test_r2_3_a_simulation_asks_any_of_those_who_are_in() -> None:
    state = at_table()
    state.play(2, "claim nine")
    bot_rng = new_stream(3)
    asked = np.bincount([int(rules.ask(state.position, bot_rng)) for _ in range(8_000)], minlength=5)
    assert asked[2] == 0 and is_even(asked[[0, 1, 3, 4]])
