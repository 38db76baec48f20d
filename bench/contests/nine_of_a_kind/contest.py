"""9 of a Kind: its line-ups and everyone who plays them.

Played at random, nobody ever collects nine of a kind, and a game to 300 would not end: Chicken! is on, so
that rounds are won and games finished.
"""

from __future__ import annotations

from harness import own
from harness.contest import Contest, Contestant, Lineup, Outcome


def play_plain(lineup: Lineup, games: int, seed: int) -> Outcome:
    from reference import nine_of_a_kind as plain

    options = plain.Options(chicken=bool(lineup.options["chicken"]))
    return plain.play_games(games, seed, len(lineup.strategies), options)


def players(number: int, word: str) -> Lineup:
    return Lineup(f"{word} players, any move at random, Chicken! on", ("random",) * number, {"chicken": True})


NINE_OF_A_KIND = Contest(
    name="nine_of_a_kind",
    lineups=(players(5, "five"), players(7, "seven"), players(9, "nine")),
    contestants=(
        Contestant("python", "plain Python", play=play_plain, least_games=20),
        Contestant("plain-c", "plain C", source="nine_of_a_kind/plain.c"),
        *own.contestants("nine_of_a_kind"),
    ),
    reference="plain-c",
    counted=("turns", "rounds"),
    startup=(("-m", "ninefold", "simulate", "nine_of_a_kind", "--games", "100", "-o", "chicken=on"),),
)

CONTESTS = (NINE_OF_A_KIND, own.bots_of_users("nine_of_a_kind", 5, {"chicken": True}))
