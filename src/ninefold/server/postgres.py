"""The house in a PostgreSQL database that any number of servers share; they wake each other by NOTIFY."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from contextlib import suppress
from typing import Any

import psycopg
from sqlalchemy import create_engine, text

from ninefold.kernel.errors import RuleError
from ninefold.server.store import (
    EVENT,
    READERS,
    TOUCHED,
    Append,
    Conflict,
    Gone,
    Run,
    Store,
    Transaction,
    Unavailable,
    Work,
    apart,
    reason,
    upgrade,
)

CHANNEL = "ninefold"
MIGRATING = 909_909  # the number of the lock under which one server at a time changes the schema
PROMISES = ("fsync", "synchronous_commit", "full_page_writes")  # without which a commit is none
KNOWN = "SELECT id FROM tables WHERE id = ANY(%s) FOR KEY SHARE"  # nobody deletes them meanwhile
TOUCH = "UPDATE tables SET touched = %s WHERE id = ANY(%s) AND touched < %s"
TYPES = {"seq": "int", "at": "float8"}  # of the columns that are not text
APPEND = f"""INSERT INTO events ({", ".join(EVENT)})
SELECT * FROM unnest({", ".join(f"%s::{TYPES.get(name, 'text')}[]" for name in EVENT)})"""
NOTE = f"SELECT pg_notify('{CHANNEL}', ?)"
NOTE_ALL = f"SELECT pg_notify('{CHANNEL}', note) FROM unnest(%s::text[]) AS note"


class PostgresStore(Store):
    """Order is kept by the primary key (table, seq), whatever the isolation level."""

    shared = True

    def __init__(self, url: str) -> None:
        self.url = url
        self.name = secrets.token_hex(8)  # among the servers
        engine = create_engine(
            url.replace("postgresql://", "postgresql+psycopg://", 1),
            pool_size=READERS + 2,
            max_overflow=0,
            pool_timeout=5,
            pool_pre_ping=True,
        )
        super().__init__(engine)
        try:
            self.begin()
        except Exception as error:
            engine.dispose()
            raise RuleError(f"the database cannot be used: {reason(error)}") from None

    def migrate(self) -> None:
        with self.engine.connect() as connection:
            for setting in PROMISES:
                if connection.execute(text(f"SHOW {setting}")).scalar() == "off":
                    raise RuleError(f"it may lose what it has confirmed, because {setting} is off")
            connection.execute(text(f"SELECT pg_advisory_lock({MIGRATING})"))
            try:
                upgrade(self.engine)
            finally:
                connection.execute(text(f"SELECT pg_advisory_unlock({MIGRATING})"))

    def signal(self, table_id: str, words: str) -> bool:
        self.submit(lambda run: _say(run, f"{table_id} said {words}"))
        return True

    def forget(self, table_id: str) -> None:
        super().forget(table_id)
        self.submit(lambda run: _say(run, f"{table_id} gone")).result()

    def open_writer(self) -> Transaction:
        line: list[psycopg.Connection[Any]] = []

        def transaction(works: Sequence[Work]) -> None:
            if not works:
                for connection in line:
                    connection.close()
                return
            try:
                if not line:
                    line.append(psycopg.connect(self.url, connect_timeout=5))
                connection = line[0]
                with connection.cursor() as cursor:

                    def run(sql: str, rows: Sequence[Sequence[Any]]) -> int:
                        cursor.executemany(sql.replace("?", "%s"), rows)
                        return cursor.rowcount

                    appends, more = apart(works)
                    if appends:
                        _append_all(cursor, appends, self.name)
                    for work in more:
                        work(run)
                connection.commit()
            except (psycopg.IntegrityError, psycopg.errors.DeadlockDetected) as error:
                line[0].rollback()
                raise Conflict(reason(error)) from None
            except psycopg.Error as error:
                for connection in line:
                    with suppress(psycopg.Error):
                        connection.close()
                line.clear()
                raise Unavailable(f"the database cannot be written: {reason(error)}") from None
            except BaseException:
                line[0].rollback()
                raise

        return transaction


def _append_all(cursor: psycopg.Cursor[Any], appends: Sequence[Append], writer: str) -> None:
    """Append to many tables in few statements, and tell the other servers who did."""
    now, tables = appends[-1].at, sorted({one.table_id for one in appends})
    if cursor.execute(KNOWN, [tables]).rowcount != len(tables):
        raise Gone("this table has been deleted")
    cursor.execute(TOUCH, (now, tables, now - TOUCHED))
    rows = [row for one in appends for row in one.rows]
    cursor.execute(APPEND, [list(column) for column in zip(*rows, strict=True)])
    cursor.execute(NOTE_ALL, [[f"{one.table_id} {one.last} {writer}" for one in appends]])


def _say(run: Run, words: str) -> None:
    run(NOTE, [(words,)])
