"""What a study is asked for, and how its time is shared out. Plain data; nothing is played here."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from ninefold.engine.bots import Player, find_bot
from ninefold.engine.game import Game
from ninefold.kernel.errors import RuleError, suggest
from ninefold.model.facts import whole
from ninefold.simulation.executors import Place
from ninefold.simulation.tournament import levels, seed_of

PARTS = {  # in the order of the report, with their shares of the time
    "games": 0.14,
    "drama": 0.15,
    "decisions": 0.13,
    "ladder": 0.3,
    "luck": 0.1,
    "options": 0.18,
}
USUAL_PRECISION = 0.01
USUAL_SECONDS = 120.0
COARSER = {"games": 1, "drama": 3, "decisions": 3, "ladder": 2, "luck": 1, "options": 2}
MOST_GAMES = 10**9
ONE_PLAYS = ("hard", "medium", "easy", "random")  # who plays where all bots are alike: the first there is

Progress = Callable[[str, float], None]  # the part, and how much of everything is done


@dataclass
class Plan:
    """Everything that the parts of a study need to know."""

    game: Game
    bots: list[Any]  # of the ladder, weakest first
    seed: int
    precision: float
    seconds: float | None  # for everything; None plays until the precision is reached
    place: Place
    given: Mapping[str, object] = field(default_factory=dict)  # options; the others may depend on the players
    compare: Mapping[str, Sequence[str]] = field(default_factory=dict)
    parts: tuple[str, ...] = tuple(PARTS)
    numbers: Mapping[str, int] = field(default_factory=dict)  # of games of parts, where they are given
    progress: Progress | None = None
    cores: int = 1  # that play
    stopped: bool = False  # by Ctrl-C

    def __post_init__(self) -> None:
        self._part, self._start = "", 0.0

    @property
    def name(self) -> str:
        return self.game.name

    @property
    def players(self) -> list[Player]:
        return [find_bot(self.name, bot) for bot in self.bots]

    @property
    def one(self) -> Player:
        """The bot that plays where all are alike."""
        known = {player.name: player for player in self.players}
        return known[who_plays(list(known))]

    def seed_of(self, *what: object) -> int:
        """A seed for one purpose: no two share their games."""
        return seed_of(self.seed, tuple(map(str, what)))

    def options_at(self, players: int) -> dict[str, object]:
        """The options of a table of another size; those that were given for every seat do not fit there."""
        fits = {}
        for name, value in self.given.items():
            try:
                self.game.facts.settings(players, {name: value})
            except RuleError:
                continue
            fits[name] = value
        return fits

    def half(self, part: str) -> float:
        """The half-width asked for of the intervals of a part."""
        return self.precision * COARSER[part]

    def begin(self, part: str) -> None:
        self._part, self._start = part, time.monotonic()
        self.say(0.0)

    @property
    def allowed(self) -> float:
        """The seconds for the part that has begun."""
        if self.seconds is None:
            return math.inf
        return self.seconds * PARTS[self._part] / sum(PARTS[part] for part in self.parts)

    @property
    def left(self) -> float:
        """The seconds that are left of them."""
        return self.allowed - (time.monotonic() - self._start)

    @property
    def number(self) -> int | None:
        """The games of the part that has begun, if their number is given."""
        return self.numbers.get(self._part)

    def fit(self, wanted: int, each: float, tables: int = 1, least: int = 20) -> int:
        """How many games each of some tables should have: those wanted, or as many as fit into the time."""
        if math.isinf(self.left):
            return wanted
        return min(wanted, max(least, int(max(0.0, self.left) * self.cores / each / tables)))

    def say(self, done: float) -> None:
        """Report how much of the part is done, from 0 to 1."""
        if self.progress:
            total = sum(PARTS[part] for part in self.parts)
            before = sum(PARTS[part] for part in self.parts[: self.parts.index(self._part)])
            self.progress(self._part, (before + min(1.0, done) * PARTS[self._part]) / total)


def who_plays(names: Sequence[str]) -> str:
    """The bot that plays where all are alike."""
    return next((name for name in ONE_PLAYS if name in names), names[-1])


def read_precision(given: object) -> float:
    """A half-width of intervals: 0.5%, or 0.005."""
    text = str(given).strip()
    try:
        number = float(text.removesuffix("%")) / (100 if text.endswith("%") else 1)
    except ValueError:
        number = math.nan
    if not 0.0001 <= number <= 0.25:
        raise RuleError(f"precision is from 0.01% to 25%, such as 0.5%, not {given!r}")
    return number


def read_seconds(given: object) -> float:
    try:
        number = float(given)  # type: ignore[arg-type]
    except (TypeError, ValueError):
        number = math.nan
    if not 1 <= number <= 10**7:
        raise RuleError(f"seconds are a number from 1 to 10,000,000, not {given!r}")
    return number


def read_parts(given: Iterable[str] | None) -> tuple[str, ...]:
    wanted = list(PARTS) if given is None else list(given)
    for part in wanted:
        if part not in PARTS:
            raise RuleError(f"a study has no part {part!r}; {suggest(part, list(PARTS), 'parts')}")
    if not wanted:
        raise RuleError(f"a study needs at least one of its parts: {', '.join(PARTS)}")
    return tuple(part for part in PARTS if part in wanted)


def read_numbers(given: object, parts: Sequence[str]) -> dict[str, int]:
    """Numbers of games: one for all parts, or one for each, as in {"drama": 500}."""
    if given is None:
        return {}
    numbers = given if isinstance(given, Mapping) else dict.fromkeys(parts, given)
    found = {}
    for part, value in numbers.items():
        number = whole(value)
        if number is None or not 1 <= number <= MOST_GAMES:
            raise RuleError(f"a number of games is a whole number from 1 up, not {value!r}")
        found.update(dict.fromkeys(read_parts([part]), number))
    return found


def read_compare(game: Game, given: Mapping[str, object]) -> dict[str, list[str]]:
    """Values of options to compare; each is checked at this table."""
    found = {}
    for name, values in given.items():
        listed = values.split(",") if isinstance(values, str) else values
        tried = [str(value).strip() for value in (listed if isinstance(listed, list | tuple) else [listed])]
        if len(tried) < 2:
            raise RuleError(f"compare at least two values, as in {name}={tried[0]},…, not {values!r}")
        for value in tried:
            game.facts.settings(game.players, {**game.options, name: value})
        found[name] = tried
    return found


def read_bots(game: Game, given: Sequence[Any] | None) -> list[Any]:
    if isinstance(given, str):
        raise RuleError(f"bots are several names, such as ['easy', 'hard'], not {given!r}")
    bots = levels(game.name) if given is None else list(given)
    if not bots:
        raise RuleError("a study needs at least one bot")
    return list({find_bot(game.name, bot).name: bot for bot in bots}.values())
