"""Who is here: presence with its seconds, stand-ins for offline players, and what the log says about both."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from ninefold.model.text import render
from support.serving import Client, Running, serving

NAMES = ["Ann", "Bob", "Cleo"]


@pytest.fixture
def server(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Running]:
    monkeypatch.setattr("ninefold.server.runtime.session.GRACE", 0.0)
    with serving(tmp_path) as running:
        yield running


def test_those_who_come_and_go_are_told_of_together(server: Running, monkeypatch: pytest.MonkeyPatch) -> None:
    """A message to everyone for each arrival would let one client make the server send the square of it."""
    monkeypatch.setattr("ninefold.server.runtime.session.PRESENCE_PAUSE", 3600.0)
    host = server.open(spectators=True)
    with host.connect() as client:
        assert client.hear()["type"] == "presence"
        for _ in range(5):
            server.connect(host.code).__enter__().__exit__()
        assert client.do("lock")["ok"]
        assert sum(one["type"] == "presence" for one in client.heard) == 1
    monkeypatch.setattr("ninefold.server.runtime.session.PRESENCE_PAUSE", 0.2)
    host = server.open(spectators=True)
    with host.connect() as client, server.connect(host.code), server.connect(host.code):
        client.until(lambda one: one["type"] == "presence" and one["watching"] == 2)


def _presence(client: Client, seats: list[int]) -> dict[str, Any]:
    return client.until(lambda one: one["type"] == "presence" and one["seats"] == seats)


def _lines(server: Running, seated: Any) -> list[str]:
    page = server.http.get(f"/api/tables/{seated.code}/log", headers=seated.bearer).json()
    return [render(one["text"], NAMES) for one in page["lines"]]


def test_everyone_hears_how_long_a_player_is_offline(server: Running) -> None:
    host = server.open(players=3)
    guest = server.join(host.code)
    with host.connect() as client:
        assert _presence(client, [0])["offline"].keys() == {"1"}  # a free seat is not offline
        with guest.connect():
            assert _presence(client, [0, 1])["offline"] == {}
        assert _presence(client, [0])["offline"]["1"] < 60


def test_anyone_may_let_a_bot_play_for_an_offline_player(server: Running) -> None:
    host = server.open(players=3, options={"rounds": 1})
    bob, cleo = server.join(host.code, "Bob"), server.join(host.code, "Cleo")
    with host.connect() as client, cleo.connect() as other:
        client.do("start")
        assert other.ask({"type": "absent", "seat": 0, "what": "bot"})["error"] == "present"
        assert other.ask({"type": "absent", "seat": 1, "what": "bot"})["ok"]
        told = client.until_event("away")
        event = next(one for one in told["events"] if one["kind"] == "away")
        assert told["table"]["seats"][1]["away"]
        assert render(event["line"], NAMES) == "Bob is offline. A bot plays for them."
        assert client.ask({"type": "absent", "seat": 1, "what": "bot"})["error"] == "late"
        with bob.connect():
            client.until_event("back")
    about = [line for line in _lines(server, host) if line.startswith("Bob is")]
    assert about == ["Bob is offline. A bot plays for them.", "Bob is back."]


def test_a_player_who_was_here_a_moment_ago_keeps_the_seat(
    server: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ninefold.server.runtime.session.GRACE", 1e6)
    host = server.open(players=2)
    server.join(host.code)
    with host.connect() as client:
        client.do("start")
        assert client.ask({"type": "absent", "seat": 1, "what": "bot"})["error"] == "present"


def test_who_wants_to_wait_is_not_hurried_by_a_bot(server: Running, monkeypatch: pytest.MonkeyPatch) -> None:
    host = server.open(players=3)
    server.join(host.code)
    cleo = server.join(host.code, "Cleo")
    with host.connect() as client, cleo.connect():
        client.do("start")
        assert client.ask({"type": "absent", "seat": 1, "what": "wait"})["ok"]
        session = next(one for one in server.handlers.tables.tables.values() if one.code == host.code)
        monkeypatch.setattr("ninefold.server.runtime.runner.ABSENT", 0.0)
        soonest = session.runner._missed_at(1, 0.0)
        assert soonest is not None and soonest > session.used + 60  # by the server's own clock
        assert session.runner._missed_at(0, 0.0) is None


def test_a_clock_that_runs_out_says_so(server: Running) -> None:
    host = server.open(players=2, clock=600)
    session = next(one for one in server.handlers.tables.tables.values() if one.code == host.code)
    guest = server.join(host.code)
    with host.connect() as client, guest.connect() as other:
        client.do("start")
        asked = session.runner.clock._asked
        asked[0] = (asked[0][0], asked[0][1] - 600)  # ten minutes ago
        assert other.ask({"type": "say", "text": "Ann?"})["ok"]
        told = client.until_event("away")
        event = next(one for one in told["events"] if one["kind"] == "away")
        assert render(event["line"], NAMES) == "Ann’s time is up. A bot plays for them."
    assert "Ann’s time is up. A bot plays for them." in _lines(server, host)
