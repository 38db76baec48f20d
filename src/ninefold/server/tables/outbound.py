"""Makes all messages to viewers, from the view and nothing else."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ninefold.engine.beats import Moment
from ninefold.kernel.errors import IllegalMove, NinefoldError
from ninefold.model.text import render
from ninefold.server.tables.events import Event, Stored
from ninefold.server.tables.messages import ChatMessage, LogLine, LogPage, TableEvent, Update, Welcome, encode
from ninefold.server.tables.table import PAUSED, PLAYING, Table

TOGETHER = 64  # missed events in one message
LOG = 400  # lines that a latecomer is sent
LONGEST = 300  # characters of a refusal, which may quote the input

# The fields of an event that everyone may read. For a move there are none: its beats say what may be known.
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


def describe(
    table: Table, viewer: int | None, seq: int, event: Event, moments: Sequence[Moment]
) -> TableEvent:
    """An event of the table as a viewer may know it."""
    beats = table.running.beats(moments, viewer) if moments else []
    return TableEvent(
        seq, event.kind, beats, **{name: event.body[name] for name in PUBLIC.get(event.kind, ())}
    )


def update(table: Table, viewer: int | None, events: list[TableEvent]) -> bytes:
    """The message for a viewer when events have been stored: all of them, and the table after the last."""
    last = next((event.beats[-1] for event in reversed(events) if event.beats), None)
    if last is not None:
        last.changes = None  # the view shows them
    return encode(Update(table.seq, events, table.public(), table.view(viewer), _decision(table, viewer)))


def welcome(table: Table, viewer: int | None, code: str, elapsed: Mapping[int, float] | None = None) -> bytes:
    """The message for a new viewer; `elapsed` are the seconds each decision has been awaited."""
    chat = [ChatMessage(**message) for message in table.chat]
    head = (table.seq, viewer, code, chat, dict(elapsed or {}))
    return encode(Welcome(*head, table.public(), table.view(viewer), _decision(table, viewer)))


def _decision(table: Table, viewer: int | None) -> int | None:
    playing = table.match is not None and table.status in (PLAYING, PAUSED)
    return table.running.decision(viewer) if playing and viewer is not None else None


def missed(stored: Sequence[Stored], viewer: int | None, since: int, upto: int) -> list[bytes]:
    """The events a viewer missed, without the table, since a welcome follows."""
    events = [one for one in history(stored[:upto], viewer) if one.seq > since]
    parts = [events[at : at + TOGETHER] for at in range(0, len(events), TOGETHER)]
    return [encode(Update(part[-1].seq, part)) for part in parts]


def history(stored: Sequence[Stored], viewer: int | None) -> list[TableEvent]:
    """All events of a table as a viewer may know them, without the table after each."""
    table = Table()
    found = []
    for one in stored:
        moments = table.apply(one.event)
        event = describe(table, viewer, one.seq, one.event, moments)
        for beat in event.beats:
            beat.changes = None
        found.append(event)
    return found


def log_page(stored: Sequence[Stored], viewer: int | None) -> LogPage:
    """What a viewer may read of the last match, from its beginning."""
    first = max((one.seq for one in stored if one.event.kind == "started"), default=len(stored) + 1)
    table = Table()
    lines: list[LogLine] = []
    for one in stored:
        moments = table.apply(one.event)
        if one.seq < first:
            continue
        for beat in table.running.beats(moments, viewer) if moments else ():
            shown = (event for event in beat.events if event.text and not event.quiet)
            lines += [LogLine(one.seq, event.kind, event.text, event.seat) for event in shown]
    return LogPage(table.seq, lines[-LOG:])


def refusal_text(error: NinefoldError, names: Sequence[str] = ()) -> str:
    """The sentence of an error, with the players' names; the number of its rule is sent separately."""
    sentence = render(error.sentence, names) if isinstance(error, IllegalMove) else str(error)
    return sentence[:LONGEST]
