"""What happens at a table without a command: bots move, clocks run out, and bots stand in for absent players.

One task for each table, and only while someone is connected; otherwise everything waits, clocks too. It uses
three parts of a session: the table, its connections, and `carry_out`.
"""

from __future__ import annotations

import asyncio
import logging
import random
import secrets
import time
from typing import TYPE_CHECKING, Protocol

from ninefold.engine.clock import Clock, Due
from ninefold.engine.match import PERSON, Match
from ninefold.kernel.errors import IllegalMove
from ninefold.server.storage.store import Unavailable
from ninefold.server.tables.draft import Draft, Plan
from ninefold.server.tables.events import Event
from ninefold.server.tables.table import HOST, LOBBY, OVER, PAUSED, Refusal, Table

if TYPE_CHECKING:
    from collections.abc import Callable

log = logging.getLogger("ninefold.server")

ABSENT = 60.0  # seconds after which a bot stands in for an offline player whose turn it is
TICK = 0.25  # in real time bots act at whole ticks, so that their moves are sent together
WATCHED = 60.0  # seconds for which bots stay instant in real time after a person has acted
HEARTBEAT = 15.0  # seconds between notes of who is connected, if several servers share the tables
TOGETHER = 16  # bot events that are stored and sent together
# Rounds of the event loop to wait before bots move at a table, and then at the next. The busier the server,
# the longer a round takes: bots wait for people, not people for bots.
ROUNDS = 4
RETRY = 1.0  # seconds before retrying something that failed


class RunnableTable(Protocol):
    """What a runner needs of a table in play."""

    id: str
    table: Table
    used: float  # when a person last acted
    bots_turn: asyncio.Lock

    @property
    def open(self) -> bool:
        """Whether someone is connected, and the table has not been deleted."""
        ...

    def is_connected(self, seat: int) -> bool: ...
    def draft(self, table: Table) -> Draft: ...
    async def seen_elsewhere(self, seat: int) -> bool:
        """Whether a player is connected to another server."""
        ...

    async def carry_out(
        self, who: str, command: str, digest: str, decide: Callable[[Table], Plan]
    ) -> int: ...


class TableRunner:
    """Runs bots, clocks and stand-ins at a table."""

    def __init__(self, session: RunnableTable) -> None:
        self.session = session
        self.rng = random.Random()
        self.clock = Clock(tick=TICK, rng=self.rng)
        self._task: asyncio.Task[None] | None = None
        self._wake = asyncio.Event()
        self._stopping = False
        self._offline: dict[int, float] = {}  # by seat: since when its player is offline

    @property
    def running(self) -> bool:
        return self._task is not None and not self._task.done()

    def arrived(self, viewer: int | None) -> None:
        """Someone has connected; if nobody was there, start the clocks again."""
        if not self.running and not self._stopping:
            self.clock.restart()
            self._offline.clear()
            self._task = asyncio.create_task(self._run())
        if viewer is not None:
            self._offline.pop(viewer, None)
        self.wake()

    def left(self, viewer: int | None) -> None:
        if viewer is not None and not self.session.is_connected(viewer):
            self._offline[viewer] = time.monotonic()
        self.wake()

    def elapsed(self) -> dict[int, float]:
        """For how many seconds each decision has been awaited."""
        table = self.session.table
        return self.clock.elapsed(table.running, time.monotonic()) if table.waiting_for() else {}

    def too_late(self, table: Table, seat: int, now: float) -> bool:
        """Whether a claim window has closed."""
        return table.match is not None and self.clock.too_late(table.match, seat, now)

    def wake(self) -> None:
        self._wake.set()

    async def stop(self) -> None:
        """Finish what is being stored, then stop."""
        self._stopping = True
        self.wake()
        if self._task:
            await asyncio.wait([self._task], timeout=2)

    async def _run(self) -> None:
        while self.session.open and not self._stopping:
            self._wake.clear()
            try:
                wait = await self._step()
            except (Unavailable, Refusal) as error:
                log.info("runner", extra={"details": {"table": self.session.id, "why": str(error)}})
                wait = RETRY
            except Exception:
                log.exception("runner", extra={"details": {"table": self.session.id}})
                wait = 5 * RETRY
            if wait != 0.0 and not self._wake.is_set():
                alarm = None if wait is None else asyncio.get_running_loop().call_later(wait, self._wake.set)
                await self._wake.wait()
                if alarm:
                    alarm.cancel()

    async def _step(self) -> float | None:
        """Do what is due; returns the seconds until the next thing is, None if only people can act."""
        now = time.monotonic()
        table = self.session.table
        if table.status in (PAUSED, LOBBY, OVER):
            return await self._wait_for_host(now)
        if table.undo or table.match is None:
            return None  # until the others have answered
        match = table.match
        self._set_clock(table, now)
        due = self.clock.schedule(match, now)
        deadlines = {seat: when for seat in table.waiting_for() if (when := self._deadline(match, seat, now))}
        for seat, when in deadlines.items():
            if when <= now:
                await self._stand_in(seat)
                return 0.0
        ready = [one for one in due if one.at <= now]
        if ready:
            await self._act(ready)
            return 0.0
        soonest = min([one.at for one in due] + list(deadlines.values()), default=None)
        return None if soonest is None else soonest - now

    def _set_clock(self, table: Table, now: float) -> None:
        pace = table.settings["pace"]
        idle = table.realtime and pace == "instant" and now - self.session.used > WATCHED
        self.clock.pace = "fast" if idle else pace
        self.clock.claim_window = float(table.settings.get("unison", self.clock.claim_window))

    def _deadline(self, match: Match, seat: int, now: float) -> float | None:
        """When a stand-in takes over for a person whose turn it is."""
        if match.seats[seat].played_by or match.on_clock(seat):
            return None
        since = self.clock.asked_since(match, seat, now)
        limit = self.session.table.settings["clock"]
        if limit is not None and match.realtime is None:
            return since + float(limit)
        return self._missed_at(seat, max(since, self._offline.get(seat, 0.0)))

    def _missed_at(self, seat: int, since: float) -> float | None:
        return None if self.session.is_connected(seat) else since + ABSENT

    async def _wait_for_host(self, now: float) -> float | None:
        """Mark an offline host as away if everyone waits for them, so that the others can continue."""
        place = self.session.table.places[HOST]
        due = self._missed_at(HOST, self._offline.setdefault(HOST, now))
        if place.kind != PERSON or place.away or due is None:
            return None
        if due > now:
            return due - now
        await self._stand_in(HOST)
        return 0.0

    async def _stand_in(self, seat: int) -> None:
        """Let a bot play for a seat until its player is back."""
        session = self.session
        if not session.is_connected(seat) and await session.seen_elsewhere(seat):
            self._offline[seat] = time.monotonic()
            return
        tenant = session.table.places[seat].tenant

        def decide(table: Table) -> Plan:
            place = table.places[seat]
            if place.tenant != tenant or place.away:
                raise Refusal("late", "that seat has changed hands")
            return Plan([Event("away", {"seat": seat})])

        await session.carry_out("", "", "", decide)

    # Bots

    async def _act(self, ready: list[Due]) -> None:
        """Do what is due: bots move, seats pass, sealed moves are opened."""
        if self.session.table.realtime:
            self.rng.shuffle(ready)
        asked = {one.seat: self.session.table.running.decision(one.seat) for one in ready if one.seat >= 0}
        try:
            async with self.session.bots_turn:
                for _ in range(ROUNDS):
                    await asyncio.sleep(0)
            await self.session.carry_out("bots", "", "", lambda table: self._moves(table, ready, asked))
        except (IllegalMove, Refusal):
            await asyncio.sleep(0)  # the table has moved on

    def _moves(self, table: Table, ready: list[Due], asked: dict[int, int]) -> Plan:
        """Play what is due on a copy of the table, so that it is stored together."""
        draft = self.session.draft(table)
        for one in ready:
            if one.kind == "open":
                self._close_sealing(draft)
                continue
            waits = len(draft.events) < TOGETHER and one.seat in draft.table.waiting_for()
            if waits and draft.table.running.decision(one.seat) == asked[one.seat]:
                self._move(draft, one.seat)
        if draft.events:  # otherwise the bots only waited, or a person has moved
            self.follow(draft)
        return draft.plan()

    def follow(self, draft: Draft) -> None:
        """Let instant bots answer at once; their moves are stored with the move they answer."""
        table = draft.table
        if table.settings["pace"] != "instant" or table.realtime:
            return
        while len(draft.events) < TOGETHER:
            bots = [seat for seat in table.waiting_for() if table.places[seat].played_by]
            if not bots:
                return
            self._move(draft, bots[0])

    def _move(self, draft: Draft, seat: int) -> None:
        """Let a bot move, or pass for a person whose time is up."""
        match, command = draft.table.running, secrets.token_hex(8)
        if match.seats[seat].played_by is None:
            draft.take(match.pass_for(seat, command), f"clock {seat}")
            return
        happened, failure = match.let_bot_anyhow(seat, command)
        if failure:
            details = {"table": self.session.id, "why": failure[:200]}
            log.warning("bot failed", extra={"details": details})
        if not happened:
            self.clock.ask_again(seat)
        draft.take(happened, f"bot {seat} failed" if failure else f"bot {seat}")

    def _close_sealing(self, draft: Draft) -> None:
        """Time is up: seats without a sealed move pass, and then all sealed moves are opened."""
        for seat in draft.table.waiting_for():
            if seat in draft.table.waiting_for():
                command = secrets.token_hex(8)
                draft.take(draft.table.running.pass_for(seat, command), f"clock {seat}")
