"""Multiple 9 as a seat sees it: the stock, the discards, the hands, and what the seat may do."""

from __future__ import annotations

from typing import Any

from ninefold.game import nines
from ninefold.game.multiple9 import rules
from ninefold.game.multiple9.notation import format_move, texts
from ninefold.game.multiple9.record import DEAL, DONE, DONE_BIT, DRAW, GROUPS, LONE_NINE, OUT, PLAY
from ninefold.kernel.bits import has
from ninefold.kernel.cards import Rank
from ninefold.kernel.fields import NOBODY
from ninefold.model.contract import Moves
from ninefold.model.text import Text, message
from ninefold.model.view import (
    HIDDEN,
    Button,
    Choice,
    Counter,
    Offer,
    Scene,
    SeatView,
    Selection,
    Zone,
    face_up,
)


def view(s: Any, seat: int | None) -> Scene:
    """The table as a seat sees it."""
    discards = [face_up(card) for card in texts(s.discards)]
    zones = [
        Zone("stock", "pile", "Stock", None, count=s.stock_left),
        Zone("discards", "pile", "Discards", None, cards=discards, count=len(discards)),
    ]
    for other, size in enumerate(s.sizes[: s.players]):
        cards = [face_up(card) for card in texts(s.hands[other])] if other == seat else [HIDDEN] * size
        zones.append(Zone(f"hand-{other}", "hand", "Hand", other, cards=cards, count=size))
    counters = [Counter("stock", "Cards in the stock", s.stock_left)]
    if s.idle:
        counters.append(Counter("idle", "Turns without a card drawn or put down", s.idle, s.players))
    phases: dict[int, Text] = {DEAL: "The deal", OUT: "Going out at the deal"}
    return Scene(
        phase="The end" if s.actor == NOBODY else phases.get(s.phase, message("Turn {turn}", turn=s.turns)),
        prompt=_prompt(s, seat),
        zones=zones,
        counters=counters,
        seats=[_seat(s, other) for other in range(s.players)],
        details={"turned_over": texts(s.turned)},
    )


def _seat(s: Any, seat: int) -> SeatView:
    stats = [Counter("cards", "Cards", s.sizes[seat])]
    found = SeatView(seat, int(rules.has_won(s, seat)), "waiting", "waits", stats)
    found.marks = ["could_go_out"] if has(s.asked, seat) else []
    if s.actor == NOBODY:
        found.status = found.status_text = "done"
    elif s.player == seat and s.phase == DRAW:
        found.status, found.status_text = "drawing", "draws"
    elif s.actor == seat:
        found.status, found.status_text = "deciding", "decides"
    return found


def _prompt(s: Any, seat: int | None) -> Text:
    if s.actor == NOBODY:
        return "The game is over."
    drawn = "" if s.drew or s.laid else " No card is left to draw."
    if seat is not None and s.player == seat and s.phase != DEAL:
        return _own_prompt(s, seat, drawn)
    sentences = {
        DEAL: "Everyone is dealt five cards.",
        OUT: "{who} can go out with the cards dealt, and is deciding.",
        DRAW: "{who} draws a card.",
        PLAY: f"{{who}} may put down groups.{drawn}",
    }
    return message(sentences[s.phase], {"who": s.player})


def _own_prompt(s: Any, seat: int, drawn: str) -> str:
    if s.phase == OUT:
        return f"You can go out with {' '.join(texts(s.hands[seat]))}: go out, or wait?"
    if s.phase == DRAW:
        return "You draw a card."
    if s.laid == LONE_NINE:
        return "A nine alone is not a legal play: put down another group."
    first, second, third = rules.choices(s, seat)
    if not first | second | third & ~DONE_BIT:
        return f"{'No other' if s.laid else 'No'} group can go down: choose Done.{drawn}"
    return f"Put down {'another group, or choose Done' if s.laid else 'a group, or none'}.{drawn}"


def offers(s: Any, seat: int, moves: Moves) -> list[Offer]:
    """The groups, each with the places of its cards in the hand; other moves as buttons."""
    if not moves.actions:
        return []
    if s.phase == OUT:
        return [Button("go out", "Go out", "g"), Button("wait", "Wait", "w")]
    hand = nines.unpack(s.hands[seat])
    choices = [_choice(s, seat, group, hand) for group in moves.actions if group < GROUPS]
    lay = Selection("lay", "Put down a group", f"hand-{seat}", choices, alike=True)
    found: list[Offer] = [lay] if choices else []
    if DONE in moves.actions:
        found.append(Button("done", "Done" if s.laid or not choices else "Put nothing down", "d"))
    return found


def _choice(s: Any, seat: int, group: int, hand: list[Rank]) -> Choice:
    cards = nines.GROUPS[group]
    places = [hand.index(rank) + cards[:place].count(rank) for place, rank in enumerate(cards)]
    label = f"{nines.TEXTS[group]} makes {9 * nines.NINES[group]}"
    return Choice(format_move(s, seat, group), places, label)
