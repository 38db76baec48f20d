"""A move in words, for sentences about it: `Cash out 325`, `Offer 7♥ 7♦`. Knows the offers of a view."""

from __future__ import annotations

from collections.abc import Sequence

from ninefold.kernel.cards import SUITS
from ninefold.model.text import render
from ninefold.model.view import Button, Choice, Number, Selection, View, Zone

_SYMBOLS = {suit.letter: suit.symbol for suit in SUITS}


def move_label(view: View, move: str, names: Sequence[str] = ()) -> str:
    """What a move is called where it is offered; else the move itself."""
    for offer in view.offers:
        if isinstance(offer, Button) and offer.move == move:
            return render(offer.label, names)
        if isinstance(offer, Number) and move.startswith(f"{offer.verb} "):
            return f"{render(offer.label, names)} {int(move.removeprefix(offer.verb)):,}"
        if isinstance(offer, Selection):
            for choice in offer.choices:
                if choice.move == move:
                    return _cards_label(view, offer, choice, names)
    return move


def _cards_label(view: View, offer: Selection, choice: Choice, names: Sequence[str]) -> str:
    if choice.label is not None:
        return render(choice.label, names)
    # Without names, no number of a seat stands for a player.
    nameless = offer.seat is not None and not names
    words = offer.verb.split()[0].capitalize() if nameless else render(offer.label, names)
    zone = next(zone for zone in view.zones if zone.id == offer.zone)
    if zone.columns:
        return f"{words} ({place_in_words(zone, choice.cards[0])})"
    cards = " ".join(_with_symbol((zone.cards or [])[place].card or "") for place in choice.cards)
    return f"{words}{' ' if words == offer.verb.capitalize() else ': '}{cards}"


def place_in_words(zone: Zone, place: int) -> str:
    """Where a card of a grid lies: `top left` of three rows of three."""
    row, column = divmod(place, zone.columns or 1)
    if zone.columns != 3 or len(zone.cards or []) != 9:
        return f"row {row + 1}, column {column + 1}"
    words = f"{('top', 'middle', 'bottom')[row]} {('left', 'middle', 'right')[column]}"
    return words if row != column or row != 1 else "centre"


def _with_symbol(card: str) -> str:
    has_suit = len(card) > 1 and card[-1] in _SYMBOLS and card[:-1].isalnum() and card != "JK"
    return card[:-1] + _SYMBOLS[card[-1]] if has_suit else card
