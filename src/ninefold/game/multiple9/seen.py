"""What a bot of Multiple 9 may know, one function for each fact: `@nf.bot` and docs/api.md have no others.

Ranks are 1 for the ace to 13 for the king.
"""

from ninefold.game.multiple9 import fields
from ninefold.game.nines import CARDS_OF, NINES_OF, PACKED, number_of
from ninefold.kernel.compile import kernel
from ninefold.kernel.seen import seat_of

LIMITS = {"rank": (1, 13)}


@kernel
def hand(s, seat, rank):
    """Cards of a rank in your hand."""
    return number_of(s.hands[seat], rank - 1)


@kernel
def discards(s, seat, rank):
    """Cards of a rank among the discards."""
    return number_of(s.discards, rank - 1)


@kernel
def turned(s, seat, rank):
    """Cards of a rank that were in the discards when they became the stock last."""
    return number_of(s.turned, rank - 1)


@kernel
def stock(s, seat):
    """Cards in the stock."""
    return s.stock_left


@kernel
def size(s, seat, player):
    """Cards in a player's hand."""
    return s.sizes[seat_of(s, seat, player)]


@kernel
def idle(s, seat):
    """Turns in succession in which nobody drew or put anything down."""
    return s.idle


@kernel
def laid(s, seat):
    """What you have put down in this turn: 0 nothing, 1 a lone nine, 2 groups."""
    return s.laid


@kernel
def may_go_out(s, seat):
    """1 if you are asked whether you go out with the cards dealt."""
    return 1 if s.phase == fields.OUT else 0


@kernel
def done(s, seat):
    """The move: end the turn."""
    return fields.DONE


@kernel
def go_out(s, seat):
    """The move: go out with the cards dealt."""
    return fields.GO_OUT


@kernel
def wait(s, seat):
    """The move: do not go out with the cards dealt."""
    return fields.WAIT


@kernel
def cards(s, seat, move):
    """Cards that a move puts down."""
    if move == fields.GO_OUT:
        return s.sizes[seat]
    return CARDS_OF[move] if move < fields.DONE else 0


@kernel
def multiple(s, seat, move):
    """Of the group that a move puts down: how many times nine it totals."""
    return NINES_OF[move] if move < fields.DONE else 0


@kernel
def uses(s, seat, move, rank):
    """Cards of a rank in the group that a move puts down."""
    return number_of(PACKED[move], rank - 1) if move < fields.DONE else 0
