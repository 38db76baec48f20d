"""Figures for Prometheus."""

from __future__ import annotations

import sys
from bisect import bisect_left
from collections.abc import Iterator, Mapping
from pathlib import Path

BOUNDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.15, 0.25, 0.5, 1.0, 2.5, 5.0)  # seconds


class Histogram:
    """How long something took, each time."""

    def __init__(self) -> None:
        self.counts = [0] * (len(BOUNDS) + 1)
        self.sum = 0.0

    def take(self, seconds: float) -> None:
        self.counts[bisect_left(BOUNDS, seconds)] += 1
        self.sum += seconds

    def lines(self, name: str, words: str) -> Iterator[str]:
        yield f"# HELP ninefold_{name} {words}"
        yield f"# TYPE ninefold_{name} histogram"
        total = 0
        for bound, count in zip((*map(str, BOUNDS), "+Inf"), self.counts, strict=True):
            total += count
            yield f'ninefold_{name}_bucket{{le="{bound}"}} {total}'
        yield f"ninefold_{name}_sum {self.sum:.6f}"
        yield f"ninefold_{name}_count {total}"


def gauges(figures: Mapping[str, tuple[float, str]]) -> Iterator[str]:
    """Lines for values that go up and down, each with its meaning."""
    for name, (value, words) in figures.items():
        yield f"# HELP ninefold_{name} {words}"
        yield f"# TYPE ninefold_{name} gauge"
        yield f"ninefold_{name} {value:g}"


def counters(counts: Mapping[str, int]) -> Iterator[str]:
    """Lines for what has happened since the start."""
    for words, count in sorted(counts.items()):
        name = f"{words.replace(' ', '_').replace('-', '_')}_total"
        yield f"# HELP ninefold_{name} Since the start: {words.replace('_', ' ')}."
        yield f"# TYPE ninefold_{name} counter"
        yield f"ninefold_{name} {count}"


def memory() -> float:
    """The memory of this process in bytes; 0 where the system does not say."""
    if not sys.platform.startswith("linux"):
        return 0.0
    return float(Path("/proc/self/statm").read_text().split()[1]) * 4096
