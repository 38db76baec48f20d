"""What must always hold in Doubles."""

from __future__ import annotations

from typing import Any

from ninefold.game.doubles import rules
from ninefold.kernel.bits import has
from ninefold.kernel.fields import EVERYONE


def broken_invariants(s: Any) -> list[str]:
    """List what is wrong with a position; the testkit checks after every step."""
    everyone = range(int(s.players))
    checks = {
        "a total below 0": s.total < 0,
        "more than four sevens": not 0 <= s.sevens <= rules.LAST_SEVEN,
        "an undecided player who is out": any(
            has(s.undecided, seat) and not has(s.inside, seat) for seat in everyone
        ),
        "an undecided player who is cashing out": any(
            has(s.undecided, seat) and has(s.cashing, seat) for seat in everyone
        ),
        "a sealed decision after all have been opened": s.actor != EVERYONE and any(s.cashing),
        "more rounds than agreed": s.round_number > s.rounds_high,
        "a score above the ceiling": max(s.scores) > rules.CEILING,
    }
    return [fault for fault, present in checks.items() if present]
