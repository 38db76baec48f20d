"""What a command does: from a table and a message to the events that are to be stored. Changes nothing."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from msgspec import UNSET

from ninefold.engine.cast import MIXED, at_level, choose_bots
from ninefold.engine.clock import LOOK_LIMIT
from ninefold.engine.match import BOT, OPEN, PERSON
from ninefold.model.cast import USUAL
from ninefold.model.facts import Facts
from ninefold.server.tables import agreements
from ninefold.server.tables.draft import Draft, Plan
from ninefold.server.tables.events import Event
from ninefold.server.tables.messages import (
    Absent,
    Admit,
    Bot,
    Command,
    Do,
    Joining,
    Kick,
    Move,
    Opening,
    Roll,
    Say,
    Share,
    TableSettings,
    encode,
)
from ninefold.server.tables.names import clean_name, clean_words, look_alike
from ninefold.server.tables.table import CLOSED, HOST, LOBBY, OVER, PAUSED, PLAYING, Refusal, Table


def hashed(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()


def digest_of(command: object) -> str:
    return hashlib.sha256(encode(command)).hexdigest()


Decide = Callable[[Table], Plan]
OF_PLAYERS = ("restart", "end", "undo", "undo_no", "ready")
MOST_ASKING = 4  # people who ask to join at the same time


def plan_command(
    table: Table, seat: int, tenant: int, message: Command, secret: bytes, why: str = "offline"
) -> Plan:
    """The plan of a command from a seat; Refusal or IllegalMove says why there is none. `why` says for what
    reason a bot may play for someone."""
    if table.places[seat].tenant != tenant:
        raise Refusal("bad_token", "this link doesn't match a seat at this table")
    if table.notice:
        raise Refusal("closed", table.notice)
    watches = table.places[seat].keeper is not None  # a newcomer in the middle of a deal
    if watches and (
        isinstance(message, Move | Roll) or (isinstance(message, Do) and message.what in OF_PLAYERS)
    ):
        raise Refusal("watching", "a bot plays for you until the next deal")
    if isinstance(message, Move | Roll):
        return _move(table, seat, message, secret)
    if isinstance(message, Admit):
        return admit(table, seat, message)
    if isinstance(message, Do):
        return _do(table, seat, message, secret)
    if isinstance(message, Say):
        return _say(table, seat, message)
    if isinstance(message, Share):
        return _share(table, seat, message)
    if isinstance(message, Absent):
        return stand_in(table, message.seat, why, str(seat), message.id)
    return _seat_bot(table, seat, message) if isinstance(message, Bot) else _kick(table, seat, message)


def _move(table: Table, seat: int, message: Move | Roll, secret: bytes) -> Plan:
    table.check_move(seat, message.decision)
    draft = Draft(table, secret)
    if isinstance(message, Roll):
        draft.roll(seat, message.id, str(seat))
    else:
        draft.submit(seat, message.move, message.id, str(seat))
    if table.places[seat].away:
        draft.apply(Event("back", {"seat": seat}))
    return draft.plan()


def _do(table: Table, seat: int, message: Do, secret: bytes) -> Plan:
    def one(kind: str, body: Mapping[str, Any]) -> Plan:
        return Plan([Event(kind, body, str(seat), message.id)])

    match message.what:
        case "start":
            if table.status not in (LOBBY, OVER):
                raise Refusal("running", "a match is being played")
            if table.status != OVER:
                _host(table, seat)  # a rematch is for everyone who has just played
            return _start(table, seat, message.id, secret)
        case "restart":
            return _restart(table, seat, message.id, secret)
        case "undo":
            return agreements.undo(table, seat, message.id)
        case "undo_no":
            if table.undo is None:
                raise Refusal("no_undo", "no one has asked to undo a move")
            return one("undo_refused", {"seat": seat})
        case "lock" | "unlock":
            _host(table, seat)
            return one(f"{message.what}ed", {})
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
        case "ready":
            table.check_move(seat, None)
            draft = Draft(table, secret)
            draft.take(draft.table.running.say_ready(seat, message.id), str(seat))
            return draft.plan()
        case "end":
            return agreements.vote_to_end(table, seat, message.id)


def _restart(table: Table, seat: int, command: str, secret: bytes) -> Plan:
    """Play the match again; in the middle of it only if everyone present agrees."""
    if not table.restarts:
        _host(table, seat)
    if table.match is None:
        raise Refusal("no_match", "there is no match to restart")
    if table.status not in (PLAYING, PAUSED):
        return _start(table, seat, command, secret)
    voted = agreements.vote_to_restart(table, seat, command)
    return _start(table, seat, command, secret, voted) if voted.events[0].body["ends"] else voted


def _say(table: Table, seat: int, message: Say) -> Plan:
    if not table.settings.get("chat"):
        raise Refusal("no_chat", "there is no chat at this table")
    body = {"seat": seat, "text": clean_words(message.text)}
    return Plan([Event("said", body, str(seat), message.id)])


def _share(table: Table, seat: int, message: Share) -> Plan:
    """A person's part in the draws of the next match; once only, so that nobody can choose again."""
    if table.promise is None or table.promise["match"] != message.match:
        raise Refusal("stale", "that match has begun")
    if seat in table.shares:
        raise Refusal("shared", "this seat has added its part already")
    body = {"seat": seat, "anchor": message.anchor}
    return Plan([Event("shared", body, str(seat), message.id)])


def _start(table: Table, seat: int, command: str, secret: bytes, after: Plan | None = None) -> Plan:
    """Start a match, after a vote that has ended the one before."""
    draft = Draft(table, secret)
    for event in after.events if after else ():
        draft.apply(event)
    free = [seat for seat, place in enumerate(table.places) if place.kind == OPEN]
    for body in seat_bots(table.game.name, dict.fromkeys(free, _anyone(table)), command, _taken(table)):
        draft.apply(Event("bot", body))
    result = after.result if after else None
    return Plan(draft.events, secret=draft.begin(command, seat), draft=draft, result=result)


def _seat_bot(table: Table, seat: int, message: Bot) -> Plan:
    _host(table, seat)
    table.check_seat(message.seat, (OPEN, BOT) if table.status in (LOBBY, OVER) else (BOT,))
    taken = _taken(table, message.seat)
    (body,) = seat_bots(table.game.name, {message.seat: message.bot}, message.id, taken)
    return Plan([Event("bot", body, str(seat), message.id)])


def _kick(table: Table, seat: int, message: Kick) -> Plan:
    if seat != HOST:
        raise Refusal("not_host", "only the host can do that")
    if message.seat == HOST:
        raise Refusal("host", "the host cannot be removed")
    place = table.check_seat(message.seat, (PERSON, BOT))
    removed = {"removed": place.browser} if place.browser else {}
    if table.status in (LOBBY, OVER):
        return Plan([Event("emptied", {"seat": message.seat, **removed}, str(seat), message.id)])
    body = {"seat": message.seat, "bot": place.bot, "name": place.name}
    if place.kind == PERSON:  # the bot gets a name of its own, so that nobody takes it for who left
        (body,) = seat_bots(table.game.name, {message.seat: _anyone(table)}, message.id, _taken(table))
    body |= removed
    return Plan([Event("bot", body, str(seat), message.id)])


def stand_in(table: Table, seat: int, why: str, who: str = "", command: str = "") -> Plan:
    """Let a bot play for a person until they are back."""
    if table.check_seat(seat, (PERSON,)).away:
        raise Refusal("late", "a bot plays there already")
    return Plan([Event("away", {"seat": seat, "why": why}, who, command)])


def _host(table: Table, seat: int) -> None:
    """Refuse what only the host may do, or anyone while the host is away."""
    if seat != HOST and not table.places[HOST].away:
        raise Refusal("not_host", "only the host can do that")


def seat_bots(game: str, asked: Mapping[int, str], seed: str, taken: Sequence[str]) -> list[dict[str, Any]]:
    """Bots for some seats, with names that nobody could take for one at the table."""
    bots = choose_bots(game, asked.values(), seed, taken, look_alike)
    return [{"seat": seat, **bot._asdict()} for seat, bot in zip(asked, bots, strict=True)]


def _anyone(table: Table) -> str:
    """The bot that fills a free seat."""
    return at_level(MIXED, table.settings.get("level", USUAL))


def _taken(table: Table, leaving: int | None = None) -> list[str]:
    """The names at a table and of those who ask to join, but for a seat that changes hands."""
    seated = [place.name for seat, place in enumerate(table.places) if place.name and seat != leaving]
    return seated + [one.name for one in table.asking.values()]


def sit(table: Table, table_id: str, joining: Joining) -> Plan:
    """A player sits down, at the seat they want, the first that is free, or else in place of a bot; while a
    match is in progress they ask the host first."""
    if table.status == CLOSED:
        raise Refusal("closed", table.notice)
    browser = browser_hash(table_id, joining.browser)
    if browser in table.removed:
        raise Refusal("removed", "the host has removed you from this table")
    if table.locked:
        raise Refusal("locked", "the host lets no one else in")
    name = clean_name(joining.name, _taken(table), [bot.name for bot in table.game.facts.bots])
    if joining.seat is not None:
        table.check_seat(joining.seat, (OPEN, BOT))
    who, known = f"join {joining.id}", {"browser": browser} if browser else {}
    seat = _free_seat(table, joining.seat)
    if table.status in (PLAYING, PAUSED):
        if len(table.asking) >= MOST_ASKING:
            raise Refusal("full", "several people are asking to join already; try again later")
        keys = [row["hash"] for row in token_rows(seat, 0, joining.token, joining.recovery)]
        body = {"name": name, "seat": joining.seat, "keys": keys, **known}
        return Plan([Event("asked", body, who, joining.id)])
    rows = token_rows(seat, table.places[seat].tenant + 1, joining.token, joining.recovery)
    return Plan([Event("sat", {"seat": seat, "name": name, **known}, who, joining.id)], tokens=rows)


def _free_seat(table: Table, wanted: int | None) -> int:
    free = [at for kind in (OPEN, BOT) for at, place in enumerate(table.places) if place.kind == kind]
    if not free:
        raise Refusal("full", "every seat is taken")
    return wanted if wanted in free else free[0]


def admit(table: Table, seat: int, message: Admit) -> Plan:
    """The host lets someone who asked join, or does not."""
    _host(table, seat)
    asking = table.asking.get(message.ask)
    if asking is None:
        raise Refusal("not_asking", "they no longer ask to join")
    if not message.yes:
        return Plan([Event("declined", {"ask": message.ask}, str(seat), message.id)])
    theirs = _free_seat(table, asking.seat)
    body = {"seat": theirs, "name": asking.name, "ask": message.ask, "id": asking.command}
    body |= {"browser": asking.browser} if asking.browser else {}
    rows = _token_rows(theirs, table.places[theirs].tenant + 1, asking.keys)
    return Plan([Event("sat", body, str(seat), message.id)], tokens=rows)


def browser_hash(table_id: str, browser: object) -> str:
    """What identifies a browser at one table, and at no other."""
    return hashed(f"{table_id} {browser}")[:32] if isinstance(browser, str) else ""


def token_rows(seat: int, tenant: int, token: str, recovery: str) -> list[dict[str, Any]]:
    """What is kept at a table of a seat's two keys: not the keys."""
    if token == recovery:
        raise Refusal("same_keys", "a seat's key and its recovery key must differ")
    return _token_rows(seat, tenant, (hashed(token), hashed(recovery)))


def _token_rows(seat: int, tenant: int, keys: tuple[str, str]) -> list[dict[str, Any]]:
    return [
        {"hash": key, "seat": seat, "tenant": tenant, "purpose": purpose}
        for key, purpose in zip(keys, ("seat", "recovery"), strict=True)
    ]


def opening_events(
    opening: Opening, sheet: Facts, players: int, options: dict[str, Any], name: str
) -> list[Event]:
    """What a new table begins with."""
    settings = {name: getattr(opening, name) for name in TableSettings.__struct_fields__}
    settings |= {
        "rolls": opening.rolls or "auto",
        "level": opening.level or USUAL,
        "undo": opening.undo or "fair",
        "look": LOOK_LIMIT if opening.look is UNSET else opening.look,
    }
    opened = {"game": opening.game, "rules": sheet.version, "players": players, "options": dict(options)}
    opened["settings"] = settings
    asked = {players - 1 - at: at_level(bot, opening.level or "") for at, bot in enumerate(opening.bots)}
    bots = [Event("bot", body) for body in seat_bots(opening.game, asked, opening.id, [name])]
    return [Event("opened", opened, "open", opening.id), Event("sat", {"seat": HOST, "name": name}), *bots]
