"""What matches (section 4 of RULES.md and the options that change it): tables of all captures, and which of
them some cards allow at a roll.

An action is a set, 5 x rank + the nines that go with it, where "tens" is a fourteenth rank (R6.2), or one of
the 43 sequences, from SEQUENCE on. Cards are those of `STANDARD`: four bits a rank in a word, the ace first.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from itertools import product
from typing import Any

import numpy as np

from ninefold.kernel import dice
from ninefold.kernel.cards import STANDARD, count
from ninefold.kernel.compile import kernel

RANKS = len(STANDARD.ranks)
ACE, NINE, TEN, KING, TENS = 0, 8, 9, 12, 13
SNAKE_EYES, REROLL, BOXCARS = 2, 9, 12  # totals of the dice
TOTALS = 13
TOTAL = dice.FIRST + dice.SECOND

VALUE = np.array([11, 2, 3, 4, 5, 6, 7, 8, 9, 10, 10, 10, 10, 10], np.int64)  # R1.2; the last is the tens
RANK = np.array([-1, -1, 1, 2, 3, 4, 5, 6, 7, -1, TENS, ACE, -1], np.int64)  # that is worth a total
CARDS_OF = np.array([15 << 4 * rank for rank in range(RANKS)] + [0xFFFF << 4 * TEN], np.int64)
NINES = 15 << 4 * NINE

Sequence = tuple[int, ...]


def _filled(window: Iterable[int]) -> set[Sequence]:
    """The sequences of three neighbours, nines standing for none, some or all of them (R4.6)."""
    return {tuple(sorted(cards)) for cards in product(*[(rank, NINE) for rank in window])}


_WINDOWS = [(low, low + 1, (low + 2) % RANKS) for low in range(1, KING)]
ACE_HIGH = set[Sequence]().union(*map(_filled, _WINDOWS))  # R4.5
ACE_LOW = _filled((ACE, 1, 2))  # R6.3
SEQUENCES = sorted(ACE_HIGH | ACE_LOW, key=lambda cards: [rank or RANKS for rank in cards])

SEQUENCE = 5 * (TENS + 1)
ACTIONS = SEQUENCE + len(SEQUENCES)
SPLIT = 5 * KING  # actions fill two words of bits; this is the first one in the second word

WILD = np.array([cards.count(NINE) for cards in SEQUENCES], np.int64)
POINTS = np.array([sum(VALUE[rank] for rank in cards) for cards in SEQUENCES], np.int64)
NATURALS = np.array(
    [[rank for rank in cards if rank != NINE] + [-1] * cards.count(NINE) for cards in SEQUENCES], np.int64
)

# Sets of sequences, a bit each.
_BIT = 1 << np.arange(len(SEQUENCES), dtype=np.int64)
_NEEDED = np.array([sum(1 << rank for rank in set(cards) - {NINE}) for cards in SEQUENCES], np.int64)


def _those(chosen: Any) -> int:
    return int(_BIT[np.array(chosen)].sum())


def _matches(cards: Sequence, total: int) -> bool:
    """Whether the dice match a sequence: by a card that is not a nine (R4.7), or by boxcars (R6.5)."""
    return total == BOXCARS or any(VALUE[rank] == total for rank in cards if rank != NINE)


def _matching(known: set[Sequence]) -> list[int]:
    """The sequences that match each total."""
    return [
        _those([cards in known and _matches(cards, total) for cards in SEQUENCES]) for total in range(TOTALS)
    ]


# Those possible with the ranks A to 8 that a player has, with the ranks 9 to K, and with a number of nines.
WITH_LOW = np.array([_those(_NEEDED & 255 & ~held == 0) for held in range(1 << 8)], np.int64)
WITH_HIGH = np.array([_those(_NEEDED >> 8 & ~held == 0) for held in range(1 << 5)], np.int64)
WITH_NINES = np.array([_those(nines >= WILD) for nines in range(5)], np.int64)
# Those that match a total, with the ace high only and with the ace both ways.
MATCHING = np.array([_matching(ACE_HIGH), _matching(ACE_HIGH | ACE_LOW)], np.int64)
# The one that takes all cards of some ranks held once each: of one rank; of some of the ranks 10 to K.
TWIN = np.array([_those(np.equal(_NEEDED, 1 << rank)) for rank in range(RANKS)], np.int64)
TENS_TWIN = np.array([0] + [_those(np.equal(_NEEDED, held << TEN)) for held in range(1, 16)], np.int64)


def _wilds(chosen: Callable[[int], Iterable[int]]) -> list[list[int]]:
    return [
        [sum(1 << w for w in chosen(nines) if number > 0 and number + w >= 2) for nines in range(5)]
        for number in range(3)
    ]


# How many nines may go with no, one, and more cards of a rank, by the nines a player has; a bit each (R4.3,
# R4.4, and for the second half R6.1).
WILDS = np.array([_wilds(lambda nines: range(nines + 1)), _wilds(lambda nines: [nines])], np.int64)


def captures_of(ranks: Counter[int], held: Counter[int]) -> list[int]:
    """The actions that some ranks could mean for a player who has `held`, legal or not, lowest first."""
    wilds = ranks[NINE]
    naturals = {rank: number for rank, number in ranks.items() if rank != NINE}
    found = []
    if all(number == held[rank] for rank, number in naturals.items()) and wilds <= held[NINE]:
        if len(naturals) == 1:
            found += [5 * rank + wilds for rank in naturals]
        if naturals == {rank: held[rank] for rank in range(TEN, RANKS) if held[rank]}:
            found.append(5 * TENS + wilds)
    if not naturals and wilds == held[NINE]:
        found.append(5 * NINE)
    cards = tuple(sorted(ranks.elements()))
    return found + ([SEQUENCE + SEQUENCES.index(cards)] if cards in SEQUENCES else [])


@kernel
def find(s: Any, seat: int, total: int) -> None:
    """Write to `choices` every capture that a seat's cards allow for a total of the dice."""
    s.choices[0] = 0
    s.choices[1] = 0
    if total == BOXCARS and s.boxcars == 0:
        return  # R4.9
    cards = s.tables[seat]
    nines = count(cards & NINES)
    s.choices[1] = (sequences(cards, nines) & MATCHING[s.ace, total]) << (SEQUENCE - SPLIT)
    rank = RANK[total]
    if rank == TENS and s.pairs != 0:
        find_tens(s, cards, nines)  # R6.2
    elif rank == TENS:
        for ten in range(TEN, KING + 1):
            find_sets(s, cards, nines, ten)  # R4.10
    elif rank >= 0:
        find_sets(s, cards, nines, rank)
    if total == SNAKE_EYES and s.snake_eyes != 0:
        find_any_pair(s, cards)


@kernel
def sequences(cards: int, nines: int) -> int:
    """The sequences that some cards allow, at one total or another (R4.5, R4.6)."""
    held = ranks_held(cards)
    return WITH_LOW[held & 255] & WITH_HIGH[held >> 32] & WITH_NINES[nines]  # type: ignore[no-any-return]


@kernel
def ranks_held(cards: int) -> int:
    """Which ranks some cards are of: a bit each, A to 8 from bit 0 and 9 to K from bit 32 on."""
    bits = cards | cards >> 1
    bits = (bits | bits >> 2) & 0x1111111111111
    bits = (bits | bits >> 3) & 0x03030303030303
    bits = (bits | bits >> 6) & 0x000F000F000F000F
    return (bits | bits >> 12) & 0x000000FF000000FF


@kernel
def offer(s: Any, rank: int, wilds: int) -> None:
    """Add the sets of a rank, or of the tens, with these numbers of nines to the choices."""
    if rank < KING:
        s.choices[0] |= wilds << (5 * rank)
    else:
        s.choices[1] |= wilds << (5 * (rank - KING))


@kernel
def withdraw(s: Any, sequence: int) -> None:
    """Drop sequences that take the same cards as a set (R4.8)."""
    s.choices[1] &= ~(sequence << (SEQUENCE - SPLIT))


@kernel
def find_sets(s: Any, cards: int, nines: int, rank: int) -> None:
    """All cards of a rank, and some nines (R4.2)."""
    number = count(cards & CARDS_OF[rank])
    wilds = WILDS[s.nines, min(number, 2), nines]
    offer(s, rank, wilds)
    if number == 1 and wilds >> 2 & 1 != 0:
        withdraw(s, TWIN[rank])


@kernel
def find_tens(s: Any, cards: int, nines: int) -> None:
    """The same with 10, J, Q and K as one rank."""
    tens = cards & CARDS_OF[TENS]
    number = count(tens)
    wilds = WILDS[s.nines, min(number, 2), nines]
    offer(s, TENS, wilds)
    ranks = ranks_held(tens) >> 33
    if number <= 3 and count(ranks) == number and wilds >> (3 - number) & 1 != 0:
        withdraw(s, TENS_TWIN[ranks])


@kernel
def find_any_pair(s: Any, cards: int) -> None:
    """All cards of any rank held twice or more, the nines too (R6.4)."""
    for rank in range(RANKS):
        if count(cards & CARDS_OF[rank]) >= 2:
            offer(s, rank, 1)


@kernel
def refuse_set(s: Any, seat: int, rank: int, wilds: int) -> int:
    """The rule that forbids a set."""
    total = TOTAL[s.last_roll]
    nines = count(s.tables[seat] & NINES)
    if s.tables[seat] & CARDS_OF[rank] == 0 or wilds > nines:
        return 401
    if rank == NINE:
        return 407
    if total == BOXCARS:
        return 409
    if VALUE[rank] != total:
        return 402
    if rank == TENS and s.pairs == 0:
        return 410
    if TEN <= rank <= KING and s.pairs != 0:
        return 602
    if s.nines != 0 and wilds != nines:
        return 601
    return 403


@kernel
def refuse_sequence(s: Any, seat: int, sequence: int) -> int:
    """The rule that forbids a sequence."""
    cards = s.tables[seat]
    total = TOTAL[s.last_roll]
    if sequences(cards, count(cards & NINES)) >> sequence & 1 == 0:
        return 401
    if MATCHING[s.ace, BOXCARS] >> sequence & 1 == 0:
        return 405
    if total == BOXCARS:
        return 409
    if MATCHING[s.ace, total] >> sequence & 1 == 0:
        return 407
    return 408
