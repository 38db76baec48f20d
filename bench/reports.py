"""The published studies: `python bench/reports.py --write` plays all six games and writes docs/reports.

The numbers of games are fixed, so the same sources give the same reports. They take eight minutes of one
core, three of them for 9 of a Kind, where a match takes a computer 100 times as long as elsewhere: wins of
seats are known within ± 3 % there, else within ± 1 %. `--again` only writes the pages anew from what was
played before.
"""

from __future__ import annotations

import argparse
import re
import time
from pathlib import Path

import ninefold as nf
from ninefold.engine import registry
from ninefold.studies import reading
from ninefold.studies.glance import Figure, glance
from ninefold.studies.plan import PARTS

DOCS = Path(__file__).resolve().parent.parent / "docs"
FOLDER, PAGE = DOCS / "reports", DOCS / "study.md"
SEED = 9
NUMBERS = {  # of games in each part, in the order of PARTS
    "baseball": (8_500, 500, 800, 600, 2_000, 1_200),
    "doubles": (8_500, 1_000, 1_200, 1_000, 2_400, 2_400),
    "finest9": (8_500, 400, 2_000, 1_000, 2_000, 1_000),
    "holdem9": (8_500, 600, 2_000, 3_000, 1_500, 3_000),
    "multiple9": (8_500, 1_500, 2_400, 1_500, 2_400, 2_400),
    "nine_of_a_kind": (800, 25, 120, 60, 60, 100),
}
TABLE = re.compile(r"(?<=<!-- figures -->\n).*?(?=<!-- end -->)", re.S)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("games", nargs="*", help="by default all")
    parser.add_argument(
        "--write", action="store_true", help="write docs/reports and the table in docs/study.md"
    )
    parser.add_argument("--again", action="store_true", help="play nothing: write the pages from the JSON")
    asked = parser.parse_args()
    for name in asked.games or registry.games():
        start = time.process_time()
        if asked.again:
            study = reading.read(FOLDER / f"{name}.json")
        else:
            played = nf.study(name, seed=SEED, games=dict(zip(PARTS, NUMBERS[name], strict=True)))
            study = reading.study_of(played.to_dict())  # as someone has it who reads the JSON
        print(f"{name}: {time.process_time() - start:.0f} s of processor time", flush=True)
        if asked.write:
            study.save(FOLDER)
    if asked.write:
        PAGE.write_text(TABLE.sub(lambda _: table(), PAGE.read_text("utf-8")), "utf-8")


def table() -> str:
    """All games at a glance, as Markdown."""
    studies = [reading.read(path) for name in NUMBERS if (path := FOLDER / f"{name}.json").exists()]
    figures_of = [
        {_label(one.label): f"{one.value}{_unit(study, one)}<br>{one.interval}" for one in glance(study)}
        for study in studies
    ]
    lines = [
        f"| | {' | '.join(f'[{study.title}](reports/{study.game}.md)' for study in studies)} |",
        "|---|" + "---:|" * len(studies),
        f"| players | {' | '.join(str(study.players) for study in studies)} |",
    ]
    for label in _in_order(figures_of):
        lines.append(f"| {label} | {' | '.join(figures.get(label, '') for figures in figures_of)} |")
    return "\n".join(lines) + "\n"


def _in_order(figures_of: list[dict[str, str]]) -> list[str]:
    """All labels, each behind the one that it follows in a game."""
    found: list[str] = []
    for figures in figures_of:
        before = -1
        for label in figures:
            if label not in found:
                found.insert(before + 1, label)
            before = found.index(label)
    return found


def _unit(study: nf.Study, one: Figure) -> str:
    """What is counted, where it is no share."""
    return f" {study.unit}" if study.by_score and one.label.startswith(f"{study.unit} by ") else ""


def _label(label: str) -> str:
    """The same for all games."""
    if any(word in label for word in (" beats ", " against ", " among ")):
        return "best bot against the next"
    return "skill" if label.startswith("skill in ") else re.sub(r" \(.*\)", "", label)


if __name__ == "__main__":
    main()
