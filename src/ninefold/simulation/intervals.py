"""The 95 % interval of a share, such as that of the games won. Knows nothing about games."""

from __future__ import annotations

import math
from statistics import NormalDist

SURE = NormalDist().inv_cdf(0.975)  # standard errors to each side


def wilson(mean: float, variance: float, n: int, z: float = SURE) -> tuple[float, float]:
    """The ends of Wilson's interval around the mean of `n` numbers from 0 to 1.

    Valid for few of them and near 0 and 1, too, where it reaches further towards the middle; narrower where
    wins are shared, as the variance is smaller then.
    """
    most = mean * (1 - mean)  # the variance if nothing is ever shared
    part = min(1.0, (n * variance + 1) / (n * most + 1))  # as if one game more had been seen
    z2 = part * z * z
    middle = (mean + z2 / (2 * n)) / (1 + z2 / n)
    half = math.sqrt(z2) / (1 + z2 / n) * math.sqrt(max(0.0, most) / n + z2 / (4 * n * n))
    return max(0.0, middle - half) if mean > 0 else 0.0, min(1.0, middle + half) if mean < 1 else 1.0
