"""Drivers: the loop that plays a whole game, and the loop over many games that gathers statistics.

They are templates. `rules` and `bots` stand for a game's modules and are put in by `compile.bind`; the
code is written once and compiled for each game. Nothing here names a game.
"""

from typing import Any

import numpy as np

from ninefold.kernel.compile import kernel
from ninefold.kernel.fields import CHANCE, NOBODY
from ninefold.kernel.local import borrow, give_back
from ninefold.kernel.sketch import COUNT, DONE, STOP, UNFINISHED, enter
from ninefold.kernel.stream import FOR_BOTS, FOR_CHANCE, seed_stream

PARAMETERS = 8  # numbers that may follow a bot's colon
MEMORY = 32  # words of a bot's own memory

rules: Any = None
bots: Any = None
ask: Any = None
ask_bot: Any = None
play_out: Any = None


def desk_type(spans: int) -> np.dtype[Any]:
    """What a compiled bot has before it: its number, parameters, memory, and room for a list of moves.

    One record a seat, because a record is passed by its address alone. An array would be counted in and
    out of every call that is not compiled into its caller.
    """
    return np.dtype(
        [("bot", "i8"), ("params", "i8", PARAMETERS), ("memory", "i8", MEMORY), ("spans", "i8", (spans, 2))]
    )


@kernel
def the_actor(s, stream):  # noqa: ARG001 (the shape of every `ask`)
    """Whom to ask, in a game where it is always one seat's turn."""
    return s.actor


def ask_bot_template(s, seat, desk, whim):
    """The move of the bot at a desk."""
    return bots.decide(desk.bot, s, seat, desk.spans, desk.params, desk.memory, whim)


def play_out_template(state, desks, luck, whim, limit):
    """Play to the end of the game or into a turn past `limit`; the number of decisions taken."""
    s = borrow(state)
    decisions = 0
    while s.actor != NOBODY and s.turns <= limit:
        while s.actor != CHANCE and s.actor != NOBODY and s.turns <= limit:
            seat = ask(s, whim)
            rules.play(s, seat, ask_bot(s, seat, desks[seat], whim))
            decisions += 1
        if s.actor == CHANCE:
            rules.chance(s, rules.sample(s, luck))
    give_back(state, s)
    return decisions


def batch_template(
    work,
    start,
    streams,
    desks,
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
    """Play games first .. first + count - 1 of `seed` and note what came of them.

    Series are the seats' scores, then decisions, turns and the game's own tallies.
    """
    s = work[0]
    luck = streams[0]
    whim = streams[1]
    players = len(desks)
    for number in range(first, first + count):
        if counts[STOP] != 0:
            return
        work[0] = start[0]
        seed_stream(luck, seed, number, FOR_CHANCE)
        seed_stream(whim, seed, number, FOR_BOTS)
        for seat in range(players):
            desks[seat].memory[:] = 0
        rules.begin(s)
        decisions = play_out(s, desks, luck, whim, limit)
        counts[DONE] += 1
        if s.actor != NOBODY or s.turns > limit:
            counts[UNFINISHED] += 1
            continue
        rules.winners(s, flags)
        shared = 0
        for seat in range(players):
            shared += flags[seat]
        for seat in range(players):
            if flags[seat] != 0:
                wins[0, seat] += 1.0 / shared
                wins[1, seat] += 1.0 / (shared * shared)
        rules.scores(s, numbers)
        numbers[players] = decisions
        numbers[players + 1] = s.turns
        rules.tally(s, numbers[players + 2 :])
        share = 1.0 / (moments[0, COUNT] + 1)
        for series in range(len(moments)):
            enter(moments, histogram, series, numbers[series], bits, share)
