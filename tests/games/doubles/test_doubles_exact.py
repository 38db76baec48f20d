"""Doubles' bots against exact answers: the last round between two players, every roll enumerated."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import ninefold as nf
from ninefold.engine.bots import SeatedBots
from ninefold.game.doubles.expert import CHASERS, VALUES
from ninefold.game.doubles.habits import HABITS, ROLLS, ROUND, note, place_of
from ninefold.game.doubles.rules import CASH_OUT
from ninefold.kernel import seats
from reference import doubles_leads
from reference.doubles_exact import BestAnswer, LastRound, throws
from support.doubles import begin, rolls

SEEN = 12  # rounds in which the rival did the same


def plan_of(bot: str, wait: int) -> Any:
    """What a bot does that knows its rival's habit: the share of some decisions in which it cashes out."""
    state = begin(players=2, rounds=1)
    rolls(state, "3 4", "3 4", "3 4")
    players = SeatedBots(state.game, [bot, "never"], 3)
    known = np.zeros(32, np.int64)
    for _ in range(SEEN):
        for late in range(wait + 1):
            note(known, 1, place_of(late, 2), late == wait)

    def plan(late: int, total: int, own: int, rival: int, inside: bool) -> float:
        s = state.position
        s.total, s.rolls = total, 3 + late
        s.scores[0], s.scores[1] = own, rival
        (seats.add if inside else seats.drop)(s.inside, 1)
        (seats.add if inside else seats.drop)(s.undecided, 1)
        cashed = 0
        for _ in range(2):
            memory = players.slots[0].memory
            memory[:] = known
            memory[ROLLS], memory[ROUND] = 3, s.round_number
            cashed += state.format(0, int(players.choose(state, 0))) == "cash out"
        return cashed / 2

    assert known[HABITS + 1] != 0
    return plan


def test_the_exact_values_of_known_cases() -> None:
    """Level with a rival who cashes out at once: let it, and roll until you are ahead, which is one roll."""
    assert sum(chance for _, chance in throws(300)) == pytest.approx(5 / 6)
    assert LastRound(0, 0, 0).value(300) == pytest.approx(5 / 6)
    assert LastRound(1, 0, 0).value(300) == 1.0  # cash out together
    assert LastRound(0, 0, 0, plan=lambda *_: 1.0).value(300) == 0.5
    assert LastRound(0, 1, 0, plan=lambda *_: 1.0).value(300) == 0.0


def test_the_exact_values_are_those_of_games() -> None:
    """One round from the start: two waiters, and what the enumeration says about them."""
    simulated = nf.simulate("doubles", ["wait:2", "wait:1"], games=20_000, seed=8, rounds=1)
    exact = LastRound(0, 0, 1, plan=lambda late, *_: float(late >= 2))
    rounds_lost = 1 - 5 / 6  # until the third seven nobody is out; the rival then rolls once before it leaves
    both_lost = rounds_lost * 0.5
    assert exact.value(300) == pytest.approx(both_lost + 5 / 6 * 5 / 6, abs=1e-9)
    assert simulated.share(0) == pytest.approx(exact.value(300), abs=3 * simulated.margin(0))


@pytest.mark.parametrize(
    ("wait", "own", "rival"),
    [
        *((wait, own, rival) for wait in (0, 1, 2, 4, 6) for own, rival in ((0, 0), (60, 0), (500, 0))),
        (0, 0, 60),
        (1, 0, 60),
        (0, 0, 150),
    ],
)
def test_expert_is_near_the_best_response_in_the_last_round(wait: int, own: int, rival: int) -> None:
    """Once it knows what the rival does: within a point and a half of the exact best response."""
    plan = plan_of("expert", wait)
    for total in (225, 420):
        best = LastRound(own, rival, wait).value(total)
        reached = LastRound(own, rival, wait, plan).value(total)
        assert best - 0.015 <= reached <= best + 1e-9, (total, best, reached)


@pytest.mark.parametrize("kind", [CHASERS, pytest.param(range(len(VALUES)), marks=pytest.mark.soak)])
def test_the_table_of_leads_is_what_its_program_writes(kind: int | range) -> None:
    habits, totals = doubles_leads.habits(), list(doubles_leads.rounds_of_totals())
    for one in [kind] if isinstance(kind, int) else kind:
        again = doubles_leads.values(habits[one], totals, chases=one >= CHASERS)
        assert np.abs(again - VALUES[one]).max() < 1e-5


LONGEST = 9  # rolls past the third seven in the smaller game


def chance_plan(bot: str) -> Any:
    """A bot's exact chance to cash out in the only round of a game, once three sevens have been rolled.

    It knows of its rival what the round has shown. A bot draws one number and cashes out if that is small, so
    the first number at which it stays is found by halving.
    """
    state = begin(players=2, rounds=1)
    rolls(state, "3 4", "3 4", "3 4")
    company = SeatedBots(state.game, [bot, "never"], 3)
    first = company.slots[0].memory.copy()
    first[ROLLS] = state.position.rolls
    known = [first]  # by rolls past the third seven, if the rival has always stayed

    def cashes(memory: Any, drawn: int) -> bool:
        word = drawn << 44 | 1 << 43
        company.stream.a, company.stream.b, company.stream.c = 0, 1, 1
        company.stream.d = np.uint64((word >> 23 | word << 41) & ((1 << 64) - 1))  # its next word is `word`
        company.slots[0].memory[:] = memory
        return int(company.choose(state, 0)) == CASH_OUT

    def set_to(late: int, total: int, own: int, rival: int, inside: bool) -> None:
        s = state.position
        s.total, s.rolls = total, first[ROLLS] + late
        s.scores[0], s.scores[1] = own, rival
        (seats.add if inside else seats.drop)(s.inside, 1)
        (seats.add if inside else seats.drop)(s.undecided, 1)

    def plan(late: int, total: int, own: int, rival: int, inside: bool) -> float:
        while len(known) <= late:
            set_to(len(known) - 1, total, own, rival, True)
            cashes(known[-1], 0)
            known.append(company.slots[0].memory.copy())
        set_to(late, total, own, rival, inside)
        low, high = 0, 1 << 20
        if not cashes(known[late], low):
            return 0.0
        if cashes(known[late], high - 1):
            return 1.0
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (middle, high) if cashes(known[late], middle) else (low, middle)
        return high / (1 << 20)

    return plan


def best_answer(plan: Any, longest: int = LONGEST, own: int = 0) -> tuple[float, float]:
    """What the best answer to a plan wins at least, and at most.

    A player who is not behind wins one half at least, by staying until the other has cashed out.
    """
    low, high = (BestAnswer(plan, own, 0, longest, beyond).both(0, 225) for beyond in (0.5, 1.0))
    return low, high


def test_the_best_answer_to_known_plans_is_that_of_a_calculation() -> None:
    assert best_answer(lambda *_: 0.0)[0] > 0.9  # it never cashes out: any points win
    low, high = best_answer(lambda *at: float(not at[-1]))  # only once alone, so nobody goes first
    assert low == pytest.approx(0.5) and high - low == pytest.approx(0.5 * (5 / 6) ** LONGEST)
    assert best_answer(lambda *_: 1.0) == pytest.approx((5 / 6, 5 / 6))  # let it, and roll once more
    assert best_answer(lambda *_: 1.0, own=1) == pytest.approx((1.0, 1.0))  # together


@pytest.mark.parametrize(
    ("bot", "longest", "least", "most"),
    [("medium", 6, 0.775, 0.78), ("hard", 9, 0.57, 0.61), ("expert", 9, 0.5, 0.61)],
)
def test_what_the_best_answer_wins_against_a_bot(bot: str, longest: int, least: float, most: float) -> None:
    """Level and with nothing known of each other: an equilibrium would leave it one half."""
    low, high = best_answer(chance_plan(bot), longest)
    assert least <= low <= high <= most
