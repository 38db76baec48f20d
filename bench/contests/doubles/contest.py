"""Doubles: its line-ups and everyone who plays them."""

from __future__ import annotations

import math

from harness import own
from harness.contest import Contest, Contestant, Lineup, Outcome


def thresholds(lineup: Lineup) -> list[float]:
    return [math.inf if s == "never" else float(s.removeprefix("threshold:")) for s in lineup.strategies]


def play_plain(lineup: Lineup, games: int, seed: int) -> Outcome:
    from reference import doubles

    return doubles.play_games(games, seed, thresholds(lineup), lineup.options["rounds"])


def play_numpy(lineup: Lineup, games: int, seed: int) -> Outcome:
    # Imported here, so that the other contestants do not carry NumPy's memory.
    from contests.doubles import numpy_doubles

    return numpy_doubles.play_games(games, seed, thresholds(lineup), lineup.options["rounds"])


DOUBLES = Contest(
    name="doubles",
    lineups=(
        Lineup(
            "four players, threshold 300, 400, 600, 1000, ten rounds",
            ("threshold:300", "threshold:400", "threshold:600", "threshold:1000"),
            {"rounds": 10},
        ),
        Lineup(
            "two players, threshold 400 both, ten rounds", ("threshold:400", "threshold:400"), {"rounds": 10}
        ),
    ),
    contestants=(
        Contestant("python", "plain Python", play=play_plain),
        # Fewer games than a few batches would not show what NumPy can do.
        Contestant("numpy", "NumPy", play=play_numpy, least_games=40_000),
        Contestant("plain-c", "plain C", source="doubles/plain.c"),
        Contestant("tuned-c", "tuned C", source="doubles/tuned.c"),
        *own.contestants("doubles"),
    ),
    reference="plain-c",
    counted=("rolls", "decisions"),
    startup=(
        ("-c", "pass"),
        ("-m", "ninefold", "--help"),
        ("-m", "ninefold", "simulate", "doubles", "--games", "1000"),
    ),
)

CONTESTS = (DOUBLES, own.bots_of_users("doubles", 4, {"rounds": 10}))
