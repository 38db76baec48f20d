"""What must always hold in Multiple 9 Hold'em."""

from __future__ import annotations

from functools import reduce
from operator import or_
from typing import Any

from ninefold.game.holdem9.fields import FULL, HOLE, board_cards
from ninefold.kernel.fields import NOBODY


def broken_invariants(s: Any) -> list[str]:
    """List what is wrong with a position; the testkit checks after every step."""
    live, seated, able, deck = (int(bits) for bits in (s.live, s.seated, s.able, s.deck))
    hole = [int(cards) for cards in s.hole]
    piles = [deck, sum(1 << card for card in board_cards(s)), *(cards & FULL for cards in hole)]
    if deck and s.phase == HOLE and s.dealt == 0:  # the cards of the last hand still lie there
        piles = [deck]
    cards = reduce(or_, piles)
    checks = {
        "chips lost or created": sum(s.chips) + s.pot != sum(s.stack),
        "a pot that is not what was paid": s.pot != sum(s.paid),
        "a player with fewer than 0 chips": min(s.chips) < 0,
        "a card in two places": sum(map(int.bit_count, piles)) != cards.bit_count(),
        "a card lost": bool(deck) and max(hole) <= FULL and cards != FULL,
        "a player in who was not dealt in": bool(live & ~seated or able & ~live),
        "a player able to bet without chips": any(
            able >> seat & 1 != (live >> seat & 1 and chips > 0) for seat, chips in enumerate(s.chips)
        ),
        "an actor with nothing to decide": s.actor >= 0 and not int(s.pending) >> int(s.actor) & 1,
        "a deck between hands": s.actor == NOBODY and bool(deck),
        "a bet above the highest": max(s.bets) > s.highest,
    }
    return [fault for fault, present in checks.items() if present]
