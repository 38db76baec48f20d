"""The intervals of shares hold what they promise, however few games there were."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import numpy as np
import pytest

import ninefold as nf
from ninefold.simulation import report
from ninefold.simulation.tournament import Played
from ninefold.studies.estimate import share
from ninefold.studies.ladder import Rung

REPEATS = 1_000
CHANCES = [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9]


@cache
def some() -> nf.Result:
    return nf.simulate("doubles", ["easy", "medium"], games=2, seed=1, rounds=1)


def result(won: int, games: int) -> nf.Result:
    """As if the first bot had won so many."""
    wins = [float(won), float(games - won)]
    return replace(some(), games=games, unfinished=0, wins=wins, wins_squared=wins)


@pytest.mark.parametrize("games", [10, 25, 60])
def test_coverage_of_all_that_tells_a_share(games: int) -> None:
    """On average 93 to 97 %; for a single share at few games it swings, as wins are whole, down to 0.90.

    A simulation, the standings of a tournament, and the ladder of a study give the same interval.
    """
    dice, found = np.random.default_rng(7), []
    for chance in CHANCES:
        hits = 0
        for won in dice.binomial(games, chance, REPEATS):
            low, high = interval(int(won), games)
            hits += low <= chance <= high
        found.append(hits / REPEATS)
    assert 0.93 <= sum(found) / len(found) <= 0.97, found
    assert min(found) >= 0.90, found


@cache
def interval(won: int, games: int) -> tuple[float, float]:
    made = result(won, games)
    played = Played.of_result(made, 1)
    for at, bot in enumerate(made.bots):
        ends = made.interval(at)
        standing = played.of(bot)
        rung = Rung(2, [], [played], games, "medium").versus(bot, made.bots[1 - at])
        assert rung and (rung.low, rung.high) == (standing.low, standing.high) == ends
        assert made.margin(at) == standing.margin == pytest.approx((ends[1] - ends[0]) / 2)
        estimate = share(np.arange(games) < made.wins[at])
        assert ends == pytest.approx((estimate.low, estimate.high))
    return made.interval(0)


def test_an_interval_is_not_cut_off_but_leans_towards_the_middle() -> None:
    none, all_ = result(0, 20), result(20, 20)
    assert none.interval(0) == pytest.approx((0, 0.161), abs=0.001)
    assert all_.interval(0) == pytest.approx((0.839, 1), abs=0.001)
    assert " 0.00–16.11 " in none.table() and " 83.89–100.00 " in none.table()
    assert none.to_frame()["high"][0] == none.interval(0)[1]
    nothing = replace(some(), unfinished=2, wins=[0.0, 0.0])
    assert nothing.interval(0) == (0, 1) and nothing.margin(0) == 0


def test_several_seats_of_one_bot_have_the_interval_of_all_of_them() -> None:
    made = nf.simulate("doubles", ["easy", "medium", "medium"], games=60, seed=1, rounds=1, rotate=True)
    standing = Played.of_result(made, 1).of("medium")
    assert standing.low < standing.share < standing.high <= 0.5
    assert report.percent(standing) == (
        f"{100 * standing.share:.1f} ({100 * standing.low:.1f}–{100 * standing.high:.1f})"
    )
