"""How a temper changes what a bot of Multiple 9 does. Compiled; it looks only at what everyone sees.

The question of the game is when to put groups down. Cautious bots do not like a full hand and put some down
before they have to, bold and stubborn ones hold on to theirs, and a copycat does it once someone has done it.
"""

from ninefold.game.multiple9.fields import DONE, NOTHING
from ninefold.kernel.compile import kernel
from ninefold.kernel.stream import below
from ninefold.kernel.temper import BOLDNESS, COPYCAT, HABIT, STUBBORN

MANY = 7  # cards that make a cautious bot put some down
UNEASY = 6  # percent of its decisions then, for each step
HOLDS = 30  # percent of the groups that a bold bot does not put down, for each step
FOLLOWS = 35


@kernel
def lays_down(s, seat, params, stream):
    """Whether a bot that would keep its cards puts a group down."""
    percent = below(stream, 100)
    if params[HABIT] == COPYCAT:
        return s.discards != 0 and percent < FOLLOWS
    return s.sizes[seat] >= MANY and percent < -UNEASY * params[BOLDNESS]


@kernel
def holds_on(move, s, params, stream):
    """Whether a bot that would put down a group keeps it instead."""
    if move >= DONE or s.laid != NOTHING:
        return False
    percent = below(stream, 100)
    if params[HABIT] == STUBBORN:
        return percent < HOLDS
    return percent < HOLDS * params[BOLDNESS]
