"""The published studies: pages and tables are what their figures make, and figures of this version."""

from __future__ import annotations

import json
import re
import shlex
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest
from click.testing import CliRunner

import ninefold as nf
import reports
from ninefold.cli import cli
from ninefold.engine import registry
from ninefold.studies import reading
from ninefold.studies.plan import PARTS

MOST = 300_000  # bytes of a file
GAMES = [name for name in reports.NUMBERS if (reports.FOLDER / f"{name}.json").exists()]


@cache
def published(name: str) -> nf.Study:
    return reading.read(reports.FOLDER / f"{name}.json")


def test_the_folder_holds_reports_and_nothing_else() -> None:
    assert registry.games() == list(reports.NUMBERS)
    kept = {re.split(r"[-.]", path.name)[0] for path in reports.FOLDER.iterdir()}
    assert kept == set(GAMES) == set(reports.NUMBERS)
    assert all(path.stat().st_size <= MOST for path in reports.FOLDER.iterdir())


@pytest.mark.parametrize("name", GAMES)
def test_pages_are_what_their_figures_make(name: str, tmp_path: Path) -> None:
    """`python bench/reports.py --again --write` after a change of words or pictures."""
    files = published(name).save(tmp_path)
    kept = sorted(path.name for path in reports.FOLDER.glob(f"{name}*"))
    assert sorted(file.name for file in files) == kept
    for file in files:
        assert file.read_text("utf-8") == (reports.FOLDER / file.name).read_text("utf-8"), file.name


@pytest.mark.parametrize("name", GAMES)
def test_figures_are_those_of_the_game_as_it_is(name: str) -> None:
    """`make reports` after a change of rules or of numbers of games."""
    study = published(name)
    assert study.version == registry.facts(name).version
    assert study.options == dict(nf.make(name, players=study.players).options)
    assert study.numbers == dict(zip(PARTS, reports.NUMBERS[name], strict=True))
    assert study.seed == reports.SEED and study.complete and not study.interrupted


def test_the_table_in_the_docs_is_that_of_the_reports() -> None:
    found = reports.TABLE.search(reports.PAGE.read_text("utf-8"))
    assert found and found[0] == reports.table()


def test_the_table_keeps_the_order_of_the_reports_and_says_what_is_counted() -> None:
    rows = [line.split("|")[1].strip() for line in reports.table().splitlines()]
    assert rows.index("nobody wins") == rows.index("first seat wins") + 1
    assert rows.index("skill") == len(rows) - 1
    (best,) = [line for line in reports.table().splitlines() if line.startswith("| best bot against")]
    holdem = best.split("|")[2 + list(reports.NUMBERS).index("holdem9")]
    assert re.match(r" -?[\d,.]+ chips gained<br>", holdem), holdem


COMMANDS = re.findall(r"^ninefold (study .*)", reports.PAGE.read_text("utf-8"), re.M)


@pytest.mark.parametrize("command", COMMANDS)
def test_commands_in_the_docs(command: str, tmp_path: Path) -> None:
    """Each does what it says, here with few games."""
    few = ["--only", "games", "--games", "20", "--quiet", "--out", str(tmp_path / "report.json")]
    result = CliRunner().invoke(cli, [*shlex.split(command, comments=True), *few])
    assert result.exit_code == 0 and (tmp_path / "report.json").exists(), result.output


def test_python_in_the_docs(tmp_path: Path) -> None:
    (block,) = re.findall(r"```python\n(.*?)```", reports.PAGE.read_text("utf-8"), re.S)
    subprocess.run(
        [sys.executable, "-W", "error", "-c", block], check=True, cwd=tmp_path, capture_output=True
    )
    assert "<h1>A study of Multiple 9</h1>" in (tmp_path / "multiple9.html").read_text("utf-8")


CELL = re.compile(r"(\d+\.\d) \((\d+\.\d)–(\d+\.\d)\)")


@pytest.mark.parametrize("name", [name for name in GAMES if not registry.facts(name).by_score])
def test_the_ladder_in_the_docs_agrees_with_the_report(name: str) -> None:
    """docs/strength.md was measured with games of its own: both are within their intervals, doubled."""
    study, title = published(name), registry.facts(name).title
    (part,) = re.findall(
        rf"^## {title}\n(.*?)(?=^## |\Z)", (reports.DOCS / "strength.md").read_text("utf-8"), re.M | re.S
    )
    assert study.ladder
    compared = 0
    for players, table in re.findall(r"^(\d) players, games won.*?\n\n(.*?)\n\n", part, re.M | re.S):
        rung = next(one for one in study.ladder.rungs if one.players == int(players))
        head, _, *rows = (re.split(r" *\| *", line)[1:-1] for line in table.splitlines())
        for bot, *cells in rows:
            for other, cell in zip(head[1:], cells, strict=True):
                told = CELL.fullmatch(cell)
                known = {bot, other} <= set(study.bots) and bot != other and rung.versus(bot, other)
                if told and known:
                    compared += 1
                    share, low, high = map(float, told.groups())
                    apart = 2 * (100 * known.margin + (high - low) / 2)
                    assert abs(100 * known.value - share) <= apart, (bot, other)
    assert compared >= 6


@pytest.mark.soak
@pytest.mark.parametrize("name", GAMES)
def test_playing_again_gives_the_same_figures(name: str) -> None:
    again = nf.study(
        name, seed=reports.SEED, games=dict(zip(PARTS, reports.NUMBERS[name], strict=True))
    ).to_dict()
    kept = json.loads((reports.FOLDER / f"{name}.json").read_text("utf-8"))
    assert {**again, "seconds": 0} == {**kept, "seconds": 0}
