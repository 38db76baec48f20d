"""What a viewer is sent of a table: the one place where it is made, from the view and nothing else."""

from __future__ import annotations

from typing import Any

from ninefold.server.messages import encode
from ninefold.server.store import Stored
from ninefold.server.table import PAUSED, PLAYING, Event, Moment, Table


def update(table: Table, viewer: int | None, event: Event, moments: list[Moment]) -> bytes:
    """What a viewer is sent of an event."""
    told = table.tell(moments, viewer) if moments else []
    head = {"type": "update", "seq": table.seq, "kind": event.kind, "told": told}
    return encode({**head, **_seen(table, viewer)})


def welcome(table: Table, viewer: int | None, code: str) -> bytes:
    """What a viewer is sent on arrival."""
    head = {"type": "welcome", "seq": table.seq, "seat": viewer, "code": code}
    return encode({**head, **_seen(table, viewer)})


def _seen(table: Table, viewer: int | None) -> dict[str, Any]:
    playing = table.match is not None and viewer is not None and table.status in (PLAYING, PAUSED)
    return {
        "table": table.public(),
        "view": table.view(viewer),
        "decision": table.decision(viewer) if playing and viewer is not None else None,
    }


def missed(stored: list[Stored], viewer: int | None, since: int, upto: int) -> list[bytes]:
    table = Table()
    found = []
    for one in stored[:upto]:
        moments = table.apply(one.event)
        if one.seq > since:
            found.append(update(table, viewer, one.event, moments))
    return found
