"""What a contest is: one game, some line-ups, and the programs that play them.

Every contestant plays the same line-up in a process of its own and reports one
flat outcome, so that the harness can time, compare and measure them without
knowing the game.  A new game is a folder of `contests/` whose `contest.py` holds
its `CONTESTS`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

Outcome = dict[str, Any]
"""Keys: games, unfinished, wins (per seat), seconds, and mean_X with sd_X for scores and whatever is counted.

Seconds are processor time, in which other work of the machine does not count; those of a contestant with
several threads, and `wall` of one that is compared with it, are by the clock on the wall.

What a game keeps but nobody is asked about (who rolls next) should show in some mean_X: a
compiler leaves out what never reaches the outcome, and the contest would no longer be the same work.
"""


@dataclass(frozen=True)
class Lineup:
    """Who sits where, and under which options."""

    name: str
    strategies: tuple[str, ...]
    options: Mapping[str, int] = field(default_factory=dict)

    def arguments(self, games: int, seed: int) -> list[str]:
        """The command line of a compiled program."""
        return [*map(str, (games, seed, *map(int, self.options.values()))), *self.strategies]


Play = Callable[[Lineup, int, int], Outcome]
"""Plays a line-up for a number of games from a seed, inside a Python process."""


@dataclass(frozen=True)
class Contestant:
    """One way to play: a C source (its path among the contests), or a Python function."""

    name: str
    title: str
    source: str | None = None
    play: Play | None = None
    counted: bool = False
    ratio_to: str | None = None
    least_games: int = 200
    needs: str | None = None  # a module that may not be installed (extra `bench`)
    alike: bool = True  # plays the very same game; else only its speed is compared
    clock: str = "seconds"  # that `ratio_to` is taken by: of the processor, or "wall"


@dataclass(frozen=True)
class Contest:
    """One game's yardsticks.  `reference` names the contestant that the others are divided by."""

    name: str
    lineups: tuple[Lineup, ...]
    contestants: tuple[Contestant, ...]
    reference: str
    counted: tuple[str, ...]
    startup: tuple[tuple[str, ...], ...] = ()
    costs: bool = True  # whether memory and instructions are measured

    def without(self, missing: Sequence[str]) -> Contest:
        """The contest without those who need a module that is missing, and without ratios to them."""
        here = [c for c in self.contestants if c.needs not in missing]
        names = {c.name for c in here}
        return replace(
            self,
            contestants=tuple(c if c.ratio_to in names else replace(c, ratio_to=None) for c in here),
        )

    def contestant(self, name: str) -> Contestant:
        return next(c for c in self.contestants if c.name == name)
