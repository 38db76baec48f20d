"""Compiled bots of Doubles. They get the whole position for speed; a law proves that none of them peeks."""

import numpy as np

from ninefold.game.doubles.rules import CASH_OUT, LAST_SEVEN, STAY, legal
from ninefold.kernel import seats
from ninefold.kernel.bots import pick_uniformly
from ninefold.kernel.compile import kernel, noinline
from ninefold.kernel.stack import stack_copy
from ninefold.kernel.stream import below

RANDOM, NEVER, THRESHOLD, WAIT, EASY, MEDIUM, HARD = range(7)

DEEP = 4  # rolls that `hard` looks ahead when it is the last one in
RIVALS = 24  # rivals whose habits `hard` remembers: a word each, from HABITS on in its memory
HABITS = 8
LATEST = 6  # rolls after the third seven that it distinguishes: two counts of 4 bits each in a word
DOUBT = 20  # decisions of a rival after which its habit weighs as much as the default


@kernel
def never(s, seat, spans, n, params, memory, stream):
    """Never cash out."""
    return STAY


@kernel
def threshold(s, seat, spans, n, params, memory, stream):
    """Cash out once the total has reached the number given."""
    return CASH_OUT if s.total >= params[0] else STAY


@kernel
def after_third_seven(s, memory):
    """How many rolls have come since the third seven, or -1 before it."""
    if s.sevens < LAST_SEVEN - 1:
        memory[0] = s.rolls + 1
        return -1
    return s.rolls - memory[0]


@kernel
def wait(s, seat, spans, n, params, memory, stream):
    """Cash out a given number of rolls after the third seven."""
    return CASH_OUT if after_third_seven(s, memory) >= params[0] else STAY


@kernel
def easy(s, seat, spans, n, params, memory, stream):
    """Cash out at the third seven, or sooner when the total looks nice."""
    if s.sevens == LAST_SEVEN - 1 or (s.total >= 300 and below(stream, 4) == 0):
        return CASH_OUT
    return STAY


@kernel
def medium(s, seat, spans, n, params, memory, stream):
    """Wait for the third seven and one more roll."""
    return CASH_OUT if after_third_seven(s, memory) >= 1 else STAY


@kernel
def chance_to_win(lead, rounds):
    """About how likely a lead over the best rival is to last for the rounds left.

    Fitted to games of two whose players wait 0 to 4 rolls past the third seven (see docs/doubles.md).
    """
    if lead == 0:
        return 0.5
    if rounds == 0:
        return 1.0 if lead > 0 else 0.0
    upset = 0.5 * (1.0 - (2.0 / 3.0) ** rounds)
    scale = 700.0 + 410.0 * rounds
    if lead > 0:
        return 1.0 - upset / (1.0 + lead / scale)
    return upset / (1.0 - lead / scale)


@kernel
def alone(own, best, total, rounds):
    """The chance to win for the last player in, who rolls on: the best of one to four more rolls."""
    lost = chance_to_win(own - best, rounds)
    most = 0.0
    safe = 1.0
    for rolls in range(1, DEEP + 1):
        safe *= 5.0 / 6.0
        value = 0.0
        likely = 0.8**rolls
        grown = total
        for doubles in range(rolls + 1):
            value += likely * chance_to_win(own + grown + 7 * (rolls - doubles) - best, rounds)
            likely *= 0.25 * (rolls - doubles) / (doubles + 1)
            grown *= 2
        most = max(most, (1 - safe) * lost + safe * value)
    return most


@kernel
def if_rival_cashes(own, inside, outside, total, rounds):
    """How much better cashing out is than one roll alone, if the best rival still in cashes out now."""
    best = max(outside, inside + total)
    stay = (
        chance_to_win(own - best, rounds)
        + chance_to_win(own + 2 * total - best, rounds)
        + 4 * chance_to_win(own + total + 7 - best, rounds)
    ) / 6
    return chance_to_win(own + total - best, rounds) - stay


@kernel
def if_rival_stays(own, inside, outside, total, rounds):
    """The same, if the best rival still in rolls once more and then cashes out."""
    lost = max(outside, inside)
    doubled = max(outside, inside + 2 * total)
    grown = max(outside, inside + total + 7)
    cash = (
        chance_to_win(own + total - lost, rounds)
        + chance_to_win(own + total - doubled, rounds)
        + 4 * chance_to_win(own + total - grown, rounds)
    ) / 6
    stay = (
        chance_to_win(own - lost, rounds)
        + chance_to_win(own + 2 * total - doubled, rounds)
        + 4 * chance_to_win(own + total + 7 - grown, rounds)
    ) / 6
    return cash - stay


@kernel
def learn(s, seat, late, memory):
    """Note which rivals cashed out at the last decision, and how long after the third seven."""
    if memory[1] == s.round_number and memory[2] == s.rolls - 1:
        place = 8 * min(LATEST, late - 1)
        for other in range(min(s.players, RIVALS)):
            watched = other != seat and (memory[3] >> other) & 1 == 1
            if watched and (memory[HABITS + other] >> place) & 15 < 15:
                memory[HABITS + other] += np.int64(1) << place
                if not seats.has(s.inside, other):
                    memory[HABITS + other] += np.int64(1) << (place + 4)
    memory[1] = s.round_number
    memory[2] = s.rolls
    memory[3] = s.inside[0]


@kernel
def habit(rival, late, memory):
    """How likely a rival is to cash out this long after the third seven, judged by its past."""
    if rival >= RIVALS:
        return 0.5
    place = 8 * min(LATEST, late)
    chances = (memory[HABITS + rival] >> place) & 15
    cashed = (memory[HABITS + rival] >> (place + 4)) & 15
    return (cashed + 0.5 * DOUBT) / (chances + DOUBT)


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
        return medium(s, seat, spans, n, params, memory, stream)
    return weigh(stack_copy(s), seat, late, memory)


@noinline
def weigh(s, seat, late, memory):
    """Cash out when that makes winning the game likelier than one more roll does."""
    learn(s, seat, late, memory)
    rival = -1
    inside = -1.0
    outside = -1.0
    for other in range(s.players):
        score = np.float64(s.scores[other])
        if other == seat:
            continue
        if not seats.has(s.inside, other):
            outside = max(outside, score)
        elif score > inside:
            inside = score
            rival = other
    own = np.float64(s.scores[seat])
    total = np.float64(s.total)
    rounds = rounds_left(s)
    if rival < 0:
        gain = chance_to_win(own + total - outside, rounds) - alone(own, outside, total, rounds)
    else:
        likely = habit(rival, late, memory)
        gain = likely * if_rival_cashes(own, inside, outside, total, rounds)
        gain += (1 - likely) * if_rival_stays(own, inside, outside, total, rounds)
    return CASH_OUT if gain > 0 else STAY


@kernel
def decide(bot, s, seat, spans, params, memory, stream):
    """The move of a bot by its number in the fact sheet."""
    if bot == THRESHOLD:
        return threshold(s, seat, spans, 0, params, memory, stream)
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
    return hard(s, seat, spans, 0, params, memory, stream)
