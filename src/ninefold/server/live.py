"""A table as it is played: commands in, stored events, and what every seat is sent.

All of it runs on one event loop; the database is waited for, never blocked on. A table is locked while a
command of its own is being stored, and only then applied, answered and told to everybody.
"""

from __future__ import annotations

import asyncio
import json
import secrets
import time
from collections import OrderedDict
from collections.abc import Callable, Mapping
from typing import Any

from ninefold.engine.advice import Advice, advise
from ninefold.kernel.errors import IllegalMove, RecordError, RuleError
from ninefold.server import deciding, telling
from ninefold.server.deciding import Ahead, Decide, Plan, digest_of
from ninefold.server.drive import Driver
from ninefold.server.messages import Command, Joining, Move, encode
from ninefold.server.peers import Peer
from ninefold.server.store import Append, Conflict, Gone, Store, Stored
from ninefold.server.table import PAUSED, PLAYING, Event, Refusal, Table
from ninefold.server.telling import News

TRIES = 8
REMEMBERED = 256  # answers kept in memory; older ones are in the database
SEATING = ("sat", "bot", "emptied")


class LiveTable:
    """A table in play."""

    def __init__(self, store: Store, thinking: asyncio.Lock, table_id: str, code: str) -> None:
        self.store = store
        self.thinking = thinking
        self.id = table_id
        self.code = code
        self.table = Table()
        self.peers: set[Peer] = set()
        self.used = time.monotonic()
        self.gone = False
        self.driver = Driver(self)
        self._head = ""  # the hash of the last event
        self._answers: OrderedDict[tuple[str, str], tuple[int, str | None]] = OrderedDict()
        self._secret: tuple[int, bytes] = (0, b"")  # of which match
        self._doubtful = False  # the database may have what we have not
        self._lock = asyncio.Lock()

    # From and to the database

    async def load(self) -> bool:
        """Take in what the database has and we have not; whether there was any."""
        self._doubtful = False  # before reading, so that whoever is woken meanwhile doubts again
        try:
            stored = await self._read(lambda: self.store.events_of(self.id, self.table.seq))
        except BaseException:
            self._doubtful = True
            raise
        self._take(stored)
        if not self.table.opened:
            raise Refusal("no_table", "this table has been deleted")
        match = self.table.match
        if match and self.table.status in (PLAYING, PAUSED) and self._secret[0] != match.number:
            self._secret = (match.number, await self._read(lambda: self.store.secret(self.id, match.number)))
        return bool(stored)

    async def woken(self) -> None:
        """Another server has written to this table; where nobody is here, that can wait."""
        self._doubtful = True
        if self.peers:
            await self.settle()

    async def settle(self) -> None:
        """See whether the database has what we have not, where it may."""
        if self._doubtful:
            await self.catch_up()

    async def catch_up(self) -> None:
        """Take in what another server has written, of which we have not been told yet."""
        async with self._lock:
            await self.load()

    async def _read(self, reading: Callable[[], Any]) -> Any:
        return await asyncio.get_running_loop().run_in_executor(self.store.readers, reading)

    def _take(self, stored: list[Stored]) -> None:
        """Apply stored events, and tell everybody."""
        heard: dict[int | None, list[News]] = {viewer: [] for viewer in self.viewers()}
        for one in stored:
            self._note(one)
            try:
                moments = self.table.apply(one.event)
            except IllegalMove as error:
                raise RecordError(f"table {self.id} is damaged: event {one.seq}: {error}") from None
            for viewer, found in heard.items():
                found.append(telling.news(self.table, viewer, one.seq, one.event, moments))
        for one in stored:
            if one.event.kind in SEATING:
                self._dismiss(one.event.body["seat"])
        if stored:
            self._broadcast({one: telling.update(self.table, one, heard[one]) for one in self.viewers()})
            self.driver.wake()

    def _note(self, stored: Stored) -> None:
        event = stored.event
        if event.command and not event.who.startswith("bot "):
            self._answers[event.who, event.command] = (stored.seq, stored.digest)
            if len(self._answers) > REMEMBERED:
                self._answers.popitem(last=False)
        self._head = stored.hash

    def _adopt(self, ahead: Ahead, stored: list[Stored], made: Mapping[int | None, bytes]) -> None:
        """Take a table that was played on ahead for the table, now that all of it is stored."""
        self.table = ahead.table
        for one in stored:
            self._note(one)
        self._broadcast(made)
        self.driver.wake()

    def _dismiss(self, seat: int) -> None:
        """Whoever had the seat before has it no more."""
        for peer in [peer for peer in self.peers if peer.viewer == seat]:
            if peer.tenant != self.table.places[seat].tenant:
                self.peers.discard(peer)
                text = "you no longer have a seat at this table"
                peer.send(encode({"type": "refused", "error": "no_seat", "text": text}))
                peer.finish(1008, text)

    # Commands

    async def carry_out(self, who: str, command: str, digest: str, decide: Decide) -> int:
        """Do what a command says, once: the number of its event. Refusal says why not."""
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
                        continue  # another server was here first
                    if (seq := await self._answered(who, command, digest)) is not None:
                        return seq
                    raise
                if not plan.events:
                    return self.table.seq  # nothing was to be done
                if (seq := await self._store(plan, who, command, digest)) is not None:
                    return seq
        raise Refusal("busy", "too much is happening at this table; try again")

    async def _store(self, plan: Plan, who: str, command: str, digest: str) -> int | None:
        """Store a plan and take it in: the number of its event, None where the table is not as we thought."""
        first = self.table.seq + 1
        work = Append(self.id, first, plan.events, self._head, digest or None, plan.tokens, plan.secret)
        work.new_result = plan.ahead.table.counted() if plan.ahead else None
        try:
            storing = self.store.append(work)
            made = plan.ahead.messages() if plan.ahead else {}  # while the disk is at work
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
            self._doubtful = True  # stored or not: the next look at the database tells
            raise
        if plan.secret:
            self._secret = plan.secret
        if plan.ahead:
            self._adopt(plan.ahead, work.stored, made)
        else:
            self._take(work.stored)
        return next((one.seq for one in work.stored if one.event.command), first)

    async def _answered(self, who: str, command: str, digest: str) -> int | None:
        """The number of the event that answered a command long ago, or through another server."""
        if not command:
            return None
        found = await self._read(lambda: self.store.find_command(self.id, who, command))
        return _same(found.seq, found.digest, digest) if found else None

    async def command(self, seat: int, tenant: int, message: Command) -> int:
        """A command of somebody who sits here."""
        arrived = self.used = time.monotonic()

        def decide(table: Table) -> Plan:
            if isinstance(message, Move) and self.driver.too_late(seat, arrived):
                raise Refusal("late", "the time to say that is over")
            plan = deciding.command(table, seat, tenant, message, self.secret, self.viewers())
            if plan.ahead:
                self.driver.follow(plan.ahead)
            return plan

        return await self.carry_out(str(seat), message.id, digest_of(message), decide)

    def react(self, seat: int, emoji: str) -> None:
        """Show a sign to everybody who is here; it is not kept."""
        words = json.dumps({"type": "reaction", "seat": seat, "emoji": emoji})
        if not self.store.signal(self.id, words):
            self.pass_on(words)

    async def advise(self, seat: int) -> Advice:
        """What the best bot would do at a seat, from what the seat may know."""
        table = self.table
        if not table.settings.get("hints"):
            raise Refusal("no_hints", "there are no hints at this table")
        if table.match is None or seat not in table.waiting_for():
            raise Refusal("not_asked", "nothing is asked of you now")
        state = table.match.state.copy()
        return await asyncio.to_thread(advise, state, seat, secrets.randbits(48))

    def pass_on(self, words: str) -> None:
        """Tell everybody here something that is not kept."""
        for peer in list(self.peers):
            peer.send(words.encode())

    def _say_who_is_here(self) -> None:
        if not self.store.shared:  # else nobody knows all of them
            seats = sorted({peer.viewer for peer in self.peers if peer.viewer is not None})
            watching = sum(peer.viewer is None for peer in self.peers)
            self.pass_on(json.dumps({"type": "here", "seats": seats, "watching": watching}))

    async def sit(self, joining: Joining) -> int:
        """Somebody sits down."""
        self.used = time.monotonic()
        who = f"join {joining.id}"
        return await self.carry_out(
            who, joining.id, digest_of(joining), lambda table: deciding.sit(table, self.id, joining)
        )

    @property
    def secret(self) -> bytes:
        """What the draws of the match that is played are made from."""
        number, secret = self._secret
        assert self.table.match is None or number == self.table.match.number or not secret
        return secret

    # Coming and going

    async def arrive(self, viewer: int | None, tenant: int, since: int) -> Peer:
        """From here on a viewer misses nothing: it is told what it missed, then everything as it comes."""
        self.used = time.monotonic()
        if self.store.shared:
            await self.catch_up()
        if viewer is not None and self.table.places[viewer].away and not self.table.notice:
            await self.carry_out("", "", "", lambda table: _back(table, viewer))
        async with self._lock:
            if self._doubtful:
                await self.load()
            if viewer is not None and self.table.places[viewer].tenant != tenant:
                raise Refusal("bad_token", "this key opens no seat here")
            peer = Peer(viewer, tenant)
            self.peers.add(peer)
            seq, welcome = self.table.seq, telling.welcome(self.table, viewer, self.code, self.driver.spent())
        self.driver.arrived(viewer)
        self._say_who_is_here()
        try:
            await self.settle()  # what was written elsewhere while nobody was here yet
            backlog: list[bytes] = []
            if since > seq:
                backlog.append(encode({"type": "history_changed", "seq": seq}))
            elif 0 < since < seq:
                backlog = await self.missed(viewer, since, seq)
            peer.begin([*backlog, welcome])
        except BaseException:
            self.leave(peer)
            raise
        return peer

    def leave(self, peer: Peer) -> None:
        """A socket is gone."""
        self.used = time.monotonic()
        self.peers.discard(peer)
        self.driver.left(peer.viewer)
        self._say_who_is_here()

    def leave_memory(self) -> None:
        """The table has been deleted: nobody is here any more."""
        self.gone = True
        for peer in list(self.peers):
            peer.finish(1001, "this table has been deleted")
        self.peers.clear()
        self.driver.wake()

    # What everybody is sent

    def _broadcast(self, made: Mapping[int | None, bytes]) -> None:
        for peer in list(self.peers):
            peer.send(made[peer.viewer])
            if peer.cut.is_set():
                self.peers.discard(peer)

    def viewers(self) -> set[int | None]:
        """From whose eyes somebody looks at the table now."""
        return {peer.viewer for peer in self.peers}

    async def missed(self, viewer: int | None, since: int, upto: int) -> list[bytes]:
        """The events after `since`, byte for byte as the viewer would have been sent them."""
        return list(
            await self._read(lambda: telling.missed(self.store.events_of(self.id), viewer, since, upto))
        )


def _same(seq: int, known: str | None, digest: str) -> int:
    if known != digest:
        raise Refusal("id_reused", "this id belongs to another command")
    return seq


def _back(table: Table, seat: int) -> Plan:
    return Plan([Event("back", {"seat": seat})] if table.places[seat].away else [])
