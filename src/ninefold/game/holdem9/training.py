"""Trains `expert`: counterfactual regret minimisation for two players over the abstraction.

In every walk a board, one player's cards and its actions are drawn at random; the other player tries all
actions with all 91 starting hands at once. What it regrets not having done decides what it does next.
Over many walks the average of what was played comes close to an equilibrium of the abstract game.

    python bench/holdem9_train.py

writes blueprint.npz. The same seed and number of walks give the same file.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable
from itertools import combinations_with_replacement
from math import comb
from pathlib import Path
from typing import Any, TypeVar

import numba
import numpy as np

from ninefold.game.holdem9.abstraction import (
    ACTIONS,
    BUCKETS,
    CALL,
    FOLD_OR_PROBE,
    HANDS,
    ME,
    NOBODY,
    PLAUSIBLE,
    PRICE_EDGES,
    RIVAL,
    RIVER,
    RIVER_BUCKETS,
    SHAPE,
    SITUATIONS,
    SPREADS,
    STRENGTHS,
    bet_of,
    board_place,
    full_deck,
    outlook,
    place_among,
    situation,
    story_of,
)
from ninefold.game.holdem9.hands import KEY, strength_of
from ninefold.game.holdem9.pairs import FIRST, SECOND, TWO_KEYS, pair_ways
from ninefold.game.holdem9.strategy import HALVES, menu_of
from ninefold.game.nines import RANKS
from ninefold.kernel.cards import count
from ninefold.kernel.stream import below, new_stream

WALKS, PARTS, SEED = 499_995, 15, 9
SMALL, BIG_BLIND, STACK = 5, 10, 1_000
USUAL_DEPTH = 75  # percent of walks with the usual stack; in the others it is 4 to 200 big blinds
SLIPS = 5  # percent of a player's moves that are any move, so that the other learns to answer all of them
LEAST_SHARE = 0.03  # an action chosen less often is not kept
APART = (1_000_000, 100_000, 1_000, 100, 10, 1)  # how much each part of a situation matters to its likeness
MOST_DEPTH = 64  # decisions one after another in a walk

Function = TypeVar("Function", bound=Callable[..., Any])


def compiled(function: Function) -> Function:
    """Compile a function that may call itself; unlike a kernel it is not kept between runs."""
    return numba.njit(nogil=True, error_model="numpy")(function)  # type: ignore[return-value]


# Buckets of all boards


@compiled
def fill_features(boards: Any, cards: int, deck: Any, means: Any, spreads: Any) -> None:
    """The mean and spread of the equity of every hand on every board; -1 where a hand is impossible."""
    left = deck.copy()
    for row in range(len(boards)):
        key = 0
        left[:] = deck
        for card in range(cards):
            left[boards[row, card]] -= 1
            key += KEY[boards[row, card]]
        for pair in range(HANDS):
            means[row, pair] = -1.0
            if pair_ways(left, pair) > 0:
                left[FIRST[pair]] -= 1
                left[SECOND[pair]] -= 1
                mean, spread = outlook(left, key, TWO_KEYS[pair], 5 - cards)
                means[row, pair] = mean
                spreads[row, pair] = spread
                left[FIRST[pair]] += 1
                left[SECOND[pair]] += 1


def boards_of(cards: int, deck: Any) -> Any:
    """All boards of some cards of a deck, sorted, as rows of ranks."""
    every = np.array(list(combinations_with_replacement(range(RANKS), cards)), np.int64)
    fits = [(np.bincount(row, minlength=RANKS) <= deck).all() for row in every]
    return every[np.array(fits)]


def cut(values: Any, some: Any, steps: Any) -> Any:
    """Quantiles of values of some hands on all boards, by how plausible the hands are."""
    if not some.any():
        return np.full(len(steps), np.inf)
    weights = np.broadcast_to(PLAUSIBLE, values.shape)[some]
    return np.quantile(values[some], steps, weights=weights, method="inverted_cdf")


class Buckets:
    """The edges of the river's buckets, and the bucket of every hand on every board: [place, hand]."""

    def __init__(self, deck: Any = None) -> None:
        self.deck = full_deck() if deck is None else deck
        self.of: list[Any] = []
        for street in range(1, RIVER + 1):
            boards = boards_of(street + 2, self.deck)
            mean, spread = np.zeros((2, len(boards), HANDS), np.float32)
            fill_features(boards, street + 2, self.deck, mean, spread)
            found = np.zeros((comb(RANKS + street + 1, street + 2), HANDS), np.uint8)
            rows = [board_place(board, street + 2) for board in boards]
            found[rows] = self._river(mean) if street == RIVER else self._early(boards, mean, spread)
            self.of.append(found)

    def _river(self, mean: Any) -> Any:
        """Buckets that are finer for better hands."""
        steps = 1 - (1 - np.arange(1, RIVER_BUCKETS) / RIVER_BUCKETS) ** 1.5
        self.rivers = cut(mean, mean >= 0, steps)
        return np.searchsorted(self.rivers, mean, side="right")

    def _early(self, boards: Any, mean: Any, spread: Any) -> Any:
        """Buckets of flop and turn: the place of a hand among the plausible ones of its board."""
        strengths = np.zeros(mean.shape, np.int64)
        for row, board in enumerate(boards):
            left = self.deck - np.bincount(board, minlength=RANKS)
            weights = PLAUSIBLE * [max(0, pair_ways(left, hand)) for hand in range(HANDS)]
            order = np.argsort(mean[row], kind="stable")
            below_it = np.cumsum(weights[order]) - weights[order] / 2
            strengths[row, order] = np.minimum(STRENGTHS - 1, STRENGTHS * below_it / below_it[-1])
        found = strengths * SPREADS
        for one in range(STRENGTHS):
            some = (mean >= 0) & (strengths == one)
            edges = cut(spread, some, np.arange(1, SPREADS) / SPREADS)
            found[some] += np.searchsorted(edges, spread[some], side="right")
        return found


# Walks


@compiled
def match_regrets(regrets: Any, menu: int, out: Any) -> None:
    """Weights in proportion to positive regrets; equal ones if there are none."""
    total = np.float32(0.0)
    number = 0
    for action in range(ACTIONS):
        out[action] = np.float32(0.0)
        if menu >> action & 1:
            number += 1
            out[action] = max(regrets[action], np.float32(0.0))
            total += out[action]
    for action in range(ACTIONS):
        if menu >> action & 1:
            out[action] = out[action] / total if total > 0 else np.float32(1.0 / number)


@compiled
def relative(who: int, player: int) -> int:
    """Who bet last, as this player sees it."""
    return NOBODY if who < 0 else ME if who == player else RIVAL


@compiled
def walk(deal: Any, tables: Any, room: Any, node: Any, depth: int) -> None:
    """Fill room.values[depth] with the value of a node for each hand of the traverser, in big blinds.

    Node: street, player, raises, whether the round can end with a check, chips in of both players, the last
    raise, who bet last on each street (-1 for nobody), and whether there was a second raise before the flop.
    Player 0 has the button.
    """
    traverser, stack, held, buckets, _wins, weights, stream = deal
    regrets, sums = tables
    values, shares = room
    street, player, raises, _closing, zero, one, size, before, flop, turn, _here, reraised = node
    mine, theirs = (zero, one) if player == 0 else (one, zero)
    owed = theirs - mine
    pot = zero + one
    menu = menu_of(street, raises, owed, pot, stack - theirs, size)
    price = 0
    if raises > 0:
        price = place_among(PRICE_EDGES, owed / (pot - owed))
    story = story_of(
        street, relative(before, player), reraised, relative(flop, player), relative(turn, player)
    )
    row = situation(street, 1 - player, raises, price, (stack - theirs) / (pot + owed), story)
    if player == traverser:
        out = values[depth]
        out[:] = 0.0
        share = shares[depth]
        for hand in range(HANDS):
            match_regrets(regrets[row, buckets[street, hand]], menu, share[hand])
        for action in range(ACTIONS):
            if menu >> action & 1 == 0:
                continue
            act(deal, tables, room, node, depth, action)
            below_it = values[depth + 1]
            for hand in range(HANDS):
                out[hand] += share[hand, action] * below_it[hand]
                regrets[row, buckets[street, hand], action] += weights[hand] * below_it[hand]
        for hand in range(HANDS):
            loss = weights[hand] * out[hand]
            if loss != 0.0:
                bucket = buckets[street, hand]
                for action in range(ACTIONS):
                    if menu >> action & 1:
                        regrets[row, bucket, action] -= loss
        return
    bucket = buckets[street, held]
    share = shares[depth, 0]
    match_regrets(regrets[row, bucket], menu, share)
    drawn = below(stream, 1 << 24) / np.float32(1 << 24)
    slips = below(stream, 100) < SLIPS
    even = np.float32(1.0 / count(menu))
    chosen = CALL
    total = np.float32(0.0)
    for action in range(ACTIONS):
        sums[row, bucket, action] += share[action]
        if total <= drawn and menu >> action & 1:
            chosen = action
        total += (even if slips else share[action]) if menu >> action & 1 else np.float32(0.0)
    act(deal, tables, room, node, depth, chosen)
    values[depth, :] = values[depth + 1]


@compiled
def act(deal: Any, tables: Any, room: Any, node: Any, depth: int, action: int) -> None:
    """Fill room.values[depth + 1] with the values after an action."""
    traverser, stack, _held, _buckets, wins, _weights, _stream = deal
    values, _shares = room
    street, player, raises, closing, zero, one, size, before, flop, turn, here, reraised = node
    mine, theirs = (zero, one) if player == 0 else (one, zero)
    owed = theirs - mine
    pot = zero + one
    out = values[depth + 1]
    if action == FOLD_OR_PROBE and owed > 0:
        out[:] = (-mine if player == traverser else mine) / np.float32(BIG_BLIND)
        return
    if action != CALL:
        more = int(bet_of(action, pot + owed, size, stack - theirs))
        mine = theirs + more
        grown = max(size, more)
        again = 1 if street == 0 and raises > 0 else reraised
        zero, one = (mine, theirs) if player == 0 else (theirs, mine)
        after = (street, 1 - player, raises + 1, 1, zero, one, grown, before, flop, turn, player, again)
        walk(deal, tables, room, after, depth + 1)
        return
    mine = theirs
    if closing == 0:
        after = (street, 1 - player, raises, 1, mine, mine, size, before, flop, turn, here, reraised)
        walk(deal, tables, room, after, depth + 1)
        return
    if street == RIVER or mine == stack:
        for hand in range(HANDS):
            out[hand] = wins[hand] * mine / np.float32(BIG_BLIND)
        return
    if street == 0:
        before = here
    elif street == 1:
        flop = here
    else:
        turn = here
    after = (street + 1, 1, 0, 0, mine, mine, BIG_BLIND, before, flop, turn, -1, reraised)
    walk(deal, tables, room, after, depth + 1)


@compiled
def deal_ranks(left: Any, total: int, stream: Any) -> int:
    drawn = below(stream, total)
    for rank in range(RANKS):
        drawn -= left[rank]
        if drawn < 0:
            left[rank] -= 1
            return rank
    return 0


@compiled
def some_stack(stack: int, stream: Any) -> int:
    """The chips of both players in a walk: always the same, or with 0 mostly the usual number."""
    if stack > 0:
        return stack
    if below(stream, 100) < USUAL_DEPTH:
        return STACK
    return int(BIG_BLIND * 4.0 * 50.0 ** (below(stream, 1 << 20) / float(1 << 20)))


@compiled
def run_walks(
    first: int, number: int, deck: Any, stack: int, of: Any, tables: Any, room: Any, stream: Any
) -> None:
    """Some walks, with either player in turn as the traverser."""
    flops, turns, rivers = of
    left = np.zeros(RANKS, np.int64)
    board = np.zeros(5, np.int64)
    ranked = np.zeros(5, np.int64)
    buckets = np.zeros((4, HANDS), np.int64)
    wins = np.zeros(HANDS, np.float32)
    weights = np.zeros(HANDS, np.float32)
    buckets[0] = np.arange(HANDS)
    cards_left = deck.sum()
    for number_of_walk in range(first, first + number):
        left[:] = deck
        high = deal_ranks(left, cards_left, stream)
        low = deal_ranks(left, cards_left - 1, stream)
        held = max(high, low) * (max(high, low) + 1) // 2 + min(high, low)
        key = 0
        for card in range(5):
            board[card] = deal_ranks(left, cards_left - 2 - card, stream)
            key += KEY[board[card]]
        for cards in range(3, 6):
            ranked[:cards] = np.sort(board[:cards])
            place = board_place(ranked, cards)
            buckets[cards - 2] = flops[place] if cards == 3 else turns[place] if cards == 4 else rivers[place]
        theirs = strength_of(key + TWO_KEYS[held])
        for hand in range(HANDS):
            number_of_ways = pair_ways(left, hand)
            weights[hand] = number_of_ways / np.float32(16.0)
            wins[hand] = 0.0
            if number_of_ways > 0:
                own = strength_of(key + TWO_KEYS[hand])
                wins[hand] = np.float32(1.0 if own > theirs else -1.0 if own < theirs else 0.0)
        deal = (number_of_walk & 1, some_stack(stack, stream), held, buckets, wins, weights, stream)
        walk(deal, tables, room, (0, 0, 0, 0, SMALL, BIG_BLIND, BIG_BLIND, -1, -1, -1, -1, 0), 0)


def train(
    walks: int = WALKS, seed: int = SEED, deck: Any = None, stack: int = 0, tell: Any = None
) -> tuple[Buckets, Any]:
    """The buckets, and how often each action was chosen: [situation, bucket, action]."""
    buckets = Buckets(deck)
    tables = tuple(np.zeros((SITUATIONS, BUCKETS, ACTIONS), np.float32) for _ in range(2))
    room = (np.zeros((MOST_DEPTH, HANDS), np.float32), np.zeros((MOST_DEPTH, HANDS, ACTIONS), np.float32))
    stream = new_stream(seed)
    for part in range(PARTS):
        first, number = part * (walks // PARTS), walks // PARTS
        run_walks(first, number, buckets.deck, stack, tuple(buckets.of), tables, room, stream)
        for table in tables:
            table *= np.float32((part + 1) / (part + 2))  # later walks count more
        if tell is not None:
            tell(part)
    return buckets, tables[1]


# The table that is shipped


def compact(buckets: Buckets, sums: Any) -> dict[str, Any]:
    """The arrays of blueprint.npz. A situation that was never met gets the cells of the most similar one."""
    met = np.flatnonzero(sums.sum(axis=(1, 2)) > 0)
    cells, found = np.zeros(SITUATIONS, np.int32), []
    places = np.array(np.unravel_index(np.arange(SITUATIONS), SHAPE)).T
    first = 0
    for row in met:
        number = buckets_of(int(places[row, 0]))
        cells[row] = first
        found.append(_filled(sums[row, :number]))
        first += number
    for row in np.setdiff1d(np.arange(SITUATIONS), met):
        apart = (np.abs(places[met] - places[row]) * APART).sum(axis=1)
        cells[row] = cells[met[np.argmin(apart)]]
    shares = np.concatenate(found)
    shares[shares < LEAST_SHARE] = 0.0
    shares /= shares.sum(axis=1, keepdims=True)
    weights = np.round(shares * 255).astype(np.uint8)
    return {
        "flops": buckets.of[0],
        "turns": buckets.of[1],
        "rivers": buckets.rivers,
        "cells": cells,
        "passive": weights[:, :HALVES],
        "active": weights[:, HALVES:],
    }


def table_of(arrays: dict[str, Any]) -> Any:
    """The table of strategy.py out of the arrays of blueprint.npz."""
    return arrays["cells"], arrays["passive"], arrays["active"]


def buckets_of(street: int) -> int:
    """How many buckets a street has."""
    return HANDS if street == 0 else RIVER_BUCKETS if street == RIVER else STRENGTHS * SPREADS


def _filled(sums: Any) -> Any:
    """The shares of the actions in each bucket; a bucket that was never met gets those of its neighbour."""
    met = np.flatnonzero(sums.sum(axis=1) > 0)
    nearest = met[np.abs(np.arange(len(sums))[:, None] - met).argmin(axis=1)]
    return sums[nearest] / sums[nearest].sum(axis=1, keepdims=True)


def write(buckets: Buckets, sums: Any, folder: Path) -> str:
    """Write blueprint.npz, and its hash into blueprint.py; returns a sentence about it."""
    arrays = compact(buckets, sums)
    path, module = folder / "blueprint.npz", folder / "blueprint.py"
    np.savez_compressed(path, **arrays)
    content = path.read_bytes()
    found = hashlib.sha256(content).hexdigest()
    module.write_text(re.sub('SHA256 = "[^"]*"', f'SHA256 = "{found}"', module.read_text("utf-8")), "utf-8")
    cells = len(arrays["passive"])
    return f"{path.name}: {cells:,} cells in {len(content):,} bytes"
