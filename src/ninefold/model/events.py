"""What happens, as types: events in words and data, movements of cards and chips, and beats.

A surface plays beats one after another: each has the events of one step of the match, as one viewer may know
them, and the changes on the table.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

from msgspec import Struct, structs

from ninefold.model.text import Argument, Text, message
from ninefold.model.view import Counter, Group, Scene, SeatView, View, Worth, Zone

DECIDED = "decided"  # the kind of an event that says that someone has decided, not what: logs leave it out


class Movement(Struct, rename={"source": "from", "target": "to"}, omit_defaults=True):
    """Cards or chips that move from one zone to another; None is off the table.

    Places are indexes in the zone: before the step for the source, after it for the target. Cards that the
    viewer may not know are None.
    """

    source: str | None
    target: str | None
    cards: list[str | None] = []
    source_places: list[int] = []
    target_places: list[int] = []
    amount: int | None = None  # of chips


class Event(Struct, omit_defaults=True):
    """Something that happened, in one sentence and as data. Games leave `moves` to the engine."""

    kind: str
    text: Text
    seat: int | None = None
    quiet: bool = False  # one of many similar events that a later one sums up: text logs leave it out
    hold: bool = False  # a big moment: a surface gives people time to see it
    cards: list[str | None] = []  # the cards it is about
    costs: list[int] = []  # the places of those among them that cost the amount
    dice: list[int] = []
    amount: int | None = None  # points or chips won, lost or paid
    other: int | None = None  # the other seat involved
    moves: list[Movement] = []
    deed: Text | None = None  # `cashing out 75`: what the player may win by


Why = Literal["decided", "lead", "big"]


class Highlight(Struct):
    """An event that stands out in a match: where it is, in which phase, and why it was chosen."""

    at: int
    when: Text
    why: Why
    text: Text
    seat: int | None


def event(
    kind: str,
    who: int,
    text: str,
    amount: int | None = None,
    hold: bool = False,
    cards: Iterable[str | None] = (),
    /,
    **args: Argument,
) -> Event:
    """An event of one player, who is `{who}` in its text; `{amount}` is its amount without a sign."""
    if "{amount" in text:
        args["amount"] = abs(amount or 0)
    return Event(kind, message(text, {"who": who}, **args), who, hold=hold, cards=[*cards], amount=amount)


def roll(
    who: int, text: str, faces: tuple[int, int], amount: int | None = None, /, **args: Argument
) -> Event:
    """The event of a player's roll of two dice, `{one}` and `{other}` in its text."""
    found = event("roll", who, text, amount, one=faces[0], other=faces[1], **args)
    found.dice = [*faces]
    return found


class Changes(Struct, omit_defaults=True):
    """What differs between two scenes: each new or changed part, complete, by its id."""

    phase: Text | None = None
    prompt: Text | None = None
    zones: list[Zone] = []
    gone: list[str] = []  # zones that no longer exist
    counters: list[Counter] | None = None  # all of them, if any has changed
    groups: list[Group] | None = None  # likewise
    legend: list[Worth] | None = None
    goal: Text | None = None
    progress: Counter | None = None
    seats: list[SeatView] = []


class Beat(Struct, omit_defaults=True):
    """One step of a match for one viewer, or several quiet ones. `changes` lead to the table after it."""

    events: list[Event]
    changes: Changes | None = None


WHOLE = ("phase", "prompt", "counters", "groups", "legend", "goal", "progress")  # replaced if they differ
Pair = tuple[Zone | None, Zone | None]


def zone_pairs(before: Scene | View, after: Scene | View) -> list[Pair]:
    """Every zone before and after; None where it does not exist."""
    if [zone.id for zone in before.zones] == [zone.id for zone in after.zones]:
        return [*zip(before.zones, after.zones, strict=True)]
    now = {zone.id: zone for zone in after.zones}
    return [(zone, now.pop(zone.id, None)) for zone in before.zones] + [(None, zone) for zone in now.values()]


def changed(pairs: list[Pair]) -> list[Pair]:
    """The pairs that differ. Many are the same object, since games make equal zones only once."""
    return [pair for pair in pairs if pair[0] is not pair[1] and pair[0] != pair[1]]


def changes_between(before: Scene | View, after: Scene | View) -> Changes:
    """What a surface has to change to show the table after a step."""
    pairs = changed(zone_pairs(before, after))
    return Changes(
        zones=[new for _, new in pairs if new is not None],
        gone=[old.id for old, new in pairs if old is not None and new is None],
        seats=[seat for seat, old in zip(after.seats, before.seats, strict=True) if seat != old],
        **{part: new for part in WHOLE if (new := getattr(after, part)) != getattr(before, part)},
    )


def apply_changes(scene: Scene, changes: Changes) -> Scene:
    """The table after a beat, from the table before it."""
    fresh = {zone.id: zone for zone in changes.zones}
    zones = [fresh.pop(zone.id, zone) for zone in scene.zones if zone.id not in changes.gone]
    seats = {seat.seat: seat for seat in changes.seats}
    whole = {part: new for part in WHOLE if (new := getattr(changes, part)) is not None}
    return structs.replace(
        scene,
        zones=[*zones, *fresh.values()],
        seats=[seats.get(seat.seat, seat) for seat in scene.seats],
        **whole,
    )
