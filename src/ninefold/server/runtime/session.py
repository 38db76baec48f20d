"""A table in play: takes commands, stores events, and sends messages to every seat.

Everything runs on one event loop and never blocks on the database. A table is locked while one of its
commands is being stored; only then is the command applied, answered and sent to everyone.
"""

from __future__ import annotations

import asyncio
import secrets
import time
from collections import OrderedDict
from collections.abc import Mapping

from ninefold.engine.advice import Advice, advise
from ninefold.kernel.errors import IllegalMove, RecordError, RuleError
from ninefold.server.runtime.connections import Connection
from ninefold.server.runtime.runner import HEARTBEAT, TableRunner
from ninefold.server.storage.store import Append, Conflict, Gone, Store
from ninefold.server.tables import commands, outbound
from ninefold.server.tables.commands import Decide, digest_of
from ninefold.server.tables.draft import Draft, Plan
from ninefold.server.tables.events import Event, Stored
from ninefold.server.tables.messages import (
    Command,
    HistoryChanged,
    Joining,
    LogPage,
    Move,
    Presence,
    Reaction,
    Refused,
    TableEvent,
    encode,
)
from ninefold.server.tables.table import PAUSED, PLAYING, Refusal, Table

TRIES = 8
REMEMBERED = 256  # answers kept in memory; older ones are in the database
SEATING = ("sat", "bot", "emptied")


class TableSession:
    """A table in play."""

    def __init__(self, store: Store, bots_turn: asyncio.Lock, table_id: str, code: str) -> None:
        self.store = store
        self.bots_turn = bots_turn
        self.id = table_id
        self.code = code
        self.table = Table()
        self.connections: set[Connection] = set()
        self.used = time.monotonic()
        self.gone = False
        self.runner = TableRunner(self)
        self._head = ""  # the hash of the last event
        self._answers: OrderedDict[tuple[str, str], tuple[int, str | None]] = OrderedDict()
        self._secret: tuple[int, bytes] = (0, b"")  # of which match
        self._doubtful = False  # the database may have newer events
        self._lock = asyncio.Lock()

    # From and to the database

    async def load(self) -> bool:
        """Apply newer events from the database; returns whether there were any."""
        self._doubtful = False  # before reading, so that a notification meanwhile sets it again
        try:
            stored = await self.store.in_thread(lambda: self.store.events_of(self.id, self.table.seq))
        except BaseException:
            self._doubtful = True
            raise
        self._take(stored)
        if not self.table.opened:
            raise Refusal("no_table", "this table has been deleted")
        match = self.table.match
        if match and self.table.status in (PLAYING, PAUSED) and self._secret[0] != match.number:
            self._secret = (
                match.number,
                await self.store.in_thread(lambda: self.store.secret(self.id, match.number)),
            )
        return bool(stored)

    async def on_written_elsewhere(self) -> None:
        """Another server has written to this table; if nobody is here, that can wait."""
        self._doubtful = True
        if self.connections:
            await self.settle()

    async def settle(self) -> None:
        """Read newer events from the database, if there may be any."""
        if self._doubtful:
            await self.catch_up()

    async def catch_up(self) -> None:
        """Read what another server has written, even before its notification arrives."""
        async with self._lock:
            await self.load()

    def _take(self, stored: list[Stored]) -> None:
        """Apply stored events, and send them to everyone."""
        heard: dict[int | None, list[TableEvent]] = {viewer: [] for viewer in self.viewers()}
        for one in stored:
            self._note(one)
            try:
                moments = self.table.apply(one.event)
            except IllegalMove as error:
                raise RecordError(f"table {self.id} is damaged: event {one.seq}: {error}") from None
            for viewer, found in heard.items():
                found.append(outbound.describe(self.table, viewer, one.seq, one.event, moments))
        for one in stored:
            if one.event.kind in SEATING:
                self._dismiss(one.event.body["seat"])
        if stored:
            self._broadcast({one: outbound.update(self.table, one, heard[one]) for one in self.viewers()})
            self.runner.wake()

    def _note(self, stored: Stored) -> None:
        event = stored.event
        if event.command and not event.who.startswith("bot "):
            self._answers[event.who, event.command] = (stored.seq, stored.digest)
            if len(self._answers) > REMEMBERED:
                self._answers.popitem(last=False)
        self._head = stored.hash

    def _adopt(self, draft: Draft, stored: list[Stored], made: Mapping[int | None, bytes]) -> None:
        """Replace the table by a draft whose events are stored."""
        self.table = draft.table
        for one in stored:
            self._note(one)
        self._broadcast(made)
        self.runner.wake()

    def _dismiss(self, seat: int) -> None:
        """Disconnect the former player of a seat."""
        for connection in [one for one in self.connections if one.viewer == seat]:
            if connection.tenant != self.table.places[seat].tenant:
                self.connections.discard(connection)
                text = "you no longer have a seat at this table"
                connection.send(encode(Refused("no_seat", text)))
                connection.finish(1008, text)

    # Commands

    async def carry_out(self, who: str, command: str, digest: str, decide: Decide) -> int:
        """Carry out a command, only once; returns the number of its event. Refusal says why not."""
        async with self._lock:
            if self._doubtful:
                await self.load()
            for _ in range(TRIES):
                if self.gone:
                    raise Refusal("no_table", "this table has been deleted")
                if command and (known := self._answers.get((who, command))):
                    return _same(known[0], known[1], digest)
                try:
                    plan = decide(self.table)
                except (IllegalMove, RuleError):
                    if self.store.shared and await self.load():
                        continue  # another server was first
                    if (seq := await self._answered(who, command, digest)) is not None:
                        return seq
                    raise
                if not plan.events:
                    return self.table.seq  # nothing to do
                if (seq := await self._store(plan, who, command, digest)) is not None:
                    return seq
        raise Refusal("busy", "too much is happening at this table; try again")

    async def _store(self, plan: Plan, who: str, command: str, digest: str) -> int | None:
        """Store a plan and apply it; returns the number of its event, None if the table has changed."""
        first = self.table.seq + 1
        work = Append(self.id, first, plan.events, self._head, digest or None, plan.tokens, plan.secret)
        work.new_result = plan.draft.table.season_result() if plan.draft else None
        try:
            storing = self.store.append(work)
            made = plan.draft.messages() if plan.draft else {}  # while the disk is at work
            await storing
        except Conflict:
            news = await self.load()
            if (seq := await self._answered(who, command, digest)) is not None:
                return seq
            if not news:
                raise Refusal("id_reused", "this id or key has been used already; make a new one") from None
            return None
        except Gone:
            self.leave_memory()
            return None
        except BaseException:
            self._doubtful = (
                True  # we do not know whether it is stored: the next read of the database shows it
            )
            raise
        if plan.secret:
            self._secret = plan.secret
        if plan.draft:
            self._adopt(plan.draft, work.stored, made)
        else:
            self._take(work.stored)
        return next((one.seq for one in work.stored if one.event.command), first)

    async def _answered(self, who: str, command: str, digest: str) -> int | None:
        """The number of the event that answered a command earlier, or on another server."""
        if not command:
            return None
        found = await self.store.in_thread(lambda: self.store.find_command(self.id, who, command))
        return _same(found.seq, found.digest, digest) if found else None

    async def command(self, seat: int, tenant: int, message: Command) -> int:
        """A command from a seat."""
        arrived = self.used = time.monotonic()

        def decide(table: Table) -> Plan:
            if isinstance(message, Move) and self.runner.too_late(table, seat, arrived):
                raise Refusal("late", "the time for that is over")
            plan = commands.plan_command(table, seat, tenant, message, self.secret, self.viewers())
            if plan.draft:
                self.runner.follow(plan.draft)
            return plan

        return await self.carry_out(str(seat), message.id, digest_of(message), decide)

    def react(self, seat: int, emoji: str) -> None:
        """Show an emoji to everyone who is here; it is not stored."""
        message = encode(Reaction(seat, emoji)).decode()
        if not self.store.signal(self.id, message):
            self.pass_on(message)

    async def advise(self, seat: int) -> Advice:
        """What the `hard` bot would do at a seat, from what the seat may know."""
        table = self.table
        if not table.settings.get("hints"):
            raise Refusal("no_hints", "there are no hints at this table")
        if table.match is None or seat not in table.waiting_for():
            raise Refusal("not_asked", "it is not your turn")
        state = table.match.state.copy()
        return await asyncio.to_thread(advise, state, seat, secrets.randbits(48))

    def pass_on(self, message: str) -> None:
        """Send everyone here something that is not stored."""
        for connection in list(self.connections):
            connection.send(message.encode())

    def _send_presence(self) -> None:
        if not self.store.shared:  # with several servers, none of them knows all
            seats = sorted({one.viewer for one in self.connections if one.viewer is not None})
            watching = sum(one.viewer is None for one in self.connections)
            self.pass_on(encode(Presence(seats, watching)).decode())

    async def sit(self, joining: Joining) -> int:
        """A player sits down."""
        self.used = time.monotonic()
        who = f"join {joining.id}"
        return await self.carry_out(
            who, joining.id, digest_of(joining), lambda table: commands.sit(table, self.id, joining)
        )

    @property
    def secret(self) -> bytes:
        """The secret behind the draws of the current match."""
        number, secret = self._secret
        assert self.table.match is None or number == self.table.match.number or not secret
        return secret

    # Connecting and disconnecting

    async def arrive(self, viewer: int | None, tenant: int, since: int) -> Connection:
        """Connect a viewer: send what it missed, then everything as it happens."""
        self.used = time.monotonic()
        if self.store.shared:
            await self.catch_up()
        if viewer is not None and self.table.places[viewer].away and not self.table.notice:
            await self.carry_out("", "", "", lambda table: _back(table, viewer))
        async with self._lock:
            if self._doubtful:
                await self.load()
            if viewer is not None and self.table.places[viewer].tenant != tenant:
                raise Refusal("bad_token", "this link doesn't match a seat at this table")
            connection = Connection(viewer, tenant)
            self.connections.add(connection)
            seq, welcome = (
                self.table.seq,
                outbound.welcome(self.table, viewer, self.code, self.runner.elapsed()),
            )
        self.runner.arrived(viewer)
        self._send_presence()
        try:
            await self.settle()  # events written by other servers while nobody was here
            backlog: list[bytes] = []
            if since > seq:
                backlog.append(encode(HistoryChanged(seq)))
            elif 0 < since < seq:
                backlog = await self.missed(viewer, since, seq)
            connection.begin([*backlog, welcome])
        except BaseException:
            self.leave(connection)
            raise
        return connection

    def leave(self, connection: Connection) -> None:
        """A socket is gone."""
        self.used = time.monotonic()
        self.connections.discard(connection)
        self.runner.left(connection.viewer)
        self._send_presence()

    def leave_memory(self) -> None:
        """The table has been deleted: disconnect everyone."""
        self.gone = True
        for connection in list(self.connections):
            connection.finish(1001, "this table has been deleted")
        self.connections.clear()
        self.runner.wake()

    # Messages

    def _broadcast(self, made: Mapping[int | None, bytes]) -> None:
        for connection in list(self.connections):
            connection.send(made[connection.viewer])
            if connection.cut.is_set():
                self.connections.discard(connection)

    def draft(self, table: Table) -> Draft:
        """A copy of the table to try commands on."""
        return Draft(table, self.viewers(), self.secret)

    def is_connected(self, seat: int) -> bool:
        return any(connection.viewer == seat for connection in self.connections)

    @property
    def open(self) -> bool:
        """Whether someone is here, and the table has not been deleted."""
        return bool(self.connections) and not self.gone

    async def seen_elsewhere(self, seat: int) -> bool:
        """Whether a player is connected to another server."""
        if not self.store.shared:
            return False
        last: float = await self.store.in_thread(lambda: self.store.last_seen(self.id, seat))
        return time.time() - last < 3 * HEARTBEAT

    def viewers(self) -> set[int | None]:
        """Which seat's view a connection gets now."""
        return {connection.viewer for connection in self.connections}

    async def history(self, viewer: int | None) -> list[TableEvent]:
        """All events so far, as a viewer may know them."""
        seq = self.table.seq
        found: list[TableEvent] = await self.store.in_thread(
            lambda: outbound.history(self.store.events_of(self.id)[:seq], viewer)
        )
        return found

    async def log_page(self, viewer: int | None) -> LogPage:
        """What has happened in the last match, in words."""
        seq = self.table.seq
        found: LogPage = await self.store.in_thread(
            lambda: outbound.log_page(self.store.events_of(self.id)[:seq], viewer)
        )
        return found

    async def missed(self, viewer: int | None, since: int, upto: int) -> list[bytes]:
        """The events after `since`, exactly as they would have been sent to the viewer."""
        return list(
            await self.store.in_thread(
                lambda: outbound.missed(self.store.events_of(self.id), viewer, since, upto)
            )
        )


def _same(seq: int, known: str | None, digest: str) -> int:
    if known != digest:
        raise Refusal("id_reused", "this id belongs to another command")
    return seq


def _back(table: Table, seat: int) -> Plan:
    return Plan([Event("back", {"seat": seat})] if table.places[seat].away else [])
