"""What a server commits to before a match, and what it shows of it afterwards.

Most games end with every draw known: the server commits to one key, and shows it at the end. Where cards
may stay hidden for good, it commits to the order of each deck, place by place: a place that is opened shows
one card and nothing of the others.
"""

from __future__ import annotations

from collections.abc import Collection
from functools import lru_cache
from hashlib import sha256
from typing import Any

from ninefold.fairness.hashing import closed, keyed, ordered, root

AHEAD = 8  # decks that are committed to before the one in use


def secret_after(secret: bytes) -> bytes:
    """The secret of a table's next match."""
    return keyed(secret, b"ninefold next match")


def bot_seed(secret: bytes) -> int:
    """The seed of a match's bots, the same whenever the match is read back."""
    return int.from_bytes(keyed(secret, b"ninefold bots")[:8], "big")


@lru_cache(1024)
def key_of(secret: bytes) -> bytes:
    """The key of all draws of a match, which is shown at its end."""
    return keyed(secret, b"ninefold draws")


def key_commitment(key: bytes) -> str:
    return sha256(b"key" + key).hexdigest()


@lru_cache(1024)
def places(secret: bytes, cards: int, deck: int) -> tuple[bytes, ...]:
    """The places of a deck: a salt of 16 bytes and a number each."""
    key = keyed(secret, b"ninefold deck" + deck.to_bytes(8, "big"))
    return tuple(
        [keyed(key, bytes((place,)))[:16] + bytes((card,)) for place, card in enumerate(ordered(key, cards))]
    )


def deck_commitment(secret: bytes, cards: int, deck: int) -> str:
    """The commitment to a deck."""
    return root(places(secret, cards, deck))


def first_commitments(secret: bytes, cards: int) -> list[str]:
    """The commitments that are published before a match; `cards` of a deck, 0 where a key is enough."""
    if not cards:
        return [key_commitment(key_of(secret))]
    return [deck_commitment(secret, cards, deck) for deck in range(AHEAD)]


def opening(secret: bytes, cards: int, deck: int, opened: Collection[int]) -> dict[str, Any]:
    """Some places of a deck, and the hashes that stand for the others."""
    contents = places(secret, cards, deck)
    return {
        "open": {str(place): contents[place].hex() for place in sorted(opened)},
        "closed": closed(contents, opened),
    }
