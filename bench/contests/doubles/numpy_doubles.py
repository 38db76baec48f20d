"""Doubles with NumPy, thousands of games in step: what a good NumPy user would write.

Every statement moves all games of a batch by one roll.  The batch is small
enough for the second-level cache; games that end are counted at once and the
batch is squeezed when a fifth of it lies idle.  Nothing here may know the
package.
"""

from __future__ import annotations

import math
import time
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

CEILING = 2**62
SEVENS_TO_LOSE = 4
SEVEN_BONUS = 75
TURNS_PER_ROUND = 1000
BATCH = 8192
MAX_SEATS = 12

Ints = npt.NDArray[np.int64]


def roll_tables() -> tuple[Ints, Ints, npt.NDArray[np.bool_]]:
    """For each of the 36 rolls: what it adds, what it adds first in a round, and whether it is a seven."""
    plain = np.zeros(36, np.int64)
    first = np.zeros(36, np.int64)
    seven = np.zeros(36, np.bool_)
    for outcome in range(36):
        a, b = outcome // 6 + 1, outcome % 6 + 1
        seven[outcome] = a + b == 7
        plain[outcome] = SEVEN_BONUS if a + b == 7 else 0 if a == b else a + b
        first[outcome] = 100 * a if a == b else plain[outcome]
    return plain, first, seven


def next_roller_table(seats: int) -> Ints:
    """Entry [inside, roller]: the next seat in, `inside` being a set of bits (empty reads as everybody)."""
    table = np.zeros((1 << seats, seats), np.int64)
    for inside in range(1 << seats):
        for roller in range(seats):
            ring = [(roller + step) % seats for step in range(1, seats + 1)]
            table[inside, roller] = next((s for s in ring if inside >> s & 1), ring[0])
    return table


class Count:
    """Sums over the games that have ended."""

    def __init__(self, seats: int) -> None:
        self.finished = 0
        self.unfinished = 0
        self.wins = np.zeros(seats)
        self.sums = np.zeros(seats + 3)
        self.squares = np.zeros(seats + 3)

    def add(self, scores: Ints, rolls: Ints, decisions: Ints, last_roller: Ints) -> None:
        best = scores == scores.max(axis=0)
        self.finished += len(rolls)
        self.wins += (best / best.sum(axis=0)).sum(axis=1)
        measured = np.vstack([scores, rolls, decisions, last_roller]).astype(np.float64)
        self.sums += measured.sum(axis=1)
        self.squares += (measured * measured).sum(axis=1)

    def report(self, seconds: float) -> dict[str, object]:
        n = self.finished
        means = self.sums / max(n, 1)
        variances = np.maximum(0.0, (self.squares - n * means**2) / max(n - 1, 1))
        spreads = [math.sqrt(v) for v in variances]
        return {
            "games": n + self.unfinished,
            "unfinished": self.unfinished,
            "wins": self.wins.tolist(),
            "mean_score": means[:-3].tolist(),
            "sd_score": spreads[:-3],
            "mean_rolls": float(means[-3]),
            "sd_rolls": spreads[-3],
            "mean_decisions": float(means[-2]),
            "sd_decisions": spreads[-2],
            "mean_last_roller": float(means[-1]),
            "sd_last_roller": spreads[-1],
            "seconds": seconds,
        }


class Batch:
    """Games that move together; one array per field, one entry per game."""

    def __init__(self, thresholds: Sequence[float], rounds: int) -> None:
        self.seats = len(thresholds)
        if not 1 <= self.seats <= MAX_SEATS:
            raise ValueError(f"This yardstick takes 1 to {MAX_SEATS} seats, not {self.seats}.")
        self.rounds = rounds
        # A total never passes the ceiling, so one above it is "never".
        self.thresholds = [int(min(max(t, 0), CEILING + 1)) for t in thresholds]
        self.plain, self.first, self.seven = roll_tables()
        self.next_roller = next_roller_table(self.seats).ravel()
        self.everybody = (1 << self.seats) - 1
        self.head_count = np.array([bin(i).count("1") for i in range(1 << self.seats)], np.int64)

    def play(self, games: int, rng: np.random.Generator, count: Count) -> None:
        self.start(games)
        rolls = 0
        while len(self.total):
            if rolls == TURNS_PER_ROUND * self.rounds:
                count.unfinished += int((self.rounds_left > 0).sum())
                return
            rolls += 1
            self.roll(rng)
            self.ask_everyone()
            self.end_rounds(rolls, count)

    def start(self, games: int) -> None:
        self.idle = 0
        self.total = np.zeros(games, np.int64)
        self.sevens = np.zeros(games, np.int64)
        self.inside = np.full(games, self.everybody)
        self.roller = np.zeros(games, np.int64)
        self.rounds_left = np.full(games, self.rounds)
        self.decisions = np.zeros(games, np.int64)
        self.scores = np.zeros((self.seats, games), np.int64)

    def roll(self, rng: np.random.Generator) -> None:
        outcome = rng.integers(0, 36, len(self.total), np.uint8)
        # A total of nothing can only be the start of a round: every first roll adds something.
        gain = np.where(self.total == 0, self.first[outcome], self.plain[outcome])
        gain += self.total * (gain == 0)
        self.total += np.minimum(gain, CEILING - self.total)
        self.sevens += self.seven[outcome]

    def ask_everyone(self) -> None:
        self.lost = self.sevens == SEVENS_TO_LOSE
        self.decisions += np.where(self.lost, 0, self.head_count[self.inside])
        self.total[self.lost] = 0
        leaving = np.zeros_like(self.inside)
        for seat, threshold in enumerate(self.thresholds):
            cashing = (self.total >= threshold) & ~self.lost & ((self.inside >> seat) & 1 == 1)
            self.scores[seat] += np.minimum(self.total * cashing, CEILING - self.scores[seat])
            leaving |= cashing.astype(np.int64) << seat
        self.inside ^= leaving

    def end_rounds(self, rolls: int, count: Count) -> None:
        ended = np.flatnonzero(self.lost | (self.inside == 0))
        self.inside[ended] = self.everybody
        self.total[ended] = 0
        self.sevens[ended] = 0
        self.rounds_left[ended] -= 1
        finished = ended[self.rounds_left[ended] == 0]
        if len(finished):
            steps = np.full(len(finished), rolls)
            count.add(self.scores[:, finished], steps, self.decisions[finished], self.roller[finished])
            self.idle += len(finished)
        self.roller = self.next_roller[self.inside * self.seats + self.roller]
        if self.idle * 5 >= len(self.total):
            self.squeeze()

    def squeeze(self) -> None:
        going = np.flatnonzero(self.rounds_left > 0)
        self.idle = 0
        self.total, self.sevens, self.inside = self.total[going], self.sevens[going], self.inside[going]
        self.roller, self.rounds_left = self.roller[going], self.rounds_left[going]
        self.decisions, self.scores = self.decisions[going], self.scores[:, going]


def play_games(games: int, seed: int, thresholds: Sequence[float], rounds: int = 10) -> dict[str, object]:
    """Play games a batch at a time and count them."""
    rng = np.random.default_rng(seed)
    count = Count(len(thresholds))
    batch = Batch(thresholds, rounds)
    start = time.process_time()
    left = games
    while left:
        batch.play(min(left, BATCH), rng, count)
        left -= min(left, BATCH)
    return count.report(time.process_time() - start)
