"""The arguments of commands that simulate."""

from __future__ import annotations

import re
from collections.abc import Callable
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


def _both(*options: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """Several options as one decorator, in the order in which the help lists them."""

    def add(command: Any) -> Any:
        for option in reversed(options):
            command = option(command)
        return command

    return add


# What `simulate` and `tournament` share: how to play, and what to write.
run_options = _both(
    click.option("--seed", type=int, default=None, help="Repeat the same games."),
    click.option("--limit", type=int, default=None, help="Turns after which a game counts as unfinished."),
    click.option("--threads", type=int, default=None, help="CPU cores to use (default: all)."),
    cluster_option,
)
result_options = _both(
    click.option(
        "--option", "-o", "pairs", multiple=True, metavar="NAME=VALUE", help="An option of the game."
    ),
    click.option(
        "--plot", type=click.Path(dir_okay=False), default=None, help="Write a picture (.png, .svg, .pdf)."
    ),
    click.option("--json", "json_", is_flag=True, help="As JSON."),
    click.option("--quiet", "-q", is_flag=True, help="No progress bar."),
)


def game_name(_: click.Context, __: click.Parameter, given: Any) -> Any:
    """Let people spell a game's name as they like: `Doubles`, `9 of a kind`, `holdem`."""
    from ninefold.engine.registry import find_game

    if isinstance(given, tuple):
        return tuple(find_game(text) for text in given)
    return given if given is None else find_game(given)
