"""What compiled bots of any game can use. Nothing here knows a game."""

from __future__ import annotations

from typing import Any

from ninefold.kernel.compile import kernel
from ninefold.kernel.stream import below


@kernel
def pick_uniformly(spans: Any, n: int, stream: Any) -> int:
    """Any of the moves in `n` spans, all equally likely; always takes one draw."""
    total = 0
    for span in range(n):
        total += spans[span, 1] - spans[span, 0] + 1
    left = below(stream, total)
    for span in range(n - 1):
        size = spans[span, 1] - spans[span, 0] + 1
        if left < size:
            return spans[span, 0] + left  # type: ignore[no-any-return]
        left -= size
    return spans[n - 1, 0] + left  # type: ignore[no-any-return]
