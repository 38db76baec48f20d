"""The browser client's files, as they were built: one page for every address, and what it is made of."""

from __future__ import annotations

from importlib import resources
from pathlib import PurePath

from fastapi import Request, Response

from ninefold.server.table import Refusal

ADDRESSES = ("/", "/t/{code}", "/season/{code}", "/matches", "/card")  # the page itself looks which it is
KINDS = {".html": "text/html", ".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml"}


async def page(_: Request) -> Response:
    return _file("index.html")


async def part(request: Request) -> Response:
    return _file(str(request.path_params["name"]))


def _file(name: str) -> Response:
    """A file of the client; those with a hash in their name never change."""
    found = resources.files("ninefold.server").joinpath("static", "house", name)
    kind = KINDS.get(PurePath(name).suffix)
    if kind is None or not found.is_file():
        built = name != "index.html"
        raise Refusal("no_file", "no such file" if built else "the page is not built here: run `make client`")
    lasting = {"Cache-Control": "public, max-age=31536000, immutable"} if "-" in name else None
    return Response(found.read_bytes(), media_type=f"{kind}; charset=utf-8", headers=lasting)
