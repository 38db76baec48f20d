"""Honest records with a proof, and what makes forged ones of them."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import cache
from typing import Any

import pytest

import ninefold as nf
from ninefold.engine.records import digest
from ninefold.fairness.verify import verify
from support.promises import Record, Sitting


@cache
def _honest(game: str) -> str:
    undo = 0.0 if game == "nine_of_a_kind" else 0.05
    return json.dumps(Sitting(game).play(undo=undo).record())


def honest(game: str) -> Record:
    found: Record = json.loads(_honest(game))
    return found


def sealed(record: Record) -> Record:
    """A forged record with a digest that fits it."""
    record["digest"] = digest(record)
    return record


def refused(record: Record, why: str = "") -> None:
    with pytest.raises(nf.RecordError, match=why or None):
        verify(sealed(record))


def forged_journal(record: Record, change: Callable[[list[Any]], object]) -> Record:
    """A record whose journal was changed, with the moves that follow from it."""
    journal = record["fair"]["journal"]
    change(journal)
    moves: list[Any] = []
    for kind, *rest in journal:
        if kind == "draw":
            moves.append(["chance", rest[0]])
        elif kind == "move":
            moves.append(rest[:2])
        elif kind == "undo":
            del moves[rest[1] :]
    record["moves"] = moves
    for name in ("scores", "winners", "over"):
        record.pop(name, None)
    return record


def put(record: Record, at: int, part: int, value: object) -> Record:
    """A record with another part of an entry."""

    def change(journal: list[Any]) -> None:
        journal[at][part] = value

    return forged_journal(record, change)


def inserted(record: Record, at: int, entry: list[Any]) -> Record:
    """A record with one entry more."""
    return forged_journal(record, lambda journal: journal.insert(at, entry))
