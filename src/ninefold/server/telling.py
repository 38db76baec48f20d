"""What a viewer is sent of a table: the one place where it is made, from the view and nothing else."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ninefold.server.messages import encode
from ninefold.server.store import Stored
from ninefold.server.table import PAUSED, PLAYING, Event, Moment, Table

TOGETHER = 64  # events that were missed in one message

# What everybody may read of an event itself. Of a move that is nothing: what it shows, `told` says.
PUBLIC = {
    "sat": ("seat", "name"),
    "bot": ("seat", "name"),
    "emptied": ("seat",),
    "away": ("seat",),
    "back": ("seat",),
    "voted": ("seat", "ends"),
    "sealed": ("seat",),
    "said": ("seat", "text"),
    "undo_asked": ("seat",),
    "undo_refused": ("seat",),
    "undone": ("seat", "to"),
    "closed": ("why",),
}

News = dict[str, Any]  # an event as a viewer is told it


def news(table: Table, viewer: int | None, seq: int, event: Event, moments: list[Moment]) -> News:
    """What a viewer is told of an event of the table."""
    told = table.tell(moments, viewer) if moments else []
    extra = {name: event.body[name] for name in PUBLIC.get(event.kind, ())}
    return {"seq": seq, "kind": event.kind, "told": told, **extra}


def update(table: Table, viewer: int | None, events: Sequence[News]) -> bytes:
    """What a viewer is sent when events have been stored: all of them, and the table after the last."""
    return encode({"type": "update", "seq": table.seq, "events": events, **_seen(table, viewer)})


def welcome(table: Table, viewer: int | None, code: str, spent: Mapping[int, float] | None = None) -> bytes:
    """What a viewer is sent on arrival; `spent` are the seconds for which seats have been waited for."""
    head = {"type": "welcome", "seq": table.seq, "seat": viewer, "code": code}
    head |= {"chat": table.chat, "spent": spent or {}}
    return encode({**head, **_seen(table, viewer)})


def _seen(table: Table, viewer: int | None) -> dict[str, Any]:
    playing = table.match is not None and viewer is not None and table.status in (PLAYING, PAUSED)
    return {
        "table": table.public(),
        "view": table.view(viewer),
        "decision": table.decision(viewer) if playing and viewer is not None else None,
    }


def missed(stored: list[Stored], viewer: int | None, since: int, upto: int) -> list[bytes]:
    """What a viewer was not there for: the events alone, since a welcome follows."""
    table = Table()
    found = []
    for one in stored[:upto]:
        moments = table.apply(one.event)
        if one.seq > since:
            found.append(news(table, viewer, one.seq, one.event, moments))
    parts = [found[at : at + TOGETHER] for at in range(0, len(found), TOGETHER)]
    return [encode({"type": "update", "seq": part[-1]["seq"], "events": part}) for part in parts]
