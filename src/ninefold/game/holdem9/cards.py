"""What lies on a Hold'em table, read out of a record: cards, seats in order, pots. For views and stories."""

from __future__ import annotations

from typing import Any

from ninefold.game.holdem9 import rules
from ninefold.game.holdem9.knowledge import FACE_DOWN
from ninefold.game.holdem9.showing import in_words, verdict
from ninefold.kernel.cards import PLAIN, Card
from ninefold.kernel.fields import NOBODY


def members(bits: int) -> list[int]:
    """The numbers of the bits in a word."""
    left = int(bits)
    found = []
    while left:
        found.append((left & -left).bit_length() - 1)
        left &= left - 1
    return found


def board_cards(s: Any) -> list[Card]:
    """The cards on the board, in the order in which they came."""
    left = int(s.board)
    found = []
    while left:
        found.append((left & 63) - 1)
        left >>= 6
    return found


def hole_cards(s: Any, seat: int) -> list[Card]:
    """A seat's cards, the highest value first; numbers from FACE_DOWN on are cards that nobody may know."""
    cards = sorted(members(s.hole[seat]), reverse=True)
    folded = int(s.seated) >> seat & 1 and not int(s.live) >> seat & 1
    return [] if folded and not known(cards) else cards


def card_text(card: Card) -> str | None:
    return PLAIN.text(card) if card < FACE_DOWN else None


def known(cards: list[Card]) -> bool:
    """Whether none of some cards lies face down."""
    return all(card < FACE_DOWN for card in cards)


def drawn(cards: list[Card]) -> str:
    return " ".join(PLAIN.drawn(card) for card in cards)


def clockwise(s: Any, seat: int) -> list[int]:
    """All seats from the left of one, that one last."""
    players = int(s.players)
    return [(seat + step) % players for step in range(1, players + 1)]


def dealt_order(s: Any) -> list[int]:
    """To whom the hole cards of this hand go, one after another (R2.4)."""
    seats = [seat for seat in clockwise(s, int(s.button)) if int(s.seated) >> seat & 1]
    return seats + seats


def hand_ended(before: Any, after: Any) -> bool:
    """Whether a step was the last of a hand."""
    if not before.seated:
        return False
    return bool(after.hand != before.hand or not after.seated or after.actor == NOBODY)


def pots(s: Any) -> list[tuple[int, list[int]]]:
    """The pots as they stand, each with those who can win it."""
    live = members(s.live)
    paid = [int(chips) for chips in s.paid]
    found = []
    below = 0
    for level in sorted({paid[seat] for seat in live}):
        size = sum(min(chips, level) - min(chips, below) for chips in paid)
        found.append((size, [seat for seat in live if paid[seat] >= level]))
        below = level
    return [pot for pot in found if pot[0]]


def seat_words(s: Any, seat: int) -> str:
    """What a hand is worth once the board is complete, where its cards are known; else nothing."""
    cards = [*members(s.hole[seat]), *board_cards(s)]
    if len(cards) != 7 or max(cards) >= FACE_DOWN or (s.phase == rules.HOLE and s.dealt):
        return ""
    return in_words(verdict([card >> 2 for card in cards]))
