"""Tables in one SQLite file, with one connection that writes and makes the checkpoints.

If several processes form one server, each has such a connection, and they take turns.
"""

from __future__ import annotations

import logging
import os
import sqlite3
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from io import FileIO
from pathlib import Path
from typing import Any

from sqlalchemy import create_engine, event

from ninefold.kernel.errors import RecordError, RuleError
from ninefold.server.storage.store import (
    DAMAGED,
    EVENT,
    READERS,
    TOUCHED,
    Append,
    Conflict,
    Gone,
    Peers,
    Store,
    Transaction,
    Unavailable,
    Work,
    is_damage,
    latest,
    reason,
    split_appends,
    upgrade,
    written,
)

DATABASE_FILE = "house.sqlite"  # as version 0.1 called it, so that its tables are found

log = logging.getLogger("ninefold.server")

if sys.platform != "win32":
    import fcntl


def _column(place: int, name: str) -> str:
    """A column of an event, which is a list in JSON; times are whole milliseconds there, to lose nothing."""
    return f"json_extract(value, '$[{place}]')" + (" / 1000.0" if name == "at" else "")


# Appends to any number of tables in one statement. Each statement of the writer releases the interpreter
# lock, and getting it back takes longer than the disk does.
_ID = "json_extract(value, '$[0]')"
INCOMING = f"""
CREATE TEMP VIEW incoming AS SELECT '' AS tables, '' AS events, 0.0 AS at;
CREATE TEMP TRIGGER take_in INSTEAD OF INSERT ON incoming BEGIN
  SELECT raise(ABORT, 'gone') WHERE json_array_length(new.tables) >
    (SELECT count(*) FROM tables WHERE id IN (SELECT {_ID} FROM json_each(new.tables)));
  UPDATE tables SET touched = new.at, idle = 0
    WHERE id IN (SELECT {_ID} FROM json_each(new.tables)) AND (touched < new.at - {TOUCHED} OR idle > 0);
  INSERT INTO events ({", ".join(EVENT)})
    SELECT {", ".join(_column(place, name) for place, name in enumerate(EVENT))} FROM json_each(new.events);
  UPDATE tables SET last = json_extract(value, '$[1]'), head = json_extract(value, '$[2]')
    FROM json_each(new.tables) WHERE tables.id = {_ID};
END;
"""
AT = EVENT.index("at")
APPEND = "INSERT INTO incoming VALUES (?, ?, ?)"
TAKEN = "another server has taken over the database; stop one of them"
PATIENCE = 2  # seconds to wait for a file that another program has locked: short, as commands may queue up


class SqliteStore(Store):
    """One file and one writer: a thread that commits everything that is waiting."""

    def __init__(self, path: Path, peers: Peers | None = None) -> None:
        self.path = path
        self.peers = peers
        self.shared = peers is not None
        self._lock = own(path) if peers is None else FileIO(path.with_suffix(".turn"), "a")
        self._mark = _mark(path.with_suffix(".lock"))
        engine = create_engine(
            f"sqlite:///{path}",
            connect_args={"check_same_thread": False, "timeout": PATIENCE},
            pool_size=READERS + 2,
        )
        event.listen(engine, "connect", _for_reading)
        super().__init__(engine)
        self.begin()

    def migrate(self) -> None:
        """Open the writer first: its settings apply to the file."""
        engine = create_engine(f"sqlite:///{self.path}")
        event.listen(engine, "connect", _for_writing)
        event.listen(engine, "begin", lambda connection: connection.exec_driver_sql("BEGIN IMMEDIATE"))
        try:
            with self._turn():
                upgrade(engine)
        except Exception as error:
            self._lock.close()
            why = reason(error)
            if is_damage(error) and not isinstance(error, RuleError):
                why = f"it is damaged ({why}); restore a backup"
            raise RuleError(f"{self.path} cannot be used: {why}") from None
        finally:
            engine.dispose()

    def open_writer(self) -> Transaction:
        connection = sqlite3.connect(self.path, timeout=PATIENCE, isolation_level=None)
        _for_writing(connection, None)
        connection.executescript(INCOMING)
        self.tune(connection)

        def transaction(works: Sequence[Work]) -> None:
            if not works:
                connection.close()
                return
            self._keep_lock()
            with self._turn():
                write(works)
            if self.peers:
                self.peers.notify([f"{one.table_id} {one.last}" for one in split_appends(works)[0]])

        def write(works: Sequence[Work]) -> None:
            appends, more = split_appends(works)
            try:
                if more:
                    connection.execute("BEGIN IMMEDIATE")
                if appends:
                    connection.execute(APPEND, _incoming(appends))
                for work in more:
                    work(connection.executemany)
                if more:
                    connection.execute("COMMIT")
            except BaseException as error:
                with suppress(sqlite3.Error):
                    connection.execute("ROLLBACK")
                if isinstance(error, sqlite3.IntegrityError):
                    if str(error) == "gone":
                        raise Gone("this table has been deleted") from None
                    raise Conflict(reason(error)) from None
                if is_damage(error) and isinstance(error, sqlite3.Error):
                    raise RecordError(DAMAGED) from None
                if isinstance(error, sqlite3.Error):
                    raise Unavailable(f"the database cannot be written: {reason(error)}") from None
                raise

        return transaction

    def _keep_lock(self) -> None:
        """Lock the file again if the lock file was removed; Unavailable if another server was quicker."""
        path = self.path.with_suffix(".lock")
        if (mark := _mark(path)) == self._mark or (mark is None and self.peers):
            return
        if self.peers:  # the lock is their parent's
            raise Unavailable(TAKEN)
        try:
            again = _locked(self.path)
        except (RuleError, OSError):
            raise Unavailable(TAKEN) from None
        self._lock.close()
        self._lock, self._mark = again, _mark(path)
        log.warning("the lock file was removed, and has been made again")

    @contextmanager
    def _turn(self) -> Iterator[None]:
        """Wait for our turn: only one of several processes writes and makes checkpoints at a time."""
        if self.peers is None:
            yield
            return
        fcntl.flock(self._lock.fileno(), fcntl.LOCK_EX)
        try:
            yield
        finally:
            fcntl.flock(self._lock.fileno(), fcntl.LOCK_UN)

    def signal(self, table_id: str, words: str) -> bool:
        if self.peers:
            self.peers.notify([f"{table_id} said {words}"], include_self=True)
        return self.shared

    def forget(self, table_id: str) -> None:
        super().forget(table_id)
        if self.peers:
            self.peers.notify([f"{table_id} gone"])

    def tune(self, connection: sqlite3.Connection) -> None:
        """For tests: change the writer's settings."""

    def close(self) -> None:
        super().close()
        self._lock.close()


def _incoming(appends: Sequence[Append]) -> tuple[str, str, float]:
    rows = [(*row[:AT], round(row[AT] * 1000), *row[AT + 1 :]) for one in appends for row in one.rows]
    tables = [(one.table_id, one.last, one.head) for one in latest(appends)]
    return written(tables).decode(), written(rows).decode(), appends[-1].at


def _for_writing(connection: Any, _: Any) -> None:
    """Every commit waits for the disk; we, not the driver, begin transactions."""
    connection.isolation_level = None
    for pragma in (
        *("journal_mode=WAL", "synchronous=FULL", f"busy_timeout={1000 * PATIENCE}"),
        "temp_store=MEMORY",  # for rolling back half a statement
    ):
        connection.execute(f"PRAGMA {pragma}")
    found = [connection.execute(f"PRAGMA {name}").fetchone()[0] for name in ("journal_mode", "synchronous")]
    if found != ["wal", 2]:
        raise RuleError(
            f"this filesystem can't guarantee durable writes (SQLite fell back to {found[0]} and {found[1]})"
        )


def _for_reading(connection: Any, _: Any) -> None:
    """Readers make no checkpoints: SQLite before 3.51.3 can damage a file if two connections do at once."""
    connection.isolation_level = None
    for pragma in (f"busy_timeout={1000 * PATIENCE}", "wal_autocheckpoint=0", "query_only=ON"):
        connection.execute(f"PRAGMA {pragma}")


def own(path: Path) -> FileIO:
    """Make sure that no second server uses the file."""
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        if path.exists() and not path.stat().st_size:
            log.warning("the database was an empty file: a new one was started")
        for part in (path, path.with_suffix(".lock"), path.with_suffix(".turn")):
            os.close(os.open(part, os.O_RDWR | os.O_CREAT, 0o600))
            part.chmod(0o600)  # it holds running hands, and what cards will be drawn from
        return _locked(path)
    except OSError as error:
        raise RuleError(f"the database cannot be kept in {path.parent}: {error.strerror}") from None


def _locked(path: Path) -> FileIO:
    """The lock file of a database, locked as long as it is open; RuleError if another server has it."""
    lock = FileIO(path.with_suffix(".lock"), "a", opener=lambda name, flags: os.open(name, flags, 0o600))
    if sys.platform != "win32":
        try:
            fcntl.flock(lock.fileno(), fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            lock.close()
            raise RuleError(
                f"another server has {path} open; stop it, or choose another folder with --data"
            ) from None
    return lock


def _mark(path: Path) -> tuple[int, int] | None:
    """What tells a file from one that replaced it; None if there is none."""
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_dev, found.st_ino
