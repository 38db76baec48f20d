"""What people at a table see happen, for the tests of every game."""

from __future__ import annotations

from typing import Any

import ninefold as nf
from ninefold.engine.beats import Moment
from ninefold.model.events import Event


def listen(state: nf.State, viewer: int | None = None) -> list[Event]:
    """A list that grows with the events that a viewer sees from here on."""
    events: list[Event] = []

    def watch(before: Any, seat: int, action: int, after: Any) -> None:
        events.extend(
            state.perspectives.events(Moment(before.tobytes(), seat, action, after.tobytes()), viewer)
        )

    state.watchers.append(watch)
    return events


def events_for(state: nf.State, viewer: int | None, *steps: tuple[int, str]) -> list[Event]:
    """The events of some steps, as a viewer sees them."""
    events = listen(state, viewer)
    for seat, text in steps:
        state.play(seat, text)
    state.watchers.clear()
    return events


def texts(events: list[Event]) -> list[str]:
    return [str(event.text) for event in events]
