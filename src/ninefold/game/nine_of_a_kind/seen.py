"""What a bot of 9 of a Kind may know, one function for each fact: `@nf.bot` and docs/api.md have no others.

A card is 9 x rank + suit, both from 0 to 8: the rank of an ace is 0, that of a nine 8.
"""

from typing import Any

from ninefold.game.nine_of_a_kind import hands, rules
from ninefold.game.nine_of_a_kind.knowledge import MIDDLE
from ninefold.game.nine_of_a_kind.parcels import COUNT, MEMBER, NUMBER_IN, SIDE, SIZE
from ninefold.kernel import seats
from ninefold.kernel.compile import kernel
from ninefold.kernel.seen import seat_of

LIMITS = {"card": (0, 80), "rank": (0, 8), "suit": (0, 8), "place": (0, 2), "other": (1, 8)}


@kernel
def in_hand(s: Any, seat: int, card: int) -> Any:
    """1 if you hold a card."""
    return s.hands[seat, card // SIDE] >> card % SIDE & 1


@kernel
def of_rank(s: Any, seat: int, rank: int) -> Any:
    """Cards of a rank in your hand."""
    return NUMBER_IN[s.hands[seat, rank]]


@kernel
def of_suit(s: Any, seat: int, suit: int) -> Any:
    """Cards of a suit in your hand."""
    return NUMBER_IN[s.hands[seat, SIDE + suit]]


@kernel
def knows_with(s: Any, seat: int, card: int, player: int) -> Any:
    """1 if you know that another player holds a card, because you gave it to them."""
    return s.knows[seat, seat_of(s, seat, player), card >> 6] >> (card & 63) & 1 if player > 0 else 0


@kernel
def knows_in_centre(s: Any, seat: int, card: int) -> Any:
    """1 if you know that a card is in the centre."""
    return s.knows[seat, MIDDLE, card >> 6] >> (card & 63) & 1


@kernel
def is_nine(s: Any, seat: int) -> Any:
    """1 if you hold nine of a kind."""
    return 1 if hands.is_nine(s, seat) else 0


@kernel
def is_blocked(s: Any, seat: int) -> Any:
    """1 if you hold a blocker."""
    return 1 if hands.is_blocked(s, seat) else 0


@kernel
def is_window(s: Any, seat: int) -> Any:
    """1 after a true claim, while others may claim as well."""
    return 1 if s.phase == rules.WINDOW else 0


@kernel
def is_in(s: Any, seat: int, player: int) -> Any:
    """1 if a player is still in this round."""
    return 1 if seats.has(s.inside, seat_of(s, seat, player)) else 0


@kernel
def may_use_centre(s: Any, seat: int, player: int) -> Any:
    """1 if a player has traded with another one since their last trade with the centre."""
    return 1 if seats.has(s.fresh, seat_of(s, seat, player)) else 0


@kernel
def offered(s: Any, seat: int, player: int) -> Any:
    """Cards in a player's open offer; 0 without one."""
    return s.open_size[seat_of(s, seat, player)]


@kernel
def centre_size(s: Any, seat: int) -> Any:
    """Cards in the centre."""
    return hands.in_centre(s)


@kernel
def score(s: Any, seat: int, player: int) -> Any:
    """A player's score."""
    return s.scores[seat_of(s, seat, player)]


@kernel
def target(s: Any, seat: int) -> Any:
    """The score that ends the game."""
    return s.target


@kernel
def round_number(s: Any, seat: int) -> Any:
    """The number of the round, from 1."""
    return s.round_number


@kernel
def trades(s: Any, seat: int) -> Any:
    """Trades between players in this round."""
    return s.trades


@kernel
def offer(s: Any, seat: int, card: int) -> Any:
    """The move: offer one card. Moves with two or three cards are found among `moves`."""
    return rules.OFFER + card


@kernel
def answer(s: Any, seat: int, other: int, card: int) -> Any:
    """The move: give one card for another player's open offer of one card."""
    return rules.ANSWER + COUNT * (other - 1) + card


@kernel
def centre(s: Any, seat: int, card: int) -> Any:
    """The move: put one card into the centre and take another."""
    return rules.CENTRE + card


@kernel
def withdraw(s: Any, seat: int) -> Any:
    """The move: withdraw your offer."""
    return rules.WITHDRAW


@kernel
def claim_nine(s: Any, seat: int) -> Any:
    """The move: claim nine of a kind."""
    return rules.CLAIM_NINE


@kernel
def claim_blocked(s: Any, seat: int) -> Any:
    """The move: claim a blocker."""
    return rules.CLAIM_BLOCKED


@kernel
def wait(s: Any, seat: int) -> Any:
    """The move: wait."""
    return rules.WAIT


@kernel
def cards(s: Any, seat: int, move: int) -> Any:
    """Cards that a move offers, answers with or puts into the centre."""
    return SIZE[move % COUNT] if move < rules.WITHDRAW else 0


@kernel
def gives(s: Any, seat: int, move: int, place: int) -> Any:
    """One of those cards, from place 0 on; -1 if there are fewer."""
    return MEMBER[move % COUNT, place] if move < rules.WITHDRAW else -1


@kernel
def gives_to(s: Any, seat: int, move: int) -> Any:
    """The player that a move answers; 0 for an offer, a trade with the centre or a call."""
    answers = move >= rules.ANSWER and move < rules.WITHDRAW
    return (move - rules.ANSWER) // COUNT + 1 if answers else 0
