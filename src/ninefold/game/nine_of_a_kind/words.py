"""Words for 9 of a Kind: cards, numbers of them, ranks and suits as people say them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ninefold.game.nine_of_a_kind.parcels import PARCELS, SIDE
from ninefold.kernel.cards import NINE_SUITS, Card

PARCEL_TEXTS = [" ".join(NINE_SUITS.texts[card] for card in cards) for cards in PARCELS]
NUMBERS = ("no", "one", "two", "three")


def members(s: Any, seat: int) -> list[Card]:
    """The cards of a hand, by rank."""
    found = []
    for rank, bits in enumerate(s.hands[seat, :SIDE].tolist()):
        while bits:
            found.append(SIDE * rank + (bits & -bits).bit_length() - 1)
            bits &= bits - 1
    return found


def whole_line(line: int) -> list[Card]:
    """All nine cards of a rank or suit."""
    return [SIDE * line + place if line < SIDE else SIDE * place + line - SIDE for place in range(SIDE)]


def cards_text(cards: Iterable[Card]) -> str:
    """Cards as they are typed, `7S 7H`."""
    return " ".join(NINE_SUITS.text(card) for card in cards)


def drawn(cards: Iterable[Card]) -> str:
    """Cards with their symbols, `7♠ 7♥`."""
    return " ".join(NINE_SUITS.drawn(card) for card in cards)


def how_many(number: int) -> str:
    """`one card`, `three cards`."""
    word = NUMBERS[number] if number < len(NUMBERS) else str(number)
    return f"{word} card{'' if number == 1 else 's'}"


def line_words(line: int) -> str:
    """A collection: `sevens`, `Hearts`."""
    return NINE_SUITS.rank_words(line, SIDE) if line < SIDE else NINE_SUITS.suits[line - SIDE].many
