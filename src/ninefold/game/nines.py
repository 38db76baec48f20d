"""The arithmetic of nines, for the games with groups: Multiple 9 and Multiple 9 Hold'em.

A *set* is one to four cards of one rank; a *group* is one set, or two sets of different ranks, with a total
that is a multiple of nine. Suits never matter, so a hand is counts of each rank, packed into one word: four
bits per rank, the ace lowest. Removing a group from a hand is then one subtraction.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import product
from typing import Any

import numpy as np

from ninefold.kernel.cards import STANDARD, Rank, count, nth_card
from ninefold.kernel.compile import kernel, noinline
from ninefold.kernel.seats import lowest_bit
from ninefold.kernel.stack import stack_copy

RANKS = len(STANDARD.ranks)
COPIES = len(STANDARD.suits)
WIDTH = 4  # bits per rank: counts up to 4 leave the highest bit free for the borrow that `holds` checks
LAST = (1 << WIDTH) - 1
SPARE = sum(8 << WIDTH * rank for rank in range(RANKS))


def value(rank: Rank) -> int:
    """What a card of a rank adds to a group: ace 1, jack 11, queen 12, king 13."""
    return rank + 1


def pack(ranks: Iterable[Rank]) -> int:
    """Pack cards into one word of counts."""
    return sum(1 << WIDTH * rank for rank in ranks)


def unpack(packed: int) -> list[Rank]:
    """The ranks of a packed hand, the highest first, as they are written."""
    found: list[Rank] = []
    while packed:
        rank = (packed.bit_length() - 1) // WIDTH
        found += [rank] * (packed >> WIDTH * rank & LAST)
        packed &= ~(LAST << WIDTH * rank)
    return found


def total(ranks: Iterable[Rank]) -> int:
    """The total of some cards."""
    return sum(value(rank) for rank in ranks)


def _every_group() -> list[tuple[Rank, ...]]:
    """Every possible group, by its total, its number of cards and its highest ranks."""
    found = set()
    for high, low in product(range(RANKS), repeat=2):
        for more, less in product(range(1, COPIES + 1), range(COPIES + 1)):
            cards = (high,) * more + (low,) * less
            if low < high and total(cards) % 9 == 0:
                found.add(cards)
    for rank, number in product(range(RANKS), range(1, COPIES + 1)):
        if value(rank) * number % 9 == 0:
            found.add((rank,) * number)
    return sorted(found, key=lambda cards: (total(cards), len(cards), cards))


GROUPS = tuple(_every_group())  # a group's index here is its number, in moves and records too
NINES = tuple(total(group) // 9 for group in GROUPS)
TEXTS = tuple(STANDARD.hand_text(group) for group in GROUPS)

SUMS = tuple(  # `K+5 = 18`, but `9`
    text.replace(" ", "+") + (f" = {9 * nines}" if " " in text else "")
    for text, nines in zip(TEXTS, NINES, strict=True)
)

PACKED: Any = np.array([pack(group) for group in GROUPS], np.int64)
NINES_OF: Any = np.array(NINES, np.int8)
CARDS_OF: Any = np.array([len(group) for group in GROUPS], np.int8)


@kernel
def holds(hand: int, group: int) -> bool:
    """Whether a packed hand has all the cards of a packed group."""
    return ((hand | SPARE) - group) & SPARE == SPARE


@kernel
def number_of(hand: int, rank: Rank) -> int:
    """How many cards of a rank a packed hand has."""
    return hand >> WIDTH * rank & LAST


@kernel
def size_of(hand: int) -> int:
    """How many cards a packed hand has."""
    return count(as_bits(hand))


@kernel
def as_bits(hand: int) -> int:
    """The same cards as one bit each, in the low bits of their rank, so that the n-th can be drawn."""
    one = SPARE >> 3
    return (
        ((hand + 7 * one) & SPARE) >> 3
        | ((hand + 6 * one) & SPARE) >> 2
        | ((hand + 5 * one) & SPARE) >> 1
        | ((hand + 4 * one) & SPARE)
    )


@kernel
def nth_rank(hand: int, n: int) -> Rank:
    """The rank of the n-th card, from 0, of a packed hand that has more than n."""
    return nth_card(as_bits(hand), n) >> 2


# The groups in a hand, as a set of bits in three words: bit n of word w is group 64 * w + n.

WORDS = 3
PAIRS = (RANKS + 1) // 2  # two ranks per byte
PAIR_SIZE = COPIES * (LAST + 2) + 1
LONE = NINES.count(1)  # the groups of a single nine come first


def _allowed() -> Any:
    """For the counts of two neighbouring ranks: the groups that need no more of them, and the total."""
    groups = np.zeros((PAIRS, PAIR_SIZE, WORDS + 1), np.uint64)
    for pair, numbers in product(range(PAIRS), product(range(COPIES + 1), repeat=2)):
        low, high = numbers
        row = groups[pair, low | high << WIDTH]
        row[WORDS] = low * value(2 * pair) + high * value(2 * pair + 1)
        for number, cards in enumerate(GROUPS):
            if cards.count(2 * pair) <= low and cards.count(2 * pair + 1) <= high:
                row[number >> 6] |= np.uint64(1 << (number & 63))
    return groups.view(np.int64)


def _with_rank() -> Any:
    """The groups that have cards of a rank."""
    groups = np.zeros((RANKS, WORDS), np.uint64)
    for number, cards in enumerate(GROUPS):
        for rank in set(cards):
            groups[rank, number >> 6] |= np.uint64(1 << (number & 63))
    return groups.view(np.int64)


ALLOWED: Any = _allowed()
WITH_RANK: Any = _with_rank()
NINE = 8  # the rank of the 9s: each is a group by itself, and a group with a 9 is still a group without it
NINES_BITS = LAST << WIDTH * NINE


@kernel
def groups_in(hand: int) -> tuple[int, int, int]:
    """All groups in a packed hand."""
    first = second = third = np.int64(-1)
    for pair in range(PAIRS):
        numbers = hand >> 8 * pair & 255
        first &= ALLOWED[pair, numbers, 0]
        second &= ALLOWED[pair, numbers, 1]
        third &= ALLOWED[pair, numbers, 2]
    return first, second, third  # type: ignore[return-value]


@kernel
def has_group(hand: int) -> bool:
    """Whether there is any group in a packed hand."""
    first, second, third = groups_in(hand)
    return (first | second | third) != 0


@kernel
def total_of(hand: int) -> int:
    """The total of a packed hand."""
    found = np.int64(0)
    for pair in range(PAIRS):
        found += ALLOWED[pair, hand >> 8 * pair & 255, WORDS]
    return found  # type: ignore[return-value]


# Splitting a hand into groups. Every card has to be in a group, so take the rank with the fewest possible
# groups, and try these. Hands that do not split are remembered, as far as there is room.

DEEPEST = RANKS * COPIES // 2  # only a 9 is a group alone, and 9s are not part of the search
ROOM = 64  # few, because they must be cleared before every search
SEARCH = np.dtype(
    [
        ("hands", "i8", (DEEPEST,)),
        ("open", "i8", (DEEPEST, WORDS)),
        ("failed", "i8", (ROOM,)),
    ]
)
BLANK_SEARCH: Any = np.zeros(1, SEARCH).view(np.recarray)


@kernel
def splits(hand: int) -> bool:
    """Whether all cards of a packed hand can go into groups."""
    rest = hand & ~NINES_BITS
    if rest == 0:
        return True
    if total_of(rest) % 9 != 0:
        return False
    return search(rest) >= 0


@kernel
def leading_group(hand: int) -> int:
    """The first group of one way to split a packed hand; call again for the rest."""
    rest = hand & ~NINES_BITS
    return search(rest) if rest != 0 else 0


def split(hand: int) -> list[int] | None:
    """The groups a packed hand splits into, the highest first; None if it does not split."""
    if not splits(hand):
        return None
    found = []
    while hand:
        found.append(int(leading_group(hand)))
        hand -= int(PACKED[found[-1]])
    return sorted(found, reverse=True)


@noinline
def search(hand: int) -> int:
    """A group whose removal leaves a hand that splits, -1 if there is none; 9s are removed before."""
    choices, first, second, third = narrow(hand)
    if choices == 0:
        return -1  # most hands that do not split end here, without a search
    way = stack_copy(BLANK_SEARCH[0])
    depth = 0
    leading = -1
    way.hands[0] = hand
    while depth >= 0:
        if choices > 0:
            way.open[depth, 0], way.open[depth, 1], way.open[depth, 2] = first, second, third
        group = next_open(way, depth)
        if group < 0:
            way.failed[place_of(way.hands[depth])] = way.hands[depth]
            depth -= 1
            choices = 0
            continue
        if depth == 0:
            leading = group
        rest = way.hands[depth] - PACKED[group]
        if rest == 0:
            return leading
        choices = 0
        if way.failed[place_of(rest)] != rest:
            choices, first, second, third = narrow(rest)
        if choices > 0:
            depth += 1
            way.hands[depth] = rest
    return -1


@kernel
def next_open(way: Any, depth: int) -> int:
    """The next group to try, -1 after the last."""
    for word in range(WORDS):
        bits = way.open[depth, word]
        if bits != 0:
            way.open[depth, word] = bits & (bits - 1)
            return 64 * word + lowest_bit(bits)
    return -1


@kernel
def place_of(hand: int) -> int:
    """The slot that remembers a hand."""
    return (hand ^ hand >> 11 ^ hand >> 23 ^ hand >> 37) & (ROOM - 1)


@kernel
def narrow(hand: int) -> tuple[int, int, int, int]:
    """The number of groups with the rank that has the fewest in a hand, and these groups."""
    first, second, third = groups_in(hand)
    fewest = 1_000
    of_first, of_second, of_third = first, second, third
    for rank in range(RANKS):
        if number_of(hand, rank) == 0:
            continue
        with_first = first & WITH_RANK[rank, 0]
        with_second = second & WITH_RANK[rank, 1]
        with_third = third & WITH_RANK[rank, 2]
        choices = count(with_first) + count(with_second) + count(with_third)
        if choices < fewest:
            fewest = choices
            of_first, of_second, of_third = with_first, with_second, with_third
    return fewest, of_first, of_second, of_third
