"""How servers that share a database notify each other: (table, seq), and messages that are not stored.

PostgreSQL servers use NOTIFY; the processes of one server on SQLite use pipes.
"""

from __future__ import annotations

import asyncio
import logging

from ninefold.kernel.errors import NinefoldError
from ninefold.server.cluster.processes import EVERYTHING
from ninefold.server.runtime.runner import HEARTBEAT
from ninefold.server.runtime.tables import Tables
from ninefold.server.storage.sqlite import SqliteStore

RETRY = 1.0  # seconds until a lost connection is tried again
SILENCE = 15.0  # seconds between two checks that the connection is alive

log = logging.getLogger("ninefold.server")


async def listen(tables: Tables) -> None:
    """Read what other servers write, until this one stops."""
    store = tables.store
    if isinstance(store, SqliteStore):
        if store.peers:
            async for line in store.peers.listen():
                await (_resync(tables) if line == EVERYTHING else _on_notification(tables, line))
        return
    import psycopg

    from ninefold.server.storage.postgres import CHANNEL, PostgresStore

    assert isinstance(store, PostgresStore)
    while True:
        try:
            async with await psycopg.AsyncConnection.connect(store.url, autocommit=True) as connection:
                await connection.execute(f"LISTEN {CHANNEL}")
                await _resync(tables)  # for notifications we missed
                while True:
                    async for notice in connection.notifies(timeout=SILENCE):
                        writer, *lines = notice.payload.split("\n")
                        for line in lines if writer != store.name else ():  # we know what we wrote
                            await _on_notification(tables, line)
                    await connection.execute("SELECT 1")
        except (psycopg.Error, OSError):
            await asyncio.sleep(RETRY)


async def _resync(tables: Tables) -> None:
    """We may have missed a notification about any table: check them all."""
    for table_id in list(tables.tables):
        await _on_notification(tables, f"{table_id} {2**31}")


async def _on_notification(tables: Tables, line: str) -> None:
    table_id, _, words = line.partition(" ")
    session = tables.tables.get(table_id)
    try:
        if session and words == "gone":
            tables.drop(table_id)
        elif session and words.startswith("said "):
            session.pass_on(words.removeprefix("said "))
        elif session and words.isdigit() and session.table.seq < int(words):
            await tables.on_written_elsewhere(table_id)
    except NinefoldError as error:
        log.warning("notification failed", extra={"details": {"table": table_id, "why": str(error)}})


async def send_heartbeats(tables: Tables) -> None:
    """Note regularly, for the other servers, who is connected here."""
    while tables.store.shared:
        try:
            await tables.note_presence()
        except NinefoldError as error:
            log.warning("no heartbeat", extra={"details": {"why": str(error)}})
        await asyncio.sleep(HEARTBEAT)
