"""What a simulation of Baseball counts besides scores and length; no rule depends on it."""

from __future__ import annotations

from typing import Any

from ninefold.game.baseball.hands import points
from ninefold.kernel.compile import kernel


@kernel
def note_end(s: Any) -> None:
    """For simulations: how the game ended, and whether going out was worth it."""
    if s.out < 0:
        s.ended_limit += 1
        return
    s.ended_out += 1
    own = points(s, s.out)
    for seat in range(s.players):
        if points(s, seat) < own:
            return
    s.out_was_best += 1


@kernel
def tally(s: Any, out: Any) -> None:
    """What a simulation counts besides scores and length."""
    out[0] = s.columns
    out[1] = s.reshuffles
    out[2] = s.ended_out
    out[3] = s.ended_limit
    out[4] = s.out_was_best
