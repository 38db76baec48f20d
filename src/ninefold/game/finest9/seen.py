"""What a bot of Finest 9 may know, one function for each fact: `@nf.bot` and docs/api.md have no others.

Ranks are 1 for the ace to 13 for the king.
"""

from ninefold.game.finest9.matching import CARDS_OF, POINTS, SEQUENCE, TOTAL, VALUE, WILD
from ninefold.kernel.cards import count
from ninefold.kernel.compile import kernel
from ninefold.kernel.seen import seat_of

LIMITS = {"rank": (1, 13)}


@kernel
def roll(s, seat):
    """The total of the dice in your turn."""
    return TOTAL[s.last_roll] if s.actor == seat else 0


@kernel
def turns_left(s, seat):
    """Turns left once the deck is empty; 0 before that."""
    return s.turns_left


@kernel
def deck(s, seat, rank):
    """Cards of a rank in the deck."""
    return count(s.deck & CARDS_OF[rank - 1])


@kernel
def cards(s, seat, player, rank):
    """Cards of a rank on a player's table."""
    return count(s.tables[seat_of(s, seat, player)] & CARDS_OF[rank - 1])


@kernel
def score(s, seat, player):
    """A player's score: points captured less points on the table, and what earlier deals brought."""
    other = seat_of(s, seat, player)
    return s.totals[other] + s.scores[other]


@kernel
def deals_left(s, seat):
    """Deals to come after this one."""
    return s.deals - s.deal_number


@kernel
def points(s, seat, move):
    """The points of a capture."""
    if move >= SEQUENCE:
        return POINTS[move - SEQUENCE]
    rank = move // 5
    return count(s.tables[seat] & CARDS_OF[rank]) * VALUE[rank] + 9 * (move % 5)


@kernel
def nines(s, seat, move):
    """Nines that a capture spends as wild cards."""
    return WILD[move - SEQUENCE] if move >= SEQUENCE else move % 5
