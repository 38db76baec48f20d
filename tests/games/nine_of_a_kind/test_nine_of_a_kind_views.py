"""9 of a Kind: what a seat remembers, sees, is offered and is told."""

from __future__ import annotations

import json
import re

import pytest

import ninefold as nf
from ninefold.engine.bots import SeatedBots
from ninefold.game.nine_of_a_kind import knowledge
from ninefold.game.nine_of_a_kind.invariants import broken_invariants
from ninefold.game.nine_of_a_kind.nearest import standing, what_is_missing
from ninefold.kernel.cards import NINE_SUITS
from ninefold.kernel.stream import new_stream
from ninefold.model.events import Event
from ninefold.model.text import render
from ninefold.model.view import Button, Selection
from support.nine_hands import (
    DECK,
    HEARTS,
    NAMES,
    SPADES,
    at_table,
    dealt,
    events_for,
    hand,
    shuffled_hands,
)
from support.sitting import sit


def knows(state: nf.State, seat: int, holder: int) -> set[str]:
    low, high = (int(word) for word in state.position.knows[seat, holder])
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


def test_redeal_keeps_what_a_seat_knows() -> None:
    rng = new_stream(8)
    for seed in range(5):
        state = shuffled_hands(seed, 5 + seed % 3)
        players = SeatedBots(state.game, ["medium"] * state.game.players, seed)
        for _ in range(200):
            players.step(state)
        for seat in range(state.game.players):
            other = state.copy()
            knowledge.redeal(other.position, seat, rng)
            assert not broken_invariants(other.position)
            for holder in [*range(state.game.players), CENTRE]:
                assert knows(other, seat, holder) == knows(state, seat, holder)
            for holder in range(state.game.players):
                assert knows(state, seat, holder) <= set(hand(other, holder))


def test_the_view_offers_parcels_as_selections() -> None:
    state = at_table()
    state.play(1, "offer 9R 9P")
    state.play(2, f"offer {hand(state, 2)[0]}")
    offers = state.picture(0).offers
    by_verb = {part.verb: part for part in offers if isinstance(part, Selection)}
    assert {verb: part.seat for verb, part in by_verb.items()} == {
        "offer": None,
        "answer 1": 1,
        "answer 2": 2,
    }
    assert render(by_verb["answer 1"].label, NAMES) == "Swap with Bob"
    mine = hand(state, 0)
    listed = []
    for part in by_verb.values():
        assert part.zone == "hand-0"
        for choice in part.choices:
            assert choice.move == f"{part.verb} {' '.join(mine[at] for at in choice.cards)}"
            listed.append(choice.move)
    listed += [part.move for part in offers if isinstance(part, Button)]
    assert sorted(listed) == sorted(state.moves(0)), "every move is on offer, and no other"
    assert json.loads(json.dumps(state.view(0))) == state.view(0)


def test_prompts() -> None:
    state = at_table()
    prompt = r"\d of 9 \w+\. Trade the others: 1–3 cards of one suit or rank\."
    assert re.fullmatch(prompt, str(state.picture(0).prompt))
    assert str(state.picture().prompt) == "Everyone trades."
    state.play(1, "offer 9R")
    assert re.fullmatch(r"You offer one card\. \d of 9 \w+\.", str(state.picture(1).prompt))
    state.play(3, "claim nine")
    assert str(state.picture(3).prompt) == "You are out of this round. The others trade."
    state = dealt(HEARTS)
    state.play(0, "claim nine")
    assert str(state.picture(1).prompt) == "Player 1 claims 9 of a Kind! Claim it too, or wait."
    for viewer in (0, None):
        assert "others can still claim" in str(state.picture(viewer).prompt)


NEAR = (
    ("AH 2H 3H 4H 5H 6H 7H 8H 9H", "9 of 9 Hearts", "You have all nine Hearts. Press “9 of a Kind!”"),
    ("AH 2H 3H 4H 5H 6H 7H 8S 9S", "7 of 9 Hearts", "7 of 9 Hearts. You need 8♥ 9♥."),
    (
        "AR 2P 3X 4W 5L 6S 7H 8D 9C",
        "9 of 9 for Blocked!",
        "All ranks and all suits, one of each. Press “Blocked!”",
    ),
    ("AR 2P 3X 4W 5L 6S 7H 8D 8H", "8 of 9 for Blocked!", "One card from Blocked! You need 9♣."),
    (
        "AR 2P 3X 4W 5L 6S 7H AP 2R",
        "7 of 9 for Blocked!",
        "7 of 9 for Blocked! Still no eights, nines, Diamonds, Clubs.",
    ),
    (
        "AR 2R 3R 4P 5P 6X 7W 8L 8S",
        "3 of 9 Rock",
        "3 of 9 Rock. Trade the others: 1–3 cards of one suit or rank.",
    ),
)


@pytest.mark.parametrize(("cards", "short", "long"), NEAR)
def test_how_near_a_hand_is(cards: str, short: str, long: str) -> None:
    hand = tuple(sorted(NINE_SUITS.read_cards(cards.split())))
    assert (standing(hand), what_is_missing(hand)) == (short, long)


def laid(event: Event, rest: bool) -> str:
    """The cards of a hand laid open, those that cost points or the others, as people read them."""
    cards = [card for at, card in enumerate(event.cards) if (at in event.costs) == rest]
    return " ".join(NINE_SUITS.drawn(DECK.index(str(card))) for card in cards)


def test_stories_of_a_round() -> None:
    state = dealt(HEARTS, SPADES)
    events = events_for(
        state,
        None,
        (2, "claim blocked"),
        (0, "9 of a kind"),
        (1, "claim nine"),
        (3, "claim nine"),
        (4, "wait"),
    )
    first, second = state.scores[:2]
    held = state.picture().details["last_round"]["held"]
    named = state.picture().details["last_round"]["collected"]
    assert [event.text for event in events] == [
        "Cy makes a false claim. Their hand goes to the centre, and Cy is out of the round.",
        "Ann calls: 9 of a Kind! All nine Hearts. Does anyone else have nine?",
        "Bob has 9 of a Kind, too.",
        "Di passes.",
        "Ed passes.",
        "Round 1 is over after no trades. The winner scores what the others hold.",
        f"Di collected {named[3]}: {laid(events[6], rest=False)}. "
        f"The rest costs {held[3]}: {laid(events[6], rest=True)}.",
        f"Ed collected {named[4]}: {laid(events[7], rest=False)}. "
        f"The rest costs {held[4]}: {laid(events[7], rest=True)}.",
        f"Ann lays out A♥ 2♥ 3♥ 4♥ 5♥ 6♥ 7♥ 8♥ 9♥, scores {first} and has {first}.",
        f"Bob lays out A♠ 2♠ 3♠ 4♠ 5♠ 6♠ 7♠ 8♠ 9♠, scores {second} and has {second}.",
    ]
    (gone,) = events[0].moves
    assert (gone.source, gone.target, gone.cards) == ("hand-2", "centre", [None] * 9)
    assert [event.kind for event in events if event.hold] == ["forfeit", "claim", "claim", "round over"]
    assert [event.amount for event in events[-4:]] == [held[3], held[4], first, second]


def test_stories_of_the_centre() -> None:
    for viewer, cards, text in (
        (0, ["7S"], "Ann swaps 7♠ with the centre."),
        (1, [None], "Ann swaps one card with the centre."),
    ):
        state = at_table()
        state.play(0, "offer AS")
        state.play(1, "answer 0 9R")
        events = events_for(state, viewer, (0, "centre 7S"))
        card = next(iter(state.chance()))
        events += events_for(state, viewer, (nf.CHANCE, card))
        assert events[0].text == text and events[0].cards == cards
        assert events[1].cards == ([card.removeprefix("deal ")] if viewer == 0 else [None])
        assert events[1].quiet == (viewer != 0)
        assert [(move.source, move.target, move.cards) for event in events for move in event.moves] == [
            ("hand-0", "centre", cards),
            ("centre", "hand-0", events[1].cards),
        ]


def test_people_at_a_terminal_are_asked_between_bots() -> None:
    table = sit("nine_of_a_kind", players=5, seed=3)
    for _ in range(3):
        bots = 0
        while table.next_bot is not None and bots < 50:
            table.step_bot()
            bots += 1
        assert bots == 4, "each bot moves once, then it is Ann's turn"
        table.play(0, "wait")
