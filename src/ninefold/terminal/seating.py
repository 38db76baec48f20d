"""Who sits at a table in the terminal: people by name, then bots."""

from __future__ import annotations

import os

from ninefold.engine.match import Seat
from ninefold.kernel.errors import RuleError
from ninefold.terminal.save_format import seat_of

LONGEST = 20  # letters of a name


def seat_all(people: list[str], bots: str | None, players: int | None, usual: int) -> list[Seat]:
    """People first, then bots: those named, or medium ones up to the number of players."""
    people = [" ".join(name.split()) for name in people] or [own_name()]
    _check_names(people)
    levels = _levels(len(people), bots, players, usual)
    taken = {name.casefold() for name in people}
    seats = [seat_of(name) for name in people]
    for number, level in enumerate(levels, 1):
        called = next(name for name in _bot_names(level, number) if name.casefold() not in taken)
        taken.add(called.casefold())
        seats.append(seat_of(called, level))
    return seats


def _check_names(people: list[str]) -> None:
    for name in people:
        if not name or not name.isprintable() or len(name) > LONGEST:
            raise RuleError(
                f"a name has 1 to {LONGEST} letters that can be displayed, unlike {name[: 2 * LONGEST]!r}"
            )
    if len({name.casefold() for name in people}) < len(people):
        raise RuleError("two players have the same name; give each their own")


def _levels(people: int, bots: str | None, players: int | None, usual: int) -> list[str]:
    """The bots at the table."""
    levels = [bot.strip() for bot in bots.split(",")] if bots else []
    if not bots:
        levels = ["medium"] * ((players or max(usual, people)) - people)
    elif players is not None and len(levels) == 1:
        levels *= players - people
    if players is not None and len(levels) + people != players:
        who = "1 person" if people == 1 else f"{people} people"
        raise RuleError(f"{who} and {len(levels)} bots do not make {players} players")
    return levels


def own_name() -> str:
    """The name of a person who gave none: $NINEFOLD_NAME, or the name of the account."""
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
