"""Matches of a table that are over: their records with proof, and their pictures for a replay."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from ninefold.server.store import Stored
from ninefold.server.table import CLOSED, OVER, Event, Moment, Refusal, Table

FRAMES = 100  # of a replay in one answer


def ended(now: Table, match: int | None) -> int:
    """The number of a match of a table that may be shown to all; the last one where none is named."""
    number = match or (now.match.number if now.match else 0)
    if now.match is None or not 0 < number <= now.match.number:
        raise Refusal("no_match", "no such match has been played here")
    if number == now.match.number and now.status not in (OVER, CLOSED):
        raise Refusal("running", "the match is still being played")
    return number


def table_at_the_end(stored: Sequence[Stored], match: int) -> Table:
    """The table as it was when a match ended."""
    table = Table()
    for _ in _steps(table, stored, match):
        pass
    return table


def frames(stored: Sequence[Stored], match: int, viewer: int | None, start: int) -> dict[str, Any]:
    """The pictures of a match, as a seat or a spectator saw it, from number `start` on."""
    table = Table()
    shown: list[dict[str, Any]] = []
    total = 0
    for event, moments in _steps(table, stored, match):
        if (
            table.match is None
            or table.match.number != match
            or event.kind not in ("started", "moved", "undone")
        ):
            continue
        if start <= total < start + FRAMES:
            told = table.tell(moments, viewer)
            shown.append({"seq": table.seq, "told": told, "view": _picture(table, viewer)})
        total += 1
    following = start + len(shown)
    more = following if following < total else None
    return {"match": match, "seat": viewer, "total": total, "frames": shown, "next": more}


def _picture(table: Table, viewer: int | None) -> dict[str, Any]:
    """A view without what could have been done in it."""
    view = dict(table.view(viewer) or {})
    return view | {"offers": [], "orders": [], "moves": [], "move_count": 0}


def _steps(table: Table, stored: Sequence[Stored], match: int) -> Iterator[tuple[Event, list[Moment]]]:
    """Apply events, up to the end of a match."""
    for one in stored:
        if one.event.kind == "started" and one.event.body["match"] > match:
            return
        yield one.event, table.apply(one.event)
