"""What a person can do now: the offers of a view as actions with a key each, and the cards they involve.

A few card selections are all listed; if there are many, only those that fit the cards picked.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from string import ascii_lowercase

from ninefold.model.text import render
from ninefold.model.view import Button, Card, Choice, Number, Order, Preset, Selection, View, obey
from ninefold.terminal.paint import Place

LISTED = 9  # up to this many card selections are listed
KEPT = frozenset("q")  # keys that mean the same in every game
Names = Sequence[str]


@dataclass(frozen=True)
class Action:
    """Something one key or click does: a move, or asking for the number in it."""

    key: str
    label: str
    move: str
    number: Number | None = None


@dataclass(frozen=True)
class StandingOrder:
    """A standing order that a person has given, with its number if it has one."""

    order: Order
    number: int | None = None

    def move(self, view: View) -> str | None:
        """The move it makes in this view, if any."""
        current = next((order for order in view.orders if order.id == self.order.id), None)
        return obey(current, view, self.number) if current else None


def selections(view: View) -> list[Selection]:
    return [offer for offer in view.offers if isinstance(offer, Selection)]


def places(view: View) -> list[Place]:
    """The places a person can point at, in order: those of all zones with selections."""
    zones = dict.fromkeys(offer.zone for offer in selections(view))
    return [(name, place) for name in zones for place in range(len(_cards(view, name)))]


def lit(view: View) -> frozenset[Place]:
    """The places that are part of some move."""
    return frozenset(
        (offer.zone, place)
        for offer in selections(view)
        for choice in offer.choices
        for place in _also(view, offer, choice.cards)
    )


def _cards(view: View, zone_id: str) -> list[Card]:
    return next((zone.cards or [] for zone in view.zones if zone.id == zone_id), [])


def _faces(view: View, offer: Selection, picked: Iterable[int]) -> list[str]:
    """The cards at some places of the zone of a selection."""
    cards = _cards(view, offer.zone)
    return sorted(str(cards[place].card) for place in picked)


def _also(view: View, offer: Selection, picked: Sequence[int]) -> Sequence[int]:
    """These places and, if equal cards are interchangeable, those of equal cards."""
    if not offer.alike:
        return picked
    faces = _faces(view, offer, picked)
    cards = _cards(view, offer.zone)
    return [place for place, card in enumerate(cards) if str(card.card) in faces]


def actions(view: View, pointed: frozenset[Place], names: Names) -> list[Action]:
    """All actions with their keys."""
    taken: set[str] = set(KEPT)
    found: list[Action] = []
    for offer in view.offers:
        if isinstance(offer, Button):
            label = render(offer.label, names)
            found.append(Action(_key(offer.key or label, taken), label, offer.move))
        elif isinstance(offer, Number):
            label = render(offer.label, names)
            found.append(Action(_key(offer.verb, taken), f"{label}…", offer.verb, offer))
            for preset in offer.presets:
                label = preset_label(preset, names)
                found.append(Action(_key(label, taken), label, f"{offer.verb} {preset.value}"))
    few = sum(len(offer.choices) for offer in selections(view)) <= LISTED
    for offer in selections(view):
        for choice in offer.choices:
            if few or _fits(view, offer, choice, pointed):
                key = _digit(taken) if few else _key(offer.verb, taken)
                found.append(Action(key, _label(view, offer, choice, names), choice.move))
    return found


def _fits(view: View, offer: Selection, choice: Choice, pointed: frozenset[Place]) -> bool:
    if offer.alike and pointed and all(zone == offer.zone for zone, _ in pointed):
        picked = [place for _, place in pointed]
        return _faces(view, offer, picked) == _faces(view, offer, choice.cards)
    return {(offer.zone, place) for place in choice.cards} == pointed


def fitting(view: View, here: Iterable[Action], pointed: frozenset[Place]) -> list[Action]:
    """The actions that use exactly the cards picked."""
    moves = {
        choice.move
        for offer in selections(view)
        for choice in offer.choices
        if _fits(view, offer, choice, pointed)
    }
    return [action for action in here if action.move in moves]


def preset_label(preset: Preset, names: Names) -> str:
    """`The pot (264)`."""
    return f"{render(preset.label, names)} ({preset.value:,})"


def _label(view: View, offer: Selection, choice: Choice, names: Names) -> str:
    """What a choice is called."""
    if choice.label is not None:
        return render(choice.label, names)
    if offer.seat is not None:  # a move that names a seat by its number
        cards = " ".join(str(_cards(view, offer.zone)[place].card) for place in choice.cards)
        return f"{render(offer.label, names)}: {cards}"
    return choice.move[:1].upper() + choice.move[1:]


def _key(wanted: str, taken: set[str]) -> str:
    """The first letter of a word that is still free, else a digit or any letter."""
    for letter in wanted.lower():
        if letter.isalnum() and letter.isascii() and letter not in taken:
            taken.add(letter)
            return letter
    return _digit(taken)


def _digit(taken: set[str]) -> str:
    free = next((sign for sign in f"123456789{ascii_lowercase}" if sign not in taken), "")
    taken.add(free)
    return free


def advice(view: View, here: Sequence[Action], names: Names) -> str:
    """How to pick cards, if no listed action uses cards."""
    wanted = [offer for offer in selections(view) if offer.choices]
    moves = {choice.move for offer in wanted for choice in offer.choices}
    if not wanted or any(action.number or action.move in moves for action in here):
        return ""
    return " or ".join(dict.fromkeys(render(offer.label, names) for offer in wanted)) + ": pick cards"


def every_move(view: View, names: Names) -> Iterator[tuple[str, str]]:
    """All moves with their labels, for a list of lines; numbers as `raise to N`."""
    for offer in view.offers:
        match offer:
            case Button():
                yield offer.move, render(offer.label, names)
            case Selection():
                for choice in offer.choices:
                    labelled = choice.label is not None or offer.seat is not None
                    yield choice.move, _label(view, offer, choice, names) if labelled else ""
            case Number():
                low, high = offer.low, offer.high
                yield f"{offer.verb} N", f"{render(offer.label, names)}, N from {low:,} to {high:,}"
                for preset in offer.presets:
                    yield f"{offer.verb} {preset.value}", preset_label(preset, names)


def toggle(picked: frozenset[Place], place: Place) -> frozenset[Place]:
    """Pick a card or put it back; picked cards of another zone are put back."""
    same = frozenset(other for other in picked if other[0] == place[0])
    return same - {place} if place in same else same | {place}


def moved(all_places: Iterable[Place], at: Place | None, step: int, columns: int) -> Place | None:
    """Move the cursor; steps of `columns` go up and down in a grid."""
    order = list(all_places)
    if not order:
        return None
    if at not in order:
        return order[0]
    new = order.index(at) + step
    if abs(step) == 1:
        return order[new % len(order)]
    return order[new] if columns and 0 <= new < len(order) else at
