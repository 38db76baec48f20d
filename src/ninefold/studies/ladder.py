"""The ladder: how much stronger each bot is than the next, at tables of every size."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from dataclasses import dataclass
from itertools import combinations, pairwise

from ninefold.engine.bots import find_bot
from ninefold.engine.game import Game
from ninefold.simulation import lineups
from ninefold.simulation.lineups import Lineup
from ninefold.simulation.tournament import Played, Rating, play, rate
from ninefold.studies import tables
from ninefold.studies.estimate import NORMAL, Estimate, games_for, reach
from ninefold.studies.plan import Plan

MIXED = 1  # mixed tables of one size
LARGE = 10  # players, beyond which tables are rare
FEWEST = 10  # games of each line-up
CERTAIN = 0.95


@dataclass(frozen=True)
class Rung:
    """The ratings at tables of one size, and the line-ups they come from."""

    players: int
    ratings: list[Rating]
    played: list[Played]
    games: int  # of each line-up
    anchor: str

    def versus(self, one: str, other: str, by_score: bool = False) -> Estimate | None:
        """How often one wins among others alike; or its score above the table's average."""
        names = sorted((one, *[other] * (self.players - 1)))
        found = next((made for made in self.played if sorted(made.bots) == names and made.standings), None)
        if found is None or one == other:
            return None
        if by_score:
            value, margin = found.edge(one, by_score)
            return Estimate(value, value - margin, value + margin, found.finished)
        standing = found.of(one)
        return Estimate(standing.share, standing.low, standing.high, found.finished)


@dataclass(frozen=True)
class Ladder:
    rungs: list[Rung]
    left_out: list[str]  # bots whose games do not end
    searching: list[str]  # levels that take too long, and were not asked for
    best: str
    next: str
    by_score: bool
    unit: str
    seed: int

    @property
    def step(self) -> Estimate | None:
        """How often the best bot wins against the next (or what it scores), at the smallest tables."""
        return self.rungs[0].versus(self.best, self.next, self.by_score)

    @property
    def matches(self) -> tuple[int | None, int | None, int | None] | None:
        """Matches of two after which the better leads with 95 %: at least, likely and at most."""
        step, other = self.step, self.rungs[0].versus(self.next, self.best)
        if self.by_score or self.rungs[0].players > 2 or not step or not other:
            return None
        if step.value + other.value <= 0:
            return None
        decided = step.times(1 / (step.value + other.value)).inside(0, 1)
        return matches_for(decided.high), matches_for(decided.value), matches_for(decided.low)


def sizes(game: Game) -> list[int]:
    """From two players to as many as there may be, or as usually play such games."""
    low, high = game.facts.players
    low, high = max(2, low), min(high, max(game.facts.usual_players, LARGE))
    return sorted({*range(low, high + 1), game.players} - {1})


def meetings(bots: list[str], players: int) -> list[Lineup]:
    """Pairs at tables of two; else each bot among its neighbours, and a few mixed tables."""
    if players == 2:
        return list(combinations(bots, 2))
    among = [
        lineup
        for weak, strong in pairwise(bots)
        for lineup in (lineups.alone(weak, strong, players), lineups.alone(strong, weak, players))
    ]
    return [*among, *lineups.mixed(bots, players)[-MIXED:]]


def study(plan: Plan) -> Ladder | None:
    known = {player.name: bot for player, bot in zip(plan.players, plan.bots, strict=True)}
    names, out, each = _who_ends(plan, list(known))
    wanted = sizes(plan.game)
    if len(names) < 2 or not wanted:
        return None
    meet = {size: meetings(names, size) for size in wanted}
    costs = {size: sum(each[bot] for bots in meet[size] for bot in bots) for size in wanted}
    cost = sum(costs.values())
    most = games_for(0.5, plan.half("ladder"), reach())
    games = plan.number or plan.fit(most, cost, least=FEWEST)
    seed, rungs, before = plan.seed_of("ladder"), [], 0.0
    for size in wanted:
        found = play(
            plan.name,
            meet[size],
            games,
            seed,
            options=plan.options_at(size),
            threads=plan.place.threads,
            cluster=plan.place.cluster,
            known=known,
            keep=True,
            progress=_say(plan, before / cost, costs[size] / cost, games * len(meet[size])),
        )
        before += costs[size]
        played = [one for one in found.played if one.finished]
        rungs.append(Rung(size, rate(played, found.by_score), played, games, found.anchor))
        if found.interrupted:
            plan.stopped = True
            break
    return _ladder(plan, [rung for rung in rungs if rung.ratings], out, seed)


def _say(plan: Plan, before: float, part: float, games: int) -> Callable[[int], None]:
    """Tells how far the ladder is while the games of one size are played, which are some part of its time."""
    return lambda number: plan.say(before + part * number / games)


def _ladder(plan: Plan, rungs: list[Rung], out: list[str], seed: int) -> Ladder | None:
    if not rungs:
        return None
    order = [one.bot for one in rungs[0].ratings]
    facts = plan.game.facts
    asked = {player.name for player in plan.players}
    searching = [bot.name for bot in facts.bots if bot.search and bot.name not in asked]
    return Ladder(rungs, out, searching, order[0], order[1], facts.by_score, facts.unit, seed)


def _who_ends(plan: Plan, names: list[str]) -> tuple[list[str], list[str], dict[str, float]]:
    """The bots whose games end, the others, and the seconds that a game takes for each bot of a kind."""
    each: dict[str, float] = {}
    out = []
    game = plan.game
    limit = game.facts.limit(game.options)
    for name in names:
        bot = find_bot(plan.name, dict(zip(names, plan.bots, strict=True))[name])
        worker = tables.Tables(game, [bot] * game.players, plan.seed_of("ladder", "pilot"), limit)
        start, rows = time.perf_counter(), worker.play(tables.Part(0, 1)).rows
        if time.perf_counter() - start < tables.QUICK:  # it was compiled, too
            start = time.perf_counter()
            rows = worker.play(tables.Part(1, 6)).rows
            each[name] = (time.perf_counter() - start) / 6
        else:
            each[name] = time.perf_counter() - start
        each[name] /= game.players
        if not len(tables.finished(rows)):
            out.append(name)
    return [name for name in names if name not in out], out, each


def matches_for(share: float) -> int | None:
    """The fewest matches after which a player who wins this share has won more of them with 95 %."""
    if share <= 0.5:
        return None
    edge = (2 * share - 1) / math.sqrt(max(1e-9, 1 - (2 * share - 1) ** 2))
    matches = max(1, math.floor((NORMAL.inv_cdf(CERTAIN) / edge) ** 2 * 0.6)) | 1
    while most_of(share, matches) < CERTAIN:
        matches += 2
    return matches


def most_of(share: float, matches: int) -> float:
    """The chance to win more than half of an odd number of matches."""
    if matches > 2_000:
        spread = math.sqrt(matches * share * (1 - share))
        return 1 - NORMAL.cdf((matches / 2 - matches * share) / spread) if spread else 1.0
    term = [
        math.exp(
            math.lgamma(matches + 1)
            - math.lgamma(won + 1)
            - math.lgamma(matches - won + 1)
            + won * math.log(share)
            + (matches - won) * math.log1p(-share)
        )
        if share < 1
        else float(won == matches)
        for won in range(matches // 2 + 1, matches + 1)
    ]
    return min(1.0, sum(term))
