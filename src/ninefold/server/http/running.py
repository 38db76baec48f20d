"""uvicorn as we run it: its settings, and an end that comes in time whatever still hangs."""

from __future__ import annotations

import logging
import os
import threading
from collections.abc import Callable
from types import FrameType
from typing import Any

import uvicorn

from ninefold.server.http.protocols import BACKLOG, protocols
from ninefold.server.tables.messages import LARGEST

GRACE = 2  # seconds for requests under way and for clients to read that we stop
DEADLINE = 4.5  # seconds after which a stop no longer waits for anything

log = logging.getLogger("ninefold.server")


def configured(app: Any, host: str, port: int, proxies: str | None = None) -> uvicorn.Config:
    """uvicorn's settings for the app. `proxies` are the addresses of those whose headers are trusted."""
    server = app.state.server
    server.limiter.trust(proxies)
    http, ws = protocols(server.limiter)
    return uvicorn.Config(
        app,
        host=host,
        port=port,
        log_config=None,
        access_log=False,
        http=http,
        ws=ws,
        backlog=BACKLOG,
        ws_max_size=2 * LARGEST,
        ws_per_message_deflate=False,
        ws_ping_interval=20,
        ws_ping_timeout=20,
        timeout_graceful_shutdown=GRACE,
        timeout_keep_alive=10,
        proxy_headers=proxies is not None,
        forwarded_allow_ips=proxies,
        server_header=False,
        h11_max_incomplete_event_size=16 * 1024,
    )


class Running(uvicorn.Server):
    """The server of this process."""

    def __init__(self, config: uvicorn.Config, give_up: Callable[[], None] | None = None) -> None:
        super().__init__(config)
        self.give_up = give_up or _give_up

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """Stop; by force if threads, a database or clients keep us."""
        super().handle_exit(sig, frame)
        self.stop_soon()

    def stop_soon(self) -> None:
        """Stop, from any thread; by force if need be."""
        self.should_exit = True
        deadline = threading.Timer(DEADLINE, self.give_up)
        deadline.daemon = True
        deadline.start()


def _give_up() -> None:
    """What was answered is on the disk, so nothing is lost."""
    busy = [thread.name for thread in threading.enumerate() if thread is not threading.current_thread()]
    log.warning("stopped by force", extra={"details": {"threads": busy[:20]}})
    logging.shutdown()
    os._exit(0)
