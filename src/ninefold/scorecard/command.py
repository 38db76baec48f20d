"""The command `ninefold score`: options, one-line errors, and setting up a session.

Imports what it needs only when it runs, so that `--help` is quick. Knows no rules and no layout.
"""

from __future__ import annotations

import os
import random
import sys
import threading
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from ninefold.scorecard.session import Session

_LATEST = "\0latest"


class _OneLine(click.ClickException):
    """Wrong use: one line on stderr, exit status 2."""

    exit_code = 2

    def show(self, file: Any = None) -> None:
        click.echo(f"ninefold score: {self.format_message()}", file=file or sys.stderr)


class _Command(click.Command):
    """A command whose usage errors are one line."""

    def make_context(self, *args: Any, **kwargs: Any) -> click.Context:
        try:
            return super().make_context(*args, **kwargs)
        except click.UsageError as error:
            text = " ".join(error.format_message().split()).rstrip(".")
            raise _OneLine(f"{text[:1].lower()}{text[1:]}; --help shows an example") from None


@click.command(name="score", cls=_Command)
@click.argument("game", required=False)
@click.argument("names", nargs=-1)
@click.option(
    "--rounds",
    default=None,
    metavar="N|LOW-HIGH",
    help="Number of rounds (default: 10); 8-12 hides the last.",
)
@click.option(
    "--resume",
    default=None,
    is_flag=False,
    flag_value=_LATEST,
    metavar="[CARD]",
    help="Continue a saved card: the latest, or one by name or file.",
)
@click.option("--list", "listing", is_flag=True, help="List the saved cards.")
@click.option("--file", "path", default=None, metavar="PATH", help="Keep the new card in this file.")
@click.option(
    "--export",
    default=None,
    nargs=2,
    type=(click.Choice(["csv", "json"]), str),
    metavar="csv|json PATH",
    help="Export the scores of a saved card (- prints them).",
)
@click.option("--plain", is_flag=True, help="Plain lines, for screen readers and logs.")
@click.option("--bell", is_flag=True, help="Ring at doubles and at the third seven.")
def score(
    game: str | None,
    names: tuple[str, ...],
    rounds: str | None,
    resume: str | None,
    listing: bool,
    path: str | None,
    export: tuple[str, str] | None,
    plain: bool,
    bell: bool,
) -> None:
    """Keep score at a real table: you roll the dice, the card counts.

    \b
    ninefold score doubles Ann Bob "Uncle Jo"
    ninefold score doubles Ann Bob --rounds 8-12
    ninefold score --resume

    Then type each roll (34, d5, 7), a name to cash out, undo, or ? for everything else. Every entry is
    saved at once.
    """
    from ninefold.kernel.errors import NinefoldError

    if hasattr(sys, "set_int_max_str_digits"):
        sys.set_int_max_str_digits(0)  # scores can double without limit
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")
    try:
        _check(game, names, rounds, resume, listing, path, export)
        if listing:
            _list()
        elif export is not None:
            _export(export, resume)
        else:
            session = _begin(names, rounds, resume, path, plain, bell)
            _sit(session)
    except NinefoldError as error:
        raise _OneLine(str(error)) from None
    except KeyboardInterrupt:
        click.echo("\nStopped before a card was started.", err=True)
        sys.exit(130)
    except BrokenPipeError:
        _drop_output()  # the reader of our output has closed it: exit quietly
        sys.exit(141)
    except OSError as error:
        _drop_output()
        raise _OneLine(
            f"cannot continue: {(error.strerror or str(error)).lower()}; all entries are saved"
        ) from None


def _check(
    game: str | None,
    names: tuple[str, ...],
    rounds: str | None,
    resume: str | None,
    listing: bool,
    path: str | None,
    export: tuple[str, str] | None,
) -> None:
    """Options that cannot go together, one line each."""
    from ninefold.scorecard.names import shown

    saved = resume is not None or listing or export is not None
    if game is None and not saved:
        raise _OneLine(
            "which game? ninefold score doubles Ann Bob starts a card, --resume continues the latest"
        )
    if game not in (None, "doubles"):
        raise _OneLine(f"only doubles has a score card, not {shown(game or '')}")
    if saved and (names or rounds or path):
        what = "names" if names else "--rounds" if rounds else "--file"
        raise _OneLine(f"a saved card has its own players, rounds and file: leave out {what}")
    if listing and (resume is not None or export is not None):
        raise _OneLine("use --list by itself")


def _list() -> None:
    from rich.cells import cell_len

    from ninefold.files.journal import path_words
    from ninefold.scorecard.report import left
    from ninefold.scorecard.storage import folder
    from ninefold.scorecard.storage import listing as saved

    cards = saved()
    if not cards:
        click.echo(f"No cards yet in {path_words(folder())}. Start one with: ninefold score doubles Ann Bob")
    names = max((cell_len(card.name) for card in cards), default=0)
    states = max((cell_len(card.state) for card in cards if card.players), default=0)
    for card in cards:
        state = left(card.state, states) if card.players else card.state
        click.echo(f"{left(card.name, names)}  {state}  {card.players}".rstrip())


def _export(export: tuple[str, str], resume: str | None) -> None:
    from ninefold.files.journal import path_words, read
    from ninefold.scorecard import report
    from ninefold.scorecard.storage import KIND, card_from, locate

    kind, target = export
    path = locate("" if resume in (None, _LATEST) else str(resume))
    at = card_from(read(path, KIND), path).position
    if target == "-":
        sys.stdout.write(report.csv_text(at) if kind == "csv" else report.json_text(at))
        sys.stdout.flush()
        return
    if Path(target).exists() and Path(target).resolve() == path.resolve():
        raise _OneLine("that is the card's own file; choose another name")
    report.export(at, Path(target), kind)
    click.echo(f"Exported to {path_words(Path(target))}")


def _begin(
    names: tuple[str, ...], rounds: str | None, resume: str | None, path: str | None, plain: bool, bell: bool
) -> Session:
    from ninefold.files.journal import Journal
    from ninefold.scorecard.names import check_names
    from ninefold.scorecard.reading import read_rounds
    from ninefold.scorecard.screen import PlainScreen, Screen, TerminalScreen
    from ninefold.scorecard.session import Session
    from ninefold.scorecard.storage import KIND, begin, card_from, locate

    at_terminal = sys.stdin.isatty() and sys.stdout.isatty()
    drawn = at_terminal and not plain and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
    if at_terminal:
        with suppress(ImportError):
            import readline  # noqa: F401 (gives the line its arrow keys)
        threading.Thread(target=_warm).start()
    if resume is not None:
        place = locate("" if resume == _LATEST else resume)
        journal = Journal.open(place, KIND)
        card = card_from(journal, place)
    else:
        low, high = read_rounds(rounds or "10")
        given = [
            part for name in names for part in (name.split(",") if "," in name else [name]) if part.strip()
        ]
        players = check_names(given) if names else _ask_names(at_terminal)
        journal, card = begin(players, low, high, Path(path).expanduser() if path else None)
    screen: Screen = (
        TerminalScreen(sys.stdout, journal.path.stem, bell) if drawn else PlainScreen(sys.stdout, at_terminal)
    )
    return Session(card, journal, screen, random.SystemRandom())


def _warm() -> None:
    """Compile the rules while the first dice are being rolled."""
    with suppress(Exception):  # an error will come up again, and be shown, when the first roll is entered
        import ninefold.game.doubles.judge  # noqa: F401 (ahead of its first use)


def _ask_names(at_terminal: bool) -> list[str]:
    from ninefold.kernel.errors import RuleError
    from ninefold.scorecard.names import check_names, split_names

    question = "Who is playing? Names in seating order, such as Ann, Bob, Uncle Jo: "
    while True:
        try:
            line = input(question) if at_terminal else sys.stdin.readline()
        except EOFError:
            line = ""
        if not line:
            raise RuleError("no players: give names, such as ninefold score doubles Ann Bob")
        try:
            return check_names(split_names(line))
        except RuleError as error:
            if not at_terminal:
                raise
            click.echo(f"{str(error)[:1].upper()}{str(error)[1:]}.")


def _sit(session: Session) -> None:
    """Run a session until it ends. However it ends, the card is saved."""
    from ninefold.scorecard.session import opening_lines

    asks = sys.stdin.isatty() and sys.stdout.isatty()

    def typed(prompt: str) -> str:
        if asks:
            return input(prompt)
        line = sys.stdin.readline()
        if not line:
            raise EOFError
        return line

    resumed = len(session.journal.lines) > 1
    words = [f"Saved. Continue with: {session.resume_words()}"]
    try:
        session.run(typed, opening_lines(session.card, resumed, session.journal.torn))
        session.screen.leave(words)
    except KeyboardInterrupt:
        session.screen.leave(["", *words])
        sys.exit(130)
    finally:
        session.journal.close()


def _drop_output() -> None:
    """Nothing more can be written; what is still in the buffer must not fail again on exit."""
    with suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
