"""How a temper changes what a bot of Baseball does. Compiled; it looks only at what its seat knows.

A layer over every level: bold bots would rather draw an unknown card than take a known one, and turn up their
last card sooner; cautious ones put that off.
"""

from ninefold.game.baseball.fields import DISCARD, DRAW, FLIP, PUT, TAKE
from ninefold.kernel.compile import kernel, noinline
from ninefold.kernel.stream import below
from ninefold.kernel.temper import BOLDNESS

DARES = 6  # percent of the cards taken that one step of boldness changes into a draw
ENDS = 14  # percent of decisions with one card left to turn up


@noinline
def tempered(move, hidden, late, params, stream):
    """The level's move, or what the temper makes of it; `hidden` are the places face down, as bits."""
    boldness = params[BOLDNESS]
    one_left = hidden != 0 and hidden & (hidden - 1) == 0
    percent = below(stream, 100)
    if late:
        return move
    if boldness > 0 and move == DRAW and one_left and percent < ENDS * boldness:
        place = 0
        while hidden >> place & 1 == 0:
            place += 1
        return FLIP + place
    if boldness > 0 and TAKE <= move < DRAW and not one_left and percent < DARES * boldness:
        return DRAW
    if boldness < 0 and one_left and percent < -ENDS * boldness:
        return put_off(move, hidden)
    return move


@kernel
def put_off(move, hidden):
    """A move that does not turn up the last card, in place of one that does."""
    if move >= PUT and hidden >> (move - PUT) & 1 != 0:
        return DISCARD
    if TAKE <= move < DRAW and hidden >> (move - TAKE) & 1 != 0:
        return DRAW
    return DRAW if FLIP <= move < TAKE else move
