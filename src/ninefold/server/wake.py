"""How servers that share a PostgreSQL database wake each other: (table, seq), and what is not kept."""

from __future__ import annotations

import asyncio
import logging

from ninefold.kernel.errors import NinefoldError
from ninefold.server.drive import BEAT
from ninefold.server.house import House

AGAIN = 1.0  # seconds until a lost connection is tried again
SILENCE = 15.0  # seconds after which we look whether the line still stands

log = logging.getLogger("ninefold.server")


async def listen(house: House) -> None:
    """Take in what other servers write, for as long as this one lives."""
    if not house.store.shared:
        return
    import psycopg

    from ninefold.server.postgres import CHANNEL, PostgresStore

    assert isinstance(house.store, PostgresStore)
    while True:
        try:
            async with await psycopg.AsyncConnection.connect(house.store.url, autocommit=True) as connection:
                await connection.execute(f"LISTEN {CHANNEL}")
                for table_id in list(house.tables):  # what was said while nobody listened
                    await _heard(house, f"{table_id} {2**31}")
                while True:
                    async for notice in connection.notifies(timeout=SILENCE, stop_after=1):
                        await _heard(house, notice.payload)
                    await connection.execute("SELECT 1")
        except (psycopg.Error, OSError):
            await asyncio.sleep(AGAIN)


async def _heard(house: House, payload: str) -> None:
    table_id, _, seq = payload.partition(" ")
    live = house.tables.get(table_id)
    try:
        if live and seq == "gone":
            house.drop(table_id)
        elif live and seq.startswith("said "):
            live.pass_on(seq.removeprefix("said "))
        elif live and seq.isdigit() and live.table.seq < int(seq):
            await house.woken(table_id)
    except NinefoldError as error:
        log.warning("not woken", extra={"details": {"table": table_id, "why": str(error)}})


async def beat(house: House) -> None:
    """Tell the other servers, again and again, who is on the line here."""
    while house.store.shared:
        try:
            await house.beat()
        except NinefoldError as error:
            log.warning("no beat", extra={"details": {"why": str(error)}})
        await asyncio.sleep(BEAT)
