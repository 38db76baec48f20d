"""Means and spreads, as every plain Python contestant counts them."""

from __future__ import annotations

import math
from dataclasses import dataclass


@dataclass
class Moments:
    """A sum and a sum of squares."""

    sum: float = 0.0
    squares: float = 0.0

    def add(self, x: float) -> None:
        self.sum += x
        self.squares += x * x

    def mean(self, n: int) -> float:
        return self.sum / n if n else 0.0

    def spread(self, n: int) -> float:
        return math.sqrt(max(0.0, (self.squares - self.sum * self.sum / n) / (n - 1))) if n > 1 else 0.0
