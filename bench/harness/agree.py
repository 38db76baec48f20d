"""Do two contestants play the same game?  Differences of their counts in standard errors."""

from __future__ import annotations

import math
from collections.abc import Sequence

from harness.contest import Outcome

LARGEST_Z = 4.5


def pooled(outcomes: Sequence[Outcome]) -> Outcome:
    """Several runs as one; a mean is kept only if every run reports it."""
    finished = [o["games"] - o["unfinished"] for o in outcomes]
    n = sum(finished)
    pool: Outcome = {
        "finished": n,
        "unfinished": sum(o["unfinished"] for o in outcomes),
        "games": sum(o["games"] for o in outcomes),
        "wins": [sum(column) for column in zip(*(o["wins"] for o in outcomes), strict=True)],
    }
    for key in outcomes[0]:
        if not key.startswith(("mean_", "sd_")) or not all(key in o for o in outcomes):
            continue
        columns = [as_list(o[key]) for o in outcomes]
        pool[key] = [
            sum(x * k for x, k in zip(column, finished, strict=True)) / max(n, 1)
            for column in zip(*columns, strict=True)
        ]
    return pool


def as_list(value: float | list[float]) -> list[float]:
    return value if isinstance(value, list) else [value]


def differences(reference: Outcome, other: Outcome) -> dict[str, float]:
    """For each thing both pools report: the largest difference over the seats, in standard errors.

    The spread is the reference's for both, so that a contestant need only report means.
    """
    n, m = reference["finished"], other["finished"]
    if not n or not m:
        return {}
    shares = [w / n for w in reference["wins"]]
    spreads = [math.sqrt(p * (1 - p)) for p in shares]
    found = {"wins": largest(shares, [w / m for w in other["wins"]], spreads, n, m)}
    for key, means in reference.items():
        what = key.removeprefix("mean_")
        if key.startswith("mean_") and key in other and f"sd_{what}" in reference:
            found[what] = largest(means, other[key], reference[f"sd_{what}"], n, m)
    return found


def largest(a: list[float], b: list[float], spreads: list[float], n: int, m: int) -> float:
    return max(z_score(x - y, sd * math.sqrt(1 / n + 1 / m)) for x, y, sd in zip(a, b, spreads, strict=True))


def z_score(difference: float, error: float) -> float:
    # Outcomes are printed with nine digits; what is fixed by the rules may differ by that much.
    if abs(difference) < 1e-6:
        return 0.0
    return abs(difference) / error if error > 0 else math.inf
