"""Ask the rules of Doubles about one roll, without a match: the score card and `ninefold judge` do."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import NamedTuple

import click

from ninefold.game.doubles import rules
from ninefold.kernel.compile import plain
from ninefold.kernel.dice import read_dice
from ninefold.kernel.errors import RuleError
from ninefold.kernel.facts import whole

_effect = plain(rules.effect)  # Python's integers have no ceiling, and a real table has none either


class Roll(NamedTuple):
    """What a roll left behind."""

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
        raise RuleError(f"a round goes on with 0 to 3 sevens, not {sevens!r}")
    if had is None or had < 0:
        raise RuleError(f"a total is a whole number and never below 0, not {total!r}")
    if first and (had or seen):
        raise RuleError(f"before the first roll total and sevens are 0, not {had} and {seen}")
    gain, seven = _effect(had, bool(first), *faces)
    if seen + seven == rules.LAST_SEVEN:
        return Roll(0, rules.LAST_SEVEN, True)
    return Roll(had + gain, seen + seven, False)


@click.command(epilog="Example: ninefold judge doubles '3 4' --total 325 --sevens 2")
@click.argument("dice")
@click.option(
    "--total", type=int, default=None, help="The total before the roll; without it, the first roll."
)
@click.option("--sevens", type=int, default=0, show_default=True, help="Sevens before the roll.")
@click.option("--json", "json_", is_flag=True, help="As JSON.")
def command(dice: str, total: int | None, sevens: int, json_: bool) -> None:
    """Say what a roll does: the new total, the sevens, and whether the round is over."""
    after = roll(total or 0, sevens, total is None, dice)
    if json_:
        click.echo(json.dumps(after._asdict()))
    elif after.ended:
        click.echo("The fourth seven: the round is over and the total is lost (R3.4).")
    else:
        gain, seven = after.total - (total or 0), after.sevens - sevens
        rule = "R3.3" if seven else "R3.5"
        if len(set(read_dice(dice) or ())) == 1:
            rule = "R3.1" if total is None else "R3.2"
        sevens_now = "one seven" if after.sevens == 1 else f"{after.sevens} sevens"
        click.echo(f"The total grows by {gain:,} to {after.total:,}, with {sevens_now} ({rule}).")
