"""The messages of the socket, as types: what is not one of them is refused with a sentence."""

from __future__ import annotations

import json
from typing import Annotated, Any, Literal, TypeVar

import msgspec

from ninefold.kernel.errors import NinefoldError

VERSION = 1
LARGEST = 4096  # bytes of a message to us

Id = Annotated[str, msgspec.Meta(min_length=8, max_length=64, pattern=r"^[A-Za-z0-9_-]+$")]
Code = Annotated[str, msgspec.Meta(min_length=4, max_length=16, pattern=r"^[A-Z0-9]+$")]
Secret = Annotated[str, msgspec.Meta(min_length=43, max_length=128, pattern=r"^[A-Za-z0-9_-]+$")]
MOST_SEATS = 100  # at a table of the house
SeatNumber = Annotated[int, msgspec.Meta(ge=0, lt=MOST_SEATS)]
Wanted = TypeVar("Wanted")
Text = Annotated[str, msgspec.Meta(min_length=1, max_length=400)]
BotName = Annotated[str, msgspec.Meta(min_length=1, max_length=40)]
Name = Annotated[str, msgspec.Meta(min_length=1, max_length=120)]


class Unreadable(NinefoldError, ValueError):  # noqa: N818 (what it is)
    """Something that is not a message."""


class Base(msgspec.Struct, forbid_unknown_fields=True):
    """A message to us; a field that we do not know is an error, not ignored."""


class Hello(Base, tag="hello"):
    """The first message: which table, whose seat, and what has been seen already."""

    table: Code
    token: Secret | None = None
    since: Annotated[int, msgspec.Meta(ge=0, lt=2**31)] = 0
    version: int = VERSION


class Move(Base, tag="move"):
    """A move in the match. `decision` is the number that came with the view it answers."""

    id: Id
    move: Text
    decision: Annotated[int, msgspec.Meta(ge=0, lt=2**53)]


class Do(Base, tag="do"):
    """Something else that a seat can do."""

    id: Id
    what: Literal["start", "restart", "pause", "resume", "leave", "back", "end", "undo", "undo_no"]


class Bot(Base, tag="bot"):
    """The host gives a seat to a bot."""

    id: Id
    seat: SeatNumber
    bot: BotName


class Kick(Base, tag="kick"):
    """The host empties a seat."""

    id: Id
    seat: SeatNumber


class Say(Base, tag="say"):
    """Something for everybody at the table, in words."""

    id: Id
    text: Annotated[str, msgspec.Meta(min_length=1, max_length=280)]


class React(Base, tag="react"):
    """Something for everybody at the table, in one sign; it is not kept."""

    id: Id
    emoji: Literal["👍", "😂", "😮", "😢", "🎉", "🤔", "❤️", "🍀", "9️⃣"]


class Hint(Base, tag="hint"):
    """What would the house's best bot do in this seat, knowing what it knows?"""

    id: Id


class Ping(Base, tag="ping"):
    """Is anybody there?"""


Inbound = Hello | Move | Do | Bot | Kick | Say | React | Hint | Ping
Command = Move | Do | Bot | Kick | Say  # what is stored


class Opening(Base):
    """A table to be opened."""

    game: Annotated[str, msgspec.Meta(max_length=40)]
    id: Id
    name: Name
    token: Secret  # made by the client, so that asking again gives the same seat
    recovery: Secret
    players: Annotated[int, msgspec.Meta(ge=1, le=MOST_SEATS)] | None = None
    options: dict[str, Any] = {}
    bots: Annotated[list[BotName], msgspec.Meta(max_length=MOST_SEATS)] = []
    spectators: bool = False
    public: bool = False
    clock: Annotated[int, msgspec.Meta(ge=5, le=86_400)] | None = None
    pace: Literal["slow", "normal", "fast", "instant"] = "normal"
    chat: bool = True
    hints: bool = True
    pulse: bool = False  # in games that everybody plays at once: moves are sealed
    unison: Annotated[float, msgspec.Meta(ge=0.5, le=30)] = 1.5  # seconds in which a claim counts as together
    season: Code | None = None


class Joining(Base):
    """Somebody who wants to sit down."""

    id: Id
    name: Name
    token: Secret
    recovery: Secret
    seat: SeatNumber | None = None


class Season(Base):
    """A season to be begun: matches of several tables, counted together."""

    id: Id
    name: Name


class Sheet(Base):
    """A score card: who plays, for how many rounds, and everything that was entered."""

    game: Literal["doubles"]
    players: Annotated[list[Annotated[str, msgspec.Meta(max_length=60)]], msgspec.Meta(max_length=100)]
    rounds: Annotated[int, msgspec.Meta(ge=1, le=1_000_000)] = 10
    entries: Annotated[
        list[Annotated[str, msgspec.Meta(max_length=120)]], msgspec.Meta(max_length=5_000)
    ] = []


encode = msgspec.json.Encoder().encode
_inbound: msgspec.json.Decoder[Inbound] = msgspec.json.Decoder(Inbound)


def decode(text: str) -> Inbound:
    """A message to us; Unreadable says what is wrong with it."""
    return read(text, _inbound)


def read(text: str | bytes, decoder: msgspec.json.Decoder[Wanted]) -> Wanted:
    """What a text says, as a type; Unreadable where it is anything else, or says one thing twice."""
    try:
        found = decoder.decode(text)
        json.loads(text, object_pairs_hook=_once)
    except (ValueError, RecursionError) as error:  # of msgspec, json and Unicode
        raise Unreadable(str(error)[:200] or "it is nested too deeply") from None
    return found


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    if len({key for key, _ in pairs}) < len(pairs):
        raise ValueError("a field is given twice")
    return dict(pairs)


def schemas() -> dict[str, Any]:
    """JSON Schemas of every message to us."""
    kinds = [Hello, Move, Do, Bot, Kick, Say, React, Hint, Ping, Opening, Joining, Season, Sheet]
    _, found = msgspec.json.schema_components(kinds, ref_template="#/components/schemas/{name}")
    return found
