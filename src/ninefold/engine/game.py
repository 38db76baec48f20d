"""Game: the rules of one game with the number of players and the options of a table."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from typing import Any

from ninefold.engine import registry
from ninefold.engine.state import State, Watcher
from ninefold.kernel.errors import RuleError
from ninefold.kernel.fields import blank, layout
from ninefold.model.facts import Facts, whole


class Game:
    """A game ready to be played: `nf.make("doubles", players=3, rounds=6)`."""

    def __init__(
        self, name: str, players: int | None = None, options: Mapping[str, object] | None = None
    ) -> None:
        self.facts: Facts = registry.facts(name)
        self.name = name
        self.players, self.options = self.facts.settings(players, options or {})
        self.capacity = self.facts.capacity(self.players)
        self.package = registry.package(name)
        self.layout = layout(self.package.rules.FIELDS, self.capacity)

    def start(
        self, seed: int | None = None, manual: bool = False, number: int = 0, watcher: Watcher | None = None
    ) -> State:
        """Start a new match. Chance is drawn from `seed`; with `manual` the caller plays it.

        `number` is the game's number in a simulation with this seed; `watcher` sees every step.
        """
        return State.begin(self, read_seed(seed), number, manual, watcher)

    def new_position(self) -> Any:
        """The position before the first move, with players and options filled in."""
        s = blank(self.layout)
        s.players = self.players
        for option in self.facts.options:
            option.fill(s, self.options[option.name])
        return s

    @property
    def written_options(self) -> dict[str, Any]:
        """The options as records, promises and tables write them.

        An option that is younger than the first records is left out while it has its usual value, so that a
        match keeps the record, the digest and the proof that it had before the option existed.
        """
        usual = {one.name: one.value(one.standard(self.players)) for one in self.facts.options if one.later}
        return {name: value for name, value in self.options.items() if usual.get(name) != value}

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Game) and self._key() == other._key()

    def __hash__(self) -> int:
        return hash(self._key())

    def _key(self) -> tuple[Any, ...]:
        return self.name, self.players, tuple(sorted(self.options.items()))

    def __reduce__(self) -> tuple[Any, ...]:
        return Game, (self.name, self.players, self.options)

    def __repr__(self) -> str:
        options = "".join(f", {name}={value!r}" for name, value in self.options.items())
        return f"nf.make({self.name!r}, players={self.players}{options})"


def make(name: str, players: int | None = None, **options: object) -> Game:
    """Make a game by its name, for a number of players; options are keywords."""
    return Game(name, players, options)


def read_seed(seed: int | None) -> int:
    """Check a seed; without one, take it from the operating system."""
    if seed is None:
        return secrets.randbits(64)
    number = whole(seed)
    if number is None or not 0 <= number < 2**64:
        raise RuleError(f"a seed is a whole number from 0 to 2**64 - 1, not {seed!r}")
    return number
