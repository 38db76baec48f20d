"""The server is killed under load, and stopped: what it confirmed is there, once, and clients find back."""

from __future__ import annotations

import json
import random
import signal
import sqlite3
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psycopg
import pytest

import ninefold as nf
from ninefold.client import Refused, Seat
from support.serving import Process, database
from support.soaking import part_of

LONG = 600.0  # seconds: a busy machine may take long to start a server again
FINE = ("stale", "illegal", "late", "no_match", "running", "busy", "too_many")


@pytest.fixture(autouse=True)
def patient(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr("ninefold.client.PATIENCE", LONG)
    yield


class Player(threading.Thread):
    """Plays at a table by itself, through every crash, and notes what was confirmed."""

    def __init__(self, server: Process, number: int, game: str) -> None:
        super().__init__(daemon=True)
        few = {"bots": ["medium"]} if game == "nine_of_a_kind" else {"bots": ["medium"], "players": 2}
        self.seat = Seat.open(server.url, game, f"P{number}", pace="instant", **few)
        self.confirmed: list[tuple[str, str]] = []  # the id of the command, and the move
        self.stop = threading.Event()
        self.fault: BaseException | None = None
        self.rng = random.Random(number)

    def run(self) -> None:
        try:
            with self.seat as seat:
                while not self.stop.is_set():
                    self.go_on(seat)
        except BaseException as error:
            self.fault = error

    def go_on(self, seat: Seat) -> None:
        try:
            if seat.table["status"] in ("lobby", "over"):
                seat.do("start")
            elif seat.seat in seat.table["looking"]:
                seat.do("ready")
            elif seat.view and seat.view["move_count"]:
                moves = seat.view["moves"]
                move = "stay" if "stay" in moves and self.rng.random() < 0.8 else self.rng.choice(moves)
                match = seat.table["match"]
                seat.play(move)
                self.confirmed.append((seat.keeper.of(match).sent[-1][2], move))
            else:
                seat.listen(0.2)
        except TimeoutError:
            pass
        except Refused as error:
            assert error.code in FINE, error.code


def ended(players: list[Player]) -> None:
    for player in players:
        player.stop.set()
    for player in players:
        player.join(LONG)
        assert player.fault is None and not player.is_alive(), player.fault


def begin(server: Process) -> list[Player]:
    """Every game at a table of its own."""
    players = [Player(server, number, game) for number, game in enumerate(nf.games())]
    for player in players:
        player.start()
    return players


def kill_and_check(arguments: list[str], kills: int, seconds: float) -> None:
    server = Process(*arguments).start().wait()
    try:
        players = begin(server)
        rng = random.Random(kills)
        begun = 0
        for _ in range(kills):
            # Not before something has been confirmed since the last one: every kill is one under load.
            end = time.monotonic() + LONG
            while sum(len(player.confirmed) for player in players) < begun + 5 and time.monotonic() < end:
                assert all(player.fault is None for player in players), [player.fault for player in players]
                assert server.process and server.process.poll() is None, server.stop()
                time.sleep(0.002)
            time.sleep(rng.random() * seconds)
            begun = sum(len(player.confirmed) for player in players)
            server.stop(signal.SIGKILL)
            server.start()
        server.wait()
        while not all(player.confirmed or player.fault for player in players):
            time.sleep(0.01)
        ended(players)
    finally:
        log = server.stop()
    assert "fault" not in log, log
    check(arguments[-1], players)


def stored(place: str, code: str) -> list[Any]:
    """The events of a table, as they are in the database."""
    asked = (
        "SELECT seq, kind, who, command, body FROM events JOIN tables ON id = table_id WHERE code = {} "
        "ORDER BY seq"
    )
    if place.startswith("postgres"):
        with psycopg.connect(place) as connection:
            return connection.execute(asked.format("%s"), (code,)).fetchall()
    file = sqlite3.connect(Path(place) / "house.sqlite")
    assert file.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    found = file.execute(asked.format("?"), (code,)).fetchall()
    file.close()
    return found


def check(place: str, players: list[Player]) -> None:
    for player in players:
        rows = stored(place, player.seat.code)
        assert [row[0] for row in rows] == list(range(1, len(rows) + 1))  # no gap
        moved = {row[3]: json.loads(row[4]) for row in rows if row[1] == "moved" and row[2] == "0"}
        for command, move in player.confirmed:  # nothing confirmed is lost
            assert sorted(moved[command]["move"].split()) == sorted(move.split())
        confirmed = {command for command, _ in player.confirmed}
        assert len(confirmed) == len(player.confirmed)
        assert set(moved) == confirmed  # and nothing is there twice, or unasked
        commands = [row[2:4] for row in rows if row[3]]
        assert len(set(commands)) == len(commands)
        assert player.confirmed, player.seat.code


def test_nothing_confirmed_is_lost_or_doubled_by_kills(tmp_path: Path) -> None:
    kill_and_check(["--data", str(tmp_path)], 5, 0.05)


@pytest.mark.soak
def test_nothing_confirmed_is_lost_or_doubled_by_hundreds_of_kills(tmp_path: Path, postgres: str) -> None:
    kill_and_check(["--data", str(tmp_path)], part_of(500), 0.3)
    kill_and_check(["--database", database(postgres)], part_of(500), 0.3)


def test_after_a_stop_clients_resume(tmp_path: Path) -> None:
    server = Process("--data", str(tmp_path)).start().wait()
    players = begin(server)
    while any(len(player.confirmed) < 3 for player in players):
        time.sleep(0.01)
    log = server.stop(signal.SIGTERM)
    assert server.process and server.process.returncode in (0, -signal.SIGTERM), log
    assert "fault" not in log and "Traceback" not in log, log
    before = [len(player.confirmed) for player in players]
    server.start().wait()
    end = time.monotonic() + 300
    while any(len(player.confirmed) < had + 3 for player, had in zip(players, before, strict=True)):
        assert time.monotonic() < end and all(player.fault is None for player in players)
        time.sleep(0.01)
    ended(players)
    server.stop()
    check(str(tmp_path), players)
