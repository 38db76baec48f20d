"""Events of a table, as they are made and as they are stored, and how those of its match are packed.

A stored `moved` or `started` event holds a move and all the draws that followed it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from ninefold.engine.beats import Moment
from ninefold.engine.match import Drew, Happened, Moved, Opened, Sealed, Undone
from ninefold.engine.match import Event as MatchEvent

OPENED = "opened"  # in place of a player, for a move that had been sealed
OF_THE_GAME = ("started", "moved", "sealed", "unsealed", "undone")
OF_A_MATCH = (*OF_THE_GAME, "committed", "voted", "paused", "resumed", "undo_asked", "undo_refused")


@dataclass(frozen=True)
class Event:
    """Something that happened at a table. `who` and `command` say whose command it answered."""

    kind: str
    body: Mapping[str, Any]
    who: str = ""
    command: str = ""


@dataclass(frozen=True)
class Stored:
    """An event as it is in the database."""

    seq: int
    event: Event
    digest: str | None
    at: float
    hash: str = ""


def unpack(event: Event) -> Iterator[MatchEvent]:
    """What a stored event did to the match."""
    body = event.body
    match event.kind:
        case "moved":
            yield Moved(body["seat"], body["move"], event.command)
        case "sealed":
            yield Sealed(body["seat"], body["move"], event.command)
        case "unsealed":
            yield Opened(tuple(body["order"]))
        case "undone":
            yield Undone(body["seat"], body["to"], event.command)
    for outcome in body.get("chance", ()):
        yield Drew(outcome)


def pack(happened: Iterable[Happened], who: str) -> Iterator[tuple[Event, list[Happened]]]:
    """Pack what happened to a match into events to store, each with its part."""
    event: Event | None = None
    held: list[Happened] = []
    opening = False
    for one in happened:
        if isinstance(one.event, Drew) and event is not None:
            event.body["chance"].append(one.event.outcome)
            held.append(one)
            continue
        if event is not None:
            yield event, held
        opening = opening or isinstance(one.event, Opened)
        event, held = _packed(one.event, OPENED if opening else who), [one]
    if event is not None:
        yield event, held


def _packed(event: MatchEvent, who: str) -> Event:
    match event:
        case Moved(seat, move, command):
            return Event("moved", {"seat": seat, "move": move, "chance": []}, who, command)
        case Sealed(seat, move, command):
            return Event("sealed", {"seat": seat, "move": move}, who, command)
        case Opened(order):
            return Event("unsealed", {"order": list(order)})
        case Undone(seat, to, command):
            return Event("undone", {"seat": seat, "to": to}, who, command)
        case Drew(_):
            raise TypeError("a draw belongs to the event before it")


def moments_of(happened: Iterable[Happened]) -> list[Moment]:
    """The steps of the game in what happened."""
    return [one.moment for one in happened if one.moment is not None]
