"""The terms of a match: what its draws depend on, and what anyone has to know to make them again.

A draw depends on what the server committed to beforehand and on the tokens of people, and on nothing else:
not on the names of moves, nor on anything that bots, clocks or the server do.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Any

from ninefold.fairness.hashing import link

PROTOCOL = 3
WITHOUT_NAMES = 2  # the same, but draws did not depend on who sat where
PROTOCOLS = (WITHOUT_NAMES, PROTOCOL)
NOBODY_YET = -1


@dataclass(frozen=True)
class Terms:
    """What is fixed before the first draw of a match."""

    table: str  # its code
    match: int
    game: str
    version: int  # of the rules
    players: int
    options: Mapping[str, Any]
    commitments: Sequence[str]  # published before any anchor
    anchors: Sequence[str]  # by seat: the first link of a person's chain of tokens, or nothing
    alone: bool = False  # a draw depends on the tokens of the seat that caused it, not on everybody's
    people: Sequence[Mapping[str, Any]] = field(default=(), compare=False)  # by seat: who sat there
    protocol: int = PROTOCOL

    def base(self) -> bytes:
        """The hash of all this."""
        terms = ["ninefold match", self.protocol, self.table, self.match, self.game, self.version]
        terms += [self.players, dict(self.options), list(self.commitments), list(self.anchors), self.alone]
        if self.protocol != WITHOUT_NAMES:
            terms.append([[one["kind"], one["name"], one["bot"]] for one in self.people])
        return sha256(json.dumps(terms, sort_keys=True, separators=(",", ":")).encode()).digest()


class Tokens:
    """The last token of every seat: what people have added so far."""

    def __init__(self, terms: Terms, by: int, command: str) -> None:
        self.alone = terms.alone
        self.base = terms.base()
        self.heads = tuple(terms.anchors)
        self.added = 0  # how many tokens, besides the anchors
        self.mover = NOBODY_YET
        self._pot: bytes | None = None
        self.add(by, command)
        self.mover = NOBODY_YET

    def add(self, seat: int, command: str) -> bool:
        """A command of a seat: whether its id is the next token of the seat's chain."""
        self.mover = seat
        self._pot = None
        if not command or not self.heads[seat] or link(command) != self.heads[seat]:
            return False
        self.heads = (*self.heads[:seat], command, *self.heads[seat + 1 :])
        self.added += 1
        return True

    @property
    def pot(self) -> bytes:
        """The hash of what the next draw depends on, besides the server's part."""
        if self._pot is None:
            heads = self.heads
            if self.alone and self.mover != NOBODY_YET:
                heads = (str(self.mover), self.heads[self.mover])
            self._pot = sha256(self.base + " ".join(heads).encode()).digest()
        return self._pot

    def copy(self) -> Tokens:
        other = Tokens.__new__(Tokens)
        other.__dict__.update(self.__dict__)
        return other
