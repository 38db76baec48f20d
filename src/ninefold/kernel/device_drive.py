"""Drivers for a CUDA card: many threads, each of which plays game after game.

Templates, as in drive.py: `device.bind` fills in a game's modules and sizes. Rules and bots are the same
functions; only the loop around them is the card's own. Threads side by side run in lockstep: what one of them
does costs the others as much. So they take some steps of their games together, then those whose games are
over begin new ones together, and none waits for the longest game. Nothing here names a game. Only loaded
where there is numba-cuda.
"""

from typing import Any

import numpy as np
from numba import cuda

from ninefold.kernel.drive import MEMORY, PARAMETERS
from ninefold.kernel.fields import CHANCE, NOBODY
from ninefold.kernel.intrinsics import count_bits
from ninefold.kernel.statistics import COUNT, COUNTS, DONE, MOMENTS, UNFINISHED, bucket, weigh
from ninefold.kernel.stream import FOR_BOTS, FOR_CHANCE, STREAM, seed_stream

FINISHED, WINNERS, NUMBERS = 0, 1, 2  # rows of what comes of the games: 0 or 1, a set of seats, the numbers
FIRST, SIZE, TURN = 0, 1, 2  # of a part: its first game, how many it has, the turns of the table
CARDS = 8  # that a step may draw before its decision: a deal does not wait for what others decide
STEPS = 32  # before games may begin: more than most short games have, and a small part of a long one


def aligned(layout: np.dtype[Any]) -> np.dtype[Any]:
    """A type of rows that a card reads a word at a time, not a byte."""
    fields = [(name, layout[name]) for name in layout.names or ()]
    return np.dtype((np.record, np.dtype(fields, align=True)))


PLAYER = aligned(np.dtype([("bot", "i8"), ("params", "i8", PARAMETERS)]))
STREAMS = aligned(STREAM)

rules: Any = None
scores: Any = None
winners: Any = None
tally: Any = None
bots: Any = None
ask: Any = None
ask_bot: Any = None
ONE = OTHER = 0  # the bots of a line-up that has no third
POSITION: Any = None
SEATS = 1  # of the position
SPANS = 1  # room for the moves of a bot
SERIES = 1


def ask_one_template(bot, s, seat, spans, memory, stream):
    """The move of the only bot there is: a kernel without the others is quicker, and quicker to compile."""
    return bots.decide(ONE, s, seat, spans, bot.params, memory, stream)


def ask_two_template(bot, s, seat, spans, memory, stream):
    """The same for two bots."""
    if bot.bot == ONE:
        return bots.decide(ONE, s, seat, spans, bot.params, memory, stream)
    return bots.decide(OTHER, s, seat, spans, bot.params, memory, stream)


def ask_any_template(bot, s, seat, spans, memory, stream):
    """The same for any."""
    return bots.decide(bot.bot, s, seat, spans, bot.params, memory, stream)


def games_template(start, players, seed, limit, parts, count, size, rows, ticket):
    """Play the games of `count` parts, and write down what came of each.

    `players` has a row for each bot: its number and parameters. Game `at` is number at % size of its part;
    a thread that has finished one draws the next from `ticket`.
    """
    state = cuda.local.array(1, POSITION)
    streams = cuda.local.array(2, STREAMS)
    memory = cuda.local.array((SEATS, MEMORY), np.int64)
    spans = cuda.local.array((SPANS, 2), np.int64)
    numbers = cuda.local.array(SERIES, np.int64)
    flags = cuda.local.array(SEATS, np.int64)
    s = state[0]
    chance_stream = streams[0]
    bot_stream = streams[1]
    seats = len(players)
    games = count * size
    at = 0
    turn = 0
    decisions = 0
    playing = False
    while True:
        if not playing:
            at = cuda.atomic.add(ticket, 0, 1)
            if at >= games:
                return
            part = at // size
            number = at - part * size
            if number >= parts[part, SIZE]:
                continue
            number += parts[part, FIRST]
            turn = parts[part, TURN]
            state[0] = start[0]
            seed_stream(chance_stream, seed, number, FOR_CHANCE)
            seed_stream(bot_stream, seed, number, FOR_BOTS)
            for seat in range(seats):
                for word in range(MEMORY):
                    memory[seat, word] = 0
            rules.begin(s)
            decisions = 0
            playing = True
        for _ in range(STEPS):
            for _ in range(CARDS):
                if s.actor != CHANCE:
                    break
                rules.chance(s, rules.sample(s, chance_stream))
            if s.actor != CHANCE and s.actor != NOBODY:
                seat = ask(s, bot_stream)
                bot = players[(seat - turn) % seats]
                rules.play(s, seat, ask_bot(bot, s, seat, spans, memory[seat], bot_stream))
                decisions += 1
            if s.actor == NOBODY or s.turns > limit:
                break
        if s.actor != NOBODY and s.turns <= limit:
            continue
        playing = False
        rows[FINISHED, at] = 0
        if s.turns > limit:
            continue
        rows[FINISHED, at] = 1
        winners(s, flags)
        won = np.int64(0)
        for seat in range(seats):
            if flags[seat] != 0:
                won |= np.int64(1) << seat
        rows[WINNERS, at] = won
        scores(s, numbers)
        numbers[seats] = decisions
        numbers[seats + 1] = s.turns
        tally(s, numbers[seats + 2 :])
        for series in range(len(rows) - NUMBERS):
            rows[NUMBERS + series, at] = numbers[series]


def sums_template(parts, count, size, rows, bits, counts, wins, moments, histograms):
    """Add up what came of the games, for each part and series in the order in which a processor would.

    Counts may be added in any order, so the parts share a few histograms.
    """
    thread = cuda.grid(1)
    part = thread % count
    series = thread // count
    seats = wins.shape[2]
    if series >= len(rows) - NUMBERS:
        return
    of_seat = series < seats
    row = series
    if of_seat:
        row = (series - parts[part, TURN]) % seats
    shared_by = part % len(histograms)
    sums = cuda.local.array((1, MOMENTS), np.float64)
    for moment in range(MOMENTS):
        sums[0, moment] = 0.0
    share_of_wins = 0.0
    squares = 0.0
    done = parts[part, SIZE]
    for game in range(done):
        at = part * size + game
        value = rows[NUMBERS + series, at]  # read at once, whether it counts or not: reading takes longest
        won = rows[WINNERS, at]
        if rows[FINISHED, at] == 0:
            continue
        weigh(sums, 0, value, 1.0 / (sums[0, COUNT] + 1))
        cuda.atomic.add(histograms, (shared_by, row, bucket(value, bits)), 1)
        if of_seat and (won >> series) & 1 != 0:
            shared = count_bits(won)
            share_of_wins += 1.0 / shared
            squares += 1.0 / (shared * shared)
    for moment in range(MOMENTS):
        moments[part, series, moment] = sums[0, moment]
    if of_seat:
        wins[part, 0, series] = share_of_wins
        wins[part, 1, series] = squares
    if series == 0:
        for kind in range(COUNTS):
            counts[part, kind] = 0
        counts[part, DONE] = done
        counts[part, UNFINISHED] = done - np.int64(sums[0, COUNT])
