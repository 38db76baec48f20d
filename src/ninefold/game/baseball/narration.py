"""What has just happened in Baseball, as a viewer may know it.

Replaced cards and cleared columns state their own movements, because the table before and after does not
always show them. A replaced card that only its owner knew looks to others like one turned over, and a card
that completes a column is gone before anyone could see it there.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from ninefold.game.baseball.fields import (
    DISCARD,
    DREW,
    FLIP,
    FLIPPED,
    LEFT_COLUMN,
    LOOKED,
    LOOKING,
    NOTHING,
    OPENING,
    PLACES,
    PUT,
    REPLACED,
    RISING,
    SHOWING,
    TAKE,
    VALUE,
)
from ninefold.game.baseball.notation import card_name, card_text, place_name
from ninefold.game.baseball.view import hand_points
from ninefold.kernel import shoe
from ninefold.kernel.bits import members
from ninefold.kernel.cards import WITH_JOKERS as DECK
from ninefold.kernel.fields import CHANCE
from ninefold.model.events import Event, Movement, event
from ninefold.model.text import Argument, Text, count_of, message

TOP_ROW = 0b111
INNING = "Inning {inning} of {innings}: "
NEW_SHOE = "The deck is empty. The discards are shuffled and become the new deck: {cards}."
AND_DISCARDS = " and {who|discards|discard} the {old}."
REPLACEMENTS = {
    TAKE: ("take", "discards", "{who|You} {who|takes|take} the {card} ({place})" + AND_DISCARDS),
    PUT: ("put", "drawn", "{who|You} {who|keeps|keep} the {card} ({place})" + AND_DISCARDS),
}


def narrate(before: Any, seat: int, action: int, after: Any, viewer: int | None) -> list[Event]:
    """Describe one step as a viewer may know it."""
    who, stage = before.mover, before.stage
    if after.actor == CHANCE and after.stage in (FLIPPED, DREW, REPLACED):  # described when the card is known
        text = message(NEW_SHOE, cards=count_of(after.in_shoe))
        return [Event("shoe", text)] if after.reshuffles > before.reshuffles else []
    if stage == OPENING:
        return [_opening(after)]
    if stage == DREW:
        what = "from the deck" if after.drawn < 0 else "the {card}"
        return [_event("draw", who, f"{{who|You}} {{who|draws|draw}} {what}.", [after.drawn])]
    if stage == LOOKING:
        looks = "{who|You} {who|peeks|peek} at the {place} card."
        return [_event("look", who, looks, place=place_name(action))]
    if stage == LOOKED:
        sees = "{who|You} {who|sees|see} the {card} ({place})."
        seen = _event("seen", who, sees, [action], place=place_name(before.spot))
        return [seen] if viewer == who else []
    if stage == SHOWING:
        return [_turned_up(who, after.up[who] & ~before.up[who], after)]
    if stage == RISING:
        return _what_followed(before, NOTHING, after)
    verb, place = _done(before, action)
    done = _turned_up(who, 1 << place, after) if verb == FLIP else _discarded(before, verb, place, after)
    return [done, *_what_followed(before, place, after)]


def _event(kind: str, who: int, text: str, cards: Sequence[int] = (), **args: Argument) -> Event:
    """Make an event of a player; `{card}` in its text is the first of the cards."""
    if "{card}" in text:
        args["card"] = card_name(cards[0])
    return event(kind, who, text, None, kind == "out", [card_text(card) for card in cards], **args)


def _done(before: Any, action: int) -> tuple[int, int]:
    """What the mover did: the first id of the verb, and the place."""
    if before.stage in (FLIPPED, REPLACED):
        return (FLIP if before.stage == FLIPPED else TAKE if before.drawn < 0 else PUT), before.spot
    verb = max(first for first in (FLIP, TAKE, DISCARD, PUT) if first <= action)
    return verb, action - verb if verb != DISCARD else NOTHING


def _opening(after: Any) -> Event:
    text, args = "{who|You} {who|begins|begin}. The first discard is the {card}.", {}
    if after.innings > 1:
        text, args = INNING + text, {"inning": after.inning, "innings": after.innings}
    return _event("deal", after.first, text, [after.top], **args)


def _turned_up(who: int, places: int, after: Any) -> Event:
    """Cards of a hand were turned up."""
    cards = {place: after.cards[who][place] for place in members(places)}
    if not cards:
        return _event("turn up", who, "{who|You} {who|leaves|leave} both cards face down.")
    shown = [message("the {card} ({at})", card=card_name(cards[at]), at=place_name(at)) for at in cards]
    return _event("turn up", who, "{who|You} {who|turns|turn} up {shown}.", [*cards.values()], shown=[*shown])


def _discarded(before: Any, verb: int, place: int, after: Any) -> Event:
    """A card was discarded, or replaced by another."""
    who, hand, old = before.mover, f"hand-{before.mover}", _last_discard(before, verb == TAKE, after)
    if verb == DISCARD:
        return _event("discard", who, "{who|You} {who|discards|discard} the {card}.", [old])
    kind, source, text = REPLACEMENTS[verb]
    cards = [after.cards[who][place], old]
    swap = _event(kind, who, text, cards, old=card_name(old), place=place_name(place))
    # Stated, since there are two decks: after an exchange of equal cards the table looks as before.
    swap.moves.append(Movement(source, hand, swap.cards[:1], [0], [place]))
    swap.moves.append(Movement(hand, "discards", swap.cards[1:], [place]))
    return swap


def _last_discard(before: Any, takes: bool, after: Any) -> int:
    """The card discarded in this step; cards of a cleared column may lie on top of it."""
    piles = ([min(card, shoe.JOKER) for word in s.pile for card in members(word)] for s in (before, after))
    had, has = map(Counter, piles)
    had[before.top] -= takes
    for seat in range(before.players):
        had.update(after.cards[seat][place] for place in members(before.left[seat] & ~after.left[seat]))
    return min(has - had)


def _what_followed(before: Any, place: int, after: Any) -> list[Event]:
    """What followed after the mover flipped or replaced a card, or after cards were turned up at the end."""
    who, left, up, events = before.mover, list(before.left), list(before.up), []
    if place >= 0:
        column, up[who] = LEFT_COLUMN << place % 3, up[who] | 1 << place
        if up[who] & column == column and not after.left[who] & column:  # at once
            events.append(_cleared(who, place % 3, after))
            left[who] &= ~column
    if after.out >= 0 > before.out:
        more = "" if after.closing else " Everyone else has one more turn."
        events.append(_event("out", after.out, f"{{who|You}} {{who|has|have}} gone out.{more}"))
    closes = after.closing > before.closing
    seats = [(who + step) % before.players for step in range(1, before.players + 1)]
    if before.out >= 0 or not closes:
        events += _risen(seats.pop(), left[who], up[who], after)
    if closes:
        events.append(Event("limit", "The turn limit is reached: all cards are turned up.", hold=True))
    for seat in seats:
        events += _risen(seat, left[seat], up[seat], after)
    return events + (_inning_over(after) if after.innings > 1 and after.ended > before.ended else [])


def _risen(seat: int, left: int, up: int, after: Any) -> list[Event]:
    """Cards turned up at the end of a turn or of the game, and the columns this clears."""
    risen = left & ~up & ~(after.left[seat] & ~after.up[seat])
    events = [_turned_up(seat, risen, after)] if risen else []
    return events + [_cleared(seat, column, after) for column in members(left & ~after.left[seat] & TOP_ROW)]


def _cleared(seat: int, column: int, after: Any) -> Event:
    cards = after.cards[seat][column:PLACES:3]
    three = DECK.rank_words(DECK.rank(cards[0]), 3)
    side = ("left", "middle", "right")[column]
    text = f"{{who|You}} {{who|clears|clear}} the {side} column: three {three}."
    gone = _event("column", seat, text, cards)
    # Stated, since of three cards that go to the discards only the top one is seen there.
    gone.moves.append(Movement(f"hand-{seat}", "discards", gone.cards, list(range(column, PLACES, 3))))
    gone.amount = -sum(int(VALUE[DECK.rank(card)]) for card in cards)
    return gone


def _inning_over(after: Any) -> list[Event]:
    points = [(seat, hand_points(after, seat)) for seat in range(after.players)]
    scored: list[Text] = [message("{who} {points}", {"who": seat}, points=own) for seat, own in points]
    text = message("Inning {inning} is over: {scored}.", inning=after.inning, scored=scored)
    return [Event("inning", text, hold=True)]
