"""The fields of a position of Baseball, and the numbers that stand for moves, stages, places and points.

A face-down card that nobody has looked at is not decided yet: its place holds UNSEEN, and `unseen` holds the
cards it may be. For the discards, only the top card and the number of each kind are kept: a player who takes
the top card puts another on the pile (R3.3), so the card beneath it is never seen again.
"""

import numpy as np

from ninefold.kernel.fields import COMMON, SEATS, Field, Sees, public

# What a seat may do: the first id of each verb, whose ids follow the places r1c1 to r3c3
LOOK, TURN_UP, FLIP, TAKE, DRAW, DISCARD, PUT, ACTIONS = 0, 9, 13, 22, 31, 32, 33, 42
FIRST, SECOND = 1, 2  # TURN_UP + FIRST + SECOND turns up both

# What is awaited: a move while LOOKING, SHOWING, at a TURN and with a card DRAWN, else a card
OPENING, LOOKING, LOOKED, SHOWING, TURN, FLIPPED, DREW, DRAWN, REPLACED, RISING, OVER = range(11)

PLACES = 9
EVERY_PLACE = (1 << PLACES) - 1
LEFT_COLUMN = 0b001_001_001
NOTHING = -1  # no card, no place, nobody
UNSEEN = -1  # a face-down card that nobody, or a viewer, has seen

DECK = 54
MOST_DECKS = 16
JOKERS = 13  # their rank
VALUE = np.array([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 15, 25, 0, -2])  # R1.2, by rank

FIELDS = (
    *COMMON,
    *public("decks", "innings", "clear_jokers", "turn_limit", "stage"),
    Field("mover", "i8", Sees.ALL),  # whose turn it is, whether they or chance must act
    Field("spot", "i8", Sees.ALL),  # the mover's place for which a card is awaited
    *public("look_1", "look_2"),  # the places that the mover has looked at in R2.3
    Field("drawn", "i8", Sees.GAME),  # the drawer's own until it is discarded or put
    Field("top", "i8", Sees.ALL),  # of the discards
    Field("in_shoe", "i8", Sees.ALL),  # how many cards are in the shoe
    Field("renewed", "i8", Sees.ALL),  # 1 once the discards have become the shoe
    Field("out", "i8", Sees.ALL),  # who has gone out
    Field("closing", "i8", Sees.ALL),  # 1 while all turn up their cards at the turn limit
    Field("ended", "i8", Sees.ALL),  # 1 after a game, its hands still on the table
    Field("first", "i8", Sees.ALL),  # who begins this game
    Field("inning", "i8", Sees.ALL),
    Field("turns_here", "i8", Sees.ALL),  # turns begun in this game
    *public("columns", "reshuffles", "ended_out", "ended_limit", "out_was_best"),  # for tallies, all innings
    Field("unseen", "i8", Sees.GAME, (MOST_DECKS,)),  # of the original shoe, what nobody (or a viewer) saw
    Field("stock", "i8", Sees.GAME, (MOST_DECKS,)),  # the shoe made of discards
    Field("pile", "i8", Sees.ALL, (MOST_DECKS,)),  # the discards
    Field("left", "i8", Sees.ALL, (SEATS,)),  # bits: the places that hold a card
    Field("up", "i8", Sees.ALL, (SEATS,)),  # bits: those whose card is face up
    Field("known", "i8", Sees.ALL, (SEATS,)),  # bits: those face down that the owner has looked at
    Field("totals", "i8", Sees.ALL, (SEATS,)),  # of the innings before this one
    Field("cards", "i1", Sees.GAME, (SEATS, 16)),  # kinds of cards; a cleared place keeps its last one
)
