"""Long histories, which take long to read: in a thread of their own, and one at a time for each network."""

from __future__ import annotations

import asyncio
import math
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import TypeVar

from ninefold.server.http.limits import network
from ninefold.server.storage.store import Store
from ninefold.server.storage.tally import Tally
from ninefold.server.tables.table import Refusal

MOST_WAITING = 40  # of one network: a class that loads a page together
Found = TypeVar("Found")


class Histories:
    """Reads histories so that nobody makes everyone else wait."""

    def __init__(self, store: Store, tally: Tally) -> None:
        self.store = store
        self.tally = tally
        self._turns: dict[str, tuple[asyncio.Lock, list[object]]] = {}  # by network, with those who wait

    async def read(self, address: str, reading: Callable[[], Found]) -> Found:
        """Read a history, when it is this network's turn; Refusal if too many of it wait."""
        async with self._turn(address, MOST_WAITING):
            return await self.store.in_history(reading)

    async def read_part(self, address: str, reading: Callable[[], Found]) -> Found:
        """The same for a part of what a socket has missed, of which there are no more than sockets."""
        async with self._turn(address):
            return await self.store.in_history(reading)

    @asynccontextmanager
    async def _turn(self, address: str, most: float = math.inf) -> AsyncIterator[None]:
        theirs = network(address)
        lock, waiting = self._turns.setdefault(theirs, (asyncio.Lock(), []))
        if len(waiting) >= most:
            self.tally.note("too many histories", address)
            raise Refusal("too_many", "too many histories at once; wait a moment")
        waiting.append(None)
        try:
            async with lock:
                yield
        finally:
            waiting.pop()
            if not waiting:
                del self._turns[theirs]
