"""Logs as lines of JSON: what happened, at which request; never a token, a secret, a code or a card."""

from __future__ import annotations

import json
import logging
import sys
import time
from collections import Counter
from contextvars import ContextVar

SELDOM = 60.0  # seconds between two lines about the same thing
FEW = 5  # lines in that time, of a library that repeats itself

request_id: ContextVar[str] = ContextVar("request_id", default="")


class Lines(logging.Formatter):
    """A log record as one line of JSON."""

    def format(self, record: logging.LogRecord) -> str:
        entry: dict[str, object] = {
            "at": time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(record.created)) + f".{record.msecs:03.0f}Z",
            "level": record.levelname.lower(),
            "from": record.name,
            "what": record.getMessage(),
        }
        if request := request_id.get():
            entry["request"] = request
        entry.update(getattr(record, "details", {}))
        if record.exc_info:
            entry["trace"] = self.formatException(record.exc_info)
        return json.dumps(entry, ensure_ascii=True, default=str)


class Throttle(logging.Filter):
    """Lets a library log the same message only a few times a minute, however often a client causes it."""

    def __init__(self) -> None:
        super().__init__()
        self._since = 0.0
        self._said: Counter[str] = Counter()

    def filter(self, record: logging.LogRecord) -> bool:
        if time.monotonic() - self._since > SELDOM:
            self._since = time.monotonic()
            self._said.clear()
        self._said[str(record.msg)[:80]] += 1
        return self._said[str(record.msg)[:80]] <= FEW


def begin(level: str) -> None:
    """Send all logs of this process to standard error, as lines."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(Lines())
    logging.basicConfig(level=level.upper(), handlers=[handler], force=True)
    logging.getLogger("alembic").setLevel(logging.WARNING)
    logging.getLogger("websockets").setLevel(logging.WARNING)  # its debug lines hold whole messages
    for name in ("uvicorn.error", "asyncio"):
        logging.getLogger(name).addFilter(Throttle())
    logging.getLogger("uvicorn").setLevel(max(logging.INFO, logging.getLogger().level))
