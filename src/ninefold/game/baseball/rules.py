"""The rules of Baseball (RULES.md beside this file): nine face-down cards a player, lowest total wins.

Only rules: no texts, no drawing, no bots. Numbers such as R3.2 are those of RULES.md. fields.py explains the
fields, and what stays undecided until it is seen; columns and points are in hands.py, and who may see what in
knowledge.py.
"""

from ninefold.game.baseball import fields, hands, knowledge
from ninefold.game.baseball.fields import (
    DECK,
    DISCARD,
    DRAW,
    DRAWN,
    DREW,
    EVERY_PLACE,
    FIRST,
    FLIP,
    FLIPPED,
    LOOKED,
    LOOKING,
    NOTHING,
    OPENING,
    OVER,
    PLACES,
    PUT,
    REPLACED,
    RISING,
    SECOND,
    SHOWING,
    TAKE,
    TURN,
    TURN_UP,
    UNSEEN,
)
from ninefold.game.baseball.hands import clear_column, lay, note_end, points, turn_up
from ninefold.kernel import shoe
from ninefold.kernel.compile import kernel, noinline
from ninefold.kernel.fields import CHANCE, NOBODY
from ninefold.kernel.intrinsics import count_bits, lowest_bit, nth_bit
from ninefold.kernel.stream import below

# Defined elsewhere; the engine looks for them here
FIELDS, scores, tally = fields.FIELDS, hands.scores, hands.tally
mask_hidden, redeal, observe = knowledge.mask_hidden, knowledge.redeal, knowledge.observe


@kernel
def begin(s):
    s.inning = 0
    s.first = s.players - 1
    begin_inning(s)
    wait_for_card(s, OPENING, NOTHING)


@kernel
def begin_inning(s):
    s.inning += 1
    s.first = after(s, s.first)  # R7.1
    s.ended = 0
    s.mover = s.first
    s.turns_here = 0
    s.out = NOTHING
    s.closing = 0
    s.spot = NOTHING
    s.look_1 = NOTHING
    s.look_2 = NOTHING
    s.drawn = NOTHING
    s.top = NOTHING
    s.renewed = 0
    s.in_shoe = DECK * s.decks - PLACES * s.players  # R1.1
    shoe.fill_up(s.unseen, s.decks)
    shoe.empty(s.stock)
    shoe.empty(s.pile)
    for seat in range(s.players):
        s.left[seat] = EVERY_PLACE
        s.up[seat] = 0
        s.known[seat] = 0
        for place in range(PLACES):
            s.cards[seat, place] = UNSEEN  # R2.1


@kernel
def after(s, seat):
    """The next seat."""
    return seat + 1 if seat + 1 < s.players else 0


@kernel
def wait_for_card(s, stage, spot):
    s.stage = stage
    s.spot = spot
    s.actor = CHANCE


@kernel
def wait_for_move(s, stage):
    s.stage = stage
    s.spot = NOTHING
    s.actor = s.mover


@kernel
def moves(s, seat):
    """The actions that `seat` may play now, a bit for each id."""
    if s.actor != seat:
        return 0
    if s.stage == TURN:
        return (s.left[seat] & ~s.up[seat]) << FLIP | s.left[seat] << TAKE | 1 << DRAW  # R3.1
    if s.stage == DRAWN:
        return 1 << DISCARD | s.left[seat] << PUT  # R3.5
    if s.stage == LOOKING:
        return EVERY_PLACE & ~s.known[seat]  # R2.3
    return 0b1111 << TURN_UP  # R2.4


@kernel
def legal(s, seat, out):
    """Spans of the actions that `seat` may play now."""
    left = moves(s, seat)
    spans = 0
    while left != 0:
        low = lowest_bit(left)
        end = low + lowest_bit(~(left >> low))  # of the bits set one after another
        out[spans, 0] = low
        out[spans, 1] = end - 1
        spans += 1
        left = left >> end << end
    return spans


@kernel
def count_moves(s, seat):
    """How many actions `legal` gives."""
    return count_bits(moves(s, seat))


@kernel
def nth_move(s, seat, n):
    """The n-th of them."""
    return nth_bit(moves(s, seat), n)


@kernel
def refuse(s, seat, action):
    """0 if `seat` may play `action`, else the number of the rule that forbids it."""
    if moves(s, seat) >> action & 1 != 0:
        return 0
    if s.stage == OVER:
        return 503
    if s.stage <= LOOKED or (s.stage == SHOWING and s.mover != seat):
        return 203
    if s.stage == SHOWING:
        return 204
    if s.actor != seat:
        return 301
    if action < FLIP:
        return 203 if action < TURN_UP else 204
    if s.stage == DRAWN:
        return 306 if action >= PUT else 305
    if action >= DISCARD:
        return 304
    place = action - FLIP if action < TAKE else action - TAKE
    return 302 if s.left[seat] >> place & 1 != 0 else 306


@kernel
def play(s, seat, action):
    if action == DRAW:
        return draw(s)
    if action < TURN_UP:
        return look(s, action)
    if action < FLIP:
        return show(s, seat, action - TURN_UP)
    if action == DISCARD:
        lay(s, s.drawn)  # R3.5
        s.drawn = NOTHING
        done = True
    elif action < TAKE:
        done = flip(s, seat, action - FLIP)
    else:
        done = replace(s, seat, action - TAKE if action < DRAW else action - PUT)  # R3.3, R3.5
    if done:
        end_turn(s)
        go_on(s)
    return None


@kernel
def look(s, place):
    if s.look_1 < 0:
        s.look_1 = place
    else:
        s.look_2 = place
    wait_for_card(s, LOOKED, place)


@kernel
def show(s, seat, which):
    """Turn up none, the first, the second or both of the cards looked at."""
    if which & FIRST != 0:
        turn_up(s, seat, s.look_1)
    if which & SECOND != 0:
        turn_up(s, seat, s.look_2)
    s.look_1 = NOTHING
    s.look_2 = NOTHING
    s.mover = after(s, seat)
    if s.mover == s.first:
        begin_turn(s)
    else:
        wait_for_move(s, LOOKING)


@kernel
def begin_turn(s):
    s.turns += 1
    s.turns_here += 1
    wait_for_move(s, TURN)


@kernel
def flip(s, seat, place):
    """Turn up a card; False if chance must decide which it is."""
    if s.cards[seat, place] == UNSEEN:
        wait_for_card(s, FLIPPED, place)
        return False
    turn_up(s, seat, place)  # R3.2
    clear_column(s, seat, place % 3)
    return True


@kernel
def draw(s):
    if s.in_shoe == 0:
        renew_shoe(s)
    wait_for_card(s, DREW, NOTHING)  # R3.4


@noinline
def renew_shoe(s):
    shoe.become(s.stock, s.pile)  # R6.1
    shoe.empty(s.pile)
    s.in_shoe = shoe.size(s.stock, s.decks)
    s.top = NOTHING
    s.renewed = 1
    s.reshuffles += 1


@kernel
def replace(s, seat, place):
    """Put the card drawn, or else the top discard, in a place; False if chance must decide the old card."""
    if s.cards[seat, place] == UNSEEN:
        wait_for_card(s, REPLACED, place)
        return False
    old = int(s.cards[seat, place])
    new = s.drawn
    if new < 0:
        new = s.top
        shoe.remove(s.pile, s.decks, new)
    s.drawn = NOTHING
    s.cards[seat, place] = new
    turn_up(s, seat, place)
    clear_column(s, seat, place % 3)
    lay(s, old)  # R4.2
    return True


@kernel
def end_turn(s):
    if s.out < 0 and s.up[s.mover] == s.left[s.mover]:
        s.out = s.mover  # R5.1
    s.spot = 0


@kernel
def go_on(s):
    """Continue after a turn, or after a card turned up at its end: turn up the next card, or start a turn."""
    while True:
        must_show = s.closing != 0 or (s.out >= 0 and s.out != s.mover)
        if must_show and not all_up(s, s.mover):
            return None
        coming = after(s, s.mover)
        if s.closing == 0 and s.turns_here == s.turn_limit * s.players:
            s.closing = 1  # R5.5
            coming = s.first
        elif coming == (s.out if s.closing == 0 else s.first):
            return end_inning(s)  # R5.3
        s.mover = coming
        if s.closing == 0:
            return begin_turn(s)
        s.spot = 0


@noinline
def all_up(s, seat):
    """Turn up all face-down cards from `spot` on, then clear; False if chance must decide one of them."""
    for place in range(s.spot, PLACES):  # R4.3
        if (s.left[seat] & ~s.up[seat]) >> place & 1 != 0:
            if s.cards[seat, place] == UNSEEN:
                wait_for_card(s, RISING, place)
                return False
            turn_up(s, seat, place)  # R5.2
    for column in range(3):
        clear_column(s, seat, column)
    return True


@noinline
def end_inning(s):
    note_end(s)
    wait_for_card(s, OPENING, NOTHING)
    s.ended = 1
    if s.inning == s.innings:
        s.stage = OVER
        s.actor = NOBODY  # R5.3


@noinline
def next_inning(s):
    for seat in range(s.players):
        s.totals[seat] += points(s, seat)  # R7.1
    begin_inning(s)


@kernel
def from_stock(s):
    """Whether the next card comes from a shoe made of discards."""
    return s.stage == DREW and s.renewed != 0  # R6.2


@kernel
def outcomes(s, out, weight):
    """The cards that may come now, with the number of each."""
    found = 0
    for card in range(shoe.KINDS):
        if s.stage == OPENING:
            number = s.decks if card != shoe.JOKER else 2 * s.decks  # R2.2
        elif from_stock(s):
            number = shoe.copies(s.stock, s.decks, card)
        else:
            number = shoe.copies(s.unseen, s.decks, card)
        if number > 0:
            out[found], weight[found] = card, number
            found += 1
    return found


@kernel
def sample(s, stream):
    if s.stage == OPENING:
        return min(shoe.JOKER, below(stream, DECK))
    if from_stock(s):
        return shoe.draw(s.stock, s.decks, stream)
    return shoe.draw(s.unseen, s.decks, stream)


@kernel
def chance(s, action):
    """Apply the card that chance has drawn."""
    card = action
    if s.ended != 0:
        next_inning(s)
    if from_stock(s):
        shoe.remove(s.stock, s.decks, card)
    else:
        shoe.remove(s.unseen, s.decks, card)
    seat = s.mover
    place = s.spot
    if s.stage == DREW:
        s.in_shoe -= 1
        s.drawn = card  # R3.4
        return wait_for_move(s, DRAWN)
    if s.stage == OPENING:
        s.in_shoe -= 1
        lay(s, card)  # R2.2
        return wait_for_move(s, LOOKING)
    s.cards[seat, place] = card
    if s.stage == LOOKED:
        s.known[seat] |= 1 << place
        return wait_for_move(s, LOOKING if s.look_2 < 0 else SHOWING)  # R2.3
    if s.stage != RISING:
        if s.stage == FLIPPED:
            flip(s, seat, place)
        else:
            replace(s, seat, place)
        end_turn(s)
    return go_on(s)
