"""What a seat sees, as types: zones, counters, seats, offers. Every client draws any game from these alone.

The types are the contract between games and surfaces. They are msgspec structs: one definition gives quick
encoding, checked types in Python, the JSON Schema in /openapi.json and, from that, the types of the browser
client. Programs never have to interpret English texts.
"""

from __future__ import annotations

from typing import Any, Literal

import msgspec
from msgspec import Struct

from ninefold.model.text import Text

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
Mark = Literal["dealer", "roller", "first", "centre", "shown", "could_go_out"]
WaitingFor = Literal["nobody", "chance", "everyone", "seat"]


class Card(Struct, omit_defaults=True):
    """A card in a zone; `card` is None if the viewer may not know it."""

    card: str | None
    up: bool
    gap: bool = False  # no card: a place that stays empty
    coming: bool = False  # about to be revealed by chance
    seen_by: int | None = None  # face down, and this seat has looked at it


HIDDEN = Card(None, up=False)
GAP = Card(None, up=True, gap=True)


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
    places: list[str] | None = None  # what the places of a grid are called in moves
    dice: list[int] | None = None
    held_in: str | None = None  # its cards are in that zone, and this one only points at them


class Counter(Struct):
    """A number that people watch; `goal` is its maximum, if it has one."""

    id: str
    label: Text
    value: int
    goal: int | None = None


class SeatView(Struct):
    """What everyone can see of a seat besides its zones."""

    seat: int
    score: int
    status: Status
    status_text: Text
    stats: list[Counter] = []
    marks: list[Mark] = []
    hand: Text | None = None  # what its cards are worth, in words


# Offers: the moves of a seat, as buttons and cards to pick


class Button(Struct, tag_field="kind", tag="button"):
    """A move made with one press; `key` is its letter on the keyboard."""

    move: str
    label: Text
    key: str = ""
    hint: Text = ""


class Choice(Struct, omit_defaults=True):
    """A move made with these places of a zone."""

    move: str
    cards: list[int]
    label: Text | None = None
    points: int | None = None


class Selection(Struct, tag_field="kind", tag="cards"):
    """Moves made by picking cards of a zone.

    With `alike`, equal cards are interchangeable: any of them may be picked. The same cards may be picked for
    several verbs; `seat` is the player who would get them.
    """

    verb: str
    label: Text
    zone: str
    choices: list[Choice]
    alike: bool = False
    seat: int | None = None


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
    presets: list[Preset] = []


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
    offers: list[Offer]
    orders: list[Order]
    moves: list[str]
    move_count: int


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
