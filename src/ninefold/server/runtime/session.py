"""A table in play: takes commands, stores events, and sends messages to every seat.

Everything runs on one event loop and never blocks on the database. A table is locked while one of its
commands is being stored; only then is the command applied, answered and sent to everyone.
"""

from __future__ import annotations

import asyncio
import secrets
import time
from collections import OrderedDict
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from functools import partial
from typing import Any, TypeVar

from ninefold.engine.advice import ADVISER, Advice, advise
from ninefold.kernel.errors import IllegalMove, RecordError, RuleError
from ninefold.server.runtime import archive
from ninefold.server.runtime.budget import Bucket
from ninefold.server.runtime.connections import Connection
from ninefold.server.runtime.runner import GRACE, HEARTBEAT, IDLE, TableRunner
from ninefold.server.storage.store import Append, Conflict, Gone, Store
from ninefold.server.tables import agreements, commands, outbound
from ninefold.server.tables.commands import Decide, digest_of
from ninefold.server.tables.draft import Draft, Plan
from ninefold.server.tables.events import Event, News, Stored
from ninefold.server.tables.messages import (
    Absent,
    Command,
    HistoryChanged,
    Joining,
    Move,
    Presence,
    Reaction,
    Refused,
    encode,
)
from ninefold.server.tables.outbound import Messages, Shown
from ninefold.server.tables.table import Refusal, Table

TRIES = 8
EVENTS = 100.0  # a second that a table may store; after that people and bots wait
CHUNK = 512  # stored events that are read together for one who missed them
CROWD = 16  # sockets; where there are more, what happens within a moment goes into one message
MOMENT = 0.03  # seconds
PRESENCE_PAUSE = 0.2  # seconds between two messages of who is here, since each of them goes to everyone
REMEMBERED = 256  # answers kept in memory; older ones are in the database
Made = TypeVar("Made")
Reading = Callable[[Callable[[], bytes | None]], Awaitable[bytes | None]]  # in a thread, when there is one
NEW_HANDS = ("sat", "bot", "emptied")  # events after which a seat belongs to someone else
DELETED = "this table has been deleted"


class TableSession:
    """A table in play."""

    def __init__(self, store: Store, bots_turn: asyncio.Lock, table_id: str, code: str) -> None:
        self.store = store
        self.bots_turn = bots_turn
        self.id = table_id
        self.code = code
        self.table = Table()
        self.connections: set[Connection] = set()
        self.used = self.found = time.monotonic()  # when a person did something, or looked the table up
        self.gone = False
        self.runner = TableRunner(self)
        self.spoke: dict[int, float] = {}  # by seat: when its person last did something
        self._head = ""  # the hash of the last event
        self._answers: OrderedDict[tuple[str, str], tuple[int, str | None]] = OrderedDict()
        self._secret: tuple[int, bytes] = (0, b"")  # of which match
        self._doubtful = False  # the database may have newer events
        self._lock = asyncio.Lock()
        self._presence_pause: asyncio.TimerHandle | None = None
        self._presence_due = False  # whether anyone has come or gone in the pause
        self._shown: Shown = {}
        self._unsent: list[News] = []  # what a crowd will be sent in a moment
        self._flushing: asyncio.Future[None] | None = None  # done when it has been sent
        self.budget = Bucket(EVENTS, 60 * EVENTS)  # of events that are stored
        self._kept = 0  # how many matches are archived, or about to be
        self.budgets: dict[int, Bucket] = {}  # of each seat's commands, through all of its sockets

    # From and to the database

    async def load(self) -> bool:
        """Apply newer events from the database; returns whether there were any."""
        before = self.table.seq
        self._doubtful = False  # before reading, so that a notification meanwhile sets it again
        try:
            if not self.table.seq:  # a long match takes a while to be played again
                await self.store.in_loading(self._begin)
            else:
                self._take(await self.store.in_thread(self.store.events_of, self.id, self.table.seq))
            self._keep_matches()
            if not self.table.opened:
                raise Refusal("no_table", DELETED)
            number = self.table.match.number if self.table.match else 1 if self.table.promise else 0
            if number and self._secret[0] != number:
                secret = await self.store.in_thread(self.store.secret, self.id, number)
                self._secret = number, secret
        except BaseException:
            self._doubtful = True
            raise
        return self.table.seq > before

    def _begin(self) -> None:
        """Load the table for the first time, in a thread, before anyone is there."""
        table = Table()
        for one in self.store.events_of(self.id):
            self._note(one)
            _apply(self.id, table, one)
        self.table = table

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
        self._flush()
        news: list[News] = []
        for one in stored:
            self._note(one)
            news.append(_apply(self.id, self.table, one))
        for one in stored:
            if one.event.kind in NEW_HANDS:
                self._dismiss(one.event.body["seat"])
        if stored:
            whole, short = self._readers(False), self._readers(True)
            self._broadcast(outbound.updates(self.table, whole, news, short, self._shown))
            self._keep_matches()
            self.runner.wake()

    def _note(self, stored: Stored) -> None:
        event = stored.event
        if event.command and not event.who.startswith("bot "):
            self._answers[event.who, event.command] = (stored.seq, stored.digest)
            if len(self._answers) > REMEMBERED:
                self._answers.popitem(last=False)
        self._head = stored.hash

    def _adopt(self, draft: Draft, stored: list[Stored], made: Messages | None) -> None:
        """Replace the table by a draft whose events are stored; a crowd is sent them in a moment."""
        self.table = draft.table
        for one in stored:
            self._note(one)
        if made is not None:
            self._broadcast(made)
        else:
            self._unsent += draft.news
            if self._flushing is None:
                loop = asyncio.get_running_loop()
                self._flushing = loop.create_future()
                loop.call_later(MOMENT, self._flush)
        self._keep_matches()
        self.runner.wake()

    def _keep_matches(self) -> None:
        """Archive the matches that are over, in a thread and when it has time."""
        over = self.table.matches_over
        if over > self._kept:
            self._kept = over
            self.store.when_idle(partial(archive.keep, self.store, self.id, over))

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
        """Carry out a command, only once; returns the number of its event. Refusal says why not.

        If the database does not answer in time, it is open whether the command was stored: the next read of
        the table shows it.
        """
        return await self.store.in_time(self._carry_out(who, command, digest, decide))

    async def _carry_out(self, who: str, command: str, digest: str, decide: Decide) -> int:
        async with self._lock:
            if self._doubtful:
                await self.load()
            for _ in range(TRIES):
                if self.gone:
                    raise Refusal("no_table", DELETED)
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
        work.new_result = agreements.result_of(plan)
        try:
            storing = self.store.append(work)
            made = self._messages(plan.draft) if plan.draft else None  # while the disk is at work
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
            self._doubtful = True  # it may be stored: the next read of the database shows it
            raise
        self.budget.spend(len(plan.events))
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
        found = await self.store.in_thread(self.store.find_command, self.id, who, command)
        return _same(found.seq, found.digest, digest) if found else None

    async def command(self, seat: int, tenant: int, message: Command) -> int:
        """A command from a seat; returns the number of its event, as clients know it."""
        arrived = self.used = self.spoke[seat] = time.monotonic()
        why = ""
        if self.budget.empty:
            raise Refusal("too_many", "too much is happening at this table; wait a moment")
        if isinstance(message, Absent):
            why = await self._why_absent(message.seat)
            if message.what == "wait":
                self.runner.wait_for(message.seat)
                return self.table.public_seq

        def decide(table: Table) -> Plan:
            if isinstance(message, Move) and self.runner.too_late(table, seat, arrived):
                raise Refusal("late", "the time for that is over")
            plan = commands.plan_command(table, seat, tenant, message, self.secret, why)
            if plan.draft:
                self.runner.follow(plan.draft)
            return plan

        seq = await self.carry_out(str(seat), message.id, digest_of(message), decide)
        if self._flushing is not None:
            await asyncio.shield(self._flushing)  # an answer comes after what it brought about
        return self.table.number(seq)

    async def _why_absent(self, seat: int) -> str:
        """Why a bot may play for someone; Refusal for players who are here, or were a moment ago."""
        if self.runner.elapsed().get(seat, 0.0) >= IDLE:
            return "idle"
        gone = self.runner.offline().get(seat)
        if gone is None or gone < GRACE or await self.seen_elsewhere(seat):
            raise Refusal("present", "this player is neither offline nor idle")
        return "offline"

    def react(self, seat: int, emoji: str) -> None:
        """Show an emoji to everyone who is here; it is not stored."""
        self.spoke[seat] = time.monotonic()
        message = encode(Reaction(seat, emoji)).decode()
        if not self.store.signal(self.id, message):
            self.pass_on(message)

    def adviser(self, seat: int) -> Callable[[], Advice]:
        """Finds out what the `hard` bot would do at a seat, from what the seat may know; it takes a while."""
        table = self.table
        if not table.settings.get("hints"):
            raise Refusal("no_hints", "there are no hints at this table")
        if table.match is None or seat not in table.waiting_for() or table.places[seat].keeper:
            raise Refusal("not_asked", "it is not your turn")
        if table.running.looking:
            raise Refusal("not_asked", "the round has not begun")
        match = self.draft(table).table.running  # where bots have the seed that their memory follows from

        def found() -> Advice:
            memories = match.recall([ADVISER] * match.game.players)
            seed = secrets.randbits(48)
            return advise(match.state, seat, seed, memories=memories, names=match.names)

        return found

    def pass_on(self, message: str) -> None:
        """Send everyone here something that is not stored."""
        for connection in list(self.connections):
            connection.send(message.encode())

    def _send_presence(self) -> None:
        """Tell everyone who is here: at once, or after the pause in which others may come and go, too."""
        if self.store.shared:
            return  # with several servers, none of them knows all
        self._presence_due = self._presence_pause is not None
        if not self._presence_due:
            loop = asyncio.get_running_loop()
            self._presence_pause = loop.call_later(PRESENCE_PAUSE, self._after_presence)
            seats = sorted({one.viewer for one in self.connections if one.viewer is not None})
            watching = sum(one.viewer is None for one in self.connections)
            self.pass_on(encode(Presence(seats, watching, self.runner.offline())).decode())

    def _after_presence(self) -> None:
        self._presence_pause = None
        if self._presence_due:
            self._send_presence()

    async def sit(self, joining: Joining) -> bool:
        """A player sits down, or asks the host; whether they still wait for the answer."""
        self.used = time.monotonic()
        who = f"join {joining.id}"
        await self.carry_out(
            who, joining.id, digest_of(joining), lambda table: commands.sit(table, self.id, joining)
        )
        key = commands.hashed(joining.token)
        if key in self.table.declined:
            raise Refusal("declined", "the host has not let you in")
        return any(key == one.keys[0] for one in self.table.asking.values())

    @property
    def secret(self) -> bytes:
        """The secret behind the draws of the current match."""
        number, secret = self._secret
        assert self.table.match is None or number == self.table.match.number or not secret
        return secret

    # Connecting and disconnecting

    async def arrive(
        self,
        viewer: int | None,
        tenant: int,
        since: int,
        differences: bool = False,
        reading: Reading | None = None,
    ) -> Connection:
        """Connect a viewer: send what it missed, in turns of `reading`, then everything as it happens."""
        self.used = time.monotonic()
        if self.store.shared:
            await self.catch_up()
        if viewer is not None and self.table.places[viewer].away and not self.table.notice:
            await self.carry_out("", "", "", lambda table: _back(table, viewer))
        async with self._lock:
            if self._doubtful:
                await self.load()
            if self.gone:
                raise Refusal("no_table", DELETED)
            if viewer is not None and self.table.places[viewer].tenant != tenant:
                raise Refusal("bad_token", "this link doesn't match a seat at this table")
            self._flush()
            connection = Connection(viewer, tenant, differences)
            self.connections.add(connection)
            seq, stored = self.table.public_seq, self.table.seq
            knows_from = self.table.knows_from(viewer)
            welcome = outbound.welcome(self.table, viewer, self.code, self.runner.elapsed())
            self._shown.pop(viewer, None)  # the next message is whole again, for all sockets of this viewer
        self.runner.arrived(viewer)
        self._send_presence()
        try:
            await self.settle()  # events written by other servers while nobody was here
            before = [encode(HistoryChanged(seq))] if since > seq else []
            behind = 0 < since < seq
            missed = self.missed(viewer, knows_from, since, stored, reading) if behind else None
            connection.begin([*before, welcome], missed)
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
            connection.finish(1001, DELETED)
        self.connections.clear()
        self.runner.wake()

    # Messages

    def _messages(self, draft: Draft) -> Messages | None:
        """What everyone will be sent; None where there are many, who are sent several commits together."""
        if len(self.connections) > CROWD:
            return None
        self._flush()
        return draft.messages(self._readers(False), self._readers(True), self._shown)

    def _flush(self) -> None:
        """Send what has happened since the last message."""
        news, self._unsent = self._unsent, []
        flushing, self._flushing = self._flushing, None
        try:
            if news:
                whole, short = self._readers(False), self._readers(True)
                self._broadcast(outbound.updates(self.table, whole, news, short, self._shown))
        finally:
            if flushing is not None:
                flushing.set_result(None)

    def _readers(self, differences: bool) -> set[int | None]:
        """Who takes short messages, or who does not."""
        return {one.viewer for one in self.connections if one.differences == differences}

    def _broadcast(self, made: Messages) -> None:
        self._shown = made.shown
        for connection in list(self.connections):
            viewer = connection.viewer
            short = made.short.get(viewer) if connection.differences else None
            if message := short or made.whole.get(viewer):
                connection.send(message)
            if connection.cut.done():
                self.connections.discard(connection)

    def draft(self, table: Table) -> Draft:
        """A copy of the table to try commands on."""
        return Draft(table, self.secret)

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
        last: float = await self.store.in_thread(self.store.last_seen, self.id, seat)
        return time.time() - last < 3 * HEARTBEAT

    def past(self, describe: Callable[..., Made], *args: Any) -> Callable[[], Made]:
        """How to make something of all events so far, in a thread."""
        seq = self.table.seq
        return lambda: describe(self.store.events_of(self.id)[:seq], *args)

    def kept(self, match: int | None) -> archive.Archive:
        """What is kept of a match, by default the last one, for the time after a change of the rules."""
        return archive.Archive(self.store, self.id, self.table, match)

    def missed(
        self, viewer: int | None, knows_from: int, since: int, upto: int, reading: Reading | None = None
    ) -> AsyncIterator[bytes]:
        """The messages that a viewer missed, each made when the one before has been sent."""

        def read(after: int) -> list[Stored]:
            return self.store.events_of(self.id, after, CHUNK)

        messages = outbound.missed(read, viewer, knows_from, since, upto)
        return _one_by_one(messages, reading or self.store.in_history)


async def _one_by_one(messages: Iterator[bytes], reading: Reading) -> AsyncIterator[bytes]:
    while (message := await reading(lambda: next(messages, None))) is not None:
        yield message


def _apply(table_id: str, table: Table, one: Stored) -> News:
    try:
        return table.apply(one.event)
    except IllegalMove as error:
        raise RecordError(f"table {table_id} is damaged: event {one.seq}: {error}") from None


def _same(seq: int, known: str | None, digest: str) -> int:
    if known != digest:
        raise Refusal("id_reused", "this id belongs to another command")
    return seq


def _back(table: Table, seat: int) -> Plan:
    return Plan([Event("back", {"seat": seat})] if table.places[seat].away else [])
