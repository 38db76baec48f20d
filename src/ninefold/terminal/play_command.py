"""`ninefold play`: start or resume a match, and play it full screen or in plain lines."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

from ninefold.model.facts import read_options
from ninefold.terminal.console import full_screen, own_signs, read_line, say_line

if TYPE_CHECKING:
    from ninefold.terminal.table import Table

LATEST = "\0latest"
PACES = ["slow", "normal", "fast", "instant"]


@click.command(
    epilog="""\b
Examples:
  ninefold play baseball                     you against three medium bots
  ninefold play doubles Ann Bob --bots hard  two people at one screen, and a bot
  ninefold play --resume                     continue the latest match
"""
)
@click.argument("game", required=False)
@click.argument("names", nargs=-1)
@click.option("--bots", default=None, help="Bots, comma-separated, such as hard,easy,medium.")
@click.option("--players", type=int, default=None, help="Number of players; bots fill the empty seats.")
@click.option("--option", "-o", "pairs", multiple=True, metavar="NAME=VALUE", help="An option of the game.")
@click.option("--seed", type=int, default=None, help="Repeat the same deals.")
@click.option(
    "--resume",
    is_flag=False,
    flag_value=LATEST,
    default=None,
    help="Continue a saved match, or the latest one.",
)
@click.option(
    "--pace", type=click.Choice(PACES), default="normal", show_default=True, help="How fast bots play."
)
@click.option("--plain", is_flag=True, help="Plain lines, for screen readers and pipes.")
@click.option(
    "--pulse",
    is_flag=True,
    help="In games where everyone plays at once: moves are sealed and opened together.",
)
def play(
    game: str | None,
    names: tuple[str, ...],
    bots: str | None,
    players: int | None,
    pairs: tuple[str, ...],
    seed: int | None,
    resume: str | None,
    pace: str,
    plain: bool,
    pulse: bool,
) -> None:
    """Play a game in the terminal, against bots or with others at one screen."""
    if resume is not None:
        if names or bots or players or pairs or seed is not None:
            raise click.UsageError("--resume continues a match as it is; leave out names, bots and options")
        # `--resume doubles` reads as an argument of --resume; `play doubles --resume` means the same
        sit_down(_resume("" if resume == LATEST else resume or game or ""), pace, plain, pulse)
        return
    if game is None:
        raise click.UsageError("which game? `ninefold games` lists them")
    while True:
        table = _begin(game, names, bots, players, read_options(pairs), seed)
        if sit_down(table, pace, plain, pulse) != "again":
            return


def _resume(name: str) -> Table:
    from ninefold.terminal import saves

    return saves.resume(saves.locate(name, unfinished=True))


def _begin(
    name: str,
    people: tuple[str, ...],
    bots: str | None,
    players: int | None,
    options: dict[str, object],
    seed: int | None,
) -> Table:
    from ninefold.engine import registry
    from ninefold.engine.bots import find_bot
    from ninefold.engine.game import Game
    from ninefold.simulation.warmup import is_cold, warm
    from ninefold.terminal import saves
    from ninefold.terminal.seating import seat_all

    sheet = registry.facts(name)
    seated = seat_all(list(people), bots, players, sheet.usual_players)
    for seat in seated:
        if seat.bot:
            find_bot(name, seat.bot)
    game = Game(name, len(seated), options)
    if is_cold(game):  # before the table opens: a screen that freezes for seconds looks broken
        warm([name])
    table, _ = saves.begin(game, seated, seed)
    table.begin()
    return table


def sit_down(table: Table, pace: str, plain: bool, pulse: bool = False) -> str:
    """Play a match full screen, or as lines if that is not possible; returns how it was left."""
    drawn = full_screen() and not plain
    if table.realtime:
        table.keep_time(drawn and len(table.people) == 1 and not pulse, pace)
    try:
        left = _draw(table, pace) if drawn else _in_lines(table)
    finally:
        table.close()
    if left == "left":
        click.echo("Saved. Continue with: ninefold play --resume", err=not sys.stdout.isatty())
    return left


def _draw(table: Table, pace: str) -> str:
    from ninefold.terminal.app import TableApp

    app = TableApp(table, pace, own_signs())
    left = app.run() or "left"
    if app.return_code:
        sys.exit(app.return_code)
    return left


def _in_lines(table: Table) -> str:
    from ninefold.terminal.lines import LineTable

    try:
        return "over" if LineTable(table, read_line, say_line).run() else "left"
    except KeyboardInterrupt:
        click.echo()
        return "left"
