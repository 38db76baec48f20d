"""Luck and skill: what decides who wins.

Bots of different strength share a table, and every deal is played once after each turn of the table, with
the same chance. So everyone gets the same cards and dice at the same seats, and the outcomes fall apart into
what the bot explains (skill), the seat, what the deal gives a seat whichever bot plays it, what it gives a
way of playing whatever the seat, and the rest. Only skill and the seat are no luck.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from ninefold.engine.bots import Player
from ninefold.studies import tables
from ninefold.studies.estimate import BLOCKS, Estimate, by_blocks, games_for, mean, share
from ninefold.studies.plan import Plan

FEWEST = 2 * BLOCKS  # deals


@dataclass(frozen=True)
class Luck:
    """What decides who wins, as parts of the variance of the wins; or of the scores, where those count."""

    bots: list[str]
    shares: list[Estimate]  # of the wins of each bot, or its score
    skill: Estimate
    seat: Estimate
    deal: Estimate  # cards and dice that a seat gets
    plan: Estimate  # cards and dice that suit a bot's way of playing
    rest: Estimate
    deals: int  # that ended after every turn
    played: int
    saved: float  # games that independent ones would have taken, for each one played
    seed: int


def serious(players: list[Player]) -> list[Player]:
    """The bots that can be seated many times; without the one that plays at random, if there are others."""
    quick = [player for player in players if not player.search]
    trying = [player for player in quick if player.name != "random"]
    return trying if len(trying) > 1 else quick


def at_table(players: list[Player], seats: int) -> list[Player]:
    """Bots for all seats, weakest first, as different as there are."""
    if len(players) >= seats:
        places = [round(at * (len(players) - 1) / max(1, seats - 1)) for at in range(seats)]
        return [players[place] for place in places]
    return [players[at * len(players) // seats] for at in range(seats)]


def study(plan: Plan) -> Luck | None:
    game = plan.game
    seats = game.players
    known = serious(plan.players)
    if seats < 2 or len(known) < 2:
        return None
    bots = at_table(known, seats)
    number = plan.number
    if number is None:
        _, each = tables.pace(game, bots, plan.seed_of("luck", "pilot"), turns=seats)
        number = plan.fit(max(10 * BLOCKS, games_for(0.5, plan.half("luck")) // seats), each, least=FEWEST)
    seed = plan.seed_of("luck")
    try:
        rows = tables.collect(
            game,
            bots,
            seed,
            0,
            number,
            plan.place,
            turns=seats,
            progress=lambda done: plan.say(done / number),
        )
    except tables.Stopped as stopped:
        rows = stopped.rows
        plan.stopped = True
    by_score = game.facts.by_score
    cubes = deals(rows, seats, by_score)
    if len(cubes) < FEWEST:
        return None
    return measure(cubes, [bot.name for bot in bots], seed, len(rows) // seats, by_score)


def deals(rows: Any, seats: int, by_score: bool = False) -> Any:
    """For each deal that was finished after every turn: turns x seats, the share of the win, or the score."""
    if not len(rows):
        return np.zeros((0, seats, seats))
    found = (tables.scores if by_score else tables.wins)(rows, seats).reshape(-1, seats, seats)
    complete = rows[:, tables.FINISHED].reshape(-1, seats).all(axis=1)
    return found[complete]


def by_bot(cubes: Any) -> Any:
    """The same as deals x seats x bots: after `turn` turns, the bot at seat s is s - turn."""
    count, seats = len(cubes), cubes.shape[1]
    found = np.zeros((count, seats, seats))
    for turn in range(seats):
        for seat in range(seats):
            found[:, seat, (seat - turn) % seats] = cubes[:, turn, seat]
    return found


def measure(cubes: Any, bots: list[str], seed: int, played: int = 0, by_score: bool = False) -> Luck:
    table = by_bot(cubes)
    skill, seat, deal, plan, rest = (one.inside(0, 1) for one in by_blocks(table, parts))
    means = table.mean(axis=1)  # deals x bots
    shares = [(mean if by_score else share)(means[:, bot]) for bot in range(len(bots))]
    alone = table.var(axis=0).mean() / len(bots)
    together = means.var(axis=0).mean()
    saved = float(alone / together) if together > 0 else 1.0
    return Luck(bots, shares, skill, seat, deal, plan, rest, len(cubes), played or len(cubes), saved, seed)


def parts(table: Any) -> tuple[float, float, float, float, float]:
    """The parts of skill, seat, deal, plan and the rest in the variance of one result; they add up to 1.

    What a deal gives to a seat shows in the results of that seat with different bots, which are games of
    their own; what it gives to a bot's way of playing shows in the results of that bot at different seats.
    None is cut off at zero, so that the mean over many studies is right.
    """
    count, seats, bots = table.shape
    grand = float(table.mean())
    total = float(((table - grand) ** 2).mean())
    if total <= 0:
        return 0.0, 0.0, 0.0, 0.0, 1.0
    by_bots, by_seats = table.mean(axis=1), table.mean(axis=2)  # deals x bots, deals x seats
    skill = _variance(by_bots, grand)
    place = _variance(by_seats, grand)
    apart = table - table.mean(axis=0)
    pairs = (count - 1) * seats * bots * (bots - 1)
    own = float((apart**2).sum())
    same_seat = (float((apart.sum(axis=2) ** 2).sum()) - own) / max(1, pairs)
    same_bot = (float((apart.sum(axis=1) ** 2).sum()) - own) / max(1, pairs)
    deal, plan = _given(same_seat, same_bot, bots)
    found = [one / total for one in (skill, place, deal, plan)]
    return found[0], found[1], found[2], found[3], 1 - sum(found)


def _variance(results: Any, grand: float) -> float:
    """The variance of the true means of columns: that of the means, without what is expected of noise."""
    count = len(results)
    noise = results.var(axis=0, ddof=1).mean() / count if count > 1 else 0.0
    return float(((results.mean(axis=0) - grand) ** 2).mean() - noise)


def _given(same_seat: float, same_bot: float, bots: int) -> tuple[float, float]:
    """The variance that deals give to seats, and to bots, from the covariances of games that share one.

    What one seat or bot gets, the others lose: each lowers the covariance of the other kind. Between two,
    only the larger can be known.
    """
    if bots == 2:
        return (same_seat, 0.0) if same_seat > 0 else (0.0, same_bot)
    part = 1 / (bots - 1)
    scale = 1 - part**2
    return (same_seat + part * same_bot) / scale, (same_bot + part * same_seat) / scale
