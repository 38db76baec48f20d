"""What is kept: on the disk before it is answered, in one order, once, and noticed when damaged."""

from __future__ import annotations

import json
import sqlite3
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psycopg
import pytest

import ninefold as nf
from ninefold.server.storage.sqlite import SqliteStore
from ninefold.server.storage.store import Append, Conflict, Gone, Run, Store, Unavailable, open_store
from ninefold.server.tables.events import Event
from support.serving import database, new
from support.storing import TABLE, following, put, table


@pytest.fixture(params=["sqlite", "postgres"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Store]:
    url = database(request.getfixturevalue("postgres")) if request.param == "postgres" else None
    opened = open_store(tmp_path, url)
    yield opened
    opened.close()


def test_what_was_appended_is_read_back(store: Store) -> None:
    token = {"hash": "h", "table_id": TABLE, "seat": 1, "tenant": 2, "purpose": "seat"}
    last = table(store, new_tokens=[token], new_secret=(1, b"s" * 32))
    told = [Event("moved", {"text": "é ↦ \U0001f0a1", "list": [1, None]}, "0", "c1"), Event("back", {})]
    last = put(store, following(last, *told, digest="d1"))
    found = store.events_of(TABLE)
    assert [one.seq for one in found] == [1, 2, 3] and [one.event for one in found[1:]] == told
    assert [one.digest for one in found] == ["d", "d1", None]
    assert store.events_of(TABLE, 2) == found[2:] and found[1:] == last.stored
    assert store.find_table("CODE22") == TABLE and store.code_of(TABLE) == "CODE22"
    assert store.find_table("NONE") is None and store.find_token("x") is None
    assert store.find_token("h").seat == 1 and store.secret(TABLE, 1) == b"s" * 32
    assert store.find_command(TABLE, "0", "c1") == found[1] and store.find_command(TABLE, "0", "c2") is None
    assert store.public_tables(10) == ["CODE22"]
    later, before = time.time() + 1, time.time() - 60
    assert store.often_idle(later, 0, 9) == [TABLE] and store.often_idle(before, 0, 9) == []


def test_a_place_in_the_order_is_taken_once(store: Store) -> None:
    last = table(store)
    put(store, following(last, Event("a", {})))
    with pytest.raises(Conflict):
        put(store, following(last, Event("b", {}), Event("c", {})))
    assert [one.event.kind for one in store.events_of(TABLE)] == ["opened", "a"]


def test_a_command_is_carried_out_once(store: Store) -> None:
    last = put(store, following(table(store), Event("a", {}, "0", "same")))
    with pytest.raises(Conflict):
        put(store, following(last, Event("b", {}, "0", "same")))
    put(store, following(last, Event("b", {}, "1", "same")))  # another seat's own id


def test_all_of_an_append_or_nothing(store: Store) -> None:
    token = {"hash": "h", "table_id": TABLE, "seat": 1, "tenant": 1, "purpose": "seat"}
    last = table(store, new_tokens=[token])
    with pytest.raises(Conflict):
        put(store, following(last, Event("a", {}), new_tokens=[token]))
    assert len(store.events_of(TABLE)) == 1


def test_appends_share_a_commit_and_a_bad_one_fails_alone(store: Store) -> None:
    for number in range(40):
        table(store, f"{number:032}", f"CODE{number}")
    gate, passed = threading.Event(), threading.Event()

    def wait(_: Any) -> None:
        passed.set()
        gate.wait(10)

    store.submit(wait)
    passed.wait(10)
    futures = []
    for number in range(40):
        head = store.events_of(f"{number:032}")[-1]
        seq = 1 if number == 7 else 2  # seven writes where something is already
        futures.append(store.submit(Append(f"{number:032}", seq, [Event("a", {})], head.hash)))
    broken = store.submit(lambda run: json.loads("{"))
    gone = store.submit(Append("nobody", 1, [Event("a", {})]))
    gate.set()
    for number, future in enumerate(futures):
        if number == 7:
            with pytest.raises(Conflict):
                future.result(10)
        else:
            future.result(10)
    with pytest.raises(ValueError, match="Expecting"):
        broken.result(10)
    with pytest.raises(Gone):
        gone.result(10)
    put(store, Append("0" * 32, 3, [Event("b", {})], store.events_of("0" * 32)[-1].hash))


def test_a_cancelled_append_does_not_end_the_writer(store: Store) -> None:
    last = table(store)
    for _ in range(20):
        store.submit(following(last, Event("x", {}))).cancel()
    time.sleep(0.2)
    store.submit(lambda run: None).result(10)


def test_many_threads_write_one_order(store: Store) -> None:
    table(store)
    done: list[int] = []

    def write(number: int) -> None:
        for turn in range(15):
            while True:
                head = store.events_of(TABLE)[-1]
                try:
                    event = Event("a", {}, str(number), f"c{turn}")
                    put(store, Append(TABLE, head.seq + 1, [event], head.hash))
                except Conflict:
                    continue
                done.append(head.seq + 1)
                break

    threads = [threading.Thread(target=write, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(done) == list(range(2, 62))
    assert [one.seq for one in store.events_of(TABLE)] == list(range(1, 62))


def test_forgetting_leaves_nothing(store: Store) -> None:
    token = {"hash": "h", "table_id": TABLE, "seat": 0, "tenant": 1, "purpose": "seat"}
    last = table(store, new_tokens=[token], new_secret=(1, b"s" * 32))
    table(store, "b" * 32, "OTHER2")
    store.seen([(TABLE, 0)], 5.0).result(10)
    assert store.last_seen(TABLE, 0) == 5.0 and store.last_seen(TABLE, 1) == 0.0
    store.seen([(TABLE, 0), (TABLE, 1)], 7.0).result(10)
    assert store.last_seen(TABLE, 0) == 7.0
    store.forget(TABLE)
    with store.engine.connect() as connection:
        for part in ("events", "tokens", "secrets", "presence", "tables"):
            column = "id" if part == "tables" else "table_id"
            query = f"SELECT count(*) FROM {part} WHERE {column} = '{TABLE}'"
            assert connection.exec_driver_sql(query).scalar() == 0, part
    with pytest.raises(Gone):
        put(store, following(last, Event("late", {})))
    assert store.events_of(TABLE) == [] and len(store.events_of("b" * 32)) == 1


def test_a_table_in_use_is_not_idle(store: Store) -> None:
    last = table(store)

    def long_ago(run: Run) -> None:
        run("UPDATE tables SET touched = ?", [(9.0,)])

    store.submit(long_ago).result(10)
    assert store.often_idle(10.0, 0, 9) == [TABLE]
    last = put(store, following(last, Event("a", {})))
    assert store.often_idle(time.time() - 60, 0, 9) == []
    put(store, following(last, Event("b", {})))
    assert store.often_idle(time.time() - 60, 0, 9) == []


def test_what_is_archived_stays_as_it_is_until_its_table_is_deleted(store: Store) -> None:
    table(store)
    store.archive(TABLE, 1, [("record", b"one"), ("summary", b"two")]).result()
    store.archive(TABLE, 1, [("record", b"another")]).result()
    assert store.archived(TABLE) == [1] and store.find_archived(TABLE, 1, "record") == b"one"
    assert store.find_archived(TABLE, 2, "record") is None
    store.forget(TABLE)
    store.archive(TABLE, 2, [("record", b"too late")]).result()
    assert store.archived(TABLE) == []


def test_what_another_server_appends_meanwhile_is_forgotten_too(postgres: str, tmp_path: Path) -> None:
    url = database(postgres)
    store, other = open_store(tmp_path, url), open_store(tmp_path, url)
    last = table(store)
    reached, gates = threading.Semaphore(0), [threading.Event(), threading.Event()]

    def hold(gate: threading.Event) -> None:
        reached.release()
        assert gate.wait(10)

    other.submit(lambda run: hold(gates[0]))  # so that what comes next shares a transaction
    assert reached.acquire(timeout=10)
    appended = other.submit(following(last, Event("late", {})))
    other.submit(lambda run: hold(gates[1]))
    gates[0].set()
    assert reached.acquire(timeout=10)
    forgetting = threading.Thread(target=store.forget, args=(TABLE,))
    forgetting.start()
    forgetting.join(0.3)
    assert forgetting.is_alive()  # it waits until the other one has finished
    gates[1].set()
    appended.result(10)
    forgetting.join(10)
    assert not forgetting.is_alive() and store.events_of(TABLE) == []
    store.close()
    other.close()


CHANGES = [
    "UPDATE events SET body = replace(body, '1', '2') WHERE seq = 2",
    "UPDATE events SET who = '1' WHERE seq = 2",
    "UPDATE events SET kind = 'b' WHERE seq = 2",
    "UPDATE events SET at = at + 1 WHERE seq = 2",
    "UPDATE events SET hash = replace(hash, substr(hash, 1, 1), 'x') WHERE seq = 2",
    "UPDATE events SET digest = 'e' WHERE seq = 2",
]


@pytest.mark.parametrize("change", CHANGES)
def test_a_changed_event_is_noticed(store: Store, change: str) -> None:
    last = put(store, following(table(store), Event("a", {"n": 1}, "0", "c"), digest="d"))
    put(store, following(last, Event("b", {})))
    store.submit(lambda run: _run(run, change)).result(10)
    with pytest.raises(nf.RecordError, match=f"table {TABLE} is damaged: its event 2"):
        store.events_of(TABLE)


def test_a_missing_event_is_noticed(store: Store) -> None:
    last = put(store, following(table(store), Event("a", {"n": 1})))
    put(store, following(last, Event("b", {})))
    store.submit(lambda run: _run(run, "DELETE FROM events WHERE seq = 2")).result(10)
    with pytest.raises(nf.RecordError, match="event 2 is missing"):
        store.events_of(TABLE)
    with pytest.raises(nf.RecordError, match="event 2 is missing"):
        store.events_of(TABLE, 2)


def _run(run: Any, statement: str) -> None:
    run(statement, [()])


def test_one_byte_flipped_in_the_file_is_noticed(tmp_path: Path) -> None:
    store = open_store(tmp_path, None)
    last = table(store)
    put(store, following(last, Event("moved", {"move": "unmistakable"})))
    store.close()
    path = tmp_path / "house.sqlite"
    content = path.read_bytes()
    assert content.count(b"unmistakable") == 1
    path.write_bytes(content.replace(b"unmistakable", b"unmistakabld"))
    store = open_store(tmp_path, None)
    with pytest.raises(nf.RecordError, match=f"table {TABLE} is damaged: its event 2"):
        store.events_of(TABLE)
    store.close()


def test_a_second_server_on_the_same_file_is_refused(tmp_path: Path) -> None:
    store = open_store(tmp_path, None)
    with pytest.raises(nf.RuleError, match="another server has"):
        open_store(tmp_path, None)
    table(store)
    again = subprocess.run(
        [sys.executable, "-m", "ninefold", "serve", "--data", str(tmp_path), "--port", "0"],
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert again.returncode == 2 and again.stdout == ""
    assert again.stderr.startswith("ninefold: another server has") and again.stderr.count("\n") == 1
    store.close()
    store = open_store(tmp_path, None)  # and once it is closed, it opens
    assert len(store.events_of(TABLE)) == 1
    store.close()


@pytest.mark.skipif(sys.platform == "win32", reason="a file in use cannot be removed")
def test_a_lock_file_that_is_removed_lets_no_second_server_write(tmp_path: Path) -> None:
    store = open_store(tmp_path, None)
    last = put(store, following(table(store), Event("a", {})))
    (tmp_path / "house.lock").unlink()
    last = put(store, following(last, Event("b", {})))  # and it is locked again
    with pytest.raises(nf.RuleError, match="another server has"):
        open_store(tmp_path, None)
    (tmp_path / "house.lock").unlink()
    other = open_store(tmp_path, None)  # before the first has noticed
    with pytest.raises(Unavailable, match="another server"):
        put(store, following(last, Event("c", {})))
    put(other, following(last, Event("d", {})))
    other.close()
    with pytest.raises(Conflict):
        put(store, following(last, Event("c", {})))  # its turn again, and it reads what it has missed
    assert [one.event.kind for one in store.events_of(TABLE)] == ["opened", "a", "b", "d"]
    store.close()


def test_a_folder_or_database_that_cannot_be_used_gets_a_sentence(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    with pytest.raises(nf.RuleError, match="cannot be kept in"):
        open_store(tmp_path / "file", None)
    (tmp_path / "house.sqlite").write_bytes(b"no database at all" * 100)
    with pytest.raises(
        nf.RuleError, match=r"cannot be used: it is damaged \(file is not a database\); restore"
    ):
        open_store(tmp_path, None)
    with pytest.raises(nf.RuleError, match="postgresql://"):
        open_store(tmp_path, "mysql://x")
    with pytest.raises(nf.RuleError, match="the database cannot be used"):
        open_store(tmp_path, "postgresql://nobody@127.0.0.1:1/none")


class SmallDisk(SqliteStore):
    """A disk with little room, until there is more."""

    def tune(self, connection: sqlite3.Connection) -> None:
        self.connection = connection
        pages = connection.execute("PRAGMA page_count").fetchone()[0]
        connection.execute(f"PRAGMA max_page_count={pages + 6}")


def test_a_full_disk_refuses_and_recovers(tmp_path: Path) -> None:
    store = SmallDisk(tmp_path / "house.sqlite")
    last = table(store)
    stored = 1
    with pytest.raises(Unavailable, match="full"):
        for _ in range(100):
            last = put(store, following(last, Event("long", {"text": "x" * 500})))
            stored += 1
    assert len(store.events_of(TABLE)) == stored  # nothing of what was refused, all of what was answered
    with pytest.raises(Unavailable, match="full"):
        put(store, following(last, Event("long", {"text": "x" * 9000})))
    room = store.submit(lambda run: _room(store))
    room.result(10)
    put(store, following(last, Event("long", {"text": "x" * 9000})))
    store.close()
    with sqlite3.connect(tmp_path / "house.sqlite") as connection:
        assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    connection.close()


def _room(store: SmallDisk) -> None:
    store.connection.execute("PRAGMA max_page_count=100000")


def test_a_write_that_fails_in_the_file_system_is_not_answered(tmp_path: Path) -> None:
    """The kernel refuses to let the file grow (EFBIG), in the middle of whatever was being written."""
    script = f"""
import resource, signal, sys
from pathlib import Path
from ninefold.server.storage.store import *
from ninefold.server.tables.events import Event
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
store = open_store(Path({str(tmp_path)!r}), None)
work = Append("t", 1, [Event("opened", {{}})])
work.new_table = dict(id="t", code="CODE", game="g", public=0, made=0.0, touched=0.0)
store.submit(work).result()
size = max((Path({str(tmp_path)!r}) / name).stat().st_size for name in ("house.sqlite", "house.sqlite-wal"))
resource.setrlimit(resource.RLIMIT_FSIZE, (size + 40_000, resource.RLIM_INFINITY))
done = 1
try:
    for _ in range(200):
        last = work.stored[-1]
        work = Append("t", last.seq + 1, [Event("a", {{"text": "x" * 900}})], last.hash)
        store.submit(work).result()
        done += 1
except Unavailable as error:
    print(done, len(store.events_of("t")), error)
resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
last = store.events_of("t")[-1]
store.submit(Append("t", last.seq + 1, [Event("b", {{}})], last.hash)).result()
store.close()
"""
    run = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=60)
    assert run.returncode == 0, run.stderr
    done, kept, *_ = run.stdout.split()
    assert int(done) <= int(kept) <= int(done) + 1 and "cannot be written" in run.stdout


def test_a_file_locked_by_another_program_is_waited_for_and_not_for_ever(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ninefold.server.storage.sqlite.PATIENCE", 1)
    store = open_store(tmp_path, None)
    last = table(store)
    other = sqlite3.connect(tmp_path / "house.sqlite", isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    begun = time.monotonic()
    with pytest.raises(Unavailable, match="locked"):
        put(store, following(last, Event("a", {})))
    assert time.monotonic() - begun > 0.8
    assert len(store.events_of(TABLE)) == 1  # reading goes on
    other.execute("ROLLBACK")
    other.close()
    put(store, following(last, Event("a", {})))
    store.close()


def test_commits_wait_for_the_disk(tmp_path: Path) -> None:
    store = SmallDisk(tmp_path / "house.sqlite")
    store.submit(lambda run: None).result(10)
    asked: list[Any] = []
    store.submit(
        lambda run: asked.extend(
            store.connection.execute(f"PRAGMA {name}").fetchone()[0]
            for name in ("journal_mode", "synchronous")
        )
    ).result(10)
    assert asked == ["wal", 2]
    store.close()


def test_migrations_make_the_schema_from_nothing(store: Store) -> None:
    from alembic.autogenerate import compare_metadata
    from alembic.migration import MigrationContext

    from ninefold.server.storage.schema import metadata
    from ninefold.server.storage.store import HEAD

    last = sorted((Path(nf.__file__).parent / "server/storage/migrations/versions").glob("0*.py"))[-1]
    assert last.name.startswith(HEAD)
    with store.engine.connect() as connection:
        assert compare_metadata(MigrationContext.configure(connection), metadata) == []


def test_a_lost_connection_is_made_again(postgres: str, tmp_path: Path) -> None:
    store = open_store(tmp_path, database(postgres))
    last = table(store)
    with psycopg.connect(postgres, autocommit=True) as connection:
        connection.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
            "WHERE pid <> pg_backend_pid() AND datname LIKE 'server_%'"
        )
    for _ in range(3):  # one failure for each writer at most
        try:
            put(store, following(last, Event("a", {}, "0", "again")))
            break
        except Unavailable:
            continue
        except Conflict:
            break
    assert [one.event.kind for one in store.events_of(TABLE)] == ["opened", "a"]
    store.close()
    with pytest.raises(Unavailable, match="stopping"):
        put(store, following(last, Event("b", {}, new())))


def test_two_servers_migrate_one_empty_database(postgres: str, tmp_path: Path) -> None:
    url = database(postgres)
    stores: list[Store] = []
    threads = [threading.Thread(target=lambda: stores.append(open_store(tmp_path, url))) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(stores) == 3
    for store in stores:
        store.close()
