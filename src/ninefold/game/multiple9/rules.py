"""The rules of Multiple 9 (RULES.md beside this file): draw a card, put down groups, be first without cards.

Only rules: no texts, no drawing, no bots. Numbers such as R4.2 are those of RULES.md. What a group is
(section 2) is in nines.py. Suits never matter, so hands and piles are counts of each rank in one word.
"""

import numpy as np

from ninefold.game.multiple9 import fields, knowledge
from ninefold.game.multiple9.fields import (
    BYTE,
    CARDS,
    DEAL,
    DONE,
    DONE_BIT,
    DRAW,
    FEWEST,
    FULL,
    GO_OUT,
    HAND,
    LAST_TURN,
    LEGAL,
    LONE_NINE,
    NOTED,
    NOTHING,
    OUT,
    OUT_BITS,
    PLAY,
    WAIT,
)
from ninefold.game.nines import (
    LONE,
    PACKED,
    RANKS,
    WIDTH,
    as_bits,
    groups_in,
    has_group,
    holds,
    nth_rank,
    number_of,
    size_of,
    splits,
    total_of,
)
from ninefold.kernel import seats
from ninefold.kernel.cards import count, nth_card
from ninefold.kernel.compile import kernel
from ninefold.kernel.fields import CHANCE, NOBODY
from ninefold.kernel.seats import lowest_bit
from ninefold.kernel.stack import stack_copy, write_back
from ninefold.kernel.stream import below

FIELDS, observe = fields.FIELDS, knowledge.observe  # the engine looks for them here
TRIES = 4_000  # to redeal hands that fit what is known about them


@kernel
def begin(s):
    s.stock = FULL
    s.stock_left = CARDS
    s.phase = DEAL
    s.actor = CHANCE


@kernel
def take_card(s, seat, rank):
    """Move a card from the stock to a hand."""
    card = np.int64(1) << WIDTH * rank
    s.stock -= card
    s.stock_left -= 1
    s.hands[seat] += card
    s.sizes[seat] += 1


@kernel
def deal(s, rank):
    take_card(s, s.player, rank)
    s.player = s.player + 1 if s.player + 1 < s.players else 0
    if s.stock_left == CARDS - HAND * s.players:  # R3.1
        for seat in range(s.players):
            s.dealt[seat] = s.hands[seat]
        ask_from(s, 0)


@kernel
def ask_from(s, first):
    """Ask the next player who can go out with the cards dealt; after the last of them the turns begin."""
    for seat in range(first, s.players):
        if splits(s.hands[seat]):  # R3.2
            seats.add(s.asked, seat)
            s.phase = OUT
            s.player = seat
            s.actor = seat
            return
    begin_turn(s, 0)


@kernel
def begin_turn(s, seat):
    s.turns += 1
    s.player = seat
    s.laid = NOTHING
    clear_away(s, seat)
    if s.stock_left == 0 and s.discards != 0 and not in_last_turns(s):
        turn_over(s)  # R4.6
    s.drew = s.stock_left > 0
    if s.stock_left > 0:
        s.phase = DRAW  # R4.2
        s.actor = CHANCE
    else:
        s.phase = PLAY  # R4.7
        s.actor = seat


@kernel
def clear_away(s, seat):
    """What a player put down no longer lies before them."""
    s.shown[seat] = 0
    s.groups[seat] = 0


@kernel
def in_last_turns(s):
    """Whether someone has had the last turn already, so that what goes down stays down."""
    return s.undecided == LAST_TURN and s.idle > 0  # R6.2


@kernel
def turn_over(s):
    """Turn the discards into the stock; cards now in hands did not come from it."""
    s.stock = s.discards
    s.stock_left = size_of(s.stock)
    s.turned = s.discards
    s.discards = 0
    s.turnovers += 1
    for seat in range(s.players):
        s.kept[seat] = s.hands[seat]
        clear_away(s, seat)


@kernel
def end_turn(s):
    played = s.drew or (s.laid != NOTHING and s.undecided != LAST_TURN)  # R6.2
    s.idle = 0 if played else s.idle + 1
    if s.idle == s.players:
        s.actor = NOBODY  # R5.2
    else:
        begin_turn(s, s.player + 1 if s.player + 1 < s.players else 0)  # R4.1


@kernel
def may_lead(hand, group):
    """Whether a nine may be the first group of a play."""
    rest = hand - PACKED[group]
    return rest == 0 or has_group(rest)  # R4.5


@kernel
def choices(s, seat):
    """The legal actions of the seat whose decision it is, as bits of three words."""
    if s.phase == OUT:
        return np.int64(0), np.int64(0), OUT_BITS
    hand = s.hands[seat]
    first, second, third = groups_in(hand)
    if s.laid == NOTHING:
        lone = first & ((1 << LONE) - 1)
        while lone != 0:
            bit = lone & -lone
            lone ^= bit
            if not may_lead(hand, lowest_bit(bit)):
                first ^= bit
    if s.laid != LONE_NINE:
        third |= DONE_BIT  # R4.4
    return first, second, third


@kernel
def legal(s, seat, out):
    """Spans of the actions that `seat` may play now."""
    if s.actor != seat:
        return 0
    first, second, third = choices(s, seat)
    spans = 0
    for word in range(3):
        left = first if word == 0 else second if word == 1 else third
        while left != 0:
            low = lowest_bit(left)
            high = low
            while high < 63 and left >> (high + 1) & 1 != 0:
                high += 1
            joined = spans > 0 and out[spans - 1, 1] == 64 * word + low - 1
            if not joined:
                out[spans, 0] = 64 * word + low
                spans += 1
            out[spans - 1, 1] = 64 * word + high
            left = 0 if high == 63 else left >> (high + 1) << (high + 1)
    return spans


@kernel
def count_moves(s, seat):
    """How many actions `legal` gives."""
    if s.actor != seat:
        return 0
    first, second, third = choices(s, seat)
    return count(first) + count(second) + count(third)


@kernel
def nth_move(s, seat, n):
    """The n-th of them."""
    first, second, third = choices(s, seat)
    before = count(first)
    if n < before:
        return nth_card(first, n)
    if n < before + count(second):
        return 64 + nth_card(second, n - before)
    return 128 + nth_card(third, n - before - count(second))


@kernel
def refuse(s, seat, action):
    """0 if `seat` may play `action`, else the number of the rule that forbids it."""
    if s.actor == NOBODY:
        return 501
    if s.phase == DEAL:
        return 301
    if s.phase == OUT:
        return 0 if s.player == seat and action > DONE else 302
    if s.player != seat:
        return 401
    if s.actor == CHANCE:
        return 402
    if action > DONE:
        return 303
    if action == DONE:
        return 404 if s.laid == LONE_NINE else 0
    if not holds(s.hands[seat], PACKED[action]):
        return 403
    if s.laid == NOTHING and action < LONE and not may_lead(s.hands[seat], action):
        return 405
    return 0


@kernel
def play(s, seat, action):
    if action == DONE:
        end_turn(s)
    elif action == WAIT:
        ask_from(s, seat + 1)  # R3.2
    elif action == GO_OUT:
        put_down(s, seat, s.hands[seat])
        s.actor = NOBODY  # R3.3
    else:
        put_down(s, seat, PACKED[action])
        note_group(s, seat, action)
        s.laid = LEGAL if s.laid != NOTHING or action >= LONE else LONE_NINE  # R2.5
        if s.sizes[seat] == 0:
            s.actor = NOBODY  # R5.1


@kernel
def put_down(s, seat, cards):
    """Move cards from a hand to the discards."""
    s.hands[seat] -= cards
    s.sizes[seat] -= size_of(cards)
    s.discards += cards
    s.shown[seat] += cards
    s.dealt[seat] = 0
    if s.kept[seat] != 0:
        s.kept[seat] = fewer(s.kept[seat], s.hands[seat])


@kernel
def note_group(s, seat, group):
    """Remember as what the cards lie there: the same cards can often be grouped in other ways."""
    for place in range(NOTED):
        if s.groups[seat] >> BYTE * place & 255 == 0:
            s.groups[seat] |= np.int64(group + 1) << BYTE * place
            return


@kernel
def fewer(one, other):
    """The smaller count of every rank."""
    bits = as_bits(one) & as_bits(other)
    pairs = bits - (bits >> 1 & 0x5555555555555)
    return (pairs & 0x3333333333333) + (pairs >> 2 & 0x3333333333333)


@kernel
def outcomes(s, out, weight):
    """What chance may do now, with integer weights: any rank that the stock has."""
    found = 0
    for rank in range(RANKS):
        number = number_of(s.stock, rank)
        if number > 0:
            out[found], weight[found] = rank, number
            found += 1
    return found


@kernel
def sample(s, stream):
    return nth_rank(s.stock, below(stream, s.stock_left))


@kernel
def chance(s, rank):
    if s.phase == DEAL:
        deal(s, rank)
    else:
        take_card(s, s.player, rank)
        s.phase = PLAY
        s.actor = s.player


@kernel
def compared(s):
    """Whether the hands that are left have been shown and compared."""
    return s.undecided == LAST_TURN and s.idle == s.players  # R6.3


@kernel
def mask_hidden(s, seat):
    """Blank the hands that a seat (-1: a spectator) may not see."""
    for other in range(s.players):
        if other != seat and not compared(s):
            s.hands[other] = 0


@kernel
def redeal(s, seat, stream):
    """Redeal what `seat` cannot know: the stock and the hidden cards of the others."""
    if compared(s):
        return
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
def has_won(s, seat):
    """Whether a seat has won: no cards left or, if the option says so, the fewest when the cards ran out."""
    if s.actor != NOBODY:
        return False
    for other in range(s.players):
        if s.sizes[other] < s.sizes[seat]:
            return False
        tied = compared(s) and s.sizes[other] == s.sizes[seat]
        if tied and total_of(s.hands[other]) < total_of(s.hands[seat]):
            return False  # R6.3
    return s.sizes[seat] == 0 or s.undecided == FEWEST or compared(s)  # R5.1, R6.1, R6.3


@kernel
def scores(s, out):
    for seat in range(s.players):
        out[seat] = has_won(s, seat)  # R5.3


@kernel
def winners(s, out):
    """The best score does not always win: an undecided game may have no winner."""
    scores(s, out)


@kernel
def tally(s, out):
    """What a simulation counts besides scores and length."""
    left = np.int64(0)
    for seat in range(s.players):
        left += s.sizes[seat]
    out[0] = s.idle == s.players
    out[1] = s.turns == 0
    out[2] = s.turnovers
    out[3] = left
