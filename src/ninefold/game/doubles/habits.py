"""What rivals do, noted by the bots that learn. Public facts only: who was in at which roll.

A bot's memory has a word for each rival. A byte of it holds two counts of four bits: how often the rival was
seen at this place of a round, and how often it cashed out there. The first place is before the third seven,
the others are 0, 1, 2, ... rolls past it. The last byte counts how often the bot left it in, and how often
it scored then.
"""

import numpy as np

from ninefold.game.doubles.rules import LAST_SEVEN
from ninefold.kernel import seats
from ninefold.kernel.compile import kernel

ROLLS, ROUND, TOTAL, LATE, INSIDE = range(5)  # words that describe the last decision past the third seven
OWN = 5  # a word for the bot's own temper
RIVALS = 13  # as many as there is room for
HABITS, SCORES = 6, 6 + RIVALS  # where their words begin
PLACES = 7
LEFT_IN = 8 * PLACES  # where the counts of a rival that rolled on without the bot are


@kernel
def after_third_seven(s, memory):
    """How many rolls have come since the third seven, or -1 before it."""
    if s.sevens < LAST_SEVEN - 1:
        memory[ROLLS] = s.rolls + 1
        return -1
    return s.rolls - memory[ROLLS]


@kernel
def place_of(late):
    """Where the counts for some rolls past the third seven are."""
    return 8 * min(PLACES - 1, late + 1)


@kernel
def note(memory, rival, place, cashed):
    """Count that a rival was seen at a place, and whether it cashed out there."""
    if (memory[HABITS + rival] >> place) & 15 < 15:
        memory[HABITS + rival] += np.int64(1) << place
        if cashed:
            memory[HABITS + rival] += np.int64(1) << (place + 4)


@kernel
def learn(s, seat, late, memory):
    """Note which rivals cashed out at the last decision, and how long after the third seven.

    If it was in the round before, their scores say so, and whether they scored after the bot had cashed out.
    """
    anew = memory[ROUND] != s.round_number
    left = anew and seat < RIVALS and gained(s, seat, memory) == memory[TOTAL]
    for rival in range(min(s.players, RIVALS)):
        if rival == seat:
            continue
        inside = seats.has(s.inside, rival)
        if (memory[INSIDE] >> rival) & 1 and not (anew and not inside):
            cashed = gained(s, rival, memory) == memory[TOTAL] if anew else not inside
            note(memory, rival, place_of(memory[LATE]), cashed)
            if left and not cashed:
                note(memory, rival, LEFT_IN, gained(s, rival, memory) > memory[TOTAL])
        if anew:
            note(memory, rival, 0, not inside)
        memory[SCORES + rival] = s.scores[rival]
    if seat < RIVALS:
        memory[SCORES + seat] = s.scores[seat]
    memory[ROUND] = s.round_number
    memory[TOTAL] = s.total
    memory[LATE] = late
    memory[INSIDE] = s.inside[0]


@kernel
def gained(s, player, memory):
    """The points of a player since the last decision."""
    return s.scores[player] - memory[SCORES + player]


@kernel
def counted(word):
    """The sum of a word's counts past the third seven."""
    total = 0
    for place in range(8, 56, 8):
        total += (word >> place) & 15
    return total
