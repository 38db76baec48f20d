"""Finest 9 as a seat sees it: the dice, the deck, all cards on the table, and what the seat may capture.

Nothing is hidden but the order of the deck, which is not decided until a card is drawn.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from ninefold.game.finest9 import rules
from ninefold.game.finest9.notation import format_move, ranks_text
from ninefold.game.finest9.rows import heap, row, taken, worth
from ninefold.kernel import dice
from ninefold.kernel.bits import members
from ninefold.kernel.cards import STANDARD, Card
from ninefold.kernel.compile import python_function
from ninefold.kernel.fields import CHANCE, NOBODY
from ninefold.model.contract import Moves
from ninefold.model.text import Text, message
from ninefold.model.view import (
    Choice,
    Counter,
    Offer,
    Scene,
    SeatView,
    Selection,
    Status,
    Zone,
    ZoneKind,
    face_up,
)

CHOOSE, AGAIN = -1, -2
PROMPTS = {  # for the player, and for everyone else
    rules.ROLL_OFF: ("You roll: the highest total goes first.", "{who} rolls: the highest total goes first."),
    rules.TURN: ("You roll.", "{who} rolls."),
    AGAIN: ("You roll again after a 9.", "{who} rolls again after a 9."),
    rules.DRAW: ("You have no match and draw a card.", "{who} has no match and draws a card."),
    CHOOSE: (
        "You rolled {one} and {other}: {total}. Take a match.",
        "{who} rolled {one} and {other}: {total}, and takes a match.",
    ),
}
STATUS_TEXTS = {"deciding": "decides", "drawing": "draws", "rolling": "rolls", "waiting": "waits"}

_standing = python_function(rules.standing)


def view(s: Any, seat: int | None) -> Scene:
    """The table as a seat sees it."""
    rolled = list(dice.ROLLS[s.last_roll]) if s.last_roll >= 0 else []
    deck = Zone("deck", "pile", "Deck", None, count=len(members(s.deck)))
    zones = [Zone("dice", "dice", "Last roll", None, dice=rolled), deck]
    for other in range(s.players):
        zones.append(_zone(f"table-{other}", "row", "On the table", other, tuple(row(s, other))))
        zones.append(_zone(f"captured-{other}", "pile", "Captured", other, heap(s.captured[other])))
    counters = [Counter("deck", "Cards in the deck", len(members(s.deck)))]
    if s.turns_left > 0:
        counters.append(Counter("turns left", "Turns left", s.turns_left))
    seats = [_seat(s, other) for other in range(s.players)]
    rolls = s.actor != NOBODY and s.phase != rules.DEAL
    details = {"roller": s.player if rolls else None, "first": s.first if s.first >= 0 else None}
    return Scene(_phase(s), _prompt(s, seat), zones, counters, seats, details)


@lru_cache(4_096)
def _zone(name: str, kind: ZoneKind, label: str, owner: int, cards: tuple[Card, ...]) -> Zone:
    """A zone of face-up cards; cached, because most zones stay the same from step to step."""
    shown = [face_up(STANDARD.texts[card]) for card in cards]
    return Zone(name, kind, label, owner, shown, len(cards) if kind == "pile" else None)


@lru_cache(4_096)
def _worth(cards: int) -> int:
    return worth(members(cards))


def _phase(s: Any) -> Text:
    if s.phase < rules.TURN:
        return "Roll-off" if s.phase == rules.ROLL_OFF else "The deal"
    if s.actor == NOBODY:
        return "The end"
    return message("Turn {turn}" + (" (last turns)" if s.turns_left > 0 else ""), turn=s.turns)


def _seat(s: Any, seat: int) -> SeatView:
    status: Status = "done" if s.actor == NOBODY else "waiting"
    if status == "waiting" and s.player == seat and s.phase != rules.DEAL:
        status = "deciding" if s.actor == seat else "drawing" if s.phase == rules.DRAW else "rolling"
    found = SeatView(seat, _standing(s, seat), status, STATUS_TEXTS.get(status, status))
    found.stats.append(Counter("captured", "Captured", _worth(s.captured[seat])))
    found.stats.append(Counter("on_table", "On the table", _worth(s.tables[seat])))
    found.marks = ["first"] if s.first == seat else []
    return found


def _prompt(s: Any, seat: int | None) -> Text:
    if s.actor == NOBODY:
        return "The game is over."
    if s.phase == rules.DEAL:
        return "Everyone is dealt nine cards."
    again = s.phase == rules.TURN and s.last_roll >= 0
    kind = CHOOSE if s.actor != CHANCE else AGAIN if again else s.phase
    mine = s.player == seat
    one, other = dice.ROLLS[s.last_roll]
    args = {"one": one, "other": other, "total": one + other} if kind == CHOOSE else {}
    return message(PROMPTS[kind][not mine], {} if mine else {"who": s.player}, **args)


def offers(s: Any, seat: int, moves: Moves) -> list[Offer]:
    """The captures, each with the places of its cards in the row."""
    cards, choices = row(s, seat), []
    for action in moves.actions:
        going = taken(s, seat, action)
        points, ranks = worth(going), ranks_text(card >> 2 for card in going)
        label = message("{ranks} for {points} points", ranks=ranks, points=points)
        places = [cards.index(card) for card in going]
        choices.append(Choice(format_move(s, seat, action), places, label, points))
    return [Selection("capture", "Take a match", f"table-{seat}", choices)] if choices else []
