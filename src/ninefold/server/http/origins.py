"""Where a request says it comes from: our own page, another page, or a program."""

from __future__ import annotations

from urllib.parse import urlsplit

from starlette.datastructures import Headers
from starlette.types import Scope


def from_own_page(scope: Scope) -> bool:
    """A page may only talk to the server that sent it; programs send no origin and have no cookies."""
    headers = Headers(scope=scope)  # a socket's own would stay as long as it does
    origin, host = headers.get("origin"), headers.get("host", "")
    if origin is None:
        return True
    parts = urlsplit(origin)
    return parts.scheme in ("http", "https") and parts.netloc == host and bool(host)


def local_name(host: str) -> bool:
    """Whether a `Host` is an address or this machine: a page elsewhere can make its own name lead here."""
    name = urlsplit(f"//{host}").hostname or ""
    return name in ("localhost", "testserver") or name.replace(".", "").isdigit() or ":" in name
