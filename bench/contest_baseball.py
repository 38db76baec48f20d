"""Baseball: its line-ups and everyone who plays them."""

from __future__ import annotations

import own
from contest import Contest, Contestant, Lineup, Outcome


def arguments(lineup: Lineup, games: int, seed: int) -> list[str]:
    return [
        str(games),
        str(seed),
        str(lineup.options["decks"]),
        str(lineup.options["innings"]),
        "1",
        *lineup.strategies,
    ]


def play_plain(lineup: Lineup, games: int, seed: int) -> Outcome:
    import plain_baseball

    decks, innings = int(lineup.options["decks"]), int(lineup.options["innings"])
    return plain_baseball.play_games(games, seed, lineup.strategies, decks, innings)


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
        Contestant("plain-c", "plain C", source="baseball_plain.c", arguments=arguments),
        *own.contestants("baseball"),
    ),
    reference="plain-c",
    counted=("turns", "decisions"),
    startup=(("-m", "ninefold", "simulate", "baseball", "--games", "1000"),),
)
