"""Estimates with intervals, and how many games a precision takes. Knows nothing about games.

A pilot with a seed of its own says how many games it takes; those are played, and looked at, once. If the
interval is still too wide, more are added and looked at again. All looks share 5 % of error: nearly all of it
is for the first one, which is hardly ever followed by another.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise
from statistics import NormalDist
from typing import Any

import numpy as np

from ninefold.simulation.intervals import wilson

CONFIDENCE = 0.95
FIRST_LOOK = 0.9  # of the error, for the first look; each later one has half of what is left
SPARE = 1.1  # more games than the pilot asks for
BLOCKS = 20  # of games, whose spread tells how sure a number is that has no simple interval
NORMAL = NormalDist()


@dataclass(frozen=True)
class Estimate:
    """A number, and the ends of its 95 % interval."""

    value: float
    low: float
    high: float
    games: int  # or whatever was counted

    @property
    def margin(self) -> float:
        """Half the width of the interval."""
        return (self.high - self.low) / 2

    @property
    def known(self) -> bool:
        return math.isfinite(self.value)

    def inside(self, low: float, high: float) -> Estimate:
        """The same, but no further than a number of this kind can be."""
        if not self.known:
            return self
        value, first, last = (min(high, max(low, one)) for one in (self.value, self.low, self.high))
        return Estimate(value, first, last, self.games)

    def times(self, factor: float) -> Estimate:
        low, high = sorted((self.low * factor, self.high * factor))
        return Estimate(self.value * factor, low, high, self.games)


UNKNOWN = Estimate(math.nan, math.nan, math.nan, 0)


def quantile_of(error: float) -> float:
    """How many standard errors an interval reaches to each side."""
    return NORMAL.inv_cdf(1 - error / 2)


def error_at(look: int) -> float:
    """The part of the 5 % that the first, second, … look may use; all together never more."""
    total = 1 - CONFIDENCE
    return total * FIRST_LOOK if look == 1 else total * (1 - FIRST_LOOK) / 2 ** (look - 1)


def reach(look: int = 0) -> float:
    """Standard errors to each side after this many looks; 0 is a number of games fixed beforehand."""
    return quantile_of(error_at(look) if look else 1 - CONFIDENCE)


def share(values: Any, z: float = reach()) -> Estimate:
    """The mean of numbers from 0 to 1: Wilson's interval, narrower where wins are shared.

    Valid for few games and for shares near 0 and 1, too.
    """
    n = len(values)
    if n == 0:
        return UNKNOWN
    mean = float(np.mean(values))
    return share_of(mean, float(np.var(values)), n, z)


def share_of(mean: float, variance: float, n: int, z: float = reach()) -> Estimate:
    """The same from the mean and the variance of the numbers."""
    return Estimate(mean, *wilson(mean, variance, n, z), n)


def mean(values: Any, z: float = reach()) -> Estimate:
    """The mean of any numbers whose spread is finite."""
    n = len(values)
    if n < 2:
        return UNKNOWN
    middle = float(np.mean(values))
    half = z * widen(n) * float(np.std(values, ddof=1)) / math.sqrt(n)
    return Estimate(middle, middle - half, middle + half, n)


def widen(n: int) -> float:
    """How much wider Student's interval is than the normal one."""
    free = max(1, n - 1)
    z2 = reach() ** 2
    return 1 + (z2 + 1) / (4 * free) + (5 * z2**2 + 16 * z2 + 3) / (96 * free**2)


def quantile(values: Any, part: float, z: float = reach()) -> Estimate:
    """A quantile, with an interval from the order of the numbers: right for any distribution."""
    n = len(values)
    if n == 0:
        return UNKNOWN
    ordered = np.sort(values)
    half = z * math.sqrt(part * (1 - part) * n)
    low = max(0, math.floor(part * n - half))
    high = min(n - 1, math.ceil(part * n + half))
    at = min(n - 1, max(0, math.ceil(part * n) - 1))
    return Estimate(float(ordered[at]), float(ordered[low]), float(ordered[high]), n)


def by_blocks(items: Any, measure: Callable[[Any], Any], z: float = reach()) -> list[Estimate]:
    """Any numbers that are computed from many items: the jackknife over blocks of them."""
    n = len(items)
    whole = np.asarray(measure(items), np.float64)
    if n < 2 * BLOCKS:
        return [UNKNOWN] * len(whole)
    edges = np.linspace(0, n, BLOCKS + 1).astype(int)
    left_out = np.array(
        [measure(np.concatenate([items[:low], items[high:]])) for low, high in pairwise(edges)]
    )
    spread = np.sqrt((BLOCKS - 1) / BLOCKS * ((left_out - left_out.mean(axis=0)) ** 2).sum(axis=0))
    half = z * widen(BLOCKS) * spread
    return [
        Estimate(float(value), float(value - reach_), float(value + reach_), n)
        for value, reach_ in zip(whole, half, strict=True)
    ]


def games_for(spread: float, half: float, z: float = reach(1)) -> int:
    """How many games make an interval so narrow, if one game has this standard deviation."""
    return max(100, math.ceil(SPARE * (z * spread / half) ** 2))
