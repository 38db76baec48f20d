"""Fact sheets: what the command line, the lobby, the docs and the tests need to know about a game.

Plain Python that imports no compiler, so that `ninefold --help` and a list of games are quick. An option
knows how to read its value from a person or a program, and which fields of the position it fills.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from ninefold.kernel.errors import RuleError, suggest

Difficulty = Literal["easy", "medium", "hard"]

ON = ("on", "yes", "true", "1")
OFF = ("off", "no", "false", "0")


def whole(value: object) -> int | None:
    """A whole number, given as a number or as text, else None. Neither 2.5 nor True is one."""
    if isinstance(value, bool):
        return None
    if isinstance(value, int):
        return value
    if isinstance(value, str):
        text = value.strip().removeprefix("+")
        if text.removeprefix("-").isascii() and text.removeprefix("-").isdigit() and len(text) < 20:
            return int(text)
    try:
        return int(value.__index__())  # type: ignore[attr-defined]
    except (AttributeError, TypeError):
        return None


def wholes(given: object, separator: str) -> list[int] | None:
    """Whole numbers, given as one, as several or as text with a separator between them, else None."""
    parts = given.split(separator) if isinstance(given, str) else given
    found = [whole(part) for part in (parts if isinstance(parts, tuple | list) else [parts])]
    numbers = [number for number in found if number is not None]
    return numbers if numbers and len(numbers) == len(found) else None


def option_text(value: object) -> str:
    """An option's value as people type it."""
    return ("on" if value else "off") if isinstance(value, bool) else str(value)


@dataclass(frozen=True)
class Option(ABC):
    """A rule of the game that a table may set. `default` may depend on the number of players.

    The label explains it; `short` names it where its value follows, and is the label if there is none.
    """

    name: str
    label: str
    default: Any
    short: str = field(default="", kw_only=True)
    later: bool = field(default=False, kw_only=True)
    """Younger than the first records of its game, which do not have it; see `Game.written_options`."""

    @abstractmethod
    def value(self, given: object) -> Any:
        """Read a value into its canonical form; RuleError says what is allowed."""

    def fill(self, s: Any, value: Any) -> None:
        """Write a canonical value into the position."""
        s[self.name] = value

    @property
    @abstractmethod
    def allowed(self) -> str:
        """The values allowed, in words."""

    def standard(self, players: int) -> Any:
        return self.default(players) if callable(self.default) else self.default

    def _refused(self, given: object) -> RuleError:
        return RuleError(f"option {self.name} is {self.allowed}, not {given!r}")


@dataclass(frozen=True)
class Number(Option):
    low: int = 0
    high: int = 2**31

    def value(self, given: object) -> int:
        number = whole(given)
        if number is None or not self.low <= number <= self.high:
            raise self._refused(given)
        return number

    @property
    def allowed(self) -> str:
        return f"a whole number from {self.low} to {self.high:,}"


@dataclass(frozen=True)
class Span(Option):
    """A number, or a range low-high; fills the fields NAME_low and NAME_high."""

    low: int = 0
    high: int = 2**31

    def value(self, given: object) -> int | str:
        ends = wholes(given.replace("–", "-") if isinstance(given, str) else given, "-")
        if ends is None or len(ends) > 2 or not self.low <= ends[0] <= ends[-1] <= self.high:
            raise self._refused(given)
        return ends[0] if ends[0] == ends[-1] else f"{ends[0]}-{ends[-1]}"

    def fill(self, s: Any, value: int | str) -> None:
        s[f"{self.name}_low"], s[f"{self.name}_high"] = self.ends(value)

    @staticmethod
    def ends(value: int | str) -> tuple[int, int]:
        low, _, high = str(value).partition("-")
        return int(low), int(high or low)

    @property
    def allowed(self) -> str:
        return f"a whole number from {self.low} to {self.high:,} or a range such as 8-12"


@dataclass(frozen=True)
class Numbers(Option):
    """Several numbers with slashes between them; fills the array of the option's name.

    With `count`, always that many. Without it, one for each seat, or one for all seats; `Facts.check`
    compares their number with the seats, using `parts`.
    """

    low: int = 0
    high: int = 2**31
    count: int = 0

    def value(self, given: object) -> int | str:
        numbers = wholes(given, "/")
        if numbers is None or len(numbers) != (self.count or len(numbers)):
            raise self._refused(given)
        if not all(self.low <= number <= self.high for number in numbers):
            raise self._refused(given)
        return numbers[0] if len(numbers) == 1 and not self.count else "/".join(map(str, numbers))

    @staticmethod
    def parts(value: int | str) -> list[int]:
        """The numbers of a canonical value."""
        return [int(part) for part in str(value).split("/")]

    def fill(self, s: Any, value: int | str) -> None:
        numbers = self.parts(value)
        length = self.count or int(s.players)
        s[self.name][:length] = numbers * length if len(numbers) == 1 else numbers

    @property
    def allowed(self) -> str:
        each = f"from {self.low} to {self.high:,}"
        if self.count:
            example = "/".join(str(5 * (place + 1)) for place in range(self.count))
            return f"{self.count} whole numbers {each} such as {example}"
        return f"a whole number {each}, or one for each seat such as 200/500/1000"


@dataclass(frozen=True)
class Choice(Option):
    """One of a few words; the field holds the word's index."""

    choices: tuple[str, ...] = ()

    def value(self, given: object) -> str:
        if isinstance(given, str) and given.strip().lower() in self.choices:
            return given.strip().lower()
        raise self._refused(given)

    def fill(self, s: Any, value: str) -> None:
        s[self.name] = self.choices.index(value)

    @property
    def allowed(self) -> str:
        return " or ".join(self.choices)


@dataclass(frozen=True)
class Flag(Option):
    def value(self, given: object) -> bool:
        if isinstance(given, bool):
            return given
        if isinstance(given, str) and given.strip().lower() in (*ON, *OFF):
            return given.strip().lower() in ON
        raise self._refused(given)

    @property
    def allowed(self) -> str:
        return "on or off"


def read_options(pairs: Iterable[str]) -> dict[str, object]:
    """Read options typed as NAME=VALUE; the options themselves read the values later."""
    found: dict[str, object] = {}
    for pair in pairs:
        name, equals, value = pair.partition("=")
        if not equals:
            raise RuleError(f"write an option as NAME=VALUE, not {pair!r}")
        found[name.strip()] = value.strip()
    return found


@dataclass(frozen=True)
class Bot:
    """A compiled bot: its number in the game's `decide`, and the numbers that may follow a colon.

    `remembers` says what it keeps in its memory from one decision to the next: nothing (memory is scratch
    space), what everyone may know, or also what only its own seat may know.
    """

    name: str
    number: int
    line: str
    parameters: tuple[Number, ...] = ()
    remembers: Literal["nothing", "public", "own"] = "nothing"
    search: tuple[int, ...] = ()  # worlds in each stage of a search in which this bot plays on, compiled


@dataclass(frozen=True)
class Facts:
    """One game's fact sheet; tests check that it is true."""

    name: str
    title: str
    line: str
    version: int
    players: tuple[int, int]
    usual_players: int
    capacities: tuple[int, ...]
    actions: int
    chances: int
    spans: int
    everyone: bool
    hidden: bool
    scores: tuple[int, int]
    limit: Callable[[Mapping[str, Any]], int]
    options: tuple[Option, ...]
    bots: tuple[Bot, ...]
    tallies: tuple[str, ...] = ()
    observation: Callable[[int], int] | None = (
        None  # how many numbers `observe` writes, by the number of players
    )
    minutes: int = 10  # about this long, with the suggested players and options (bench/lengths.py)
    difficulty: Difficulty = "medium"  # to learn
    tagline: str = ""  # what it is like to play, in one sentence; empty is the line
    lowest_wins: bool = False
    unit: str = "points"  # what scores count; empty where they only say who has won
    by_score: bool = False  # what counts is the score, such as chips, and not only who wins
    realtime: bool = False  # everyone acts at any time: the game has a module `realtime`
    redacts: bool = False  # some outcomes stay secret for good: the game has a module `redaction`
    commands: Mapping[str, str] = field(default_factory=dict)  # `odds`, in odds_command.py, with its help
    suggested: Mapping[str, Any] = field(default_factory=dict)  # options that suit an evening with friends
    suggested_from: Mapping[str, int] = field(default_factory=dict)  # the players from which one of them does
    suggested_players: int | None = None  # how many such an evening is best with; else the usual number
    check: Callable[[int, Mapping[str, Any]], str | None] = field(default=lambda *_: None)

    def capacity(self, players: int) -> int:
        """The smallest capacity that fits these players."""
        return next(capacity for capacity in self.capacities if capacity >= players)

    def suggestions(self, players: int) -> dict[str, Any]:
        """The options that suit an evening with this many friends."""
        chosen = self.suggested.items()
        return {name: value for name, value in chosen if players >= self.suggested_from.get(name, 0)}

    @property
    def first_players(self) -> int:
        """How many players a first match is proposed with."""
        return self.suggested_players or self.usual_players

    def option(self, name: str) -> Option:
        """The option of this name."""
        return next(option for option in self.options if option.name == name)

    def settings(self, players: int | str | None, given: Mapping[str, object]) -> tuple[int, dict[str, Any]]:
        """The number of players and every option's canonical value; RuleError says what is allowed."""
        low, high = self.players
        seats = self.usual_players if players is None else whole(players)
        if seats is None or not low <= seats <= high:
            raise RuleError(f"{self.title} is for {low} to {high:,} players, not {players!r}")
        known = [option.name for option in self.options]
        for name in given:
            if name not in known:
                raise RuleError(f"{self.title} has no option {name!r}; {suggest(name, known, 'options')}")
        values = {
            option.name: option.value(given.get(option.name, option.standard(seats)))
            for option in self.options
        }
        fault = self.check(seats, values)
        if fault:
            raise RuleError(fault)
        return seats, values
