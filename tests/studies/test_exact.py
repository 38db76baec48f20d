"""A study against exact values: a match of Doubles whose every course can be counted.

Two bots, one round: one cashes out from 300 points on, the other from 900 on. The chances of all courses are
added up below, from the rules alone; then 1,000 studies are made of matches that were really played.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import NamedTuple

import pytest

import ninefold as nf
from ninefold.engine.bots import find_bot
from ninefold.simulation.executors import Place
from ninefold.studies import games, tables
from ninefold.studies.estimate import Estimate
from ninefold.studies.games import Games

LOW, HIGH = 300, 900
REPEATS, EACH = 1_000, 60


class Course(NamedTuple):
    """What happens from here on: chances, and the mean numbers of rolls and of decisions."""

    low_wins: float
    shared: float
    lost: float  # by a fourth seven
    low_gets_nothing: float
    rolls: float
    decisions: float


@cache
def course(total: int = 0, sevens: int = 0, first: bool = True) -> Course:
    """All dice that may come, with their chances."""
    added = [0.0] * len(Course._fields)
    for dice, seven in ((after(total, a, b, first), a + b == 7) for a in range(1, 7) for b in range(1, 7)):
        if sevens + seven == 4:
            came_of_it = Course(total >= LOW, total < LOW, 1, total < LOW, 1, 0)
        elif dice >= HIGH:
            came_of_it = Course(0, total < LOW, 0, 0, 1, 1 + (total < LOW))
        else:
            later = course(dice, sevens + seven, False)
            asked = 1 + (total < LOW)
            came_of_it = later._replace(rolls=1 + later.rolls, decisions=asked + later.decisions)
        added = [sum_ + part / 36 for sum_, part in zip(added, came_of_it, strict=True)]
    return Course(*added)


def after(total: int, a: int, b: int, first: bool) -> int:
    """The total after a roll: a seven brings 75, doubles double, and the first doubles bring hundreds."""
    if a + b == 7:
        return total + 75
    if a == b:
        return total + (100 * a if first else total)
    return total + a + b


@pytest.fixture(scope="module")
def studies() -> list[Games]:
    """As many studies, each of matches of its own."""
    game = nf.make("doubles", players=2, rounds=1)
    bots = [find_bot("doubles", f"threshold:{points}") for points in (LOW, HIGH)]
    rows = tables.collect(game, bots, 9, 0, REPEATS * EACH, Place(1))
    return [games.summarise(some, game, "both", 9) for some in rows.reshape(REPEATS, EACH, -1)]


QUESTIONS: dict[str, tuple[Callable[[Course], float], Callable[[Games], Estimate]]] = {
    "wins": (lambda exact: exact.low_wins + exact.shared / 2, lambda made: made.seats[0]),
    "wins of the other": (lambda exact: 1 - exact.low_wins - exact.shared / 2, lambda made: made.seats[1]),
    "shared wins": (lambda exact: exact.shared, lambda made: made.shared),
    "turns": (lambda exact: exact.rolls, lambda made: made.turns),
    "decisions": (lambda exact: exact.decisions, lambda made: made.decisions),
    "rounds lost": (lambda exact: exact.lost, lambda made: made.tallies["rounds lost to a fourth seven"]),
}


@pytest.mark.parametrize("question", QUESTIONS)
def test_intervals_contain_the_exact_value(question: str, studies: list[Games]) -> None:
    exact, measured = QUESTIONS[question][0](course()), [QUESTIONS[question][1](made) for made in studies]
    assert 0.93 <= sum(one.low <= exact <= one.high for one in measured) / REPEATS <= 0.97


def test_all_together_are_exact(studies: list[Games]) -> None:
    """The mean of 60,000 matches, four standard errors wide."""
    for name, (exact_of, estimate) in QUESTIONS.items():
        values = [estimate(made) for made in studies]
        middle = sum(one.value for one in values) / REPEATS
        margin = sum(one.margin for one in values) / REPEATS / REPEATS**0.5
        assert middle == pytest.approx(exact_of(course()), abs=2 * margin), name
