"""The shape of what the bench measures, between the harness that fills it and the page that shows it."""

from __future__ import annotations

from dataclasses import dataclass, field

Spread = tuple[float, float, float]
"""Median, lowest, highest."""


@dataclass
class Row:
    """One contestant on one line-up."""

    name: str
    title: str
    games: int = 0
    unfinished: int = 0
    rates: dict[str, Spread] = field(default_factory=dict)
    ratio: Spread | None = None
    other_name: str | None = None
    other_ratio: Spread | None = None
    differences: dict[str, float] = field(default_factory=dict)
    agrees: bool = True


@dataclass
class LineupFigures:
    """All contestants on one line-up."""

    name: str
    rows: list[Row]


@dataclass
class Cost:
    """What one contestant uses besides time."""

    name: str
    title: str
    instructions: float | None = None
    counted_by: str | None = None
    memory_small: int | None = None
    memory_large: int | None = None


@dataclass
class ContestFigures:
    """One game."""

    name: str
    reference_title: str
    counted: tuple[str, ...]
    memory_games: tuple[int, int]
    lineups: list[LineupFigures] = field(default_factory=list)
    costs: list[Cost] = field(default_factory=list)


@dataclass
class Startup:
    """A whole process from start to end."""

    arguments: tuple[str, ...]
    seconds: Spread | None


@dataclass
class Figures:
    """Everything one run of the bench found."""

    machine: dict[str, str]
    repeats: int
    contests: list[ContestFigures] = field(default_factory=list)
    startup: list[Startup] = field(default_factory=list)
