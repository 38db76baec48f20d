"""The rules of Multiple 9 Hold'em (RULES.md beside this file): the deal, the bets, the pots and the session.

Only rules: no texts, no drawing, no bots. Numbers such as R3.2 are those of RULES.md. How seven cards are
judged (section 5) is in hands.py, how pots are shared out in pots.py, who knows what in knowledge.py. Sets of
seats are bits in one word.
"""

import numpy as np

from ninefold.game.holdem9 import BREAK, RAISE
from ninefold.game.holdem9.knowledge import FACE_DOWN, FULL, hide, observe, redeal  # noqa: F401 (engine)
from ninefold.game.holdem9.pots import after, bit, give_back, share_out
from ninefold.kernel.cards import count, draw_card
from ninefold.kernel.compile import kernel
from ninefold.kernel.fields import CHANCE, COMMON, NOBODY, SEATS, Field, Sees
from ninefold.kernel.seats import highest_bit, lowest_bit

HOLE, BET, BOARD, SHOW, PAUSE = range(5)  # phases
NO_LIMIT, POT_LIMIT, FIXED_LIMIT = range(3)
FOLD, CALL = 0, 1
DEAL_IN, SIT_OUT, LEAVE = BREAK, BREAK + 1, BREAK + 2
RIVER = 3
DOUBLINGS = 24  # R6.5
BETS = 4  # R3.8

FIELDS = (
    *COMMON,
    Field("phase", "i8", Sees.ALL),
    Field("player", "i8", Sees.ALL),  # who gets the next card, acts or has acted last
    Field("button", "i8", Sees.ALL),
    Field("hand", "i8", Sees.ALL),  # its number in the session, from 1
    Field("street", "i8", Sees.ALL),  # 0 before the flop, 3 at the river
    Field("dealt", "i8", Sees.ALL),  # hole cards dealt in this hand
    Field("small", "i8", Sees.ALL),  # the blinds and the ante of this hand
    Field("big", "i8", Sees.ALL),
    Field("fee", "i8", Sees.ALL),
    Field("highest", "i8", Sees.ALL),  # the largest bet of the round
    Field("full_raise", "i8", Sees.ALL),  # the size of the last full bet or raise
    Field("raises", "i8", Sees.ALL),  # full bets and raises of the round
    Field("pot", "i8", Sees.ALL),  # all chips paid in this hand
    Field("showdowns", "i8", Sees.ALL),  # in this session
    Field("seated", "i8", Sees.ALL),  # those dealt in
    Field("live", "i8", Sees.ALL),  # of them, those who have not folded
    Field("able", "i8", Sees.ALL),  # of them, those with chips to bet
    Field("pending", "i8", Sees.ALL),  # those still to act in the round, or to be asked between hands
    Field("fresh", "i8", Sees.ALL),  # those who have not acted since the last full raise
    Field("shown", "i8", Sees.ALL),  # those whose cards lie open
    Field("away", "i8", Sees.ALL),  # those who said that they sit out
    Field("gone", "i8", Sees.ALL),  # those who have left for good
    Field("deck", "i8", Sees.NOBODY),  # 0 between hands: it would tell what was folded
    Field("board", "i8", Sees.ALL),  # six bits a card, from 1 up, the first card lowest
    Field("ante", "i8", Sees.ALL),
    Field("betting", "i8", Sees.ALL),
    Field("hands", "i8", Sees.ALL),
    Field("rise", "i8", Sees.ALL),
    Field("breaks", "i8", Sees.ALL),
    Field("show_folded", "i8", Sees.ALL),
    Field("blinds", "i8", Sees.ALL, (2,)),
    Field("stack", "i8", Sees.ALL, (SEATS,)),  # bought in
    Field("chips", "i8", Sees.ALL, (SEATS,)),
    Field("bets", "i8", Sees.ALL, (SEATS,)),  # in this round
    Field("paid", "i8", Sees.ALL, (SEATS,)),  # in this hand
    Field("won", "i8", Sees.ALL, (SEATS,)),  # out of the pots of the last hand, until the next is dealt
    Field("power", "i8", Sees.ALL, (SEATS,)),  # the strengths shown down in the last hand, until then too
    Field("hole", "i8", Sees.GAME, (SEATS,)),
)


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
    """Seat, button, antes, blinds; the cards of the last hand lie there until the first new one comes."""
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
def pay(s, seat, amount):
    """Chips into the pot, as many as there are; how many that was."""
    if amount >= s.chips[seat]:
        amount = s.chips[seat]
        s.able &= ~bit(seat)
    s.chips[seat] -= amount
    s.paid[seat] += amount
    s.pot += amount
    return amount


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
    """Everybody who can bet is to act, those clockwise of `last` first."""
    s.full_raise = s.big
    if s.betting == FIXED_LIMIT and s.street >= 2:
        s.full_raise = 2 * s.big  # R3.8
    s.raises = 1 if s.street == 0 else 0
    s.pending = s.able
    s.fresh = s.able
    s.player = last
    ask_next(s)


@kernel
def can_be_called(s, seat):
    """Whether some opponent could call a part of a raise (R3.6)."""
    others = s.able & ~bit(seat)
    while others != 0:
        other = lowest_bit(others)
        if s.bets[other] + s.chips[other] > s.highest:
            return True
        others &= others - 1
    return False


@kernel
def ask_next(s):
    """The next who has something to decide; without one the round is over."""
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
def raise_span(s, seat):
    """The least and the most that a seat may raise to; the most is below the least where it may not."""
    all_in = s.bets[seat] + s.chips[seat]
    if s.fresh & bit(seat) == 0 or all_in <= s.highest or not can_be_called(s, seat):
        return np.int64(1), np.int64(0)  # R3.5, R3.6
    least = s.highest + s.full_raise  # R3.4
    most = all_in
    if s.betting == POT_LIMIT:
        most = max(least, 2 * s.highest - s.bets[seat] + s.pot)  # R3.9
    elif s.betting == FIXED_LIMIT:
        if s.raises >= BETS:
            return np.int64(1), np.int64(0)  # R3.8
        most = least
    return min(least, all_in), min(most, all_in)


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
def refuse_raise(s, seat, amount):
    least, most = raise_span(s, seat)
    if least <= amount and amount <= most:
        return 0
    if amount > s.bets[seat] + s.chips[seat]:
        return 303
    if s.fresh & bit(seat) == 0:
        return 305
    if least > most:
        return 308 if s.betting == FIXED_LIMIT and s.raises >= BETS else 306
    if amount < least:
        return 304
    return 309 if s.betting == POT_LIMIT else 308


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
def raise_to(s, seat, amount):
    pay(s, seat, amount - s.bets[seat])
    size = amount - s.highest
    s.bets[seat] = amount
    s.highest = amount
    s.pending = s.able & ~bit(seat)
    if size >= s.full_raise:
        s.full_raise = size
        s.raises += 1
        s.fresh = s.pending  # R3.5


@kernel
def end_round(s):
    """Uncalled chips go back; then a showdown, more cards, or the pot to the last one in."""
    if s.highest > 0 or s.street == 0:  # else nobody has paid anything
        give_back(s)
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
    """All contenders show; cards that nobody has seen must be turned up first."""
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
    """A face-down card of a contender is turned up (R4.7)."""
    down = s.hole[s.player] >> FACE_DOWN
    s.hole[s.player] ^= (down & -down) << FACE_DOWN | bit(card)
    s.deck ^= bit(card)
    show(s)


@kernel
def end_hand(s):
    """Clear the table but for what was shown."""
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
    """Whether an outcome that is never drawn may be told: a hole card that nobody has seen (R4.7)."""
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
def scores(s, out):
    for seat in range(s.players):
        out[seat] = s.chips[seat] - s.stack[seat]  # R6.4


@kernel
def winners(s, out):
    """Mark the seats with the highest score."""
    best = s.chips[0] - s.stack[0]
    for seat in range(1, s.players):
        best = max(best, s.chips[seat] - s.stack[seat])
    for seat in range(s.players):
        out[seat] = s.actor == NOBODY and s.chips[seat] - s.stack[seat] == best  # R6.4


@kernel
def tally(s, out):
    """What a simulation counts besides scores and length."""
    out[0] = s.hand
    out[1] = s.showdowns
