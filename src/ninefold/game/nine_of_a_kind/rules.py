"""The rules of 9 of a Kind (RULES.md beside this file): everyone trades at once.

Only rules: no texts, no drawing, no bots, no clock. Numbers such as R3.2 are those of RULES.md. Which cards
may go together is in parcels.py, hands are in hands.py, points in scoring.py, and who knows what in
knowledge.py.
"""

from ninefold.game.nine_of_a_kind import knowledge
from ninefold.game.nine_of_a_kind.hands import (
    best_collection,
    hand_word,
    has_parcel,
    in_centre,
    is_blocked,
    is_nine,
    larger_parcels,
    list_again,
    list_parcels,
    nth_parcel,
    span,
    toggle,
    toggle_parcel,
)
from ninefold.game.nine_of_a_kind.parcels import BITS, CARDS, COLLECTIONS, COUNT, LARGEST, SIDE, SIZE
from ninefold.game.nine_of_a_kind.scoring import clear_results, pay_chicken, pay_winners
from ninefold.kernel import seats
from ninefold.kernel.cards import count, draw_card, draw_card_wide
from ninefold.kernel.compile import kernel, noinline
from ninefold.kernel.fields import CHANCE, COMMON, EVERYONE, NOBODY, SEAT_BITS, SEATS, Field, Sees, public

# Actions: offer and centre with each parcel, answer with each parcel for each seat to the left, five calls.
OFFER, CENTRE, ANSWER = 0, COUNT, 2 * COUNT
WITHDRAW = 10 * COUNT
CLAIM_NINE, CLAIM_BLOCKED, CHICKEN, WAIT = WITHDRAW + 1, WITHDRAW + 2, WITHDRAW + 3, WITHDRAW + 4

DEAL, TRADE, DRAW, WINDOW = 0, 1, 2, 3  # phases
NINE, BLOCKED, CHICKENED, DEAD = 1, 2, 3, 4  # how a round ended

FIELDS = (
    *COMMON,
    *public("phase", "target", "chicken"),
    Field("forfeit", "i8", Sees.ALL),  # 0 free, 1 counts
    Field("round_number", "i8", Sees.ALL),
    Field("dealt", "i8", Sees.ALL),  # cards, in this round
    Field("drawer", "i8", Sees.ALL),  # who takes cards from the centre, in the phase DRAW
    Field("draws", "i8", Sees.ALL),  # how many are still to come
    Field("claimant", "i8", Sees.ALL),  # who claimed first, in the phase WINDOW; -1 otherwise
    Field("trades", "i8", Sees.ALL),  # between players, in this round
    Field("all_trades", "i8", Sees.ALL),  # between players, in the game
    Field("centre_trades", "i8", Sees.ALL),  # in the game
    Field("dead_rounds", "i8", Sees.ALL),
    Field("ending", "i8", Sees.ALL),  # how the last round ended, 0 before that
    Field("caller", "i8", Sees.ALL),  # who ended it
    Field("inside", "i8", Sees.ALL, (SEAT_BITS,)),
    Field("silent", "i8", Sees.ALL, (SEAT_BITS,)),  # who has not spoken in the window
    Field("sharing", "i8", Sees.ALL, (SEAT_BITS,)),  # who has made a true claim in it
    Field("fresh", "i8", Sees.ALL, (SEAT_BITS,)),  # who has traded with a player since the last centre trade
    Field("scores", "i8", Sees.ALL, (SEATS,)),
    Field("open_size", "i8", Sees.ALL, (SEATS,)),  # cards of the open offer, 0 without one
    Field("held", "i8", Sees.ALL, (SEATS,)),  # of the last round: points held,
    Field("named", "i8", Sees.ALL, (SEATS,)),  # the collection named, or -1,
    Field("gained", "i8", Sees.ALL, (SEATS,)),  # points scored,
    Field("laid_open", "i8", Sees.ALL, (SEATS, 2)),  # and the cards of all who were in
    Field("centre", "i8", Sees.NOBODY, (2,)),  # a set of cards; those put down in a trade are added last
    Field("offered", "i8", Sees.OWNER, (SEATS,)),  # the parcel on offer, -1 without one
    Field("laid", "i8", Sees.OWNER, (SEATS,)),  # the parcel on its way into the centre, -1 without one
    Field("owed", "i8", Sees.OWNER, (SEATS,)),  # points of a forfeited hand, R5.4
    Field("knows", "i8", Sees.OWNER, (SEATS, SIDE + 1, 2)),  # cards that a seat knows to be with another
    Field("hands", "i4", Sees.OWNER, (SEATS, COLLECTIONS)),  # the cards of each rank, then of each suit
)


@kernel
def begin(s):
    begin_round(s)


@noinline
def begin_round(s):
    s.round_number += 1
    s.phase = DEAL
    s.actor = CHANCE
    s.dealt = 0
    s.trades = 0
    s.claimant = -1
    s.drawer = -1
    s.centre[0] = -1
    s.centre[1] = (1 << (CARDS - 64)) - 1
    seats.fill(s.inside, s.players)
    seats.clear(s.silent)
    seats.clear(s.sharing)
    seats.clear(s.fresh)
    for seat in range(SIDE):
        s.open_size[seat] = 0
        s.offered[seat] = -1
        s.laid[seat] = -1
        s.owed[seat] = 0
        for collection in range(COLLECTIONS):
            s.hands[seat, collection] = 0
    for seat in range(s.players):
        knowledge.lose_sight_of_all_but(s, seat, -1)


@kernel
def next_turn(s):
    """Let everyone who is in act."""
    s.turns += 1
    s.actor = EVERYONE


# Moves


@noinline
def legal(s, seat, out):
    """Spans of the actions that `seat` may play now."""
    spans = 0
    if s.actor != EVERYONE:
        return spans
    if s.phase == WINDOW:
        if seats.has(s.silent, seat):  # R4.4
            spans = span(out, spans, CLAIM_NINE, 0)
            spans = span(out, spans, WAIT, 0)
        return spans
    if not seats.has(s.inside, seat):
        return spans
    for size in range(1, LARGEST + 1):
        spans = list_parcels(s, seat, size, out, spans)
    offers = spans
    if seats.has(s.fresh, seat):  # R3.6
        spans = list_again(out, offers, spans, CENTRE, 1, min(LARGEST, in_centre(s)))
    for step in range(1, s.players):
        other = (seat + step) % s.players
        if s.open_size[other] > 0:  # R3.4
            size = s.open_size[other]
            spans = list_again(out, offers, spans, ANSWER + COUNT * (step - 1), size, size)
    if s.open_size[seat] > 0:
        spans = span(out, spans, WITHDRAW, 0)
    spans = span(out, spans, CLAIM_NINE, 0)
    spans = span(out, spans, CLAIM_BLOCKED, 0)
    if s.chicken != 0:
        spans = span(out, spans, CHICKEN, 0)
    return span(out, spans, WAIT, 0)


@noinline
def count_moves(s, seat):
    """How many actions `legal` gives."""
    if s.actor != EVERYONE:
        return 0
    if s.phase == WINDOW:
        return 2 if seats.has(s.silent, seat) else 0
    if not seats.has(s.inside, seat):
        return 0
    pairs, threes = larger_parcels(s, seat)
    found = SIDE + pairs + threes + central_moves(s, seat, pairs, threes)
    for other in range(s.players):
        if other != seat:
            found += of_size(s.open_size[other], pairs, threes)
    return found + 3 + (s.open_size[seat] > 0) + (s.chicken != 0)


@kernel
def central_moves(s, seat, pairs, threes):
    """How many parcels a seat may lay down."""
    if not seats.has(s.fresh, seat):
        return 0
    lying = in_centre(s)
    return SIDE * (lying > 0) + pairs * (lying > 1) + threes * (lying > 2)


@kernel
def of_size(size, pairs, threes):
    """How many parcels of a size a hand holds, of none for 0."""
    return SIDE * (size == 1) + pairs * (size == 2) + threes * (size == 3)


@noinline
def nth_move(s, seat, n):
    """The n-th of them."""
    if s.phase == WINDOW:
        return CLAIM_NINE if n == 0 else WAIT
    pairs, threes = larger_parcels(s, seat)
    every, central = SIDE + pairs + threes, central_moves(s, seat, pairs, threes)
    base, size = OFFER, 0
    if n >= every:
        n -= every
        base = CENTRE
        if n >= central:
            n -= central
            base = WITHDRAW
            for step in range(1, s.players):
                other = seat + step if seat + step < s.players else seat + step - s.players
                here = of_size(s.open_size[other], pairs, threes)
                if n < here:
                    base, size = ANSWER + COUNT * (step - 1), s.open_size[other]
                    break
                n -= here
    if base == WITHDRAW:
        n += s.open_size[seat] == 0
        if n > 2:
            return CHICKEN if n == 3 and s.chicken != 0 else WAIT
        return WITHDRAW + n
    if size == 0:  # singles, then pairs, then threes
        size = 1 if n < SIDE else 2 if n < SIDE + pairs else 3
        n -= SIDE * (size > 1) + pairs * (size > 2)
    return base + nth_parcel(s, seat, size, n)


@noinline
def refuse(s, seat, action):
    """0 if `seat` may play `action`, else the rule that forbids it. Uses only what the seat can see."""
    if s.actor == NOBODY:
        return 505
    if s.phase == DEAL:
        return 201
    if not seats.has(s.inside, seat):
        return 403
    if s.actor == CHANCE:
        return 306
    if s.phase == WINDOW:
        if not seats.has(s.silent, seat):
            return 405
        return 0 if action == CLAIM_NINE or action == WAIT else 404
    if action >= WITHDRAW:
        if action == WITHDRAW and s.open_size[seat] == 0:
            return 303
        return 601 if action == CHICKEN and s.chicken == 0 else 0
    parcel = action % COUNT
    if not has_parcel(s, seat, parcel):
        return 301
    if action >= ANSWER:
        return refuse_answer(s, seat, (action - ANSWER) // COUNT + 1, SIZE[parcel])
    if action >= CENTRE:
        if not seats.has(s.fresh, seat):
            return 306
        return 307 if in_centre(s) < SIZE[parcel] else 0
    return 0


@kernel
def refuse_answer(s, seat, step, size):
    if step >= s.players:
        return 304
    wanted = s.open_size[(seat + step) % s.players]
    if wanted == 0:
        return 304
    return 305 if wanted != size else 0


@kernel
def close_offer(s, seat):
    s.open_size[seat] = 0
    s.offered[seat] = -1


@kernel
def play(s, seat, action):
    if s.phase == WINDOW:
        speak(s, seat, action)
    elif action < CENTRE:
        s.offered[seat] = action  # R3.2, R3.3
        s.open_size[seat] = SIZE[action]
        next_turn(s)
    elif action < ANSWER:
        lay_down(s, seat, action - CENTRE)
    elif action < WITHDRAW:
        answer(s, seat, (seat + (action - ANSWER) // COUNT + 1) % s.players, (action - ANSWER) % COUNT)
    elif action == WITHDRAW:
        close_offer(s, seat)  # R3.3
        next_turn(s)
    elif action == CLAIM_NINE:
        claim_nine(s, seat)
    elif action == CLAIM_BLOCKED:
        claim_blocked(s, seat)
    elif action == CHICKEN:
        pay_chicken(s, seat)
        end_round(s, CHICKENED, seat)
    else:
        next_turn(s)


@noinline
def answer(s, seat, other, given):
    """Swap two parcels."""
    got = s.offered[other]
    toggle_parcel(s, seat, given)
    toggle_parcel(s, other, given)
    toggle_parcel(s, other, got)
    toggle_parcel(s, seat, got)
    close_offer(s, seat)  # R3.4
    close_offer(s, other)
    seats.add(s.fresh, seat)
    seats.add(s.fresh, other)
    knowledge.note_trade(s, seat, other, given, got)
    s.trades += 1
    s.all_trades += 1
    next_turn(s)


@noinline
def lay_down(s, seat, parcel):
    """Put a parcel into the centre; the same number of cards is drawn before it is mixed in."""
    close_offer(s, seat)  # R3.8
    seats.drop(s.fresh, seat)
    toggle_parcel(s, seat, parcel)
    s.laid[seat] = parcel
    knowledge.note_laid_down(s, seat)
    s.centre_trades += 1
    s.drawer = seat
    s.draws = SIZE[parcel]
    s.phase = DRAW
    s.actor = CHANCE


@noinline
def claim_nine(s, seat):
    if not is_nine(s, seat):
        return forfeit(s, seat)
    collection, _ = best_collection(s, seat)
    s.named[seat] = collection
    s.claimant = seat
    s.phase = WINDOW  # R4.4
    for other in range(s.players):
        close_offer(s, other)
    seats.add(s.sharing, seat)
    seats.become(s.silent, s.inside)
    seats.drop(s.silent, seat)
    return next_turn(s)


@noinline
def claim_blocked(s, seat):
    if not is_blocked(s, seat):
        return forfeit(s, seat)
    seats.add(s.sharing, seat)
    pay_winners(s, True)
    return end_round(s, BLOCKED, seat)  # R4.7


@noinline
def forfeit(s, seat):
    """A false claim: the hand goes to the centre, the player is out of the round."""
    close_offer(s, seat)
    if s.forfeit != 0:
        _, points = best_collection(s, seat)
        s.owed[seat] = points  # R5.4
    knowledge.note_forfeit(s, seat)
    for word in range(2):
        s.centre[word] |= hand_word(s, seat, word)  # R4.3
    for collection in range(COLLECTIONS):
        s.hands[seat, collection] = 0
    seats.drop(s.inside, seat)
    seats.drop(s.fresh, seat)
    if count(s.inside[0]) >= 2:
        return next_turn(s)
    clear_results(s)
    s.dead_rounds += 1
    return end_round(s, DEAD, seat)  # R4.8


@noinline
def speak(s, seat, action):
    """An answer in the claim window."""
    seats.drop(s.silent, seat)
    if action == CLAIM_NINE and is_nine(s, seat):
        s.named[seat], _ = best_collection(s, seat)
        seats.add(s.sharing, seat)  # R4.6
    if not seats.is_empty(s.silent):
        return next_turn(s)
    pay_winners(s, False)
    return end_round(s, NINE, s.claimant)


# The end of a round


@noinline
def end_round(s, ending, caller):
    s.ending = ending
    s.caller = caller
    for seat in range(s.players):
        if s.scores[seat] >= s.target:
            s.actor = NOBODY  # R5.5
    if s.actor == NOBODY:
        seats.clear(s.silent)
        for seat in range(s.players):
            close_offer(s, seat)
    else:
        begin_round(s)


# Chance


@noinline
def outcomes(s, out, weight):
    """What chance may do now, with integer weights: any card of those in the centre."""
    found = 0
    for card in range(CARDS):
        if seats.has(s.centre, card):
            out[found], weight[found] = card, 1
            found += 1
    return found


@kernel
def sample(s, stream):
    return draw_card_wide(s.centre, stream)


@kernel
def chance(s, card):
    seats.drop(s.centre, card)
    if s.phase == DEAL:
        toggle(s, s.dealt % s.players, card)  # R2.1
        s.dealt += 1
        if s.dealt == SIDE * s.players:
            s.phase = TRADE
            next_turn(s)
        return
    seat = s.drawer
    toggle(s, seat, card)
    knowledge.note_drawn(s, seat, card)
    s.draws -= 1
    if s.draws == 0:
        parcel = s.laid[seat]
        s.laid[seat] = -1
        for word in range(2):
            s.centre[word] |= BITS[parcel, word]  # R3.6
        knowledge.note_mixed_in(s, seat, parcel)
        s.drawer = -1
        s.phase = TRADE
        next_turn(s)


# Everyone

redeal, observe = knowledge.redeal, knowledge.observe


@kernel
def awaited(s, out):
    """The seats whose decision is awaited."""
    if s.phase == WINDOW:
        return seats.members(s.silent, s.players, out)
    return seats.members(s.inside, s.players, out)


@kernel
def ask(s, stream):
    """Whom a simulation asks next: any of those awaited, all equally likely."""
    return draw_card(s.silent[0] if s.phase == WINDOW else s.inside[0], stream)


@kernel
def tally(s, out):
    """What a simulation counts besides scores and length."""
    out[0] = s.round_number
    out[1] = s.dead_rounds
    out[2] = s.all_trades
    out[3] = s.centre_trades
