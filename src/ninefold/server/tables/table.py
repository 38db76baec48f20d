"""A table as its events describe it: who sits there, the match, its status. No clock, network or storage.

A command is first turned into events, which are stored and only then applied (`apply`). Applying the same
events always gives the same table, on every server.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

import msgspec

from ninefold.engine.beats import Moment
from ninefold.engine.chance import Step
from ninefold.engine.game import Game
from ninefold.engine.match import BOT, OPEN, PERSON, Drew, Happened, Match, Seat
from ninefold.fairness import promises
from ninefold.fairness.chance import PromisedChance, Unrecorded
from ninefold.fairness.proof import prove
from ninefold.kernel.errors import IllegalMove, RecordError, RuleError
from ninefold.model.text import player_name
from ninefold.model.view import View
from ninefold.server.tables.events import OF_A_MATCH, OF_THE_GAME, OPENED, Event, moments_of, unpack
from ninefold.server.tables.messages import MatchResult, SeatInfo, TableSettings, TableView, UndoRequest

Status = Literal["lobby", "playing", "paused", "over", "closed"]
LOBBY: Status = "lobby"
PLAYING: Status = "playing"
PAUSED: Status = "paused"
OVER: Status = "over"
CLOSED: Status = "closed"
HOST = 0  # the seat whose player opened the table
REMEMBERED = 50  # chat messages that a newcomer is shown


class Refusal(RuleError):  # noqa: N818 (what it is, not an error of the program)
    """A command that cannot be carried out; `code` is for programs."""

    def __init__(self, code: str, text: str) -> None:
        super().__init__(text)
        self.code = code


@dataclass(frozen=True)
class Place(Seat):
    """A seat of a table, over all its matches."""

    command: str = ""  # the id of the command that joined
    tenant: int = 0  # counts the people who sat here, so that a former player's token is no longer valid

    def public(self) -> SeatInfo:
        return SeatInfo(self.kind, self.name, self.bot, self.away)


class Table:
    """Everything about a table after its events so far."""

    def __init__(self) -> None:
        self.seq = 0
        self.status: Status = LOBBY
        self.game: Game
        self.settings: dict[str, Any] = {}
        self.public_settings: TableSettings  # the same, as it is sent
        self.places: list[Place] = []
        self.match: Match | None = None
        self.commitments: list[str] = []  # of the current match
        self.votes: set[int] = set()
        self.undo: dict[str, Any] | None = None  # who asked to undo a move, and who agrees
        self.chat: list[dict[str, Any]] = []
        self.notice = ""  # why the table is closed
        self.opened: dict[str, Any] = {}
        self.realtime = False  # everyone acts at any time, so that no decision waits for another

    def copy(self) -> Table:
        """An independent copy."""
        other = Table()
        other.__dict__.update(self.__dict__)
        other.places = list(self.places)
        other.commitments = list(self.commitments)
        other.votes = set(self.votes)
        other.chat = list(self.chat)
        if self.match is not None:
            other.match = self.match.copy()
        return other

    # Applying events: the only code that changes a table

    def apply(self, event: Event, happened: Sequence[Happened] | None = None) -> list[Moment]:
        """Apply an event; returns its steps of the game.

        For a new event, `happened` is what it did to the match, which has already changed. A stored event
        changes the match here.
        """
        handler = getattr(self, f"_on_{event.kind}", None)
        if handler is None:
            raise RecordError(f"the table has an event {event.kind!r} that this version does not know")
        self.seq += 1
        if self.notice and event.kind in OF_A_MATCH:
            return []  # played under another version of the rules
        if event.kind in OF_THE_GAME:
            if happened is None:
                happened = self._replay(event)
            handler(event.body, event)
            return moments_of(happened)
        handler(event.body, event)
        return []

    def _replay(self, event: Event) -> list[Happened]:
        if event.kind == "started":
            self.match = self._new_match(event.body["match"], event.command)
        match = self.running
        if event.who == OPENED:
            match.sealed.clear()  # version 0.1 had no event for this
        return [match.apply(one) for one in unpack(event)]

    def _on_opened(self, body: Mapping[str, Any], event: Event) -> None:
        self.settings = dict(body["settings"])
        self.public_settings = msgspec.convert(self.settings, TableSettings)
        self.opened = {"id": event.command, **{name: body[name] for name in ("game", "players", "options")}}
        self.places = [Place() for _ in range(body["players"])]
        try:
            self.game = Game(body["game"], body["players"], body["options"])
            self.realtime = self.game.facts.realtime
            now = self.game.facts.version
        except RuleError as error:
            self._close(f"this server can no longer play it: {error}")
            return
        if body["rules"] != now:
            self._close(
                f"it was opened under version {body['rules']} of the rules of {self.game.facts.title}, "
                f"and this server now plays version {now}; please open a new one"
            )

    def _close(self, why: str) -> None:
        self.status = CLOSED
        self.notice = f"this table is closed: {why}"

    def _on_closed(self, body: Mapping[str, Any], _: Event) -> None:
        self._close(body["why"])

    def _on_sat(self, body: Mapping[str, Any], event: Event) -> None:
        place = self.places[body["seat"]]
        command = event.command or self.opened["id"]
        self._seat(body["seat"], Place(PERSON, body["name"], command=command, tenant=place.tenant + 1))

    def _on_bot(self, body: Mapping[str, Any], _: Event) -> None:
        tenant = self.places[body["seat"]].tenant + 1
        self._seat(body["seat"], Place(BOT, body["name"], body["bot"], tenant=tenant))
        self.votes.discard(body["seat"])

    def _on_emptied(self, body: Mapping[str, Any], _: Event) -> None:
        self._seat(body["seat"], Place(tenant=self.places[body["seat"]].tenant + 1))
        self.votes.discard(body["seat"])

    def _on_away(self, body: Mapping[str, Any], _: Event) -> None:
        self._seat(body["seat"], replace(self.places[body["seat"]], away=True))

    def _on_back(self, body: Mapping[str, Any], _: Event) -> None:
        self._seat(body["seat"], replace(self.places[body["seat"]], away=False))

    def _seat(self, seat: int, place: Place) -> None:
        self.places[seat] = place
        if self.match is not None:
            self.match.seats[seat] = place

    def _on_paused(self, _: Mapping[str, Any], __: Event) -> None:
        self.status = PAUSED

    def _on_resumed(self, _: Mapping[str, Any], __: Event) -> None:
        self.status = PLAYING

    def _on_voted(self, body: Mapping[str, Any], _: Event) -> None:
        self.votes.add(body["seat"])
        if body["ends"]:
            self.status = OVER

    def _on_said(self, body: Mapping[str, Any], _: Event) -> None:
        word = {"seq": self.seq, "seat": body["seat"], "name": self.names[body["seat"]], "text": body["text"]}
        self.chat = [*self.chat, word][-REMEMBERED:]

    def _on_undo_asked(self, body: Mapping[str, Any], _: Event) -> None:
        agreed = self.undo["agreed"] if self.undo else []
        self.undo = {"by": self.undo["by"] if self.undo else body["seat"], "agreed": [*agreed, body["seat"]]}

    def _on_undo_refused(self, _: Mapping[str, Any], __: Event) -> None:
        self.undo = None

    def _on_committed(self, body: Mapping[str, Any], _: Event) -> None:
        self.commitments.append(body["commitment"])

    # Events of the game, which the match has already applied

    def _on_started(self, body: Mapping[str, Any], _: Event) -> None:
        self.commitments = list(body["commitments"])
        self.votes = set()
        self.undo = None
        self.status = OVER if self.running.over else PLAYING

    def _on_moved(self, _: Mapping[str, Any], __: Event) -> None:
        self.undo = None
        if self.running.over:
            self.status = OVER

    def _on_sealed(self, _: Mapping[str, Any], __: Event) -> None:
        pass

    def _on_unsealed(self, _: Mapping[str, Any], __: Event) -> None:
        pass

    def _on_undone(self, _: Mapping[str, Any], __: Event) -> None:
        self.undo = None
        self.votes = set()

    # Beginning a match

    def _new_match(self, number: int, command: str, secret: bytes = b"") -> Match:
        """A match before its first draw, which depends on the ids of the commands that joined and started."""
        sat = [Step(seat, "sit", place.command) for seat, place in enumerate(self.places) if place.command]
        begun = Unrecorded(0, (*sat, Step(HOST, "start", command)))
        sealing = bool(self.settings.get("pulse"))
        return Match(self.game, self.places, PromisedChance(secret, begun), number=number, sealing=sealing)

    def begin(self, secret: bytes, command: str) -> tuple[Event, list[Happened]]:
        """Begin a match and play chance up to the first decision."""
        number = self.match.number + 1 if self.match else 1
        self.match = self._new_match(number, command, secret)
        happened = self.match.begin()
        commitments = [promises.commitment(secret, segment) for segment in (0, 1)]
        chance = [one.event.outcome for one in happened if isinstance(one.event, Drew)]
        body = {"match": number, "commitments": commitments, "chance": chance}
        return Event("started", body, str(HOST), command), happened

    def missing_commitments(self, secret: bytes) -> list[Event]:
        """Commitments for the next draws: always a segment ahead, before the commands that affect them."""
        last = self.running.draws // promises.SEGMENT + 2
        return [
            Event("committed", {"commitment": promises.commitment(secret, segment)})
            for segment in range(len(self.commitments), last)
        ]

    # Questions

    @property
    def running(self) -> Match:
        """The current match, or the last one."""
        assert self.match is not None
        return self.match

    def check_move(self, seat: int, decision: int | None) -> None:
        """Refuse a move if none is expected, or if it answers another decision."""
        if self.status == PAUSED:
            raise Refusal("paused", "the match is paused")
        if self.status != PLAYING:
            raise Refusal("no_match", "no match is being played")
        if seat in self.running.sealed:
            raise Refusal("sealed", "your move is sealed; it takes effect when everyone has made one")
        if decision is not None and decision != self.running.decision(seat):
            raise Refusal("stale", "the table has changed in the meantime; please look again")

    def check_seat(self, seat: int, kinds: tuple[str, ...] = (PERSON, BOT, OPEN)) -> Place:
        if not isinstance(seat, int) or isinstance(seat, bool) or not 0 <= seat < len(self.places):
            raise Refusal("no_seat", f"there is no seat {seat!r} at this table")
        place = self.places[seat]
        if place.kind not in kinds:
            raise Refusal("taken" if place.kind == PERSON else "not_there", _occupied(place))
        return place

    def waiting_for(self) -> list[int]:
        """The seats that have to decide now."""
        return self.running.waiting_for if self.match is not None and self.status == PLAYING else []

    @property
    def names(self) -> list[str]:
        return [place.name or player_name(seat) for seat, place in enumerate(self.places)]

    def public(self) -> TableView:
        """What everyone at the table may know about it, besides the match."""
        match = self.match
        known = hasattr(self, "game")
        return TableView(
            game=self.opened["game"],
            title=self.game.facts.title if known else self.opened["game"],
            players=self.opened["players"],
            options=dict(self.game.options) if known else self.opened["options"],
            settings=self.public_settings,
            status=self.status,
            seats=[place.public() for place in self.places],
            match=match.number if match else 0,
            commitments=list(self.commitments),
            votes=sorted(self.votes),
            undo=UndoRequest(**self.undo) if self.undo else None,
            sealed=sorted(match.sealed) if match else [],
            realtime=self.realtime,
            result=self.result(),
            notice=self.notice,
        )

    def result(self) -> MatchResult | None:
        """How the match ended, or the position when people ended it."""
        if self.match is None or self.status != OVER:
            return None
        state = self.match.state
        return MatchResult(state.scores, state.winners, not state.over)

    def season_result(self) -> dict[str, Any] | None:
        """The result of a match that has just ended, for its season."""
        result = self.result()
        if result is None or result.unfinished or not self.settings.get("season") or self.match is None:
            return None
        people = [place.kind == PERSON for place in self.places]
        body = {"names": self.names, "people": people, **msgspec.structs.asdict(result)}
        row = {"match": self.match.number, "season": self.settings["season"], "game": self.opened["game"]}
        return {**row, "body": json.dumps(body)}

    def view(self, viewer: int | None) -> View | None:
        """The match as a seat, or a spectator, sees it."""
        return None if self.match is None else self.match.state.picture(viewer)

    def proof(self, secret: bytes) -> dict[str, Any]:
        """The record of a finished match, with what `ninefold verify` needs to repeat its draws."""
        return prove(self.running, self.commitments, secret)


def _occupied(place: Place) -> str:
    if place.kind == PERSON:
        return f"{place.name} sits there"
    return "a bot sits there" if place.kind == BOT else "nobody sits there"


def rebuild(events: Sequence[Event]) -> Table:
    """A table from its events."""
    table = Table()
    for event in events:
        try:
            table.apply(event)
        except IllegalMove as error:
            raise RecordError(f"event {table.seq} of the table cannot be played: {error}") from None
    return table
