"""`expert`: plays the trained strategy against one rival, and like `hard` elsewhere. Compiled; never peeks.

Its memory holds what everyone has seen: who bet last on each street of this hand.
"""

import numpy as np

from ninefold.game.holdem9 import RAISE
from ninefold.game.holdem9.abstraction import (
    ACTIONS,
    CALL,
    CHOOSE,
    FOLD_OR_PROBE,
    ME,
    NOBODY,
    RIVAL,
    RIVER,
    bet_of,
    place_among,
    river_equity,
    story_of,
)
from ninefold.game.holdem9.blueprint import ACTIVE, CELLS, FLOPS, PASSIVE, RIVERS, TURNS
from ninefold.game.holdem9.fields import FOLD, NO_LIMIT
from ninefold.game.holdem9.pairs import TWO_KEYS
from ninefold.game.holdem9.pots import after, bit, board_key
from ninefold.game.holdem9.strategy import choose_weights
from ninefold.game.nines import COPIES, RANKS
from ninefold.kernel.cards import count
from ninefold.kernel.compile import kernel, noinline
from ninefold.kernel.seats import lowest_bit
from ninefold.kernel.stack import stack_copy
from ninefold.kernel.stream import below

HAND, STREET, LEVEL, BETTOR, OPENED, RERAISED, LAST = range(
    7
)  # words of memory; from LAST on, a word a street
BETS, CALLS = 0, 1  # parameters
NO_MOVE = -1
FINE = 1 << 20
ROOM = np.dtype([("left", "i8", (RANKS,)), ("weights", "f8", (ACTIONS,))])
BLANK_ROOM = np.zeros(1, ROOM).view(np.recarray)


@kernel
def remember(s, seat, memory):
    """Note who bet last on the streets that are over, and what the seat faces now."""
    if memory[HAND] != s.hand:
        memory[:] = 0
        memory[HAND] = s.hand
    elif memory[STREET] < s.street:
        # If it had to match a higher level than it faced, the raise was its own; else it called or checked.
        paid = s.paid[seat] - s.bets[seat]
        raised = paid > memory[LEVEL]
        memory[LAST + memory[STREET]] = ME if raised else memory[BETTOR]
        if memory[STREET] == 0 and raised and memory[OPENED] > 0:
            memory[RERAISED] = 1
    memory[STREET] = s.street
    memory[LEVEL] = s.paid[seat] - s.bets[seat] + s.highest
    memory[OPENED] = bets_of_round(s)
    memory[BETTOR] = RIVAL if s.bets[seat] < s.highest and memory[OPENED] > 0 else NOBODY
    if s.street == 0 and memory[OPENED] > 1:
        memory[RERAISED] = 1


@kernel
def bets_of_round(s):
    """Bets and raises of the round, without the blinds."""
    return s.raises - 1 if s.street == 0 else s.raises


@kernel
def applies(s, seat):
    """Whether the strategy covers a position: no limit and one rival, before the flop of two at the table."""
    if s.betting != NO_LIMIT or (s.street == 0 and count(s.seated) > 2):
        return False
    return count(s.live) == 2


@kernel
def bucket_at(s, seat, left):
    """The bucket of the seat's hand. `left` is room for the number of cards of each rank."""
    cards = s.hole[seat]
    one, two = lowest_bit(cards) >> 2, lowest_bit(cards & (cards - 1)) >> 2
    hand = max(one, two) * (max(one, two) + 1) // 2 + min(one, two)
    if s.street == 0:
        return hand
    for rank in range(RANKS):
        left[rank] = 0
    board = s.board
    while board != 0:
        left[((board & 63) - 1) >> 2] += 1
        board >>= 6
    if s.street < RIVER:
        place = 0
        card = 0
        for rank in range(RANKS):
            for _ in range(left[rank]):
                place += CHOOSE[card, rank]
                card += 1
        return np.int64(FLOPS[place, hand]) if s.street == 1 else np.int64(TURNS[place, hand])
    for rank in range(RANKS):
        left[rank] = COPIES - left[rank]
    left[one] -= 1
    left[two] -= 1
    return place_among(RIVERS, river_equity(left, board_key(s), TWO_KEYS[hand]))


@noinline
def expert(s, seat, spans, n, params, memory, stream):
    """A move drawn from the trained strategy, or NO_MOVE where that does not apply."""
    remember(s, seat, memory)
    if not applies(s, seat):
        return NO_MOVE
    rival = lowest_bit(s.live & ~bit(seat))
    short = s.highest - s.bets[seat]
    owed = min(short, s.chips[seat])
    pot = s.pot - (short - owed)  # what the seat cannot call goes back to the rival
    most = min(s.chips[seat] - owed, s.chips[rival]) if n > 1 else 0
    raises = bets_of_round(s)
    last = 0 if after(s.live, s.button) == seat else 1
    if s.street == 0:
        last = 1 if s.button == seat else 0
    turn = memory[LAST + 2]
    story = story_of(s.street, memory[LAST], memory[RERAISED], memory[LAST + 1], turn)
    room = stack_copy(BLANK_ROOM[0])
    bucket = bucket_at(s, seat, room.left)
    weigh(room.weights, s.street, last, raises, owed, pot, most, s.full_raise, story, bucket)
    action = draw(room.weights, params, owed, stream)
    if action == FOLD_OR_PROBE and owed > 0:
        return np.int64(FOLD)
    if action == CALL or n == 1:
        return np.int64(CALL)
    more = np.int64(bet_of(action, pot + owed, s.full_raise, most))
    return max(spans[1, 0], min(spans[1, 1], RAISE + s.highest + more))


@kernel
def weigh(out, street, last, raises, owed, pot, most, least, story, bucket):
    """The weights of the table's actions."""
    choose_weights((CELLS, PASSIVE, ACTIVE), street, last, raises, owed, pot, most, least, story, bucket, out)


@kernel
def draw(weights, params, owed, stream):
    """An action by its weight, as a style shifts it: percentages of the weights of bets and of calls."""
    total = 0.0
    for action in range(ACTIONS):
        if action > CALL or (action == FOLD_OR_PROBE and owed == 0):
            weights[action] *= params[BETS] / 100
        elif action == CALL and owed > 0:
            weights[action] *= params[CALLS] / 100
        total += weights[action]
    left = total * below(stream, FINE) / FINE
    for action in range(ACTIONS):
        left -= weights[action]
        if left < 0:
            return action
    return CALL
