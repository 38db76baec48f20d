"""What goes wrong: counted for /metrics, and logged now and then, so that no flood becomes one of lines."""

from __future__ import annotations

import logging
import time
from collections import Counter

SELDOM = 60.0  # seconds between two lines about the same thing
REMEMBERED = 10_000  # things that happened lately

log = logging.getLogger("ninefold.server")


class Tally:
    """Counts what happened, by its name."""

    def __init__(self, level: int = logging.INFO) -> None:
        self.counts: Counter[str] = Counter()  # by what happened
        self.level = level
        self._lately: dict[tuple[str, str], list[float]] = {}  # when it was logged, and how often since

    def note(self, what: str, who: str = "", **details: object) -> None:
        """Something happened; `who` is an address, or what else distinguishes it."""
        self.counts[what] += 1
        now = time.monotonic()
        if len(self._lately) >= REMEMBERED:
            self._lately.clear()
        known = self._lately.setdefault((what, who), [-SELDOM, 0])
        known[1] += 1
        if now - known[0] >= SELDOM:
            times, known[:] = known[1], [now, 0]
            more = {"address": who} if who else {}
            log.log(self.level, what, extra={"details": {**more, "times": int(times), **details}})
