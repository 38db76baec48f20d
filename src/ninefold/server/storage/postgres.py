"""Tables in a PostgreSQL database that any number of servers share; they notify each other by NOTIFY."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from contextlib import nullcontext, suppress
from typing import Any

import psycopg
from sqlalchemy import Engine, create_engine, text

from ninefold.kernel.errors import RuleError
from ninefold.server.storage.store import (
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
    latest,
    reason,
    split_appends,
    upgrade,
)

CHANNEL = "ninefold"
MIGRATING = 909_909  # the number of the lock under which one server at a time changes the schema
DURABILITY = ("fsync", "synchronous_commit", "full_page_writes")  # without these a commit is not durable
TYPES = {"seq": "int", "at": "float8"}  # of the columns that are not text
TOUCH = "UPDATE tables SET touched = %s, idle = 0 WHERE id = ANY(%s)"
# Appends to any number of tables and notifies the other servers, in one statement, because after every answer
# of the database the writer has to wait for the interpreter lock. The tables are locked against deletion; if
# one is already gone, the statement divides by zero on purpose, which rolls everything back.
APPEND = f"""WITH
known AS (SELECT id FROM tables WHERE id = ANY(%s) FOR KEY SHARE),
added AS (INSERT INTO events ({", ".join(EVENT)})
  SELECT * FROM unnest({", ".join(f"%s::{TYPES.get(name, 'text')}[]" for name in EVENT)})),
heads AS (UPDATE tables SET last = h.last, head = h.head
  FROM unnest(%s::text[], %s::int[], %s::text[]) AS h(id, last, head) WHERE tables.id = h.id)
SELECT 1 / (count(*) = %s)::int, pg_notify('{CHANNEL}', %s) FROM known"""
NOTE = f"SELECT pg_notify('{CHANNEL}', ?)"
REMEMBERED = 10_000  # tables for which we remember when they were last marked as used


class PostgresStore(Store):
    """Order is kept by the primary key (table, seq), whatever the isolation level."""

    shared = True

    def __init__(self, url: str) -> None:
        self.url = url
        self.name = secrets.token_hex(8)  # among the servers
        engine = create_engine(
            _for_sqlalchemy(url),
            pool_size=READERS + 2,
            max_overflow=0,
            pool_timeout=5,
            pool_pre_ping=True,
            connect_args=_patience(url),
        )
        super().__init__(engine)
        try:
            self.begin()
        except Exception as error:
            engine.dispose()
            raise RuleError(f"the database cannot be used: {reason(error)}") from None

    def migrate(self) -> None:
        engine = create_engine(_for_sqlalchemy(self.url))  # a migration may take its time
        try:
            self._migrate(engine)
        finally:
            engine.dispose()

    def _migrate(self, engine: Engine) -> None:
        with engine.connect() as connection:
            for setting in DURABILITY:
                if connection.execute(text(f"SHOW {setting}")).scalar() == "off":
                    raise RuleError(f"it may lose what it has confirmed, because {setting} is off")
            connection.execute(text(f"SELECT pg_advisory_lock({MIGRATING})"))
            try:
                upgrade(engine)
            finally:
                connection.execute(text(f"SELECT pg_advisory_unlock({MIGRATING})"))

    def signal(self, table_id: str, words: str) -> bool:
        self.submit(lambda run: _say(run, f"{table_id} said {words}"))
        return True

    def forget(self, table_id: str) -> None:
        super().forget(table_id)
        self.submit(lambda run: _say(run, f"{table_id} gone")).result()

    def open_writer(self) -> Transaction:
        opened: list[psycopg.Connection[Any]] = []
        touched: dict[str, float] = {}

        def transaction(works: Sequence[Work]) -> None:
            if not works:
                for connection in opened:
                    connection.close()
                return
            try:
                if not opened:
                    opened.append(psycopg.connect(self.url, autocommit=True, **_patience(self.url)))
                write(opened[0], *split_appends(works))
            except psycopg.errors.DivisionByZero:
                raise Gone("this table has been deleted") from None
            except (psycopg.IntegrityError, psycopg.errors.DeadlockDetected) as error:
                raise Conflict(reason(error)) from None
            except psycopg.Error as error:
                for connection in opened:
                    with suppress(psycopg.Error):
                        connection.close()
                opened.clear()
                raise Unavailable(f"the database cannot be written: {reason(error)}") from None

        def write(
            connection: psycopg.Connection[Any], appends: Sequence[Append], more: Sequence[Work]
        ) -> None:
            due = {
                one.table_id: one.at for one in appends if touched.get(one.table_id, 0.0) < one.at - TOUCHED
            }
            with connection.transaction() if due or more else nullcontext(), connection.cursor() as cursor:

                def run(sql: str, rows: Sequence[Sequence[Any]]) -> None:
                    cursor.executemany(sql.replace("?", "%s"), rows)

                if appends:
                    cursor.execute(APPEND, self._appended(appends))
                if due:
                    cursor.execute(TOUCH, (max(due.values()), sorted(due)))
                for work in more:
                    work(run)
            if len(touched) > REMEMBERED:
                touched.clear()
            touched.update(due)

        return transaction

    def _appended(self, appends: Sequence[Append]) -> list[Any]:
        """The values for APPEND: the events, and the notification for other servers."""
        heads = latest(appends)
        tables = [one.table_id for one in heads]
        columns = zip(*(row for one in appends for row in one.rows), strict=True)
        lines = [self.name, *(f"{one.table_id} {one.last}" for one in appends)]
        last = tables, [one.last for one in heads], [one.head for one in heads]
        return [tables, *map(list, columns), *last, len(tables), "\n".join(lines)]


def _for_sqlalchemy(url: str) -> str:
    return url.replace("postgresql://", "postgresql+psycopg://", 1)


def _patience(url: str) -> dict[str, Any]:
    """Settings of a connection that does not wait for ever, for a lock or for a machine that is gone."""
    found: dict[str, Any] = {
        "connect_timeout": 4,
        "tcp_user_timeout": 4_000,
        "keepalives_idle": 10,
        "keepalives_interval": 3,
        "keepalives_count": 2,
    }
    if "options=" not in url:  # which its owner knows better
        found["options"] = "-c statement_timeout=4000 -c lock_timeout=3000"
    return found


def _say(run: Run, line: str) -> None:
    """Notify all servers, including this one."""
    run(NOTE, [(f"\n{line}",)])
