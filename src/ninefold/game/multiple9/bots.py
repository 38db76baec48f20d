"""Compiled bots of Multiple 9. They get the whole position for speed; a law proves that none peeks."""

import numpy as np

from ninefold.game.multiple9.expert import best_play
from ninefold.game.multiple9.fields import (
    DONE,
    FEWEST,
    FULL,
    GO_OUT,
    GROUPS,
    LAST_TURN,
    LONE_NINE,
    NOTHING,
    OUT,
)
from ninefold.game.multiple9.rules import choices, refuse
from ninefold.game.multiple9.tempers import holds_on, lays_down
from ninefold.game.nines import (
    CARDS_OF,
    COPIES,
    LONE,
    NINES_BITS,
    PACKED,
    RANKS,
    WIDTH,
    WITH_RANK,
    groups_in,
    holds,
    number_of,
    size_of,
    splits,
    total_of,
)
from ninefold.kernel.cards import count, nth_card
from ninefold.kernel.compile import kernel, noinline
from ninefold.kernel.seats import lowest_bit
from ninefold.kernel.stack import stack_copy
from ninefold.kernel.stream import below
from ninefold.kernel.temper import BOLDNESS, HABIT

RANDOM, EASY, MEDIUM, HARD, EXPERT = range(5)

NEXT, REVIVED = 0, 1  # in memory: the group to put down next, plus one; how often it kept a game alive
PATIENCE = 40  # how often at most, or a few cards could circulate forever
FUTURE = 0.1  # what continuing a two-player game is worth to `hard`, who chooses which cards come back
ENVY = 1.0  # how much the chance of every other player counts against its own
MOST_CARDS = 4  # cards that `hard` puts down in two groups, besides one for every player
# How many of 1,000 hands of each size, from 0 to 30 cards, can go down completely; larger hands as 30.
# fmt: off
GOES_OUT = np.array([
    0, 77, 104, 41, 37, 25, 22, 20, 18, 19, 18, 20, 22, 23, 26, 29,
    32, 34, 39, 45, 52, 60, 68, 76, 84, 91, 96, 101, 105, 108, 110,
], np.int64)
# fmt: on
LARGEST = GOES_OUT.size - 1


@kernel
def random(s, seat, stream):
    """Any legal move, all equally likely."""
    first, second, third = choices(s, seat)
    of_first = count(first)
    of_second = count(second)
    n = below(stream, of_first + of_second + count(third))
    if n < of_first:
        return nth_card(first, n)
    if n < of_first + of_second:
        return 64 + nth_card(second, n - of_first)
    return 128 + nth_card(third, n - of_first - of_second)


@kernel
def easy(s, seat):
    """Always put down the most cards."""
    if s.phase == OUT:
        return GO_OUT
    first, second, third = choices(s, seat)
    return most_cards(first, second, third)


@noinline
def most_cards(first, second, third):
    """The lowest of the groups with the most cards, from groups as bits; DONE if there are none."""
    best = np.int64(DONE)
    most = 0
    for word in range(3):
        left = first if word == 0 else second if word == 1 else third
        while left != 0:
            group = 64 * word + lowest_bit(left)
            left &= left - 1
            if group < GROUPS and CARDS_OF[group] > most:
                most = CARDS_OF[group]
                best = group
    return best


@noinline
def all_down(hand):
    """The lowest group with the highest card that leaves cards which split, or DONE."""
    rest = hand & ~NINES_BITS
    if rest == 0:
        return np.int64(0)
    rank = RANKS - 1
    while number_of(rest, rank) == 0:
        rank -= 1
    first, second, third = groups_in(rest)
    for word in range(3):
        left = (first if word == 0 else second if word == 1 else third) & WITH_RANK[rank, word]
        while left != 0:
            group = 64 * word + lowest_bit(left)
            left &= left - 1
            if splits(rest - PACKED[group]):
                return group
    return np.int64(DONE)


# The last turn: what is left is counted, so keep the fewest cards, and of those the lowest

MOST_LEFT = 6  # cards; with more left it hardly matters which


@kernel
def is_last_turn(s):
    """Whether this turn is a player's last: there was no card to draw, and there will be none."""
    return s.undecided == LAST_TURN and not s.drew


@noinline
def lowest_rest(hand, left, laid):
    """The `left` lowest cards of a hand that can stay while all others go down, or -1."""
    over = total_of(hand) % 9
    best = np.int64(-1)
    lowest = np.int64(1_000)
    ranks = np.int64(0)  # of the cards that stay, four bits each, never falling
    while True:
        rest = np.int64(0)
        for place in range(left):
            rest += np.int64(1) << WIDTH * (ranks >> 4 * place & 15)
        points = total_of(rest)
        if points % 9 == over and points < lowest and holds(hand, rest):
            down = hand - rest
            alone = laid == NOTHING and rest != 0 and total_of(down) == 9  # R2.5
            stuck = laid == LONE_NINE and down == 0
            if not alone and not stuck and splits(down):
                best, lowest = rest, points
        place = 0
        while place < left and ranks >> 4 * place & 15 == RANKS - 1:
            place += 1
        if place == left:
            return best
        rank = (ranks >> 4 * place & 15) + 1
        for lower in range(place + 1):
            ranks = ranks & ~(np.int64(15) << 4 * lower) | rank << 4 * lower


@noinline
def last_play(hand, laid):
    """The next group of the play that leaves the fewest and lowest cards, or DONE."""
    for left in range(min(size_of(hand), MOST_LEFT) + 1):
        rest = lowest_rest(hand, left, laid)
        if rest >= 0:
            return all_down(hand - rest) if rest != hand else np.int64(DONE)
    first, second, third = groups_in(hand)
    return most_cards(first, second, third)


@kernel
def share_now(s, seat):
    """The seat's share of the win if the game ends now."""
    if s.undecided != FEWEST:
        return 0.0
    sharing = 1
    for other in range(s.players):
        if other != seat and s.sizes[other] < s.sizes[seat]:
            return 0.0
        sharing += other != seat and s.sizes[other] == s.sizes[seat]
    return 1.0 / sharing


@kernel
def medium(s, seat, memory):
    """Keep everything until it can put all cards down."""
    if s.phase == OUT:
        return GO_OUT
    if splits(s.hands[seat]):
        return all_down(s.hands[seat])
    if is_last_turn(s):
        return easy(s, seat)
    if s.undecided == FEWEST and not s.drew:
        return keep_few(stack_copy(s), seat, memory)
    return DONE


@noinline
def keep_few(s, seat, memory):
    """No card is left to draw, and the fewest cards win: put down many, unless nobody has fewer."""
    if s.laid != LONE_NINE and (share_now(s, seat) > 0.0 or memory[REVIVED] == PATIENCE):
        return np.int64(DONE)
    memory[REVIVED] += s.laid == NOTHING
    return easy(s, seat)


@kernel
def hard(s, seat, memory):
    """Keep everything; when no card is left, put down the cards that help most when they come back."""
    if s.phase == OUT:
        return GO_OUT
    if splits(s.hands[seat]):
        return all_down(s.hands[seat])
    if is_last_turn(s):
        return last_play(s.hands[seat], s.laid)
    if s.laid != NOTHING:
        group = memory[NEXT] - 1
        memory[NEXT] = 0
        if group >= 0 and refuse(s, seat, group) == 0:
            return group
        return easy(s, seat) if s.laid == LONE_NINE else DONE  # someone else began the turn
    if s.drew or s.stock_left > 0 or s.discards != 0:
        return DONE  # keeping cards never hurts, and cards put down help the others
    return revive(stack_copy(s), seat, memory)


@noinline
def revive(s, seat, memory):
    """No card is left to draw: put down one or two groups to continue, or let the game end."""
    if memory[REVIVED] == PATIENCE:
        return np.int64(DONE)
    hand = s.hands[seat]
    completing = completing_ranks(FULL - hand) if s.players == 2 else 0
    best = np.int64(DONE)
    most = share_now(s, seat)
    first, second, third = groups_in(hand)
    for word in range(3):
        left = first if word == 0 else second if word == 1 else third
        while left != 0:
            group = 64 * word + lowest_bit(left)
            left &= left - 1
            follower, hope = best_follower(s, seat, group, completing)
            if hope > most:
                most = hope
                best = group
                memory[NEXT] = follower + 1
    memory[REVIVED] += best != DONE
    return best


@noinline
def best_follower(s, seat, group, completing):
    """The best group to put down after a first one, or -1, and the value of both together."""
    down = PACKED[group]
    hand = s.hands[seat] - down
    best = np.int64(-1)
    most = outlook(s, seat, down, completing) if group >= LONE else -1.0
    first, second, third = groups_in(hand)
    for word in range(3):
        left = first if word == 0 else second if word == 1 else third
        while left != 0:
            other = 64 * word + lowest_bit(left)
            left &= left - 1
            few = int(CARDS_OF[group]) + int(CARDS_OF[other]) <= MOST_CARDS + s.players
            if other >= group and few:
                hope = outlook(s, seat, down + PACKED[other], completing)
                if hope > most:
                    most = hope
                    best = other
    return best, most


@kernel
def completing_ranks(hand):
    """The ranks, as bits, of which one card would let a hand go out."""
    found = 0
    for rank in range(RANKS):
        if number_of(hand, rank) < COPIES and splits(hand + (np.int64(1) << WIDTH * rank)):
            found |= 1 << rank
    return found


@noinline
def outlook(s, seat, down, completing):
    """About how likely a seat is to win after putting down cards for all to draw, the next seat first.

    With two players, each knows the other's hand by now; `completing` are the ranks that let it go out.
    """
    hits = 0
    danger = 0
    rest = s.hands[seat] - down
    size = size_of(down)
    wanted = (9 - total_of(rest) % 9) % 9
    for rank in range(RANKS):
        number = number_of(down, rank)
        if number > 0:
            danger += number * (completing >> rank & 1)
            if (rank + 1) % 9 == wanted and splits(rest + (np.int64(1) << WIDTH * rank)):
                hits += number
    alive = 1.0
    hope = 0.0
    lost = 0.0
    other = seat
    for drawn in range(size):
        other = other + 1 if other + 1 < s.players else 0
        if other == seat:
            chance = hits / size
            hope += alive * chance
        else:
            exact = s.players == 2 and drawn == 0
            chance = danger / size if exact else GOES_OUT[min(s.sizes[other] + 1, LARGEST)] / 1_000
            lost += alive * chance
        alive *= 1.0 - chance
    return hope + alive * share_later(s, seat, size) - ENVY * lost / (s.players - 1)


@kernel
def share_later(s, seat, size):
    """The seat's share of the win if nobody goes out while these cards are drawn again."""
    if s.undecided != FEWEST:
        return FUTURE if s.players == 2 else 0.0
    own = s.sizes[seat] - size + size // s.players
    other = seat
    sharing = 1
    for place in range(1, s.players):
        other = other + 1 if other + 1 < s.players else 0
        theirs = s.sizes[other] + (size - place) // s.players + 1 if size >= place else s.sizes[other]
        if theirs < own:
            return 0.0
        sharing += theirs == own
    return 1.0 / sharing


@kernel
def expert(s, seat, memory):
    """Like `hard`; but once two players know each other's hands, search the draws that a play leads to."""
    known = s.players == 2 and not s.drew and s.stock_left == 0 and s.discards == 0 and s.laid == NOTHING
    if s.phase == OUT or not known or s.undecided == LAST_TURN or splits(s.hands[seat]):
        return hard(s, seat, memory)
    return search_end(stack_copy(s), seat, memory)


@noinline
def search_end(s, seat, memory):
    """The best play where nobody can draw; the second group of it is noted for later."""
    hand = s.hands[seat]
    if memory[REVIVED] == PATIENCE:
        return np.int64(DONE)
    first, second = best_play(hand, FULL - hand, s.undecided, s.idle > 0)
    memory[NEXT] = second + 1
    memory[REVIVED] += first >= 0
    return np.int64(first) if first >= 0 else np.int64(DONE)


@kernel
def decide(bot, s, seat, spans, params, memory, stream):
    """The move of a bot by its number in the fact sheet, with its temper."""
    move = plain(bot, s, seat, memory, stream)
    if move == DONE and s.laid == LONE_NINE:
        return easy(s, seat)  # a temper, or the seat's player before, put the nine down
    if params[BOLDNESS] == 0 and params[HABIT] == 0:
        return move
    if move == DONE and s.laid == NOTHING and lays_down(s, seat, params, bot == MEDIUM, stream):
        return easy(s, seat)
    return np.int64(DONE) if holds_on(move, s, params, stream) and not goes_out(s, seat) else move


@kernel
def goes_out(s, seat):
    """Whether all cards of a seat can be put down, which nobody gives up for a temper."""
    return is_last_turn(s) or splits(s.hands[seat])


@kernel
def plain(bot, s, seat, memory, stream):
    """What the level itself does."""
    if bot == RANDOM:
        return random(s, seat, stream)
    if bot == EASY:
        return easy(s, seat)
    if bot == MEDIUM:
        return medium(s, seat, memory)
    if bot == EXPERT:
        return expert(s, seat, memory)
    return hard(s, seat, memory)
