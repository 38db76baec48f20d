"""Budgets that fill at a rate: of requests, of commands, of the events of a table."""

from __future__ import annotations

import time
from collections.abc import Callable


class Bucket:
    """A budget that fills at a rate and holds a burst."""

    def __init__(self, rate: float, burst: float, clock: Callable[[], float] = time.monotonic) -> None:
        self.rate = rate
        self.burst = burst
        self.clock = clock
        self.level = burst
        self.at = clock()

    def take(self) -> bool:
        """Whether there was enough for one more."""
        if self.empty:
            return False
        self.level -= 1
        return True

    def spend(self, count: int) -> None:
        """Take `count`, even if there is not enough: the rest is owed."""
        self.level -= count

    @property
    def empty(self) -> bool:
        """Whether there is not enough for one more."""
        now = self.clock()
        self.level = min(self.burst, self.level + (now - self.at) * self.rate)
        self.at = now
        return self.level < 1
