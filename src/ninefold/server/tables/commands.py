"""What a command does: from a table and a message to the events that are to be stored. Changes nothing."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Collection, Mapping
from typing import Any

from ninefold.engine.bots import find_bot
from ninefold.engine.match import BOT, OPEN, PERSON, STAND_IN
from ninefold.model.facts import Facts
from ninefold.server.tables.draft import Draft, Plan
from ninefold.server.tables.events import Event
from ninefold.server.tables.messages import Bot, Command, Do, Joining, Kick, Move, Opening, Say, encode
from ninefold.server.tables.names import clean_name, clean_words
from ninefold.server.tables.table import CLOSED, HOST, LOBBY, OVER, PAUSED, PLAYING, Refusal, Table


def hashed(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()


def digest_of(command: object) -> str:
    return hashlib.sha256(encode(command)).hexdigest()


Decide = Callable[[Table], Plan]


def plan_command(
    table: Table,
    seat: int,
    tenant: int,
    message: Command,
    secret: bytes,
    viewers: Collection[int | None] = (),
) -> Plan:
    """The plan of a command from a seat; Refusal or IllegalMove says why there is none."""
    if table.places[seat].tenant != tenant:
        raise Refusal("bad_token", "this link doesn't match a seat at this table")
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
    draft = Draft(table, viewers, secret)
    draft.submit(seat, message.move, message.id, str(seat))
    if table.places[seat].away:
        draft.apply(Event("back", {"seat": seat}))
    return draft.plan()


def _do(table: Table, seat: int, message: Do, viewers: Collection[int | None]) -> Plan:
    def one(kind: str, body: Mapping[str, Any]) -> Plan:
        return Plan([Event(kind, body, str(seat), message.id)])

    match message.what:
        case "start":
            if table.status not in (LOBBY, OVER):
                raise Refusal("running", "a match is being played")
            if table.status != OVER:
                _host(table, seat)  # a rematch is for everyone who has just played
            return _start(table, message.id, viewers)
        case "restart":
            _host(table, seat)
            if table.match is None:
                raise Refusal("no_match", "there is no match to restart")
            return _start(table, message.id, viewers)
        case "undo":
            return _undo(table, seat, message.id)
        case "undo_no":
            if table.undo is None:
                raise Refusal("no_undo", "nobody has asked to take a move back")
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
        raise Refusal("no_match", "there is no match in which to take a move back")
    if table.realtime:
        raise Refusal("no_undo", "moves cannot be taken back in a game that everybody plays at once")
    by = table.undo["by"] if table.undo else seat
    agreed = {*(table.undo["agreed"] if table.undo else ()), seat}
    last = table.match.last_decision(by)
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
    draft = Draft(table, viewers, b"")
    for seat, place in enumerate(table.places):
        if place.kind == OPEN:
            draft.apply(Event("bot", {"seat": seat, "name": bot_name(STAND_IN, seat), "bot": STAND_IN}))
    number = draft.begin(command)
    return Plan(draft.events, secret=(number, draft.secret), draft=draft)


def _seat_bot(table: Table, seat: int, message: Bot) -> Plan:
    _host(table, seat)
    table.check_seat(message.seat, (OPEN, BOT) if table.status in (LOBBY, OVER) else (BOT,))
    find_bot(table.game.name, message.bot)
    body = {"seat": message.seat, "bot": message.bot, "name": bot_name(message.bot, message.seat)}
    return Plan([Event("bot", body, str(seat), message.id)])


def _kick(table: Table, seat: int, message: Kick) -> Plan:
    if seat != HOST:
        raise Refusal("not_host", "only the host can do that")
    if message.seat == HOST:
        raise Refusal("host", "the host cannot be removed")
    place = table.check_seat(message.seat, (PERSON, BOT))
    if table.status in (LOBBY, OVER):
        return Plan([Event("emptied", {"seat": message.seat}, str(seat), message.id)])
    bot = place.bot or STAND_IN
    body = {"seat": message.seat, "bot": bot, "name": bot_name(bot, message.seat)}
    return Plan([Event("bot", body, str(seat), message.id)])


def _host(table: Table, seat: int) -> None:
    """What the host decides, or anybody while the host is away, so that nobody is kept waiting."""
    if seat != HOST and not table.places[HOST].away:
        raise Refusal("not_host", "only the host can do that")


def bot_name(bot: str, seat: int) -> str:
    return f"{bot.partition(':')[0].strip().capitalize()} {seat + 1}"


def sit(table: Table, table_id: str, joining: Joining) -> Plan:
    """A player sits down: at the seat they want, the first that is free, or else in place of a bot."""
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
