"""Luck and skill: what decides who wins.

Bots of different strength share a table, and every deal is played once after each turn of the table, with
the same chance. So everyone gets the same cards and dice at the same seats, and the outcomes fall apart into
what the bot explains (skill), the seat, what the deal gives a seat whoever plays it, and the rest.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from ninefold.engine.bots import Player
from ninefold.studies import tables
from ninefold.studies.estimate import BLOCKS, Estimate, by_blocks, games_for, share
from ninefold.studies.plan import Plan

FEWEST = 2 * BLOCKS  # deals


@dataclass(frozen=True)
class Luck:
    """What decides who wins, as parts of the variance of the wins."""

    bots: list[str]
    shares: list[Estimate]  # of the wins of each bot
    skill: Estimate
    seat: Estimate
    deal: Estimate
    rest: Estimate
    deals: int
    saved: float  # games that independent ones would have taken, for each one played
    seed: int


def at_table(players: list[Player], seats: int) -> list[Player]:
    """Bots for all seats, weakest first, as different as there are."""
    if len(players) >= seats:
        places = [round(at * (len(players) - 1) / max(1, seats - 1)) for at in range(seats)]
        return [players[place] for place in places]
    return [players[at * len(players) // seats] for at in range(seats)]


def study(plan: Plan) -> Luck | None:
    game = plan.game
    seats = game.players
    known = [player for player in plan.players if not player.search]
    if seats < 2 or len(known) < 2:
        return None
    bots = at_table(known, seats)
    _, each = tables.pace(game, bots, plan.seed_of("luck", "pilot"), turns=seats)
    wanted = max(10 * BLOCKS, games_for(0.5, plan.half("luck")) // seats)
    number = tables.fit(wanted, plan.left, each, plan.place, FEWEST)
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
    cubes = deals(rows, seats)
    return measure(cubes, [bot.name for bot in bots], seed) if len(cubes) >= FEWEST else None


def deals(rows: Any, seats: int) -> Any:
    """For each deal that was finished after every turn: turns x seats, the share of the win."""
    if not len(rows):
        return np.zeros((0, seats, seats))
    won = tables.wins(rows, seats).reshape(-1, seats, seats)
    complete = rows[:, tables.FINISHED].reshape(-1, seats).all(axis=1)
    return won[complete]


def by_bot(cubes: Any) -> Any:
    """The same as deals x seats x bots: after `turn` turns, the bot at seat s is s - turn."""
    count, seats = len(cubes), cubes.shape[1]
    found = np.zeros((count, seats, seats))
    for turn in range(seats):
        for seat in range(seats):
            found[:, seat, (seat - turn) % seats] = cubes[:, turn, seat]
    return found


def measure(cubes: Any, bots: list[str], seed: int) -> Luck:
    table = by_bot(cubes)
    each = [by_blocks(table, lambda some, part=part: parts(some)[part]) for part in range(4)]  # type: ignore[misc]
    means = table.mean(axis=1)  # deals x bots
    shares = [share(means[:, bot]) for bot in range(len(bots))]
    alone = table.var(axis=0).mean() / len(bots)
    together = means.var(axis=0).mean()
    saved = float(alone / together) if together > 0 else 1.0
    return Luck(bots, shares, each[0], each[1], each[2], each[3], len(cubes), saved, seed)


def parts(table: Any) -> tuple[float, float, float, float]:
    """The parts of skill, seat, deal and the rest in the variance of one result; they add up to 1.

    A two-way analysis for each deal (seats x bots, one result each), with what is expected of pure noise
    taken off every mean square.
    """
    count, seats, bots = table.shape
    grand = table.mean()
    bot, seat = table.mean(axis=(0, 1)), table.mean(axis=(0, 2))
    cell = table.mean(axis=2)  # deals x seats: what a seat got, whoever sat there
    mine = table - cell[:, :, None] - bot[None, None, :] + grand
    error = float((mine**2).sum()) / max(1, (count * seats - 1) * (bots - 1))
    within = cell - seat[None, :]
    deal = float((within**2).sum()) / max(1, (count - 1) * seats) - error / bots
    skill = float(((bot - grand) ** 2).mean()) - error / (count * seats)
    place = float(((seat - grand) ** 2).mean()) - max(0.0, deal + error / bots) / count
    found = np.array([max(0.0, skill), max(0.0, place), max(0.0, deal), max(0.0, error)])
    total = float(found.sum())
    if total <= 0:
        return 0.0, 0.0, 0.0, 1.0
    skill, place, deal, rest = (float(one) for one in found / total)
    return skill, place, deal, rest
