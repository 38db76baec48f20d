"""`ninefold play`: start or resume a match, and play it full screen or in plain lines."""

from __future__ import annotations

import sys

import click

from ninefold.engine import registry
from ninefold.engine.game import Game, read_seed
from ninefold.engine.registry import find_game
from ninefold.kernel.errors import RuleError
from ninefold.model.cast import LEVELS
from ninefold.model.facts import read_options
from ninefold.simulation.warmup import is_cold, warm
from ninefold.terminal import saves
from ninefold.terminal.console import full_screen, own_signs, read_line, say_line
from ninefold.terminal.lines import LineTable
from ninefold.terminal.seating import seat_all
from ninefold.terminal.table import Table

LATEST = "\0latest"
PACES = ["slow", "normal", "fast", "instant"]


@click.command(
    epilog="""\b
Examples:
  ninefold play baseball                     you against three bots with names
  ninefold play baseball --level hard        the same, against better ones
  ninefold play doubles --bots ada,bo:hard   choose whom you play against
  ninefold play doubles Ann Bob --bots hard  two at one screen, and a bot
  ninefold play --resume                     continue the latest match
"""
)
@click.argument("game", required=False)
@click.argument("names", nargs=-1)
@click.option("--bots", default=None, help="Bots, comma-separated, such as ada,bo:hard,easy.")
@click.option("--level", type=click.Choice(LEVELS), default=None, help="How well the bots play.")
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
    "--pace",
    type=click.Choice(PACES),
    default="normal",
    show_default=True,
    help="How fast bots play. At fast and instant your dice roll by themselves, too.",
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
    level: str | None,
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
        if names or bots or level or players or pairs or seed is not None:
            raise click.UsageError("--resume continues a match as it is; leave out names, bots and options")
        # `--resume doubles` reads as an argument of --resume; `play doubles --resume` means the same
        name = "" if resume == LATEST else resume or game or ""
        path = saves.locate(name, unfinished=True)
        sit_down(saves.resume(path, full_screen() and not plain), pace, plain, pulse)
        return
    if game is None:
        raise RuleError(f"which game? The games are {', '.join(registry.games())}")
    name, left = find_game(game), "again"
    while left == "again":
        table = _begin(name, names, bots, level or "", players, read_options(pairs), seed, plain)
        left, pace = sit_down(table, pace, plain, pulse)


def _begin(
    name: str,
    people: tuple[str, ...],
    bots: str | None,
    level: str,
    players: int | None,
    options: dict[str, object],
    seed: int | None,
    plain: bool,
) -> Table:
    seed = read_seed(seed)
    seated = seat_all(name, list(people), bots, players, seed, level)
    suggested = registry.facts(name).suggestions(len(seated))
    game = Game(name, len(seated), {**suggested, **options})
    for option in suggested.keys() - options.keys():
        standard = game.facts.option(option).standard(len(seated))
        click.echo(f"Playing with {option}={suggested[option]}; -o {option}={standard} changes it.")
    if is_cold(game):  # before the table opens: a screen that freezes for seconds looks broken
        warm([name])
    table, _ = saves.begin(game, seated, seed)
    table.throw_by_hand(full_screen() and not plain)
    table.begin()
    return table


def sit_down(table: Table, pace: str, plain: bool, pulse: bool = False) -> tuple[str, str]:
    """Play a match full screen, or as lines if need be; returns how it was left, and the pace."""
    drawn = full_screen() and not plain
    table.throw_by_hand(drawn)
    if table.realtime:
        table.keep_time(drawn and len(table.people) == 1 and not pulse, pace)
    try:
        left, pace = _draw(table, pace) if drawn else (_in_lines(table), pace)
    finally:
        table.close()
    if left == "left":
        click.echo("Saved. Continue with: ninefold play --resume", err=not sys.stdout.isatty())
    return left, pace


def _draw(table: Table, pace: str) -> tuple[str, str]:
    from ninefold.terminal.app import TableApp

    app = TableApp(table, pace, own_signs())
    left = app.run() or "left"
    if app.return_code:
        sys.exit(app.return_code)
    return left, app.pace


def _in_lines(table: Table) -> str:
    try:
        return "over" if LineTable(table, read_line, say_line).run() else "left"
    except KeyboardInterrupt:
        click.echo()
        return "left"
