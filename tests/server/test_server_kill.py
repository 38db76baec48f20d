"""The house is killed under load, and stopped: what it confirmed is there, once, and clients find back."""

from __future__ import annotations

import random
import signal
import sqlite3
import threading
import time
from pathlib import Path

import pytest

from ninefold.client import Refused, Seat
from support.serving import Process

TABLES = 4


class Player(threading.Thread):
    """Plays at a table by itself, through every crash, and notes what was confirmed."""

    def __init__(self, house: Process, number: int) -> None:
        super().__init__(daemon=True)
        self.seat = Seat.open(house.url, "doubles", f"P{number}", players=2, bots=["medium"], pace="instant")
        self.confirmed: list[tuple[int, str]] = []  # the number of the event, and the move
        self.stop = threading.Event()
        self.fault: BaseException | None = None
        self.luck = random.Random(number)

    def run(self) -> None:
        try:
            with self.seat as seat:
                while not seat.table:
                    seat.listen()
                while not self.stop.is_set():
                    self.go_on(seat)
        except BaseException as error:
            self.fault = error

    def go_on(self, seat: Seat) -> None:
        try:
            if seat.table["status"] in ("lobby", "over"):
                seat.do("start")
            elif seat.view and seat.view["move_count"]:
                move = "stay" if "stay" in seat.view["moves"] and self.luck.random() < 0.8 else "cash out"
                self.confirmed.append((seat.play(move), move))
            else:
                seat.listen(0.2)
        except TimeoutError:
            pass
        except Refused as error:
            assert error.code in ("stale", "illegal", "no_match", "running", "busy"), error.code


def kill_and_check(tmp_path: Path, kills: int, seconds: float) -> None:
    house = Process("--data", str(tmp_path)).start().wait()
    players = [Player(house, number) for number in range(TABLES)]
    for player in players:
        player.start()
    luck = random.Random(kills)
    begun = [0]
    for _ in range(kills):
        # Not before something has been confirmed since the last one, so that every kill is one under load.
        end = time.monotonic() + 300
        while sum(len(player.confirmed) for player in players) < begun[-1] + 5 and time.monotonic() < end:
            assert all(player.fault is None for player in players), [player.fault for player in players]
            time.sleep(0.002)
        time.sleep(luck.random() * seconds)
        begun.append(sum(len(player.confirmed) for player in players))
        house.stop(signal.SIGKILL)
        house.start()
    house.wait()
    for player in players:
        player.stop.set()
    for player in players:
        player.join(60)
        assert player.fault is None and not player.is_alive(), player.fault
    assert "fault" not in house.stop()
    check(tmp_path, players)


def check(tmp_path: Path, players: list[Player]) -> None:
    connection = sqlite3.connect(tmp_path / "house.sqlite")
    assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    for player in players:
        rows = connection.execute(
            "SELECT seq, kind, who, command, body FROM events JOIN tables ON id = table_id "
            "WHERE code = ? ORDER BY seq",
            (player.seat.code,),
        ).fetchall()
        assert [row[0] for row in rows] == list(range(1, len(rows) + 1))  # no gap
        moved = {row[0]: row for row in rows if row[1] == "moved" and row[2] == "0"}
        for seq, move in player.confirmed:  # nothing confirmed is lost
            assert f'"move":"{move}"' in moved[seq][4]
        confirmed = {seq for seq, _ in player.confirmed}
        assert len(confirmed) == len(player.confirmed)
        assert set(moved) == confirmed  # and nothing is there twice, or unasked
        commands = [row[2:4] for row in rows if row[3]]
        assert len(set(commands)) == len(commands)
        assert player.confirmed
    connection.close()


def test_nothing_confirmed_is_lost_or_doubled_by_ten_kills(tmp_path: Path) -> None:
    kill_and_check(tmp_path, 10, 0.05)


@pytest.mark.soak
def test_nothing_confirmed_is_lost_or_doubled_by_two_hundred_kills(tmp_path: Path) -> None:
    kill_and_check(tmp_path, 200, 0.3)


def test_a_stop_takes_no_five_seconds_and_clients_resume(tmp_path: Path) -> None:
    house = Process("--data", str(tmp_path)).start().wait()
    players = [Player(house, number) for number in range(TABLES)]
    for player in players:
        player.start()
    while any(len(player.confirmed) < 3 for player in players):
        time.sleep(0.01)
    begun = time.monotonic()
    log = house.stop(signal.SIGTERM)
    assert time.monotonic() - begun < 5
    assert house.process and house.process.returncode in (0, -signal.SIGTERM), log
    assert "fault" not in log and "Traceback" not in log, log
    before = [len(player.confirmed) for player in players]
    house.start().wait()
    end = time.monotonic() + 300
    while any(len(player.confirmed) < had + 3 for player, had in zip(players, before, strict=True)):
        assert time.monotonic() < end and all(player.fault is None for player in players)
        time.sleep(0.01)
    for player in players:
        player.stop.set()
        player.join(60)
    house.stop()
    check(tmp_path, players)
