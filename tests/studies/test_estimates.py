"""Intervals hold what they promise: 95 % of them contain the exact value."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from ninefold.studies import estimate, games, luck
from ninefold.studies.drama import known_at, lead_changes
from ninefold.studies.estimate import Estimate
from ninefold.studies.ladder import matches_for, most_of

REPEATS = 1_000
Sampler = Callable[[np.random.Generator, int], Any]


def coverage(sample: Sampler, exact: float, measure: Callable[[Any], Estimate], size: int) -> float:
    """The part of seeded repeats whose interval contains the exact value."""
    dice = np.random.default_rng(7)
    found = [measure(sample(dice, size)) for _ in range(REPEATS)]
    return sum(one.low <= exact <= one.high for one in found) / REPEATS


def two_dice(dice: np.random.Generator, size: int) -> Any:
    return dice.integers(1, 7, (size, 2)).sum(axis=1)


SEVEN = 1 / 6


@pytest.mark.parametrize(
    ("sample", "exact", "measure", "size"),
    [
        (lambda dice, n: (two_dice(dice, n) == 7).astype(float), SEVEN, estimate.share, 40),
        (lambda dice, n: (two_dice(dice, n) == 7).astype(float), SEVEN, estimate.share, 1_000),
        (lambda dice, n: (two_dice(dice, n) == 2).astype(float), 1 / 36, estimate.share, 400),
        # A win, a win shared by two, or a loss.
        (lambda dice, n: dice.choice([1, 0.5, 0], n, p=[0.2, 0.1, 0.7]), 0.25, estimate.share, 300),
        (two_dice, 7.0, estimate.mean, 12),
        (two_dice, 7.0, estimate.mean, 500),
        (lambda dice, n: dice.geometric(SEVEN, n), 6.0, estimate.mean, 400),
        # Without a finite variance: the mean has no honest interval, a quantile has.
        (
            lambda dice, n: dice.pareto(1.1, n),
            2 ** (1 / 1.1) - 1,
            lambda values: estimate.quantile(values, 0.5),
            301,
        ),
    ],
)
def test_coverage(sample: Sampler, exact: float, measure: Callable[[Any], Estimate], size: int) -> None:
    assert 0.93 <= coverage(sample, exact, measure, size) <= 0.97


def test_looks_share_five_percent_of_error() -> None:
    errors = [estimate.error_at(look) for look in range(1, 30)]
    assert sum(errors) <= 0.05 and errors[0] > 0.044
    assert estimate.reach(1) < 1.03 * estimate.reach()


def test_a_sequential_interval_is_as_narrow_as_asked_and_still_holds() -> None:
    """The procedure of a study, with dice: a pilot, the games it asks for, and more if they do not do."""
    half, hits, sizes = 0.02, 0, []
    dice = np.random.default_rng(3)
    for _ in range(REPEATS):
        spread = float((two_dice(dice, 400) == 7).std())
        values = np.zeros(0)
        for look in range(1, games.MOST_LOOKS + 1):
            wanted = estimate.games_for(max(0.05, spread), half, estimate.reach(look))
            more = (two_dice(dice, max(0, wanted - len(values))) == 7).astype(float)
            values = np.concatenate([values, more])
            found = estimate.share(values, estimate.reach(look))
            if found.margin <= half:
                break
            spread = float(values.std())
        hits += found.low <= SEVEN <= found.high
        sizes.append(found.margin)
    assert 0.93 <= hits / REPEATS <= 0.97
    assert max(sizes) < 1.1 * half


def deals(dice: np.random.Generator, count: int, skill: float, seat: float, plan: float) -> Any:
    """Two players: a deal favours a seat or a bot, one bot is better, and the win is a coin that all bend."""
    for_seat, for_bot = (bend * dice.choice([-1, 1], count) for bend in (seat, plan))
    found = np.zeros((count, 2, 2))
    for turn in range(2):  # after one turn, the better bot sits at the second seat
        side = 1 - 2 * turn
        found[:, turn, 0] = dice.random(count) < 0.5 + for_seat + side * (skill + for_bot)
    found[:, :, 1] = 1 - found[:, :, 0]
    return found


@pytest.mark.parametrize(
    ("skill", "seat", "plan"),
    [(0.2, 0, 0), (0, 0.3, 0), (0, 0, 0.3), (0.2, 0.2, 0), (0.1, 0, 0.3), (0, 0, 0)],
)
def test_parts_of_the_variance_are_the_exact_ones(skill: float, seat: float, plan: float) -> None:
    """The variance of a win is 1/4: skill² of it is the bot's; the deal's are seat² and plan²."""
    table = luck.by_bot(deals(np.random.default_rng(5), 20_000, skill, seat, plan))
    found = luck.parts(table)
    assert found[:4] == pytest.approx((4 * skill**2, 0, 4 * seat**2, 4 * plan**2), abs=0.025)
    assert sum(found) == pytest.approx(1)


def test_a_larger_table_tells_seats_from_plans() -> None:
    """Of four players, each gets gifts for its seat and for its way of playing: both are found at once."""
    dice = np.random.default_rng(2)
    count, seats = 20_000, 4
    for_seat, for_bot = dice.normal(size=(2, count, seats))
    cubes = np.zeros((count, seats, seats))
    for turn in range(seats):
        bots = (np.arange(seats) - turn) % seats
        best = (for_seat + for_bot[:, bots] + dice.normal(size=(count, seats))).argmax(axis=1)
        cubes[np.arange(count), turn, best] = 1
    skill, seat, deal, plan, rest = luck.parts(luck.by_bot(cubes))
    assert abs(skill) < 0.005 and abs(seat) < 0.005
    assert (
        deal == pytest.approx(plan, abs=0.02)
        and deal > 0.1
        and rest == pytest.approx(1 - deal - plan, abs=0.01)
    )


def test_the_intervals_of_the_parts_hold() -> None:
    dice, exact = np.random.default_rng(11), (4 * 0.25**2, 4 * 0.15**2)
    hits = np.zeros(2)
    for _ in range(REPEATS):
        skill, _, deal, *_ = estimate.by_blocks(luck.by_bot(deals(dice, 300, 0.25, 0.15, 0)), luck.parts)
        hits += [one.low <= value <= one.high for one, value in zip((skill, deal), exact, strict=True)]
    assert all(0.93 <= part <= 0.97 for part in hits / REPEATS)


def test_matches_until_the_better_leads() -> None:
    assert matches_for(0.5) is None and matches_for(1.0) == 1
    for share in (0.55, 0.6, 0.75, 0.9, 0.97):
        matches = matches_for(share)
        assert matches and most_of(share, matches) >= 0.95
        assert matches == 1 or most_of(share, matches - 2) < 0.95
    exact = sum(math.comb(5, won) * 0.6**won * 0.4 ** (5 - won) for won in (3, 4, 5))
    assert most_of(0.6, 5) == pytest.approx(exact)


def test_lead_changes_are_those_that_chance_does_not_explain() -> None:
    sure, even = [0.95, 0.05], [0.5, 0.5]
    assert lead_changes(np.array([even, sure, even, [0.55, 0.45], sure])) == 0
    assert lead_changes(np.array([even, sure, sure[::-1], sure, sure])) == 2
    values = [Estimate(value, value, value, 1) for value in (0.25, 0.5, 0.8, 1.0)]
    assert known_at(values) == pytest.approx(0.3), "a moment that was looked at, not one in between"
    assert known_at(values[:3]) is None


def test_nothing_is_told_of_nothing() -> None:
    assert not estimate.share(np.zeros(0)).known and not estimate.mean(np.zeros(1)).known
    assert not estimate.quantile(np.zeros(0), 0.5).known
    assert estimate.share(np.zeros(50)).low == 0 and estimate.share(np.zeros(50)).high < 0.08
