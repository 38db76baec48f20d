"""The messages to and from the server, as types. Anything else a client sends is refused with a sentence."""

from __future__ import annotations

import sys
from typing import Annotated, Any, Literal

import msgspec

from ninefold.model.cast import CharacterSheet
from ninefold.model.events import Beat, Highlight
from ninefold.model.events import Event as GameEvent
from ninefold.model.schema import REF, components, structs_of
from ninefold.model.sheet import GameSheet
from ninefold.model.text import Text as GameText
from ninefold.model.view import SeatView, View, Zone
from ninefold.server.tables.reading import read

VERSION = 1  # of these messages; the page says the same (client/src/lib/connection.svelte.ts)
LARGEST = 4096  # bytes of a message to us

Id = Annotated[str, msgspec.Meta(min_length=8, max_length=64, pattern=r"^[A-Za-z0-9_-]+$")]
Code = Annotated[str, msgspec.Meta(min_length=4, max_length=16, pattern=r"^[A-Z0-9]+$")]
Secret = Annotated[str, msgspec.Meta(min_length=43, max_length=128, pattern=r"^[A-Za-z0-9_-]+$")]
MOST_SEATS = 100  # at one table
SeatNumber = Annotated[int, msgspec.Meta(ge=0, lt=MOST_SEATS)]
Text = Annotated[str, msgspec.Meta(min_length=1, max_length=400)]
BotName = Annotated[str, msgspec.Meta(min_length=1, max_length=40)]
Name = Annotated[str, msgspec.Meta(min_length=1, max_length=120)]
Level = Literal["easy", "medium", "hard", "expert"]


class Base(msgspec.Struct, forbid_unknown_fields=True):
    """A message to the server; an unknown field is an error."""


class Hello(Base, tag="hello"):
    """The first message: which table and seat, and which events the client has already."""

    table: Code
    token: Secret | None = None
    since: Annotated[int, msgspec.Meta(ge=0, lt=2**31)] = 0
    version: int = 1  # what the client speaks; those that do not say speak the first
    differences: bool = False  # updates may say what has changed of the view, and leave the rest out


class Move(Base, tag="move"):
    """A move in the match. `decision` is the number that came with the view."""

    id: Id
    move: Text
    decision: Annotated[int, msgspec.Meta(ge=0, lt=2**53)]


class Roll(Base, tag="roll"):
    """Throw the dice, when `table.rolling` is your seat. `decision` is the number that came with the view."""

    id: Id
    decision: Annotated[int, msgspec.Meta(ge=0, lt=2**53)]


class Do(Base, tag="do"):
    """Another command of a seat."""

    id: Id
    what: Literal[
        "start",
        "restart",
        "pause",
        "resume",
        "leave",
        "back",
        "end",
        "undo",
        "undo_no",
        "lock",
        "unlock",
        "ready",
    ]


class Bot(Base, tag="bot"):
    """The host seats a bot: a character (`ada:hard`), any (`mixed:hard`) or a plain bot (`hard`)."""

    id: Id
    seat: SeatNumber
    bot: BotName


class Kick(Base, tag="kick"):
    """The host empties a seat."""

    id: Id
    seat: SeatNumber


class Admit(Base, tag="admit"):
    """The host answers someone who asks to join a match in progress."""

    id: Id
    ask: Annotated[int, msgspec.Meta(ge=0, lt=2**31)]
    yes: bool


class Absent(Base, tag="absent"):
    """From anyone at the table: wait longer for a player who is offline or has not moved for long, or let a
    bot play until they are back."""

    id: Id
    seat: SeatNumber
    what: Literal["wait", "bot"]


class Say(Base, tag="say"):
    """A chat message to everyone at the table."""

    id: Id
    text: Annotated[str, msgspec.Meta(min_length=1, max_length=280)]


class Share(Base, tag="share"):
    """A player's part in the draws of the next match, sent as soon as its commitments were seen.

    `anchor` begins a chain of tokens, each the SHA-256 hash of the next: the ids of the player's commands.
    """

    id: Id
    match: Annotated[int, msgspec.Meta(ge=1, lt=2**31)]
    anchor: Annotated[str, msgspec.Meta(pattern=r"^[A-Za-z0-9_-]{43}$")]


class React(Base, tag="react"):
    """An emoji to everyone at the table; it is not stored."""

    id: Id
    emoji: Literal["👍", "😂", "😮", "😢", "🎉", "🤔", "❤️", "🍀", "9️⃣"]


class Hint(Base, tag="hint"):
    """Ask for a hint: what the `hard` bot would do in this seat, from what the seat can see."""

    id: Id


class Ping(Base, tag="ping"):
    """Check that the connection is alive."""


Inbound = Hello | Move | Roll | Do | Bot | Kick | Admit | Absent | Say | Share | React | Hint | Ping
Command = Move | Roll | Do | Bot | Kick | Admit | Absent | Say | Share  # what is stored


class Opening(Base):
    """Open a table."""

    game: Annotated[str, msgspec.Meta(max_length=40)]
    id: Id
    name: Name
    token: Secret  # made by the client, so that a repeated request gives the same seat
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
    pulse: bool = False  # in games where everyone plays at once: moves are sealed
    unison: Annotated[float, msgspec.Meta(ge=0.5, le=30)] = 1.5  # seconds: claims count as simultaneous
    season: Code | None = None
    # Whether people throw their own dice. Unset in requests of before, so that their digests stay the same.
    rolls: Literal["hand", "auto"] | msgspec.UnsetType = msgspec.UNSET
    # How well bots play that fill free seats. Unset for the same reason.
    level: Level | msgspec.UnsetType = msgspec.UNSET
    season_key: Secret | msgspec.UnsetType = msgspec.UNSET
    # Whether moves can be undone although something hidden has been seen since, where bots play.
    undo: Literal["fair", "free"] | msgspec.UnsetType = msgspec.UNSET
    # In games where everyone plays at once: the most seconds that a round opens with a look at the cards.
    look: Annotated[int, msgspec.Meta(ge=0, le=600)] | msgspec.UnsetType = msgspec.UNSET


class Joining(Base):
    """Join a table."""

    id: Id
    name: Name
    token: Secret
    recovery: Secret
    seat: SeatNumber | None = None
    browser: Secret | msgspec.UnsetType = msgspec.UNSET  # random, the same for all seats of a browser


class Season(Base):
    """Start a season: matches of several tables, counted together."""

    id: Id
    name: Name


class Sheet(Base):
    """A score card: the players, the number of rounds, and all entries."""

    game: Literal["doubles"]
    players: Annotated[list[Annotated[str, msgspec.Meta(max_length=60)]], msgspec.Meta(max_length=100)]
    rounds: Annotated[int, msgspec.Meta(ge=1, le=1_000_000)] = 10
    entries: Annotated[
        list[Annotated[str, msgspec.Meta(max_length=120)]], msgspec.Meta(max_length=5_000)
    ] = []


encode = msgspec.json.Encoder().encode
_inbound: msgspec.json.Decoder[Inbound] = msgspec.json.Decoder(Inbound)


def decode(text: str) -> Inbound:
    """Read a message to the server; Unreadable says what is wrong with it."""
    return read(text, _inbound)


def schemas() -> dict[str, Any]:
    """JSON Schemas of every message, in both directions, and of the table model."""
    _, found = msgspec.json.schema_components(INBOUND, ref_template=REF)
    return {**components(OUTBOUND), **found}


# Messages from the server


class SeatInfo(msgspec.Struct):
    """Who sits at a seat."""

    kind: Literal["person", "bot", "open"]
    name: str
    bot: str | None
    away: bool  # a bot stands in
    level: str = ""  # of a bot; empty if it is none of the usual levels
    character: str = ""  # the id of a member of the cast
    joins: bool = False  # a newcomer, who watches until the next deal; a bot plays until then


class TableSettings(msgspec.Struct):
    """The host's choices for the table, besides the options of the game."""

    spectators: bool
    public: bool
    clock: int | None  # seconds for a move
    pace: Literal["slow", "normal", "fast", "instant"]
    chat: bool = False
    hints: bool = False
    pulse: bool = False
    unison: float = 1.5
    rolls: Literal["hand", "auto"] = "auto"
    level: Level = "medium"  # of bots that fill free seats
    season: str | None = None
    undo: Literal["fair", "free"] = "fair"
    look: int = 0  # seconds after which a round begins even if someone is not ready; 0 is at once


class Asker(msgspec.Struct):
    """Someone who asks the host to let them join; `ask` is the number to answer with."""

    ask: int
    name: str


class UndoRequest(msgspec.Struct):
    """A player's request to undo a move, and who has agreed so far."""

    by: int
    agreed: list[int]


class MatchResult(msgspec.Struct):
    """How a match ended, or the position when the players ended it."""

    scores: list[int]
    winners: list[int]
    unfinished: bool


class Promise(msgspec.Struct):
    """What the server has committed to for the next match, and the seats that have added their part since."""

    match: int
    commitments: list[str]
    shares: list[int]
    protocol: int  # how the draws will be made: this, or a later one


class TableView(msgspec.Struct):
    """What everyone at a table may know about it, besides the match."""

    game: str
    title: str
    players: int
    options: dict[str, Any]
    settings: TableSettings
    status: Literal["lobby", "playing", "paused", "over", "closed"]
    seats: list[SeatInfo]
    match: int
    commitments: list[str]
    votes: list[int]  # who wants to end the match
    undo: UndoRequest | None
    sealed: list[int]
    rolling: int | None  # the seat whose throw the match waits for
    realtime: bool
    result: MatchResult | None
    notice: str  # why the table is closed
    promise: Promise | None  # of the next match
    restarts: list[int] = []  # who wants to restart the match
    asking: list[Asker] = []
    locked: bool = False  # nobody else is let in
    looking: list[int] = []  # who still looks at their cards, before a round begins


class TableEvent(msgspec.Struct, omit_defaults=True):
    """Something that happened at a table. For a move, `beats` say what this viewer may know: each leads from
    the table before it to the table after it. With a view the last has no changes: the view shows them."""

    seq: int
    kind: str
    beats: list[Beat]
    seat: int | None = None
    name: str | None = None
    text: str | None = None  # of a chat message
    line: GameText | None = None  # in words, if it is not part of the match
    ends: bool | None = None  # this vote ended the match
    quiet: bool = False  # only you know of it: `seq` is that of the event before
    why: str | None = None


class ChatMessage(msgspec.Struct):
    """A chat message from a player."""

    seq: int
    seat: int | None
    name: str
    text: str


class Welcome(msgspec.Struct, tag="welcome"):
    """The table as it is, for a viewer who has just connected."""

    seq: int
    seat: int | None
    code: str
    chat: list[ChatMessage]
    elapsed: dict[int, float]  # by seat: the seconds that its decision has been awaited
    table: TableView
    view: View | None
    decision: int | None


class Differences(msgspec.Struct):
    """What has changed of a view since the message before: fields by name; zones and seats, each complete."""

    fields: dict[str, Any]
    zones: list[Zone]
    seats: list[SeatView]


class Update(msgspec.Struct, tag="update"):
    """New events, and the table after them; without it if a welcome follows. With `differences` the view is
    the one before with these changes, and a missing `table` is the same."""

    seq: int
    events: list[TableEvent]
    table: TableView | msgspec.UnsetType = msgspec.UNSET
    view: View | msgspec.UnsetType | None = msgspec.UNSET
    decision: int | msgspec.UnsetType | None = msgspec.UNSET
    differences: Differences | msgspec.UnsetType = msgspec.UNSET


class Answer(msgspec.Struct, tag="answer", omit_defaults=True):
    """The answer to a command. `text` has the players' names, but not the number of the `rule`. `move` and
    `why` answer a hint."""

    id: str
    ok: bool
    seq: int | None = None
    error: str | None = None  # a word for programs
    text: str | None = None
    rule: str | None = None
    move: str | None = None
    why: str | None = None


class Presence(msgspec.Struct, tag="presence"):
    """The seats whose players are connected, and the number of spectators."""

    seats: list[int]
    watching: int
    offline: dict[int, float]  # by seat: the seconds since its player was last connected


class Reaction(msgspec.Struct, tag="reaction"):
    """An emoji from a player to everyone at the table."""

    seat: int
    emoji: str


class Refused(msgspec.Struct, tag="refused"):
    """A connection, message or HTTP request that is refused."""

    error: str
    text: str


class HistoryChanged(msgspec.Struct, tag="history_changed"):
    """The client has events that no longer exist: load the table again."""

    seq: int


class Pong(msgspec.Struct, tag="pong"):
    """Yes."""


Outbound = Welcome | Update | Answer | Presence | Reaction | Refused | HistoryChanged | Pong


class TableFound(TableView, kw_only=True):
    """A table by its code."""

    code: str
    waiting_for: list[int]  # the seats whose decision or throw is awaited


class SeatTaken(msgspec.Struct):
    """The seat of a player who opened or joined a table."""

    code: str
    seat: int
    link: str


class GameList(msgspec.Struct):
    """All games, and everyone who plays as a bot."""

    games: list[GameSheet]
    cast: list[CharacterSheet]


class Asked(msgspec.Struct):
    """The answer to someone who asks to join a match in progress; the same request again tells more."""

    code: str
    asked: bool


class Frame(msgspec.Struct):
    """One step of a replay, and the table after it."""

    seq: int
    events: list[GameEvent]
    view: View


class ReplayPage(msgspec.Struct):
    """Some frames of a finished match; `next` is the first frame of the next page."""

    match: int
    seat: int | None
    total: int
    frames: list[Frame]
    next: int | None


class Summary(msgspec.Struct):
    """A finished match in short: why it ended so, what stood out (`at`: the `seq` of a frame), and scores."""

    match: int
    seat: int | None
    reason: GameText
    highlights: list[Highlight]
    scores: list[list[int]]  # of all seats, whenever one has changed


class LogPage(msgspec.Struct):
    """The log of the last match up to an event, for one who comes late; of a long one, its end."""

    seq: int
    lines: list[LogLine]


class LogLine(msgspec.Struct):
    """Something that happened in a match, in words."""

    seq: int
    kind: str
    text: GameText
    seat: int | None


class Standing(msgspec.Struct):
    """A player's record in a season."""

    name: str
    played: int
    won: int
    streak: int
    games: dict[str, int]  # matches won, by game


class SeasonMatch(msgspec.Struct):
    """A match that counts for a season."""

    at: float
    game: str
    names: list[str]
    people: list[bool]
    scores: list[int]
    winners: list[int]
    unfinished: bool


class SeasonPage(msgspec.Struct):
    """A season's standings and its last matches."""

    code: str
    name: str
    standings: list[Standing]
    matches: list[SeasonMatch]


class SeasonOpened(msgspec.Struct):
    """A new season."""

    code: str
    name: str
    link: str
    key: str  # opens tables for it: only for those who may


class CardLine(msgspec.Struct):
    """A sentence of the score card."""

    text: str
    tone: str


class CardPlayer(msgspec.Struct, rename={"inside": "in"}):
    """A player on the score card; numbers are texts, since they may be too large for JavaScript."""

    name: str
    score: str
    part: bool  # plays in this round, or has
    inside: bool
    away: bool
    gain: str | None
    leads: bool


class CardRound(msgspec.Struct):
    """A round that is over."""

    round: int
    busted: bool
    gains: list[str | None]


class CardStanding(msgspec.Struct):
    """The position of a score card after its entries."""

    kept: list[str]
    lines: list[CardLine]
    refused: str | None
    round: int
    rounds: int
    total: str
    sevens: int
    rolls: int
    roller: str | None  # who rolls next
    rolled: str | None  # who rolled last
    over: bool
    players: list[CardPlayer]
    past: list[CardRound]
    entries: list[str]


_kinds = structs_of(sys.modules[__name__])
INBOUND = [kind for kind in _kinds if issubclass(kind, Base) and kind is not Base]
OUTBOUND = [kind for kind in _kinds if not issubclass(kind, Base)]
