"""What a bot of Doubles may know, one function for each fact: `@nf.bot` and docs/api.md have no others."""

from ninefold.game.doubles import rules
from ninefold.kernel import seats
from ninefold.kernel.compile import kernel
from ninefold.kernel.seen import seat_of

LIMITS: dict[str, tuple[int, int]] = {}


@kernel
def total(s, seat):
    """The running total, which everyone who cashes out gets."""
    return s.total


@kernel
def sevens(s, seat):
    """Sevens in this round; the fourth ends it."""
    return s.sevens


@kernel
def rolls(s, seat):
    """Rolls in this round."""
    return s.rolls


@kernel
def round_number(s, seat):
    """The number of the round, from 1."""
    return s.round_number


@kernel
def first_end(s, seat):
    """The first round that may be the last one."""
    return s.rounds_low


@kernel
def last_end(s, seat):
    """The round that certainly is the last one."""
    return s.rounds_high


@kernel
def score(s, seat, player):
    """A player's score."""
    return s.scores[seat_of(s, seat, player)]


@kernel
def is_in(s, seat, player):
    """1 if a player is still in this round."""
    return 1 if seats.has(s.inside, seat_of(s, seat, player)) else 0


@kernel
def is_deciding(s, seat, player):
    """1 if a player has still to decide after this roll."""
    return 1 if seats.has(s.undecided, seat_of(s, seat, player)) else 0


@kernel
def stay(s, seat):
    """The move: stay in."""
    return rules.STAY


@kernel
def cash_out(s, seat):
    """The move: cash out."""
    return rules.CASH_OUT
