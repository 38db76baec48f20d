"""Events of a table, as they are made and as they are stored, and how those of its match are packed.

A stored `moved`, `rolled` or `started` event holds all the draws that followed it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from ninefold.engine.beats import Moment
from ninefold.engine.match import Drew, Go, Happened, Moved, Opened, Ready, Rolled, Sealed, Undone
from ninefold.engine.match import Event as MatchEvent

OPENED = "opened"  # in place of a player, for a move that had been sealed
OF_THE_GAME = ("started", "moved", "rolled", "sealed", "unsealed", "undone", "ready", "go")
OF_A_MATCH = (
    *(*OF_THE_GAME, "committed", "voted", "vote_failed", "paused", "resumed", "undo_asked", "undo_refused"),
)
SEATING = ("asked", "declined", "locked", "unlocked")  # who may sit down, besides those below
FAIR = ("promised", "shared")
KINDS = (*OF_A_MATCH, *SEATING, *FAIR, "opened", "closed", "sat", "bot", "emptied", "away", "back", "said")


@dataclass(frozen=True)
class Event:
    """Something that happened at a table. `who` and `command` say whose command it answered."""

    kind: str
    body: Mapping[str, Any]
    who: str = ""
    command: str = ""

    @property
    def quiet(self) -> bool:
        """Whether only the seat that moved may know of it: it has no number of its own for clients."""
        return bool(self.body.get("quiet"))


@dataclass(frozen=True)
class Stored:
    """An event as it is in the database."""

    seq: int
    event: Event
    digest: str | None
    at: float
    hash: str = ""


class News(NamedTuple):
    """An event that was applied to a table: its number as clients know it, and its steps of the game."""

    seq: int
    event: Event
    moments: Sequence[Moment]

    def concerns(self, viewer: int | None) -> bool:
        """Whether a viewer may know that it happened at all."""
        return not self.event.quiet or self.event.body["seat"] == viewer


def unpack(event: Event) -> Iterator[MatchEvent]:
    """What a stored event did to the match."""
    body = event.body
    match event.kind:
        case "moved":
            yield Moved(body["seat"], body["move"], event.command)
        case "rolled":
            yield Rolled(body["seat"], event.command)
        case "sealed":
            yield Sealed(body["seat"], body["move"], event.command)
        case "unsealed":
            yield Opened(tuple(body["order"]))
        case "undone":
            yield Undone(body["seat"], body["to"], event.command)
        case "ready":
            yield Ready(body["seat"], event.command)
        case "go":
            yield Go(body["round"])
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
        case Rolled(seat, command):
            return Event("rolled", {"seat": seat, "chance": []}, who, command)
        case Sealed(seat, move, command):
            return Event("sealed", {"seat": seat, "move": move}, who, command)
        case Opened(order):
            return Event("unsealed", {"order": list(order)})
        case Undone(seat, to, command):
            return Event("undone", {"seat": seat, "to": to}, who, command)
        case Ready(seat, command):
            return Event("ready", {"seat": seat}, who, command)
        case Go(number):
            return Event("go", {"round": number})
        case Drew(_):
            raise TypeError("a draw belongs to the event before it")
