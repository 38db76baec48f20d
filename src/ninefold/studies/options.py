"""What the rules that a table may set do: every option by itself, against the game as it is.

The same seed plays with and without a change, so games differ only where the rule matters, and differences
are taken game by game.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

from ninefold.engine import registry
from ninefold.engine.game import Game
from ninefold.kernel.errors import RuleError
from ninefold.model.facts import Choice, Flag, Number, Option, Span, option_text
from ninefold.studies import luck, tables
from ninefold.studies.estimate import UNKNOWN, Estimate, games_for, mean, reach, share
from ninefold.studies.games import minutes
from ninefold.studies.plan import Plan

MARKED = 3.0  # standard errors by which a difference is called one: a table has many cells
MOST_SIZES = 4
FEWEST = 30
MEASURES = ("decisions", "minutes", "first", "tied", "best")


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
    bots: list[str]
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
    bots = [player for player in plan.players if not player.search]
    tried = variations(plan)
    if not tried:
        return None
    seed = plan.seed_of("options")
    game = plan.game
    number = _number(plan, len(tried) + 1)
    standard_rows = _rows(plan, game, bots, seed, number)
    standard = _change("standard", "", game, standard_rows, None, plan)
    changes: list[Change] = []
    for at, (name, value) in enumerate(tried):
        plan.say((at + 1) / (len(tried) + 1))
        if plan.stopped or (plan.left < 0 and changes and not plan.compare):
            break
        try:
            other = changed(plan, name, value)
        except RuleError as error:
            changes.append(Change(name, option_text(value), game.players, {}, {}, 0, str(error)))
            continue
        rows = _rows(plan, other, bots, seed, number)
        paired = standard_rows if other.players == game.players else None
        changes.append(_change(name, option_text(value), other, rows, paired, plan))
    return Options(standard, changes, plan.players[-1].name, [bot.name for bot in bots], seed)


def changed(plan: Plan, name: str, value: Any) -> Game:
    game = plan.game
    if name == "players":
        return Game(game.name, int(value), plan.options_at(int(value)))
    return Game(game.name, game.players, {**game.options, name: value})


def _number(plan: Plan, tables_: int) -> int:
    """Games of each table, so that all of them fit into the time."""
    game = plan.game
    wanted = games_for(0.5, plan.half("options"), reach())
    _, each = tables.pace(game, [plan.one] * game.players, plan.seed_of("options", "pilot"))
    number = tables.fit(wanted, plan.left / (2.5 * tables_), each, plan.place, FEWEST)
    return max(FEWEST, number // game.players * game.players)


def _rows(plan: Plan, game: Game, bots: list[Any], seed: int, number: int) -> tuple[Any, Any]:
    """Games of equal bots, and those of a mixed table with seats rotated."""
    try:
        equal = tables.collect(game, [plan.one] * game.players, seed, 0, number, plan.place)
        if game.players < 2 or len(bots) < 2:
            return equal, None
        seated = luck.at_table(bots, game.players)
        deals = max(1, number // game.players)
        return equal, tables.collect(game, seated, seed, 0, deals, plan.place, turns=game.players)
    except tables.Stopped:
        plan.stopped = True
        raise


def figures(rows: tuple[Any, Any], game: Game) -> dict[str, Any]:
    """For each measure, the numbers of every game (not a number where it was unfinished)."""
    equal, mixed = rows
    done = equal[:, tables.FINISHED] > 0
    won = tables.wins(equal, game.players)
    decisions, turns = equal[:, tables.DECISIONS], equal[:, tables.TURNS]
    found = {
        "decisions": decisions,
        "minutes": minutes(decisions, turns, game.players, game.facts.everyone),
        "first": won[:, 0],
        "tied": (np.count_nonzero(won, axis=1) != 1).astype(float),
    }
    found = {name: np.where(done, numbers, np.nan) for name, numbers in found.items()}
    if mixed is not None:
        complete = mixed[:, tables.FINISHED].reshape(-1, game.players).all(axis=1)
        best = luck.by_bot(tables.wins(mixed, game.players).reshape(-1, game.players, game.players))
        found["best"] = np.where(complete, best[:, :, -1].mean(axis=1), np.nan)
    return found


def _change(what: str, value: str, game: Game, rows: Any, standard: Any, plan: Plan) -> Change:
    here = figures(rows, game)
    there = figures(standard, plan.game) if standard is not None else {}
    cells = {}
    for name, numbers in here.items():
        told = numbers[np.isfinite(numbers)]
        if len(told) < 2:
            cells[name] = Cell(UNKNOWN, None, False)
            continue
        estimate = mean(told) if name in ("decisions", "minutes") else share(told)
        change, clear = _difference(numbers, there[name]) if name in there else (None, False)
        cells[name] = Cell(estimate, change, clear)
    return Change(what, value, game.players, dict(game.options), cells, len(rows[0]))


def _difference(numbers: Any, standard: Any) -> tuple[Estimate | None, bool]:
    """The mean difference, game by game."""
    length = min(len(numbers), len(standard))
    gaps = numbers[:length] - standard[:length]
    gaps = gaps[np.isfinite(gaps)]
    if len(gaps) < 2:
        return None, False
    found = mean(gaps)
    return found, abs(found.value) > MARKED / reach() * found.margin and found.margin > 0
