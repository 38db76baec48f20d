"""Sets of seats as bits in 64-bit words: one word for sixteen seats, 256 words for sixteen thousand.

A set costs one machine word where a game has few seats, so that "everybody is asked" is one store.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ninefold.kernel.compile import COMPILED, kernel

SeatSet = Any

if TYPE_CHECKING or not COMPILED:

    def lowest_bit(word: Any) -> int:
        """The number of the lowest bit set in a word that is not 0."""
        return (int(word) & -int(word)).bit_length() - 1

    def highest_bit(word: Any) -> int:
        """The number of the highest bit set in a word above 0."""
        return int(word).bit_length() - 1

else:
    from numba import types
    from numba.extending import intrinsic

    @intrinsic
    def lowest_bit(typing_context, word):  # noqa: ARG001 (the shape Numba asks for)
        """The number of the lowest bit set in a word that is not 0: one instruction on every target."""

        def generate(context, builder, signature, arguments):  # noqa: ARG001 (numba's shape)
            return builder.cttz(arguments[0], context.get_constant(types.boolean, True))

        return types.int64(types.int64), generate

    @intrinsic
    def highest_bit(typing_context, word):  # noqa: ARG001 (numba's shape)
        """The number of the highest bit set in a word above 0."""

        def generate(context, builder, signature, arguments):  # noqa: ARG001 (numba's shape)
            above = builder.ctlz(arguments[0], context.get_constant(types.boolean, True))
            return builder.sub(context.get_constant(types.int64, 63), above)

        return types.int64(types.int64), generate


@kernel
def word_of(seats: SeatSet, seat: int) -> int:
    """Where the bit of a seat lies; a constant for a set of one word, which may then stay in a register."""
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
    """Write the seats of the set to `out`, ascending; how many there are."""
    found = 0
    for seat in range(players):
        if has(seats, seat):
            out[found] = seat
            found += 1
    return found
