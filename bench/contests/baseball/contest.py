"""Baseball: its line-ups and everyone who plays them."""

from __future__ import annotations

from harness import own
from harness.contest import Contest, Contestant, Lineup, Outcome


def play_plain(lineup: Lineup, games: int, seed: int) -> Outcome:
    from reference import baseball

    return baseball.play_games(games, seed, lineup.strategies, **lineup.options)


BASEBALL = Contest(
    name="baseball",
    lineups=(
        Lineup("four players at random, two decks", ("random",) * 4, {"decks": 2, "innings": 1}),
        Lineup("four medium players, two decks", ("medium",) * 4, {"decks": 2, "innings": 1}),
        Lineup(
            "five players, medium and random, one deck: the shoe runs out",
            ("medium", "medium", "random", "medium", "random"),
            {"decks": 1, "innings": 1},
        ),
    ),
    contestants=(
        Contestant("python", "plain Python", play=play_plain),
        Contestant("plain-c", "plain C", source="baseball/plain.c"),
        *own.contestants("baseball"),
    ),
    reference="plain-c",
    counted=("turns", "decisions"),
    startup=(("-m", "ninefold", "simulate", "baseball", "--games", "1000"),),
)

CONTESTS = (BASEBALL, own.bots_of_users("baseball", 4, {"decks": 2, "innings": 1}))
