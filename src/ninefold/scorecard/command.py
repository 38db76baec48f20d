"""The command `ninefold score`: options, and setting up a session.

Imports what it needs only when it runs, so that `--help` is quick. Knows no rules and no layout.
"""

from __future__ import annotations

import os
import random
import sys
import threading
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ninefold.kernel.errors import NinefoldError, RuleError

if TYPE_CHECKING:
    from ninefold.files.journal import Journal
    from ninefold.scorecard.card import Card
    from ninefold.scorecard.screen import PlainScreen

_LATEST = "\0latest"


@click.command()
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
    if hasattr(sys, "set_int_max_str_digits"):
        sys.set_int_max_str_digits(0)  # scores can double without limit
    _check(game, {"names": names, "--rounds": rounds, "--file": path}, resume, listing, export)
    if listing:
        _list()
    elif export is not None:
        _export(*export, resume)
    else:
        if sys.stdin.isatty() and sys.stdout.isatty():
            with suppress(ImportError):
                import readline  # noqa: F401 (gives the line its arrow keys)
            threading.Thread(target=_warm).start()
        journal, card = _begin(names, rounds, path) if resume is None else _resume(resume)
        _run(journal, card, _screen(journal.path.stem, plain, bell))


def _check(
    game: str | None,
    new: dict[str, object],
    resume: str | None,
    listing: bool,
    export: tuple[str, str] | None,
) -> None:
    """Refuse options that cannot go together; `new` are those for a new card."""
    from ninefold.scorecard.names import shown

    saved = resume is not None or listing or export is not None
    if game is None and not saved:
        raise RuleError(
            "which game? ninefold score doubles Ann Bob starts a card, --resume continues the latest"
        )
    if game is not None and not _has_card(game):
        raise RuleError(f"only Doubles has a score card, not {shown(game)}")
    given = [what for what, value in new.items() if value]
    if saved and given:
        raise RuleError(f"a saved card has its own players, rounds and file: leave out {given[0]}")
    if listing and (resume is not None or export is not None):
        raise RuleError("use --list by itself")


def _has_card(game: str) -> bool:
    """Whether a game, in any spelling, is the one with a score card."""
    from ninefold.engine.registry import find_game
    from ninefold.scorecard import GAME

    try:
        return find_game(game) == GAME
    except NinefoldError:
        return False


def _list() -> None:
    from rich.cells import cell_len

    from ninefold.files.journal import path_words
    from ninefold.scorecard.report import left
    from ninefold.scorecard.storage import folder, listing

    cards = listing()
    if not cards:
        click.echo(f"No cards yet in {path_words(folder())}. Start one with: ninefold score doubles Ann Bob")
    names = max((cell_len(card.name) for card in cards), default=0)
    states = max((cell_len(card.state) for card in cards if card.players), default=0)
    for card in cards:
        state = left(card.state, states) if card.players else card.state
        click.echo(f"{left(card.name, names)}  {state}  {card.players}".rstrip())


def _export(kind: str, target: str, resume: str | None) -> None:
    from ninefold.files.journal import path_words, read
    from ninefold.scorecard import report
    from ninefold.scorecard.storage import KIND, card_from, locate

    path = locate("" if resume in (None, _LATEST) else str(resume))
    at = card_from(read(path, KIND), path).position
    if target == "-":
        click.echo(report.WRITERS[kind](at), nl=False)
        return
    report.export(at, Path(target), own=path, kind=kind)
    click.echo(f"Exported to {path_words(Path(target))}")


def _resume(name: str) -> tuple[Journal, Card]:
    from ninefold.files.journal import Journal
    from ninefold.scorecard.storage import KIND, card_from, locate

    place = locate("" if name == _LATEST else name)
    journal = Journal.open(place, KIND)
    return journal, card_from(journal, place)


def _begin(names: tuple[str, ...], rounds: str | None, path: str | None) -> tuple[Journal, Card]:
    from ninefold.scorecard.names import check_names
    from ninefold.scorecard.reading import read_rounds
    from ninefold.scorecard.storage import begin

    low, high = read_rounds(rounds or "10")
    given = [part for name in names for part in (name.split(",") if "," in name else [name]) if part.strip()]
    players = check_names(given) if names else _ask_names()
    file = Path(path).expanduser() if path else None
    if file and not file.parent.is_dir():
        raise RuleError(f"cannot create the score card {path}: there is no folder {file.parent}")
    return begin(players, low, high, file)


def _ask_names() -> list[str]:
    from ninefold.scorecard.names import check_names, split_names
    from ninefold.scorecard.wording import sentence

    at_terminal = sys.stdin.isatty() and sys.stdout.isatty()
    question = "Who is playing? Names in seating order, such as Ann, Bob, Uncle Jo: "
    while True:
        try:
            return check_names(split_names(input(question if at_terminal else "")))
        except EOFError:
            raise RuleError("no players: give names, such as ninefold score doubles Ann Bob") from None
        except RuleError as error:
            if not at_terminal:
                raise
            click.echo(sentence(error))


def _screen(title: str, plain: bool, bell: bool) -> PlainScreen:
    from ninefold.scorecard.screen import PlainScreen, TerminalScreen

    at_terminal = sys.stdin.isatty() and sys.stdout.isatty()
    if plain or not at_terminal or os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb":
        return PlainScreen(sys.stdout, "> " if at_terminal else "")
    return TerminalScreen(sys.stdout, title, bell)


def _warm() -> None:
    """Compile the rules while the first dice are being rolled."""
    with suppress(Exception):  # an error will come up again, and be shown, when the first roll is entered
        import ninefold.game.doubles.judge  # noqa: F401 (ahead of its first use)


def _run(journal: Journal, card: Card, screen: PlainScreen) -> None:
    """Run a session until it ends. However it ends, the card is saved."""
    from ninefold.scorecard.session import Session

    session = Session(card, journal, screen, random.SystemRandom().randrange)
    try:
        session.run()
        screen.write([session.resume_words()])
    except KeyboardInterrupt:
        screen.write(["", session.resume_words()])
        raise
    finally:
        journal.close()
