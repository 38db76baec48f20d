"""`expert`: the best answer to the habits of the rivals, as far as they are known. Compiled; never peeks.

It weighs 28 habits by what each rival has done. For each of them, leads.py says what a lead is worth to a
player who knows the habit, and a search to the end of the round chooses between cashing out and staying. The
last few habits are those of chasers: once left in by others, they roll until they are ahead.
"""

import base64
from typing import Any

import numpy as np

from ninefold.game.doubles import leads
from ninefold.game.doubles.habits import (
    HABITS,
    LEFT_IN,
    RIVALS,
    after_third_seven,
    counts,
    learn,
    place_of,
    places,
)
from ninefold.game.doubles.rules import CASH_OUT, STAY
from ninefold.kernel import seats
from ninefold.kernel.compile import kernel, noinline
from ninefold.kernel.real import exp
from ninefold.kernel.stack import stack_copy
from ninefold.kernel.stream import below

KINDS, ROUNDS, LEADS = leads.SHAPE
VALUES = np.frombuffer(base64.b85decode("".join(leads.VALUES)), "<u2").reshape(leads.SHAPE) / 65_535.0
VALUES = VALUES.astype(np.float32)  # half the size: a table for CUDA may not be larger than 64 KiB
MARKS = np.array([*(-mark for mark in reversed(leads.MARKS)), 0, *leads.MARKS], np.float64)
CHANCES = np.clip(np.array(leads.HABITS), 0.002, 0.998)  # to cash out, by kind and place
STEADY = leads.STEADY  # habits of waiting for a number of rolls and no more
CHASERS = KINDS - leads.CHASERS  # where chasers begin
NOISE = 0.1
PATIENT = 0.4  # that it is a chaser who never cashes out first
AMONG_MANY = np.log(0.1)  # long waits are rarer where several rivals are in
LONG = 6  # the first of the waits that are less likely
FIRST_GUESS = np.log(np.array([1.0] * LONG + [0.4] * (STEADY - LONG) + [NOISE] * (KINDS - STEADY)))
FIRST_GUESS[CHASERS] = np.log(PATIENT)
CASHED, STAYED = np.log(CHANCES), np.log(1.0 - CHANCES)
# About how likely a rival is to score once it is left in: others than chasers do so by their habit.
REACHED = 1.0 - 1.0 / (1.0 + 5.0 * CHANCES[:, -1])
REACHED[:STEADY] = (5.0 / 6.0) ** np.maximum(1, np.arange(STEADY) - 1)
REACHED[CHASERS:] = 0.8
SCORED, MISSED = np.log(REACHED), np.log(1.0 - REACHED)

AHEAD = 6  # rolls that it looks ahead,
FAR = 13  # the same between two players, where the rival may wait long
DOUBT = (
    0.08  # how much more that is for each rival in whose habit is not clear, so that copies do not deadlock
)
CURIOSITY = 0.015  # what it is worth to see how long a rival waits, while that is unclear and rounds are left
NERVE = 0.003  # the gain at which it cashes out three times out of four, as a part of what is at stake
CERTAIN = 0.995

PLAN = np.dtype(
    [
        ("value", "f8", (LEADS,)),  # the chance to win after this round, by lead
        ("weights", "f8", (KINDS,)),  # how likely a rival has each of the habits
        ("none", "f8", (FAR + 1,)),  # by rolls ahead: the chance that no rival in cashes out
        ("chases", "f8"),  # the chance that a rival in is a chaser
        ("held", "f8", (FAR + 2,)),  # the value of being in, by the doubles rolled
        ("tree", "f8", (FAR + 2,)),
    ]
)
BLANK_PLAN: Any = np.zeros(1, PLAN).view(np.recarray)


@kernel
def weigh_habits(plan, memory, rival, players):
    """How likely a rival has each of the habits, by what was noted of it."""
    for kind in range(KINDS):
        plan.weights[kind] = FIRST_GUESS[kind]
        if players > 2 and LONG <= kind < STEADY:
            plan.weights[kind] += AMONG_MANY
    if rival < RIVALS:
        for place in range(places(players)):
            seen, cashed = counts(memory, rival, place)
            if seen > 0:
                for kind in range(KINDS):
                    plan.weights[kind] += cashed * CASHED[kind, place] + (seen - cashed) * STAYED[kind, place]
        left_in = memory[HABITS + rival] >> LEFT_IN
        seen, scored = left_in & 15, (left_in >> 4) & 15
        for kind in range(KINDS):
            plan.weights[kind] += scored * SCORED[kind] + (seen - scored) * MISSED[kind]
    most = -1e300
    for kind in range(KINDS):
        most = max(most, plan.weights[kind])
    total = 0.0
    for kind in range(KINDS):
        plan.weights[kind] = exp(plan.weights[kind] - most)
        total += plan.weights[kind]
    for kind in range(KINDS):
        plan.weights[kind] /= total


@kernel
def expect(plan, late, players):
    """Take a rival who is in into account: when it may cash out."""
    chases = 0.0
    for kind in range(CHASERS, KINDS):
        chases += plan.weights[kind]
    plan.chases = max(plan.chases, chases)
    for ahead in range(FAR + 1):
        place = place_of(late + ahead, players)
        left = 0.0
        stays = 0.0
        for kind in range(KINDS):
            left += plan.weights[kind]
            plan.weights[kind] *= 1.0 - CHANCES[kind, place]
            stays += plan.weights[kind]
        plan.none[ahead] *= stays / left


@kernel
def add_values(plan, s, part):
    """Take a rival into account: what leads over it are worth after this round."""
    first = max(s.rounds_low, s.round_number)
    ends = s.rounds_high - first + 1  # all equally likely
    for rounds in range(ROUNDS):
        last = rounds == ROUNDS - 1
        low = s.round_number + rounds
        often = 1 if first <= low <= s.rounds_high else 0
        if last:
            often = max(0, s.rounds_high - max(first, low) + 1)
        if often > 0:
            for kind in range(KINDS):
                share = part * plan.weights[kind] * often / ends
                for lead in range(LEADS):
                    plan.value[lead] += share * VALUES[kind, rounds, lead]


@kernel
def worth(plan, lead):
    """The chance to win with a lead over the best rival after this round."""
    low = 0
    high = LEADS - 1
    if lead <= MARKS[low]:
        return plan.value[low]
    if lead >= MARKS[high]:
        return plan.value[high]
    while high - low > 1:
        middle = (low + high) >> 1
        if MARKS[middle] <= lead:
            low = middle
        else:
            high = middle
    share = (lead - MARKS[low]) / (MARKS[high] - MARKS[low])
    return plan.value[low] + share * (plan.value[high] - plan.value[low])


@kernel
def rolled(lost, doubled, plain):
    """The mean over the next roll."""
    return (lost + doubled + 4.0 * plain) / 6.0


@kernel
def alone(plan, lead, total):
    """The chance to win for the last player in, who rolls once or more."""
    lost = worth(plan, lead)
    tree = plan.tree
    for rolls in range(AHEAD, 0, -1):
        grown = total + 7.0 * rolls
        for doubles in range(rolls + 1):
            value = worth(plan, lead + grown)
            if rolls < AHEAD:
                value = max(value, rolled(lost, tree[doubles + 1], tree[doubles]))
            tree[doubles] = value
            grown = 2.0 * (grown - 7.0 * (rolls - doubles)) + 7.0 * (rolls - doubles - 1)
    return rolled(lost, tree[1], tree[0])


@kernel
def away(plan, step, last, cashed, total, inside, outside):
    """The chance to win for a player who has cashed out while rivals roll on, by their habits."""
    kept = worth(plan, cashed - max(inside, outside))
    tree = plan.tree
    last -= step
    for rolls in range(last, 0, -1):
        grown = total + 7.0 * rolls
        for doubles in range(rolls + 1):
            lead = cashed - max(outside, inside + grown)
            none = plan.none[step + rolls] * (1.0 - plan.chases if lead < 0 else 1.0)
            held = rolled(kept, tree[doubles + 1], tree[doubles]) if rolls < last else kept
            tree[doubles] = none * held + (1.0 - none) * worth(plan, lead)
            grown = 2.0 * (grown - 7.0 * (rolls - doubles)) + 7.0 * (rolls - doubles - 1)
    return rolled(kept, tree[1], tree[0]) if last > 0 else kept


@kernel
def advantage(plan, ahead, own, total, inside, outside):
    """How much likelier cashing out now makes winning the game than staying does."""
    last = 0
    here = plan.none[0]
    while last < ahead and here > 1.0 - CERTAIN:
        last += 1
        here *= plan.none[last]
    lost = worth(plan, own - max(inside, outside))
    gain = 0.0
    for step in range(last, -1, -1):
        none = plan.none[step]
        grown = total + 7.0 * step
        for doubles in range(step + 1):
            rival = max(outside, inside + grown)
            cash = 0.0
            stay = 0.0
            if none < CERTAIN:
                cash = (1.0 - none) * worth(plan, own + grown - rival)
                stay = (1.0 - none) * alone(plan, own - rival, grown)
            if none > 1.0 - CERTAIN:
                cash += none * away(plan, step, last, own + grown, grown, inside, outside)
                held = rolled(lost, plan.held[doubles + 1], plan.held[doubles]) if step < last else lost
                stay += none * held
            plan.held[doubles] = max(cash, stay)
            gain = cash - stay
            grown = 2.0 * (grown - 7.0 * (step - doubles)) + 7.0 * (step - doubles - 1)
    return gain


@kernel
def expert(s, seat, spans, n, params, memory, stream):
    """Stay until the third seven; then play the best answer to the rivals' habits."""
    late = after_third_seven(s, memory)
    if late < 0:
        return STAY
    if s.players == 1:
        return CASH_OUT if late > 0 else STAY
    return answer(stack_copy(s), seat, late, memory, stream)


@noinline
def answer(s, seat, late, memory, stream):
    """Cash out with a probability that grows with how much likelier that makes winning the game."""
    learn(s, seat, late, memory)
    plan = stack_copy(BLANK_PLAN[0])
    for ahead in range(FAR + 1):
        plan.none[ahead] = 1.0
    inside = -1.0
    outside = -1.0
    sure = 1.0
    unclear = 0.0
    crowd = 0
    for other in range(s.players):
        if other == seat:
            continue
        weigh_habits(plan, memory, other, s.players)
        add_values(plan, s, 1.0 / (s.players - 1))
        if seats.has(s.inside, other):
            known = 0.0
            likeliest = 0.0
            for kind in range(STEADY):
                known += plan.weights[kind]
                likeliest = max(likeliest, plan.weights[kind])
            unclear = max(unclear, known - likeliest)
            sure = min(sure, known)
            crowd += 1
            expect(plan, late, s.players)
            inside = max(inside, np.float64(s.scores[other]))
        else:
            outside = max(outside, np.float64(s.scores[other]))
    if s.players > 2:
        for lead in range(LEADS):
            value = plan.value[lead]
            plan.value[lead] = value * value * value
    own = np.float64(s.scores[seat])
    total = np.float64(s.total)
    if inside < 0:
        gain = worth(plan, own + total - outside) - alone(plan, own - outside, total)
    else:
        gain = advantage(plan, FAR if s.players == 2 else AHEAD, own, total, inside, outside)
        if s.players == 2 and s.round_number < s.rounds_low:
            gain -= CURIOSITY * unclear
    best = max(inside, outside)
    stake = worth(plan, own + total - best) - worth(plan, own - best - total)
    likely = 1.0 / (1.0 + exp(min(50.0, -gain / ((NERVE + DOUBT * crowd * (1.0 - sure)) * stake + 1e-9))))
    return CASH_OUT if below(stream, 1 << 20) < (1 << 20) * likely else STAY
