"""Compiled bots of Doubles. They get the whole position for speed; a law proves that none of them peeks."""

import math
from typing import Any

import numpy as np

from ninefold.game.doubles.expert import expert
from ninefold.game.doubles.habits import RIVALS, after_third_seven, counted, counts, learn, place_of
from ninefold.game.doubles.rules import CASH_OUT, LAST_SEVEN, STAY, legal
from ninefold.game.doubles.tempers import tempered
from ninefold.kernel import seats
from ninefold.kernel.bots import pick_uniformly
from ninefold.kernel.compile import kernel, noinline
from ninefold.kernel.stack import stack_copy
from ninefold.kernel.stream import below
from ninefold.kernel.temper import BOLDNESS, HABIT

RANDOM, NEVER, THRESHOLD, WAIT, EASY, MEDIUM, HARD, EXPERT, PATIENCE = range(9)

DEEP = 3  # rolls that `hard` looks ahead when it is the last one in
FIRST_GUESS = 0.5  # how likely an unknown rival is to cash out at each decision after the third seven
DOUBT = 2  # decisions of a rival after which its past weighs as much as the first guess
HERE = 0.3  # the same for what it does this long after the third seven
PART = 1.0 / (np.arange(16) + HERE)
KNOWN = 0.95  # how far a rival's habits are trusted
AHEAD = 6  # rolls that it looks ahead
SHALLOW = 2  # the same further ahead
SAFE, SEVEN = 5 / 6, 1 / 6  # what a roll is
FEW = range(DEEP + 1)
DOUBLED = np.array(  # by rolls that are no seven: how likely that number of them are doubles
    [[math.comb(rolls, n) * 0.2**n * 0.8 ** (rolls - n) for n in FEW] for rolls in FEW]
)
FOREVER = 100  # rounds after which nothing more changes
CERTAIN = 0.98  # a probability that is taken for 1
UNLIKELY = 0.1  # that all rivals are still in: it looks no further
CLEAR = 14.0  # how many times NERVE a gain is that leaves nothing to chance
STEPS = 16  # of each time NERVE
# Of 2 ** 20, how often it cashes out: a logistic curve, worked out before because an exponential takes long.
OFTEN = np.array(
    [round(2**20 / (1 + math.exp((at + 0.5) / STEPS - CLEAR))) for at in range(int(2 * CLEAR) * STEPS + 1)]
)
NERVE = 0.03  # the gain at which it cashes out three times out of four, as a part of what is at stake


@kernel
def never(s, seat, spans, n, params, memory, stream):
    """Never cash out."""
    return STAY


@kernel
def threshold(s, seat, spans, n, params, memory, stream):
    """Cash out once the total has reached the number given."""
    return CASH_OUT if s.total >= params[0] else STAY


@kernel
def wait(s, seat, spans, n, params, memory, stream):
    """Cash out a given number of rolls after the third seven."""
    return CASH_OUT if after_third_seven(s, memory) >= params[0] else STAY


@kernel
def patience(s, seat):
    """Never be the first to cash out; once alone, roll until ahead of everyone."""
    if s.sevens < LAST_SEVEN - 1:
        return STAY
    best = np.int64(0)
    for other in range(s.players):
        if other != seat:
            if seats.has(s.inside, other):
                return STAY
            best = max(best, s.scores[other])
    return CASH_OUT if s.scores[seat] + s.total > best else STAY


@kernel
def now_and_then(stream, percent):
    """True with this chance, in per cent."""
    return below(stream, 100) < percent


@kernel
def easy(s, seat, spans, n, params, memory, stream):
    """Cash out at the third seven or soon after, or sooner when the total looks nice."""
    if s.sevens == LAST_SEVEN - 1:
        return CASH_OUT if now_and_then(stream, 60) else STAY
    return CASH_OUT if s.total >= 300 and now_and_then(stream, 10) else STAY


@kernel
def medium(s, seat, spans, n, params, memory, stream):
    """Wait for the third seven and most often one more roll; now and then take a good total sooner."""
    late = after_third_seven(s, memory)
    if late < 0:
        return CASH_OUT if s.total >= 400 and now_and_then(stream, 3) else STAY
    return CASH_OUT if now_and_then(stream, 10 if late == 0 else 85) else STAY


KEPT = (2.0 / 3.0) ** np.arange(FOREVER + 1)  # how likely a lead lasts for 0, 1, 2, … rounds, between equals

PLAN = np.dtype(
    [
        ("upset", "f8"),  # the chance that a rival just behind overtakes a player it knows nothing about
        ("scale", "f8"),  # the lead that halves it
        ("regain", "f8"),  # the chance of a player who is just behind a rival whose habits it knows
        ("depth", "f8"),  # how fast it falls with the points behind
        ("even", "f8"),
        ("none", "f8", (AHEAD + 1,)),  # by rolls ahead: the chance that no rival in cashes out
        ("totals", "f8", (AHEAD + 1,)),  # the totals to expect then
        ("usual", "f8", (RIVALS,)),
        ("unknown", "f8"),
    ]
)
BLANK_PLAN: Any = np.zeros(1, PLAN).view(np.recarray)


@kernel
def look_ahead(plan, rounds):
    """Prepare `chance_to_win` for a number of rounds left.

    It is the mean of two answers. Between equals the lead changes hands in one round of six. Against a rival
    whose habits are known a lead is kept for good, by cashing out together, and can be won back.
    """
    plan.even = 0.5
    if rounds > 0:
        plan.upset = (1.0 - KNOWN) * 0.5 * (1.0 - KEPT[min(rounds, FOREVER)])
        plan.scale = 1.0 / (700.0 + 410.0 * rounds)
        plan.regain = KNOWN * (1.0 - 0.25 / math.sqrt(rounds))
        plan.depth = 1.0 / (17.0 * rounds * rounds)
        plan.even = (1.0 - KNOWN) * 0.5 + plan.regain


@kernel
def chance_to_win(plan, lead):
    """About how likely a lead over the best rival is to last for the rounds left."""
    if lead > 0:
        return 1.0 - plan.upset / (1.0 + lead * plan.scale)
    if lead == 0:
        return plan.even
    near = 1.0 - lead * plan.scale
    far = 1.0 + math.sqrt(-lead * plan.depth)
    return (plan.upset * far + plan.regain * near) / (near * far)


@kernel
def alone(plan, own, best, total, deep):
    """The chance to win for the last player in, who rolls on: the best of some numbers of rolls."""
    lost = chance_to_win(plan, own - best)
    most = 0.0
    safe = 1.0
    for rolls in range(1, deep + 1):
        safe *= SAFE
        value = 0.0
        doubled = total
        for doubles in range(rolls + 1):
            value += DOUBLED[rolls, doubles] * chance_to_win(
                plan, own + doubled + 7 * (rolls - doubles) - best
            )
            doubled *= 2
        most = max(most, (1 - safe) * lost + safe * value)
    return most


@kernel
def usually_stay(plan, s, seat, memory):
    """How likely each rival still in is to cash out at other times, a little of which counts at any time.

    One that never cashed out is not expected to do so now.
    """
    plan.unknown = 1.0
    for other in range(s.players):
        if other != seat and seats.has(s.inside, other):
            if other < RIVALS:
                chances, cashed = counted(memory, other, s.players)
                plan.usual[other] = HERE * (1.0 - (cashed + FIRST_GUESS * DOUBT) / (chances + DOUBT))
            else:
                plan.unknown *= 1.0 - FIRST_GUESS


@kernel
def nobody_cashes(plan, s, seat, place, memory):
    """How likely no rival still in is to cash out at a place of the round, judged by their past."""
    none = plan.unknown
    for other in range(min(s.players, RIVALS)):
        if other != seat and seats.has(s.inside, other):
            chances, cashed = counts(memory, other, place)
            none *= (chances - cashed + plan.usual[other]) * PART[chances]
    return none


@kernel
def rounds_left(s):
    """Rounds after this one; the likely number if the last round is hidden."""
    return (max(s.rounds_low, s.round_number) + s.rounds_high + 1) // 2 - s.round_number


@kernel
def hard(s, seat, spans, n, params, memory, stream):
    """Stay until the third seven; then choose whatever makes winning the game likelier."""
    late = after_third_seven(s, memory)
    if late < 0:
        return STAY
    if s.players == 1:
        return CASH_OUT if late > 0 else STAY
    return weigh(stack_copy(s), seat, late, memory, stream)


@noinline
def weigh(s, seat, late, memory, stream):
    """Cash out with a probability that grows with how much likelier that makes winning the game.

    Rivals are taken together: at each decision the chance that none of those still in cashes out is the
    product of their habits. A rival that never cashes out is no threat, so two players who both wait for the
    other do not wait for ever.
    """
    learn(s, seat, late, memory)
    inside = -1.0
    outside = -1.0
    for other in range(s.players):
        score = np.float64(s.scores[other])
        if other != seat and seats.has(s.inside, other):
            inside = max(inside, score)
        elif other != seat:
            outside = max(outside, score)
    own = np.float64(s.scores[seat])
    total = np.float64(s.total)
    plan = stack_copy(BLANK_PLAN[0])
    look_ahead(plan, rounds_left(s))
    if inside < 0:
        gain = chance_to_win(plan, own + total - outside) - alone(plan, own, outside, total, DEEP)
    else:
        usually_stay(plan, s, seat, memory)
        gain = advantage(plan, s, seat, late, memory, inside, outside)
    best = max(inside, outside)
    stake = chance_to_win(plan, own + total - best) - chance_to_win(plan, own - best - total)
    drawn = below(stream, 1 << 20)
    doubt = -gain / (NERVE * stake + 1e-9)
    if doubt > CLEAR or doubt < -CLEAR:
        return STAY if doubt > 0.0 else CASH_OUT
    return CASH_OUT if drawn < OFTEN[int((doubt + CLEAR) * STEPS)] else STAY


@kernel
def after_cashing(plan, step, last, kept, cashed, inside, outside):
    """The chance to win for a player who has cashed out while rivals roll on, each by its habit."""
    value = 0.0
    here = 1.0
    for ahead in range(step + 1, last + 1):
        value += here * kept * SEVEN
        here *= SAFE
        if plan.none[ahead] < CERTAIN:
            lead = cashed - max(outside, inside + plan.totals[ahead])
            value += here * (1.0 - plan.none[ahead]) * chance_to_win(plan, lead)
            here *= plan.none[ahead]
        if here < 1.0 - CERTAIN:
            break
    return value + here * kept


@kernel
def advantage(plan, s, seat, late, memory, inside, outside):
    """How much likelier cashing out now makes winning the game than staying does.

    Works backwards from AHEAD rolls on, at the totals to expect then: `held` is the value of being in.
    """
    own = np.float64(s.scores[seat])
    total = np.float64(s.total)
    last = -1
    here = 1.0
    while last < AHEAD and here > UNLIKELY:
        last += 1
        plan.totals[last] = total
        plan.none[last] = nobody_cashes(plan, s, seat, place_of(late + last, s.players), memory)
        total = 1.2 * total + 5.6  # the mean after one more roll that is not a seven
        here *= plan.none[last]
    best = max(inside, outside)
    lost = chance_to_win(plan, own - best)
    lead = own - inside
    level = chance_to_win(plan, lead)  # where the rival has cashed out, too
    once = chance_to_win(plan, lead + 7)
    twice = chance_to_win(plan, lead + 14)
    held = lost
    gain = 0.0
    for step in range(last, -1, -1):
        total = plan.totals[step]
        none = plan.none[step]
        kept = chance_to_win(plan, own + total - best)
        cash = 0.0
        stay = none * (SEVEN * lost + SAFE * held)
        if none < CERTAIN:
            rival = inside + total
            if step > 0 and rival >= outside:  # the same as below, with values that do not change
                double = kept if inside == best else chance_to_win(plan, lead + total)
                cash = (1.0 - none) * level
                behind = chance_to_win(plan, lead - total)
                one = SEVEN * behind + SAFE * (0.8 * once + 0.2 * double)
                two = (1.0 - SAFE * SAFE) * behind + SAFE * SAFE * (
                    0.64 * twice
                    + 0.32 * chance_to_win(plan, lead + total + 7)
                    + 0.04 * chance_to_win(plan, lead + 3 * total)
                )
                stay += (1.0 - none) * max(one, two)
            else:
                rival = max(outside, rival)
                cash = (1.0 - none) * chance_to_win(plan, own + total - rival)
                stay += (1.0 - none) * alone(plan, own, rival, total, DEEP if step == 0 else SHALLOW)
        if none > 1.0 - CERTAIN:
            cash += none * after_cashing(plan, step, last, kept, own + total, inside, outside)
        held = max(cash, stay)
        gain = cash - stay
    return gain


@kernel
def decide(bot, s, seat, spans, params, memory, stream):
    """The move of a bot by its number in the fact sheet, with its temper."""
    if bot == THRESHOLD:  # what simulations play most, and has no temper
        return threshold(s, seat, spans, 0, params, memory, stream)
    move = plain(bot, s, seat, spans, params, memory, stream)
    if params[BOLDNESS] == 0 and params[HABIT] == 0:
        return move
    return tempered(bot, stack_copy(s), seat, move, params, memory, stream)


@kernel
def plain(bot, s, seat, spans, params, memory, stream):
    """What the level itself does."""
    if bot == RANDOM:
        return pick_uniformly(spans, legal(s, seat, spans), stream)
    if bot == NEVER:
        return never(s, seat, spans, 0, params, memory, stream)
    if bot == WAIT:
        return wait(s, seat, spans, 0, params, memory, stream)
    if bot == EASY:
        return easy(s, seat, spans, 0, params, memory, stream)
    if bot == MEDIUM:
        return medium(s, seat, spans, 0, params, memory, stream)
    if bot == HARD:
        return hard(s, seat, spans, 0, params, memory, stream)
    if bot == PATIENCE:
        return patience(s, seat)
    return expert(s, seat, spans, 0, params, memory, stream)
