"""What a bot of Multiple 9 Hold'em may know, one function for each fact: `@nf.bot` and docs/api.md have no
others.

Ranks are 1 for the ace to 13 for the king; suits never matter.
"""

from typing import Any

from ninefold.game.holdem9 import RAISE, fields
from ninefold.game.holdem9.bets import raise_span
from ninefold.game.holdem9.fields import FULL
from ninefold.game.holdem9.pots import bit
from ninefold.kernel.cards import count, nth_card
from ninefold.kernel.compile import kernel
from ninefold.kernel.seen import MOST, player_of, seat_of

LIMITS = {"card": (0, 1), "place": (0, 4), "amount": (0, MOST)}


@kernel
def hole(s: Any, seat: int, card: int) -> Any:
    """The rank of your first (0) or second (1) card; 0 if it has not been dealt."""
    cards = s.hole[seat] & FULL
    return (nth_card(cards, card) >> 2) + 1 if count(cards) > card else 0


@kernel
def board(s: Any, seat: int, place: int) -> Any:
    """The rank of a card on the board, from place 0 on; 0 if it has not been dealt."""
    card = s.board >> 6 * place & 63
    return (card - 1 >> 2) + 1 if card > 0 else 0


@kernel
def street(s: Any, seat: int) -> Any:
    """0 before the flop, 1 on the flop, 2 on the turn, 3 on the river."""
    return s.street


@kernel
def pot(s: Any, seat: int) -> Any:
    """All chips paid in this hand."""
    return s.pot


@kernel
def to_call(s: Any, seat: int) -> Any:
    """The chips that it takes you to call; 0 if you can check."""
    return min(s.highest - s.bets[seat], s.chips[seat])


@kernel
def least_raise(s: Any, seat: int) -> Any:
    """The least that you may raise to; more than `most_raise` if you may not raise."""
    least, _ = raise_span(s, seat)
    return least


@kernel
def most_raise(s: Any, seat: int) -> Any:
    """The most that you may raise to."""
    _, most = raise_span(s, seat)
    return most


@kernel
def chips(s: Any, seat: int, player: int) -> Any:
    """The chips that a player has left."""
    return s.chips[seat_of(s, seat, player)]


@kernel
def bet(s: Any, seat: int, player: int) -> Any:
    """A player's bet in this round."""
    return s.bets[seat_of(s, seat, player)]


@kernel
def paid(s: Any, seat: int, player: int) -> Any:
    """What a player has paid in this hand."""
    return s.paid[seat_of(s, seat, player)]


@kernel
def is_in(s: Any, seat: int, player: int) -> Any:
    """1 if a player has cards and has not folded."""
    return 1 if s.live & bit(seat_of(s, seat, player)) != 0 else 0


@kernel
def is_pending(s: Any, seat: int, player: int) -> Any:
    """1 if a player has still to act in this round."""
    return 1 if s.pending & bit(seat_of(s, seat, player)) != 0 else 0


@kernel
def raises(s: Any, seat: int) -> Any:
    """Full bets and raises in this round."""
    return s.raises


@kernel
def big_blind(s: Any, seat: int) -> Any:
    """The big blind of this hand."""
    return s.big


@kernel
def button(s: Any, seat: int) -> Any:
    """The player with the button."""
    return player_of(s, seat, s.button)


@kernel
def hand(s: Any, seat: int) -> Any:
    """The number of the hand in the session, from 1."""
    return s.hand


@kernel
def is_break(s: Any, seat: int) -> Any:
    """1 between hands, when you may sit out or leave."""
    return 1 if s.phase == fields.PAUSE else 0


@kernel
def fold(s: Any, seat: int) -> Any:
    """The move: fold."""
    return fields.FOLD


@kernel
def call(s: Any, seat: int) -> Any:
    """The move: call, or check if there is nothing to call."""
    return fields.CALL


@kernel
def raise_to(s: Any, seat: int, amount: int) -> Any:
    """The move: bet, or raise to an amount."""
    return RAISE + amount


@kernel
def deal_in(s: Any, seat: int) -> Any:
    """The move between hands: play the next one."""
    return fields.DEAL_IN
