"""What a contest is: one game, some line-ups, and the programs that play them.

Every contestant plays the same line-up in a process of its own and reports one
flat outcome, so that the harness can time, compare and measure them without
knowing the game.  A new game is a module that makes a `Contest` and one line in
`registry.py`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

Outcome = dict[str, Any]
"""Keys: games, unfinished, wins (per seat), seconds, and mean_X with sd_X for scores and whatever is counted.

What a game keeps but nobody is asked about (who rolls next) should show in some mean_X: a
compiler leaves out what never reaches the outcome, and the contest would no longer be the same work.
"""


@dataclass(frozen=True)
class Lineup:
    """Who sits where, and under which options."""

    name: str
    strategies: tuple[str, ...]
    options: Mapping[str, int | str] = field(default_factory=dict)


Play = Callable[[Lineup, int, int], Outcome]
"""Plays a line-up for a number of games from a seed, inside a Python process."""

Arguments = Callable[[Lineup, int, int], Sequence[str]]
"""The same as command-line arguments of a compiled program."""


@dataclass(frozen=True)
class Contestant:
    """One way to play: a C source with its arguments, or a Python function."""

    name: str
    title: str
    source: str | None = None
    arguments: Arguments | None = None
    play: Play | None = None
    counted: bool = False
    ratio_to: str | None = None
    least_games: int = 200
    needs: str | None = None  # a module that may not be installed (extra `bench`)
    alike: bool = True  # plays the very same game; else only its speed is compared


@dataclass(frozen=True)
class Contest:
    """One game's yardsticks.  `reference` names the contestant that the others are divided by."""

    name: str
    lineups: tuple[Lineup, ...]
    contestants: tuple[Contestant, ...]
    reference: str
    counted: tuple[str, ...]
    startup: tuple[tuple[str, ...], ...] = ()

    def without(self, missing: Sequence[str]) -> Contest:
        """The contest without those who need a module that is missing."""
        return replace(self, contestants=tuple(c for c in self.contestants if c.needs not in missing))

    def contestant(self, name: str) -> Contestant:
        return next(c for c in self.contestants if c.name == name)
