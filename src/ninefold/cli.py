"""The command line. Imports nothing heavy until a command needs it: `ninefold --help` must be quick.

Answers go to stdout, everything else to stderr. Errors are one line and exit status 2, never a traceback.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from contextlib import suppress

import click

from ninefold import __version__
from ninefold.kernel.errors import NinefoldError
from ninefold.model.facts import option_text, read_options
from ninefold.simulation.arguments import amount, game_name, result_options, run_options

EXAMPLES = """\b
Examples:
  ninefold games
  ninefold rules doubles
  ninefold play baseball
  ninefold serve
  ninefold simulate doubles --bots hard,threshold:400,random --games 1M
  ninefold score doubles Ann Bob Cy
"""


class LazyGroup(click.Group):
    """The command group; larger commands are loaded only when they are used."""

    lazy = {  # noqa: RUF012 (never changed)
        "demo": ("ninefold.terminal.demo", "Watch bots play one match of a game, or of every game."),
        "history": ("ninefold.terminal.history_command", "List the matches played here and how they ended."),
        "learn": ("ninefold.terminal.tutorial", "Learn a game by playing it."),
        "new-game": ("ninefold.new_game.command", "Write a small game to start from."),
        "play": ("ninefold.terminal.play_command", "Play a game in the terminal."),
        "replay": ("ninefold.terminal.history_command", "Look at a recorded match, move by move."),
        "serve": ("ninefold.server.command", "Serve games in the browser, for friends and bots."),
        "score": ("ninefold.scorecard.command", "Keep score at a real table."),
        "study": ("ninefold.studies.command", "Study a game: length, fairness, luck, and what its rules do."),
        "tournament": ("ninefold.simulation.tournament_command", "Let bots meet, and rate them."),
    }

    def _loaded_later(self) -> dict[str, tuple[str, str]]:
        """The module of each such command, and its line in the help."""
        from ninefold.engine import registry

        return {**registry.commands(), **self.lazy}

    def list_commands(self, ctx: click.Context) -> list[str]:
        return sorted({*super().list_commands(ctx), *self._loaded_later()})

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        if name in self.commands or name not in self._loaded_later():
            return super().get_command(ctx, name)
        from importlib import import_module

        command = getattr(import_module(self._loaded_later()[name][0]), name.replace("-", "_"))
        assert isinstance(command, click.Command)
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Let people write a game as it is called, without quotes: `play finest 9`."""
        if args and not args[0].startswith("-") and self.get_command(ctx, args[0]) is None:
            raise click.UsageError(self._unknown(ctx, args))
        name, command, rest = super().resolve_command(ctx, args)
        if command is not None and any(one.name == "game" for one in command.params[:1]):
            from ninefold.engine import registry

            end = registry.spelled_in(rest)
            rest = [" ".join(rest[:end]), *rest[end:]] if end > 1 else rest
        return name, command, rest

    def _unknown(self, ctx: click.Context, args: Sequence[str]) -> str:
        """What someone may have meant who named no command: another one, or to play a game."""
        from difflib import get_close_matches

        from ninefold.engine import registry

        said = f"No such command {args[0]!r}"
        if close := get_close_matches(args[0], self.list_commands(ctx), 1, 0.7):
            return f"{said}; did you mean {close[0]!r}?"
        with suppress(NinefoldError):
            game = registry.find_game(" ".join(args[: registry.spelled_in(args) or 1]))
            return f"{said}; to play that game: ninefold play {game}"
        return f"{said}; `ninefold -h` lists them"

    def format_commands(self, _: click.Context, formatter: click.HelpFormatter) -> None:
        lines = {name: line for name, (__, line) in self._loaded_later().items()}
        lines |= {name: command.get_short_help_str(limit=200) for name, command in self.commands.items()}
        with formatter.section("Commands"):
            formatter.write_dl(sorted(lines.items()))


@click.group(
    cls=LazyGroup,
    epilog=EXAMPLES,
    invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"]},
)
@click.version_option(__version__, prog_name="ninefold")
@click.pass_context
def cli(context: click.Context) -> None:
    """Card and dice games built around the number nine: play, keep score, ask the rules, simulate."""
    if context.invoked_subcommand is None:
        from ninefold.terminal.console import full_screen

        if full_screen():
            _menu()
        else:
            click.echo(context.get_help())


def _menu() -> None:
    """The menu: choose a command, run it and come back, until the person leaves."""
    from ninefold.terminal.console import own_signs
    from ninefold.terminal.home import Home

    while command := Home(own_signs()).run():
        if command[0] in READ:
            _read(command)
            continue
        status = main(command)
        if status not in (0, 130) or command[0] != "play":
            click.pause()


PAGER_KEYS = "Space shows more, q goes back to the menu"
READ = ("--help", "history", "demo")  # commands of the menu whose answers may be longer than the screen


def _read(command: Sequence[str]) -> None:
    """Run a command, and show its answer page by page."""
    from contextlib import redirect_stderr, redirect_stdout
    from io import StringIO

    with redirect_stdout(StringIO()) as said, redirect_stderr(said):
        main(command)
    os.environ.setdefault("LESS", f"-R -Ps{PAGER_KEYS}")  # its own prompt is a colon
    click.echo_via_pager(said.getvalue())


def as_json(value: object) -> None:
    import json

    click.echo(json.dumps(value, indent=2, ensure_ascii=False))


@cli.command(epilog="Example: ninefold games --json")
@click.option("--json", "json_", is_flag=True, help="As JSON, with every option and bot.")
def games(json_: bool) -> None:
    """List the games."""
    from ninefold.engine import registry

    sheets = [registry.facts(name) for name in registry.games()]
    if json_:
        from msgspec import to_builtins

        as_json([{"version": one.version, **to_builtins(registry.sheet(one.name))} for one in sheets])
        return
    width = max(len(sheet.name) for sheet in sheets)
    for sheet in sheets:
        low, high = sheet.players
        click.echo(f"{sheet.name.ljust(width)}  {sheet.title} ({low}–{high:,} players): {sheet.line}")


@cli.command(epilog="Example: ninefold rules doubles")
@click.argument("game", callback=game_name)
@click.option("--all", "all_", is_flag=True, help="All the numbered rules, the options and the bots.")
def rules(game: str, all_: bool) -> None:
    """Show how a game is played."""
    from rich.console import Console
    from rich.markdown import Markdown

    from ninefold.terminal.console import (
        WIDEST,
        full_screen,
        own_signs,
        page_folded,
        say_line,
        speaks_unicode,
    )
    from ninefold.terminal.pages import how_to_play, in_plain_lines

    if full_screen() and speaks_unicode():
        width = min(WIDEST, Console().width)
        page = Markdown(_all_rules(game)) if all_ else how_to_play(game, width, own_signs())
        Console(width=width).print(page)
    else:
        say_line(page_folded(_all_rules(game) if all_ else in_plain_lines(game)))
    if not all_:
        say_line(f"\nAll the rules: ninefold rules {game} --all")


def _all_rules(game: str) -> str:
    """The numbered rules of a game, with what its options and its bots are called."""
    from ninefold.engine import registry

    sheet = registry.facts(game)
    options = [
        f"- `{option.name}`: {option.label}; {option.allowed} "
        f"(default: {option_text(option.standard(sheet.usual_players))})."
        for option in sheet.options
    ]
    bots = [f"- `{bot.name}{':N' * len(bot.parameters)}`: {bot.line}" for bot in sheet.bots]
    page = registry.rules_page(game).rstrip()
    return "\n".join([page, "", "## How to set the options", "", *options, "", "## Bots", "", *bots, ""])


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

    What you can ask depends on the game: see `ninefold judge GAME --help`.
    """
    from ninefold.engine import registry
    from ninefold.judging import command

    if game in ("-h", "--help"):
        click.echo(context.get_help())
        return
    game = registry.find_game(game)
    ask = command(game, registry.question(game))
    ask.main(args=list(asked), prog_name=f"ninefold judge {game}", standalone_mode=False)


@cli.command(
    epilog="Example: ninefold simulate doubles --bots hard,threshold:400,random --games 10M --option rounds=6"
)
@click.argument("game", callback=game_name)
@click.option(
    "--bots",
    default=None,
    help="Bots, comma-separated, one per seat; your own as my_bots.py:careful "
    "(default: medium at every seat; nf.simulate takes random).",
)
@click.option(
    "--players", type=int, default=None, help="Number of players; bots are repeated to fill the seats."
)
@click.option(
    "--games", type=amount, metavar="N", default="10k", show_default=True, help="How many: 5000, 10k, 2M."
)
@click.option("--rotate", is_flag=True, help="Everyone moves up one seat after each game.")
@run_options
@click.option("--device", default=None, metavar="cuda", help="Play on this machine's CUDA card.")
@result_options
def simulate(
    game: str,
    bots: str | None,
    players: int | None,
    games: int,
    rotate: bool,
    seed: int | None,
    limit: int | None,
    threads: int | None,
    cluster: str | None,
    device: str | None,
    pairs: tuple[str, ...],
    plot: str | None,
    json_: bool,
    quiet: bool,
) -> None:
    """Play many games between bots and show the results."""
    from ninefold.engine import registry
    from ninefold.engine.bot_files import read_bots
    from ninefold.simulation.progress import shown
    from ninefold.simulation.run import Simulation
    from ninefold.simulation.warmup import notice

    sheet = registry.facts(game)
    names = ["medium"] if bots is None else read_bots(bots)
    seats = sheet.usual_players if players is None and bots is None else players
    options = read_options(pairs)
    simulation = Simulation(game, names, games, seed, limit, threads, seats, options, rotate, cluster, device)
    notice(simulation.game, quiet, device)
    with shown(games, quiet) as progress:
        result = simulation.run(progress, keep=True)
    click.echo(result.json() if json_ else result.table())
    if plot:
        result.plot(plot)
    if result.interrupted:
        sys.exit(130)


@cli.command(epilog="Example: ninefold verify match.json --commitments kept.json")
@click.argument("file", type=click.Path())
@click.option(
    "--commitments",
    "kept",
    type=click.Path(),
    metavar="FILE",
    help="Compare with what a player's page or program kept during the match.",
)
@click.option("--json", "json_", is_flag=True, help="As JSON.")
def verify(file: str, kept: str | None, json_: bool) -> None:
    """Check that a record, or a match played here, is complete, and that its draws were made as promised."""
    from ninefold.engine import records
    from ninefold.fairness import report
    from ninefold.fairness.receipts import compare, read
    from ninefold.fairness.verify import verify as check
    from ninefold.kernel.errors import RecordError
    from ninefold.terminal import saves

    try:
        record = saves.find(file).record
        found = check(record)
        compared = compare(record, read(records.load(kept))) if kept else None
    except RecordError as error:
        click.echo(f"ninefold: {error}", err=True)
        sys.exit(3)
    if json_:
        as_json(report.facts(found, compared))
        return
    for line in report.lines(found, compared):
        click.echo(line)


@cli.command(epilog="Example: ninefold warm")
@click.argument("game", nargs=-1, callback=game_name)
def warm(game: tuple[str, ...]) -> None:
    """Compile the rules before their first use."""
    from ninefold.engine import registry
    from ninefold.simulation.warmup import warm as compile_all

    names = list(game) or registry.games()
    for name in names:
        registry.facts(name)
    compile_all(names)


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
    """Run the command line and return the exit status."""
    _repair_streams()
    try:
        status = cli.main(args=arguments, prog_name="ninefold", standalone_mode=False)
        sys.stdout.flush()
        return status if isinstance(status, int) else 0
    except click.MissingParameter as error:
        return _fail(_what_is_missing(error))
    except click.BadParameter as error:
        return _fail(_what_is_wrong(error))
    except click.ClickException as error:
        return _fail(error.format_message())
    except NinefoldError as error:
        return _fail(str(error))
    except ImportError as error:
        return _fail(f"a part of Ninefold cannot be loaded ({error}); install it again: pip install ninefold")
    except (click.Abort, KeyboardInterrupt):
        return 130
    except SystemExit as leaving:
        # Click exits with status 1 for a closed pipe; none of our commands does.
        return _drop_output(141) if leaving.code == 1 else int(leaving.code or 0)
    except BrokenPipeError:
        return _drop_output(141)
    except OSError as error:
        _drop_output()
        return _fail(f"{error.filename or 'the disk'}: {error.strerror}")


def _what_is_missing(error: click.MissingParameter) -> str:
    """Say which games there are to a person who named none."""
    asked = error.param.name if error.param else ""
    if asked == "file":
        return "which match? A file, or a name from `ninefold history`"
    if asked != "game":
        return error.format_message()
    from ninefold.engine import registry

    return f"which game? The games are {', '.join(registry.games())}"


def _what_is_wrong(error: click.BadParameter) -> str:
    """Say what an option allows, without the words of programs where it is a number within bounds."""
    kind = error.param.type if error.param else None
    if error.param is None or not isinstance(kind, click.IntRange) or None in (kind.min, kind.max):
        return error.format_message()
    return f"{error.param.opts[0]} is a whole number from {kind.min:,} to {kind.max:,}"


def _repair_streams() -> None:
    """Treat a closed stream as an empty one, and replace characters that cannot be read or printed."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        stream = getattr(sys, name)
        if stream is None:
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: SIM115, PTH123 (for the whole run)
        elif hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")


def _drop_output(status: int = 2) -> int:
    """Nothing more can be written; what is still in the buffer must not fail again on exit."""
    with suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return status


def _fail(sentence: str) -> int:
    click.echo(f"ninefold: {sentence}", err=True)
    return 2
