"""Finest 9's bots, and what a simulation counts."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

import ninefold as nf
from ninefold.engine.bots import SeatedBots
from support.finest9 import chance, choice, drained, rolled, zone


def test_random_is_uniform_over_the_moves() -> None:
    state = rolled("5D 6H 7H 9S KH QC 2S 3H AD", "2 4")
    players = SeatedBots(state.game, ["random", "random"], 3)
    drawn = [state.format(0, int(players.choose(state, 0))) for _ in range(4_000)]
    assert set(drawn) == set(state.moves(0)) and len(set(drawn)) == 4
    assert all(abs(drawn.count(move) - 1_000) < 5 * 27.4 for move in state.moves(0))


def test_easy_takes_the_most_points_and_any_of_equals() -> None:
    state = rolled("5D 6H 7H 9S KH QC 2S 3H AD", "2 4")
    assert choice("easy", state) == choice("greedy", state) == "capture 6 7 9"
    equal = rolled("10S 10H JS JH KS 2H 3H 5S 6H", "4 6")
    assert {choice("easy", equal, seed) for seed in range(40)} == {"capture 10 10", "capture J J"}


def test_medium_keeps_its_nines_until_the_end() -> None:
    hand = "7D 7S 9S 9H KC 2S 3H 4D 5S"
    assert choice("easy", rolled(hand, "3 4")) == "capture 7 7 9 9"
    assert choice("medium", rolled(hand, "3 4")) == "capture 7 7"
    state = drained()
    chance(state, "roll 1 1")
    best = max(nf.finest9.matches(zone(state, "table-0"), 2), key=lambda capture: capture.points)
    assert choice("medium", state) == "capture " + " ".join(best.ranks)


def test_hard_knows_the_last_turn_and_the_bonus() -> None:
    """In its last turn it takes what ends highest: the most points, or a clear table where that pays more."""
    for bonus in (0, 500):
        for seed in range(200):
            state = nf.make("finest9", players=2, clear_bonus=bonus).start(seed=seed)
            players = SeatedBots(state.game, ["medium", "medium"], seed)
            while not state.over:
                seat = state.actors[0]
                if state.view(None)["progress"]["id"] == "turns left" and len(state.moves(seat)) > 1:
                    results = {}
                    for move in state.moves(seat):
                        after = state.copy()
                        after.play(seat, move)
                        row = zone(after, f"table-{seat}")
                        results[move] = after.view(None)["seats"][seat]["score"] + (
                            bonus if not row and not after.over else 0
                        )
                    assert results[choice("hard", state)] == max(results.values())
                players.step(state)


@pytest.mark.parametrize("players", [2, 4])
def test_easy_and_medium_beat_the_level_below(players: int) -> None:
    """With certainty: the margin is many times its interval."""
    for better, worse in (("medium", "easy"), ("easy", "random")):
        result = nf.simulate("finest9", [better, *[worse] * (players - 1)], games=40_000, seed=2)
        assert result.share(0) - 1 / players > 3 * result.margin(0), f"{better}, {worse}: {result.share(0)}"


def test_hard_beats_medium() -> None:
    result = nf.simulate("finest9", ["hard", "medium", "medium", "medium"], games=6_000, seed=2)
    assert result.share(0) - 1 / 4 > result.margin(0), result.share(0)


@pytest.mark.soak
@pytest.mark.parametrize(("players", "games"), [(2, 60_000), (4, 100_000)])
def test_hard_beats_medium_with_certainty(players: int, games: int) -> None:
    result = nf.simulate("finest9", ["hard", *["medium"] * (players - 1)], games=games, seed=2)
    assert result.share(0) - 1 / players > 2.5 * result.margin(0), result.share(0)


HARD_MATCH = """
import ninefold as nf
from ninefold.engine.beats import Moment
from ninefold.engine.bots import SeatedBots
state = nf.make("finest9", players=2, boxcars=True).start(seed=3)
SeatedBots(state.game, ["hard", "hard"], 3).play_out(state, 15)
print([step for step in state.steps if step[0] >= 0], state.scores)
"""


def test_hard_thinks_alike_in_every_mode() -> None:
    """Playing on in its head, it must not touch the match; interpreted, records are passed otherwise."""
    command = [sys.executable, "-W", "error", "-c", HARD_MATCH]
    answers = {
        subprocess.run(command, env={**os.environ, **mode}, capture_output=True, text=True, check=True).stdout
        for mode in ({}, {"NUMBA_DISABLE_JIT": "1"})
    }
    assert len(answers) == 1 and answers.pop().count("(") >= 4


def test_a_simulation_counts() -> None:
    result = nf.simulate("finest9", ["medium", "easy", "random"], games=2_000, seed=1)
    assert result.unfinished == 0 and sum(result.wins) == pytest.approx(2_000)
    left = result.tallies["cards left on the tables"]
    assert 0 <= left.lowest < left.mean < left.highest <= 52
    assert result.tallies["nines left on the tables"].highest <= 4
    assert 1 / 3 < result.tallies["wins of whoever went first"].mean < 0.5
    assert result.length.turns.lowest >= 25 + 3, "25 draws, and a last turn each"
