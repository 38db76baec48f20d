"""The weights of `expert`'s actions in a situation, read from its table.

A table is three arrays: by situation, where its cells begin, one for each bucket; and the weights of a cell,
the first three actions apart from the others: Numba compiles no array of more than a megabyte into a kernel.
"""

from __future__ import annotations

from typing import Any

from ninefold.game.holdem9.abstraction import (
    ACTIONS,
    ALL_IN,
    BIG,
    CALL,
    FOLD_OR_PROBE,
    MOST_RAISES,
    PRICES,
    bet_of,
    situation,
)
from ninefold.kernel.compile import kernel

HALVES = ACTIONS // 2
SMALLEST_RAISE = 1  # the price, by its place in PRICES, of the smallest raise that was trained


@kernel
def menu_of(street: int, raises: int, owed: int, pot: int, most: int, least: int) -> int:
    """The actions of a situation, a bit each. A raise is by `least` to `most`, all the chips."""
    menu = 1 << CALL
    if owed > 0:
        menu |= 1 << FOLD_OR_PROBE
    if most <= 0:
        return menu
    menu |= 1 << ALL_IN
    if raises < MOST_RAISES:
        first = FOLD_OR_PROBE if owed == 0 and street > 0 else CALL + 1
        for action in range(first, BIG + 1):
            if action != CALL and bet_of(action, pot + owed, least, most) > 0:
                menu |= 1 << action
    return menu


@kernel
def add_weights(table: Any, row: int, bucket: int, menu: int, part: float, checked: bool, out: Any) -> None:
    """Add the weights of one row to `out`. A bet that is almost none may be answered as if it were none."""
    cells, passive, active = table
    cell = cells[row] + bucket
    for action in range(ACTIONS):
        weight = part * (passive[cell, action] if action < HALVES else active[cell, action - HALVES])
        if weight > 0:
            place = CALL if checked and action == FOLD_OR_PROBE else action
            if menu >> place & 1 == 0:
                place = ALL_IN if menu >> ALL_IN & 1 != 0 and place > CALL else CALL
            out[place] += weight


@kernel
def choose_weights(
    table: Any,
    street: int,
    last: int,
    raises: int,
    owed: int,
    pot: int,
    most: int,
    least: int,
    story: int,
    bucket: int,
    out: Any,
) -> None:
    """Fill `out` with the weights of all actions; a price between two of the table's takes of both.

    The shares are those of the pseudo-harmonic mapping: bets of either size then win as much with bluffs.
    """
    for action in range(ACTIONS):
        out[action] = 0.0
    menu = menu_of(street, raises, owed, pot, most, least)
    left = max(0, most) / (pot + owed)
    if raises == 0:
        row = situation(street, last, 0, 0, left, story)
        add_weights(table, row, bucket, menu, 1.0, False, out)
        return
    price = owed / (pot - owed)
    if raises > 1 and price < PRICES[SMALLEST_RAISE]:
        row = situation(street, last, raises, SMALLEST_RAISE, left, story)
        add_weights(table, row, bucket, menu, 1.0, False, out)
        fewer = price / (1 + price) * (1 + PRICES[SMALLEST_RAISE]) / PRICES[SMALLEST_RAISE]
        out[CALL] += (1 - fewer) * out[FOLD_OR_PROBE]
        out[FOLD_OR_PROBE] *= fewer  # as often as leaves a bluff of this size no gain
        return
    upper = 0
    while upper < len(PRICES) and PRICES[upper] <= price:
        upper += 1
    if upper == 0:  # between a check and the smallest bet
        low = 0.0
        row = situation(street, last, 0, 0, left, story)
    else:
        low = PRICES[upper - 1]
        row = situation(street, last, raises, upper - 1, left, story)
    part = 1.0
    if upper < len(PRICES):
        high = PRICES[upper]
        part = (high - price) * (1 + low) / ((high - low) * (1 + price))
        other = situation(street, last, raises, upper, left, story)
        add_weights(table, other, bucket, menu, 1.0 - part, False, out)
    add_weights(table, row, bucket, menu, part, upper == 0, out)
