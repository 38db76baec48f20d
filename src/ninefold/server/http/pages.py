"""The browser client's files, as they were built: one page for every address, and what it is made of."""

from __future__ import annotations

import gzip
import re
from functools import lru_cache
from importlib import resources
from pathlib import PurePath

from fastapi import Request, Response

from ninefold.engine import registry
from ninefold.server.http import previews
from ninefold.server.tables.table import Refusal

# The page itself looks which of these it is. That of a table, /t/{code}, has a preview of its own.
ADDRESSES = ("/", "/season/{code}", "/matches", "/card", "/learn/{game}")
PROGRAMS = ("/api/", "/metrics", "/readyz", "/healthz", "/openapi.json")  # addresses that are not for people
TEXTS = {
    ".html": "text/html",
    ".js": "text/javascript",
    ".css": "text/css",
    ".svg": "image/svg+xml",
    ".webmanifest": "application/manifest+json",
}
PICTURES = {".png": "image/png", ".jpg": "image/jpeg"}
KINDS = {suffix: f"{kind}; charset=utf-8" for suffix, kind in TEXTS.items()} | PICTURES
HASHED = re.compile(r"-[\w-]{8}\.(js|css)$")
DAY = {"Cache-Control": "public, max-age=86400"}


async def page(request: Request) -> Response:
    return shell(request, previews.usual(request))


def shell(request: Request, preview: str, status: int = 200) -> Response:
    """The page, with what messengers show of its link."""
    page = _read("index.html").replace(b"<!--preview-->", preview.encode())
    return packed(request, page, KINDS[".html"], {}, status, once=True)


async def part(request: Request) -> Response:
    return _file(request, str(request.path_params["name"]))


async def favicon(request: Request) -> Response:
    """The icon, for browsers that do not read the page for it."""
    return _file(request, "icon.png")


async def worker(request: Request) -> Response:
    """The service worker: served from the root, it may handle every address."""
    return _file(request, "worker.js")


def not_found(request: Request) -> Response:
    """The page for an address that does not exist, with a link home."""
    return shell(request, previews.usual(request), 404)


async def picture(request: Request) -> Response:
    """A game's picture; a page shows it as an image, so nothing in it is run."""
    content = registry.picture(str(request.path_params["name"])[:40])
    headers = {**DAY, "Content-Security-Policy": "default-src 'none'"}
    return packed(request, content, KINDS[".svg"], headers)


async def preview(request: Request) -> Response:
    """A game's picture as messengers want it, or that of all games."""
    content = registry.preview(str(request.path_params["name"])[:40]) or _read("preview.jpg")
    return Response(content, media_type=KINDS[".jpg"], headers=DAY)


def is_page(request: Request) -> bool:
    """Whether the page or a part of it is asked for, and nothing about a table."""
    return request.method in ("GET", "HEAD") and not request.url.path.startswith(PROGRAMS)


def wants_page(request: Request) -> bool:
    """Whether a person asks, with a browser, and not a program."""
    return "text/html" in request.headers.get("accept", "") and is_page(request)


def _file(request: Request, name: str) -> Response:
    """A file of the client; those with a hash in their name never change."""
    content, suffix = _read(name), PurePath(name).suffix
    headers = {"Cache-Control": "public, max-age=31536000, immutable"} if HASHED.search(name) else {}
    if suffix in TEXTS:
        return packed(request, content, KINDS[suffix], headers)
    return Response(content, media_type=KINDS[suffix], headers=headers)


def _read(name: str) -> bytes:
    found = resources.files("ninefold.server").joinpath("static", "app", name)
    if PurePath(name).suffix not in KINDS or not found.is_file():
        built = name != "index.html"
        raise Refusal("no_file", "no such file" if built else "the page is not built here: run `make client`")
    return found.read_bytes()


def packed(
    request: Request,
    content: bytes,
    kind: str,
    headers: dict[str, str],
    status: int = 200,
    once: bool = False,
) -> Response:
    """A text, compressed for clients that take it so; not kept for the next if it is for this one alone."""
    headers = {**headers, "Vary": "Accept-Encoding"}
    if takes_gzip(request.headers.get("accept-encoding", "")):
        headers["Content-Encoding"] = "gzip"
        content = gzip.compress(content, 6) if once else _packed(content)
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
