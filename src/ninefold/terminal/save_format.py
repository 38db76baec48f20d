"""The format of a saved match: reading and writing its lines. Knows no file and plays nothing.

The first line says which game it is and who plays. Every other line holds the steps of one command
(`{"steps": [["chance", "roll 3 4"], [0, "stay"]]}`), or how many steps an undo has left (`{"undo": 12}`).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from ninefold.engine.game import Game
from ninefold.engine.match import BOT, PERSON, Seat
from ninefold.engine.records import CHANCE_NAME, FORMAT
from ninefold.kernel.errors import RecordError
from ninefold.kernel.fields import CHANCE

VERSION = 1
Step = tuple[int, str]  # a seat or CHANCE, and the text of its move


def first_line(game: Game, seats: Sequence[Seat], begun: str) -> dict[str, Any]:
    """Which game it is, and who plays."""
    return {
        "ninefold": "match",
        "version": VERSION,
        "game": game.name,
        "rules": game.facts.version,
        "options": dict(game.options),
        "begun": begun,
        "seats": [{"name": seat.name, "bot": seat.bot} for seat in seats],
    }


def seat_of(name: str, bot: str | None = None) -> Seat:
    """A seat of a person, or of a bot."""
    return Seat(BOT if bot else PERSON, name, bot)


def read_seats(given: Sequence[dict[str, Any]]) -> list[Seat]:
    """Seats from a saved match; RecordError if they cannot be read."""
    try:
        return [seat_of(str(seat["name"]), seat.get("bot")) for seat in given]
    except (TypeError, KeyError, AttributeError):
        raise RecordError("the saved match does not say who plays") from None


def steps_line(steps: Iterable[Step]) -> dict[str, Any]:
    """The line of some steps."""
    return {"steps": [[CHANCE_NAME if seat == CHANCE else seat, text] for seat, text in steps]}


def undo_line(to: int) -> dict[str, Any]:
    """The line of an undo that left this many steps."""
    return {"undo": to}


def read_steps(lines: Iterable[dict[str, Any]]) -> list[Step]:
    """The steps of a saved match, without those that were undone."""
    return read_lines(lines)[0]


def read_lines(lines: Iterable[dict[str, Any]]) -> tuple[list[Step], list[int]]:
    """The steps of a saved match, and how many there were before each of its lines."""
    steps: list[Step] = []
    openings: list[int] = []
    for line in lines:
        if "undo" in line:
            del steps[line["undo"] :]
            openings = [opening for opening in openings if opening < line["undo"]]
            continue
        openings.append(len(steps))
        steps += [_read_step(step) for step in line.get("steps", [])]
    return steps, openings


def _read_step(step: Any) -> Step:
    seat, text = step
    if not isinstance(text, str):
        raise RecordError(f"a step is a seat and a text, not {step!r}")
    return CHANCE if seat == CHANCE_NAME else seat, text


def record_of(game: Game, steps: Iterable[Step]) -> dict[str, Any]:
    """The record of a match, finished or not."""
    return {
        "format": FORMAT,
        "game": game.name,
        "version": game.facts.version,
        "players": game.players,
        "options": dict(game.options),
        "moves": steps_line(steps)["steps"],
    }
