"""What has just happened in Multiple 9 Hold'em, as a viewer may know it.

A player may pay and win in one step, and a new hand may deal the same cards as the last one. The table
before and after cannot show that, so payments and first cards state their own movements.
"""

from __future__ import annotations

from typing import Any

from ninefold.game.holdem9 import RAISE
from ninefold.game.holdem9.record import (
    BOARD,
    CALL,
    DEAL_IN,
    FACE_DOWN,
    FOLD,
    HOLE,
    PAUSE,
    board_cards,
    dealt_in,
    hand_ended,
)
from ninefold.game.holdem9.view import are_known, hand_words, hole_cards, shown_chips
from ninefold.kernel.bits import members
from ninefold.kernel.cards import STANDARD, Card
from ninefold.kernel.fields import CHANCE, NOBODY
from ninefold.model.events import Event, Movement
from ninefold.model.text import Argument, message

FLOP = 3
STREETS = {FLOP: "The flop", 4: "The turn", 5: "The river"}
BLINDS = ("the small blind", "the big blind")
PAID = {"call": "calls {amount}", "raise": "raises to {bet}", "bet": "bets {bet}"}
ANSWERED = ("plays the next hand", "sits out the next hand", "leaves with {chips} chips")
BIG = ("show", "win", "out")


def narrate(before: Any, seat: int, action: int, after: Any, viewer: int | None) -> list[Event]:
    """Describe one step as a viewer may know it."""
    if seat == CHANCE:
        events = _card(before, action, after, viewer)
    elif before.phase == PAUSE:
        events = _answer(before, seat, action, after)
    else:
        events = [_bet(before, seat, action)]
    events += _back(before, seat, events[0].amount or 0, after) + _shown(before, after)
    if hand_ended(before, after):
        events += _won(before, after)
    return events + (_scores(after) if after.actor == NOBODY else [])


def _of(seat: int, kind: str, text: str, amount: int | None = None, **args: Argument) -> Event:
    """An event of one player (`{who}` in its text), with chips (`{amount}`) if it is about chips."""
    args |= {"amount": abs(amount)} if amount is not None else {}
    return Event(kind, message(text, {"who": seat}, **args), seat, amount=amount, hold=kind in BIG)


def _pays(seat: int, kind: str, text: str, chips: int, all_in: bool, to: str, bet: int = 0) -> Event:
    event = _of(seat, kind, f"{{who}} {text}{' and is all-in' if all_in else ''}.", chips, bet=bet)
    event.moves = [Movement(f"stack-{seat}", to, amount=chips)]
    return event


def _drawn(cards: list[Card]) -> str:
    return " ".join(STANDARD.drawn(card) for card in cards)


# The deal


def _card(before: Any, card: Card, after: Any, viewer: int | None) -> list[Event]:
    if before.phase == HOLE:
        return _hole(before, card, after, viewer)
    event = _of(before.player, "reveal", "{who} turns up {card}.", card=STANDARD.drawn(card))
    if before.phase == BOARD:
        board = [*board_cards(before), card]
        name = STREETS.get(len(board))
        shown = _drawn(board if len(board) == FLOP else [card])
        text = f"{name} is {shown}." if name else f"{shown} is dealt to the board."
        event = Event("board", text, quiet=not name)
    event.cards = [STANDARD.text(card)]
    return [event]


def _hole(before: Any, card: Card, after: Any, viewer: int | None) -> list[Event]:
    seat = before.player
    mine = viewer == seat and card < FACE_DOWN
    deal = _of(seat, "deal", "{who} is dealt {card}.", card=STANDARD.drawn(card) if mine else "a card")
    deal.quiet, deal.cards = True, [STANDARD.text(card) if mine else None]
    events = [deal]
    if not before.dealt:
        deal.moves = [Movement(None, f"hand-{seat}", deal.cards, target_places=[0])]
        events = [*_new_hand(before), deal]
    if viewer is not None and after.phase != HOLE and are_known(held := hole_cards(after, viewer)):
        events.append(_of(viewer, "dealt", "{who} holds {cards}.", cards=_drawn(held)))
    return events


def _new_hand(s: Any) -> list[Event]:
    order = dealt_in(s)
    paid = [(seat, "an ante", s.paid[seat] - s.bets[seat], "pot") for seat in order]
    blinds = order[::-1] if len(order) == 2 else order[:2]
    paid += [(seat, BLINDS[place], s.bets[seat], f"bet-{seat}") for place, seat in enumerate(blinds)]
    events = [_of(s.button, "hand", "Hand {hand}: {who} has the button.", hand=s.hand)]
    for seat, name, chips, to in paid:
        if chips:
            events.append(_pays(seat, "blind", f"pays {name}, {{amount}}", chips, not s.chips[seat], to))
    return events


# Bets


def _bet(before: Any, seat: int, action: int) -> Event:
    bet, chips = before.bets[seat], before.chips[seat]
    paid = min(before.highest - bet, chips) if action == CALL else action - RAISE - bet
    if action == FOLD or not paid:
        kind = "fold" if action == FOLD else "check"
        return _of(seat, kind, f"{{who}} {kind}s.")
    kind = "call" if action == CALL else "raise" if before.highest > 0 else "bet"
    return _pays(seat, kind, PAID[kind], paid, paid == chips, f"bet-{seat}", bet + paid)


def _back(before: Any, seat: int, paid: int, after: Any) -> list[Event]:
    """Uncalled chips, returned when a round of betting is over (R4.2)."""
    events = []
    for who, (was, now) in enumerate(zip(shown_chips(before)[0], shown_chips(after)[0], strict=True)):
        back = now - after.won[who] - was + paid * (who == seat)
        if back > 0:
            go = "s go" if back > 1 else " goes"
            events.append(_of(who, "back", f"{{amount}} uncalled chip{go} back to {{who}}.", back))
    return events


# The end of a hand


def _shown(before: Any, after: Any) -> list[Event]:
    events = []
    for seat in dealt_in(before):
        cards = hole_cards(after, seat)
        if (after.shown & ~before.shown) >> seat & 1 and are_known(cards):
            words = hand_words(after, seat)
            shown = f"{_drawn(cards)}: {words}" if words else _drawn(cards)
            events.append(_of(seat, "show", "{who} shows {shown}.", shown=shown))
            events[-1].cards = [STANDARD.text(card) for card in cards]
    return events


def _won(before: Any, after: Any) -> list[Event]:
    events = []
    contested = after.shown & (after.shown - 1)
    for seat, chips in enumerate(after.won):
        hand = hand_words(after, seat) if contested else None
        how = " with {hand}" if hand else "" if contested else ": nobody else is left in"
        events += (
            [_of(seat, "win", f"{{who}} wins {{amount}}{how}.", chips, hand=hand or "")] if chips else []
        )
    broke = [seat for seat in members(before.seated) if not shown_chips(after)[0][seat]]
    return events + [_of(seat, "out", "{who} has no chips left.") for seat in broke]


def _answer(before: Any, seat: int, action: int, after: Any) -> list[Event]:
    events = [_of(seat, "break", f"{{who}} {ANSWERED[action - DEAL_IN]}.", chips=before.chips[seat])]
    if after.hand > before.hand and not after.seated:
        events.append(
            Event("passed", message("Too few players want to play: hand {hand} is skipped.", hand=after.hand))
        )
    return events


def _scores(after: Any) -> list[Event]:
    events = []
    for seat, chips in enumerate(after.chips[: after.players]):
        score = chips - after.stack[seat]
        change = "won {amount}" if score > 0 else "lost {amount}" if score else "no change"
        events.append(_of(seat, "score", f"{{who}} has {{chips}} chips: {change}.", score, chips=chips))
    return events
