"""The 91 starting hands as pairs of ranks: suits never matter."""

from __future__ import annotations

from typing import Any

import numpy as np

from ninefold.game.holdem9.hands import KEY
from ninefold.game.nines import RANKS
from ninefold.kernel.compile import kernel

PAIRS = [(high, low) for high in range(RANKS) for low in range(high + 1)]
FIRST: Any = np.array([high for high, _ in PAIRS], np.int64)
SECOND: Any = np.array([low for _, low in PAIRS], np.int64)
TWO_KEYS: Any = KEY[FIRST] + KEY[SECOND]


@kernel
def pair_ways(left: Any, pair: int) -> int:
    """The ways to deal a pair of ranks."""
    high, low = FIRST[pair], SECOND[pair]
    if high == low:
        return left[high] * (left[high] - 1) // 2  # type: ignore[no-any-return]
    return left[high] * left[low]  # type: ignore[no-any-return]
