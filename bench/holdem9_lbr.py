"""How exploitable Hold'em's `expert` is: what a local best response wins against it, two players.

The local best response knows the strategy. It keeps the chance of each of the 91 hands that `expert` may
hold, by Bayes' rule. At every decision it takes what is best if both only check and call from then on: it
folds, calls, bets a part of the pot or goes all-in. What it wins is a lower bound on what a perfect opponent
would win (Lisý and Bowling, "Equilibrium Approximation Quality of Current No-Limit Poker Bots", 2017).

    PYTHONPATH=bench python -m holdem9_lbr --hands 100000
"""

from __future__ import annotations

import argparse
import math
from typing import Any

import numpy as np

from ninefold.game.holdem9.abstraction import (
    ACTIONS,
    CALL,
    FOLD_OR_PROBE,
    HANDS,
    ME,
    NOBODY,
    RIVAL,
    RIVER,
    bet_of,
    board_place,
    full_deck,
    story_of,
)
from ninefold.game.holdem9.hands import KEY, strength_of
from ninefold.game.holdem9.pairs import FIRST, SECOND, TWO_KEYS, pair_ways
from ninefold.game.holdem9.strategy import choose_weights
from ninefold.game.holdem9.training import (
    BIG_BLIND,
    SMALL,
    STACK,
    Buckets,
    boards_of,
    compiled,
    deal_ranks,
)
from ninefold.game.nines import RANKS
from ninefold.kernel.stream import below, new_stream

MENUS = {
    "usual": (0.5, 1.0, 2.5),
    "small": (0.1, 0.25),
    "wide": (0.1, 0.25, 0.35, 0.75, 1.5, 4.0),
    "calls": (),
}


@compiled
def before_the_flop(boards: Any, keys: Any, out: Any) -> None:
    """The equity of every hand against every other before the flop, over all boards."""
    left = np.zeros(RANKS, np.int64)
    strengths = np.zeros(HANDS, np.int64)
    dealt = np.zeros((HANDS, HANDS))
    for row in range(len(boards)):
        for pair in range(HANDS):
            left[:] = 4
            left[FIRST[pair]] -= 1
            left[SECOND[pair]] -= 1
            strengths[pair] = 0
            if (left - boards[row]).min() >= 0:
                strengths[pair] = strength_of(keys[row] + TWO_KEYS[pair])
        for one in range(HANDS):
            if strengths[one] == 0:
                continue
            for two in range(one + 1):
                if strengths[two] == 0:
                    continue
                left[:] = 4
                left[FIRST[one]] -= 1
                left[SECOND[one]] -= 1
                left[FIRST[two]] -= 1
                left[SECOND[two]] -= 1
                times = 1.0
                for rank in range(RANKS):
                    for card in range(boards[row, rank]):
                        times *= max(0, left[rank] - card) / (card + 1.0)
                if times > 0:
                    part = (
                        1.0
                        if strengths[one] > strengths[two]
                        else 0.5
                        if strengths[one] == strengths[two]
                        else 0.0
                    )
                    out[one, two] += times * part
                    dealt[one, two] += times
    for one in range(HANDS):
        for two in range(one + 1):
            if dealt[one, two] > 0:
                out[one, two] /= dealt[one, two]
                out[two, one] = 1.0 - out[one, two]


@compiled
def chances_now(own: int, board: Any, cards: int, first: Any, out: Any) -> None:
    """The equity of a hand against each of the 91 on a board."""
    if cards == 0:
        out[:] = first[own]
        return
    left = np.full(RANKS, 4, np.int64)
    left[FIRST[own]] -= 1
    left[SECOND[own]] -= 1
    key = 0
    for card in range(cards):
        left[board[card]] -= 1
        key += KEY[board[card]]
    for pair in range(HANDS):
        out[pair] = 0.0
        if pair_ways(left, pair) == 0:
            continue
        left[FIRST[pair]] -= 1
        left[SECOND[pair]] -= 1
        total = 0.0
        for one in range(RANKS if cards < 5 else 1):
            times = left[one] if cards < 5 else 1
            if times == 0:
                continue
            for two in range(one, RANKS) if cards < 4 else range(1):
                number = times
                more = KEY[one] if cards < 5 else 0
                if cards < 4:
                    number = times * left[two] if one != two else times * (times - 1) // 2
                    more += KEY[two]
                if number > 0:
                    mine = strength_of(key + more + TWO_KEYS[own])
                    theirs = strength_of(key + more + TWO_KEYS[pair])
                    out[pair] += number * (1.0 if mine > theirs else 0.5 if mine == theirs else 0.0)
                    total += number
        out[pair] /= total
        left[FIRST[pair]] += 1
        left[SECOND[pair]] += 1


@compiled
def relative(who: int, player: int) -> int:
    return NOBODY if who < 0 else ME if who == player else RIVAL


@compiled
def strategy(table: Any, node: Any, bot: int, buckets: Any, out: Any) -> None:
    """The shares of the actions of `expert` for each hand."""
    street, raises, mine, theirs, size, before, flop, turn, _here, reraised, stack = node
    story = story_of(street, relative(before, bot), reraised, relative(flop, bot), relative(turn, bot))
    for hand in range(HANDS):
        choose_weights(
            table,
            street,
            1 - bot,
            raises,
            theirs - mine,
            mine + theirs,
            stack - theirs,
            size,
            story,
            buckets[street, hand],
            out[hand],
        )
        out[hand] /= out[hand].sum()


@compiled
def hand_won(
    table: Any, of: Any, first: Any, sizes: Any, stack: int, me: int, stream: Any, room: Any
) -> float:
    """What the local best response wins in one hand, in chips; player 0 has the button."""
    flops, turns, rivers = of
    chances, shares, reach, _trial, buckets, board, ranked, left = room
    bot = 1 - me
    left[:] = 4
    high = deal_ranks(left, 52, stream)
    low = deal_ranks(left, 51, stream)
    own = max(high, low) * (max(high, low) + 1) // 2 + min(high, low)
    for pair in range(HANDS):
        reach[pair] = pair_ways(left, pair)
    for card in range(5):
        board[card] = -1
    chances_now(own, board, 0, first, chances)
    paid = np.array([SMALL, BIG_BLIND])
    street, player, raises, closing, size = 0, 0, 0, 0, BIG_BLIND
    before, flop, turn, here, reraised = -1, -1, -1, -1, 0
    while True:
        mine, theirs = paid[player], paid[1 - player]
        owed = theirs - mine
        pot = mine + theirs
        most = stack - theirs
        more = 0
        folded = False
        node = (street, raises, mine, theirs, size, before, flop, turn, here, reraised, stack)
        if player == me:
            total = reach.sum()
            equity = (reach * chances).sum() / total
            best = 0.0
            folded = owed > 0
            if equity * (pot + owed) - owed >= best:
                folded = False
                best = equity * (pot + owed) - owed
            for option in range(len(sizes) + 1):
                if most <= 0:
                    break
                bet = (
                    most if option == len(sizes) else min(most, max(size, int(sizes[option] * (pot + owed))))
                )
                seen = (
                    street,
                    raises + 1,
                    theirs,
                    theirs + bet,
                    max(size, bet),
                    before,
                    flop,
                    turn,
                    me,
                    1 if street == 0 and raises > 0 else reraised,
                    stack,
                )
                strategy(table, seen, bot, buckets, shares)
                folds = 0.0
                kept = 0.0
                won = 0.0
                for hand in range(HANDS):
                    folds += reach[hand] * shares[hand, FOLD_OR_PROBE]
                    rest = reach[hand] * (1 - shares[hand, FOLD_OR_PROBE])
                    kept += rest
                    won += rest * chances[hand]
                worth = folds / total * pot
                if kept > 0:
                    worth += kept / total * (won / kept * (pot + owed + 2 * bet) - owed - bet)
                if worth > best:
                    best = worth
                    more = bet
                    folded = False
            if folded:
                return float(-mine)
        else:
            strategy(table, node, bot, buckets, shares)
            total = reach.sum()
            drawn = below(stream, 1 << 30) / float(1 << 30) * total
            chosen = CALL
            for action in range(ACTIONS):
                drawn -= (reach * shares[:, action]).sum()
                if drawn < 0:
                    chosen = action
                    break
            reach *= shares[:, chosen]
            if chosen == FOLD_OR_PROBE and owed > 0:
                return float(mine)
            if chosen != CALL:
                more = int(bet_of(chosen, pot + owed, size, most))
        paid[player] = theirs + more
        if more > 0:
            if street == 0 and raises > 0:
                reraised = 1
            size = max(size, more)
            raises += 1
            here = player
            closing = 1
            player = 1 - player
            continue
        if closing == 0:
            closing = 1
            player = 1 - player
            continue
        if street == RIVER or paid[0] == stack:
            equity = (reach * chances).sum() / reach.sum()
            return float((2 * equity - 1) * paid[0])
        if street == 0:
            before = here
        elif street == 1:
            flop = here
        else:
            turn = here
        street += 1
        for card in range(0 if street == 1 else street + 1, street + 2):
            # The board depends on what `expert` may hold: a card that it holds does not come.
            pick_card(left, reach, board, card, stream)
        cards = street + 2
        ranked[:cards] = np.sort(board[:cards])
        place = board_place(ranked, cards)
        buckets[street] = flops[place] if cards == 3 else turns[place] if cards == 4 else rivers[place]
        chances_now(own, board, cards, first, chances)
        player, raises, closing, size, here = 1, 0, 0, BIG_BLIND, -1


@compiled
def pick_card(left: Any, reach: Any, board: Any, card: int, stream: Any) -> None:
    """Draw a card of the board, with the chances that it has given what the rival may hold."""
    weights = np.zeros(RANKS)
    for pair in range(HANDS):
        if reach[pair] > 0:
            for rank in range(RANKS):
                held = (FIRST[pair] == rank) + (SECOND[pair] == rank)
                weights[rank] += reach[pair] * max(0, left[rank] - held)
    drawn = below(stream, 1 << 30) / float(1 << 30) * weights.sum()
    chosen = 0
    for rank in range(RANKS):
        if weights[rank] > 0:
            chosen = rank
        drawn -= weights[rank]
        if drawn < 0:
            break
    for pair in range(HANDS):  # the hands that hold a card of this rank become less likely
        held = (FIRST[pair] == chosen) + (SECOND[pair] == chosen)
        reach[pair] *= max(0, left[chosen] - held) / left[chosen]
    left[chosen] -= 1
    board[card] = chosen


@compiled
def play(table: Any, of: Any, first: Any, sizes: Any, stack: int, hands: int, stream: Any, out: Any) -> None:
    """What the local best response wins in each of some hands, with the button in every other hand."""
    room = (
        np.zeros(HANDS),
        np.zeros((HANDS, ACTIONS)),
        np.zeros(HANDS),
        np.zeros(HANDS),
        np.zeros((4, HANDS), np.int64),
        np.zeros(5, np.int64),
        np.zeros(5, np.int64),
        np.zeros(RANKS, np.int64),
    )
    room[4][0] = np.arange(HANDS)
    for hand in range(hands):
        out[hand] = hand_won(table, of, first, sizes, stack, hand & 1, stream, room)


def measure(
    table: Any, buckets: Buckets, sizes: tuple[float, ...], hands: int, seed: int, stack: int = STACK
) -> tuple[float, float]:
    """Big blinds a hundred hands that the local best response wins, with half its 95 % interval."""
    boards = boards_of(5, full_deck())
    counts = np.array([np.bincount(board, minlength=RANKS) for board in boards])
    first = np.zeros((HANDS, HANDS))
    before_the_flop(counts, counts @ KEY, first)
    won = np.zeros(hands)
    play(table, tuple(buckets.of), first, np.array(sizes, np.float64), stack, hands, new_stream(seed), won)
    return 100 * won.mean() / BIG_BLIND, 196 * won.std() / math.sqrt(hands) / BIG_BLIND


def main() -> None:
    """Print what the local best response wins with each set of bets."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--hands", type=int, default=20_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--stack", type=int, default=STACK, help="chips of both players, with blinds of 5/10")
    given = parser.parse_args()
    from ninefold.game.holdem9.blueprint import TABLE

    buckets = Buckets()
    for name, sizes in MENUS.items():
        mean, margin = measure(TABLE, buckets, sizes, given.hands, given.seed, given.stack)
        print(f"{name:6} {mean:6.1f} ± {margin:.1f} big blinds a hundred hands", flush=True)


if __name__ == "__main__":
    main()
