"""Ask how good seven cards are, one hand at a time or by the million: `ninefold judge holdem9` does."""

from __future__ import annotations

import json
from typing import Any

import click
import numpy as np

from ninefold.game.holdem9.hands import BEST, HAND, KEY, strength_of
from ninefold.game.holdem9.odds import odds
from ninefold.game.holdem9.showing import Verdict, in_words, verdict
from ninefold.kernel.cards import PLAIN, check_number
from ninefold.kernel.compile import kernel
from ninefold.kernel.errors import RuleError

__all__ = ["Verdict", "command", "judge", "odds", "strengths"]

RANKS = len(PLAIN.ranks)
_FIVE = sum(3 << 4 * rank for rank in range(RANKS))  # added to numbers of ranks, it carries where there are 5
_CARRY = sum(8 << 4 * rank for rank in range(RANKS))


def judge(cards: str | list[str]) -> Verdict:
    """What seven cards such as `"K K J 7 9 2 10"` are worth. Suits may be left out; they never matter."""
    ranks = PLAIN.read_hand(cards)
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
    """Judge every row; the number of the first that is no hand, or -1."""
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


@click.command(epilog="Example: ninefold judge holdem9 K K J 7 9 2 10")
@click.argument("cards", nargs=-1, required=True)
@click.option("--json", "json_", is_flag=True, help="As JSON.")
def command(cards: tuple[str, ...], json_: bool) -> None:
    """Say how many nines seven CARDS make, with which groups, and how strong the hand is."""
    found = judge(" ".join(cards))
    if json_:
        click.echo(json.dumps(found._asdict()))
        return
    words = in_words(found)
    click.echo(f"{words[0].upper()}{words[1:]} (R5.3).")
    click.echo(f"Strength {found.strength:,} of {BEST:,}: the higher wins, equal ones split (R5.5).")
