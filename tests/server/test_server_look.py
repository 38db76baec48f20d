"""The look at the cards that opens a round of 9 of a Kind (R7.4), at a table of the server."""

from __future__ import annotations

from functools import partial

import pytest

import ninefold as nf
from ninefold.client import Seat
from ninefold.engine.clock import LOOK_LIMIT
from ninefold.server.tables.commands import stand_in
from support.serving import Running
from support.tables import Bench, picture, rebuild

NAMES = ("Bob", "Cyd", "Dan", "Eve")


def begun(people: int = 5, **settings: object) -> Bench:
    bench = Bench("nine_of_a_kind", players=5, **{"look": LOOK_LIMIT, **settings})
    for name in NAMES[: people - 1]:
        bench.sit(name)
    bench.do("start")
    return bench


def same_again(bench: Bench) -> None:
    """What a server that was killed here would read back."""
    again = rebuild(bench.events)
    assert picture(again) == picture(bench.table)
    assert [again.view(viewer) for viewer in (0, 1, None)] == [
        bench.table.view(viewer) for viewer in (0, 1, None)
    ]


def test_a_round_begins_when_everyone_has_said_so() -> None:
    bench = begun()
    table = bench.table
    assert table.public().looking == [0, 1, 2, 3, 4] == table.awaited()
    view = table.view(1)
    assert view is not None and view.moves == ["ready"]
    for move in ("wait", "claim nine", "hop"):
        refused = bench.refused("illegal", partial(bench.move, 1, move))
        assert "trading begins at Go" in str(refused)
    bench.do("ready", 3)
    bench.refused("illegal", lambda: bench.do("ready", 3))
    assert table.public().looking == [0, 1, 2, 4]
    same_again(bench)
    bench.do("pause")
    bench.refused("paused", lambda: bench.do("ready", 1))
    bench.do("resume")
    for seat in (0, 4, 1):
        bench.do("ready", seat)
    bench.move(2, "ready")  # a program may play it like any move of its view
    assert [event.kind for event in bench.events[-2:]] == ["ready", "go"] and table.public().looking == []
    same_again(bench)
    bench.move(2, "wait")
    bench.refused("illegal", lambda: bench.do("ready", 2))


def test_who_is_not_there_is_ready() -> None:
    bench = begun(people=3)  # and two bots
    assert bench.table.public().looking == [0, 1, 2]
    bench.take(stand_in(bench.table, 1, "offline"))
    assert bench.table.public().looking == [0, 2]
    same_again(bench)
    bench.do("back", 1)
    assert bench.table.public().looking == [0, 1, 2], "there is still something to look at"


def test_tables_without_a_look_and_with_sealed_moves() -> None:
    for settings in ({"look": 0}, {"pulse": True}):
        bench = begun(**settings)
        assert bench.table.public().looking == []
        bench.move(1, "wait")
    asked = nf.make("nine_of_a_kind", players=5).start(seed=1).record()
    assert "look" not in asked["options"], "it is no rule of the game"


def test_go_comes_for_everyone_at_the_same_time(server: Running) -> None:
    """Two people: one is ready, the other one never says so."""
    host = server.open("nine_of_a_kind", players=5, look=1, pace="slow")
    guest = server.join(host.code)
    with host.connect() as client, guest.connect() as other:
        client.do("start")
        assert client.now["view"]["moves"] == ["ready"] and client.now["table"]["looking"] == [0, 1]
        early = client.ask({"type": "move", "move": "wait", "decision": client.now["decision"]})
        assert not early["ok"] and early["rule"] == "R7.4" and "Go" in early["text"]
        hint = client.ask({"type": "hint"})
        assert not hint["ok"] and hint["error"] == "not_asked"
        client.do("ready")
        told = other.until_event("ready")
        assert told["table"]["looking"] == [1] and told["view"]["seats"][0]["status"] == "decided"
        seq = [one.until_event("go")["seq"] for one in (client, other)]
        assert seq[0] == seq[1] and not client.now["table"]["looking"]
        assert client.ask({"type": "move", "move": "wait", "decision": client.now["decision"]})["ok"]
    with guest.connect() as again:
        assert "wait" in again.now["view"]["moves"] or again.now["view"]["move_count"] > 1


def test_nobody_waits_for_players_who_are_offline(server: Running, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ninefold.server.runtime.runner.GRACE", 0.1)
    host = server.open("nine_of_a_kind", players=5, look=600, pace="slow")
    guest = server.join(host.code)
    with host.connect() as client:
        with guest.connect():
            client.do("start")
            client.do("ready")
        client.until_event("go")


def test_a_program_is_ready_at_once(server: Running) -> None:
    with Seat.open(server.url, "nine_of_a_kind", "Ann", players=5, pace="slow") as seat:
        seat.do("start")
        view = next(seat.decisions())
        assert view["moves"][0] != "ready" and seat.table["looking"] == []
        seat.play("wait")
        assert seat.keeper.of(1).sent[-1][1] == "wait", "what is no move has no part in the draws"
        assert "ready" not in [text for _, text, _ in seat.keeper.of(1).sent]
