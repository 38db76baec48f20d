"""Simulation: reproducible, constant in memory, interruptible, honest about what did not finish."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

import ninefold as nf
from ninefold.engine.registry import facts
from ninefold.simulation import plotting
from ninefold.simulation.run import chunks
from ninefold.studies import pictures

BOTS = ["hard", "threshold:400", "random"]


def without_time(result: nf.Result) -> dict[str, Any]:
    told = json.loads(result.json())
    return {key: value for key, value in told.items() if key not in ("seconds", "threads")}


def test_the_same_whatever_the_number_of_threads() -> None:
    results = [nf.simulate("doubles", BOTS, games=3_000, seed=9, threads=threads) for threads in (1, 2, 5)]
    assert without_time(results[0]) == without_time(results[1]) == without_time(results[2])
    assert without_time(nf.simulate("doubles", BOTS, games=3_000, seed=10)) != without_time(results[0])


def test_games_are_numbered() -> None:
    """Game number n of a seed is the same match in any simulation, and at a table."""
    from ninefold.engine.bots import SeatedBots

    for number in range(5):
        game = nf.make("doubles", players=3)
        state = game.start(seed=9, number=number)
        SeatedBots(game, BOTS, 9, number).play_out(state, 10_000)
        upto, before = (
            nf.simulate("doubles", BOTS, games=count, seed=9) for count in (number + 1, max(1, number))
        )
        if number:
            for seat in range(3):
                total = upto.scores[seat].mean * (number + 1) - before.scores[seat].mean * number
                assert total == pytest.approx(state.scores[seat])


def test_every_game_is_counted_once() -> None:
    for games in (1, 2, 63, 64, 65, 1_000, 600_000):
        parts = list(chunks(games))
        assert sum(chunk.size for chunk in parts) == games
        assert [chunk.first for chunk in parts] == [
            sum(chunk.size for chunk in parts[:place]) for place in range(len(parts))
        ]


def test_result() -> None:
    result = nf.simulate("doubles", BOTS, games=2_000, seed=1)
    assert (result.games, result.unfinished) == (2_000, 0)
    assert sum(result.wins) == pytest.approx(2_000)
    assert result.length.turns.mean > 50 and result.length.decisions.mean > result.length.turns.mean
    for score in result.scores:
        marks = list(score.quantiles.values())
        assert marks == sorted(marks) and score.lowest <= marks[0] <= marks[-1] <= score.highest
    table = result.table()
    assert "threshold:400" in table and "2,000 games" in table
    assert json.loads(result.json())["bots"] == BOTS
    winner_takes_one = nf.simulate("multiple9", players=4, games=200, seed=1)
    row = next(line.split() for line in winner_takes_one.table().splitlines() if line.split()[:1] == ["0"])
    assert row[6] == f"{winner_takes_one.scores[0].sd:.2g}" != "0"  # a spread below one is not none
    assert "undecided draw" in winner_takes_one.table()
    assert "clear_jokers on" in nf.simulate("baseball", players=2, games=20, seed=1).table()


def test_quantiles_against_the_exact_ones() -> None:
    game = nf.make("doubles", players=1, rounds=3)
    from ninefold.engine.bots import SeatedBots

    scores = []
    for number in range(400):
        state = game.start(seed=4, number=number)
        SeatedBots(game, ["medium"], 4, number).play_out(state, 10_000)
        scores.append(state.scores[0])
    result = nf.simulate("doubles", ["medium"], games=400, seed=4, rounds=3)
    scores.sort()
    assert (result.scores[0].lowest, result.scores[0].highest) == (scores[0], scores[-1])
    for share, value in result.scores[0].quantiles.items():
        exact = scores[max(0, -(-int(share * 40_000) // 100) - 1)]
        assert value == pytest.approx(exact, rel=1 / 128)


def test_limit_makes_games_unfinished() -> None:
    result = nf.simulate("doubles", ["never"], games=100, seed=1, rounds=1, limit=6)
    assert 0 < result.unfinished < 100
    assert result.length.turns.highest <= 6
    none = nf.simulate("doubles", ["never"], games=10, seed=1, limit=1)
    assert none.unfinished == 10 and none.wins == [0.0]
    assert "10 games were unfinished after 1 turns" in none.table()
    assert json.loads(none.json())["unfinished"] == 10


def test_the_limit_is_the_turns_that_may_be_played() -> None:
    """A game that ends in its last allowed turn is finished."""
    state = nf.make("doubles", players=1, rounds=1)
    result = nf.simulate("doubles", ["threshold:1"], games=50, seed=1, rounds=1, limit=1)
    assert result.unfinished == 0 and result.length.turns.highest == 1
    assert state.facts.limit({"rounds": "8-12"}) == 12_000


def test_bots_are_seated_again() -> None:
    result = nf.simulate("doubles", ["medium", "easy"], games=10, seed=1, players=5)
    assert result.bots == ["medium", "easy", "medium", "easy", "medium"]


@pytest.mark.parametrize("players", [200, 10_000])
def test_many_players(players: int) -> None:
    result = nf.simulate("doubles", BOTS, games=2, seed=1, players=players, rounds=2)
    assert sum(result.wins) == pytest.approx(2) and len(result.scores) == players
    assert f"{players - 20:,} more seats" in result.table()


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ({"bots": []}, "at least one bot"),
        ({"bots": ["hrad"]}, "did you mean hard"),
        ({"bots": ["hard"], "games": 0}, "games is a whole number from 1 to 1,000,000,000,000,000"),
        ({"bots": ["hard"], "games": 2.5}, "games is a whole number from 1 to"),
        ({"bots": ["hard"], "threads": 0}, "threads is a whole number from 1 to 256"),
        ({"bots": ["hard"], "threads": 5_000}, "threads is a whole number from 1 to 256"),
        ({"bots": ["hard"], "limit": -1}, "limit is a whole number from 1 to"),
        ({"bots": ["hard", "hard"], "players": 1}, "2 bots do not fit on 1 seats"),
        ({"bots": ["hard"], "games": 10**16}, "games is a whole number from 1 to"),
        ({"bots": None}, "a name or a callable"),
        ({"bots": 5}, "a name or a callable"),
        ({"bots": ["hard"], "rounds": 0}, "option rounds"),
        ({"bots": ["hard"], "seed": -5}, "a seed is"),
        ({"bots": ["hard"], "colour": 1}, "no option 'colour'"),
    ],
)
def test_bad_input(arguments: dict[str, Any], sentence: str) -> None:
    with pytest.raises(nf.RuleError, match=sentence):
        nf.simulate("doubles", **arguments)


def test_progress_counts_up() -> None:
    told: list[int] = []
    nf.simulate("doubles", ["medium"] * 4, games=100_000, seed=1, progress=told.append)
    assert told == sorted(told) and told[-1] == 100_000


def test_where_chips_count_the_table_tells_chips() -> None:
    result = nf.simulate("holdem9", ["medium", "easy"], games=200, seed=3, hands=4)
    head, first, *_ = [line.split() for line in result.table().splitlines()[2:]]
    assert " ".join(head) == "seat bot chips gained ± 95 % a hand sd 5 % median 95 % wins"
    hands = result.tallies["hands"].mean
    assert float(first[2].replace(",", "")) == pytest.approx(result.scores[0].mean, abs=0.06)
    assert float(first[4].replace(",", "")) == pytest.approx(result.scores[0].mean / hands, abs=0.006)


def test_shared_wins_have_the_interval_of_their_own_spread() -> None:
    """Four who always share win a quarter each, without any doubt; one game proves next to nothing."""
    shared = nf.simulate("doubles", ["wait:1"] * 4, games=1_000, seed=1)
    assert shared.share(0) == 0.25 and shared.margin(0) < 0.003
    assert nf.simulate("doubles", ["hard", "random"], games=1, seed=1).margin(0) > 0.3
    single = nf.simulate("doubles", ["hard", "medium"], games=4_000, seed=1)
    share = single.share(0)
    assert single.margin(0) == pytest.approx(1.96 * (share * (1 - share) / 4_000) ** 0.5, rel=0.05)


def test_python_bots_play_one_after_another() -> None:
    """A bot that counts gives the same result again, and one that fails is named at once."""

    def results() -> list[float]:
        calls = iter(range(10**9))

        def counting(view: Any, moves: Any, rng: Any) -> Any:
            return moves[0] if next(calls) % 5 else moves[-1]

        return nf.simulate("doubles", [counting, "easy"], games=40, seed=1, rounds=2).wins

    def broken(view: Any, moves: Any, rng: Any) -> str:
        return str(1 / 0)

    assert results() == results()
    with pytest.raises(nf.RuleError, match="bot broken at seat 0 failed: ZeroDivisionError"):
        nf.simulate("doubles", [broken], games=100, seed=1)
    with pytest.raises(nf.RuleError, match="bot <lambda> at seat 0 played 'jump'"):
        nf.simulate("doubles", [lambda view, moves, rng: "jump"], games=100, seed=1)


def test_plot(tmp_path: Path) -> None:
    result = nf.simulate("doubles", BOTS, games=200, seed=1)
    for name in ("a.png", "b.svg"):
        result.plot(tmp_path / name)
        assert (tmp_path / name).stat().st_size > 1_000
    for path in (tmp_path / "no" / "such.png", tmp_path / "a.xyz"):
        with pytest.raises(nf.NinefoldError, match="could not be written"):
            result.plot(path)
    picture = (tmp_path / "b.svg").read_text("utf-8")
    used = {colour for colour in re.findall(r"#[0-9a-f]{6}", picture) if len(set(colour[1:])) > 1}
    assert plotting.LIGHT["s1"] in used <= {*plotting.LIGHT.values()}, "the colours of the reports"
    assert plotting.LIGHT["s1"] in pictures.LIGHT


def test_ctrl_c_prints_the_result_so_far() -> None:
    asked = ["simulate", "doubles", "--games", "1G", "--bots", "medium,easy", "--quiet"]
    for seconds in (4, 15, 60):  # it may have to be loaded, or even compiled, on a busy machine
        process = subprocess.Popen(
            [sys.executable, "-m", "ninefold", *asked],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        time.sleep(seconds)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=120)
        if out:
            break
    assert process.returncode == 130 and err.strip() == ""
    assert "Interrupted: this is the result so far." in out and "games in" in out


def peak_memory(games: int) -> int:
    script = (
        "import resource, ninefold as nf;"
        f"nf.simulate('doubles', ['threshold:400'] * 2, games={games}, seed=1, rounds=1);"
        "print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)"
    )
    return int(
        subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True).stdout
    )


def test_memory_does_not_grow_with_the_games() -> None:
    assert peak_memory(1_000_000) < peak_memory(10_000) * 1.1


def test_global_random_state_is_left_alone() -> None:
    import random

    import numpy as np

    before = random.getstate(), np.random.get_state()[1].tolist()  # type: ignore[index]
    nf.simulate("doubles", BOTS, games=10)
    assert (random.getstate(), np.random.get_state()[1].tolist()) == before  # type: ignore[index]


WARM = """
import ninefold as nf
from ninefold.engine.bots import SeatedBots
from ninefold.kernel.compile import cache_root
from ninefold.simulation.warmup import is_cold, warm

game = nf.make("doubles")
assert is_cold(game)
warm([game.name])
assert not is_cold(game)
compiled = set(cache_root().rglob("*.nbc"))
state, bots = game.start(seed=3), SeatedBots(game, ["hard", "easy", "random", "medium"], 3)
while not state.over:
    for seat in range(game.players):
        state.view(seat)
    bots.step(state)
nf.replay(state.record())
nf.simulate(game.name, ["medium"], 50, 1, players=4)
print(len(compiled) > 20, set(cache_root().rglob("*.nbc")) - compiled)
"""


@pytest.mark.soak
def test_after_warming_up_nothing_is_left_to_compile(tmp_path: Path) -> None:
    environment = {**os.environ, "NINEFOLD_CACHE": str(tmp_path), "PYTHONPATH": os.pathsep.join(sys.path)}
    done = subprocess.run(
        [sys.executable, "-c", WARM], env=environment, capture_output=True, text=True, check=False
    )
    assert done.stdout == "True set()\n", done.stderr


@pytest.mark.parametrize("name", nf.games())
def test_without_bots_random_ones_play_at_as_many_seats_as_usual(name: str) -> None:
    sheet = facts(name)
    seats = 1 if sheet.players[0] == 1 else sheet.usual_players  # alone where that is a game
    made = nf.simulate(name, games=3, seed=1)
    asked = nf.simulate(name, bots=["random"] * seats, games=3, seed=1)
    assert without_time(made) == without_time(asked)
