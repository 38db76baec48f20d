"""Seats in the middle of a match: who may take one, what newcomers see, who stays out, who is waited for."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

import ninefold as nf
from ninefold.fairness.verify import verify
from ninefold.server.tables import agreements, outbound, replays
from ninefold.server.tables.commands import plan_command
from ninefold.server.tables.events import Event, Stored
from ninefold.server.tables.messages import Do, Kick
from ninefold.server.tables.secrecy import has_secrets, knows_more, reveals
from support.serving import Client, Running, keys, new, serving
from support.tables import Bench, key

HIDDEN = ["baseball", "holdem9", "multiple9", "nine_of_a_kind"]


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    with serving(tmp_path_factory.mktemp("server"), failures=1e6) as running:
        yield running


def asked(server: Running, code: str, name: str = "Bob", **more: Any) -> tuple[dict[str, Any], Any]:
    body = {"id": new(), "name": name, **keys(), **more}
    return body, server.http.post(f"/api/tables/{code}/join", json=body)


def stored(bench: Bench) -> list[Stored]:
    return [Stored(seq, event, None, 0.0) for seq, event in enumerate(bench.events, 1)]


def seen(bench: Bench, seat: int | None, since: int = 1) -> list[Any]:
    """Everything that a seat could ask for: what it missed, its log, replays, and the table."""
    table, events = bench.table, stored(bench)
    known = table.knows_from(seat)
    found: list[Any] = [
        json.loads(part)
        for part in outbound.missed(lambda after: events[after:], seat, known, since, len(events))
    ]
    found.append(outbound.log_page(events, seat, known))
    for match in range(1, (table.match.number if table.match else 0) + 1):
        found.append(replays.frames(events, match, seat, known, 0).frames)
        found.append(replays.summary(events, match, seat, known))
    found.append(table.view(table.seen_as(seat)))
    return found


def calm(bench: Bench, most: int, seed: int = 0) -> None:
    """Play on without large bets and early ends, so that the match goes on."""
    rng = random.Random(seed)
    for _ in range(most):
        if bench.table.status != "playing":
            return
        seat = bench.table.waiting_for()[0]
        moves = list(bench.table.running.state.moves(seat)[:200])
        wanted = [
            move for move in moves if move in ("check", "call", "stay", "look r1c1", "look r2c2", "done")
        ]
        bench.as_any(seat, rng.choice(wanted or moves))


# A seat that changes hands


@pytest.mark.parametrize("game", HIDDEN)
def test_a_newcomer_sees_what_a_spectator_sees_until_the_next_deal(game: str) -> None:
    """H1: the host removes somebody in the middle of a deal, and sits down there with another key."""
    bench = Bench(game, players=5 if game == "nine_of_a_kind" else 3)
    victim = bench.sit("Victim")
    bench.do("start")
    while not knows_more(bench.table.game, bench.table.running.state.position, victim):
        calm(bench, 1)
    theirs = seen(bench, victim)
    bench.say(0, Kick(key()[:12], victim))
    assert bench.sit("Mallory", victim) == victim and bench.table.places[victim].keeper
    assert told(theirs) != told(seen(bench, None))
    assert told(seen(bench, victim)) == told(seen(bench, None))
    for what in ("end", "restart", "undo"):
        bench.refused("watching", lambda what=what: bench.do(what, victim))
    bench.refused("watching", lambda: bench.move(victim, "wait"))
    bench.do("end")
    assert told(seen(bench, victim)) == told(seen(bench, None))  # the end changes nothing
    bench.do("start")  # a new deal: now the seat is theirs
    assert bench.table.seen_as(victim) == victim and bench.table.places[victim].keeper is None
    events, known = stored(bench), bench.table.knows_from(victim)
    first = [replays.frames(events, 1, who, known, 0).frames for who in (victim, None)]
    assert told(first[0]) == told(first[1])


def told(found: Any) -> str:
    """What was sent, as text, without the number of the reader's seat."""
    return re.sub(r'"match":\d+,"seat":(\d|null)', "", msgspec.json.encode(found).decode())


def test_a_newcomer_to_holdem_sees_the_hand_after() -> None:
    bench = Bench("holdem9", players=3, options={"hands": 9})
    victim = bench.sit("Victim")
    bench.do("start")
    bench.say(0, Kick(key()[:12], victim))
    bench.sit("Mallory", victim)
    hand = bench.table.running.state.position.hand
    while bench.table.places[victim].keeper:
        assert bench.table.seen_as(victim) is None and bench.table.status == "playing"
        assert bench.table.running.state.position.hand == hand
        calm(bench, 1)
    assert bench.table.seen_as(victim) == victim and bench.table.running.state.position.hand == hand + 1


def test_where_nothing_is_hidden_a_newcomer_plays_at_once() -> None:
    for game in ("finest9", "doubles"):
        bench = Bench(game, players=3)
        bench.do("start")
        seat = bench.sit("Bob")
        assert bench.table.places[seat].keeper is None and bench.table.seen_as(seat) == seat


def test_an_undo_to_a_deal_before_them_blinds_newcomers_again() -> None:
    bench = Bench("holdem9", players=3, options={"hands": 9})
    bench.do("start")
    seat = bench.sit("Bob")
    while bench.table.places[seat].keeper:
        calm(bench, 1)
    step = bench.table.places[seat].step
    before = bench.table.copy()
    before.apply(Event("undone", {"seat": 0, "to": step}))
    assert before.seen_as(seat) == seat
    before.apply(Event("undone", {"seat": 0, "to": step - 1}))
    assert before.seen_as(seat) is None


def test_what_the_last_tenant_was_told_is_not_told_again(server: Running) -> None:
    """The same over sockets: `since: 1` with a new key shows no card of the seat."""
    host = server.open("holdem9", players=3)
    victim = server.join(host.code, "Victim")
    with host.connect() as client:
        with victim.connect() as other:
            client.do("start")
            other.until_event("started")
            zones = [zone for zone in other.now["view"]["zones"] if zone["owner"] == victim.seat]
            cards = [card["card"] for zone in zones for card in zone.get("cards", ()) if card["card"]]
            assert len(cards) == 2
            assert client.ask({"type": "kick", "seat": victim.seat})["ok"]
        body, answer = asked(server, host.code, "Mallory", seat=victim.seat)
        assert answer.status_code == 202 and answer.json() == {"code": host.code, "asked": True}
        ask = asking(client)
        assert ask["name"] == "Mallory"
        assert client.ask({"type": "admit", "ask": ask["ask"], "yes": True})["ok"]
        seated = server.http.post(f"/api/tables/{host.code}/join", json=body).json()
        assert seated["seat"] == victim.seat
        with server.connect(host.code, body["token"], since=1) as mallory:
            now = mallory.now
            assert now["seat"] == victim.seat and now["view"]["seat"] is None and now["decision"] is None
            assert now["table"]["seats"][victim.seat]["joins"]
            assert not [card for card in cards if f'"{card}"' in "".join(mallory.raw)]
            hint = mallory.ask({"type": "hint"})
            assert not hint["ok"]
        headers = {"Authorization": f"Bearer {body['token']}"}
        mine = server.http.get(f"/api/tables/{host.code}/record", headers=headers).json()
        events = server.http.get(f"/api/tables/{host.code}/log", headers=headers).json()["lines"]
        assert not [card for card in cards if f'"{card}"' in told([mine, events])]


# Joining a match in progress


def asking(client: Client) -> dict[str, Any]:
    """The first who asks to join."""
    while not client.now["table"]["asking"]:
        client.hear()
    return dict(client.now["table"]["asking"][0])


def test_nobody_joins_a_running_match_without_the_hosts_yes(server: Running) -> None:
    """H2: whoever has the link asks, and the host answers; the request may be repeated."""
    host = server.open("finest9", players=2)
    with host.connect() as client:
        client.do("start")
        bob, answer = asked(server, host.code)
        assert answer.status_code == 202
        assert server.http.post(f"/api/tables/{host.code}/join", json=bob).status_code == 202
        assert server.connect(host.code, bob["token"]).ended()[0] == 1008  # no seat yet
        assert asking(client)["name"] == "Bob"
        _, same = asked(server, host.code, "bob")
        assert same.status_code == 400  # the name is asked for already
        ask = asking(client)["ask"]
        assert client.ask({"type": "admit", "ask": ask, "yes": False})["ok"]
        told = server.http.post(f"/api/tables/{host.code}/join", json=bob)
        assert told.status_code == 403 and told.json()["error"] == "declined"
        assert client.ask({"type": "admit", "ask": ask, "yes": True})["error"] == "not_asking"
        cyd, _ = asked(server, host.code, "Cyd")
        ask = asking(client)["ask"]
        assert client.ask({"type": "admit", "ask": ask, "yes": True})["ok"]
        seat = server.http.post(f"/api/tables/{host.code}/join", json=cyd).json()["seat"]
        with server.connect(host.code, cyd["token"]) as other:
            assert other.now["seat"] == seat and other.now["view"]["seat"] == seat  # nothing is hidden here
            assert other.ask({"type": "admit", "ask": ask, "yes": True})["error"] == "not_host"


def test_few_people_ask_at_once_and_a_locked_table_is_closed(server: Running) -> None:
    host = server.open("doubles", players=5)
    with host.connect() as client:
        assert client.do("start")["ok"] and client.now["table"]["status"] == "playing", client.heard
        answers = [asked(server, host.code, name)[1] for name in ("Bob", "Cyd", "Dan", "Eve", "Fay")]
        assert [answer.status_code for answer in answers] == [202, 202, 202, 202, 409]
        assert client.do("lock")["ok"]
        assert asked(server, host.code, "Gus")[1].json()["error"] == "locked"
        assert client.do("unlock")["ok"]


def test_a_removed_person_stays_out_and_the_family_does_not(server: Running) -> None:
    """By the word of their browser, not by their address."""
    host = server.open("finest9", players=4)
    browser = new(32)
    bob, answer = asked(server, host.code, "Bob", browser=browser)
    assert answer.status_code == 200
    with host.connect() as client:
        assert client.ask({"type": "kick", "seat": 1})["ok"]
        assert asked(server, host.code, "Bob", browser=browser)[1].json()["error"] == "removed"
        assert asked(server, host.code, "Robert", browser=browser)[1].json()["error"] == "removed"
        assert server.http.post(f"/api/tables/{host.code}/join", json={**bob, "id": new()}).status_code in (
            403,
            409,
        )
        assert asked(server, host.code, "Cyd", browser=new(32))[1].status_code == 200
        client.do("start")
        assert asked(server, host.code, "Bob", browser=browser)[1].json()["error"] == "removed"
        assert client.do("unlock")["ok"]  # the host changes their mind
        assert asked(server, host.code, "Bob", browser=browser)[1].status_code == 202


# Nobody holds others up


def test_a_silent_stranger_cannot_halt_a_table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Someone connected who does not move: after a while others may let a bot play for them."""
    with serving(tmp_path) as server:
        host = server.open("doubles", players=2)
        guest = server.join(host.code)
        with host.connect() as client, guest.connect() as other:
            client.do("start")
            early = client.ask({"type": "absent", "seat": 1, "what": "bot"})
            assert early["error"] == "present"
            monkeypatch.setattr("ninefold.server.runtime.session.IDLE", 0.0)
            assert client.ask({"type": "absent", "seat": 1, "what": "bot"})["ok"]
            event = next(one for one in client.events if one["kind"] == "away")
            assert event["why"] == "idle" and client.now["table"]["seats"][1]["away"]
            assert client.do("end")["ok"]  # and their vote is not waited for
            assert client.now["table"]["status"] == "over"
            assert other.do("back")["ok"]


def test_silence_is_no_veto(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A vote to end the match counts those who said anything since; a restart and an undo lapse."""
    monkeypatch.setattr("ninefold.server.runtime.proposals.PATIENCE", 0.3)
    with serving(tmp_path) as server:
        host = server.open("doubles", players=3)
        guest, third = server.join(host.code), server.join(host.code, "Cyd")
        with host.connect() as client, guest.connect() as other, third.connect():
            client.do("start")
            client.ask({"type": "move", "move": "stay", "decision": client.now["decision"]})
            assert client.do("undo")["ok"]
            told = other.until_event("undo_refused")  # bots and clocks go on
            assert told["table"]["undo"] is None
            assert client.do("undo")["error"] == "no_undo"  # not again and again
            assert client.do("restart")["ok"]
            told = other.until_event("vote_failed")
            assert told["table"]["restarts"] == [] and told["table"]["match"] == 1
            assert client.do("end")["ok"]
            assert other.ask({"type": "say", "text": "I play on"})["ok"]
            assert client.until_event("vote_failed")["table"]["status"] == "playing"
            assert client.do("end")["ok"]
            client.until(lambda one: one.get("table", {}).get("status") == "over")


# Ending and restarting


def test_a_restart_in_the_middle_needs_everyone() -> None:
    """H3: a host who is losing cannot begin anew alone."""
    bench = Bench("holdem9", players=3)
    bench.sit("Bob")
    bench.do("start")
    bench.refused("not_host", lambda: bench.do("restart", 1))
    bench.do("restart", 0)
    assert bench.table.running.number == 1 and bench.table.public().restarts == [0]
    bench.do("restart", 1)
    assert bench.table.running.number == 2 and bench.table.public().restarts == []
    bench.do("end", 0)
    assert bench.table.status == "playing"


@pytest.mark.parametrize("game", nf.games())
def test_a_match_that_is_cut_short_shows_no_hand(game: str) -> None:
    """H3: neither a restart nor an end by agreement publishes what was not shown in play."""
    hidden = 0
    for seed in range(4):
        bench = Bench(game)
        bench.do("start")
        bench.play_on(3 + 9 * seed, seed=seed)
        if bench.table.status != "playing":
            continue
        held = bench.table.running
        bench.do("restart" if seed % 2 else "end")
        table = replays.table_for_record(stored(bench), 1)
        record = table.proof(bench.secrets[1])
        assert verify(record).proved and not record["over"]
        if game == "holdem9":  # here cards that were not shown have no faces in the record
            unseen = sum(text.startswith("deal ?") for _, text in record["moves"])
            assert unseen >= 2 * table.running.state.game.players - 2
            hidden += unseen
            continue
        length = len(record["moves"])
        assert length <= len(held.steps)
        state = nf.replay(record)
        assert not has_secrets(table.game, state.position)
        hidden += length < len(held.steps)
    assert hidden or not nf.make(game).facts.hidden


def test_the_record_of_a_restarted_hand_over_http(server: Running) -> None:
    host = server.open("holdem9", players=3, spectators=True)
    with host.connect() as client:
        client.do("start")
        assert client.do("restart")["ok"]
    record = server.http.get(f"/api/tables/{host.code}/record?match=1").json()
    dealt = {text for who, text in record["moves"] if who == "chance" and text.startswith("deal")}
    assert dealt == {"deal ??"}
    assert verify(record).proved


def test_seasons_list_matches_that_were_cut_short(server: Running) -> None:
    season = server.http.post("/api/seasons", json={"id": new(), "name": "Family"}).json()
    taken = {"season": season["code"], "season_key": season["key"]}
    host = server.open("finest9", players=2, **taken)
    with host.connect() as client:
        client.do("start")
        assert client.do("restart")["ok"]
        assert client.do("end")["ok"]
    found = server.http.get(f"/api/seasons/{season['code']}").json()
    assert [one["unfinished"] for one in found["matches"]] == [True, True] and found["standings"] == []


# Seasons and undo


def test_a_season_is_entered_with_its_key(server: Running) -> None:
    season = server.http.post("/api/seasons", json={"id": new(), "name": "Family"}).json()
    body = {"game": "finest9", "id": new(), "name": "Grandma", **keys(), "season": season["code"]}
    for given in ({}, {"season_key": new(32)}):
        answer = server.http.post("/api/tables", json={**body, **given})
        assert answer.status_code == 403 and answer.json()["error"] == "bad_key"
    assert server.http.post("/api/tables", json={**body, "season_key": season["key"]}).status_code == 201
    assert season["key"] not in server.http.get(f"/api/seasons/{season['code']}").text


def test_seasons_of_before_have_no_key(server: Running) -> None:
    store = server.handlers.tables.store
    store.begin_season("OLDCODE2", "Old", 0.0).result(30)
    assert server.open("finest9", players=2, season="OLDCODE2")


def test_no_move_is_undone_after_a_showdown_with_bots() -> None:
    """H5: look at the bot's cards, take the move back, bet everything."""
    for undo in ("fair", "free"):
        bench = Bench("holdem9", players=2, options={"hands": 9}, undo=undo)
        bench.do("start")
        blocked = allowed = 0
        while bench.table.running.state.position.hand < 4 and bench.table.status == "playing":
            calm(bench, 1)
            match, to = bench.table.running, bench.table.running.last_decision(0)
            if to is None:
                continue
            if reveals(match, 0, to) and undo == "fair":
                bench.refused("no_undo", lambda bench=bench: bench.do("undo", 0))
                blocked += 1
            else:
                plan_command(bench.table, 0, bench.table.places[0].tenant, Do(key()[:12], "undo"), b"")
                allowed += 1
        assert allowed and bool(blocked) == (undo == "fair")


def test_in_a_season_nothing_is_undone_once_dice_have_rolled() -> None:
    bench = Bench("finest9", players=2, season="ABCDEFGH")
    bench.do("start")
    while agreements.present(bench.table) and bench.table.running.last_decision(0) is None:
        bench.play_on(1)
    bench.refused("no_undo", lambda: bench.do("undo", 0))
