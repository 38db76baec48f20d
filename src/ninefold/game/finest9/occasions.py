"""What draws of Finest 9 are for: the deal, or which turn."""

from __future__ import annotations

from typing import Any


def occasion(s: Any) -> tuple[int, ...]:
    """Whether a turn ends with a draw changes no draw of another turn."""
    return (int(s.turns),)
