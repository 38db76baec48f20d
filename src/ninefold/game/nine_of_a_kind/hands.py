"""Hands of 9 of a Kind: adding and removing cards, what a hand is worth, which parcels it has.

Called by rules.py, which says when; numbers such as R4.1 are those of RULES.md.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ninefold.game.nine_of_a_kind.parcels import (
    COLLECTIONS,
    FIRST,
    FULL,
    HOLDS,
    MEMBER,
    NUMBER_IN,
    PAIRS,
    PAIRS_EACH,
    PAIRS_FROM,
    PIPS,
    SIDE,
    SIZE,
    THREES,
    THREES_EACH,
    THREES_FROM,
)
from ninefold.kernel import seats
from ninefold.kernel.cards import Card, count, count_wide, nth_card
from ninefold.kernel.compile import kernel, noinline

HALF = (1 << 32) - 1
SPLIT, FITS = 64 // SIDE, 64 % SIDE  # the rank whose cards lie in two words, and how many are in the first


@kernel
def toggle(s: Any, seat: int, card: Card) -> None:
    """Add a card to a hand, or remove it."""
    s.hands[seat, card // SIDE] ^= 1 << card % SIDE
    s.hands[seat, SIDE + card % SIDE] ^= 1 << card // SIDE


@kernel
def toggle_parcel(s: Any, seat: int, parcel: int) -> None:
    for place in range(SIZE[parcel]):
        toggle(s, seat, MEMBER[parcel, place])


@kernel
def has_parcel(s: Any, seat: int, parcel: int) -> bool:
    for place in range(SIZE[parcel]):
        card = MEMBER[parcel, place]
        if s.hands[seat, card // SIDE] >> card % SIDE & 1 == 0:
            return False
    return True


@noinline
def hand_word(s: Any, seat: int, word: int) -> Any:
    """A hand as bits per card, 64 in a word: the bits of the ranks, one after another."""
    if word == 1:
        return np.int64(s.hands[seat, SPLIT]) >> FITS | np.int64(s.hands[seat, SPLIT + 1]) << SIDE - FITS
    bits = np.int64(0)
    for rank in range(SPLIT + 1):
        bits |= np.int64(s.hands[seat, rank]) << SIDE * rank
    return bits


@noinline
def best_collection(s: Any, seat: int) -> tuple[int, int]:
    """The rank or suit to name for the fewest points, and those points."""
    total = 0
    best = -1
    collection = 0
    for suit in range(SIDE):
        pips = PIPS[s.hands[seat, SIDE + suit]]
        total += pips
        if pips > best:
            best = pips
            collection = SIDE + suit
    for rank in range(SIDE):
        pips = count(s.hands[seat, rank]) * (rank + 1)
        if pips > best:
            best = pips
            collection = rank
    return collection, total - best  # R5.1


@kernel
def longest(s: Any, seat: int) -> int:
    """The most cards of one suit or rank."""
    most = 0
    for collection in range(COLLECTIONS):
        most = max(most, count(s.hands[seat, collection]))
    return most


@kernel
def is_nine(s: Any, seat: int) -> bool:
    for collection in range(COLLECTIONS):  # noqa: SIM110 (kernels have no generators)
        if s.hands[seat, collection] == FULL:
            return True  # R4.1
    return False


@kernel
def is_blocked(s: Any, seat: int) -> bool:
    for collection in range(COLLECTIONS):  # noqa: SIM110 (kernels know no generators)
        if count(s.hands[seat, collection]) != 1:
            return False
    return True  # R4.2


@kernel
def span(out: Any, spans: int, base: int, parcel: int) -> int:
    """Add a parcel to the spans, extending the last one if it is adjacent."""
    action = base + parcel
    if spans > 0 and out[spans - 1, 1] == action - 1:
        out[spans - 1, 1] = action
        return spans
    out[spans, 0] = action
    out[spans, 1] = action
    return spans + 1


@noinline
def list_parcels(s: Any, seat: int, size: int, out: Any, spans: int) -> int:
    """The parcels of a size in a hand."""
    if size == 1:
        for rank in range(SIDE):
            left = np.int64(s.hands[seat, rank])
            while left != 0:
                spans = span(out, spans, 0, SIDE * rank + seats.lowest_bit(left))
                left &= left - 1
        return spans
    for collection in range(COLLECTIONS):
        bits = s.hands[seat, collection]
        if NUMBER_IN[bits] >= size:
            if size == 2:
                first = FIRST[2] + PAIRS_EACH * collection
                for place in range(PAIRS_FROM[bits], PAIRS_FROM[bits + 1]):
                    spans = span(out, spans, 0, first + PAIRS[place])
            else:
                first = FIRST[3] + THREES_EACH * collection
                for place in range(THREES_FROM[bits], THREES_FROM[bits + 1]):
                    spans = span(out, spans, 0, first + THREES[place])
    return spans


@kernel
def list_again(out: Any, listed: int, spans: int, base: int, least: int, most: int) -> int:
    """The parcels of some sizes again, from the spans that hold all of a hand, as actions from `base` on."""
    first, last = FIRST[least], FIRST[most + 1] - 1
    for at in range(listed):
        low, high = max(out[at, 0], first), min(out[at, 1], last)
        if low <= high:
            spans = span(out, spans, base, low)
            out[spans - 1, 1] = base + high
    return spans


@kernel
def held(bits: Any, size: int) -> Any:
    """How many parcels of a size the bits of a collection hold; of single cards, those of a rank."""
    if size == 1:
        return count(bits)
    return HOLDS[bits] & HALF if size == 2 else HOLDS[bits] >> 32


@noinline
def nth_parcel(s: Any, seat: int, size: int, n: int) -> Any:
    """The n-th parcel of a size in a hand."""
    collection = 0
    bits: Any = np.int64(s.hands[seat, collection])
    here = held(bits, size)
    while n >= here:
        n -= here
        collection += 1
        bits = np.int64(s.hands[seat, collection])
        here = held(bits, size)
    if size == 1:
        return SIDE * collection + nth_card(bits, n)
    if size == 2:
        return FIRST[2] + PAIRS_EACH * collection + PAIRS[PAIRS_FROM[bits] + n]
    return FIRST[3] + THREES_EACH * collection + THREES[THREES_FROM[bits] + n]


@kernel
def larger_parcels(s: Any, seat: int) -> tuple[Any, Any]:
    """How many pairs and threes a hand holds."""
    both = 0
    for collection in range(COLLECTIONS):
        both += HOLDS[s.hands[seat, collection]]
    return both & HALF, both >> 32


@kernel
def in_centre(s: Any) -> int:
    """How many cards are in the centre."""
    return count_wide(s.centre)
