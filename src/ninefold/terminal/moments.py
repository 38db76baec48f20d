"""How long a step stays on the screen, and what is on it during a big moment: a bust, a showdown, the end.

Knows events and views, and no game.
"""

from __future__ import annotations

from collections.abc import Iterable

from msgspec.structs import replace

from ninefold.engine.beats import END
from ninefold.model.events import Event
from ninefold.model.view import Counter, SeatView, Status, View
from ninefold.terminal.paint import MARKS
from ninefold.terminal.table import Frame

PAUSES = {"slow": 1.4, "normal": 0.7, "fast": 0.25, "instant": 0.0}  # seconds that a step is shown
HOLD = 3.5  # how many times as long a big moment is shown
EACH = 1.5  # and each further one of the same step
OUT: tuple[Status, ...] = ("folded",)  # what a player was until the end of a hand


def split(events: list[Event]) -> tuple[list[Event], list[Event]]:
    """The events of a step up to its last big moment, and those after it."""
    big = [at + 1 for at, event in enumerate(events) if event.hold]
    if len(big) > 1 and events[big[-1] - 1].kind == END:
        big.pop()  # how the match ended has a page of its own
    end = max(big, default=0)
    return events[:end], events[end:]


def length(events: list[Event], pace: str) -> float:
    """How long to show a step with big moments."""
    return PAUSES[pace] * (HOLD + EACH * (sum(event.hold for event in events) - 1))


def held(before: View, frame: Frame) -> View:
    """The table during the big moments of a step, before what follows from it is seen.

    A roll that costs what was at stake leaves all else as it was; otherwise cards and scores are new.
    """
    dice = next((event.dice for event in frame.events if event.hold and event.dice), None)
    if dice:
        zones = [replace(zone, dice=dice) if zone.kind == "dice" else zone for zone in before.zones]
        return replace(before, zones=zones, actors=[], prompt="", offers=[])
    seats = [_seat(old, new) for old, new in zip(before.seats, frame.view.seats, strict=True)]
    counters = [_counter(one, frame.events) for one in before.counters]
    shown = replace(frame.view, prompt="", actors=[], offers=[], seats=seats, counters=counters)
    return shown if shown.over else replace(shown, phase=before.phase, progress=before.progress)


def _seat(old: SeatView, new: SeatView) -> SeatView:
    """A seat with the marks that pass from player to player, and whether it was out, as they were."""
    marks = [mark for mark in old.marks if mark in MARKS] + [mark for mark in new.marks if mark not in MARKS]
    was = old if old.status in OUT else new
    return replace(new, marks=marks, status=was.status, status_text=was.status_text)


def _counter(old: Counter, events: Iterable[Event]) -> Counter:
    """A counter as it was; what chips lay in a pot, with those that the last bet has added."""
    paid = sum(move.amount or 0 for event in events for move in event.moves if move.source == old.id)
    return replace(old, value=max(old.value, paid))
