"""What a command does: from a table and a message to the events that are stored. Changes nothing itself."""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from typing import Any

from ninefold.engine import registry
from ninefold.kernel.facts import Facts
from ninefold.server.messages import Bot, Command, Do, Joining, Kick, Move, Opening, Say, encode
from ninefold.server.names import clean_name, clean_words
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
    STAND_IN,
    Event,
    Moment,
    Refusal,
    Table,
)
from ninefold.server.telling import News, news, update


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
    ahead: Ahead | None = None


class Ahead:
    """A table played on ahead of what is stored, with what its viewers will then be told."""

    def __init__(self, table: Table, viewers: Collection[int | None], secret: bytes) -> None:
        self.table = table.copy()
        self.secret = secret  # what the draws are made from
        self.events: list[Event] = []
        self._first = table.seq + 1
        self._news: dict[int | None, list[News]] = {viewer: [] for viewer in viewers}

    def begin(self, command: str) -> int:
        """Begin a match, of which a new secret is made; its number."""
        self.secret = secrets.token_bytes(32)
        event, moments = self.table.begin(self.secret, command)
        self._note(event, moments)
        return int(event.body["match"])

    def move(self, seat: int, move: str | int, command: str, who: str) -> None:
        """Play a move, with what chance brings; IllegalMove says why not."""
        for event, moments in self.table.advance(seat, move, command, who, self.secret):
            self._note(event, moments)

    def seal(self, seat: int, move: str | int, command: str, who: str) -> None:
        """Seal a move; when all have, open them."""
        body = {"seat": seat, "move": self.table.seal(seat, move)}
        self.apply(Event("sealed", body, who, command))
        if not self.table.waiting_for():
            for event, moments in self.table.open_seals(self.secret):
                self._note(event, moments)

    def apply(self, event: Event) -> None:
        self._note(event, self.table.apply(event))

    def _note(self, event: Event, moments: list[Moment]) -> None:
        self.events.append(event)
        for viewer, found in self._news.items():
            found.append(news(self.table, viewer, self._first + len(self.events) - 1, event, moments))

    def messages(self) -> dict[int | None, bytes]:
        """What every viewer is sent once all of it is stored."""
        return {viewer: update(self.table, viewer, found) for viewer, found in self._news.items()}

    def plan(self) -> Plan:
        return Plan(self.events, ahead=self)


Decide = Callable[[Table], Plan]


def command(
    table: Table,
    seat: int,
    tenant: int,
    message: Command,
    secret: bytes,
    viewers: Collection[int | None] = (),
) -> Plan:
    """The plan of a command of whoever sits at a seat; Refusal or IllegalMove says why there is none."""
    if table.places[seat].tenant != tenant:
        raise Refusal("bad_token", "this key opens no seat here")
    if table.notice:
        raise Refusal("closed", table.notice)
    if isinstance(message, Move):
        return _move(table, seat, message, secret, viewers)
    if isinstance(message, Do):
        return _do(table, seat, message, viewers)
    if isinstance(message, Say):
        return _say(table, seat, message)
    return _seat_bot(table, seat, message) if isinstance(message, Bot) else _kick(table, seat, message)


def _move(table: Table, seat: int, message: Move, secret: bytes, viewers: Collection[int | None]) -> Plan:
    table.check_move(seat, message.decision)
    ahead = Ahead(table, viewers, secret)
    play = ahead.seal if table.pulse else ahead.move
    play(seat, message.move, message.id, str(seat))
    if table.places[seat].away:
        ahead.apply(Event("back", {"seat": seat}))
    return ahead.plan()


def _do(table: Table, seat: int, message: Do, viewers: Collection[int | None]) -> Plan:
    def one(kind: str, body: Mapping[str, Any]) -> Plan:
        return Plan([Event(kind, body, str(seat), message.id)])

    match message.what:
        case "start":
            _host(table, seat)
            if table.status not in (LOBBY, OVER):
                raise Refusal("running", "a match is being played")
            return _start(table, message.id, viewers)
        case "restart":
            _host(table, seat)
            if table.match is None:
                raise Refusal("no_match", "there is nothing to begin again")
            return _start(table, message.id, viewers)
        case "undo":
            return _undo(table, seat, message.id)
        case "undo_no":
            if table.undo is None:
                raise Refusal("no_undo", "nobody wants to take anything back")
            return one("undo_refused", {"seat": seat})
        case "pause":
            _host(table, seat)
            if table.status != PLAYING:
                raise Refusal("no_match", "there is nothing to pause")
            return one("paused", {})
        case "resume":
            _host(table, seat)
            if table.status != PAUSED:
                raise Refusal("no_match", "there is nothing to resume")
            return one("resumed", {})
        case "leave":
            empty = table.status in (LOBBY, OVER) and seat != HOST
            return one("emptied" if empty else "away", {"seat": seat})
        case "back":
            return one("back", {"seat": seat})
        case "end":
            return _vote(table, seat, message.id)


def _vote(table: Table, seat: int, command: str) -> Plan:
    """Ending a match by agreement: all people who are there must want it."""
    if table.status not in (PLAYING, PAUSED):
        raise Refusal("no_match", "there is no match to end")
    ends = _present(table) <= table.votes | {seat}
    return Plan([Event("voted", {"seat": seat, "ends": ends}, str(seat), command)])


def _present(table: Table) -> set[int]:
    return {at for at, place in enumerate(table.places) if place.kind == PERSON and not place.away}


def _undo(table: Table, seat: int, command: str) -> Plan:
    """Taking back a seat's last move, and all that came after it, if everybody who is there agrees."""
    if table.match is None or table.status not in (PLAYING, PAUSED):
        raise Refusal("no_match", "there is no match in which to take something back")
    if table.realtime:
        raise Refusal("no_undo", "what has changed hands between players cannot be taken back")
    by = table.undo["by"] if table.undo else seat
    agreed = {*(table.undo["agreed"] if table.undo else ()), seat}
    last = max((at for at, step in enumerate(table.match.steps) if step[0] == by), default=None)
    if last is None:
        raise Refusal("no_undo", "you have not moved yet")
    if not _present(table) <= agreed:
        return Plan([Event("undo_asked", {"seat": seat}, str(seat), command)])
    return Plan([Event("undone", {"seat": by, "to": last}, str(seat), command)])


def _say(table: Table, seat: int, message: Say) -> Plan:
    if not table.settings.get("chat"):
        raise Refusal("no_chat", "there is no chat at this table")
    body = {"seat": seat, "text": clean_words(message.text)}
    return Plan([Event("said", body, str(seat), message.id)])


def _start(table: Table, command: str, viewers: Collection[int | None]) -> Plan:
    ahead = Ahead(table, viewers, b"")
    for seat, place in enumerate(table.places):
        if place.kind == OPEN:
            ahead.apply(Event("bot", {"seat": seat, "name": bot_name(STAND_IN, seat), "bot": STAND_IN}))
    number = ahead.begin(command)
    return Plan(ahead.events, secret=(number, ahead.secret), ahead=ahead)


def _seat_bot(table: Table, seat: int, message: Bot) -> Plan:
    _host(table, seat)
    table.check_seat(message.seat, (OPEN, BOT) if table.status in (LOBBY, OVER) else (BOT,))
    registry.player(table.game.name, message.bot)
    body = {"seat": message.seat, "bot": message.bot, "name": bot_name(message.bot, message.seat)}
    return Plan([Event("bot", body, str(seat), message.id)])


def _kick(table: Table, seat: int, message: Kick) -> Plan:
    if seat != HOST:
        raise Refusal("not_host", "only the host can do that")
    if message.seat == HOST:
        raise Refusal("host", "the host cannot be sent away")
    place = table.check_seat(message.seat, (PERSON, BOT))
    if table.status in (LOBBY, OVER):
        return Plan([Event("emptied", {"seat": message.seat}, str(seat), message.id)])
    bot = place.bot or STAND_IN
    body = {"seat": message.seat, "bot": bot, "name": bot_name(bot, message.seat)}
    return Plan([Event("bot", body, str(seat), message.id)])


def _host(table: Table, seat: int) -> None:
    """What the host decides, or anybody while the host is away: nobody can keep the others waiting."""
    if seat != HOST and not table.places[HOST].away:
        raise Refusal("not_host", "only the host can do that")


def bot_name(bot: str, seat: int) -> str:
    return f"{bot.partition(':')[0].strip().capitalize()} {seat + 1}"


def sit(table: Table, table_id: str, joining: Joining) -> Plan:
    """Somebody sits down: at the seat they want, the first that is free, or else in place of a bot."""
    if table.status == CLOSED:
        raise Refusal("closed", table.notice)
    name = clean_name(joining.name, [place.name for place in table.places if place.name])
    if joining.seat is not None:
        table.check_seat(joining.seat, (OPEN, BOT))
    free = [at for kind in (OPEN, BOT) for at, place in enumerate(table.places) if place.kind == kind]
    if not free:
        raise Refusal("full", "every seat is taken")
    seat = free[0] if joining.seat is None else joining.seat
    rows = token_rows(table_id, seat, table.places[seat].tenant + 1, joining.token, joining.recovery)
    event = Event("sat", {"seat": seat, "name": name}, f"join {joining.id}", joining.id)
    return Plan([event], tokens=rows)


def token_rows(table_id: str, seat: int, tenant: int, token: str, recovery: str) -> list[dict[str, Any]]:
    """What is kept of a seat's two keys: not the keys."""
    if token == recovery:
        raise Refusal("same_keys", "a seat's key and its recovery key must differ")
    return [
        {"hash": hashed(key), "table_id": table_id, "seat": seat, "tenant": tenant, "purpose": purpose}
        for key, purpose in ((token, "seat"), (recovery, "recovery"))
    ]


def opening_events(
    opening: Opening, sheet: Facts, players: int, options: dict[str, Any], name: str
) -> list[Event]:
    """What a new table begins with."""
    settings = {
        "spectators": opening.spectators,
        "public": opening.public,
        "clock": opening.clock,
        "pace": opening.pace,
        "chat": opening.chat,
        "hints": opening.hints,
        "pulse": opening.pulse,
        "unison": opening.unison,
        "season": opening.season,
    }
    opened = {
        "game": opening.game,
        "rules": sheet.version,
        "players": players,
        "options": dict(options),
        "settings": settings,
    }
    bots = [
        Event("bot", {"seat": players - 1 - at, "bot": bot, "name": bot_name(bot, players - 1 - at)})
        for at, bot in enumerate(opening.bots)
    ]
    return [Event("opened", opened, "open", opening.id), Event("sat", {"seat": HOST, "name": name}), *bots]
