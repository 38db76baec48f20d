"""The position of Multiple 9: its fields, and the numbers that stand for moves and phases.

Suits never matter, so hands and piles are counts of each rank in one word (see nines.py).
"""

import numpy as np

from ninefold.game.nines import COPIES, PACKED, RANKS, SPARE
from ninefold.kernel.fields import COMMON, SEAT_BITS, SEATS, Field, Sees

HAND = 5  # R3.1
CARDS = RANKS * COPIES
FULL = COPIES * (SPARE >> 3)  # four of every rank
GROUPS = len(PACKED)
DONE, GO_OUT, WAIT = GROUPS, GROUPS + 1, GROUPS + 2  # actions below these put down the group of that number
LAST_WORD = np.int64(1)
DONE_BIT, OUT_BITS = LAST_WORD << (DONE & 63), LAST_WORD << (GO_OUT & 63) | LAST_WORD << (WAIT & 63)
DEAL, OUT, DRAW, PLAY = 0, 1, 2, 3  # phases
NOTHING, LONE_NINE, LEGAL = 0, 1, 2  # what has gone down in this turn
BYTE, NOTED = 8, 7  # how many of the groups before a player are noted one by one
DRAW_GAME, FEWEST, LAST_TURN = 0, 1, 2

FIELDS = (
    *COMMON,
    Field("phase", "i8", Sees.ALL),
    Field("player", "i8", Sees.ALL),  # who is dealt to, or has to decide
    Field("laid", "i8", Sees.ALL),
    Field("drew", "i8", Sees.ALL),  # 1 if there was a card to draw in this turn
    Field("idle", "i8", Sees.ALL),  # turns in succession without a card drawn or put down; last turns
    Field("undecided", "i8", Sees.ALL),
    Field("turnovers", "i8", Sees.ALL),  # how often the discards have become the stock
    Field("stock_left", "i8", Sees.ALL),
    Field("discards", "i8", Sees.ALL),
    Field("turned", "i8", Sees.ALL),  # the discards that became the stock last: everyone has seen them
    Field("asked", "i8", Sees.ALL, (SEAT_BITS,)),  # who could go out at the deal
    Field("sizes", "i8", Sees.ALL, (SEATS,)),
    Field("shown", "i8", Sees.ALL, (SEATS,)),  # those of the discards that still lie before their player
    Field("groups", "i8", Sees.ALL, (SEATS,)),  # as which groups: a byte each, its number plus one
    Field("stock", "i8", Sees.NOBODY),
    Field("hands", "i8", Sees.GAME, (SEATS,)),  # the owner's own, until they are compared
    Field("dealt", "i8", Sees.OWNER, (SEATS,)),  # the five cards dealt, while nothing has been put down
    Field("kept", "i8", Sees.OWNER, (SEATS,)),  # of a hand, what was held when the discards were turned over
)
