"""What a person can do now: the offers of a view as actions with a key each, and the cards they involve.

A few card selections are all listed; of many those that bring most, and those that fit the cards picked.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from string import ascii_lowercase

from ninefold.engine.registry import facts
from ninefold.model.text import render
from ninefold.model.view import Button, Card, Choice, Number, Order, Preset, Selection, View, Zone, obey
from ninefold.terminal.paint import FINE, Place, face

LISTED = 9  # card selections that are listed, at most
KEPT = frozenset("q")  # keys that mean the same in every game
Names = Sequence[str]


@dataclass(frozen=True)
class Action:
    """Something one key or click does: a move, or asking for the number in it."""

    key: str
    label: str
    move: str
    number: Number | None = None
    confirm: str = ""  # what it may cost: it has to be pressed twice
    idle: bool = False  # to do nothing
    lit: bool = False  # the moment to do it has come
    place: int | None = None  # of a grid: its key is the number of the place, and one line tells of all


@dataclass
class StandingOrder:
    """A standing order that a person has given, with its number if it has one.

    It ends when its bound is reached or its counter begins anew, as it does with the next round.
    """

    order: Order
    number: int | None = None
    counted: int = 0  # the counter, when it was last looked at
    ended: bool = False

    def move(self, view: View) -> str | None:
        """The move it makes in this view, if any; from then on it has ended unless it is the repeated one."""
        value = next((part.value for part in view.counters if part.id == self.order.counter), 0)
        current = next((order for order in view.orders if order.id == self.order.id), None)
        begun_anew, self.counted = value < self.counted, value
        found = obey(current, view, self.number) if current and not begun_anew else None
        self.ended = found != self.order.move
        return found

    def words(self, names: Names) -> str:
        """What was ordered: `Cash out at a total of 500`."""
        label = render(self.order.label, names).rstrip("….")
        return label if self.number is None else f"{label} {self.number:,}"


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
    """The ranks at some places of the zone of a selection."""
    cards = _cards(view, offer.zone)
    return sorted(_rank(cards[place]) for place in picked)


def _rank(card: Card) -> str:
    text = card.card or ""
    return text[:-1] if len(text) > 1 and text[-1].isalpha() and text != "JK" else text


def _also(view: View, offer: Selection, picked: Sequence[int]) -> Sequence[int]:
    """These places and, if cards of one rank are interchangeable, those of the same ranks."""
    if not offer.alike:
        return picked
    faces = _faces(view, offer, picked)
    cards = _cards(view, offer.zone)
    return [place for place, card in enumerate(cards) if _rank(card) in faces]


def actions(view: View, pointed: frozenset[Place], names: Names, kept: str = "") -> list[Action]:
    """All actions with their keys; `kept` are keys that mean something else."""
    taken: set[str] = {*KEPT, *kept}
    found: list[Action] = []
    for offer in view.offers:
        if isinstance(offer, Button):
            label = render(offer.label, names)
            confirm = render(offer.confirm or "", names)
            key = _key(offer.key or label, taken)
            found.append(Action(key, label, offer.move, None, confirm, offer.idle, offer.lit))
        elif isinstance(offer, Number):
            label = render(offer.label, names)
            found.append(Action(_key(offer.verb, taken), f"{label}…", offer.verb, offer))
            for preset in offer.fitting:
                label, word = preset_label(offer, preset, names), render(preset.label, names)
                all_of_it = f"{word} is the most you can." if preset.value == offer.high else ""
                move = f"{offer.verb} {preset.value}"
                key = _key(word.replace("½", "half"), taken)  # a letter of its own, whatever else is offered
                found.append(Action(key, label, move, confirm=all_of_it))

    def add(key: str, offer: Selection, choice: Choice, place: int | None = None) -> None:
        label, confirm = _label(view, offer, choice, names), render(choice.confirm or "", names)
        found.append(Action(key, label, choice.move, confirm=confirm, place=place))

    best = _best(view)
    for offer, choice in best:
        add(_digit(taken), offer, choice)
    listed = {choice.move for _, choice in best}
    for offer in selections(view):
        at_once = offer.direct and grid_of(view, offer) is not None
        for choice in offer.choices:
            if at_once:
                taken.add(str(choice.cards[0] + 1))
                add(str(choice.cards[0] + 1), offer, choice, choice.cards[0])
            elif choice.move not in listed and _fits(view, offer, choice, pointed):
                add(_key(_wanted(view, offer), taken), offer, choice)
    return found


def _best(view: View) -> list[tuple[Selection, Choice]]:
    """The card selections that are listed: all if they are few, else those with a name that bring most."""
    every = [
        (offer, choice) for offer in selections(view) if not grid_of(view, offer) for choice in offer.choices
    ]
    if len(every) <= LISTED:
        return every
    counted = bool(facts(view.game).unit)  # where only winning counts, the more cards go the better

    def brings(one: tuple[Selection, Choice]) -> tuple[int, int]:
        points, cards = one[1].points or 0, len(one[1].cards)
        return (-points, -cards) if counted else (-cards, -points)

    return sorted((one for one in every if one[1].label is not None), key=brings)[:LISTED]


def _wanted(view: View, offer: Selection) -> str:
    """The key of a selection: each other player has a digit, from the next one on, that never changes."""
    if offer.seat is None or view.seat is None:
        return offer.verb
    return str((offer.seat - view.seat) % view.players)


def grid_of(view: View, offer: Selection) -> Zone | None:
    """The grid that a selection picks from, if any: its places always have the keys 1 to 9."""
    zone = next((zone for zone in view.zones if zone.id == offer.zone), None)
    return zone if zone and zone.columns and len(zone.cards or []) <= LISTED else None


def place_of(view: View, key: str) -> Place | None:
    """The place of a grid that a digit means."""
    grid = next((offer.zone for offer in selections(view) if grid_of(view, offer)), None)
    place = (grid, int(key) - 1) if grid and key.isdigit() else None
    return place if place in places(view) else None


def attempts(view: View, pointed: frozenset[Place]) -> list[str]:
    """The moves that a person who picked these cards may have meant."""
    found = []
    for offer in selections(view):
        zone = next(zone for zone in view.zones if zone.id == offer.zone)
        picked = sorted(place for name, place in pointed if name == offer.zone)
        cards = [zone.places[place] if zone.places else _cards(view, zone.id)[place].card for place in picked]
        if picked and offer.choices:
            found.append(" ".join([_verb(offer), *map(str, cards)]))
    return list(dict.fromkeys(found))


def _verb(offer: Selection) -> str:
    """The words before the cards in the moves of a selection: `answer 3`."""
    first = offer.choices[0]
    return " ".join(first.move.split()[: -len(first.cards)])


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


def preset_label(offer: Number, preset: Preset, names: Names) -> str:
    """`Raise to 264 (Pot)`."""
    return f"{render(offer.label, names)} {preset.value:,} ({render(preset.label, names)})"


def _label(view: View, offer: Selection, choice: Choice, names: Names) -> str:
    """What a choice is called."""
    if choice.label is not None:
        return render(choice.label, names)
    if grid_of(view, offer):
        return render(offer.label, names)
    cards = " ".join(face(_cards(view, offer.zone)[place], FINE)[0] for place in choice.cards)
    if offer.source is not None:  # whose verb is not for people, such as `answer 3`
        return f"{render(offer.label, names)}: {cards}"
    return f"{_verb(offer).capitalize()} {cards}"


def _key(wanted: str, taken: set[str]) -> str:
    """The sign that is wanted, the first free letter of a word, else a digit or any letter."""
    for letter in wanted.lower():
        if letter.isascii() and (letter.isalnum() or letter == wanted) and letter not in taken:
            taken.add(letter)
            return letter
    return _digit(taken)


def _digit(taken: set[str]) -> str:
    free = next((sign for sign in f"123456789{ascii_lowercase}" if sign not in taken), "")
    taken.add(free)
    return free


def hidden(view: View, here: Iterable[Action]) -> list[tuple[Selection, Choice]]:
    """The card selections that no listed action plays."""
    moves = {action.move for action in here}
    return [
        (offer, choice) for offer in selections(view) for choice in offer.choices if choice.move not in moves
    ]


def advice(view: View, here: Sequence[Action]) -> str:
    """How to pick cards, if not every move with cards is listed."""
    left = hidden(view, here)
    if any(grid_of(view, offer) for offer, _ in left):
        return "1 to 9: point at another card"
    if not left:
        return ""
    if any(choice.label is not None for _, choice in left):
        return f"{len(left)} more: arrows and Space pick cards"
    several = any(len(choice.cards) > 1 for _, choice in left)
    return "Arrows move, Space picks more" if several else "Arrows move"


def every_move(view: View, names: Names) -> Iterator[tuple[str, str]]:
    """All moves with their labels, for a list of lines; numbers as `raise to N`."""
    for offer in view.offers:
        match offer:
            case Button():
                yield offer.move, render(offer.label, names)
            case Selection():
                for choice in offer.choices:
                    to = offer.seat
                    move = choice.move if to is None else with_names(choice.move, to, names)
                    labelled = choice.label is not None or to is not None
                    yield move, _label(view, offer, choice, names) if labelled else ""
            case Number():
                low, high = offer.low, offer.high
                yield f"{offer.verb} N", f"{render(offer.label, names)}, N from {low:,} to {high:,}"
                for preset in offer.fitting:
                    yield f"{offer.verb} {preset.value}", preset_label(offer, preset, names)


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


def aimed(view: View, at: Place | None) -> Place | None:
    """Where the cursor goes: it stays where a card can be picked, else to one that is part of a move."""
    where, lights = places(view), lit(view)
    return at if at in where else next((place for place in where if place in lights), next(iter(where), None))


def steered(view: View, at: Place | None, key: str) -> Place | None:
    """Where an arrow moves the cursor; Tab goes from one card that is part of a move to the next."""
    where = places(view)
    columns = next((zone.columns or 0 for zone in view.zones if at and zone.id == at[0]), 0)
    if key == "tab":
        return moved([place for place in where if place in lit(view)] or where, at, 1, 0)
    step = {"left": -1, "right": 1, "up": -columns, "down": columns}[key]
    return moved(where, at, step or (1 if key == "down" else -1), columns)


def with_seats(text: str, names: Names) -> str:
    """A typed move with the number of a seat for the name after its first word: `answer Bo 2H`."""
    for seat in sorted(range(len(names)), key=lambda seat: -len(names[seat])):
        name = rf"(^\S+ ){re.escape(names[seat])}(?= )"
        if re.search(name, text, re.IGNORECASE):
            return re.sub(name, rf"\g<1>{seat}", text, count=1, flags=re.IGNORECASE)
    return text


def with_names(move: str, seat: int, names: Names) -> str:
    """A move to another seat as people type it: `answer Bo 2H`."""
    return re.sub(rf"(?<= ){seat}(?= |$)", names[seat], move, count=1)
