"""What players keep during a match, compared with its record afterwards."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

import ninefold as nf
from ninefold.cli import cli
from ninefold.fairness.keeping import Keeper
from ninefold.fairness.receipts import Receipts, compare
from ninefold.fairness.terms import PROTOCOL
from ninefold.fairness.verify import verify
from support.forging import put, sealed
from support.promises import Sitting, chain, kept_of


@pytest.mark.parametrize("game", nf.games())
def test_a_record_is_compared_with_what_a_player_kept(game: str) -> None:
    sitting = Sitting(game).play(undo=0.0 if game == "nine_of_a_kind" else 0.1)
    record, kept = sitting.record(), kept_of(sitting, 1)
    found = compare(record, kept)
    assert found.contributed and found.draws == verify(record).draws
    assert found.guarded == found.draws
    made_up = Sitting(game, seed=2).play().record()
    with pytest.raises(nf.RecordError):
        compare(made_up, kept)


def test_a_record_that_differs_from_what_a_player_kept_is_refused() -> None:
    sitting = Sitting("holdem9").play(undo=0.1)
    record = sitting.record()

    def differs(change: Callable[[Receipts], object], why: str) -> None:
        kept = kept_of(sitting, 1)
        change(kept)
        with pytest.raises(nf.RecordError, match=why):
            compare(record, kept)

    differs(lambda kept: kept.commitments.reverse(), "commitments")
    differs(lambda kept: setattr(kept, "anchor", chain("another")[-1]), "leaves out")
    differs(lambda kept: setattr(kept, "undone", kept.undone + 1), "undone")
    differs(lambda kept: kept.sent.append(("move", "fold", "never told")), "something else")
    differs(lambda kept: kept.sent.reverse(), "another order")
    differs(lambda kept: setattr(kept, "match", 2), "match 2")
    differs(lambda kept: setattr(kept, "scores", [1, 2, 3, 4]), "but the player saw")
    differs(lambda kept: setattr(kept, "seat", 9), "no seat 9")
    differs(lambda kept: setattr(kept, "protocol", PROTOCOL + 1), "proves less than protocol")
    differs(lambda kept: kept.begun["seats"][0].__setitem__(1, "Zoe"), "other players")  # type: ignore[index]
    differs(lambda kept: kept.begun["options"].update(hands=1), "another game")  # type: ignore[index]
    undone = next(entry[-1] for entry in record["fair"]["journal"] if entry[0] == "undo")
    differs(lambda kept: kept.sent.append(("move", "fold", undone)), "something else")
    other = next(entry for entry in record["fair"]["journal"] if entry[0] == "move" and entry[1] == 0)
    differs(lambda kept: kept.sent.append(("move", *other[2:])), "something else")
    kept = kept_of(sitting, 1)
    kept.sent = [(kind, "another move", token) for kind, _, token in kept.sent]
    with pytest.raises(nf.RecordError, match="something else"):
        compare(record, kept)


def test_verify_on_the_command_line(tmp_path: Path) -> None:
    sitting = Sitting("finest9").play(undo=0.4)
    record = sitting.record()
    path, kept = tmp_path / "match.json", tmp_path / "kept.json"
    path.write_text(json.dumps(record), "utf-8")
    kept.write_text(json.dumps(kept_of(sitting, 0).as_json()), "utf-8")
    told = CliRunner().invoke(cli, ["verify", str(path)])
    assert told.exit_code == 0 and "Every draw is the one promised" in told.output
    assert "undone" in told.output and "own commitments" in told.output
    told = CliRunner().invoke(cli, ["verify", str(path), "--commitments", str(kept)])
    assert told.exit_code == 0 and "the player kept" in told.output
    told = CliRunner().invoke(cli, ["verify", str(path), "--commitments", str(path)])
    assert told.exit_code == 3 and told.output.count("\n") == 1
    first = next(at for at, entry in enumerate(record["fair"]["journal"]) if entry[0] == "draw")
    text = "roll 1 1" if record["fair"]["journal"][first][1] != "roll 1 1" else "roll 1 2"
    forged = sealed(put(record, first, 1, text))
    path.write_text(json.dumps(forged), "utf-8")
    told = CliRunner().invoke(cli, ["verify", str(path)])
    assert told.exit_code == 3 and told.output.count("\n") == 1


def test_a_part_in_the_draws_is_sent_again_until_it_is_answered() -> None:
    """The server took it and was killed before it could say so: then the next welcome has it already."""
    keeper = Keeper("TABLE", 0)

    def welcome(shares: list[int]) -> list[dict[str, Any]]:
        promise = {"match": 1, "commitments": ["00"], "shares": shares, "protocol": PROTOCOL}
        keeper.hear(
            {"type": "welcome", "seq": 1, "table": {"match": 0, "commitments": [], "promise": promise}}
        )
        return list(keeper.shares())

    (sent,) = welcome([])
    assert keeper.pending and welcome([0]) == [sent], "the same one, which the server answers as before"
    keeper.answered({"type": "accepted", "id": sent["id"], "ok": True})
    assert not keeper.pending and welcome([0]) == [] and keeper.of(1).shared
