"""Compiled bots of Baseball. They get the whole position for speed; a law proves that none of them peeks."""

import math

import numpy as np

from ninefold.game.baseball.fields import (
    ACTIONS,
    DISCARD,
    DRAW,
    DRAWN,
    FLIP,
    LOOKING,
    PLACES,
    PUT,
    SHOWING,
    TAKE,
    TURN_UP,
    VALUE,
)
from ninefold.game.baseball.hands import clears, points
from ninefold.game.baseball.knowledge import count_stock, count_unseen
from ninefold.game.baseball.rules import after, moves
from ninefold.game.baseball.tempers import tempered
from ninefold.kernel import shoe
from ninefold.kernel.cards import count, nth_card
from ninefold.kernel.compile import kernel, noinline
from ninefold.kernel.seats import lowest_bit
from ninefold.kernel.shoe import RANKS, rank_of
from ninefold.kernel.stack import stack_copy
from ninefold.kernel.stream import below
from ninefold.kernel.temper import BOLDNESS

RANDOM, EASY, MEDIUM, HARD = range(4)

FIRST_LOOK, SECOND_LOOK = 0, 1  # in two columns: two chances to start one
BOTH = TURN_UP + 3
TYPICAL = 7  # points of a card that nobody has seen: 376 in 54 cards
PATIENCE = 15  # turns per player, after which bots stop waiting for a good moment to go out
NEVER = 10**6


@kernel
def random(s, seat, stream):
    """Any legal move, all equally likely."""
    bits = moves(s, seat)
    return nth_card(bits, below(stream, count(bits)))


@kernel
def down(s, seat):
    """The places of a seat's face-down cards, as bits."""
    return s.left[seat] & ~s.up[seat]


@kernel
def is_late(s):
    """Whether it is time to just turn up cards, so that every game ends."""
    return s.out < 0 and s.turns_here > PATIENCE * s.players


@kernel
def rank_known(s, seat, place):
    """The rank of a card as its owner knows it, -1 if nobody has seen it."""
    card = int(s.cards[seat, place])
    return rank_of(card) if card >= 0 else -1


@kernel
def rank_up(s, seat, place):
    """The rank of a face-up card, or -1."""
    return rank_of(int(s.cards[seat, place])) if s.up[seat] >> place & 1 != 0 else -1


# easy


@kernel
def easy(s, seat, stream):
    """Flip or draw at random, put low cards in place of face-down ones, and ignore columns."""
    if s.stage == LOOKING or s.stage == SHOWING:
        return random(s, seat, stream)
    hidden = down(s, seat)
    place = nth_card(hidden, below(stream, count(hidden)))
    if s.stage == DRAWN:
        return PUT + place if VALUE[rank_of(s.drawn)] <= 5 else DISCARD
    if VALUE[rank_of(s.top)] <= 1:
        return TAKE + place
    return DRAW if below(stream, 2) == 0 else FLIP + place


# medium


@kernel
def value_known(s, seat, place):
    """What a card counts as far as its owner knows."""
    rank = rank_known(s, seat, place)
    return VALUE[rank] if rank >= 0 else TYPICAL


@kernel
def completes(s, seat, place, rank):
    """Whether a card of this rank would clear the column of a place."""
    return clears(
        rank,
        rank_up(s, seat, (place + 3) % PLACES),
        rank_up(s, seat, (place + 6) % PLACES),
        s.clear_jokers,
    )


@kernel
def saving(s, seat, place, rank):
    """Points that a card of this rank would save its owner in a place."""
    worth = value_known(s, seat, place)
    return worth + 2 * VALUE[rank] if completes(s, seat, place, rank) else worth - VALUE[rank]


@kernel
def most_to_go_out(s, seat):
    """The most points with which going out looks like winning: less than any other player can expect."""
    if count(down(s, seat)) > 1 or s.out >= 0 or is_late(s):
        return NEVER  # nothing to decide
    lowest = NEVER
    for other in range(s.players):
        if other != seat:
            lowest = min(lowest, points(s, other) + TYPICAL * count(down(s, other)))
    return lowest - 6


@kernel
def best_place(s, seat, rank):
    """Where a card saves the most, and how much; the last face-down place only if going out wins."""
    own = 0
    for place in range(PLACES):
        if s.left[seat] >> place & 1 != 0:
            own += value_known(s, seat, place)
    most = most_to_go_out(s, seat)
    best = -1
    saved = -NEVER
    for place in range(PLACES):
        if s.left[seat] >> place & 1 != 0:
            here = saving(s, seat, place, rank)
            if here > saved and (down(s, seat) != 1 << place or own - here <= most):
                best = place
                saved = here
    return best, saved


@kernel
def peek(s):
    """The card to look at, in another column than the first, which someone else may have chosen."""
    return SECOND_LOOK if int(s.look_1) % 3 == 0 else FIRST_LOOK


@kernel
def medium(s, seat):
    """Put every card where it saves the most, complete columns, go out when that looks like winning."""
    if s.stage == LOOKING:
        return peek(s)
    if s.stage == SHOWING:
        return BOTH
    if is_late(s) and s.stage != DRAWN:
        return FLIP + lowest_bit(down(s, seat))
    place, saved = best_place(s, seat, rank_of(s.drawn if s.stage == DRAWN else s.top))
    if s.stage == DRAWN:
        return PUT + place if saved > 0 else DISCARD
    return TAKE + place if saved >= 4 else DRAW


# hard: it keeps what it works out for a decision in its memory, in 4096ths of a point

COUNTS = 0  # by rank: cards that a draw may bring
WANTS = COUNTS + RANKS  # by rank: the cost of discarding it, because the next player may take it
AVERAGE_WANT = WANTS + RANKS
COLUMNS = AVERAGE_WANT + 1  # the likely points of each column at the end
FINE = 4096.0

# Fitted to its own games (see docs/baseball.md): how much a lead in points is worth.
TEMPO = 1.5  # points for every face-down card fewer than a rival
SPREAD = 9.0  # of the rest of the game, for one face-down card
SPREAD_OUT = 2.8  # of the last turns
LAST_TURN = 3.5  # points that a last turn saves
LAST_CARD = 1.8  # and more for every face-down card
CHASE = 2.0  # how much likelier a wanted rank is to come than from its own draws alone


@kernel
def column_value(s, seat, column, place, rank, mean, turns, memory):
    """The likely points of a column, once `place` (-1: no place) holds a face-up card of `rank`."""
    if s.left[seat] >> column & 1 == 0:
        return 0.0
    worth = 0.0
    ups = 0
    one = other = third = -1
    for row in range(3):
        at = column + 3 * row
        held = rank if at == place else rank_known(s, seat, at)
        worth += VALUE[held] if held >= 0 else mean
        ups += at == place or s.up[seat] >> at & 1 != 0
        one, other, third = other, third, held
    if ups == 3 and clears(one, other, third, s.clear_jokers):
        return 0.0
    twin = one if one in (other, third) else other if other == third else -1
    if twin < 0 or worth <= 0.0 or not clears(twin, twin, twin, s.clear_jokers):
        return worth
    missed = 1.0 - min(1.0, CHASE * memory[COUNTS + twin] / FINE)
    for _ in range(turns):
        worth *= missed
    return worth


@kernel
def likely(lead):
    """A smooth step from 0 to 1."""
    return 0.5 + 0.5 * lead / math.sqrt(1.0 + lead * lead)


@noinline
def chance_to_win(s, seat, own, hidden, rivals):
    """A seat's chance to win after a turn with `own` expected points and `hidden` face-down cards."""
    if hidden == 0 and is_late(s):
        return 2.0
    chance = 1.0
    for other in range(s.players):
        if other == seat:
            continue
        lead = rivals[other, 0] / FINE - own
        theirs = rivals[other, 1]
        if hidden > 0 and s.out < 0:
            lead = (lead + TEMPO * (theirs - hidden)) / (SPREAD * math.sqrt(hidden + theirs + 1.0))
        else:
            if theirs > 0:
                lead -= LAST_TURN + LAST_CARD * theirs
            lead /= SPREAD_OUT * math.sqrt(hidden + theirs + 0.2)
        chance *= likely(lead)
    return chance


@kernel
def saving_seen(s, seat, place, rank):
    """Points that a card would save another player, as far as can be seen."""
    held = rank_up(s, seat, place)
    worth = VALUE[held] if held >= 0 else TYPICAL
    return worth + 2 * VALUE[rank] if completes(s, seat, place, rank) else worth - VALUE[rank]


@kernel
def count_draws(s, seat, memory):
    """Note how likely each rank is to be drawn; returns the mean of the cards the seat has not seen."""
    count_unseen(s, seat, memory, COUNTS)
    unseen = 0
    total = 0
    for rank in range(RANKS):
        unseen += memory[COUNTS + rank]
        total += memory[COUNTS + rank] * VALUE[rank]
    mean = total / max(1, unseen)
    if s.in_shoe == 0:
        for rank in range(RANKS):
            memory[COUNTS + rank] = shoe.of_rank(s.pile, s.decks, rank)
    elif s.renewed != 0:
        count_stock(s, seat, memory, COUNTS)
    cards = 0
    for rank in range(RANKS):
        cards += memory[COUNTS + rank]
    for rank in range(RANKS):
        memory[COUNTS + rank] = int(FINE * memory[COUNTS + rank] / max(1, cards))
    return mean


@kernel
def note_wants(s, seat, memory):
    """Note what each rank on the discards would give the next player, one of several rivals."""
    coming = after(s, seat)
    average = 0.0
    for rank in range(RANKS):
        most = 0
        for place in range(PLACES):
            if s.left[coming] >> place & 1 != 0 and coming != s.out:
                most = max(most, saving_seen(s, coming, place, rank))
        memory[WANTS + rank] = int(FINE * most / (s.players - 1))
        average += memory[WANTS + rank] * memory[COUNTS + rank]
    memory[AVERAGE_WANT] = int(average / FINE)


@kernel
def note_rivals(s, mean, rivals):
    """Note every seat's expected points and face-down cards; returns the likely number of turns left."""
    fewest = PLACES
    for seat in range(s.players):
        hidden = count(down(s, seat))
        before = s.totals[seat] if s.inning == s.innings else 0
        rivals[seat, 0] = int(FINE * (before + points(s, seat) + mean * hidden))
        rivals[seat, 1] = hidden
        fewest = min(fewest, hidden)
    if s.turn_limit > 0:
        fewest = min(fewest, s.turn_limit - (s.turns_here - 1) // s.players - 1)
    return fewest if s.out < 0 else 0


@kernel
def spots(s, seat, rank, mean, turns, memory):
    """The best places for a card of this rank, one face up and one face down, and what it saves there."""
    hidden = down(s, seat)
    up_place = down_place = -1
    up_saved = down_saved = -1e9
    for place in range(PLACES):
        if s.left[seat] >> place & 1 == 0:
            continue
        column = place % 3
        old = rank_known(s, seat, place)
        saved = memory[COLUMNS + column] - memory[WANTS + old if old >= 0 else AVERAGE_WANT]
        saved = saved / FINE - column_value(s, seat, column, place, rank, mean, turns, memory)
        if hidden >> place & 1 == 0:
            if saved > up_saved:
                up_place, up_saved = place, saved
        elif saved > down_saved:
            down_place, down_saved = place, saved
    return up_place, up_saved, down_place, down_saved


@noinline
def best_spot(s, seat, rank, own, mean, turns, memory, rivals):
    """The best place for a card of this rank, and the chance to win then."""
    hidden = count(down(s, seat))
    up_place, up_saved, down_place, down_saved = spots(s, seat, rank, mean, turns, memory)
    best = -1
    most = -1.0
    if up_place >= 0:
        best = up_place
        most = chance_to_win(s, seat, own - up_saved, hidden, rivals)
    if down_place >= 0:
        chance = chance_to_win(s, seat, own - down_saved, hidden - 1, rivals)
        if chance > most:
            best, most = down_place, chance
    return best, most


@kernel
def after_draw(s, seat, rank, own, mean, turns, memory, rivals):
    """What to do with a card drawn, and the chance to win then."""
    place, chance = best_spot(s, seat, rank, own, mean, turns, memory, rivals)
    left = own + memory[WANTS + rank] / FINE
    discarded = chance_to_win(s, seat, left, count(down(s, seat)), rivals)
    return (PUT + place, chance) if chance > discarded else (DISCARD, discarded)


@kernel
def take_stock(s, seat, memory, rivals):
    """Note what a decision depends on; returns the seat's expected points, the mean card, the turns left."""
    mean = count_draws(s, seat, memory)
    turns = note_rivals(s, mean, rivals)
    note_wants(s, seat, memory)
    own = s.totals[seat] * 1.0 if s.inning == s.innings else 0.0
    for column in range(3):
        worth = column_value(s, seat, column, -1, 0, mean, turns, memory)
        memory[COLUMNS + column] = int(FINE * worth)
        own += worth
    return own, mean, turns


@kernel
def after_flip(s, seat, place, own, mean, turns, memory, rivals):
    """The chance to win after flipping a card."""
    left = own + memory[WANTS + rank_of(s.top)] / FINE
    held = rank_known(s, seat, place)
    if held >= 0:
        left -= memory[COLUMNS + place % 3] / FINE
        left += column_value(s, seat, place % 3, place, held, mean, turns, memory)
    return chance_to_win(s, seat, left, count(down(s, seat)) - 1, rivals)


@kernel
def drawing(s, seat, own, mean, turns, memory, rivals):
    """The chance to win after drawing a card and using it well."""
    hope = 0.0
    for rank in range(RANKS):
        if memory[COUNTS + rank] > 0:
            _, chance = after_draw(s, seat, rank, own, mean, turns, memory, rivals)
            hope += memory[COUNTS + rank] / FINE * chance
    return hope


@noinline
def think(s, seat, memory, rivals):
    """The move with the best chance to win, one move ahead."""
    own, mean, turns = take_stock(s, seat, memory, rivals)
    if s.stage == DRAWN:
        return after_draw(s, seat, rank_of(s.drawn), own, mean, turns, memory, rivals)[0]
    hidden = down(s, seat)
    if is_late(s):
        return FLIP + lowest_bit(hidden)
    place, most = best_spot(s, seat, rank_of(s.top), own, mean, turns, memory, rivals)
    best = TAKE + place
    chance = drawing(s, seat, own, mean, turns, memory, rivals)
    if chance > most:
        best, most = DRAW, chance
    for place in range(PLACES):
        if hidden >> place & 1 != 0:
            chance = after_flip(s, seat, place, own, mean, turns, memory, rivals)
            if chance > most:
                best, most = FLIP + place, chance
    return best


@kernel
def hard(s, seat, memory, rivals):
    """Play for the best chance to win: half-made columns, cards to come, the rivals, the next player."""
    if s.stage == LOOKING:
        return peek(s)
    if s.stage == SHOWING:
        return BOTH
    return think(stack_copy(s), seat, memory, rivals)


# expert: what `hard` would do, and the moves that come close, are played on many times (engine/search.py)

CLOSE = 0.1  # of a chance to win that another move may be behind in the eyes of `hard`


@noinline
def rate(s, seat, memory, rivals, chances):
    """Write the chance to win, as `hard` sees it, with every move that may be the best of its kind."""
    own, mean, turns = take_stock(s, seat, memory, rivals)
    hidden = down(s, seat)
    number = count(hidden)
    card = rank_of(s.drawn if s.stage == DRAWN else s.top)
    place = PUT if s.stage == DRAWN else TAKE
    up_place, up_saved, down_place, down_saved = spots(s, seat, card, mean, turns, memory)
    if up_place >= 0:
        chances[place + up_place] = chance_to_win(s, seat, own - up_saved, number, rivals)
    if down_place >= 0:
        chances[place + down_place] = chance_to_win(s, seat, own - down_saved, number - 1, rivals)
    if s.stage == DRAWN:
        chances[DISCARD] = chance_to_win(s, seat, own + memory[WANTS + card] / FINE, number, rivals)
        return
    chances[DRAW] = drawing(s, seat, own, mean, turns, memory, rivals)
    columns = 0
    for place in range(PLACES):
        unknown = s.cards[seat, place] < 0
        if hidden >> place & 1 != 0 and not (unknown and columns >> place % 3 & 1 != 0):
            columns |= unknown << place % 3  # cards that nobody has seen are alike within a column
            chances[FLIP + place] = after_flip(s, seat, place, own, mean, turns, memory, rivals)


@noinline
def consider(s, seat, memory, rivals, out, chances):
    """Write the moves that are worth a search, `hard`'s own first; returns how many they are."""
    out[0] = hard(s, seat, memory, rivals)
    if s.stage == LOOKING or s.stage == SHOWING or (s.stage != DRAWN and is_late(s)):
        return 1
    for action in range(ACTIONS):
        chances[action] = -1.0
    rate(stack_copy(s), seat, memory, rivals, chances)
    found = 1
    for action in range(ACTIONS):
        if action != out[0] and chances[action] >= chances[out[0]] - CLOSE:
            out[found] = action
            found += 1
    return found


@kernel
def decide(bot, s, seat, spans, params, memory, stream):
    """The move of a bot by its number in the fact sheet, with its temper."""
    move = plain(bot, s, seat, spans, memory, stream)
    if params[BOLDNESS] == 0:
        return move
    return tempered(move, np.int64(down(s, seat)), s.out >= 0 or is_late(s), params, stream)


@kernel
def plain(bot, s, seat, spans, memory, stream):
    """What the level itself does."""
    if bot == RANDOM:
        return random(s, seat, stream)
    if bot == MEDIUM:
        return medium(s, seat)
    if bot == EASY:
        return easy(s, seat, stream)
    return hard(s, seat, memory, spans)  # it keeps notes about rivals where other bots list moves
