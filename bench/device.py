"""A CUDA card beside the processor of the same machine, in one run: every game between bots of two kinds.

    python bench/device.py FOLDER                  measures for five minutes and writes FOLDER/device.json
    python bench/device.py FOLDER --page bench     writes bench/device.md from FOLDER/device.json

Every line-up is compiled first, each in a process of its own. Then it is measured: the card, one thread, and
all cores. The games of all cores are played on the card, too, and the results have to be the same to the last
digit. The file is written after every line-up, so a run that is cut off still tells something.
"""

from __future__ import annotations

import argparse
import json
import platform
import subprocess
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import ninefold as nf
from ninefold.kernel.device import SIMULATED, card
from ninefold.simulation.executors import usable_cores

FIRST = {"cuda": 1 << 17, None: 64}  # games with which a measurement begins: a card is filled
LONG = 0.25  # seconds that a run takes before its pace counts
GROWTH = 8
SEED = 9


@dataclass(frozen=True)
class LineUp:
    """Who plays what."""

    game: str
    bots: tuple[str, ...]
    players: int
    options: dict[str, Any] = field(default_factory=dict)

    @property
    def title(self) -> str:
        bots = ", ".join(self.bots)
        options = "".join(f", {name} {str(value).lower()}" for name, value in self.options.items())
        return f"{self.players} × {bots}{options}" if len(self.bots) == 1 else f"{bots}{options}"

    def play(self, games: int, seed: int = SEED, **where: Any) -> nf.Result:
        bots = list(self.bots)
        return nf.simulate(
            self.game, bots, games=games, seed=seed, players=self.players, **where, **self.options
        )


CHICKEN = {"chicken": True}  # without it, bots at random never reach the points that win
LINE_UPS = (
    LineUp("doubles", ("random",), 4),
    LineUp("doubles", ("threshold:300", "threshold:400", "threshold:600", "threshold:1000"), 4),
    LineUp("baseball", ("random",), 4),
    LineUp("finest9", ("random",), 4),
    LineUp("holdem9", ("random",), 6),
    LineUp("multiple9", ("random",), 4),
    LineUp("nine_of_a_kind", ("random",), 5, CHICKEN),
    LineUp("doubles", ("medium",), 4),
    LineUp("baseball", ("medium",), 4),
    LineUp("finest9", ("medium",), 4),
    LineUp("holdem9", ("medium",), 6),
    LineUp("multiple9", ("medium",), 4),
    LineUp("nine_of_a_kind", ("medium",), 5),
    LineUp("doubles", ("expert",), 4),
    LineUp("doubles", ("hard", "threshold:400", "random"), 3),
    LineUp("finest9", ("hard",), 4),
    LineUp("holdem9", ("hard",), 6),
    LineUp("multiple9", ("hard",), 4),
)


def figures(result: nf.Result) -> dict[str, Any]:
    """All that has to be the same."""
    return {key: value for key, value in result.to_dict().items() if key not in ("seconds", "threads")}


def pace(line_up: LineUp, most: int, seconds: float, **where: Any) -> nf.Result:
    """A run of about that many seconds."""
    games = min(most, FIRST[where.get("device")])
    while True:
        result = line_up.play(games, **where)
        if games == most or result.seconds >= max(LONG, seconds / 2):
            return result
        grown = GROWTH * games
        if result.seconds >= LONG / GROWTH:
            grown = min(grown, int(games * seconds / result.seconds))
        games = min(most, max(grown, games + 1))


def measure(line_up: LineUp, most: int, seconds: float) -> dict[str, Any]:
    """What the card and the processor do with a line-up."""
    there = pace(line_up, most, seconds, device="cuda")
    one = pace(line_up, most, seconds / 2, threads=1)
    cores = usable_cores()
    games = min(most, max(1, int(seconds / 2 * cores * one.games / one.seconds)))
    all_ = line_up.play(games, threads=cores)
    same = figures(line_up.play(games, device="cuda")) == figures(all_)
    found: dict[str, Any] = {
        "game": line_up.game,
        "line_up": line_up.title,
        "decisions": there.length.decisions.mean if there.finished else 0.0,
        "card": there.games / there.seconds,
        "one_thread": one.games / one.seconds,
        "all_threads": all_.games / all_.seconds,
        "games": there.games,
        "unfinished": there.unfinished,
        "compared": games,
        "identical": same,
    }
    print(
        f"{line_up.game:15} {line_up.title:40.40} card {found['card']:13,.0f}/s, "
        f"one thread {found['one_thread']:10,.0f}, all {found['all_threads']:11,.0f}, "
        f"{found['card'] / found['one_thread']:7.1f} times, "
        f"{there.games:,} games, {'identical' if same else 'DIFFERENT'} for {games:,}",
        flush=True,
    )
    return found


# Compiling ahead


def compile_ahead(line_ups: list[LineUp]) -> list[subprocess.Popen[bytes] | None]:
    """A process for each line-up, which leaves what it compiled in the cache."""
    if SIMULATED:
        return [None] * len(line_ups)
    command = [sys.executable, __file__, "-", "--compile"]
    started = [subprocess.Popen([*command, str(LINE_UPS.index(one))]) for one in line_ups]
    for process in started:
        process.wait()
    return [*started]


def compile_one(line_up: LineUp) -> None:
    line_up.play(1, threads=1)
    line_up.play(1, device="cuda")


def machine() -> dict[str, Any]:
    from importlib.metadata import version

    return {
        "card": "simulated" if SIMULATED else card().get_current_device().name,
        "cores": usable_cores(),
        "processor": next(
            (line.partition(":")[2].strip() for line in _cpuinfo() if line.startswith("model name")), "?"
        ),
        "Python": platform.python_version(),
        **{name: version(name) for name in ("numpy", "numba", "numba-cuda")},
    }


def _cpuinfo() -> list[str]:
    path = Path("/proc/cpuinfo")
    return path.read_text("utf-8").splitlines() if path.exists() else []


def run(folder: Path, asked: argparse.Namespace) -> bool:
    """Measure what there is time for; whether all results were the same."""
    begun = time.monotonic()
    line_ups = [one for one in LINE_UPS if not asked.only or one.game in asked.only]
    compiled = compile_ahead(line_ups)
    found: dict[str, Any] = {"machine": machine(), "line_ups": []}
    for line_up, process in zip(line_ups, compiled, strict=True):
        if process is not None and process.wait():
            print(f"{line_up.game} {line_up.title}: it could not be compiled", flush=True)
        elif time.monotonic() - begun > asked.seconds:
            print(f"{line_up.game} {line_up.title}: no time left", flush=True)
        else:
            found["line_ups"].append(measure(line_up, asked.most, asked.each))
            (folder / "device.json").write_text(json.dumps(found, indent=1) + "\n", "utf-8")
    return all(one["identical"] for one in found["line_ups"])


# The page

INTRO = """# A CUDA card beside the processor

Written by `python bench/device.py`, one run of the card, one thread and all {cores} cores in turn. Games per
second, with everything but compiling: drawing numbers, adding up, and the way to the card and back. What is
"identical" is the result of that many games with one seed on the card and on all cores, to the last digit of
every mean, deviation and quantile. What limits the card is in [analysis.md](analysis.md).

"""
HEAD = (
    *("line-up", "card, games/s", "decisions/s", "one thread", "all threads", "card : one", "card : all"),
    "identical",
)


def page(found: dict[str, Any]) -> str:
    """The figures as Markdown."""
    lines = ["| machine | |", "|---|---|", *(f"| {key} | {one} |" for key, one in found["machine"].items())]
    for game in nf.games():
        mine = [one for one in found["line_ups"] if one["game"] == game]
        if mine:
            lines += ["", f"## {nf.make(game).facts.title}", "", f"| {' | '.join(HEAD)} |"]
            lines += ["|---" + "|---:" * (len(HEAD) - 1) + "|", *map(_line, mine)]
            if any(one.get("later") for one in mine):  # put into the file by hand, from a run with --only
                lines += ["", "From a later run on a machine of the same kind."]
    return INTRO.format(cores=found["machine"]["cores"]) + "\n".join(lines) + "\n"


def _line(one: dict[str, Any]) -> str:
    rates = (one["card"], one["card"] * one["decisions"], one["one_thread"], one["all_threads"])
    times = (one["card"] / one["one_thread"], one["card"] / one["all_threads"])
    cells = [one["line_up"], *(f"{rate:,.0f}" for rate in rates), *(f"{ratio:.1f}" for ratio in times)]
    cells.append(f"{one['compared']:,} games" if one["identical"] else "no")
    return f"| {' | '.join(cells)} |"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--seconds", type=float, default=300.0, help="after which nothing more is begun")
    parser.add_argument("--each", type=float, default=2.0, help="seconds for a measurement on the card")
    parser.add_argument("--most", type=int, default=10**10, help="games of a measurement")
    parser.add_argument("--only", action="append", help="a game; may be given again")
    parser.add_argument("--page", type=Path, help="write the page into this folder, and measure nothing")
    parser.add_argument("--compile", type=int, help=argparse.SUPPRESS)
    asked = parser.parse_args()
    if asked.compile is not None:
        compile_one(LINE_UPS[asked.compile])
    elif asked.page:
        text = page(json.loads((asked.folder / "device.json").read_text("utf-8")))
        (asked.page / "device.md").write_text(text, "utf-8")
    else:
        asked.folder.mkdir(parents=True, exist_ok=True)
        sys.exit(0 if run(asked.folder, asked) else 1)


if __name__ == "__main__":
    main()
