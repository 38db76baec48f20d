"""Finds tables by their codes, and lets nobody guess them fast."""

from __future__ import annotations

import asyncio
from collections import Counter, deque

from ninefold.server.http.limits import Buckets, network
from ninefold.server.runtime.session import TableSession
from ninefold.server.runtime.tables import Tables
from ninefold.server.storage.tally import Tally
from ninefold.server.tables.table import Refusal

FREE = 60  # wrong codes that may come at once


class Codes:
    """The codes of tables, and who has tried how many that do not exist."""

    def __init__(self, tables: Tables, misses: float, tally: Tally) -> None:
        self.tables = tables
        self.tally = tally
        self._misses = Buckets(misses, FREE)
        self._under_way: Counter[str] = Counter()  # look-ups that may be misses
        self._waiting: dict[str, deque[asyncio.Future[None]]] = {}  # and those that wait for one to end

    async def find(self, address: str, code: str, key: str | None) -> TableSession:
        """The table with this code.

        An address that has tried too many that do not exist has to wait, and does not learn whether this one
        does. Only those with the key of a seat there are let through: a person guessing may share it.
        """
        theirs = network(address)
        while not self._misses.take(theirs):
            if self._under_way[theirs]:  # a class that joins: right codes give back what they took
                await self._wait(theirs)
                continue
            self._wake(theirs)
            self.tally.note("wrong codes", address)
            if key is None or not await self.tables.opens(code, key):
                raise Refusal("too_many", "too many wrong codes; wait a while")
            return await self.tables.find(code)
        self._under_way[theirs] += 1
        guessed = False
        try:
            return await self.tables.find(code)
        except Refusal as error:
            guessed = error.code == "no_table"
            raise
        finally:
            if guessed:
                self.tally.note("wrong codes", address)
            else:
                self._misses.give_back(theirs)
            self._finished(theirs)

    async def _wait(self, theirs: str) -> None:
        """Until a look-up has ended. One that ends wakes one, in the order of arrival, and who gives up wakes
        the next: if all woke each time, a thousand would take minutes."""
        turn = asyncio.get_running_loop().create_future()
        self._waiting.setdefault(theirs, deque()).append(turn)
        try:
            await turn
        except asyncio.CancelledError:
            if turn.done() and not turn.cancelled():  # it was this one's turn, and it has gone
                self._wake(theirs)
            raise

    def _finished(self, theirs: str) -> None:
        self._under_way[theirs] -= 1
        if not self._under_way[theirs]:
            del self._under_way[theirs]
        self._wake(theirs)

    def _wake(self, theirs: str) -> None:
        waiting = self._waiting.get(theirs, deque())
        while waiting:
            turn = waiting.popleft()
            if not turn.done():
                turn.set_result(None)
                break
        if not waiting:
            self._waiting.pop(theirs, None)
