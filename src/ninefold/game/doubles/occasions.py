"""What draws of Doubles are for: which round, and whether it is a roll or says if that round was the last."""

from __future__ import annotations

from typing import Any


def occasion(s: Any) -> tuple[int, ...]:
    """Bots that stay in change how often a round is rolled, but no roll of another round."""
    return int(s.round_number), int(s.closing)
