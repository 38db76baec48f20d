"""9 of a Kind as a seat sees it: the centre, hands, open offers, and what the seat may do."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from msgspec import structs

from ninefold.game.nine_of_a_kind import rules
from ninefold.game.nine_of_a_kind.nearest import START, by_size, standing, what_is_missing
from ninefold.game.nine_of_a_kind.notation import answered, called, hand_cards, hand_sizes, is_in, shown_cards
from ninefold.game.nine_of_a_kind.parcels import (
    CARDS,
    CARDS_OF,
    COUNT,
    FULL,
    PARCELS,
    whole_collection,
)
from ninefold.kernel.bits import has
from ninefold.kernel.cards import NINE_SUITS, Card
from ninefold.kernel.fields import NOBODY
from ninefold.model.contract import Moves
from ninefold.model.text import Text, count_of, message
from ninefold.model.view import (
    Button,
    Choice,
    Counter,
    Group,
    Offer,
    Scene,
    SeatView,
    Selection,
    Status,
    Zone,
    legend,
    race,
    zone,
)

ENDINGS = ("", "nine", "blocked", "chicken", "nobody")  # by rules.NINE and those that follow
PHASES = {
    rules.DEAL: "Round {number} (the deal)",
    rules.TRADE: "Round {number}",
    rules.DRAW: "Round {number}",
    rules.WINDOW: "Round {number} (9 of a Kind!)",
}
GOAL = "Collect nine of one suit or rank."
LEGEND = legend("A=1 point", "winner=scores what the others hold")
OFFERING = "You offer {cards}. {missing}"
ASKED = "{who} claims 9 of a Kind! Claim it too, or wait."
ANSWERED = "{who} claims 9 of a Kind! The others can still claim it too."
FALSE = "Not true yet: a false claim puts you out of this round."
BUTTONS = {
    rules.WITHDRAW: Button("withdraw", "Take offer back", "w"),
    rules.CLAIM_NINE: Button("claim nine", "9 of a Kind!", "n", "nine of one suit or rank", FALSE),
    rules.CLAIM_BLOCKED: Button("claim blocked", "Blocked!", "b", "one of every rank and suit", FALSE),
    rules.CHICKEN: Button("chicken", "Chicken!", "x", "half the points", "This ends the round for everyone."),
    rules.WAIT: Button("wait", "Wait", ".", idle=True),
}
NAMED = 2  # collections that are named to a player


def view(s: Any, seat: int | None) -> Scene:
    """The table as a seat sees it."""
    sizes = hand_sizes(s)
    left = CARDS - sum(sizes)
    zones = [zone("centre", "pile", "Centre", None, None, left)]
    for owner in range(s.players):
        zones += [_hand(s, owner, seat, sizes[owner]), _offer(s, owner, seat)]
    phase = "The end" if s.actor == NOBODY else message(PHASES[s.phase], number=s.round_number)
    counters = [Counter("centre", "In the centre", left), Counter("trades", "Trades this round", s.trades)]
    seats = [_seat(s, other, sizes[other]) for other in range(s.players)]
    details = {"claimant": s.claimant if s.claimant >= 0 else None, "last_round": _last_round(s)}
    groups = [] if seat is None else _collections(s, seat)
    if seat is not None:
        hand = tuple(hand_cards(s, seat))
        seats[seat] = structs.replace(seats[seat], hand=standing(hand) if groups else None)
    texts = phase, _prompt(s, seat)
    progress = race(max(s.scores[: s.players]), s.target, "points")
    return Scene(*texts, zones, counters, seats, details, GOAL, LEGEND, progress, groups)


def _collections(s: Any, seat: int) -> list[Group]:
    """The largest collections in a hand."""
    cards, found = hand_cards(s, seat), []
    for collection in by_size(cards)[:NAMED]:
        places = [place for place, card in enumerate(cards) if is_in(card, collection)]
        if len(places) > 1:
            label = f"{len(places)} {called(collection)}"
            found.append(Group(label, {f"hand-{seat}": places}, seat, len(places)))
    return found


def _hand(s: Any, owner: int, viewer: int | None, size: int) -> Zone:
    laid_out = s.phase == rules.WINDOW and has(s.sharing, owner)  # with the claim
    cards: Sequence[Card] = [NOBODY] * size
    if owner == viewer or laid_out:
        cards = hand_cards(s, owner) if owner == viewer else whole_collection(s.named[owner])
    return zone(f"hand-{owner}", "hand", "Hand", owner, NINE_SUITS.texts_of(cards))


def _offer(s: Any, owner: int, viewer: int | None) -> Zone:
    """The cards on offer. They stay in the hand until someone takes them; this zone only points at them."""
    cards = (
        NINE_SUITS.texts_of(CARDS_OF[s.offered[owner]]) if owner == viewer else (None,) * s.open_size[owner]
    )
    return zone(f"offer-{owner}", "row", "Open offer", owner, cards, None, f"hand-{owner}", 3)


def _seat(s: Any, seat: int, cards: int) -> SeatView:
    status: Status = "trading" if has(s.inside, seat) else "out"
    if s.actor == NOBODY:
        status = "done"
    elif s.phase == rules.WINDOW and status == "trading":
        status = "claiming" if has(s.sharing, seat) else "speaking" if has(s.silent, seat) else "silent"
    return _seat_view(seat, s.scores[seat], status, cards, s.open_size[seat], has(s.fresh, seat))


@lru_cache(4_096)
def _seat_view(seat: int, score: int, status: Status, cards: int, offer: int, fresh: bool) -> SeatView:
    stats = [Counter("cards", "Cards", cards), Counter("offer", "Open offer", offer)]
    return SeatView(seat, score, status, "", stats, ["centre"] if fresh else [])


def _last_round(s: Any) -> dict[str, Any] | None:
    collected = [called(named) if named >= 0 else None for named in s.named[: s.players]]
    held, gained = s.held[: s.players], s.gained[: s.players]
    hands = [[*NINE_SUITS.texts_of(shown_cards(s, seat))] for seat in range(s.players)]
    how = {"ending": ENDINGS[s.ending], "caller": s.caller, "hands": hands}
    return {**how, "held": held, "collected": collected, "gained": gained} if s.ending else None


def _prompt(s: Any, seat: int | None) -> Text:
    if s.actor == NOBODY:
        return "The game is over."
    if s.phase == rules.DEAL:
        return "Everyone is dealt nine cards."
    if s.phase == rules.DRAW:
        return message("{who} takes cards from the centre.", {"who": s.drawer})
    if s.phase == rules.WINDOW:
        asked = seat is not None and has(s.silent, seat)
        return message(ASKED if asked else ANSWERED, {"who": s.claimant})
    if seat is None or not has(s.inside, seat):
        return "Everyone trades." if seat is None else "You are out of this round. The others trade."
    missing, own = what_is_missing(tuple(hand_cards(s, seat))), s.open_size[seat]
    return (
        message(OFFERING, cards=count_of(own), missing=missing.removesuffix(f" {START}")) if own else missing
    )


def offers(s: Any, seat: int, moves: Moves) -> list[Offer]:
    """Parcels as selections of cards in the hand, one for each use; other moves as buttons."""
    places = {card: place for place, card in enumerate(hand_cards(s, seat))}
    found: dict[int, Selection] = {}
    for action, text in zip(moves.actions, moves, strict=True):
        if action < rules.WITHDRAW:
            block, parcel = divmod(action, COUNT)
            use = found.get(block) or found.setdefault(block, _use(s, seat, action))
            use.choices.append(Choice(text, [places[card] for card in PARCELS[parcel]]))
    calls = [_call(s, seat, action) for action in moves.actions if action >= rules.WITHDRAW]
    return [*found.values(), *calls]


def _call(s: Any, seat: int, action: int) -> Button:
    """A call; a claim that is not true has to be confirmed, unless it would be ignored."""
    collections, call = s.hands[seat], BUTTONS[action]
    if action == rules.WAIT and s.phase == rules.WINDOW:
        return structs.replace(call, label="Pass", idle=False)  # the others wait for it
    blocked = action == rules.CLAIM_BLOCKED and all(bits.bit_count() == 1 for bits in collections)
    lit = blocked or (action == rules.CLAIM_NINE and FULL in collections)
    return structs.replace(call, confirm=None, lit=lit) if lit or s.phase == rules.WINDOW else call


def _use(s: Any, seat: int, action: int) -> Selection:
    """A selection for one use of parcels, still without choices."""
    zone = f"hand-{seat}"
    if action < rules.CENTRE:
        label = "Offer instead" if s.open_size[seat] else "Offer"
        return Selection("offer", label, zone, [])
    if action < rules.ANSWER:
        return Selection("centre", "Swap with centre", zone, [], source="centre")
    other = answered(s, seat, action)
    swap = message("Swap with {who}", {"who": other})
    return Selection(f"answer {other}", swap, zone, [], seat=other, source=f"offer-{other}")
