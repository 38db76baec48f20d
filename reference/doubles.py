"""Doubles in plain Python, twice: a referee that goes step by step, and a loop that plays many games.

The referee (`Doubles`) is a second reading of the rule page, for tests to hold
the package against; the loop (`play_games`) is a yardstick for speed.  Both
draw the same dice from the same seed and agree game by game.  Nothing here may
know the package: a mistake that both share would never be seen.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence

from reference.tally import Report, Result, count_games

CEILING = 2**62
SEVENS_TO_LOSE = 4
SEVEN_BONUS = 75
TURNS_PER_ROUND = 1000

STAY = "stay"
CASH_OUT = "cash out"


class Doubles:
    """One game, moved on by whoever holds the dice, the seats and the hidden end."""

    def __init__(self, players: int, low: int = 10, high: int | None = None) -> None:
        high = low if high is None else high
        if players < 1:
            raise ValueError("Doubles needs at least one player.")
        if not 1 <= low <= high:
            raise ValueError(f"Rounds {low}-{high} are no range: write low-high with 1 <= low <= high.")
        self.players = players
        self.low = low
        self.high = high
        self.scores = [0] * players
        self.round_number = 0
        self.roller = 0
        self.winners: list[int] = []
        self.start_round()

    @property
    def over(self) -> bool:
        return self.awaits == "over"

    def start_round(self) -> None:
        self.round_number += 1
        self.total = 0
        self.sevens = 0
        self.rolls = 0
        self.inside = set(range(self.players))
        self.undecided: set[int] = set()
        self.cashing: set[int] = set()
        self.awaits = "roll"

    def roll(self, a: int, b: int) -> None:
        """The roller throws a and b."""
        self.expect("roll")
        if not (1 <= a <= 6 and 1 <= b <= 6):
            raise ValueError(f"{a} {b} is no roll of two six-sided dice.")
        first = self.rolls == 0
        self.rolls += 1
        if a + b == 7:
            self.sevens += 1
            if self.sevens == SEVENS_TO_LOSE:
                self.total = 0
                self.end_round()
                return
            gain = SEVEN_BONUS
        elif a == b:
            gain = 100 * a if first else self.total
        else:
            gain = a + b
        self.total = min(self.total + gain, CEILING)
        self.undecided = set(self.inside)
        self.awaits = "decisions"

    def decide(self, seat: int, decision: str) -> None:
        """A seat says stay or cash out; nothing happens until the last one has spoken."""
        self.expect("decisions")
        if decision not in (STAY, CASH_OUT):
            raise ValueError(f"{decision!r} is no decision: say {STAY!r} or {CASH_OUT!r}.")
        if seat not in self.inside:
            raise ValueError(f"Seat {seat} is not in this round.")
        if seat in self.cashing:
            raise ValueError(f"Seat {seat} has cashed out; that cannot be taken back.")
        if seat not in self.undecided and decision == STAY:
            raise ValueError(f"Seat {seat} has said stay; it may only change to cash out.")
        self.undecided.discard(seat)
        if decision == CASH_OUT:
            self.cashing.add(seat)
        if not self.undecided:
            self.settle()

    def settle(self) -> None:
        for seat in self.cashing:
            self.scores[seat] = min(self.scores[seat] + self.total, CEILING)
        self.inside -= self.cashing
        self.cashing = set()
        if not self.inside:
            self.end_round()
            return
        self.roller = self.next_roller()
        self.awaits = "roll"

    def next_roller(self) -> int:
        for step in range(1, self.players + 1):
            seat = (self.roller + step) % self.players
            if seat in self.inside:
                return seat
        raise AssertionError("A round with nobody in it has no roller.")

    def end_round(self) -> None:
        self.inside = set()
        self.undecided = set()
        if self.round_number == self.high:
            self.end_game()
        elif self.round_number >= self.low:
            self.awaits = "end?"
        else:
            self.begin_next_round()

    def begin_next_round(self) -> None:
        self.roller = (self.roller + 1) % self.players
        self.start_round()

    def end_odds(self) -> tuple[int, int]:
        """The chance that the game ends here, as a numerator and a denominator."""
        self.expect("end?")
        return 1, self.high - self.round_number + 1

    def end_or_go_on(self, end: bool) -> None:
        """Chance says whether the round just played was the last."""
        self.expect("end?")
        if end:
            self.end_game()
        else:
            self.begin_next_round()

    def end_game(self) -> None:
        best = max(self.scores)
        self.winners = [seat for seat, score in enumerate(self.scores) if score == best]
        self.awaits = "over"

    def expect(self, what: str) -> None:
        if self.awaits != what:
            raise ValueError(f"The game awaits {self.awaits!r}, not {what!r}.")


# Many games


Thresholds = Sequence[float]
"""One total per seat at which it cashes out; infinity for a seat that never does."""

PlayOne = Callable[[random.Random, Thresholds, int], Result | None]


def result_of(scores: Sequence[int], rolls: int, decisions: int, last_roller: int) -> Result:
    best = max(scores)
    winners = [seat for seat, score in enumerate(scores) if score == best]
    return Result(winners, scores, {"rolls": rolls, "decisions": decisions, "last_roller": last_roller})


def play_by_steps(rng: random.Random, thresholds: Thresholds, rounds: int) -> Result | None:
    """One game through the referee, every decision spoken; None when the turn limit was reached."""
    game = Doubles(len(thresholds), rounds)
    rolls = decisions = 0
    while not game.over:
        if rolls == TURNS_PER_ROUND * rounds:
            return None
        game.roll(int(rng.random() * 6) + 1, int(rng.random() * 6) + 1)
        rolls += 1
        if game.awaits == "decisions":
            for seat in sorted(game.undecided):
                game.decide(seat, CASH_OUT if game.total >= thresholds[seat] else STAY)
                decisions += 1
    return result_of(game.scores, rolls, decisions, game.roller)


def play_one(rng: random.Random, thresholds: Thresholds, rounds: int) -> Result | None:
    """One game in a single loop, as one writes it to play many; None when the turn limit was reached."""
    random_float = rng.random
    players = len(thresholds)
    limit = TURNS_PER_ROUND * rounds
    scores = [0] * players
    roller = -1
    rolls = decisions = 0
    for _ in range(rounds):
        inside = list(range(players))
        total = sevens = 0
        first = True
        roller = (roller + 1) % players
        while True:
            if rolls == limit:
                return None
            a = int(random_float() * 6) + 1
            b = int(random_float() * 6) + 1
            rolls += 1
            if a == b:
                total += 100 * a if first else total
            elif a + b == 7:
                sevens += 1
                if sevens == SEVENS_TO_LOSE:
                    break
                total += SEVEN_BONUS
            else:
                total += a + b
            if total > CEILING:
                total = CEILING
            first = False
            decisions += len(inside)
            cashing = [seat for seat in inside if total >= thresholds[seat]]
            if cashing:
                for seat in cashing:
                    scores[seat] = min(scores[seat] + total, CEILING)
                inside = [seat for seat in inside if seat not in cashing]
                if not inside:
                    break
            roller = (roller + 1) % players
            while roller not in inside:
                roller = (roller + 1) % players
    return result_of(scores, rolls, decisions, roller)


def play_games(
    games: int, seed: int, thresholds: Thresholds, rounds: int = 10, play: PlayOne = play_one
) -> Report:
    """Play games one after another from one stream of dice and count them."""
    rng = random.Random(seed)
    return count_games(games, len(thresholds), lambda: play(rng, thresholds, rounds))
