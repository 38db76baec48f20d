"""Games counted together, as every plain Python contestant of the bench counts them; it knows no game."""

from __future__ import annotations

import math
import time
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

Report = dict[str, object]
"""In the words of the bench: games, unfinished, wins, seconds, and mean_X with sd_X for what is counted."""


@dataclass
class Result:
    """What a finished game leaves to be counted."""

    winners: Sequence[int]
    scores: Sequence[int]
    counts: Mapping[str, int]


@dataclass
class Moments:
    """A sum and a sum of squares."""

    sum: float = 0.0
    squares: float = 0.0

    def add(self, x: float) -> None:
        self.sum += x
        self.squares += x * x

    def mean(self, n: int) -> float:
        return self.sum / n if n else 0.0

    def spread(self, n: int) -> float:
        return math.sqrt(max(0.0, (self.squares - self.sum * self.sum / n) / (n - 1))) if n > 1 else 0.0


class Tally:
    """Wins, scores and whatever else the games of one run count."""

    def __init__(self, seats: int) -> None:
        self.games = 0
        self.unfinished = 0
        self.wins = [0.0] * seats
        self.scores = [Moments() for _ in range(seats)]
        self.counts: defaultdict[str, Moments] = defaultdict(Moments)

    def add(self, result: Result | None) -> None:
        """One game more; None when it reached its limit of turns."""
        self.games += 1
        if result is None:
            self.unfinished += 1
            return
        for seat in result.winners:
            self.wins[seat] += 1 / len(result.winners)
        for moments, score in zip(self.scores, result.scores, strict=True):
            moments.add(score)
        for name, number in result.counts.items():
            self.counts[name].add(number)

    def report(self, seconds: float) -> Report:
        n = self.games - self.unfinished
        return {
            "games": self.games,
            "unfinished": self.unfinished,
            "wins": self.wins,
            "mean_score": [score.mean(n) for score in self.scores],
            "sd_score": [score.spread(n) for score in self.scores],
            **{f"mean_{name}": moments.mean(n) for name, moments in self.counts.items()},
            **{f"sd_{name}": moments.spread(n) for name, moments in self.counts.items()},
            "seconds": seconds,
        }


def count_games(games: int, seats: int, play: Callable[[], Result | None]) -> Report:
    """Play games one after another, and report them and the seconds they took."""
    tally = Tally(seats)
    start = time.process_time()
    for _ in range(games):
        tally.add(play())
    return tally.report(time.process_time() - start)
