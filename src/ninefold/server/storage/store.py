"""The event store and its promise: when `append` has returned, the events are on disk.

One writer per SQLite file commits all waiting events of all tables in one transaction; PostgreSQL takes
appends from any number of servers. An append gives the number of its first event. If that number is taken,
the append fails (`Conflict`), nothing of it is stored, and the caller reads the newer events first. Every
event has a hash of itself and of the one before it, so that damage is detected.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
import queue
import threading
import time
from abc import ABC, abstractmethod
from collections.abc import AsyncIterator, Callable, Iterable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

import msgspec
from sqlalchemy import Connection, Engine, inspect, select
from sqlalchemy.exc import SQLAlchemyError

from ninefold.kernel.errors import NinefoldError, RecordError, RuleError
from ninefold.server.storage.schema import events, presence, results, seasons, secrets, tables, tokens
from ninefold.server.tables.events import Event, Stored

BATCH = 100  # appends that share a commit
MIN_COMMIT_GAP = 0.02  # seconds between commits when several appends wait, so that more of them share one
TOUCHED = 60.0  # seconds before a table is marked as used again
READERS = 4
HEAD = "0002"  # the last of the migrations
EVENT = ["table_id", "seq", "kind", "who", "command", "digest", "body", "at", "hash"]

Run = Callable[
    [str, Sequence[Sequence[Any]]], int
]  # runs a statement for every row; returns how many rows it touched
Work = Callable[[Run], None]
written = msgspec.json.Encoder().encode
Transaction = Callable[[Sequence[Work]], None]
Done = Future[None] | asyncio.Future[None]
Outcome = tuple[Done, Exception | None]


class Conflict(NinefoldError):  # noqa: N818 (what it is)
    """Another server has stored an event with this number, or an answer to this command."""


class Unavailable(NinefoldError):  # noqa: N818 (what it is)
    """The database did not confirm that something is stored. Sending the same command again settles it."""


class Gone(NinefoldError):  # noqa: N818 (what it is)
    """The table has been deleted."""


class Peers(Protocol):
    """The other processes that serve the same SQLite file (cluster/processes.py)."""

    def notify(self, lines: Sequence[str], include_self: bool = False) -> None: ...
    def listen(self) -> AsyncIterator[str]: ...


@dataclass(frozen=True)
class Token:
    """What a token gives access to."""

    table_id: str
    seat: int
    tenant: int
    purpose: str


@dataclass
class Append:
    """Events to be stored together, and what is stored with them. `previous` is the hash before the first."""

    table_id: str
    seq: int  # of the first
    events: Sequence[Event]
    previous: str = ""
    digest: str | None = None
    new_tokens: Sequence[dict[str, Any]] = ()
    new_secret: tuple[int, bytes] | None = None
    new_table: dict[str, Any] | None = None
    new_result: dict[str, Any] | None = None  # of a match of a season
    at: float = field(default_factory=time.time)
    stored: list[Stored] = field(init=False)
    rows: list[tuple[Any, ...]] = field(init=False)

    def __post_init__(self) -> None:
        self.stored, self.rows = [], []
        self.at = round(self.at * 1000) / 1000  # with the precision it is stored with
        chain = self.previous
        for seq, one in enumerate(self.events, self.seq):
            digest = self.digest if one.command else None
            body = written(one.body).decode()
            row = (self.table_id, seq, one.kind, one.who or None, one.command or None, digest, body, self.at)
            chain = linked(chain, row)
            self.rows.append((*row, chain))
            self.stored.append(Stored(seq, one, digest, self.at, chain))

    def __call__(self, run: Run) -> None:
        """Store the events of a new table; events of existing tables are stored together."""
        assert self.new_table is not None
        run(_insert("tables", list(self.new_table)), [list(self.new_table.values())])
        run(EVENTS, self.rows)
        self.write_rest(run)

    @property
    def last(self) -> int:
        """The number of the last of its events."""
        return self.seq + len(self.events) - 1

    @property
    def has_more(self) -> bool:
        return bool(self.new_tokens or self.new_result or self.new_secret)

    def write_rest(self, run: Run) -> None:
        """Store what belongs to the events."""
        for row in self.new_tokens:
            run(_insert("tokens", list(row)), [list(row.values())])
        if self.new_result:
            row = {"table_id": self.table_id, "at": self.at, **self.new_result}
            run(_insert("results", list(row)), [list(row.values())])
        if self.new_secret:
            run(_insert("secrets", ["table_id", "match", "secret"]), [(self.table_id, *self.new_secret)])


def _insert(into: str, columns: Sequence[str]) -> str:
    return f"INSERT INTO {into} ({', '.join(columns)}) VALUES ({', '.join('?' * len(columns))})"


EVENTS = _insert("events", EVENT)


def split_appends(works: Sequence[Work]) -> tuple[list[Append], list[Work]]:
    """Split work into appends to existing tables, which are stored together, and everything else.

    The order is the same on all servers, so that no two wait for each other.
    """
    appends = [one for one in works if isinstance(one, Append) and not one.new_table]
    appends.sort(key=lambda one: one.table_id)
    others = [one for one in works if not isinstance(one, Append) or one.new_table]
    return appends, [*(one.write_rest for one in appends if one.has_more), *others]


def linked(previous: str, row: Sequence[Any]) -> str:
    """The hash of an event's columns and of the hash before it."""
    return hashlib.sha256(written((previous, *row))).hexdigest()


class Store(ABC):
    """The database: reads, and appends with the promise above."""

    shared = False  # whether other servers or processes write to it too

    def __init__(self, engine: Engine) -> None:
        self.engine = engine
        self.readers = ThreadPoolExecutor(READERS, "reader")
        self._queue: queue.SimpleQueue[tuple[Work, Done] | None] = queue.SimpleQueue()
        self._closed = False
        self._writer = threading.Thread(target=self._write_on, name="writer", daemon=True)

    async def in_thread(self, reading: Callable[[], Any]) -> Any:
        """Read something without blocking the event loop."""
        return await asyncio.get_running_loop().run_in_executor(self.readers, reading)

    def begin(self) -> None:
        """Migrate the database, and start accepting appends."""
        self.migrate()
        self._writer.start()

    @abstractmethod
    def migrate(self) -> None: ...

    # Writing

    def append(self, work: Append) -> asyncio.Future[None]:
        """Store events; the future completes when they are on disk, or with Conflict, Gone or Unavailable."""
        done: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._submit(work, done)
        return done

    def submit(self, work: Work) -> Future[None]:
        """The same for any work, and for callers without an event loop."""
        done: Future[None] = Future()
        self._submit(work, done)
        return done

    def _submit(self, work: Work, done: Done) -> None:
        if self._closed:
            done.set_exception(Unavailable("the server is stopping"))
        else:
            self._queue.put((work, done))

    def _write_on(self) -> None:
        transaction = self.open_writer()
        ready = 0.0
        while (first := self._queue.get()) is not None:
            time.sleep(max(0.0, ready - time.monotonic()))
            begun = time.monotonic()
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
            ready = begun + (MIN_COMMIT_GAP if len(batch) > 1 else 0.0)
            batch = [(work, done) for work, done in batch if not done.cancelled()]
            if batch:
                _announce(_settle(transaction, batch))
        transaction([])

    @abstractmethod
    def open_writer(self) -> Transaction:
        """A function that runs works in one transaction, for one thread; without works it disconnects."""

    # Reading

    def read(self, reading: Callable[[Connection], Any]) -> Any:
        """Run a read on its own connection; Unavailable if the database does not answer."""
        try:
            with self.engine.connect() as connection:
                return reading(connection)
        except SQLAlchemyError as error:
            raise Unavailable(f"the database does not answer: {reason(error)}") from None

    def events_of(self, table_id: str, after: int = 0) -> list[Stored]:
        """A table's events, in order; RecordError if one is damaged or missing."""
        query = select(events).where(events.c.table_id == table_id, events.c.seq >= after)
        rows = self.read(lambda connection: connection.execute(query.order_by(events.c.seq)).fetchall())
        return list(_checked(table_id, after, rows))

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

    def season_name(self, code: str) -> str | None:
        query = select(seasons.c.name).where(seasons.c.code == code)
        return self.read(lambda connection: connection.execute(query).scalar())  # type: ignore[no-any-return]

    def season_results(self, code: str, most: int) -> list[dict[str, Any]]:
        """The matches of a season, the last first."""
        query = select(results).where(results.c.season == code).order_by(results.c.at.desc()).limit(most)
        rows = self.read(lambda connection: connection.execute(query).fetchall())
        return [{"at": row.at, "game": row.game, **json.loads(row.body)} for row in rows]

    def idle_since(self, moment: float) -> list[str]:
        query = select(tables.c.id).where(tables.c.touched < moment)
        return list(self.read(lambda connection: connection.execute(query).scalars().all()))

    def last_seen(self, table_id: str, seat: int) -> float:
        """When a seat's player was last connected to any server."""
        query = select(presence.c.at).where(presence.c.table_id == table_id, presence.c.seat == seat)
        return float(self.read(lambda connection: connection.execute(query).scalar()) or 0.0)

    # Other changes

    def seen(self, here: Sequence[tuple[str, int]], at: float) -> Future[None]:
        """Note which players are connected to this server."""
        line = _insert("presence", ["table_id", "seat", "at"])
        line += " ON CONFLICT (table_id, seat) DO UPDATE SET at = excluded.at"
        rows = [(table_id, seat, at) for table_id, seat in sorted(here)]

        def work(run: Run) -> None:
            run(line, rows)

        return self.submit(work)

    def begin_season(self, code: str, name: str, at: float) -> Future[None]:
        """Create a season, if it does not exist yet."""
        line = _insert("seasons", ["code", "name", "made"]) + " ON CONFLICT (code) DO NOTHING"

        def work(run: Run) -> None:
            run(line, [(code, name, at)])

        return self.submit(work)

    def signal(self, table_id: str, words: str) -> bool:  # noqa: ARG002 (for databases that are shared)
        """Send all servers, including this one, something that is not stored; False if there is no way to."""
        return False

    def forget(self, table_id: str) -> None:
        """Delete everything about a table."""

        def work(run: Run) -> None:
            run("DELETE FROM tables WHERE id = ?", [(table_id,)])  # first: waits for an append in progress
            for part in ("events", "tokens", "secrets", "presence", "results"):
                run(f"DELETE FROM {part} WHERE table_id = ?", [(table_id,)])

        self.submit(work).result()

    def close(self) -> None:
        """Finish all stores, then close the database."""
        self._closed = True
        self._queue.put(None)
        if self._writer.ident:
            self._writer.join(5)
        self.readers.shutdown(wait=True, cancel_futures=True)
        self.engine.dispose()


def _settle(transaction: Transaction, batch: Sequence[tuple[Work, Done]]) -> Sequence[Outcome]:
    """Run all works in one transaction; if one of them fails, each in its own."""
    try:
        transaction([work for work, _ in batch])
    except Exception as error:
        if len(batch) > 1 and not isinstance(error, Unavailable):
            return [outcome for one in batch for outcome in _settle(transaction, [one])]
        return [(done, error) for _, done in batch]
    return [(done, None) for _, done in batch]


def _announce(outcomes: Sequence[Outcome]) -> None:
    """Complete all futures: those of one event loop together, since waking it takes long."""
    loops: dict[asyncio.AbstractEventLoop, list[Outcome]] = {}
    for done, error in outcomes:
        if isinstance(done, asyncio.Future):
            loops.setdefault(done.get_loop(), []).append((done, error))
        else:
            _end(done, error)
    for loop, ended in loops.items():
        with suppress(RuntimeError):  # the loop is closed: nobody is waiting
            loop.call_soon_threadsafe(_end_all, ended)


def _end_all(outcomes: Sequence[Outcome]) -> None:
    for done, error in outcomes:
        _end(done, error)


def _end(done: Done, error: Exception | None) -> None:
    if done.done():
        return  # cancelled
    if error is None:
        done.set_result(None)
    else:
        done.set_exception(error)


def _stored(row: Any) -> Stored:
    event = Event(row.kind, json.loads(row.body), row.who or "", row.command or "")
    return Stored(row.seq, event, row.digest, row.at, row.hash)


def _checked(table_id: str, after: int, rows: Sequence[Any]) -> Iterable[Stored]:
    """Turn rows after number `after` into events, and check each one's hash and number."""
    before = ""
    for seq, row in enumerate(rows, after or 1):
        if row.seq != seq:
            raise RecordError(f"table {table_id} is damaged: its event {seq} is missing")
        if seq > after:
            if linked(before, list(row)[:-1]) != row.hash:
                raise RecordError(f"table {table_id} is damaged: its event {seq} is not what was stored")
            yield _stored(row)
        before = row.hash
    if after and not rows:
        raise RecordError(f"table {table_id} is damaged: its event {after} is missing")


def reason(error: BaseException) -> str:
    """The first line of a database error."""
    original = getattr(error, "orig", None) or error
    return (str(original).strip().splitlines() or [type(original).__name__])[0][:200]


def _version(engine: Engine) -> str | None:
    with engine.connect() as connection:
        if not inspect(connection).has_table("alembic_version"):
            return None
        return connection.exec_driver_sql("SELECT version_num FROM alembic_version").scalar()


def upgrade(engine: Engine) -> None:
    """Migrate a database to this version; quick if it is up to date."""
    if _version(engine) == HEAD:
        return
    from alembic import command
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent / "migrations"))
    with engine.begin() as connection:
        config.attributes["connection"] = connection
        command.upgrade(config, "head")


def open_store(data: Path, url: str | None, peers: Peers | None = None) -> Store:
    """Open the database: PostgreSQL by its address, or a file in the data folder."""
    if url is None:
        from ninefold.server.storage.sqlite import DATABASE_FILE, SqliteStore

        return SqliteStore(data / DATABASE_FILE, peers)
    if not url.startswith("postgresql://"):
        raise RuleError(f"a database is written postgresql://user@host/name, not {url.split(':')[0]}:…")
    from ninefold.server.storage.postgres import PostgresStore

    return PostgresStore(url)
