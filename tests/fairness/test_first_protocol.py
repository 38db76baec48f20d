"""Records of the first protocol: what they prove, and what they do not."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest

from ninefold.fairness import hashing
from ninefold.fairness.report import lines
from ninefold.fairness.verify import verify
from support.forging import refused
from support.promises import Record


def old(name: str) -> Record:
    packed = Path(__file__).parents[1] / "compat" / "v0_1" / "records" / f"{name}.json.gz"
    found: Record = json.loads(gzip.decompress(packed.read_bytes()))
    return found


def test_a_record_of_the_first_protocol_is_not_said_to_be_more_than_it_is() -> None:
    told = " ".join(lines(verify(old("doubles-undone")), None))
    assert "fit the keys" in told and "undone, which cannot be checked" in told
    assert "does not prove that nobody chose them" in told and "promised" not in told


@pytest.mark.parametrize(
    "commands", [[], [[0, "undo", "free"]], [[0, "stay", "free"]], [[0, "start", "free"], [0, "sit", "free"]]]
)
def test_nothing_is_put_between_the_moves_of_the_first_protocol(commands: list[Any]) -> None:
    record = old("doubles-undone")
    record["fair"]["asides"].insert(1, {"before": 0, "commands": commands, "draws": 0})
    refused(record, "only what was undone, or sealed")


def test_the_first_protocol_withholds_keys_of_one_deck_only() -> None:
    """F3: after one folded hand, all later cards could be what the server liked."""
    record = old("holdem9-proof")
    assert verify(record).checked
    first = 44  # the first card of the fourth hand; in the hands before some were folded
    (segment,) = record["fair"]["segments"]
    segment["hashes"][first] = hashing.leaf(bytes.fromhex(segment["keys"][first])).hex()
    segment["keys"][first] = ""
    refused(record, "the key of step .* is missing")
