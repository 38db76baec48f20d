"""The bench's figures as a page of Markdown.  It knows their shape and not how they came about."""

from __future__ import annotations

from agree import LARGEST_Z
from figures import ContestFigures, Figures, LineupFigures, Row, Spread

UNMEASURED = "not measured"


def page(figures: Figures) -> str:
    """The whole page."""
    lines = ["# Bench", "", *preface(figures), ""]
    for contest in figures.contests:
        lines += contest_section(contest)
    lines += startup_section(figures)
    return "\n".join(lines).rstrip() + "\n"


def preface(figures: Figures) -> list[str]:
    return [
        "Written by `python bench/run.py --write`; figures are medians with the lowest and the highest of"
        f" {figures.repeats} repeats in brackets.",
        "All contestants play in turn within one run (A B C A B C …), each repeat with a seed of its own,"
        " and a ratio is taken within its repeat.",
        "Seconds are those of the loop over games alone, on a monotonic clock inside the contestant.",
        "",
        "| machine | |",
        "|---|---|",
        *(f"| {key} | {value} |" for key, value in figures.machine.items()),
    ]


def contest_section(contest: ContestFigures) -> list[str]:
    lines = [f"## {contest.name}", ""]
    for lineup in contest.lineups:
        lines += [f"### {lineup.name}", "", *speed_table(contest, lineup), ""]
        lines += [*ratio_lines(lineup), *agreement_lines(lineup), ""]
    return lines + cost_table(contest)


def speed_table(contest: ContestFigures, lineup: LineupFigures) -> list[str]:
    units = ["games", *contest.counted]
    head = ["contestant", *(f"{u}/s" for u in units), f"times {contest.reference_title}", "games per repeat"]
    lines = [row_of(head), row_of(["---"] + ["---:"] * (len(head) - 1))]
    for row in lineup.rows:
        rates = [rate(row.rates.get(u)) for u in units]
        lines.append(row_of([row.title, *rates, times(row.ratio), f"{row.games:,}"]))
    return lines


def ratio_lines(lineup: LineupFigures) -> list[str]:
    titles = {row.name: row.title for row in lineup.rows}
    return [
        f"{row.title} against {titles[row.other_name]}: {times(row.other_ratio)} times as many games.\n"
        for row in lineup.rows
        if row.other_name and row.other_ratio
    ]


def agreement_lines(lineup: LineupFigures) -> list[str]:
    """One sentence for each contestant: how far its counts lie from the reference's."""
    lines = [f"Agreement, largest difference in standard errors (below {LARGEST_Z} is chance):", ""]
    for row in lineup.rows:
        if row.differences:
            parts = ", ".join(f"{what.replace('_', ' ')} {z:.1f}" for what, z in row.differences.items())
            verdict = "" if row.agrees else " — **disagrees**"
            lines.append(f"- {row.title}: {parts}{verdict}{unfinished(row)}")
    return lines


def unfinished(row: Row) -> str:
    return f" ({row.unfinished:,} games unfinished)" if row.unfinished else ""


def cost_table(contest: ContestFigures) -> list[str]:
    small, large = contest.memory_games
    head = ["contestant", "instructions per game", f"peak memory, {small:,} games", f"{large:,} games"]
    lines = ["### instructions and memory", "", row_of(head), row_of(["---"] + ["---:"] * 3)]
    for cost in contest.costs:
        counted = f"{cost.instructions:,.0f} ({cost.counted_by})" if cost.instructions else UNMEASURED
        lines.append(
            row_of([cost.title, counted, mebibytes(cost.memory_small), mebibytes(cost.memory_large)])
        )
    note = f"On the first line-up. {UNMEASURED.capitalize()}: no tool for it here, or it would take too long."
    return [*lines, "", note, ""]


def startup_section(figures: Figures) -> list[str]:
    lines = ["## start-up", "", row_of(["command", "milliseconds"]), row_of(["---", "---:"])]
    for start in figures.startup:
        value = "not available" if start.seconds is None else milliseconds(start.seconds)
        lines.append(row_of([f"`python {' '.join(start.arguments)}`", value]))
    return [*lines, ""]


def row_of(cells: list[str]) -> str:
    return "| " + " | ".join(cells) + " |"


def rate(spread: Spread | None) -> str:
    return "—" if spread is None else f"{spread[0]:,.0f} ({spread[1]:,.0f}–{spread[2]:,.0f})"


def times(spread: Spread | None) -> str:
    return "—" if spread is None else f"{spread[0]:.3g} ({spread[1]:.3g}–{spread[2]:.3g})"


def milliseconds(spread: Spread) -> str:
    return f"{spread[0] * 1e3:,.0f} ({spread[1] * 1e3:,.0f}–{spread[2] * 1e3:,.0f})"


def mebibytes(size: int | None) -> str:
    return UNMEASURED if size is None else f"{size / 2**20:.1f} MiB"
