"""The 2,241 parcels of 9 of a Kind: sets of one to three cards of one suit or of one rank, numbered.

A collection is a rank (0 to 8) or a suit (9 to 17); a hand is stored as nine bits for each of the 18. The
tables give the parcels in the bits of a collection, without a search. Singles come first, then pairs, then
threes; parcels of a size are sorted by collection and then by their cards.
"""

from __future__ import annotations

from itertools import combinations
from typing import Any

import numpy as np

from ninefold.kernel.cards import NINE_SUITS, Card

SIDE = 9  # ranks, suits, and cards of a hand
COLLECTIONS = 2 * SIDE
CARDS = NINE_SUITS.size
FULL = (1 << SIDE) - 1
LARGEST = 3

Cards = tuple[Card, ...]


def _cards(collection: int, places: tuple[int, ...]) -> Cards:
    """The cards at some places of a collection: suits of a rank, or ranks of a suit."""
    if collection < SIDE:
        return tuple(SIDE * collection + place for place in places)
    return tuple(SIDE * place + collection - SIDE for place in places)


def whole_collection(collection: int) -> Cards:
    """All nine cards of a rank or suit."""
    return _cards(collection, tuple(range(SIDE)))


def _all_parcels() -> list[Cards]:
    found: list[Cards] = [(card,) for card in range(CARDS)]
    for size in (2, 3):
        for collection in range(COLLECTIONS):
            found += [_cards(collection, places) for places in combinations(range(SIDE), size)]
    return found


PARCELS = _all_parcels()
NUMBER = {cards: number for number, cards in enumerate(PARCELS)}
COUNT = len(PARCELS)
CARDS_OF: list[Cards] = [*PARCELS, ()]  # by a parcel's number; -1 is no parcel

FIRST = np.array(
    [0, 0, CARDS, CARDS + COLLECTIONS * 36, COUNT], np.int64
)  # of each size; the last is the end
SIZE = np.array([len(cards) for cards in PARCELS], np.int64)
MEMBER = np.array([[*cards, *[-1] * (LARGEST - len(cards))] for cards in PARCELS], np.int64)
BITS = np.array(
    [
        [sum(1 << (card & 63) for card in cards if card >> 6 == word) for word in range(2)]
        for cards in PARCELS
    ],
    np.uint64,
).astype(np.int64)


def _choices(size: int) -> tuple[Any, Any]:
    """For the bits of a collection: where its sets of one size begin in a list, and the list."""
    every = list(combinations(range(SIDE), size))
    starts: list[int] = []
    numbers: list[int] = []
    for bits in range(1 << SIDE):
        starts.append(len(numbers))
        numbers += [n for n, places in enumerate(every) if all(bits >> place & 1 for place in places)]
    starts.append(len(numbers))
    return np.array(starts, np.int64), np.array(numbers, np.int64)


PAIRS_FROM, PAIRS = _choices(2)
THREES_FROM, THREES = _choices(3)
PAIRS_EACH = 36
THREES_EACH = 84
# How many pairs (low half) and threes (high half) the bits of a collection hold.
HOLDS = np.diff(PAIRS_FROM) + (np.diff(THREES_FROM) << 32)

NUMBER_IN = np.array([bin(bits).count("1") for bits in range(1 << SIDE)], np.int64)
PIPS = np.array(  # of the cards of a suit
    [sum(rank + 1 for rank in range(SIDE) if bits >> rank & 1) for bits in range(1 << SIDE)], np.int64
)
