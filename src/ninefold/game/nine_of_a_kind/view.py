"""9 of a Kind as a seat sees it: the centre, hands, open offers, and what the seat may do."""

from __future__ import annotations

from typing import Any

from ninefold.game.nine_of_a_kind import rules
from ninefold.game.nine_of_a_kind.notation import answered, hand_cards, hand_sizes, line_words
from ninefold.game.nine_of_a_kind.parcels import CARDS, CARDS_OF, COUNT, PARCELS, whole_line
from ninefold.kernel.bits import has
from ninefold.kernel.cards import NINE_SUITS
from ninefold.kernel.fields import NOBODY
from ninefold.model.contract import Moves
from ninefold.model.text import Text, count_of, message
from ninefold.model.view import (
    HIDDEN,
    Button,
    Choice,
    Counter,
    Offer,
    Scene,
    SeatView,
    Selection,
    Status,
    Zone,
    face_up,
)

FACES = [face_up(text) for text in NINE_SUITS.texts]
ENDINGS = ("", "nine", "blocked", "chicken", "nobody")  # by rules.NINE and those that follow
PHASES = {
    rules.DEAL: "Round {number} (the deal)",
    rules.TRADE: "Round {number}",
    rules.DRAW: "Round {number}",
    rules.WINDOW: "Round {number} (9 of a Kind!)",
}
STATUS_TEXTS = {"claiming": "claims", "speaking": "to answer"}
TRADING = "Offer one to three cards of one suit or rank, answer an offer, claim, or wait."
OFFERING = "You offer {cards}. Change or withdraw your offer, answer another one, claim, or wait."
ASKED = "{who} claims 9 of a Kind! Claim it too, or wait."
ANSWERED = "{who} claims 9 of a Kind! The others can still claim it too."
BUTTONS = {
    rules.WITHDRAW: Button("withdraw", "Withdraw the offer", "w"),
    rules.CLAIM_NINE: Button(
        "claim nine",
        "9 of a Kind!",
        "n",
        "nine cards of one suit or of one rank; a false claim costs the round",
    ),
    rules.CLAIM_BLOCKED: Button(
        "claim blocked",
        "Blocked!",
        "b",
        "one card of every rank and of every suit; a false claim costs the round",
    ),
    rules.CHICKEN: Button("chicken", "Chicken!", "x", "ends the round for half the points"),
    rules.WAIT: Button("wait", "Wait", "."),
}
IN_WINDOW = {
    **BUTTONS,
    rules.CLAIM_NINE: Button("claim nine", "9 of a Kind!", "n", "a false claim is ignored now"),
}


def view(s: Any, seat: int | None) -> Scene:
    """The table as a seat sees it."""
    sizes = hand_sizes(s)
    left = CARDS - sum(sizes)
    zones = [Zone("centre", "pile", "Centre", None, count=left)]
    for owner in range(s.players):
        zones += [_hand(s, owner, seat, sizes[owner]), _offer(s, owner, seat)]
    phase = "The end" if s.actor == NOBODY else message(PHASES[s.phase], number=s.round_number)
    counters = [
        Counter("centre", "Cards in the centre", left),
        Counter("trades", "Trades this round", s.trades),
        Counter("target", "Points to win", s.target),
    ]
    seats = [_seat(s, other, sizes[other]) for other in range(s.players)]
    details = {"claimant": s.claimant if s.claimant >= 0 else None, "last_round": _last_round(s)}
    return Scene(phase, _prompt(s, seat), zones, counters, seats, details)


def _hand(s: Any, owner: int, viewer: int | None, size: int) -> Zone:
    laid_out = s.phase == rules.WINDOW and has(s.sharing, owner)  # with the claim
    cards = hand_cards(s, owner) if owner == viewer else whole_line(s.named[owner]) if laid_out else None
    faces = [HIDDEN] * size if cards is None else [FACES[card] for card in cards]
    return Zone(f"hand-{owner}", "hand", "Hand", owner, cards=faces)


def _offer(s: Any, owner: int, viewer: int | None) -> Zone:
    """The cards on offer. They stay in the hand until someone takes them; this zone only points at them."""
    own = owner == viewer
    faces = [FACES[card] for card in CARDS_OF[s.offered[owner]]] if own else [HIDDEN] * s.open_size[owner]
    return Zone(f"offer-{owner}", "row", "Open offer", owner, cards=faces, held_in=f"hand-{owner}")


def _seat(s: Any, seat: int, cards: int) -> SeatView:
    status: Status = "trading" if has(s.inside, seat) else "out"
    if s.actor == NOBODY:
        status = "done"
    elif s.phase == rules.WINDOW and status == "trading":
        status = "claiming" if has(s.sharing, seat) else "speaking" if has(s.silent, seat) else "silent"
    text = STATUS_TEXTS.get(status, status)
    stats = [Counter("cards", "Cards", cards), Counter("offer", "Open offer", s.open_size[seat])]
    return SeatView(seat, s.scores[seat], status, text, stats, ["centre"] if has(s.fresh, seat) else [])


def _last_round(s: Any) -> dict[str, Any] | None:
    collected = [line_words(line) if line >= 0 else None for line in s.named[: s.players]]
    held, gained = s.held[: s.players], s.gained[: s.players]
    how = {"ending": ENDINGS[s.ending], "caller": s.caller}
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
    own = s.open_size[seat]
    return message(OFFERING, cards=count_of(own)) if own else TRADING


def offers(s: Any, seat: int, moves: Moves) -> list[Offer]:
    """Parcels as selections of cards in the hand, one for each use; other moves as buttons."""
    places = {card: place for place, card in enumerate(hand_cards(s, seat))}
    words = IN_WINDOW if s.phase == rules.WINDOW else BUTTONS
    found: dict[int, Selection] = {}
    for action, text in zip(moves.actions, moves, strict=True):
        if action < rules.WITHDRAW:
            block, parcel = divmod(action, COUNT)
            use = found.get(block) or found.setdefault(block, _use(s, seat, action))
            use.choices.append(Choice(text, [places[card] for card in PARCELS[parcel]]))
    return [*found.values(), *(words[action] for action in moves.actions if action >= rules.WITHDRAW)]


def _use(s: Any, seat: int, action: int) -> Selection:
    """A selection for one use of parcels, still without choices."""
    zone = f"hand-{seat}"
    if action < rules.CENTRE:
        label = "Change your offer" if s.open_size[seat] else "Offer cards to everyone"
        return Selection("offer", label, zone, [])
    if action < rules.ANSWER:
        return Selection("centre", "Trade with the centre", zone, [])
    other = answered(s, seat, action)
    give = message("Trade {cards} with {who}", {"who": other}, cards=count_of(s.open_size[other]))
    return Selection(f"answer {other}", give, zone, [], seat=other)
