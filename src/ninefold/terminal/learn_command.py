"""`ninefold learn`: the lessons of a game, drawn or in words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from ninefold.terminal.console import WIDEST, folded, full_screen, own_signs, read_line, say_line

if TYPE_CHECKING:
    from ninefold.model.view import View


@click.command(epilog="Example: ninefold learn finest9")
@click.argument("game")
@click.option("--plain", is_flag=True, help="Describe the table in words.")
def learn(game: str, plain: bool) -> None:
    """Learn a game by playing a few positions, with explanations."""
    from ninefold.engine import registry
    from ninefold.terminal.tutorial import Tutorial

    registry.facts(game)
    drawn = full_screen() and not plain
    show = _draw if drawn else _describe
    Tutorial(game, read_line, lambda text: say_line(folded(text) if drawn else text), show).run()


def _describe(view: View, names: Sequence[str]) -> None:
    from ninefold.terminal.wording import describe

    for line in describe(view, names):
        say_line(line)


def _draw(view: View, names: Sequence[str]) -> None:
    from rich.console import Console

    from ninefold.terminal.paint import Look, paint

    console = Console()
    for row in paint(view, names, Look(min(WIDEST, console.width), 20, own_signs())):
        console.print(row)
    console.print()
