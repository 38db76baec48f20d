"""Multiple 9: its line-ups and everyone who plays them."""

from __future__ import annotations

import own
from contest import Contest, Contestant, Lineup, Outcome


def arguments(lineup: Lineup, games: int, seed: int) -> list[str]:
    return [str(games), str(seed), "1", *lineup.strategies]


def play_plain(lineup: Lineup, games: int, seed: int) -> Outcome:
    import plain_multiple9

    return plain_multiple9.play_games(games, seed, lineup.strategies)


MULTIPLE9 = Contest(
    name="multiple9",
    lineups=(
        Lineup("four players, any move at random", ("random",) * 4),
        Lineup("four players, all that can go down at once", ("medium",) * 4),
        Lineup("two players, any move at random", ("random",) * 2),
    ),
    contestants=(
        Contestant("python", "plain Python", play=play_plain),
        Contestant("plain-c", "plain C", source="multiple9_plain.c", arguments=arguments),
        *own.contestants("multiple9"),
    ),
    reference="plain-c",
    counted=("turns", "decisions"),
    startup=(("-m", "ninefold", "simulate", "multiple9", "--games", "1000"),),
)
