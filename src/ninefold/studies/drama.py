"""Drama: how early the winner is known, and how often the lead changes.

At some moments of a match it is played on many times from the same position, with new chance: that is every
seat's chance to win as someone would see it who knows all cards but not those to come. After every turn, the
scores say who leads.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ninefold.engine.bots import Player
from ninefold.engine.game import Game
from ninefold.kernel.stream import FOR_BOTS, FOR_CHANCE, FOR_WORLDS, STREAM, seed_stream
from ninefold.studies import tables
from ninefold.studies.estimate import Estimate, mean, share
from ninefold.studies.plan import Plan
from ninefold.studies.tables import Tables

POINTS = 10  # parts of a match, by its turns
MOMENTS = tuple(range(POINTS))  # their beginnings
HALF = (POINTS // 2,)
TIMES = 24  # that each is played on
SURE = 2.0  # standard errors by which a new favourite must lead
SLOW = 1.0  # seconds for one match with all its moments, beyond which there would be too few
FEWEST = 25  # matches


@dataclass(frozen=True)
class Drama:
    """How the chance to win moved during matches."""

    times: int  # that each moment was played on
    winner: list[Estimate]  # at each moment: the chance of the one who wins in the end
    favourite: list[Estimate]  # at each moment: how often the favourite wins in the end
    changes: Estimate  # of the favourite in a match
    leads: Estimate | None  # of the seat with the best score, in a match
    ahead: Estimate | None  # how often the winner had the best score, alone, half-way
    known: float | None  # the first of the moments at which the favourite wins nine of ten
    matches: int  # that were decided
    played: int
    seed: int


class Moments(Tables):
    """Plays matches, and from moments of each on to the end, many times."""

    def __init__(self, *given: Any, moments: Sequence[int] = MOMENTS, **named: Any) -> None:
        super().__init__(*given, **named)
        self._moments = moments
        self._copy = self._start.copy().view(np.recarray)
        self._own_streams = np.zeros(2, STREAM).view(np.recarray)

    @property
    def width(self) -> int:
        return super().columns(self.game) + 2 + len(self._moments) * self.game.players

    @classmethod
    def columns(cls, game: Game) -> int:
        return super().columns(game) + 2 + POINTS * game.players

    def row(self, number: int, turn: int) -> Any:
        """The row of a match, the leads, then the chance to win of each seat at each moment."""
        found = super().row(number, turn)
        chances = np.zeros((len(self._moments), self.game.players))
        leads = self._follow(number, int(found[tables.TURNS]), chances) if found[tables.FINISHED] else (0, -1)
        return np.concatenate([found, leads, chances.reshape(-1)])

    def _follow(self, number: int, turns: int, chances: Any) -> tuple[int, int]:
        """Play the same match again, and stop at its moments; how often the lead changed, and who had it."""
        package, work, streams, slots = self.game.package, self._work, self._streams, self._slots
        work[0] = self._start[0]
        seed_stream(streams[0], np.uint64(self.seed), number, FOR_CHANCE)
        seed_stream(streams[1], np.uint64(self.seed), number, FOR_BOTS)
        slots.memory[:] = 0
        package.rules.begin(work[0])
        moments = {turns * point // POINTS: row for row, point in enumerate(self._moments)}
        changes, leader, half_way = 0, -1, -1
        for at in range(turns):
            package.play_out(work[0], slots, streams[0], streams[1], at - 1)
            now = self._leader()
            changes += leader >= 0 <= now != leader
            leader = leader if now < 0 else now
            if at == turns // 2:
                half_way = now
            if at in moments:
                memory = slots.memory.copy()
                for time_ in range(TIMES):
                    self._play_on((number * turns + at) * TIMES + time_, chances[moments[at]])
                    slots.memory[:] = memory
        for row, point in enumerate(self._moments):  # in a match of few turns, some moments are the same
            chances[row] = chances[moments[turns * point // POINTS]]
        chances /= TIMES
        return changes, half_way

    def _leader(self) -> int:
        """The seat with the best score; -1 if several have it."""
        self.game.package.scores(self._work[0], self._numbers)
        points = self._numbers[: self.game.players]
        if self.game.facts.lowest_wins:
            points = -points
        return int(points.argmax()) if np.count_nonzero(points == points.max()) == 1 else -1

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
    if plan.game.players < 2 or not tables.plays_on(plan.one):
        return None
    found = tables.sample(plan, "drama", Moments, FEWEST, _slow)
    return _drama(found[0], plan, found[1]) if found else None


def _slow(plan: Plan, players: list[Player], pilot: int) -> bool:
    """Whether the fewest matches would take too long."""
    one = Tables(plan.game, players, pilot, plan.game.facts.limit(plan.game.options))
    one.play(tables.Part(0, 1))  # compiles
    start = time.perf_counter()
    one.play(tables.Part(1, 1))
    each = (time.perf_counter() - start) * (POINTS * TIMES / 2 + 2)
    return each * FEWEST / plan.cores > plan.left


def _drama(rows: Any, plan: Plan, seed: int) -> Drama | None:
    seats, played = plan.game.players, len(rows)
    rows = tables.finished(rows)
    won = tables.wins(rows, seats)
    decided = won.sum(axis=1) > 0
    rows, won = rows[decided], won[decided]
    if len(rows) < FEWEST:
        return None
    chances = rows[:, -POINTS * seats :].reshape(-1, POINTS, seats)
    winner = [share((chances[:, point] * won).sum(axis=1)) for point in range(POINTS)]
    favourite = [share(of_favourite(chances[:, point], won)) for point in range(POINTS)]
    changes = np.array([lead_changes(one) for one in chances], np.float64)
    leads, leader = rows[:, -POINTS * seats - 2], rows[:, -POINTS * seats - 1].astype(int)
    ahead = np.where(leader < 0, 0.0, won[np.arange(len(won)), leader])
    counted = bool(plan.game.facts.unit) and leads.any()
    return Drama(
        times=TIMES,
        winner=winner,
        favourite=favourite,
        changes=mean(changes),
        leads=mean(leads) if counted else None,
        ahead=share(ahead) if counted else None,
        known=known_at(favourite),
        matches=len(rows),
        played=played,
        seed=seed,
    )


def of_favourite(chances: Any, won: Any) -> Any:
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
    """The first moment of those looked at, as a part of the match, at which the favourite wins so often."""
    return next((at / POINTS for at, one in enumerate(favourite) if one.value >= enough), None)
