"""What has just happened in 9 of a Kind, as a viewer may know it: cards only to those who saw them."""

from __future__ import annotations

from typing import Any

from ninefold.game.nine_of_a_kind import rules
from ninefold.game.nine_of_a_kind.notation import answered, called, hand_cards, is_in, shown_cards
from ninefold.game.nine_of_a_kind.parcels import CARDS, COUNT, PARCELS, SIDE, Cards
from ninefold.kernel.bits import has
from ninefold.kernel.cards import NINE_SUITS, Card
from ninefold.kernel.fields import CHANCE, NOBODY
from ninefold.model.events import Event, Movement, event
from ninefold.model.text import Argument, count_of, message

BUSY = ("offer", "withdraw", "trade", "centre")
BIG = ("claim", "forfeit", "chicken")
DEALT = "deal", "{who|You} {who|is|are} dealt {cards}."
TAKES = "draw", "{who|You} {who|gets|get} {cards}."
BEGINS = "Round {number}: nine cards each, {left} in the centre."
HAND = "hand", "{who|You} {who|has|have} {cards}."
OFFERS = "offer", "{who|You} {who|offers|offer} {cards}."
LAYS_DOWN = "centre", "{who|You} {who|swaps|swap} {cards} with the centre."
TRADES = "{who|You} and {other|you} trade {cards}."
OWN_TRADE = "{who|You} {who|gives|give} {other} {given} and {who|gets|get} {got}."
CALLS = {
    rules.WAIT: [],
    rules.WITHDRAW: [("withdraw", "{who|You} {who|takes|take} the offer back.")],
    rules.CHICKEN: [("chicken", "{who|You} {who|calls|call}: Chicken!")],
}
CALL = "{who|You} {who|calls|call}: "
NINE = "claim", CALL + "9 of a Kind! All nine {collection}. Does anyone else have nine?"
BLOCKED = "claim", CALL + "Blocked! One card of every rank and every suit."
OUT = (
    "{who|You} {who|makes|make} a false claim. {who|Their|Your} hand goes to the centre, "
    "and {who|you} {who|is|are} out of the round."
)
FALSE = "forfeit", OUT
NINE_TOO = "claim", "{who|You} {who|has|have} 9 of a Kind, too."
SILENT = "silent", "{who|You} {who|passes|pass}."
ROUND_OVER = "Round {number} is over after {trades}. The winner scores what the others hold."
HALVED = "Round {number} is over after {trades}. The prize is half of what all hold."
DEAD = "Round {number} is over after {trades}: fewer than two players are left to trade, and nobody scores."
HOLDS = "{who|You} collected {collection}: {kept}. The rest costs {amount}: {rest}."
HOLDS_ALL = "{who|You} collected all nine {collection}, which cost nothing."
STILL_HOLDS = "{who|You} {who|was|were} out, and still {who|holds|hold} {amount}."
SCORES = "{who|You} {who|scores|score} {amount} and {who|has|have} {score}."
LAYS_OUT = "{who|You} {who|lays|lay} out {cards}, {who|scores|score} {amount} and {who|has|have} {score}."


def narrate(before: Any, seat: int, action: int, after: Any, viewer: int | None) -> list[Event]:
    """Describe one step to a viewer. Of another seat's action, only its kind and size may be used."""
    if seat == CHANCE:
        return _card(before, action, after, viewer)
    if action >= rules.WITHDRAW:
        events = _call(before, seat, action, after)
    elif action >= rules.ANSWER:
        events = [_trade(before, seat, answered(before, seat, action), after, viewer)]
    else:
        events = _parcel(before, seat, action, viewer)
    for one in events:  # what others trade is seen on the table: a log of it would be nothing but trades
        one.quiet = one.kind in BUSY and (viewer is None or viewer not in (one.seat, one.other))
    return events + _round_over(before, after)


def _event(seat: int, kind: str, text: str, cards: Cards = (), seen: bool = True, **args: Argument) -> Event:
    """What a player did; for cards that the viewer cannot see, only their number."""
    if cards:
        args["cards"] = NINE_SUITS.drawn(*cards) if seen else count_of(len(cards))
    shown = NINE_SUITS.texts_of(cards if seen else [NOBODY] * len(cards))
    return event(kind, seat, text, None, kind in BIG, shown, **args)


def _card(before: Any, card: Card, after: Any, viewer: int | None) -> list[Event]:
    """A card from the centre; after the last one of a deal, the round begins."""
    dealing = before.phase == rules.DEAL
    seat = before.dealt % before.players if dealing else before.drawer
    events = [_event(seat, *(DEALT if dealing else TAKES), (card,), seat == viewer)]
    events[0].quiet = dealing or seat != viewer
    if dealing and after.phase == rules.TRADE:
        left = count_of(CARDS - SIDE * after.players)
        events.append(Event("round", message(BEGINS, number=after.round_number, left=left)))
        events += [] if viewer is None else [_event(viewer, *HAND, tuple(hand_cards(after, viewer)))]
    return events


def _parcel(before: Any, seat: int, action: int, viewer: int | None) -> list[Event]:
    """A parcel is put into the centre or offered."""
    cards = PARCELS[action % COUNT]
    if action >= rules.CENTRE:
        return [_event(seat, *LAYS_DOWN, cards, viewer == seat)]
    if viewer != seat and before.open_size[seat] == len(cards):
        return []  # to others, parcels of the same size look the same
    return [_event(seat, *OFFERS, cards, viewer == seat)]


def _trade(before: Any, seat: int, other: int, after: Any, viewer: int | None) -> Event:
    """Two parcels change hands: both players see both, nobody else sees a card or a hand that changes."""
    size = before.open_size[other]
    there = Movement(f"hand-{seat}", f"hand-{other}", [None] * size)
    back = Movement(f"hand-{other}", f"hand-{seat}", [None] * size)
    seats: dict[str, int | list[int]] = {"who": seat, "other": other}
    text = message(TRADES, seats, cards=count_of(size))
    if viewer in (seat, other):
        away, home = (there, back) if viewer == seat else (back, there)
        had, holds = hand_cards(before, viewer), hand_cards(after, viewer)
        given, got = ([card for card in one if card not in two] for one, two in ((had, holds), (holds, had)))
        away.cards, away.source_places = [*NINE_SUITS.texts_of(given)], [had.index(card) for card in given]
        home.cards, home.target_places = [*NINE_SUITS.texts_of(got)], [holds.index(card) for card in got]
        own = {"who": viewer, "other": other if viewer == seat else seat}
        text = message(OWN_TRADE, own, given=NINE_SUITS.drawn(*given), got=NINE_SUITS.drawn(*got))
    return Event("trade", text, seat, cards=there.cards + back.cards, other=other, moves=[there, back])


def _call(before: Any, seat: int, action: int, after: Any) -> list[Event]:
    """A call; the result shows whether a claim was true."""
    if before.phase == rules.WINDOW:  # a false claim is ignored, so it looks like a wait
        shares = has(after.sharing, seat) or (after.phase != rules.WINDOW and after.gained[seat] > 0)
        return [_event(seat, *(NINE_TOO if shares else SILENT))]
    if action in CALLS:
        return [_event(seat, *call) for call in CALLS[action]]
    if after.phase == rules.WINDOW:
        return [_event(seat, *NINE, collection=called(after.named[seat]))]
    blocked = _ended(before, after) and after.ending == rules.BLOCKED
    return [_event(seat, *(BLOCKED if blocked else FALSE))]


def _ended(before: Any, after: Any) -> bool:
    return bool(after.round_number != before.round_number or after.actor == NOBODY)


def _round_over(before: Any, after: Any) -> list[Event]:
    """The points everyone held at the end of a round, and who scores them."""
    if not _ended(before, after):
        return []
    sentence = {rules.DEAD: DEAD, rules.CHICKENED: HALVED}.get(int(after.ending), ROUND_OVER)
    text = message(sentence, number=before.round_number, trades=count_of(before.trades, "trade"))
    events = [Event("round over", text, hold=True)]
    for seat in range(after.players):
        held, collection, gained = after.held[seat], after.named[seat], after.gained[seat]
        if collection >= 0 and (not gained or after.ending == rules.CHICKENED):
            events.append(_held(after, seat, collection, held))
        elif held > 0 and not gained:
            events.append(event("held", seat, STILL_HOLDS, held))
    for seat, gain in enumerate(after.gained[: after.players]):
        if gain > 0:
            cards = shown_cards(after, seat) if after.ending != rules.CHICKENED else []
            says = LAYS_OUT if cards else SCORES
            events.append(
                event("score", seat, says, gain, cards=NINE_SUITS.drawn(*cards), score=after.scores[seat])
            )
            events[-1].cards = [*NINE_SUITS.texts_of(cards)]
            events[-1].deed = message("scoring {n} in round {at}", n=gain, at=before.round_number)
    return events


def _held(s: Any, seat: int, collection: int, points: int) -> Event:
    """A hand that is laid open: what it collected, and what the other cards cost."""
    cards = shown_cards(s, seat)
    kept = [card for card in cards if is_in(card, collection)]
    rest = [card for card in cards if card not in kept]
    words = {"kept": NINE_SUITS.drawn(*kept), "rest": NINE_SUITS.drawn(*rest)}
    found = event("held", seat, HOLDS if rest else HOLDS_ALL, points, collection=called(collection), **words)
    found.cards = [*NINE_SUITS.texts_of([*kept, *rest])]
    found.costs = list(range(len(kept), len(cards)))
    return found
