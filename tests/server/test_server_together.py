"""What friends do at a table besides moving: take back, seal, talk, ask, play again, count a season."""

from __future__ import annotations

import asyncio
import copy
import random
import subprocess
import sys
import time
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

import ninefold as nf
from ninefold.engine.advice import advise
from ninefold.engine.chance import Step
from ninefold.engine.clock import TEMPOS, Clock, Due
from ninefold.engine.match import Match
from ninefold.engine.records import digest
from ninefold.fairness.chance import order_of
from ninefold.fairness.verify import verify
from ninefold.kernel.errors import RecordError
from ninefold.kernel.fields import CHANCE
from ninefold.kernel.stream import new_stream
from ninefold.server.runtime.runner import TICK, in_turn
from ninefold.server.tables import replays
from ninefold.server.tables.events import Stored
from ninefold.server.tables.messages import MatchResult, Say
from ninefold.server.tables.names import clean_words
from ninefold.server.tables.seasons import standings
from support.promises import promised_chance
from support.serving import Running, new
from support.tables import Bench, key, picture


def events_in(event: dict[str, Any]) -> list[dict[str, Any]]:
    """The events of the game in an event of the table."""
    return [told for beat in event["beats"] for told in beat["events"]]


# Taking back


def begun(game: str, people: int, **settings: Any) -> Bench:
    bench = Bench(game, players=people, **settings)
    for name in ("Bob", "Cyd", "Dan", "Eve", "Fay")[: people - 1]:
        bench.sit(name)
    bench.do("start")
    return bench


def match_of(bench: Bench) -> Match:
    assert bench.table.match is not None
    return bench.table.match


def state_bytes(bench: Bench) -> bytes:
    return match_of(bench).state.tobytes()


@pytest.mark.parametrize("game", [game for game in nf.games() if game != "nine_of_a_kind"])
def test_a_move_is_taken_back_when_all_agree(game: str) -> None:
    bench = begun(game, 3)
    bench.play_on(2, seed=4)
    seat = bench.table.waiting_for()[0]
    others = [one for one in range(3) if one != seat]
    before, asked = state_bytes(bench), bench.table.running.decision(seat)
    bench.move(seat, match_of(bench).state.moves(seat)[0])
    if bench.table.status == "over":
        return
    drawn, moved = match_of(bench).draws, state_bytes(bench)
    bench.do("undo", seat)
    bench.do("undo", others[0])
    assert bench.table.undo == {"by": seat, "agreed": [seat, others[0]]} and state_bytes(bench) == moved
    bench.do("undo", others[1])
    assert bench.table.undo is None and state_bytes(bench) == before
    assert match_of(bench).draws == drawn  # what was drawn is not drawn again
    bench.refused("stale", lambda: bench.move(seat, "anything", asked))


@pytest.mark.parametrize("game", [game for game in nf.games() if game != "nine_of_a_kind"])
def test_a_match_with_moves_taken_back_can_be_verified(game: str) -> None:
    """Again and again, also within what is taken back later; every draw is made again from its key."""
    rng = random.Random(game)
    checked = 0
    for _ in range(6):
        bench = begun(game, 2)
        undone = 0
        while bench.table.status == "playing" and len(bench.events) < 150:
            bench.play_on(rng.choice((1, 1, 2, 3)), seed=rng.randrange(10**6))
            while bench.table.status == "playing" and undone < 12 and rng.random() < 0.4:
                by = rng.randrange(2)
                if match_of(bench).last_decision(by) is None:
                    break
                for seat in (by, 1 - by):
                    bench.do("undo", seat)
                undone += 1
        if bench.table.status == "playing":
            bench.do("end", 0)
            bench.do("end", 1)
        record = bench.table.proof(bench.secret)
        found = verify(record)
        assert found.proved and len(record["moves"]) == len(match_of(bench).steps)
        assert found.checked == found.draws or game == "holdem9"  # where folded cards stay unshown
        stored = [Stored(seq, event, None, 0.0) for seq, event in enumerate(bench.events, 1)]
        assert picture(replays.table_at_the_end(stored, 1)) == picture(bench.table)
        assert found.undone == undone
        if undone:
            journal = [entry for entry in record["fair"]["journal"] if entry[0] != "undo"]
            forged = {**record, "fair": {**record["fair"], "journal": journal}}
            forged["digest"] = digest(forged)
            with pytest.raises(RecordError):
                verify(forged)
            checked += 1
    assert checked


def test_nothing_is_taken_back_alone_late_or_in_real_time() -> None:
    bench = begun("doubles", 2)
    bench.refused("no_undo", lambda: bench.do("undo", 0))
    bench.move(0, "stay")
    bench.do("undo", 0)
    bench.do("undo_no", 1)
    assert bench.table.undo is None
    bench.refused("no_undo", lambda: bench.do("undo_no", 1))
    bench.do("undo", 0)
    bench.move(1, "stay")  # whoever plays on does not agree
    assert bench.table.undo is None
    live = begun("nine_of_a_kind", 5)
    live.move(2, "wait")
    live.refused("no_undo", lambda: live.do("undo", 2))
    alone = Bench("finest9", players=2)
    alone.do("start")
    while all(step[0] != 0 for step in match_of(alone).steps):  # the dice say who begins
        alone.play_on(1)
    alone.do("undo", 0)
    assert alone.events[-1].kind == "undone"  # with bots alone there is nobody to ask


def test_bots_wait_while_somebody_wants_to_take_back(server: Running) -> None:
    host = server.open("finest9", players=3, options={})
    guest = server.join(host.code)
    with host.connect() as client, guest.connect() as other:
        client.do("start")
        other.until_event("started")
        while not (client.my_turn() or other.my_turn()):  # a bot may begin
            for one in (client, other):
                one.hear()
        mover, friend = (client, other) if client.my_turn() else (other, client)
        now = mover.now
        assert mover.ask({"type": "move", "move": now["view"]["moves"][0], "decision": now["decision"]})["ok"]
        assert mover.do("undo")["ok"]
        asked = friend.until_event("undo_asked")
        by = now["view"]["seat"]
        assert asked["table"]["undo"] == {"by": by, "agreed": [by]}
        assert friend.do("undo")["ok"]
        back = mover.until_event("undone")
        assert back["view"]["actors"] == [by] and back["view"]["moves"] == now["view"]["moves"]


# Sealed moves


def test_sealed_moves_take_effect_together() -> None:
    """R7.2: what is sealed is secret until all have sealed."""
    bench = begun("nine_of_a_kind", 5, pulse=True)
    state = match_of(bench).state
    before = state.tobytes()
    bench.move(3, state.moves(3)[0])
    bench.refused("sealed", lambda: bench.move(3, "wait"))
    assert bench.table.public().sealed == [3] and 3 not in bench.table.waiting_for()
    for seat in (0, 4, 1):
        bench.move(seat, "wait")
    assert state_bytes(bench) == before
    bench.move(2, state.moves(2)[0])
    assert state_bytes(bench) != before and bench.table.public().sealed == []
    opened = [event.body["seat"] for event in bench.events if event.kind == "moved"]
    assert sorted(opened) == [0, 1, 2, 3, 4]


def test_the_order_of_sealed_moves_is_drawn_like_every_other_chance() -> None:
    orders = {tuple(order_of(range(4), sha256(str(number).encode()).digest())) for number in range(400)}
    assert len(orders) == 24
    made = nf.make("nine_of_a_kind", players=5)
    sealed = [Step(seat, "wait", "") for seat in range(5)]
    source = promised_chance(made, b"s" * 32, sealing=True)
    assert source.order(3, sealed) == source.order(3, sealed[::-1])  # not in the order they came in
    assert source.order(3, sealed) == source.order(4, sealed)  # nor by how many cards were drawn before
    found = set()
    for _ in range(9):
        found.add(str(order := source.order(3, sealed)))
        source.opened(0, sealed, order)
    assert len(found) > 3


def sealed_match(rounds: int = 6) -> Bench:
    """A match of sealed moves that people end after so many of them."""
    bench = begun("nine_of_a_kind", 5, pulse=True)
    rng = random.Random(4)
    for _ in range(rounds):
        for seat in range(5):
            moves = [text for text in match_of(bench).state.moves(seat) if not text.startswith("claim")]
            bench.move(seat, rng.choice(moves))
    for seat in range(5):
        bench.do("end", seat)
    return bench


def test_the_proof_covers_the_order_of_sealed_moves() -> None:
    bench = sealed_match()
    record = bench.table.proof(bench.secret)
    found = verify(record)
    assert found.proved and found.checked == found.draws == match_of(bench).draws
    openings = [rest for kind, *rest in record["fair"]["journal"] if kind == "open"]
    assert len(openings) == 6 and all(sorted(order) == [0, 1, 2, 3, 4] for (order,) in openings)


def _first_move(record: dict[str, Any]) -> int:
    return next(at for at, (who, _) in enumerate(record["moves"]) if who != "chance")


@pytest.mark.parametrize("forgery", ["another order", "moves swapped", "an order left out", "another move"])
def test_a_forged_order_of_sealed_moves_is_noticed(forgery: str) -> None:
    bench = sealed_match()
    record = copy.deepcopy(bench.table.proof(bench.secret))
    journal = record["fair"]["journal"]
    at = next(at for at, entry in enumerate(journal) if entry[0] == "open")
    if forgery == "another order":
        journal[at][1] = journal[at][1][::-1]
    elif forgery == "moves swapped":
        for steps, first in ((record["moves"], _first_move(record)), (journal, at + 1)):
            steps[first : first + 2] = steps[first : first + 2][::-1]
    elif forgery == "an order left out":
        del journal[at]
    else:
        seal = next(entry for entry in journal if entry[0] == "seal")
        seal[2] = "wait" if seal[2] != "wait" else "claim nine"
    record["digest"] = digest(record)
    with pytest.raises(RecordError):
        verify(record)


def test_a_sealed_move_that_is_legal_no_more_counts_as_waiting() -> None:
    bench = begun("nine_of_a_kind", 5, pulse=True)
    state = match_of(bench).state
    offers = [text for text in state.moves(0) if text.startswith("offer")]
    bench.move(0, offers[0])
    for seat in (1, 2, 3, 4):
        bench.move(seat, "wait")
    answers = {}
    for seat in (1, 2, 3):
        answers[seat] = next(text for text in match_of(bench).state.moves(seat) if text.startswith("answer"))
        bench.move(seat, answers[seat])
    bench.move(0, "wait")
    bench.move(4, "wait")
    said = [event.body["move"] for event in bench.events[-5:]]
    assert sum(text.startswith("answer") for text in said) == 1 and said.count("wait") == 4


def test_sealing_belongs_to_games_that_all_play_at_once(server: Running) -> None:
    asked = {
        "game": "baseball",
        "id": new(),
        "name": "Ann",
        "token": new(32),
        "recovery": new(32),
        "pulse": True,
    }
    answer = server.http.post("/api/tables", json=asked)
    assert answer.status_code == 400 and "sealed" in answer.json()["text"]


def test_a_pulse_at_a_table_of_the_server(server: Running) -> None:
    host = server.open("nine_of_a_kind", players=5, pulse=True, pace="instant")
    with host.connect() as client:
        client.do("start")
        for _ in range(3):
            client.until(lambda one: 0 not in one.get("table", {}).get("sealed", [0]))
            assert client.ask({"type": "move", "move": "wait", "decision": client.now["decision"]})["ok"]
        told = [event for event in client.events if event["kind"] == "sealed"]
        assert told and all(
            set(event) == {"seq", "kind", "beats", "seat"} and not event["beats"] for event in told
        )


# Real time


def test_the_clock_speaks_for_whoever_is_silent_in_the_window(
    server: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    """R7.1, with a window of half a second that never closes for seat 0; a later word is refused."""
    monkeypatch.setattr("ninefold.game.nine_of_a_kind.realtime.on_clock", lambda _, seat: seat == 0)
    host = server.open("nine_of_a_kind", players=5, unison=0.5, pace="slow")
    with host.connect() as client:
        client.do("start")
        decision, opened = client.now["decision"], time.monotonic()
        client.until(lambda one: "view" in one and one["decision"] != decision)
        assert time.monotonic() - opened > 0.4
        late = client.ask({"type": "move", "move": "wait", "decision": decision})
        assert not late["ok"] and late["error"] == "stale"
        in_time = client.ask({"type": "move", "move": "wait", "decision": client.now["decision"]})
        assert in_time["ok"] or in_time["error"] in ("late", "stale")  # on a busy machine it may be neither
        client.do("pause")  # so that the runner does nothing meanwhile
        session = next(one for one in server.handlers.tables.tables.values() if one.code == host.code)
        match, clock = session.table.running, Clock(claim_window=0.5)
        assert clock.asked_since(match, 0, 100.0) == 100.0
        assert not clock.too_late(match, 0, 100.5) and clock.too_late(match, 0, 100.501)
        assert not clock.too_late(match, 1, 1e9)


def test_nobody_chooses_the_order_of_what_is_due_at_once() -> None:
    """The clock passes seat by seat; bots of the same moment move by lots drawn from the secret."""
    due = [Due(1.0, "pass", seat) for seat in (0, 2)] + [Due(1.0, "bot", seat) for seat in (1, 3, 4)]
    secret = bytes(range(32))
    seen = set()
    for step in range(60):
        first = in_turn(due, secret, step)
        for _ in range(5):
            assert in_turn(random.sample(due, len(due)), secret, step) == first
        assert first[3:] == due[:2]
        seen.add(tuple(one.seat for one in first[:3]))
    assert len(seen) == 6
    orders = [[in_turn(due, one, step) for step in range(9)] for one in (secret, bytes(32))]
    assert orders[0] != orders[1]


def test_the_clock_passes_seat_by_seat(server: Running, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        "ninefold.game.nine_of_a_kind.realtime.on_clock", lambda _, seat: seat in (0, 1, 2, 3)
    )
    host = server.open("nine_of_a_kind", players=5, unison=0.5, pace="slow")
    others = [server.join(host.code, name, seat=seat) for seat, name in ((2, "Cyd"), (1, "Bob"), (3, "Dan"))]
    with others[0].connect(), others[1].connect(), others[2].connect(), host.connect() as client:
        client.do("start")
        client.until(lambda _: len(passes(server, host.code)) >= 16)
        seats = passes(server, host.code)[:16]
    assert seats == [0, 1, 2, 3] * 4


def passes(server: Running, code: str) -> list[int]:
    """The seats that the clock passed for, in order."""
    session = next(one for one in server.handlers.tables.tables.values() if one.code == code)
    stored = session.store.events_of(session.id)
    return [one.event.body["seat"] for one in stored if one.event.who.startswith("clock")]


def test_bots_trade_at_a_human_pace_and_idle_ones_are_not_stored(server: Running) -> None:
    host = server.open("nine_of_a_kind", players=5, pace="fast")
    with host.connect() as client:
        client.do("start")
        begun_at = time.monotonic()
        while time.monotonic() - begun_at < 2.5:
            client.hear(timeout=5)
        moved = [event for event in client.events if event["kind"] == "moved"]
        assert 1 <= len(moved) <= 60
        assert not any(told["kind"] == "wait" for event in moved for told in events_in(event))


def test_bots_wait_while_the_server_is_busy_and_people_do_not(server: Running) -> None:
    host = server.open("nine_of_a_kind", players=5, pace="fast")
    session = next(one for one in server.handlers.tables.tables.values() if one.code == host.code)
    assert session.bots_turn is server.handlers.tables.bots_turn  # all tables have it in common
    session.bots_turn = asyncio.Lock()
    asyncio.run(session.bots_turn.acquire())  # it is the turn of bots elsewhere
    with host.connect() as client:
        client.do("start")
        begun_at = time.monotonic()
        while time.monotonic() - begun_at < 2:
            assert client.ask({"type": "move", "move": "wait", "decision": client.now["decision"]})["ok"]
            time.sleep(0.2)
        moved = [event for event in client.events if event["kind"] == "moved"]
        assert moved and all(told["seat"] == 0 for event in moved for told in events_in(event))
        assert session.runner._task is not None
        session.runner._task.get_loop().call_soon_threadsafe(session.bots_turn.release)
        client.until(
            lambda one: any(told.get("seat") for event in one.get("events", []) for told in events_in(event))
        )


@pytest.mark.parametrize("pace", list(TEMPOS))
def test_bots_of_a_table_act_at_common_moments(pace: str) -> None:
    bench = Bench("nine_of_a_kind", players=5, bots=["medium"] * 4, pace=pace)
    bench.do("start")
    clock = Clock(pace, tick=TICK)
    (shortest, longest), _ = TEMPOS[pace]
    moments = []
    for _ in range(200):
        clock.restart()
        moments += [due.at for due in clock.schedule(bench.table.running, 100.0) if due.seat == 1]
    assert all(100 + shortest <= moment < 100 + longest + TICK for moment in moments)
    ticks = [(moment - moments[0]) / TICK for moment in moments]
    assert pace == "instant" or all(abs(tick - round(tick)) < 1e-6 for tick in ticks)
    assert pace == "instant" or len(set(map(round, ticks))) > 3


# A bot of one's own


def test_the_example_seats_a_bot(server: Running) -> None:
    example = Path(__file__).parents[2] / "examples" / "seat_a_bot.py"
    host = server.open("finest9", players=2, pace="instant")
    command = [sys.executable, "-W", "error", str(example), server.url, host.code]
    with host.connect() as client:
        bot = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        client.until_event("sat")
        client.do("start")
        client.play_out(lambda view: view["moves"][0])
        said, _ = bot.communicate(timeout=120)
    assert bot.returncode == 0 and said.strip().endswith(".")


# Words


def test_chat_is_kept_and_told_to_whoever_comes(server: Running) -> None:
    host, quiet = server.open(players=2), server.open(players=2, chat=False)
    guest = server.join(host.code)
    with host.connect() as client:
        assert client.ask({"type": "say", "text": "  good\n luck \u202e!"})["ok"]
        with guest.connect() as other:
            assert [word["text"] for word in other.now["chat"]] == ["good luck !"]
            assert other.ask({"type": "say", "text": "<b>thanks</b>"})["ok"]
            assert client.until_event("said")["events"][0]["text"] == "<b>thanks</b>"
            client.say({"type": "say", "id": new(), "text": "x" * 281})
            assert client.until(lambda one: one["type"] == "refused")["error"] == "unreadable"
    with quiet.connect() as client:
        assert client.ask({"type": "say", "text": "hello"})["error"] == "no_chat"
    bench = Bench()
    bench.refused("illegal", lambda: bench.say(0, Say(key()[:12], "\u200b\u200e")))
    assert clean_words("👩‍👧 ok") == "👩‍👧 ok"


def test_reactions_and_presence_are_told_and_not_kept(server: Running) -> None:
    host = server.open(players=2, spectators=True)
    guest = server.join(host.code)
    with host.connect() as client, guest.connect() as other, server.connect(host.code) as watcher:
        client.until(lambda one: one["type"] == "presence" and one["watching"] == 1)
        assert client.heard[-1]["seats"] == [0, 1]
        seq = client.now["seq"]
        assert other.ask({"type": "react", "emoji": "🎉"})["ok"]
        shown = client.until(lambda one: one["type"] == "reaction")
        assert shown == {"type": "reaction", "seat": 1, "emoji": "🎉"}
        assert watcher.until(lambda one: one["type"] == "reaction") == shown
        other.say({"type": "react", "id": new(), "emoji": "💩"})
        assert other.until(lambda one: one["type"] == "refused")["error"] == "unreadable"
        assert watcher.ask({"type": "react", "emoji": "🎉"})["error"] == "spectator"
    with host.connect() as client:
        assert client.now["seq"] == seq


# Advice


@pytest.mark.parametrize("game", nf.games())
def test_advice_is_a_legal_move_with_a_reason_and_changes_nothing(game: str) -> None:
    state = nf.make(game).start(seed=3)
    seat, before = state.actors[-1], state.tobytes()
    found = advise(state, seat, 1)
    assert state.tobytes() == before and found.move in list(state.moves(seat)) and found.why.endswith(".")
    assert found.move in found.shares
    assert state.game.facts.by_score or all(0 <= share <= 1 for share in found.shares.values())


def test_advice_knows_no_more_than_the_seat() -> None:
    """Whatever the others hold, the same question gets the same answer."""

    for game, seed in (("baseball", 1), ("multiple9", 2), ("holdem9", 3), ("nine_of_a_kind", 4)):
        state = nf.make(game).start(seed=seed)
        seat = state.actors[0]
        clock = iter(range(10**6))  # so that a slow machine does not try fewer
        first = advise(state, seat, 9, lambda: next(clock) / 200)  # noqa: B023 (called before the next one)
        state.game.package.rules.redeal(state.position, seat, new_stream(5))
        clock = iter(range(10**6))
        again = advise(state, seat, 9, lambda: next(clock) / 200)  # noqa: B023 (called before the next one)
        assert first.move == again.move, game


def test_a_hint_at_a_table(server: Running) -> None:
    host, proud = server.open("finest9", players=2), server.open("finest9", players=2, hints=False)
    with host.connect() as client:
        assert client.ask({"type": "hint"})["error"] == "not_asked"
        client.do("start")
        while not client.my_turn():
            client.hear()
        hint = client.ask({"type": "hint"})
        assert hint["ok"] and hint["move"] in client.now["view"]["moves"] and hint["why"]
    with proud.connect() as client:
        client.do("start")
        assert client.ask({"type": "hint"})["error"] == "no_hints"


# Afterwards


def test_a_replay_shows_what_its_viewer_saw(server: Running) -> None:
    host = server.open("baseball", players=2, spectators=True)
    with host.connect() as client:
        client.do("start")
        running = server.http.get(f"/api/tables/{host.code}/replay", headers=host.bearer)
        assert running.status_code == 409
        asked = server.http.get(f"/api/tables/{host.code}/summary", headers=host.bearer)
        assert asked.status_code == 409
        client.play_out(lambda view: random.Random(len(view["moves"])).choice(view["moves"]))
        seen = [one["view"]["zones"] for one in client.heard if one.get("view")]
        client.do("start")  # the first match stays what it was
        frames: list[dict[str, Any]] = []
        start: int | None = 0
        while start is not None:
            path = f"/api/tables/{host.code}/replay?match=1&start={start}"
            part = server.http.get(path, headers=host.bearer).json()
            assert part["match"] == 1 and part["seat"] == 0
            frames += part["frames"]
            start = part["next"]
        assert len(frames) == part["total"]
        shown = [frame["view"]["zones"] for frame in frames]
        assert shown[-1] == seen[-1] and sum(one in shown for one in seen) == len(seen)
        assert all(not frame["view"]["offers"] for frame in frames)
    seqs = [frame["seq"] for frame in frames]
    for headers, whose in ((host.bearer, 0), ({}, None)):
        found = server.http.get(f"/api/tables/{host.code}/summary?match=1", headers=headers).json()
        assert (found["match"], found["seat"]) == (1, whose)
        assert found["reason"]["text"] and found["scores"][-1] == frames[-1]["view"]["scores"]
        assert found["highlights"] and all(one["at"] in seqs for one in found["highlights"])
    watched = server.http.get(f"/api/tables/{host.code}/replay?match=1").json()
    assert watched["seat"] is None and watched["total"] == len(frames)
    assert verify(server.http.get(f"/api/tables/{host.code}/record?match=1").json()).proved
    for query in ("match=9", "match=2", "match=x", "match=0&start=-1"):
        assert server.http.get(f"/api/tables/{host.code}/replay?{query}").status_code in (400, 404, 409)


def test_the_host_begins_again_in_the_middle(server: Running) -> None:
    host = server.open(players=2)
    guest = server.join(host.code)
    with host.connect() as client, guest.connect() as other:
        assert client.do("restart")["error"] == "no_match"
        client.do("start")
        assert other.do("restart")["error"] == "not_host"
        assert client.do("restart")["ok"]
        assert other.until_event("voted")["table"]["restarts"] == [0]
        assert client.now["table"]["match"] == 1 and client.now["table"]["status"] == "playing"
        assert other.do("restart")["ok"]  # everyone present has agreed
        assert other.now["table"]["match"] == 2 and other.now["table"]["status"] == "playing"


def test_an_absent_host_holds_nobody_up() -> None:
    bench = Bench(players=3)
    bench.sit("Bob")
    bench.refused("not_host", lambda: bench.do("start", 1))
    bench.do("leave", 0)
    bench.do("start", 1)
    assert bench.table.status == "playing"


def test_everyone_who_played_may_start_the_rematch() -> None:
    bench = Bench(players=3)
    bench.sit("Bob")
    bench.do("start", 0)
    bench.refused("running", lambda: bench.do("start", 1))
    bench.do("end", 0)
    bench.do("end", 1)
    assert bench.table.status == "over"
    bench.do("start", 1)  # the host is there, and need not be waited for
    assert bench.table.match and bench.table.match.number == 2
    bench.refused("not_host", lambda: bench.do("restart", 1))


def test_rules_can_be_read(server: Running) -> None:
    page = server.http.get("/api/games/doubles/rules").json()
    assert page["title"] == "Doubles" and "R1.1" in page["text"]
    assert server.http.get("/api/games/chess/rules").status_code == 400


def test_a_season_counts_people_at_all_its_tables(server: Running) -> None:
    asked = {"id": new(), "name": "Family  2026"}
    season = server.http.post("/api/seasons", json=asked).json()
    code, key = season["code"], season["key"]
    assert server.http.post("/api/seasons", json=asked).json() == season
    assert server.http.get("/api/seasons/NOSUCH").status_code == 404
    for _ in range(2):
        host = server.open("finest9", players=2, season=code, season_key=key)
        with host.connect() as client:
            client.do("start")
            client.play_out(lambda view: view["moves"][0])
            while client.now["table"]["status"] == "playing":
                client.hear()
            assert client.now["table"]["result"]["unfinished"] is False
    found = server.http.get(f"/api/seasons/{code}").json()
    assert found["name"] == "Family 2026" and len(found["matches"]) == 2
    (row,) = found["standings"]
    assert row["name"] == "Ann" and row["played"] == 2 and row["games"].keys() == {"finest9"}
    server.http.delete(f"/api/tables/{host.code}", headers=host.bearer)
    assert len(server.http.get(f"/api/seasons/{code}").json()["matches"]) == 1


def test_standings() -> None:
    def match(winners: list[int]) -> dict[str, Any]:
        return {"game": "doubles", "names": ["Ann", "Bob", "Easy 3"], "people": [1, 1, 0], "winners": winners}

    last_first = [match([0]), match([0, 1]), match([2]), match([0])]
    assert standings(last_first) == [
        {"name": "Ann", "played": 4, "won": 3, "streak": 2, "games": {"doubles": 3}},
        {"name": "Bob", "played": 4, "won": 1, "streak": 0, "games": {"doubles": 1}},
    ]


def test_a_match_that_people_end_has_a_result_and_counts_for_nothing() -> None:
    bench = begun("doubles", 2)
    bench.do("end", 0)
    bench.do("end", 1)
    assert bench.table.result() == MatchResult([0, 0], [], unfinished=True)
    assert bench.table.season_result() is None
    assert all(step[0] == CHANCE for step in match_of(bench).steps)


def test_whoever_comes_back_is_told_how_long_is_left(server: Running) -> None:
    host = server.open("doubles", players=2, clock=60)
    guest = server.join(host.code)
    with host.connect() as client, guest.connect() as other:
        assert client.heard[0]["elapsed"] == {}
        client.do("start")
        other.until_event("started")
        time.sleep(0.4)
        with host.connect() as again:
            elapsed = again.now["elapsed"]
            assert elapsed.keys() == {"0", "1"} and all(0.3 <= seconds < 30 for seconds in elapsed.values())
            again.ask({"type": "move", "move": "stay", "decision": again.now["decision"]})
        with host.connect() as again:
            assert again.now["elapsed"].get("0", 0.0) < elapsed["1"] <= again.now["elapsed"]["1"]
