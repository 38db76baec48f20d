"""Dice thrown by hand at a table: who is waited for, that a throw counts once, that nobody blocks it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from ninefold.client import Seat
from ninefold.fairness.verify import verify
from support.serving import Client, Running, new

GAMES = ("doubles", "finest9")


def rolled(client: Client) -> list[dict[str, Any]]:
    return [event for event in client.events if event["kind"] == "rolled"]


def until(client: Client, test: Callable[[dict[str, Any]], bool]) -> None:
    """Wait until the table is like this."""
    while not test(client.now):
        client.hear()


def waits_for(seat: int) -> Callable[[dict[str, Any]], bool]:
    return lambda now: now["table"]["rolling"] == seat


def throw(client: Client) -> dict[str, Any]:
    return client.ask({"type": "roll", "decision": client.now["decision"]})


@pytest.mark.parametrize("game", GAMES)
def test_a_whole_match_waits_for_its_only_person_and_is_proved(server: Running, game: str) -> None:
    options = {"rounds": 2} if game == "doubles" else {}
    me = server.open(game, players=3, bots=["easy", "easy"], rolls="hand", options=options)
    with me.connect() as client:
        client.do("start")
        thrown = 0
        while client.now["table"]["status"] != "over":
            now = client.now
            assert now["table"]["rolling"] in (None, 0)
            if now["table"]["rolling"] == 0:
                assert not now["view"]["move_count"]
                answer = throw(client)
                thrown += 1
            elif client.my_turn():
                wanted = now["view"]["moves"][-1]
                answer = client.ask({"type": "move", "move": wanted, "decision": now["decision"]})
            else:
                client.hear()
                continue
            assert answer["ok"], answer
            if client.now is now:
                client.hear()
        assert 0 < thrown == len(rolled(client)), "each throw was asked for, and none was made by the clock"
        assert all(event["seat"] == 0 and event["beats"] for event in rolled(client))
        record = server.http.get(f"/api/tables/{me.code}/record", headers=me.bearer).json()
        assert verify(record).proved
        frames = server.http.get(f"/api/tables/{me.code}/replay", headers=me.bearer).json()
        assert frames["total"] > len(rolled(client))


def test_a_throw_is_answered_once_and_never_late(server: Running) -> None:
    me = server.open("doubles", players=2, rolls="hand")
    you = server.join(me.code, "Bob")
    with me.connect() as client, you.connect() as other:
        client.do("start")
        until(client, waits_for(0))
        until(other, waits_for(0))
        assert throw(other)["error"] == "illegal"
        decision = client.now["decision"]
        command = {"type": "roll", "id": new(), "decision": decision}
        first = client.ask(command)
        assert first["ok"]
        assert client.ask(command) == first  # as after a lost connection
        assert client.ask({**command, "decision": decision + 1})["error"] == "id_reused"
        assert client.ask({"type": "roll", "decision": decision})["error"] == "stale"
        until(client, lambda now: now["table"]["rolling"] is None)
        until(other, lambda now: now["table"]["rolling"] is None)
        assert len(rolled(other)) == 1
        assert rolled(other)[0]["beats"][0]["events"][0]["dice"]


def test_those_who_leave_do_not_keep_the_dice(server: Running) -> None:
    me = server.open("doubles", players=2, rolls="hand")
    you = server.join(me.code, "Bob")
    with me.connect() as client, you.connect() as other:
        client.do("start")
        until(client, waits_for(0))
        client.do("leave")
        until(other, lambda now: bool(now["view"] and now["view"]["zones"][0]["dice"]))
        assert other.now["table"]["rolling"] is None


def test_dice_roll_by_themselves_after_a_while(server: Running) -> None:
    me = server.open("doubles", players=2, bots=["easy"], rolls="hand")
    with me.connect() as client:
        session = next(one for one in server.handlers.tables.tables.values() if one.code == me.code)
        session.runner.clock.roll_timeout = 0.05
        client.do("start")
        until(client, lambda _: client.my_turn())
        assert len(rolled(client)) == 1


def test_a_paused_table_rolls_nothing_and_older_settings_roll_for_everyone(server: Running) -> None:
    me = server.open("doubles", players=2, bots=["easy"], rolls="hand")
    with me.connect() as client:
        client.do("start")
        client.do("pause")
        assert throw(client)["error"] == "paused"
    plain = server.open("doubles", players=2, bots=["easy"])
    with plain.connect() as client:
        client.do("start")
        until(client, lambda now: now["view"] is not None)
        assert (client.now["table"]["rolling"], client.my_turn()) == (None, True)


def test_a_program_throws_at_once(server: Running) -> None:
    with Seat.open(
        server.url, "doubles", "Dicey", players=2, bots=["easy"], rolls="hand", pace="instant"
    ) as seat:
        seat.do("start")
        for _, view in zip(range(5), seat.decisions(), strict=False):
            seat.play(view["moves"][0])
        assert any(event["kind"] == "roll" for event in seat.events)
