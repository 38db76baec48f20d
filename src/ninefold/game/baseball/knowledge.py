"""Who knows what in Baseball: what a viewer may not see, what it may be instead, and what a seat observes.

A card that its owner has looked at and left face down (R2.4), and one drawn until it is discarded or put
(R3.4), are seen by one player alone. For all others they are among the cards not seen.
"""

from ninefold.game.baseball.fields import DRAWN, NOTHING, PLACES, UNSEEN
from ninefold.kernel import shoe
from ninefold.kernel.compile import kernel
from ninefold.kernel.shoe import rank_of


@kernel
def is_secret(s, seat, viewer, place):
    """Whether the owner of a face-down card has looked at it, and the viewer is another seat."""
    return seat != viewer and s.known[seat] >> place & 1 != 0


@kernel
def drew_secretly(s, viewer):
    """Whether another seat is looking at a card just drawn."""
    return s.stage == DRAWN and s.mover != viewer


@kernel
def mask_hidden(s, viewer):
    """Count cards that only others have seen as unseen."""
    for seat in range(s.players):
        for place in range(PLACES):
            if is_secret(s, seat, viewer, place):
                shoe.add(s.unseen, s.decks, int(s.cards[seat, place]))
                s.cards[seat, place] = UNSEEN
    if drew_secretly(s, viewer):
        shoe.add(s.unseen if s.renewed == 0 else s.stock, s.decks, s.drawn)
        s.drawn = NOTHING


@kernel
def redeal(s, seat, stream):
    """Replace what a seat cannot know by random cards it has not seen."""
    mask_hidden(s, seat)
    for other in range(s.players):
        for place in range(PLACES):
            if is_secret(s, other, seat, place):
                card = shoe.draw(s.unseen, s.decks, stream)
                shoe.remove(s.unseen, s.decks, card)
                s.cards[other, place] = card
    if drew_secretly(s, seat):
        origin = s.unseen if s.renewed == 0 else s.stock
        s.drawn = shoe.draw(origin, s.decks, stream)
        shoe.remove(origin, s.decks, s.drawn)


@kernel
def count_unseen(s, viewer, out, at):
    """Write how many cards of each rank of the original shoe the viewer has not seen, from out[at] on."""
    for rank in range(shoe.RANKS):
        out[at + rank] = shoe.of_rank(s.unseen, s.decks, rank)
    for seat in range(s.players):
        if seat != viewer and s.known[seat] != 0:
            for place in range(PLACES):
                if is_secret(s, seat, viewer, place):
                    out[at + rank_of(int(s.cards[seat, place]))] += 1
    if drew_secretly(s, viewer) and s.renewed == 0:
        out[at + rank_of(s.drawn)] += 1


@kernel
def count_unseen_of(s, viewer, rank):
    """The same for one rank."""
    found = shoe.of_rank(s.unseen, s.decks, rank)
    for seat in range(s.players):
        if seat != viewer and s.known[seat] != 0:
            for place in range(PLACES):
                if is_secret(s, seat, viewer, place) and rank_of(int(s.cards[seat, place])) == rank:
                    found += 1
    if drew_secretly(s, viewer) and s.renewed == 0 and rank_of(s.drawn) == rank:
        found += 1
    return found


@kernel
def count_stock(s, viewer, out, at):
    """The same for a shoe made of discards."""
    for rank in range(shoe.RANKS):
        out[at + rank] = shoe.of_rank(s.stock, s.decks, rank)
    if drew_secretly(s, viewer) and s.renewed != 0:
        out[at + rank_of(s.drawn)] += 1


@kernel
def relative(s, seat, other):
    """How many seats after `seat` another one is, -1 for nobody."""
    return (other - seat + s.players) % s.players if other >= 0 else NOTHING


@kernel
def observe(s, seat, out):
    """What `seat` knows, as numbers: the table, the cards it has not seen, all hands from its own on."""
    out[0] = s.stage
    out[1] = relative(s, seat, s.mover)
    out[2] = relative(s, seat, s.out)
    out[3] = relative(s, seat, s.first)
    out[4] = s.inning
    out[5] = s.innings
    out[6] = s.turns_here
    out[7] = s.turn_limit
    out[8] = s.clear_jokers
    out[9] = s.in_shoe
    out[10] = s.renewed
    out[11] = rank_of(s.top)  # -1 if there is none
    out[12] = NOTHING if drew_secretly(s, seat) else rank_of(s.drawn)
    out[13] = s.look_1
    out[14] = s.look_2
    count_unseen(s, seat, out, 15)
    count_stock(s, seat, out, 15 + shoe.RANKS)
    size = 15 + 2 * shoe.RANKS
    for step in range(s.players):
        other = (seat + step) % s.players
        out[size] = s.totals[other]
        size += 1
        for place in range(PLACES):
            left, up = s.left[other] >> place & 1, s.up[other] >> place & 1
            hidden = left == 0 or is_secret(s, other, seat, place)
            out[size] = NOTHING if hidden else rank_of(int(s.cards[other, place]))
            out[size + 1] = left + 2 * up + (s.known[other] >> place & 1)  # cleared, down, looked at, up
            size += 2
    return size
