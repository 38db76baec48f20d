"""The rules of Multiple 9 Hold'em (RULES.md beside this file): the deal, the bets, the pots and the session.

Only rules: no texts, no drawing, no bots. Numbers such as R3.2 are those of RULES.md. How much may be bet is
in bets.py, how pots are shared out (section 4) in pots.py, how seven cards are judged (section 5) in
hands.py. Sets of seats are bits in one word.
"""

import numpy as np

from ninefold.game.holdem9 import RAISE, fields, knowledge
from ninefold.game.holdem9.bets import can_be_called, pay, raise_span, raise_to, refuse_raise
from ninefold.game.holdem9.fields import (
    BET,
    BOARD,
    CALL,
    DEAL_IN,
    FACE_DOWN,
    FIXED_LIMIT,
    FOLD,
    FULL,
    HOLE,
    LEAVE,
    PAUSE,
    SHOW,
    SIT_OUT,
)
from ninefold.game.holdem9.pots import after, bit, return_uncalled, share_out
from ninefold.kernel.cards import count, draw_card
from ninefold.kernel.compile import kernel
from ninefold.kernel.fields import CHANCE, NOBODY
from ninefold.kernel.seats import highest_bit, lowest_bit

FIELDS, observe = fields.FIELDS, knowledge.observe  # the engine looks for them here
RIVER = 3
DOUBLINGS = 24  # R6.5


@kernel
def begin(s):
    for seat in range(s.players):
        s.chips[seat] = s.stack[seat]
    s.button = s.players - 1
    begin_hand(s)  # R2.1


@kernel
def staying(s):
    """Those who have chips and have not left."""
    found = np.int64(0)
    for seat in range(s.players):
        if s.chips[seat] > 0:
            found |= bit(seat)  # R6.2
    return found & ~s.gone


@kernel
def begin_hand(s):
    """Set up a hand: seats, button, antes, blinds. The last hand's cards stay until a new card is dealt."""
    s.hand += 1
    s.seated = staying(s) & ~s.away
    s.street = 0
    s.dealt = 0
    s.live = s.seated
    s.able = s.seated
    s.button = after(s.seated, s.button)  # R2.1, R6.2
    s.deck = np.int64(FULL)
    post(s)
    s.player = after(s.seated, s.button)  # R2.4
    s.phase = HOLE
    s.actor = CHANCE


@kernel
def post(s):
    """Antes, then the blinds."""
    shift = min(DOUBLINGS, (s.hand - 1) // s.rise) if s.rise > 0 else 0  # R6.5
    s.small = s.blinds[0] << shift
    s.big = s.blinds[1] << shift
    s.fee = s.ante << shift
    if s.fee > 0:
        for seat in range(s.players):
            if s.seated & bit(seat) != 0:
                pay(s, seat, s.fee)  # R2.3
    first = s.button if count(s.seated) == 2 else after(s.seated, s.button)  # R2.2
    second = after(s.seated, first)
    s.bets[first] = pay(s, first, s.small)
    s.bets[second] = pay(s, second, s.big)
    s.highest = max(s.bets[first], s.bets[second])  # R3.3


@kernel
def deal_hole(s, card):
    if s.dealt == 0:
        s.board = 0
        s.shown = 0
        for seat in range(s.players):
            s.hole[seat] = 0
            s.won[seat] = 0
            s.power[seat] = 0
    seat = s.player
    if card < FACE_DOWN:
        s.deck ^= bit(card)
        s.hole[seat] |= bit(card)
    else:
        s.hole[seat] |= bit(FACE_DOWN + s.dealt // count(s.seated))
    s.dealt += 1
    s.player = after(s.seated, seat)  # R2.4
    if s.dealt == 2 * count(s.seated):
        last = after(s.seated, s.button)
        begin_round(s, last if count(s.seated) == 2 else after(s.seated, last))


@kernel
def board_size(s):
    """Cards on the board when a street is complete."""
    return 0 if s.street == 0 else s.street + 2


@kernel
def deal_board(s, card):
    place = highest_bit(s.board) // 6 + 1 if s.board != 0 else 0
    s.deck ^= bit(card)
    s.board |= np.int64(card + 1) << (6 * place)
    if place + 1 == board_size(s):
        begin_round(s, s.button)


@kernel
def begin_round(s, last):
    """Let everyone who can bet act, clockwise from `last`."""
    s.full_raise = s.big
    if s.betting == FIXED_LIMIT and s.street >= 2:
        s.full_raise = 2 * s.big  # R3.8
    s.raises = 1 if s.street == 0 else 0
    s.pending = s.able
    s.fresh = s.able
    s.player = last
    ask_next(s)


@kernel
def ask_next(s):
    """Pass to the next player with a decision; without one, the round is over."""
    while s.pending != 0:
        seat = after(s.pending, s.player)
        if s.bets[seat] < s.highest or can_be_called(s, seat):
            s.player = seat
            s.actor = seat
            s.phase = BET
            s.turns += 1
            return
        s.pending &= ~bit(seat)  # R3.7
    end_round(s)


@kernel
def legal(s, seat, out):
    """Spans of the actions that `seat` may play now."""
    if s.actor != seat:
        return 0
    if s.phase == PAUSE:
        out[0, 0] = DEAL_IN
        out[0, 1] = LEAVE
        return 1
    out[0, 0] = FOLD if s.bets[seat] < s.highest else CALL  # R3.2
    out[0, 1] = CALL
    least, most = raise_span(s, seat)
    if least > most:
        return 1
    out[1, 0] = RAISE + least
    out[1, 1] = RAISE + most
    return 2


@kernel
def refuse(s, seat, action):
    """0 if `seat` may play `action`, else the number of the rule that forbids it."""
    if s.actor == NOBODY:
        return 604
    if s.actor != seat:
        return 204 if s.phase != BET and s.phase != PAUSE else 301
    if (action >= DEAL_IN) != (s.phase == PAUSE):
        return 606
    if action >= DEAL_IN or action == CALL:
        return 0
    if action == FOLD:
        return 0 if s.bets[seat] < s.highest else 302
    return refuse_raise(s, seat, action - RAISE)


@kernel
def play(s, seat, action):
    s.pending &= ~bit(seat)
    if s.phase == PAUSE:
        answer(s, seat, action)
        return
    s.fresh &= ~bit(seat)
    if action == FOLD:
        s.live &= ~bit(seat)
        s.able &= ~bit(seat)
        if s.live & (s.live - 1) == 0:
            end_round(s)  # R4.1
            return
    elif action == CALL:
        if s.bets[seat] < s.highest:
            s.bets[seat] += pay(s, seat, s.highest - s.bets[seat])
    else:
        raise_to(s, seat, action - RAISE)
    ask_next(s)


@kernel
def end_round(s):
    """Return uncalled chips; then a showdown, more cards, or the pot goes to the last player in."""
    if s.highest > 0 or s.street == 0:  # else nobody has paid anything
        return_uncalled(s)
        for seat in range(s.players):
            s.bets[seat] = 0
        s.highest = 0
    s.pending = 0
    s.fresh = 0
    if s.live & (s.live - 1) == 0:
        winner = lowest_bit(s.live)
        s.won[winner] = s.pot
        s.chips[winner] += s.pot  # R4.1
        end_hand(s)
        return
    if s.able & (s.able - 1) == 0:
        s.shown |= s.live & ~s.able  # R4.5
    if s.street == RIVER:
        show(s)
        return
    s.street += 1
    s.phase = BOARD
    s.actor = CHANCE


@kernel
def show(s):
    """All contenders show their cards; unseen cards must be turned up first."""
    s.shown |= s.live  # R4.5
    s.actor = CHANCE
    s.phase = SHOW
    for seat in range(s.players):
        if s.live & bit(seat) != 0 and s.hole[seat] >> FACE_DOWN != 0:
            s.player = seat
            return
    s.showdowns += 1
    share_out(s)
    end_hand(s)


@kernel
def reveal(s, card):
    """Turn up a face-down card of a contender (R4.7)."""
    down = s.hole[s.player] >> FACE_DOWN
    s.hole[s.player] ^= (down & -down) << FACE_DOWN | bit(card)
    s.deck ^= bit(card)
    show(s)


@kernel
def end_hand(s):
    """Clear the table, except for cards that were shown."""
    if s.show_folded != 0:
        s.shown |= s.seated  # R4.6
    for seat in range(s.players):
        s.paid[seat] = 0
        if s.shown & bit(seat) == 0:
            s.hole[seat] = 0  # R4.6
    s.pot = 0
    s.live = 0
    s.able = 0
    s.deck = 0
    go_on(s)


@kernel
def go_on(s):
    """After a hand: the end, a break, or the next hand."""
    players = staying(s)
    if s.hand == s.hands or players & (players - 1) == 0:
        s.seated = 0
        s.actor = NOBODY  # R6.1, R6.3
    elif s.breaks != 0:
        s.seated = 0
        s.phase = PAUSE
        s.pending = players  # R6.6
        s.player = s.button
        ask_about_next_hand(s)
    else:
        begin_hand(s)


@kernel
def ask_about_next_hand(s):
    s.player = after(s.pending, s.player)
    s.away &= ~bit(s.player)
    s.actor = s.player
    s.turns += 1


@kernel
def answer(s, seat, action):
    """A player's answer between hands (R6.6)."""
    if action == SIT_OUT:
        s.away |= bit(seat)
    elif action == LEAVE:
        s.gone |= bit(seat)
        players = staying(s)
        if players & (players - 1) == 0:
            s.pending = 0
            s.actor = NOBODY  # R6.3
            return
    if s.pending != 0:
        ask_about_next_hand(s)
    elif count(staying(s) & ~s.away) < 2:
        s.hand += 1
        go_on(s)  # R6.7
    else:
        begin_hand(s)


@kernel
def outcomes(s, out, weight):
    """What chance may do now: each card that is left, with weight 1."""
    left = s.deck
    found = 0
    while left != 0:
        out[found], weight[found] = lowest_bit(left), 1
        left &= left - 1
        found += 1
    return found


@kernel
def unseen(s, outcome):
    """Whether an outcome that is never drawn may be played: a hole card that nobody has seen (R4.7)."""
    return s.phase == HOLE and outcome == FACE_DOWN


@kernel
def sample(s, stream):
    return draw_card(s.deck, stream)


@kernel
def chance(s, outcome):
    if s.phase == HOLE:
        deal_hole(s, outcome)
    elif s.phase == BOARD:
        deal_board(s, outcome)
    else:
        reveal(s, outcome)


@kernel
def mask_hidden(s, seat):
    """Hide other players' cards that are not shown."""
    for other in range(s.players):
        if other != seat and s.shown & bit(other) == 0:
            s.hole[other] = ((np.int64(1) << count(s.hole[other])) - 1) << FACE_DOWN


@kernel
def redeal(s, seat, stream):
    """Deal other cards to the players whose cards the seat cannot know."""
    for other in range(s.players):
        if other != seat and s.shown & bit(other) == 0:
            s.deck |= s.hole[other] & FULL
    for other in range(s.players):
        if other != seat and s.shown & bit(other) == 0:
            cards = count(s.hole[other] & FULL)
            s.hole[other] &= ~np.int64(FULL)
            for _ in range(cards):
                card = draw_card(s.deck, stream)
                s.deck ^= bit(card)
                s.hole[other] |= bit(card)


@kernel
def scores(s, out):
    for seat in range(s.players):
        out[seat] = s.chips[seat] - s.stack[seat]  # R6.4


@kernel
def tally(s, out):
    """What a simulation counts besides scores and length."""
    out[0] = s.hand
    out[1] = s.showdowns
