"""Hands and the discards: which columns clear (section 4 of RULES.md), what a hand counts (R1.2, R5.4), and
what a simulation counts.

Kernels that rules.py, the bots and the judge share; nothing here knows whose turn it is.
"""

from __future__ import annotations

from typing import Any

from ninefold.game.baseball.fields import JOKERS, LEFT_COLUMN, PLACES, VALUE
from ninefold.kernel import shoe
from ninefold.kernel.compile import kernel, noinline
from ninefold.kernel.shoe import rank_of


@kernel
def turn_up(s: Any, seat: int, place: int) -> None:
    s.up[seat] |= 1 << place
    s.known[seat] &= ~(1 << place)


@kernel
def lay(s: Any, card: int) -> None:
    """Lay a card on the discards."""
    shoe.add(s.pile, s.decks, card)
    s.top = card


@kernel
def clears(one: int, other: int, third: int, clear_jokers: int) -> bool:
    """Whether three face-up cards of these ranks leave the hand."""
    if one != other or one != third:
        return False
    return one != JOKERS or clear_jokers != 0  # R4.1


@kernel
def clear_column(s: Any, seat: int, column: int) -> None:
    """Three face-up cards of one rank in a column go to the discards."""
    places = LEFT_COLUMN << column
    if s.up[seat] & places == places:
        one = rank_of(int(s.cards[seat, column]))
        other = rank_of(int(s.cards[seat, column + 3]))
        third = rank_of(int(s.cards[seat, column + 6]))
        if clears(one, other, third, s.clear_jokers):
            lay_column(s, seat, column)


@noinline
def lay_column(s: Any, seat: int, column: int) -> None:
    for place in range(column, PLACES, 3):
        lay(s, int(s.cards[seat, place]))
    s.left[seat] &= ~(LEFT_COLUMN << column)
    s.up[seat] &= ~(LEFT_COLUMN << column)
    s.columns += 1


@kernel
def points(s: Any, seat: int) -> int:
    """The sum of a seat's face-up cards."""
    total = 0
    for place in range(PLACES):
        if s.up[seat] >> place & 1 != 0:
            total += VALUE[rank_of(int(s.cards[seat, place]))]
    return total


@kernel
def scores(s: Any, out: Any) -> None:
    """Points of face-up cards and of earlier innings; at the end of a game all cards are face up."""
    for seat in range(s.players):
        out[seat] = s.totals[seat] + points(s, seat)  # R5.4


@kernel
def note_end(s: Any) -> None:
    """For simulations: how the game ended, and whether going out was worth it."""
    if s.out < 0:
        s.ended_limit += 1
        return
    s.ended_out += 1
    own = points(s, s.out)
    for seat in range(s.players):
        if points(s, seat) < own:
            return
    s.out_was_best += 1


@kernel
def tally(s: Any, out: Any) -> None:
    """What a simulation counts besides scores and length."""
    out[0] = s.columns
    out[1] = s.reshuffles
    out[2] = s.ended_out
    out[3] = s.ended_limit
    out[4] = s.out_was_best
