"""What version 0.1 wrote, promised and drew still holds: saved matches and score cards.

Everything in `v0_1/` was made by version 0.1 itself, through its own commands and a server that people were
playing at when it was stopped. These tests go through public doors only: the library, the command line, HTTP
and sockets.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from pathlib import Path

import pytest

from support.v0_1 import (
    KEPT,
    NINEFOLD,
    WAIT,
    Facts,
    Shell,
    kept,
)

SAVES: dict[str, dict[str, Facts]] = kept("saves/expected.json")
UNFINISHED = [name for name, match in SAVES["matches"].items() if not match["over"]]


@pytest.fixture
def saves(tmp_path: Path) -> Path:
    """A copy of a data folder of version 0.1."""
    return Path(shutil.copytree(KEPT / "saves", tmp_path / "data"))


def test_history_lists_old_matches(ninefold: Shell, saves: Path) -> None:
    found = ninefold.history(saves)
    assert set(found) == set(SAVES["matches"])
    for name, wanted in SAVES["matches"].items():
        for part in ("game", "begun", "seats", "over", "scores", "winners", "steps"):
            assert found[name][part] == wanted[part], name
    done = subprocess.run(
        [*NINEFOLD, "history"],
        capture_output=True,
        text=True,
        timeout=WAIT,
        env={**os.environ, "NINEFOLD_DATA": str(saves)},
    )
    assert done.returncode == 0 and not done.stderr and all(name in done.stdout for name in found)


def test_old_matches_are_replayed(ninefold: Shell, saves: Path) -> None:
    for name, wanted in SAVES["matches"].items():
        told = json.loads(ninefold("replay", name, "--json", data=saves))
        assert told["scores"] == wanted["standing"] and told["over"] == wanted["over"], name
        assert told["winners"] == wanted["winners"] and told["events"], name


FORCED = {"2026-11-16-multiple9-2": 22}  # steps after an undo, or more: forced moves play on, with new luck


@pytest.mark.parametrize("name", UNFINISHED)
def test_an_old_match_goes_on(ninefold: Shell, saves: Path, name: str) -> None:
    """A move is taken back where one can be, and then the match is played to its end.

    A move that was forced is not taken back alone, as it was by 0.1: it would only be played again.
    """
    ninefold("play", "--resume", name, "--plain", typed="undo\nquit\n", data=saves)
    steps, before = ninefold.history(saves)[name]["steps"], SAVES["matches"][name]["steps_after_undo"]
    assert steps >= FORCED[name] if name in FORCED else steps == before
    ninefold("play", "--resume", name, "--plain", typed="1\n2\n1\n" * 1000, data=saves)
    found = ninefold.history(saves)[name]
    assert found["over"] and found["steps"] > SAVES["matches"][name]["steps_after_undo"]
    told = json.loads(ninefold("replay", name, "--json", data=saves))
    assert told["over"] and told["scores"] == found["scores"] and told["winners"] == found["winners"]


def test_an_old_match_is_played_on_from_a_step(ninefold: Shell, saves: Path) -> None:
    name = next(name for name, match in SAVES["matches"].items() if match["over"])
    ninefold("replay", name, "--fork", "20", "--plain", typed="quit\n", data=saves)
    found = ninefold.history(saves)
    (fork,) = set(found) - set(SAVES["matches"])
    assert found[fork]["game"] == found[name]["game"] and found[fork]["steps"] >= 20


def test_an_old_score_card_goes_on(ninefold: Shell, saves: Path) -> None:
    (name,) = SAVES["cards"]
    assert name in ninefold("score", "--list", data=saves)

    def exported() -> Facts:
        found: Facts = json.loads(ninefold("score", "--resume", name, "--export", "json", "-", data=saves))
        return found

    before = exported()
    assert before == SAVES["cards"][name]
    ninefold("score", "--resume", name, typed="ann\nbob\nuncle\n", data=saves)  # all that are in cash out
    had = {row["player"]: row for row in before["players"]}
    for row in exported()["players"]:
        gain = 166 if row["player"] != "Zoë" else 0  # who came in the middle of the round
        assert row["score"] == had[row["player"]]["score"] + gain
        assert row["rounds"] == [*had[row["player"]]["rounds"], gain or None]
    ninefold("score", "--resume", name, typed="undo\nundo\nundo\n", data=saves)
    assert exported() == before
