"""What must always hold in Multiple 9."""

from __future__ import annotations

from collections import Counter
from typing import Any

from ninefold.game import nines
from ninefold.game.multiple9.fields import DEAL, LONE_NINE, OUT
from ninefold.kernel.bits import has
from ninefold.kernel.fields import CHANCE, NOBODY


def broken_invariants(s: Any) -> list[str]:
    """List what is wrong with a position; the testkit checks after every step."""
    everyone = range(int(s.players))
    hands, kept, dealt = ([_ranks(field[seat]) for seat in everyone] for field in (s.hands, s.kept, s.dealt))
    cards = sum(hands, _ranks(s.stock) + _ranks(s.discards))
    known = [seat for seat in everyone if dealt[seat] and (s.phase != OUT or seat <= s.player)]
    checks = {
        "a card lost or duplicated": cards != dict.fromkeys(range(nines.RANKS), nines.COPIES),
        "a hand of the wrong size": any(hands[seat].total() != s.sizes[seat] for seat in everyone),
        "a stock of the wrong size": _ranks(s.stock).total() != s.stock_left,
        "cards kept that are not held": any(kept[seat] - hands[seat] for seat in everyone),
        "cards dealt that are not held": any(dealt[seat] - hands[seat] for seat in everyone),
        "the wrong players asked to go out": any(
            bool(nines.splits(s.dealt[seat])) != has(s.asked, seat) for seat in known
        ),
        "a player without cards, and no end": s.phase > DEAL and s.actor != NOBODY and not all(hands),
        "a lone nine and no group to follow it": s.laid == LONE_NINE
        and s.actor == s.player
        and not nines.has_group(s.hands[s.player]),
        "a draw from an empty stock": s.actor == CHANCE and s.stock_left == 0,
        "too many idle turns": s.idle > s.players,
    }
    return [fault for fault, present in checks.items() if present]


def _ranks(packed: Any) -> Counter[int]:
    return Counter(nines.unpack(int(packed)))
