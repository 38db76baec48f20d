"""9 of a Kind in real time: the look at the cards, when the clock passes for a seat, and how long
a sealed move is valid (R7)."""

from __future__ import annotations

from typing import Any

from ninefold.game.nine_of_a_kind import rules
from ninefold.kernel.bits import has
from ninefold.model.text import Text

PASS_MOVE = "wait"
SEALING_RULE = "R7.2"
LOOK_RULE = "R7.4"
NOT_YET = "trading begins at Go, when everyone has looked at their cards"
LOOK_PROMPTS: dict[str, Text] = {
    "looking": "Sort your cards. Trading begins when everyone is ready.",
    "ready": "You are ready. Trading begins when everyone is.",
    "spectator": "The players look at their cards.",
}


def on_clock(s: Any, seat: int) -> bool:
    """In the claim window, the clock plays `wait` for players who stay silent (R7.1)."""
    return bool(s.phase == rules.WINDOW and has(s.silent, seat))


def round_of(s: Any) -> int:
    """A sealed move is void once its round is over (R7.3)."""
    return int(s.round_number)
