"""Finest 9: its line-ups and everyone who plays them."""

from __future__ import annotations

from harness import own
from harness.contest import Contest, Contestant, Lineup, Outcome


def play_plain(lineup: Lineup, games: int, seed: int) -> Outcome:
    from reference import finest9

    return finest9.play_games(games, seed, lineup.strategies)


FINEST9 = Contest(
    name="finest9",
    lineups=(
        Lineup("four players, any capture at random", ("random",) * 4),
        Lineup("four players, the most points now", ("greedy",) * 4),
        Lineup("two players, any capture at random", ("random",) * 2),
    ),
    contestants=(
        Contestant("python", "plain Python", play=play_plain),
        Contestant("plain-c", "plain C", source="finest9/plain.c"),
        *own.contestants("finest9"),
    ),
    reference="plain-c",
    counted=("turns", "decisions"),
    startup=(("-m", "ninefold", "simulate", "finest9", "--games", "1000"),),
)

CONTESTS = (FINEST9, own.bots_of_users("finest9", 4))
