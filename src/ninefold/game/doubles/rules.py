"""The rules of Doubles (RULES.md beside this file): two dice, one running total, cash out in time.

Only rules: no texts, no drawing, no bots, no clock. Numbers such as R3.2 are those of RULES.md.
"""

from ninefold.kernel import dice, seats
from ninefold.kernel.compile import kernel
from ninefold.kernel.fields import CHANCE, COMMON, EVERYONE, NOBODY, SEAT_BITS, SEATS, Field, Sees
from ninefold.kernel.stream import below

STAY, CASH_OUT = 0, 1  # what a seat may do
END, GO_ON = dice.OUTCOMES, dice.OUTCOMES + 1  # what chance may do besides the 21 rolls

LAST_SEVEN = 4  # R3.4
CEILING = 2**62  # R5.3

FIELDS = (
    *COMMON,
    Field("total", "i8", Sees.ALL),
    Field("sevens", "i8", Sees.ALL),
    Field("rolls", "i8", Sees.ALL),  # in this round
    Field("last_roll", "i8", Sees.ALL),  # one of the 21 outcomes, -1 before the first roll
    Field("roller", "i8", Sees.ALL),  # who rolls next, or has just rolled
    Field("inside", "i8", Sees.ALL, (SEAT_BITS,)),
    Field("undecided", "i8", Sees.ALL, (SEAT_BITS,)),
    Field("cashing", "i8", Sees.OWNER, (SEAT_BITS,)),  # sealed until all have decided, R4.2
    Field("rounds_low", "i8", Sees.ALL),
    Field("rounds_high", "i8", Sees.ALL),
    Field("round_number", "i8", Sees.ALL),
    Field("closing", "i8", Sees.ALL),  # 1 while chance says whether this was the last round
    Field("busts", "i8", Sees.ALL),  # rounds that a fourth seven ended
    Field("scores", "i8", Sees.ALL, (SEATS,)),
)


@kernel
def effect(total, is_first, one, other):
    """What a roll does: how much it adds to the total, and to the sevens."""
    if one == other:
        if is_first:
            return 100 * one, 0  # R3.1
        return total, 0  # R3.2
    if one + other == 7:
        return 75, 1  # R3.3
    return one + other, 0  # R3.5


@kernel
def add_up(amount, more):
    """Add a gain to a total or a score, up to the ceiling."""
    return amount + more if amount <= CEILING - more else CEILING  # R5.3


@kernel
def begin(s):
    s.round_number = 0
    s.roller = s.players - 1
    begin_round(s)


@kernel
def begin_round(s):
    s.round_number += 1
    s.total = 0
    s.sevens = 0
    s.rolls = 0
    s.last_roll = -1
    seats.fill(s.inside, s.players)
    pass_dice(s)


@kernel
def pass_dice(s):
    """Pass the dice to the next player who is still in."""
    seat = s.roller
    while True:  # R2.2
        seat += 1
        if seat >= s.players:
            seat = 0
        if seats.has(s.inside, seat):
            break
    s.roller = seat
    s.actor = CHANCE


@kernel
def legal(s, seat, out):
    """Spans of the actions that `seat` may play now."""
    if s.actor != EVERYONE or not seats.has(s.inside, seat) or seats.has(s.cashing, seat):
        return 0
    out[0, 0] = STAY if seats.has(s.undecided, seat) else CASH_OUT  # R4.3
    out[0, 1] = CASH_OUT
    return 1


@kernel
def count_moves(s, seat):
    """How many actions `legal` gives."""
    if s.actor != EVERYONE or not seats.has(s.inside, seat) or seats.has(s.cashing, seat):
        return 0
    return 2 if seats.has(s.undecided, seat) else 1


@kernel
def nth_move(s, seat, n):
    """The n-th of them."""
    return n if seats.has(s.undecided, seat) else CASH_OUT


@kernel
def refuse(s, seat, action):
    """0 if `seat` may play `action`, else the number of the rule that forbids it."""
    if s.actor == NOBODY:
        return 502
    if not seats.has(s.inside, seat):
        return 405
    if s.actor != EVERYONE:
        return 401
    if seats.has(s.cashing, seat):
        return 404
    if action == STAY and not seats.has(s.undecided, seat):
        return 403
    return 0


@kernel
def play(s, seat, action):
    if action == CASH_OUT:
        seats.add(s.cashing, seat)
    seats.drop(s.undecided, seat)
    if seats.is_empty(s.undecided):  # R4.2
        settle(s)


@kernel
def settle(s):
    """All have decided: pay those who cash out, then roll on or end the round."""
    if not seats.is_empty(s.cashing):
        for seat in range(s.scores.size):  # a constant, so that the position can stay in registers
            if seats.has(s.cashing, seat):
                s.scores[seat] = add_up(s.scores[seat], s.total)  # R4.4
                seats.drop(s.inside, seat)
        seats.clear(s.cashing)
        if seats.is_empty(s.inside):
            return end_round(s)  # R5.1
    return pass_dice(s)


@kernel
def end_round(s):
    if s.round_number >= s.rounds_high:
        s.actor = NOBODY  # R5.2
    elif s.round_number >= s.rounds_low:
        s.closing = 1  # R2.4
        s.actor = CHANCE
    else:
        begin_round(s)


@kernel
def outcomes(s, out, weight):
    """What chance may do now, with integer weights."""
    if s.closing:
        out[0], weight[0] = END, 1  # R2.4
        out[1], weight[1] = GO_ON, s.rounds_high - s.round_number
        return 2
    for outcome in range(dice.OUTCOMES):
        out[outcome], weight[outcome] = outcome, dice.WEIGHT[outcome]
    return dice.OUTCOMES


@kernel
def sample(s, stream):
    if s.closing:
        return END if below(stream, s.rounds_high - s.round_number + 1) == 0 else GO_ON
    return dice.roll(stream)


@kernel
def chance(s, action):
    if s.closing:
        s.closing = 0
        if action == END:
            s.actor = NOBODY
        else:
            begin_round(s)
        return
    gain, seven = effect(s.total, s.rolls == 0, dice.FIRST[action], dice.SECOND[action])
    s.turns += 1
    s.rolls += 1
    s.last_roll = action
    s.sevens += seven
    if s.sevens == LAST_SEVEN:
        s.total = 0  # R3.4
        s.busts += 1
        seats.clear(s.inside)
        end_round(s)
    else:
        s.total = add_up(s.total, gain)
        seats.become(s.undecided, s.inside)  # R4.1
        s.actor = EVERYONE


@kernel
def thrower(s):
    """The seat that throws the dice, when it is chance's turn."""
    return NOBODY if s.closing else s.roller  # R2.2


@kernel
def awaited(s, out):
    """The seats whose decision is awaited."""
    return seats.members(s.undecided, s.players, out)


@kernel
def ask(s, stream):
    """Whom a simulation asks next: the lowest undecided seat."""
    return seats.lowest(s.undecided)


@kernel
def redeal(s, seat, stream):
    """Replace what `seat` cannot know: the sealed decisions of the others."""
    for other in range(s.players):
        decided = seats.has(s.inside, other) and not seats.has(s.undecided, other)
        if s.actor == EVERYONE and other != seat and decided:
            seats.drop(s.cashing, other)
            if below(stream, 2) == 1:
                seats.add(s.cashing, other)


@kernel
def observe(s, seat, out):
    """What `seat` knows, as numbers: the round, then its own standing, then the others' in turn."""
    out[0] = s.total
    out[1] = s.sevens
    out[2] = s.rolls
    out[3] = s.round_number
    out[4] = s.rounds_low
    out[5] = s.rounds_high
    out[6] = seats.has(s.cashing, seat)
    size = 7
    for step in range(s.players):
        other = (seat + step) % s.players
        out[size] = s.scores[other]
        out[size + 1] = seats.has(s.inside, other)
        out[size + 2] = seats.has(s.undecided, other)
        size += 3
    return size


@kernel
def tally(s, out):
    """What a simulation counts besides scores and length."""
    out[0] = s.busts
    out[1] = s.round_number
