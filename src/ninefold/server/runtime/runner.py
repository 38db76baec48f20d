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
from collections.abc import Iterable
from hashlib import sha256
from typing import TYPE_CHECKING

from ninefold.engine.clock import Clock, Due
from ninefold.engine.match import PERSON, Match
from ninefold.fairness.commitments import bot_seed
from ninefold.kernel.errors import IllegalMove
from ninefold.server.runtime.proposals import Proposals
from ninefold.server.storage.store import Unavailable
from ninefold.server.tables.commands import stand_in
from ninefold.server.tables.draft import Draft, Plan
from ninefold.server.tables.table import HOST, LOBBY, OVER, PAUSED, Refusal, Table

if TYPE_CHECKING:
    from ninefold.server.runtime.session import TableSession

log = logging.getLogger("ninefold.server")

ABSENT = 60.0  # seconds after which a bot stands in for an offline player whose turn it is
PATIENCE = 180.0  # seconds for which it does not, if someone at the table wants to wait
IDLE = 120.0  # seconds without a move after which others may let a bot play for someone who is here
GRACE = 5.0  # seconds offline after which others may let a bot play
TICK = 0.25  # in real time bots act at whole ticks, so that their moves are sent together
WATCHED = 60.0  # seconds for which bots stay instant in real time after a person has acted
HEARTBEAT = 15.0  # seconds between notes of who is connected, if several servers share the tables
TOGETHER = 16  # bot events that are stored and sent together
# Rounds of the event loop to wait before bots move at a table, and then at the next. The busier the server,
# the longer a round takes: bots wait for people, not people for bots.
ROUNDS = 4
RETRY = 1.0  # seconds before retrying something that failed


class TableRunner:
    """Runs bots, clocks and stand-ins at a table."""

    def __init__(self, session: TableSession) -> None:
        self.session = session
        self.rng = random.Random()
        self.clock = Clock(tick=TICK, rng=self.rng)
        self.proposals = Proposals(session)
        self._task: asyncio.Task[None] | None = None
        self._wake = asyncio.Event()
        self._stopping = False
        self._offline: dict[int, float] = {}  # by seat: since when its player is offline
        self._waited_for: dict[int, float] = {}  # by seat: until when the others wait

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
            self._waited_for.pop(viewer, None)
        self.wake()

    def left(self, viewer: int | None) -> None:
        if viewer is not None and not self.session.is_connected(viewer):
            self._offline[viewer] = time.monotonic()
        self.wake()

    def offline(self) -> dict[int, float]:
        """By seat: for how many seconds its player has been offline."""
        now, places = time.monotonic(), self.session.table.places
        people = [seat for seat, place in enumerate(places) if place.kind == PERSON]
        gone = [seat for seat in people if not self.session.is_connected(seat)]
        return {seat: now - self._offline.setdefault(seat, now) for seat in gone}

    def wait_for(self, seat: int) -> None:
        """The others wait for an offline player."""
        self._waited_for[seat] = time.monotonic() + PATIENCE
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
        proposal = self.proposals.due(now)
        if proposal is not None and proposal[0] <= now:
            await self.proposals.settle(proposal[1])
            return 0.0
        wait = await self._step_match(now)
        if proposal is None:
            return wait
        return proposal[0] - now if wait is None else min(wait, proposal[0] - now)

    async def _step_match(self, now: float) -> float | None:
        """The same for what is due in the match itself."""
        table = self.session.table
        if table.status == PAUSED:
            self.clock.restart()
        if table.status in (PAUSED, LOBBY, OVER):
            return await self._wait_for_host(now)
        if table.undo or table.match is None:
            return None  # until the others have answered, or have had time to
        match = table.match
        self._set_clock(table, now)
        due = self.clock.schedule(match, now)
        due += self._without_the_absent(match, now)
        deadlines = {seat: when for seat in table.waiting_for() if (when := self._deadline(match, seat, now))}
        for seat, when in deadlines.items():
            if when <= now:
                await self._stand_in(seat)
                return 0.0
        ready = [one for one in due if one.at <= now]
        if ready and self.session.budget.empty:
            return RETRY
        if ready:
            await self._act(ready)
            return 0.0
        soonest = min([one.at for one in due] + list(deadlines.values()), default=None)
        return None if soonest is None else soonest - now

    def _set_clock(self, table: Table, now: float) -> None:
        pace = table.settings["pace"]
        idle = table.realtime and pace == "instant" and now - self.session.used > WATCHED
        self.clock.pace = "fast" if idle or self._only_watched(table) else pace
        self.clock.look_limit = float(table.look)
        self.clock.claim_window = float(table.settings.get("unison", self.clock.claim_window))

    def _only_watched(self, table: Table) -> bool:
        """Whether in real time every person is out of the round: bots then do not let them wait for long."""
        people = [seat for seat, place in enumerate(table.places) if place.played_by is None]
        slow = table.realtime and table.settings["pace"] in ("slow", "normal")
        return slow and bool(people) and not set(people) & set(table.waiting_for())

    def _deadline(self, match: Match, seat: int, now: float) -> float | None:
        """When a stand-in takes over for a person whose turn it is."""
        if match.seats[seat].played_by or match.on_clock(seat):
            return None
        since = self.clock.asked_since(match, seat, now)
        limit = self.session.table.settings["clock"]
        if limit is not None and match.realtime is None:
            return since + float(limit)
        return self._missed_at(seat, max(since, self._offline.get(seat, 0.0)))

    def _without_the_absent(self, match: Match, now: float) -> list[Due]:
        """A round begins without those who are offline, if nobody else still looks at the cards."""
        if not match.looking or not match.unready or self.session.store.shared:
            return []
        gone = self.offline()
        if any(seat not in gone for seat in match.unready):
            return []
        return [Due(now + GRACE - min(gone[seat] for seat in match.unready), "go")]

    def _missed_at(self, seat: int, since: float) -> float | None:
        if self.session.is_connected(seat):
            return None
        return max(since + ABSENT, self._waited_for.get(seat, 0.0))

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
        why = "time" if session.is_connected(seat) else "offline"

        def decide(table: Table) -> Plan:
            if table.places[seat].tenant != tenant:
                raise Refusal("late", "that seat has changed hands")
            return stand_in(table, seat, why)

        await session.carry_out("", "", "", decide)

    # Bots

    async def _act(self, ready: list[Due]) -> None:
        """Do what is due: bots move, seats pass, a round begins, sealed moves are opened."""
        if self.session.table.realtime:
            ready = in_turn(ready, self.session.secret, len(self.session.table.running.steps))
        asked = {one.seat: self.session.table.running.decision(one.seat) for one in ready if one.seat >= 0}
        await self._think_ahead(ready)
        try:
            async with self.session.bots_turn:
                for _ in range(ROUNDS):
                    await asyncio.sleep(0)
            await self.session.carry_out("bots", "", "", lambda table: self._moves(table, ready, asked))
        except (IllegalMove, Refusal):
            await asyncio.sleep(0)  # the table has moved on

    async def _think_ahead(self, ready: list[Due]) -> None:
        """Let bots that search think in another thread, while the server goes on."""
        for one in ready:
            match = self.session.table.match
            if one.kind != "bot" or match is None or not match.thinks_long(one.seat):
                continue
            seeded = self.session.draft(self.session.table).table.running
            thought = await asyncio.to_thread(seeded.thinker(one.seat))
            if (now := self.session.table.match) is not None:
                now.thoughts[one.seat] = thought

    def _moves(self, table: Table, ready: list[Due], asked: dict[int, int]) -> Plan:
        """Play what is due on a copy of the table, so that it is stored together."""
        draft = self.session.draft(table)
        for one in ready:
            if one.kind == "open":
                self._close_sealing(draft)
                continue
            if one.kind == "go":
                draft.take(draft.table.running.go(), "clock")
                continue
            if one.kind == "roll":
                self._roll(draft, one.seat, asked)
                continue
            waits = len(draft.events) < TOGETHER and one.seat in draft.table.waiting_for()
            if waits and draft.table.running.decision(one.seat) == asked[one.seat]:
                self._move(draft, one.seat)
        if draft.events:  # otherwise the bots only waited, or a person has moved
            self.follow(draft)
        return draft.plan()

    def _roll(self, draft: Draft, seat: int, asked: dict[int, int]) -> None:
        """Let dice roll that nobody threw in time."""
        match = draft.table.running
        if match.roller == seat and match.decision(seat) == asked[seat]:
            draft.roll(seat, secrets.token_hex(8), f"clock {seat}")

    def follow(self, draft: Draft) -> None:
        """Let instant bots answer at once; their moves are stored with the move they answer."""
        table = draft.table
        if table.settings["pace"] != "instant" or table.realtime:
            return
        while len(draft.events) < TOGETHER:
            bots = [seat for seat in table.waiting_for() if table.places[seat].played_by]
            if not bots or table.running.thinks_long(bots[0]):
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


def in_turn(ready: Iterable[Due], secret: bytes, step: int) -> list[Due]:
    """What is due at once in real time, in an order that nobody can choose: bots by lots that are drawn from
    the secret of the match, to which the server is committed; then those that pass, seat by seat."""
    seed = bot_seed(secret)

    def place(one: Due) -> tuple[bool, bytes, int]:
        lot = sha256(f"{seed} {step} {one.seat}".encode()).digest() if one.kind == "bot" else b""
        return one.kind != "bot", lot, one.seat

    return sorted(ready, key=place)
