"""What must always hold in Finest 9."""

from __future__ import annotations

from typing import Any

from ninefold.game.finest9 import rules
from ninefold.game.finest9.matching import CARDS_OF, RANKS
from ninefold.game.finest9.rows import arrivals, worth
from ninefold.kernel.bits import members
from ninefold.kernel.cards import STANDARD
from ninefold.kernel.fields import NOBODY


def broken_invariants(s: Any) -> list[str]:
    """List what is wrong with a position; the testkit checks after every step."""
    cards = sorted(card for pile in (s.deck, *s.tables, *s.captured) for card in members(pile))
    dealt = [[card & 3 for card in members(~int(s.deck) & int(CARDS_OF[rank]))] for rank in range(RANKS)]
    checks = {
        "a card lost or duplicated": cards != list(range(STANDARD.size)),
        "a score that does not fit the cards": any(
            int(s.scores[seat]) != worth(members(s.captured[seat])) - worth(members(s.tables[seat]))
            for seat in range(int(s.players))
        ),
        "an order of dealing that does not fit the deck": any(
            sorted(arrivals(int(s.came[rank]))) != dealt[rank] for rank in range(RANKS)
        ),
        "choices without a chooser": (s.actor >= 0) != any(s.choices),
        "last turns with cards in the deck": s.turns_left > 0 and s.deck != 0,
        "no last turns without cards in the deck": s.turns_left == 0 and s.deck == 0 and not s.ended,
        "a match that goes on after its last deal": (s.actor == NOBODY)
        != bool(s.ended and s.deal_number == s.deals),
        "a roll-off that never ends": s.phase != rules.ROLL_OFF and any(s.off),
        "cards dealt before it is known who goes first": s.first < 0 and s.deck != (1 << STANDARD.size) - 1,
    }
    return [fault for fault, present in checks.items() if present]
