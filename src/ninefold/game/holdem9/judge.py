"""Judges seven cards, one hand at a time or millions at once, for `ninefold judge holdem9`."""

from __future__ import annotations

from typing import Any

import numpy as np

from ninefold.game.holdem9.hands import BEST, HAND, KEY, strength_of
from ninefold.game.holdem9.odds import odds
from ninefold.game.holdem9.verdict import Verdict, in_words, verdict
from ninefold.kernel.cards import STANDARD, check_number
from ninefold.kernel.compile import kernel
from ninefold.kernel.errors import RuleError
from ninefold.model.judge import Answer, Argument, Question

__all__ = ["Verdict", "judge", "odds", "strengths"]

RANKS = len(STANDARD.ranks)
_FIVE = sum(3 << 4 * rank for rank in range(RANKS))  # added to counts of ranks, it carries if a count is 5
_CARRY = sum(8 << 4 * rank for rank in range(RANKS))


def judge(cards: str | list[str]) -> Verdict:
    """What seven cards such as `"K K J 7 9 2 10"` are worth. Suits may be left out; they never matter."""
    ranks = STANDARD.read_hand(cards)
    check_number(ranks, HAND, what="a hand to be judged")
    return verdict(ranks)


def strengths(values: Any) -> Any:
    """The strengths of many hands, an array of shape (n, 7) of values 1 (ace) to 13 (king)."""
    hands = np.asarray(values)
    if hands.ndim != 2 or hands.shape[1] != HAND:
        raise RuleError(f"hands are an array of shape (n, {HAND}), not {hands.shape}")
    if hands.dtype.kind not in "iu":
        raise RuleError(f"cards are whole numbers from 1 to {RANKS}, not {hands.dtype}")
    out = np.empty(len(hands), np.int16)
    bad = int(_judge_all(hands, out))
    if bad >= 0:
        row = [int(value) for value in hands[bad]]
        if all(1 <= value <= RANKS for value in row):
            raise RuleError(f"hand {bad} has five cards of one value: {row}")
        raise RuleError(f"cards are values from 1 to {RANKS}; hand {bad} is {row}")
    return out


@kernel
def _judge_all(hands: Any, out: Any) -> int:
    """Judge every row; returns the number of the first that is not a hand, or -1."""
    for row in range(len(hands)):
        key = 0
        numbers: Any = 0
        fine: Any = True
        for place in range(HAND):
            rank = np.int64(hands[row, place]) - 1
            fine &= 0 <= rank < RANKS
            rank *= fine
            key += KEY[rank]
            numbers += np.int64(1) << (4 * rank)
        if not fine or (numbers + _FIVE) & _CARRY != 0:
            return row
        out[row] = strength_of(key)
    return -1


def answer(cards: str) -> Answer:
    """How many nines seven cards make, in words."""
    found = judge(cards)
    words = in_words(found)
    strength = f"Strength {found.strength:,} of {BEST:,}: the higher strength wins, equal hands split (R5.5)."
    return Answer([f"{words[0].upper()}{words[1:]} (R5.3).", strength], found._asdict())


QUESTION = Question(
    "Show how many nines seven CARDS make, with which groups, and how strong the hand is.",
    "K K J 7 9 2 10",
    (Argument("cards", "words"),),
    answer,
)
