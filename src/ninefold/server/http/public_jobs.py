"""Work done for anyone who asks, without a seat: score cards are added up, lessons are looked at.

Each person has a budget, one thread does it all so that it keeps nobody at a table waiting, and only so many
wait for it. Nothing of it is kept.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from ninefold.server.http.limits import SharedBuckets, network
from ninefold.server.tables.table import Refusal

MOST = 16  # that wait
Done = TypeVar("Done")


class Errands:
    """One kind of such work, called by what there would be too many of."""

    def __init__(self, what: str, rate: float, people: float) -> None:
        self._what = what
        self._budgets = SharedBuckets(rate, 10 * rate, people)
        self._thread = ThreadPoolExecutor(1, what)
        self._waiting = 0

    def pay(self, address: str, person: str) -> None:
        """Take one piece of work out of a person's budget; Refusal where it is used up."""
        if not self._budgets.take(network(address), person):
            raise Refusal("too_many", f"too many {self._what}; wait a moment")

    async def run(self, work: Callable[[], Done]) -> Done:
        """Do it, once all that came before it is done; Refusal where too much is waiting."""
        if self._waiting >= MOST:
            raise Refusal("busy", f"too many {self._what} at once; try again")
        self._waiting += 1
        try:
            return await asyncio.get_running_loop().run_in_executor(self._thread, work)
        finally:
            self._waiting -= 1
