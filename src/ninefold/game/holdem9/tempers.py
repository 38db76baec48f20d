"""How a temper changes what a bot of Hold'em does. Compiled; it looks only at bets, which everyone sees.

A layer over every level: close decisions, where a call is cheap or a bet is free, go the bot's own way now
and then. A stubborn bot that has paid for its hand folds less; a copycat bets when others bet.
"""

from ninefold.game.holdem9 import RAISE
from ninefold.game.holdem9.fields import CALL, FOLD
from ninefold.game.holdem9.rules import legal
from ninefold.kernel.compile import noinline
from ninefold.kernel.stream import below
from ninefold.kernel.temper import BOLDNESS, COPYCAT, HABIT, STUBBORN

LOOSE = 7  # percent of cheap folds and of free calls that one step of boldness changes
TIGHT = 9  # the same for calls and raises of a cautious bot
PROUD = 20  # percent of a stubborn bot's folds
FOLLOWS = 20  # percent of a copycat's decisions


@noinline
def tempered(s, seat, move, spans, params, stream):
    """The level's move, or what the temper makes of it."""
    cost = min(s.highest - s.bets[seat], s.chips[seat])
    cheap = 4 * cost <= s.pot + cost
    percent = below(stream, 100)
    boldness = params[BOLDNESS]
    raises = move > CALL
    if boldness > 0:
        if move == FOLD and cheap and percent < LOOSE * boldness:
            return CALL
        if move == CALL and cost == 0 and percent < LOOSE * boldness:
            return bet(s, seat, spans)
    if boldness < 0:
        if move == CALL and cost > s.big // 2 and percent < -TIGHT * boldness:
            return FOLD
        if raises and percent < -2 * TIGHT * boldness:
            return CALL
    if params[HABIT] == STUBBORN and move == FOLD and s.paid[seat] > s.big and cheap and percent < PROUD:
        return CALL
    if params[HABIT] == COPYCAT and s.street > 0 and percent < FOLLOWS:
        if raises and cost == 0:
            return CALL  # nobody else bets
        if move == CALL and cost > 0 and s.raises < 2:
            return bet(s, seat, spans)
    return move


@noinline
def bet(s, seat, spans):
    """Bet or raise by half the pot, or call if that is not possible."""
    n = legal(s, seat, spans)
    wanted = RAISE + s.highest + max(s.big, s.pot // 2)
    for span in range(n):
        if spans[span, 1] > CALL:
            return max(spans[span, 0], CALL + 1, min(spans[span, 1], wanted))
    return spans[0, 0] - spans[0, 0] + CALL
