"""What rivals do, noted by the bots that learn. Public facts only: who was in at which roll.

A bot's memory has a word for each rival. A byte of it holds two counts of four bits: how often the rival was
seen at this place of a round, and how often it cashed out there. The first place is before the third seven,
the others are 0, 1, 2, ... rolls past it. The last byte counts how often the bot left it in, and how often
it scored then. At a small table each rival has a second word, with eight later places; at a larger one the
last place of the first word stands for those as well.
"""

import numpy as np

from ninefold.game.doubles.rules import LAST_SEVEN
from ninefold.kernel import seats
from ninefold.kernel.compile import kernel

ROLLS, ROUND, TOTAL, LATE, INSIDE = range(5)  # words that describe the last decision past the third seven
OWN = 5  # a word for the bot's own temper
RIVALS = 13  # as many as there is room for
HABITS, SCORES = 6, 6 + RIVALS  # where their words begin
PLACES = 7  # of a first word
LEFT_IN = 8 * PLACES  # where the counts of a rival that rolled on without the bot are
SMALL = 6  # players at a table where each rival has two words
LATER = HABITS + SMALL  # where the second words begin
ALL_PLACES = PLACES + 8
ONES = np.int64(0x0101_0101_0101_0101)
EVERY = 15 * ONES  # the counts in all bytes of a word
PAST = EVERY & ((np.int64(1) << LEFT_IN) - 256)  # the same, of the places past the third seven


@kernel
def after_third_seven(s, memory):
    """How many rolls have come since the third seven, or -1 before it."""
    if s.sevens < LAST_SEVEN - 1:
        memory[ROLLS] = s.rolls + 1
        return -1
    return s.rolls - memory[ROLLS]


@kernel
def places(players):
    """How many places are distinguished at a table of this size."""
    return ALL_PLACES if players <= SMALL else PLACES


@kernel
def place_of(late, players):
    """The place of a round for some rolls past the third seven."""
    return min(places(players) - 1, late + 1)


@kernel
def counts(memory, rival, place):
    """How often a rival was seen at a place, and how often it cashed out there."""
    word = memory[HABITS + rival] if place < PLACES else memory[LATER + rival]
    word >>= 8 * (place if place < PLACES else place - PLACES)
    return word & 15, (word >> 4) & 15


@kernel
def note(memory, rival, place, cashed):
    """Count that a rival was seen at a place, and whether it cashed out there."""
    if place < PLACES:
        count(memory, HABITS + rival, 8 * place, cashed)
    else:
        count(memory, LATER + rival, 8 * (place - PLACES), cashed)


@kernel
def count(memory, word, at, hit):
    """Count one more case in a byte of a word, and whether it was a hit."""
    if (memory[word] >> at) & 15 < 15:
        memory[word] += np.int64(1) << at
        if hit:
            memory[word] += np.int64(1) << (at + 4)


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
            note(memory, rival, place_of(memory[LATE], s.players), cashed)
            if left and not cashed:
                count(memory, HABITS + rival, LEFT_IN, gained(s, rival, memory) > memory[TOTAL])
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
def counted(memory, rival, players):
    """How often a rival was seen past the third seven, and how often it cashed out then."""
    word = memory[HABITS + rival]
    seen, cashed = sum_of(word & PAST), sum_of(word >> 4 & PAST)
    if players <= SMALL:
        word = memory[LATER + rival]
        seen += sum_of(word & EVERY)
        cashed += sum_of(word >> 4 & EVERY)
    return seen, cashed


@kernel
def sum_of(counts):
    """The sum of eight counts of four bits, one in each byte."""
    counts += counts >> 32
    counts += counts >> 16 & 0xFFFF
    return (counts + (counts >> 8 & 0xFF)) & 0xFF
