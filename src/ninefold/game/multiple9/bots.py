"""Compiled bots of Multiple 9. Each is handed the record for speed; a law proves that none of them peeks."""

import numpy as np

from ninefold.game.multiple9.rules import DONE, GO_OUT, GROUPS, OUT, choices
from ninefold.game.nines import (
    CARDS_OF,
    NINES_BITS,
    PACKED,
    RANKS,
    WITH_RANK,
    groups_in,
    number_of,
    splits,
)
from ninefold.kernel.cards import count, nth_card
from ninefold.kernel.compile import apart, kernel
from ninefold.kernel.seats import lowest_bit
from ninefold.kernel.stream import below

RANDOM, EASY, MEDIUM, HARD = range(4)


@kernel
def random(s, seat, stream):
    """Any legal move, all equally likely."""
    first, second, third = choices(s, seat)
    of_first = count(first)
    of_second = count(second)
    n = below(stream, of_first + of_second + count(third))
    if n < of_first:
        return nth_card(first, n)
    if n < of_first + of_second:
        return 64 + nth_card(second, n - of_first)
    return 128 + nth_card(third, n - of_first - of_second)


@kernel
def easy(s, seat):
    """The most cards at once, again and again."""
    if s.phase == OUT:
        return GO_OUT
    first, second, third = choices(s, seat)
    best = DONE
    most = 0
    for word in range(3):
        left = first if word == 0 else second if word == 1 else third
        while left != 0:
            group = 64 * word + lowest_bit(left)
            left &= left - 1
            if group < GROUPS and CARDS_OF[group] > most:
                most = CARDS_OF[group]
                best = group
    return best


@apart
def all_down(hand):
    """The lowest group with the highest card whose removal leaves cards that split, or DONE."""
    rest = hand & ~NINES_BITS
    if rest == 0:
        return np.int64(0)
    rank = RANKS - 1
    while number_of(rest, rank) == 0:
        rank -= 1
    first, second, third = groups_in(rest)
    for word in range(3):
        left = (first if word == 0 else second if word == 1 else third) & WITH_RANK[rank, word]
        while left != 0:
            group = 64 * word + lowest_bit(left)
            left &= left - 1
            if splits(rest - PACKED[group]):
                return group
    return np.int64(DONE)


@kernel
def medium(s, seat):
    """Keep everything until all of it can go down."""
    if s.phase == OUT:
        return GO_OUT
    if splits(s.hands[seat]):
        return all_down(s.hands[seat])
    return DONE


@kernel
def hard(s, seat):
    return medium(s, seat)


@kernel
def decide(bot, s, seat, spans, params, memory, stream):
    """The move of a bot by its number in the fact sheet."""
    if bot == RANDOM:
        return random(s, seat, stream)
    if bot == EASY:
        return easy(s, seat)
    if bot == MEDIUM:
        return medium(s, seat)
    return hard(s, seat)
