"""Functions of real numbers that give the same digits on every machine.

Sums, products, quotients and square roots do so by themselves; what a C library calls `exp` does not. A bot
that asked it could play another game on another machine, or on a CUDA card.
"""

from __future__ import annotations

import math

from ninefold.kernel.compile import kernel

LOG2_E = 1.4426950408889634
LN_2 = 0.6931471803691238  # its first 32 bits, so that small multiples are exact
LN_2_REST = 1.9082149292705877e-10
LEAST = -700.0  # the exponential of anything less is 0 here
DEGREE = 13


@kernel
def exp(x: float) -> float:
    """The exponential of a number up to 700, to a few units in the last digit."""
    if x < LEAST:
        return 0.0
    doublings = math.floor(x * LOG2_E + 0.5)
    rest = (x - doublings * LN_2) - doublings * LN_2_REST
    power = 1.0
    for degree in range(DEGREE, 0, -1):
        power = 1.0 + power * rest / degree
    return math.ldexp(power, int(doublings))
