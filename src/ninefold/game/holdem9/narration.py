"""What has just happened in Multiple 9 Hold'em, as a viewer may know it.

A player may pay and win in one step, and a new hand may deal the same cards as the last one. The table
before and after cannot show that, so payments and first cards state their own movements.
"""

from __future__ import annotations

from typing import Any

from ninefold.game.holdem9 import RAISE
from ninefold.game.holdem9.fields import (
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
from ninefold.game.holdem9.verdict import tie_break
from ninefold.game.holdem9.view import are_known, hand_of, hand_words, hole_cards, shown_chips
from ninefold.kernel.bits import members
from ninefold.kernel.cards import STANDARD, Card
from ninefold.kernel.fields import CHANCE, NOBODY
from ninefold.model.events import Event, Movement, event
from ninefold.model.text import message

FLOP = 3
STREETS = {FLOP: "The flop", 4: "The turn", 5: "The river"}
BLINDS = ("the small blind", "the big blind")
PAID = {
    "call": "{who|calls|call} {amount}",
    "raise": "{who|raises|raise} to {bet}",
    "bet": "{who|bets|bet} {bet}",
}
ANSWERED = (
    "{who|plays|play} the next hand",
    "{who|sits|sit} out the next hand",
    "{who|leaves|leave} with {chips} chips",
)


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


def _pays(seat: int, kind: str, text: str, chips: int, all_in: bool, to: str, bet: int = 0) -> Event:
    paid = event(
        kind, seat, f"{{who|You}} {text}{' and {who|is|are} all-in' if all_in else ''}.", chips, bet=bet
    )
    # Stated, since the last bet of a round goes on to the pot in the same step.
    paid.moves = [Movement(f"stack-{seat}", to, amount=chips)]
    return paid


# The deal


def _card(before: Any, card: Card, after: Any, viewer: int | None) -> list[Event]:
    if before.phase == HOLE:
        return _hole(before, card, after, viewer)
    found = event("reveal", before.player, "{who|You} {who|turns|turn} up {card}.", card=STANDARD.drawn(card))
    if before.phase == BOARD:
        board = [*board_cards(before), card]
        name = STREETS.get(len(board))
        new = board if len(board) == FLOP else [card]
        shown = STANDARD.drawn(*new)
        text = f"{name} is {shown}." if name else f"{shown} is dealt to the board."
        found = Event("board", text, quiet=not name)
        found.cards = [*STANDARD.texts_of(new)]
    else:
        found.cards = [STANDARD.text(card)]
    return [found]


def _hole(before: Any, card: Card, after: Any, viewer: int | None) -> list[Event]:
    seat = before.player
    mine = viewer == seat and card < FACE_DOWN
    text = "{who|You} {who|is|are} dealt {card}."
    deal = event("deal", seat, text, card=STANDARD.drawn(card) if mine else "a card")
    deal.quiet, deal.cards = True, [STANDARD.text(card) if mine else None]
    events = [deal]
    if not before.dealt:  # stated, since it may be a card that lay on the board until now
        deal.moves = [Movement(None, f"hand-{seat}", deal.cards, target_places=[0])]
        events = [*_new_hand(before), deal]
    if viewer is not None and after.phase != HOLE and are_known(held := hole_cards(after, viewer)):
        text = "{who|You} {who|holds|hold} {cards}."
        events.append(event("dealt", viewer, text, cards=STANDARD.drawn(*held)))
    return events


def _new_hand(s: Any) -> list[Event]:
    order = dealt_in(s)
    paid = [(seat, "an ante", s.paid[seat] - s.bets[seat], "pot") for seat in order]
    blinds = order[::-1] if len(order) == 2 else order[:2]
    paid += [(seat, BLINDS[place], s.bets[seat], f"bet-{seat}") for place, seat in enumerate(blinds)]
    events = [event("hand", s.button, "Hand {hand}: {who|You} {who|is|are} dealer.", hand=s.hand)]
    for seat, name, chips, to in paid:
        if chips:
            text = f"{{who|pays|pay}} {name}, {{amount}}"
            events.append(_pays(seat, "blind", text, chips, not s.chips[seat], to))
    return events


# Bets


def _bet(before: Any, seat: int, action: int) -> Event:
    bet, chips = before.bets[seat], before.chips[seat]
    paid = min(before.highest - bet, chips) if action == CALL else action - RAISE - bet
    if action == FOLD or not paid:
        kind = "fold" if action == FOLD else "check"
        return event(kind, seat, f"{{who|You}} {{who|{kind}s|{kind}}}.")
    kind = "call" if action == CALL else "raise" if before.highest > 0 else "bet"
    return _pays(seat, kind, PAID[kind], paid, paid == chips, f"bet-{seat}", bet + paid)


def _back(before: Any, seat: int, paid: int, after: Any) -> list[Event]:
    """Uncalled chips, returned when a round of betting is over (R4.2)."""
    events = []
    for who, (was, now) in enumerate(zip(shown_chips(before)[0], shown_chips(after)[0], strict=True)):
        back = now - after.won[who] - was + paid * (who == seat)
        if back > 0:
            go = "s go" if back > 1 else " goes"
            events.append(event("back", who, f"{{amount}} uncalled chip{go} back to {{who|you}}.", back))
    return events


# The end of a hand


def _shown(before: Any, after: Any) -> list[Event]:
    events = []
    for seat in dealt_in(before):
        cards = hole_cards(after, seat)
        if (after.shown & ~before.shown) >> seat & 1 and are_known(cards):
            words = hand_words(after, seat)
            shown = STANDARD.drawn(*cards) + (f": {words}" if words else "")
            text, faces = "{who|You} {who|shows|show} {shown}.", STANDARD.texts_of(cards)
            events.append(event("show", seat, text, None, True, faces, shown=shown))
    return events


def _won(before: Any, after: Any) -> list[Event]:
    events = []
    contested = after.shown & (after.shown - 1)
    for seat, chips in enumerate(after.won):
        hand = hand_words(after, seat) if contested else None
        why = _tie_break(after, seat) if hand and chips else ""
        how = f" with {{hand}}{why}" if hand else "" if contested else ": nobody else is left in"
        if chips:
            text = f"{{who|You}} {{who|wins|win}} {{amount}}{how}."
            events.append(event("win", seat, text, chips, True, hand=hand or ""))
            events[-1].deed = message("taking {n} chips in hand {hand}", n=chips, hand=before.hand)
    broke = [seat for seat in members(before.seated) if not shown_chips(after)[0][seat]]
    return events + [
        event("out", seat, "{who|You} {who|has|have} no chips left.", None, True) for seat in broke
    ]


def _tie_break(s: Any, seat: int) -> str:
    """What decides between the winner and the next best hand, where both make as many nines (R5.3, R5.4)."""
    best = hand_of(s, seat)
    others = [hand for other in members(s.shown) if other != seat and (hand := hand_of(s, other))]
    below = [hand for hand in others if best and hand.strength < best.strength]
    why = tie_break(best, max(below, key=lambda hand: hand.strength)) if best and below else ""
    return f": {why}" if why else ""


def _answer(before: Any, seat: int, action: int, after: Any) -> list[Event]:
    events = [event("break", seat, f"{{who|You}} {ANSWERED[action - DEAL_IN]}.", chips=before.chips[seat])]
    if after.hand > before.hand and not after.seated:
        text = message("Too few players want to play: hand {hand} is skipped.", hand=after.hand)
        events.append(Event("passed", text))
    return events


def _scores(after: Any) -> list[Event]:
    events = []
    for seat, chips in enumerate(after.chips[: after.players]):
        score = chips - after.stack[seat]
        change = "won {amount}" if score > 0 else "lost {amount}" if score else "no change"
        text = f"{{who|You}} {{who|has|have}} {{chips}} chips: {change}."
        events.append(event("score", seat, text, score, chips=chips))
    return events
