"""The house in one file: SQLite, with one connection that writes and also makes the checkpoints.

Where several processes are one server, each has such a connection, and they take turns.
"""

from __future__ import annotations

import sqlite3
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from io import FileIO
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sqlalchemy import create_engine, event

from ninefold.kernel.errors import RuleError
from ninefold.server.store import (
    EVENT,
    READERS,
    TOUCHED,
    Append,
    Conflict,
    Gone,
    Store,
    Transaction,
    Unavailable,
    Work,
    apart,
    reason,
    upgrade,
    written,
)

if TYPE_CHECKING:
    from ninefold.server.siblings import Siblings

if sys.platform != "win32":
    import fcntl


def _column(place: int, name: str) -> str:
    """A column of an event, which is a list in JSON; times are whole milliseconds there, to lose nothing."""
    return f"json_extract(value, '$[{place}]')" + (" / 1000.0" if name == "at" else "")


# Appends to any number of tables as one statement. Each statement of the writer gives the interpreter away
# and has to get it back from the rest of the house, which takes longer than the disk does.
INCOMING = f"""
CREATE TEMP VIEW incoming AS SELECT '' AS tables, '' AS events, 0.0 AS at;
CREATE TEMP TRIGGER take_in INSTEAD OF INSERT ON incoming BEGIN
  SELECT raise(ABORT, 'gone') WHERE json_array_length(new.tables) >
    (SELECT count(*) FROM tables WHERE id IN (SELECT value FROM json_each(new.tables)));
  UPDATE tables SET touched = new.at
    WHERE id IN (SELECT value FROM json_each(new.tables)) AND touched < new.at - {TOUCHED};
  INSERT INTO events ({", ".join(EVENT)})
    SELECT {", ".join(_column(place, name) for place, name in enumerate(EVENT))} FROM json_each(new.events);
END;
"""
AT = EVENT.index("at")
APPEND = "INSERT INTO incoming VALUES (?, ?, ?)"
PATIENCE = 5  # seconds for which a file that another program has locked is waited for


class SqliteStore(Store):
    """One file, one writer: a thread that commits whatever has come together."""

    def __init__(self, path: Path, siblings: Siblings | None = None) -> None:
        self.path = path
        self.siblings = siblings
        self.shared = siblings is not None
        self._lock = own(path) if siblings is None else FileIO(path.with_suffix(".turn"), "a")
        engine = create_engine(
            f"sqlite:///{path}",
            connect_args={"check_same_thread": False, "timeout": PATIENCE},
            pool_size=READERS + 2,
        )
        event.listen(engine, "connect", _for_reading)
        super().__init__(engine)
        self.begin()

    def migrate(self) -> None:
        """Before anything else has the file open; the writer's settings are those of the file."""
        engine = create_engine(f"sqlite:///{self.path}")
        event.listen(engine, "connect", _for_writing)
        event.listen(engine, "begin", lambda connection: connection.exec_driver_sql("BEGIN IMMEDIATE"))
        try:
            with self._turn():
                upgrade(engine)
        except Exception as error:
            self._lock.close()
            raise RuleError(f"{self.path} cannot be used: {reason(error)}") from None
        finally:
            engine.dispose()

    def open_writer(self) -> Transaction:
        connection = sqlite3.connect(self.path, timeout=PATIENCE, isolation_level=None)
        _for_writing(connection, None)
        connection.executescript(INCOMING)
        self.tune(connection)

        def run(sql: str, rows: Sequence[Sequence[Any]]) -> int:
            return connection.executemany(sql, rows).rowcount

        def transaction(works: Sequence[Work]) -> None:
            if not works:
                connection.close()
                return
            with self._turn():
                write(works)
            if self.siblings:
                self.siblings.tell([f"{one.table_id} {one.last}" for one in apart(works)[0]])

        def write(works: Sequence[Work]) -> None:
            appends, more = apart(works)
            try:
                if more:
                    connection.execute("BEGIN IMMEDIATE")
                if appends:
                    connection.execute(APPEND, _incoming(appends))
                for work in more:
                    work(run)
                if more:
                    connection.execute("COMMIT")
            except BaseException as error:
                with suppress(sqlite3.Error):
                    connection.execute("ROLLBACK")
                if isinstance(error, sqlite3.IntegrityError):
                    if str(error) == "gone":
                        raise Gone("this table has been deleted") from None
                    raise Conflict(reason(error)) from None
                if isinstance(error, sqlite3.Error):
                    raise Unavailable(f"the database cannot be written: {reason(error)}") from None
                raise

        return transaction

    @contextmanager
    def _turn(self) -> Iterator[None]:
        """While it is our turn to write: only one of several processes does, and makes checkpoints."""
        if self.siblings is None:
            yield
            return
        fcntl.flock(self._lock.fileno(), fcntl.LOCK_EX)
        try:
            yield
        finally:
            fcntl.flock(self._lock.fileno(), fcntl.LOCK_UN)

    def signal(self, table_id: str, words: str) -> bool:
        if self.siblings:
            self.siblings.tell([f"{table_id} said {words}"], oneself=True)
        return self.shared

    def forget(self, table_id: str) -> None:
        super().forget(table_id)
        if self.siblings:
            self.siblings.tell([f"{table_id} gone"])

    def tune(self, connection: sqlite3.Connection) -> None:
        """For tests: change the writer's settings."""

    def close(self) -> None:
        super().close()
        self._lock.close()


def _incoming(appends: Sequence[Append]) -> tuple[str, str, float]:
    rows = [(*row[:AT], round(row[AT] * 1000), *row[AT + 1 :]) for one in appends for row in one.rows]
    tables = sorted({one.table_id for one in appends})
    return written(tables).decode(), written(rows).decode(), appends[-1].at


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


def house_file(folder: Path) -> Path:
    return folder / "house.sqlite"


def own(path: Path) -> FileIO:
    """Keep a second server off the same file."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        lock = FileIO(path.with_suffix(".lock"), "a")
    except OSError as error:
        raise RuleError(f"the house cannot be kept in {path.parent}: {error.strerror}") from None
    if sys.platform != "win32":
        try:
            fcntl.flock(lock.fileno(), fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            lock.close()
            raise RuleError(
                f"another server has {path} open; stop it, or give this one another --data"
            ) from None
    return lock
