"""What seats of 9 of a Kind know: where cards that went through their hands are for certain; what is unseen.

A seat that gives cards away knows where they are until their holder gives some away in turn. Whatever else
lies in hands, offers and the centre can be dealt anew (`redeal`) without the seat noticing.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ninefold.game.nine_of_a_kind.hands import best_line, hand_word, in_centre, toggle
from ninefold.game.nine_of_a_kind.parcels import BITS, CARDS, FIRST, IN_LINE, LINES, MEMBER, SIDE, SIZE
from ninefold.kernel import seats
from ninefold.kernel.cards import Card, count, nth_card
from ninefold.kernel.compile import apart, kernel
from ninefold.kernel.local import borrow, give_back
from ninefold.kernel.stream import below

MIDDLE = SIDE  # the centre's place among those who hold cards
TRIES = 2_000  # at a parcel that fits; where none is found, nothing is redealt


@kernel
def forget(s: Any, seat: int, holder: int) -> None:
    s.knows[seat, holder, 0] = 0
    s.knows[seat, holder, 1] = 0


@kernel
def forget_all(s: Any, holder: int, one: int, other: int) -> None:
    """A holder has given cards away that only two seats saw."""
    for seat in range(SIDE):
        if seat != one and seat != other:
            forget(s, seat, holder)


@kernel
def note_trade(s: Any, seat: int, other: int, given: int, got: int) -> None:
    for word in range(2):
        s.knows[seat, other, word] = s.knows[seat, other, word] & ~BITS[got, word] | BITS[given, word]
        s.knows[other, seat, word] = s.knows[other, seat, word] & ~BITS[given, word] | BITS[got, word]


@apart
def note_forfeit(s: Any, seat: int) -> None:
    for word in range(2):
        s.knows[seat, MIDDLE, word] |= hand_word(s, seat, word)
        for other in range(SIDE):
            s.knows[other, MIDDLE, word] |= s.knows[other, seat, word]
            s.knows[other, seat, word] = 0


# Dealing anew


@kernel
def hand_size(s: Any, seat: int) -> int:
    size = 0
    for rank in range(SIDE):
        size += IN_LINE[s.hands[seat, rank]]
    return size


@kernel
def is_open(s: Any, seat: int, viewer: int) -> bool:
    """Whether a viewer knows the whole hand of a seat: its own, and one laid out in a true claim."""
    return seat == viewer or seats.has(s.sharing, seat)


@kernel
def known_word(s: Any, viewer: int, holder: int, word: int) -> Any:
    return np.int64(0) if viewer < 0 else s.knows[viewer, holder, word]


@kernel
def draw_from(s: Any, stream: Any) -> Card:
    """A card of those in the centre, where all that is unseen lies while it is dealt anew; it leaves it."""
    low = count(s.centre[0])
    n = below(stream, low + count(s.centre[1]))
    card = nth_card(s.centre[0], n) if n < low else 64 + nth_card(s.centre[1], n - low)
    seats.drop(s.centre, card)
    return card


@kernel
def draw_parcel(s: Any, seat: int, size: int, room: int, stream: Any) -> int:
    """A parcel made of cards of a seat's hand and at most `room` unseen ones, which come to it; -1: none."""
    for _ in range(TRIES):
        parcel = FIRST[size] + below(stream, FIRST[size + 1] - FIRST[size])
        needed = 0
        for place in range(size):
            card = MEMBER[parcel, place]
            if s.hands[seat, card // SIDE] >> card % SIDE & 1 == 0:
                needed += 1 if seats.has(s.centre, card) else CARDS
        if needed <= room:
            for place in range(size):
                card = MEMBER[parcel, place]
                if seats.has(s.centre, card):
                    seats.drop(s.centre, card)
                    toggle(s, seat, card)
            return parcel  # type: ignore[no-any-return]
    return -1


@apart
def gather(s: Any, viewer: int) -> None:
    """All that a viewer has not seen goes to the centre; its holders keep what they are known to have."""
    for seat in range(s.players):
        if is_open(s, seat, viewer):
            continue
        for word in range(2):
            s.centre[word] |= hand_word(s, seat, word) & ~known_word(s, viewer, seat, word)
        for line in range(LINES):
            s.hands[seat, line] = 0
        for card in range(CARDS):
            if known_word(s, viewer, seat, card >> 6) >> (card & 63) & 1 != 0:
                toggle(s, seat, card)
    for word in range(2):
        s.centre[word] &= ~known_word(s, viewer, MIDDLE, word)


@apart
def deal_parcels(s: Any, was: Any, viewer: int, stream: Any) -> bool:
    """The parcels on offer and on their way to the centre, out of cards that the viewer has not seen."""
    for seat in range(s.players):
        if is_open(s, seat, viewer):
            continue
        if s.open_size[seat] > 0:
            room = hand_size(was, seat) - hand_size(s, seat)
            s.offered[seat] = draw_parcel(s, seat, s.open_size[seat], room, stream)
            if s.offered[seat] < 0:
                return False
        if s.laid[seat] >= 0:
            size = SIZE[s.laid[seat]]
            s.laid[seat] = draw_parcel(s, seat, size, size, stream)
            if s.laid[seat] < 0:
                return False
            for place in range(size):
                toggle(s, seat, MEMBER[s.laid[seat], place])
    return True


@apart
def redeal(s: Any, viewer: int, stream: Any) -> None:
    """Replace all that `viewer` (-1: a spectator) cannot know by another possibility."""
    was = borrow(s)
    gather(s, viewer)
    for seat in range(s.players):
        if s.laid[seat] >= 0 and seat != viewer:
            for word in range(2):
                s.centre[word] |= BITS[s.laid[seat], word]
    if not deal_parcels(s, was, viewer, stream):
        give_back(s, was)
        return
    for seat in range(s.players):
        while not is_open(s, seat, viewer) and hand_size(s, seat) < hand_size(was, seat):
            toggle(s, seat, draw_from(s, stream))
    for word in range(2):
        s.centre[word] |= known_word(s, viewer, MIDDLE, word)
    for seat in range(s.players):
        if seat != viewer:
            redeal_memory(s, seat, viewer)
            redeal_debt(s, seat, stream)


@kernel
def redeal_memory(s: Any, seat: int, viewer: int) -> None:
    """What others know is theirs; only of the viewer's own hand does the viewer know what they know."""
    for holder in range(SIDE + 1):
        if holder != viewer:
            forget(s, seat, holder)


@apart
def redeal_debt(s: Any, seat: int, stream: Any) -> None:
    """The points of a hand that was forfeited: of any nine cards that now lie in the centre."""
    if seats.has(s.inside, seat) or s.forfeit == 0:
        return
    low, high = s.centre[0], s.centre[1]
    for _ in range(min(SIDE, in_centre(s))):
        toggle(s, seat, draw_from(s, stream))
    _, points = best_line(s, seat)
    s.owed[seat] = points
    for line in range(LINES):
        s.hands[seat, line] = 0
    s.centre[0], s.centre[1] = low, high


@apart
def observe(s: Any, seat: int, out: Any) -> int:
    """What a seat knows as numbers: where each card is, the round, then the seats from its own on.

    A card is 0 where it is not known, 1 in the own hand, 1 + n with the n-th seat on, 10 in the centre.
    """
    for card in range(CARDS):
        word, place = card >> 6, card & 63
        out[card] = s.hands[seat, card // SIDE] >> card % SIDE & 1
        for holder in range(SIDE + 1):
            if s.knows[seat, holder, word] >> place & 1 != 0:
                out[card] = 10 if holder == MIDDLE else 1 + (holder - seat) % s.players
    out[81] = s.phase
    out[82] = s.target
    out[83] = s.chicken
    out[84] = s.forfeit
    out[85] = s.round_number
    out[86] = in_centre(s)
    out[87] = s.trades
    out[88] = s.offered[seat]
    out[89] = s.owed[seat]
    size = 90
    for step in range(s.players):
        other = (seat + step) % s.players
        out[size] = seats.has(s.inside, other)
        out[size + 1] = seats.has(s.silent, other)
        out[size + 2] = seats.has(s.fresh, other)
        out[size + 3] = s.open_size[other]
        out[size + 4] = s.scores[other]
        size += 5
    return size
