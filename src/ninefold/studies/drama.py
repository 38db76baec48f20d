"""Drama: how early the winner is known, and how often the lead changes.

At some moments of a match it is played on many times from the same position, with new chance: that is every
seat's chance to win as someone would see it who knows all cards but not those to come.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Any

import numpy as np

from ninefold.kernel.stream import FOR_BOTS, FOR_CHANCE, FOR_WORLDS, STREAM, seed_stream
from ninefold.studies import tables
from ninefold.studies.estimate import Estimate, mean, share
from ninefold.studies.plan import Plan
from ninefold.studies.tables import Tables

POINTS = 10  # moments of a match, evenly spread over its turns
TIMES = 24  # that each is played on
SURE = 2.0  # standard errors by which a new favourite must lead
SLOW = 1.0  # seconds for one match with all its moments, beyond which there would be too few
FEWEST = 25  # matches


@dataclass(frozen=True)
class Drama:
    """How the chance to win moved during matches."""

    times: int  # that each moment was played on
    winner: list[Estimate]  # at each moment: the chance of whoever wins in the end
    favourite: list[Estimate]  # at each moment: how often the favourite wins in the end
    changes: Estimate  # of the favourite in a match
    known: float | None  # part of the match after which the favourite wins nine of ten
    matches: int
    seed: int


class Moments(Tables):
    """Plays matches, and from moments of each on to the end, many times."""

    def __init__(self, *given: Any, **named: Any) -> None:
        super().__init__(*given, **named)
        self._copy = self._start.copy().view(np.recarray)
        self._own_streams = np.zeros(2, STREAM).view(np.recarray)

    @property
    def width(self) -> int:
        return super().width + POINTS * self.game.players

    def row(self, number: int, turn: int) -> Any:
        """The row of a match, then the chance to win of each seat at each moment."""
        found = super().row(number, turn)
        chances = np.zeros((POINTS, self.game.players))
        if found[tables.FINISHED]:
            self._follow(number, int(found[tables.TURNS]), chances)
        return np.concatenate([found, chances.reshape(-1)])

    def _follow(self, number: int, turns: int, chances: Any) -> None:
        """Play the same match again, and stop at its moments."""
        package, work, streams, slots = self.game.package, self._work, self._streams, self._slots
        work[0] = self._start[0]
        seed_stream(streams[0], np.uint64(self.seed), number, FOR_CHANCE)
        seed_stream(streams[1], np.uint64(self.seed), number, FOR_BOTS)
        slots.memory[:] = 0
        package.rules.begin(work[0])
        for point in range(POINTS):
            package.play_out(work[0], slots, streams[0], streams[1], turns * point // POINTS - 1)
            memory = slots.memory.copy()
            for time_ in range(TIMES):
                self._play_on((number * POINTS + point) * TIMES + time_, chances[point])
                slots.memory[:] = memory
        chances /= TIMES

    def _play_on(self, number: int, sums: Any) -> None:
        game, copy, streams = self.game, self._copy, self._own_streams
        copy[0] = self._work[0]
        seed_stream(streams[0], np.uint64(self.seed), number, FOR_WORLDS)
        seed_stream(streams[1], np.uint64(self.seed), number, FOR_WORLDS + 1)
        game.package.play_out(copy[0], self._slots, streams[0], streams[1], self.limit)
        game.package.winners(copy[0], self._flags)
        flags = self._flags[: game.players]
        sums += flags / max(1, flags.sum())


def study(plan: Plan) -> Drama | None:
    """None if the game is too slow for it."""
    game, bot = plan.game, plan.one
    seats = game.players
    players = [bot] * seats
    if seats < 2 or bot.call or bot.search or bot.own:
        return None
    pilot = plan.seed_of("drama", "pilot")
    start = time.perf_counter()
    limit = game.facts.limit(game.options)
    one = Tables(game, players, pilot, limit)
    one.play(tables.Part(0, 1))
    start = time.perf_counter()
    one.play(tables.Part(1, 1))
    if (time.perf_counter() - start) * (POINTS * TIMES / 2 + 2) * FEWEST / plan.place.threads > plan.left:
        return None
    _, each = tables.pace(game, players, pilot, kind=Moments)
    wanted = max(FEWEST, int((2 / plan.half("drama")) ** 2 / 4))
    number = tables.fit(wanted, plan.left, each, plan.place, FEWEST)
    seed = plan.seed_of("drama")
    try:
        rows = tables.collect(
            game, players, seed, 0, number, plan.place, kind=Moments, size=max(1, min(8, number // 8)),
            progress=lambda done: plan.say(done / number),
        )  # fmt: skip
    except tables.Stopped as stopped:
        if len(stopped.rows) < FEWEST:
            raise
        return _drama(stopped.rows, seats, seed)
    return _drama(rows, seats, seed)


def _drama(rows: Any, seats: int, seed: int) -> Drama | None:
    rows = tables.finished(rows)
    won = tables.wins(rows, seats)
    decided = won.sum(axis=1) > 0
    rows, won = rows[decided], won[decided]
    if len(rows) < FEWEST:
        return None
    chances = rows[:, -POINTS * seats :].reshape(-1, POINTS, seats)
    winner = [share((chances[:, point] * won).sum(axis=1)) for point in range(POINTS)]
    favourite = [share(_of_favourite(chances[:, point], won)) for point in range(POINTS)]
    changes = np.array([lead_changes(one) for one in chances], np.float64)
    return Drama(TIMES, winner, favourite, mean(changes), known_at(favourite), len(rows), seed)


def _of_favourite(chances: Any, won: Any) -> Any:
    """Of each match, the favourite's share of the win; equal favourites share it."""
    best = chances >= chances.max(axis=1, keepdims=True) - 1e-9
    return (best * won).sum(axis=1) / best.sum(axis=1)


def lead_changes(chances: Any) -> int:
    """How often another seat became the favourite, by more than chance explains."""
    leader, changes = -1, 0
    for moment in chances:
        best = int(moment.argmax())
        if leader < 0:
            rest = np.sort(moment)
            leader = best if _clear(rest[-1], rest[-2]) else -1
        elif best != leader and _clear(moment[best], moment[leader]):
            leader, changes = best, changes + 1
    return changes


def _clear(one: float, other: float) -> bool:
    spread = max(1e-9, (one + other - (one - other) ** 2) / TIMES)
    return bool(one - other > SURE * spread**0.5)


def known_at(favourite: list[Estimate], enough: float = 0.9) -> float | None:
    """The part of a match after which the favourite wins so often, between two moments by a straight line."""
    values = [one.value for one in favourite] + [1.0]
    for at, value in enumerate(values):
        if value >= enough:
            before = values[at - 1] if at else value
            part = (enough - before) / (value - before) if value > before else 0.0
            return max(0.0, (at - 1 + part) / POINTS) if at else 0.0
    return None
