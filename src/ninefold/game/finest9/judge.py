"""Lists what some cards allow at a roll in Finest 9, without a match, for `ninefold judge`."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ninefold.game.finest9 import FACTS, rules
from ninefold.game.finest9.matching import BOXCARS, REROLL, find
from ninefold.game.finest9.rows import taken, worth
from ninefold.kernel.cards import STANDARD
from ninefold.kernel.errors import RuleError
from ninefold.kernel.fields import blank, layout
from ninefold.model.facts import whole
from ninefold.model.judge import Answer, Argument, Question

__all__ = ["Capture", "matches"]


class Capture(NamedTuple):
    """Ranks that may be captured together, from 2 to A, and their points."""

    ranks: list[str]
    points: int


def matches(cards: str | list[str], total: int, **options: object) -> list[Capture]:
    """Every capture that cards such as `"9 9 7"` allow for a total of the dice, in the order of the moves.

    Suits may be left out; options are those of the game. A total of 9 is rolled again and matches nothing.
    """
    return _matches(cards, total, options)


def _matches(cards: str | list[str], total: int, options: dict[str, object]) -> list[Capture]:
    rolled = whole(total)
    if rolled is None or not 2 <= rolled <= BOXCARS:
        raise RuleError(f"two dice total 2 to 12, not {total!r}")
    s = _laid_out(STANDARD.read_hand(cards), options)
    if rolled == REROLL:
        return []
    find(s, 0, rolled)
    s.actor = 0
    spans = np.empty((FACTS.spans, 2), np.int64)
    found = []
    for low, high in spans[: rules.legal(s, 0, spans)]:
        for action in range(int(low), int(high) + 1):
            going = taken(s, 0, action)
            ranks = [STANDARD.rank_text(card >> 2) for card in going]
            found.append(Capture(ranks, worth(going)))
    return found


def _laid_out(ranks: list[int], options: dict[str, object]) -> Any:
    """A position in which seat 0 has cards of these ranks."""
    s = blank(layout(rules.FIELDS, FACTS.capacities[-1]))
    s.players = FACTS.players[0]
    _, settings = FACTS.settings(FACTS.players[0], options)
    for option in FACTS.options:
        option.fill(s, settings[option.name])
    rules.begin(s)
    for rank in ranks:
        suit = next(suit for suit in range(4) if int(s.deck) >> (4 * rank + suit) & 1)
        rules.put_down(s, 0, 4 * rank + suit)
    return s


def answer(cards: str, total: int, options: dict[str, object]) -> Answer:
    """What some cards allow for a total of the dice, in words."""
    found = _matches(cards, total, options)
    data = [capture._asdict() for capture in found]
    if total == REROLL:
        return Answer(["A 9 is rolled again (R3.2)."], data)
    if not found:
        return Answer(["No match: draw a card, or pass if the deck is empty (R3.4, R5.2)."], data)
    return Answer([f"{' '.join(capture.ranks)}: {capture.points} points" for capture in found], data)


QUESTION = Question(
    "Show which captures CARDS allow when the dice show TOTAL, and what each scores.",
    "'9 9 7' 7 -o nines=all",
    (Argument("cards", "words"), Argument("total", "number")),
    answer,
    settings=True,
)
