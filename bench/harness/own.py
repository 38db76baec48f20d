"""The package as a contestant: the only place of the bench that knows its interface."""

from __future__ import annotations

from typing import Any

import ninefold as nf
from harness.contest import Contestant, Lineup, Outcome

WARM_UP_GAMES = 100
LEAST_GAMES = 2_000


def play_ninefold(game: str, lineup: Lineup, games: int, seed: int, threads: int) -> Outcome:
    """Play through `ninefold.simulate`; a short run before it keeps loading and compiling off the clock."""

    options: dict[str, Any] = dict(lineup.options)

    def simulate(how_many: int) -> nf.Result:
        return nf.simulate(
            game, bots=list(lineup.strategies), games=how_many, seed=seed, threads=threads, **options
        )

    simulate(WARM_UP_GAMES)
    return outcome_of(simulate(games))


def outcome_of(result: nf.Result) -> Outcome:
    """A Result in the bench's words: turns are rolls in Doubles, and a game's tallies go by their names."""
    counted = {"turns": result.length.turns, **result.tallies}
    return {
        **{f"mean_{name}": summary.mean for name, summary in counted.items()},
        **{f"sd_{name}": summary.sd for name, summary in counted.items()},
        "games": result.games,
        "unfinished": result.unfinished,
        "wins": result.wins,
        "seconds": result.seconds,
        "mean_score": [score.mean for score in result.scores],
        "sd_score": [score.sd for score in result.scores],
        "mean_rolls": result.length.turns.mean,
        "sd_rolls": result.length.turns.sd,
        "mean_turns": result.length.turns.mean,
        "sd_turns": result.length.turns.sd,
        "mean_decisions": result.length.decisions.mean,
        "sd_decisions": result.length.decisions.sd,
    }


def contestants(game: str, ratio_to: str | None = None) -> tuple[Contestant, ...]:
    """The package with one thread, also divided by `ratio_to`, and with two."""

    def one(lineup: Lineup, games: int, seed: int) -> Outcome:
        return play_ninefold(game, lineup, games, seed, 1)

    def two(lineup: Lineup, games: int, seed: int) -> Outcome:
        return play_ninefold(game, lineup, games, seed, 2)

    return (
        Contestant(
            "ninefold",
            "Ninefold, 1 thread",
            play=one,
            counted=True,
            least_games=LEAST_GAMES,
            ratio_to=ratio_to,
        ),
        Contestant(
            "ninefold-2",
            "Ninefold, 2 threads",
            play=two,
            least_games=LEAST_GAMES,
            ratio_to="ninefold",
        ),
    )
