"""Measures how fast this machine plays: games and decisions per second, on one thread and on all."""

from __future__ import annotations

import statistics
from collections.abc import Sequence
from typing import Any

from ninefold.engine import registry
from ninefold.simulation.crew import usable_cores
from ninefold.simulation.result import Result
from ninefold.simulation.run import simulate

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
        "decisions_per_second": round(middle * last.length.decisions.mean) if last.finished else 0,
    }


def table(figures: list[dict[str, Any]]) -> str:
    """The figures as lines of text."""
    lines = [
        f"{'game':16}{'bots':8}{'players':>8}{'threads':>8}{'games/s':>12}{'(spread)':>24}{'decisions/s':>15}"
    ]
    for row in figures:
        spread = f"({row['lowest']:,}–{row['highest']:,})"
        lines.append(
            f"{row['game']:16}{row['bots']:8}{row['players']:>8}{row['threads']:>8}"
            f"{row['games_per_second']:>12,}{spread:>24}{row['decisions_per_second']:>15,}"
        )
    return "\n".join(lines)
