"""A finished match with the proof of its draws: what was promised, and the keys that keep the promise."""

from __future__ import annotations

from typing import Any

from ninefold import fair
from ninefold.server.table import Table


def proof(table: Table, secret: bytes) -> dict[str, Any]:
    """The record of a match that is over, and what `ninefold verify` needs to draw it again."""
    match = table.match
    assert match is not None
    record = match.state.record()
    record["ids"] = [command for seat, _, command in match.steps if seat >= 0]
    record["fair"] = {"commitments": match.commitments, "segments": fair.reveal(secret, match.draws)}
    record.pop("digest")
    from ninefold.engine.records import digest

    record["digest"] = digest(record)
    return record
