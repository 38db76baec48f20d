"""Who knows what in Multiple 9: what hidden cards might be, and what a seat knows, as numbers.

Whose cards a seat may see is marked in record.py; no rule of play is here.
"""

import numpy as np

from ninefold.game.multiple9.record import HAND, LONE_NINE, OUT
from ninefold.game.nines import RANKS, WIDTH, has_group, nth_rank, number_of, size_of, splits
from ninefold.kernel import seats
from ninefold.kernel.compile import kernel
from ninefold.kernel.stack import stack_copy, write_back
from ninefold.kernel.stream import below

TRIES = 4_000  # to redeal hands that fit what is known about them


@kernel
def redeal(s, seat, stream):
    """Redeal what `seat` cannot know: the stock and the hidden cards of the others."""
    for _ in range(TRIES):
        after = stack_copy(s)
        scatter(after, seat, stream)
        if fits(after, seat):
            write_back(s, after)
            return


@kernel
def scatter(s, seat, stream):
    """Deal any cards to the others; cards held since the discards were turned over are dealt separately."""
    kept = np.int64(0)
    for other in range(s.players):
        if other != seat:
            kept += s.kept[other]
            s.stock += s.hands[other] - s.kept[other]
    for other in range(s.players):
        if other == seat:
            continue
        of_kept = size_of(s.kept[other])
        first_five = HAND if s.dealt[other] != 0 else 0
        s.hands[other] = 0
        s.kept[other] = 0
        for number in range(s.sizes[other]):
            if number < of_kept:
                card = np.int64(1) << WIDTH * nth_rank(kept, below(stream, size_of(kept)))
                kept -= card
                s.kept[other] += card
            else:
                card = np.int64(1) << WIDTH * nth_rank(s.stock, below(stream, size_of(s.stock)))
                s.stock -= card
            s.hands[other] += card
            if number + 1 == first_five:
                s.dealt[other] = s.hands[other]


@kernel
def fits(s, seat):
    """Whether redealt hands fit what everyone knows: a nine was followed; who could go out was asked."""
    if s.laid == LONE_NINE and s.player != seat and not has_group(s.hands[s.player]):
        return False
    for other in range(s.players):
        known = s.dealt[other] != 0 and (s.phase != OUT or other <= s.player)
        if other != seat and known and splits(s.dealt[other]) != seats.has(s.asked, other):
            return False
    return True


@kernel
def observe(s, seat, out):
    """What a seat knows, as numbers: the turn, its hand, what lies open, then each player's cards."""
    out[0] = s.phase
    out[1] = (s.player - seat) % s.players
    out[2] = s.laid
    out[3] = s.drew
    out[4] = s.idle
    out[5] = s.undecided
    out[6] = s.stock_left
    size = 7
    for rank in range(RANKS):
        out[size + rank] = number_of(s.hands[seat], rank)
        out[size + RANKS + rank] = number_of(s.discards, rank)
        out[size + 2 * RANKS + rank] = number_of(s.turned, rank)
    size += 3 * RANKS
    for step in range(s.players):
        other = (seat + step) % s.players
        out[size] = s.sizes[other]
        out[size + 1] = seats.has(s.asked, other)
        size += 2
    return size
