"""A socket as a table sees it: a bounded queue. A client that does not read is cut off."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterable

MOST_MESSAGES = 128  # several times what one step of a table brings
MOST_BYTES = 256 * 1024
OF_LARGEST = 32  # or this many of its largest message, if that is large


class Connection:
    """One viewer's socket. Missed messages go out first, and are not counted.

    There may be thousands that only wait, so it is made of small things: lists and futures.
    """

    def __init__(self, viewer: int | None, tenant: int = 0, differences: bool = False) -> None:
        self.viewer = viewer
        self.tenant = tenant
        self.differences = differences  # it takes short messages
        self.closing: tuple[int, str] | None = None
        self.cut = asyncio.get_running_loop().create_future()  # done when there is no point in waiting for it
        self._backlog: list[bytes] = []
        self._queue: list[bytes] = []
        self._size = 0
        self._largest = 0
        self._missed: AsyncIterator[bytes] | None = None
        self._begun = False
        self._waiter: asyncio.Future[None] | None = None  # of who wants the next message

    def begin(self, backlog: Iterable[bytes], missed: AsyncIterator[bytes] | None = None) -> None:
        """Start sending: what was missed, message by message; the backlog; and what has come since."""
        self._missed = missed
        self._backlog.extend(backlog)
        self._begun = True
        self._wake()

    def send(self, message: bytes) -> None:
        """Queue a message; too many messages or bytes close the socket."""
        if self.cut.done():
            return
        self._queue.append(message)
        self._size += len(message)
        self._largest = max(self._largest, len(message))
        if len(self._queue) > MOST_MESSAGES or self._size > max(MOST_BYTES, OF_LARGEST * self._largest):
            self.drop(1008, "connection too slow: too many unread messages")
        self._wake()

    def finish(self, code: int, reason: str) -> None:
        """Close the socket once everything in the queue has been sent."""
        self.closing = self.closing or (code, reason)
        self._begun = True
        self._wake()

    def drop(self, code: int, reason: str) -> None:
        """Close the socket now; the queue is lost, and sent again when the client reconnects."""
        self.finish(code, reason)
        self._backlog.clear()
        self._queue.clear()
        self._size = 0
        if not self.cut.done():
            self.cut.set_result(None)

    def _wake(self) -> None:
        if self._waiter is not None and not self._waiter.done():
            self._waiter.set_result(None)

    async def next(self) -> bytes | None:
        """The next message, or None if the socket should be closed."""
        if self._begun and self._missed and not self.cut.done():
            async for message in self._missed:
                return message
            self._missed = None
        while not (self._begun and (self._backlog or self._queue)):
            if self.closing and self._begun:
                return None
            self._waiter = asyncio.get_running_loop().create_future()
            await self._waiter
        if self._backlog:
            return self._backlog.pop(0)
        message = self._queue.pop(0)
        self._size -= len(message)
        return message
