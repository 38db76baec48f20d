"""Hiding: everything a viewer cannot know is dealt again, and every byte it would be sent stays the same."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import pytest

import ninefold as nf
from ninefold.engine.beats import Moment
from ninefold.engine.views import masked
from ninefold.kernel.stream import new_stream
from ninefold.server.tables.draft import Draft
from ninefold.server.tables.events import Event
from ninefold.server.tables.outbound import describe, update, welcome
from ninefold.server.tables.table import Table

SECRET = bytes(range(32))


def positions(game: str, seed: int) -> Iterator[tuple[Table, Event, list[Moment]]]:
    """A match at a table, event by event."""
    made = nf.make(game)
    luck = random.Random(seed)
    sheet = made.facts
    players = luck.randint(max(2, sheet.players[0]), min(5, sheet.players[1]))
    made = nf.make(game, players)
    settings = {"spectators": True, "public": False, "clock": None, "pace": "instant"}
    body = {"game": game, "rules": sheet.version, "players": players, "options": dict(made.options)}
    table = Table()
    table.apply(Event("opened", {**body, "settings": settings}))
    for seat in range(players):
        table.apply(Event("sat", {"seat": seat, "name": f"P{seat}"}))
    event, happened = table.begin(SECRET, "begin")
    yield table, event, table.apply(event, happened)
    while table.status == "playing" and table.match is not None:
        seat = luck.choice(table.waiting_for())
        moves = table.match.state.moves(seat)
        draft = Draft(table, (), SECRET)
        draft.submit(seat, luck.choice(moves), f"c{table.seq}", str(seat))
        for event in draft.events:
            yield table, event, table.apply(event)


def sent(table: Table, viewer: int | None, event: Event, moments: list[Moment]) -> list[Any]:
    """Everything that a viewer would be sent now: news, arrival, refusals, and what everybody may ask for."""
    told = describe(table, viewer, table.seq, event, moments)
    found: list[Any] = [update(table, viewer, [told]), welcome(table, viewer, "CODE22")]
    found += [table.public(), table.waiting_for()]
    if viewer is not None and table.match:
        found.append([table.match.decision(seat) for seat in range(len(table.places))])
        for text in ("nonsense", "0", "stay", "take", *table.match.state.moves(viewer)[:6], "5 5", "A K Q"):
            try:
                table.match.state.copy().admit(viewer, text)
                found.append("allowed")
            except nf.IllegalMove as error:
                found.append(str(error))
    return found


def redealt(table: Table, viewer: int | None, luck: Any) -> Any:
    """Deal again, in the position, what a viewer cannot know; the record that was there before."""
    assert table.match is not None
    state = table.match.state
    kept = state.position.copy()
    table.game.package.rules.redeal(state.position, -1 if viewer is None else viewer, luck)
    return kept


def check(game: str, pairs: int) -> int:
    """Compare so many pairs of positions; in how many of them something was hidden."""
    luck = new_stream(7)
    done = changed = seed = 0
    while done < pairs:
        seed += 1
        for table, event, moments in positions(game, seed):
            assert table.match is not None
            for viewer in (*range(len(table.places)), None):
                honest = sent(table, viewer, event, moments)
                kept = redealt(table, viewer, luck)
                again = [
                    Moment(one.before, one.seat, one.action, table.match.state.tobytes())
                    if one is moments[-1] and _sees_the_same(table, kept, viewer)
                    else one
                    for one in moments
                ]
                other = sent(table, viewer, event, again)
                changed += bool(table.match.state.position.tobytes() != kept.tobytes())
                table.match.state.position = kept
                assert other == honest, (game, seed, table.seq, viewer)
                done += 1
                if done >= pairs:
                    return changed
    return changed


def _sees_the_same(table: Table, kept: Any, viewer: int | None) -> bool:
    assert table.match is not None
    now = masked(table.game, table.match.state.position, viewer)
    return bool(now.tobytes() == masked(table.game, kept, viewer).tobytes())


@pytest.mark.parametrize("game", nf.games())
def test_nothing_hidden_is_sent(game: str) -> None:
    changed = check(game, 200)
    assert changed or not nf.make(game).facts.hidden


@pytest.mark.soak
@pytest.mark.parametrize("game", nf.games())
def test_nothing_hidden_is_sent_in_many_positions(game: str) -> None:
    assert check(game, 2_000) or not nf.make(game).facts.hidden
