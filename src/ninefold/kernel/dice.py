"""Two six-sided dice: 21 outcomes, the smaller die first, with their weights out of 36."""

from __future__ import annotations

from typing import Any

import numpy as np

from ninefold.kernel.compile import kernel
from ninefold.kernel.stream import below

ROLLS = tuple((first, second) for first in range(1, 7) for second in range(first, 7))
FIRST = np.array([first for first, _ in ROLLS], np.int64)
SECOND = np.array([second for _, second in ROLLS], np.int64)
WEIGHT = np.array([1 if first == second else 2 for first, second in ROLLS], np.int64)
ROLL_OF = np.array([ROLLS.index((min(a, b), max(a, b))) for a in range(1, 7) for b in range(1, 7)], np.int64)
OUTCOMES = len(ROLLS)


@kernel
def roll(stream: Any) -> int:
    """Roll both dice: the number of one of the 21 outcomes."""
    return ROLL_OF[below(stream, 36)]  # type: ignore[no-any-return]


def roll_text(outcome: int) -> str:
    """The canonical text of an outcome, `roll 3 4`."""
    return "roll {} {}".format(*ROLLS[outcome])


def read_dice(text: str) -> tuple[int, int] | None:
    """Two faces written as `3 4`, `34`, `3,4` or `3-4`, in either order; else None."""
    digits = text.replace(",", " ").replace("-", " ").replace("+", " ").split()
    if len(digits) == 1 and len(digits[0]) == 2:
        digits = list(digits[0])
    if len(digits) != 2 or any(digit not in "123456" or len(digit) != 1 for digit in digits):
        return None
    first, second = sorted(int(digit) for digit in digits)
    return first, second
