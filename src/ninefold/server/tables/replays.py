"""Finished matches of a table: their records with proof, frames for a replay, and what stood out."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import islice
from typing import Any

from ninefold.engine import views
from ninefold.engine.highlights import Part, Story
from ninefold.server.tables import secrecy
from ninefold.server.tables.events import Event, News, Stored
from ninefold.server.tables.messages import Frame, ReplayPage, Summary
from ninefold.server.tables.table import CLOSED, OVER, Refusal, Table

FRAMES = 100  # of a replay in one answer
SHOWN = ("started", "moved", "rolled", "undone")  # events that have a frame of their own


def ended(now: Table, match: int | None) -> int:
    """The number of a match that may be shown to everyone; by default the last one."""
    number = match or (now.match.number if now.match else 0)
    if now.match is None or not 0 < number <= now.match.number:
        raise Refusal("no_match", "there is no such match at this table")
    if number == now.match.number and now.status not in (OVER, CLOSED):
        raise Refusal("running", "the match is still being played")
    return number


def table_for_record(stored: Sequence[Stored], match: int) -> Table:
    """The table whose match may be published. One that was cut short ends before the deal that was
    interrupted, so that nobody is ever shown a hand that was not shown in play."""
    table, kept, last = Table(), Table(), None
    for one in _of_match(stored, match):
        news = table.apply(one.event)
        if table.match is None or table.match.number != match:
            continue
        if news.moments or one.event.kind in ("started", "undone"):
            draws = _open_draws(table, news)
            last = last if draws is None else (one, draws)
    if table.match is None or table.match.over or table.game.package.redaction is not None:
        return table  # or its game removes the secrets of a hand that was cut short
    assert last is not None  # a match begins without secrets
    for one in _of_match(stored, match):
        if one is last[0]:
            kept.apply(replace(one.event, body={**one.event.body, **_cut(one.event, last[1])}))
            break
        kept.apply(one.event)
    return kept


def _open_draws(table: Table, news: News) -> int | None:
    """With how many of its draws an event leads to the last position without secrets; None if with none."""
    game, moments = table.game, news.moments
    others = len(moments) - len(news.event.body.get("chance", ()))  # a move before the draws
    for at in range(len(moments), 0, -1):
        if at >= others and not secrecy.has_secrets(game, moments[at - 1].after):
            return at - others
    if others == 0 and not secrecy.has_secrets(game, moments[0].before if moments else _now(table)):
        return 0
    return None


def _now(table: Table) -> bytes:
    return table.running.state.tobytes()


def _cut(event: Event, draws: int) -> dict[str, Any]:
    return {"chance": event.body["chance"][:draws]} if "chance" in event.body else {}


def _of_match(stored: Sequence[Stored], match: int) -> Iterator[Stored]:
    """The events up to the end of a match."""
    for one in stored:
        if one.event.kind == "started" and one.event.body["match"] > match:
            return
        yield one


def table_at_the_end(stored: Sequence[Stored], match: int) -> Table:
    """The table as it was when a match ended."""
    table = Table()
    for _ in _steps(table, stored, match):
        pass
    return table


def frames(
    stored: Sequence[Stored], match: int, viewer: int | None, knows_from: int, start: int
) -> ReplayPage:
    """A page of frames of a match, as a seat or a spectator saw it, from number `start` on."""
    found: list[Frame] = []
    total = 0
    for table, news, seen_as in _shown(stored, match, viewer, knows_from):
        if start <= total < start + FRAMES:
            found.append(_frame(table, news, seen_as))
        total += 1
    following = start + len(found)
    return ReplayPage(match, viewer, total, found, following if following < total else None)


def pages(
    stored: Sequence[Stored], match: int, viewer: int | None, knows_from: int
) -> Iterator[tuple[int, ReplayPage]]:
    """All pages of frames of a match, each with the number of its first."""
    total = _count(stored, match, viewer, knows_from)
    shown = _shown(stored, match, viewer, knows_from)
    for start in range(0, max(total, 1), FRAMES):
        found = [_frame(*one) for one in islice(shown, FRAMES)]
        following = start + FRAMES
        yield start, ReplayPage(match, viewer, total, found, following if following < total else None)


def _count(stored: Sequence[Stored], match: int, viewer: int | None, knows_from: int) -> int:
    """How many frames of a match a viewer is shown, found without playing it."""
    total = seq = number = 0
    for one in _of_match(stored, match):
        event = one.event
        seq += not event.quiet
        number = event.body["match"] if event.kind == "started" else number
        if number == match and event.kind in SHOWN:
            total += News(seq, event, ()).concerns(viewer if seq > knows_from else None)
    return total


def _shown(
    stored: Sequence[Stored], match: int, viewer: int | None, knows_from: int
) -> Iterator[tuple[Table, News, int | None]]:
    """The events of a match that have frames, each with the table after it and the seat it is shown to."""
    table = Table()
    for news in _steps(table, stored, match):
        if table.match is None or table.match.number != match or news.event.kind not in SHOWN:
            continue
        seen_as = viewer if news.seq > knows_from else None
        if news.concerns(seen_as):
            yield table, news, seen_as


def _frame(table: Table, news: News, seen_as: int | None) -> Frame:
    state = table.running.state
    events = [one for moment in news.moments for one in state.perspectives.events(moment, seen_as)]
    view = state.picture(seen_as)
    view.offers, view.orders, view.moves, view.move_count = [], [], [], 0
    return Frame(news.seq, events, view)


def summary(stored: Sequence[Stored], match: int, viewer: int | None, knows_from: int) -> Summary:
    """A match in short, as a seat or a spectator saw it: why it ended so, what stood out, and the scores."""
    table = Table()
    parts: list[Part] = []
    for news in _steps(table, stored, match):
        if table.match is None or table.match.number != match:
            continue
        if news.event.kind == "undone":
            del parts[news.event.body["to"] :]  # one for each step
        perspectives = table.match.state.perspectives
        seen_as = viewer if news.seq > knows_from else None
        for moment in news.moments:
            when = perspectives.at(seen_as, moment.before).scene.phase
            events = perspectives.narrated(moment, seen_as)
            scores = views.scores(table.match.game, perspectives.at(seen_as, moment.after).s)
            parts.append(Part(news.seq, when, events, scores))
    state = table.running.state
    story = Story(parts, state.game.facts.lowest_wins, state.winners if state.over else ())
    standings = [one.scores for one in parts]
    changed = [now for now, before in zip(standings, [None, *standings], strict=False) if now != before]
    return Summary(match, viewer, story.reason, story.highlights, changed)


def _steps(table: Table, stored: Sequence[Stored], match: int) -> Iterator[News]:
    """Apply events, up to the end of a match."""
    for one in _of_match(stored, match):
        yield table.apply(one.event)
