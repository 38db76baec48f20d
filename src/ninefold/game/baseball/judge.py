"""Judges a hand of Baseball without a match, for `ninefold judge`."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from ninefold.game.baseball import FACTS, fields, hands
from ninefold.kernel.cards import WITH_JOKERS as DECK
from ninefold.kernel.cards import check_number
from ninefold.kernel.compile import python_function
from ninefold.kernel.errors import RuleError
from ninefold.model.judge import Answer, Argument, Question
from ninefold.model.text import join

__all__ = ["Hand", "hand", "points"]

ROWS = 3
_clears = python_function(hands.clears)


class Hand(NamedTuple):
    """A hand laid out in three rows: what clears, and what is left."""

    rows: list[list[str]]  # ranks
    cleared: list[int]  # columns, the leftmost being 1
    points: int


def points(cards: str | Iterable[str]) -> int:
    """The sum of cards such as `K K 3 JK 7 Q 2 A A`, ignoring columns."""
    return _sum(DECK.read_hand(cards, decks=fields.MOST_DECKS))


def hand(cards: str | Iterable[str], clear_jokers: bool = True) -> Hand:
    """Nine cards row by row, or three rows with `/` between them: the columns that clear, and the points.

    All cards count as face up, as they are at the end of a game.
    """
    rows = _rows(cards)
    columns = dict(enumerate(zip(*rows, strict=True), start=1))
    cleared = [number for number, (a, b, c) in columns.items() if _clears(a, b, c, int(clear_jokers))]
    left = [rank for number, column in columns.items() if number not in cleared for rank in column]
    return Hand([[DECK.rank_text(rank) for rank in row] for row in rows], cleared, _sum(left))


def _sum(ranks: Iterable[int]) -> int:
    return sum(int(fields.VALUE[rank]) for rank in ranks)


def _rows(cards: str | Iterable[str]) -> list[list[int]]:
    ranks = DECK.read_hand(cards, decks=fields.MOST_DECKS)
    if isinstance(cards, str) and "/" in cards:
        rows = [DECK.read_hand(row, decks=fields.MOST_DECKS) for row in cards.split("/")]
        if len(rows) != ROWS or len({len(row) for row in rows}) != 1 or not 1 <= len(rows[0]) <= 3:
            raise RuleError(f"a hand has three rows of one to three cards, all equally long, not {cards!r}")
        return rows
    check_number(ranks, fields.PLACES)
    return [ranks[row * ROWS : (row + 1) * ROWS] for row in range(ROWS)]


def answer(cards: str, clear_jokers: bool) -> Answer:
    """The points of some cards; of nine, or of three rows, also as they lie in columns."""
    total = points(cards)
    if "/" not in cards and len(DECK.read_hand(cards, fields.MOST_DECKS)) != 9:
        return Answer([f"{_points(total)} (R1.2)."], {"sum": total, "points": total})
    laid = hand(cards, clear_jokers)
    rows = ["  " + " ".join(f"{rank:>2}" for rank in row) for row in laid.rows]
    return Answer([*rows, _verdict(laid, total)], {"sum": total, **laid._asdict()})


def _verdict(laid: Hand, total: int) -> str:
    if not laid.cleared:
        return f"{_points(total)} (R1.2); no column clears."
    one = len(laid.cleared) == 1
    columns = join([f"{column} ({laid.rows[0][column - 1]})" for column in laid.cleared])
    clears = f"Column {columns} clears" if one else f"Columns {columns} clear"
    remain = "remains" if abs(laid.points) == 1 else "remain"
    return f"{clears} (R4.1): {_points(laid.points)} {remain} ({total} before)."


def _points(number: int) -> str:
    return f"{number} point" if abs(number) == 1 else f"{number} points"


QUESTION = Question(
    "Add up CARDS. Nine cards, or three rows with `/` between them, are also laid out in columns.",
    "'K K 3 / JK 7 Q / 2 A A'",
    (Argument("cards", "words"),),
    answer,
    (FACTS.option("clear_jokers"),),
)
