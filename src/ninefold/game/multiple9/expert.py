"""The end of a two-player game, searched: nobody can draw, so each player knows the other's hand.

A player who puts cards down lets both draw them again, the other player first. What that is worth is computed
over every order in which the cards can come, with both keeping everything until all of it can go down. Values
are wins minus losses of the player who puts cards down.
"""

import numpy as np

from ninefold.game.multiple9.fields import FEWEST
from ninefold.game.nines import (
    CARDS_OF,
    LAST,
    LONE,
    PACKED,
    RANKS,
    WIDTH,
    groups_in,
    number_of,
    size_of,
    splits,
)
from ninefold.kernel.compile import kernel, noinline
from ninefold.kernel.seats import lowest_bit
from ninefold.kernel.stack import stack_copy

MOST_DOWN = 5  # cards in the plays that are considered,
MOST_LATER = 4  # and in those that may follow
ORDERS = np.array([1, 1, 2, 6, 24, 120], np.int64)  # in which 0 to 5 cards can come
BEST = 8  # plays that are searched deeper
PLAYS = np.dtype([("first", "i8", (BEST,)), ("second", "i8", (BEST,)), ("worth", "f8", (BEST,))])
NO_PLAYS = np.zeros(1, PLAYS).view(np.recarray)
NONE = -9.0  # less than any value


@kernel
def in_a_row(cards):
    """The ranks of packed cards, four bits each."""
    row = np.int64(0)
    at = 0
    for rank in range(RANKS):
        for _ in range(number_of(cards, rank)):
            row |= np.int64(rank) << WIDTH * at
            at += 1
    return row


@kernel
def next_group(hand, after):
    """The lowest group in a hand with a number above `after`, or -1."""
    first, second, third = groups_in(hand)
    for word in range(3):
        left = first if word == 0 else second if word == 1 else third
        low = after + 1 - 64 * word
        if low >= 64:
            continue
        if low > 0:
            left = left >> low << low
        if left != 0:
            return 64 * word + lowest_bit(left)
    return -1


@noinline
def next_play(hand, first, second, most):
    """The play of one or two groups after another one, with `most` cards at most; -1, -1 after the last."""
    while True:
        if first >= 0:
            second = next_group(hand - PACKED[first], max(second, first - 1))
        if first < 0 or second < 0:
            first = next_group(hand, first)
            second = -1
            if first < 0:
                return -1, -1
            if first >= LONE and CARDS_OF[first] <= most:
                return first, second
        elif int(CARDS_OF[first]) + int(CARDS_OF[second]) <= most:
            return first, second


@kernel
def cards_of(first, second):
    """The cards of a play."""
    return PACKED[first] + PACKED[second] if second >= 0 else PACKED[first]


@kernel
def follow(mine, theirs, row, cards, order):
    """Draw cards in one order, the other player first: the result, how many orders share it, the hands."""
    result = 0.0
    alike = np.int64(1)
    for drawn in range(cards):
        alike = ORDERS[cards - 1 - drawn]
        at = WIDTH * (order // alike)
        order %= alike
        card = np.int64(1) << WIDTH * (row >> at & LAST)
        row = row & ((np.int64(1) << at) - 1) | row >> (at + WIDTH) << at
        if drawn % 2 == 0:
            theirs += card
            result = -1.0 if splits(theirs) else 0.0
        else:
            mine += card
            result = 1.0 if splits(mine) else 0.0
        if result != 0.0:
            break
    return result, alike, mine, theirs


@kernel
def settled(mine, theirs, undecided):
    """What a player has if the game ends now."""
    if undecided != FEWEST:
        return 0.0
    more = size_of(theirs) - size_of(mine)
    return 1.0 if more > 0 else -1.0 if more < 0 else 0.0


@noinline
def worth_once(mine, theirs, down, undecided):
    """The value of putting cards down, if that is the last time."""
    cards = size_of(down)
    row = in_a_row(down)
    order = np.int64(0)
    value = 0.0
    while order < ORDERS[cards]:
        result, alike, own, other = follow(mine, theirs, row, cards, order)
        value += alike * (result if result != 0.0 else settled(own, other, undecided))
        order += alike
    return value / ORDERS[cards]


@noinline
def best_once(mine, theirs, undecided):
    """The best value of putting cards down for the last time."""
    best = NONE
    first, second = next_play(mine, -1, -1, MOST_LATER)
    while first >= 0:
        down = cards_of(first, second)
        best = max(best, worth_once(mine - down, theirs, down, undecided))
        first, second = next_play(mine, first, second, MOST_LATER)
    return best


@noinline
def passing(mine, theirs, undecided):
    """The value of putting nothing down: the other player ends the game, or puts cards down."""
    return -max(settled(theirs, mine, undecided), best_once(theirs, mine, undecided))


@noinline
def best_turn(mine, theirs, undecided):
    """The value of a turn in which nobody can draw, if cards come back at most once more."""
    return max(passing(mine, theirs, undecided), best_once(mine, theirs, undecided))


@noinline
def worth_twice(mine, theirs, down, undecided):
    """The value of putting cards down, if cards may come back once more after that."""
    cards = size_of(down)
    row = in_a_row(down)
    order = np.int64(0)
    value = 0.0
    known = np.int64(-1)  # the value for one pair of hands: orders that give the same follow one another
    later = 0.0
    while order < ORDERS[cards]:
        result, alike, own, other = follow(mine, theirs, row, cards, order)
        if result == 0.0:
            if own != known:
                known = own
                mine_next = cards % 2 != 0
                later = best_turn(own, other, undecided) if mine_next else -best_turn(other, own, undecided)
            result = later
        value += alike * result
        order += alike
    return value / ORDERS[cards]


@kernel
def insert(plays, first, second, worth):
    """Keep the best plays, the best one first."""
    at = BEST - 1
    if worth <= plays.worth[at]:
        return
    while at > 0 and worth > plays.worth[at - 1]:
        plays.first[at] = plays.first[at - 1]
        plays.second[at] = plays.second[at - 1]
        plays.worth[at] = plays.worth[at - 1]
        at -= 1
    plays.first[at] = first
    plays.second[at] = second
    plays.worth[at] = worth


@noinline
def best_play(mine, theirs, undecided, last):
    """The best play where nobody can draw, as its two groups (-1: none); `last` if passing ends the game."""
    plays = stack_copy(NO_PLAYS[0])
    for at in range(BEST):
        plays.first[at] = -1
        plays.worth[at] = NONE
    first, second = next_play(mine, -1, -1, MOST_DOWN)
    while first >= 0:
        down = cards_of(first, second)
        insert(plays, first, second, worth_once(mine - down, theirs, down, undecided))
        first, second = next_play(mine, first, second, MOST_DOWN)
    most = settled(mine, theirs, undecided) if last else passing(mine, theirs, undecided)
    best = -1
    for at in range(BEST):
        if plays.first[at] >= 0:
            down = cards_of(plays.first[at], plays.second[at])
            worth = worth_twice(mine - down, theirs, down, undecided)
            if worth > most + 1e-9:
                most = worth
                best = at
    if best < 0:
        return -1, -1
    return plays.first[best], plays.second[best]
