"""The position of Multiple 9 Hold'em: its fields, the numbers that stand for moves, phases and cards, and
helpers for Python code.
"""

from __future__ import annotations

from typing import Any

from ninefold.game.holdem9 import BREAK
from ninefold.kernel.cards import STANDARD, Card
from ninefold.kernel.fields import COMMON, NOBODY, SEATS, Field, Sees, public

HOLE, BET, BOARD, SHOW, PAUSE = range(5)  # phases
NO_LIMIT, POT_LIMIT, FIXED_LIMIT = range(3)
BETS = 4  # R3.8
FOLD, CALL = 0, 1  # moves; between them and the last ones lie the amounts
DEAL_IN, SIT_OUT, LEAVE = BREAK, BREAK + 1, BREAK + 2
FULL = (1 << STANDARD.size) - 1
FACE_DOWN = STANDARD.size  # the outcome "a card nobody has seen"; in a hand, bits from here on are such cards

FIELDS = (
    *COMMON,
    Field("phase", "i8", Sees.ALL),
    Field("player", "i8", Sees.ALL),  # who gets the next card, acts or has acted last
    Field("button", "i8", Sees.ALL),
    Field("hand", "i8", Sees.ALL),  # its number in the session, from 1
    Field("street", "i8", Sees.ALL),  # 0 before the flop, 3 at the river
    Field("dealt", "i8", Sees.ALL),  # hole cards dealt in this hand
    *public("small", "big", "fee"),  # the blinds and the ante of this hand
    Field("highest", "i8", Sees.ALL),  # the largest bet of the round
    Field("full_raise", "i8", Sees.ALL),  # the size of the last full bet or raise
    Field("raises", "i8", Sees.ALL),  # full bets and raises of the round
    Field("pot", "i8", Sees.ALL),  # all chips paid in this hand
    Field("showdowns", "i8", Sees.ALL),  # in this session
    Field("seated", "i8", Sees.ALL),  # those dealt in
    Field("live", "i8", Sees.ALL),  # of them, those who have not folded
    Field("able", "i8", Sees.ALL),  # of them, those with chips to bet
    Field("pending", "i8", Sees.ALL),  # those still to act in the round, or to decide between hands
    Field("fresh", "i8", Sees.ALL),  # those who have not acted since the last full raise
    Field("shown", "i8", Sees.ALL),  # those whose cards are shown
    Field("away", "i8", Sees.ALL),  # those who are sitting out
    Field("gone", "i8", Sees.ALL),  # those who have left for good
    Field("deck", "i8", Sees.NOBODY),  # 0 between hands: otherwise it would give away folded cards
    Field("board", "i8", Sees.ALL),  # six bits a card, from 1 up, the first card lowest
    *public("ante", "betting", "hands", "rise", "breaks", "show_folded"),
    Field("blinds", "i8", Sees.ALL, (2,)),
    Field("stack", "i8", Sees.ALL, (SEATS,)),  # bought in
    Field("chips", "i8", Sees.ALL, (SEATS,)),
    Field("bets", "i8", Sees.ALL, (SEATS,)),  # in this round
    Field("paid", "i8", Sees.ALL, (SEATS,)),  # in this hand
    Field("won", "i8", Sees.ALL, (SEATS,)),  # from the pots of the last hand, until the next is dealt
    Field("power", "i8", Sees.ALL, (SEATS,)),  # strengths at the last showdown, until the next deal
    Field("hole", "i8", Sees.GAME, (SEATS,)),
)


def board_cards(s: Any) -> list[Card]:
    """The cards on the board, in the order they were dealt."""
    return [card - 1 for place in range(5) if (card := int(s.board) >> 6 * place & 63)]


def dealt_in(s: Any) -> list[int]:
    """The players of the hand, in dealing order (R2.4)."""
    players, button, seated = int(s.players), int(s.button), int(s.seated)
    clockwise = [(button + step) % players for step in range(1, players + 1)]
    return [seat for seat in clockwise if seated >> seat & 1]


def hand_ended(before: Any, after: Any) -> bool:
    """Whether a step was the last of a hand."""
    ended = after.hand != before.hand or after.seated == 0 or after.actor == NOBODY
    return bool(before.seated and ended)
