"""The server from outside, over HTTP and sockets: matches, repeats, cuts, keys, limits and bad input."""

from __future__ import annotations

import json
import logging
import random
import socket
import threading
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus

import ninefold as nf
from ninefold.client import Refused, Seat
from ninefold.fairness.verify import verify
from ninefold.server.http.logs import Lines
from support.serving import Client, Running, Seated, new, serving

SAME = "this link doesn't match a seat at this table"


def at(server: Running, players: int = 2, **settings: Any) -> tuple[Seated, Seated]:
    host = server.open(players=players, **settings)
    return host, server.join(host.code)


# Whole matches


@pytest.mark.parametrize("game", nf.games())
def test_two_people_and_bots_play_a_whole_match(server: Running, game: str) -> None:
    rng = random.Random(game)
    facts = {one["name"]: one for one in server.http.get("/api/games").json()["games"]}[game]
    players = max(facts["players"][0], min(3, facts["players"][1]))
    options = {"target": 1} if game == "nine_of_a_kind" else {}
    settings = {"pace": "instant", "spectators": True, "options": options}
    with Seat.open(server.url, game, "Ann", players=players, **settings) as ann:
        other = Seat.join(server.url, ann.code, "Bob")
        watcher = server.connect(ann.code)
        with other, watcher:
            ann.do("start")

            def play(seat: Seat) -> None:
                for number, view in enumerate(seat.decisions()):
                    moves = [move for move in view["moves"] if not move.startswith("claim")]
                    if game == "nine_of_a_kind" and number == 30:
                        seat.do("leave")  # at random it would take for ever; bots stand in
                        while seat.table["status"] == "playing":
                            seat.listen(180)
                        return
                    try:
                        seat.play(rng.choice(moves))
                    except Refused as error:
                        assert error.code in ("stale", "no_match", "illegal"), error

            threads = [threading.Thread(target=play, args=(seat,)) for seat in (ann, other)]
            threads.append(threading.Thread(target=watcher.until, args=(_over, 180)))
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join(180)
            assert ann.table["status"] == "over"
            while ann.seq != other.seq:  # each may have answered what comes after the end
                min(ann, other, key=lambda seat: seat.seq).listen(60)
            while watcher.events[-1]["seq"] < ann.seq:
                watcher.hear()
            assert ann.view and other.view and ann.view["scores"] == other.view["scores"]
            seqs = [one["seq"] for one in watcher.events]
            assert seqs == list(range(seqs[0], seqs[-1] + 1))
    record = server.http.get(f"/api/tables/{ann.code}/record").json()
    found = verify(record)
    assert found.proved and record["over"] and record["scores"] == ann.view["scores"]
    assert found.checked + found.hidden == found.draws and found.unguarded == 0
    for seat in (ann, other):
        _, compared = seat.check()
        assert compared.contributed and compared.guarded == compared.draws == found.draws
        assert compared.commands > 0 and compared.shown > 0


def _over(message: dict[str, Any]) -> bool:
    return bool(message.get("table", {}).get("status") == "over")


# Once, whatever happens


def test_the_same_command_twice_is_carried_out_once(tmp_path: Path) -> None:
    command: dict[str, Any] = {}
    with serving(tmp_path) as server:
        host, guest = at(server)
        with host.connect() as client, guest.connect() as other:
            start = {"type": "do", "what": "start", "id": new()}
            begun = client.ask(start)
            assert client.ask(start) == begun and begun["ok"]
            reused = client.ask({**start, "what": "pause"})
            assert not reused["ok"] and reused["error"] == "id_reused"
            command = {"type": "move", "move": "stay", "decision": client.now["decision"], "id": new()}
            client.say(command)  # twice at once
            first = client.ask(command)
            assert first["ok"]
            assert client.until(lambda one: one["type"] == "answer") == first
            other.until_event("moved")
        with host.connect() as client:
            assert client.ask(command) == first  # after a reconnect
            assert client.now["seq"] == first["seq"]
    with serving(tmp_path) as server:  # and a restart
        host.server = guest.server = server
        with host.connect() as client:
            assert client.ask(command) == first
            changed = client.ask({**command, "move": "cash out"})
            assert changed["error"] == "id_reused"
            assert client.ask(start) == begun
            assert client.now["seq"] == first["seq"]
        answer = server.http.post("/api/tables", json=host.asked)  # opening and joining, too
        assert answer.status_code == 201 and answer.json()["code"] == host.code
        answer = server.http.post(f"/api/tables/{host.code}/join", json=guest.asked)
        assert answer.status_code == 200 and answer.json()["seat"] == guest.seat
        answer = server.http.post("/api/tables", json={**host.asked, "name": "Eve"})
        assert answer.status_code == 409 and answer.json()["error"] == "id_reused"
        answer = server.http.post(f"/api/tables/{host.code}/join", json={**guest.asked, "name": "Eve"})
        assert answer.status_code == 409
        answer = server.http.post("/api/tables", json={**host.asked, "id": new()})
        assert answer.status_code == 409  # a key opens one seat


def test_old_answers_are_found_in_the_database(server: Running, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ninefold.server.runtime.session.REMEMBERED", 2)
    host = server.open(players=1)
    with host.connect() as client:
        start = {"type": "do", "what": "start", "id": new()}
        begun = client.ask(start)
        move = {"type": "move", "move": "stay", "decision": client.now["decision"], "id": new()}
        first = client.ask(move)
        for _ in range(5):
            client.do("back")
        before = client.now["seq"]
        assert client.ask(start) == begun and client.ask(move) == first
        assert client.ask({**move, "move": "cash out"})["error"] == "id_reused"
        assert client.now["seq"] == before


def test_a_late_cash_out_is_refused(server: Running) -> None:
    host, guest = at(server)
    with host.connect() as client, guest.connect() as other:
        client.do("start")
        other.until_event("started")
        asked = client.now["decision"]
        for one in (client, other):
            answer = one.ask({"type": "move", "move": "stay", "decision": one.now["decision"]})
        client.until(lambda one: one.get("seq", 0) >= answer["seq"])
        before = client.now
        late = client.ask({"type": "move", "move": "cash out", "decision": asked})
        assert not late["ok"] and late["error"] == "stale"
        assert client.now == before


# What was missed


@pytest.mark.parametrize("game", nf.games())
def test_what_was_missed_is_sent_byte_for_byte(server: Running, game: str) -> None:
    rng = random.Random(game)
    players = max(2, nf.make(game).facts.players[0])
    host = server.open(game, players=players, bots=["medium"] * (players - 1))
    with host.connect() as client:
        client.do("start")
        client.play_out(lambda view: str(rng.choice(view["moves"])), most=6)
        client.do("pause")
    with host.connect() as whole:
        last = whole.now["seq"]
    said = {one["seq"]: in_words(one) for one in client.events}
    for since in sorted(rng.sample(range(2, last), min(4, last - 2))):
        with host.connect(since) as again:
            assert all("view" not in one and "table" not in one for one in again.updates)
            got = {one["seq"]: in_words(one) for one in again.events}
            assert list(got) == list(range(since + 1, last + 1))
            assert all(said.get(seq, text) == text for seq, text in got.items())
            assert again.now["view"] == whole.now["view"]
    with host.connect(last) as again:
        assert again.updates == []
    with host.connect(last + 5) as again:
        assert again.heard[0] == {"type": "history_changed", "seq": last}


def in_words(event: dict[str, Any]) -> str:
    """An event without what the table looked like after it: the view of the welcome shows that."""
    beats = [{key: part for key, part in beat.items() if key != "changes"} for beat in event["beats"]]
    return json.dumps({**event, "beats": [beat for beat in beats if beat["events"]]})


def test_a_client_cut_at_random_places_misses_and_repeats_nothing(server: Running) -> None:
    rng = random.Random(9)
    host = server.open(players=2, bots=["medium"], options={"rounds": 4})
    with Seat(server.url, host.code, host.token, 0) as ann, host.connect() as steady:
        ann.do("start")
        seen: list[int] = []
        take = ann._take

        def noted(message: dict[str, Any]) -> None:
            if message["type"] == "update":
                seen.extend(event["seq"] for event in message["events"])
            take(message)

        ann._take = noted  # type: ignore[method-assign]
        for view in ann.decisions():
            if rng.random() < 0.3:
                assert ann._socket
                ann._socket.socket.shutdown(2)
            try:
                ann.play(rng.choice(view["moves"]))
            except Refused as error:
                assert error.code in ("stale", "no_match")
        steady.until(lambda one: one.get("seq") == ann.seq)
    assert seen == list(range(seen[0], ann.seq + 1))
    assert ann.view == steady.now["view"]


# Who may do what


def test_spectators_only_watch_and_only_where_they_may(server: Running) -> None:
    host = server.open(players=2, spectators=True)
    with server.connect(host.code) as watcher:
        assert watcher.heard[0]["seat"] is None
        assert watcher.do("start")["error"] == "spectator"
        with host.connect() as client:
            client.do("start")
        watcher.until_event("started")
        assert watcher.now["decision"] is None and watcher.now["view"]["move_count"] == 0
    private = server.open(players=2)
    client = server.connect(private.code)
    assert client.hear()["error"] == "no_spectators" and client.ended()[0] == 1008
    with private.connect() as client:
        client.do("start")
    answer = server.http.get(f"/api/tables/{private.code}/record")
    assert answer.status_code == 403 and answer.json()["error"] == "no_spectators"


def test_the_recovery_key_opens_the_seat_on_another_device(server: Running) -> None:
    host = server.open(players=2)
    recovery = {"Authorization": f"Bearer {host.asked['recovery']}"}
    answer = server.http.get(f"/api/tables/{host.code}/seat", headers=recovery)
    assert answer.json() == {"code": host.code, "seat": 0}
    with server.connect(host.code, host.asked["recovery"]) as client, host.connect() as other:
        assert client.heard[0]["seat"] == 0 and client.do("start")["ok"]
        other.until_event("started")  # both devices see the same
        assert other.now == client.now


def test_a_kick_ends_the_socket_and_voids_the_keys(server: Running) -> None:
    host, guest = at(server, 3)
    with host.connect() as client, guest.connect() as other:
        assert other.ask({"type": "kick", "seat": 0})["error"] == "not_host"
        assert client.ask({"type": "kick", "seat": 1})["ok"]
        told = other.until(lambda one: one["type"] == "refused")
        assert told["error"] == "no_seat" and other.ended()[0] == 1008
    for token in (guest.token, guest.asked["recovery"]):
        again = server.connect(host.code, token)
        assert again.hear()["text"] == SAME and again.ended()[0] == 1008
    again_seated = server.join(host.code, "Bea")
    assert again_seated.seat == 1
    with again_seated.connect() as client:
        assert client.now["table"]["seats"][1]["name"] == "Bea"


def test_leaving_before_the_match_gives_the_seat_free(server: Running) -> None:
    host, guest = at(server)
    with guest.connect() as client:
        assert client.do("leave")["ok"]
        assert client.ended()[0] == 1008
    assert server.http.get(f"/api/tables/{host.code}").json()["seats"][1]["kind"] == "open"


def test_only_the_host_leads(server: Running) -> None:
    host, guest = at(server)
    with host.connect(), guest.connect() as other:
        for message in (
            {"type": "do", "what": "start"},
            {"type": "do", "what": "pause"},
            {"type": "bot", "seat": 1, "bot": "easy"},
            {"type": "kick", "seat": 1},
        ):
            assert other.ask(message)["error"] == "not_host"
    assert server.http.delete(f"/api/tables/{host.code}", headers=guest.bearer).status_code == 403


def test_deleting_a_table_leaves_nothing(server: Running) -> None:
    host, guest = at(server)
    assert server.http.delete(f"/api/tables/{host.code}").status_code == 403
    with guest.connect() as client:
        assert server.http.delete(f"/api/tables/{host.code}", headers=host.bearer).status_code == 204
        assert client.ended() == (1001, "this table has been deleted")
    assert server.http.get(f"/api/tables/{host.code}").status_code == 404
    again = guest.connect()
    assert again.hear()["error"] == "no_table"


def test_a_record_is_whole_only_after_the_end(server: Running) -> None:
    host = server.open("baseball", players=2, bots=["medium"])
    path = f"/api/tables/{host.code}/record"
    assert server.http.get(path, headers=host.bearer).json()["error"] == "no_match"
    with host.connect() as client:
        client.do("start")
        client.play_out(lambda view: str(view["moves"][0]), most=2)
        running = server.http.get(path, headers=host.bearer).json()
        assert running.keys() == {"over", "events"} and not running["over"] and running["events"]
        client.do("end")
        record = server.http.get(path, headers=host.bearer).json()
        assert record["fair"] and verify(record).proved
        assert record["fair"]["commitments"] == client.now["table"]["commitments"]


def test_bots_that_search_do_not_hold_up_the_server(server: Running, monkeypatch: pytest.MonkeyPatch) -> None:
    """They think in a thread of their own, also where bots play at once."""
    from threading import current_thread

    from ninefold.engine.bots import SeatedBots

    thinkers, search = [], SeatedBots._search

    def noted(*given: Any) -> int:
        thinkers.append(current_thread().name)
        return search(*given)

    monkeypatch.setattr(SeatedBots, "_search", noted)
    host = server.open("baseball", players=3, bots=["expert", "expert"], pace="instant")
    with host.connect() as client:
        client.do("start")
        assert client.play_out(lambda view: str(view["moves"][-1]), most=6) == 6
    assert len(thinkers) > 6 and all(name.startswith("asyncio_") for name in thinkers), set(thinkers)


def test_all_wrong_keys_get_the_same_answer(server: Running) -> None:
    host, guest = at(server)
    other = server.open(players=2)
    wrong = [new(32), guest.token[:-1] + ("A" if guest.token[-1] != "A" else "B"), other.token]
    for token in wrong:
        client = server.connect(host.code, token)
        assert client.hear() == {"type": "refused", "error": "bad_token", "text": SAME}
        assert client.ended()[0] == 1008
    for header in (
        "",
        "Bearer",
        "Bearer x",
        f"Bearer {guest.token[:-1]}",
        "Basic eA==",
        f"Bearer {'x' * 500}",
    ):
        answer = server.http.get(f"/api/tables/{host.code}/seat", headers={"Authorization": header})
        assert (answer.status_code, answer.json()["text"]) == (403, SAME)


def test_a_table_of_other_rules_tells_its_people(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with serving(tmp_path) as server:
        host = server.open(players=2)
        with host.connect() as client:
            client.do("start")
    monkeypatch.setattr("ninefold.engine.registry.facts", _newer(nf.engine.registry.facts))
    with serving(tmp_path) as server:
        host.server = server
        with host.connect() as client:
            assert client.now["table"]["status"] == "closed" and "version" in client.now["table"]["notice"]
            answer = client.do("start")
            assert answer["error"] == "closed" and "please open a new one" in answer["text"]


def _newer(facts: Any) -> Any:
    import dataclasses

    return lambda name: dataclasses.replace(facts(name), version=facts(name).version + 1)


def test_a_damaged_table_is_closed_and_the_others_go_on(tmp_path: Path) -> None:
    with serving(tmp_path) as server:
        good, bad = server.open(players=2), server.open(players=2)
        store = server.handlers.tables.store
        table_id = store.find_table(bad.code)
    with serving(tmp_path) as server:
        change = "UPDATE events SET kind = 'sat' WHERE seq = 1 AND table_id = ?"
        server.handlers.tables.store.submit(lambda run: _write(run, change, table_id)).result(10)
        answer = server.http.get(f"/api/tables/{bad.code}")
        assert answer.status_code == 503 and answer.json()["error"] == "damaged"
        assert "its event 1 is not what was stored" in answer.json()["text"]
        client = server.connect(bad.code, bad.token)
        assert client.hear()["error"] == "damaged"
        good.server = server
        with good.connect() as client:
            assert client.do("start")["ok"]


def _write(run: Any, statement: str, *values: Any) -> None:
    run(statement, [values])


# Doors


def test_pages_of_others_may_not_talk_to_the_server(server: Running) -> None:
    own = server.url
    port = own.rsplit(":", 1)[1]
    wrong = ["null", "", "http://evil.example", f"file://127.0.0.1:{port}", f"http://x.127.0.0.1:{port}"]
    wrong += [f"http://127.0.0.1.evil:{port}", f"http://127.0.0.1:{int(port) + 1}"]
    for origin in wrong:
        answer = server.http.post("/api/tables", json={}, headers={"Origin": origin})
        assert answer.status_code == 403 and answer.json()["error"] == "origin", origin
        with pytest.raises(InvalidStatus) as caught:
            Client(own, "", None, origin=origin or "null")
        assert caught.value.response.status_code == 403
    answer = server.http.post("/api/tables", json={}, headers={"Origin": own})
    assert answer.status_code == 400  # admitted, and then not understood


def test_every_answer_has_the_headers_and_a_number(server: Running) -> None:
    for path in ("/", "/t/ABCDEF", "/static/icon.svg", "/api/games", "/nowhere", "/healthz", "/readyz"):
        answer = server.http.get(path)
        policy = answer.headers["content-security-policy"]
        assert "default-src 'none'" in policy and "unsafe" not in policy
        for name in ("x-content-type-options", "x-frame-options", "referrer-policy", "x-request-id"):
            assert answer.headers[name], (path, name)
        assert "server" not in answer.headers
    assert server.http.request("TRACE", "/").status_code == 405
    assert server.http.post("/api/tables", headers={"Origin": "null"}).headers["x-frame-options"] == "DENY"


def test_health_figures_and_descriptions(server: Running) -> None:
    assert server.http.get("/healthz").json() == {"healthy": True}
    assert server.http.get("/readyz").json() == {"ready": True}
    assert "ninefold_tables " in server.http.get("/metrics").text
    described = server.http.get("/openapi.json").json()
    assert {"Move", "Do", "Hello", "Opening"} <= described["components"]["schemas"].keys()
    picture = server.http.get("/qr/ABCDEF")
    assert picture.headers["content-type"].startswith("image/svg") and b"<svg" in picture.content
    assert server.http.get("/qr/<script>").status_code == 404


def test_public_tables_are_listed_and_others_are_not(server: Running) -> None:
    shown, hidden = server.open(public=True), server.open()
    codes = server.http.get("/api/tables").json()["tables"]
    assert shown.code in codes and hidden.code not in codes


# Limits


def test_requests_tables_and_wrong_keys_are_limited(tmp_path: Path) -> None:
    with serving(tmp_path, tables=3 / 3600, failures=0.001) as server:
        host = server.open()
        for _ in range(2):
            server.open()
        answer = server.http.post("/api/tables", json={})
        assert answer.status_code == 429 and answer.json()["error"] == "too_many"
        codes = []
        for _ in range(25):
            client = server.connect(host.code, new(32))
            codes.append(client.hear()["error"])
            client.socket.close()
        assert codes[:20] == ["bad_token"] * 20 and codes[-1] == "too_many"
        with host.connect() as client:  # the right key still opens
            assert client.do("start")["ok"]
    with serving(tmp_path, requests=2) as server:
        answers = [server.http.get("/healthz").status_code for _ in range(20)]
        assert answers[0] == 200 and answers[-1] == 429


def test_commands_sockets_and_silence_are_limited(tmp_path: Path) -> None:
    with serving(tmp_path, commands=5, sockets=2, hello=0.5) as server:
        host = server.open(players=2)
        with host.connect() as client:
            with suppress(ConnectionClosed):
                for _ in range(40):
                    client.say({"type": "ping"})
            assert client.ended() == (1008, "too fast")
        silent = Client(server.url, "", None)
        second = Client(server.url, "", None)
        with pytest.raises(InvalidStatus):
            Client(server.url, "", None)
        assert silent.ended() == (1008, "no hello was sent")
        second.socket.close()


def test_frames_that_are_too_large_close_the_socket(server: Running) -> None:
    host = server.open()
    for size in (4097, 8193, 1_000_000):
        with host.connect() as client:
            client.say(json.dumps({"type": "ping", "x": "y" * size}))
            assert client.ended()[0] == 1009, size
    answer = server.http.post("/api/tables", content=b" " * 20_000)
    assert answer.status_code == 413


def test_whoever_does_not_read_is_cut_and_nobody_waits(tmp_path: Path) -> None:
    with serving(tmp_path, buffer=65536) as server:
        host = server.open(players=20, bots=["medium"] * 19, spectators=True)
        stalled = socket.socket()
        stalled.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        address = server.url.removeprefix("http://")
        stalled.connect(("127.0.0.1", int(address.rsplit(":", 1)[1])))
        stalled.sendall(
            f"GET /ws HTTP/1.1\r\nHost: {address}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n".encode()
        )
        hello = json.dumps({"type": "hello", "table": host.code}).encode()
        assert b"101" in stalled.recv(1000) and len(hello) < 126
        stalled.sendall(bytes([0x81, 0x80 | len(hello), 0, 0, 0, 0]) + hello)
        with host.connect() as client:
            live = next(one for one in server.handlers.tables.tables.values() if one.code == host.code)
            end = time.monotonic() + 40
            while len(live.connections) < 2 and time.monotonic() < end:
                time.sleep(0.01)
            client.do("start")
            while len(live.connections) > 1 and time.monotonic() < end:
                if client.my_turn():
                    client.ask({"type": "move", "move": "stay", "decision": client.now["decision"]})
                elif client.now["table"]["status"] == "over":
                    client.do("start")
                else:
                    client.hear()
            assert [peer.viewer for peer in live.connections] == [0]
            assert client.ask({"type": "do", "what": "back"})["ok"]
            while sum(server.handlers.sockets.values()) > 1 and time.monotonic() < end:
                time.sleep(0.05)
            assert sum(server.handlers.sockets.values()) == 1  # its socket does not linger
        stalled.close()
        time.sleep(0.5)  # until the server has noticed


# Logs


def test_no_key_secret_or_code_is_ever_logged(tmp_path: Path) -> None:
    class Heard(logging.Handler):
        lines: list[str] = []  # noqa: RUF012 (there is one such handler)

        def emit(self, record: logging.LogRecord) -> None:
            if not record.name.startswith(("httpx", "httpcore")):  # our own client
                self.lines.append(self.format(record))

    handler = Heard()
    handler.setFormatter(Lines())
    root = logging.getLogger()
    level = root.level
    root.addHandler(handler)
    root.setLevel(logging.INFO)
    logging.getLogger("ninefold.server").setLevel(logging.DEBUG)
    try:
        with serving(tmp_path) as server:
            host, guest = at(server)
            with host.connect() as client, guest.connect() as other:
                client.do("start")
                other.ask({"type": "move", "move": "sing", "decision": 1})
                client.say("nonsense")
                server.http.get(f"/api/tables/{host.code}/seat", headers=guest.bearer)
                server.http.get(f"/api/tables/{host.code}/record", headers={"Authorization": "Bearer wrong"})
            live = next(iter(server.handlers.tables.tables.values()))
            secret = live.secret
            server.connect(host.code, new(32)).ended()
            server.http.delete(f"/api/tables/{host.code}", headers=host.bearer)
    finally:
        root.removeHandler(handler)
        root.setLevel(level)
        logging.getLogger("ninefold.server").setLevel(logging.NOTSET)
    assert len(handler.lines) > 5 and all(json.loads(one)["what"] for one in handler.lines)
    assert any(json.loads(one).get("request") for one in handler.lines)
    issued = [
        *(one.asked[key] for one in (host, guest) for key in ("token", "recovery")),
        secret.hex(),
        host.code,
    ]
    for one in handler.lines:
        assert not any(word in one for word in issued), one
    assert all("?" not in json.loads(one).get("route", "") for one in handler.lines)
