"""Sets of seats as bits in 64-bit words: one word for sixteen seats, 256 words for sixteen thousand.

For a game with few seats, a set is one machine word, so that "everyone decides" is one store.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ninefold.kernel import intrinsics
from ninefold.kernel.compile import kernel

SeatSet = Any

lowest_bit = intrinsics.lowest_bit
highest_bit = intrinsics.highest_bit


@kernel
def word_of(seats: SeatSet, seat: int) -> int:
    """The word of a seat's bit; constant for a set of one word, which can then stay in a register."""
    return 0 if seats.size == 1 else seat >> 6


@kernel
def has(seats: SeatSet, seat: int) -> bool:
    return (seats[word_of(seats, seat)] >> (seat & 63)) & 1 != 0  # type: ignore[no-any-return]


@kernel
def add(seats: SeatSet, seat: int) -> None:
    seats[word_of(seats, seat)] |= np.int64(1) << (seat & 63)


@kernel
def drop(seats: SeatSet, seat: int) -> None:
    seats[word_of(seats, seat)] &= ~(np.int64(1) << (seat & 63))


@kernel
def clear(seats: SeatSet) -> None:
    for word in range(seats.size):
        seats[word] = 0


@kernel
def become(seats: SeatSet, others: SeatSet) -> None:
    for word in range(seats.size):
        seats[word] = others[word]


@kernel
def fill(seats: SeatSet, players: int) -> None:
    """The seats 0 to players - 1."""
    for word in range(seats.size):
        left = players - (word << 6)
        if left >= 64:
            seats[word] = -1
        elif left > 0:
            seats[word] = ~(np.int64(-1) << left)
        else:
            seats[word] = 0


@kernel
def is_empty(seats: SeatSet) -> bool:
    for word in range(seats.size):  # noqa: SIM110 (kernels have no generators)
        if seats[word] != 0:
            return False
    return True


@kernel
def lowest(seats: SeatSet) -> int:
    """The lowest seat in a set that is not empty (so that the compiler knows it is never below 0)."""
    for word in range(seats.size):
        if seats[word] != 0:
            return (word << 6) + lowest_bit(seats[word])
    return 0


@kernel
def members(seats: SeatSet, players: int, out: Any) -> int:
    """Write the seats of the set to `out`, ascending; returns how many."""
    found = 0
    for seat in range(players):
        if has(seats, seat):
            out[found] = seat
            found += 1
    return found
