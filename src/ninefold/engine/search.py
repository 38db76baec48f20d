"""Search: what moves are worth, found by playing them on in many worlds that fit what the seat knows.

Everything the seat may not know is dealt again in every world; compiled bots play on to the end, with the
memory they would have. All moves are tried in the same worlds with the same luck, so that few worlds tell
them apart, and moves that fall behind are dropped between stages. Hints and the bots that search use the same
function. It knows no game.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ninefold.engine.game import Game
from ninefold.kernel.drive import slot_type
from ninefold.kernel.stream import STREAM

if TYPE_CHECKING:
    from ninefold.engine.bots import Player

BEHIND = 2.0  # standard errors behind the leader, after which a move is dropped
AHEAD = 1.5  # standard errors by which a move must beat the bot's own before it is preferred
CHUNK = 8  # worlds between two looks at the clock


class Weighed(NamedTuple):
    """What each move is worth (its mean over the worlds it was tried in), and how many worlds there were."""

    actions: list[int]
    means: list[float]
    worlds: list[int]
    behind: list[float]  # standard errors that each is behind the first move; below zero if it is ahead

    @property
    def choice(self) -> int:
        """The best move; the first one unless another is clearly better."""
        clear = [at for at in range(1, len(self.actions)) if self.behind[at] < -AHEAD]
        best = max(clear, key=lambda at: self.means[at], default=0)
        return self.actions[best]


class Laboratory:
    """Room for playouts from one position."""

    def __init__(
        self, game: Game, position: Any, seat: int, player: Player, memories: Sequence[bytes], seed: int
    ) -> None:
        self.game, self.seat, self.seed = game, seat, np.uint64(seed)
        row = np.array([position], position.dtype)
        self._start, self._world, self._work = (row.copy().view(np.recarray) for _ in range(3))
        self._base = np.zeros(game.players, slot_type(game.facts.spans)).view(np.recarray)
        self._base.bot = player.number
        self._base.params[:, : len(player.parameters)] = player.parameters
        player.fill(self._base[seat].params)  # nobody knows the temper of others
        for slot, memory in zip(self._base, memories, strict=True):
            if memory:
                slot.memory[:] = np.frombuffer(memory, np.int64)
        self._slots = self._base.copy().view(np.recarray)
        self._streams = np.zeros(2, STREAM).view(np.recarray)
        self._flags = np.zeros(game.players, np.int64)
        self._limit = game.facts.limit(game.options)

    def try_worlds(self, actions: Sequence[int], first: int, worlds: int) -> Any:
        """The values of some moves, one row for each world."""
        values = np.zeros((worlds, len(actions)))
        self.game.package.try_worlds(
            self._start,
            self._world,
            self._work,
            self.seat,
            np.array(actions, np.int64),
            self._base,
            self._slots,
            self._streams,
            self.seed,
            first,
            self._limit,
            self._flags,
            values,
        )
        return values


def weigh(
    laboratory: Laboratory,
    actions: Sequence[int],
    stages: Sequence[int],
    seconds: float = float("inf"),
    clock: Callable[[], float] = time.monotonic,
) -> Weighed:
    """What moves are worth, tried in stages, each of a number of worlds; the first move is never dropped.

    Time runs from the end of the first chunk, which may have to compile or load the bots.
    """
    columns: list[list[Any]] = [[] for _ in actions]
    alive, first, end = list(range(len(actions))), 0, float("inf")
    for worlds in stages:
        for start in range(0, worlds, CHUNK):
            if clock() >= end:
                return _weighed(actions, columns)
            count = min(CHUNK, worlds - start)
            values = laboratory.try_worlds([actions[at] for at in alive], first, count)
            for column, at in enumerate(alive):
                columns[at].append(values[:, column])
            first += count
            end = min(end, clock() + seconds)
        alive = _still_in(alive, columns)
        if len(alive) == 1:
            break
    return _weighed(actions, columns)


def _gap(one: list[Any], other: list[Any]) -> float:
    """By how many standard errors one move leads another, over the worlds both were tried in."""
    pairs = min(sum(map(len, one)), sum(map(len, other)))
    differences = (np.concatenate(one)[:pairs] - np.concatenate(other)[:pairs]) if pairs else np.zeros(0)
    spread = differences.std(ddof=1) if pairs > 1 else 0.0
    mean = float(differences.mean()) if pairs else 0.0
    if not spread:
        return float(np.copysign(np.inf, mean)) if mean else 0.0
    return mean / float(spread) * math.sqrt(pairs)


def _still_in(alive: list[int], columns: list[list[Any]]) -> list[int]:
    best = max(alive, key=lambda at: np.concatenate(columns[at]).mean())
    return [at for at in alive if at in (0, best) or _gap(columns[best], columns[at]) < BEHIND]


def _weighed(actions: Sequence[int], columns: list[list[Any]]) -> Weighed:
    worlds = [sum(map(len, column)) for column in columns]
    means = [float(np.concatenate(column).mean()) if column else 0.0 for column in columns]
    return Weighed(list(actions), means, worlds, [_gap(columns[0], column) for column in columns])
