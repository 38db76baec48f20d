"""The arithmetic of nines, for the games that are judged by groups: Multiple 9 and Multiple 9 Hold'em.

A *set* is one to four cards of one rank; a *group* is one set, or two sets of different ranks, whose total is
a multiple of nine. Suits never matter, so cards are numbers of each rank, packed into one word: four bits a
rank, the ace lowest. Taking a group out of a hand is then one subtraction.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import product
from typing import Any

import numpy as np

from ninefold.kernel.cards import PLAIN, Rank
from ninefold.kernel.compile import kernel

RANKS = len(PLAIN.ranks)
COPIES = len(PLAIN.suits)
WIDTH = 4  # bits a rank: numbers up to 4 leave the highest bit free for the borrow that `holds` looks at
LAST = (1 << WIDTH) - 1
SPARE = sum(8 << WIDTH * rank for rank in range(RANKS))


def value(rank: Rank) -> int:
    """What a card of a rank adds to a group: ace 1, jack 11, queen 12, king 13."""
    return rank + 1


def pack(ranks: Iterable[Rank]) -> int:
    """Cards as one word of numbers."""
    return sum(1 << WIDTH * rank for rank in ranks)


def unpack(packed: int) -> list[Rank]:
    """The ranks of a word of numbers, the highest first, as they are written."""
    numbers = [(rank, packed >> WIDTH * rank & LAST) for rank in reversed(range(RANKS))]
    return [rank for rank, number in numbers for _ in range(number)]


def total(ranks: Iterable[Rank]) -> int:
    """What cards are worth together."""
    return sum(value(rank) for rank in ranks)


def _every_group() -> list[tuple[Rank, ...]]:
    """Every group there is, by its total, its number of cards and its highest ranks."""
    found = set()
    for high, low in product(range(RANKS), repeat=2):
        for more, less in product(range(1, COPIES + 1), range(COPIES + 1)):
            cards = (high,) * more + (low,) * less
            if low < high and total(cards) % 9 == 0:
                found.add(cards)
    for rank, number in product(range(RANKS), range(1, COPIES + 1)):
        if value(rank) * number % 9 == 0:
            found.add((rank,) * number)
    return sorted(found, key=lambda cards: (total(cards), len(cards), cards))


GROUPS = tuple(_every_group())  # the place of a group in here is its number, in moves and records too
NINES = tuple(total(group) // 9 for group in GROUPS)
TEXTS = tuple(PLAIN.hand_text(group) for group in GROUPS)

PACKED: Any = np.array([pack(group) for group in GROUPS], np.int64)
NINES_OF: Any = np.array(NINES, np.int8)
CARDS_OF: Any = np.array([len(group) for group in GROUPS], np.int8)


@kernel
def holds(hand: int, group: int) -> bool:
    """Whether a packed hand has all the cards of a packed group."""
    return ((hand | SPARE) - group) & SPARE == SPARE


@kernel
def number_of(hand: int, rank: Rank) -> int:
    """How many cards of a rank a packed hand has."""
    return hand >> WIDTH * rank & LAST
