"""Who knows what in 9 of a Kind: which cards a seat can locate for certain, and what it cannot know.

A seat that gives cards away knows where they are until their holder gives some away. Everything else in
hands, offers and the centre can be redealt (`redeal`) without the seat noticing.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ninefold.game.nine_of_a_kind.hands import best_collection, hand_word, in_centre, toggle
from ninefold.game.nine_of_a_kind.parcels import (
    BITS,
    CARDS,
    COLLECTIONS,
    FIRST,
    MEMBER,
    NUMBER_IN,
    SIDE,
    SIZE,
)
from ninefold.kernel import seats
from ninefold.kernel.cards import Card, draw_card_wide
from ninefold.kernel.compile import kernel, noinline
from ninefold.kernel.stack import stack_copy, write_back
from ninefold.kernel.stream import below

MIDDLE = SIDE  # the centre's place among those who hold cards
TRIES = 2_000  # to find a parcel that fits; if there is none, nothing is redealt


@kernel
def lose_sight(s: Any, seat: int, holder: int) -> None:
    """A seat no longer knows any card of a holder."""
    s.knows[seat, holder, 0] = 0
    s.knows[seat, holder, 1] = 0


@kernel
def lose_sight_of_all_but(s: Any, seat: int, one: int) -> None:
    for holder in range(SIDE + 1):
        if holder != one:
            lose_sight(s, seat, holder)


@kernel
def note_gone(s: Any, holder: int, one: int, other: int) -> None:
    """A holder gave away cards that only two seats saw."""
    for seat in range(s.players):
        if seat != one and seat != other:
            lose_sight(s, seat, holder)


@kernel
def note_trade(s: Any, seat: int, other: int, given: int, got: int) -> None:
    """Two parcels have changed hands: both players know where theirs went."""
    note_gone(s, seat, seat, other)
    note_gone(s, other, seat, other)
    for word in range(2):
        s.knows[seat, other, word] = s.knows[seat, other, word] & ~BITS[got, word] | BITS[given, word]
        s.knows[other, seat, word] = s.knows[other, seat, word] & ~BITS[given, word] | BITS[got, word]


@noinline
def note_forfeit(s: Any, seat: int) -> None:
    """A hand goes to the centre, with what others know about it."""
    for word in range(2):
        s.knows[seat, MIDDLE, word] |= hand_word(s, seat, word)
        for other in range(s.players):
            s.knows[other, MIDDLE, word] |= s.knows[other, seat, word]
            s.knows[other, seat, word] = 0


@kernel
def note_laid_down(s: Any, seat: int) -> None:
    """A seat puts cards into the centre and takes others."""
    note_gone(s, seat, seat, seat)
    note_gone(s, MIDDLE, seat, seat)


@kernel
def note_drawn(s: Any, seat: int, card: Card) -> None:
    """A card has come from the centre to a hand."""
    s.knows[seat, MIDDLE, card >> 6] &= ~(np.int64(1) << (card & 63))


@kernel
def note_mixed_in(s: Any, seat: int, parcel: int) -> None:
    """The parcel that a seat put down is now part of the centre."""
    for word in range(2):
        s.knows[seat, MIDDLE, word] |= BITS[parcel, word]


# Redealing


@kernel
def hand_size(s: Any, seat: int) -> int:
    size = 0
    for rank in range(SIDE):
        size += NUMBER_IN[s.hands[seat, rank]]
    return size


@kernel
def is_open(s: Any, seat: int, viewer: int) -> bool:
    """Whether a viewer knows the whole hand of a seat: its own, or one shown in a true claim."""
    return seat == viewer or seats.has(s.sharing, seat)


@kernel
def known_word(s: Any, viewer: int, holder: int, word: int) -> Any:
    return np.int64(0) if viewer < 0 else s.knows[viewer, holder, word]


@kernel
def draw_from(s: Any, stream: Any) -> Card:
    """Take a card from the centre, which holds all unseen cards during a redeal."""
    card = draw_card_wide(s.centre, stream)
    seats.drop(s.centre, card)
    return card


@kernel
def draw_parcel(s: Any, seat: int, size: int, room: int, stream: Any) -> int:
    """A parcel from a seat's hand and at most `room` unseen cards, which go to the seat; -1 if impossible."""
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


@noinline
def gather(s: Any, viewer: int) -> None:
    """Move all cards a viewer cannot locate to the centre; holders keep what they are known to have."""
    for seat in range(s.players):
        if is_open(s, seat, viewer):
            continue
        for word in range(2):
            s.centre[word] |= hand_word(s, seat, word) & ~known_word(s, viewer, seat, word)
        for collection in range(COLLECTIONS):
            s.hands[seat, collection] = 0
        for card in range(CARDS):
            if known_word(s, viewer, seat, card >> 6) >> (card & 63) & 1 != 0:
                toggle(s, seat, card)
    for word in range(2):
        s.centre[word] &= ~known_word(s, viewer, MIDDLE, word)


@noinline
def deal_parcels(s: Any, was: Any, viewer: int, stream: Any) -> bool:
    """Replace offers, and parcels on their way to the centre, by cards the viewer cannot locate."""
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


@noinline
def redeal(s: Any, viewer: int, stream: Any) -> None:
    """Replace everything `viewer` (-1: a spectator) cannot know by another possibility."""
    was = stack_copy(s)
    gather(s, viewer)
    for seat in range(s.players):
        if s.laid[seat] >= 0 and seat != viewer:
            for word in range(2):
                s.centre[word] |= BITS[s.laid[seat], word]
    if not deal_parcels(s, was, viewer, stream):
        write_back(s, was)
        return
    for seat in range(s.players):
        while not is_open(s, seat, viewer) and hand_size(s, seat) < hand_size(was, seat):
            toggle(s, seat, draw_from(s, stream))
    for word in range(2):
        s.centre[word] |= known_word(s, viewer, MIDDLE, word)
    for seat in range(s.players):
        if seat != viewer:
            lose_sight_of_all_but(s, seat, viewer)  # the viewer knows what others know about its own hand
            redeal_debt(s, seat, stream)


@noinline
def redeal_debt(s: Any, seat: int, stream: Any) -> None:
    """The points of a forfeited hand: those of any nine cards now in the centre."""
    if seats.has(s.inside, seat) or s.forfeit == 0:
        return
    low, high = s.centre[0], s.centre[1]
    for _ in range(min(SIDE, in_centre(s))):
        toggle(s, seat, draw_from(s, stream))
    _, points = best_collection(s, seat)
    s.owed[seat] = points
    for collection in range(COLLECTIONS):
        s.hands[seat, collection] = 0
    s.centre[0], s.centre[1] = low, high


@noinline
def observe(s: Any, seat: int, out: Any) -> int:
    """What a seat knows, as numbers: where each card is, the round, then the seats from its own on.

    A card is 0 if its place is not known, 1 in the seat's hand, 1 + n with the n-th seat after it, 10 in the
    centre.
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
