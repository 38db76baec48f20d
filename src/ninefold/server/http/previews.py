"""A table's link as others see it before they open it: a code for phones, and what messengers show.

Knows no game. Anyone who gets hold of the link sees all of this, so it says nothing about a match.
"""

from __future__ import annotations

import io
from html import escape

from fastapi import Request

from ninefold.engine import registry
from ninefold.server.tables.messages import TableView

DESCRIPTION = "Six card and dice games to play with friends or bots. No account needed."


def usual(request: Request) -> str:
    """For all addresses but those of tables."""
    return _tags(request, "Ninefold", DESCRIPTION, "/", "/static/preview.jpg")


def of_table(request: Request, code: str, table: TableView) -> str:
    """Who invites to what, and how many seats are free."""
    facts = registry.facts(table.game)
    free = 0 if table.locked else sum(seat.kind == "open" for seat in table.seats)
    host = table.seats[0].name
    title = f"{host} invites you to {facts.title}" if free else f"{facts.title} with {host}"
    seats = f"{free} seat{'s' * (free != 1)} free. " if free else ""
    words = f"{facts.tagline or facts.line} {seats}Play in the browser, no account needed."
    return _tags(request, title, words, f"/t/{code}", f"/api/games/{table.game}/preview.jpg")


def _tags(request: Request, title: str, words: str, path: str, picture: str) -> str:
    here = _here(request)
    tags = {
        "og:site_name": "Ninefold",
        "og:type": "website",
        "og:title": title,
        "og:description": words,
        "og:url": here + path,
        "og:image": here + picture,
        "og:image:width": "1200",
        "og:image:height": "630",
    }
    found = [f'<meta property="{name}" content="{escape(text)}" />' for name, text in tags.items()]
    return "\n    ".join([*found, '<meta name="twitter:card" content="summary_large_image" />'])


def _here(request: Request) -> str:
    """The server as the one who asks reaches it."""
    return f"{request.url.scheme}://{request.url.netloc}"


def link(request: Request, code: str) -> str:
    """The address of a table."""
    return f"{_here(request)}/t/{code}"


def qr(link: str) -> bytes:
    """A picture of a link, for the cameras of phones."""
    import segno

    picture = io.BytesIO()
    segno.make(link, error="m").save(picture, kind="svg", scale=6, dark="#111", light="#fff")
    return picture.getvalue()
