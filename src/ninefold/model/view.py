"""What a seat sees, as types: zones, counters, seats, offers. Every client draws any game from these alone.

The types are the contract between games and surfaces. They are msgspec structs: one definition gives quick
encoding, checked types in Python, the JSON Schema in /openapi.json and, from that, the types of the browser
client. Programs never have to interpret English texts.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any, Literal

import msgspec
from msgspec import Struct

from ninefold.model.text import Text, message

ZoneKind = Literal["hand", "row", "grid", "pile", "dice", "chips"]
Status = Literal[
    "in",  # takes part, with nothing to decide
    "waiting",  # another player's turn
    "deciding",
    "decided",
    "rolling",
    "drawing",
    "trading",
    "claiming",
    "speaking",  # has to claim or stay silent now
    "silent",
    "last_turn",
    "gone_out",
    "all_in",
    "folded",
    "out",  # of this round, comes back in the next
    "sitting_out",
    "broke",
    "left",
    "done",
]
STATUS_WORDS: dict[Status, str] = {  # where they are not simply the word
    "waiting": "",
    "deciding": "thinking…",
    "decided": "ready",
    "claiming": "claims",
    "speaking": "can claim",
    "silent": "passes",
    "last_turn": "last turn",
    "gone_out": "gone out",
    "all_in": "all-in",
    "sitting_out": "sitting out",
    "broke": "out of chips",
}
Mark = Literal["dealer", "roller", "first", "centre", "shown", "could_go_out"]
WaitingFor = Literal["nobody", "chance", "everyone", "seat"]


class Card(Struct, omit_defaults=True, frozen=True):
    """A card in a zone; `card` is None if the viewer may not know it."""

    card: str | None
    up: bool
    gap: bool = False  # no card: a place that stays empty
    coming: bool = False  # about to be revealed by chance
    seen_by: int | None = None  # face down, and this seat has looked at it


HIDDEN = Card(None, up=False)
GAP = Card(None, up=True, gap=True)


@lru_cache(1_024)
def face_up(card: str) -> Card:
    return Card(card, up=True)


class Zone(Struct, omit_defaults=True):
    """A place on the table. A grid has `columns`; a pile or chips have a `count`."""

    id: str
    kind: ZoneKind
    label: Text
    owner: int | None
    cards: list[Card] | None = None
    count: int | None = None
    columns: int | None = None
    slots: int | None = None  # places it has, filled or not
    places: list[str] | None = None  # what the places of a grid are called in moves
    dice: list[int] | None = None
    held_in: str | None = None  # its cards are in that zone, and this one only points at them


@lru_cache(16_384)
def zone(
    name: str,
    kind: ZoneKind,
    label: str,
    owner: int | None,
    cards: tuple[str | None, ...] | None = None,
    count: int | None = None,
    held_in: str | None = None,
    slots: int | None = None,
) -> Zone:
    """A zone with cards face up, or hidden if they are None.

    Most zones stay the same from step to step. Equal ones are one object, quick to compare and never changed.
    """
    shown = None if cards is None else [HIDDEN if card is None else face_up(card) for card in cards]
    return Zone(name, kind, label, owner, shown, count, slots=slots, held_in=held_in)


class Counter(Struct):
    """A number that people watch; `goal` is its maximum, if it has one."""

    id: str
    label: Text
    value: int
    goal: int | None = None


@lru_cache(1_024)
def numbered(what: str, number: int, last: int | None, over: bool) -> Counter:
    """Progress in rounds or hands: `Round 3 of 10`, two of them done; a `last` of None is not known."""
    text = f"{what} {{number}} of {{last}}" if last else f"{what} {{number}}"
    label = message(text, number=number, **({"last": last} if last else {}))
    return Counter(what.lower(), label, number if over else number - 1, last)


@lru_cache(1_024)
def race(best: int, target: int, unit: str) -> Counter:
    """Progress to a score that ends the match."""
    text = message(f"Leader: {{best}} of {{target}} {unit}", best=best, target=target)
    return Counter("leader", text, min(best, target), target)


class Group(Struct, omit_defaults=True):
    """Cards that belong together, as a bracket over them with words: `K+5 = 18`."""

    label: Text
    cards: dict[str, list[int]]  # by zone, the places in it
    seat: int | None = None  # whose it is
    value: int | None = None  # what it counts


class Worth(Struct):
    """A line of the legend: what a card, or a roll, counts here, unless everyone would know it."""

    label: Text
    value: Text


def legend(*lines: str) -> list[Worth]:
    """The lines of a legend, from `K=13`."""
    return [Worth(*line.split("=")) for line in lines]


class SeatView(Struct):
    """What everyone can see of a seat besides its zones."""

    seat: int
    score: int
    status: Status
    status_text: Text = ""  # left to the status, unless a game has better words
    stats: list[Counter] = []
    marks: list[Mark] = []
    hand: Text | None = None  # what its cards are worth, in words

    def __post_init__(self) -> None:
        self.status_text = self.status_text or STATUS_WORDS.get(self.status, self.status)


# Offers: the moves of a seat, as buttons and cards to pick


class Button(Struct, tag_field="kind", tag="button"):
    """A move made with one press: of a button, of the letter `key`, or of the whole `zone` that means it.

    With `confirm`, which says what it may cost, it has to be held down, or pressed twice on a keyboard.
    """

    move: str
    label: Text
    key: str = ""
    hint: Text = ""
    confirm: Text | None = None
    lit: bool = False  # the moment to press it has come
    auto: bool = False  # there is nothing to decide: a surface plays it for the person
    final: bool = False  # it gives something up for good: a key pressed by mistake does not play it
    idle: bool = False  # to do nothing: where nobody waits for anyone it needs no button
    zone: str | None = None


class Choice(Struct, omit_defaults=True):
    """A move made with these places of a zone; `confirm` says what it may cost, as that of a button does."""

    move: str
    cards: list[int]
    label: Text | None = None
    points: int | None = None
    confirm: Text | None = None


class Selection(Struct, tag_field="kind", tag="cards"):
    """Moves made by picking cards of a zone.

    With `alike`, cards of one rank are interchangeable: any of them may be picked. The same cards may be
    picked for several verbs; `seat` is the player who would get them. Touching the zone `source` first, such
    as the pile that a card comes from, says which verb is meant. With `direct`, one touch plays a card.
    """

    verb: str
    label: Text
    zone: str
    choices: list[Choice]
    alike: bool = False
    seat: int | None = None
    source: str | None = None
    direct: bool = False


class Preset(Struct):
    """A number chosen with one press."""

    value: int
    label: Text


class Number(Struct, tag_field="kind", tag="number"):
    """A move with a number in it: the text is `verb N`."""

    verb: str
    label: Text
    low: int
    high: int
    step: int = 1
    presets: list[Preset] = []  # always the same ones: those that do not fit now are shown, but not offered

    @property
    def fitting(self) -> list[Preset]:
        """The presets that may be chosen now."""
        return [one for one in self.presets if self.low <= one.value <= self.high]


Offer = Button | Selection | Number


class Order(Struct):
    """A standing order: play `move` while a counter is below a bound, then play `then` or ask the person.

    A bound of None is the number that `ask` lets the person choose.
    """

    id: str
    label: Text
    move: str
    counter: str
    below: int | None = None
    then: str | None = None
    ask: Number | None = None


class Scene(Struct):
    """The table as a game draws it for a seat: everything except the seat's moves."""

    phase: Text
    prompt: Text
    zones: list[Zone]
    counters: list[Counter]
    seats: list[SeatView]
    details: dict[str, Any] = {}  # facts of one game, for programs; no client needs them
    goal: Text = ""  # how to win, in one line
    legend: list[Worth] = []
    progress: Counter | None = None  # how far it is to the end; its label says it in words
    groups: list[Group] = []


class View(Struct):
    """Everything a seat, or a spectator (`seat` is None), sees of a match."""

    game: str
    title: str
    version: int
    players: int
    options: dict[str, Any]
    lowest_wins: bool
    seat: int | None
    turn: int
    actors: list[int]
    waiting_for: WaitingFor
    over: bool
    scores: list[int]
    winners: list[int]
    phase: Text
    prompt: Text
    zones: list[Zone]
    counters: list[Counter]
    seats: list[SeatView]
    details: dict[str, Any]
    goal: Text
    legend: list[Worth]
    progress: Counter | None
    groups: list[Group]
    offers: list[Offer]
    orders: list[Order]
    moves: list[str]
    move_count: int


def forced(view: View) -> str | None:
    """The move that a surface plays for the person, if there is nothing to decide."""
    only = view.offers[0] if len(view.offers) == 1 else None
    return only.move if isinstance(only, Button) and only.auto else None


def builtins(value: object) -> Any:
    """A part of the model as plain, JSON-able data."""
    return msgspec.to_builtins(value)


def obey(standing: Order, view: View, chosen: int | None = None) -> str | None:
    """The move a standing order makes in this view, or None if the person has to decide."""
    bound = standing.below if standing.below is not None else chosen
    if bound is None:
        return None
    value = next(part.value for part in view.counters if part.id == standing.counter)
    move = standing.move if value < bound else standing.then
    offered = {part.move for part in view.offers if isinstance(part, Button)}
    return move if move in offered else None
