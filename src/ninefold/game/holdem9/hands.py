"""Seven cards judged by nines (section 5 of RULES.md): one number for each of the 49,205 hands of ranks.

Suits never matter, so a hand is the number of cards of each rank. Each card has a *key*, and the sum of seven
keys identifies the hand. Three small tables turn that sum into an index from 0 to 49,204, and STRENGTH holds
the hand's strength there. So judging a hand takes four look-ups, and the keys of a board are added up once
for all players.

NumPy makes the table in under a second, and it is kept beside the compiled code. It needs no compiler, so
interpreted and compiled rules read the same bytes.
"""

from __future__ import annotations

import os
import tempfile
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np

from ninefold.game.nines import COPIES, GROUPS, PACKED, RANKS, WIDTH
from ninefold.kernel.compile import cache_folder, kernel, python_function

HAND = 7
HANDS = 49_205
LOW, MIDDLE, HIGH = 5, 4, 4  # ranks in each third of a key; a digit of base five for every rank
LOW_BITS, MIDDLE_BITS = 12, 10
LOW_MASK, MIDDLE_MASK = (1 << LOW_BITS) - 1, (1 << MIDDLE_BITS) - 1
BASE = COPIES + 1
MIDDLES = BASE**MIDDLE
ACE_UNUSED = 14  # R5.4
TOP = np.array([0] * (RANKS - 3) + [3, 4, 0])  # three jacks and four queens
_SPARE = sum(4 << WIDTH * rank for rank in range(RANKS))


_THIRDS = ((LOW, 0), (MIDDLE, LOW_BITS), (HIGH, LOW_BITS + MIDDLE_BITS))
KEY: Any = np.array([BASE**place << bits for ranks, bits in _THIRDS for place in range(ranks)], np.int64)


def _digits(ranks: int) -> Any:
    """How many cards each number of a third has."""
    numbers = np.arange(BASE**ranks)
    return sum(numbers // BASE**place % BASE for place in range(ranks))


def _index() -> tuple[Any, Any, Any]:
    """The tables that turn a key into an index: hands in order of their high, then middle, then low ranks."""
    low, middle, high = _digits(LOW), _digits(MIDDLE), _digits(HIGH)
    lows = np.bincount(low, minlength=HAND + 1)[: HAND + 1]  # how many low thirds have each number of cards
    place_low = np.zeros(len(low), np.int64)
    for cards in range(HAND + 1):
        place_low[low == cards] = np.arange(np.count_nonzero(low == cards))
    place_middle = np.zeros((HAND + 1, MIDDLES), np.int64)
    hands = np.zeros(HAND + 1, np.int64)  # by the number of cards that are not high
    for cards in range(HAND + 1):
        sizes = np.where(middle <= cards, lows[np.clip(cards - middle, 0, HAND)], 0)
        place_middle[cards] = np.cumsum(sizes) - sizes
        hands[cards] = sizes.sum()
    rest = HAND - high
    sizes = np.where(rest >= 0, hands[np.clip(rest, 0, HAND)], 0)
    place_high = (np.cumsum(sizes) - sizes) << 3 | np.clip(rest, 0, HAND)
    return place_high.astype(np.int32), place_middle.astype(np.int32).ravel(), place_low.astype(np.int32)


PLACE_HIGH, PLACE_MIDDLE, PLACE_LOW = _index()


@kernel
def place_of(key: Any) -> Any:
    """The index of the hand whose keys add up to this; interpreted, also for arrays of keys."""
    high = np.int64(PLACE_HIGH[key >> (LOW_BITS + MIDDLE_BITS)])
    middle = np.int64(PLACE_MIDDLE[(high & 7) * MIDDLES + (key >> LOW_BITS & MIDDLE_MASK)])
    return (high >> 3) + middle + np.int64(PLACE_LOW[key & LOW_MASK])


# Making the table. Hands are packed counts of ranks, as in nines.py.


def _multisets() -> list[Any]:
    """Every multiset of up to seven cards, by its number of cards."""
    found = [np.zeros(1, np.int64)]
    for _ in range(HAND):
        more = (found[-1][:, None] + (1 << WIDTH * np.arange(RANKS, dtype=np.int64))).ravel()
        found.append(np.unique(more[_possible(more)]))
    return found


def _possible(packed: Any) -> Any:
    """Whether no rank comes more than four times (none can come more than eight)."""
    fours = packed & _SPARE
    return (packed & _SPARE * 2 | (fours >> 1 | fours >> 2) & packed) == 0


def _used_up() -> list[Any]:
    """Every multiset of up to seven cards that falls into groups, by its number of cards (R5.2)."""
    found: list[Any] = [np.zeros(1, np.int64)]
    for cards in range(1, HAND + 1):
        made = [
            found[cards - len(group)] + PACKED[n] for n, group in enumerate(GROUPS) if len(group) <= cards
        ]
        every = np.unique(np.concatenate(made))
        found.append(every[_possible(every)])
    return found


def _numbers(packed: Any) -> Any:
    """The numbers of each rank, a column a rank."""
    return packed[:, None] >> (WIDTH * np.arange(RANKS, dtype=np.int64)) & 15


def key_of_packed(packed: Any) -> Any:
    return _numbers(packed) @ KEY


def order_of(unused: Any) -> Any:
    """How good these unused cards are: fewer ranks first, then their worths in descending order."""
    values = np.arange(1, RANKS + 1, dtype=np.int64)
    values[0] = ACE_UNUSED
    worths = -np.sort(-_numbers(unused) * values, axis=1)[:, :HAND]
    ranks = np.count_nonzero(worths, axis=1).astype(np.int64)
    order = HAND - ranks  # R5.3
    for place in range(HAND):
        order = order << 6 | worths[:, place]  # R5.4
    return order


def make() -> Any:
    """The strength of every hand: 1 for the worst, equal for hands that split a pot."""
    best, places_of = np.full(HANDS, -1, np.int64), python_function(place_of)
    every, used = _multisets(), _used_up()
    for cards in range(HAND + 1):
        rest = every[HAND - cards]
        nines = _numbers(used[cards]) @ np.arange(1, RANKS + 1) // 9
        orders = order_of(rest)
        hands = used[cards][:, None] + rest
        judged = nines[:, None] << 45 | orders
        fine = _possible(hands)
        keys = key_of_packed(used[cards])[:, None] + key_of_packed(rest)
        np.maximum.at(best, places_of(keys[fine]), judged[fine])
    best[places_of(TOP @ KEY)] += 1  # R5.5
    return np.unique(best, return_inverse=True)[1].astype(np.int16) + np.int16(1)


def _load() -> Any:
    """Load the table from beside the compiled code, or make it there."""
    path = cache_folder(__name__) / "holdem9-strengths.npy"
    with suppress(OSError, ValueError, EOFError):
        kept = np.load(path)
        if kept.shape == (HANDS,) and kept.dtype == np.int16 and kept.min() == 1:
            return kept
    made = make()
    _keep(path, made)
    return made


def _keep(path: Path, made: Any) -> None:
    """Write a file atomically, because another process may be writing it too."""
    with suppress(OSError):
        handle, name = tempfile.mkstemp(dir=path.parent, suffix=".npy")
        with os.fdopen(handle, "wb") as stream:
            np.save(stream, made)
        Path(name).replace(path)


STRENGTH: Any = _load()
BEST = int(STRENGTH.max())


@kernel
def strength_of(key: int) -> int:
    """The strength of the seven cards whose keys add up to this: higher wins, equal splits."""
    return int(STRENGTH[place_of(key)])
