"""Finest 9 as a seat sees it: the dice, the deck, all cards on the table, and what the seat may capture.

Nothing is hidden but the order of the deck, which is not decided until a card is drawn.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from ninefold.game.finest9 import rules
from ninefold.game.finest9.notation import format_move, ranks_text
from ninefold.game.finest9.rows import heap, most_by_total, row, rulings, taken, worth
from ninefold.kernel import dice
from ninefold.kernel.bits import members
from ninefold.kernel.cards import STANDARD
from ninefold.kernel.compile import python_function
from ninefold.kernel.fields import CHANCE, NOBODY
from ninefold.model.contract import Moves
from ninefold.model.text import Argument, Text, message
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

CHOOSE, AGAIN, HOPE = -1, -2, -3
PROMPTS = {  # for the player, and for everyone else
    rules.ROLL_OFF: (
        "Your roll: the highest total goes first.",
        "{who} rolls: the highest total goes first.",
    ),
    rules.TURN: ("Your roll.", "{who} rolls."),
    HOPE: ("Your roll. Hope for {hopes}.", "{who} rolls."),
    AGAIN: ("You roll again after a 9.", "{who} rolls again after a 9."),
    rules.DRAW: ("You have no match and draw a card.", "{who} has no match and draws a card."),
    CHOOSE: ("You rolled {total}. Which cards do you take?", "{who} rolled {total} and takes a match."),
}
GOAL = "Taken minus left: most wins."
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
    done, most = (s.deal_number - 1) * draws, s.deals * draws
    deal, args = "", {}
    if s.deals > 1:
        deal = "Deal {deal} of {deals} · "
        args = {"deal": s.deal_number, "deals": s.deals}
    if s.turns_left > 0 or s.ended:
        text = message(deal + "Turns left: {turns}", turns=max(0, s.turns_left), **args)
        return Counter("turns left", text, done + draws, most)
    text = message(deal + ("Deck: {cards}" if deal else "Cards in the deck: {cards}"), cards=left, **args)
    return Counter("deck", text, done + max(0, draws - left), most)


@lru_cache(4_096)
def _worth(cards: int) -> int:
    return worth(members(cards))


def _phase(s: Any) -> Text:
    if s.ended:
        return "The end" if s.actor == NOBODY else message("The end of deal {deal}", deal=s.deal_number)
    if s.phase < rules.TURN:
        return "Roll-off" if s.phase == rules.ROLL_OFF else "The deal"
    deal = "Deal {deal} · " if s.deals > 1 else ""
    last = " (last turns)" if s.turns_left > 0 else ""
    return message(f"{deal}Turn {{turn}}{last}", turn=s.turns, **({"deal": s.deal_number} if deal else {}))


def _seat(s: Any, seat: int) -> SeatView:
    status: Status = "done" if s.actor == NOBODY else "waiting"
    if status == "waiting" and s.player == seat and s.phase != rules.DEAL:
        status = "deciding" if s.actor == seat else "drawing" if s.phase == rules.DRAW else "rolling"
    worths = _worth(s.captured[seat]), _worth(s.tables[seat])
    before = s.totals[seat] if s.deal_number > 1 else None
    return _seat_view(seat, _standing(s, seat), status, *worths, before, s.first == seat)


@lru_cache(4_096)
def _seat_view(
    seat: int, score: int, status: Status, taken: int, left: int, before: int | None, first: bool
) -> SeatView:
    stats = [Counter("captured", "Captured", taken), Counter("on_table", "On the table", left)]
    hand = message("Taken {taken} · Left {left}", taken=taken, left=left)
    if before is not None:
        stats.append(Counter("before", "Earlier deals", before))
        text = "Had {before} · Taken {taken} · Left {left}"
        hand = message(text, before=before, taken=taken, left=left)
    return SeatView(seat, score, status, "", stats, ["first"] if first else [], hand)


def _prompt(s: Any, seat: int | None) -> Text:
    if s.actor == NOBODY:
        return "The game is over."
    if s.ended:
        return "The next deal follows."
    if s.phase == rules.DEAL:
        return "Everyone is dealt nine cards."
    again = s.phase == rules.TURN and s.last_roll >= 0
    kind = CHOOSE if s.actor != CHANCE else AGAIN if again else s.phase
    mine = s.player == seat
    args: dict[str, Argument] = {"total": sum(dice.ROLLS[s.last_roll])} if kind == CHOOSE else {}
    if mine and kind == rules.TURN and (hopes := _hopes(int(s.tables[seat]), rulings(s))):
        kind, args = HOPE, {"hopes": hopes}
    return message(PROMPTS[kind][not mine], {} if mine else {"who": s.player}, **args)


@lru_cache(1_024)
def _hopes(cards: int, rulings: tuple[int, ...]) -> list[Text]:
    """The totals that would match some cards, each with the most that it could bring."""
    best = most_by_total(cards, rulings)
    return [message("{total} (+{most})", total=total, most=most) for total, most in best.items()]


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
