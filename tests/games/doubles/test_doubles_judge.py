"""The cases of Doubles' rule page, and rolls judged without a match."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

import ninefold as nf
from ninefold.kernel.dice import ROLLS, WEIGHT
from support.doubles import all_stay, begin, counter, roll, rolls


def test_case_five_players() -> None:
    """Total 325 and two sevens; 400, 800 and 1600; 800, 0, 400, 0, 0 at the end of the round."""
    state = begin(players=5)
    rolls(state, "1 6", "2 5", "6 6", "1 4", "4 6", "4 6")
    assert (counter(state, "total"), counter(state, "sevens")) == (325, 2)
    all_stay(state)
    roll(state, "3 4")
    assert (counter(state, "total"), counter(state, "sevens")) == (400, 3)
    all_stay(state, 2)
    roll(state, "5 5")
    assert counter(state, "total") == 800
    all_stay(state, 0)
    roll(state, "1 1")
    assert counter(state, "total") == 1600
    all_stay(state)
    roll(state, "6 1")
    assert state.scores == [800, 0, 400, 0, 0]


@pytest.mark.parametrize("total", [0, 75, 400, 12_345])
def test_case_one_more_roll_is_worth_14_3(total: int) -> None:
    """With three sevens down the expected total after one more roll is the total + 14/3."""
    mean = Fraction(0)
    for (first, second), weight in zip(ROLLS, WEIGHT, strict=True):
        after = nf.doubles.roll(total, 3, False, (first, second))
        mean += Fraction(int(weight) * after.total, 36)
    assert mean == total + Fraction(14, 3)


def test_judge_agrees_with_the_engine_on_every_roll() -> None:
    for first, second in ROLLS:
        for sevens in range(4):
            state = begin(players=1, rounds=2)
            rolls(state, *["3 4"] * sevens, "1 2")
            total = counter(state, "total")
            state.play(0, "stay")
            roll(state, f"{first} {second}")
            judged = nf.doubles.roll(total, sevens, False, f"{first}{second}")
            if judged.ended:
                assert (judged.total, judged.sevens) == (0, 4) and str(
                    state.picture(0).phase
                ) == "Round 2 of 2"
            else:
                assert (judged.total, judged.sevens) == (counter(state, "total"), counter(state, "sevens"))


def test_judge_counts_without_limit() -> None:
    assert nf.doubles.roll(0, 0, True, "roll 3 4") == (75, 1, False)
    assert nf.doubles.roll(2**100, 3, False, "55").total == 2**101


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ((0, 0, True, "7 1"), "two dice from 1 to 6"),
        ((0, 0, True, "3"), "two dice"),
        ((0, 0, True, (3, 4, 5)), "two dice"),
        ((0, 0, True, ()), "two dice"),
        ((10, 4, False, "3 4"), "0 to 3 sevens"),
        ((10, -1, False, "3 4"), "0 to 3 sevens"),
        ((-1, 0, False, "3 4"), "from 0 up"),
        ((1.5, 0, False, "3 4"), "a whole number"),
        (("a", 0, False, "3 4"), "a whole number"),
        ((5, None, False, "3 4"), "0 to 3 sevens"),
        ((5, 0, False, 34), "two dice"),
        ((10, 0, True, "3 4"), "before the first roll"),
        ((0, 1, True, "3 4"), "before the first roll"),
    ],
)
def test_judge_refuses(arguments: tuple[Any, ...], sentence: str) -> None:
    with pytest.raises(nf.RuleError, match=sentence):
        nf.doubles.roll(*arguments)
