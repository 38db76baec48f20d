"""Finds tables by their codes, and lets nobody guess them fast."""

from __future__ import annotations

import asyncio

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
        self._under_way: dict[str, set[asyncio.Future[None]]] = {}  # look-ups that may be misses

    async def find(self, address: str, code: str, key: str | None) -> TableSession:
        """The table with this code.

        An address that has tried too many that do not exist has to wait, and does not learn whether this one
        does. Only those with the key of a seat there are let through: a person guessing may share it.
        """
        theirs = network(address)
        while not self._misses.take(theirs):
            if others := self._under_way.get(
                theirs
            ):  # a class that joins: right codes give back what they took
                await asyncio.wait(others, return_when=asyncio.FIRST_COMPLETED)
                continue
            self.tally.note("wrong codes", address)
            if key is None or not await self.tables.opens(code, key):
                raise Refusal("too_many", "too many wrong codes; wait a while")
            return await self.tables.find(code)
        done = asyncio.get_running_loop().create_future()
        self._under_way.setdefault(theirs, set()).add(done)
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
            self._finished(theirs, done)

    def _finished(self, theirs: str, done: asyncio.Future[None]) -> None:
        done.set_result(None)
        self._under_way[theirs].discard(done)
        if not self._under_way[theirs]:
            del self._under_way[theirs]
