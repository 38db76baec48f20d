"""A hand sorted by suit instead of by rank, where suits are collected. Changes a view, not a match."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import structs

from ninefold.kernel.cards import NINE_SUITS
from ninefold.model.view import Group, Offer, Selection, View, Zone

SUITS = [suit.letter for suit in NINE_SUITS.suits]


def by_suit(view: View) -> View:
    """The same view with the viewer's hand by suit. Cards of a suit stay in their order."""
    hand = next((zone for zone in view.zones if zone.kind == "hand" and zone.owner == view.seat), None)
    if hand is None or not hand.cards or any(card.card is None for card in hand.cards):
        return view
    order = sorted(range(len(hand.cards)), key=lambda place: _suit(hand, place))
    places = {old: new for new, old in enumerate(order)}
    return structs.replace(
        view,
        zones=[_sorted(zone, order) if zone is hand else zone for zone in view.zones],
        offers=[_moved(offer, hand.id, places) for offer in view.offers],
        groups=[_regrouped(group, hand.id, places) for group in view.groups],
    )


def _suit(hand: Zone, place: int) -> int:
    text = str((hand.cards or [])[place].card)
    return SUITS.index(text[-1]) if text[-1] in SUITS else len(SUITS)


def _sorted(hand: Zone, order: Sequence[int]) -> Zone:
    cards = hand.cards or []
    return structs.replace(hand, cards=[cards[place] for place in order])


def _moved(offer: Offer, hand: str, places: dict[int, int]) -> Offer:
    if not isinstance(offer, Selection) or offer.zone != hand:
        return offer
    choices = [
        structs.replace(choice, cards=sorted(places[place] for place in choice.cards))
        for choice in offer.choices
    ]
    return structs.replace(offer, choices=choices)


def _regrouped(group: Group, hand: str, places: dict[int, int]) -> Group:
    cards = {
        zone: sorted(places[place] for place in at) if zone == hand else at
        for zone, at in group.cards.items()
    }
    return structs.replace(group, cards=cards)
