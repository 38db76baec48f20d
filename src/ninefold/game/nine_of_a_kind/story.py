"""What has just happened in 9 of a Kind, told to one viewer: cards only to those who saw them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ninefold.game.nine_of_a_kind import rules
from ninefold.game.nine_of_a_kind.parcels import COUNT, PARCELS, SIDE, SIZE
from ninefold.game.nine_of_a_kind.words import drawn, how_many, line_words, members
from ninefold.kernel import model, seats
from ninefold.kernel.cards import NINE_SUITS
from ninefold.kernel.fields import CHANCE, NOBODY

Names = Sequence[str]
BUSY = ("offer", "withdraw", "trade", "centre")


def tell(
    before: Any, seat: int, action: int, after: Any, viewer: int | None, names: Names
) -> list[model.Event]:
    """What a viewer is told of one step. Of the action of another seat only its kind and size may be used."""
    if seat == CHANCE:
        return _tell_card(before, action, after, viewer, names)
    if before.phase == rules.WINDOW:
        told = _tell_word(seat, after, names)
    elif action < rules.WITHDRAW:
        told = _tell_parcel(before, seat, action, after, viewer, names)
    elif action == rules.WITHDRAW:
        told = [model.event("withdraw", f"{names[seat]} withdraws the offer.", seat, zone=f"offer-{seat}")]
    elif action == rules.WAIT:
        told = []
    else:
        told = _tell_call(before, seat, action, after, names)
    if viewer is None:  # a spectator's log would be nothing but trades; the end of the round sums them up
        for event in told:
            event["quiet"] = event.get("quiet", False) or event["kind"] in BUSY
    return told + _tell_end(before, after, names)


def _moved(source: str, target: str, size: int, cards: Sequence[int] | None) -> dict[str, Any]:
    """What an animation needs; cards are None where the viewer does not see them."""
    shown = [NINE_SUITS.text(card) for card in cards] if cards is not None else [None] * size
    return {"from": source, "to": target, "cards": shown}


def _tell_card(before: Any, card: int, after: Any, viewer: int | None, names: Names) -> list[model.Event]:
    dealing = before.phase == rules.DEAL
    seat = int(before.dealt) % int(before.players) if dealing else int(before.drawer)
    own = seat == viewer
    moved = _moved("centre", f"hand-{seat}", 1, [card] if own else None)
    what = NINE_SUITS.drawn(card) if own else "a card"
    if not dealing:
        text = f"{names[seat]} takes {what} from the centre."
        return [model.event("draw", text, seat, quiet=not own, **moved)]
    told = [model.event("deal", f"{names[seat]} is dealt {what}.", seat, quiet=True, **moved)]
    if after.phase == rules.TRADE:
        left = 81 - SIDE * int(after.players)
        centre = f"{how_many(left)} in the centre" if left else "the centre is empty"
        told.append(model.event("round", f"Round {after.round_number}: nine cards each, {centre}. Trade!"))
        if viewer is not None:
            told.append(model.event("hand", f"{names[viewer]} has {drawn(members(after, viewer))}.", viewer))
    return told


def _tell_parcel(
    before: Any, seat: int, action: int, after: Any, viewer: int | None, names: Names
) -> list[model.Event]:
    block, parcel = divmod(action, COUNT)
    size = int(SIZE[parcel])
    own = PARCELS[parcel] if viewer == seat else None
    if block == 0:
        if own is None and before.open_size[seat] == size:
            return []  # others cannot tell a parcel from another of the same size
        what = f" ({drawn(own)})" if own else ""
        cards = {"cards": [NINE_SUITS.text(card) for card in own] if own else [None] * size}
        text = f"{names[seat]} offers {how_many(size)}{what}."
        return [model.event("offer", text, seat, zone=f"offer-{seat}", size=size, **cards)]
    if block == 1:
        what = f" ({drawn(own)})" if own else ""
        text = f"{names[seat]} trades {how_many(size)}{what} with the centre."
        return [model.event("centre", text, seat, size=size, **_moved(f"hand-{seat}", "centre", size, own))]
    return _tell_trade(before, seat, (seat + block - 1) % int(before.players), size, after, viewer, names)


def _tell_trade(
    before: Any, seat: int, other: int, size: int, after: Any, viewer: int | None, names: Names
) -> list[model.Event]:
    """A trade between players: both see both parcels, nobody else sees a card."""
    to_other, to_seat = None, None
    text = f"{names[seat]} and {names[other]} trade {how_many(size)}."
    if viewer in (seat, other):
        had, has = members(before, viewer), members(after, viewer)
        given, got = [card for card in had if card not in has], [card for card in has if card not in had]
        text = (
            f"{names[seat]} and {names[other]} trade: {names[viewer]} gives {drawn(given)} "
            f"and gets {drawn(got)}."
        )
        to_other, to_seat = (given, got) if viewer == seat else (got, given)
    return [
        model.event(
            "trade",
            text,
            seat,
            other=other,
            size=size,
            **_moved(f"hand-{seat}", f"hand-{other}", size, to_other),
        ),
        model.event(
            "trade back",
            f"{names[other]} gives {how_many(size)} to {names[seat]}.",
            other,
            quiet=True,
            **_moved(f"hand-{other}", f"hand-{seat}", size, to_seat),
        ),
    ]


def _tell_call(before: Any, seat: int, action: int, after: Any, names: Names) -> list[model.Event]:
    """A claim or Chicken!; whether a claim was true is seen from what came of it."""
    cry = {rules.CLAIM_NINE: "9 of a Kind!", rules.CLAIM_BLOCKED: "Blocked!", rules.CHICKEN: "Chicken!"}[
        action
    ]
    said = f"{names[seat]} calls: {cry}"
    if action == rules.CHICKEN:
        return [model.event("chicken", said, seat)]
    if after.phase == rules.WINDOW and after.claimant == seat:
        what = line_words(int(after.named[seat]))
        text = f"{said} It is true: all nine {what}. Does anybody else have nine?"
        return [model.event("claim", text, seat)]
    if action == rules.CLAIM_BLOCKED and _ended(before, after) and after.ending == rules.BLOCKED:
        return [model.event("claim", f"{said} It is true: one card of every rank and every suit.", seat)]
    moved = _moved(f"hand-{seat}", "centre", SIDE, None)
    out = f"the hand goes to the centre, and {names[seat]} is out of the round."
    text = f"{names[seat]} makes a false claim: {out}"
    return [model.event("forfeit", text, seat, **moved)]


def _tell_word(seat: int, after: Any, names: Names) -> list[model.Event]:
    """A word in the window; a false claim is ignored, and so is told like a wait."""
    if seats.has(after.sharing, seat) or (after.phase != rules.WINDOW and after.gained[seat] > 0):
        return [model.event("claim", f"{names[seat]} has 9 of a Kind, too.", seat)]
    return [model.event("silent", f"{names[seat]} shows nothing.", seat)]


def _ended(before: Any, after: Any) -> bool:
    return bool(after.round_number != before.round_number or after.actor == NOBODY)


def _tell_end(before: Any, after: Any, names: Names) -> list[model.Event]:
    """The end of a round, and of the game."""
    if not _ended(before, after):
        return []
    players = range(int(after.players))
    trades = "1 trade" if before.trades == 1 else f"{before.trades} trades"
    told = [model.event("round over", f"Round {before.round_number} is over after {trades}.")]
    if after.ending == rules.DEAD:
        told.append(model.event("dead", "Fewer than two are left to trade: nobody scores."))
    for seat in players:
        if after.named[seat] >= 0 and (not after.gained[seat] or after.ending == rules.CHICKENED):
            text = f"{names[seat]} names {line_words(int(after.named[seat]))} and holds {after.held[seat]}."
            told.append(model.event("held", text, seat, points=int(after.held[seat])))
        elif after.held[seat] > 0 and not after.gained[seat]:
            text = f"{names[seat]} was out, and still holds {after.held[seat]}."
            told.append(model.event("held", text, seat, points=int(after.held[seat])))
    for seat in players:
        if after.gained[seat] > 0:
            text = f"{names[seat]} scores {after.gained[seat]} and has {after.scores[seat]}."
            told.append(model.event("score", text, seat, points=int(after.gained[seat])))
    if after.actor == NOBODY:
        best = max(int(after.scores[seat]) for seat in players)
        first = [names[seat] for seat in players if after.scores[seat] == best]
        result = f"{model.listing(first)} {'wins' if len(first) == 1 else 'share the win'} with {best}."
        told.append(model.event("end", f"The game is over: {result}"))
    return told
