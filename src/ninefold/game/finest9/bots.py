"""Compiled bots of Finest 9. There is nothing to peek at: all cards are face up, the deck has no order."""

import math

import numpy as np

from ninefold.game.finest9.matching import CARDS_OF, POINTS, REROLL, SEQUENCE, SPLIT, VALUE, WILD, find
from ninefold.game.finest9.rules import capture, put_down
from ninefold.kernel.cards import count, draw_card, nth_card
from ninefold.kernel.compile import kernel, noinline
from ninefold.kernel.seats import lowest_bit
from ninefold.kernel.stack import stack_copy
from ninefold.kernel.stream import FOR_BOTS, below, next_word, seed_stream

RANDOM, EASY, MEDIUM, HARD = range(4)

NINE_AHEAD = (
    9  # points that `medium` wants for a nine: this many for every card that each player will still draw,
)
NINE_AT_MOST = 18  # up to what it is worth captured instead of left on the table
FUTURES = 256  # how often `hard` plays on after each capture,
RIVALS = 64  # and how often for its rivals
DRAWN = 3  # of four turns of others, how many take a card from the deck
TOTALS = np.array([a + b for a in range(1, 7) for b in range(1, 7) if a + b != REROLL], np.int64)


@kernel
def any_of(low, high, stream):
    """One of the actions in two words of bits, all equally likely."""
    lower = count(low)
    n = below(stream, lower + count(high))
    if n < lower:
        return nth_card(low, n)
    return SPLIT + nth_card(high, n - lower)


@kernel
def worth(s, seat, action):
    """The points of a capture."""
    if action >= SEQUENCE:
        return POINTS[action - SEQUENCE]
    rank = action // 5
    return count(s.tables[seat] & CARDS_OF[rank]) * VALUE[rank] + 9 * (action % 5)


@kernel
def spent(action):
    """How many nines a capture spends."""
    return WILD[action - SEQUENCE] if action >= SEQUENCE else action % 5


@kernel
def easy(s, seat, stream):
    """The most points now; of equals, any."""
    most = 0
    low = np.int64(0)
    high = np.int64(0)
    for word in range(2):
        left = s.choices[word]
        while left != 0:
            bit = left & -left
            left ^= bit
            points = worth(s, seat, SPLIT * word + lowest_bit(bit))
            if points > most:
                most = points
                low = np.int64(0)
                high = np.int64(0)
            if points == most:
                low |= bit * (1 - word)
                high |= bit * word
    return any_of(low, high, stream)


@kernel
def price(cards, players):
    """What keeping a nine is worth, by the cards left in the deck: later it will help to match a card."""
    return max(0, min(NINE_AT_MOST, NINE_AHEAD * cards // players))


@kernel
def thrifty(s, seat, nine):
    """The most points, minus the price of every nine spent."""
    best = -1
    most = np.int64(-1_000)
    for word in range(2):
        left = s.choices[word]
        while left != 0:
            action = SPLIT * word + lowest_bit(left)
            left &= left - 1
            gain = worth(s, seat, action) - nine * spent(action)
            if gain > most:
                most = gain
                best = action
    return best


@kernel
def medium(s, seat):
    """Spend nines only when they earn more now than they would later."""
    return thrifty(s, seat, price(count(s.deck), s.players))


@noinline
def play_on(state, seat, rng):
    """The final score of a seat that plays on like `medium`, in one random future.

    The other players only take cards from the deck. It does not matter which, since every card left is
    equally likely to be the next. Everything is counted in quarters of a card.
    """
    s = stack_copy(state)
    left = 4 * count(s.deck)
    last = False
    while not last:
        left -= DRAWN * (s.players - 1)
        last = left <= 0
        total = TOTALS[below(rng, TOTALS.size)]
        card = draw_card(s.deck, rng)  # always, so that futures differ only where they must
        find(s, seat, total)
        if s.choices[0] | s.choices[1] != 0:
            capture(s, seat, thrifty(s, seat, price(left >> 2, s.players)))
        elif not last:
            put_down(s, seat, card)
            left -= 4
    return final(s, seat)


@kernel
def final(s, seat):
    """The score of a seat if the deal ended now; what it had before counts in the last one."""
    before = s.totals[seat] if s.deal_number == s.deals else 0
    return before + s.scores[seat] + (s.clear_bonus if s.tables[seat] == 0 else 0)


@kernel
def rivalry(s, seat, seed, rng):
    """The final score to beat, and how uncertain it is: mean and spread of the best of the others."""
    total = np.int64(0)
    squares = np.int64(0)
    for future in range(RIVALS):
        seed_stream(rng, seed, future, FOR_BOTS)
        best = np.int64(-1_000)
        for other in range(s.players):
            if other != seat:
                best = max(best, play_on(s, other, rng))
        total += best
        squares += best * best
    mean = total / RIVALS
    return mean, 1.0 + math.sqrt(max(0.0, squares / RIVALS - mean * mean))


@noinline
def foresee(s, seat, stream):
    """The capture with the best chance to win, over many random futures."""
    rng = stack_copy(stream)
    seed = next_word(stream)
    mean, spread = rivalry(s, seat, seed, rng)
    best = -1
    most = -1.0
    for word in range(2):
        left = s.choices[word]
        while left != 0:
            action = SPLIT * word + lowest_bit(left)
            left &= left - 1
            after = stack_copy(s)
            capture(after, seat, action)
            hope = 0.0
            for future in range(FUTURES):
                seed_stream(rng, seed, future, FOR_BOTS)  # the same futures for every capture
                lead = (play_on(after, seat, rng) - mean) / spread
                hope += 1.0 + lead / (1.0 + abs(lead))
            if hope > most:
                most = hope
                best = action
    return best


@noinline
def last_chance(s, seat):
    """The capture that ends the game with the highest score: the most points, or a clear table."""
    best = -1
    most = np.int64(-1_000)
    for word in range(2):
        left = s.choices[word]
        while left != 0:
            action = SPLIT * word + lowest_bit(left)
            left &= left - 1
            after = stack_copy(s)
            capture(after, seat, action)
            if final(after, seat) > most:
                most = final(after, seat)
                best = action
    return best


@kernel
def hard(s, seat, stream):
    """Simulate the rest many times after every capture, and take the best."""
    if count(s.choices[0]) + count(s.choices[1]) == 1:
        return any_of(s.choices[0], s.choices[1], stream)
    if s.turns_left > 0:
        return last_chance(stack_copy(s), seat)
    return foresee(stack_copy(s), seat, stream)


@kernel
def decide(bot, s, seat, spans, params, memory, stream):
    """The move of a bot by its number in the fact sheet."""
    if bot == RANDOM:
        return any_of(s.choices[0], s.choices[1], stream)
    if bot == EASY:
        return easy(s, seat, stream)
    if bot == MEDIUM:
        return medium(s, seat)
    return hard(s, seat, stream)
