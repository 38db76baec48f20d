"""Reads JSON that someone sent as a type, or says what is wrong with it."""

from __future__ import annotations

import json
from typing import Any, TypeVar

import msgspec

from ninefold.kernel.errors import NinefoldError

Wanted = TypeVar("Wanted")


class Unreadable(NinefoldError, ValueError):  # noqa: N818 (what it is)
    """Something that is not a message."""


def read(text: str | bytes, decoder: msgspec.json.Decoder[Wanted]) -> Wanted:
    """Read JSON as a type; Unreadable if it does not fit, or gives a field twice."""
    try:
        found = decoder.decode(text)
        json.loads(text, object_pairs_hook=_once)
    except (ValueError, RecursionError) as error:  # of msgspec, json and Unicode
        raise Unreadable(str(error)[:200] or "it is nested too deeply") from None
    return found


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    if len({key for key, _ in pairs}) < len(pairs):
        raise ValueError("a field is given twice")
    return dict(pairs)
