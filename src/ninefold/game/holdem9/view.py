"""Multiple 9 Hold'em as a seat sees it: the board, cards and chips, and what the seat may do.

A chip is in one zone: not bet (`stack-N`), bet in this round (`bet-N`) or bet in earlier rounds (`pot`).
Antes and blinds are shown as paid when the first card of a hand is dealt; until then the table shows the end
of the last hand.
"""

from __future__ import annotations

from typing import Any

from ninefold.game.holdem9.bets import raise_span
from ninefold.game.holdem9.notation import ANSWERS, bet_verb
from ninefold.game.holdem9.pots import standing_pots
from ninefold.game.holdem9.record import BET, BOARD, FACE_DOWN, HOLE, PAUSE, SHOW, board_cards
from ninefold.game.holdem9.verdict import in_words, verdict
from ninefold.kernel.bits import members
from ninefold.kernel.cards import STANDARD, Card
from ninefold.kernel.fields import CHANCE, NOBODY
from ninefold.model.contract import Moves
from ninefold.model.text import Text, message
from ninefold.model.view import (
    HIDDEN,
    Button,
    Counter,
    Mark,
    Number,
    Offer,
    Preset,
    Scene,
    SeatView,
    Status,
    Zone,
    face_up,
)

PHASES = {HOLE: "the deal", SHOW: "showdown", PAUSE: "over"}
STREETS = ("before the flop", "the flop", "the turn", "the river")
CHANCES = {
    HOLE: "Everyone is dealt two cards.",
    BOARD: "A card is dealt to the board.",
    SHOW: "{who} turns up a card.",
}
STATUS: dict[Status, str] = {
    "left": "left",
    "deciding": "decides",
    "waiting": "waits",
    "all_in": "all-in",
    "folded": "folded",
    "sitting_out": "sits out",
    "broke": "out of chips",
    "done": "done",
}
BETWEEN_HANDS = (
    Button(ANSWERS[0], "Deal me in", "i"),
    Button(ANSWERS[1], "Sit out", "o", "You skip the next hand."),
    Button(ANSWERS[2], "Leave", "l", "You leave for good; your chips are your score."),
)


# Cards and chips on the table


def shown_chips(s: Any) -> tuple[list[int], list[int], int]:
    """Each seat's remaining chips and bets, and everything paid in this hand."""
    if s.phase != HOLE or s.dealt:
        return s.chips, s.bets, s.pot
    return [chips + paid for chips, paid in zip(s.chips, s.paid, strict=True)], [0] * len(s.bets), 0


def hole_cards(s: Any, seat: int) -> list[Card]:
    """A seat's cards, the highest value first; numbers from FACE_DOWN on are cards nobody may know."""
    cards = sorted(members(s.hole[seat]), reverse=True)
    return [] if (s.seated & ~s.live) >> seat & 1 and not are_known(cards) else cards


def are_known(cards: list[Card]) -> bool:
    return max(cards, default=FACE_DOWN) < FACE_DOWN


def hand_words(s: Any, seat: int) -> str | None:
    """What a hand is worth once the board is complete, if its cards are known."""
    cards = [*members(s.hole[seat]), *board_cards(s)]
    if len(cards) != 7 or not are_known(cards) or (s.phase == HOLE and s.dealt):
        return None
    return in_words(verdict([card >> 2 for card in cards]))


# The table


def view(s: Any, seat: int | None) -> Scene:
    """The table as a seat sees it."""
    stacks, bets, paid = shown_chips(s)
    board = [face_up(STANDARD.text(card)) for card in board_cards(s)]
    zones = [Zone("board", "row", "Board", None, cards=board)]
    zones.append(Zone("pot", "chips", "Pot", None, count=paid - sum(bets)))
    for other in range(s.players):
        cards = [
            face_up(STANDARD.text(card)) if card < FACE_DOWN else HIDDEN for card in hole_cards(s, other)
        ]
        zones.append(Zone(f"hand-{other}", "hand", "Cards", other, cards=cards))
        zones.append(Zone(f"stack-{other}", "chips", "Chips", other, count=stacks[other]))
        zones.append(Zone(f"bet-{other}", "chips", "Bet", other, count=bets[other]))
    counters = [Counter("hand", "Hand", s.hand, s.hands or None), Counter("pot", "Pot", paid)]
    counters.append(Counter("big blind", "Big blind", s.big))
    if s.phase == BET and s.actor != NOBODY:
        counters.append(Counter("bet", "Bet to match", s.highest))
    seats = [_seat(s, other, stacks[other]) for other in range(s.players)]
    pots = [{"size": size, "seats": contenders} for size, contenders in standing_pots(s)]
    details = {"pots": pots, "paid": s.paid[: s.players], "won": s.won[: s.players]}
    return Scene(_phase(s), _prompt(s, seat), zones, counters, seats, details)


def _phase(s: Any) -> Text:
    if s.actor == NOBODY:
        return "The end"
    return message(f"Hand {{hand}}: {PHASES.get(s.phase, STREETS[s.street])}", hand=s.hand)


def _seat(s: Any, seat: int, chips: int) -> SeatView:
    status = _status(s, seat, chips)
    marks: list[Mark] = ["dealer"] if s.button == seat else []
    marks += ["shown"] if s.shown >> seat & 1 else []
    return SeatView(seat, chips - s.stack[seat], status, STATUS[status], [], marks, hand_words(s, seat))


def _status(s: Any, seat: int, chips: int) -> Status:
    if s.gone >> seat & 1:
        return "left"
    if s.actor == seat:
        return "deciding"
    if s.live >> seat & 1:
        return "waiting" if chips else "all_in"
    if s.seated >> seat & 1:
        return "folded"
    if not chips:
        return "broke"
    if s.seated or s.away >> seat & 1:
        return "sitting_out"
    return "done" if s.actor == NOBODY else "waiting"


def _prompt(s: Any, seat: int | None) -> Text:
    who = {"who": s.actor if s.actor >= 0 else s.player}
    if s.actor == NOBODY:
        return "The session is over."
    if s.phase == PAUSE:
        return (
            "Do you play the next hand?"
            if s.actor == seat
            else message("{who} decides whether to play the next hand.", who)
        )
    if s.actor == CHANCE:
        return message(CHANCES[s.phase], who)
    owed = _owed(s, s.actor)
    if s.actor != seat:
        return message(f"{{who}} decides{', with {owed} to call' if owed else ''}.", who, owed=owed)
    text = "{owed} to call" if owed else "nothing to call"
    return message(f"The pot is {{pot}}, with {text}. Your move.", pot=s.pot, owed=owed)


# What a seat may do


def _owed(s: Any, seat: int) -> int:
    return int(min(s.highest - s.bets[seat], s.chips[seat]))


def offers(s: Any, seat: int, moves: Moves) -> list[Offer]:
    """Buttons for moves without a number, and a number for the bet."""
    if not len(moves) or s.phase == PAUSE:
        return [*BETWEEN_HANDS] if len(moves) else []
    owed = _owed(s, seat)
    call = "Call {owed}, all-in" if owed == s.chips[seat] else "Call {owed}"
    found: list[Offer] = [Button("check", "Check", "k")]
    if owed:
        found = [Button("fold", "Fold", "f"), Button("call", message(call, owed=owed), "c")]
    least, most = (int(end) for end in raise_span(s, seat))
    return [*found, _bet(s, seat, least, most, owed)] if least <= most else found


def _bet(s: Any, seat: int, least: int, most: int, owed: int) -> Number:
    sizes = {"Half the pot": s.highest + (s.pot + owed) // 2, "The pot": s.highest + s.pot + owed}
    presets = [Preset(amount, label) for label, amount in sizes.items() if least <= amount < most]
    if most == s.bets[seat] + s.chips[seat]:
        presets.append(Preset(most, "All-in"))
    return Number(bet_verb(s), bet_verb(s).capitalize(), least, most, presets=presets)
