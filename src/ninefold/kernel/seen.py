"""What a user's compiled bot gets: what its seat sees, its legal moves and random numbers, and nothing else.

A game names its facts in a module `seen`: a kernel `fact(s, seat, ...)` for each. A bot that asks for
`seen.total` or `seen.score(2)` calls that kernel; there is no way from `seen` to the position. Numbers that a
bot passes are checked, because a kernel trusts its input. Nothing here knows a game.
"""

from __future__ import annotations

import inspect
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from types import ModuleType
from typing import Any

from ninefold.kernel.compile import kernel
from ninefold.kernel.stream import U1, below, next_word

MOST = 2**62
Limits = Mapping[str, tuple[int, int]]


@kernel
def players(s: Any, seat: int) -> int:  # noqa: ARG001 (the shape of every fact)
    """How many players there are. In what follows `player` counts from yourself: 0 is you, 1 the next."""
    return s.players  # type: ignore[no-any-return]


@kernel
def turn(s: Any, seat: int) -> int:  # noqa: ARG001
    """The turns begun so far."""
    return s.turns  # type: ignore[no-any-return]


@kernel
def seat_of(s: Any, seat: int, player: int) -> int:
    """The seat of a player counted from one's own."""
    other = seat + player
    return other if other < s.players else other - s.players


@kernel
def player_of(s: Any, seat: int, other: int) -> int:
    """How many seats after one's own another one is; -1 for nobody."""
    if other < 0:
        return -1
    return other - seat if other >= seat else other - seat + s.players


@dataclass(frozen=True)
class Fact:
    """Something that a seat may know, and the numbers that it takes."""

    name: str
    call: Any
    takes: tuple[str, ...]
    line: str
    limits: tuple[tuple[int, int], ...]  # of each number; the highest player is the last one at the table


def facts_of(module: ModuleType, actions: int) -> dict[str, Fact]:
    """The facts that a game names: the kernels of its module `seen`, in order, and those of every game."""
    limits: dict[str, tuple[int, int]] = {"player": (0, MOST), "move": (0, actions - 1), **module.LIMITS}
    own = [value for value in vars(module).values() if _plain(value).__module__ == module.__name__]
    found = {}
    for call in [players, turn, *own]:
        names = tuple(inspect.signature(_plain(call)).parameters) if callable(call) else ()
        if names[:2] == ("s", "seat"):
            name, line = _plain(call).__name__, inspect.cleandoc(_plain(call).__doc__ or "")
            takes = names[2:]
            found[name] = Fact(name, call, takes, line, tuple(limits[taken] for taken in takes))
    return found


def _plain(value: Any) -> Any:
    """The Python function behind a kernel; for anything else, something that belongs to no module."""
    plain = getattr(value, "py_func", value)
    return plain if inspect.isfunction(plain) else Fact


def outside(name: str, low: int, high: int) -> str:
    """The sentence for a number that a fact does not take."""
    return f"{name} is a number from {low} to {'the last player' if high == MOST else f'{high:,}'}"


@kernel
def some_move(spans: Any, n: int, place: int) -> int:
    """The move at a place of `n` spans; -1 if there is none."""
    if place >= 0:
        for span in range(n):
            size = spans[span, 1] - spans[span, 0] + 1
            if place < size:
                return spans[span, 0] + place  # type: ignore[no-any-return]
            place -= size
    return -1


@kernel
def number_of_moves(spans: Any, n: int) -> int:
    """How many moves there are in `n` spans."""
    total = 0
    for span in range(n):
        total += spans[span, 1] - spans[span, 0] + 1
    return total


@kernel
def is_among(spans: Any, n: int, move: int) -> bool:
    """Whether a move is in `n` spans."""
    for span in range(n):  # noqa: SIM110 (kernels have no generators)
        if spans[span, 0] <= move and move <= spans[span, 1]:
            return True
    return False


@kernel
def fraction(stream: Any) -> float:
    """A random number from 0 up to, but not including, 1."""
    word = next_word(stream)
    return (word >> (U1 * 11)) * 2.0**-53  # type: ignore[no-any-return]


class Seen:
    """The same in Python: `state.seen(seat).total`, and for bots that run interpreted."""

    def __init__(self, game: str, facts: Mapping[str, Fact], s: Any, seat: int) -> None:
        self._of = game, facts, s, seat

    def __getattr__(self, name: str) -> Any:
        game, facts, s, seat = object.__getattribute__(self, "_of")
        fact = facts.get(name)
        if fact is None:
            raise AttributeError(f"a seat of {game} sees no {name!r}; it sees {', '.join(facts)}")
        if not fact.takes:
            return _number(fact.call(s, seat))

        def ask(*given: int) -> int:
            if len(given) != len(fact.takes):
                raise TypeError(f"{name} takes {', '.join(fact.takes)}")
            for what, one, (low, high) in zip(fact.takes, given, fact.limits, strict=True):
                if not low <= one <= (s.players - 1 if high == MOST and what == "player" else high):
                    raise IndexError(outside(what, low, high))
            return _number(fact.call(s, seat, *given))

        return ask

    def __dir__(self) -> list[str]:
        return list(self._of[1])

    def __repr__(self) -> str:
        _, facts, __, ___ = self._of
        shown = [f"{name}={getattr(self, name)}" for name, fact in facts.items() if not fact.takes]
        return f"Seen({', '.join(shown)})"


def _number(value: Any) -> int:
    return int(value)


class Ids:
    """The ids of legal moves, for bots that run interpreted."""

    def __init__(self, spans: Any, n: int) -> None:
        self._spans, self._n = spans, n

    def __len__(self) -> int:
        return int(number_of_moves(self._spans, self._n))

    def __getitem__(self, place: int) -> int:
        move = int(some_move(self._spans, self._n, place if place >= 0 else len(self) + place))
        if move < 0:
            raise IndexError("there are fewer moves")
        return move

    def __iter__(self) -> Iterator[int]:
        return (self[place] for place in range(len(self)))

    def __contains__(self, move: int) -> bool:
        return bool(is_among(self._spans, self._n, move))


class Random:
    """Random numbers from a stream, for bots that run interpreted."""

    def __init__(self, stream: Any) -> None:
        self._stream = stream

    def randrange(self, n: int) -> int:
        if n < 1:
            raise ValueError("randrange takes a number from 1 up")
        return int(below(self._stream, n))

    def random(self) -> float:
        return float(fraction(self._stream))

    def choice(self, moves: Ids) -> int:
        return moves[self.randrange(len(moves))]
