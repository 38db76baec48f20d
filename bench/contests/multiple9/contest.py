"""Multiple 9: its line-ups and everyone who plays them."""

from __future__ import annotations

from harness import own
from harness.contest import Contest, Contestant, Lineup, Outcome


def play_plain(lineup: Lineup, games: int, seed: int) -> Outcome:
    from reference import multiple9

    return multiple9.play_games(games, seed, lineup.strategies)


MULTIPLE9 = Contest(
    name="multiple9",
    lineups=(
        Lineup("four players, any move at random", ("random",) * 4),
        Lineup("four players, all that can go down at once", ("medium",) * 4),
        Lineup("two players, any move at random", ("random",) * 2),
    ),
    contestants=(
        Contestant("python", "plain Python", play=play_plain),
        Contestant("plain-c", "plain C", source="multiple9/plain.c"),
        *own.contestants("multiple9"),
    ),
    reference="plain-c",
    counted=("turns", "decisions"),
    startup=(("-m", "ninefold", "simulate", "multiple9", "--games", "1000"),),
)

CONTESTS = (MULTIPLE9, own.bots_of_users("multiple9", 4))
