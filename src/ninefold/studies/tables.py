"""Plays matches for studies: one row of numbers for each, by any executor (simulation/executors.py)."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from ninefold.engine.bots import Player, SeatedBots
from ninefold.engine.game import Game
from ninefold.kernel import statistics
from ninefold.kernel.compile import COMPILED
from ninefold.simulation import executors
from ninefold.simulation.run import Worker
from ninefold.studies.estimate import games_for, reach
from ninefold.studies.plan import Plan

HEAD = 5  # columns before those of the seats: number, turn, finished, decisions, turns
NUMBER, TURN, FINISHED, DECISIONS, TURNS = range(HEAD)
QUICK = 0.4  # seconds of a pilot
MOST_PILOT = 400  # games
STEP = 256  # games in a part, at most


@dataclass(frozen=True)
class Part:
    """Matches first .. first + count - 1, each played after all of these turns of the table."""

    first: int
    count: int
    turns: int = 1


@dataclass(frozen=True)
class Rows:
    """What came of a part."""

    rows: Any
    done: int


class Tables(Worker):
    """Plays matches, and notes one row for each.

    With several turns, a match is played again with the same chance after each turn of the table, so that
    all bots get the same cards and dice at the same seats.
    """

    _each = 1  # times that a match is played

    def prepare(self) -> None:
        self.play(Part(0, 0))

    def play(self, part: Any) -> Any:
        rows: list[Any] = []
        self.rest()
        self._each = part.turns
        for number in range(part.first, part.first + part.count):
            for turn in range(part.turns):
                self.turn_to(turn)
                row = self.row(number, turn)
                if self.tally.counts[statistics.STOP]:
                    return Rows(self._table(rows[: len(rows) // part.turns * part.turns]), 0)
                rows.append(row)
        self.turn_to(0)
        return Rows(self._table(rows), part.count)

    @property
    def under_way(self) -> int:
        return self.tally.done // self._each

    def _table(self, rows: list[Any]) -> Any:
        return np.array(rows, np.float64).reshape(-1, self.width)

    @property
    def width(self) -> int:
        return self.columns(self.game)

    @classmethod
    def columns(cls, game: Game) -> int:
        """The numbers in a row."""
        return HEAD + 2 * game.players + len(game.facts.tallies)

    def row(self, number: int, turn: int) -> Any:
        """Play a match; wins and scores are those of seats."""
        seats = self.game.players
        finished, winners, numbers = self._finish(number, turn)
        wins = np.asarray(winners[:seats]) / max(1, sum(winners[:seats]))
        head = (number, turn, finished, numbers[seats], numbers[seats + 1])
        return np.concatenate([head, wins, numbers[:seats], numbers[seats + 2 :]])

    def _finish(self, number: int, turn: int) -> tuple[bool, Any, Any]:
        if not self._compiled:
            return self._finish_in_python(number, turn)
        counts = self.tally.counts
        before = int(counts[statistics.UNFINISHED])
        room = (self._work, self._start, self._streams, self._slots)
        sums = (counts, self.tally.wins, self.tally.moments, self.histogram, self.bits)
        self.batch(*room, np.uint64(self.seed), number, 1, self.limit, *sums, self._numbers, self._flags)
        return counts[statistics.UNFINISHED] == before, self._flags.copy(), self._numbers.copy()

    @property
    def batch(self) -> Callable[..., None]:
        from ninefold.engine.registry import with_own

        return with_own(self.game.name).batch if self._own and COMPILED else self.game.package.batch

    def _finish_in_python(self, number: int, turn: int) -> tuple[bool, Any, Any]:
        game, seats = self.game, self.game.players
        players = [self.players[seat - turn] for seat in range(seats)]
        state = game.start(self.seed, number=number)
        decisions = SeatedBots(game, players, self.seed, number).play_out(state, self.limit)
        numbers = np.zeros(self.series, np.int64)
        flags = np.zeros(seats, np.int64)
        finished = state.over and state.turns <= self.limit
        if finished:
            flags[state.winners] = 1
            numbers[:seats] = state.scores
            numbers[seats : seats + 2] = decisions, state.turns
            game.package.tally(state.position, numbers[seats + 2 :])
        return finished, flags, numbers

    def gathered(self) -> Any:
        return None


def plays_on(bot: Player) -> bool:
    """Whether a match can be played on with this bot from the middle: it is compiled, and quick."""
    return not (bot.call or bot.search or bot.own)


class Stopped(Exception):  # noqa: N818 (not an error: a person pressed Ctrl-C)
    """Ctrl-C: these rows were complete."""

    def __init__(self, rows: Any) -> None:
        self.rows = rows


def parts(first: int, count: int, turns: int, size: int) -> Iterator[Part]:
    for start in range(first, first + count, size):
        yield Part(start, min(size, first + count - start), turns)


def collect(
    game: Game,
    players: Sequence[Player],
    seed: int,
    first: int,
    count: int,
    place: executors.Place,
    turns: int = 1,
    progress: executors.Progress | None = None,
    kind: type[Tables] = Tables,
    limit: int | None = None,
    size: int | None = None,
    **extra: Any,
) -> Any:
    """The rows of some matches, in order; `Stopped` has the first of them, after a Ctrl-C."""
    found: list[Any] = []
    most = game.facts.limit(game.options) if limit is None else limit
    in_python = any(player.call for player in players)
    recipe = partial(kind, game, list(players), seed, most, **extra)
    size = size or max(1, min(STEP, count // 16))
    job = executors.Job(
        recipe,
        parts(first, count, turns, size),
        -(-count // size),
        lambda outcome: found.append(outcome.rows),
        lambda _: None,
        in_python,
    )
    report = executors.play(job, place, progress, keep=True)
    rows = np.concatenate(found) if found else np.zeros((0, 0))
    if report.interrupted:
        raise Stopped(unbroken(rows, first, turns))
    return rows


def unbroken(rows: Any, first: int, turns: int) -> Any:
    """The rows before the first that is missing, so that their number tells which they are."""
    if not len(rows):
        return rows
    expected = first + np.arange(len(rows)) // turns
    missing = np.flatnonzero(rows[:, NUMBER] != expected)
    return rows[: missing[0] // turns * turns] if len(missing) else rows


def pace(
    game: Game,
    players: Sequence[Player],
    seed: int,
    turns: int = 1,
    kind: type[Tables] = Tables,
    **extra: Any,
) -> tuple[Any, float]:
    """A pilot: some rows, and the seconds that each match (with all its turns) takes on one core."""
    limit = game.facts.limit(game.options)
    worker = kind(game, list(players), seed, limit, **extra)
    worker.play(Part(0, 1, turns))  # compiles
    found, start, number = [], time.perf_counter(), 1
    while number <= MOST_PILOT and time.perf_counter() - start < QUICK:
        found.append(worker.play(Part(number, 1, turns)).rows)
        number += 1
    return np.concatenate(found), (time.perf_counter() - start) / (number - 1)


def sample(
    plan: Plan, part: str, kind: type[Tables], fewest: int, is_slow: Callable[[Plan, list[Player], int], bool]
) -> tuple[Any, int] | None:
    """What matches of one bot show in a part of a study, a row each, and their seed; None if the game is too
    slow. After Ctrl-C the rows there are, if they are enough."""
    players, pilot, number = [plan.one] * plan.game.players, plan.seed_of(part, "pilot"), plan.number
    if number is None:
        if is_slow(plan, players, pilot):
            return None
        _, each = pace(plan.game, players, pilot, kind=kind)
        number = plan.fit(games_for(0.5, plan.half(part), reach()), each, least=fewest)
    seed, size = plan.seed_of(part), max(1, min(8, number // 8))
    try:
        rows = collect(
            plan.game, players, seed, 0, number, plan.place, kind=kind, size=size,
            progress=lambda done: plan.say(done / number),
        )  # fmt: skip
    except Stopped as stopped:
        if len(stopped.rows) < fewest:
            raise
        plan.stopped, rows = True, stopped.rows
    return rows, seed


# What rows tell


def finished(rows: Any) -> Any:
    return rows[rows[:, FINISHED] > 0]


def wins(rows: Any, seats: int) -> Any:
    return rows[:, HEAD : HEAD + seats]


def scores(rows: Any, seats: int) -> Any:
    return rows[:, HEAD + seats : HEAD + 2 * seats]


def tallies(rows: Any, seats: int) -> Any:
    """What the game counts; only in rows that have nothing else at their end."""
    return rows[:, HEAD + 2 * seats :]
