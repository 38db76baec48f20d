"""The tables of this server as they are played: commands in, stored events, and what every seat is sent.

All of it runs on one event loop; the database is waited for, never blocked on. A table is locked while a
command of its own is being stored, and only then applied, answered and told to everybody.
"""

from __future__ import annotations

import asyncio
import hashlib
import secrets
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from ninefold.engine import registry
from ninefold.engine.players import Company
from ninefold.kernel.errors import IllegalMove, RuleError
from ninefold.kernel.facts import Facts
from ninefold.server.messages import Bot, Command, Do, Joining, Kick, Move, Opening, encode
from ninefold.server.names import clean_name
from ninefold.server.peers import Peer
from ninefold.server.store import Append, Conflict, Store, Stored
from ninefold.server.table import (
    BOT,
    CLOSED,
    HOST,
    LOBBY,
    OPEN,
    OVER,
    PAUSED,
    PERSON,
    PLAYING,
    Event,
    Moment,
    Refusal,
    Table,
)

ALPHABET = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789"  # nothing that can be mistaken for something else
PACES = {"slow": 1.6, "normal": 0.8, "fast": 0.25, "instant": 0.0}
ABSENT = 60.0  # seconds after which a bot stands in for somebody who has gone and is waited for
TRIES = 5


def hashed(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()


def digest_of(command: object) -> str:
    return hashlib.sha256(encode(command)).hexdigest()


@dataclass
class Plan:
    """What a command does: events, and what is stored with them."""

    events: list[Event]
    tokens: list[dict[str, Any]] = field(default_factory=list)
    secret: tuple[int, bytes] | None = None


Decide = Callable[[Table], Plan]


class LiveTable:
    """A table in play."""

    def __init__(self, store: Store, table_id: str, code: str) -> None:
        self.store = store
        self.id = table_id
        self.code = code
        self.table = Table()
        self.peers: set[Peer] = set()
        self.answers: dict[tuple[str, str], tuple[int, str | None]] = {}
        self.secret = b""
        self.used = time.monotonic()
        self._lock = asyncio.Lock()
        self._wake = asyncio.Event()
        self._driver: asyncio.Task[None] | None = None
        self._company: tuple[tuple[str, ...], Company] | None = None
        self._since: dict[int, tuple[int, float]] = {}  # by seat: the decision asked, and since when

    # From and to the database

    async def load(self) -> None:
        """Take in what the database has and we have not."""
        stored = await self._read(lambda: self.store.events_of(self.id, self.table.seq))
        for one in stored:
            self._take(one)
        await self._learn_secret()

    async def _read(self, reading: Callable[[], Any]) -> Any:
        return await asyncio.get_running_loop().run_in_executor(self.store.readers, reading)

    async def _learn_secret(self) -> None:
        match = self.table.match
        if match and self.table.status in (PLAYING, PAUSED) and not self.secret:
            self.secret = await self._read(lambda: self.store.secret(self.id, match.number))

    def _take(self, stored: Stored) -> None:
        """Apply a stored event, and tell everybody."""
        if stored.event.command:
            self.answers[stored.event.who, stored.event.command] = (stored.seq, stored.digest)
        moments = self.table.apply(stored.event)
        if stored.event.kind == "started":
            self._company = None
        self._broadcast(stored.event, moments)
        self._wake.set()

    # Commands

    async def carry_out(self, who: str, command: str, digest: str, decide: Decide) -> int:
        """Do what a command says, once: the number of its event. Refusal says why not."""
        self.used = time.monotonic()
        async with self._lock:
            for _ in range(TRIES):
                if command and (known := self.answers.get((who, command))):
                    if known[1] != digest:
                        raise Refusal("id_reused", "this id belongs to another command")
                    return known[0]
                plan = decide(self.table)
                first = self.table.seq + 1
                work = Append(self.id, first, plan.events, digest or None, plan.tokens, plan.secret)
                try:
                    await asyncio.wrap_future(self.store.append(work))
                except Conflict:
                    await self.load()
                    continue
                if plan.secret:
                    self.secret = plan.secret[1]
                for number, event in enumerate(plan.events):
                    self._take(Stored(first + number, event, digest if event.command else None, work.at))
                return first
        raise Refusal("busy", "too much is happening at this table; try again")

    async def command(self, seat: int, message: Command) -> int:
        """A command of somebody who sits here."""
        decides: dict[type, Callable[[Table], Plan]] = {
            Move: lambda table: self._move(table, seat, message),
            Do: lambda table: self._do(table, seat, message),
            Bot: lambda table: self._seat_bot(table, seat, message),
            Kick: lambda table: self._kick(table, seat, message),
        }
        return await self.carry_out(str(seat), message.id, digest_of(message), decides[type(message)])

    def _move(self, table: Table, seat: int, message: Any) -> Plan:
        back = [Event("back", {"seat": seat})] if table.places[seat].away else []
        events = table.move(seat, message.move, message.id, message.decision, self.secret)
        return Plan([*events, *back])

    def _do(self, table: Table, seat: int, message: Any) -> Plan:
        event = Event("", {"seat": seat}, str(seat), message.id)
        match message.what:
            case "start":
                _host(seat)
                if table.status not in (LOBBY, OVER):
                    raise Refusal("running", "a match is being played")
                return self._start(table, message.id)
            case "pause" | "resume":
                _host(seat)
                wanted = PLAYING if message.what == "pause" else PAUSED
                if table.status != wanted:
                    raise Refusal("no_match", f"there is nothing to {message.what}")
                kind = "paused" if message.what == "pause" else "resumed"
                return Plan([Event(kind, {}, event.who, event.command)])
            case "leave":
                kind = "emptied" if table.status == LOBBY and seat != HOST else "away"
                return Plan([Event(kind, {"seat": seat}, event.who, event.command)])
            case "back":
                return Plan([Event("back", {"seat": seat}, event.who, event.command)])
        return self._vote(table, seat, message.id)

    def _vote(self, table: Table, seat: int, command: str) -> Plan:
        """Ending a match by agreement: all people who are there must want it."""
        if table.status not in (PLAYING, PAUSED):
            raise Refusal("no_match", "there is no match to end")
        here = {at for at, place in enumerate(table.places) if place.kind == PERSON and not place.away}
        ends = here <= table.votes | {seat}
        return Plan([Event("voted", {"seat": seat, "ends": ends}, str(seat), command)])

    def _start(self, table: Table, command: str) -> Plan:
        secret = secrets.token_bytes(32)
        begun = table.start(secret)
        filled = [
            Event("bot", {"seat": seat, "name": f"Bot {seat + 1}", "bot": "medium"})
            for seat, place in enumerate(table.places)
            if place.kind == OPEN
        ]
        event = Event(begun.kind, begun.body, str(HOST), command)
        return Plan([*filled, event], secret=(begun.body["match"], secret))

    def _seat_bot(self, table: Table, seat: int, message: Any) -> Plan:
        _host(seat)
        table.check_seat(message.seat, (OPEN, BOT) if table.status == LOBBY else (BOT,))
        registry.player(table.game.name, message.bot)
        body = {"seat": message.seat, "bot": message.bot, "name": _bot_name(message.bot, message.seat)}
        return Plan([Event("bot", body, str(seat), message.id)])

    def _kick(self, table: Table, seat: int, message: Any) -> Plan:
        _host(seat)
        if message.seat == HOST:
            raise Refusal("host", "the host cannot be sent away")
        place = table.check_seat(message.seat, (PERSON, BOT))
        if table.status == LOBBY:
            return Plan([Event("emptied", {"seat": message.seat}, str(seat), message.id)])
        body = {"seat": message.seat, "bot": place.bot or "medium", "name": f"Bot {message.seat + 1}"}
        return Plan([Event("bot", body, str(seat), message.id)])

    def sit(self, joining: Joining) -> Decide:
        """Somebody sits down: at the seat they want, or the first that is free."""

        def decide(table: Table) -> Plan:
            name = clean_name(joining.name, [place.name for place in table.places if place.kind == PERSON])
            if table.status in (OVER, CLOSED):
                raise Refusal(
                    "closed", "this table is closed" if table.status == CLOSED else "the match is over"
                )
            free = [at for at, place in enumerate(table.places) if place.kind == OPEN]
            if joining.seat is not None:
                table.check_seat(joining.seat, (OPEN,))
                free = [joining.seat]
            if not free:
                raise Refusal("full", "every seat is taken")
            seat = free[0]
            tenant = table.places[seat].tenant + 1
            rows = [
                {
                    "hash": hashed(secret),
                    "table_id": self.id,
                    "seat": seat,
                    "tenant": tenant,
                    "purpose": purpose,
                }
                for secret, purpose in ((joining.token, "seat"), (joining.recovery, "recovery"))
            ]
            body = {"seat": seat, "name": name}
            return Plan([Event("sat", body, f"join {joining.id}", joining.id)], tokens=rows)

        return decide

    # What everybody is sent

    def _broadcast(self, event: Event, moments: list[Moment]) -> None:
        made: dict[int | None, bytes] = {}
        for peer in list(self.peers):
            if peer.viewer not in made:
                made[peer.viewer] = self.update(peer.viewer, event, moments)
            peer.send(made[peer.viewer])

    def update(self, viewer: int | None, event: Event, moments: list[Moment]) -> bytes:
        """What a viewer is sent of an event: the one place where it is made."""
        return encode(
            {
                "type": "update",
                "seq": self.table.seq,
                "kind": event.kind,
                "told": self.table.tell(moments, viewer),
                **self._seen(viewer),
            }
        )

    def _seen(self, viewer: int | None) -> dict[str, Any]:
        table = self.table
        playing = table.match is not None and viewer is not None and table.status in (PLAYING, PAUSED)
        return {
            "table": table.public(),
            "view": table.view(viewer),
            "decision": table.decision(viewer) if playing and viewer is not None else None,
        }

    def welcome(self, viewer: int | None) -> bytes:
        """What a viewer is sent on arrival."""
        return encode(
            {
                "type": "welcome",
                "seq": self.table.seq,
                "seat": viewer,
                "code": self.code,
                **self._seen(viewer),
            }
        )

    async def missed(self, viewer: int | None, since: int) -> list[bytes]:
        """The updates after `since`, as the viewer would have been sent them."""
        stored = await self._read(lambda: self.store.events_of(self.id))
        again = LiveTable(self.store, self.id, self.code)
        found = []
        for one in stored[: self.table.seq]:
            moments = again.table.apply(one.event)
            if one.seq > since:
                found.append(again.update(viewer, one.event, moments))
        return found

    # Bots and clocks

    def begin_driving(self) -> None:
        if self._driver is None or self._driver.done():
            self._driver = asyncio.create_task(self._drive())

    async def stop(self) -> None:
        if self._driver:
            self._driver.cancel()
            await asyncio.gather(self._driver, return_exceptions=True)

    async def _drive(self) -> None:
        """Let bots move, and clocks run out, for as long as anybody is here."""
        while True:
            self._wake.clear()
            wait = await self._step()
            try:
                await asyncio.wait_for(self._wake.wait(), wait)
            except TimeoutError:
                continue

    async def _step(self) -> float | None:
        """Do what is due; the seconds until something else is."""
        now = time.monotonic()
        soonest: float | None = None
        for seat in self.table.waiting_for():
            due = self._due(seat, now)
            if due is None:
                continue
            if due <= now:
                await self._act(seat)
                return 0.0
            soonest = due if soonest is None else min(soonest, due)
        return None if soonest is None else max(0.0, soonest - now)

    def _due(self, seat: int, now: float) -> float | None:
        """When something has to happen at a seat that is waited for."""
        decision = self.table.decision(seat)
        asked = self._since.get(seat)
        if asked is None or asked[0] != decision:
            asked = self._since[seat] = (decision, now)
        settings = self.table.settings
        if self.table.played_by_bot(seat):
            return asked[1] + PACES[settings["pace"]] * (0.0 if self.table.all_at_once else 1.0)
        clock = settings["clock"]
        if clock is not None:
            return asked[1] + float(clock)
        return None if any(peer.viewer == seat for peer in self.peers) else asked[1] + ABSENT

    async def _act(self, seat: int) -> None:
        """A bot moves, or somebody who does not is stood in for."""
        try:
            if self.table.played_by_bot(seat):
                await self.carry_out(f"bot {seat}", "", "", lambda table: self._bot_move(table, seat))
            else:
                away = Plan([Event("away", {"seat": seat})])
                await self.carry_out(f"clock {seat}", "", "", lambda _: away)
        except (IllegalMove, Refusal):
            await asyncio.sleep(0.05)  # the table has moved on

    def _bot_move(self, table: Table, seat: int) -> Plan:
        match = table.match
        if match is None or seat not in table.waiting_for():
            raise Refusal("late", "somebody else has moved")
        move = self._bots(table).choose(match.state, seat)
        text = move if isinstance(move, str) else match.state.say(seat, move)
        command = secrets.token_hex(8)
        events = table.move(seat, text, command, None, self.secret)
        return Plan(
            [
                Event(event.kind, event.body, f"bot {seat}" if event.command else "", event.command)
                for event in events
            ]
        )

    def _bots(self, table: Table) -> Company:
        seated = tuple(table.played_by_bot(seat) or "random" for seat in range(table.game.players))
        if self._company is None or self._company[0] != seated:
            self._company = (seated, Company(table.game, seated, secrets.randbits(63)))
        return self._company[1]


def _bot_name(bot: str, seat: int) -> str:
    return f"{bot.partition(':')[0].capitalize()} {seat + 1}"


def _new_code() -> str:
    return "".join(secrets.choice(ALPHABET) for _ in range(6))


def _host(seat: int) -> None:
    if seat != HOST:
        raise Refusal("not_host", "only the host can do that")


class House:
    """All tables that this server has in memory."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self.tables: dict[str, LiveTable] = {}
        self._loading: dict[str, asyncio.Lock] = {}

    async def open_table(self, opening: Opening) -> LiveTable:
        """A new table with its host at seat 0."""
        sheet = registry.facts(opening.game)
        players, options = registry.settings(sheet, opening.players or sheet.usual_players, opening.options)
        for bot in opening.bots:
            registry.player(opening.game, bot)
        if len(opening.bots) >= players:
            raise RuleError(f"{len(opening.bots)} bots leave no seat for you at a table of {players}")
        name = clean_name(opening.name, [])
        # The same request, sent again, finds the table that it opened.
        live = LiveTable(self.store, digest_of([opening.id, opening.token])[:32], _new_code())
        events = _opening_events(opening, sheet, players, options, name)
        keys = _tokens(live.id, opening.token, opening.recovery)
        work = Append(live.id, 1, events, digest_of(opening), keys)
        row = {"id": live.id, "code": live.code, "game": opening.game, "public": int(opening.public)}
        work.new_table = {**row, "made": work.at, "touched": work.at}
        try:
            await asyncio.wrap_future(self.store.append(work))
        except Conflict:
            code = await self._read(lambda: self.store.code_of(live.id))
            if code is None:
                raise Refusal("busy", "try again") from None  # the code was taken: one in a thousand million
            return await self.load(live.id, str(code))
        return await self.load(live.id, live.code)

    async def find(self, code: str) -> LiveTable:
        """A table by its code; Refusal where there is none."""
        table_id = await self._read(lambda: self.store.find_table(code))
        if table_id is None:
            raise Refusal("no_table", f"there is no table {code}")
        return await self.load(str(table_id), code)

    async def load(self, table_id: str, code: str) -> LiveTable:
        """A table from memory or from the database."""
        async with self._loading.setdefault(table_id, asyncio.Lock()):
            if table_id not in self.tables:
                live = LiveTable(self.store, table_id, code)
                await live.load()
                self.tables[table_id] = live
                live.begin_driving()
        return self.tables[table_id]

    async def seat_of(self, live: LiveTable, token: str | None) -> int | None:
        """The seat that a token opens; None is a spectator. Refusal where it opens nothing here."""
        if token is None:
            if not live.table.settings["spectators"]:
                raise Refusal("no_spectators", "this table has no spectators; join it to see it")
            return None
        found = await self._read(lambda: self.store.find_token(hashed(token)))
        if found is None or found.table_id != live.id or live.table.places[found.seat].tenant != found.tenant:
            raise Refusal("bad_token", "this key opens no seat here")
        return int(found.seat)

    async def _read(self, reading: Callable[[], Any]) -> Any:
        return await asyncio.get_running_loop().run_in_executor(self.store.readers, reading)

    async def woken(self, table_id: str) -> None:
        """Another server has written to a table."""
        live = self.tables.get(table_id)
        if live:
            async with live._lock:
                await live.load()

    def rest(self, idle: float) -> None:
        """Forget, in memory only, the tables that nobody has used for a while."""
        now = time.monotonic()
        for table_id, live in list(self.tables.items()):
            if not live.peers and now - live.used > idle:
                if live._driver:
                    live._driver.cancel()
                del self.tables[table_id]
                self._loading.pop(table_id, None)

    async def close(self) -> None:
        for live in list(self.tables.values()):
            await live.stop()
            for peer in list(live.peers):
                peer.close(1012, "the house restarts")
        self.store.close()


def _tokens(table_id: str, token: str, recovery: str) -> list[dict[str, Any]]:
    row = {"table_id": table_id, "seat": HOST, "tenant": 1}
    return [
        {**row, "hash": hashed(token), "purpose": "seat"},
        {**row, "hash": hashed(recovery), "purpose": "recovery"},
    ]


def _opening_events(
    opening: Opening, sheet: Facts, players: int, options: dict[str, Any], name: str
) -> list[Event]:
    settings = {
        "spectators": opening.spectators,
        "public": opening.public,
        "clock": opening.clock,
        "pace": opening.pace,
    }
    opened = {
        "game": opening.game,
        "rules": sheet.version,
        "players": players,
        "options": dict(options),
        "settings": settings,
    }
    bots = [
        Event("bot", {"seat": players - 1 - at, "bot": bot, "name": _bot_name(bot, players - 1 - at)})
        for at, bot in enumerate(opening.bots)
    ]
    return [Event("opened", opened), Event("sat", {"seat": HOST, "name": name}), *bots]
