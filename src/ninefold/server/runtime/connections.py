"""A socket as a table sees it: a bounded queue. A client that does not read is cut off."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Iterable

MOST_MESSAGES = 128  # several times what one step of a table brings
MOST_BYTES = 256 * 1024
OF_LARGEST = 32  # or this many of its largest message, if that is large


class Connection:
    """One viewer's socket. Missed messages go out first, and are not counted."""

    def __init__(self, viewer: int | None, tenant: int = 0, differences: bool = False) -> None:
        self.viewer = viewer
        self.tenant = tenant
        self.differences = differences  # it takes short messages
        self.closing: tuple[int, str] | None = None
        self.cut = asyncio.Event()  # set when there is no point in waiting for the socket
        self._backlog: deque[bytes] = deque()
        self._queue: deque[bytes] = deque()
        self._size = 0
        self._largest = 0
        self._missed: AsyncIterator[bytes] | None = None
        self._begun = False
        self._ready = asyncio.Event()

    def begin(self, backlog: Iterable[bytes], missed: AsyncIterator[bytes] | None = None) -> None:
        """Start sending: what was missed, message by message; the backlog; and what has come since."""
        self._missed = missed
        self._backlog.extend(backlog)
        self._begun = True
        self._ready.set()

    def send(self, message: bytes) -> None:
        """Queue a message; too many messages or bytes close the socket."""
        if self.cut.is_set():
            return
        self._queue.append(message)
        self._size += len(message)
        self._largest = max(self._largest, len(message))
        if len(self._queue) > MOST_MESSAGES or self._size > max(MOST_BYTES, OF_LARGEST * self._largest):
            self.drop(1008, "connection too slow: too many unread messages")
        self._ready.set()

    def finish(self, code: int, reason: str) -> None:
        """Close the socket once everything in the queue has been sent."""
        self.closing = self.closing or (code, reason)
        self._begun = True
        self._ready.set()

    def drop(self, code: int, reason: str) -> None:
        """Close the socket now; the queue is lost, and sent again when the client reconnects."""
        self.finish(code, reason)
        self._backlog.clear()
        self._queue.clear()
        self._size = 0
        self.cut.set()

    async def next(self) -> bytes | None:
        """The next message, or None if the socket should be closed."""
        if self._begun and self._missed and not self.cut.is_set():
            async for message in self._missed:
                return message
            self._missed = None
        while not (self._begun and (self._backlog or self._queue)):
            if self.closing and self._begun:
                return None
            self._ready.clear()
            await self._ready.wait()
        if self._backlog:
            return self._backlog.popleft()
        message = self._queue.popleft()
        self._size -= len(message)
        return message
