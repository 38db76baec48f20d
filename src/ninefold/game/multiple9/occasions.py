"""What draws of Multiple 9 are for: the deal, or which turn."""

from __future__ import annotations

from typing import Any


def occasion(s: Any) -> tuple[int, ...]:
    """A turn begins with a card; what is put down changes no later one but for which cards are left."""
    return (int(s.turns),)
