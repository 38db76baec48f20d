"""Judges one roll of Doubles without a match, for the score card and `ninefold judge`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from ninefold.game.doubles import rules
from ninefold.kernel.compile import python_function
from ninefold.kernel.dice import read_dice
from ninefold.kernel.errors import RuleError
from ninefold.model.facts import Number, whole
from ninefold.model.judge import Answer, Argument, Question

__all__ = ["Roll", "roll"]

_effect = python_function(
    rules.effect
)  # scores at a real table have no ceiling, and neither have Python's integers


class Roll(NamedTuple):
    """The result of a roll."""

    total: int
    sevens: int
    ended: bool


def roll(total: int, sevens: int, first: bool, dice: str | Sequence[int]) -> Roll:
    """The total and sevens after a roll, and whether it ended the round; `first`: the round's first roll."""
    text = dice if isinstance(dice, str) else " ".join(map(str, dice)) if isinstance(dice, Sequence) else ""
    faces = read_dice(text.lower().removeprefix("roll"))
    if faces is None:
        raise RuleError(f"a roll is two dice from 1 to 6, such as '3 4', not {dice!r}")
    had, seen = whole(total), whole(sevens)
    if seen is None or not 0 <= seen < rules.LAST_SEVEN:
        raise RuleError(f"a round in progress has 0 to 3 sevens, not {sevens!r}")
    if had is None or had < 0:
        raise RuleError(f"a total is a whole number from 0 up, not {total!r}")
    if first and (had or seen):
        raise RuleError(f"before the first roll, total and sevens are 0, not {had} and {seen}")
    gain, seven = _effect(had, bool(first), *faces)
    if seen + seven == rules.LAST_SEVEN:
        return Roll(0, rules.LAST_SEVEN, True)
    return Roll(had + gain, seen + seven, False)


def answer(dice: str, total: int | None, sevens: int) -> Answer:
    """What a roll does; without a total it is the first of a round."""
    after = roll(total or 0, sevens, total is None, dice)
    if after.ended:
        return Answer(["The fourth seven: the round is over and the total is lost (R3.4)."], after._asdict())
    rule = "R3.3" if after.sevens > sevens else "R3.5"
    if len(set(read_dice(dice) or ())) == 1:
        rule = "R3.1" if total is None else "R3.2"
    now = "one seven" if after.sevens == 1 else f"{after.sevens} sevens"
    grows = f"The total grows by {after.total - (total or 0):,} to {after.total:,}, with {now} ({rule})."
    return Answer([grows], after._asdict())


QUESTION = Question(
    "Show what a roll does: the new total, the sevens, and whether the round is over.",
    "'3 4' --total 325 --sevens 2",
    (Argument("dice", "words"),),
    answer,
    (
        Number("total", "The total before the roll; leave it out for the first roll", None, high=10**18),
        Number("sevens", "Sevens before the roll", 0),
    ),
)
