"""What `expert` tells apart: 91 starting hands, strengths of hands after the flop, and kinds of situations.

Its strategy is a table with a row for each *situation*, a column for each *bucket* of hands and the weights
of six actions. A situation is what lies ahead and a little of what lies behind: the street, who acts last,
the bets of the round, the price of a call, the chips that are left, and who has bet before. Two players.
The bot and the program that trains it use the same functions.
"""

from __future__ import annotations

import math
from math import comb
from typing import Any

import numpy as np

from ninefold.game.holdem9.chart import START
from ninefold.game.holdem9.hands import KEY, strength_of
from ninefold.game.holdem9.pairs import FIRST, PAIRS, SECOND, TWO_KEYS, pair_ways
from ninefold.game.nines import COPIES, RANKS
from ninefold.kernel.compile import kernel, noinline

HANDS = len(PAIRS)

# How likely a hand is to be played at all: a hand is judged against those that rivals may well hold.
PLAUSIBLE: Any = np.clip((START[FIRST, SECOND] - 320) / 230, 0.12, 1.0)

STREETS, FLOP, TURN, RIVER = 4, 1, 2, 3
ACTIONS = 6
FOLD_OR_PROBE, CALL, HALF, POT, BIG, ALL_IN = range(ACTIONS)  # the first is a small bet if nobody has bet
SIZES: Any = np.array([0.25, 0.0, 0.5, 1.0, 2.5, 0.0])  # of a bet or raise, in pots after a call
MOST_RAISES = 3  # in a round; after that only all-in is left
NEARLY_ALL = 0.75  # a bet of this part of the chips is made all-in

PRICES: Any = np.array([0.25, 0.5, 1.0, 2.5, 6.0, 16.0])  # bets that are distinguished, in pots
PRICE_EDGES: Any = np.sqrt(PRICES[1:] * PRICES[:-1])
DEPTHS: Any = np.array(
    [0.15, 0.5, 1.0, 2.0, 4.0, 8.0, 16.0, 32.0]
)  # edges of chips left, in pots after a call
STORIES = 9  # what happened on earlier streets
NOBODY, ME, RIVAL = range(3)  # who bet last on a street
RAISES = MOST_RAISES + 1
SHAPE = (STREETS, 2, RAISES, len(PRICES), len(DEPTHS) + 1, STORIES)
SITUATIONS = int(np.prod(SHAPE))

# Buckets on flop and turn: how good a hand is among those that may well be held on that very board, so that a
# strategy folds about as often on every board; and whether its equity will still move much.
STRENGTHS, SPREADS = 30, 2
CHOOSE: Any = np.array(
    [[comb(rank + card, card + 1) for rank in range(RANKS)] for card in range(5)], np.int64
)
RIVER_BUCKETS = 60
BUCKETS = 91


@kernel
def place_among(edges: Any, value: float) -> int:
    """How many of some ascending edges a value has reached."""
    found = 0
    for edge in edges:
        if value >= edge:
            found += 1
    return found


@kernel
def story_of(street: int, before: int, reraised: int, flop: int, turn: int) -> int:
    """A number for who bet last before the flop, on the flop and on the turn."""
    if street == 0:
        return 0
    if street == FLOP:
        return before + (2 if reraised != 0 and before != NOBODY else 0)
    if street == TURN:
        return 3 * before + flop
    return 3 * (flop if flop != NOBODY else before) + turn


@kernel
def situation(street: int, last: int, raises: int, price: int, left: float, story: int) -> int:
    """The row of a situation. `last` is 1 for the player who acts last, `left` the chips left in pots."""
    row = street * 2 + last
    row = row * RAISES + min(raises, MOST_RAISES)
    row = row * len(PRICES) + price
    row = row * (len(DEPTHS) + 1) + place_among(DEPTHS, left)
    return row * STORIES + story


@kernel
def bet_of(action: int, pot: float, least: float, most: float) -> float:
    """The size of a bet or raise beyond a call, or 0 if the situation has no such action.

    `pot` is the pot after a call; a bet is at least `least`, and `most` is all-in.
    """
    if action == ALL_IN:
        return most
    size = max(least, 1.0 * math.floor(SIZES[action] * pot))
    return size if size < NEARLY_ALL * most else 0.0


# Strengths of hands


@kernel
def river_equity(left: Any, common: int, own: int) -> float:
    """The part of the pot that a hand wins against plausible cards; `left` lacks the board and the hand."""
    mine = strength_of(common + own)
    won = 0.0
    dealt = 0.0
    for pair in range(HANDS):
        number = pair_ways(left, pair) * PLAUSIBLE[pair]
        theirs = strength_of(common + TWO_KEYS[pair]) if number > 0 else 0
        won += number * (1.0 if mine > theirs else 0.5 if mine == theirs else 0.0)
        dealt += number
    return won / dealt


@noinline
def outlook(left: Any, common: int, own: int, to_come: int) -> tuple[float, float]:
    """The mean of a hand's equity on the river, and its standard deviation over the cards to come."""
    if to_come == 0:
        return river_equity(left, common, own), 0.0
    mean = 0.0
    square = 0.0
    dealt = 0.0
    for one in range(RANKS):
        number = left[one]
        if number == 0:
            continue
        left[one] -= 1
        for two in range(one, RANKS) if to_come > 1 else range(1):
            times = number
            key = common + KEY[one]
            if to_come > 1:
                if left[two] == 0:
                    continue
                times = number * left[two] if two != one else number * left[two] // 2
                key += KEY[two]
                left[two] -= 1
            equity = river_equity(left, key, own)
            if to_come > 1:
                left[two] += 1
            mean += times * equity
            square += times * equity * equity
            dealt += times
        left[one] += 1
    mean /= dealt
    return mean, math.sqrt(max(0.0, square / dealt - mean * mean))


@kernel
def board_place(board: Any, cards: int) -> int:
    """A number from 0 for the ascending ranks of a board, among all boards of that size."""
    place = 0
    for card in range(cards):
        place += CHOOSE[card, board[card]]
    return place


def full_deck() -> Any:
    """The number of cards of each rank."""
    return np.full(RANKS, COPIES, np.int64)
