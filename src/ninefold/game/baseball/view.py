"""Baseball as a seat sees it: the shoe, the discards, the hands, and what the seat may do.

Cards that the viewer may not know are blanked, and shown as unseen.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from ninefold.game.baseball.fields import (
    DISCARD,
    DRAW,
    DRAWN,
    FIRST,
    JOKERS,
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
    legend,
    numbered,
    zone,
)

POINTS = VALUE.tolist()
PROMPTS = {
    LOOKING: "Peek at two of your cards.",
    SHOWING: "Reveal the {first}, the {second}, both, or keep them secret?",
    TURN: "Flip a card, take the {top} from the discards, or draw.",
    DRAWN: "You drew the {drawn}: discard it, or swap it for a card.",
}
LAST_DOWN = " With your last card face up, you go out: one more turn for everyone else."
COSTLY = "This ends the round after one more turn for everyone else: {who} shows {least}, you {own}."
WAITING = {
    LOOKING: "Waiting for {who} to peek at two cards.",
    SHOWING: "Waiting for {who} to choose which cards to reveal.",
    TURN: "Waiting for {who} to play.",
    DRAWN: "Waiting for {who} to discard or keep the card drawn.",
}
SELECTIONS = {  # with the zone to touch first, and whether one touch of a card is enough
    "look": ("Peek at this card", None, True),
    "flip": ("Flip this card", None, False),
    "take": ("Swap the {top} in here", "discards", False),
    "put": ("Swap the {drawn} in here", None, True),
}
BUTTONS: dict[int, tuple[str, str, str | None]] = {
    DRAW: ("Draw from the deck", "d", "shoe"),
    DISCARD: ("Discard the {drawn}", "x", "discards"),
    TURN_UP: ("Keep both secret", "n", None),
    TURN_UP + FIRST: ("Reveal the {first}", "first", None),  # the digits of their places
    TURN_UP + SECOND: ("Reveal the {second}", "second", None),
    TURN_UP + FIRST + SECOND: ("Reveal both", "b", None),
}
LEGEND = legend("A=1", "J=15", "Q=25", "K=0", "joker=−2", "column of three=gone")


def hand_points(s: Any, seat: int) -> int:
    """The points of a seat's face-up cards (R1.2)."""
    return _points(tuple(s.cards[seat]), s.up[seat])


@lru_cache(8_192)
def _points(cards: tuple[int, ...], up: int) -> int:
    return sum(POINTS[DECK.rank(cards[place])] for place in members(up))


def view(s: Any, seat: int | None) -> Scene:
    """The table as a seat sees it."""
    top = (card_text(s.top),) if s.top >= 0 else ()
    discards = zone("discards", "pile", "Discards", None, top, sum([word.bit_count() for word in s.pile]))
    zones = [zone("shoe", "pile", "Deck", None, None, s.in_shoe), discards, *_drawn(s)]
    zones += [_hand(s, other) for other in range(s.players)]
    counters = [Counter("round", "Turn", _turn(s), s.turn_limit or None)]
    seats = [_seat(s, other, seat) for other in range(s.players)]
    details = {"out": s.out if s.out >= 0 else None, "first": s.first}
    texts = _phase(s), _prompt(s, seat)
    return Scene(*texts, zones, counters, seats, details, "Lowest total wins.", LEGEND, _progress(s))


def _turn(s: Any) -> int:
    return max(1, -(-int(s.turns_here) // int(s.players)))


def _phase(s: Any) -> Text:
    if s.ended or s.closing:
        return "The end" if s.ended else "All cards are turned up"
    if s.stage <= SHOWING:
        return "The deal" if s.stage == OPENING else "Peek at two cards"
    inning = "Inning {inning} · " if s.innings > 1 else ""
    last = " (last turns)" if s.out >= 0 else ""
    return message(f"{inning}Turn {{turn}}{last}", turn=_turn(s), **({"inning": s.inning} if inning else {}))


def _progress(s: Any) -> Counter:
    """How far the series is, or how near the nearest player is to going out."""
    if s.innings > 1:
        return numbered("Inning", s.inning, s.innings, s.actor == NOBODY)
    down = min(len(members(s.left[seat] & ~s.up[seat])) for seat in range(s.players))
    return Counter(
        "down", message("Closest to going out: {down} face down", down=down), PLACES - down, PLACES
    )


def _drawn(s: Any) -> list[Zone]:
    """The card that a player has drawn and not used yet; once it is in the hand, everyone sees it."""
    if s.stage != DRAWN and s.drawn < 0:
        return []
    return [Zone("drawn", "hand", "Drawn card", s.mover, [Card(card_text(s.drawn), up=s.stage == REPLACED)])]


def _hand(s: Any, seat: int) -> Zone:
    spot = s.spot if s.mover == seat else -1
    return _hand_zone(seat, tuple(s.cards[seat]), s.left[seat], s.up[seat], s.known[seat], spot)


@lru_cache(8_192)
def _hand_zone(seat: int, numbers: tuple[int, ...], left: int, up: int, known: int, spot: int) -> Zone:
    """Most hands stay the same from step to step."""
    cards = [GAP] * PLACES
    for place in members(left):
        cards[place] = Card(
            card_text(numbers[place]),
            up=bool(up >> place & 1),
            coming=spot == place,
            seen_by=seat if known >> place & 1 else None,
        )
    return Zone(f"hand-{seat}", "grid", "Hand", seat, cards, columns=3, places=list(PLACE_NAMES))


def _seat(s: Any, seat: int, viewer: int | None) -> SeatView:
    points, down = hand_points(s, seat), len(members(s.left[seat] & ~s.up[seat]))
    status: Status = "in"
    if s.out >= 0:
        status = "gone_out" if s.out == seat else "last_turn" if down else "done"
    found = SeatView(seat, s.totals[seat] + points, status)
    found.stats = [Counter("face_up", "Face up", points), Counter("face_down", "Cards face down", down)]
    found.marks = ["first"] if s.first == seat else []
    if seat == viewer and down:
        known = [s.cards[seat][place] for place in members(s.known[seat])]
        points += sum(POINTS[DECK.rank(card)] for card in known)
        found.hand = message("{points} known · {unseen} unseen", points=points, unseen=down - len(known))
    return found


def _prompt(s: Any, seat: int | None) -> Text:
    if s.actor == NOBODY:
        return "The game is over."
    if s.actor == CHANCE:
        return "The first discard is turned up." if s.stage == OPENING else "A card is revealed."
    if seat is None or seat != s.actor:
        return message(WAITING[s.stage], {"who": s.actor})
    if s.stage == LOOKING and s.look_1 >= 0:
        return "Peek at one more of your cards."
    last = " This is your last turn." if s.out >= 0 else ""
    if s.stage >= TURN and s.out < 0 and len(members(s.left[seat] & ~s.up[seat])) == 1:
        last = LAST_DOWN
    return _filled(PROMPTS[s.stage] + last, s, seat)


def _warning(s: Any, seat: int, verb: str, place: int) -> Text | None:
    """What it may cost to turn up the last card while another player shows less."""
    down = s.left[seat] & ~s.up[seat]
    if s.stage < TURN or s.out >= 0 or down != 1 << place:
        return None
    card = {"take": s.top, "put": s.drawn}.get(verb, s.cards[seat][place])
    others = [other for other in range(s.players) if other != seat]
    best = min(others, key=lambda other: hand_points(s, other))
    cards, up = [*s.cards[seat]], s.up[seat]
    if card >= 0:
        cards[place], up = card, up | down
        column = range(place % 3, PLACES, 3)
        ranks = {DECK.rank(cards[one]) for one in column}
        if len(ranks) == 1 and (s.clear_jokers or ranks != {JOKERS}):
            up &= ~sum(1 << one for one in column)
    own, least = _points(tuple(cards), up), hand_points(s, best)
    if own <= least:
        return None
    return message(COSTLY, {"who": best}, own=own, least=least)


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
        choices = [
            Choice(MOVES[first + place], [place], confirm=_warning(s, seat, verb, place)) for place in places
        ]
        if choices:
            words, source, direct = SELECTIONS[verb]
            use = Selection(verb, _filled(words, s, seat), f"hand-{seat}", choices)
            use.source, use.direct = source, direct
            found.append(use)
    digits = {"first": str(s.look_1 + 1), "second": str(s.look_2 + 1)}
    for action, (label, wanted, touched) in BUTTONS.items():
        if action in moves.actions:
            key = digits.get(wanted, wanted)
            found.append(Button(MOVES[action], _filled(label, s, seat), key, zone=touched))
    return found
