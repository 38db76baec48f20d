"""Makes all messages to viewers, from the view and nothing else."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import msgspec

from ninefold.kernel.errors import IllegalMove, NinefoldError
from ninefold.model.events import DECIDED
from ninefold.model.text import Text, message, render
from ninefold.model.view import View
from ninefold.server.tables.events import Event, News, Stored
from ninefold.server.tables.messages import (
    ChatMessage,
    Differences,
    LogLine,
    LogPage,
    TableEvent,
    Update,
    Welcome,
    encode,
)
from ninefold.server.tables.table import PAUSED, PLAYING, Table

TOGETHER = 64  # missed events in one message
LOG = 400  # lines that a latecomer is sent
LONGEST = 300  # characters of a refusal, which may quote the input

# The fields of an event that everyone may read. For a move there are none: its beats say what may be known.
PUBLIC = {
    "sat": ("seat", "name"),
    "bot": ("seat", "name"),
    "emptied": ("seat",),
    "away": ("seat", "why"),
    "back": ("seat",),
    "voted": ("seat", "ends"),
    "asked": ("name",),
    "sealed": ("seat",),
    "ready": ("seat",),
    "rolled": ("seat",),
    "shared": ("seat",),
    "said": ("seat", "text"),
    "undo_asked": ("seat",),
    "undo_refused": ("seat",),
    "undone": ("seat",),  # to which step would count those that others cannot know of
    "closed": ("why",),
}
# What the log says about events that are not part of the match.
LINES = {
    "sat": "{who} joins the table.",
    "away": "{who} left. A bot plays for them.",
    "away time": "{who}’s time is up. A bot plays for them.",
    "away offline": "{who} is offline. A bot plays for them.",
    "back": "{who} is back.",
    "go": "Go!",
    "paused": "Match paused.",
    "resumed": "Match resumed.",
    "voted": "{who} wants to end the match.",
    "voted restart": "{who} wants to restart the match.",
    "voted by clock": "The match ends.",
    "vote_failed": "The match goes on.",
    "away idle": "{who} has not moved for long. A bot plays for them.",
    "locked": "The host lets no one else in.",
    "unlocked": "Anyone with the link may join again.",
    "undo_asked": "{who} asks to undo the last move.",
    "undone": "The last move was undone.",
    "undo_refused": "The move stands.",
}


def describe(table: Table, viewer: int | None, news: News, view_follows: bool = False) -> TableEvent:
    """An event of the table as a viewer may know it."""
    seq, event, moments = news
    beats = table.running.beats(moments, viewer, view_follows) if moments else []
    body = event.body
    public = {name: body[name] for name in PUBLIC.get(event.kind, ()) if name in body}
    return TableEvent(seq, event.kind, beats, line=_line(event), quiet=event.quiet, **public)


def _line(event: Event) -> Text | None:
    """What the log says about an event that is not part of the match."""
    if event.kind not in LINES:
        return None
    why = "restart" if event.body.get("restart") else event.body.get("why")
    line = LINES.get(f"{event.kind} {why}", LINES[event.kind])
    return message(line, {"who": event.body["seat"]}) if "{who}" in line else line


Shown = dict[int | None, tuple[View | None, object]]  # by viewer: the view and the table they were sent last


@dataclass
class Messages:
    """Messages for viewers: whole ones, short ones of differences, and what viewers know after them."""

    whole: dict[int | None, bytes] = field(default_factory=dict)
    short: dict[int | None, bytes] = field(default_factory=dict)
    shown: Shown = field(default_factory=dict)


def updates(
    table: Table,
    viewers: Collection[int | None],
    news: Sequence[News],
    short: Collection[int | None] = (),
    shown: Mapping[int | None, tuple[View | None, object]] | None = None,
) -> Messages:
    """The message for every viewer who may know of stored events: the events, and the table after them; for
    those in `short` what is different from what they were `shown`."""
    last = max((one.seq for one in news if one.moments), default=0)
    public, made, shown = table.public_json(), Messages(), shown or {}
    for viewer in {*viewers, *short}:
        knows_from, seen_as = table.knows_from(viewer), table.seen_as(viewer)
        events = _known_to(table, viewer, knows_from, news, last if seen_as == viewer else 0)
        if not events:
            if viewer in shown:
                made.shown[viewer] = shown[viewer]
            continue
        final = next((event.beats[-1] for event in reversed(events) if event.beats), None)
        if final is not None:
            final.changes = None  # where the last steps cannot be noticed
        view, decision = table.view(seen_as), _decision(table, seen_as)
        before, known = shown.get(viewer, (None, None))
        made.shown[viewer] = view, public
        brief = viewer in short and before is not None and view is not None
        if brief:
            same = msgspec.UNSET if public is known else public
            changed = differences(before, view)
            made.short[viewer] = encode(
                Update(table.public_seq, events, same, msgspec.UNSET, decision, changed)
            )
        if not brief or viewer in viewers:
            made.whole[viewer] = encode(Update(table.public_seq, events, public, view, decision))
    return made


FIELDS = [name for name in View.__struct_fields__ if name not in ("zones", "seats")]


def differences(before: Any, after: Any) -> Differences:
    """What has changed from one view to another."""
    fields = {name: new for name in FIELDS if (new := getattr(after, name)) != getattr(before, name)}
    parts: dict[str, Any] = {"zones": [], "seats": []}
    for name, key in (("zones", "id"), ("seats", "seat")):
        old, new = getattr(before, name), getattr(after, name)
        if [getattr(one, key) for one in old] == [getattr(one, key) for one in new]:
            parts[name] = [one for one, other in zip(new, old, strict=True) if one != other]
        else:
            fields[name] = new
    return Differences(fields, **parts)


def _known_to(
    table: Table, viewer: int | None, knows_from: int, news: Iterable[News], followed: int = 0
) -> list[TableEvent]:
    """The events that a viewer may know: as a spectator up to `knows_from`. A view follows `followed`."""
    found = []
    for one in news:
        seen_as = viewer if one.seq > knows_from else None
        if one.concerns(seen_as):
            found.append(describe(table, seen_as, one, one.seq == followed))
    return found


def welcome(table: Table, viewer: int | None, code: str, elapsed: Mapping[int, float] | None = None) -> bytes:
    """The message for a new viewer; `elapsed` are the seconds each decision has been awaited."""
    chat = [ChatMessage(**message) for message in table.chat]
    head = (table.public_seq, viewer, code, chat, dict(elapsed or {}))
    seen_as = table.seen_as(viewer)
    return encode(Welcome(*head, table.public_json(), table.view(seen_as), _decision(table, seen_as)))


def _decision(table: Table, viewer: int | None) -> int | None:
    playing = table.match is not None and table.status in (PLAYING, PAUSED)
    return table.running.decision(viewer) if playing and viewer is not None else None


def missed(
    read: Callable[[int], Sequence[Stored]], viewer: int | None, knows_from: int, since: int, upto: int
) -> Iterator[bytes]:
    """The events a viewer missed after the one they know as `since`, without the table, since a welcome
    follows. Each message is made when it is asked for; `read` gives some of the events after a stored number.
    """
    table = Table()
    events: list[TableEvent] = []
    while table.seq < upto:
        stored = read(table.seq)[: upto - table.seq]
        if not stored:
            return  # the table has been deleted
        for one in stored:
            news = table.apply(one.event)
            if news.seq > since:
                events += _past(table, viewer, knows_from, news)
            if len(events) == TOGETHER or (events and one.seq == upto):
                yield encode(Update(events[-1].seq, events))
                events = []


def _past(table: Table, viewer: int | None, knows_from: int, news: News) -> list[TableEvent]:
    """An event of the past, without what has changed on the table; nothing if it is kept from the viewer."""
    events = _known_to(table, viewer, knows_from, [news])
    for event in events:
        for beat in event.beats:
            beat.changes = None
    return events


def history(stored: Sequence[Stored], viewer: int | None, knows_from: int) -> list[TableEvent]:
    """All events of a table as a viewer may know them, without the table after each."""
    table = Table()
    return [event for one in stored for event in _past(table, viewer, knows_from, table.apply(one.event))]


def log_page(stored: Sequence[Stored], viewer: int | None, knows_from: int) -> LogPage:
    """What a viewer may read of the last match, from its beginning."""
    first = max((one.seq for one in stored if one.event.kind == "started"), default=len(stored) + 1)
    table = Table()
    lines: list[LogLine] = []
    for one in stored:
        news = table.apply(one.event)
        seen_as = viewer if news.seq > knows_from else None
        if one.seq < first or not news.concerns(seen_as):
            continue
        for beat in table.running.beats(news.moments, seen_as) if news.moments else ():
            for event in beat.events:
                if event.text and not event.quiet and event.kind != DECIDED:
                    lines.append(LogLine(news.seq, event.kind, event.text, event.seat))
        if line := _line(one.event):
            lines.append(LogLine(news.seq, one.event.kind, line, one.event.body.get("seat")))
    return LogPage(table.public_seq, lines[-LOG:])


def refusal_text(error: NinefoldError, names: Sequence[str] = ()) -> str:
    """The sentence of an error, with the players' names; the number of its rule is sent separately."""
    sentence = render(error.sentence, names) if isinstance(error, IllegalMove) else str(error)
    return sentence[:LONGEST]
