"""What must always hold in Baseball: no card is lost or duplicated, and every hand matches its marks."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import pairwise
from typing import Any

from ninefold.game.baseball.fields import DRAWN, EVERY_PLACE, LEFT_COLUMN, PLACES, TURN, UNSEEN
from ninefold.game.baseball.hands import clears
from ninefold.kernel import shoe
from ninefold.kernel.bits import members
from ninefold.kernel.cards import WITH_JOKERS as DECK


def broken_invariants(s: Any) -> list[str]:
    """List what is wrong with a position; the testkit checks after every step."""
    seats, stocks = range(int(s.players)), (s.unseen, s.stock, s.pile)
    held = Counter(int(s.cards[seat, place]) for seat in seats for place in members(s.left[seat]))
    held[int(s.drawn)] += s.drawn >= 0
    sizes = [int(shoe.size(stock, s.decks)) for stock in stocks]
    hidden = held[UNSEEN]
    checks = {
        "unseen cards that are in no place": sizes[0] != hidden + (0 if s.renewed else s.in_shoe),
        "a wrong count of the shoe": s.renewed and sizes[1] != s.in_shoe,
        "a top discard that is not in the pile": s.top >= 0 and not shoe.copies(s.pile, s.decks, int(s.top)),
        "no discard to take": s.stage == TURN and s.top < 0,
        "a game that ended with cards face down": s.ended and hidden > 0,
        "a turn of a player who has gone out": s.stage in (TURN, DRAWN) and s.out == s.mover,
        "a stock with gaps": any(int(b) & ~int(a) for stock in stocks for a, b in pairwise(stock)),
    }
    for card, text in enumerate(DECK.texts[: shoe.KINDS]):
        there = held[card] + sum(int(shoe.copies(stock, s.decks, card)) for stock in stocks)
        checks[f"{there} cards {text}"] = there != s.decks * (2 if card == shoe.JOKER else 1)
    faults = [fault for fault, present in checks.items() if present]
    return faults + [f"seat {seat} {fault}" for seat in seats for fault in _hand_faults(s, seat)]


def _hand_faults(s: Any, seat: int) -> Iterator[str]:
    left, up, known, cards = int(s.left[seat]), int(s.up[seat]), int(s.known[seat]), s.cards[seat].tolist()
    if up & ~left or known & ~left or known & up:
        yield "has cards both up and down"
    seen = sum(1 << place for place in range(PLACES) if cards[place] >= 0)
    if seen != (~left | up | known) & EVERY_PLACE:
        yield f"has the cards {cards[:PLACES]}, up or looked at as {up | known:b}"
    for column in range(3):
        one, other, third = (DECK.rank(card) for card in cards[column:PLACES:3])
        if up >> column & LEFT_COLUMN == LEFT_COLUMN and clears(one, other, third, s.clear_jokers):
            yield f"still has column {column + 1}, which should have cleared"
    if s.stage == TURN and s.out < 0 and not left & ~up:
        yield "has gone out, but the game does not say so"
