"""Doubles: its line-ups and everyone who plays them."""

from __future__ import annotations

import math

import own
from contest import Contest, Contestant, Lineup, Outcome


def arguments(lineup: Lineup, games: int, seed: int) -> list[str]:
    return [str(games), str(seed), str(lineup.options["rounds"]), "1", *lineup.strategies]


def thresholds(lineup: Lineup) -> list[float]:
    return [math.inf if s == "never" else float(s.removeprefix("threshold:")) for s in lineup.strategies]


def play_plain(lineup: Lineup, games: int, seed: int) -> Outcome:
    import plain_doubles

    return plain_doubles.play_games(games, seed, thresholds(lineup), int(lineup.options["rounds"]))


def play_numpy(lineup: Lineup, games: int, seed: int) -> Outcome:
    # Imported here, so that the other contestants do not carry NumPy's memory.
    import numpy_doubles

    return numpy_doubles.play_games(games, seed, thresholds(lineup), int(lineup.options["rounds"]))


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
        Contestant("plain-c", "plain C", source="doubles_plain.c", arguments=arguments),
        Contestant("tuned-c", "tuned C", source="doubles_tuned.c", arguments=arguments),
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
