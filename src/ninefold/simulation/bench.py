"""Measures how fast this machine plays: games and decisions per second, on one thread and on all."""

from __future__ import annotations

import statistics
from collections.abc import Sequence
from typing import Any

from ninefold.engine import registry
from ninefold.simulation.executors import usable_cores
from ninefold.simulation.result import Result
from ninefold.simulation.run import simulate
from ninefold.simulation.text import aligned

BOTS = ("random", "medium", "hard")


def measure(quick: bool) -> list[dict[str, Any]]:
    """Figures with their spread; repeats are interleaved, so that a busy moment affects all alike."""
    rows: list[dict[str, Any]] = [
        {"game": name, "bots": bot, "players": registry.facts(name).usual_players, "threads": threads}
        for name in registry.games()
        for bot in BOTS
        for threads in sorted({1, usable_cores()})
    ]
    seconds, repeats = (0.2, 2) if quick else (1.0, 5)
    games = [max(20, int(20 * seconds / max(_play(row, 20, 0).seconds, 1e-4))) for row in rows]
    rounds = [
        [_play(row, number, seed) for row, number in zip(rows, games, strict=True)] for seed in range(repeats)
    ]
    return [row | _figures(results) for row, results in zip(rows, zip(*rounds, strict=True), strict=True)]


def _play(row: dict[str, Any], games: int, seed: int) -> Result:
    return simulate(row["game"], [row["bots"]], games, seed, players=row["players"], threads=row["threads"])


def _figures(results: Sequence[Result]) -> dict[str, int]:
    runs = [result.games / result.seconds for result in results]
    middle, last = statistics.median(runs), results[-1]
    return {
        "games_per_second": round(middle),
        "lowest": round(min(runs)),
        "highest": round(max(runs)),
        "decisions_per_second": round(middle * _decisions(last) / last.games),
    }


def _decisions(result: Result) -> float:
    """Of all games; one that was broken off had at least a decision in each of its turns."""
    finished = result.finished * result.length.decisions.mean if result.finished else 0.0
    return finished + result.unfinished * result.limit


def table(figures: list[dict[str, Any]]) -> str:
    """The figures as lines of text, for 80 columns."""
    rows = [["game", "bots", "seats", "CPUs", "games/s", "spread", "decisions/s"]]
    for row in figures:
        spread = f"{row['lowest']:,}–{row['highest']:,}"
        figures_of = [f"{row[key]:,}" for key in ("players", "threads", "games_per_second")]
        rows.append([row["game"], row["bots"], *figures_of, spread, f"{row['decisions_per_second']:,}"])
    return "\n".join(aligned(rows))
