"""The package as a contestant: the only place of the bench that knows its interface."""

from __future__ import annotations

import importlib
from typing import Any

from contest import Contestant, Lineup, Outcome

WARM_UP_GAMES = 100
LEAST_GAMES = 2_000


def play_ninefold(game: str, lineup: Lineup, games: int, seed: int, threads: int) -> Outcome:
    """Play through `ninefold.simulate`; a short run before it keeps loading and compiling off the clock."""
    nf: Any = importlib.import_module("ninefold")

    def simulate(how_many: int) -> Any:
        return nf.simulate(
            game, bots=list(lineup.strategies), games=how_many, seed=seed, threads=threads, **lineup.options
        )

    simulate(WARM_UP_GAMES)
    return outcome_of(simulate(games))


def outcome_of(result: Any) -> Outcome:
    """A Result in the bench's words; what it does not tell is left out and not compared."""
    outcome: Outcome = {
        "games": int(result.games),
        "unfinished": int(getattr(result, "unfinished", 0)),
        "wins": [float(w) for w in result.wins],
        "seconds": float(result.seconds),
    }
    for ours, theirs in (("mean_rolls", "length"), ("mean_decisions", "decisions")):
        value = getattr(result, theirs, None)
        value = getattr(value, "mean", value)
        if isinstance(value, int | float):
            outcome[ours] = float(value)
    scores = getattr(result, "mean_scores", None)
    if scores is not None:
        outcome["mean_score"] = [float(s) for s in scores]
    return outcome


def contestants(game: str) -> tuple[Contestant, ...]:
    """The package with one thread and with two."""

    def one(lineup: Lineup, games: int, seed: int) -> Outcome:
        return play_ninefold(game, lineup, games, seed, 1)

    def two(lineup: Lineup, games: int, seed: int) -> Outcome:
        return play_ninefold(game, lineup, games, seed, 2)

    return (
        Contestant("ninefold", "Ninefold, 1 thread", play=one, may_be_missing=True, least_games=LEAST_GAMES),
        Contestant(
            "ninefold-2",
            "Ninefold, 2 threads",
            play=two,
            may_be_missing=True,
            least_games=LEAST_GAMES,
            ratio_to="ninefold",
        ),
    )
