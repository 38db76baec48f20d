"""The last round of Doubles between two players, solved exactly: every roll of the dice is enumerated.

The rival cashes out a known number of rolls past the third seven. `best` is what a player who knows that can
reach, `worth` what a given plan reaches. And a smaller game, in which the best answer to any plan is found.
Nothing here may know the package.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

LONGEST = 60  # rolls past the third seven, after which everyone cashes out

# A plan: the chance to cash out, by rolls past the third seven, total, own score, the rival's score, and
# whether the rival is in.
Plan = Callable[[int, int, int, int, bool], float]


def throws(total: int) -> tuple[tuple[int, float], ...]:
    """What the total may be after a roll that is not a seven, and how likely each is."""
    found: dict[int, float] = {}
    for one in range(1, 7):
        for other in range(1, 7):
            if one + other != 7:
                after = 2 * total if one == other else total + one + other
                found[after] = found.get(after, 0.0) + 1 / 36
    return tuple(found.items())


def result(own: int, rival: int) -> float:
    """What a final score is worth: a win, a shared one or nothing."""
    return 1.0 if own > rival else 0.5 if own == rival else 0.0


class LastRound:
    """Two players, three sevens rolled; the rival cashes out `wait` rolls after the third."""

    def __init__(self, own: int, rival: int, wait: int, plan: Plan | None = None) -> None:
        self.own, self.rival, self.wait, self.plan = own, rival, wait, plan
        self.both = cache(self._both)
        self.alone = cache(self._alone)
        self.away = cache(self._away)

    def value(self, total: int) -> float:
        """The chance to win from the third seven on: of the plan or, without one, of the best response."""
        return self.both(0, total)

    def choose(
        self, late: int, total: int, rival: int, inside: bool, cash: float, stay: Callable[[], float]
    ) -> float:
        """What the decision is worth; what nobody would do is not followed up."""
        if self.plan is None:
            return 1.0 if cash == 1.0 else max(cash, stay())
        often = self.plan(late, total, self.own, rival, inside)
        return often * cash + ((1 - often) * stay() if often < 1.0 else 0.0)

    def _both(self, late: int, total: int) -> float:
        """Both are in and decide at the same time."""
        if late >= self.wait:
            cash = result(self.own + total, self.rival + total)
            return self.choose(
                late, total, self.rival, True, cash, lambda: self.rolled(late, total, self.rival + total)
            )
        cash = self.away(late, total, self.own + total)
        return self.choose(late, total, self.rival, True, cash, lambda: self.stayed(late, total))

    def stayed(self, late: int, total: int) -> float:
        after = sum(chance * self.both(late + 1, more) for more, chance in throws(total))
        return result(self.own, self.rival) / 6 + after

    def _alone(self, late: int, total: int, rival: int) -> float:
        """The rival has cashed out."""
        cash = result(self.own + total, rival)
        if late >= LONGEST or result(self.own, rival) == 1.0:  # even a fourth seven would not matter
            return cash
        return self.choose(late, total, rival, False, cash, lambda: self.rolled(late, total, rival))

    def rolled(self, late: int, total: int, rival: int) -> float:
        after = sum(chance * self.alone(late + 1, more, rival) for more, chance in throws(total))
        return result(self.own, rival) / 6 + after

    def _away(self, late: int, total: int, own: int) -> float:
        """We have cashed out, and the rival rolls on to its mark."""
        if late >= self.wait:
            return result(own, self.rival + total)
        after = sum(chance * self.away(late + 1, more, own) for more, chance in throws(total))
        return result(own, self.rival) / 6 + after


SMALL_ROLLS = ((1 / 6, 2, 0), (4 / 6, 1, 7))  # no seven: the chance, and what the total becomes


class BestAnswer:
    """The best of all answers to a plan in a smaller game: one round between two, from its third seven.

    A roll is a seven, doubles or seven points, which is what other rolls are on average. Both decide at the
    same time while they are in. The plan is the rival's; the one who answers knows all its chances. After
    `longest` rolls past the third seven the answer is worth `beyond`: with 0 and with 1 the true value lies
    between.
    """

    def __init__(self, plan: Plan, own: int, rival: int, longest: int, beyond: float) -> None:
        self.plan, self.own, self.rival, self.longest, self.beyond = plan, own, rival, longest, beyond
        self.both = cache(self._both)
        self.alone = cache(self._alone)
        self.away = cache(self._away)

    def roll(self, late: int, total: int, lost: float, go_on: Callable[[int, int], float]) -> float:
        """The mean over the next roll."""
        if late == self.longest:
            return self.beyond
        return lost / 6 + sum(
            chance * go_on(late + 1, times * total + more) for chance, times, more in SMALL_ROLLS
        )

    def _both(self, late: int, total: int) -> float:
        own, rival = self.own, self.rival
        often = self.plan(late, total, rival, own, True)
        cash = often * result(own + total, rival + total)
        stay = 0.0
        if often < 1.0:
            lost = result(own, rival)
            cash += (1 - often) * self.left_behind(late, total, own + total)
            stay += (1 - often) * self.roll(late, total, lost, self.both)
        if often > 0.0:
            stay += often * self.left_alone(late, total, rival + total)
        return max(cash, stay)

    def left_alone(self, late: int, total: int, rival: int) -> float:
        """The rival has just cashed out."""
        return self.roll(late, total, result(self.own, rival), lambda a, b: self.alone(a, b, rival))

    def left_behind(self, late: int, total: int, own: int) -> float:
        """We have just cashed out."""
        return self.roll(late, total, result(own, self.rival), lambda a, b: self.away(a, b, own))

    def _alone(self, late: int, total: int, rival: int) -> float:
        cash = result(self.own + total, rival)
        return 1.0 if cash == 1.0 else max(cash, self.left_alone(late, total, rival))

    def _away(self, late: int, total: int, own: int) -> float:
        often = self.plan(late, total, self.rival, own, False)
        cash = often * result(own, self.rival + total)
        return cash + ((1 - often) * self.left_behind(late, total, own) if often < 1.0 else 0.0)
