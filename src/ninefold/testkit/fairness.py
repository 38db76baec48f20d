"""Is it fair? Pearson's test without a library, at a level that fair chance practically always passes."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

ALARM = 1e-6  # a sampling test fails below this probability, on either side: too even is wrong as well
FREE_ENOUGH = 4  # degrees of freedom from which exactly the expected counts are rarer than that


def tail(statistic: float, freedom: int) -> float:
    """The chance that chi-square exceeds `statistic`: exact sums, so the tests need no library for it."""
    half = statistic / 2
    if half <= 0:
        return 1.0
    start = 0.0 if freedom % 2 == 0 else 0.5
    terms = (
        math.exp((k + start) * math.log(half) - half - math.lgamma(k + start + 1))
        for k in range(freedom // 2)
    )
    rest = math.erfc(math.sqrt(half)) if freedom % 2 else 0.0
    return min(1.0, rest + math.fsum(terms))


def chi_square(observed: Any, expected: Any) -> float:
    return float(((np.asarray(observed) - expected) ** 2 / expected).sum())


def fits(statistic: float, freedom: int) -> bool:
    """Whether counts are neither too far from what was expected nor too near.

    With two to four kinds, exactly the expected counts are nothing unusual: a fair coin shows 500 heads in
    1,000 flips once in 40 times.
    """
    chance = tail(statistic, freedom)
    return chance > ALARM and (chance < 1 - ALARM or freedom < FREE_ENOUGH)


def is_even(observed: Any) -> bool:
    """Whether counts could come from equally likely results."""
    expected = np.full(len(observed), np.sum(observed) / len(observed))
    return fits(chi_square(observed, expected), len(observed) - 1)


def is_unrelated(one: Any, other: Any) -> bool:
    """Whether two series could be uncorrelated."""
    return bool(abs(np.corrcoef(one, other)[0, 1]) * math.sqrt(len(one)) < 4.89)
