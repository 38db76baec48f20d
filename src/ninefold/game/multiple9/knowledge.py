"""What a seat of Multiple 9 knows, as numbers for programs that learn. No rule of play is here."""

from ninefold.game.nines import RANKS, number_of
from ninefold.kernel import seats
from ninefold.kernel.compile import kernel


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
