"""A table's link as others see it before they open it: a code for phones. Knows no game."""

from __future__ import annotations

import io

from fastapi import Request


def link(request: Request, code: str) -> str:
    """The address of a table, as the one who asks reaches this server."""
    return f"{request.url.scheme}://{request.url.netloc}/t/{code}"


def qr(link: str) -> bytes:
    """A picture of a link, for the cameras of phones."""
    import segno

    picture = io.BytesIO()
    segno.make(link, error="m").save(picture, kind="svg", scale=6, dark="#111", light="#fff")
    return picture.getvalue()
