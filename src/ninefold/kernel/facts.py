"""Fact sheets: what the command line, the lobby, the docs and the tests need to know about a game.

Plain Python that imports no compiler, so that `ninefold --help` and a list of games are quick. An option
knows how to read its value from a person or a program, and into which fields of the record it goes.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from ninefold.kernel.errors import RuleError

ON = ("on", "yes", "true", "1")
OFF = ("off", "no", "false", "0")


def whole(value: object) -> int | None:
    """A whole number from a number or its text, else None. Neither 2.5 nor True is one."""
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


@dataclass(frozen=True)
class Option(ABC):
    """A rule of the game that a table may set. `default` may depend on the number of players."""

    name: str
    label: str
    default: Any

    @abstractmethod
    def value(self, given: object) -> Any:
        """The canonical value of what was given; RuleError says what is allowed."""

    def fill(self, s: Any, value: Any) -> None:
        """Write a canonical value into the record."""
        s[self.name] = value

    @property
    @abstractmethod
    def allowed(self) -> str:
        """What may be given, in words."""

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
    """A number, or a range low-high; the record has the fields NAME_low and NAME_high."""

    low: int = 0
    high: int = 2**31

    def value(self, given: object) -> int | str:
        parts: list[object] = [given]
        if isinstance(given, str):
            parts = list(given.replace("–", "-").split("-"))
        elif isinstance(given, tuple | list):
            parts = list(given)
        ends = [whole(part) for part in parts]
        if len(ends) not in (1, 2) or None in ends:
            raise self._refused(given)
        low, high = ends[0], ends[-1]
        if low is None or high is None or not self.low <= low <= high <= self.high:
            raise self._refused(given)
        return low if low == high else f"{low}-{high}"

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
    """Several numbers with slashes between them, into an array of the option's name.

    With `count`, always so many; without it one for each seat, or a single one that is everybody's (how many
    seats there are is for `Facts.check` to compare, by `parts`).
    """

    low: int = 0
    high: int = 2**31
    count: int = 0

    def value(self, given: object) -> int | str:
        listed: list[object] = [given]
        if isinstance(given, str):
            listed = list(given.split("/"))
        elif isinstance(given, tuple | list):
            listed = list(given)
        numbers = [whole(part) for part in listed]
        if len(numbers) != (self.count or len(numbers)) or not numbers:
            raise self._refused(given)
        if any(number is None or not self.low <= number <= self.high for number in numbers):
            raise self._refused(given)
        if len(numbers) == 1 and not self.count:
            return int(numbers[0] or 0)
        return "/".join(str(number) for number in numbers)

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
    """One of a few words; the record holds the word's place among them."""

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


@dataclass(frozen=True)
class Bot:
    """A compiled bot: its number in the game's `decide`, and the numbers that may follow a colon."""

    name: str
    number: int
    line: str
    parameters: tuple[Number, ...] = ()


@dataclass(frozen=True)
class Facts:
    """One game's sheet; the tests hold the game to it."""

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
    observation: Callable[[int], int]
    limit: Callable[[Mapping[str, Any]], int]
    options: tuple[Option, ...]
    bots: tuple[Bot, ...]
    tallies: tuple[str, ...] = ()
    lowest_wins: bool = False
    realtime: bool = False  # everybody acts whenever they like: see engine/live.py
    suggested: Mapping[str, Any] = field(default_factory=dict)  # options that suit an evening with friends
    check: Callable[[int, Mapping[str, Any]], str | None] = field(default=lambda *_: None)

    def capacity(self, players: int) -> int:
        """The smallest record that seats so many."""
        return next(capacity for capacity in self.capacities if capacity >= players)
