"""How cards and chips moved in a step, worked out from what a viewer sees before and after it.

Knows no game: a card that is gone from one zone and new in another has moved there. A card that the viewer
does not know may be any card, so known cards are matched first. A card that left one zone and came to no
other has left the table; a card that came from no zone has come to the table. Movements that a game states
itself are taken as given, and only the rest is worked out.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from itertools import product
from typing import NamedTuple

from ninefold.model.events import Event, Movement, Pair, changed, zone_pairs
from ninefold.model.view import Card, Scene, Zone

NOWHERE = -1  # a place that is not shown, such as the middle of a pile


class Spot(NamedTuple):
    """A card at a place of a zone."""

    zone: str
    place: int
    card: str | None


def movements(before: Scene, after: Scene, stated: Sequence[Movement] = ()) -> list[Movement]:
    """What moved between two scenes, besides the movements stated."""
    pairs = zone_pairs(before, after)
    differing = [pair for pair in changed(pairs) if not _is_still(pair)]
    if not differing and not stated:
        return []
    left: list[Spot] = []
    came: list[Spot] = []
    turned: list[tuple[Spot, Spot]] = []  # at one place: a card turned over, or replaced
    for old, new in differing:
        _compare(old, new, left, came, turned)
    _settle_turned(left, came, turned, stated)
    for move in stated:
        _account_for(move, left, came)
    return [*_grouped(_match(left, came)), *_chips(pairs if stated else differing, stated)]


def _is_still(pair: Pair) -> bool:
    """Whether nothing moves to or from a zone: dice, and cards that are in another zone."""
    zone = pair[1] or pair[0]
    return zone is None or zone.kind == "dice" or zone.held_in is not None


def _compare(
    old: Zone | None, new: Zone | None, left: list[Spot], came: list[Spot], turned: list[tuple[Spot, Spot]]
) -> None:
    """The cards that left and came to one zone."""
    zone = new or old
    if zone is None or zone.kind == "chips":
        return
    name = zone.id
    if zone.kind == "grid" and old and new:
        _compare_places(name, old.cards or [], new.cards or [], left, came, turned)
        return
    were, are = _cards(old), _cards(new)
    below = (_hidden_below(old), _hidden_below(new)) if zone.kind == "pile" else (0, 0)
    if zone.kind == "pile" and (any(below) or not all(card.card for card in (*were, *are))):
        kept = _undisturbed(were, are, *below)
        left += _above(name, were, below[0], kept)
        came += _above(name, are, below[1], kept)
        return
    gone, fresh = _differing(name, were, are)
    if zone.kind != "pile":  # a face-down card that is now face up may have been turned over
        for spot, shown in zip(_unknown(gone), _known(fresh), strict=False):
            turned.append((spot, shown))
            gone.remove(spot)
            fresh.remove(shown)
    left += gone
    came += fresh


def _cards(zone: Zone | None) -> list[Card]:
    return (zone.cards or []) if zone else []


def _hidden_below(zone: Zone | None) -> int:
    """How many cards of a pile are below those shown."""
    return max(0, (zone.count or 0) - len(zone.cards or [])) if zone else 0


def _undisturbed(were: list[Card], are: list[Card], below: int, below_now: int) -> int:
    """How many cards at the bottom of a pile may have stayed; the rest left or came on top."""
    size = min(below + len(were), below_now + len(are))
    for height in range(max(below, below_now), size):
        old, new = were[height - below].card, are[height - below_now].card
        if old is not None and new is not None and old != new:
            return height
    return size


def _above(name: str, cards: list[Card], below: int, kept: int) -> list[Spot]:
    """The cards of a pile above those that stayed."""
    hidden = [Spot(name, NOWHERE, None)] * max(0, below - kept)
    first = max(0, kept - below)
    return hidden + [Spot(name, place, card.card) for place, card in enumerate(cards[first:], first)]


def _differing(name: str, were: list[Card], are: list[Card]) -> tuple[list[Spot], list[Spot]]:
    """The cards that left a row, and those that came. Equal cards at both ends are skipped first."""
    size = min(len(were), len(are))
    start = 0
    while start < size and were[start] == are[start]:
        start += 1
    end = 0
    while end < size - start and were[-1 - end] == are[-1 - end]:
        end += 1
    old, new = (
        [
            Spot(name, place, card.card)
            for place, card in enumerate(cards[start : len(cards) - end], start)
            if not card.gap
        ]
        for cards in (were, are)
    )
    if not old or not new:
        return old, new
    common = Counter(spot.card for spot in old) & Counter(spot.card for spot in new)
    return _without(old, common), _without(new, common)


def _without(spots: Iterable[Spot], common: Counter[str | None]) -> list[Spot]:
    """Spots without those that stay. Of equal cards the first ones stay, since new ones come last."""
    left = common.copy()
    found = []
    for spot in spots:
        if left[spot.card] > 0:
            left[spot.card] -= 1
        else:
            found.append(spot)
    return found


def _compare_places(
    name: str,
    old: list[Card],
    new: list[Card],
    left: list[Spot],
    came: list[Spot],
    turned: list[tuple[Spot, Spot]],
) -> None:
    for place, (was, now) in enumerate(zip(old, new, strict=False)):
        before, after = Spot(name, place, was.card), Spot(name, place, now.card)
        if was.gap != now.gap:
            (left if now.gap else came).append(before if now.gap else after)
        elif was.card != now.card or (now.coming and not was.coming):
            turned.append((before, after))


def _settle_turned(
    left: list[Spot], came: list[Spot], turned: list[tuple[Spot, Spot]], stated: Sequence[Movement]
) -> None:
    """If a place shows another card and just that card left elsewhere, it came from there."""
    filled = {(move.target, place) for move in stated for place in move.target_places}
    for before, after in turned:
        elsewhere = after.card is not None and any(spot.card == after.card for spot in left)
        another = before.card is not None and after.card is not None
        if another or elsewhere or (after.zone, after.place) in filled:
            left.append(before)
            came.append(after)


def _account_for(move: Movement, left: list[Spot], came: list[Spot]) -> None:
    """Remove what a stated movement explains. If it covers only part of the way, the rest is still open."""
    for number, card in enumerate(move.cards):
        for zone, places, here, there in (
            (move.source, move.source_places, left, came),
            (move.target, move.target_places, came, left),
        ):
            if zone is not None:
                spot = Spot(zone, places[number] if number < len(places) else NOWHERE, card)
                found = _like(spot, here)
                if found is None:
                    there.append(spot)
                else:
                    here.remove(found)


def _like(spot: Spot, spots: list[Spot]) -> Spot | None:
    """The most likely match for a spot: at the same place, else the same card, else an unknown card."""
    near = [other for other in spots if other.zone == spot.zone]
    tests = (
        lambda other: other.place == spot.place != NOWHERE,
        lambda other: other.card == spot.card,
        lambda other: other.card is None or spot.card is None,
        lambda other: other.place == spot.place,  # both hidden: swapped in a hand that nobody else sees
    )
    return next((other for fits in tests for other in near if fits(other)), None)


def _match(left: list[Spot], came: list[Spot]) -> list[tuple[Spot | None, Spot | None]]:
    """Match cards that left with cards that came: equal cards first, then unknown ones; other zones first."""
    pairs: list[tuple[Spot | None, Spot | None]] = []

    def take(ours: list[Spot], theirs: list[Spot], fits: Callable[[Spot, Spot], bool]) -> None:
        for spot in ours if theirs else ():
            target = next((other for other in theirs if fits(spot, other)), None)
            if target is not None:
                pairs.append((spot, target))
                left.remove(spot)
                came.remove(target)
                theirs.remove(target)

    take(_known(left), _known(came), lambda one, other: one.card == other.card)
    take(_unknown(left), _unknown(came), lambda one, other: one.zone != other.zone)
    take(list(left), list(came), lambda one, other: None in (one.card, other.card) and one.zone != other.zone)
    return [*pairs, *((spot, None) for spot in left), *((None, spot) for spot in came)]


def _known(spots: list[Spot]) -> list[Spot]:
    return [spot for spot in spots if spot.card is not None]


def _unknown(spots: list[Spot]) -> list[Spot]:
    return [spot for spot in spots if spot.card is None]


def _grouped(pairs: list[tuple[Spot | None, Spot | None]]) -> list[Movement]:
    found: dict[tuple[str | None, str | None], Movement] = {}
    for source, target in pairs:
        way = source.zone if source else None, target.zone if target else None
        move = found.setdefault(way, Movement(*way))
        card = target.card if target and target.card is not None else source.card if source else None
        move.cards.append(card)
        if source:
            move.source_places.append(source.place)
        if target:
            move.target_places.append(target.place)
    for move in found.values():  # if any place is not shown, as in a pile, name none
        move.source_places = [] if NOWHERE in move.source_places else move.source_places
        move.target_places = [] if NOWHERE in move.target_places else move.target_places
    return list(found.values())


def _chips(pairs: Sequence[Pair], stated: Sequence[Movement]) -> list[Movement]:
    """Move chips from zones that lost some to zones that gained some, back to their owners first."""
    owners: dict[str, int | None] = {}
    change: dict[str, int] = {}
    for old, new in pairs:
        zone = new or old
        if zone is not None and zone.kind == "chips":
            owners[zone.id] = zone.owner
            change[zone.id] = _count(new) - _count(old)
    if not change:
        return []
    for move in stated:
        for name, amount in ((move.source, move.amount), (move.target, -(move.amount or 0))):
            if name in change:
                change[name] += amount or 0
    change = {name: amount for name, amount in change.items() if amount}
    found = []
    for owners_first in (True, False):
        for target, source in product(change, change):
            amount = min(change[target], -change[source])
            if amount > 0 and (owners[target] == owners[source] or not owners_first):
                found.append(Movement(source, target, amount=amount))
                change[target] -= amount
                change[source] += amount
    return found


def _count(zone: Zone | None) -> int:
    return zone.count or 0 if zone else 0


def hand_out(moves: list[Movement], events: list[Event], after: Scene) -> None:
    """Give every movement to the event that is about it, else to one of its player, else to the first."""
    if not events or not moves:
        return
    owners = {zone.id: zone.owner for zone in after.zones if zone.owner is not None}
    chips = [move for move in moves if move.amount is not None]
    for event in events if chips else ():
        _take_chips(event, chips, owners)
    for move in moves:
        if move.amount == 0:
            continue  # events have taken all of it
        seats = {owners.get(name) for name in (move.source, move.target) if name} - {None}
        about = next((event for event in events if _is_about(event, move, seats)), None)
        own = next((event for event in events if event.seat in seats and move.amount is None), None)
        (about or own or events[0]).moves.append(move)


def _take_chips(event: Event, moves: list[Movement], owners: dict[str, int]) -> None:
    """Give an event its amount of the chips that come to its player: the player's own first.

    One step may return uncalled chips and pay a pot from the same bet: then each event gets its part.
    """
    if event.seat is None or event.amount is None or any(move.amount is not None for move in event.moves):
        return
    coming = [move for move in moves if move.target and owners.get(move.target) == event.seat]
    wanted = event.amount
    for move in sorted(coming, key=lambda move: owners.get(move.source or "") != event.seat):
        taken = min(wanted, move.amount or 0)
        if taken > 0:
            event.moves.append(Movement(move.source, move.target, amount=taken))
            move.amount = (move.amount or 0) - taken
            wanted -= taken


def _is_about(event: Event, move: Movement, seats: set[int | None]) -> bool:
    if move.amount is not None:
        return event.amount == move.amount and event.seat in seats
    known = {card for card in move.cards if card is not None}
    return bool(known) and known <= set(event.cards)
