"""What must always hold in 9 of a Kind."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import chain, product
from typing import Any

from ninefold.game.nine_of_a_kind import rules
from ninefold.game.nine_of_a_kind.notation import hand_cards, hand_sizes
from ninefold.game.nine_of_a_kind.parcels import CARDS, CARDS_OF, SIDE
from ninefold.kernel.bits import has, members, members_wide
from ninefold.kernel.cards import Card
from ninefold.kernel.fields import NOBODY


def broken_invariants(s: Any) -> list[str]:
    """List what is wrong with a position; the testkit checks after every step."""
    everyone = range(int(s.players))
    hands = [set(hand_cards(s, seat)) for seat in everyone]
    offered, laid = ([set(CARDS_OF[field[seat]]) for seat in everyone] for field in (s.offered, s.laid))
    held = [*hands, *[set()] * (SIDE - len(hands)), [*members_wide(s.centre), *chain(*laid)]]
    checks = {
        "a card lost or duplicated": sorted(chain(*held)) != list(range(CARDS)),
        "ranks and suits that differ": any(_suits(hands[at]) != list(s.hands[at][SIDE:]) for at in everyone),
        "an offer that its owner does not hold": any(offered[at] - hands[at] for at in everyone),
        "an offer that is not the size shown": any(len(offered[at]) != s.open_size[at] for at in everyone),
        "an offer of a player who is out": any(offered[at] and not has(s.inside, at) for at in everyone),
        "an offer while the cards are frozen": s.phase == rules.WINDOW and any(offered),
        "a hand that is not the size shown": [len(hand) for hand in hands] != hand_sizes(s),
        "fewer than two players trading": s.actor != NOBODY and len(members(s.inside[0])) < 2,
        "a player awaited who is out": s.silent[0] & ~s.inside[0] != 0,
        "a window without a claimant": (s.phase == rules.WINDOW) != (s.claimant >= 0),
        "wrong knowledge": any(
            set(members_wide(s.knows[at][holder])) - set(held[holder])
            for at, holder in product(everyone, range(SIDE + 1))
        ),
        "the target reached and no end": s.actor != NOBODY and max(s.scores) >= s.target,
    }
    return [fault for fault, present in checks.items() if present]


def _suits(hand: Iterable[Card]) -> list[int]:
    return [sum(1 << card // SIDE for card in hand if card % SIDE == suit) for suit in range(SIDE)]
