"""Chips at the end of a round and of a hand: uncalled chips, the pots, and who wins them (section 4).

Sets of seats are bits in one word; nothing here knows whose turn it is.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ninefold.game.holdem9.hands import KEY, strength_of
from ninefold.kernel.bits import members
from ninefold.kernel.cards import count
from ninefold.kernel.compile import kernel
from ninefold.kernel.seats import lowest_bit

Seat = int


@kernel
def bit(seat: int) -> Any:
    return np.int64(1) << seat


@kernel
def after(seats: Any, seat: Seat) -> Seat:
    """The first of some seats clockwise from a seat; the seat itself comes last."""
    later = seats & (np.int64(-2) << seat)
    return lowest_bit(later if later != 0 else seats)


@kernel
def return_uncalled(s: Any) -> None:
    """Return uncalled chips to the player who paid them (R4.2)."""
    most = np.int64(-1)
    second = np.int64(-1)
    payer = 0
    for seat in range(s.players):
        paid = s.paid[seat]
        if paid > most:
            second = most
            most = paid
            payer = seat
        elif paid > second:
            second = paid
    if most > second:
        back = most - second
        s.paid[payer] = second
        s.chips[payer] += back
        s.pot -= back
        if s.live & bit(payer) != 0:
            s.able |= bit(payer)


def standing_pots(s: Any) -> list[tuple[int, list[Seat]]]:
    """The pots before the showdown, each with the players who can win it (R4.3)."""
    live = members(s.live)
    found = []
    below = 0
    for level in sorted({int(s.paid[seat]) for seat in live}):
        size = sum(min(int(chips), level) - min(int(chips), below) for chips in s.paid)
        found.append((size, [seat for seat in live if s.paid[seat] >= level]))
        below = level
    return [pot for pot in found if pot[0]]


@kernel
def hand_key(s: Any, seat: Seat) -> Any:
    """The keys of two hole cards, added up."""
    cards = s.hole[seat]
    return KEY[lowest_bit(cards) >> 2] + KEY[lowest_bit(cards & (cards - 1)) >> 2]


@kernel
def board_key(s: Any) -> Any:
    key = np.int64(0)
    left = s.board
    while left != 0:
        key += KEY[((left & 63) - 1) >> 2]
        left >>= 6
    return key


@kernel
def share_out(s: Any) -> None:
    """Give every pot to the best of its contenders: first the main pot, then the side pots."""
    common = board_key(s)
    left = s.live
    while left != 0:
        seat = lowest_bit(left)
        left &= left - 1
        s.power[seat] = strength_of(common + hand_key(s, seat))
    below_it = np.int64(0)
    entitled = s.live
    while entitled != 0:
        level = np.int64(-1)
        best = np.int64(-1)
        winning = np.int64(0)
        left = entitled
        while left != 0:
            seat = lowest_bit(left)
            left &= left - 1
            if level < 0 or s.paid[seat] < level:
                level = s.paid[seat]
            if s.power[seat] > best:
                best = s.power[seat]
                winning = np.int64(0)
            if s.power[seat] == best:
                winning |= bit(seat)
        size = np.int64(0)
        for seat in range(s.players):
            size += min(s.paid[seat], level) - min(s.paid[seat], below_it)
        split(s, size, winning)
        below_it = level  # R4.3
        left = entitled
        while left != 0:
            seat = lowest_bit(left)
            left &= left - 1
            if s.paid[seat] == level:
                entitled &= ~bit(seat)


@kernel
def split(s: Any, size: Any, winning: Any) -> None:
    """Split a pot equally; odd chips go one each, clockwise from the left of the button (R4.4)."""
    sharers = count(winning)
    if sharers == 1:
        seat = lowest_bit(winning)
        s.won[seat] += size
        s.chips[seat] += size
        return
    share = size // sharers
    odd = size - share * sharers
    seat = s.button
    for place in range(sharers):
        seat = after(winning, seat)
        chips = share + (1 if place < odd else 0)
        s.won[seat] += chips
        s.chips[seat] += chips
