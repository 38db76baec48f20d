"""Sets as bits, read from Python: cards in a word, seats in a few words."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache


@lru_cache(8_192)
def _members(left: int) -> tuple[int, ...]:
    found = []
    while left:
        found.append((left & -left).bit_length() - 1)
        left &= left - 1
    return tuple(found)


def members(bits: int) -> tuple[int, ...]:
    """The numbers of the bits set in a word, which may be negative."""
    return _members(int(bits) & 0xFFFFFFFFFFFFFFFF)


def has(words: Sequence[int], seat: int) -> bool:
    """Whether a seat is in a set of seats (see seats.py)."""
    return bool(int(words[seat >> 6]) >> (seat & 63) & 1)


def members_wide(words: Sequence[int]) -> list[int]:
    """The numbers of the bits set in several words."""
    return [64 * place + bit for place, word in enumerate(words) for bit in members(word)]
