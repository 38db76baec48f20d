"""What happens, as types: events in words and data, movements of cards and chips, and beats.

A surface plays beats one after another: each has the events of one step of the match, as one viewer may know
them, and the changes on the table.
"""

from __future__ import annotations

from msgspec import Struct

from ninefold.model.text import Text
from ninefold.model.view import Counter, Scene, SeatView, View, Zone


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
    dice: list[int] = []
    amount: int | None = None  # points or chips won, lost or paid
    other: int | None = None  # the other seat involved
    moves: list[Movement] = []


class Changes(Struct, omit_defaults=True):
    """What differs between two scenes: each new or changed part, complete, by its id."""

    phase: Text | None = None
    prompt: Text | None = None
    zones: list[Zone] = []
    gone: list[str] = []  # zones that no longer exist
    counters: list[Counter] | None = None  # all of them, if any has changed
    seats: list[SeatView] = []


class Beat(Struct, omit_defaults=True):
    """One step of a match for one viewer, or several quiet ones. `changes` lead to the table after it."""

    events: list[Event]
    changes: Changes | None = None


def changes_between(before: Scene | View, after: Scene | View) -> Changes:
    """What a surface has to change to show the table after a step."""
    zones = {zone.id: zone for zone in before.zones}
    now = {zone.id for zone in after.zones}
    return Changes(
        phase=after.phase if after.phase != before.phase else None,
        prompt=after.prompt if after.prompt != before.prompt else None,
        zones=[zone for zone in after.zones if zones.get(zone.id) != zone],
        gone=[name for name in zones if name not in now],
        counters=after.counters if after.counters != before.counters else None,
        seats=[seat for seat, old in zip(after.seats, before.seats, strict=True) if seat != old],
    )


def apply_changes(scene: Scene, changes: Changes) -> Scene:
    """The table after a beat, from the table before it."""
    fresh = {zone.id: zone for zone in changes.zones}
    zones = [fresh.pop(zone.id, zone) for zone in scene.zones if zone.id not in changes.gone]
    seats = {seat.seat: seat for seat in changes.seats}
    return Scene(
        phase=scene.phase if changes.phase is None else changes.phase,
        prompt=scene.prompt if changes.prompt is None else changes.prompt,
        zones=[*zones, *fresh.values()],
        counters=scene.counters if changes.counters is None else changes.counters,
        seats=[seats.get(seat.seat, seat) for seat in scene.seats],
    )
