"""Raw connections, before the first request: how many there may be, and how long they may stay silent.

uvicorn's protocols bound neither. Here every connection is counted from its first moment to its last, a
request's head has to arrive in time, and a client that does not read is cut off, together with what was
waiting for it.
"""

from __future__ import annotations

import asyncio
import sys
from collections import Counter
from collections.abc import Callable
from functools import partial
from ipaddress import ip_address, ip_network
from typing import Any

from h11 import IDLE
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.protocols.utils import get_remote_addr
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

from ninefold.kernel.errors import RuleError
from ninefold.server.http.limits import Limits, network
from ninefold.server.runtime.budget import Bucket

RESERVED = 128  # files for the database, logs and the system's own needs
MOST_UNREAD = 1024 * 1024  # bytes that wait for a client while it goes on sending
LINGER = 1.0  # seconds for a close frame to leave
STALLED = 10.0  # seconds in which a client has to read a part of what waits for it,
LEAST = 1 / 16  # at least this, so that nobody makes many long answers wait for long
BACKLOG = 512  # connections that the system keeps until we accept them


class ConnectionLimiter:
    """Counts raw connections: those of each network, and all of them."""

    def __init__(self, limits: Limits, note: Callable[[str, str], None]) -> None:
        self.limits = limits
        self.note = note  # what was refused, and to which address
        self._proxies: list[Any] = []  # many people come through these
        self.most = min(limits.everyone, open_files() - RESERVED)
        self.count = 0
        self._of: Counter[str] = Counter()

    def trust(self, proxies: str | None) -> None:
        """Trust proxies at these addresses or networks, separated by commas; RuleError if one is neither."""
        try:
            words = (proxies or "").split(",")
            self._proxies = [ip_network(word.strip(), strict=False) for word in words if word.strip()]
        except ValueError as error:
            raise RuleError(f"a proxy is an address or a network such as 10.0.0.0/24: {error}") from None

    def _trusted(self, address: str) -> bool:
        try:
            found = ip_address(address.partition("%")[0])
        except ValueError:
            return False
        return any(found in one for one in self._proxies)

    def enter(self, address: str) -> bool:
        """Count one more connection, if it may come in; `leave` counts it out."""
        theirs = network(address)
        too_many = self._of[theirs] >= self.limits.connections and not self._trusted(address)
        if too_many or self.count >= self.most:
            self.note("connections", address)
            return False
        self._of[theirs] += 1
        self.count += 1
        return True

    def leave(self, address: str) -> None:
        theirs = network(address)
        self.count -= 1
        self._of[theirs] -= 1
        if not self._of[theirs]:
            del self._of[theirs]


class StallGuard:
    """Cuts off a client that reads nothing, or next to nothing, of what waits for it."""

    def __init__(self, transport: asyncio.Transport) -> None:
        self.transport = transport
        self._unread = 0
        self._timer: asyncio.TimerHandle | None = None

    def watch(self) -> None:
        """Check after a while whether less is waiting."""
        if self._timer is None:
            self._unread = self.transport.get_write_buffer_size()
            loop = asyncio.get_running_loop()
            self._timer = loop.call_later(STALLED, self._check)

    def _check(self) -> None:
        self._timer = None
        unread = self.transport.get_write_buffer_size()
        if unread > self._unread * (1 - LEAST):
            self.transport.abort()
        elif unread:
            self.watch()

    def relax(self) -> None:
        """It reads as fast as we write."""
        if not self.transport.is_closing():
            self.end()

    def end(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None


class Guarded:
    """What both protocols have: a guard that watches while more is waiting than the socket takes."""

    stall_guard: StallGuard | None = None

    def pause_writing(self) -> None:
        super().pause_writing()  # type: ignore[misc]
        if self.stall_guard:
            self.stall_guard.watch()

    def resume_writing(self) -> None:
        super().resume_writing()  # type: ignore[misc]
        if self.stall_guard:
            self.stall_guard.relax()


class HttpProtocol(Guarded, H11Protocol):
    """A client's requests."""

    def __init__(self, limiter: ConnectionLimiter, *args: Any, **more: Any) -> None:
        super().__init__(*args, **more)
        self.limiter = limiter
        self.address = "?"
        self.inside = False
        self.head_timer: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        self.address = (get_remote_addr(transport) or ("?",))[0]
        self.inside = self.limiter.enter(self.address)
        if not self.inside:
            transport.abort()
            return
        super().connection_made(transport)
        self.stall_guard = StallGuard(transport)
        self._expect_head()

    def _expect_head(self) -> None:
        """The whole head of a request has to arrive within some seconds of its first byte."""
        if self.head_timer is None:
            self.head_timer = self.loop.call_later(self.limiter.limits.head, self._too_late)

    def _too_late(self) -> None:
        self.head_timer = None
        self.limiter.note("slow heads", self.address)
        self.transport.abort()

    def _forget_head(self) -> None:
        if self.head_timer is not None:
            self.head_timer.cancel()
            self.head_timer = None

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        if self.transport.get_protocol() is self and self.conn.their_state is IDLE:
            self._expect_head()
        else:
            self._forget_head()
        self._watch_closing()

    def on_response_complete(self) -> None:
        super().on_response_complete()
        self._watch_closing()

    def timeout_keep_alive_handler(self) -> None:
        super().timeout_keep_alive_handler()
        self._watch_closing()

    def shutdown(self) -> None:
        super().shutdown()
        self._watch_closing()

    def _watch_closing(self) -> None:
        if self.stall_guard and self.transport.is_closing():
            self.stall_guard.watch()

    def handle_websocket_upgrade(self, event: Any) -> None:
        self._forget_head()
        self.inside = False  # from here on the socket's protocol counts it
        super().handle_websocket_upgrade(event)

    def connection_lost(self, exc: Exception | None) -> None:
        self._forget_head()
        if self.stall_guard:
            self.stall_guard.end()
            super().connection_lost(exc)
        if self.inside:
            self.inside = False
            self.limiter.leave(self.address)


class Inbox:
    """Messages of a client that were not read yet: a queue for one reader, small while it is empty."""

    def __init__(self) -> None:
        self._messages: list[Any] = []
        self._waiter: asyncio.Future[None] | None = None

    def put_nowait(self, message: Any) -> None:
        self._messages.append(message)
        if self._waiter is not None and not self._waiter.done():
            self._waiter.set_result(None)

    def empty(self) -> bool:
        return not self._messages

    async def get(self) -> Any:
        while not self._messages:
            self._waiter = asyncio.get_running_loop().create_future()
            await self._waiter
        return self._messages.pop(0)


class SocketProtocol(Guarded, WebSocketsSansIOProtocol):
    """A client's socket: every frame is counted, and none is answered for a client that does not read."""

    def __init__(self, limiter: ConnectionLimiter, *args: Any, **more: Any) -> None:
        super().__init__(*args, **more)
        self.limiter = limiter
        self.queue = Inbox()  # type: ignore[assignment]
        self.address = "?"
        self.close_timeout = LINGER
        frames = limiter.limits.frames
        self.budget = Bucket(frames, 10 * frames)

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        super().connection_made(transport)
        self.address = (get_remote_addr(self.transport) or ("?",))[0]
        self.stall_guard = StallGuard(self.transport)

    async def send(self, message: Any) -> None:
        await super().send(message)
        if message["type"] == "websocket.accept" and self.handshake_complete:
            del self.request, self.response  # thousands may wait, and nobody asks for their headers again
            self.scope["headers"] = []

    def handle_events(self) -> None:
        frames = self.conn.events
        if not all(self.budget.take() for _ in frames):
            self.limiter.note("frames", self.address)
            self.transport.abort()
            return
        super().handle_events()

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        if self.transport.get_write_buffer_size() > MOST_UNREAD:
            self.limiter.note("unread", self.address)
            self.transport.abort()
        elif self.transport.is_closing():
            self._abort_soon()

    def keepalive_timeout(self) -> None:
        super().keepalive_timeout()
        self._abort_soon()

    def shutdown(self) -> None:
        super().shutdown()
        self._abort_soon()

    async def run_asgi(self) -> None:
        await super().run_asgi()
        self._abort_soon()

    def _abort_soon(self) -> None:
        """What a client has not read a moment after the close frame, it never will."""
        if not self.disconnected:
            self.loop.call_later(LINGER, self.transport.abort)

    def connection_lost(self, exc: Exception | None) -> None:
        if self.stall_guard:
            self.stall_guard.end()
        super().connection_lost(exc)
        self.limiter.leave(self.address)


def protocols(limiter: ConnectionLimiter) -> tuple[Any, Any]:
    """The two protocols for uvicorn, which makes one of them for every connection."""
    return partial(HttpProtocol, limiter), partial(SocketProtocol, limiter)


def open_files() -> int:
    """How many files this process may have open."""
    if sys.platform == "win32":
        return 100_000
    import resource

    soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return 1_000_000 if soft == resource.RLIM_INFINITY else soft


def raise_file_limit(wanted: int) -> None:
    """Let this process have as many files open as it may need, if the system allows it."""
    if sys.platform == "win32":
        return
    import resource

    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted += RESERVED
    if hard != resource.RLIM_INFINITY:
        wanted = min(wanted, hard)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
