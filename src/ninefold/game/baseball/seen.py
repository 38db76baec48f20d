"""What a bot of Baseball may know, one function for each fact: `@nf.bot` and docs/api.md have no others.

Ranks are 1 for the ace to 13 for the king and 14 for the joker; places are 0 to 8, row by row.
"""

from ninefold.game.baseball import fields
from ninefold.game.baseball.knowledge import count_unseen_of, drew_secretly, is_secret
from ninefold.kernel.compile import kernel
from ninefold.kernel.seen import player_of, seat_of
from ninefold.kernel.shoe import rank_of

LIMITS = {"rank": (1, 14), "place": (0, 8), "which": (0, 3)}


@kernel
def is_looking(s, seat):
    """1 before the first turn, when you choose cards to look at."""
    return 1 if s.stage == fields.LOOKING else 0


@kernel
def is_showing(s, seat):
    """1 when you choose which of the two cards you looked at to turn up."""
    return 1 if s.stage == fields.SHOWING else 0


@kernel
def looked(s, seat, which):
    """The place you looked at first (0) or second (1) in this choice; -1 for none."""
    return s.look_1 if which == 0 else s.look_2


@kernel
def drawn(s, seat):
    """The rank of the card you have just drawn; 0 without one."""
    return 0 if drew_secretly(s, seat) else rank_of(s.drawn) + 1


@kernel
def top(s, seat):
    """The rank of the top discard; 0 without one."""
    return rank_of(s.top) + 1


@kernel
def shoe(s, seat):
    """Cards in the shoe."""
    return s.in_shoe


@kernel
def unseen(s, seat, rank):
    """Cards of a rank of the original shoe that you have not seen."""
    return count_unseen_of(s, seat, rank - 1)


@kernel
def card(s, seat, player, place):
    """The rank of a card, face up or one of yours that you have looked at; 0 if it is gone or not known."""
    other = seat_of(s, seat, player)
    if s.left[other] >> place & 1 == 0 or is_secret(s, other, seat, place):
        return 0
    return rank_of(int(s.cards[other, place])) + 1


@kernel
def is_there(s, seat, player, place):
    """1 if a place holds a card."""
    return s.left[seat_of(s, seat, player)] >> place & 1


@kernel
def is_up(s, seat, player, place):
    """1 if a place holds a card that is face up."""
    return s.up[seat_of(s, seat, player)] >> place & 1


@kernel
def total(s, seat, player):
    """A player's points from the innings before."""
    return s.totals[seat_of(s, seat, player)]


@kernel
def out(s, seat):
    """The player who has gone out; -1 for nobody."""
    return player_of(s, seat, s.out)


@kernel
def inning(s, seat):
    """The number of the inning, from 1."""
    return s.inning


@kernel
def innings(s, seat):
    """How many innings there are."""
    return s.innings


@kernel
def points(s, seat, rank):
    """What a card of a rank counts."""
    return fields.VALUE[rank - 1]


@kernel
def look(s, seat, place):
    """The move: look at a card."""
    return fields.LOOK + place


@kernel
def turn_up(s, seat, which):
    """The move: turn up none of the cards looked at (0), the first (1), the second (2) or both (3)."""
    return fields.TURN_UP + which


@kernel
def flip(s, seat, place):
    """The move: turn up a card."""
    return fields.FLIP + place


@kernel
def take(s, seat, place):
    """The move: take the top discard and put it in a place."""
    return fields.TAKE + place


@kernel
def draw(s, seat):
    """The move: draw a card from the shoe."""
    return fields.DRAW


@kernel
def discard(s, seat):
    """The move: discard the card drawn."""
    return fields.DISCARD


@kernel
def put(s, seat, place):
    """The move: put the card drawn in a place."""
    return fields.PUT + place
