"""How servers that share a database wake each other: (table, seq), and what is not kept.

Over PostgreSQL by NOTIFY; the processes of one server over SQLite by pipes.
"""

from __future__ import annotations

import asyncio
import logging

from ninefold.kernel.errors import NinefoldError
from ninefold.server.drive import BEAT
from ninefold.server.house import House
from ninefold.server.siblings import EVERYTHING
from ninefold.server.sqlite import SqliteStore

AGAIN = 1.0  # seconds until a lost connection is tried again
SILENCE = 15.0  # seconds between two looks whether the line still stands

log = logging.getLogger("ninefold.server")


async def listen(house: House) -> None:
    """Take in what other servers write, for as long as this one lives."""
    store = house.store
    if isinstance(store, SqliteStore):
        if store.siblings:
            async for line in store.siblings.listen():
                await (_missed(house) if line == EVERYTHING else _heard(house, line))
        return
    import psycopg

    from ninefold.server.postgres import CHANNEL, PostgresStore

    assert isinstance(store, PostgresStore)
    while True:
        try:
            async with await psycopg.AsyncConnection.connect(store.url, autocommit=True) as connection:
                await connection.execute(f"LISTEN {CHANNEL}")
                await _missed(house)  # what was said while nobody listened
                while True:
                    async for notice in connection.notifies(timeout=SILENCE):
                        writer, *lines = notice.payload.split("\n")
                        for line in lines if writer != store.name else ():  # we know what we wrote
                            await _heard(house, line)
                    await connection.execute("SELECT 1")
        except (psycopg.Error, OSError):
            await asyncio.sleep(AGAIN)


async def _missed(house: House) -> None:
    """Something was said that we have not heard: it may have been about any table."""
    for table_id in list(house.tables):
        await _heard(house, f"{table_id} {2**31}")


async def _heard(house: House, line: str) -> None:
    table_id, _, words = line.partition(" ")
    live = house.tables.get(table_id)
    try:
        if live and words == "gone":
            house.drop(table_id)
        elif live and words.startswith("said "):
            live.pass_on(words.removeprefix("said "))
        elif live and words.isdigit() and live.table.seq < int(words):
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
