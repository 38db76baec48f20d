"""`ninefold play` and `ninefold history`: who sits down, full screen or plain lines, saved matches."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ninefold.kernel.errors import NinefoldError, RuleError

if TYPE_CHECKING:
    from ninefold.terminal.match import Match, Seat
    from ninefold.terminal.paint import Signs
    from ninefold.terminal.saves import Saved

LATEST = "\0latest"
LONGEST = 20  # letters of a name


def read_options(pairs: tuple[str, ...]) -> dict[str, object]:
    """Options typed as NAME=VALUE."""
    found: dict[str, object] = {}
    for pair in pairs:
        name, equals, value = pair.partition("=")
        if not equals:
            raise click.UsageError(f"an option is written NAME=VALUE, not {pair!r}")
        found[name.strip()] = value.strip()
    return found


@click.command(
    epilog="""\b
Examples:
  ninefold play baseball                     you against three medium bots
  ninefold play doubles Ann Bob --bots hard  two people at one screen, and a bot
  ninefold play --resume                     go on with the latest match
"""
)
@click.argument("game", required=False)
@click.argument("names", nargs=-1)
@click.option("--bots", default=None, help="Who else plays: names with commas, such as hard,easy,medium.")
@click.option("--players", type=int, default=None, help="How many play in all; bots take the empty seats.")
@click.option("--option", "-o", "pairs", multiple=True, metavar="NAME=VALUE", help="An option of the game.")
@click.option("--seed", type=int, default=None, help="For the same deals again.")
@click.option(
    "--resume",
    is_flag=False,
    flag_value=LATEST,
    default=None,
    help="Go on with a saved match, or the latest.",
)
@click.option(
    "--pace", type=click.Choice(["slow", "normal", "fast", "instant"]), default="normal", show_default=True
)
@click.option("--plain", is_flag=True, help="Plain lines: for screen readers and pipes.")
@click.option(
    "--pulse", is_flag=True, help="Where all act at once: seal a move each, then open them together."
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
            raise click.UsageError(
                "--resume goes on with a match as it is; leave out names, bots and options"
            )
        # `--resume doubles` reads as an argument of --resume; `play doubles --resume` means the same
        sit_down(_resume("" if resume == LATEST else resume or game or ""), pace, plain, pulse)
        return
    if game is None:
        raise click.UsageError("say which game: ninefold games lists them")
    while True:
        match = _begin(game, names, bots, players, read_options(pairs), seed)
        if sit_down(match, pace, plain, pulse) != "again":
            return


def _resume(name: str) -> Match:
    from ninefold.terminal import saves

    return saves.resume(saves.locate(name, unfinished=True))


def _begin(
    name: str,
    people: tuple[str, ...],
    bots: str | None,
    players: int | None,
    options: dict[str, object],
    seed: int | None,
) -> Match:
    from ninefold.engine import registry
    from ninefold.engine.game import Game
    from ninefold.simulation.marks import is_cold
    from ninefold.simulation.warm import warm
    from ninefold.terminal import saves

    sheet = registry.facts(name)
    seated = seat_all(list(people), bots, players, sheet.usual_players)
    for seat in seated:
        if seat.bot:
            registry.player(name, seat.bot)
    game = Game(name, len(seated), options)
    if is_cold(game):  # before the table opens: a screen that stands still for seconds looks broken
        warm([name])
    match, _ = saves.begin(game, seated, seed)
    match.begin()
    return match


def seat_all(people: list[str], bots: str | None, players: int | None, usual: int) -> list[Seat]:
    """People first, then bots: those named, or medium ones up to the number of players."""
    from ninefold.terminal.match import Seat

    people = [" ".join(name.split()) for name in people] or [own_name()]
    for name in people:
        if not name or not name.isprintable() or len(name) > LONGEST:
            raise RuleError(
                f"a name is of 1 to {LONGEST} letters that can be shown, not {name[: 2 * LONGEST]!r}"
            )
    if len({name.casefold() for name in people}) < len(people):
        raise RuleError("two players have the same name; give each one of their own")
    levels = [bot.strip() for bot in bots.split(",")] if bots else []
    if not bots:
        levels = ["medium"] * ((players or max(usual, len(people))) - len(people))
    elif players is not None and len(levels) == 1:
        levels *= players - len(people)
    if players is not None and len(levels) + len(people) != players:
        raise RuleError(f"{len(people)} at this screen and {len(levels)} bots are not {players} players")
    taken = {name.casefold() for name in people}
    seats = [Seat(name) for name in people]
    for number, level in enumerate(levels, 1):
        called = next(name for name in _bot_names(level, number) if name.casefold() not in taken)
        taken.add(called.casefold())
        seats.append(Seat(called, level))
    return seats


def own_name() -> str:
    """What a person is called who gave no name: $NINEFOLD_NAME, or the name of the account."""
    if chosen := os.environ.get("NINEFOLD_NAME", "").strip():
        return chosen
    import getpass

    try:
        account = getpass.getuser()
    except (OSError, KeyError, ImportError):
        account = "root"
    return "Guest" if account == "root" else account.capitalize()


def _bot_names(level: str, number: int) -> list[str]:
    word = level.partition(":")[0].capitalize()
    return [f"{word} {number}", *(f"{word} bot {other}" for other in range(number, number + 100))]


def sit_down(match: Match, pace: str, plain: bool, pulse: bool = False) -> str:
    """Play a match full screen, or as lines where that cannot be; how it was left."""
    if match.real_time:
        alone = len(match.people) == 1 and full_screen() and not plain and not pulse
        match.keep_time("live" if alone else "pulse", "fast" if pace == "instant" else pace)
    try:
        left = _full(match, pace) if full_screen() and not plain else _in_lines(match)
    finally:
        match.close()
    if left == "left":
        click.echo("The match is saved: ninefold play --resume goes on with it.", err=not sys.stdout.isatty())
    return left


def _full(match: Match, pace: str) -> str:
    from ninefold.terminal.app import TableApp

    app = TableApp(match, pace, own_signs())
    left = app.run() or "left"
    if app.return_code:
        sys.exit(app.return_code)
    return left


def _in_lines(match: Match) -> str:
    from ninefold.terminal.plain import PlainTable

    try:
        return "over" if PlainTable(match, _read_line, say_line).run() else "left"
    except KeyboardInterrupt:
        click.echo()
        return "left"


def full_screen() -> bool:
    """Whether there is a terminal to draw on."""
    return sys.stdin.isatty() and sys.stdout.isatty() and os.environ.get("TERM", "dumb") != "dumb"


def speaks_unicode() -> bool:
    """Whether the terminal is said to understand more than ASCII."""
    if sys.flags.utf8_mode and not os.environ.get("PYTHONUTF8"):
        return False  # the locale is C: Python has set LC_CTYPE by itself
    said = next((os.environ[key] for key in ("LC_ALL", "LC_CTYPE", "LANG") if os.environ.get(key)), "")
    return "utf" in said.lower()


def own_signs() -> Signs:
    """What things are drawn with here."""
    from ninefold.terminal.paint import FINE, PLAIN

    return FINE if speaks_unicode() else PLAIN


def say_line(text: str) -> None:
    """Print a line, in ASCII where nothing else is understood."""
    from ninefold.terminal.paint import ascii_of

    click.echo(text if speaks_unicode() else ascii_of(text))


def _read_line(prompt: str) -> str:
    from ninefold.terminal.paint import ascii_of

    click.echo(prompt if speaks_unicode() else ascii_of(prompt), nl=False)
    line = sys.stdin.readline()
    if not line:
        click.echo()
        raise EOFError
    if not sys.stdin.isatty():
        click.echo(line.rstrip("\n"))
    return line.rstrip("\n")


@click.command(epilog="Example: ninefold history --json")
@click.option("--json", "json_", is_flag=True, help="As JSON.")
def history(json_: bool) -> None:
    """List the matches played here, and how they ended."""
    from ninefold.terminal import saves

    found, damaged = [], []
    for path in saves.saved():
        try:
            found.append(saves.look(path))
        except NinefoldError as error:
            damaged.append((path, str(error)))
    if json_:
        _history_json(found)
        return
    if not found and not damaged:
        click.echo("No matches yet: ninefold play doubles begins one.")
    width = max((len(match.path.stem) for match in found), default=0)
    for match in found:
        who = ", ".join(seat.name for seat in match.seats)
        click.echo(f"{match.path.stem.ljust(width)}  {match.begun}  {match.result}  ({who})")
    for path, why in damaged:
        click.echo(f"{path.stem}: {why}", err=True)
    for title, number, won in saves.standings(found):
        click.echo(f"{title}: {number} finished, {won} won by people")


def _history_json(found: Sequence[Saved]) -> None:
    import json

    rows = [
        {
            "name": match.path.stem,
            "file": str(match.path),
            "game": match.header["game"],
            "begun": match.header.get("begun"),
            "seats": match.header["seats"],
            "over": match.over,
            "scores": match.scores,
            "winners": match.winners,
            "steps": len(match.steps),
        }
        for match in found
    ]
    click.echo(json.dumps(rows, indent=2, ensure_ascii=False))


@click.command(
    epilog="""\b
Examples:
  ninefold replay 2026-11-15-baseball-1      step through a match of the history
  ninefold replay match.json --seat 0        a record, as seat 0 saw it
  ninefold replay baseball-1 --fork 40       what if: play on from its 40th step
"""
)
@click.argument("file")
@click.option("--seat", type=int, default=None, help="As this seat saw it; without it, as everybody did.")
@click.option("--fork", type=int, default=None, metavar="STEP", help="Play on from a step, against bots.")
@click.option("--json", "json_", is_flag=True, help="The events as JSON.")
@click.option("--plain", is_flag=True, help="Tell it in lines.")
def replay(file: str, seat: int | None, fork: int | None, json_: bool, plain: bool) -> None:
    """Look at a recorded match, move by move (`-` reads a record from standard input)."""
    from ninefold.engine import records
    from ninefold.kernel.errors import RecordError

    drawn = full_screen() and not plain and file != "-"
    record, names, bots, running = find_record(file)
    state = records.replay(record)
    if seat is not None and not 0 <= seat < state.game.players:
        raise RecordError(f"the match has seats 0 to {state.game.players - 1}, not {seat}")
    if running and seat is not None and running != [seat]:
        raise RecordError("the match is not over: only its spectators' view can be looked at, by all")
    if fork is not None:
        _play_on(record, names, bots, fork, seat, plain)
    elif json_:
        import json

        told = list(records.story(record, seat, tuple(names)))
        answer = {"events": told, "scores": state.scores, "winners": state.winners, "over": state.over}
        click.echo(json.dumps(answer, indent=2, ensure_ascii=False))
    elif drawn:
        _show(record, names, bots, running, seat)
    else:
        for event in records.story(record, seat, tuple(names)):
            if not event.get("quiet"):
                say_line(event["text"])
        if not state.over:
            click.echo(f"The record ends here; scores {state.scores}.")


def find_record(name: str) -> tuple[dict[str, Any], list[str], list[str | None], list[int]]:
    """A record by its file or the name of a saved match: names, bots, and who still plays it."""
    from ninefold.engine import records
    from ninefold.terminal import saves

    path = Path(name)
    is_name = name != "-" and path.name == name and not path.suffix and not path.exists()
    if not is_name and path.suffix != saves.ENDING:
        return records.load(name), [], [], []
    saved = saves.look(saves.locate(name))
    people = [] if saved.over else [seat for seat, who in enumerate(saved.seats) if who.bot is None]
    return saved.record(), [who.name for who in saved.seats], [who.bot for who in saved.seats], people


def _show(
    record: dict[str, Any], names: list[str], bots: list[str | None], running: list[int], seat: int | None
) -> None:
    from ninefold.terminal.film import Film, FilmApp

    film = Film(record, names)
    seats: list[int | None] = [None, *range(film.game.players)]
    if running:  # what others hold in a match that goes on is nobody's to look at
        seats = [running[0]] if len(running) == 1 else [None]
    eyes = sorted(seats, key=lambda viewer: viewer != seat)
    chosen = FilmApp(film, eyes, own_signs()).run()
    if chosen:
        _play_on(record, film.names, bots, *chosen, plain=False)


def _play_on(
    record: dict[str, Any],
    names: list[str],
    bots: list[str | None],
    step: int,
    seat: int | None,
    plain: bool,
) -> None:
    """What if: a new match that begins with the first steps of another, against bots."""
    from ninefold.engine.game import Game
    from ninefold.terminal import saves
    from ninefold.terminal.match import Seat, read_steps

    steps = read_steps([{"steps": record["moves"]}])
    if not 0 <= step <= len(steps):
        raise RuleError(f"the match has steps 0 to {len(steps)}, not {step}")
    game = Game(record["game"], record["players"], record["options"])
    own = seat if seat is not None else next((at for at, bot in enumerate(bots) if bot is None), 0)
    called = names or [f"Player {at + 1}" for at in range(game.players)]
    seats = [
        Seat(called[at]) if at == own else Seat(called[at], (bots[at] if bots else None) or "medium")
        for at in range(game.players)
    ]
    match, _ = saves.begin(game, seats, None)
    match.fork(steps[:step])
    sit_down(match, "normal", plain)


@click.command(epilog="Example: ninefold learn finest9")
@click.argument("game")
@click.option("--plain", is_flag=True, help="The table in words.")
def learn(game: str, plain: bool) -> None:
    """Learn a game by playing it: a handful of positions with explanations."""
    from ninefold.engine import registry
    from ninefold.terminal.learning import School
    from ninefold.terminal.paint import Look, describe, paint

    registry.facts(game)
    drawn = full_screen() and not plain

    def show(view: dict[str, Any], names: list[str]) -> None:
        if not drawn:
            for line in describe(view, names):
                say_line(line)
            return
        from rich.console import Console

        console = Console()
        look = Look(min(100, console.width), 20, own_signs())
        for row in paint(view, names, look):
            console.print(row)
        console.print()

    def say(text: str) -> None:
        say_line("\n".join(_folded(line) for line in text.split("\n")) if drawn else text)

    School(game, _read_line, say, show).run()


def _folded(line: str) -> str:
    """A line broken to fit the terminal."""
    import shutil
    import textwrap

    return textwrap.fill(line, min(100, shutil.get_terminal_size().columns), subsequent_indent=_indent(line))


def _indent(line: str) -> str:
    return line[: len(line) - len(line.lstrip())]
