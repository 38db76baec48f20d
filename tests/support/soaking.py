"""How long the soak of the server is: `make soak` runs all of it, `make soak SOAK=0.05` a twentieth."""

from __future__ import annotations

import os

SIZE = float(os.environ.get("SOAK", "1"))


def part_of(number: float) -> int:
    """So many of a thing that is done `number` times in all."""
    return max(1, round(SIZE * number))
