"""A CUDA card plays what the processor plays. Without a card, numba-cuda's simulator takes its place."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from types import SimpleNamespace
from typing import Any

import pytest

import ninefold as nf
from ninefold.kernel.errors import NinefoldError
from ninefold.simulation.device import TASK, Device
from ninefold.simulation.executors import Job, TaskResult, _Run

pytest.importorskip("numba_cuda", reason="numba-cuda is in the extra `dev`")
pytestmark = pytest.mark.timeout(1_200)  # interpreted, and on a busy machine

STUDIES: list[dict[str, Any]] = [
    {"name": "doubles", "bots": ["hard", "expert", "random"], "games": 4},
    {"name": "doubles", "bots": ["threshold:400"], "games": 130, "limit": 12, "players": 4, "rounds": 3},
    {"name": "baseball", "bots": ["medium", "random"], "games": 3, "players": 3, "rotate": True},
    {"name": "finest9", "bots": ["medium", "random"], "games": 5, "rotate": True},
    {"name": "holdem9", "bots": ["random", "easy"], "games": 66, "players": 3, "rotate": True},
    {"name": "multiple9", "bots": ["hard", "random"], "games": 3},
    {"name": "nine_of_a_kind", "bots": ["medium"], "games": 2, "players": 5, "limit": 100, "chicken": True},
]
LONGER: list[dict[str, Any]] = [
    {"name": name, "bots": bots, "games": 20, "rotate": True, **({"limit": 2_000} if "kind" in name else {})}
    for name in nf.games()
    for bots in (["random"] * 5, ["easy", "medium", "hard", "medium", "easy"])
]
IN_THE_SIMULATOR = {**os.environ, "NUMBA_ENABLE_CUDASIM": "1", "NUMBA_DISABLE_JIT": "1"}
PLAYED = """
import json, sys
import ninefold as nf
where, studies = json.loads(sys.argv[1])
print(json.dumps([nf.simulate(seed=5, **where, **study).to_dict() for study in studies]))
"""


def told(results: list[dict[str, Any]]) -> Any:
    for result in results:
        del result["seconds"], result["threads"]
    return json.loads(json.dumps(results))


def on_the_card(studies: list[dict[str, Any]]) -> Any:
    return interpreted({"device": "cuda"}, studies)


def interpreted(where: dict[str, Any], studies: list[dict[str, Any]]) -> Any:
    command = [sys.executable, "-c", PLAYED, json.dumps([where, studies])]
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=IN_THE_SIMULATOR)
    assert done.returncode == 0, done.stderr
    return told(json.loads(done.stdout))


def compare(studies: list[dict[str, Any]], there: Any, here: Any) -> None:
    for study, one, other in zip(studies, here, there, strict=True):
        assert one == other, study
    assert any(result["unfinished"] for result in here) and any(result["rotated"] for result in here)


def test_it_plays_what_the_processor_plays() -> None:
    """All six games, to the last digit: seats rotated, games cut off, one, two and three kinds of bots."""
    assert {study["name"] for study in STUDIES} == set(nf.games())
    compare(STUDIES, on_the_card(STUDIES), interpreted({"threads": 1}, STUDIES))


@pytest.mark.soak
def test_it_plays_what_compiled_code_plays_for_longer() -> None:
    for studies in ([*STUDIES], LONGER):
        here = told([nf.simulate(seed=5, threads=1, **study).to_dict() for study in studies])
        compare(studies, on_the_card(studies), here)


@pytest.mark.soak
@pytest.mark.parametrize("name", nf.games())
def test_every_bot_compiles_for_a_card(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """To assembly, as far as one gets without a card; nothing in it fuses a product and a sum."""
    from numba import cuda
    from numba.cuda import types
    from numba.cuda.cudadrv import nvvm
    from numba.cuda.np.numpy_support import from_dtype

    try:
        nvvm.NVVM()
    except Exception as error:
        pytest.skip(f"there is no CUDA toolkit: {error}")
    from ninefold.engine.registry import on_card
    from ninefold.kernel import device, device_drive

    there = SimpleNamespace(compute_capability=(9, 0))
    monkeypatch.setattr("numba.cuda.dispatcher.get_current_device", lambda: there)
    monkeypatch.setattr(device, "card", lambda: cuda)
    game, word = nf.make(name), types.int64
    rows = [from_dtype(kind) for kind in (device_drive.aligned(game.layout), device_drive.PLAYER)]
    table, line = types.Array(word, 2, "C"), types.Array(word, 1, "C")
    given = [*(types.Array(row, 1, "C") for row in rows), types.uint64, word, table, word, word, table, line]
    play = on_card.__wrapped__(name, game.capacity, (0, 1, 2)).play
    assembly = device.code(play.function, given, (9, 0))
    assert ".entry" in assembly and "fma.rn.f64" not in assembly


def refused(match: str, *bots: Any, **asked: Any) -> None:
    with pytest.raises(NinefoldError, match=match) as error:
        nf.simulate(asked.pop("game", "doubles"), bots or ["hard"], games=9, **{"device": "cuda", **asked})
    assert "\n" not in str(error.value)


def test_what_no_card_can_play_is_refused() -> None:
    @nf.bot("doubles")
    def waits(seen: Any, moves: Any, rng: Any) -> Any:
        return seen.stay

    refused("bot last is a Python function, which no card can run: choose a built-in bot", last)
    refused("bot waits is one of your own, which no card can run", waits)
    refused("bot expert searches, which no card can run", *["expert"] * 2, game="baseball")
    refused("a device is cuda, not 'tpu'", device="tpu")
    refused("choose a device, a cluster or a number of threads", threads=2)
    refused("choose a device, a cluster or a number of threads", cluster="auto")
    refused("a card plays tables of up to 64 seats, not of 100", game="doubles", players=100)


def last(view: Any, moves: Any, rng: Any) -> Any:
    return moves[-1]


def test_without_a_card_it_says_what_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    from ninefold.kernel import device

    device.card.cache_clear()
    monkeypatch.setattr(device, "find_spec", lambda _: None)
    refused(r"a CUDA card needs numba-cuda: install ninefold\[cuda\]")
    hidden = {**os.environ, "CUDA_VISIBLE_DEVICES": "", "NUMBA_ENABLE_CUDASIM": "0"}
    command = [sys.executable, "-m", "ninefold", "simulate", "doubles", "--device", "cuda"]
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=hidden)
    assert done.returncode == 2 and done.stdout == "" and done.stderr.count("\n") == 1
    assert "no CUDA card can be used here" in done.stderr
    halfway = {**hidden, "NUMBA_ENABLE_CUDASIM": "1"}
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=halfway)
    assert done.returncode == 2 and done.stdout == "" and done.stderr.count("\n") == 1
    assert "set NUMBA_DISABLE_JIT=1, too" in done.stderr


class FakeCard:
    """Plays parts of one game each, and counts how many it gets at once."""

    first, most = 2, 64

    def __init__(self, seconds: float = 0.0, breaks: bool = False) -> None:
        self.seconds, self.breaks, self.asked = seconds, breaks, list[int]()

    def prepare(self) -> None: ...

    def play(self, parts: list[Any]) -> TaskResult:
        self.asked.append(len(parts))
        if self.breaks:
            raise OSError("out of memory")
        return TaskResult([SimpleNamespace(done=1) for _ in parts], None, self.seconds)

    def gathered(self) -> str:
        return "the histogram"


def run(card: FakeCard, number: int) -> tuple[list[Any], list[Any]]:
    taken: list[Any] = []
    added: list[Any] = []
    job = Job(lambda: card, iter(range(number)), number, taken.append, added.append)  # type: ignore[arg-type, return-value]
    _Run(job, None, False).play(Device(lambda: card))
    return taken, added


def test_tasks_grow_until_they_take_long_enough() -> None:
    quick, slow = FakeCard(), FakeCard(seconds=3 * TASK)
    taken, added = run(quick, 1_000)
    assert len(taken) == 1_000 and added == ["the histogram"]
    assert quick.asked[0] == 2 and max(quick.asked) == 64
    run(slow, 50)
    assert slow.asked[-1] == 1


def test_a_card_that_fails_is_one_sentence() -> None:
    with pytest.raises(NinefoldError, match="the CUDA card failed: OSError: out of memory"):
        run(FakeCard(breaks=True), 10)
