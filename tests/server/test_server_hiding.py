"""Hiding: everything a viewer cannot know is dealt again, and every byte it would be sent stays the same.

Not only what is sent, but also whether, how often and with which numbers: two worlds that differ in a secret
are compared message by message.
"""

from __future__ import annotations

import random
import secrets
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

import ninefold as nf
from ninefold.engine.beats import Moment
from ninefold.engine.views import masked
from ninefold.kernel.stream import new_stream
from ninefold.server.tables.draft import Draft
from ninefold.server.tables.events import Event, News
from ninefold.server.tables.outbound import updates, welcome
from ninefold.server.tables.secrecy import visible_to
from ninefold.server.tables.table import Refusal, Table, promised
from support.serving import Client, keys, serving
from support.soaking import part_of
from support.tables import Bench

SECRET = bytes(range(32))


def positions(game: str, seed: int) -> Iterator[tuple[Table, News]]:
    """A match at a table, event by event."""
    made = nf.make(game)
    rng = random.Random(seed)
    sheet = made.facts
    players = rng.randint(max(2, sheet.players[0]), min(5, sheet.players[1]))
    made = nf.make(game, players)
    settings = {"spectators": True, "public": False, "clock": None, "pace": "instant"}
    body = {"game": game, "rules": sheet.version, "players": players, "options": dict(made.options)}
    table = Table()
    table.apply(Event("opened", {**body, "settings": settings}))
    for seat in range(players):
        table.apply(Event("sat", {"seat": seat, "name": f"P{seat}"}))
    table.apply(promised(table.game, "HIDING", 1, SECRET))
    event, happened = table.begin(SECRET, "begin")
    yield table, table.apply(event, happened)
    while table.status == "playing" and table.match is not None:
        seat = rng.choice(table.waiting_for())
        moves = table.match.state.moves(seat)
        draft = Draft(table, SECRET)
        draft.submit(seat, rng.choice(moves), f"c{table.seq}", str(seat))
        for event in draft.events:
            yield table, table.apply(event)


def sent(table: Table, viewer: int | None, news: News) -> list[Any]:
    """Everything that a viewer would be sent now: news, arrival, refusals, and what everybody may ask for."""
    found: list[Any] = [updates(table, [viewer], [news]), welcome(table, viewer, "CODE22")]
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


def redealt(table: Table, viewer: int | None, rng: Any) -> Any:
    """Deal again, in the position, what a viewer cannot know; the record that was there before."""
    assert table.match is not None
    state = table.match.state
    kept = state.position.copy()
    table.game.package.rules.redeal(state.position, -1 if viewer is None else viewer, rng)
    return kept


def check(game: str, pairs: int) -> int:
    """Compare so many pairs of positions; in how many of them something was hidden."""
    rng = new_stream(7)
    done = changed = seed = 0
    while done < pairs:
        seed += 1
        for table, news in positions(game, seed):
            assert table.match is not None
            for viewer in (*range(len(table.places)), None):
                honest = sent(table, viewer, news)
                kept = redealt(table, viewer, rng)
                again = [
                    Moment(one.before, one.seat, one.action, table.match.state.tobytes())
                    if one is news.moments[-1] and _sees_the_same(table, kept, viewer)
                    else one
                    for one in news.moments
                ]
                other = sent(table, viewer, news._replace(moments=again))
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
    assert check(game, part_of(100_000)) or not nf.make(game).facts.hidden


# Messages that are not sent


def unseen_steps(game: str, seeds: int) -> int:
    """Try every seat's moves in random positions; how many of them only the mover could notice."""
    unseen = 0
    for seed in range(1, seeds + 1):
        rng = random.Random(seed)
        for number, (table, _) in enumerate(positions(game, seed)):
            if number > 30 or table.status != "playing":
                break
            if number % 7 not in (2, 5):
                continue
            for seat in range(len(table.places)):
                unseen += _try_moves(table, seat, rng)
    return unseen


def _try_moves(table: Table, seat: int, rng: random.Random) -> int:
    match, unseen = table.running, 0
    viewers: list[int | None] = [None, *range(len(table.places))]
    before = [visible_to(table.game, match.state.tobytes(), viewer) for viewer in viewers]
    moves = list(match.state.moves(seat)[:60])
    for move in rng.sample(moves, min(4, len(moves))):
        draft = Draft(table, SECRET)
        draft.submit(seat, move, "c" * 12, str(seat))
        after = [visible_to(table.game, draft.table.running.state.tobytes(), who) for who in viewers]
        same = {who for who, was, now in zip(viewers, before, after, strict=True) if was == now}
        sent = draft.messages(viewers).whole
        assert seat in sent
        alone = same >= set(viewers) - {seat}
        assert set(sent) == ({seat} if alone else set(viewers)), (move, same)
        assert (draft.table.public_seq == table.public_seq) == alone  # no number that others could miss
        assert alone or not same - {seat}, "told to some, and the others could count"
        unseen += alone
    return unseen


@pytest.mark.parametrize("game", nf.games())
def test_nothing_is_sent_of_what_a_viewer_is_told_nothing_of(game: str) -> None:
    found = unseen_steps(game, 2)
    assert found or game not in ("doubles", "nine_of_a_kind")


@pytest.fixture
def repeated(monkeypatch: pytest.MonkeyPatch) -> None:
    """The same secrets and codes again and again, so that two worlds have the same dice and cards."""
    fixed = SimpleNamespace(token_bytes=lambda size: b"9" * size, choice=secrets.choice)
    monkeypatch.setattr("ninefold.server.runtime.tables.secrets", fixed)
    monkeypatch.setattr("ninefold.server.runtime.tables._new_code", lambda: "SAMECODE")


Act = Callable[[list[Client]], None]


def world(folder: Path, game: str, players: int, act: Act, bots: int = 0) -> list[list[str]]:
    """What the last person and a spectator are sent while the others act: updates and answers."""
    with serving(folder) as server:
        names = ["Ann", "Bob", "Cyd", "Dan", "Eve"][: players - bots]
        asked = {"players": players, "spectators": True, "id": "open-table", "bots": ["never"] * bots}
        host = server.open(game, pace="instant" if bots else "slow", **asked)
        seats: list[Any] = [host]
        for name in names[1:]:
            person = {"id": f"join-{name}-now", "name": name, **keys()}
            server.http.post(f"/api/tables/{host.code}/join", json=person)
            seats.append(
                SimpleNamespace(connect=lambda token=person["token"]: server.connect(host.code, token))
            )
        clients = [seat.connect().__enter__() for seat in seats]
        watcher = server.connect(host.code).__enter__()
        assert clients[0].ask({"type": "do", "what": "start", "id": "start-it-now"})["ok"]
        for client in (*clients[1:], watcher):
            client.until_event("started")
        for client in (*clients, watcher) if bots else ():
            if not any(event["kind"] == "moved" for event in client.events):
                client.until_event("moved")  # by the bot
        act(clients)
        assert clients[1].ask({"type": "say", "text": "over", "id": "said-by-bob"})["ok"]
        for client in (clients[-1], watcher):
            client.until_event("said")
        found = [
            [
                text
                for text, one in zip(client.raw, client.heard, strict=True)
                if one["type"] in ("update", "answer")
            ]
            for client in (clients[-1], watcher)
        ]
        for client in (*clients, watcher):
            client.__exit__()
        return found


def moving(*moves: str) -> Act:
    """Make these moves one after another; `*` and a number is the legal move at that place."""
    return acting(*((0, move) for move in moves))


def acting(*deeds: tuple[int, str]) -> Act:
    """The same for several people, each after the one before has been answered."""

    def act(clients: list[Client]) -> None:
        done = Counter[int]()
        for seat, text in deeds:
            client, number, now = clients[seat], done[seat], clients[seat].now
            done[seat] += 1
            what = {"type": "do", "what": text}
            if text != "undo":
                move = _chosen(now["view"]["moves"], text)
                what = {"type": "move", "move": move, "decision": now["decision"]}
            answer = client.ask({**what, "id": f"deed-of-{seat}-{number}"})
            assert answer["ok"], answer

    return act


def _chosen(moves: list[str], move: str) -> str:
    if not move.startswith("*"):
        return move
    offers = [text for text in moves if text.startswith("offer") and len(text.split()) == 3]
    return offers[int(move[1:])]


@pytest.mark.usefixtures("repeated")
@pytest.mark.parametrize(
    ("game", "players", "one", "other"),
    [
        ("doubles", 3, moving("stay"), moving("cash out")),
        ("doubles", 3, moving("stay"), moving("stay", "cash out")),
        ("nine_of_a_kind", 5, moving("*0"), moving("*1")),
        ("nine_of_a_kind", 5, moving("*0"), moving("*0", "*1")),
        ("nine_of_a_kind", 5, moving(), moving("wait")),
    ],
    ids=["sealed", "changed", "parcel", "parcel changed", "wait"],
)
def test_two_worlds_that_differ_in_a_secret_send_the_same(
    tmp_path: Path, game: str, players: int, one: Act, other: Act
) -> None:
    assert world(tmp_path / "one", game, players, one) == world(tmp_path / "other", game, players, other)


STAYED, CHANGED = [(0, "stay"), (2, "stay")], [(0, "stay"), (2, "stay"), (0, "cash out")]
EARLY = [(0, "stay"), (0, "cash out"), (2, "stay")]


@pytest.mark.usefixtures("repeated")
@pytest.mark.parametrize("bots", [0, 1])
@pytest.mark.parametrize("agreed", [1, 3])
@pytest.mark.parametrize("other", [CHANGED, EARLY], ids=["changed", "changed early"])
def test_an_undo_tells_nothing_of_a_sealed_change_of_mind(
    tmp_path: Path, bots: int, agreed: int, other: list[tuple[int, str]]
) -> None:
    """Cyd asks to undo her own decision: whether she may, and what comes of it, does not depend on Ann's."""
    asking = [(2, "undo"), (1, "undo"), (0, "undo")][:agreed]
    found = [
        world(tmp_path / name, "doubles", 3 + bots, acting(*deeds, *asking), bots)
        for name, deeds in (("stayed", STAYED), ("other", other))
    ]
    assert found[0] == found[1]


@pytest.mark.parametrize("bots", [[], ["never"]])
def test_whether_an_undo_is_refused_depends_on_nothing_sealed(bots: list[str]) -> None:
    """Before and after the decisions are shown, whenever a mind was changed."""

    def refused(*moves: tuple[int, str]) -> str:
        bench = Bench("doubles", players=3 + len(bots), bots=bots)
        bench.sit("Bob")
        bench.sit("Cyd")
        bench.do("start")
        if bots:
            bench.as_any(1, "stay")
        people = [seat for seat in range(len(bench.table.places)) if seat != 1 or not bots]
        for at, text in moves:
            bench.move(people[at], text)
        try:
            bench.do("undo", people[2])
        except Refusal as error:
            return error.code
        return "asked"

    for last in ([], [(1, "stay")]):
        at_once = refused((0, "cash out"), (2, "stay"), *last)
        assert at_once == ("no_undo" if last and bots else "asked")
        for moves in (CHANGED, EARLY):
            assert refused(*moves, *last) == at_once, (moves, last)
