"""A table as its events describe it: who sits there, the match, its status. No clock, network or storage.

A command is first turned into events, which are stored and only then applied (`apply`). Applying the same
events always gives the same table, on every server.
"""

from __future__ import annotations

import json
from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

import msgspec

from ninefold.engine.beats import Moment
from ninefold.engine.game import Game
from ninefold.engine.match import BOT, OPEN, PERSON, STAND_IN, Drew, Happened, Match, Seat
from ninefold.fairness import commitments, protocol1
from ninefold.fairness.chance import PromisedChance
from ninefold.fairness.proof import prove
from ninefold.fairness.terms import PROTOCOL, PROTOCOLS, Terms
from ninefold.kernel.errors import RecordError, RuleError
from ninefold.model.cast import character_of, level_of
from ninefold.model.text import player_name
from ninefold.model.view import View
from ninefold.server.tables import secrecy
from ninefold.server.tables.events import KINDS, OF_A_MATCH, OF_THE_GAME, OPENED, Event, News, unpack
from ninefold.server.tables.messages import (
    Asker,
    MatchResult,
    Promise,
    SeatInfo,
    TableSettings,
    TableView,
    UndoRequest,
    encode,
)

Status = Literal["lobby", "playing", "paused", "over", "closed"]
LOBBY: Status = "lobby"
PLAYING: Status = "playing"
PAUSED: Status = "paused"
OVER: Status = "over"
CLOSED: Status = "closed"
HOST = 0  # the seat whose player opened the table
REMEMBERED = 50  # chat messages that a newcomer is shown
DECLINED = 64  # requests to join that are remembered as declined
NEVER = 1 << 62


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
    browser: str = ""  # the hash of a word of their browser, by which a person who was removed is known
    # A newcomer in the middle of a deal sees what a spectator sees, and this bot plays for them.
    keeper: str | None = None
    since: int = 0  # the number of the last event before those that they may know as this seat
    step: int = 0  # the step of the match from which they see its cards

    @property
    def played_by(self) -> str | None:
        return self.keeper or super().played_by

    def public(self) -> SeatInfo:
        bot = self.bot if self.kind == BOT else None
        who = character_of(bot)
        joins = self.keeper is not None
        return SeatInfo(self.kind, self.name, bot, self.away, level_of(bot), who.id if who else "", joins)


@dataclass(frozen=True)
class Asking:
    """Someone who asks to join a match in progress, until the host has answered."""

    name: str
    seat: int | None
    keys: tuple[str, str]  # hashes of their seat's key and its recovery key
    command: str
    browser: str = ""


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
        self.promise: dict[str, Any] | None = None  # the commitments of the next one
        self.shares: dict[int, str] = {}  # by seat: what people have added to it since
        self.votes: set[int] = set()
        self.restarts: set[int] = set()  # who wants to restart the match
        self.undo: dict[str, Any] | None = None  # who asked to undo a move, and who agrees
        self.undo_refused: tuple[int, int] | None = None  # whose request was not answered, and to which step
        self.asking: dict[int, Asking] = {}  # by the number of their request
        self.declined: list[str] = []  # hashes of keys
        self.removed: frozenset[str] = frozenset()  # hashes of browsers whose people the host removed
        self.locked = False  # the host lets nobody else in
        self.quiet: list[int] = []  # stored numbers of events that only their mover knows of
        self.chat: list[dict[str, Any]] = []
        self.notice = ""  # why the table is closed
        self.opened: dict[str, Any] = {}
        self._public: msgspec.Raw | None = None
        self.realtime = False  # everyone acts at any time, so that no decision waits for another

    def copy(self) -> Table:
        """An independent copy."""
        other = Table.__new__(Table)
        other.__dict__.update(self.__dict__)
        other.places = list(self.places)
        other.commitments = list(self.commitments)
        other.shares = dict(self.shares)
        other.votes, other.restarts = set(self.votes), set(self.restarts)
        other.chat = list(self.chat)
        other.quiet = list(self.quiet)
        if self.match is not None:
            other.match = self.match.copy()
        return other

    # Applying events: the only code that changes a table

    def apply(self, event: Event, happened: Sequence[Happened] | None = None) -> News:
        """Apply an event; returns it with its steps of the game.

        For a new event, `happened` is what it did to the match, which has already changed. A stored event
        changes the match here.
        """
        if event.kind not in KINDS:
            raise RecordError(f"the table has an event {event.kind!r} that this version does not know")
        self.seq += 1
        if event.quiet:
            self.quiet.append(self.seq)
        if self.notice and event.kind in OF_A_MATCH:
            return News(self.public_seq, event, ())  # played under another version of the rules
        by_hand = self.settings.get("rolls") == "hand"
        if event.kind != "moved" or self.undo or by_hand or self.settings.get("pulse"):
            self._public = None  # other moves change nothing of it, except the last one of a round or match
        if event.kind in OF_THE_GAME and happened is None:
            happened = self._replay(event)
        moments = [one.moment for one in happened or () if one.moment]
        self._change(event)
        self._show_seats(moments)
        return News(self.public_seq, event, moments)

    def _replay(self, event: Event) -> list[Happened]:
        if event.kind == "started":
            self.match = self._new_match(event.body, event.command)
        match = self.running
        if event.who == OPENED:
            match.sealed.clear()  # version 0.1 had no event for this
        return [match.apply(one) for one in unpack(event)]

    def _change(self, event: Event) -> None:
        """Change everything but the match, which has already changed."""
        body, seat = event.body, event.body.get("seat", HOST)
        match event.kind:
            case "opened":
                self._open(body, event.command)
            case "closed":
                self._close(body["why"])
            case "sat":
                self._sit(seat, body, event.command)
            case "bot":
                self._seat(seat, Place(BOT, body["name"], body["bot"]))
                self._remove(body)
            case "emptied":
                self._seat(seat, Place())
                self._remove(body)
            case "asked":
                keys = body["keys"][0], body["keys"][1]
                one = Asking(body["name"], body["seat"], keys, event.command, body.get("browser", ""))
                self.asking = {**self.asking, self.public_seq: one}
            case "declined":
                self.declined = [*self.declined, self.asking[body["ask"]].keys[0]][-DECLINED:]
                self.asking = {number: one for number, one in self.asking.items() if number != body["ask"]}
            case "locked":
                self.locked = True
            case "unlocked":
                self.locked, self.removed = False, frozenset()
            case "away" | "back":
                self._place(seat, replace(self.places[seat], away=event.kind == "away"))
            case "promised":
                self.promise, self.shares = dict(body), {}
            case "shared":
                self.shares[seat] = body["anchor"]
            case "said":
                word = {"seq": self.public_seq, "seat": seat, "name": self.names[seat], "text": body["text"]}
                self.chat = [*self.chat, word][-REMEMBERED:]
            case _:
                self._change_match(event.kind, body, seat, event.quiet)

    def _change_match(self, kind: str, body: Mapping[str, Any], seat: int, quiet: bool) -> None:
        match kind:
            case "started":
                self.commitments = list(body["commitments"])
                self._drop_proposals()
                self.undo_refused = None
                self._show_all_seats()
                self.status = OVER if self.running.over else PLAYING
            case "moved" | "rolled":
                self.undo = self.undo if quiet else None
                if self.running.over:
                    self.status, self._public = OVER, None
                if self.running.looking:
                    self._public = None
            case "undone":
                self._drop_proposals()
                self._hide_seats(body["to"])
            case "paused":
                self.status = PAUSED
            case "resumed":
                self.status = PLAYING
            case "voted":
                (self.restarts if body.get("restart") else self.votes).add(seat)
                self.status = OVER if body["ends"] else self.status
            case "vote_failed":
                self.votes, self.restarts = set(), set()
            case "undo_asked":
                asked = self.undo or {"by": seat, "agreed": []}
                self.undo = {"by": asked["by"], "agreed": [*asked["agreed"], seat]}
            case "undo_refused":
                if self.undo and "to" in body:
                    self.undo_refused = self.undo["by"], body["to"]
                self.undo = None
            case "committed":
                self.commitments.append(body["commitment"])
                if isinstance(self.running.chance, PromisedChance):
                    self.running.chance.promised(body["commitment"])

    def _open(self, body: Mapping[str, Any], command: str) -> None:
        self.settings = dict(body["settings"])
        self.public_settings = msgspec.convert(self.settings, TableSettings)
        self.opened = {"id": command, **{name: body[name] for name in ("game", "players", "options")}}
        self.opened["title"] = body["game"]
        self.places = [Place() for _ in range(body["players"])]
        try:
            self.game = Game(body["game"], body["players"], body["options"])
        except RuleError as error:
            self._close(f"this server can no longer play it: {error}")
            return
        facts = self.game.facts
        self.opened |= {"title": facts.title, "options": self.game.written_options}
        self.realtime = facts.realtime
        if body["rules"] != facts.version:
            self._close(
                f"it was opened under version {body['rules']} of the rules of {facts.title}, "
                f"and this server now plays version {facts.version}; please open a new one"
            )

    def _close(self, why: str) -> None:
        self.status = CLOSED
        self.notice = f"this table is closed: {why}"

    def _drop_proposals(self) -> None:
        self.votes, self.restarts, self.undo = set(), set(), None

    def _seat(self, seat: int, place: Place) -> None:
        """A seat changes hands: keys of its former player are no longer valid, nor is their vote."""
        self._place(seat, replace(place, tenant=self.places[seat].tenant + 1))
        self.votes.discard(seat)
        self.shares.pop(seat, None)
        self.restarts.discard(seat)

    def _sit(self, seat: int, body: Mapping[str, Any], command: str) -> None:
        """Someone sits down; where the seat holds secrets of a deal, they see them only after it."""
        command = body.get("id") or command or self.opened["id"]
        place = Place(
            PERSON, body["name"], command=command, browser=body.get("browser", ""), since=self.public_seq
        )
        if self.match is not None and not self.notice:
            keeper = self.places[seat].played_by or STAND_IN
            secret = secrecy.knows_more(self.game, self.match.state.position, seat)
            place = replace(place, keeper=keeper if secret else None, step=len(self.match.steps))
        self._seat(seat, place)
        if "ask" in body:
            self.asking = {number: one for number, one in self.asking.items() if number != body["ask"]}

    def _remove(self, body: Mapping[str, Any]) -> None:
        if browser := body.get("removed"):
            self.removed |= {browser}

    def _show_all_seats(self) -> None:
        """A new match: everyone sees the cards of their seat."""
        for seat, place in enumerate(self.places):
            since = self.public_seq if place.keeper else place.since
            self._place(seat, replace(place, keeper=None, since=since, step=0))

    def _show_seats(self, moments: Sequence[Moment]) -> None:
        """Newcomers see the cards of their seat from the first moment at which it holds no secrets."""
        for seat, place in enumerate(self.places):
            if place.keeper is None or not moments:
                continue
            first = len(self.running.steps) - len(moments) + 1
            for step, moment in enumerate(moments, first):
                if not secrecy.knows_more(self.game, moment.after, seat):
                    self._place(seat, replace(place, keeper=None, since=self.public_seq, step=step))
                    self._public = None
                    break

    def _hide_seats(self, to: int) -> None:
        """After an undo to a deal before they came, newcomers do not see its cards either."""
        for seat, place in enumerate(self.places):
            if place.kind == PERSON and place.step > to:
                self._place(seat, replace(place, keeper=place.bot or STAND_IN))

    def _place(self, seat: int, place: Place) -> None:
        self.places[seat] = place
        if self.match is not None:
            self.match.seats[seat] = place

    # Beginning a match

    def _new_match(self, body: Mapping[str, Any], command: str, secret: bytes = b"") -> Match:
        """A match before its first draw."""
        sealing = bool(self.settings.get("pulse"))
        how = {"sealing": sealing, "by_hand": self.settings.get("rolls") == "hand", "look": self.look > 0}
        number, bot_seed = body["match"], commitments.bot_seed(secret)
        chance: PromisedChance | protocol1.PromisedChance
        if body.get("protocol") in PROTOCOLS:
            terms = self._terms(number, body["protocol"], alone=self.realtime and not sealing)
            chance = PromisedChance(secret, terms, self.game.package, body["by"], command)
        else:
            chance = protocol1.begin(secret, [place.command for place in self.places], command)
        return Match(self.game, self.places, chance, number=number, bot_seed=bot_seed, **how)

    def _terms(self, number: int, protocol: int, alone: bool) -> Terms:
        assert self.promise is not None
        return Terms(
            table=self.promise["table"],
            match=number,
            game=self.game.name,
            version=self.game.facts.version,
            players=self.game.players,
            options=self.game.written_options,
            commitments=tuple(self.promise["commitments"]),
            anchors=tuple(self.shares.get(seat, "") for seat in range(self.game.players)),
            alone=alone,
            people=[{"kind": place.kind, "name": place.name, "bot": place.bot} for place in self.places],
            protocol=protocol,
        )

    def begin(self, secret: bytes, command: str, seat: int = HOST) -> tuple[Event, list[Happened]]:
        """Begin the match that was promised, and play chance up to the first decision."""
        assert self.promise is not None
        body = {"match": self.promise["match"], "protocol": PROTOCOL, "by": seat}
        self.match = self._new_match(body, command, secret)
        happened = self.match.begin()
        chance = [one.event.outcome for one in happened if isinstance(one.event, Drew)]
        body |= {"commitments": self.promise["commitments"], "chance": chance}
        return Event("started", body, str(seat), command), happened

    def missing_commitments(self, secret: bytes) -> list[Event]:
        """Commitments for the next draws: always ahead, before the commands that affect them."""
        match, have = self.running, len(self.commitments)
        if isinstance(match.chance, PromisedChance):
            found = match.chance.missing_commitments(have)
        else:
            found = protocol1.missing(secret, match.draws, have)
        return [Event("committed", {"commitment": one}) for one in found]

    def next_promise(self, secret: bytes, code: str = "") -> Event:
        """The commitments of the next match, whose secret this is."""
        number = self.match.number + 1 if self.match else 1
        code = self.promise["table"] if self.promise else code
        return promised(self.game, code, number, secret)

    # Questions

    @property
    def look(self) -> int:
        """The seconds after which a round begins, even if someone still looks at the cards; 0 is at once."""
        return int(self.settings.get("look", 0))  # tables opened before this setting existed have none

    @property
    def public_seq(self) -> int:
        """The number of the last event as clients know it."""
        return self.number(self.seq)

    def number(self, stored: int) -> int:
        """The number of a stored event as clients know it: without those that only their mover knows of."""
        return stored - bisect_right(self.quiet, stored)

    @property
    def matches_over(self) -> int:
        """How many matches have ended."""
        if self.match is None:
            return 0
        return self.match.number if self.status == OVER else self.match.number - 1

    def knows_from(self, viewer: int | None) -> int:
        """The number of the last event that a viewer knows only as a spectator does."""
        if viewer is None:
            return NEVER
        return NEVER if self.places[viewer].keeper else self.places[viewer].since

    def seen_as(self, viewer: int | None) -> int | None:
        """The seat whose view a viewer has now; None for that of a spectator."""
        return None if viewer is None or self.places[viewer].keeper else viewer

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
            raise Refusal("sealed", "your move is in; it takes effect when everyone has made theirs")
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

    def awaited(self) -> list[int]:
        """The same, with the seat that has to throw the dice."""
        rolling = self.match.roller if self.match is not None and self.status == PLAYING else None
        return self.waiting_for() if rolling is None else [rolling]

    @property
    def names(self) -> list[str]:
        return [place.name or player_name(seat) for seat, place in enumerate(self.places)]

    def public(self) -> TableView:
        """What everyone at the table may know about it, besides the match."""
        match = self.match
        return TableView(
            game=self.opened["game"],
            title=self.opened["title"],
            players=self.opened["players"],
            options=self.opened["options"],
            settings=self.public_settings,
            status=self.status,
            seats=[place.public() for place in self.places],
            match=match.number if match else 0,
            commitments=list(self.commitments),
            votes=sorted(self.votes),
            restarts=sorted(self.restarts),
            asking=[Asker(number, one.name) for number, one in self.asking.items()],
            locked=self.locked,
            undo=UndoRequest(**self.undo) if self.undo else None,
            sealed=sorted(match.sealed) if match else [],
            rolling=match.roller if match and self.status == PLAYING else None,
            looking=match.unready if match and match.looking and self.status in (PLAYING, PAUSED) else [],
            realtime=self.realtime,
            result=self.result(),
            notice=self.notice,
            promise=self._public_promise(),
        )

    def _public_promise(self) -> Promise | None:
        if self.promise is None:
            return None
        protocol = self.promise.get("protocol", PROTOCOL)  # earlier versions promised none
        return Promise(self.promise["match"], self.promise["commitments"], sorted(self.shares), protocol)

    def public_json(self) -> Any:
        """The same as it is sent; few moves change it, so it is encoded once for many messages."""
        if self._public is None:
            self._public = msgspec.Raw(encode(self.public()))
        return self._public

    def result(self) -> MatchResult | None:
        """How the match ended, or the position when people ended it."""
        if self.match is None or self.status != OVER:
            return None
        state = self.match.state
        return MatchResult(state.scores, state.winners, not state.over)

    def season_result(self) -> dict[str, Any] | None:
        """The result of a match that has just ended, for its season; one cut short counts for nobody."""
        result = self.result()
        if result is None or not self.settings.get("season") or self.match is None:
            return None
        people = [place.kind == PERSON for place in self.places]
        body = {"names": self.names, "people": people, **msgspec.structs.asdict(result)}
        row = {"match": self.match.number, "season": self.settings["season"], "game": self.opened["game"]}
        return {**row, "body": json.dumps(body)}

    def view(self, viewer: int | None) -> View | None:
        """The match as a seat, or a spectator, sees it."""
        if self.match is None:
            return None
        view = self.match.view(viewer)
        if self.realtime:
            view.turn = 0  # it counts moves that others may not know of
        return view

    def proof(self, secret: bytes, cut: bool = False) -> dict[str, Any]:
        """The record of a match, with what `ninefold verify` needs to repeat its draws.

        Of a match that was `cut` short the key stays secret: it would show the hands that were cut off.
        """
        if isinstance(self.running.chance, PromisedChance):
            return prove(self.running, secret, bool(cut and self.game.facts.hidden))
        return protocol1.prove(self.running, self.commitments, secret)


def promised(game: Game, code: str, match: int, secret: bytes) -> Event:
    """The commitments of a match, for the table of this code."""
    redaction = game.package.redaction
    found = commitments.first_commitments(secret, redaction.CARDS if redaction else 0)
    return Event("promised", {"match": match, "table": code, "commitments": found, "protocol": PROTOCOL})


def _occupied(place: Place) -> str:
    if place.kind == PERSON:
        return f"{place.name} sits there"
    return "a bot sits there" if place.kind == BOT else "nobody sits there"
