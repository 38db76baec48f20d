"""Compiled bots of 9 of a Kind. Each looks at its own hand, at what is public and at what it remembers."""

from ninefold.game.nine_of_a_kind.hands import in_centre
from ninefold.game.nine_of_a_kind.parcels import (
    COUNT,
    FIRST,
    HOLDS,
    LARGEST,
    LINES,
    PAIRS,
    PAIRS_FROM,
    PAIRS_OF_LINE,
    SIDE,
    THREES,
    THREES_FROM,
    THREES_OF_LINE,
)
from ninefold.game.nine_of_a_kind.rules import (
    ANSWER,
    CENTRE,
    CHICKEN,
    CLAIM_BLOCKED,
    CLAIM_NINE,
    OFFER,
    WAIT,
    WINDOW,
    WITHDRAW,
)
from ninefold.kernel import seats
from ninefold.kernel.compile import apart, kernel
from ninefold.kernel.stream import below

RANDOM, EASY, MEDIUM, HARD = range(4)
HALF = (1 << 32) - 1


@apart
def nth_parcel(s, seat, size, n):
    """The n-th parcel of a size in a hand."""
    for line in range(SIDE if size == 1 else LINES):
        bits = s.hands[seat, line]
        if size == 1:
            while bits != 0:
                if n == 0:
                    return SIDE * line + seats.lowest_bit(bits)
                bits &= bits - 1
                n -= 1
        elif size == 2:
            here = PAIRS_FROM[bits + 1] - PAIRS_FROM[bits]
            if n < here:
                return FIRST[2] + PAIRS_OF_LINE * line + PAIRS[PAIRS_FROM[bits] + n]
            n -= here
        else:
            here = THREES_FROM[bits + 1] - THREES_FROM[bits]
            if n < here:
                return FIRST[3] + THREES_OF_LINE * line + THREES[THREES_FROM[bits] + n]
            n -= here
    return -1


@kernel
def any_parcel(s, seat, size, pairs, n):
    """The n-th parcel of a hand with so many pairs: of one size, or (0) of the singles, pairs and threes."""
    if size > 0:
        return nth_parcel(s, seat, size, n)
    if n < SIDE:
        return nth_parcel(s, seat, 1, n)
    if n < SIDE + pairs:
        return nth_parcel(s, seat, 2, n - SIDE)
    return nth_parcel(s, seat, 3, n - SIDE - pairs)


@apart
def random(s, seat, stream):
    """Any legal move, all equally likely, without a list of them."""
    if s.phase == WINDOW:
        return CLAIM_NINE if below(stream, 2) == 0 else WAIT
    both = 0
    for line in range(LINES):
        both += HOLDS[s.hands[seat, line]]
    pairs, threes = both & HALF, both >> 32
    every = SIDE + pairs + threes
    lying = in_centre(s)
    central = every if lying >= LARGEST else SIDE * (lying > 0) + pairs * (lying > 1)
    if not seats.has(s.fresh, seat):
        central = 0
    answers = 0
    for other in range(SIDE):
        if other != seat:
            size = s.open_size[other]
            answers += (size == 1) * SIDE + (size == 2) * pairs + (size == 3) * threes
    words = 3 + (s.open_size[seat] > 0) + s.chicken
    n = below(stream, every + central + answers + words)
    if n < every:
        return OFFER + any_parcel(s, seat, 0, pairs, n)
    n -= every
    if n < central:
        return CENTRE + any_parcel(s, seat, 0, pairs, n)
    n -= central
    if n < answers:
        for other in range(s.players):
            size = s.open_size[other]
            here = (size == 1) * SIDE + (size == 2) * pairs + (size == 3) * threes
            if other != seat:
                if n < here:
                    step = other - seat if other > seat else other - seat + s.players
                    return ANSWER + COUNT * (step - 1) + nth_parcel(s, seat, size, n)
                n -= here
    n -= answers
    if n == 0:
        return WAIT
    if n <= 2:
        return CLAIM_NINE if n == 1 else CLAIM_BLOCKED
    return WITHDRAW if n == 3 and s.open_size[seat] > 0 else CHICKEN


@kernel
def decide(bot, s, seat, spans, params, memory, stream):
    """The move of a bot by its number in the fact sheet."""
    return random(s, seat, stream)
