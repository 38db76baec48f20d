"""What the rules that a table may set do: every option by itself, against the game as it is.

The same seed plays with and without a change, so games differ only where the rule matters, and differences
are taken game by game. Some of the games are looked into: how often the favourite of half-time wins, how
often the lead changes, and in how many decisions the choice matters.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from ninefold.engine import registry
from ninefold.engine.bots import Player
from ninefold.engine.game import Game
from ninefold.kernel.errors import RuleError
from ninefold.model.facts import Choice, Flag, Number, Option, Span, option_text
from ninefold.studies import decisions, drama, luck, tables
from ninefold.studies.estimate import Estimate, by_blocks, games_for, mean, quantile, reach, share
from ninefold.studies.games import minutes
from ninefold.studies.plan import Plan

MARKED = 3.0  # standard errors by which a difference is called one: a table has many cells
MOST_SIZES = 4
FEWEST = 30
MEDIANS = ("score", "winner")  # measures with a wide spread
AMOUNTS = ("minutes", "decisions", "leads", "gain", *MEDIANS)  # measures that are no shares
PART = 4  # one game in PART is looked into
FEWER = 4  # and one of FEWER of these for its decisions, unless values are compared: they take longest
LONG = 1_000  # decisions of a match: with more, they cannot be weighed for every option


@dataclass(frozen=True)
class Cell:
    """A number under a rule, and how far it is from the standard."""

    value: Estimate
    change: Estimate | None
    clear: bool  # the difference is no accident


@dataclass(frozen=True)
class Change:
    """The game with one thing changed."""

    what: str  # the option, or "players"
    value: str
    players: int
    options: dict[str, Any]
    cells: dict[str, Cell]
    games: int
    fault: str = ""


@dataclass(frozen=True)
class Options:
    standard: Change
    changes: list[Change]
    best: str  # the strongest bot of the mixed table
    bots: list[str]  # that share it
    games: int  # of each table
    seed: int


def values(option: Option, standard: Any, chosen: Iterable[Any]) -> list[Any]:
    """What to try of an option besides its standard: what the game has chosen, or the obvious."""
    if isinstance(option, Flag):
        return [not standard]
    if isinstance(option, Choice):
        return [choice for choice in option.choices if choice != standard]
    tried = list(chosen)
    if not tried and isinstance(option, Number | Span):
        low = Span.ends(standard)[0] if isinstance(option, Span) else int(standard)
        tried = [value for value in (low // 2, 2 * low) if option.low <= value <= option.high] if low else []
    return [value for value in dict.fromkeys(tried) if value != standard]


def variations(plan: Plan) -> list[tuple[str, Any]]:
    """What is changed: the values to compare, or every option in turn and the number of players."""
    if plan.compare:
        return [(name, value) for name, tried in plan.compare.items() for value in tried]
    game, facts = plan.game, plan.game.facts
    low, high = facts.players
    around = [game.players + step for step in (-1, 1, -2, 2, 3, 4)]
    sizes = [size for size in around if max(low, 2) <= size <= high][:MOST_SIZES]
    found: list[tuple[str, Any]] = [("players", size) for size in sorted(sizes)]
    chosen = registry.variants(game.name)
    for option in facts.options:
        tried = values(option, game.options[option.name], chosen.get(option.name, ()))
        found += [(option.name, value) for value in tried]
    return found


def study(plan: Plan) -> Options | None:
    bots = luck.serious(plan.players)
    tried = variations(plan)
    if not tried:
        return None
    number = _number(plan, len(tried) + 1)
    weighed = number // (PART if plan.compare else PART * FEWER)
    measured = figures(plan, plan.game, bots, number, weighed)
    standard = _change("standard", "", plan.game, measured, {}, number)
    changes: list[Change] = []
    for at, (name, value) in enumerate(tried, 1):
        plan.say(at / (len(tried) + 1))
        try:
            other = changed(plan, name, value)
            found = figures(plan, other, bots, number, weighed)
        except RuleError as error:
            changes.append(Change(name, option_text(value), plan.game.players, {}, {}, 0, str(error)))
            continue
        except (tables.Stopped, KeyboardInterrupt):
            plan.stopped = True
            break
        paired = measured if other.players == plan.game.players else {}
        changes.append(_change(name, option_text(value), other, found, paired, number))
    mixed = [bot.name for bot in luck.at_table(bots, plan.game.players)]
    return Options(standard, changes, bots[-1].name, mixed, number, plan.seed_of("options"))


def changed(plan: Plan, name: str, value: Any) -> Game:
    game = plan.game
    if name == "players":
        return Game(game.name, int(value), plan.options_at(int(value)))
    return Game(game.name, game.players, {**game.options, name: value})


def _number(plan: Plan, tables_: int) -> int:
    """Games of each table, so that all of them fit into the time."""
    if plan.number:
        return plan.number
    game, players, pilot = plan.game, [plan.one] * plan.game.players, plan.seed_of("options", "pilot")
    rows, each = tables.pace(game, players, pilot)
    each *= 2.5  # and a table of different bots, which may be slower
    if _looks(plan, game):
        each += tables.pace(game, players, pilot, kind=drama.Moments, moments=drama.HALF)[1] / PART
        if _weighs(plan, rows[:, tables.DECISIONS]):
            part = PART if plan.compare else PART * FEWER
            each += tables.pace(game, players, pilot, kind=decisions.Choices)[1] / part
    return plan.fit(games_for(0.5, plan.half("options"), reach()), each, tables_, FEWEST)


def _looks(plan: Plan, game: Game) -> bool:
    """Whether games are looked into."""
    return game.players > 1 and tables.plays_on(plan.one)


def _weighs(plan: Plan, lengths: Any) -> bool:
    """Whether decisions are weighed; one look at a long match takes as long as hundreds of matches."""
    return bool(plan.compare) or float(lengths.mean()) <= LONG


def figures(plan: Plan, game: Game, bots: list[Player], number: int, weighed: int) -> dict[str, Any]:
    """For each measure, the numbers of every game (not a number where it was unfinished)."""
    seed, seats, place = plan.seed_of("options"), game.players, plan.place
    equal = tables.collect(game, [plan.one] * seats, seed, 0, number, place)
    found = _equal(equal, game)
    if seats == plan.game.players > 1 and len(bots) > 1:  # other bots would sit at a larger table
        seated, deals = luck.at_table(bots, seats), max(1, number // seats)
        rows = tables.collect(game, seated, seed, 0, deals, place, turns=seats)
        by_score = game.facts.by_score
        got = (tables.scores if by_score else tables.wins)(rows, seats).reshape(-1, seats, seats)
        got = luck.by_bot(got)
        got[~rows[:, tables.FINISHED].reshape(-1, seats).astype(bool).all(axis=1)] = np.nan
        found["gain" if by_score else "best"], found["skill"] = got[:, :, -1].mean(axis=1), got
    if _looks(plan, game):
        look = partial(tables.collect, game, [plan.one] * seats, seed, 0, place=place, size=8)
        found |= _half_time(look(max(2, number // PART), kind=drama.Moments, moments=drama.HALF), game)
        if _weighs(plan, equal[:, tables.DECISIONS]):
            found |= _choices(look(max(2, weighed), kind=decisions.Choices))
    return found


def _equal(rows: Any, game: Game) -> dict[str, Any]:
    won = tables.wins(rows, game.players)
    found = {
        "minutes": minutes(rows, game),
        "decisions": rows[:, tables.DECISIONS],
        "first": won[:, 0],
        "tied": (np.count_nonzero(won, axis=1) != 1).astype(float),
    }
    if game.facts.unit:
        points = tables.scores(rows, game.players)
        best = points.min(axis=1) if game.facts.lowest_wins else points.max(axis=1)
        found |= {"score": np.median(points, axis=1), "winner": best}
    return {name: np.where(rows[:, tables.FINISHED] > 0, numbers, np.nan) for name, numbers in found.items()}


def _half_time(rows: Any, game: Game) -> dict[str, Any]:
    seats = game.players
    won = tables.wins(rows, seats)
    decided = (rows[:, tables.FINISHED] > 0) & (won.sum(axis=1) > 0)
    found = {"half": drama.of_favourite(rows[:, -seats:], won)}
    if game.facts.unit:
        found["leads"] = rows[:, -seats - 2]
    return {name: np.where(decided, numbers, np.nan) for name, numbers in found.items()}


def _choices(rows: Any) -> dict[str, Any]:
    legal, *_, clear = rows[:, tables.HEAD :].T
    return {"matter": np.where(legal > 0, clear, np.nan)}


def _change(what: str, value: str, game: Game, here: Any, standard: Any, number: int) -> Change:
    cells = {name: _cell(name, numbers, standard.get(name)) for name, numbers in here.items()}
    return Change(what, value, game.players, dict(game.options), cells, number)


def _cell(name: str, numbers: Any, standard: Any) -> Cell:
    if name == "skill":
        return _skill(numbers, standard)
    known = numbers[np.isfinite(numbers)]
    middle = partial(quantile, part=0.5)
    estimate = (middle if name in MEDIANS else mean if name in AMOUNTS else share)(known)
    if standard is None:
        return Cell(estimate, None, False)
    gaps = numbers - standard  # game by game
    gaps = gaps[np.isfinite(gaps)]
    if name not in MEDIANS:
        return _compared(estimate, mean(gaps))
    gap, wide = middle(gaps), middle(gaps, z=MARKED)
    return Cell(estimate, gap if gap.known else None, wide.low > 0 or wide.high < 0)


def _skill(tables_: Any, standard: Any) -> Cell:
    """The part of skill in who wins, and by how much it differs, deal by deal."""

    def skill(some: Any) -> float:
        complete = some[np.isfinite(some).all(axis=(1, 2))]
        return luck.parts(complete)[0] if len(complete) > 1 else 0.0

    estimate = by_blocks(tables_, lambda some: [skill(some)])[0].inside(0, 1)
    if standard is None:
        return Cell(estimate, None, False)
    seats = tables_.shape[1]
    both = np.concatenate([tables_, standard], axis=1)
    gap = by_blocks(both, lambda some: [skill(some[:, :seats]) - skill(some[:, seats:])])[0]
    return _compared(estimate, gap)


def _compared(estimate: Estimate, gap: Estimate) -> Cell:
    clear = gap.known and gap.margin > 0 and abs(gap.value) > MARKED / reach() * gap.margin
    return Cell(estimate, gap if gap.known else None, clear)
