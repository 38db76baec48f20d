"""Ask the rules of Finest 9 what some cards allow at a roll, without a match: `ninefold judge` does."""

from __future__ import annotations

import json
from typing import Any, NamedTuple

import click
import numpy as np

from ninefold.game.finest9 import FACTS, rules, table
from ninefold.game.finest9.matching import BOXCARS, REROLL, find
from ninefold.kernel.cards import PLAIN
from ninefold.kernel.errors import RuleError
from ninefold.kernel.facts import whole
from ninefold.kernel.fields import blank, layout


class Capture(NamedTuple):
    """Ranks that may be taken together, from 2 to A, and what they are worth."""

    ranks: list[str]
    points: int


def matches(cards: str | list[str], total: int, **options: object) -> list[Capture]:
    """Every capture that cards such as `"9 9 7"` allow for a total of the dice, in the order of the moves.

    Suits may be left out; options are those of the game. A total of 9 is rolled again and matches nothing.
    """
    rolled = whole(total)
    if rolled is None or not 2 <= rolled <= BOXCARS:
        raise RuleError(f"two dice total 2 to 12, not {total!r}")
    s = _laid_out(PLAIN.read_hand(cards), options)
    if rolled == REROLL:
        return []
    find(s, 0, rolled)
    s.actor = 0
    spans = np.empty((FACTS.spans, 2), np.int64)
    found = []
    for low, high in spans[: rules.legal(s, 0, spans)]:
        for action in range(int(low), int(high) + 1):
            going = table.taken(s, 0, action)
            ranks = [PLAIN.rank_text(card >> 2) for card in going]
            found.append(Capture(ranks, table.worth(going)))
    return found


def _laid_out(ranks: list[int], options: dict[str, object]) -> Any:
    """A record in which cards of these ranks lie before seat 0."""
    s = blank(layout(rules.FIELDS, FACTS.capacities[-1]))
    s.players = FACTS.players[0]
    known = {option.name: option for option in FACTS.options}
    for name in options:
        if name not in known:
            raise RuleError(f"{FACTS.title} has no option {name!r}; the options are {', '.join(known)}")
    for name, option in known.items():
        option.fill(s, option.value(options.get(name, option.default)))
    rules.begin(s)
    for rank in ranks:
        suit = next(suit for suit in range(4) if int(s.deck) >> (4 * rank + suit) & 1)
        rules.put_down(s, 0, 4 * rank + suit)
    return s


@click.command(epilog="Example: ninefold judge finest9 '9 9 7' 7 -o nines=all")
@click.argument("cards", nargs=-1, required=True)
@click.argument("total", type=int)
@click.option("--option", "-o", "pairs", multiple=True, metavar="NAME=VALUE", help="An option of the game.")
@click.option("--json", "json_", is_flag=True, help="As JSON.")
def command(cards: tuple[str, ...], total: int, pairs: tuple[str, ...], json_: bool) -> None:
    """Say what CARDS before a player allow when the dice TOTAL so much, and what each capture scores."""
    options: dict[str, object] = {}
    for pair in pairs:
        name, equals, given = pair.partition("=")
        if not equals:
            raise RuleError(f"an option is given as NAME=VALUE, not {pair!r}")
        options[name.strip()] = given.strip()
    found = matches(" ".join(cards), total, **options)
    if json_:
        click.echo(json.dumps([capture._asdict() for capture in found]))
        return
    if total == REROLL:
        click.echo("A 9 is rolled again (R3.2).")
    elif not found:
        click.echo("No match: draw a card, or pass if the deck is empty (R3.4, R5.2).")
    for capture in found:
        click.echo(f"{' '.join(capture.ranks)}: {capture.points} points")
