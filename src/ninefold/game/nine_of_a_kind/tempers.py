"""How a temper changes how many cards of a blocker a bot of 9 of a Kind collects. Compiled.

Cautious bots are content with a blocker a little sooner, bold ones go for more cards of one kind.
"""

from ninefold.kernel.compile import kernel
from ninefold.kernel.temper import BOLDNESS

STEP = 4  # percent of rounds in which one step of boldness wants one card more


@kernel
def aim(goal, sooner, params):
    """How many cards to collect, and the percent of rounds in which it is one less."""
    wanted = 100 * goal - sooner + STEP * params[BOLDNESS]
    goal = -(-wanted // 100)
    return goal, 100 * goal - wanted
