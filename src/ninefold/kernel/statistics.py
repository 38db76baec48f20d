"""Statistics in constant memory: running moments and a histogram whose buckets widen with the value.

Values up to 2**(bits + 1) have a bucket each; beyond, every doubling has 2**bits buckets, so a quantile
is exact to one part in 2**bits. Scores without a finite variance (Doubles) need no more than that.
"""

from __future__ import annotations

from typing import Any

from ninefold.kernel.compile import kernel
from ninefold.kernel.intrinsics import highest_bit

COUNT, MEAN, SQUARES, LOWEST, HIGHEST = 0, 1, 2, 3, 4
MOMENTS = 5
DONE, UNFINISHED, STOP = 0, 1, 2
COUNTS = 3


def half(bits: int) -> int:
    """Buckets for values of one sign, up to 2**62."""
    return (64 - bits) << bits


@kernel
def _index(magnitude: int, bits: int) -> int:
    shift = max(0, highest_bit(magnitude | 1) - bits)
    return (shift << bits) + (magnitude >> shift)


@kernel
def bucket(value: int, bits: int) -> int:
    """The bucket of a value; buckets ascend with the values."""
    middle = (64 - bits) << bits
    if value < 0:
        return middle - 1 - _index(-value - 1, bits)
    return middle + _index(value, bits)


def bucket_value(number: int, bits: int) -> int:
    """The middle value of a bucket."""
    index = number - half(bits)
    if index < 0:
        return -1 - bucket_value(half(bits) - index - 1, bits)
    shift = max(0, (index >> bits) - 1)
    low = (index - (shift << bits)) << shift
    return low + (1 << shift) // 2 if shift else low


@kernel
def note(moments: Any, histogram: Any, series: int, value: int, bits: int) -> None:
    """Add one value to a series."""
    enter(moments, histogram, series, value, bits, 1.0 / (moments[series, COUNT] + 1))


@kernel
def enter(moments: Any, histogram: Any, series: int, value: int, bits: int, share: float) -> None:
    """Add one value with its weight in the mean given, so that one division serves many series."""
    weigh(moments, series, value, share)
    histogram[series, bucket(value, bits)] += 1


@kernel
def weigh(moments: Any, series: int, value: int, share: float) -> None:
    """Add one value to the moments.

    Takes whole arrays: slicing out a row would cost more than the rest.
    """
    delta = value - moments[series, MEAN]
    mean = moments[series, MEAN] + delta * share
    moments[series, COUNT] += 1
    moments[series, MEAN] = mean
    moments[series, SQUARES] += delta * (value - mean)
    lowest, highest = moments[series, LOWEST], moments[series, HIGHEST]
    first = share == 1.0
    moments[series, LOWEST] = value if first or value < lowest else lowest
    moments[series, HIGHEST] = value if first or value > highest else highest


@kernel
def merge(into: Any, more: Any) -> None:
    """Add the moments of `more` to `into`, series by series (arrays of shape (series, MOMENTS))."""
    for series in range(len(into)):
        had, got = into[series, COUNT], more[series, COUNT]
        if got == 0:
            continue
        both = had + got
        delta = more[series, MEAN] - into[series, MEAN]
        into[series, SQUARES] += more[series, SQUARES] + delta * delta * had * got / both
        into[series, MEAN] += delta * got / both
        into[series, COUNT] = both
        lowest, highest = more[series, LOWEST], more[series, HIGHEST]
        into[series, LOWEST] = lowest if had == 0 else min(lowest, into[series, LOWEST])
        into[series, HIGHEST] = highest if had == 0 else max(highest, into[series, HIGHEST])
