"""The look at the cards that opens a round in games played in real time: what a table shows meanwhile.

It belongs to hosting a match: neither the rules nor the records know of it. match.py says when it is over.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import structs

from ninefold.model.contract import RealTime
from ninefold.model.view import Button, SeatView, View

READY = "ready"  # what is played to say so
READY_BUTTON = Button(READY, "Ready", "r")


def while_looking(view: View, unready: Sequence[int], game: RealTime) -> View:
    """A view while players look at their cards: nothing can be played, and seats say who is ready."""
    asked = view.seat in unready
    prompt = game.LOOK_PROMPTS["spectator" if view.seat is None else "looking" if asked else "ready"]
    return structs.replace(
        view,
        prompt=prompt,
        actors=list(unready),
        seats=[_seat(seat, seat.seat in unready) for seat in view.seats],
        offers=[READY_BUTTON] if asked else [],
        orders=[],
        moves=[READY] if asked else [],
        move_count=int(asked),
    )


def _seat(seat: SeatView, looks: bool) -> SeatView:
    if looks:
        return structs.replace(seat, status="deciding", status_text="looking…")
    return structs.replace(seat, status="decided", status_text="")
