"""The rules of Finest 9 (RULES.md beside this file): roll two dice and capture your cards that match.

Only rules: no texts, no drawing, no bots. Numbers such as R3.2 are those of RULES.md. What matches (section
4) is in matching.py.
"""

import numpy as np

from ninefold.game.finest9.matching import (
    CARDS_OF,
    NATURALS,
    NINE,
    NINES,
    POINTS,
    RANKS,
    REROLL,
    SEQUENCE,
    SPLIT,
    TOTAL,
    VALUE,
    WILD,
    find,
    refuse_sequence,
    refuse_set,
)
from ninefold.kernel import dice
from ninefold.kernel.cards import STANDARD, count, draw_card
from ninefold.kernel.compile import kernel, noinline
from ninefold.kernel.fields import CHANCE, COMMON, NOBODY, SEATS, Field, Sees, public
from ninefold.kernel.seats import lowest_bit

HAND = 9  # R2.3
CARDS = STANDARD.size
DECK = (1 << CARDS) - 1
ROLL_OFF, DEAL, TURN, DRAW = 0, 1, 2, 3  # phases
DEALT = dice.OUTCOMES  # outcomes of chance from here on are cards; those before, rolls

FIELDS = (
    *COMMON,
    Field("phase", "i8", Sees.ALL),
    Field("player", "i8", Sees.ALL),  # who rolls, decides or gets the next card
    Field("first", "i8", Sees.ALL),  # who went first, -1 before that is known
    Field("last_roll", "i8", Sees.ALL),  # of this turn, one of the 21 outcomes; -1 before it
    Field("turns_left", "i8", Sees.ALL),  # including the current one; 0 until the deck is empty
    *public("nines", "pairs", "ace", "snake_eyes", "boxcars", "clear_bonus", "deals"),
    Field("deal_number", "i8", Sees.ALL),
    Field("ended", "i8", Sees.ALL),  # 1 after a deal, its cards still on the table
    Field("deck", "i8", Sees.ALL),  # the cards in it; their order is not decided until they are drawn
    Field("choices", "i8", Sees.ALL, (2,)),  # the legal actions as bits, while a player decides
    Field("came", "i8", Sees.ALL, (RANKS,)),  # of each rank, the suits dealt, in octal, the first one leading
    Field("off", "i8", Sees.ALL, (SEATS,)),  # in the roll-off: a total, 0 not rolled yet, -1 out of it
    Field("tables", "i8", Sees.ALL, (SEATS,)),  # the cards before each player
    Field("captured", "i8", Sees.ALL, (SEATS,)),
    Field("scores", "i8", Sees.ALL, (SEATS,)),  # points captured less points on the table, in this deal
    Field("totals", "i8", Sees.ALL, (SEATS,)),  # of the deals before this one
)


@kernel
def begin(s):
    s.deck = DECK
    s.deal_number = 1
    s.first = -1
    s.last_roll = -1
    s.phase = ROLL_OFF
    s.actor = CHANCE


@kernel
def roll_off(s, total):
    """One roll of the roll-off for the first turn."""
    s.off[s.player] = total
    best = 0
    for seat in range(s.players):
        if s.off[seat] == 0:
            s.player = seat
            return
        best = max(best, s.off[seat])
    tied = 0
    for seat in range(s.players - 1, -1, -1):
        if s.off[seat] == best:
            s.player = seat
            tied += 1
    if tied == 1:  # R2.1
        s.first = s.player
        s.phase = DEAL
    for seat in range(s.players):
        s.off[seat] = -1 if tied > 1 and s.off[seat] < best else 0  # R2.2


@kernel
def put_down(s, seat, card):
    """Deal a card from the deck face up to a player."""
    rank = card >> 2
    bit = np.int64(1) << card
    s.deck ^= bit
    s.tables[seat] |= bit
    s.scores[seat] -= VALUE[rank]  # R5.3
    s.came[rank] = s.came[rank] * 8 + (card & 3) + 1


@kernel
def deal(s, card):
    put_down(s, s.player, card)
    pass_on(s)
    if count(s.deck) == CARDS - HAND * s.players:  # R2.3
        begin_turn(s)


@kernel
def draw(s, card):
    put_down(s, s.player, card)
    if s.deck == 0:
        s.turns_left = s.players + 1  # R5.1, and this one
    end_turn(s)


@kernel
def pass_on(s):
    """Pass the turn to the next seat."""
    s.player = s.player + 1 if s.player + 1 < s.players else 0


@kernel
def begin_turn(s):
    s.turns += 1
    s.last_roll = -1
    s.phase = TURN
    s.actor = CHANCE


@kernel
def end_turn(s):
    if s.turns_left > 0:
        s.turns_left -= 1
        if s.turns_left == 0:
            return end_deal(s)  # R5.1
    pass_on(s)  # R3.1
    return begin_turn(s)


@noinline
def end_deal(s):
    s.ended = 1
    if s.deal_number == s.deals:
        s.actor = NOBODY
    else:
        s.phase = DEAL
        s.actor = CHANCE


@noinline
def next_deal(s):
    """Clear the table, the points counted, for a deal that the next player begins (R6.7)."""
    for seat in range(s.players):
        s.totals[seat] = standing(s, seat)
        s.scores[seat] = 0
        s.tables[seat] = 0
        s.captured[seat] = 0
    for rank in range(RANKS):
        s.came[rank] = 0
    s.deck = DECK
    s.deal_number += 1
    s.ended = 0
    s.last_roll = -1
    s.first = s.first + 1 if s.first + 1 < s.players else 0
    s.player = s.first


@kernel
def roll(s, total):
    """The roll of a turn: a match must be taken; without one, draw or pass."""
    if total == REROLL:
        return  # R3.2
    find(s, s.player, total)
    if s.choices[0] | s.choices[1] != 0:
        s.actor = s.player  # R3.3
    elif s.deck != 0:
        s.phase = DRAW  # R3.4
    else:
        end_turn(s)  # R5.2


@kernel
def may_choose(s, action):
    """Whether an action is among the choices."""
    if action < SPLIT:
        return s.choices[0] >> action & 1 != 0
    return s.choices[1] >> (action - SPLIT) & 1 != 0


@kernel
def legal(s, seat, out):
    """Spans of the actions that `seat` may play now."""
    spans = 0
    if s.actor != seat:
        return spans
    for word in range(2):
        left = s.choices[word]
        while left != 0:
            low = lowest_bit(left)
            run = lowest_bit(~(left >> low))
            out[spans, 0] = SPLIT * word + low
            out[spans, 1] = SPLIT * word + low + run - 1
            spans += 1
            left = left >> (low + run) << (low + run)
    return spans


@kernel
def refuse(s, seat, action):
    """0 if `seat` may play `action`, else the number of the rule that forbids it."""
    if s.actor == NOBODY:
        return 501
    if s.phase < TURN:
        return 203
    if s.player != seat:
        return 301
    if s.actor == CHANCE:
        return 302 if s.phase == TURN else 304
    if may_choose(s, action):
        return 0
    if action >= SEQUENCE:
        return refuse_sequence(s, seat, action - SEQUENCE)
    return refuse_set(s, seat, action // 5, action % 5)


@kernel
def play(s, seat, action):
    capture(s, seat, action)
    end_turn(s)


@kernel
def capture(s, seat, action):
    """Move the cards of an action from the seat's table to its captured cards."""
    if action < SEQUENCE:
        rank = action // 5
        wilds = action % 5
        taken = s.tables[seat] & CARDS_OF[rank]
        points = count(taken) * VALUE[rank] + 9 * wilds
    else:
        sequence = action - SEQUENCE
        wilds = WILD[sequence]
        taken = np.int64(0)
        for place in range(3 - wilds):
            taken |= earliest(s, seat, NATURALS[sequence, place], 1)
        points = POINTS[sequence]
    taken |= earliest(s, seat, NINE, wilds)
    s.tables[seat] ^= taken
    s.captured[seat] |= taken
    s.scores[seat] += 2 * points  # R3.5, R5.3
    s.choices[0] = 0
    s.choices[1] = 0


@kernel
def earliest(s, seat, rank, number):
    """The first `number` of a seat's cards of a rank, as they were dealt (R3.6)."""
    mine = s.tables[seat] >> (4 * rank) & 15
    taken = 0
    if number == count(mine):
        taken = mine
    else:
        for place in range(9, -3, -3):
            suit = (s.came[rank] >> place & 7) - 1
            if suit >= 0 and mine >> suit & 1 != 0 and count(taken) < number:
                taken |= 1 << suit
    return np.int64(taken) << (4 * rank)


@kernel
def in_deck(s):
    """The cards that may come next: after a deal, all of them."""
    return np.int64(s.deck) if s.ended == 0 else np.int64(DECK)


@kernel
def outcomes(s, out, weight):
    """What chance may do now, with integer weights."""
    found = 0
    if s.phase == ROLL_OFF or s.phase == TURN:
        for outcome in range(dice.OUTCOMES):
            out[found], weight[found] = outcome, dice.WEIGHT[outcome]
            found += 1
    else:
        deck = in_deck(s)
        for card in range(CARDS):
            if deck >> card & 1 != 0:
                out[found], weight[found] = DEALT + card, 1
                found += 1
    return found


@kernel
def sample(s, stream):
    if s.phase == ROLL_OFF or s.phase == TURN:
        return dice.roll(stream)
    return DEALT + draw_card(in_deck(s), stream)


@kernel
def chance(s, outcome):
    if s.ended != 0:
        next_deal(s)
    if s.phase == DEAL:
        deal(s, outcome - DEALT)
    elif s.phase == DRAW:
        draw(s, outcome - DEALT)
    else:
        s.last_roll = outcome
        if s.phase == TURN:
            roll(s, TOTAL[outcome])
        else:
            roll_off(s, TOTAL[outcome])


@kernel
def thrower(s):
    """The seat that throws the dice, when it is chance's turn."""
    return s.player if s.phase == ROLL_OFF or s.phase == TURN else NOBODY  # R2.1, R3.1


@kernel
def standing(s, seat):
    """A seat's score so far; after a deal, with the bonus for a clear table."""
    score = s.totals[seat] + s.scores[seat]  # R6.7
    if s.ended != 0 and s.tables[seat] == 0:
        score += s.clear_bonus  # R6.6
    return score


@kernel
def scores(s, out):
    for seat in range(s.players):
        out[seat] = standing(s, seat)


@kernel
def redeal(s, seat, stream):
    """Nothing to do: all cards dealt are face up."""


@kernel
def observe(s, seat, out):
    """What a seat knows, as numbers: the roll, turns left, options, the deck, then all players' cards, and
    how many deals are to come."""
    out[0] = TOTAL[s.last_roll] if s.actor == seat else 0
    out[1] = (s.player - seat) % s.players
    out[2] = s.turns_left
    out[3] = s.nines
    out[4] = s.pairs
    out[5] = s.ace
    out[6] = s.snake_eyes
    out[7] = s.boxcars
    out[8] = s.clear_bonus
    size = 9
    for step in range(-1, s.players):
        other = (seat + step) % s.players
        cards = s.deck if step < 0 else s.tables[other]
        for rank in range(RANKS):
            out[size] = count(cards & CARDS_OF[rank])
            size += 1
        if step >= 0:
            out[size] = s.totals[other] + s.scores[other]
            size += 1
    out[size] = s.deals - s.deal_number
    return size + 1


@kernel
def tally(s, out):
    """What a simulation counts besides scores and length."""
    left = np.int64(0)
    best = standing(s, 0)
    for seat in range(s.players):
        left |= s.tables[seat]
        best = max(best, standing(s, seat))
    out[0] = count(left)
    out[1] = count(left & NINES)
    out[2] = standing(s, (s.first + 1 - s.deals) % s.players) == best
