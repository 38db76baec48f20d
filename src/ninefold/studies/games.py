"""The first part of a study: length, seats, ties and scores of matches among equal bots."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from ninefold.engine.bots import Player
from ninefold.engine.clock import TEMPOS
from ninefold.engine.game import Game
from ninefold.studies import tables
from ninefold.studies.estimate import UNKNOWN, Estimate, games_for, mean, quantile, reach, share
from ninefold.studies.plan import Plan

# Seconds, as docs/lengths.md has them: for a decision, for one between two moves where a game has no others,
# and for the cards and dice of a turn; in real time, from move to move, and for a look at a round's cards.
THINK, OF_TWO, TURN = 4.0, 1.5, 2.0
MOVE, LOOK_AT_CARDS, ROUNDS = sum(TEMPOS["normal"][0]) / 2, 15.0, "rounds"
BINS = 24
STEEP = 6  # times the median: beyond, a histogram has steps of factors
MOST_LOOKS = 3  # at the wins of seats, each with more games than the one before
EXACT_TIES = 1e-9


@dataclass(frozen=True)
class Bars:
    """A histogram: edges, one more than there are shares, and what is cut off on the right."""

    edges: list[float]
    shares: list[float]
    beyond: float
    steep: bool = False  # every bar is wider than the one before it, by the same factor


@dataclass(frozen=True)
class Games:
    """What equal bots do."""

    bot: str
    players: int
    games: int
    unfinished: int
    seed: int
    looks: int
    decisions: Estimate
    decisions_middle: list[float]  # quartiles and ends: 5, 25, 50, 75, 95 %
    turns: Estimate
    minutes: Estimate
    minutes_middle: list[float]  # the same of the minutes
    assumed: str  # for them
    lengths: Bars
    seats: list[Estimate]  # share of the wins of each seat
    seat_scores: list[Estimate]  # mean, or nothing where the spread is too wide for one
    shared: Estimate  # several winners
    undecided: Estimate  # no winner
    scores: dict[str, Estimate]  # quantiles of all seats' scores, "winner" and "loser" medians
    score_bars: Bars
    lead: Estimate | None  # of the winner, before the second: median
    tallies: dict[str, Estimate]

    @property
    def ended(self) -> bool:
        """Whether enough matches came to an end to tell something."""
        return self.games - self.unfinished > 1


def minutes(rows: Any, game: Game) -> Any:
    """Estimated minutes with people. Where everyone decides at once, they think at once.

    In real time a turn is a move of one player, so turns overlap as well.
    """
    facts, decisions = game.facts, rows[:, tables.DECISIONS]
    if facts.realtime:
        rounds = (
            tables.tallies(rows, game.players)[:, facts.tallies.index(ROUNDS)] if _has_rounds(game) else 0
        )
        return (MOVE * decisions / game.players + LOOK_AT_CARDS * rounds) / 60
    think = _think(game) * decisions / (game.players if facts.everyone else 1)
    return (think + TURN * rows[:, tables.TURNS]) / 60


def _think(game: Game) -> float:
    return OF_TWO if game.facts.actions == 2 else THINK


def _has_rounds(game: Game) -> bool:
    return ROUNDS in game.facts.tallies


def assumed(game: Game) -> str:
    """What the estimate of minutes assumes, in words."""
    if game.facts.realtime:
        more = f", and {LOOK_AT_CARDS:g} for a look at the cards of each round" if _has_rounds(game) else ""
        return f"{MOVE:g} seconds from one move of a player to the next, while all others move as well{more}"
    between = " (there are only two moves)" if game.facts.actions == 2 else ""
    at_once = "; those who decide at once also think at once" if game.facts.everyone else ""
    return (
        f"{_think(game):g} seconds for each decision{between} and {TURN:g} for the cards or dice of each "
        f"turn{at_once}"
    )


def play(plan: Plan) -> tuple[Any, int, int]:
    """Rows of matches until every seat's share is known as precisely as asked, the looks, and the seed."""
    game, half = plan.game, plan.half("games")
    players = [plan.one] * game.players
    seed = plan.seed_of("games")
    if plan.number:
        return collect(plan, game, players, seed, 0, plan.number, partial(_say, plan, plan.number)), 1, seed
    rows, each = tables.pace(game, players, plan.seed_of("games", "pilot"))
    spread = _spread(tables.finished(rows), game.players)
    found: list[Any] = []
    for look in range(1, MOST_LOOKS + 1):
        wanted = games_for(spread, half, reach(look))
        had = sum(map(len, found))
        number = plan.fit(wanted - had, each)
        found.append(collect(plan, game, players, seed, had, number, partial(_say, plan, wanted)))
        played = np.concatenate([some for some in found if len(some)])
        ended = tables.finished(played)
        widest = max((one.margin for one in seats(ended, game.players, look)), default=math.inf)
        spread = _spread(ended, game.players)
        if plan.stopped or widest <= half or plan.left <= 0 or number < wanted - had:
            return played, look, seed
    return played, MOST_LOOKS, seed


def collect(
    plan: Plan, game: Game, players: list[Player], seed: int, first: int, number: int, say: Any = None
) -> Any:
    """Rows; after Ctrl-C those that there are, if they and the earlier ones are enough to tell something."""
    try:
        return tables.collect(game, players, seed, first, number, plan.place, progress=say)
    except tables.Stopped as stopped:
        plan.stopped = True
        if first + len(stopped.rows) < 2:
            raise
        return stopped.rows


def _say(plan: Plan, wanted: int, done: int) -> None:
    plan.say(done / wanted)


def _spread(rows: Any, seats_: int) -> float:
    if len(rows) < 2:
        return 0.5
    return max(0.05, float(tables.wins(rows, seats_).std(axis=0).max()))


def seats(rows: Any, players: int, look: int = 0) -> list[Estimate]:
    won = tables.wins(rows, players)
    return [share(won[:, seat], reach(look)) for seat in range(players)]


def study(plan: Plan) -> Games:
    rows, look, seed = play(plan)
    return summarise(rows, plan.game, plan.one.name, seed, look)


def summarise(rows: Any, game: Game, bot: str, seed: int, look: int = 0) -> Games:
    z, players = reach(look), game.players
    ended = tables.finished(rows)
    decisions, turns = ended[:, tables.DECISIONS], ended[:, tables.TURNS]
    won, points = tables.wins(ended, players), tables.scores(ended, players)
    tallies = tables.tallies(ended, players)
    length = minutes(ended, game)
    return Games(
        bot=bot,
        players=players,
        games=len(rows),
        unfinished=len(rows) - len(ended),
        seed=seed,
        looks=look,
        decisions=mean(decisions, z),
        decisions_middle=_marks(decisions),
        turns=mean(turns, z),
        minutes=quantile(length, 0.5, z) if len(ended) else UNKNOWN,
        minutes_middle=_marks(length),
        assumed=assumed(game),
        lengths=bars(length),
        seats=seats(ended, players, look),
        seat_scores=[mean(points[:, seat], z) for seat in range(players)],
        shared=share((np.count_nonzero(won, axis=1) > 1).astype(float), z),
        undecided=share((won.sum(axis=1) < EXACT_TIES).astype(float), z),
        scores=score_marks(points, won, z),
        score_bars=bars(points.reshape(-1)),
        lead=_lead(points, game.facts.lowest_wins, z) if players > 1 and _has_scores(game) else None,
        tallies={name: mean(tallies[:, at], z) for at, name in enumerate(game.facts.tallies)},
    )


def _has_scores(game: Game) -> bool:
    return bool(game.facts.unit)


def score_marks(points: Any, won: Any, z: float) -> dict[str, Estimate]:
    everyone = points.reshape(-1)
    if not len(everyone):
        return {}
    return {
        "5 %": quantile(everyone, 0.05, z),
        "median": quantile(everyone, 0.5, z),
        "95 %": quantile(everyone, 0.95, z),
        "of winners": quantile(points[won > 0], 0.5, z),
        "of the others": quantile(points[won == 0], 0.5, z),
    }


def _lead(points: Any, lowest_wins: bool, z: float) -> Estimate:
    ordered = np.sort(-points if lowest_wins else points, axis=1)
    return quantile(ordered[:, -1] - ordered[:, -2], 0.5, z)


def _marks(values: Any) -> list[float]:
    if not len(values):
        return []
    return [float(one) for one in np.quantile(values, (0.05, 0.25, 0.5, 0.75, 0.95))]


def bars(values: Any) -> Bars:
    """A histogram of the middle 98 %. Where only some numbers are possible, every bar has as many of them."""
    if not len(values):
        return Bars([], [], 0.0)
    low, high = (float(one) for one in np.quantile(values, (0.005, 0.985)))
    high = max(high, low + 1e-9)
    steep = low > 0 and high > STEEP * float(np.median(values))
    gap = _gap(values)
    if steep:
        edges = np.geomspace(low, high, BINS + 1)
    elif gap:
        step = gap * math.ceil((high - low + gap / 2) / gap / BINS)
        edges = np.arange(low - gap / 2, high + step, step)
    else:
        edges = np.linspace(low, high, BINS + 1)
    counts, _ = np.histogram(values, edges)
    beyond = float((values >= edges[-1]).mean())
    return Bars([float(edge) for edge in edges], [float(n) / len(values) for n in counts], beyond, steep)


def _gap(values: Any) -> float:
    """The distance of possible numbers, if they are all equally far apart; else 0."""
    found = np.unique(values.round(9))
    if len(found) < 2:
        return 1.0 if found[0] == round(found[0]) else 0.0
    gap = float(np.diff(found).min())
    steps = (found - found[0]) / gap
    return gap if np.allclose(steps, steps.round(), atol=1e-3) else 0.0
