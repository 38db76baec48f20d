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

PROTOCOL = 5
BY_NUMBER = 4  # the same, but draws were numbered through the match, also those that bots had brought about
NAMES_AT_ONCE = 3  # the same, but the first draws depended on names, which the server could still choose
WITHOUT_NAMES = 2  # and here none depended on them
PROTOCOLS = (WITHOUT_NAMES, NAMES_AT_ONCE, BY_NUMBER, PROTOCOL)
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
    alone: bool = False  # a draw depends on the tokens of the seat that caused it, not on everyone's
    people: Sequence[Mapping[str, Any]] = field(default=(), compare=False)  # by seat: who sat there
    protocol: int = PROTOCOL

    def base(self) -> bytes:
        """The hash of all this, but for the people."""
        terms = ["ninefold match", self.protocol, self.table, self.match, self.game, self.version]
        terms += [self.players, dict(self.options), list(self.commitments), list(self.anchors), self.alone]
        if self.protocol == NAMES_AT_ONCE:
            terms.append(self._who())
        return _hash(terms)

    def cast(self) -> bytes:
        """The hash of who sat where."""
        return _hash(self._who()) if self.protocol > NAMES_AT_ONCE else b""

    def _who(self) -> list[Any]:
        return [[one["kind"], one["name"], one["bot"]] for one in self.people]


def _hash(value: Any) -> bytes:
    return sha256(json.dumps(value, sort_keys=True, separators=(",", ":")).encode()).digest()


class Tokens:
    """The last token of every seat: what people have added so far."""

    def __init__(self, terms: Terms, by: int, command: str) -> None:
        self.alone = terms.alone
        self.base, self.cast = terms.base(), terms.cast()
        self.heads = tuple(terms.anchors)
        self.added = 0  # how many tokens, besides the anchors
        self.mover = NOBODY_YET
        self._pot: bytes | None = None
        self.firsts, self.heard = self.heads, frozenset[int]()
        self.add(by, command)
        self.mover = NOBODY_YET
        self.begun = self.heads  # when the match began
        self.firsts = self.heads  # by seat: the first token of the last round in which it had one
        self.heard = frozenset()  # the seats that have had one in this round

    def add(self, seat: int, command: str) -> bool:
        """A command of a seat: whether its id is the next token of the seat's chain."""
        self.mover = seat
        self._pot = None
        if not command or not self.heads[seat] or link(command) != self.heads[seat]:
            return False
        self.heads = (*self.heads[:seat], command, *self.heads[seat + 1 :])
        if seat not in self.heard:
            self.heard |= {seat}
            self.firsts = (*self.firsts[:seat], command, *self.firsts[seat + 1 :])
        self.added += 1
        return True

    @property
    def pot(self) -> bytes:
        """The hash of what the next draw depends on, besides the server's part."""
        if self._pot is None:
            heads, begun = self.heads, self.begun
            if self.alone and self.mover != NOBODY_YET:
                heads, begun = ((str(self.mover), one[self.mover]) for one in (heads, begun))
            self._pot = self._mixed(heads, begun)
        return self._pot

    @property
    def pot_of_round(self) -> bytes:
        """The same for what nobody causes where everyone plays at once: from everyone's tokens, but only
        the first of a round. Otherwise bots could end a round when they like what follows."""
        return self._mixed(self.firsts, self.begun)

    def round_drawn(self) -> None:
        """The next token of every seat is its first of a round."""
        self.heard = frozenset()

    def _mixed(self, heads: Sequence[str], begun: Sequence[str]) -> bytes:
        # The server still names bots when it has seen the token of the start, but not after the next one.
        cast = b"" if heads == begun and any(self.heads) else self.cast
        return sha256(self.base + cast + " ".join(heads).encode()).digest()

    @property
    def opening(self) -> bool:
        """Whether no token has come since the start."""
        return self.heads == self.begun

    def copy(self) -> Tokens:
        other = Tokens.__new__(Tokens)
        other.__dict__.update(self.__dict__)
        return other
