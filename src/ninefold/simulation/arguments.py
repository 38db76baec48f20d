"""The arguments of commands that simulate."""

from __future__ import annotations

import re
from decimal import Decimal
from typing import Any

import click


def amount(text: str) -> int:
    """A whole number that may end in k, M or G."""
    found = re.fullmatch(r"([0-9_,]*\.?[0-9]+)([kmg]?)", text.strip().lower())
    if found:
        number = Decimal(re.sub("[_,]", "", found[1])) * {"": 1, "k": 10**3, "m": 10**6, "g": 10**9}[found[2]]
        if number >= 1 and number == int(number):
            return int(number)
    raise click.BadParameter(
        f"a number of games is a whole number from 1 up, such as 5000, 10k or 2M, not {text!r}"
    )


cluster_option = click.option(
    "--cluster",
    is_flag=False,
    flag_value="auto",
    default=None,
    metavar="[ADDRESS]",
    help="Play on a Ray cluster: the one that runs here, or the one at this address.",
)


def game_name(_: click.Context, __: click.Parameter, given: Any) -> Any:
    """Let people spell a game's name as they like: `Doubles`, `9 of a kind`, `holdem`."""
    from ninefold.engine.registry import find_game

    if isinstance(given, tuple):
        return tuple(find_game(text) for text in given)
    return given if given is None else find_game(given)
