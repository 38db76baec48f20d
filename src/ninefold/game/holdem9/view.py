"""Multiple 9 Hold'em as a seat sees it: the board, cards and chips, and what the seat may do.

A chip is in one zone: not bet (`stack-N`), bet in this round (`bet-N`) or bet in earlier rounds (`pot`).
Antes and blinds are shown as paid when the first card of a hand is dealt; until then the table shows the end
of the last hand.
"""

from __future__ import annotations

from typing import Any

from ninefold.game import nines
from ninefold.game.holdem9.bets import raise_span
from ninefold.game.holdem9.fields import BET, BOARD, FACE_DOWN, HOLE, PAUSE, SHOW, board_cards
from ninefold.game.holdem9.notation import ANSWERS, bet_verb
from ninefold.game.holdem9.pots import standing_pots
from ninefold.game.holdem9.verdict import Verdict, groups_in, in_words, verdict
from ninefold.kernel.bits import members
from ninefold.kernel.cards import STANDARD, Card, Rank
from ninefold.kernel.fields import CHANCE, NOBODY
from ninefold.model.contract import Moves
from ninefold.model.text import Text, message
from ninefold.model.view import (
    Button,
    Counter,
    Group,
    Mark,
    Number,
    Offer,
    Preset,
    Scene,
    SeatView,
    Status,
    legend,
    numbered,
    race,
    zone,
)

PHASES = {HOLE: "The deal", SHOW: "Showdown", PAUSE: "Break"}
STREETS = ("Pre-flop", "The flop", "The turn", "The river")
FLOP = 3  # cards on the board
GOAL = "Most nines in seven cards wins."
LEGEND = legend("A=1", "J=11", "Q=12", "K=13", "18=2 nines", "27=3 nines")
CHANCES = {
    HOLE: "Everyone is dealt two cards.",
    BOARD: "A card is dealt to the board.",
    SHOW: "{who} turns up a card.",
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


def known_cards(s: Any, seat: int) -> list[tuple[str, int, Rank]]:
    """The zone, place and rank of a hand's cards and the board's, from the flop on, if they are known."""
    hole, board = hole_cards(s, seat), board_cards(s)
    if len(board) < FLOP or not are_known(hole) or (s.phase == HOLE and s.dealt):
        return []
    zones = (f"hand-{seat}", hole), ("board", board)
    return [(zone, place, card >> 2) for zone, cards in zones for place, card in enumerate(cards)]


def hand_words(s: Any, seat: int, short: bool = False) -> str | None:
    """What a hand is worth, or makes so far, if its cards are known."""
    found = hand_of(s, seat)
    return in_words(found, short) if found else None


def hand_of(s: Any, seat: int) -> Verdict | None:
    """What a hand is, if its cards are known."""
    cards = known_cards(s, seat)
    return verdict([rank for _, _, rank in cards]) if cards else None


def _groups(s: Any, seat: int) -> list[Group]:
    """The nines that a hand makes, over its cards and the board's."""
    free, found = known_cards(s, seat), []
    for group in groups_in([rank for _, _, rank in free]):
        made: dict[str, list[int]] = {}
        for wanted in nines.GROUPS[group]:
            card = next(card for card in free if card[2] == wanted)
            free.remove(card)
            made.setdefault(card[0], []).append(card[1])
        found.append(Group(nines.SUMS[group], made, seat, nines.NINES[group]))
    return found


# The table


def view(s: Any, seat: int | None) -> Scene:
    """The table as a seat sees it."""
    stacks, bets, paid = shown_chips(s)
    zones = [zone("board", "row", "Board", None, STANDARD.texts_of(board_cards(s)), slots=5)]
    zones.append(zone("pot", "chips", "Pot", None, None, paid - sum(bets)))
    for other in range(s.players):
        cards = STANDARD.texts_of(hole_cards(s, other))
        zones.append(zone(f"hand-{other}", "hand", "Cards", other, cards, slots=2))
        zones.append(zone(f"stack-{other}", "chips", "Chips", other, None, stacks[other]))
        zones.append(zone(f"bet-{other}", "chips", "Bet", other, None, bets[other]))
    counters = [Counter("pot", "Pot", paid), Counter("big blind", "Big blind", s.big)]
    if s.phase == BET and s.actor != NOBODY:
        counters.append(Counter("bet", "Highest bet", s.highest))
    seats = [_seat(s, other, stacks[other]) for other in range(s.players)]
    pots = [{"size": size, "seats": contenders} for size, contenders in standing_pots(s)]
    details = {"pots": pots, "paid": s.paid[: s.players], "won": s.won[: s.players]}
    texts = "The end" if s.actor == NOBODY else PHASES.get(s.phase, STREETS[s.street]), _prompt(s, seat)
    groups = [group for other in range(s.players) for group in _groups(s, other)]
    hands = numbered("Hand", s.hand, s.hands, s.actor == NOBODY)
    progress = hands if s.hands else race(max(stacks), sum(s.stack), "chips")
    return Scene(*texts, zones, counters, seats, details, GOAL, LEGEND, progress, groups)


def _seat(s: Any, seat: int, chips: int) -> SeatView:
    status = _status(s, seat, chips)
    marks: list[Mark] = ["dealer"] if s.button == seat else []
    marks += ["shown"] if s.shown >> seat & 1 else []
    return SeatView(seat, chips - s.stack[seat], status, "", [], marks, hand_words(s, seat, short=True))


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
        text = "Do you play" if s.actor == seat else "Waiting for {who} to say whether to play"
        return message(f"{text} the next hand{'?' if s.actor == seat else '.'}", who)
    if s.actor == CHANCE:
        return message(CHANCES[s.phase], who)
    owed = _owed(s, s.actor)
    if s.actor != seat:
        return message(f"{{who}} decides{', with {owed} to call' if owed else ''}.", who, owed=owed)
    return message(f"Pot {{pot}} · {'{owed}' if owed else 'nothing'} to call", pot=s.pot, owed=owed)


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
        found = [Button("fold", "Fold", "f", final=True), Button("call", message(call, owed=owed), "c")]
    least, most = (int(end) for end in raise_span(s, seat))
    return [*found, _bet(s, seat, least, most, owed)] if least <= most else found


def _bet(s: Any, seat: int, least: int, most: int, owed: int) -> Number:
    sizes = {
        "½ pot": s.highest + (s.pot + owed) // 2,
        "Pot": s.highest + s.pot + owed,
        "All-in": s.bets[seat] + s.chips[seat],
    }
    presets = [Preset(int(amount), label) for label, amount in sizes.items()] if least < most else []
    return Number(bet_verb(s), bet_verb(s).capitalize(), least, most, presets=presets)
