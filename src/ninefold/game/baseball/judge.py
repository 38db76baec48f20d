"""Ask the rules of Baseball about a hand, without a match: the score card and `ninefold judge` do."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import NamedTuple

import click

from ninefold.game.baseball import record, rules
from ninefold.kernel import model
from ninefold.kernel.cards import WITH_JOKERS as DECK
from ninefold.kernel.cards import check_number
from ninefold.kernel.compile import plain
from ninefold.kernel.errors import RuleError

ROWS = 3
_clears = plain(rules.clears)


class Hand(NamedTuple):
    """A hand laid out in three rows: what clears, and what is left."""

    rows: list[list[str]]  # ranks
    cleared: list[int]  # columns, the leftmost being 1
    points: int


def points(cards: str | Iterable[str]) -> int:
    """The plain sum of cards such as `K K 3 JK 7 Q 2 A A`, whatever columns they may form."""
    return _sum(DECK.read_hand(cards, decks=record.MOST_DECKS))


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
    return sum(int(record.VALUE[rank]) for rank in ranks)


def _rows(cards: str | Iterable[str]) -> list[list[int]]:
    ranks = DECK.read_hand(cards, decks=record.MOST_DECKS)
    if isinstance(cards, str) and "/" in cards:
        rows = [DECK.read_hand(row, decks=record.MOST_DECKS) for row in cards.split("/")]
        if len(rows) != ROWS or len({len(row) for row in rows}) != 1 or not 1 <= len(rows[0]) <= 3:
            raise RuleError(f"a hand has three rows of one to three cards, all equally long, not {cards!r}")
        return rows
    check_number(ranks, record.PLACES)
    return [ranks[row * ROWS : (row + 1) * ROWS] for row in range(ROWS)]


@click.command(epilog="Example: ninefold judge baseball 'K K 3 / JK 7 Q / 2 A A'")
@click.argument("cards", nargs=-1, required=True)
@click.option(
    "--clear-jokers",
    type=click.Choice(["on", "off"]),
    default="on",
    show_default=True,
    help="Whether three jokers in a column leave the hand.",
)
@click.option("--json", "json_", is_flag=True, help="As JSON.")
def command(cards: tuple[str, ...], clear_jokers: str, json_: bool) -> None:
    """Add up a hand; nine cards, or three rows with `/` between them, are also laid out in columns."""
    text = " ".join(cards)
    total = points(text)
    laid = hand(text, clear_jokers == "on") if "/" in text or len(DECK.read_hand(text, 16)) == 9 else None
    if json_:
        answer = {"sum": total, **(laid._asdict() if laid else {"points": total})}
        click.echo(json.dumps(answer))
        return
    if laid is None:
        click.echo(f"{_points(total)} (R1.2).")
        return
    for row in laid.rows:
        click.echo("  " + " ".join(f"{rank:>2}" for rank in row))
    click.echo(_verdict(laid, total))


def _verdict(laid: Hand, total: int) -> str:
    if not laid.cleared:
        return f"{_points(total)} (R1.2); no column clears."
    one = len(laid.cleared) == 1
    columns = model.listing([f"{column} ({laid.rows[0][column - 1]})" for column in laid.cleared])
    clears = f"Column {columns} clears" if one else f"Columns {columns} clear"
    return f"{clears} (R4.1): {_points(laid.points)} left of {total}."


def _points(number: int) -> str:
    return f"{number} point" if abs(number) == 1 else f"{number} points"
