"""Finest 9: its line-ups and everyone who plays them."""

from __future__ import annotations

import own
from contest import Contest, Contestant, Lineup, Outcome


def arguments(lineup: Lineup, games: int, seed: int) -> list[str]:
    return [str(games), str(seed), "1", *lineup.strategies]


def play_plain(lineup: Lineup, games: int, seed: int) -> Outcome:
    import plain_finest9

    return plain_finest9.play_games(games, seed, lineup.strategies)


FINEST9 = Contest(
    name="finest9",
    lineups=(
        Lineup("four players, any capture at random", ("random",) * 4),
        Lineup("four players, the most points now", ("greedy",) * 4),
        Lineup("two players, any capture at random", ("random",) * 2),
    ),
    contestants=(
        Contestant("python", "plain Python", play=play_plain),
        Contestant("plain-c", "plain C", source="finest9_plain.c", arguments=arguments),
        *own.contestants("finest9"),
    ),
    reference="plain-c",
    counted=("turns", "decisions"),
    startup=(("-m", "ninefold", "simulate", "finest9", "--games", "1000"),),
)
