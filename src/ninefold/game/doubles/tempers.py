"""How a temper changes what a bot of Doubles does. Compiled; public facts only, so it never peeks.

A layer over every level: the level decides first, and now and then the temper decides otherwise. It does not
where there is little to think about: before the third seven, for the last player in, and in the last round.
"""

from ninefold.game.doubles.habits import OWN, after_third_seven
from ninefold.game.doubles.rules import CASH_OUT, STAY
from ninefold.kernel import seats
from ninefold.kernel.compile import kernel, noinline
from ninefold.kernel.stream import below
from ninefold.kernel.temper import BOLDNESS, COPYCAT, HABIT, STUBBORN

EASY, MEDIUM = 4, 5
NERVE = 16  # percent of decisions that one step of boldness changes
SWAY = 75  # percent of decisions that a habit changes, of `easy` and `medium`
SLIGHT = 30  # the same of the levels above, which would pay more for it
LONGEST = 250  # rolls past the third seven that can be remembered


@kernel
def rivals_in(s, seat):
    """How many rivals are still in."""
    number = 0
    for other in range(s.players):
        if other != seat and seats.has(s.inside, other):
            number += 1
    return number


@kernel
def notice(s, late, rivals, memory):
    """The place at which a rival last cashed out, plus one; 0 if none was seen. Kept in a word of memory."""
    word = memory[OWN]
    copied = word & 255
    if word >> 32 == s.round_number and rivals < (word >> 16) & 0xFFFF:
        copied = (word >> 8) & 255
    late = min(late, LONGEST)
    memory[OWN] = copied | (late + 1) << 8 | min(rivals, 0xFFFF) << 16 | s.round_number << 32
    return copied


@noinline
def tempered(bot, s, seat, move, params, memory, stream):
    """The level's move, or what the temper makes of it."""
    late = after_third_seven(s, memory)
    if late < 0:
        return move
    rivals = rivals_in(s, seat)
    copied = notice(s, late, rivals, memory)
    if rivals == 0 or s.round_number >= s.rounds_high:
        return move
    percent = below(stream, 100)
    sway = SWAY if bot in (EASY, MEDIUM) else SLIGHT
    if params[HABIT] == COPYCAT and copied > 0 and percent < sway:
        return CASH_OUT if late >= copied - 1 else STAY
    if params[HABIT] == STUBBORN and late > 0 and percent < sway:
        return STAY  # it stayed once, so it stays again
    boldness = params[BOLDNESS]
    if boldness > 0 and move == CASH_OUT and percent < NERVE * boldness:
        return STAY
    if boldness < 0 and move == STAY and percent < -NERVE * boldness:
        return CASH_OUT
    return move
