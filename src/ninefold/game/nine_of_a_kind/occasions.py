"""What draws of 9 of a Kind are for: a round's deal, or a player's own trade with the centre."""

from __future__ import annotations

from typing import Any

from ninefold.game.nine_of_a_kind.rules import DEAL


def occasion(s: Any) -> tuple[int, ...]:
    """The next deal is another round's, no matter who ended the round and when."""
    return (int(s.round_number),) if s.phase == DEAL else ()
