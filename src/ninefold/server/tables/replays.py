"""Finished matches of a table: their records with proof, and frames for a replay."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ninefold.engine.beats import Moment
from ninefold.server.tables.events import Event, Stored
from ninefold.server.tables.messages import Frame, ReplayPage
from ninefold.server.tables.table import CLOSED, OVER, Refusal, Table

FRAMES = 100  # of a replay in one answer
SHOWN = ("started", "moved", "undone")  # events that have a frame of their own


def ended(now: Table, match: int | None) -> int:
    """The number of a match that may be shown to everyone; by default the last one."""
    number = match or (now.match.number if now.match else 0)
    if now.match is None or not 0 < number <= now.match.number:
        raise Refusal("no_match", "there is no such match at this table")
    if number == now.match.number and now.status not in (OVER, CLOSED):
        raise Refusal("running", "the match is still being played")
    return number


def table_at_the_end(stored: Sequence[Stored], match: int) -> Table:
    """The table as it was when a match ended."""
    table = Table()
    for _ in _steps(table, stored, match):
        pass
    return table


def frames(stored: Sequence[Stored], match: int, viewer: int | None, start: int) -> ReplayPage:
    """A page of frames of a match, as a seat or a spectator saw it, from number `start` on."""
    table = Table()
    found: list[Frame] = []
    total = 0
    for event, moments in _steps(table, stored, match):
        if table.match is None or table.match.number != match or event.kind not in SHOWN:
            continue
        if start <= total < start + FRAMES:
            events = [one for moment in moments for one in table.match.state.looks.events(moment, viewer)]
            view = table.match.state.picture(viewer)
            view.offers, view.orders, view.moves, view.move_count = [], [], [], 0
            found.append(Frame(table.seq, events, view))
        total += 1
    following = start + len(found)
    return ReplayPage(match, viewer, total, found, following if following < total else None)


def _steps(table: Table, stored: Sequence[Stored], match: int) -> Iterator[tuple[Event, list[Moment]]]:
    """Apply events, up to the end of a match."""
    for one in stored:
        if one.event.kind == "started" and one.event.body["match"] > match:
            return
        yield one.event, table.apply(one.event)
