"""The odds of Hold'em hands: exact, by counting deals of ranks, or estimated from random deals.

Suits never matter, so a board of five is one of 6,188 multisets of ranks and an unknown hand one of 91 pairs,
each with the number of ways to deal it. On a board, each of the 91 pairs loses to the best known hand, ties
with it or beats it. For two unknown hands, the ways to deal both follow from the ways to deal each and from
the cards they would share; only from the third unknown hand on are all pairs tried.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from functools import cache
from itertools import combinations_with_replacement
from math import comb, prod, sqrt
from typing import Any

import numpy as np

from ninefold.game.holdem9.hands import HAND, KEY, strength_of
from ninefold.game.holdem9.pairs import FIRST, PAIRS, SECOND, TWO_KEYS, pair_ways
from ninefold.game.nines import RANKS
from ninefold.kernel.cards import STANDARD, draw
from ninefold.kernel.compile import kernel, noinline
from ninefold.kernel.errors import RuleError
from ninefold.kernel.stream import new_stream
from ninefold.model.facts import whole

SEATS = 10
HOLE, BOARD = 2, HAND - 2
CHOOSE: Any = np.array([[comb(n, k) for k in range(BOARD + 1)] for n in range(len(STANDARD.suits) + 1)])
LOSES, TIES, BEATS = 0, 1, 2
MOST_WORK = 2.5e9  # pairs tried for an exact answer: a few seconds
MOST_UNKNOWN = 4  # hands that are counted exactly
SAMPLES = 1_000_000


Row = tuple[float, float, float, float]  # of Chances: win, tie, equity, margin


@dataclass(frozen=True)
class Chances:
    """One hand's odds if nobody folds: to win alone, to share, and its average part of the pot."""

    cards: str
    win: float
    tie: float
    equity: float
    margin: float  # half the width of the 95 % interval around the equity; 0 if it is exact


@dataclass(frozen=True)
class Odds:
    """What `odds` found, and how."""

    players: int
    board: str
    hands: list[Chances]
    exact: bool
    deals: int  # counted, or drawn
    seed: int | None

    def json(self) -> dict[str, Any]:
        return asdict(self)

    @property
    def method(self) -> str:
        """How it was found, in words."""
        if self.exact:
            return f"exact, from all {self.deals:,} deals"
        return f"from {self.deals:,} deals drawn at random (seed {self.seed}), with 95 % intervals"


def odds(
    *hands: str | Sequence[str],
    players: int | None = None,
    board: str | Sequence[str] = "",
    seed: int | None = None,
    samples: int | None = None,
) -> Odds:
    """The odds of known hands, `odds("K K", "8 7", board="J 7 9", players=3)`, if nobody folds.

    Other players hold any cards. The answer is exact if that takes only seconds and `samples` is not given.
    """
    known, table = _read(hands, board)
    seats = _seats(players, len(known))
    unknown, to_come = seats - len(known), BOARD - len(table)
    deal = (_left(known, table), int(KEY[table].sum()), to_come, KEY[known].sum(axis=1), unknown)
    exact = samples is None and _work(unknown, to_come) <= MOST_WORK and unknown <= MOST_UNKNOWN
    if exact:
        deals, chances = _exact(*deal)
    else:
        deals, seed = _samples(samples), _seed(seed)
        chances = _drawn(*deal, deals, seed)
    found = [Chances(STANDARD.hand_text(hand), *row) for hand, row in zip(known, chances, strict=True)]
    return Odds(seats, STANDARD.hand_text(table), found, exact, deals, None if exact else seed)


def chart() -> list[tuple[str, float]]:
    """All 91 starting hands with their exact equity against one hand of any cards, the best first."""
    found = []
    for high, low in PAIRS:
        cards = STANDARD.hand_text([high, low])
        found.append((cards, odds(cards, players=2).hands[0].equity))
    return sorted(found, key=lambda entry: -entry[1])


# Reading


def _read(hands: Sequence[Any], board: Any) -> tuple[list[list[int]], list[int]]:
    if not hands:
        raise RuleError("give at least one hand of two cards, such as 'K K'")
    if len(hands) > SEATS:
        raise RuleError(f"Hold'em is for 2 to {SEATS} players, not {len(hands)}")
    known = [STANDARD.read_hand(hand) for hand in hands]
    table = STANDARD.read_hand(board)
    for hand in known:
        if len(hand) != HOLE:
            raise RuleError(f"a starting hand is {HOLE} cards, not {len(hand)}: '{STANDARD.hand_text(hand)}'")
    if len(table) not in (0, 3, 4, 5):
        raise RuleError(f"a board is 3, 4 or 5 cards, or none, not {len(table)}")
    STANDARD.read_hand(
        [part for text in (*hands, board) for part in ([text] if isinstance(text, str) else text)]
    )
    return known, table


def _seats(players: object, known: int) -> int:
    seats = max(2, known) if players is None else whole(players)
    if seats is None or not max(2, known) <= seats <= SEATS:
        raise RuleError(f"players is a whole number from {max(2, known)} to {SEATS}, not {players!r}")
    return seats


def _samples(samples: int | None) -> int:
    number = SAMPLES if samples is None else whole(samples)
    if number is None or not 1 <= number <= 10**10:
        raise RuleError(f"samples is a whole number from 1 to 10,000,000,000, not {samples!r}")
    return number


def _seed(seed: int | None) -> int:
    number = 0 if seed is None else whole(seed)
    if number is None or not 0 <= number < 2**64:
        raise RuleError(f"a seed is a whole number from 0 to 2**64 - 1, not {seed!r}")
    return number


def _left(known: Sequence[Sequence[int]], table: Sequence[int]) -> Any:
    """How many unseen cards there are of each rank."""
    left = np.full(RANKS, len(STANDARD.suits), np.int64)
    for rank in [*table, *(rank for hand in known for rank in hand)]:
        left[rank] -= 1
    return left


# Exact


def _work(unknown: int, to_come: int) -> float:
    """About how many pairs an exact answer tries."""
    boards = comb(RANKS + to_come - 1, to_come)
    return boards * float(len(PAIRS)) ** max(1, unknown - 1)


def _exact(left: Any, shared: int, to_come: int, keys: Any, unknown: int) -> tuple[int, list[Row]]:
    """How many deals there are, and the odds of each known hand over all of them."""
    ways = np.zeros((len(keys), SEATS + 1), np.int64)
    boards = _boards(to_come)
    boards = boards[(boards <= left).all(axis=1)]
    of_board = CHOOSE[left, boards].prod(axis=1)
    _count_boards(left, boards, shared + boards @ KEY, of_board, keys, unknown, ways)
    cards = int(left.sum()) - to_come
    deals = comb(cards + to_come, to_come) * prod(comb(cards - HOLE * n, HOLE) for n in range(unknown))
    rows = []
    for parts in ways.tolist():
        equity = sum(number / sharers for sharers, number in enumerate(parts) if sharers) / deals
        rows.append((parts[1] / deals, sum(parts[2:]) / deals, equity, 0.0))
    return deals, rows


@kernel
def deal_pair(left: Any, pair: int, back: int) -> None:
    """Remove a pair from the cards left, or with back = 1 put it back."""
    left[FIRST[pair]] += 2 * back - 1
    left[SECOND[pair]] += 2 * back - 1


@cache
def _boards(cards: int) -> Any:
    """Every multiset of this many ranks, as counts of each rank."""
    every = combinations_with_replacement(range(RANKS), cards)
    return np.array([np.bincount(np.array(ranks, np.int64), minlength=RANKS) for ranks in every])


@noinline
def _count_boards(left: Any, boards: Any, keys: Any, deals: Any, known: Any, unknown: int, ways: Any) -> None:
    """Add the deals of every board to ways[hand, sharers]."""
    against = np.zeros(len(TWO_KEYS), np.int64)
    ties = np.zeros(MOST_UNKNOWN + 1, np.int64)
    degrees = np.zeros((2, RANKS), np.int64)
    for board in range(len(deals)):
        for rank in range(RANKS):
            left[rank] -= boards[board, rank]
        _count_board(left, keys[board], deals[board], known, unknown, (against, ties, degrees), ways)
        for rank in range(RANKS):
            left[rank] += boards[board, rank]


@kernel
def _count_board(
    left: Any, key: int, deals: int, known: Any, unknown: int, scratch: tuple[Any, Any, Any], ways: Any
) -> None:
    """Count the deals of one board for the best known hands on it."""
    against, ties, degrees = scratch
    best = 0
    sharers = 0
    for hand in range(len(known)):
        strength = strength_of(key + known[hand])
        if strength > best:
            best = strength
            sharers = 0
        if strength == best:
            sharers += 1
    if unknown > 0:
        for pair in range(len(TWO_KEYS)):
            against[pair] = BEATS
            if pair_ways(left, pair) > 0:
                strength = strength_of(key + TWO_KEYS[pair])
                against[pair] = LOSES if strength < best else TIES if strength == best else BEATS
    for number in range(unknown + 1):
        ties[number] = 0
    _count_unknown(left, against, unknown, ties, degrees)
    for hand in range(len(known)):
        if strength_of(key + known[hand]) == best:
            for number in range(unknown + 1):
                ways[hand, sharers + number] += deals * ties[number]


@kernel
def _count_unknown(left: Any, against: Any, unknown: int, ties: Any, degrees: Any) -> None:
    """The ways to deal the unknown hands so that none beats the known ones, by how many tie with them."""
    if unknown == 0:
        ties[0] = 1
    elif unknown == 1:
        for pair in range(len(TWO_KEYS)):
            if against[pair] != BEATS:
                ties[against[pair]] += pair_ways(left, pair)
    elif unknown == 2:
        _count_two(left, against, 0, 1, ties, degrees)
    elif unknown == 3:
        _count_three(left, against, 0, 1, ties, degrees)
    else:
        for pair in range(len(TWO_KEYS)):
            ways = pair_ways(left, pair)
            if ways > 0 and against[pair] != BEATS:
                deal_pair(left, pair, 0)
                _count_three(left, against, against[pair], ways, ties, degrees)
                deal_pair(left, pair, 1)


@noinline
def _count_three(left: Any, against: Any, tied: int, times: int, ties: Any, degrees: Any) -> None:
    for pair in range(len(TWO_KEYS)):
        ways = pair_ways(left, pair)
        if ways > 0 and against[pair] != BEATS:
            deal_pair(left, pair, 0)
            _count_two(left, against, tied + against[pair], times * ways, ties, degrees)
            deal_pair(left, pair, 1)


@kernel
def _count_two(left: Any, against: Any, tied: int, times: int, ties: Any, degrees: Any) -> None:
    """The ordered ways to deal two hands: the ways to deal each, minus those in which they share a card.

    If d(v) hands of a kind contain card v, kinds A and B share a card in the sum of dA(v) * dB(v) ways over
    all cards; this counts a hand that is shared completely twice.
    """
    loses = 0
    draws = 0
    for rank in range(RANKS):
        degrees[0, rank] = 0
        degrees[1, rank] = 0
    for pair in range(len(TWO_KEYS)):
        kind = against[pair]
        if kind == BEATS:
            continue
        ways = pair_ways(left, pair)
        if ways <= 0:
            continue
        high, low = FIRST[pair], SECOND[pair]
        if kind == LOSES:
            loses += ways
        else:
            draws += ways
        if high == low:
            degrees[kind, high] += left[high] - 1
        else:
            degrees[kind, high] += left[low]
            degrees[kind, low] += left[high]
    both = 0
    mixed = 0
    drawn = 0
    for rank in range(RANKS):
        lost, tie = degrees[0, rank], degrees[1, rank]
        both += left[rank] * lost * lost
        mixed += left[rank] * lost * tie
        drawn += left[rank] * tie * tie
    ties[tied] += times * (loses * loses - both + loses)
    ties[tied + 1] += times * 2 * (loses * draws - mixed)
    ties[tied + 2] += times * (draws * draws - drawn + draws)


# Random deals


def _drawn(
    left: Any, shared: int, to_come: int, keys: Any, unknown: int, samples: int, seed: int
) -> list[Row]:
    """The odds of each known hand over some random deals."""
    sums = np.zeros((len(keys), 4))
    _draw_deals(left, shared, to_come, keys, unknown, samples, new_stream(seed), sums)
    rows = []
    for wins, ties, equity, squares in (sums / samples).tolist():
        spread = sqrt(max(0.0, squares - equity * equity) + 1 / samples)
        rows.append((wins, ties, equity, 1.96 * spread / sqrt(samples)))
    return rows


@noinline
def _draw_deals(
    left: Any, shared: int, to_come: int, known: Any, unknown: int, samples: int, stream: Any, sums: Any
) -> None:
    """Deal boards and unknown hands; add up wins, ties, parts of the pot and their squares."""
    stock = left.copy()
    total = left.sum()
    for _ in range(samples):
        for rank in range(RANKS):
            stock[rank] = left[rank]
        cards = total
        key = shared
        for _ in range(to_come):
            rank = draw(stock, cards, stream)
            stock[rank] -= 1
            cards -= 1
            key += KEY[rank]
        best = 0
        sharers = 0
        for hand in range(len(known) + unknown):
            own = 0
            if hand < len(known):
                own = known[hand]
            else:
                for _ in range(HOLE):
                    rank = draw(stock, cards, stream)
                    stock[rank] -= 1
                    cards -= 1
                    own += KEY[rank]
            strength = strength_of(key + own)
            if strength > best:
                best = strength
                sharers = 0
            if strength == best:
                sharers += 1
        for hand in range(len(known)):
            if strength_of(key + known[hand]) == best:
                part = 1.0 / sharers
                sums[hand, 0] += sharers == 1
                sums[hand, 1] += sharers > 1
                sums[hand, 2] += part
                sums[hand, 3] += part * part
