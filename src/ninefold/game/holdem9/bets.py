"""How much may be bet (section 3 of RULES.md): limits, refusals and paying.

Nothing here knows whose turn it is.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ninefold.game.holdem9.fields import BETS, FIXED_LIMIT, POT_LIMIT
from ninefold.game.holdem9.pots import Seat, bit
from ninefold.kernel.compile import kernel
from ninefold.kernel.seats import lowest_bit


@kernel
def pay(s: Any, seat: Seat, amount: Any) -> Any:
    """Pay chips into the pot, as far as the seat has them; returns how many."""
    if amount >= s.chips[seat]:
        amount = s.chips[seat]
        s.able &= ~bit(seat)
    s.chips[seat] -= amount
    s.paid[seat] += amount
    s.pot += amount
    return amount


@kernel
def can_be_called(s: Any, seat: Seat) -> bool:
    """Whether some opponent could call a part of a raise (R3.6)."""
    others = s.able & ~bit(seat)
    while others != 0:
        other = lowest_bit(others)
        if s.bets[other] + s.chips[other] > s.highest:
            return True
        others &= others - 1
    return False


@kernel
def raise_span(s: Any, seat: Seat) -> tuple[Any, Any]:
    """The least and the most a seat may raise to; if it may not raise, the most is below the least."""
    all_in = s.bets[seat] + s.chips[seat]
    if s.fresh & bit(seat) == 0 or all_in <= s.highest or not can_be_called(s, seat):
        return np.int64(1), np.int64(0)  # R3.5, R3.6
    least = s.highest + s.full_raise  # R3.4
    most = all_in
    if s.betting == POT_LIMIT:
        most = max(least, 2 * s.highest - s.bets[seat] + s.pot)  # R3.9
    elif s.betting == FIXED_LIMIT:
        if s.raises >= BETS:
            return np.int64(1), np.int64(0)  # R3.8
        most = least
    return min(least, all_in), min(most, all_in)


@kernel
def refuse_raise(s: Any, seat: Seat, amount: Any) -> int:
    least, most = raise_span(s, seat)
    if least <= amount and amount <= most:
        return 0
    if amount > s.bets[seat] + s.chips[seat]:
        return 303
    if s.fresh & bit(seat) == 0:
        return 305
    if least > most:
        return 308 if s.betting == FIXED_LIMIT and s.raises >= BETS else 306
    if amount < least:
        return 304
    return 309 if s.betting == POT_LIMIT else 308


@kernel
def raise_to(s: Any, seat: Seat, amount: Any) -> None:
    pay(s, seat, amount - s.bets[seat])
    size = amount - s.highest
    s.bets[seat] = amount
    s.highest = amount
    s.pending = s.able & ~bit(seat)
    if size >= s.full_raise:
        s.full_raise = size
        s.raises += 1
        s.fresh = s.pending  # R3.5
