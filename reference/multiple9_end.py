"""The end of a two-player game of Multiple 9 in plain Python: what putting cards down is worth.

Nobody can draw, and each player knows the other's hand. Cards put down are drawn again, the other player
first, and both keep everything until all of it can go down. Values are wins minus losses. A second reading,
for tests; nothing here may know the package.
"""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import combinations_with_replacement

from reference.multiple9 import GROUPS, TOTAL, Group, holds, splits, without

Hand = Counter[str]


def plays(hand: Hand, most: int) -> list[tuple[Group, ...]]:
    """Legal plays of one or two groups and at most so many cards."""
    single: list[tuple[Group, ...]] = [(group,) for group in GROUPS if TOTAL[group] >= 18]
    found = [*single, *combinations_with_replacement(GROUPS, 2)]
    return [play for play in found if sum(map(len, play)) <= most and holds_all(hand, play)]


def holds_all(hand: Hand, play: tuple[Group, ...]) -> bool:
    for group in play:
        if not holds(hand, group):
            return False
        hand = without(hand, group)
    return True


def settled(mine: Hand, theirs: Hand, fewest: bool) -> int:
    """What the mover has if nobody puts anything down any more."""
    difference = theirs.total() - mine.total()
    return (difference > 0) - (difference < 0) if fewest else 0


def drawn(mine: Hand, theirs: Hand, stock: Hand, i_draw: bool, fewest: bool, again: int) -> Fraction:
    """The value for me while cards are drawn again, one by one."""
    if not stock.total():
        if not again:
            return Fraction(settled(mine, theirs, fewest))
        return turn(mine, theirs, fewest) if i_draw else -turn(theirs, mine, fewest)
    value = Fraction(0)
    for card, number in stock.items():
        if not number:
            continue
        left = stock - Counter([card])
        taken = (mine if i_draw else theirs) + Counter([card])
        if splits(taken):
            worth = Fraction(1 if i_draw else -1)
        elif i_draw:
            worth = drawn(taken, theirs, left, False, fewest, again)
        else:
            worth = drawn(mine, taken, left, True, fewest, again)
        value += worth * number / stock.total()
    return value


def worth(mine: Hand, theirs: Hand, play: tuple[Group, ...], fewest: bool, again: int) -> Fraction:
    """What a play is worth if cards come back `again` times more (0 or 1)."""
    rest = mine
    for group in play:
        rest = without(rest, group)
    down = Counter(rank for group in play for rank in group)
    return drawn(rest, theirs, down, False, fewest, again)


def best(mine: Hand, theirs: Hand, fewest: bool) -> Fraction | None:
    """The best play whose cards come back for the last time."""
    values = [worth(mine, theirs, play, fewest, 0) for play in plays(mine, 4)]
    return max(values, default=None)


def turn(mine: Hand, theirs: Hand, fewest: bool) -> Fraction:
    """Put cards down for the last time, or leave that, or the end, to the other player."""
    answer = best(theirs, mine, fewest)
    end = Fraction(settled(theirs, mine, fewest))
    leaving = -(end if answer is None else max(end, answer))
    own = best(mine, theirs, fewest)
    return leaving if own is None else max(leaving, own)
