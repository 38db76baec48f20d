"""Judges a hand of 9 of a Kind without a match, for `ninefold judge`."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import combinations
from typing import Any, NamedTuple

from ninefold.game.nine_of_a_kind import FACTS, rules
from ninefold.game.nine_of_a_kind.hands import best_collection, is_blocked, is_nine, longest, toggle
from ninefold.game.nine_of_a_kind.notation import called
from ninefold.game.nine_of_a_kind.parcels import SIDE
from ninefold.kernel.cards import NINE_SUITS, Card, check_number
from ninefold.kernel.fields import blank, layout
from ninefold.model.judge import Answer, Argument, Question

__all__ = ["Held", "Judged", "held", "judge"]


class Held(NamedTuple):
    """The fewest points a hand can hold, and the suit or rank to name for that."""

    points: int
    collection: str


class Judged(NamedTuple):
    """Everything the rules say about a hand of nine."""

    points: int
    collection: str
    longest: int  # the most cards of one suit or rank
    nine: bool
    blocked: bool
    to_blocked: int  # cards that would have to change
    blocker: list[str]  # the cards that could stay


def held(cards: str | Iterable[str]) -> Held:
    """The points that a hand such as `"AS AH AD AC AR AP 9S 9H 9D"` holds, and the collection named."""
    s = _laid_out(_nine(cards))
    collection, points = best_collection(s, 0)
    return Held(int(points), called(int(collection)))


def judge(cards: str | Iterable[str]) -> Judged:
    """What a hand of nine cards is, the points it holds, and how far it is from a blocker."""
    hand = _nine(cards)
    s = _laid_out(hand)
    collection, points = best_collection(s, 0)
    kept = _blocker(hand)
    return Judged(
        int(points),
        called(int(collection)),
        int(longest(s, 0)),
        bool(is_nine(s, 0)),
        bool(is_blocked(s, 0)),
        SIDE - len(kept),
        [NINE_SUITS.text(card) for card in kept],
    )


def _nine(cards: str | Iterable[str]) -> list[Card]:
    hand = NINE_SUITS.read_cards(cards)
    check_number(hand, SIDE)
    return hand


def _laid_out(hand: Iterable[Card]) -> Any:
    """A position in which seat 0 has these cards."""
    s = blank(layout(rules.FIELDS, FACTS.capacities[-1]))
    s.players = FACTS.players[0]
    for card in hand:
        toggle(s, 0, card)
    return s


def _blocker(hand: list[Card]) -> tuple[Card, ...]:
    """The most cards of a hand of which no two share a rank or a suit."""
    for size in range(SIDE, 1, -1):
        for cards in combinations(sorted(hand), size):
            if len({card // SIDE for card in cards}) == len({card % SIDE for card in cards}) == size:
                return cards
    return (min(hand),)


def answer(cards: str) -> Answer:
    """What nine cards are and the points they hold, in words."""
    found = judge(cards)
    lines = [f"9 of a Kind: all nine {found.collection} (R4.1)."] if found.nine else []
    lines += ["Blocked: one card of every rank and of every suit (R4.2)."] if found.blocked else []
    count = "1 point" if found.points == 1 else f"{found.points} points"
    if not found.nine:
        lines.append(f"Collects {found.collection}; the rest costs {count} (R5.1).")
    if not found.blocked:
        others = "one card" if found.to_blocked == 1 else f"{found.to_blocked} cards"
        kept = NINE_SUITS.drawn(*NINE_SUITS.read_cards(found.blocker))
        lines.append(f"{others.capitalize()} away from a blocker: keep {kept}.")
    return Answer(lines, found._asdict())


QUESTION = Question(
    "Show what nine CARDS hold: points, the collection named, and how far they are from a blocker.",
    "'AS AH AD AC AR AP 9S 9H 9D'",
    (Argument("cards", "words"),),
    answer,
)
