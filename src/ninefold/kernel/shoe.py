"""A shoe: cards of several 54-card decks as bits, one word for each deck, without any order.

Word 0 has a bit for every kind of card with at least one copy, word 1 for every kind with at least two, and
so on. So equal stocks are equal words, and drawing a card means drawing a random bit. The kinds are the 52
cards of cards.py and the joker, whose two bits in every word fill up one after the other.
"""

from __future__ import annotations

from typing import Any

from ninefold.kernel import seats
from ninefold.kernel.cards import Card, count, nth_card
from ninefold.kernel.compile import kernel
from ninefold.kernel.stream import below

Shoe = Any  # 64-bit words, one for each deck

JOKER = 52
KINDS = 53
RANKS = 14
FULL = (1 << 54) - 1
BOTH_JOKERS = 3 << JOKER

empty, become = seats.clear, seats.become  # words are words


@kernel
def rank_of(card: Card) -> int:
    """The rank of a kind of card: the ace is 0, the king 12, the joker 13."""
    return card >> 2


@kernel
def bits_of(card: Card) -> int:
    """The bits of a kind of card in a word."""
    return BOTH_JOKERS if card == JOKER else 1 << card


@kernel
def fill_up(shoe: Shoe, decks: int) -> None:
    """Fill the shoe with all cards of its decks."""
    for word in range(shoe.size):
        shoe[word] = FULL if word < decks else 0


@kernel
def size(shoe: Shoe, decks: int) -> int:
    """How many cards there are."""
    total = 0
    for word in range(decks):
        total += count(shoe[word])
    return total


@kernel
def copies(shoe: Shoe, decks: int, card: Card) -> int:
    """How many cards of a kind there are."""
    total = 0
    for word in range(decks):
        total += count(shoe[word] & bits_of(card))
    return total


@kernel
def of_rank(shoe: Shoe, decks: int, rank: int) -> int:
    """How many cards of a rank there are."""
    total = 0
    for word in range(decks):
        total += count(shoe[word] & (15 << 4 * rank))
    return total


@kernel
def add(shoe: Shoe, decks: int, card: Card) -> None:
    """Put a card in."""
    for word in range(decks):
        free = bits_of(card) & ~shoe[word]
        if free != 0:
            shoe[word] |= free & -free
            return


@kernel
def remove(shoe: Shoe, decks: int, card: Card) -> None:
    """Take out a card that is in."""
    for step in range(decks):
        word = decks - 1 - step
        held = shoe[word] & bits_of(card)
        if held != 0:
            shoe[word] &= ~(held & ~(held >> 1))  # if there are two jokers, the upper bit
            return


@kernel
def draw(shoe: Shoe, decks: int, stream: Any) -> Card:
    """Any card, all equally likely; it stays in."""
    left = below(stream, size(shoe, decks))
    for word in range(decks - 1):
        here = count(shoe[word])
        if left < here:
            return min(JOKER, nth_card(shoe[word], left))
        left -= here
    return min(JOKER, nth_card(shoe[decks - 1], left))
