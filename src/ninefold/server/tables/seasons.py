"""A season: matches of several tables counted together, for a family or a club. Only people are counted."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from typing import Any

from ninefold.server.tables.names import ALPHABET

MOST = 2_000  # matches of a season that are counted


def code_of(request: str) -> str:
    """The code of the season that a request starts: hard to guess, and the same for a repeated request."""
    number = int.from_bytes(hashlib.sha256(b"ninefold season" + request.encode()).digest())
    signs = []
    for _ in range(8):
        number, sign = divmod(number, len(ALPHABET))
        signs.append(ALPHABET[sign])
    return "".join(signs)


def standings(matches: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """How often each player has played and won, the best first; `matches` are newest first."""
    table: dict[str, dict[str, Any]] = {}
    running: set[str] = set()  # players whose streak is unbroken, going back in time
    for match in matches:
        for seat, name in enumerate(match["names"]):
            if not match["people"][seat]:
                continue
            won = seat in match["winners"]
            if name not in table:
                table[name] = {"name": name, "played": 0, "won": 0, "streak": 0, "games": {}}
                running.add(name)
            row = table[name]
            row["played"] += 1
            row["won"] += won
            row["games"][match["game"]] = row["games"].get(match["game"], 0) + won
            if not won:
                running.discard(name)
            row["streak"] += name in running
    return sorted(table.values(), key=lambda row: (-row["won"], row["played"], row["name"]))
