"""The server says when it is not well, refuses in time, and deletes nothing by mistake."""

from __future__ import annotations

import asyncio
import logging
import os
import re
import signal
import sqlite3
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from pathlib import Path

import httpx
import psycopg
import pytest

import ninefold as nf
from ninefold.server.runtime import expiry
from ninefold.server.runtime.tables import Tables
from ninefold.server.storage.store import Run, Store, open_store
from ninefold.server.tables.events import Event
from ninefold.server.tables.messages import Opening
from ninefold.server.tables.table import Refusal
from support.serving import WAIT, Client, Process, database, eventually, free_port, new, serving
from support.storing import TABLE, following, put, table

DAY = 86_400.0


# Nothing is deleted because of a clock, or because it was idle


def test_a_table_stays_in_memory_for_someone_who_is_on_their_way(tmp_path: Path) -> None:
    async def visit() -> None:
        tables = Tables(open_store(tmp_path, None))
        session = await tables.open_table(Opening("doubles", new(), "Ann", new(32), new(32), bots=["easy"]))
        session.used = session.found = -DAY
        found = await tables.find(session.code)  # they have not connected yet
        tables.unload_idle(600.0)
        assert found is session and not session.gone
        session.found = -DAY
        tables.unload_idle(600.0)
        assert session.gone and await tables.find(session.code) is not session
        with pytest.raises(Refusal, match="deleted"):
            await session.arrive(None, 0, 0)  # nobody sits at a table that is no more
        await tables.close()

    asyncio.run(visit())


def test_a_clock_that_jumps_deletes_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    store = open_store(tmp_path, None)
    last = table(store)
    monkeypatch.setattr(expiry, "HOUR", 0.0)
    monkeypatch.setattr(expiry, "TIMES", 3)
    clean_up = expiry.Expiry(Tables(store), 90 * DAY)
    real = time.time

    def later() -> float:
        return real() + 100 * DAY

    monkeypatch.setattr(time, "time", later)
    for _ in range(3):  # the first sees only that the clock has jumped
        asyncio.run(clean_up.check())
        assert store.events_of(TABLE)
    assert [one.message for one in caplog.records] == ["the clock has jumped, so no table is deleted"]
    put(store, following(last, Event("a", {})))  # somebody is there again: it begins anew
    monkeypatch.setattr(time, "time", lambda: later() + 100 * DAY)
    for _ in range(3):
        asyncio.run(clean_up.check())
        assert store.events_of(TABLE)
    asyncio.run(clean_up.check())
    assert store.events_of(TABLE) == [] and clean_up.deleted == 1
    assert caplog.records[-1].message == "an unused table was deleted"
    store.close()


def test_several_servers_count_an_hour_once(tmp_path: Path) -> None:
    store = open_store(tmp_path, None)
    table(store)
    now = time.time() + 100 * DAY
    for _ in range(5):
        store.note_idle(now - 90 * DAY, now, 3000).result(10)
    assert store.often_idle(now - 90 * DAY, 1, 9) == [TABLE] and not store.often_idle(now - 90 * DAY, 2, 9)
    store.close()


# Databases that do not answer


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ninefold.server.storage.store.PATIENCE", 0.7)
    monkeypatch.setattr("ninefold.server.http.handlers.CHECKED", 0.0)


@pytest.mark.usefixtures("impatient")
def test_a_writer_that_hangs_is_told_to_everybody(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    gate = threading.Event()
    with serving(tmp_path) as server:
        host = server.open(players=1)
        with host.connect() as client:
            assert server.http.get("/readyz").status_code == 200
            server.handlers.tables.store.submit(lambda run: gate.wait(WAIT) and None)
            move = {"type": "do", "what": "start", "id": new()}
            refused = client.ask(move)
            assert refused["error"] == "busy" and "too long" in refused["text"]
            assert server.http.get("/readyz").status_code == 503
            assert server.http.get("/healthz").status_code == 200
            assert any("too long" in one.message for one in caplog.records if one.levelno == logging.ERROR)
            assert "ninefold_database_refusals_total 2" in server.http.get("/metrics").text
            gate.set()
            eventually(lambda: server.http.get("/readyz").status_code == 200)
            assert client.ask(move)["ok"]  # once, whether it was stored or not
        events = server.handlers.tables.store.events_of(next(iter(server.handlers.tables.tables)))
        assert [one.event.kind for one in events].count("started") == 1


@pytest.mark.usefixtures("impatient")
def test_a_locked_database_is_not_ready(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ninefold.server.storage.sqlite.PATIENCE", 0)
    with serving(tmp_path) as server:
        other = sqlite3.connect(tmp_path / "house.sqlite", isolation_level=None)
        other.execute("BEGIN IMMEDIATE")
        answer = server.http.get("/readyz")
        assert answer.status_code == 503 and "locked" in answer.json()["text"]
        other.execute("ROLLBACK")
        other.close()
        assert server.http.get("/readyz").status_code == 200


def test_a_postgres_that_is_stuck_is_not_waited_for(postgres: str, tmp_path: Path) -> None:
    url = database(postgres)
    with serving(open_store(tmp_path, url)) as server:
        host = server.open(players=1)
        with host.connect() as client, psycopg.connect(url) as other:
            other.execute("LOCK TABLE events, health IN ACCESS EXCLUSIVE MODE")
            assert client.do("start")["error"] == "busy"
            assert server.http.get("/readyz").status_code == 503
            other.rollback()
            eventually(lambda: server.http.get("/readyz").status_code == 200)
            assert client.do("start")["ok"]


@contextmanager
def frozen(url: str) -> Iterator[None]:
    """A PostgreSQL that does not say a word, nor close a connection, as on a machine that hangs."""
    with psycopg.connect(url, autocommit=True) as here:
        folder = here.execute("SHOW data_directory").fetchone()
        assert folder
        pids = [int(Path(folder[0], "postmaster.pid").read_text().split()[0])]
        try:
            os.kill(pids[0], signal.SIGSTOP)  # from now on there are no new ones
            pids += [row[0] for row in here.execute("SELECT pid FROM pg_stat_activity WHERE datname <> ''")]
            for pid in pids[1:]:
                os.kill(pid, signal.SIGSTOP)
            yield
        finally:
            for pid in pids:
                with suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGCONT)


@pytest.mark.skipif(sys.platform == "win32", reason="no such signals")
def test_a_postgres_that_hangs_is_not_waited_for(postgres: str, tmp_path: Path) -> None:
    """Not by people, who are told so in words, nor by a stop: five seconds, and some for a busy machine."""
    url, promised, busy = database(postgres), 5.0, 2.0
    server = Process("--data", str(tmp_path), "--database", url).start()
    try:
        host = server.wait().open(players=1)
        start = {"type": "do", "what": "start", "id": new()}
        with host.connect() as client:
            with frozen(url):
                begun = time.monotonic()
                refused = client.ask(start)
                assert refused["error"] == "busy" and "try again" in refused["text"]
                assert time.monotonic() - begun < promised + busy
                with ThreadPoolExecutor() as at_once:
                    begun = time.monotonic()
                    ready = at_once.submit(server.http.get, "/readyz")
                    newcomer = at_once.submit(Client(server.url, host.code, host.token).hear)
                    assert newcomer.result()["error"] == "busy" and ready.result().status_code == 503
                    assert time.monotonic() - begun < promised + busy
                assert server.http.get("/healthz").status_code == 200
            eventually(lambda: client.ask(start)["ok"])  # once, whether it was stored or not
            with frozen(url):
                client.say({"type": "say", "text": "Is anybody there?", "id": new()})
                begun = time.monotonic()
                assert server.process
                server.process.send_signal(signal.SIGTERM)
                assert server.process.wait(WAIT) == 0
                assert time.monotonic() - begun < promised + busy
        with psycopg.connect(url) as other:
            count = "SELECT count(*) FROM events WHERE kind = 'started'"
            assert other.execute(count).fetchone() == (1,)
    finally:
        server.stop()


def test_a_server_whose_writer_has_died_ends(tmp_path: Path) -> None:
    script = (
        "from ninefold.server.storage.store import Store\n"
        "def write_on(self):\n"
        "    self._queue.get()\n"
        "    raise RuntimeError('a fault of the writer')\n"
        "Store._write_on = write_on\n"
        "from ninefold.server.command import serve\n"
        f"serve(['--port', '{free_port()}', '--data', {str(tmp_path)!r}], standalone_mode=False)\n"
    )
    port = int(script.partition("'--port', '")[2].partition("'")[0])
    server = Process(port=port)
    server.process = subprocess.Popen(
        [sys.executable, "-c", script], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, env=os.environ
    )
    eventually(lambda: _answers(server))
    with suppress(httpx.TransportError):
        assert server.http.get("/readyz").status_code != 200
    _, said = server.process.communicate(timeout=WAIT)
    assert server.process.returncode != 0 and b"the writer has ended" in said


def _answers(server: Process) -> bool:
    with suppress(httpx.TransportError):
        return server.http.get("/healthz").status_code == 200
    return False


# Damage


@pytest.fixture
def three(tmp_path: Path) -> Store:
    store = open_store(tmp_path, None)
    last = table(store)
    for kind in ("a", "b"):
        last = put(store, following(last, Event(kind, {})))
    return store


@pytest.mark.parametrize(
    "statement", ["DELETE FROM events WHERE seq = 3", "DELETE FROM events WHERE seq > 1"]
)
def test_a_lost_end_is_noticed(three: Store, statement: str) -> None:
    three.submit(lambda run: _run(run, statement)).result(10)
    with pytest.raises(nf.RecordError, match=r"damaged: its event [23] is missing"):
        three.events_of(TABLE)
    three.close()


def test_all_events_lost_are_noticed(three: Store) -> None:
    three.submit(lambda run: _run(run, "DELETE FROM events")).result(10)
    with pytest.raises(nf.RecordError, match="its events are missing"):
        three.events_of(TABLE)
    three.close()


def _run(run: Run, statement: str) -> None:
    run(statement, [()])


def test_what_is_damaged_is_called_so_and_nothing_stored_is_quoted(tmp_path: Path) -> None:
    with serving(tmp_path) as server:
        code = server.open().code
    with sqlite3.connect(tmp_path / "house.sqlite") as file:
        file.execute("UPDATE events SET body = CAST(X'7b22736563726574ff' AS TEXT) WHERE seq = 2")
    file.close()
    with serving(tmp_path) as server:
        client = Client(server.url, code, None)
        told = client.hear()
        assert told["error"] == "damaged" and "secret" not in told["text"]
        answer = server.http.get(f"/api/tables/{code}")
        assert answer.status_code == 503 and answer.json()["error"] == "damaged"
        assert "secret" not in answer.text


def test_a_file_that_was_emptied_is_not_taken_for_a_new_one(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    open_store(tmp_path, None).close()
    open_store(tmp_path, None).close()
    assert not caplog.records
    (tmp_path / "house.sqlite").write_bytes(b"")
    open_store(tmp_path, None).close()
    assert [one.levelname for one in caplog.records] == ["WARNING"]
    assert "was an empty file" in caplog.text


def test_a_database_of_before_gets_its_heads(tmp_path: Path) -> None:
    """Whose tables have no head is not damaged, and gets one with the next event."""
    store = open_store(tmp_path, None)
    last = table(store)
    store.submit(lambda run: _run(run, "UPDATE tables SET last = NULL, head = NULL")).result(10)
    assert len(store.events_of(TABLE)) == 1 and store.found() == (1, 0)
    put(store, following(last, Event("a", {})))
    assert store.found() == (1, 2)
    store.close()


# Who may look


@pytest.mark.skipif(sys.platform == "win32", reason="no such modes")
def test_only_the_owner_can_read_the_database(tmp_path: Path) -> None:
    store = open_store(tmp_path / "new", None)
    table(store)
    modes = {path.name: path.stat().st_mode & 0o777 for path in (tmp_path / "new").iterdir()}
    assert set(modes.values()) == {0o600} and "house.sqlite-wal" in modes
    assert (tmp_path / "new").stat().st_mode & 0o777 == 0o700
    store.close()


def test_metrics_are_for_prometheus_on_this_machine(tmp_path: Path) -> None:
    with serving(tmp_path) as server:
        host = server.open(players=1)
        with host.connect() as client:
            client.do("start")
        text = server.http.get("/metrics").text
        assert "# TYPE ninefold_answer_seconds histogram" in text
        assert 'ninefold_answer_seconds_bucket{le="+Inf"} 1' in text and "ninefold_commands_total 1" in text
        for line_ in text.splitlines():
            assert line_.startswith("# ") or len(line_.split(" ")) == 2
        evil = server.http.get("/metrics", headers={"Host": "evil.example"})
        assert evil.status_code == 400 and evil.json()["error"] == "no_metrics"


def test_the_server_says_what_it_found(tmp_path: Path) -> None:
    with serving(tmp_path) as server:
        server.open()
    server_ = Process("--data", str(tmp_path))
    server_.process = subprocess.Popen(
        [sys.executable, "-m", "ninefold", "serve", "--port", str(server_.port), *server_.arguments],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    )  # fmt: skip
    server_.wait()
    server_.process.terminate()
    said, _ = server_.process.communicate(timeout=WAIT)
    first = f"Open {server_.url} in your browser to play. Ctrl-C stops Ninefold; games are saved."
    assert said.decode().splitlines()[0] == first
    assert re.search(rb"Saved here: 1 table with [23] events\.", said)
