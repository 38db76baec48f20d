"""The browser client's files, as they were built: one page for every address, and what it is made of."""

from __future__ import annotations

import gzip
from functools import lru_cache
from importlib import resources
from pathlib import PurePath

from fastapi import Request, Response

from ninefold.server.tables.table import Refusal

# The page itself looks which of these it is.
ADDRESSES = ("/", "/t/{code}", "/season/{code}", "/matches", "/card", "/learn/{game}")
PROGRAMS = ("/api/", "/metrics", "/readyz", "/healthz", "/openapi.json")  # addresses that are not for people
TEXTS = {
    ".html": "text/html",
    ".js": "text/javascript",
    ".css": "text/css",
    ".svg": "image/svg+xml",
    ".webmanifest": "application/manifest+json",
}
KINDS = {**{suffix: f"{kind}; charset=utf-8" for suffix, kind in TEXTS.items()}, ".png": "image/png"}


async def page(request: Request) -> Response:
    return _file(request, "index.html")


async def part(request: Request) -> Response:
    return _file(request, str(request.path_params["name"]))


async def favicon(request: Request) -> Response:
    """What browsers ask for that do not read the page's own icon."""
    return _file(request, "icon.png")


async def worker(request: Request) -> Response:
    """The service worker: it may look after the addresses beside its own, and those are all of them."""
    return _file(request, "worker.js")


def not_found(request: Request) -> Response:
    """The page under an address that is none: it says so, and the way home."""
    return _file(request, "index.html", 404)


def is_page(request: Request) -> bool:
    """Whether the page or a part of it is asked for, and nothing about a table."""
    return request.method in ("GET", "HEAD") and not request.url.path.startswith(PROGRAMS)


def wants_page(request: Request) -> bool:
    """Whether a person asks, with a browser, and not a program."""
    return "text/html" in request.headers.get("accept", "") and is_page(request)


def _file(request: Request, name: str, status: int = 200) -> Response:
    """A file of the client; those with a hash in their name never change."""
    found = resources.files("ninefold.server").joinpath("static", "app", name)
    suffix = PurePath(name).suffix
    if suffix not in KINDS or not found.is_file():
        built = name != "index.html"
        raise Refusal("no_file", "no such file" if built else "the page is not built here: run `make client`")
    headers = {"Cache-Control": "public, max-age=31536000, immutable"} if "-" in name else {}
    content = found.read_bytes()
    if suffix in TEXTS:
        return packed(request, content, KINDS[suffix], headers, status)
    return Response(content, status, media_type=KINDS[suffix], headers=headers)


def packed(
    request: Request, content: bytes, kind: str, headers: dict[str, str], status: int = 200
) -> Response:
    """A text, compressed for clients that take it so."""
    headers = {**headers, "Vary": "Accept-Encoding"}
    if takes_gzip(request.headers.get("accept-encoding", "")):
        headers["Content-Encoding"] = "gzip"
        content = _packed(content)
    return Response(content, status, media_type=kind, headers=headers)


@lru_cache(maxsize=32)
def _packed(content: bytes) -> bytes:
    return gzip.compress(content, 9, mtime=0)


def takes_gzip(accepted: str) -> bool:
    """Whether a header `Accept-Encoding` lists gzip, and not with a quality of zero."""
    for one in accepted.lower().split(","):
        coding, _, quality = one.partition(";")
        if coding.strip() == "gzip":
            return quality.replace(" ", "") not in ("q=0", "q=0.0", "q=0.00", "q=0.000")
    return False
