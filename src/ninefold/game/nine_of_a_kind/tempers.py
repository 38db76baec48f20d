"""How a temper changes how a bot of 9 of a Kind trades, and how large a blocker it collects. Compiled.

What is traded away is the level's choice, and so is which of the claims it makes. A temper chooses how: bold
ones make offers of their own, cautious ones offer one card at a time, copycats answer what others offer, and
stubborn ones leave others' offers alone. Cautious bots are also content with a blocker a little sooner, and
bold ones go for more cards of one kind.
"""

from ninefold.game.nine_of_a_kind.parcels import FIRST
from ninefold.game.nine_of_a_kind.rules import ANSWER, CENTRE, WITHDRAW
from ninefold.kernel.compile import kernel
from ninefold.kernel.stream import below
from ninefold.kernel.temper import BOLDNESS, COPYCAT, HABIT, NO_HABIT

STEP = 4  # percent of rounds in which one step of boldness wants one card more
NERVE = 12  # percent of trades that one step of boldness changes; twice as many offers of several cards
SWAY = 60  # percent of trades that a habit changes
USUAL, OFFERS, SINGLES, ANSWERS, OWN = range(5)  # ways to trade


@kernel
def aim(goal, sooner, params):
    """How many cards to collect, and the percent of rounds in which it is one less."""
    wanted = 100 * goal - sooner + STEP * params[BOLDNESS]
    goal = -(-wanted // 100)
    return goal, 100 * goal - wanted


@kernel
def manner(move, params, stream):
    """How to trade instead of the level's own way; only a temper takes a draw."""
    boldness, habit = params[BOLDNESS], params[HABIT]
    if (boldness == 0 and habit == NO_HABIT) or move >= WITHDRAW:
        return USUAL
    percent = below(stream, 100)
    if habit != NO_HABIT and percent < SWAY:
        if habit == COPYCAT:
            return ANSWERS if move < ANSWER else USUAL
        return OWN if move >= ANSWER else USUAL
    if boldness > 0 and percent < NERVE * boldness and move >= CENTRE:
        return OFFERS
    if boldness < 0 and percent < -2 * NERVE * boldness and FIRST[2] <= move < CENTRE:
        return SINGLES
    return USUAL
