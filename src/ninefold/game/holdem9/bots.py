"""Compiled bots of Multiple 9 Hold'em. They get the whole position for speed; a law proves that none peeks.

A bot deals what it cannot see: again and again it draws the cards to come and its rivals' cards from all it
has not seen, and counts how often it would win.
"""

import numpy as np

from ninefold.game.holdem9 import RAISE, USUAL_BLUFFS, USUAL_CAUTION
from ninefold.game.holdem9.chart import START
from ninefold.game.holdem9.expert import NO_MOVE, expert
from ninefold.game.holdem9.fields import CALL, DEAL_IN, FOLD, FULL, PAUSE
from ninefold.game.holdem9.hands import KEY, strength_of
from ninefold.game.holdem9.pots import bit, board_key
from ninefold.game.holdem9.rules import legal
from ninefold.game.holdem9.tempers import tempered
from ninefold.kernel.bots import pick_uniformly
from ninefold.kernel.cards import count, draw_card
from ninefold.kernel.compile import kernel, noinline
from ninefold.kernel.seats import lowest_bit
from ninefold.kernel.stack import stack_copy
from ninefold.kernel.stream import below
from ninefold.kernel.temper import BOLDNESS, HABIT

RANDOM, EASY, MEDIUM, HARD, CALLER, RAISER, EXPERT = range(7)
CAUTION, BLUFFS = 0, 1  # parameters of `hard`

FEW, SOME, MANY = 24, 60, 160  # deals that easy, medium and hard simulate
DOUBT = 0.8  # `medium` multiplies its chances by this when a rival bets
TIGHT, GOOD, FINE = 640, 660, 690  # thousandths with which `easy` calls, enters and raises


@kernel
def give_up(s, seat):
    """Check if possible, else fold."""
    return FOLD if s.bets[seat] < s.highest else CALL


@kernel
def put_in(s, spans, n, amount):
    """Bet or raise to about this amount, or call if that is not possible."""
    if n == 1:
        return np.int64(CALL)
    return max(spans[1, 0], min(spans[1, 1], RAISE + amount))


@kernel
def owed(s, seat):
    """What a call costs."""
    return min(s.highest - s.bets[seat], s.chips[seat])


@kernel
def start_of(cards):
    """The chart's thousandths for two cards."""
    return START[lowest_bit(cards) >> 2, lowest_bit(cards & (cards - 1)) >> 2]


@kernel
def board_bits(s):
    """The cards on the board, a bit each."""
    bits = np.int64(0)
    left = s.board
    while left != 0:
        bits |= bit((left & 63) - 1)
        left >>= 6
    return bits


@kernel
def two_keys(cards):
    return KEY[lowest_bit(cards) >> 2] + KEY[lowest_bit(cards & (cards - 1)) >> 2]


@kernel
def draw_two(deck, stream):
    """Two cards out of a deck, as bits."""
    first = bit(draw_card(deck, stream))
    return first | bit(draw_card(deck ^ first, stream))


@kernel
def suspicion(s, other):
    """How much a rival's bets say about its cards: 0 for the blinds and cheap calls, up to 3."""
    paid = s.paid[other]
    if paid <= 2 * s.big:
        return 0
    if paid <= 6 * s.big:
        return 1
    return 2 if paid <= 20 * s.big else 3


@kernel
def rival_cards(s, other, deck, wary, common, stream):
    """Cards that a rival may hold; if its bets suggest a good hand, the best of several draws."""
    held = s.hole[other] & FULL
    if s.shown >> other & 1 != 0:
        return held
    cards = draw_two(deck, stream)
    if wary == 0:
        return cards
    for _ in range(min(wary, suspicion(s, other))):
        more = draw_two(deck, stream)
        if start_of(more) > start_of(cards):
            cards = more
    if wary > 1 and s.street > 0 and s.bets[other] > 0 and 3 * s.bets[other] >= s.pot - s.bets[other]:
        more = draw_two(deck, stream)
        if strength_of(common + two_keys(more)) > strength_of(common + two_keys(cards)):
            cards = more
    return cards


@noinline
def equity(s, seat, rivals, deals, wary, stream):
    """The part of the pot that a seat wins on average if nobody folds, over a number of simulated deals.

    `wary` limits the weight of rivals' bets: 0 ignores them, 3 is all that `suspicion` says.
    """
    mine = s.hole[seat]
    rest = np.int64(FULL) & ~mine & ~board_bits(s)
    left = rivals
    while left != 0:
        other = lowest_bit(left)
        left &= left - 1
        if s.shown >> other & 1 != 0:
            rest &= ~s.hole[other]
    own = two_keys(mine)
    shared = board_key(s)
    to_come = 5 if s.street == 0 else 3 - s.street
    won = 0.0
    for _ in range(deals):
        deck = rest
        common = shared
        for _ in range(to_come):
            card = draw_card(deck, stream)
            deck ^= bit(card)
            common += KEY[card >> 2]
        strength = strength_of(common + own)
        sharers = 1
        left = rivals
        while left != 0 and sharers > 0:
            other = lowest_bit(left)
            left &= left - 1
            cards = rival_cards(s, other, deck, wary, common, stream)
            deck &= ~cards
            theirs = strength_of(common + two_keys(cards))
            if theirs > strength:
                sharers = 0
            elif theirs == strength:
                sharers += 1
        if sharers > 0:
            won += 1.0 / sharers
    return won / deals


@kernel
def one_rival(s, seat):
    """One rival still in, as a set."""
    others = s.live & ~bit(seat)
    return others & -others


@noinline
def easy(s, seat, spans, n, stream):
    """Play good cards at any price, and fold the rest."""
    cost = owed(s, seat)
    if s.street == 0:
        start = start_of(s.hole[seat])
        if start >= FINE and s.raises < 3:
            return put_in(s, spans, n, s.highest + 2 * s.big)
        if start >= GOOD or (start >= TIGHT and cost <= s.big):
            return CALL
        return give_up(s, seat)
    chance = equity(s, seat, one_rival(s, seat), FEW, 0, stream)
    if chance > 0.75 and s.raises < 2:
        return put_in(s, spans, n, s.highest + s.pot // 2)
    return CALL if chance > 0.6 else give_up(s, seat)


@noinline
def medium(s, seat, spans, n, stream):
    """Call when the pot odds are good, bet when the chances are above an equal share."""
    rivals = s.live & ~bit(seat)
    chance = equity(s, seat, rivals, SOME, 1, stream)
    share = chance * (count(rivals) + 1)
    cost = owed(s, seat)
    bet_to = cost > 0 and (s.street > 0 or s.highest > s.big)
    if share > (1.4 if bet_to else 1.15) and s.raises < 3:
        return put_in(s, spans, n, s.highest + (s.pot + cost) // 2)
    if cost == 0 or (DOUBT if bet_to else 1.0) * chance * (s.pot + cost) > cost:
        return CALL
    return FOLD


@noinline
def hard(s, seat, spans, n, caution, bluffs, stream):
    """Judge rivals by what they paid; bet more with better chances, and sometimes bluff.

    After the flop a bet says more than `equity` believes, so a call has to be worth more than its price.
    """
    rivals = s.live & ~bit(seat)
    number = count(rivals)
    chance = equity(s, seat, rivals, MANY, 3, stream)
    share = chance * (number + 1)
    cost = owed(s, seat)
    pot = s.pot + cost
    if share > 1.25:
        size = pot if share > 1.5 else 2 * pot // 3
        return put_in(s, spans, n, s.highest + size)
    if cost == 0:
        if number == 1 and s.street > 0 and share < 0.7 and below(stream, 100) < bluffs:
            return put_in(s, spans, n, s.highest + pot // 2)
        return CALL
    doubt = caution / 100 if s.street > 0 else 0.0
    if (chance - doubt) * pot > cost:
        return CALL
    if number == 1 and s.street > 0 and share > 0.5 and below(stream, 30) == 0:
        return put_in(s, spans, n, s.highest + pot)
    return FOLD


@kernel
def decide(bot, s, seat, spans, params, memory, stream):
    """The move of a bot by its number in the fact sheet, with its temper."""
    move = plain(bot, s, seat, spans, params, memory, stream)
    if s.phase == PAUSE or (params[BOLDNESS] == 0 and params[HABIT] == 0):
        return move
    return tempered(stack_copy(s), seat, move, spans, params, stream)


@kernel
def plain(bot, s, seat, spans, params, memory, stream):
    """What the level itself does."""
    n = legal(s, seat, spans)
    if bot == RANDOM:
        return pick_uniformly(spans, n, stream)
    if s.phase == PAUSE:
        return DEAL_IN
    if bot == CALLER:
        return CALL
    if bot == RAISER:
        return spans[1, 1] if n > 1 else CALL
    if count(s.hole[seat] & FULL) < 2:
        return give_up(s, seat)  # its own cards are not known here (R4.7)
    if bot == EASY:
        return easy(stack_copy(s), seat, spans, n, stream)
    if bot == MEDIUM:
        return medium(stack_copy(s), seat, spans, n, stream)
    caution, bluffs = params[CAUTION], params[BLUFFS]
    if bot == EXPERT:
        move = expert(stack_copy(s), seat, spans, n, params, memory, stream)
        if move != NO_MOVE:
            return move
        caution, bluffs = np.int64(USUAL_CAUTION), np.int64(USUAL_BLUFFS)
    return hard(stack_copy(s), seat, spans, n, caution, bluffs, stream)
