"""How long something may take to arrive."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import Any, TypeVar

Came = TypeVar("Came")


async def within(seconds: float, arriving: Coroutine[Any, Any, Came]) -> Came:
    """What arrives in that time; else TimeoutError.

    The time is given in two halves: where this process could do nothing for longer than that, because it
    compiled a game, say, it finds the end of the time before it finds what has come meanwhile.
    """
    task = asyncio.ensure_future(arriving)
    try:
        for _ in range(2):
            if (await asyncio.wait([task], timeout=seconds / 2))[0]:
                return task.result()
        raise TimeoutError
    finally:
        task.cancel()
