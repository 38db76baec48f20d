"""Baseball as a seat sees it: the shoe, the discards, the hands, and what the seat may do.

Cards that the viewer may not know are blanked, and shown as unseen.
"""

from __future__ import annotations

from typing import Any

from ninefold.game.baseball.fields import (
    DISCARD,
    DRAW,
    DRAWN,
    FIRST,
    LOOKING,
    OPENING,
    PLACES,
    REPLACED,
    SECOND,
    SHOWING,
    TURN,
    TURN_UP,
    VALUE,
)
from ninefold.game.baseball.notation import MOVES, PLACE_NAMES, VERBS, card_name, card_text
from ninefold.kernel.bits import members
from ninefold.kernel.cards import WITH_JOKERS as DECK
from ninefold.kernel.fields import CHANCE, NOBODY
from ninefold.model.contract import Moves
from ninefold.model.text import Text, message
from ninefold.model.view import (
    GAP,
    Button,
    Card,
    Choice,
    Counter,
    Offer,
    Scene,
    SeatView,
    Selection,
    Status,
    Zone,
)

POINTS = VALUE.tolist()
PROMPTS = {
    LOOKING: "Look at one of your face-down cards.",
    SHOWING: "You have seen the {first} and the {second}: turn up the first, the second, both or none?",
    TURN: "Flip a card, take the {top} from the discards, or draw.",
    DRAWN: "You drew the {drawn}: discard it, or put it in place of a card.",
}
WAITING = {
    LOOKING: "Waiting for {who} to look at two cards.",
    SHOWING: "Waiting for {who} to choose which cards to turn up.",
    TURN: "Waiting for {who} to play.",
    DRAWN: "Waiting for {who} to discard or keep the card drawn.",
}
SELECTIONS = {
    "look": "Look at a card",
    "flip": "Flip a card",
    "take": "Take the {top} in place of",
    "put": "Put the {drawn} in place of",
}
BUTTONS = {
    DRAW: ("Draw from the shoe", "d"),
    DISCARD: ("Discard the {drawn}", "x"),
    TURN_UP: ("Turn up neither", "n"),
    TURN_UP + FIRST: ("Turn up the first ({first})", "1"),
    TURN_UP + SECOND: ("Turn up the second ({second})", "2"),
    TURN_UP + FIRST + SECOND: ("Turn up both", "b"),
}


def hand_points(s: Any, seat: int) -> int:
    """The points of a seat's face-up cards (R1.2)."""
    return sum(POINTS[DECK.rank(s.cards[seat][place])] for place in members(s.up[seat]))


def view(s: Any, seat: int | None) -> Scene:
    """The table as a seat sees it."""
    top = [Card(card_text(s.top), up=True)] if s.top >= 0 else []
    discards = Zone("discards", "pile", "Discards", None, top, sum(word.bit_count() for word in s.pile))
    zones = [Zone("shoe", "pile", "Shoe", None, count=s.in_shoe), discards, *_drawn(s)]
    zones += [_hand(s, other) for other in range(s.players)]
    rounds = Counter("round", "Turns each", -(-s.turns_here // s.players), s.turn_limit or None)
    counters = [Counter("inning", "Inning", s.inning, s.innings), rounds]
    seats = [_seat(s, other) for other in range(s.players)]
    details = {"out": s.out if s.out >= 0 else None, "first": s.first}
    return Scene(_phase(s), _prompt(s, seat), zones, counters, seats, details)


def _phase(s: Any) -> Text:
    what = "last turns" if s.out >= 0 else "the game"
    if s.ended or s.closing:
        what = "the end" if s.ended else "all cards are turned up"
    elif s.stage <= SHOWING:
        what = "the deal" if s.stage == OPENING else "looking at two cards"
    if s.innings == 1:
        return what.capitalize()
    return message(f"Inning {{inning}} of {{innings}}: {what}", inning=s.inning, innings=s.innings)


def _drawn(s: Any) -> list[Zone]:
    """The card that a player has drawn and not used yet; once it is in the hand, everyone sees it."""
    if s.stage != DRAWN and s.drawn < 0:
        return []
    return [Zone("drawn", "hand", "Drawn card", s.mover, [Card(card_text(s.drawn), up=s.stage == REPLACED)])]


def _hand(s: Any, seat: int) -> Zone:
    cards = [GAP] * PLACES
    for place in members(s.left[seat]):
        cards[place] = Card(
            card_text(s.cards[seat][place]),
            up=bool(s.up[seat] >> place & 1),
            coming=s.spot == place and s.mover == seat,
            seen_by=seat if s.known[seat] >> place & 1 else None,
        )
    return Zone(f"hand-{seat}", "grid", "Hand", seat, cards, columns=3, places=list(PLACE_NAMES))


def _seat(s: Any, seat: int) -> SeatView:
    points, down = hand_points(s, seat), len(members(s.left[seat] & ~s.up[seat]))
    status: Status = "in"
    if s.out >= 0:
        status = "gone_out" if s.out == seat else "last_turn" if down else "done"
    found = SeatView(seat, s.totals[seat] + points, status, status.replace("_", " "))
    found.stats = [Counter("face_up", "Face up", points), Counter("face_down", "Cards face down", down)]
    found.marks = ["first"] if s.first == seat else []
    return found


def _prompt(s: Any, seat: int | None) -> Text:
    if s.actor == NOBODY:
        return "The game is over."
    if s.actor == CHANCE:
        return "The first discard is turned up." if s.stage == OPENING else "A card is revealed."
    if seat is None or seat != s.actor:
        return message(WAITING[s.stage], {"who": s.actor})
    if s.stage == LOOKING and s.look_1 >= 0:
        return "Look at another of your face-down cards."
    last = " This is your last turn." if s.out >= 0 else ""
    return _filled(PROMPTS[s.stage] + last, s, seat)


def _filled(text: str, s: Any, seat: int) -> Text:
    """Fill the cards into a prompt or a label."""
    looked = (s.cards[seat][place] for place in (s.look_1, s.look_2))
    cards = dict(zip(("first", "second", "drawn", "top"), (*looked, s.drawn, s.top), strict=True))
    return message(text, **{name: card_name(card) for name, card in cards.items() if f"{{{name}}}" in text})


def offers(s: Any, seat: int, moves: Moves) -> list[Offer]:
    """The legal moves as buttons, and as places of the hand to pick."""
    found: list[Offer] = []
    for verb, first in VERBS.items():
        places = [action - first for action in moves.actions if first <= action < first + PLACES]
        choices = [Choice(MOVES[first + place], [place]) for place in places]
        if choices:
            found.append(Selection(verb, _filled(SELECTIONS[verb], s, seat), f"hand-{seat}", choices))
    for action, (label, key) in BUTTONS.items():
        if action in moves.actions:
            found.append(Button(MOVES[action], _filled(label, s, seat), key))
    return found
