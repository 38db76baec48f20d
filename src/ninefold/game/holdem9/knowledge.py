"""What a seat of Multiple 9 Hold'em knows, as numbers for programs that learn. No rule of play is here."""

from __future__ import annotations

from typing import Any

import numpy as np

from ninefold.game.holdem9.fields import FULL
from ninefold.game.holdem9.pots import Seat
from ninefold.kernel.compile import kernel
from ninefold.kernel.seats import lowest_bit


@kernel
def observe(s: Any, seat: Seat, out: Any) -> int:
    """What a seat knows, as numbers: its cards, the board, the bets, then each player, itself first."""
    for place in range(24):
        out[place] = 0
    cards = s.hole[seat] & FULL
    for place in range(2):
        if cards != 0:
            out[place] = lowest_bit(cards) + 1
            cards &= cards - 1
    for place in range(5):
        out[2 + place] = s.board >> (6 * place) & 63
    out[7] = s.phase
    out[8] = s.street
    out[9] = (s.button - seat) % s.players
    out[10] = (s.player - seat) % s.players
    out[11] = s.small
    out[12] = s.big
    out[13] = s.fee
    out[14] = s.highest
    out[15] = s.full_raise
    out[16] = s.raises
    out[17] = s.pot
    out[18] = s.fresh >> seat & 1
    out[19] = s.hand
    out[20] = s.hands
    out[21] = s.betting
    out[22] = s.rise
    out[23] = s.turns
    size = 24
    for step in range(s.players):
        other = (seat + step) % s.players
        shown = s.hole[other] & FULL if s.shown >> other & 1 != 0 else np.int64(0)
        out[size] = s.chips[other]
        out[size + 1] = s.bets[other]
        out[size + 2] = s.paid[other]
        out[size + 3] = s.live >> other & 1
        out[size + 4] = s.pending >> other & 1
        out[size + 5] = lowest_bit(shown) + 1 if shown != 0 else 0
        out[size + 6] = lowest_bit(shown & (shown - 1)) + 1 if shown & (shown - 1) != 0 else 0
        size += 7
    return size
