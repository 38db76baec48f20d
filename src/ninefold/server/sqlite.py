"""The house in one file: SQLite, with one connection that writes and also makes the checkpoints."""

from __future__ import annotations

import json
import sqlite3
import sys
from collections.abc import Sequence
from contextlib import suppress
from functools import cache
from io import FileIO
from pathlib import Path
from typing import Any

from sqlalchemy import create_engine, event

from ninefold.kernel.errors import RuleError
from ninefold.server.store import (
    EVENTS,
    READERS,
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

if sys.platform != "win32":
    import fcntl


KNOWN = "SELECT count(*) FROM tables WHERE id IN (SELECT value FROM json_each(?))"
TOUCH_ALL = "UPDATE tables SET touched = ? WHERE id IN (SELECT value FROM json_each(?)) AND touched < ?"
TOUCHED = 60.0  # seconds for which it need not be noted again that a table is in use
MOST_ROWS = 64  # in one statement
PATIENCE = 5  # seconds for which a file that another program has locked is waited for


class SqliteStore(Store):
    """One file, one writer: a thread that commits whatever has come together."""

    def __init__(self, path: Path) -> None:
        self.path = path
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._lock = _own(path)
        except OSError as error:
            raise RuleError(f"the house cannot be kept in {path.parent}: {error.strerror}") from None
        engine = create_engine(
            f"sqlite:///{path}",
            connect_args={"check_same_thread": False, "timeout": PATIENCE},
            pool_size=READERS + 2,
        )
        event.listen(engine, "connect", _for_reading)
        super().__init__(engine, writers=1)
        self.begin()

    def migrate(self) -> None:
        """Before anything else has the file open; the writer's settings are those of the file."""
        engine = create_engine(f"sqlite:///{self.path}")
        event.listen(engine, "connect", _for_writing)
        event.listen(engine, "begin", lambda connection: connection.exec_driver_sql("BEGIN IMMEDIATE"))
        try:
            upgrade(engine)
        except Exception as error:
            self._lock.close()
            raise RuleError(f"{self.path} cannot be used: {reason(error)}") from None
        finally:
            engine.dispose()

    def open_writer(self) -> Transaction:
        connection = sqlite3.connect(self.path, timeout=PATIENCE, isolation_level=None)
        _for_writing(connection, None)
        self.tune(connection)

        def run(sql: str, rows: Sequence[Sequence[Any]]) -> int:
            return connection.executemany(sql, rows).rowcount

        def transaction(works: Sequence[Work]) -> None:
            if not works:
                connection.close()
                return
            try:
                connection.execute("BEGIN IMMEDIATE")
                appends, others = apart(works)
                if appends:
                    _append_all(connection, run, appends)
                for work in others:
                    work(run)
                connection.execute("COMMIT")
            except BaseException as error:
                with suppress(sqlite3.Error):
                    connection.execute("ROLLBACK")
                if isinstance(error, sqlite3.IntegrityError):
                    raise Conflict(reason(error)) from None
                if isinstance(error, sqlite3.Error):
                    raise Unavailable(f"the database cannot be written: {reason(error)}") from None
                raise

        return transaction

    def tune(self, connection: sqlite3.Connection) -> None:
        """For tests: change the writer's settings."""

    def close(self) -> None:
        super().close()
        self._lock.close()


def _append_all(connection: sqlite3.Connection, run: Run, appends: Sequence[Append]) -> None:
    """Append to many tables in few statements.

    Each statement gives the interpreter away and waits to get it back, which takes milliseconds while the
    rest of the house is busy: that, and not the disk, is what a commit of many rows would wait for.
    """
    now, tables = appends[-1].at, {one.table_id for one in appends}
    listed = json.dumps(sorted(tables))
    if connection.execute(KNOWN, (listed,)).fetchone()[0] != len(tables):
        raise Gone("this table has been deleted")
    connection.execute(TOUCH_ALL, (now, listed, now - TOUCHED))
    rows = [row for one in appends for row in one.rows]
    for first in range(0, len(rows), MOST_ROWS):
        some = rows[first : first + MOST_ROWS]
        connection.execute(_several(len(some)), [value for row in some for value in row])
    for one in appends:
        one.write_rest(run)


@cache
def _several(rows: int) -> str:
    """The statement that inserts so many events."""
    values = EVENTS.rpartition(" VALUES ")[2]
    return EVENTS + f", {values}" * (rows - 1)


def _for_writing(connection: Any, _: Any) -> None:
    """Every commit waits for the disk; we, not the driver, begin transactions."""
    connection.isolation_level = None
    for line in (
        *("journal_mode=WAL", "synchronous=FULL", f"busy_timeout={1000 * PATIENCE}"),
        "temp_store=MEMORY",  # what undoes half a statement
    ):
        connection.execute(f"PRAGMA {line}")
    found = [connection.execute(f"PRAGMA {name}").fetchone()[0] for name in ("journal_mode", "synchronous")]
    if found != ["wal", 2]:
        raise RuleError(f"this place keeps no promises: SQLite writes with {found[0]} and {found[1]} there")


def _for_reading(connection: Any, _: Any) -> None:
    """Readers make no checkpoints: SQLite before 3.51.3 can damage a file if two connections do at once."""
    connection.isolation_level = None
    for line in (f"busy_timeout={1000 * PATIENCE}", "wal_autocheckpoint=0", "query_only=ON"):
        connection.execute(f"PRAGMA {line}")


def _own(path: Path) -> FileIO:
    """Keep a second server off the same file."""
    lock = FileIO(path.with_suffix(".lock"), "a")
    if sys.platform != "win32":
        try:
            fcntl.flock(lock.fileno(), fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            lock.close()
            raise RuleError(
                f"another server has {path} open; stop it, or give this one another --data"
            ) from None
    return lock
