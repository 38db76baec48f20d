"""What is kept, and the promise about it: when `append` has returned, the events are on the disk.

One writer per SQLite file commits what has come together, of all tables, in one transaction; PostgreSQL takes
appends from any number of servers. An append names the number of its first event: where that is taken the
whole append fails (`Conflict`), nothing of it is stored, and the caller looks at what came before it.
"""

from __future__ import annotations

import json
import queue
import sys
import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field
from io import FileIO
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, Engine, create_engine, delete, event, insert, select, update
from sqlalchemy.exc import DBAPIError, IntegrityError, SQLAlchemyError

from ninefold.kernel.errors import NinefoldError, RuleError
from ninefold.server.schema import events, secrets, tables, tokens
from ninefold.server.table import Event

if sys.platform != "win32":
    import fcntl

BATCH = 50  # appends that share a commit
CHANNEL = "ninefold"


class Conflict(NinefoldError):  # noqa: N818
    """Somebody else has written this place of the table's order, or has given this answer already."""


class Unavailable(NinefoldError):  # noqa: N818
    """The database cannot be written now; nothing has happened."""


@dataclass(frozen=True)
class Stored:
    """An event as it lies in the database."""

    seq: int
    event: Event
    digest: str | None
    at: float


@dataclass(frozen=True)
class Token:
    """What a token opens."""

    table_id: str
    seat: int
    tenant: int
    purpose: str


@dataclass
class Append:
    """Events to be stored together, and what is stored with them."""

    table_id: str
    seq: int  # of the first
    events: Sequence[Event]
    digest: str | None = None
    new_tokens: Sequence[dict[str, Any]] = ()
    new_secret: tuple[int, bytes] | None = None
    new_table: dict[str, Any] | None = None
    at: float = field(default_factory=time.time)

    def write(self, to: Connection) -> None:
        if self.new_table:
            to.execute(insert(tables), self.new_table)
        else:
            to.execute(update(tables).where(tables.c.id == self.table_id).values(touched=self.at))
        rows = [
            {
                "table_id": self.table_id,
                "seq": self.seq + number,
                "kind": one.kind,
                "who": one.who or None,
                "command": one.command or None,
                "digest": self.digest if one.command else None,
                "body": json.dumps(dict(one.body), separators=(",", ":"), ensure_ascii=False),
                "at": self.at,
            }
            for number, one in enumerate(self.events)
        ]
        if rows:
            to.execute(insert(events), rows)
        if self.new_tokens:
            to.execute(insert(tokens), list(self.new_tokens))
        if self.new_secret:
            number, secret = self.new_secret
            to.execute(insert(secrets), {"table_id": self.table_id, "match": number, "secret": secret})


class Store:
    """The database: reading, and appending with the promise above."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine
        self.readers = ThreadPoolExecutor(4, "reader")
        migrate(engine)

    def append(self, work: Append) -> Future[None]:
        """Store events; the future ends when they are on the disk, or with Conflict or Unavailable."""
        raise NotImplementedError

    def read(self, reading: Callable[[Connection], Any]) -> Any:
        """Run a reading on a connection of its own; Unavailable where the database does not answer."""
        try:
            with self.engine.connect() as connection:
                return reading(connection)
        except DBAPIError as error:
            raise Unavailable(f"the database does not answer: {_reason(error)}") from None

    def events_of(self, table_id: str, after: int = 0) -> list[Stored]:
        """A table's events, in order."""
        query = (
            select(events).where(events.c.table_id == table_id, events.c.seq > after).order_by(events.c.seq)
        )
        return [_stored(row) for row in self.read(lambda connection: connection.execute(query).fetchall())]

    def find_command(self, table_id: str, who: str, command: str) -> Stored | None:
        """The event that answered a command, if it has been carried out."""
        query = select(events).where(
            events.c.table_id == table_id, events.c.who == who, events.c.command == command
        )
        row = self.read(lambda connection: connection.execute(query).fetchone())
        return _stored(row) if row else None

    def find_table(self, code: str) -> str | None:
        query = select(tables.c.id).where(tables.c.code == code)
        return self.read(lambda connection: connection.execute(query).scalar())  # type: ignore[no-any-return]

    def code_of(self, table_id: str) -> str | None:
        query = select(tables.c.code).where(tables.c.id == table_id)
        return self.read(lambda connection: connection.execute(query).scalar())  # type: ignore[no-any-return]

    def find_token(self, hashed: str) -> Token | None:
        query = select(tokens).where(tokens.c.hash == hashed)
        row = self.read(lambda connection: connection.execute(query).fetchone())
        return Token(row.table_id, row.seat, row.tenant, row.purpose) if row else None

    def secret(self, table_id: str, match: int) -> bytes:
        query = select(secrets.c.secret).where(secrets.c.table_id == table_id, secrets.c.match == match)
        return bytes(self.read(lambda connection: connection.execute(query).scalar()))

    def public_tables(self, most: int) -> list[str]:
        query = (
            select(tables.c.code).where(tables.c.public == 1).order_by(tables.c.touched.desc()).limit(most)
        )
        return list(self.read(lambda connection: connection.execute(query).scalars().all()))

    def idle_since(self, moment: float) -> list[str]:
        query = select(tables.c.id).where(tables.c.touched < moment)
        return list(self.read(lambda connection: connection.execute(query).scalars().all()))

    def forget(self, table_id: str) -> None:
        """Delete everything about a table."""
        self._change(
            lambda connection: [
                connection.execute(delete(part).where(column == table_id))
                for part, column in (
                    (events, events.c.table_id),
                    (tokens, tokens.c.table_id),
                    (secrets, secrets.c.table_id),
                    (tables, tables.c.id),
                )
            ]
        )

    def _change(self, change: Callable[[Connection], Any]) -> None:
        raise NotImplementedError

    def close(self) -> None:
        self.readers.shutdown(wait=True, cancel_futures=True)
        self.engine.dispose()


def _stored(row: Any) -> Stored:
    told = Event(row.kind, json.loads(row.body), row.who or "", row.command or "")
    return Stored(row.seq, told, row.digest, row.at)


def _reason(error: SQLAlchemyError) -> str:
    original = getattr(error, "orig", None) or error
    return str(original).strip().splitlines()[0][:200]


class SqliteStore(Store):
    """One file, one writer: a thread that commits whatever has come together."""

    def __init__(self, path: Path) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        self._lock = _own(path)
        engine = create_engine(f"sqlite:///{path}", connect_args={"check_same_thread": False, "timeout": 5})
        event.listen(engine, "connect", _prepare)
        event.listen(engine, "begin", lambda connection: connection.exec_driver_sql("BEGIN"))
        super().__init__(engine)
        self._queue: queue.Queue[tuple[Any, Future[None]] | None] = queue.Queue()
        self._writer = threading.Thread(target=self._write_on, name="writer", daemon=True)
        self._writer.start()

    def append(self, work: Append) -> Future[None]:
        return self._submit(work.write)

    def _change(self, change: Callable[[Connection], Any]) -> None:
        self._submit(change).result()

    def _submit(self, change: Callable[[Connection], Any]) -> Future[None]:
        done: Future[None] = Future()
        self._queue.put((change, done))
        return done

    def _write_on(self) -> None:
        with self.engine.connect() as connection:
            while (first := self._queue.get()) is not None:
                batch = [first]
                while len(batch) < BATCH:
                    try:
                        following = self._queue.get_nowait()
                    except queue.Empty:
                        break
                    if following is None:
                        self._queue.put(None)
                        break
                    batch.append(following)
                self._commit(connection, batch)

    def _commit(self, connection: Connection, batch: Sequence[tuple[Any, Future[None]]]) -> None:
        """One transaction for all; an append that fails is undone alone."""
        good: list[Future[None]] = []
        try:
            with connection.begin():
                for change, done in batch:
                    try:
                        with connection.begin_nested():
                            change(connection)
                        good.append(done)
                    except IntegrityError as error:
                        done.set_exception(Conflict(_reason(error)))
        except SQLAlchemyError as error:
            with suppress(SQLAlchemyError):
                connection.rollback()
            for _, done in batch:
                if not done.done():
                    done.set_exception(Unavailable(f"the database cannot be written: {_reason(error)}"))
            return
        for done in good:
            done.set_result(None)

    def close(self) -> None:
        self._queue.put(None)
        self._writer.join(5)
        super().close()
        self._lock.close()


def _prepare(connection: Any, _: Any) -> None:
    """Every commit waits for the disk; SQLAlchemy, not the driver, begins transactions."""
    connection.isolation_level = None
    for line in ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON", "busy_timeout=5000"):
        connection.execute(f"PRAGMA {line}")


def _own(path: Path) -> FileIO:
    """Keep a second server off the same file."""
    lock = FileIO(path.with_suffix(".lock"), "a")
    if sys.platform != "win32":
        try:
            fcntl.flock(lock.fileno(), fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise RuleError(
                f"another server has {path} open; stop it, or give this one another --data"
            ) from None
    return lock


class PostgresStore(Store):
    """A database that any number of servers share; they wake each other by NOTIFY."""

    def __init__(self, url: str) -> None:
        engine = create_engine(
            url.replace("postgresql://", "postgresql+psycopg://", 1),
            pool_size=8,
            max_overflow=0,
            pool_timeout=5,
            pool_pre_ping=True,
        )
        self._writers = ThreadPoolExecutor(8, "writer")
        super().__init__(engine)

    def append(self, work: Append) -> Future[None]:
        return self._writers.submit(self._append, work)

    def _append(self, work: Append) -> None:
        def write(connection: Connection) -> None:
            work.write(connection)
            last = work.seq + len(work.events) - 1
            connection.exec_driver_sql("SELECT pg_notify(%s, %s)", (CHANNEL, f"{work.table_id} {last}"))

        self._change(write)

    def _change(self, change: Callable[[Connection], Any]) -> None:
        try:
            with self.engine.begin() as connection:
                change(connection)
        except IntegrityError as error:
            raise Conflict(_reason(error)) from None
        except SQLAlchemyError as error:
            raise Unavailable(f"the database cannot be written: {_reason(error)}") from None

    def close(self) -> None:
        self._writers.shutdown(wait=True, cancel_futures=True)
        super().close()


def migrate(engine: Engine) -> None:
    """Bring the database to this version."""
    from alembic import command
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent / "migrations"))
    with engine.begin() as connection:
        config.attributes["connection"] = connection
        command.upgrade(config, "head")


def open_store(data: Path, url: str | None) -> Store:
    """The database meant: PostgreSQL by its address, or a file in the data folder."""
    if url is None:
        return SqliteStore(data / "house.sqlite")
    if not url.startswith("postgresql://"):
        raise RuleError(f"a database is written postgresql://user@host/name, not {url.split(':')[0]}:…")
    return PostgresStore(url)
