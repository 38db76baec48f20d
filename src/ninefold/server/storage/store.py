"""The event store. When `append` has returned, the events are on disk.

One writer per SQLite file commits all waiting events of all tables in one transaction; PostgreSQL takes
appends from any number of servers. An append gives the number of its first event. If that number is taken,
the append fails (`Conflict`), nothing of it is stored, and the caller reads the newer events first. Every
event has a hash of itself and of the one before it, so that damage is detected.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
import logging
import queue
import threading
import time
from abc import ABC, abstractmethod
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol, TypeVar

import msgspec
from sqlalchemy import Engine, Select, func, inspect, select
from sqlalchemy.exc import SQLAlchemyError

from ninefold.kernel.errors import NinefoldError, RecordError, RuleError
from ninefold.server.storage.schema import (
    archive,
    events,
    presence,
    results,
    seasons,
    secrets,
    tables,
    tokens,
)
from ninefold.server.storage.tally import Tally
from ninefold.server.tables.events import Event, Stored

BATCH = 100  # appends that share a commit
MIN_COMMIT_GAP = 0.02  # seconds between commits when several appends wait, so that more of them share one
TOUCHED = 60.0  # seconds before a table is marked as used again
READERS = 4
PATIENCE = 4.5  # seconds of waiting for the database, after which a request is refused
SLICES = 9  # of that time: those in which the event loop is busy pass more slowly
HEAD = "0003"  # the last of the migrations
EVENT = ["table_id", "seq", "kind", "who", "command", "digest", "body", "at", "hash"]

Run = Callable[[str, Sequence[Sequence[Any]]], object]  # runs a statement for every row
Work = Callable[[Run], object]
log = logging.getLogger("ninefold.server")
written = msgspec.json.Encoder().encode
Transaction = Callable[[Sequence[Work]], None]
Done = Future[None] | asyncio.Future[None]
Found = TypeVar("Found")
DAMAGE = ("malformed", "not a database", "Could not decode", "invalid page", "could not read block")
DAMAGED = "the database is damaged; its owner can restore a backup"
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
        row = {**self.new_table, "last": self.last, "head": self.head}
        run(_insert("tables", list(row)), [list(row.values())])
        run(EVENTS, self.rows)
        self.write_rest(run)

    @property
    def last(self) -> int:
        """The number of the last of its events."""
        return self.seq + len(self.events) - 1

    @property
    def head(self) -> str:
        """The hash of the last of its events."""
        return self.stored[-1].hash

    @property
    def has_more(self) -> bool:
        return bool(self.new_tokens or self.new_result or self.new_secret)

    def write_rest(self, run: Run) -> None:
        """Store what belongs to the events."""
        for token in self.new_tokens:
            row = {**token, "table_id": self.table_id}
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


def latest(appends: Sequence[Append]) -> list[Append]:
    """The last append of each table, in the order of the tables."""
    return [found for _, found in sorted({one.table_id: one for one in appends}.items())]


def linked(previous: str, row: Sequence[Any]) -> str:
    """The hash of an event's columns and of the hash before it."""
    return hashlib.sha256(written((previous, *row))).hexdigest()


class Store(ABC):
    """The database: reads, and appends with the guarantee above."""

    shared = False  # whether other servers or processes write to it too

    def __init__(self, engine: Engine) -> None:
        self.engine = engine
        self.readers = ThreadPoolExecutor(READERS, "reader")
        self.histories = ThreadPoolExecutor(2, "history")
        self.loaders = ThreadPoolExecutor(2, "loader")
        self.archivist = ThreadPoolExecutor(1, "archivist")
        self.closing = threading.Event()
        self._queue: queue.SimpleQueue[tuple[Work, Done] | None] = queue.SimpleQueue()
        self._closed = False
        self._writer = threading.Thread(target=self._supervise, name="writer", daemon=True)
        self._batch: list[tuple[Work, Done]] = []  # what is being written
        self.broken = False  # the writer has ended by itself
        self.on_broken: Callable[[], None] = lambda: None
        self.unavailable = Tally(logging.ERROR)

    async def in_thread(self, reading: Callable[..., Any], *args: Any) -> Any:
        """Read something without blocking the event loop; Unavailable if that takes too long."""
        loop = asyncio.get_running_loop()
        return await self.in_time(loop.run_in_executor(self.readers, reading, *args))

    async def in_history(self, reading: Callable[[], Found]) -> Found:
        """Do something that takes long where it keeps no other reader waiting."""
        return await asyncio.get_running_loop().run_in_executor(self.histories, reading)

    async def in_loading(self, reading: Callable[[], Found]) -> Found:
        """Load a table for those who arrive there, whatever histories are being read."""
        return await asyncio.get_running_loop().run_in_executor(self.loaders, reading)

    def when_idle(self, doing: Callable[[], object]) -> None:
        """Do something for which nobody waits, after everything else of its kind; not if we are closing."""
        with suppress(RuntimeError):
            self.archivist.submit(doing)

    @property
    def waiting(self) -> int:
        """How many works wait to be written."""
        return self._queue.qsize()

    async def in_time(self, doing: Awaitable[Found]) -> Found:
        """Wait for the database, but not for ever. Time in which we were busy ourselves does not count."""
        loop, left = asyncio.get_running_loop(), SLICES
        timer: asyncio.TimerHandle
        try:
            async with asyncio.timeout(None) as limit:

                def wait_on() -> None:
                    nonlocal left, timer
                    left -= 1
                    if left:
                        timer = loop.call_later(PATIENCE / SLICES, wait_on)
                    else:
                        limit.reschedule(loop.time())

                timer = loop.call_later(PATIENCE / SLICES, wait_on)
                try:
                    return await doing
                finally:
                    timer.cancel()
        except TimeoutError:
            self.unavailable.note("the database takes too long")
            raise Unavailable("the database takes too long; try again") from None

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
        if self._closed or self.broken:
            done.set_exception(Unavailable("the server is stopping"))
        else:
            self._queue.put((work, done))

    def _supervise(self) -> None:
        """Write until the end. If the writer ends before, nothing can be stored, so the server must end."""
        try:
            self._write_on()
        except BaseException:
            self.broken = True
            log.critical("the writer has ended", exc_info=True)
            waiting = list(self._batch)
            while not self._queue.empty():
                waiting += [one] if (one := self._queue.get()) else []
            _announce([(done, Unavailable("the server is stopping")) for _, done in waiting])
            self.on_broken()

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
            batch = self._batch = [(work, done) for work, done in batch if not done.cancelled()]
            if batch:
                outcomes = _settle(transaction, batch)
                for _, error in outcomes:
                    if isinstance(error, Unavailable):
                        self.unavailable.note(str(error))
                _announce(outcomes)
        transaction([])

    @abstractmethod
    def open_writer(self) -> Transaction:
        """A function that runs works in one transaction, for one thread; without works it disconnects."""

    # Reading

    def rows(self, query: Select[Any]) -> Any:
        """The rows of a query; Unavailable if the database does not answer, RecordError if it is damaged."""
        try:
            with self.engine.connect() as connection:
                return connection.execute(query).fetchall()
        except (SQLAlchemyError, ValueError, TypeError) as error:
            if is_damage(error):
                self.unavailable.note("the database is damaged")
                raise RecordError(DAMAGED) from None
            found = Unavailable(f"the database does not answer: {reason(error)}")
            self.unavailable.note(str(found))
            raise found from None

    def first(self, query: Select[Any]) -> Any:
        """The first row of a query, or None."""
        return next(iter(self.rows(query)), None)

    def value(self, query: Select[Any]) -> Any:
        """The first column of the first row of a query, or None."""
        return next(iter(self.first(query) or ()), None)

    def events_of(self, table_id: str, after: int = 0, most: int | None = None) -> list[Stored]:
        """A table's events after a number, in order; RecordError if one is damaged or missing."""
        query = select(events, tables.c.last, tables.c.head).where(events.c.table_id == table_id)
        query = query.join(tables, tables.c.id == events.c.table_id, isouter=True)
        query = query.where(events.c.seq >= after).order_by(events.c.seq)
        rows = self.rows(query if most is None else query.where(events.c.seq <= after + most))
        if not rows and self.first(select(tables.c.id).where(tables.c.id == table_id, tables.c.last > 0)):
            raise RecordError(f"table {table_id} is damaged: its events are missing")
        return list(_checked(table_id, after, rows, most))

    def find_command(self, table_id: str, who: str, command: str) -> Stored | None:
        """The event that answered a command, if it has been carried out."""
        own = events.c.table_id == table_id, events.c.who == who, events.c.command == command
        row = self.first(select(events).where(*own))
        return _stored(row) if row else None

    def find_table(self, code: str) -> str | None:
        return self.value(select(tables.c.id).where(tables.c.code == code))  # type: ignore[no-any-return]

    def code_of(self, table_id: str) -> str | None:
        return self.value(select(tables.c.code).where(tables.c.id == table_id))  # type: ignore[no-any-return]

    def find_token(self, hashed: str) -> Any:
        """What a token gives access to: a row of `tokens`, or None."""
        return self.first(select(tokens).where(tokens.c.hash == hashed))

    def secret(self, table_id: str, match: int) -> bytes:
        own = secrets.c.table_id == table_id, secrets.c.match == match
        return bytes(self.value(select(secrets.c.secret).where(*own)))

    def archived(self, table_id: str) -> list[int]:
        """The numbers of a table's matches that are in the archive."""
        own = archive.c.table_id == table_id, archive.c.what == "record"
        return [row.match for row in self.rows(select(archive.c.match).where(*own))]

    def find_archived(self, table_id: str, match: int, what: str) -> bytes | None:
        """A part of an archived match, as it was stored."""
        own = archive.c.table_id == table_id, archive.c.match == match, archive.c.what == what
        found = self.value(select(archive.c.body).where(*own))
        return None if found is None else bytes(found)

    def public_tables(self, most: int) -> list[str]:
        query = select(tables.c.code).where(tables.c.public == 1)
        return [row.code for row in self.rows(query.order_by(tables.c.touched.desc()).limit(most))]

    def season_name(self, code: str) -> str | None:
        return self.value(select(seasons.c.name).where(seasons.c.code == code))  # type: ignore[no-any-return]

    def season_results(self, code: str, most: int) -> list[dict[str, Any]]:
        """The matches of a season, the last first."""
        query = select(results).where(results.c.season == code).order_by(results.c.at.desc()).limit(most)
        return [{"at": row.at, "game": row.game, **json.loads(row.body)} for row in self.rows(query)]

    def found(self) -> tuple[int, int]:
        """How many tables and events there are."""
        row = self.first(select(func.count(), func.coalesce(func.sum(tables.c.last), 0)).select_from(tables))
        return int(row[0]), int(row[1])

    def last_seen(self, table_id: str, seat: int) -> float:
        """When a seat's player was last connected to any server."""
        own = presence.c.table_id == table_id, presence.c.seat == seat
        return float(self.value(select(presence.c.at).where(*own)) or 0.0)

    def often_idle(self, moment: float, times: int, most: int) -> list[str]:
        """Tables unused since then that were found idle `times` times."""
        query = select(tables.c.id).where(tables.c.touched < moment, tables.c.idle >= times)
        return [row.id for row in self.rows(query.order_by(tables.c.touched).limit(most))]

    # Other changes

    def archive(self, table_id: str, match: int, parts: Sequence[tuple[str, bytes]]) -> Future[None]:
        """Keep a match that is over; nothing, if another server did or the table has been deleted."""
        statement = 'INSERT INTO archive (table_id, "match", what, body) SELECT ?, ?, ?, ? '
        statement += "WHERE EXISTS (SELECT 1 FROM tables WHERE id = ?) ON CONFLICT DO NOTHING"
        rows = [(table_id, match, what, body, table_id) for what, body in parts]

        def work(run: Run) -> None:
            run("UPDATE tables SET idle = idle WHERE id = ?", [(table_id,)])  # waits for `forget`
            run(statement, rows)

        return self.submit(work)

    def check(self) -> Future[None]:
        """Write something, to see whether the database takes it."""
        statement = _insert("health", ["id", "at"]) + " ON CONFLICT (id) DO UPDATE SET at = excluded.at"
        return self.submit(lambda run: run(statement, [(1, time.time())]))

    def note_idle(self, moment: float, now: float, apart: float) -> Future[None]:
        """Count once more for tables unused since then, unless one of several servers just did."""
        statement = "UPDATE tables SET idle = idle + 1, checked = ? WHERE touched < ? AND checked < ?"
        return self.submit(lambda run: run(statement, [(now, moment, now - apart)]))

    def seen(self, here: Sequence[tuple[str, int]], at: float) -> Future[None]:
        """Note which players are connected to this server."""
        statement = _insert("presence", ["table_id", "seat", "at"])
        statement += " ON CONFLICT (table_id, seat) DO UPDATE SET at = excluded.at"
        rows = [(table_id, seat, at) for table_id, seat in sorted(here)]
        return self.submit(lambda run: run(statement, rows))

    def begin_season(self, code: str, name: str, at: float) -> Future[None]:
        """Create a season, if it does not exist yet."""
        statement = _insert("seasons", ["code", "name", "made"]) + " ON CONFLICT (code) DO NOTHING"
        return self.submit(lambda run: run(statement, [(code, name, at)]))

    def signal(self, table_id: str, words: str) -> bool:  # noqa: ARG002 (for databases that are shared)
        """Send all servers, including this one, something that is not stored; False if there is no way to."""
        return False

    def forget(self, table_id: str) -> None:
        """Delete everything about a table."""

        def work(run: Run) -> None:
            run("DELETE FROM tables WHERE id = ?", [(table_id,)])  # first: waits for an append in progress
            for part in ("events", "tokens", "secrets", "presence", "results", "archive"):
                run(f"DELETE FROM {part} WHERE table_id = ?", [(table_id,)])

        self.submit(work).result()

    def close(self) -> None:
        """Finish all stores, then close the database."""
        self.closing.set()
        self.archivist.shutdown(wait=False, cancel_futures=True)
        self._closed = True
        self._queue.put(None)
        if self._writer.ident:
            self._writer.join(5)
        self.histories.shutdown(wait=False, cancel_futures=True)
        self.loaders.shutdown(wait=False, cancel_futures=True)
        self.readers.shutdown(wait=not self._writer.is_alive(), cancel_futures=True)
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
    try:
        event = Event(row.kind, json.loads(row.body), row.who or "", row.command or "")
    except (ValueError, TypeError):
        raise RecordError(DAMAGED) from None
    return Stored(row.seq, event, row.digest, row.at, row.hash)


def _checked(table_id: str, after: int, rows: Sequence[Any], most: int | None) -> Iterable[Stored]:
    """Turn the rows after number `after`, at most `most`, into events; check the hash and number of each."""
    before = ""
    for seq, row in enumerate(rows, after or 1):
        if row.seq != seq:
            raise RecordError(f"table {table_id} is damaged: its event {seq} is missing")
        if seq > after:
            if linked(before, list(row)[: len(EVENT) - 1]) != row.hash:
                raise RecordError(f"table {table_id} is damaged: its event {seq} is not what was stored")
            yield _stored(row)
        before = row.hash
        if row.seq == row.last and row.hash != row.head:
            raise RecordError(f"table {table_id} is damaged: its event {seq} is not the one that came last")
    last = rows[-1].last if rows else None
    if last is not None and rows[-1].seq < min(last, last if most is None else after + most):
        raise RecordError(f"table {table_id} is damaged: its event {rows[-1].seq + 1} is missing")
    if after and not rows:
        raise RecordError(f"table {table_id} is damaged: its event {after} is missing")


def is_damage(error: BaseException) -> bool:
    """Whether an error of the database means that what it holds is damaged, not that it is busy."""
    words = str(getattr(error, "orig", None) or error)
    return isinstance(error, ValueError | TypeError) or any(one in words for one in DAMAGE)


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
