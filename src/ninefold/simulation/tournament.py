"""Tournaments: who is stronger, by how much, and how sure that is.

Every line-up is a simulation of its own with rotated seats. Its games depend on the seed and on who plays,
not on the other line-ups, so one more bot changes nothing in the results of the others.
"""

from __future__ import annotations

import hashlib
import json
import math
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from ninefold.engine import registry
from ninefold.engine.bots import find_bot
from ninefold.engine.game import read_seed
from ninefold.kernel.errors import RuleError
from ninefold.model.facts import Facts
from ninefold.model.panel import LEVELS
from ninefold.simulation import lineups, plotting, ratings, report
from ninefold.simulation.cluster import connected
from ninefold.simulation.executors import Progress
from ninefold.simulation.intervals import wilson
from ninefold.simulation.lineups import Lineup
from ninefold.simulation.result import Result
from ninefold.simulation.run import Simulation


@dataclass(frozen=True)
class Standing:
    """What one bot got at one table, for each of its seats."""

    bot: str
    seats: int
    share: float  # of the finished games, won
    margin: float  # half the width of its 95 % interval
    low: float  # and the ends of it
    high: float
    score: float
    score_margin: float


@dataclass(frozen=True)
class Played:
    """The result of one line-up."""

    bots: list[str]
    seed: int  # of `ninefold simulate --rotate`, which plays the same games
    games: int
    unfinished: int
    standings: list[Standing]

    @property
    def finished(self) -> int:
        return self.games - self.unfinished

    @property
    def even(self) -> float:
        """The share of each seat if all were equally strong; less than 1 in n where games end undecided."""
        return sum(one.share * one.seats for one in self.standings) / len(self.bots)

    @property
    def even_score(self) -> float:
        return sum(one.score * one.seats for one in self.standings) / len(self.bots)

    def of(self, bot: str) -> Standing:
        return next(one for one in self.standings if one.bot == bot)

    def edge(self, bot: str, by_score: bool) -> tuple[float, float]:
        """How far a bot is above its even share, and half the width of the 95 % interval."""
        one = self.of(bot)
        if by_score:
            return one.score - self.even_score, one.score_margin
        return one.share - self.even, one.margin

    @classmethod
    def of_result(cls, result: Result, seed: int) -> Played:
        kinds = dict.fromkeys(result.bots)
        standings = [_standing(result, kind) for kind in kinds] if result.finished else []
        return cls(result.bots, seed, result.games, result.unfinished, standings)


def _standing(result: Result, bot: str) -> Standing:
    """The mean over the seats of one bot; where it has several, the interval is a cautious one."""
    places = [place for place, name in enumerate(result.bots) if name == bot]
    seats, games = len(places), result.finished
    share = sum(result.wins[place] for place in places) / games
    won = min(share, 1.0)
    low, high = wilson(won, won * (1 - won), games) if seats > 1 else result.interval(places[0])
    score = sum(result.scores[place].mean for place in places) / seats
    deviation = sum(result.scores[place].sd for place in places) / seats
    score_margin = 1.96 * deviation / math.sqrt(games)
    low, high = low / seats, high / seats
    return Standing(bot, seats, share / seats, (high - low) / 2, low, high, score, score_margin)


@dataclass(frozen=True)
class Rating:
    bot: str
    rating: float
    margin: float


@dataclass(frozen=True)
class Tournament:
    """The outcome of `nf.tournament`."""

    game: str
    title: str
    version: int
    options: dict[str, Any]
    by_score: bool  # ratings are scores per game, and not on Elo's scale
    unit: str
    bots: list[str]
    games: int  # of each line-up
    seed: int
    seconds: float
    interrupted: bool
    played: list[Played]
    ratings: list[Rating] = field(default_factory=list)
    anchor: str = ""  # the bot that the others' ratings are compared with

    def to_dict(self) -> dict[str, Any]:
        """Everything, as plain values."""
        return asdict(self)

    def to_frame(self) -> dict[str, list[Any]]:
        """One row for each bot of each line-up, as columns: what `pandas.DataFrame` takes."""
        rows = [
            {
                "lineup": number,
                "players": len(one.bots),
                "games": one.finished,
                "even": one.even,
                **asdict(standing),
            }
            for number, one in enumerate(self.played)
            for standing in one.standings
        ]
        return {name: [row[name] for row in rows] for name in (rows[0] if rows else {})}

    def json(self) -> str:
        """Everything, as JSON text."""
        return json.dumps(self.to_dict(), indent=2, allow_nan=False, default=float)

    def table(self) -> str:
        """Ratings, who wins how often against whom, and mixed tables, as lines of text."""
        return "\n".join(report.lines(self))

    def find(self, bots: Sequence[str]) -> Played | None:
        """The result of a line-up, in whatever order."""
        return next((one for one in self.played if sorted(one.bots) == sorted(bots)), None)

    def plot(self, path: str | Path) -> None:
        """A picture of the ratings; the ending of `path` says which kind of file."""
        title = f"{self.title}: ratings with 95 % intervals"
        figure, (axes,) = plotting.panels(title, [one.bot for one in self.ratings], 1)
        values, lows, highs = (
            [one.rating + side * one.margin for one in self.ratings] for side in (0, -1, 1)
        )
        plotting.dots(axes, values, lows, highs, report.scale(self))
        plotting.save(figure, path)


def levels(name: str) -> list[str]:
    """The levels of a game that play quickly: a bot that searches has to be named."""
    bots = {bot.name: bot for bot in registry.facts(name).bots}
    return [level for level in LEVELS if level in bots and not bots[level].search]


def tables(facts: Facts, players: int | None) -> tuple[int, ...]:
    """The sizes of tables: the one asked for, or two players and the usual number."""
    if players is not None:
        return (facts.settings(players, {})[0],)
    low = facts.players[0]
    return tuple(sorted({max(2, low), facts.usual_players}))


def tournament(
    game: str,
    bots: Iterable[Any] | None = None,
    games: int = 1_000,
    seed: int | None = None,
    players: int | None = None,
    limit: int | None = None,
    threads: int | None = None,
    progress: Progress | None = None,
    cluster: str | None = None,
    **options: object,
) -> Tournament:
    """Let bots meet in pairs and at larger tables, with rotated seats, and rate them.

    Without `bots`, the game's levels play. `games` is the number for each line-up. With `cluster` ("auto", or
    an address), the machines of a Ray cluster play.
    """
    known, meetings = invite(game, bots, players)
    return play(game, meetings, games, seed, limit, threads, options, progress, known=known, cluster=cluster)


def invite(game: str, bots: Iterable[Any] | None, players: int | None) -> tuple[dict[str, Any], list[Lineup]]:
    """The bots by name, and the line-ups in which they meet."""
    if isinstance(bots, str):
        raise RuleError(f"bots are several names, such as ['easy', 'hard'], not {bots!r}")
    sizes = tables(registry.facts(game), players)
    given = levels(game) if bots is None else list(bots)
    known = {find_bot(game, bot).name: bot for bot in given}
    if len(known) < 2:
        raise RuleError("a tournament needs at least two different bots")
    if sizes == (1,):
        raise RuleError("a tournament needs tables of at least two players")
    return known, lineups.tournament(list(known), sizes)


def play(
    game: str,
    meetings: Sequence[Lineup],
    games: int = 1_000,
    seed: int | None = None,
    limit: int | None = None,
    threads: int | None = None,
    options: Mapping[str, object] | None = None,
    progress: Progress | None = None,
    keep: bool = False,
    known: Mapping[str, Any] | None = None,
    cluster: str | None = None,
) -> Tournament:
    """Play these line-ups and rate their bots.

    With `keep`, an interrupt (Ctrl-C) returns the result so far.
    """
    seed, facts, start = read_seed(seed), registry.facts(game), time.perf_counter()
    played: list[Played] = []
    interrupted = False
    settings: dict[str, Any] = {}
    with connected(cluster):  # once for all of them
        for number, meeting in enumerate(meetings):
            own = seed_of(seed, meeting)
            seated = [(known or {}).get(bot, bot) for bot in meeting]
            simulation = Simulation(
                game, seated, games, own, limit, threads, None, options or {}, rotate=True, cluster=cluster
            )
            settings = dict(simulation.game.options)
            result = simulation.run(_from(number * games, progress), keep=keep)
            played.append(Played.of_result(result, own))
            if result.interrupted:
                interrupted = True
                break
    rated = rate(played, facts.by_score)
    return Tournament(
        game=game,
        title=facts.title,
        version=facts.version,
        options=settings,
        by_score=facts.by_score,
        unit=facts.unit,
        bots=list(dict.fromkeys(bot for meeting in meetings for bot in meeting)),
        games=games,
        seed=seed,
        seconds=time.perf_counter() - start,
        interrupted=interrupted,
        played=played,
        ratings=rated,
        anchor=anchor([one.bot for one in rated]) if rated else "",
    )


def seed_of(seed: int, meeting: Lineup) -> int:
    """The seed of one line-up: no two share their games."""
    text = f"{seed} {' '.join(meeting)}".encode()
    return int.from_bytes(hashlib.blake2b(text, digest_size=7).digest())


def _from(before: int, progress: Progress | None) -> Callable[[int], None] | None:
    return (lambda done: progress(before + done)) if progress else None


def anchor(bots: Sequence[str]) -> str:
    """The bot that the others' ratings are compared with."""
    return "medium" if "medium" in bots else min(bots)


def rate(played: Sequence[Played], by_score: bool) -> list[Rating]:
    """Ratings, the best first."""
    contested = [one for one in played if len(one.standings) > 1]
    bots = sorted({standing.bot for one in contested for standing in one.standings})
    if not contested:
        return []
    seats, wins, scores, margins = np.zeros((4, len(contested), len(bots)))
    for row, one in enumerate(contested):
        for standing in one.standings:
            at = row, bots.index(standing.bot)
            seats[at] = standing.seats
            wins[at] = standing.share * standing.seats * one.finished
            scores[at], margins[at] = standing.score, standing.score_margin
    at_anchor = bots.index(anchor(bots))
    if by_score:
        found, spread = ratings.by_score(seats, scores, margins, at_anchor)
    else:
        found, spread = ratings.elo(seats, wins, at_anchor)
    order = np.argsort(-found, kind="stable")
    return [Rating(bots[at], float(found[at]), float(spread[at])) for at in order]
