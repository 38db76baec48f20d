"""How near a hand of 9 of a Kind is to winning, in words. For views only: no rule and no bot looks here."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from ninefold.game.nine_of_a_kind.notation import called
from ninefold.game.nine_of_a_kind.parcels import COLLECTIONS, SIDE, whole_collection
from ninefold.kernel.cards import NINE_SUITS, Card

FEW = 3  # missing cards that are named
WORTH_SAYING = 7  # cards of different ranks and suits
START = "Trade the others: 1–3 cards of one suit or rank."


class Nearest(NamedTuple):
    """The largest collection of a hand, and the most cards of which no two share a rank or a suit."""

    collection: int
    missing: tuple[Card, ...]
    different: tuple[Card, ...]

    @property
    def has(self) -> int:
        return SIDE - len(self.missing)

    @property
    def is_blocker(self) -> bool:
        """Whether `Blocked!` is nearer, and near enough to be said."""
        return len(self.different) > max(self.has, WORTH_SAYING - 1)


@lru_cache(4_096)
def nearest(cards: tuple[Card, ...]) -> Nearest:
    """What a hand is nearest to."""
    collection = by_size(cards)[0]
    return Nearest(
        collection,
        tuple(card for card in whole_collection(collection) if card not in cards),
        _different(cards),
    )


def by_size(cards: Sequence[Card]) -> list[int]:
    """The suits and ranks of a hand, the largest first; of equal ones, the one with the most points."""

    def size(collection: int) -> tuple[int, int]:
        held = [card for card in whole_collection(collection) if card in cards]
        return len(held), sum(card // SIDE for card in held)

    return sorted(range(COLLECTIONS), key=size, reverse=True)


def _different(cards: Sequence[Card]) -> tuple[Card, ...]:
    """The most cards of which no two share a rank or a suit: each rank looks for a suit of its own."""
    taken: dict[int, Card] = {}  # by suit

    def place(rank: int, tried: set[int]) -> bool:
        for card in cards:
            suit = card % SIDE
            if card // SIDE != rank or suit in tried:
                continue
            tried.add(suit)
            if suit not in taken or place(taken[suit] // SIDE, tried):
                taken[suit] = card
                return True
        return False

    for rank in range(SIDE):
        place(rank, set())
    return tuple(sorted(taken.values()))


def standing(cards: tuple[Card, ...]) -> str:
    """How far a hand is, in a few words."""
    found = nearest(cards)
    blocked = f"{len(found.different)} of 9 for Blocked!" if found.is_blocker else ""
    return blocked or f"{found.has} of 9 {called(found.collection)}"


def what_is_missing(cards: tuple[Card, ...]) -> str:
    """What to trade for, or to call."""
    found = nearest(cards)
    if not found.missing:
        return f"You have all nine {called(found.collection)}. Press “9 of a Kind!”"
    if len(found.different) == SIDE:
        return "All ranks and all suits, one of each. Press “Blocked!”"
    if found.is_blocker:
        ranks = set(range(SIDE)) - {card // SIDE for card in found.different}
        suits = set(range(SIDE)) - {card % SIDE for card in found.different}
        if len(ranks) == 1:
            return f"One card from Blocked! You need {NINE_SUITS.drawn(SIDE * ranks.pop() + suits.pop())}."
        kinds = [called(one) for one in [*sorted(ranks), *(SIDE + suit for suit in sorted(suits))]]
        return f"{len(found.different)} of 9 for Blocked! Still no {', '.join(kinds)}."
    if len(found.missing) <= FEW:
        return f"{found.has} of 9 {called(found.collection)}. You need {NINE_SUITS.drawn(*found.missing)}."
    return f"{found.has} of 9 {called(found.collection)}. {START}"
