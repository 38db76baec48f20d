"""Hands of 9 of a Kind for the tests, and what several of them ask about a view."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest

import ninefold as nf
from ninefold.kernel.cards import NINE_SUITS
from ninefold.model.events import Event
from ninefold.model.text import render
from support import stories

DECK = NINE_SUITS.texts


HEARTS = "AH 2H 3H 4H 5H 6H 7H 8H 9H"


SEVENS = "7R 7P 7X 7W 7L 7S 7H 7D 7C"


BLOCKER = "AR 2P 3X 4W 5L 6S 7H 8D 9C"


def begin(players: int = 5, **options: object) -> nf.State:
    return nf.make("nine_of_a_kind", players=players, **options).start(manual=True)


def deal(state: nf.State, *hands: str) -> nf.State:
    """Deal a round in which the first seats get these hands, and the others any that are left."""
    wanted = [hand.split() for hand in hands]
    named = {card for hand in wanted for card in hand}
    others = [card for card in DECK if card not in named]
    random.Random(9).shuffle(others)
    rest = iter(others)
    while len(wanted) < state.game.players:
        wanted.append([next(rest) for _ in range(9)])
    for cards in zip(*wanted, strict=True):
        for card in cards:
            state.play(nf.CHANCE, f"deal {card}")
    return state


def dealt(*hands: str, players: int = 5, **options: Any) -> nf.State:
    return deal(begin(players, **options), *hands)


def zone_cards(state: nf.State, viewer: int | None, zone: str) -> list[str | None]:
    """The cards of a zone as a viewer sees them, None where they are face down."""
    found = next(part for part in state.picture(viewer).zones if part.id == zone)
    return [card.card for card in found.cards or []]


def hand(state: nf.State, seat: int) -> list[str]:
    return [card or "" for card in zone_cards(state, seat, f"hand-{seat}")]


def in_centre(state: nf.State) -> int:
    return next(part.count or 0 for part in state.picture().zones if part.id == "centre")


def stat(state: nf.State, seat: int, name: str, viewer: int | None = None) -> int:
    """A number that everyone sees of a seat."""
    return next(part.value for part in state.picture(viewer).seats[seat].stats if part.id == name)


def offer_sizes(state: nf.State, viewer: int | None = None) -> list[int]:
    return [stat(state, seat, "offer", viewer) for seat in range(state.game.players)]


def status(state: nf.State, seat: int) -> str:
    return state.picture().seats[seat].status


def shuffled_hands(seed: int, players: int = 5) -> nf.State:
    return nf.make("nine_of_a_kind", players=players).start(seed=seed)


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


def visible(state: nf.State, seat: int | None) -> set[str]:
    """Every card whose face is anywhere in a view."""
    text = json.dumps(state.view(seat))
    return {card for card in DECK if f'"{card}"' in text or f" {card}" in text or f"{card} " in text}


NAMES = ["Ann", "Bob", "Cy", "Di", "Ed", "Flo", "Gus", "Hal", "Ida"]


def events_for(state: nf.State, viewer: int | None, *steps: tuple[int, str]) -> list[Event]:
    """The events of some steps as a viewer sees them, with names in their sentences."""
    events = stories.events_for(state, viewer, *steps)
    for event in events:
        event.text = render(event.text, NAMES)
    return events


SPADES = "AS 2S 3S 4S 5S 6S 7S 8S 9S"


def totals(state: nf.State) -> list[int]:
    return [nf.nine_of_a_kind.held(hand(state, seat)).points for seat in range(state.game.players)]
