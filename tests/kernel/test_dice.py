"""Two dice: the 21 outcomes, the sampler enumerated exactly, and sampling, with bad dice that must fail."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
import pytest

from ninefold.kernel import dice
from ninefold.kernel.compile import kernel
from ninefold.kernel.stream import below, new_stream, next_word
from ninefold.testkit.fairness import chi_square, fits, is_even, is_unrelated
from support.interpreter import FULL

ROLLS = 1_000_000 if FULL else 20_000
U56 = np.uint64(56)


def test_there_are_21_outcomes_in_a_pinned_order() -> None:
    assert dice.OUTCOMES == len(dice.ROLLS) == 21
    assert list(dice.ROLLS) == sorted({(min(a, b), max(a, b)) for a in range(1, 7) for b in range(1, 7)})
    assert list(zip(dice.FIRST, dice.SECOND, strict=True)) == list(dice.ROLLS)


def test_weights_are_those_of_two_dice() -> None:
    both = Counter((min(a, b), max(a, b)) for a in range(1, 7) for b in range(1, 7))
    assert [int(weight) for weight in dice.WEIGHT] == [both[outcome] for outcome in dice.ROLLS]
    assert dice.WEIGHT.sum() == 36


def test_the_sampler_gives_every_outcome_exactly_its_weight() -> None:
    """All 36 values that `below(stream, 36)` may take, which test_stream proves equally likely."""
    assert dice.ROLL_OF.shape == (36,)
    assert list(np.bincount(dice.ROLL_OF, minlength=21)) == list(dice.WEIGHT)


def test_a_roll_is_the_drawn_value_and_nothing_else() -> None:
    ours, theirs = new_stream(11), new_stream(11)
    for _ in range(500):
        assert dice.roll(ours) == dice.ROLL_OF[below(theirs, 36)]


# Sampling. The dice come from the real sampler; every test also meets dice that it must refuse.


@kernel
def roll_many(rng: Any, out: Any) -> None:
    for place in range(out.size):
        out[place] = dice.roll(rng)


@kernel
def bytes_of(rng: Any, out: Any) -> None:
    for place in range(out.size):
        out[place] = np.int64(next_word(rng) >> U56)


@kernel
def draws_below(rng: Any, n: int, out: Any) -> None:
    for place in range(out.size):
        out[place] = below(rng, n)


@pytest.fixture(scope="module")
def rolls() -> Any:
    out = np.zeros(ROLLS, np.int64)
    roll_many(new_stream(2024), out)
    return out


def bad_faces(kind: str, size: int) -> Any:
    """Faces 0 to 5 of a die that is not fair."""
    rng, out = new_stream(77), np.zeros(size, np.int64)
    if kind == "byte % 6":
        bytes_of(rng, out)
        return out % 6
    if kind == "no six":
        draws_below(rng, 5, out)  # an exclusive upper bound where an inclusive one was meant
        return out
    if kind == "loaded":
        draws_below(rng, 61, out)
        return np.minimum(out // 10, 5)  # a six has 11 parts of 61, the others 10
    raise AssertionError(kind)


BAD_DICE = ("byte % 6", "no six", "loaded")


def test_outcomes_come_as_often_as_they_weigh(rolls: Any) -> None:
    expected = dice.WEIGHT * (ROLLS / 36)
    assert fits(chi_square(np.bincount(rolls, minlength=21), expected), 20)


def test_faces_are_even_and_all_six_come(rolls: Any) -> None:
    faces = np.bincount(dice.FIRST[rolls] - 1, minlength=6) + np.bincount(dice.SECOND[rolls] - 1, minlength=6)
    assert faces.min() > 0
    assert abs(faces / faces.sum() - 1 / 6).max() < 5 / ROLLS**0.5
    doubles = rolls[dice.FIRST[rolls] == dice.SECOND[rolls]]
    assert is_even(np.bincount(dice.FIRST[doubles] - 1, minlength=6))
    assert is_even(np.bincount((np.arange(doubles.size) + dice.FIRST[doubles]) % 6, minlength=6))


@pytest.mark.parametrize("kind", BAD_DICE)
def test_bad_dice_are_caught(kind: str) -> None:
    faces = bad_faces(kind, 1_000_000 if FULL else 2_000)
    if FULL or kind == "no six":
        assert not is_even(np.bincount(faces, minlength=6))


@pytest.mark.parametrize("kind", BAD_DICE)
def test_bad_dice_are_caught_in_the_21_outcomes(kind: str) -> None:
    size = 1_000_000 if FULL else 2_000
    faces = bad_faces(kind, 2 * size).reshape(size, 2)
    outcomes = dice.ROLL_OF[faces[:, 0] * 6 + faces[:, 1]]
    if FULL or kind == "no six":
        assert not fits(chi_square(np.bincount(outcomes, minlength=21), dice.WEIGHT * (size / 36)), 20)


def test_one_roll_says_nothing_of_the_next(rolls: Any) -> None:
    totals = dice.FIRST[rolls] + dice.SECOND[rolls]
    for lag in range(1, 17):
        assert is_unrelated(totals[lag:], totals[:-lag])
    pairs = np.bincount(rolls[::2] * 21 + rolls[1::2], minlength=441)
    expected = np.outer(dice.WEIGHT, dice.WEIGHT).ravel() * (ROLLS / 2 / 36**2)
    assert fits(chi_square(pairs, expected), 440)


def test_dice_that_remember_are_caught(rolls: Any) -> None:
    """The bad control: one roll in fifty repeats the one before, which no count of faces shows."""
    sticky = rolls.copy()
    sticky[1::50] = sticky[:-1:50]
    assert fits(chi_square(np.bincount(sticky, minlength=21), dice.WEIGHT * (ROLLS / 36)), 20)
    pairs = np.bincount(sticky[::2] * 21 + sticky[1::2], minlength=441)
    expected = np.outer(dice.WEIGHT, dice.WEIGHT).ravel() * (ROLLS / 2 / 36**2)
    if FULL:
        assert not fits(chi_square(pairs, expected), 440)
        totals = dice.FIRST[sticky] + dice.SECOND[sticky]
        assert not is_unrelated(totals[1:], totals[:-1])


# Texts.


def test_outcomes_are_written_smaller_die_first() -> None:
    texts = [dice.roll_text(outcome) for outcome in range(21)]
    assert len(set(texts)) == 21
    assert texts[0] == "roll 1 1" and texts[-1] == "roll 6 6" and "roll 3 4" in texts
    for outcome, text in enumerate(texts):
        assert dice.read_dice(text.removeprefix("roll ")) == dice.ROLLS[outcome]


@pytest.mark.parametrize("text", ["3 4", "4 3", "34", "43", "3,4", "3, 4", "3-4", "4+3", "  3   4 ", "3\t4"])
def test_dice_can_be_typed_in_many_ways(text: str) -> None:
    assert dice.read_dice(text) == (3, 4)


@pytest.mark.parametrize(
    "text",
    [
        *("", " ", "3", "7", "0 1", "1 7", "3 4 5", "345", "12 3", "1 23", "a b", "3 x", "3.4", "3/4", "-"),
        *("³ 4", "٣ ٤", "33 4", "roll 3 4", "3 -", "1e1", "+", "06"),
    ],
)
def test_what_is_not_two_dice_is_not_read(text: str) -> None:
    assert dice.read_dice(text) is None
