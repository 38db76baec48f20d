"""What a person can do now: the offers of a view as actions with a key each, and what they point at.

Where there are only a few card selections they are all listed; otherwise those that fit the cards picked.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from string import ascii_lowercase

from ninefold.kernel.model import Part, View
from ninefold.terminal.paint import Place

LISTED = 9  # so many selections are simply listed
KEPT = frozenset("q")  # keys that mean the same in every game


@dataclass(frozen=True)
class Action:
    """Something that one key or click does: a move, or asking for the number in it."""

    key: str
    label: str
    move: str
    number: Part | None = None


def selections(view: View) -> list[Part]:
    return [offer for offer in view["offers"] if offer["kind"] == "cards"]


def places(view: View) -> list[Place]:
    """The places that a person can point at, in order: those of all zones that selections are made in."""
    zones = dict.fromkeys(offer["zone"] for offer in selections(view))
    sizes = {zone["id"]: len(zone.get("cards", [])) for zone in view["zones"]}
    return [(name, place) for name in zones for place in range(sizes.get(name, 0))]


def lit(view: View) -> frozenset[Place]:
    """The places with which some move can be made."""
    return frozenset(
        (offer["zone"], place)
        for offer in selections(view)
        for choice in offer["choices"]
        for place in _also(view, offer, choice["cards"])
    )


def _faces(view: View, offer: Part, picked: Iterable[int]) -> list[str]:
    """The cards at some places of the zone that a selection is made in."""
    cards = next(zone["cards"] for zone in view["zones"] if zone["id"] == offer["zone"])
    return sorted(str(cards[place]["card"]) for place in picked)


def _also(view: View, offer: Part, picked: Sequence[int]) -> Sequence[int]:
    """These places and, where cards that look the same are the same, those of cards that look like them."""
    if not offer["alike"]:
        return picked
    faces = _faces(view, offer, picked)
    size = next(len(zone["cards"]) for zone in view["zones"] if zone["id"] == offer["zone"])
    return [place for place in range(size) if _faces(view, offer, [place])[0] in faces]


def actions(view: View, pointed: frozenset[Place]) -> list[Action]:
    """Everything that one key does now."""
    taken: set[str] = set(KEPT)
    found: list[Action] = []
    for offer in view["offers"]:
        if offer["kind"] == "button":
            found.append(Action(_key(offer["key"] or offer["label"], taken), offer["label"], offer["move"]))
        elif offer["kind"] == "number":
            found.append(Action(_key(offer["verb"], taken), f"{offer['label']}…", offer["verb"], offer))
    few = sum(len(offer["choices"]) for offer in selections(view)) <= LISTED
    for offer in selections(view):
        for choice in offer["choices"]:
            if few or _fits(view, offer, choice, pointed):
                label = choice.get("label") or _label(offer, choice)
                key = _digit(taken) if few else _key(offer["verb"], taken)
                found.append(Action(key, label, choice["move"]))
    return found


def _fits(view: View, offer: Part, choice: Part, pointed: frozenset[Place]) -> bool:
    if offer["alike"] and pointed and all(zone == offer["zone"] for zone, _ in pointed):
        picked = [place for _, place in pointed]
        return _faces(view, offer, picked) == _faces(view, offer, choice["cards"])
    return {(offer["zone"], place) for place in choice["cards"]} == pointed


def fitting(view: View, here: Iterable[Action], pointed: frozenset[Place]) -> list[Action]:
    """Those of some actions that are done with just the cards pointed at."""
    moves = {
        choice["move"]
        for offer in selections(view)
        for choice in offer["choices"]
        if _fits(view, offer, choice, pointed)
    }
    return [action for action in here if action.move in moves]


def _label(offer: Part, choice: Part) -> str:
    """What a choice is called that has no label of its own."""
    move: str = choice["move"]
    if "seat" in offer:  # a move that names a seat: `answer 3 7S 7H`
        verb, _, cards = move.removeprefix(offer["verb"]).strip().partition(" ")
        return f"{offer['verb'].capitalize()} seat {verb}: {cards}"
    return move[:1].upper() + move[1:]


def _key(wanted: str, taken: set[str]) -> str:
    """The first letter of a word that no other action has, else a digit or any letter."""
    for letter in wanted.lower():
        if letter.isalnum() and letter.isascii() and letter not in taken:
            taken.add(letter)
            return letter
    return _digit(taken)


def _digit(taken: set[str]) -> str:
    free = next((sign for sign in f"123456789{ascii_lowercase}" if sign not in taken), "")
    taken.add(free)
    return free


def advice(view: View, pointed: frozenset[Place]) -> str:
    """How to choose cards, where nothing fits what is picked."""
    wanted = [offer for offer in selections(view) if offer["choices"]]
    if not wanted or any(action for action in actions(view, pointed) if not _is_button(view, action)):
        return ""
    return " or ".join(dict.fromkeys(offer["label"] for offer in wanted)) + ": pick cards"


def _is_button(view: View, action: Action) -> bool:
    return any(offer["kind"] == "button" and offer["move"] == action.move for offer in view["offers"])


def every_move(view: View) -> Iterator[tuple[str, str]]:
    """All moves with their labels, for a list of lines; numbers as `raise to N`."""
    for offer in view["offers"]:
        if offer["kind"] == "button":
            yield offer["move"], offer["label"]
        elif offer["kind"] == "cards":
            yield from ((choice["move"], choice.get("label") or "") for choice in offer["choices"])
        else:
            low, high = offer["low"], offer["high"]
            yield f"{offer['verb']} N", f"{offer['label']}, N from {low:,} to {high:,}"


def toggle(picked: frozenset[Place], place: Place) -> frozenset[Place]:
    """Pick a card or put it back; cards of another zone are put back."""
    same = frozenset(other for other in picked if other[0] == place[0])
    return same - {place} if place in same else same | {place}


def moved(all_places: Iterable[Place], at: Place | None, step: int, columns: int) -> Place | None:
    """The place a cursor comes to; steps of `columns` go up and down in a grid."""
    order = list(all_places)
    if not order:
        return None
    if at not in order:
        return order[0]
    new = order.index(at) + step
    if abs(step) == 1:
        return order[new % len(order)]
    return order[new] if columns and 0 <= new < len(order) else at
