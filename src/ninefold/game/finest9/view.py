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
from ninefold.kernel.cards import STANDARD
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
    legend,
    zone,
)

CHOOSE, AGAIN = -1, -2
PROMPTS = {  # for the player, and for everyone else
    rules.ROLL_OFF: ("You roll: the highest total goes first.", "{who} rolls: the highest total goes first."),
    rules.TURN: ("You roll.", "{who} rolls."),
    AGAIN: ("You roll again after a 9.", "{who} rolls again after a 9."),
    rules.DRAW: ("You have no match and draw a card.", "{who} has no match and draws a card."),
    CHOOSE: ("You rolled {total}. Which cards do you take?", "{who} rolled {total} and takes a match."),
}
GOAL = "Most points win: taken minus left."
LEGEND = legend("J Q K=10", "A=11", "9=wild")

_standing = python_function(rules.standing)
_texts = lru_cache(4_096)(STANDARD.texts_of)


def view(s: Any, seat: int | None) -> Scene:
    """The table as a seat sees it."""
    rolled = list(dice.ROLLS[s.last_roll]) if s.last_roll >= 0 else []
    deck = zone("deck", "pile", "Deck", None, None, len(members(s.deck)))
    zones = [Zone("dice", "dice", "Last roll", None, dice=rolled), deck]
    for other in range(s.players):
        zones.append(zone(f"table-{other}", "row", "On the table", other, _texts(row(s, other))))
        captured = _texts(heap(s.captured[other]))
        zones.append(zone(f"captured-{other}", "pile", "Captured", other, captured, len(captured)))
    seats = [_seat(s, other) for other in range(s.players)]
    rolls = s.actor != NOBODY and s.phase != rules.DEAL
    details = {"roller": s.player if rolls else None, "first": s.first if s.first >= 0 else None}
    values = [*LEGEND, *legend(f"no cards left=+{s.clear_bonus}")] if s.clear_bonus else LEGEND
    return Scene(
        *(_phase(s), _prompt(s, seat), zones, [], seats, details, GOAL, values), progress=_progress(s)
    )


def _progress(s: Any) -> Counter:
    """How many of the cards that are not dealt at the start have been drawn, or how many turns are left."""
    left, draws = len(members(s.deck)), STANDARD.size - rules.HAND * s.players
    if s.turns_left > 0 or s.actor == NOBODY:
        return Counter("turns left", message("Turns left: {turns}", turns=max(0, s.turns_left)), draws, draws)
    return Counter("deck", message("Cards in the deck: {cards}", cards=left), max(0, draws - left), draws)


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
    worths = _worth(s.captured[seat]), _worth(s.tables[seat])
    return _seat_view(seat, _standing(s, seat), status, *worths, s.first == seat)


@lru_cache(4_096)
def _seat_view(seat: int, score: int, status: Status, taken: int, left: int, first: bool) -> SeatView:
    stats = [Counter("captured", "Captured", taken), Counter("on_table", "On the table", left)]
    hand = message("Taken {taken} · Left {left}", taken=taken, left=left)
    return SeatView(seat, score, status, "", stats, ["first"] if first else [], hand)


def _prompt(s: Any, seat: int | None) -> Text:
    if s.actor == NOBODY:
        return "The game is over."
    if s.phase == rules.DEAL:
        return "Everyone is dealt nine cards."
    again = s.phase == rules.TURN and s.last_roll >= 0
    kind = CHOOSE if s.actor != CHANCE else AGAIN if again else s.phase
    mine = s.player == seat
    args = {"total": sum(dice.ROLLS[s.last_roll])} if kind == CHOOSE else {}
    return message(PROMPTS[kind][not mine], {} if mine else {"who": s.player}, **args)


def offers(s: Any, seat: int, moves: Moves) -> list[Offer]:
    """The captures, each with the places of its cards in the row."""
    cards, choices = row(s, seat), []
    for action in moves.actions:
        going = taken(s, seat, action)
        points, ranks = worth(going), ranks_text(card >> 2 for card in going)
        label = message("Take {ranks} · +{points}", ranks=ranks, points=points)
        places = [cards.index(card) for card in going]
        choices.append(Choice(format_move(s, seat, action), places, label, points))
    return [Selection("capture", "Take a match", f"table-{seat}", choices, alike=True)] if choices else []
