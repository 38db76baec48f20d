"""Matches for the tests of the terminal: people and bots sit down at every game of the catalogue."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

from ninefold.engine.game import Game
from ninefold.engine.match import Seat
from ninefold.engine.registry import facts
from ninefold.terminal.seating import seat_of
from ninefold.terminal.table import Table

NAMES = ("Ann", "Ben", "Cleo", "Dan", "Eva", "Finn", "Gus", "Hana", "Ivo")
# How a short match of a game is begun on the command line: a person, and bots that bring it to its end
LINEUPS = {
    "multiple9": ("--bots", "medium", "--players", "4"),
    "nine_of_a_kind": ("--bots", "hard", "--players", "5", "--pulse", "-o", "target=5"),
}
SHORT: dict[str, dict[str, object]] = {"nine_of_a_kind": {"target": 5}}  # options of a match that soon ends


def lineup(name: str) -> tuple[str, ...]:
    return LINEUPS.get(name, ("--bots", "easy"))


def seats(name: str, people: int, players: int | None = None, bot: str = "easy") -> list[Seat]:
    """So many people, and bots on the other seats."""
    low, high = facts(name).players
    number = min(max(low, people, players or 3), high)
    level = "hard" if name in SHORT else bot
    return [
        seat_of(NAMES[seat]) if seat < people else seat_of(f"Bot {seat}", level) for seat in range(number)
    ]


def sit(
    name: str,
    people: int = 1,
    seed: int = 1,
    players: int | None = None,
    save: Callable[[dict[str, Any]], None] = lambda line: None,
) -> Table:
    """A match that has begun."""
    seated = seats(name, people, players)
    table = Table(Game(name, len(seated), SHORT.get(name, {})), seated, seed, save, bot_seed=seed)
    table.begin()
    return table


def any_move(table: Table, seat: int, source: random.Random) -> str:
    moves = table.state.moves(seat)
    return moves[source.randrange(len(moves))]


def go_on(table: Table, source: random.Random, decisions: int = 1_000_000) -> None:
    """Let bots play, and people do anything, for so many decisions."""
    while decisions and not table.over:
        if table.next_bot is not None:
            table.step_bot()
        else:
            seat = table.awaited[0]
            table.play(seat, any_move(table, seat, source))
        decisions -= 1


def until_asked(table: Table) -> int:
    """Let bots play until a person has to decide; who, or -1 at the end."""
    while table.next_bot is not None:
        table.step_bot()
    return -1 if table.over else table.awaited[0]
