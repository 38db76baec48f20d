"""How a temper changes what a bot of Multiple 9 does. Compiled; it looks only at what everyone sees.

The question of the game is when to put groups down. Who holds everything back wins most, and is dull to sit
with: at the level of a first match most characters put groups down as people do, each in their own way.
Cautious ones do not like a full hand, bold ones lay when they feel like it, and a copycat does it once
someone has. Stubborn and steady ones hold on to theirs, and so do nearly all of them from the next level on.
"""

from ninefold.game.multiple9.fields import DONE, NOTHING
from ninefold.kernel.compile import kernel
from ninefold.kernel.stream import below
from ninefold.kernel.temper import BOLDNESS, COPYCAT, HABIT, STUBBORN

MANY = 7  # cards that make a cautious bot put some down
UNEASY = 6  # percent of its decisions then, for each step
HOLDS = 30  # percent of the groups that a bold bot does not put down, for each step
FOLLOWS = 35
# At a sociable level: how likely each puts something down if it can, in percent, and with how many cards.
FULL_HAND, EASED = 6, 70
DARES = 35
COPIES = 60


@kernel
def lays_down(s, seat, params, sociable, stream):
    """Whether a bot that would keep its cards puts a group down."""
    percent = below(stream, 100)
    if params[HABIT] == COPYCAT:
        return s.discards != 0 and percent < (COPIES if sociable else FOLLOWS)
    if sociable and params[BOLDNESS] > 0:
        return percent < DARES
    if sociable and params[BOLDNESS] < 0:
        return s.sizes[seat] >= FULL_HAND and percent < EASED
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
