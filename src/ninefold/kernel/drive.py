"""Drivers: the loop that plays a whole game, and the loop over many games that collects statistics.

They are templates. `compile.bind` fills in a game's modules for `rules` and `bots`; the code is written once
and compiled for each game. Nothing here names a game.
"""

from typing import Any

import numpy as np

from ninefold.kernel.calling import call_at
from ninefold.kernel.compile import kernel
from ninefold.kernel.fields import CHANCE, NOBODY
from ninefold.kernel.stack import fresh_copy, stack_copy, write_back
from ninefold.kernel.statistics import COUNT, DONE, STOP, UNFINISHED, enter
from ninefold.kernel.stream import FOR_BOTS, FOR_CHANCE, FOR_WORLDS, seed_stream

PARAMETERS = 8  # numbers that may follow a bot's colon
MEMORY = 32  # words of memory for each bot

rules: Any = None
scores: Any = None
winners: Any = None
tally: Any = None
SIGN = 1  # -1 if the lowest score wins
bots: Any = None
ask: Any = None
ask_bot: Any = None
play_on: Any = None
play_out: Any = None
BY_SCORE = 0  # 1 if a match is worth its score, not only the win


def slot_type(spans: int) -> np.dtype[Any]:
    """What a compiled bot gets: its number, parameters, memory, and room for a list of moves.

    One structured row for each seat, because a row is passed as a plain address. An array would be
    reference-counted at every call that is not inlined.
    """
    return np.dtype(
        [
            ("bot", "i8"),
            ("address", "i8"),  # of a user's compiled bot, else 0
            ("params", "i8", PARAMETERS),
            ("memory", "i8", MEMORY),
            ("spans", "i8", (spans, 2)),
        ]
    )


@kernel
def the_actor(s, stream):  # noqa: ARG001 (the shape of every `ask`)
    """The seat to move, in a game where it is always one seat's turn."""
    return s.actor


@kernel
def only_the_actor(s, out):
    """The seats that have to decide, in a game where it is always one seat's turn."""
    out[0] = s.actor
    return 1


def scores_template(s, out):
    """The scores, for a game with a field `scores`."""
    for seat in range(s.players):
        out[seat] = s.scores[seat]


def winners_template(s, out):
    """By default the best score wins, and equal scores share the win."""
    scores(s, out)
    best = SIGN * out[0]
    for seat in range(1, s.players):
        best = max(best, SIGN * out[seat])
    for seat in range(s.players):
        out[seat] = s.actor == NOBODY and SIGN * out[seat] == best


@kernel
def no_tally(s, out):
    """By default nothing is counted besides scores, decisions and turns."""


def ask_bot_template(s, seat, slot, bot_stream):
    """The move of the bot at a slot."""
    return bots.decide(slot.bot, s, seat, slot.spans, slot.params, slot.memory, bot_stream)


def ask_anyone_template(s, seat, slot, bot_stream):
    """The move of the bot at a slot, which may be one of the user's."""
    if slot.address != 0:
        return call_at(slot.address, s, seat, slot, bot_stream)
    return ask_bot(s, seat, slot, bot_stream)


def play_on_template(s, bot_slots, chance_stream, bot_stream, limit):
    """Play on with a position on the stack; returns the number of decisions."""
    decisions = 0
    while s.actor != NOBODY and s.turns <= limit:
        while s.actor != CHANCE and s.actor != NOBODY and s.turns <= limit:
            seat = ask(s, bot_stream)
            rules.play(s, seat, ask_bot(s, seat, bot_slots[seat], bot_stream))
            decisions += 1
        if s.actor == CHANCE:
            rules.chance(s, rules.sample(s, chance_stream))
    return decisions


def play_out_template(state, bot_slots, chance_stream, bot_stream, limit):
    """Play to the end of the game or past turn `limit`; returns the number of decisions."""
    s = stack_copy(state)
    decisions = play_on(s, bot_slots, chance_stream, bot_stream, limit)
    write_back(state, s)
    return decisions


def batch_template(
    work,
    start,
    streams,
    bot_slots,
    seed,
    first,
    count,
    limit,
    counts,
    wins,
    moments,
    histogram,
    bits,
    numbers,
    flags,
):
    """Play games first .. first + count - 1 of `seed` and add up the results.

    Position and chance stay on the stack: a short game takes little longer than copying them would. Series
    are the seats' scores, then decisions, turns and the game's own tallies.
    """
    chance_stream = stack_copy(streams[0])
    bot_stream = streams[1]
    players = len(bot_slots)
    for number in range(first, first + count):
        if counts[STOP] != 0:
            return
        s = fresh_copy(start[0], work[0])
        seed_stream(chance_stream, seed, number, FOR_CHANCE)
        seed_stream(bot_stream, seed, number, FOR_BOTS)
        for seat in range(players):
            bot_slots[seat].memory[:] = 0
        rules.begin(s)
        decisions = play_on(s, bot_slots, chance_stream, bot_stream, limit)
        counts[DONE] += 1
        if s.actor != NOBODY or s.turns > limit:
            counts[UNFINISHED] += 1
            continue
        winners(s, flags)
        shared = 0
        for seat in range(players):
            shared += flags[seat]
        for seat in range(players):
            if flags[seat] != 0:
                wins[0, seat] += 1.0 / shared
                wins[1, seat] += 1.0 / (shared * shared)
        scores(s, numbers)
        numbers[players] = decisions
        numbers[players + 1] = s.turns
        tally(s, numbers[players + 2 :])
        share = 1.0 / (moments[0, COUNT] + 1)
        for series in range(len(moments)):
            enter(moments, histogram, series, numbers[series], bits, share)


def try_worlds_template(
    start,
    world,
    work,
    seat,
    actions,
    base,
    bot_slots,
    streams,
    seed,
    first,
    limit,
    flags,
    values,
):
    """Play some moves of a seat on to the end, each in the same redealt worlds; `values` is worlds x moves.

    Worlds have the numbers first, first + 1, ... of `seed`. A value is the seat's share of the win or, where
    scores are what counts, its score.
    """
    for number in range(len(values)):
        world[0] = start[0]
        seed_stream(streams[0], seed, first + number, FOR_CHANCE)
        rules.redeal(world[0], seat, streams[0])
        for at in range(len(actions)):
            work[0] = world[0]
            for other in range(len(bot_slots)):
                bot_slots[other].memory[:] = base[other].memory
            seed_stream(streams[0], seed, first + number, FOR_WORLDS)
            seed_stream(streams[1], seed, first + number, FOR_BOTS)
            s = work[0]
            rules.play(s, seat, actions[at])
            play_out(s, bot_slots, streams[0], streams[1], limit)
            if BY_SCORE:
                scores(s, flags)
                values[number, at] = SIGN * flags[seat]
            else:
                winners(s, flags)
                shared = 0
                for other in range(len(bot_slots)):
                    shared += flags[other]
                values[number, at] = flags[seat] / max(1, shared)
