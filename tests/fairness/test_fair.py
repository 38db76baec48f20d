"""Fair draws: committed to, unpredictable, and checked afterwards by anyone."""

from __future__ import annotations

import hmac
import json
import random
import secrets
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

import ninefold as nf
from ninefold.cli import cli
from ninefold.engine.records import digest
from ninefold.fairness import promises
from ninefold.fairness.proof import verify
from ninefold.server.tables.draft import Draft
from ninefold.server.tables.events import Event
from ninefold.server.tables.table import Table

SECRET = bytes(range(32))


def finished(game: str, seed: int, **options: Any) -> dict[str, Any]:
    """A match of random moves at a table, with its proof."""
    made = nf.make(game, **options)
    opened = {
        "game": game,
        "rules": made.facts.version,
        "players": made.players,
        "options": dict(made.options),
        "settings": {"spectators": False, "public": False, "clock": None, "pace": "normal"},
    }
    table = Table()
    table.apply(Event("opened", opened))
    for seat in range(made.players):
        table.apply(Event("sat", {"seat": seat, "name": f"P{seat}"}))
    table.apply(*table.begin(SECRET, "begin"))
    rng = random.Random(seed)
    while table.status == "playing" and table.match and len(table.match.steps) < 3_000:
        seat = rng.choice(table.waiting_for())
        assert table.match
        moves = table.match.state.moves(seat)
        command = secrets.token_hex(8)
        draft = Draft(table, (), SECRET)
        draft.submit(seat, moves[rng.randrange(len(moves))], command, str(seat))
        table = draft.table
    return table.proof(SECRET)


@pytest.mark.parametrize("game", nf.games())
def test_a_finished_match_proves_its_draws(game: str) -> None:
    record = finished(game, 1)
    found = verify(record)
    assert found.proved and found.draws > 0
    assert found.checked + sum(not key for key in _keys(record)[: found.draws]) == found.draws
    if game not in ("holdem9",):  # cards that were folded there stay unshown
        assert found.checked == found.draws


def _keys(record: dict[str, Any]) -> list[str]:
    return [key for segment in record["fair"]["segments"] for key in segment["keys"]]


def test_anything_changed_is_noticed() -> None:
    record = finished("doubles", 3, players=2, rounds=4)  # many rolls: none comes out the same by chance
    asides = [{**record["fair"]["asides"][0], "commands": [[0, "start", "another"]]}]
    forged = {
        "an id": {**record, "ids": ["x" * 16, *record["ids"][1:]]},
        "a promise": _with(record, "commitments", ["00" * 32, *record["fair"]["commitments"][1:]]),
        "a key": _with(
            record, "segments", [{**record["fair"]["segments"][0], "keys": ["00" * 32] * promises.SEGMENT}]
        ),
        "how it began": _with(record, "asides", asides),
        "an id less": {**record, "ids": record["ids"][1:]},
        "no segments": _with(record, "segments", []),
    }
    for changed in forged.values():
        changed["digest"] = digest(changed)
        with pytest.raises(nf.RecordError):
            verify(changed)
    with pytest.raises(nf.RecordError, match="digest"):
        verify({**record, "scores": [1, 2]})


def _with(record: dict[str, Any], name: str, value: object) -> dict[str, Any]:
    return {**record, "fair": {**record["fair"], name: value}}


def test_a_draw_depends_on_the_ids_of_all_commands_before_it() -> None:
    one = promises.follow(promises.BEGINNING, 0, "stay", "aaaaaaaa")
    other = promises.follow(promises.BEGINNING, 0, "stay", "aaaaaaab")
    key = promises.key_of(SECRET, 5)
    assert promises.stream_of(key, one) != promises.stream_of(key, other)
    assert promises.stream_of(key, one) != promises.stream_of(promises.key_of(SECRET, 6), one)


def test_promises_are_made_a_segment_ahead(monkeypatch: pytest.MonkeyPatch) -> None:
    """No commitment is published after a command that one of its draws depends on."""
    monkeypatch.setattr(promises, "SEGMENT", 16)
    record = finished("doubles", 2, players=2, rounds=40)
    draws = sum(who == "chance" for who, _ in record["moves"])
    assert draws > promises.SEGMENT
    assert len(record["fair"]["commitments"]) == draws // promises.SEGMENT + 2
    assert verify(record).checked == draws


def test_verify_on_the_command_line(tmp_path: Path) -> None:
    record = finished("finest9", 4)
    path = tmp_path / "match.json"
    path.write_text(json.dumps(record), "utf-8")
    told = CliRunner().invoke(cli, ["verify", str(path)])
    assert told.exit_code == 0 and "Every draw is the one promised" in told.output
    record["moves"][0][1] = "roll 1 1" if record["moves"][0][1] != "roll 1 1" else "roll 1 2"
    record["digest"] = digest(record)
    path.write_text(json.dumps(record), "utf-8")
    told = CliRunner().invoke(cli, ["verify", str(path)])
    assert told.exit_code == 3 and told.output.count("\n") == 1


def test_the_keys_of_many_draws_are_those_of_each() -> None:
    assert promises.keys_of(SECRET, range(250, 260)) == [
        promises.key_of(SECRET, number) for number in range(250, 260)
    ]


def test_hmac_is_the_one_of_the_library() -> None:
    luck = random.Random(9)
    for length in range(65):
        key, message = luck.randbytes(length), luck.randbytes(luck.randrange(200))
        assert promises.hmac(key, message) == hmac.digest(key, message, "sha256")
