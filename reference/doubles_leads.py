"""What a lead in Doubles is worth against a rival whose habits are known: best responses for two players.

A habit is a chance to cash out for each roll past the third seven. A chaser, once its rival has cashed out,
goes on until it is ahead instead. For each habit, dynamic programming over the rounds left, the lead and the
total gives the chance to win of a player who knows the habit and plays the best response. Nothing here may
know the package. To write the table that `expert` reads:

    python -m reference.doubles_leads | ruff format - > src/ninefold/game/doubles/leads.py
"""

from __future__ import annotations

import base64
import textwrap
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

ROUNDS = 9  # rounds left that are told apart
STEPS = 18  # rolls past the third seven; later ones are not considered
SEVEN, DOUBLE = 1 / 6, 1 / 6
PLAIN = 7.0  # what another roll adds on average
RATIO = 2**0.25
TOTALS = 225 * RATIO ** np.arange(44)  # totals past the third seven
MARKS = np.array(
    [
        *(1, 10, 30, 75, 140, 210, 290, 380, 500, 650, 850, 1100, 1500, 2100, 3000, 4500, 7000),
        *(13_000.0, 40_000, 150_000, 1_000_000),
    ]
)
LEADS = np.concatenate([-MARKS[::-1], [0.0], MARKS])
SLIP = 0.005  # how often a player does not follow its habit
SOON = 0.06  # how often a player without firm habits cashes out before the third seven
CHASING = (SLIP, 0.12, 0.25, 0.4, 0.6)  # how often chasers cash out first
CHASERS = len(CHASING)
PLACES = 15  # at which chances to cash out are counted: before the third seven, then 0 to 13 rolls past it
LATER = PLACES - 1
STEADY = 13  # waits of so many rolls, from none on


def habits() -> list[tuple[float, ...]]:
    """The habits of the table: the chance to cash out before the third seven, and 0, 1, 2, ... rolls past it.

    The first STEADY of them wait for so many rolls, the last CHASERS are those of chasers.
    """
    found = [(0.0, *[SLIP] * wait, *[1 - SLIP] * (LATER - wait)) for wait in range(STEADY)]
    found += [(SOON, *[0.12] * wait, *[0.82] * (LATER - wait)) for wait in (1, 2, 3)]
    found += [(SOON, *[rate] * LATER) for rate in (0.01, 0.12, 0.25, 0.4, 0.6)]
    found += [(0.3, *[0.5] * LATER), (0.95, *[0.5] * LATER)]
    return found + [(0.0, *[rate] * LATER) for rate in CHASING]


def rounds_of_totals(rounds: int = 40_000, seed: int = 9) -> Iterator[float]:
    """Totals at the third seven of some rounds."""
    rng = np.random.default_rng(seed)
    for _ in range(rounds):
        total = sevens = rolls = 0
        while sevens < 3:
            one, other = rng.integers(1, 7, 2).tolist()
            if one + other == 7:
                total, sevens = total + 75, sevens + 1
            elif one == other:
                total = 2 * total if rolls else 100 * one
            else:
                total += one + other
            rolls += 1
        yield total


def on_grid(grid: Any, values: Any) -> Any:
    """Weights of the grid's points whose mean is the mean of the values."""
    spread = np.zeros(len(grid))
    places = np.interp(values, grid, np.arange(len(grid)))
    low = places.astype(int)
    np.add.at(spread, low, low + 1 - places)
    np.add.at(spread, np.minimum(low + 1, len(grid) - 1), places - low)
    return spread / len(values)


class Rounds:
    """Best responses to one habit."""

    def __init__(self, habit: Sequence[float], totals: Sequence[float], chases: bool = False) -> None:
        self.early = habit[0]
        self.chases = chases
        self.chances = [*habit[1:], *[habit[-1]] * STEPS][: STEPS + 1]
        self.weights = on_grid(TOTALS, np.array(totals))

    def before(self, value: Any) -> Any:
        """The value of each lead before a round, from its value afterwards."""
        self.value = value
        alone = self.alone()
        away = self.away()
        held = np.repeat(value[:, None], len(TOTALS), axis=1)  # the round is lost
        lost, both = held.copy(), held.copy()
        gone = self.at(alone, -TOTALS)
        for step in range(STEPS, -1, -1):
            chance = self.chances[step]
            cash = chance * both + (1 - chance) * self.at(away[step], TOTALS)
            stay = chance * gone + (1 - chance) * (SEVEN * lost + (1 - SEVEN) * self.rolled(held))
            held = np.maximum(cash, stay)
        early = np.maximum(self.at(lost, TOTALS / 2), self.at(alone, -TOTALS / 2))
        return (self.early * early + (1 - self.early) * held) @ self.weights

    def rolled(self, values: Any) -> Any:
        """The mean over the next total, after a roll that is no seven, of values by lead and total."""
        steps = np.arange(len(TOTALS))
        doubled = values[:, np.minimum(steps + 4, len(TOTALS) - 1)]
        share = PLAIN / (TOTALS * (RATIO - 1))
        plain = values * (1 - share) + values[:, np.minimum(steps + 1, len(TOTALS) - 1)] * share
        odds = DOUBLE / (1 - SEVEN)
        return odds * doubled + (1 - odds) * plain

    def at(self, values: Any, shift: Any) -> Any:
        """Values by lead and total, at leads that are shifted by an amount for each total."""
        return np.stack(
            [np.interp(LEADS + by, LEADS, column) for by, column in zip(shift, values.T, strict=True)], axis=1
        )

    def gained(self) -> Any:
        """The value of cashing out alone, by lead and total."""
        return self.at(np.repeat(self.value[:, None], len(TOTALS), axis=1), TOTALS)

    def alone(self) -> Any:
        """The value of the last player in, who has to roll, by lead and total."""
        gained = self.gained()
        held = np.repeat(self.value[:, None], len(TOTALS), axis=1)
        roll = held
        for _ in range(STEPS):
            roll = SEVEN * self.value[:, None] + (1 - SEVEN) * self.rolled(held)
            held = np.maximum(gained, roll)
        return roll

    def away(self) -> list[Any]:
        """By step: the value of a player who has cashed out, by its lead since then and the total."""
        kept = np.repeat(self.value[:, None], len(TOTALS), axis=1)
        behind = self.at(kept, -TOTALS)
        found = [kept]
        for step in range(STEPS, 0, -1):
            chance: Any = self.chances[step]
            if self.chases:
                chance = np.where(LEADS[:, None] < TOTALS, 1 - SLIP, SLIP)
            after = self.rolled(chance * behind + (1 - chance) * found[0])
            found.insert(0, SEVEN * kept + (1 - SEVEN) * after)
        return found


def values(
    habit: Sequence[float], totals: Sequence[float], chases: bool = False, rounds: int = ROUNDS
) -> Any:
    """The chance to win with each lead, by the number of rounds left from 0 on."""
    found = [np.where(LEADS > 0, 1.0, np.where(LEADS < 0, 0.0, 0.5))]
    one = Rounds(habit, totals, chases)
    while len(found) <= rounds:
        found.append(one.before(found[-1]))
    return np.array(found)


def main() -> None:
    """Print the table as a module."""
    totals = list(rounds_of_totals())
    found = habits()
    table = np.array([values(habit, totals, at >= len(found) - CHASERS) for at, habit in enumerate(found)])
    text = base64.b85encode(np.round(table * 65_535).astype("<u2").tobytes()).decode()
    print('"""What a lead is worth against known habits: written by reference/doubles_leads.py."""\n')
    print(f"HABITS = {tuple(found)}")
    print(f"STEADY = {STEADY}  # the first of them")
    print(f"CHASERS = {CHASERS}  # the last of them")
    print(f"MARKS = {tuple(map(int, MARKS))}")
    print(f"SHAPE = {table.shape}")
    print("VALUES = (")
    for line in textwrap.wrap(text, 110):
        print(f'    "{line}"')
    print(")")


if __name__ == "__main__":
    main()
