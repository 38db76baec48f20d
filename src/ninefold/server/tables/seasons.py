"""A season: matches of several tables counted together, for a family or a club. Only people are counted."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Mapping, Sequence
from typing import Any

from ninefold.server.tables.names import ALPHABET

LENGTH = 16  # of a code
MOST = 2_000  # matches of a season that are counted


def key_of(request: str) -> str:
    """The key of the season that a request starts: the same for a repeated request."""
    return base64.urlsafe_b64encode(hashlib.sha256(b"ninefold season key" + request.encode()).digest())[
        :43
    ].decode()


def code_of(key: str) -> str:
    """The code of the season that a key belongs to: it shows who has the key, and does not give it away."""
    number = int.from_bytes(hashlib.sha256(b"ninefold season" + key.encode()).digest())
    signs = []
    for _ in range(LENGTH):
        number, sign = divmod(number, len(ALPHABET))
        signs.append(ALPHABET[sign])
    return "".join(signs)


def may_open(code: str, key: str | None) -> bool:
    """Whether a key opens tables for a season. Older seasons, with shorter codes, have no keys."""
    return len(code) < LENGTH or (key is not None and code_of(key) == code)


def standings(matches: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """How often each player has played and won, the best first; `matches` are newest first."""
    table: dict[str, dict[str, Any]] = {}
    running: set[str] = set()  # players whose streak is unbroken, going back in time
    for match in matches:
        if match.get("unfinished"):
            continue  # cut short: it is listed, and counts for nobody
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
