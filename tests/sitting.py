"""Matches for the tests of the terminal: people and bots sit down at every game of the catalogue."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import pytest

import ninefold as nf
from ninefold.engine.game import Game
from ninefold.engine.registry import facts
from ninefold.terminal.match import Match, Seat

NAMES = ("Ann", "Ben", "Cleo", "Dan", "Eva", "Finn", "Gus", "Hana", "Ivo")
SKIPPED: dict[tuple[str, str], str] = {}  # (test, game): why it cannot be asked of that game yet


def catalogue(test: str) -> list[Any]:
    """Every game, for a test; those on the list above are skipped."""
    return [
        pytest.param(
            name, marks=[pytest.mark.skip(SKIPPED[test, name])] if (test, name) in SKIPPED else [], id=name
        )
        for name in nf.games()
    ]


def seats(name: str, people: int, players: int | None = None, bot: str = "easy") -> list[Seat]:
    """So many people, and bots on the other seats."""
    low, high = facts(name).players
    number = players or min(max(low, people, 3), high)
    return [Seat(NAMES[seat]) if seat < people else Seat(f"Bot {seat}", bot) for seat in range(number)]


def sit(
    name: str,
    people: int = 1,
    seed: int = 1,
    players: int | None = None,
    save: Callable[[dict[str, Any]], None] = lambda line: None,
) -> Match:
    """A match that has begun."""
    seated = seats(name, people, players)
    match = Match(Game(name, len(seated), {}), seated, seed, save)
    match.begin()
    return match


def any_move(match: Match, seat: int, source: random.Random) -> str:
    moves = match.state.moves(seat)
    return moves[source.randrange(len(moves))]


def go_on(match: Match, source: random.Random, decisions: int = 1_000_000) -> None:
    """Let bots play, and people do anything, for so many decisions."""
    while decisions and not match.over:
        if match.next_bot is not None:
            match.step_bot()
        else:
            seat = match.awaited[0]
            match.play(seat, any_move(match, seat, source))
        decisions -= 1


def until_asked(match: Match) -> int:
    """Let bots play until a person has to decide; who, or -1 at the end."""
    while match.next_bot is not None:
        match.step_bot()
    return -1 if match.over else match.awaited[0]
