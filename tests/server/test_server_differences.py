"""Short updates: what is left out is as it was, for every game and every viewer."""

from __future__ import annotations

import random
from contextlib import ExitStack
from typing import Any

import pytest

import ninefold as nf
from ninefold.client import _complete
from support.serving import Client, Running, new


class Short:
    """A socket that takes differences, and what it makes of them."""

    def __init__(self, server: Running, code: str, token: str | None) -> None:
        self.client = Client(server.url, "", None)
        self.client.say({"type": "hello", "table": code, "token": token, "differences": True})
        self.table: dict[str, Any] = {}
        self.view: dict[str, Any] | None = None
        self.seen: dict[int, Any] = {}  # the view and the table by the number of the event
        self.short = 0

    def until(self, seq: int) -> None:
        while seq not in self.seen:
            message = self.client.hear()
            self.short += "differences" in message
            _complete(message, self.table, self.view)
            if message["type"] in ("welcome", "update"):
                self.table, self.view = message["table"], message["view"]
                self.seen[message["seq"]] = self.view, self.table, message["decision"]


@pytest.mark.parametrize(("game", "crowd"), [(game, False) for game in nf.games()] + [("doubles", True)])
def test_differences_lead_to_what_others_are_sent_whole(
    server: Running, game: str, crowd: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    if crowd:
        monkeypatch.setattr("ninefold.server.runtime.session.CROWD", 0)
    rng = random.Random(game)
    players = {"nine_of_a_kind": 5}.get(game, 2)
    host = server.open(game, players=players, pace="instant", spectators=True, bots=["easy"] * (players - 1))
    with host.connect() as client, server.connect(host.code) as watcher:
        mine, theirs = Short(server, host.code, host.token), Short(server, host.code, None)
        client.do("start")
        for _ in range(12):
            now = client.now
            if now["table"]["status"] != "playing":
                break
            if client.my_turn():
                move = rng.choice(now["view"]["moves"])
                client.ask({"type": "move", "move": move, "decision": now["decision"]})
            else:
                client.hear()
        client.ask({"type": "say", "text": "That is all."})
        client.ask({"type": "do", "what": "pause"})
        seq = client.now["seq"]
        mine.until(seq)
        theirs.until(seq)
        watcher.until(lambda one: one.get("seq", 0) >= seq)
        for whole, short in ((client, mine), (watcher, theirs)):
            told = {one["seq"]: one for one in whole.heard if "table" in one}
            both = set(told) & set(short.seen)
            assert len(both) >= 2 and short.short >= 1  # a hand may be over at once
            for at in both:
                assert short.seen[at] == (told[at]["view"], told[at]["table"], told[at]["decision"])
        sizes = [sum(map(len, one.raw)) for one in (client, mine.client)]
        assert sizes[1] < sizes[0]


def test_a_crowd_is_told_of_several_moves_together(server: Running, monkeypatch: pytest.MonkeyPatch) -> None:
    """Many messages for each of many moves would be the square of them. Answers still come after the news."""
    monkeypatch.setattr("ninefold.server.runtime.session.CROWD", 3)
    host = server.open("doubles", players=6)
    seats = [host, *(server.join(host.code, f"P{number}x") for number in range(5))]
    with ExitStack() as stack:
        clients = [stack.enter_context(seat.connect()) for seat in seats]
        clients[0].do("start")
        for client in clients[1:]:
            client.until(lambda one: one["type"] == "update" and one["table"]["status"] == "playing")
        monkeypatch.setattr("ninefold.server.runtime.session.MOMENT", 5.0)
        for client in clients:
            decision = client.now["decision"]
            client.say({"type": "move", "id": new(), "move": "stay", "decision": decision})
        for client in clients:
            client.until(lambda one: one["type"] == "answer")
            moved = [
                [event["kind"] for event in one["events"]].count("moved")
                for one in client.heard
                if one["type"] == "update"
            ]
            assert sum(moved) == 6 and max(moved) > 1
            assert [event["seq"] for event in client.events] == list(
                range(client.events[0]["seq"], client.now["seq"] + 1)
            )


def test_updates_of_a_full_table_do_not_grow_with_it(server: Running) -> None:
    """A decision at a table of many is told to each of them in about as many bytes as at one of few."""

    def told(players: int) -> int:
        bots = ["never"] * (players - 1)
        host = server.open(players=players, bots=bots, pace="normal")
        with host.connect() as client:
            mine = Short(server, host.code, host.token)
            mine.until(client.now["seq"])
            client.do("start")
            answer = client.ask({"type": "move", "move": "stay", "decision": client.now["decision"]})
            mine.until(answer["seq"])
            size = len(mine.client.raw[-1])
            client.do("pause")
            return size

    assert told(100) < told(2) + 2_000
