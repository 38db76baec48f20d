"""The command line. Imports nothing heavy until a command needs it: `ninefold --help` must be quick.

Answers go to stdout, everything else to stderr. Errors are one line and exit status 2, never a traceback.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from contextlib import suppress
from typing import Any

import click

from ninefold import __version__
from ninefold.kernel.errors import NinefoldError

EXAMPLES = """\b
Examples:
  ninefold games
  ninefold rules doubles
  ninefold play baseball
  ninefold serve
  ninefold simulate doubles --bots hard,threshold:400,random --games 1M
  ninefold score doubles Ann Bob Cy
"""


class House(click.Group):
    """The command group; commands with much behind them are loaded when they are asked for."""

    lazy = {  # noqa: RUF012 (never changed)
        "history": ("ninefold.terminal.command", "List the matches played here, and how they ended."),
        "learn": ("ninefold.terminal.command", "Learn a game by playing it."),
        "odds": ("ninefold.game.holdem9.odds_command", "Say how often hands of Multiple 9 Hold'em win."),
        "play": ("ninefold.terminal.command", "Play a game in the terminal."),
        "replay": ("ninefold.terminal.command", "Look at a recorded match, move by move."),
        "serve": ("ninefold.server.command", "Open the house: play in the browser with friends and bots."),
        "score": ("ninefold.scorecard.command", "Keep score at a real table."),
    }

    def list_commands(self, ctx: click.Context) -> list[str]:
        return sorted([*super().list_commands(ctx), *self.lazy])

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        if name in self.lazy:
            from importlib import import_module

            command = getattr(import_module(self.lazy[name][0]), name)
            assert isinstance(command, click.Command)
            return command
        return super().get_command(ctx, name)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        rows = [(name, self._line(ctx, name)) for name in self.list_commands(ctx)]
        with formatter.section("Commands"):
            formatter.write_dl(rows)

    def _line(self, ctx: click.Context, name: str) -> str:
        if name in self.lazy:
            return self.lazy[name][1]
        command = self.get_command(ctx, name)
        return command.get_short_help_str(limit=200) if command else ""


@click.group(
    cls=House,
    epilog=EXAMPLES,
    invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"]},
)
@click.version_option(__version__, prog_name="ninefold")
@click.pass_context
def cli(context: click.Context) -> None:
    """One house for games of nines: play, keep score, ask the rules, simulate."""
    if context.invoked_subcommand is None:
        from ninefold.terminal.command import full_screen

        if full_screen():
            _at_home()
        else:
            click.echo(context.get_help())


def _at_home() -> None:
    """Choose, do it, come back, until somebody leaves."""
    from ninefold.terminal.command import own_signs
    from ninefold.terminal.home import Home

    while command := Home(own_signs()).run():
        status = main(command)
        if status not in (0, 130) or command[0] != "play":
            click.pause()


def as_json(value: object) -> None:
    import json

    click.echo(json.dumps(value, indent=2, ensure_ascii=False))


@cli.command(epilog="Example: ninefold games --json")
@click.option("--json", "json_", is_flag=True, help="As JSON, with every option and bot.")
def games(json_: bool) -> None:
    """List the games."""
    from ninefold.engine import registry

    sheets = [registry.facts(name) for name in registry.games()]
    if not json_:
        width = max(len(sheet.name) for sheet in sheets)
        for sheet in sheets:
            low, high = sheet.players
            click.echo(f"{sheet.name.ljust(width)}  {sheet.title} ({low}–{high:,} players): {sheet.line}")
        return
    as_json(
        [
            {
                "name": sheet.name,
                "title": sheet.title,
                "line": sheet.line,
                "version": sheet.version,
                "players": list(sheet.players),
                "options": [
                    {
                        "name": option.name,
                        "label": option.label,
                        "allowed": option.allowed,
                        "default": option.standard(sheet.usual_players),
                    }
                    for option in sheet.options
                ],
                "bots": [{"name": bot.name, "line": bot.line} for bot in sheet.bots],
            }
            for sheet in sheets
        ]
    )


@cli.command(epilog="Example: ninefold rules doubles | less")
@click.argument("game")
def rules(game: str) -> None:
    """Show a game's numbered rules, its options and its bots."""
    from ninefold.engine import registry

    sheet = registry.facts(game)
    page = registry.rules_page(game)
    lines = [
        f"- `{option.name}`: {option.label}. {option.allowed.capitalize()}; usually "
        f"{option.standard(sheet.usual_players)}."
        for option in sheet.options
    ]
    bots = [f"- `{bot.name}{':N' * len(bot.parameters)}`: {bot.line}" for bot in sheet.bots]
    text = "\n".join([page.rstrip(), "", "## Options", "", *lines, "", "## Bots", "", *bots, ""])
    if sys.stdout.isatty():
        from rich.console import Console
        from rich.markdown import Markdown

        Console(width=min(100, Console().width)).print(Markdown(text))
    else:
        click.echo(text, nl=False)


@cli.command(
    epilog="Example: ninefold judge doubles '3 4' --total 325 --sevens 2",
    context_settings={"ignore_unknown_options": True},
    add_help_option=False,
)
@click.argument("game")
@click.argument("asked", nargs=-1, type=click.UNPROCESSED)
@click.pass_context
def judge(context: click.Context, game: str, asked: tuple[str, ...]) -> None:
    """Ask what the rules say: `ninefold judge GAME …`.

    What may be asked depends on the game; `ninefold judge GAME --help` tells.
    """
    from ninefold.engine import registry

    if game in ("-h", "--help"):
        click.echo(context.get_help())
        return
    command = registry.judge(game).command
    command.main(args=list(asked), prog_name=f"ninefold judge {game}", standalone_mode=False)


class Amount(click.ParamType):  # type: ignore[type-arg] # older clicks have no parameter here
    """A whole number that may end in k, M or G."""

    name = "N"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        text = str(value).strip().replace("_", "").replace(",", "")
        scale = {"k": 10**3, "m": 10**6, "g": 10**9}.get(text[-1:].lower(), 1)
        digits = text[:-1] if scale > 1 else text
        try:
            number = float(digits) * scale if "." in digits and scale > 1 else int(digits) * scale
        except ValueError:
            number = 0
        if number < 1 or number != int(number):
            self.fail(
                f"a number of games is a whole number from 1 up, such as 5000, 10k or 2M, not {value!r}",
                param,
                ctx,
            )
        return int(number)


def read_options(pairs: Sequence[str]) -> dict[str, object]:
    """Options of a game given as NAME=VALUE."""
    from ninefold.kernel.errors import RuleError

    options: dict[str, object] = {}
    for pair in pairs:
        name, equals, value = pair.partition("=")
        if not equals:
            raise RuleError(f"an option is given as NAME=VALUE, not {pair!r}")
        options[name.strip()] = value.strip()
    return options


@cli.command(
    epilog="Example: ninefold simulate doubles --bots hard,threshold:400,random --games 10M --option rounds=6"
)
@click.argument("game")
@click.option("--bots", default=None, help="Names with commas, one a seat.")
@click.option("--players", type=int, default=None, help="Seats; the bots are seated again and again.")
@click.option("--games", type=Amount(), default="10k", show_default=True, help="How many: 5000, 10k, 2M.")
@click.option("--seed", type=int, default=None, help="For the same games again.")
@click.option("--limit", type=int, default=None, help="Turns after which a game counts as unfinished.")
@click.option("--threads", type=int, default=None, help="The number of cores to use; all of them by default.")
@click.option("--option", "-o", "pairs", multiple=True, metavar="NAME=VALUE", help="An option of the game.")
@click.option(
    "--plot", type=click.Path(dir_okay=False), default=None, help="Write a picture (.png, .svg, .pdf)."
)
@click.option("--json", "json_", is_flag=True, help="As JSON.")
@click.option("--quiet", "-q", is_flag=True, help="No progress bar.")
def simulate(
    game: str,
    bots: str | None,
    players: int | None,
    games: int,
    seed: int | None,
    limit: int | None,
    threads: int | None,
    pairs: tuple[str, ...],
    plot: str | None,
    json_: bool,
    quiet: bool,
) -> None:
    """Play many games between bots and say what came of them."""
    from ninefold.engine import registry
    from ninefold.simulation.progress import shown
    from ninefold.simulation.run import Simulation
    from ninefold.simulation.warm import notice

    sheet = registry.facts(game)
    names = ["medium"] if bots is None else [name.strip() for name in bots.split(",")]
    seats = sheet.usual_players if players is None and bots is None else players
    simulation = Simulation(game, names, games, seed, limit, threads, seats, read_options(pairs))
    notice(simulation.game, quiet)
    with shown(games, quiet) as progress:
        result = simulation.run(progress, keep=True)
    click.echo(result.json() if json_ else result.table())
    if plot:
        result.plot(plot)
    if result.interrupted:
        sys.exit(130)


@cli.command(epilog="Example: ninefold verify match.json")
@click.argument("file", type=click.Path())
@click.option("--json", "json_", is_flag=True, help="As JSON.")
def verify(file: str, json_: bool) -> None:
    """Check a record: that it is whole, and that its dice and cards were drawn as promised."""

    from ninefold.engine import records
    from ninefold.kernel.errors import RecordError
    from ninefold.proof import verify as check

    record = records.load(file)
    try:
        found = check(record)
    except RecordError as error:
        click.echo(f"ninefold: {error}", err=True)
        sys.exit(3)
    if json_:
        as_json(
            {"moves": found.moves, "draws": found.draws, "checked": found.checked, "proved": found.proved}
        )
        return
    click.echo(f"The record is whole: {found.moves:,} moves and {found.draws:,} draws lead to its result.")
    if not found.proved:
        click.echo("It carries no proof of its draws.")
    elif found.checked == found.draws:
        click.echo("Every draw is the one that was promised before it.")
    else:
        kept = found.draws - found.checked
        click.echo(
            f"{found.checked:,} draws are those promised before them; {kept:,} cannot be made again without "
            "showing cards that were never shown."
        )


@cli.command(epilog="Example: ninefold warm")
@click.argument("game", nargs=-1)
def warm(game: tuple[str, ...]) -> None:
    """Compile the rules ahead of their first use."""
    from ninefold.engine import registry
    from ninefold.simulation.warm import warm as compile_all

    names = list(game) or registry.games()
    for name in names:
        registry.facts(name)
    compile_all(names)


@cli.command(epilog="Example: ninefold demo doubles --bots hard,medium --seed 4")
@click.argument("game", nargs=-1)
@click.option("--bots", default=None, help="Names with commas, one a seat.")
@click.option("--seed", type=int, default=None, help="For the same match again.")
@click.option("--option", "-o", "pairs", multiple=True, metavar="NAME=VALUE", help="An option of the game.")
@click.option(
    "--record", type=click.Path(dir_okay=False), default=None, help="Write the match's record here."
)
def demo(
    game: tuple[str, ...], bots: str | None, seed: int | None, pairs: tuple[str, ...], record: str | None
) -> None:
    """Let bots play one match of a game, or of every game, and tell it."""
    from ninefold.demo import tell_match
    from ninefold.engine import registry

    seated = None if bots is None else [name.strip() for name in bots.split(",")]
    for name in game or registry.games():
        registry.facts(name)
        tell_match(name, seated, seed, read_options(pairs), record)


@cli.command(epilog="Example: ninefold bench --json")
@click.option("--json", "json_", is_flag=True, help="As JSON.")
@click.option("--quick", is_flag=True, help="A few seconds instead of a minute.")
def bench(json_: bool, quick: bool) -> None:
    """Measure how fast this machine plays (`make bench` compares with other programs)."""
    from ninefold.simulation.bench import measure, table

    figures = measure(quick)
    if json_:
        as_json(figures)
    else:
        click.echo(table(figures))


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; the exit status."""
    _mend_streams()
    try:
        status = cli.main(args=arguments, prog_name="ninefold", standalone_mode=False)
        sys.stdout.flush()
        return status if isinstance(status, int) else 0
    except click.ClickException as error:
        return _fail(error.format_message())
    except NinefoldError as error:
        return _fail(str(error))
    except (click.Abort, KeyboardInterrupt):
        return 130
    except SystemExit as leaving:
        # Click answers a closed pipe with status 1; nothing of ours leaves with that.
        return _closed_pipe() if leaving.code == 1 else int(leaving.code or 0)
    except BrokenPipeError:
        return _closed_pipe()
    except OSError as error:
        return _fail(f"{error.filename or 'the disk'}: {error.strerror}")


def _mend_streams() -> None:
    """A closed stream is an empty one, and a narrow alphabet is no reason to fail."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        stream = getattr(sys, name)
        if stream is None:
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: SIM115, PTH123 (for the whole run)
        elif mode == "w" and hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")


def _closed_pipe() -> int:
    """Nobody reads any more: leave quietly, as other programs do."""
    with suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return 141


def _fail(sentence: str) -> int:
    click.echo(f"ninefold: {sentence}", err=True)
    return 2
