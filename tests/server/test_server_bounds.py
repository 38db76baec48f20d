"""What one client can make the server do is bounded: work, connections, memory, files and lines of log."""

from __future__ import annotations

import asyncio
import json
import logging
import os
import select
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any
from unittest.mock import Mock, patch
from urllib.parse import urlsplit

import httpx
import pytest
from websockets.asyncio.client import connect as asyncio_connect
from websockets.exceptions import ConnectionClosed

import ninefold as nf
from ninefold.server.http.codes import FREE, Codes
from ninefold.server.http.histories import Histories
from ninefold.server.http.limits import Limits, network
from ninefold.server.http.logs import Throttle
from ninefold.server.http.protocols import ConnectionLimiter, StallGuard
from ninefold.server.http.scorecard import add_up
from ninefold.server.storage.store import open_store
from ninefold.server.storage.tally import Tally
from ninefold.server.tables import outbound
from ninefold.server.tables.messages import Sheet
from ninefold.server.tables.table import Refusal
from support.serving import WAIT, Client, Process, Running, eventually, free_port, keys, new, serving

HALF = b"GET /healthz HTTP/1.1\r\nHost: x\r\n"


def raw(server: Running) -> socket.socket:
    found = urlsplit(server.url)
    return socket.create_connection((found.hostname, found.port), WAIT)


def ended(connection: socket.socket) -> bool:
    """Whether the server has closed a connection that it has not answered."""
    if not select.select([connection], [], [], 0)[0]:
        return False
    try:
        return connection.recv(1) == b""
    except OSError:
        return True


# The score card


def test_a_card_of_corrections_costs_little() -> None:
    with pytest.raises(nf.RuleError, match="too many corrections"):
        add_up(Sheet("doubles", ["Ann"], 10, ["33"] * 1200 + ["fix 1.1 36"] * 600))
    rounds = range(1, 9)
    evening = [x for at in rounds for x in (*["12"] * 30, "ann", "bob", f"fix {at}.1 13", "undo", "redo")]
    assert len(add_up(Sheet("doubles", ["Ann", "Bob"], 100, evening))["kept"]) == len(evening)


def test_score_cards_have_a_budget_and_keep_nobody_else_waiting(tmp_path: Path) -> None:
    bomb = {"game": "doubles", "players": ["Ann"], "entries": ["33"] * 1200 + ["fix 1.1 36"] * 600}
    with serving(tmp_path, cards=0.1) as server:
        assert server.http.post("/api/card", json=bomb).status_code == 400
        assert server.http.post("/api/card", json=bomb).status_code == 429
        assert server.http.get("/readyz").status_code == 200


def test_lessons_have_a_budget_too_and_leave_nothing_behind(tmp_path: Path) -> None:
    with serving(tmp_path, lessons=0.3) as server:
        lesson = "/api/games/doubles/lessons/1"
        assert server.http.get(lesson).json()["view"]["seat"] == 0
        assert not server.http.post(lesson, json={"move": "cash out"}).json()["solved"]
        assert server.http.post(lesson, json={"move": "stay"}).json()["solved"]
        for wrong in (
            "doubles/lessons/0",
            "doubles/lessons/x",
            f"doubles/lessons/{'9' * 5000}",
            "chess/lessons/1",
        ):
            assert server.http.get(f"/api/games/{wrong}").status_code in (400, 429)
        assert server.http.get(lesson).status_code == 429
        assert server.handlers.tables.tables == {}


def test_hints_have_a_budget_and_keep_no_bot_waiting(tmp_path: Path) -> None:
    with serving(tmp_path, hints=0.1) as server, server.open("finest9", players=2).connect() as client:
        assert client.do("start")["ok"]
        assert client.ask({"type": "hint"})["ok"] and client.ask({"type": "hint"})["error"] == "too_many"
        assert any(one.name.startswith("hints") for one in threading.enumerate())  # bots think elsewhere


# Connections


def test_half_requests_are_counted_and_closed(tmp_path: Path) -> None:
    with serving(tmp_path, connections=20, head=1.0) as server:
        held = [raw(server) for _ in range(40)]
        for one in held:
            with suppress(OSError):
                one.sendall(HALF)
        eventually(lambda: sum(map(ended, held)) >= 20)
        assert server.handlers.limiter.count <= 20
        eventually(lambda: all(map(ended, held)))
        assert server.http.get("/healthz").status_code == 200
        counts = server.handlers.tally.counts
        assert counts["connections"] == 20 and counts["slow heads"] == 20
        for one in held:
            one.close()


def test_a_body_has_to_arrive_in_time(tmp_path: Path) -> None:
    with serving(tmp_path, head=0.5) as server:
        slow = raw(server)
        slow.sendall(b"POST /api/tables HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n{")
        assert b"408" in slow.recv(100)
        slow.close()


def test_requests_on_one_connection_are_not_cut_off(tmp_path: Path) -> None:
    with serving(tmp_path, head=0.5) as server, httpx.Client(base_url=server.url, timeout=WAIT) as http:
        for _ in range(4):
            assert http.get("/healthz").status_code == 200
            time.sleep(0.2)
        host = server.open()
        with host.connect() as client:
            time.sleep(0.8)  # a socket is no request
            assert client.do("back")["ok"]


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such limit")
def test_a_server_that_could_run_out_of_files_does_not(tmp_path: Path) -> None:
    server = Process("--data", str(tmp_path), "--limit", "head=3")
    command = [sys.executable, "-m", "ninefold", "serve", "--port", str(server.port), *server.arguments]
    script = (
        "import os, resource; resource.setrlimit(resource.RLIMIT_NOFILE, (200, 256)); "
        f"os.execv({command[0]!r}, {command!r})"
    )
    server.process = subprocess.Popen(
        [sys.executable, "-c", script], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, env=os.environ
    )
    server.wait()
    held = [raw(server) for _ in range(300)]
    for one in held:
        with suppress(OSError):
            one.sendall(HALF)
    eventually(lambda: all(map(ended, held)))
    assert server.http.get("/readyz").status_code == 200
    for one in held:
        one.close()
    assert len(server.stop()) < 10_000


def masked_ping() -> bytes:
    return b"\x89\xfd\x00\x00\x00\x00" + b"x" * 125


@pytest.mark.parametrize("limits", [{"frames": 30}, {"frames": 1e9}], ids=["counted", "unread"])
def test_pings_of_a_client_that_does_not_read_are_cut_off(tmp_path: Path, limits: dict[str, Any]) -> None:
    with serving(tmp_path, buffer=65536, **limits) as server:
        host = server.open()
        client = Client(server.url, host.code, host.token)
        client.socket.recv_messages.pause()
        plain = client.socket.socket
        with pytest.raises(OSError, match=r"reset|pipe|descriptor"):
            for _ in range(1000):  # 16 MB
                plain.sendall(128 * masked_ping())
        eventually(lambda: server.handlers.limiter.count == 0)
        what = "frames" if limits["frames"] == 30 else "unread"
        assert server.handlers.tally.counts[what] == 1


def test_readers_that_are_cut_off_give_their_files_back(tmp_path: Path) -> None:
    with serving(tmp_path, buffer=65536) as server:
        host = server.open(spectators=True, players=1)
        found = urlsplit(server.url)
        held = []
        for _ in range(3):  # they say hello and never read
            one = socket.socket()
            one.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            one.connect((found.hostname, found.port))
            one.sendall(
                b"GET /ws HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n"
            )
            hello = b'{"type":"hello","table":"%s"}' % host.code.encode()
            one.sendall(bytes([0x81, 0x80 | len(hello), 0, 0, 0, 0]) + hello)
            held.append(one)
        eventually(lambda: sum(server.handlers.sockets.values()) == 3)
        with host.connect() as client:
            for _ in range(3000):
                if server.handlers.limiter.count == 1:
                    break
                client.ask({"type": "say", "text": "x" * 280})
            eventually(lambda: server.handlers.limiter.count == 1)
            assert sum(server.handlers.sockets.values()) == 1
        for one in held:
            one.close()


def test_a_reader_of_a_page_that_does_not_read_is_cut_off(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ninefold.server.http.protocols.STALLED", 0.3)
    with serving(tmp_path, buffer=4096) as server:
        found = urlsplit(server.url)
        one = socket.socket()
        one.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        one.connect((found.hostname, found.port))
        one.sendall(b"GET /openapi.json HTTP/1.1\r\nHost: x\r\n\r\n")
        eventually(lambda: server.handlers.limiter.count == 1)
        eventually(lambda: server.handlers.limiter.count == 0)
        one.close()


@pytest.mark.parametrize(("unread", "cut"), [([990], True), ([900, 899], True), ([900, 400, 0], False)])
def test_a_reader_that_only_sips_is_cut_off(unread: list[int], cut: bool) -> None:
    """Otherwise many long answers could be kept waiting for as long as somebody likes."""
    transport = Mock(get_write_buffer_size=Mock(side_effect=[1000, *(size for size in unread for _ in "12")]))
    transport.is_closing.return_value = False
    guard = StallGuard(transport)
    timers = Mock()
    with patch("asyncio.get_running_loop", return_value=timers):
        guard.watch()
        for _ in unread:
            timers.call_later.call_args.args[1]()
        assert transport.abort.called == cut
        guard.watch()
    guard.relax()  # it has read enough for more to be written
    assert timers.call_later.return_value.cancel.called


def test_a_flood_of_refusals_is_logged_once(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    with serving(tmp_path) as running:
        with caplog.at_level(logging.WARNING, "ninefold.server"):
            told = [
                running.handlers.refused(Refusal("busy", "too many lessons at once; try again"))
                for _ in range(99)
            ]
        assert {one.status_code for one in told} == {503} and len(caplog.records) == 1


# By network


def test_addresses_of_one_network_are_counted_together() -> None:
    assert network("2001:db8:1:2:3:4:5:6") == network("2001:db8:1:2::9") == "2001:db8:1:2::/64"
    assert network("2001:db8:1:3::9") != network("2001:db8:1:2::9")
    assert network("::ffff:192.0.2.1") == network("192.0.2.1") == "192.0.2.1"
    assert network("fe80::1%eth0") == "fe80::/64" and network("testclient") == "testclient"
    limiter = ConnectionLimiter(Limits(connections=2), lambda what, who: None)
    assert limiter.enter("2001:db8::1") and limiter.enter("2001:db8::2")
    assert not limiter.enter("2001:db8::3") and limiter.enter("2001:db8:0:1::1")
    limiter.leave("2001:db8::1")
    assert limiter.enter("2001:db8::3") and limiter.count == 3


def test_known_proxies_may_bring_many_people() -> None:
    limiter = ConnectionLimiter(Limits(connections=1, everyone=3), lambda what, who: None)
    limiter.trust("127.0.0.1,10.0.0.0/24")
    assert all(limiter.enter("10.0.0.7") for _ in range(3)) and not limiter.enter("10.0.0.7")
    with pytest.raises(nf.RuleError, match="a proxy is an address"):
        limiter.trust("no address")


def test_codes_cannot_be_guessed_fast(tmp_path: Path) -> None:
    """A right code is not told from a wrong one by somebody who has guessed too many."""
    with serving(tmp_path, misses=0.001) as server:
        host, other = server.open(spectators=True), server.open(spectators=True)
        path = f"/api/tables/{host.code}"
        seen = [server.http.get(f"/api/tables/AAAA{number:02}").status_code for number in range(62)]
        assert seen == [404] * 60 + [429] * 2
        assert server.http.get(path).status_code == 429
        assert server.http.get(f"{path}/log").status_code == 429
        asked = {"id": new(), "name": "Eve", **keys()}
        assert server.http.post(f"{path}/join", json=asked).status_code == 429
        for code in ("AAAAAA", host.code):
            for token in (None, new(32), other.token):  # the key of another table is none of this one
                assert Client(server.url, code, token).hear()["error"] == "too_many"
        assert len(server.open().code) == 8
        # Somebody who has a seat is not shut out by others behind the same router.
        assert server.http.get(path, headers=host.bearer).status_code == 200
        assert server.http.get(f"{path}/seat", headers=host.bearer).json()["seat"] == 0
        with host.connect() as client:
            assert client.now["seat"] == 0
        joining = {"id": host.asked["id"], "name": "Ann", "token": host.token, "recovery": new(32)}
        assert server.http.post(f"{path}/join", json=joining).status_code != 429


def test_right_codes_are_not_counted_as_guesses(tmp_path: Path) -> None:
    with serving(tmp_path, misses=0.001) as server:
        host = server.open()
        assert {server.http.get(f"/api/tables/{host.code}").status_code for _ in range(100)} == {200}
        assert server.http.get("/api/tables/AAAAAA").status_code == 404


class SlowTables:
    """Tables of which one exists, behind a database that takes a moment."""

    async def find(self, code: str) -> str:
        await asyncio.sleep(0.01)
        if code != "RIGHT":
            raise Refusal("no_table", "there is none")
        return code

    async def opens(self, code: str, key: str) -> bool:  # noqa: ARG002 (the shape of tables)
        return False


async def ask_at_once(codes: Codes, asked: list[str]) -> list[str]:
    """What comes of look-ups that all begin at the same moment."""
    every = [codes.find("192.0.2.1", code, None) for code in asked]
    answers = await asyncio.gather(*every, return_exceptions=True)
    return [one.code if isinstance(one, Refusal) else str(one) for one in answers]


def test_a_school_class_that_joins_at_once_is_let_in() -> None:
    """More first look-ups at the same time than there may be wrong ones, and all of them right."""

    async def join() -> None:
        codes = Codes(SlowTables(), 0.001, Tally())  # type: ignore[arg-type]
        assert set(await ask_at_once(codes, ["RIGHT"] * 300)) == {"RIGHT"}
        # Guessers are not helped: of any number at once only as many are told as may be wrong.
        answers = await ask_at_once(codes, ["WRONG"] * 300)
        assert answers.count("no_table") == FREE and answers.count("too_many") == 300 - FREE
        assert await ask_at_once(codes, ["RIGHT"]) == ["too_many"]

    asyncio.run(join())


# Logs


def test_a_flood_is_counted_and_logged_once(caplog: pytest.LogCaptureFixture) -> None:
    tally = Tally()
    with caplog.at_level(logging.INFO, "ninefold.server"):
        for _ in range(1000):
            tally.note("wrong keys", "192.0.2.1")
        tally.note("wrong keys", "192.0.2.2")
    assert tally.counts["wrong keys"] == 1001 and len(caplog.records) == 2
    assert [one.details["address"] for one in caplog.records] == ["192.0.2.1", "192.0.2.2"]  # type: ignore[attr-defined]
    throttle = Throttle()
    record = logging.LogRecord("uvicorn.error", logging.WARNING, "", 0, "Invalid HTTP request", (), None)
    assert sum(throttle.filter(record) for _ in range(1000)) == 5


# The end


@pytest.mark.skipif(sys.platform == "win32", reason="no signals")
def test_a_stop_comes_in_time_whatever_hangs(tmp_path: Path) -> None:
    port = free_port()
    script = (
        "import threading, time\n"
        "from ninefold.server.storage.sqlite import SqliteStore\n"
        "SqliteStore.close = lambda self: time.sleep(600)\n"
        "from ninefold.server.command import serve\n"
        f"serve(['--port', '{port}', '--data', {str(tmp_path)!r}], standalone_mode=False)\n"
    )
    server = Process(port=port)
    server.process = subprocess.Popen(
        [sys.executable, "-c", script], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, env=os.environ
    )
    server.wait()
    assert "stopped by force" in server.stop(signal.SIGTERM)


# Histories and events


def test_what_was_missed_is_made_message_by_message(tmp_path: Path) -> None:
    """Whoever asks for all events and does not read gets a few messages made, not all of them."""
    with serving(tmp_path) as server:
        host = server.open(players=1)
        with host.connect() as client:
            for number in range(640):
                client.say({"type": "say", "id": f"word-{number:05}", "text": "x" * 200})
                client.hear()
            client.until(lambda one: one["type"] == "answer" and one["id"] == "word-00639")
            made: list[bytes] = []
            (session,) = server.handlers.tables.tables.values()
            missed = session.missed(0, 0, 1, session.table.seq)
            asyncio.run(_take(missed, made, 2))
            assert len(made) == 2 and all(len(json.loads(one)["events"]) == 64 for one in made)
        with host.connect(since=1) as again:
            told = [event["seq"] for event in again.events]
            assert told == list(range(2, told[-1] + 1)) and len(told) > 640


async def _take(messages: Any, into: list[bytes], most: int) -> None:
    async for one in messages:
        into.append(one)
        if len(into) == most:
            return


def test_histories_have_a_thread_of_their_own_and_wait_for_each_other(tmp_path: Path) -> None:
    gate = threading.Event()
    with serving(tmp_path) as server:
        store = server.handlers.tables.store
        host, asleep = server.open(players=1), server.open(players=1)
        server.handlers.tables.unload_idle(-1.0)
        with host.connect() as client:
            client.do("start")
            for _ in range(2):
                store.histories.submit(gate.wait, WAIT)
            with asleep.connect():
                pass  # a table that is not in memory is no page's history
            with httpx.Client(base_url=server.url, timeout=1) as http, pytest.raises(httpx.ReadTimeout):
                http.get(f"/api/tables/{host.code}/log", headers=host.bearer)
            assert client.do("back")["ok"]  # nobody else waits
            gate.set()
        assert server.http.get(f"/api/tables/{host.code}/log", headers=host.bearer).status_code == 200


def test_too_many_histories_of_one_network_are_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ninefold.server.http.histories.MOST_WAITING", 2)
    store = open_store(tmp_path, None)
    histories = Histories(store, Tally())

    async def ask() -> list[Any]:
        asked = [histories.read("2001:db8::1", lambda: time.sleep(0.05)) for _ in range(4)]
        other = histories.read("192.0.2.1", lambda: None)
        return await asyncio.gather(*asked, other, return_exceptions=True)

    found = asyncio.run(ask())
    assert [getattr(one, "code", None) for one in found] == [None, None, "too_many", "too_many", None]
    store.close()


def test_what_is_missed_by_one_network_is_made_one_after_another(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Many sockets that ask for everything keep no other network's history waiting, and none is refused."""
    monkeypatch.setattr("ninefold.server.http.histories.MOST_WAITING", 2)
    at_once = most = 0
    real = outbound.missed

    def slow(*asked: Any) -> Iterator[bytes]:
        nonlocal at_once, most
        for message in real(*asked):
            at_once += 1
            most = max(most, at_once)
            time.sleep(0.05)
            at_once -= 1
            yield message

    monkeypatch.setattr("ninefold.server.tables.outbound.missed", slow)
    with serving(tmp_path) as server:
        host = server.open(players=1)
        with host.connect() as client:
            client.do("start")
        clients = [host.connect(since=1) for _ in range(8)]
        for client in clients:
            with client:
                assert client.events
    assert most == 1


def test_a_seat_says_only_so_much_through_all_its_sockets(tmp_path: Path) -> None:
    with serving(tmp_path, commands=1) as server:
        host = server.open(players=1)
        with host.connect() as client, host.connect() as other:
            for one in (client, other):
                for _ in range(2):
                    one.say({"type": "ping"})
                    with suppress(ConnectionClosed):
                        one.until(lambda told: told["type"] == "pong")
            assert other.ended() == (1008, "too fast")


def test_a_table_stores_only_so_much(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ninefold.server.runtime.session.EVENTS", 0.1)
    with serving(tmp_path) as server, server.open(players=1).connect() as client:
        answers = [client.ask({"type": "say", "text": "x"}) for _ in range(20)]
        assert answers[0]["ok"] and answers[-1]["error"] == "too_many"


# Memory


@pytest.mark.soak
@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="memory is read from /proc")
def test_a_socket_that_waits_takes_little_memory(tmp_path: Path) -> None:
    """About 20 KiB, so that 10,000 of them fit beside the games."""
    server = Process(
        "--data", str(tmp_path), "--limit", "connections=5000", "--limit", "sockets=5000"
    ).start()
    server.wait()
    codes = [server.open(spectators=True).code for _ in range(40)]

    async def watch(count: int) -> int:
        before = 0
        address = server.url.replace("http", "ws", 1) + "/ws"
        sockets = []
        for number in range(count):
            one = await asyncio_connect(address, compression=None)
            hello = {"type": "hello", "table": codes[number % len(codes)], "token": None, "since": 0}
            await one.send(json.dumps(hello))
            assert json.loads(await one.recv())["type"] == "welcome"
            sockets.append(one)
            if len(sockets) == count // 5:  # by then all that is needed only once is there
                before = _resident(server)
        grown = _resident(server) - before
        for one in sockets:
            one.transport.abort()
        return grown

    try:
        assert asyncio.run(watch(1000)) < 800 * 30
    finally:
        server.stop()


def _resident(server: Process) -> int:
    """KiB of memory."""
    assert server.process
    status = Path(f"/proc/{server.process.pid}/status").read_text("utf-8")
    return int(next(line.split()[1] for line in status.splitlines() if line.startswith("VmRSS")))


def test_one_that_leaves_the_queue_of_look_ups_holds_up_nobody() -> None:
    """Each that ends wakes one that waits, not all; and one that has gone passes its turn on."""

    async def join() -> tuple[int, list[str]]:
        codes = Codes(SlowTables(), 0.001, Tally())  # type: ignore[arg-type]
        tried, take = 0, codes._misses.take

        def counted(theirs: str) -> bool:
            nonlocal tried
            tried += 1
            return take(theirs)

        codes._misses.take = counted  # type: ignore[assignment, method-assign]
        tasks = [asyncio.create_task(codes.find("192.0.2.1", "RIGHT", None)) for _ in range(1000)]
        await asyncio.sleep(0.005)
        for task in tasks[FREE::3]:
            task.cancel()
        rest = [task for task in tasks if task not in tasks[FREE::3]]
        found = [str(one) for one in await asyncio.gather(*rest)]
        assert not codes._waiting and not codes._under_way
        return tried, found

    tried, found = asyncio.run(join())
    assert set(found) == {"RIGHT"} and tried <= 2500
