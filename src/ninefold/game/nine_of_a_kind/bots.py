"""Compiled bots of 9 of a Kind. They use their own hand, public facts and their memory."""

import numpy as np

from ninefold.game.nine_of_a_kind.hands import (
    best_collection,
    held,
    in_centre,
    is_blocked,
    is_nine,
    larger_parcels,
    longest,
    nth_parcel,
)
from ninefold.game.nine_of_a_kind.parcels import (
    COLLECTIONS,
    COUNT,
    FIRST,
    FULL,
    LARGEST,
    NUMBER_IN,
    PAIRS,
    PAIRS_EACH,
    PAIRS_FROM,
    SIDE,
    THREES,
    THREES_EACH,
    THREES_FROM,
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
from ninefold.game.nine_of_a_kind.scoring import LEAST_FOR_CHICKEN
from ninefold.game.nine_of_a_kind.tempers import ANSWERS, OFFERS, SINGLES, USUAL, aim, manner
from ninefold.kernel import seats
from ninefold.kernel.cards import count, nth_card
from ninefold.kernel.compile import kernel, noinline
from ninefold.kernel.stream import below

RANDOM, EASY, MEDIUM, HARD, EXPERT = range(5)


@noinline
def random(s, seat, stream):
    """Any legal move, all equally likely, without listing them."""
    if s.phase == WINDOW:
        return CLAIM_NINE if below(stream, 2) == 0 else WAIT
    pairs, threes = larger_parcels(s, seat)
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
    if n >= every + central + answers:
        return any_word(s, seat, n - every - central - answers)
    base = OFFER
    size = 0  # any
    if n >= every:
        n -= every
        base = CENTRE
        if n >= central:
            n -= central
            for other in range(s.players):
                size = s.open_size[other]
                here = (size == 1) * SIDE + (size == 2) * pairs + (size == 3) * threes
                if other != seat:
                    if n < here:
                        step = other - seat if other > seat else other - seat + s.players
                        base = ANSWER + COUNT * (step - 1)
                        break
                    n -= here
    if size == 0:
        size = 1 if n < SIDE else (2 if n < SIDE + pairs else 3)  # singles, pairs, then threes
        n -= SIDE * (size > 1) + pairs * (size > 2)
    return base + nth_parcel(s, seat, size, n)


@kernel
def any_word(s, seat, n):
    """The n-th of the calls that need no parcel."""
    if n == 0:
        return WAIT
    if n <= 2:
        return CLAIM_NINE if n == 1 else CLAIM_BLOCKED
    return WITHDRAW if n == 3 and s.open_size[seat] > 0 else CHICKEN


# Collecting a rank or a suit

# Words of memory: what it collects (plus one), the most cards of that so far, the number of trades when that
# last grew, and the round.
COLLECTION, BEST, SINCE, ROUND = 0, 1, 2, 3
GOAL = 31  # and how many cards of a blocker it wants to have before it goes for one
PATIENCE = 12  # trades per player without progress, after which it collects something else


@noinline
def win_now(s, seat):
    """The claim that is true for the hand, or -1."""
    if is_nine(s, seat):
        return CLAIM_NINE
    return CLAIM_BLOCKED if is_blocked(s, seat) else -1


@noinline
def fullest(s, seat, but, stream):
    """A collection with the most cards, any of them; never the collection `but`."""
    best = -1
    most = -1
    ties = 0
    for collection in range(COLLECTIONS):
        if collection != but:
            here = NUMBER_IN[s.hands[seat, collection]]
            if here > most:
                most = here
                ties = 0
            if here == most:
                ties += 1
                if below(stream, ties) == 0:
                    best = collection
    return best


@kernel
def belongs_to(card, collection):
    return card // SIDE == collection or card % SIDE + SIDE == collection


@noinline
def spare_parcel(s, seat, size, collection, stream):
    """Any parcel of a size without a card of the collection, or -1."""
    found = -1
    seen = 0
    for other in range(SIDE if size == 1 else COLLECTIONS):
        bits = s.hands[seat, other]
        if other == collection:
            continue
        if (other < SIDE) != (collection < SIDE):  # a rank and a suit share one card
            bits &= ~(1 << (collection % SIDE))
        here = held(bits, size)
        if here > 0:
            seen += here
            n = below(stream, seen)
            if n < here:
                found = parcel_of(other, bits, size, n)
    return found


@kernel
def parcel_of(collection, bits, size, n):
    """The n-th parcel of a size among some cards of a collection."""
    if size == 2:
        return FIRST[2] + PAIRS_EACH * collection + PAIRS[PAIRS_FROM[bits] + n]
    if size == 3:
        return FIRST[3] + THREES_EACH * collection + THREES[THREES_FROM[bits] + n]
    return SIDE * collection + nth_card(np.int64(bits), n)


@noinline
def open_offer(s, seat, size, stream):
    """A seat whose open offer is of a size, any of them, or -1."""
    found = -1
    seen = 0
    for other in range(s.players):
        if other != seat and s.open_size[other] == size:
            seen += 1
            if below(stream, seen) == 0:
                found = other
    return found


@kernel
def answering(s, seat, other, parcel):
    """The action that answers a seat with a parcel."""
    return ANSWER + COUNT * ((other - seat) % s.players - 1) + parcel


@noinline
def collected(s, seat, memory, stream):
    """The collection that it collects: the same one until it stops growing."""
    if memory[ROUND] != s.round_number:
        memory[ROUND] = s.round_number
        memory[COLLECTION] = fullest(s, seat, -1, stream) + 1
        memory[BEST] = 0
    collection = memory[COLLECTION] - 1
    here = NUMBER_IN[s.hands[seat, collection]]
    if here > memory[BEST]:
        memory[BEST] = here
        memory[SINCE] = s.trades
    elif s.trades - memory[SINCE] > PATIENCE * s.players:
        collection = fullest(s, seat, collection, stream)
        memory[COLLECTION] = collection + 1
        memory[BEST] = NUMBER_IN[s.hands[seat, collection]]
        memory[SINCE] = s.trades
    return collection


@noinline
def answer_offer(s, seat, collection, stream):
    """Answer an open offer with cards outside a collection, as many as possible, or -1."""
    for size in range(LARGEST, 0, -1):
        other = open_offer(s, seat, size, stream)
        if other >= 0:
            parcel = spare_parcel(s, seat, size, collection, stream)
            if parcel >= 0:
                return answering(s, seat, other, parcel)
    return -1


@noinline
def trade_away(s, seat, collection, way, stream):
    """Trade away as many cards outside a collection as possible: with the centre, in answer, or on offer."""
    if way == ANSWERS:
        answer = answer_offer(s, seat, collection, stream)
        if answer >= 0:
            return answer
    if way != OFFERS and seats.has(s.fresh, seat):
        for size in range(min(LARGEST, in_centre(s)), 0, -1):
            parcel = spare_parcel(s, seat, size, collection, stream)
            if parcel >= 0:
                return CENTRE + parcel
    if way == USUAL or way == SINGLES:
        answer = answer_offer(s, seat, collection, stream)
        if answer >= 0:
            return answer
    size = 1 + (below(stream, 3) == 0) + (below(stream, 6) == 0)
    if way == SINGLES:
        size = 1
    parcel = spare_parcel(s, seat, size, collection, stream)
    if parcel < 0:
        parcel = spare_parcel(s, seat, 1, collection, stream)
    return OFFER + parcel if parcel >= 0 else WAIT


# A blocker: one card of every rank and every suit

# In memory: the nine cards; for each, the ranks and suits missing without it; for each card of each rank, in
# seven bits, the stretch of the round in which it was last in the hand.
CARDS_AT, ROOM_AT, SEEN_AT = 4, 13, 22
STRETCH = 8  # trades
LATEST = 125
EARLY = 4
FEW_POINTS = 8


@noinline
def spread(s, seat, memory):
    """The most cards of a hand of which no two share a rank or a suit.

    For each card, memory gets the ranks (low bits) and suits that are missing in such a choice without it: a
    card of such a rank and suit would bring a blocker nearer.
    """
    found = 0
    for rank in range(SIDE):
        bits = np.int64(s.hands[seat, rank])
        while bits != 0:
            memory[CARDS_AT + found] = SIDE * rank + seats.lowest_bit(bits)
            bits &= bits - 1
            found += 1
    most = 0
    for chosen in range(1 << SIDE):
        size = NUMBER_IN[chosen]
        if size < most:
            continue
        ranks = 0
        suits = 0
        for place in range(SIDE):
            if chosen >> place & 1 != 0:
                card = memory[CARDS_AT + place]
                ranks |= 1 << card // SIDE
                suits |= 1 << card % SIDE
        if NUMBER_IN[ranks] != size or NUMBER_IN[suits] != size:
            continue
        if size > most:
            most = size
            for place in range(SIDE):
                memory[ROOM_AT + place] = 0
        for place in range(SIDE):
            if chosen >> place & 1 == 0:
                memory[ROOM_AT + place] |= (FULL & ~ranks) | (FULL & ~suits) << SIDE
    return most


@noinline
def watch(s, seat, memory):
    """Note when each card was last in its hand: a card that keeps coming back is not being kept by anyone."""
    now = 1 + min(s.trades // STRETCH, LATEST)
    for rank in range(SIDE):
        bits = s.hands[seat, rank]
        seen = memory[SEEN_AT + rank]
        for suit in range(SIDE):
            if bits >> suit & 1 != 0:
                seen = seen & ~(np.int64(127) << 7 * suit) | np.int64(now) << 7 * suit
        memory[SEEN_AT + rank] = seen


@kernel
def chances(s, memory, rank, suit):
    """Roughly how likely a card is to come: it came recently, nobody knows, or someone keeps it."""
    now = 1 + min(s.trades // STRETCH, LATEST)
    seen = memory[SEEN_AT + rank] >> 7 * suit & 127
    if seen == 0:
        return 2 if now <= EARLY else 1
    return 4 if now - seen <= 2 else 2


@kernel
def worth_of_room(s, seat, memory, room):
    """The total chance of all cards that would bring a blocker nearer."""
    total = 0
    for rank in range(SIDE):
        if room >> rank & 1 != 0:
            for suit in range(SIDE):
                held = s.hands[seat, rank] >> suit & 1 != 0
                if room >> (SIDE + suit) & 1 != 0 and not held:
                    total += chances(s, memory, rank, suit)
    return total


@noinline
def spread_spare(s, seat, memory, stream):
    """The card to give away: the one whose loss leaves the best chance of a blocker."""
    best = -1
    most = -1
    ties = 0
    for place in range(SIDE):
        room = memory[ROOM_AT + place]
        value = worth_of_room(s, seat, memory, room) if room != 0 else 0
        if value > most:
            most = value
            ties = 0
        if value == most:
            ties += 1
            if below(stream, ties) == 0:
                best = memory[CARDS_AT + place]
    return best


@noinline
def should_chicken(s, seat, memory):
    """Whether to call Chicken!: seven of a kind that no longer grow, and very few points."""
    if s.chicken == 0 or longest(s, seat) < LEAST_FOR_CHICKEN:
        return False
    _, points = best_collection(s, seat)
    return points <= FEW_POINTS and s.trades - memory[SINCE] > 2 * s.players


@noinline
def any_spare(memory, stream):
    """Any card that a blocker can do without."""
    found = -1
    seen = 0
    for place in range(SIDE):
        if memory[ROOM_AT + place] != 0:
            seen += 1
            if below(stream, seen) == 0:
                found = memory[CARDS_AT + place]
    return found


@noinline
def give_away(s, seat, card, way, stream):
    """Trade one card away: with the centre, by answering, by offering."""
    other = open_offer(s, seat, 1, stream) if way == ANSWERS else -1
    if other >= 0:
        return answering(s, seat, other, card)
    if way != OFFERS and seats.has(s.fresh, seat) and in_centre(s) > 0:
        return CENTRE + card
    if way == USUAL or way == SINGLES:
        other = open_offer(s, seat, 1, stream)
    if other >= 0:
        return answering(s, seat, other, card)
    return OFFER + card


@kernel
def nothing_to_trade(s, seat):
    """What to play where cards do not matter now: a true claim or, while others speak, nothing. Or -1."""
    won = win_now(s, seat)
    return WAIT if won < 0 and s.phase == WINDOW else won


@noinline
def collect(s, seat, goal, sooner, careful, params, memory, stream):
    """Collects a rank or suit until it has `goal` cards of a blocker, in some rounds (percent) one card less.

    It does not wait that long when players are out of the round: there are too few left to trade with.
    """
    said = nothing_to_trade(s, seat)
    if said >= 0:
        return said
    if memory[ROUND] != s.round_number:
        memory[GOAL] = goal - (below(stream, 100) < sooner)
    collection = collected(s, seat, memory, stream)
    if careful and should_chicken(s, seat, memory):
        return CHICKEN
    most = spread(s, seat, memory)
    out = s.players - count(s.inside[0])
    if most < memory[GOAL] - out or most <= NUMBER_IN[s.hands[seat, collection]]:
        move = trade_away(s, seat, collection, USUAL, stream)
        way = manner(move, params, stream)
        return move if way == USUAL else trade_away(s, seat, collection, way, stream)
    card = spread_spare(s, seat, memory, stream) if careful else any_spare(memory, stream)
    move = give_away(s, seat, card, USUAL, stream)
    way = manner(move, params, stream)
    return move if way == USUAL else give_away(s, seat, card, way, stream)


@noinline
def expert(s, seat, memory, stream):
    """Aims for a blocker unless nine of a kind is nearer, and keeps cards that no longer come round."""
    said = nothing_to_trade(s, seat)
    if said >= 0:
        return said
    if memory[ROUND] != s.round_number:
        for rank in range(SIDE):
            memory[SEEN_AT + rank] = 0
    collection = collected(s, seat, memory, stream)
    watch(s, seat, memory)
    if should_chicken(s, seat, memory):
        return CHICKEN
    if spread(s, seat, memory) <= NUMBER_IN[s.hands[seat, collection]]:
        return trade_away(s, seat, collection, USUAL, stream)
    return give_away(s, seat, spread_spare(s, seat, memory, stream), USUAL, stream)


@kernel
def decide(bot, s, seat, spans, params, memory, stream):
    """The move of a bot by its number in the fact sheet."""
    if bot == RANDOM:
        return random(s, seat, stream)
    if bot == EASY:
        goal, sooner = aim(8, 75, params)
        return collect(s, seat, goal, sooner, False, params, memory, stream)
    if bot == MEDIUM:
        goal, sooner = aim(7, 40, params)
        return collect(s, seat, goal, sooner, False, params, memory, stream)
    if bot == HARD:
        goal, sooner = aim(6, 0, params)
        return collect(s, seat, goal, sooner, True, params, memory, stream)
    return expert(s, seat, memory, stream)
