"""Matches that are over stay readable when the rules have changed since."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import Any

import pytest

import ninefold as nf
from ninefold.server.runtime import archive
from support.serving import Running, Seated, eventually, serving

PARTS = ("record", "replay", "replay?start=100", "replay?start=100000", "summary")


@pytest.fixture
def newer_rules(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Makes this server's rules of all games newer."""
    facts = nf.engine.registry.facts

    def newer(name: str) -> Any:
        return dataclasses.replace(facts(name), version=facts(name).version + 1)

    return lambda: monkeypatch.setattr("ninefold.engine.registry.facts", newer)


def play(server: Running, game: str, most: int) -> tuple[Seated, Seated]:
    """A match of two people, for one of whom a bot stands in, cut short after so many moves of the other."""
    host = server.open(game, players=2, spectators=True)
    guest = server.join(host.code)
    with host.connect() as client:
        client.do("start")
        with guest.connect() as other:
            other.do("leave")
        client.play_out(lambda view: str(view["moves"][-1]), most)
        if client.now["table"]["status"] == "playing":
            assert client.do("end")["ok"]
    return host, guest


def told(server: Running, code: str, *seats: Seated, match: int = 1) -> list[Any]:
    """Everything that can be read of a match, by a spectator and by these seats."""
    found = []
    for part in PARTS:
        path = f"/api/tables/{code}/{part}{'&' if '?' in part else '?'}match={match}"
        for header in ({}, *(seat.bearer for seat in seats)):
            answer = server.http.get(path, headers=header)
            assert answer.status_code == 200, answer.text
            found.append(answer.json())
    return found


def kept(server: Running, code: str) -> list[int]:
    store = server.handlers.tables.store
    return store.archived(str(store.find_table(code)))


@pytest.mark.parametrize(("game", "most"), [("holdem9", 5), ("doubles", 10_000), ("finest9", 9)])
def test_matches_can_be_read_under_newer_rules(
    tmp_path: Path, newer_rules: Any, game: str, most: int
) -> None:
    with serving(tmp_path) as server:
        host, guest = play(server, game, most)
        before = told(server, host.code, host, guest)
        eventually(lambda: kept(server, host.code) == [1])
        with host.connect() as client:
            client.do("start")  # another one, which is never finished
    newer_rules()
    with serving(tmp_path) as server:
        assert told(server, host.code, host, guest) == before
        path = f"/api/tables/{host.code}/record"
        assert server.http.get(path).json() == before[0]
        page = server.http.get(f"/api/tables/{host.code}/replay?start=3").json()
        assert page["frames"] == before[3]["frames"][3:]
        assert server.http.get(f"{path}?match=2").json()["error"] == "no_match"
        table = str(server.handlers.tables.store.find_table(host.code))
        assert server.http.delete(f"/api/tables/{host.code}", headers=host.bearer).status_code < 300
        assert server.handlers.tables.store.archived(table) == []


def test_what_a_crash_prevented_is_kept_when_the_table_is_next_loaded(
    tmp_path: Path, newer_rules: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as crash, serving(tmp_path) as server:
        crash.setattr(archive, "keep", lambda *_: None)
        host, guest = play(server, "baseball", 12)
        before = told(server, host.code, host, guest)
        assert not before[0]["over"] and kept(server, host.code) == []
    with serving(tmp_path) as server:
        assert server.http.get(f"/api/tables/{host.code}").status_code == 200
        eventually(lambda: kept(server, host.code) == [1])
    newer_rules()
    with serving(tmp_path) as server:
        assert told(server, host.code, host, guest) == before


def test_whoever_sits_down_later_reads_what_spectators_saw(tmp_path: Path, newer_rules: Any) -> None:
    with serving(tmp_path) as server:
        host, guest = play(server, "multiple9", 20)
        eventually(lambda: kept(server, host.code) == [1])
        with guest.connect() as client:
            client.do("leave")
        other = server.join(host.code, "Cid")
        assert other.seat == guest.seat
        before = told(server, host.code, host, other)
    newer_rules()
    with serving(tmp_path) as server:
        assert told(server, host.code, host, other) == before
        replay = f"/api/tables/{host.code}/replay"
        watched, theirs = (server.http.get(replay, headers=one).json() for one in ({}, other.bearer))
        own = server.http.get(replay, headers=host.bearer).json()
        assert theirs["frames"] == watched["frames"] != own["frames"]
