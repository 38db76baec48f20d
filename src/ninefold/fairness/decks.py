"""The deck in use: which places have been dealt from, and which card a place holds.

The server has committed to the order of each deck. Tokens that it did not know then decide which place
comes next and, by a second order, what card the server's number stands for; so a card that is shown can be
checked by opening one place, whatever the others are.
"""

from __future__ import annotations

from functools import lru_cache
from hashlib import sha256
from typing import NamedTuple

from ninefold.fairness.hashing import number_below, ordered


class DeckInUse(NamedTuple):
    """A deck from which some places have been dealt."""

    number: int  # in the match
    seed: bytes  # of the order that tokens give it
    cards: int
    taken: int = 0  # places, as bits

    def next_place(self, label: bytes, pot: bytes) -> int:
        """The place that a draw takes."""
        free = [place for place in range(self.cards) if not self.taken >> place & 1]
        return free[number_below(sha256(b"place" + label + pot).digest(), len(free))]

    @property
    def dealt(self) -> int:
        """How many cards have been dealt from it."""
        return self.taken.bit_count()

    def without(self, place: int) -> DeckInUse:
        return self._replace(taken=self.taken | 1 << place)

    def card(self, content: bytes) -> int:
        """The card of an opened place; ValueError if the place holds none."""
        if len(content) != 17 or content[16] >= self.cards:
            raise ValueError("an opened place holds no card")
        return _order(self.seed, self.cards)[content[16]]


@lru_cache(256)
def _order(seed: bytes, cards: int) -> tuple[int, ...]:
    return tuple(ordered(seed, cards))


def fresh_deck(number: int, cards: int, pot: bytes) -> DeckInUse:
    return DeckInUse(number, sha256(b"deck" + number.to_bytes(8, "big") + pot).digest(), cards)
