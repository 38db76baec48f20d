"""A Ray cluster of several processes plays the same as one machine, whoever is killed meanwhile."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import ninefold as nf
from ninefold.engine.bot_files import read_bots

ray = pytest.importorskip("ray", reason="Ray is not installed: `make soak` installs it")

# Ray's own warnings are not ours to mend
pytestmark = [pytest.mark.filterwarnings("default"), pytest.mark.timeout(600)]

BOTS = ["hard", "threshold:400", "random"]


@pytest.fixture(scope="module")
def cluster() -> Iterator[Any]:
    """A head and two more nodes, each with processes of its own."""
    from ray.cluster_utils import Cluster

    made = Cluster(initialize_head=True, head_node_args={"num_cpus": 1})
    made.spare = made.add_node(num_cpus=1)
    made.add_node(num_cpus=1)
    yield made
    ray.shutdown()
    made.shutdown()


def told(result: nf.Result | nf.Tournament | nf.Study) -> dict[str, Any]:
    found = json.loads(result.json())
    return {key: value for key, value in found.items() if key not in ("seconds", "threads")}


def ask(*arguments: str, **more: Any) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "ninefold", *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False, **more)


@nf.bot("doubles")
def waits(seen: Any, moves: Any, rng: Any, at: int = 300) -> Any:
    return seen.cash_out if seen.total >= at and rng.randrange(2) else seen.stay


class Counts:
    """Keeps something during a match, and so is made anew for each."""

    def __init__(self) -> None:
        self.asked = 0

    def __call__(self, view: Any, moves: Any, rng: Any) -> Any:  # noqa: ARG002
        self.asked += 1
        return moves[self.asked % len(moves)]


@pytest.mark.soak
def test_it_plays_what_one_machine_plays(cluster: Any, tmp_path: Path) -> None:
    """Built-in bots, compiled and Python ones, from a file and from here; simulations and tournaments."""
    path = tmp_path / "my_bots.py"
    path.write_text("def last(view, moves, rng):\n    return moves[-1] if rng.random() < 0.2 else moves[0]\n")
    (last,) = read_bots(f"{path}:last")
    counted: list[int] = []
    for bots, games, rotate in ((BOTS, 20_000, True), ([waits, "easy", Counts, last], 40, False)):
        asked: dict[str, Any] = {"games": games, "seed": 5, "rotate": rotate}
        there = nf.simulate("doubles", bots, cluster=cluster.address, progress=counted.append, **asked)
        assert told(there) == told(nf.simulate("doubles", bots, threads=1, **asked))
        assert counted == sorted(counted) and counted.pop() == games
        counted.clear()
    meets: dict[str, Any] = {"bots": ["easy", "hard"], "games": 200, "players": 2, "seed": 1}
    there_too = nf.tournament("doubles", cluster=cluster.address, **meets)
    assert told(there_too) == told(nf.tournament("doubles", **meets))
    looks: dict[str, Any] = {"players": 3, "rounds": 2, "games": 60, "seed": 1}
    looks["only"] = ["games", "drama", "decisions", "luck"]
    studied = nf.study("doubles", cluster=cluster.address, **looks)
    assert told(studied) == told(nf.study("doubles", threads=1, **looks))
    assert not ray.is_initialized()


@pytest.mark.soak
def test_what_fails_there_is_one_sentence(cluster: Any) -> None:
    def broken(view: Any, moves: Any, rng: Any) -> Any:
        return 1 / 0

    with pytest.raises(nf.RuleError, match="bot broken at seat 0 failed: ZeroDivisionError") as error:
        nf.simulate("doubles", [broken, "easy"], games=200, seed=1, cluster=cluster.address)
    assert "\n" not in str(error.value)
    lock = __import__("threading").Lock()
    with pytest.raises(nf.RuleError, match="these bots cannot be sent to other processes"):
        nf.simulate("doubles", [lambda view, moves, rng: lock], games=9, cluster=cluster.address)


@pytest.mark.soak
def test_on_the_command_line(cluster: Any) -> None:
    """By the address, and found by itself; Ctrl-C gives the result so far."""
    few = ("simulate", "doubles", "--games", "500", "--seed", "3", "--json", "-q", "--cluster")
    environment = {**os.environ, "RAY_ADDRESS": cluster.address}
    by_name, found = ask(*few, cluster.address), ask(*few, env=environment)
    assert json.loads(by_name.stdout)["wins"] == json.loads(found.stdout)["wins"], (
        by_name.stderr + found.stderr
    )
    many = ["simulate", "doubles", "--games", "1000G", "-q", "--cluster", cluster.address]
    for seconds in (10, 40):  # until something has been played, on a busy machine
        process = subprocess.Popen(
            [sys.executable, "-m", "ninefold", *many],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )
        time.sleep(seconds)
        os.killpg(process.pid, signal.SIGINT)
        out, err = process.communicate(timeout=120)
        if "games in" in out:
            break
    assert process.returncode == 130 and "Traceback" not in err
    assert "Interrupted: this is the result so far." in out


@pytest.mark.soak
def test_killed_workers_and_nodes_change_nothing(cluster: Any, tmp_path: Path) -> None:
    def slow(view: Any, moves: Any, rng: Any) -> Any:
        (tmp_path / str(os.getpid())).touch()
        time.sleep(0.002)
        return rng.choice(moves)

    killed: list[int] = []

    def kill(done: int) -> None:
        """A worker after every 30 games, and a whole node in the middle."""
        if done // 30 > len(killed):
            pids = sorted(tmp_path.iterdir(), key=lambda path: path.stat().st_mtime)
            pid = int(pids[-1].name)
            pids[-1].unlink()
            killed.append(pid)
            os.kill(pid, signal.SIGKILL)
            if len(killed) == 4:
                cluster.remove_node(cluster.spare, allow_graceful=False)

    bots = [slow, "easy", waits]
    there = nf.simulate("doubles", bots, games=240, seed=2, cluster=cluster.address, progress=kill)
    assert len(killed) >= 6
    assert told(there) == told(nf.simulate("doubles", bots, games=240, seed=2, threads=1))


def test_a_wrong_address_is_one_sentence() -> None:
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        port = other.getsockname()[1]
        done = ask("simulate", "doubles", "-q", "--cluster", f"127.0.0.1:{port}")
    assert done.returncode == 2 and done.stdout == ""
    assert "no Ray cluster answers at" in done.stderr and done.stderr.count("\n") == 1
    for address in ("doubles", "10.0.0.1", 5):
        with pytest.raises(nf.RuleError, match="address"):
            nf.simulate("doubles", cluster=address)  # type: ignore[arg-type]


def test_without_ray_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(nf.NinefoldError, match=r"a cluster needs Ray: install ninefold\[ray\]"):
        nf.simulate("doubles", cluster="auto")
