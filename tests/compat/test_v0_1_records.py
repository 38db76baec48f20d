"""What version 0.1 wrote, promised and drew still holds: records.

Everything in `v0_1/` was made by version 0.1 itself, through its own commands and a server that people were
playing at when it was stopped. These tests go through public doors only: the library, the command line, HTTP
and sockets.
"""

from __future__ import annotations

import gzip
import json
import subprocess
from pathlib import Path

import pytest

import ninefold as nf
from support.v0_1 import (
    KEPT,
    NINEFOLD,
    WAIT,
    Facts,
    Shell,
    kept,
)

RECORDS: dict[str, Facts] = kept("records/expected.json")


def record_of(name: str) -> Facts:
    found: Facts = json.loads(gzip.decompress((KEPT / "records" / f"{name}.json.gz").read_bytes()))
    return found


def test_there_are_records_of_all_kinds() -> None:
    for game in nf.games():
        kinds = {"finished", "unfinished", "proof", "pulse" if game == "nine_of_a_kind" else "undone"}
        assert {f"{game}-{kind}" for kind in kinds} <= set(RECORDS)
    for name in (name for name in RECORDS if name.endswith("-undone")):
        assert len(record_of(name)["fair"]["asides"]) > 1  # the first is how everybody sat down


@pytest.mark.parametrize("name", RECORDS)
def test_a_record_is_replayed(ninefold: Shell, name: str) -> None:
    record, wanted = record_of(name), RECORDS[name]
    state = nf.replay(record)
    assert (state.over, state.scores, state.winners) == tuple(
        wanted[part] for part in ("over", "scores", "winners")
    )
    assert list(state.actors) == wanted["actors"]
    if "fair" not in record:
        assert state.record()["digest"] == record["digest"]
    if not state.over:
        assert state.turns == wanted["turns"] and list(state.moves(state.actors[0])[:40]) == wanted["moves"]
        for _ in range(5):  # it goes on
            if not state.over:
                state.play(state.actors[0], state.moves(state.actors[0])[0])
    path = ninefold.folder / "replayed.json"
    path.write_text(json.dumps(record), "utf-8")
    told = json.loads(ninefold("replay", str(path), "--json"))
    assert {part: told[part] for part in ("over", "scores", "winners")} == {
        part: wanted[part] for part in ("over", "scores", "winners")
    }


@pytest.mark.parametrize("name", RECORDS)
def test_a_record_is_verified(ninefold: Shell, name: str) -> None:
    assert ninefold.verify(record_of(name)) == RECORDS[name]["verdict"]


def test_a_record_is_verified_by_a_command_of_its_own(tmp_path: Path) -> None:
    path = tmp_path / "match.json"
    path.write_text(json.dumps(record_of("holdem9-undone")), "utf-8")
    done = subprocess.run([*NINEFOLD, "verify", str(path)], capture_output=True, text=True, timeout=WAIT)
    assert done.returncode == 0 and done.stdout and not done.stderr
