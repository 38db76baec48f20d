"""Work done for anyone who asks, even without a seat: score cards, lessons, and hints.

Each person has a budget. One thread does it all, so that nobody at a table has to wait, and its queue is
short. Nothing is kept.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from ninefold.server.http.limits import SharedBuckets, network
from ninefold.server.tables.table import Refusal

MOST_WAITING = 16
Done = TypeVar("Done")


class PublicJobs:
    """One kind of work; `what` names it in the plural, for refusals."""

    def __init__(self, what: str, rate: float, people: float) -> None:
        self._what = what
        self._budgets = SharedBuckets(rate, 10 * rate, people)
        self._thread = ThreadPoolExecutor(1, what)
        self._waiting = 0

    def charge(self, address: str, person: str) -> None:
        """Take one job out of a person's budget; Refusal if it is used up."""
        if not self._budgets.take(network(address), person):
            raise Refusal("too_many", f"too many {self._what}; wait a moment")

    async def run(self, work: Callable[[], Done]) -> Done:
        """Do a job after all that came before it; Refusal if too many are waiting."""
        if self._waiting >= MOST_WAITING:
            raise Refusal("busy", f"too many {self._what} at once; try again")
        self._waiting += 1
        try:
            return await asyncio.get_running_loop().run_in_executor(self._thread, work)
        finally:
            self._waiting -= 1
