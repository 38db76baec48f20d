"""The bench: compiles the yardsticks, plays all contestants in turn, and writes down what it measured.

    python bench/run.py [--quick] [--only GAME] [--count] [--json] [--write]

A whole run takes less than ten minutes on two cores. It reports and judges only whether
the contestants play the same game; no figure of time passes or fails.  The harness
itself imports nothing heavy, so that it does not crowd the caches of the programs it times.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import math
import sys
from dataclasses import asdict, dataclass, replace

from harness import agree, measure, report
from harness.contest import Contest, Contestant, Outcome
from harness.figures import ContestFigures, Cost, Figures, LineupFigures, Row, Startup
from harness.measure import BENCH, ChildError
from harness.registry import CONTESTS

FIRST_SEED = 1


@dataclass(frozen=True)
class Effort:
    """How long the bench may take."""

    repeats: int
    seconds_per_run: float
    memory_games: tuple[int, int]
    longest_memory_run: float
    longest_count: float
    count_python: bool = False


FULL = Effort(5, 0.3, (10**5, 10**6), 5.0, 60.0)
QUICK = Effort(3, 0.05, (10**4, 10**5), 1.0, 60.0)
COUNTED = 600.0  # seconds for counting the instructions of a Python contestant, which is asked for


class Entry:
    """A contestant on one line-up, with what it has played so far."""

    def __init__(self, contest: Contest, lineup_index: int, contestant: Contestant) -> None:
        self.contest = contest
        self.lineup_index = lineup_index
        self.lineup = contest.lineups[lineup_index]
        self.contestant = contestant
        self.games = 0
        self.games_per_second = 0.0
        self.outcomes: list[Outcome] = []
        self.child: measure.Child | None = None

    def command(self, games: int, seed: int) -> list[str]:
        who = self.contestant
        if who.source is not None:
            return [str(measure.program(who.source)), *self.lineup.arguments(games, seed)]
        return [*self.serving(), str(games), str(seed)]

    def serving(self) -> list[str]:
        """The command line of a Python contestant that plays whatever it is asked to."""
        where = (self.contest.name, self.contestant.name, str(self.lineup_index))
        return measure.python("-m", "harness.child", *where)

    def outcome(self, games: int, seed: int) -> Outcome:
        if self.contestant.source is not None:
            return measure.outcome(self.command(games, seed))
        if self.child is None:
            self.child = measure.Child(self.serving())
        return self.child.ask(f"{games} {seed}")

    def leave(self) -> None:
        if self.child is not None:
            self.child.end()
            self.child = None

    def find_pace(self, seconds: float) -> None:
        """Enough games for a run of about that many seconds, found by trying more and more."""
        games = self.contestant.least_games
        self.outcome(games, FIRST_SEED)  # compiles, or loads what was compiled
        while True:
            spent = max(self.outcome(games, FIRST_SEED)["seconds"], 1e-6)
            if spent > seconds / 10:
                break
            games *= 10
        self.games_per_second = games / spent
        self.games = max(self.contestant.least_games, two_digits(self.games_per_second * seconds))

    def play(self, seed: int) -> None:
        self.outcomes.append(self.outcome(self.games, seed))


def two_digits(games: float) -> int:
    scale = int(10 ** max(0, math.floor(math.log10(max(games, 1))) - 1))
    return max(1, round(games / scale)) * scale


def say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


def play_lineup(contest: Contest, lineup_index: int, effort: Effort) -> list[Entry]:
    """All contestants in turn, again and again, so that a slow minute of the machine falls on all of them."""
    say(f"{contest.name}, {contest.lineups[lineup_index].name}")
    entries = [Entry(contest, lineup_index, c) for c in contest.contestants]
    try:
        for entry in entries:
            entry.find_pace(effort.seconds_per_run)
        for repeat in range(effort.repeats):
            for entry in entries:
                entry.play(FIRST_SEED + repeat)
    finally:
        for entry in entries:
            entry.leave()
    return entries


def rate(outcome: Outcome, unit: str, clock: str = "seconds") -> float | None:
    """Games, or something counted within games, per second."""
    finished = outcome["games"] - outcome["unfinished"]
    if unit == "games":
        return float(outcome["games"] / outcome[clock])
    if f"mean_{unit}" not in outcome:
        return None
    return float(outcome[f"mean_{unit}"] * finished / outcome[clock])


def ratios(entry: Entry, other: Entry, clock: str = "seconds") -> list[float]:
    pairs = zip(entry.outcomes, other.outcomes, strict=True)
    return [(rate(a, "games", clock) or 0.0) / (rate(b, "games", clock) or 1.0) for a, b in pairs]


def row_for(entry: Entry, entries: dict[str, Entry]) -> Row:
    who = entry.contestant
    reference = entries[entry.contest.reference]
    row = Row(who.name, who.title, games=entry.games)
    row.unfinished = sum(o["unfinished"] for o in entry.outcomes)
    for unit in ("games", *entry.contest.counted):
        values = [v for o in entry.outcomes if (v := rate(o, unit)) is not None]
        if values:
            row.rates[unit] = measure.spread(values)
    row.ratio = measure.spread(ratios(entry, reference))
    if who.ratio_to is not None:
        row.other_name = who.ratio_to
        row.other_ratio = measure.spread(ratios(entry, entries[who.ratio_to], who.clock))
    if entry is not reference and who.alike:
        row.differences = agree.differences(agree.pooled(reference.outcomes), agree.pooled(entry.outcomes))
        row.agrees = all(z < agree.LARGEST_Z for z in row.differences.values())
    return row


def cost_of(entry: Entry, effort: Effort) -> Cost:
    """Instructions and memory of one contestant, on the contest's first line-up."""
    who = entry.contestant
    cost = Cost(who.name, who.title)
    say(f"{entry.contest.name}, {who.title}: instructions and memory")
    if who.source is not None:
        count_instructions(entry, cost, effort.longest_count)
    elif effort.count_python and who.counted:
        count_instructions(entry, cost, COUNTED)
    small, large = effort.memory_games
    for games, field in ((small, "memory_small"), (large, "memory_large")):
        if games / entry.games_per_second <= effort.longest_memory_run:
            setattr(cost, field, measure.peak_memory(entry.command(games, FIRST_SEED)))
    return cost


def count_instructions(entry: Entry, cost: Cost, longest: float) -> None:
    """The difference between a long and a short run, so that starting up does not count."""
    short = min(2_000, max(50, int(entry.games_per_second / 100)))
    long = 11 * short
    few = measure.instructions(entry.command(short, FIRST_SEED), longest)
    many = measure.instructions(entry.command(long, FIRST_SEED), longest) if few else None
    if few and many:
        cost.instructions = (many[0] - few[0]) / (long - short)
        cost.counted_by = many[1]


def missing_modules(contests: list[Contest]) -> list[str]:
    """What other contestants need and this machine does not have."""
    needed = {c.needs for contest in contests for c in contest.contestants if c.needs}
    return sorted(name for name in needed if importlib.util.find_spec(name) is None)


def run_contest(contest: Contest, effort: Effort) -> ContestFigures:
    for contestant in contest.contestants:
        if contestant.source is not None:
            measure.build(contestant.source)
    title = contest.contestant(contest.reference).title
    figures = ContestFigures(contest.name, title, contest.counted, effort.memory_games)
    for index, lineup in enumerate(contest.lineups):
        entries = play_lineup(contest, index, effort)
        by_name = {e.contestant.name: e for e in entries}
        figures.lineups.append(LineupFigures(lineup.name, [row_for(e, by_name) for e in entries]))
        if index == 0 and contest.costs:
            figures.costs = [cost_of(entry, effort) for entry in entries]
    return figures


def startup_of(contests: list[Contest], effort: Effort) -> list[Startup]:
    found = []
    for arguments in dict.fromkeys(a for contest in contests for a in contest.startup):
        say(f"start-up: python {' '.join(arguments)}")
        try:
            seconds = measure.spread(measure.wall_seconds(measure.python(*arguments), effort.repeats))
        except ChildError:
            found.append(Startup(arguments, None))
        else:
            found.append(Startup(arguments, seconds))
    return found


def parse(argv: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Compare the compiled kernels with their yardsticks.")
    parser.add_argument("--quick", action="store_true", help="short runs, to see that all works")
    parser.add_argument("--only", choices=[c.name for c in CONTESTS], help="one contest")
    parser.add_argument("--count", action="store_true", help="count Ninefold's instructions too (minutes)")
    parser.add_argument("--json", action="store_true", help="print the figures as JSON")
    parser.add_argument("--write", action="store_true", help="write bench/results.md")
    return parser.parse_args(argv)


def main(argv: list[str]) -> int:
    options = parse(argv)
    effort = replace(QUICK if options.quick else FULL, count_python=options.count)
    contests = [c for c in CONTESTS if options.only in (None, c.name)]
    missing = missing_modules(contests)
    if missing:
        say(f"not installed, and left out: {', '.join(missing)} (pip install 'ninefold[bench]')")
    contests = [contest.without(missing) for contest in contests]
    figures = Figures(measure.machine(), effort.repeats)
    figures.contests = [run_contest(contest, effort) for contest in contests]
    figures.startup = startup_of(contests, effort)
    page = report.page(figures)
    if options.write:
        (BENCH / "results.md").write_text(page)
    print(json.dumps(asdict(figures), indent=1) if options.json else page)
    disagreeing = [
        f"{lineup.name}: {row.title}"
        for contest in figures.contests
        for lineup in contest.lineups
        for row in lineup.rows
        if not row.agrees
    ]
    for text in disagreeing:
        say(f"DISAGREES with the reference beyond chance: {text}")
    return 1 if disagreeing else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
