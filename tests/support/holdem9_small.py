"""A small Hold'em in which a trained strategy can be compared with every answer to it."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any

import numpy as np

from ninefold.game.holdem9.abstraction import (
    ACTIONS,
    CALL,
    FOLD_OR_PROBE,
    ME,
    NOBODY,
    RIVAL,
    bet_of,
    board_place,
    story_of,
)
from ninefold.game.holdem9.strategy import choose_weights, menu_of
from ninefold.game.holdem9.training import BIG_BLIND, SMALL, Buckets, compact, table_of
from ninefold.game.nines import RANKS
from reference.holdem9_exploit import Move, Ranks, SmallGame, Spot


def deck_of(copies: dict[int, int]) -> Any:
    """A deck with some copies of some ranks, for training."""
    deck = np.zeros(RANKS, np.int64)
    for rank, number in copies.items():
        deck[rank - 1] = number
    return deck


def bets(spot: Spot, pot: int, left: int) -> dict[int, int]:
    """The abstraction's actions that bet or raise, with their sizes."""
    owed = abs(spot.paid[0] - spot.paid[1])
    menu = menu_of(spot.street, spot.raises, owed, pot - owed, left, spot.last_raise)
    actions = [action for action in range(ACTIONS) if menu >> action & 1]
    raising = [one for one in actions if one > CALL or (one == FOLD_OR_PROBE and owed == 0)]
    return {action: int(bet_of(action, pot, spot.last_raise, left)) for action in raising}


def trained(buckets: Buckets, sums: Any, stack: int) -> Any:
    """A trained table as a strategy for the small game."""
    table = table_of(compact(buckets, sums))

    @cache
    def shares(spot: Spot, hands: tuple[Ranks, ...]) -> dict[Move, list[float]]:
        me = spot.player
        before = [relative(one, me) for one in (*spot.bettors, -1, -1, -1)[:3]]
        story = story_of(spot.street, before[0], int(spot.reraised), before[1], before[2])
        mine, theirs = spot.paid[me], spot.paid[1 - me]
        owed, left = theirs - mine, stack - theirs
        sizes = bets(spot, sum(spot.paid) + owed, left)
        found: dict[Move, list[float]] = {}
        out = np.zeros(ACTIONS)
        for place, (low, high) in enumerate(hands):
            hand = (high - 1) * high // 2 + low - 1
            board = np.array(sorted(spot.board), np.int64) - 1
            bucket = hand
            if spot.street > 0:
                bucket = int(buckets.of[spot.street - 1][board_place(board, len(board)), hand])
            last = spot.last_raise
            choose_weights(
                table, spot.street, 1 - me, spot.raises, owed, sum(spot.paid), left, last, story, bucket, out
            )
            for action in np.flatnonzero(out).tolist():
                move = ("raise", sizes[action]) if action in sizes else ("fold", 0)
                move = ("call", 0) if action == CALL else move
                found.setdefault(move, [0.0] * len(hands))[place] += out[action] / out.sum()
        return found

    return lambda spot, hands: shares(spot, tuple(hands))


def relative(who: int, me: int) -> int:
    return NOBODY if who < 0 else ME if who == me else RIVAL


def exploitability(copies: dict[int, int], stack: int, buckets: Buckets, sums: Any) -> float:
    """What the best of all answers to a trained strategy wins, in big blinds a hand."""

    def sizes(spot: Spot, pot: int, left: int) -> Sequence[int]:
        return sorted(set(bets(spot, pot, left).values())) if left > 0 else []

    game = SmallGame(copies, stack, (SMALL, BIG_BLIND), sizes, trained(buckets, sums, stack))
    return game.exploitability() / BIG_BLIND
