"""What people at a table are told, for the tests of every game."""

from __future__ import annotations

from typing import Any

import ninefold as nf
from ninefold.engine.beats import Moment
from ninefold.model.events import Event


def listen(state: nf.State, viewer: int | None = None) -> list[Event]:
    """A list that grows with what a viewer is told from here on."""
    events: list[Event] = []

    def watch(before: Any, seat: int, action: int, after: Any) -> None:
        events.extend(
            state.perspectives.events(Moment(before.tobytes(), seat, action, after.tobytes()), viewer)
        )

    state.watchers.append(watch)
    return events


def told(state: nf.State, viewer: int | None, *steps: tuple[int, str]) -> list[Event]:
    """What a viewer is told of some steps."""
    events = listen(state, viewer)
    for seat, text in steps:
        state.play(seat, text)
    state.watchers.clear()
    return events


def texts(events: list[Event]) -> list[str]:
    return [str(event.text) for event in events]
