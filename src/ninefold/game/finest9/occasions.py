"""What draws of Finest 9 are for: which deal, and the dealing or which turn."""

from __future__ import annotations

from typing import Any


def occasion(s: Any) -> tuple[int, ...]:
    """Whether a turn ends with a draw changes no draw of another turn."""
    if s.deals == 1:
        return (int(s.turns),)
    return int(s.deal_number + s.ended), int(s.turns)
