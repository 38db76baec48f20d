"""What happens at a table by itself: bots move, clocks run out, and the absent are stood in for.

One task for each table, and only while somebody is there; while nobody is, everything waits, clocks too.
"""

from __future__ import annotations

import asyncio
import logging
import math
import random
import secrets
import time
from typing import TYPE_CHECKING

from ninefold.engine.live import TEMPOS
from ninefold.engine.players import Company
from ninefold.kernel.errors import IllegalMove, RuleError
from ninefold.server.deciding import Ahead, Plan
from ninefold.server.store import Unavailable
from ninefold.server.table import HOST, LOBBY, OVER, PAUSED, PERSON, Event, Refusal, Table

if TYPE_CHECKING:
    from ninefold.server.live import LiveTable

log = logging.getLogger("ninefold.server")

SEALED_FOR = 20.0  # seconds after which whoever has sealed nothing does nothing
PACES = {"slow": 1.6, "normal": 0.8, "fast": 0.25, "instant": 0.0}
ABSENT = 60.0  # seconds after which a bot stands in for somebody who has gone and is waited for
AT_ONCE = ((0.01, 0.05), (0.01, 0.05))  # seconds that instant bots take where everybody acts at once
TICK = 0.25  # seconds from one moment at which bots act to the next there: what several do is told at once
WATCHED = 60.0  # seconds for which they do so after somebody has done something
BEAT = 15.0  # seconds between two notes of who is on the line, where several servers share the tables
TOGETHER = 16  # events of bots that are stored, and sent, at once
# Rounds of the event loop that pass before bots move at a table, and then at the next. The busier the house,
# the longer a round takes: bots wait for people, not people for bots.
ROUNDS = 4
AGAIN = 1.0  # seconds until something that failed is tried again


class Driver:
    """Moves a table on where no person does."""

    def __init__(self, live: LiveTable) -> None:
        self.live = live
        self._task: asyncio.Task[None] | None = None
        self._wake = asyncio.Event()
        self._stopping = False
        self._company: tuple[tuple[object, ...], Company] | None = None
        self._asked: dict[int, tuple[int, float]] = {}  # by seat: the decision asked, and since when
        self._moments: dict[int, float] = {}  # by seat: when a bot answers that, in real time
        self._thought = random.Random()
        self._phase = self._thought.uniform(0.0, TICK)  # not all tables at once
        self._sealing: tuple[int, float] | None = None  # the first seal of a beat, and since when
        self._gone: dict[int, float] = {}  # by seat: since when nobody is on the line

    @property
    def running(self) -> bool:
        return self._task is not None and not self._task.done()

    def arrived(self, viewer: int | None) -> None:
        """Somebody is here; if nobody was, time begins again."""
        if not self.running and not self._stopping:
            self._asked.clear()
            self._gone.clear()
            self._task = asyncio.create_task(self._drive())
        if viewer is not None:
            self._gone.pop(viewer, None)
        self.wake()

    def left(self, viewer: int | None) -> None:
        if viewer is not None and not self._on_the_line(viewer):
            self._gone[viewer] = time.monotonic()
        self.wake()

    def spent(self) -> dict[int, float]:
        """For how many seconds the seats that are waited for have been."""
        now, table = time.monotonic(), self.live.table
        asked = {seat: self._asked.get(seat) for seat in table.waiting_for()}
        return {
            seat: round(now - one[1], 1)
            for seat, one in asked.items()
            if one is not None and one[0] == table.decision(seat)
        }

    def wake(self) -> None:
        self._wake.set()

    async def stop(self) -> None:
        """Finish what is being stored, and do no more."""
        self._stopping = True
        self.wake()
        if self._task:
            await asyncio.wait([self._task], timeout=2)

    async def _drive(self) -> None:
        live = self.live
        while live.peers and not live.gone and not self._stopping:
            self._wake.clear()
            try:
                wait = await self._step()
            except (Unavailable, Refusal) as error:
                log.info("driver", extra={"details": {"table": live.id, "why": str(error)}})
                wait = AGAIN
            except Exception:
                log.exception("driver", extra={"details": {"table": live.id}})
                wait = 5 * AGAIN
            if wait != 0.0 and not self._wake.is_set():
                alarm = None if wait is None else asyncio.get_running_loop().call_later(wait, self._wake.set)
                await self._wake.wait()
                if alarm:
                    alarm.cancel()

    async def _step(self) -> float | None:
        """Do what is due; the seconds until something else is, None where only people can go on."""
        now = time.monotonic()
        table = self.live.table
        if table.status in (PAUSED, LOBBY, OVER):
            return await self._held_up(now)
        if table.undo:
            return None  # until the others have agreed or not
        bots: list[int] = []
        soonest: float | None = None
        for seat in table.waiting_for():
            due = self._due(seat, now)
            if due is None:
                continue
            if due > now:
                soonest = due if soonest is None else min(soonest, due)
            elif table.played_by_bot(seat) or table.hurried(seat):
                bots.append(seat)
            else:
                await self._send_away(seat)
                return 0.0
        if bots:
            if table.realtime:
                self._thought.shuffle(bots)
            await self._act(bots)
            return 0.0
        if (beat := self._beat_ends(now)) is not None:
            if beat <= now:
                await self._open_seals()
                return 0.0
            soonest = beat if soonest is None else min(soonest, beat)
        return None if soonest is None else soonest - now

    def _due(self, seat: int, now: float) -> float | None:
        """When something has to happen at a seat that is waited for."""
        table = self.live.table
        decision = table.decision(seat)
        asked = self._asked.get(seat)
        if asked is None or asked[0] != decision:
            asked = self._asked[seat] = (decision, now)
            self._moments[seat] = self._answers_at(seat, now)
        if table.realtime:
            return self._due_in_real_time(seat, asked[1])
        if table.played_by_bot(seat):
            return asked[1] + PACES[table.settings["pace"]] * (0.0 if table.all_at_once else 1.0)
        clock = table.settings["clock"]
        if clock is not None:
            return asked[1] + float(clock)
        return self._missed_at(seat, max(asked[1], self._gone.get(seat, 0.0)))

    def _answers_at(self, seat: int, now: float) -> float:
        """When a bot has thought enough where everybody acts at once."""
        table = self.live.table
        if not table.realtime:
            return now
        tempo = TEMPOS.get(table.settings["pace"], AT_ONCE)
        if tempo is AT_ONCE and now - self.live.used > WATCHED:
            tempo = TEMPOS["fast"]
        moment = now + self._thought.uniform(*tempo[table.hurried(seat)])
        if tempo is AT_ONCE:
            return moment
        return self._phase + TICK * math.ceil((moment - self._phase) / TICK)

    def _due_in_real_time(self, seat: int, since: float) -> float | None:
        table = self.live.table
        if table.played_by_bot(seat):
            return self._moments[seat]
        if table.hurried(seat):
            return since + float(table.settings["unison"])
        return self._missed_at(seat, max(since, self._gone.get(seat, 0.0)))

    def too_late(self, seat: int, now: float) -> bool:
        """Whether a seat had its time in which the clock was running, by our clock alone."""
        table = self.live.table
        if not (table.realtime and table.match and table.hurried(seat)):
            return False
        asked = self._asked.get(seat)
        return bool(
            asked and asked[0] == table.decision(seat) and now > asked[1] + float(table.settings["unison"])
        )

    def _beat_ends(self, now: float) -> float | None:
        """When sealed moves are opened though not everybody has sealed one."""
        table, match = self.live.table, self.live.table.match
        silent = table.waiting_for()
        if match is None or not table.pulse or not (match.sealed or any(map(table.expected, silent))):
            self._sealing = None
            return None
        first = sum(match.decided)
        if self._sealing is None or self._sealing[0] != first:
            self._sealing = (first, now)
        return self._sealing[1] + SEALED_FOR

    async def _open_seals(self) -> None:
        def decide(table: Table) -> Plan:
            ahead = Ahead(table, self.live.viewers(), self.live.secret)
            for seat in table.waiting_for():  # with the last of them all are open
                idle, command = table.game.package.table.IDLE, secrets.token_hex(8)
                ahead.seal(seat, idle, command, f"clock {seat}")
            return ahead.plan()

        await self.live.carry_out("", "", "", decide)

    def _missed_at(self, seat: int, since: float) -> float | None:
        return None if self._on_the_line(seat) else since + ABSENT

    def _on_the_line(self, seat: int) -> bool:
        return any(peer.viewer == seat for peer in self.live.peers)

    async def _held_up(self, now: float) -> float | None:
        """A host for whom everybody waits and who has gone is marked as away: the others can go on."""
        place = self.live.table.places[HOST]
        due = self._missed_at(HOST, self._gone.setdefault(HOST, now))
        if place.kind != PERSON or place.away or due is None:
            return None
        if due > now:
            return due - now
        await self._send_away(HOST)
        return 0.0

    async def _act(self, seats: list[int]) -> None:
        """Bots move: all that are asked now, and where there is no pace to keep those asked next, too."""
        asked = {seat: self.live.table.decision(seat) for seat in seats}
        try:
            async with self.live.thinking:
                for _ in range(ROUNDS):
                    await asyncio.sleep(0)
            await self.live.carry_out("bots", "", "", lambda table: self._bot_moves(table, asked))
        except (IllegalMove, Refusal):
            await asyncio.sleep(0)  # the table has moved on

    async def _send_away(self, seat: int) -> None:
        live = self.live
        if live.store.shared and not self._on_the_line(seat):
            last = await live._read(lambda: live.store.last_seen(live.id, seat))
            if time.time() - last < 3 * BEAT:
                self._gone[seat] = time.monotonic()  # on the line of another server
                return
        gone = live.table.places[seat].tenant

        def decide(table: Table) -> Plan:
            place = table.places[seat]
            if place.tenant != gone or place.away:
                raise Refusal("late", "that seat has changed hands")
            return Plan([Event("away", {"seat": seat})])

        await live.carry_out("", "", "", decide)

    def _bot_moves(self, table: Table, asked: dict[int, int]) -> Plan:
        """The moves of bots, played on in a copy of the table, so that they are stored together."""
        ahead = Ahead(table, self.live.viewers(), self.live.secret)
        for seat, decision in asked.items():
            waits = len(ahead.events) < TOGETHER and seat in ahead.table.waiting_for()
            if waits and ahead.table.decision(seat) == decision:
                self._bot_move(ahead, seat)
        if ahead.events:  # else all bots did nothing, or somebody else has moved
            self.follow(ahead)
        return ahead.plan()

    def follow(self, ahead: Ahead) -> None:
        """Where bots keep no pace they answer at once, and that is stored together with what they answer."""
        table = ahead.table
        if table.settings["pace"] != "instant" or table.realtime:
            return
        while len(ahead.events) < TOGETHER:
            bots = [seat for seat in table.waiting_for() if table.played_by_bot(seat)]
            if not bots:
                return
            self._bot_move(ahead, bots[0])

    def _bot_move(self, ahead: Ahead, seat: int) -> None:
        command, match = secrets.token_hex(8), ahead.table.match
        assert match is not None
        play = ahead.seal if ahead.table.pulse else ahead.move
        if ahead.table.played_by_bot(seat) is None:  # time is up for a person
            return play(seat, ahead.table.game.package.table.IDLE, command, f"clock {seat}")
        try:
            move = self._bots(ahead.table).choose(match.state, seat)
            if self._does_nothing(ahead.table, seat, move):
                self._asked.pop(seat, None)  # it thinks again
                return None
            play(seat, move, command, f"bot {seat}")
        except (IllegalMove, RuleError) as error:  # any move, so that the table goes on
            log.warning("bot failed", extra={"details": {"table": self.live.id, "why": str(error)[:200]}})
            any_move = secrets.choice(match.state.moves(seat))
            play(seat, any_move, command, f"bot {seat} failed")
        return None

    def _does_nothing(self, table: Table, seat: int, move: str | int) -> bool:
        """Whether a bot's move is none, so that it need not be stored."""
        if not table.realtime or table.pulse or table.hurried(seat):
            return False
        return table.seal(seat, move) == str(table.game.package.table.IDLE)

    def _bots(self, table: Table) -> Company:
        assert table.match is not None
        key = (table.match.number, *table.places)
        if self._company is None or self._company[0] != key:
            seated = [table.played_by_bot(seat) or "random" for seat in range(table.game.players)]
            self._company = (key, Company(table.game, seated, secrets.randbits(63)))
        return self._company[1]
