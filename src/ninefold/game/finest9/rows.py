"""A player's cards in order: their worth, and which of them a capture takes.

Plain Python, for the judge, views and notation; contains no texts.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache, lru_cache
from typing import Any

from ninefold.game.finest9 import FACTS, rules
from ninefold.game.finest9.matching import (
    BOXCARS,
    CARDS_OF,
    POINTS,
    RANKS,
    REROLL,
    SEQUENCE,
    SNAKE_EYES,
    SPLIT,
    VALUE,
    find,
)
from ninefold.kernel.bits import members
from ninefold.kernel.cards import Card, Rank
from ninefold.kernel.fields import blank, layout

WORTH = [int(value) for value in VALUE]
RULINGS = ("nines", "pairs", "ace", "snake_eyes", "boxcars")  # the options that say what matches


def position(rank: Rank) -> int:
    """Where a rank stands in the order 2 to A."""
    return (rank - 1) % RANKS


def row(s: Any, seat: int) -> tuple[Card, ...]:
    """A seat's cards from 2 to A, those of a rank in the order they were dealt."""
    return _row(int(s.tables[seat]), tuple(s.came))


@lru_cache(4_096)
def _row(cards: int, came: tuple[int, ...]) -> tuple[Card, ...]:
    def place(card: Card) -> tuple[int, int]:
        return position(card >> 2), arrivals(came[card >> 2]).index(card & 3)

    return tuple(sorted(members(cards), key=place))


@lru_cache(4_096)
def heap(cards: int) -> tuple[Card, ...]:
    """Captured cards from 2 to A."""
    return tuple(sorted(members(cards), key=lambda card: (position(card >> 2), card)))


@cache
def arrivals(came: int) -> tuple[int, ...]:
    """The suits of a rank in the order in which they were dealt."""
    return tuple(int(digit) - 1 for digit in f"{came:o}" if digit != "0")


def taken(s: Any, seat: int, action: int) -> list[Card]:
    """The cards that a legal capture takes, in the order of the row."""
    after = s.copy()
    rules.capture(after, seat, action)
    return [card for card in row(s, seat) if not int(after.tables[seat]) >> card & 1]


def worth(cards: Iterable[Card]) -> int:
    """The points of some cards."""
    return sum(WORTH[card >> 2] for card in cards)


def rulings(s: Any) -> tuple[int, ...]:
    """The options in force that say what matches."""
    return tuple([int(s[name]) for name in RULINGS])


def most_by_total(cards: int, chosen: tuple[int, ...]) -> dict[int, int]:
    """The totals of the dice that match some cards, each with the points of its best capture."""
    s = blank(layout(rules.FIELDS, FACTS.capacities[-1]))
    for name, value in zip(RULINGS, chosen, strict=True):
        s[name] = value
    s.tables[0] = cards
    found = {}
    for total in range(SNAKE_EYES, BOXCARS + 1):
        s.choices[:] = 0
        if total != REROLL:
            find(s, 0, total)
        actions = [*members(s.choices[0]), *(SPLIT + bit for bit in members(s.choices[1]))]
        if actions:
            found[total] = max(_points(cards, action) for action in actions)
    return found


def _points(cards: int, action: int) -> int:
    if action >= SEQUENCE:
        return int(POINTS[action - SEQUENCE])
    return worth(members(cards & int(CARDS_OF[action // 5]))) + 9 * (action % 5)
