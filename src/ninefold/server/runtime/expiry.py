"""Deletes tables that nobody has used for months, and nothing because of a clock that is wrong.

The wall clock of a machine can jump: one without a battery boots in another year, one that slept wakes up
later. So it does not decide alone. A table is deleted only when it was found idle again and again, once an
hour, during a whole week in which a server was running; a single event at the table begins this anew.
"""

from __future__ import annotations

import asyncio
import logging
import time

from ninefold.server.runtime.tables import Tables

HOUR = 3600.0  # seconds between two looks
TIMES = 7 * 24  # it has to be found idle so often
JUMP = 600.0  # seconds by which the wall clock may differ from the time that has passed
MOST = 100  # tables that are deleted at a time

log = logging.getLogger("ninefold.server")


class Expiry:
    """Looks after the tables of one server."""

    def __init__(self, tables: Tables, expiry: float) -> None:
        self.tables = tables
        self.expiry = expiry
        self.deleted = 0
        self._wall, self._passed = time.time(), time.monotonic()

    async def check(self) -> None:
        """Once an hour: note idle tables, and delete those that were idle for long enough."""
        wall, passed = time.time(), time.monotonic()
        if passed - self._passed < HOUR:
            return
        jump = (wall - self._wall) - (passed - self._passed)
        self._wall, self._passed = wall, passed
        if abs(jump) > JUMP:
            log.warning(
                "the clock has jumped, so no table is deleted", extra={"details": {"seconds": round(jump)}}
            )
            return
        store, moment = self.tables.store, wall - self.expiry
        await store.in_time(asyncio.wrap_future(store.note_idle(moment, wall, 0.9 * HOUR)))
        for table_id in await store.in_thread(store.often_idle, moment, TIMES, MOST):
            session = self.tables.tables.get(table_id)
            if session is None or not session.connections:
                await self.tables.forget(table_id)
                self.deleted += 1
                log.warning("an unused table was deleted", extra={"details": {"table": table_id}})
