"""Several servers on one PostgreSQL, and several processes of one server on one SQLite file.

One order, no fork, and what one writes the others show at once.
"""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import psycopg
import pytest

import ninefold as nf
from ninefold.fairness.verify import verify
from ninefold.server.cluster.processes import EVERYTHING, Parent, ServerProcesses
from ninefold.server.storage.store import open_store
from ninefold.server.tables.events import Stored
from support.serving import WAIT, Process, Running, Seated, database, eventually, new, serving


@pytest.fixture(params=["postgres", "sqlite"])
def pair(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[tuple[Running, Running]]:
    """Two servers of one server."""
    if request.param == "postgres":
        url = database(request.getfixturevalue("postgres"))
        stores = [open_store(tmp_path, url) for _ in range(2)]
    else:
        stores = [open_store(tmp_path, None, one) for one in siblings(2)]
    with serving(stores[0]) as one, serving(stores[1]) as other:
        yield one, other


def siblings(count: int) -> list[ServerProcesses]:
    pipes = [os.pipe() for _ in range(count)]
    for _, mouth in pipes:
        os.set_blocking(mouth, False)
    mouths = [mouth for _, mouth in pipes]
    return [ServerProcesses(number, ear, mouths) for number, (ear, _) in enumerate(pipes)]


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Servers that take people for absent soon, and tell each other often who is there."""
    monkeypatch.setattr("ninefold.server.runtime.runner.ABSENT", 0.5)
    monkeypatch.setattr("ninefold.server.cluster.notifications.HEARTBEAT", 0.1)


def through(server: Running, seated: Seated) -> Seated:
    """The same seat, through another server."""
    return Seated(server, seated.code, seated.seat, seated.asked)


def test_what_one_server_writes_the_other_shows(pair: tuple[Running, Running]) -> None:
    one, other = pair
    host = one.open(players=2)
    guest = other.join(host.code)
    with host.connect() as here, guest.connect() as there:
        here.do("start")
        there.until_event("started")
        for _ in range(10):
            answer = here.ask({"type": "move", "move": "stay", "decision": here.now["decision"]})
            there.until(lambda told, seq=answer["seq"]: told.get("seq", 0) >= seq)  # type: ignore[misc]
            answer = there.ask({"type": "move", "move": "stay", "decision": there.now["decision"]})
            here.until(lambda told, seq=answer["seq"]: told.get("seq", 0) >= seq)  # type: ignore[misc]
            if here.now["table"]["status"] != "playing":
                break
        assert here.now["seq"] == there.now["seq"]


def test_a_rematch_through_one_server_is_drawn_from_its_own_secret_by_the_other(
    pair: tuple[Running, Running],
) -> None:
    one, other = pair
    host = one.open(players=1, options={"rounds": 1})
    with host.connect() as here, through(other, host).connect() as there:
        for starter, mover in ((here, there), (there, here), (here, there)):
            answer = starter.do("start")
            mover.until(lambda told, seq=answer["seq"]: told.get("seq", 0) >= seq)  # type: ignore[misc]
            while mover.now["table"]["status"] == "playing":
                mover.ask({"type": "move", "move": "stay", "decision": mover.now["decision"]})
            record = other.http.get(f"/api/tables/{host.code}/record", headers=host.bearer).json()
            assert verify(record).proved
            starter.until(lambda told, seq=mover.now["seq"]: told.get("seq", 0) >= seq)  # type: ignore[misc]


def test_a_command_sent_again_through_another_server_is_known(pair: tuple[Running, Running]) -> None:
    one, other = pair
    host = one.open(players=1)
    start = {"type": "do", "what": "start", "id": new()}
    with host.connect() as client:
        begun = client.ask(start)
        move = {"type": "move", "move": "stay", "decision": client.now["decision"], "id": new()}
        moved = client.ask(move)
        seq = client.now["seq"]
    with through(other, host).connect() as client:
        assert client.ask(start) == begun and client.ask(move) == moved and client.now["seq"] == seq
        assert client.ask({**move, "move": "cash out"})["error"] == "id_reused"
    answer = other.http.post("/api/tables", json=host.asked)
    assert answer.json()["code"] == host.code


def test_nobody_is_absent_who_is_at_another_server(quick: None, pair: tuple[Running, Running]) -> None:
    one, other = pair
    host = one.open(players=2, spectators=True)
    guest = one.join(host.code)
    with host.connect() as client, guest.connect(), other.connect(host.code) as watcher:
        client.do("start")
        watcher.until_event("started")
        time.sleep(1.5)
        client.do("back")
        watcher.until_event("back")
        assert not any(told["kind"] == "away" for told in watcher.events)


def test_what_is_written_while_somebody_arrives_elsewhere_reaches_them(
    pair: tuple[Running, Running], monkeypatch: pytest.MonkeyPatch
) -> None:
    one, other = pair
    host = one.open(players=2, spectators=True)
    assert other.http.get(f"/api/tables/{host.code}").status_code == 200  # now the other knows it, too
    store = other.handlers.tables.store
    (live,) = other.handlers.tables.tables.values()
    read, written = store.events_of, []
    with host.connect() as here:

        def late(table_id: str, after: int = 0) -> list[Stored]:
            """Read; before anybody has the answer, somebody writes, and this server hears of it. Twice."""
            found = read(table_id, after)
            written.append(here.do("back")["seq"])
            if len(written) == 2:
                monkeypatch.setattr(store, "events_of", read)
            eventually(lambda: live._doubtful)
            return found

        monkeypatch.setattr(store, "events_of", late)
        with other.connect(host.code) as watcher:
            watcher.until_event("back")
            assert watcher.now["seq"] == written[-1]


@pytest.fixture
def deaf(monkeypatch: pytest.MonkeyPatch) -> None:
    """Servers that hear nothing of each other, as if all news came late."""

    async def heard(*_: object) -> None:
        pass

    monkeypatch.setattr("ninefold.server.cluster.notifications._on_notification", heard)


def test_whoever_sat_down_at_one_server_is_let_in_by_the_other(
    deaf: None, pair: tuple[Running, Running]
) -> None:
    one, other = pair
    host = one.open(players=2)
    assert other.http.get(f"/api/tables/{host.code}").status_code == 200  # now the other knows it, too
    guest = one.join(host.code)
    with through(other, guest).connect() as client:
        assert client.now["table"]["seats"][1]["name"] == "Bob"


def test_whoever_came_back_at_one_server_is_let_in_by_the_other(
    deaf: None, pair: tuple[Running, Running]
) -> None:
    one, other = pair
    host = one.open(players=2)
    with through(other, host).connect() as client:
        client.do("leave")
    with host.connect() as client:  # this server had not heard that they left
        assert not client.now["table"]["seats"][0]["away"]
        with through(other, host).connect() as client:  # nor that one that they are back
            assert not client.now["table"]["seats"][0]["away"]


def test_a_table_deleted_through_one_server_is_gone_from_the_other(
    pair: tuple[Running, Running],
) -> None:
    one, other = pair
    host = one.open(players=2)
    with through(other, host).connect() as client:
        assert one.http.delete(f"/api/tables/{host.code}", headers=host.bearer).status_code == 204
        assert client.ended() == (1001, "this table has been deleted")
    assert other.http.get(f"/api/tables/{host.code}").status_code == 404


@pytest.mark.parametrize("kind", ["postgres", "sqlite"])
def test_four_processes_write_one_order(request: pytest.FixtureRequest, tmp_path: Path, kind: str) -> None:
    """Four servers, one table, one seat driven through all of them at once, with bots between."""
    url = database(request.getfixturevalue("postgres")) if kind == "postgres" else None
    with ExitStack() as stack:
        if url:
            servers = [Process("--database", url) for _ in range(4)]
        else:  # connections find their way to any of the four
            servers = [Process("--data", str(tmp_path), "--processes", "4")] * 4
        for server in dict.fromkeys(servers):
            server.start()
            stack.callback(server.stop)
        for server in servers:
            server.wait()
        host = servers[0].open(players=4, bots=["medium"])
        guests = [server.join(host.code, f"G{number}") for number, server in enumerate(servers[1:3])]
        accepted: list[tuple[str, int]] = []
        faults: list[Any] = []

        def hammer(seated: Seated, server: Process) -> None:
            try:
                with through(server, seated).connect() as client:
                    begun = time.monotonic()
                    while time.monotonic() < begun + 2.5 or len(accepted) < 60:
                        assert time.monotonic() < begun + 50, "hardly anything is accepted"
                        id_ = new()
                        if client.my_turn():
                            asked = {"type": "move", "move": "stay", "decision": client.now["decision"]}
                        else:
                            asked = {"type": "do", "what": "back"}
                        answer = client.ask({**asked, "id": id_})
                        if answer["ok"]:
                            accepted.append((id_, answer["seq"]))
                        else:
                            assert answer["error"] in ("stale", "illegal", "busy", "no_match"), answer
                            with suppress(TimeoutError):
                                client.hear(0.1)
                    seqs = [told["seq"] for told in client.events]
                    assert seqs == list(range(seqs[0], seqs[0] + len(seqs)))
            except Exception as error:
                faults.append(error)

        with host.connect() as client:
            client.do("start")
        threads = [
            threading.Thread(target=hammer, args=(seated, server))
            for seated in (host, *guests)
            for server in servers
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(60)
        assert not faults, faults[:3]
        for server in dict.fromkeys(servers):
            assert "fault" not in server.stop()
    store = open_store(tmp_path, url)
    table_id = store.find_table(host.code)
    assert table_id
    events = store.events_of(table_id)  # the chain of hashes holds: no gap and no fork
    placed = {one.event.command: one.seq for one in events if one.event.command}
    assert len(accepted) >= 60 and all(placed[id_] == seq for id_, seq in accepted)
    commands = [(one.event.who, one.event.command) for one in events if one.event.command]
    assert len(set(commands)) == len(commands)
    store.close()


def processes_of(server: Process) -> list[int]:
    assert server.process
    pid = server.process.pid
    return [int(word) for word in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


def gone(pids: list[int]) -> bool:
    def ended(pid: int) -> bool:
        with suppress(OSError):
            return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] == "Z"
        return True

    return all(ended(pid) for pid in pids)


def test_a_process_that_dies_is_started_again_and_nothing_is_lost(tmp_path: Path) -> None:
    server = Process("--data", str(tmp_path), "--processes", "2").start().wait()
    try:
        host = server.open(players=1)
        with host.connect() as client:
            client.do("start")
            seq = client.ask({"type": "move", "move": "stay", "decision": client.now["decision"]})["seq"]
        before = processes_of(server)
        assert len(before) == 2
        for pid in before:
            os.kill(pid, signal.SIGKILL)
        eventually(lambda: len(processes_of(server)) == 2 and not set(processes_of(server)) & set(before))
        server.wait()
        with host.connect() as client:
            assert client.now["seq"] >= seq
            assert client.ask({"type": "move", "move": "stay", "decision": client.now["decision"]})["ok"]
        with pytest.raises(nf.RuleError, match="another server has"):
            open_store(tmp_path, None)
    finally:
        left = processes_of(server)
        server.stop()
    assert gone(left)
    open_store(tmp_path, None).close()


def test_processes_end_with_the_one_that_started_them(tmp_path: Path) -> None:
    server = Process("--data", str(tmp_path), "--processes", "2").start().wait()
    children = processes_of(server)
    server.stop(signal.SIGKILL)
    eventually(lambda: gone(children))
    open_store(tmp_path, None).close()


def test_several_processes_that_cannot_open_say_why_once_and_end(tmp_path: Path) -> None:
    file = tmp_path / "house.sqlite"
    file.write_bytes(b"this is no database" * 100)
    server = Process("--data", str(tmp_path), "--processes", "2").start()
    assert server.process
    _, said = server.process.communicate(timeout=WAIT)
    assert server.process.returncode == 2
    assert said.count(b"cannot be used") == 1 and b"Traceback" not in said


def test_who_does_not_listen_hears_later_that_something_was_missed() -> None:
    one, other = siblings(2)
    for number in range(3_000):  # more than a pipe takes
        one.notify([f"{number:060}"])

    async def hear() -> list[str]:
        found: list[str] = []
        async for words in other.listen():
            found.append(words)
            if len(found) == 100:
                await asyncio.sleep(0.05)
                one.notify(["the last"])
            if words == "the last":
                break
        return found

    heard = asyncio.run(hear())
    assert heard[-2:] == [EVERYTHING, "the last"]
    assert heard[:-2] == [f"{number:060}" for number in range(len(heard) - 2)] and 500 < len(heard) < 2_000


def test_processes_that_do_not_stop_are_killed_in_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """All of them within five seconds, not one after the other."""
    now = 0.0

    class Stuck(Mock):
        def wait(self, timeout: float) -> None:
            nonlocal now
            now += timeout
            raise subprocess.TimeoutExpired("ninefold", timeout)

    monkeypatch.setattr("ninefold.server.cluster.processes.time.monotonic", lambda: now)
    parent = Parent(3, [], [])
    parent._running = [Stuck(poll=lambda: None) for _ in range(3)]
    parent._end()
    assert now < 5 and all(one.terminate.called and one.kill.called for one in parent._running)  # type: ignore[attr-defined]


def test_a_database_that_keeps_no_promises_is_refused(postgres: str, tmp_path: Path) -> None:
    url = database(postgres)
    with psycopg.connect(url, autocommit=True) as connection:
        name = connection.execute("SELECT current_database()").fetchone()
        assert name
        connection.execute(f"ALTER DATABASE {name[0]} SET synchronous_commit = off")
    with pytest.raises(nf.RuleError, match="synchronous_commit is off"):
        open_store(tmp_path, url)
