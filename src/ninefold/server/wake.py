"""How servers that share a PostgreSQL database wake each other: (table, seq), nothing else."""

from __future__ import annotations

import asyncio

from ninefold.server.house import House
from ninefold.server.store import CHANNEL, PostgresStore

AGAIN = 1.0  # seconds until a lost connection is tried again
SILENCE = 15.0  # seconds after which we look for ourselves


async def listen(house: House) -> None:
    """Take in what other servers write, for as long as this one lives."""
    store = house.store
    if not isinstance(store, PostgresStore):
        return
    import psycopg

    url = store.engine.url.set(drivername="postgresql").render_as_string(hide_password=False)
    while True:
        try:
            async with await psycopg.AsyncConnection.connect(url, autocommit=True) as connection:
                await connection.execute(f"LISTEN {CHANNEL}")
                await _catch_up(house)
                while True:
                    async for notice in connection.notifies(timeout=SILENCE, stop_after=1):
                        await _heard(house, notice.payload)
                    await connection.execute("SELECT 1")
        except (psycopg.Error, OSError):
            await asyncio.sleep(AGAIN)


async def _heard(house: House, payload: str) -> None:
    table_id, _, seq = payload.partition(" ")
    live = house.tables.get(table_id)
    if live and seq.isdigit() and live.table.seq < int(seq):
        await house.woken(table_id)


async def _catch_up(house: House) -> None:
    """What was said while nobody listened."""
    for table_id in list(house.tables):
        await house.woken(table_id)
