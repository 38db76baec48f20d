"""Measures how fast this machine plays: games and decisions per second, on one thread and on all."""

from __future__ import annotations

import statistics
from typing import Any

from ninefold.engine import registry
from ninefold.simulation.run import simulate, usable_cores

BOTS = ("random", "medium", "hard")


def measure(quick: bool) -> list[dict[str, Any]]:
    """Figures with their spread; repeats are interleaved, so that a busy moment affects all alike."""
    repeats = 2 if quick else 5
    rows: list[dict[str, Any]] = [
        {
            "game": name,
            "bot": bot,
            "players": registry.facts(name).usual_players,
            "threads": threads,
            "runs": [],
        }
        for name in registry.games()
        for bot in BOTS
        for threads in sorted({1, usable_cores()})
    ]
    for row in rows:
        row["games"] = _enough(row, 0.2 if quick else 1.0)
    for number in range(repeats):
        for row in rows:
            result = _play(row, row["games"], number)
            row["runs"].append(result.games / result.seconds)
            row["decisions"] = result.length.decisions.mean if result.finished else 0.0
    return [_summary(row) for row in rows]


def _play(row: dict[str, Any], games: int, seed: int) -> Any:
    return simulate(row["game"], [row["bot"]], games, seed, players=row["players"], threads=row["threads"])


def _enough(row: dict[str, Any], seconds: float) -> int:
    """A number of games that takes about `seconds`."""
    trial = _play(row, 20, 0)
    return max(20, int(20 * seconds / max(trial.seconds, 1e-4)))


def _summary(row: dict[str, Any]) -> dict[str, Any]:
    middle = statistics.median(row["runs"])
    return {
        "game": row["game"],
        "bots": row["bot"],
        "players": row["players"],
        "threads": row["threads"],
        "games_per_second": round(middle),
        "lowest": round(min(row["runs"])),
        "highest": round(max(row["runs"])),
        "decisions_per_second": round(middle * row["decisions"]),
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
