"""What draws of Baseball are for: which inning, which turn of it, and whose cards are turned up."""

from __future__ import annotations

from typing import Any

from ninefold.game.baseball.fields import OPENING


def occasion(s: Any) -> tuple[int, ...]:
    """How many cards a turn needs, and when an inning ends, changes no draw of another turn or inning."""
    if s.stage == OPENING:
        return (int(s.inning + s.ended),)
    return int(s.inning), int(s.turns_here), int(s.closing), int(s.mover)
