"""A socket as a table sees it: a queue with an end. Whoever does not read is cut off; nobody waits."""

from __future__ import annotations

import asyncio
from collections import deque

MOST_MESSAGES = 64
MOST_BYTES = 256 * 1024


class Peer:
    """Somebody who is sent what a viewer may see."""

    def __init__(self, viewer: int | None) -> None:
        self.viewer = viewer
        self.closing: tuple[int, str] | None = None
        self._queue: deque[bytes] = deque()
        self._size = 0
        self._ready = asyncio.Event()

    def send(self, message: bytes) -> None:
        """Queue a message; too many of them close the socket."""
        if self.closing:
            return
        self._queue.append(message)
        self._size += len(message)
        if len(self._queue) > MOST_MESSAGES or (self._size > MOST_BYTES and len(self._queue) > 1):
            self.close(1008, "you do not read what you are sent")
        self._ready.set()

    def close(self, code: int, reason: str) -> None:
        self.closing = self.closing or (code, reason)
        self._queue.clear()
        self._ready.set()

    async def next(self) -> bytes | None:
        """The next message, or None when the socket is to be closed."""
        while not self._queue:
            if self.closing:
                return None
            self._ready.clear()
            await self._ready.wait()
        message = self._queue.popleft()
        self._size -= len(message)
        return message
