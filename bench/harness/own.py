"""The package as a contestant: the only place of the bench that knows its interface."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from typing import Any

import ninefold as nf
from harness.contest import Contest, Contestant, Lineup, Outcome, Play

LEAST_GAMES = 2_000


def play_ninefold(
    game: str, lineup: Lineup, bots: Sequence[Any], games: int, seed: int, threads: int
) -> Outcome:
    """Play through `ninefold.simulate`.

    Seconds are processor time, also of what surrounds the loop over games; with several threads, they are
    those of the clock on the wall.
    """
    options: dict[str, Any] = dict(lineup.options)
    start = time.process_time()
    result = nf.simulate(game, bots=bots, games=games, seed=seed, threads=threads, **options)
    spent = time.process_time() - start
    outcome = outcome_of(result)
    return {**outcome, "seconds": spent if threads == 1 else result.seconds, "wall": result.seconds}


def outcome_of(result: nf.Result) -> Outcome:
    """A Result in the bench's words: turns are rolls in Doubles, and a game's tallies go by their names."""
    counted = {"turns": result.length.turns, **result.tallies}
    return {
        **{f"mean_{name}": summary.mean for name, summary in counted.items()},
        **{f"sd_{name}": summary.sd for name, summary in counted.items()},
        "games": result.games,
        "unfinished": result.unfinished,
        "wins": result.wins,
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

    def on(threads: int) -> Play:
        return lambda lineup, games, seed: play_ninefold(
            game, lineup, lineup.strategies, games, seed, threads
        )

    return (
        Contestant(
            "ninefold",
            "Ninefold, 1 thread",
            play=on(1),
            counted=True,
            least_games=LEAST_GAMES,
            ratio_to=ratio_to,
        ),
        Contestant(
            "ninefold-2",
            "Ninefold, 2 threads",
            play=on(2),
            least_games=LEAST_GAMES,
            ratio_to="ninefold",
            clock="wall",
        ),
    )


# Bots that users write


def anything(seen: Any, moves: Any, rng: Any) -> Any:  # noqa: ARG001 (the shape of every bot)
    """Plays as the bot `random` does; the same text serves a compiled bot and one in Python."""
    return rng.choice(moves)


def looper(seen: Any, moves: Any, rng: Any) -> Any:  # noqa: ARG001 (the shape of every bot)
    """The same, but it looks at each of its moves, so that they have to be listed."""
    chosen, left = -1, rng.randrange(len(moves))
    for move in moves:
        if left == 0:
            chosen = move
        left -= 1
    return chosen


def bots_of_users(game: str, seats: int, options: Mapping[str, int] | None = None) -> Contest:
    """The same moves by a built-in bot, by one that `@nf.bot` compiles, and by one in Python."""

    def by(bot: Any) -> Play:
        return lambda lineup, games, seed: play_ninefold(game, lineup, [bot] * seats, games, seed, 1)

    compiled, looping = nf.bot(game)(anything), nf.bot(game)(looper)
    lineup = Lineup(f"bots that users write: {seats} seats, any move at random", (), options or {})
    return Contest(
        name=f"{game}-bots",
        lineups=(lineup,),
        contestants=(
            Contestant("built-in", "a built-in bot", play=by("random"), least_games=LEAST_GAMES),
            Contestant("compiled", "with `@nf.bot`", play=by(compiled), least_games=LEAST_GAMES),
            Contestant(
                "looping", "with `@nf.bot`, looking at each move", play=by(looping), least_games=LEAST_GAMES
            ),
            Contestant("python", "in Python, one process", play=by(anything), least_games=2),
        ),
        reference="built-in",
        counted=("decisions",),
        costs=False,
    )
