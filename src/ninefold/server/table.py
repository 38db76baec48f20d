"""A table as its events tell it: who sits there, the match, what may be done. No clock, network or storage.

A command is first turned into an event (`decide`), which is stored, and only then applied (`apply`). Applying
the same events always gives the same table, on every server.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from ninefold import fair
from ninefold.engine.game import Game
from ninefold.engine.log import Log
from ninefold.engine.state import State
from ninefold.kernel.errors import IllegalMove, RecordError, RuleError
from ninefold.kernel.fields import CHANCE, EVERYONE, actor_of
from ninefold.kernel.model import Event as Told
from ninefold.kernel.model import View
from ninefold.proof import Aside, prove

LOBBY, PLAYING, PAUSED, OVER, CLOSED = "lobby", "playing", "paused", "over", "closed"
PERSON, BOT, OPEN = "person", "bot", "open"
STAND_IN = "medium"
OPENED = "opened"  # whose a command is that had been sealed
HOST = 0  # the seat whose player opened the table
OF_A_MATCH = (
    *("started", "moved", "sealed", "committed", "voted", "paused", "resumed"),
    *("undo_asked", "undo_refused", "undone"),
)
REMEMBERED = 50  # words of the chat that whoever arrives is told


class Refusal(RuleError):  # noqa: N818 (what it is, not an error of the program)
    """A command that cannot be carried out; `code` is for programs."""

    def __init__(self, code: str, text: str, rule: str | None = None) -> None:
        super().__init__(text)
        self.code = code
        self.rule = rule


@dataclass(frozen=True)
class Event:
    """Something that happened at a table. `who` and `command` say whose command it answered."""

    kind: str
    body: Mapping[str, Any]
    who: str = ""
    command: str = ""


@dataclass(frozen=True)
class Place:
    """A seat of the table."""

    kind: str = OPEN
    name: str = ""
    bot: str | None = None
    away: bool = False  # a bot stands in
    command: str = ""  # the id with which they sat down
    tenant: int = 0  # counts whoever sat here, so that a token of a former one is worth nothing

    def public(self) -> dict[str, Any]:
        return {"kind": self.kind, "name": self.name, "bot": self.bot, "away": self.away}


@dataclass
class Moment:
    """One step of the match, for telling it: the bytes of the positions before and after it."""

    before: bytes
    seat: int
    action: int
    after: bytes


Step = tuple[int, str, str]  # seat, text, command id


@dataclass
class Match:
    """The match that is played, and what its draws are made from."""

    number: int
    state: State
    commitments: list[str]
    history: bytes = fair.BEGINNING
    draws: int = 0
    steps: Log[Step] = field(default_factory=Log)
    decided: list[int] = field(default_factory=list)  # by seat: how often it has moved
    sealed: dict[int, tuple[str, str]] = field(
        default_factory=dict
    )  # by seat: a move not yet made, and its id
    asides: list[Aside] = field(default_factory=list)

    def copy(self) -> Match:
        """The same match, to be played on apart from this one."""
        return Match(
            self.number,
            self.state.copy(),
            list(self.commitments),
            self.history,
            self.draws,
            self.steps.copy(),
            list(self.decided),
            dict(self.sealed),
            list(self.asides),
        )


class Table:
    """Everything that is known of a table after its events so far."""

    def __init__(self) -> None:
        self.seq = 0
        self.status = LOBBY
        self.game: Game
        self.settings: dict[str, Any] = {}
        self.places: list[Place] = []
        self.match: Match | None = None
        self.votes: set[int] = set()
        self.undo: dict[str, Any] | None = None  # whose wish it is to take a move back, and who agrees
        self.chat: list[dict[str, Any]] = []
        self.notice = ""  # why the table is closed
        self.opened: dict[str, Any] = {}
        self.realtime = False  # everybody acts whenever they like, so that no decision waits for another
        self.pulse = False  # moves are sealed, and take effect together

    def copy(self) -> Table:
        """The same table, to be played on apart from this one."""
        other = Table()
        other.__dict__.update(self.__dict__)
        other.places = list(self.places)
        other.votes = set(self.votes)
        other.chat = list(self.chat)
        if self.match is not None:
            other.match = self.match.copy()
        return other

    # Applying what is stored

    def apply(self, event: Event) -> list[Moment]:
        """Take an event in; the steps of the match that it brought."""
        handler = getattr(self, f"_on_{event.kind}", None)
        if handler is None:
            raise RecordError(f"the table has an event {event.kind!r} that this version does not know")
        self.seq += 1
        if self.notice and event.kind in OF_A_MATCH:
            return []  # played under rules that are not here
        found: list[Moment] = handler(event.body, event) or []
        return found

    def _on_opened(self, body: Mapping[str, Any], event: Event) -> None:
        self.settings = dict(body["settings"])
        self.opened = {"id": event.command, **{name: body[name] for name in ("game", "players", "options")}}
        self.places = [Place() for _ in range(body["players"])]
        try:
            self.game = Game(body["game"], body["players"], body["options"])
            self.realtime = self.game.facts.realtime
            self.pulse = self.realtime and bool(self.settings.get("pulse"))
            now = self.game.facts.version
        except RuleError as error:
            self._close(f"this house can no longer play it: {error}")
            return
        if body["rules"] != now:
            self._close(
                f"it was opened under version {body['rules']} of the rules of {self.game.facts.title}, "
                f"and this house now plays version {now}; please open a new one"
            )

    def _close(self, why: str) -> None:
        self.status = CLOSED
        self.notice = f"this table is closed: {why}"

    def _on_sat(self, body: Mapping[str, Any], event: Event) -> None:
        place = self.places[body["seat"]]
        command = event.command or self.opened["id"]
        self.places[body["seat"]] = Place(PERSON, body["name"], command=command, tenant=place.tenant + 1)

    def _on_bot(self, body: Mapping[str, Any], _: Event) -> None:
        place = self.places[body["seat"]]
        self.places[body["seat"]] = Place(BOT, body["name"], body["bot"], tenant=place.tenant + 1)
        self.votes.discard(body["seat"])

    def _on_emptied(self, body: Mapping[str, Any], _: Event) -> None:
        place = self.places[body["seat"]]
        self.places[body["seat"]] = Place(tenant=place.tenant + 1)
        self.votes.discard(body["seat"])

    def _on_away(self, body: Mapping[str, Any], _: Event) -> None:
        self._mark(body["seat"], away=True)

    def _on_back(self, body: Mapping[str, Any], _: Event) -> None:
        self._mark(body["seat"], away=False)

    def _mark(self, seat: int, away: bool) -> None:
        self.places[seat] = replace(self.places[seat], away=away)

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

    def _on_undone(self, body: Mapping[str, Any], event: Event) -> None:
        """The match is again as it was before a step. What was drawn since is never drawn again."""
        match = self._running()
        kept, gone = match.steps[: body["to"]], match.steps[body["to"] :]
        inner = [one for one in match.asides if one.before > len(kept)]
        match.asides = [one for one in match.asides if one.before <= len(kept)]
        match.asides.append(_taken_back(len(kept), gone, inner, (body["seat"], "undo", event.command)))
        match.history = fair.follow(match.history, body["seat"], "undo", event.command)
        match.state, match.steps, match.sealed = self.game.start(manual=True), Log(kept), {}
        for seat, text, _ in kept:
            match.state.play(seat, text)
        match.decided = [one + 1 for one in match.decided]  # whatever was asked is asked anew
        self.undo = None
        self.votes = set()

    def _on_sealed(self, body: Mapping[str, Any], event: Event) -> None:
        self._running().sealed[body["seat"]] = (body["move"], event.command)

    def _on_closed(self, body: Mapping[str, Any], _: Event) -> None:
        self._close(body["why"])

    def _on_committed(self, body: Mapping[str, Any], _: Event) -> None:
        assert self.match is not None
        self.match.commitments.append(body["commitment"])

    def _on_started(self, body: Mapping[str, Any], event: Event) -> list[Moment]:
        self._set_up(body["match"], list(body["commitments"]), event.command)
        return self._take(body["chance"])

    def _set_up(self, number: int, commitments: list[str], command: str) -> None:
        """A new match, before its first draw."""
        begun = self._beginning(command)
        state, history = self.game.start(manual=True), begun.follow(fair.BEGINNING)
        self.match = Match(number, state, commitments, history, asides=[begun])
        self.match.decided = [0] * self.game.players
        self.votes = set()
        self.undo = None
        self.status = PLAYING

    def _on_moved(self, body: Mapping[str, Any], event: Event) -> list[Moment]:
        match = self._running()
        seat, move = body["seat"], body["move"]
        match.history = fair.follow(match.history, seat, move, event.command)
        match.decided[seat] += 1
        match.sealed.pop(seat, None)
        self.undo = None
        moments = self._step(seat, move, event.command)
        moments += self._take(body["chance"])
        return moments

    def _take(self, chance: list[str]) -> list[Moment]:
        """The draws that came with an event."""
        match = self._running()
        moments = []
        for text in chance:
            moments += self._step(CHANCE, text, "")
            match.draws += 1
        if match.state.over:
            self.status = OVER
        return moments

    def _step(self, seat: int, text: str, command: str) -> list[Moment]:
        match = self._running()
        seen: list[Moment] = []
        match.state.watchers = [
            lambda before, who, action, after: seen.append(
                Moment(before.tobytes(), who, action, after.tobytes())
            )
        ]
        match.state.play(seat, text)
        match.state.watchers = []
        match.steps.append((seat, text, command))
        return seen

    def _running(self) -> Match:
        assert self.match is not None
        return self.match

    # Deciding what a command does

    def _beginning(self, command: str) -> Aside:
        """What the first draw depends on besides its key: the ids with which people sat down and began."""
        sat = [(seat, "sit", place.command) for seat, place in enumerate(self.places) if place.command]
        return Aside(0, (*sat, (HOST, "start", command)))

    def begin(self, secret: bytes, command: str) -> tuple[Event, list[Moment]]:
        """Begin a match and draw what comes before its first decision; like `advance`."""
        number = self.match.number + 1 if self.match else 1
        self._set_up(number, [fair.commitment(secret, segment) for segment in (0, 1)], command)
        moments: list[Moment] = []
        chance = self._draw(secret, moments)
        self.seq += 1
        body = {"match": number, "commitments": list(self._running().commitments), "chance": chance}
        return Event("started", body, str(HOST), command), moments

    def move(self, seat: int, move: str, command: str, decision: int | None, secret: bytes) -> list[Event]:
        """The events of a move, which names the decision it answers. Refusal or IllegalMove says why not."""
        self.check_move(seat, decision)
        ahead = self.copy()
        return [event for event, _ in ahead.advance(seat, move, command, str(seat), secret)]

    def check_move(self, seat: int, decision: int | None) -> None:
        """Refuse where no move is expected, or the question was another."""
        if self.status == PAUSED:
            raise Refusal("paused", "the match is paused")
        if self.status != PLAYING:
            raise Refusal("no_match", "no match is being played")
        if self.match is not None and seat in self.match.sealed:
            raise Refusal("sealed", "you have sealed your move; it takes effect when all have", "R7.2")
        if decision is not None and decision != self.decision(seat):
            raise Refusal("stale", "that was the answer to an earlier question; look at the table again")

    def advance(
        self, seat: int, move: str | int, command: str, who: str, secret: bytes
    ) -> list[tuple[Event, list[Moment]]]:
        """Play a move and draw what it brings, at once: the events that `apply` would need to do the same.

        For copies of a table, which are taken for the table itself when the events are stored.
        """
        match = self._running()
        moments: list[Moment] = []
        action = match.state._admit(seat, move)  # or IllegalMove, and nothing has changed
        text = self._note(seat, action, command, moments)
        match.history = fair.follow(match.history, seat, text, command)
        match.decided[seat] += 1
        match.sealed.pop(seat, None)
        self.undo = None
        chance = self._draw(secret, moments)
        self.seq += 1
        body = {"seat": seat, "move": text, "chance": chance}
        found = [(Event("moved", body, who, command), moments)]
        # Always a whole segment ahead, so that no promise is made after the commands it is to bind.
        for segment in range(len(match.commitments), match.draws // fair.SEGMENT + 2):
            event = Event("committed", {"commitment": fair.commitment(secret, segment)})
            found.append((event, self.apply(event)))
        return found

    def _draw(self, secret: bytes, moments: list[Moment]) -> list[str]:
        """Let chance play until somebody has to decide; the texts of its draws."""
        match = self._running()
        record, sample = match.state._s, self.game.package.rules.sample
        chance: list[str] = []
        while actor_of(record) == CHANCE:
            stream = fair.stream_of(fair.key_of(secret, match.draws), match.history)
            chance.append(self._note(CHANCE, int(sample(record, stream)), "", moments))
            match.draws += 1
        if match.state.over:
            self.status = OVER
        return chance

    def _note(self, seat: int, action: int, command: str, moments: list[Moment]) -> str:
        """Apply a step and remember it; its text."""
        match = self._running()
        state = match.state
        text = state.say(seat, action)
        before = moments[-1].after if moments else state.tobytes()
        state._apply(seat, action)
        moments.append(Moment(before, seat, action, state.tobytes()))
        match.steps.append((seat, text, command))
        return text

    def decision(self, seat: int) -> int:
        """A number that changes whenever a seat is asked something else than before, in any match here.

        Below 2**53, so that a page can read it.
        """
        match = self._running()
        asked = self._era() << 1 | self.hurried(seat) if self.realtime else match.draws
        return (match.number & 0x7FF) << 42 | (match.decided[seat] & 0x1FFFFF) << 21 | asked & 0x1FFFFF

    # Games that are played in real time (see engine/live.py)

    def expected(self, seat: int) -> bool:
        """Whether a word of a seat is waited for, so that silence must end some time."""
        return self.realtime and bool(self.game.package.table.hurried(self._running().state._s, seat))

    def hurried(self, seat: int) -> bool:
        """Whether the clock speaks for a seat that stays silent."""
        return self.expected(seat) and not self.pulse

    def _era(self) -> int:
        return int(self.game.package.table.era(self._running().state._s))

    def seal(self, seat: int, move: str | int) -> str:
        """The text of a move that may be sealed; IllegalMove says why not."""
        state = self._running().state
        return state.say(seat, state._admit(seat, move))

    def open_seals(self, secret: bytes) -> list[tuple[Event, list[Moment]]]:
        """Let sealed moves take effect in an order drawn; what is legal no longer counts as doing nothing."""
        match = self._running()
        sealed, match.sealed = dict(match.sealed), {}
        began, found, history = self._era(), [], match.history
        for seat in sorted(sealed):
            history = fair.follow(history, seat, *sealed[seat])
        for seat in fair.order(secret, history, sealed):
            if match.state.over or self._era() != began:
                break  # nobody chose for cards not yet seen
            move, command = sealed[seat]
            try:
                found += self.advance(seat, move, command, OPENED, secret)
            except IllegalMove:
                if seat in match.state.actors:
                    found += self.advance(seat, self.game.package.table.IDLE, command, OPENED, secret)
        return found

    def check_seat(self, seat: int, kinds: tuple[str, ...] = (PERSON, BOT, OPEN)) -> Place:
        if not isinstance(seat, int) or isinstance(seat, bool) or not 0 <= seat < len(self.places):
            raise Refusal("no_seat", f"there is no seat {seat!r} at this table")
        place = self.places[seat]
        if place.kind not in kinds:
            raise Refusal("taken" if place.kind == PERSON else "not_there", _occupied(place))
        return place

    # What is shown

    @property
    def names(self) -> list[str]:
        return [place.name or f"Seat {seat + 1}" for seat, place in enumerate(self.places)]

    def public(self) -> dict[str, Any]:
        """What everybody at the table may know about it, apart from the match."""
        match = self.match
        known = hasattr(self, "game")
        return {
            "game": self.opened["game"],
            "title": self.game.facts.title if known else self.opened["game"],
            "players": self.opened["players"],
            "options": dict(self.game.options) if known else self.opened["options"],
            "settings": self.settings,
            "status": self.status,
            "seats": [place.public() for place in self.places],
            "match": match.number if match else 0,
            "commitments": match.commitments if match else [],
            "votes": sorted(self.votes),
            "undo": self.undo,
            "sealed": sorted(match.sealed) if match else [],
            "realtime": self.realtime,
            "result": self.result(),
            "notice": self.notice,
        }

    def result(self) -> dict[str, Any] | None:
        """How the match ended, or stood when people ended it."""
        if self.match is None or self.status != OVER:
            return None
        state = self.match.state
        return {"scores": state.scores, "winners": state.winners, "unfinished": not state.over}

    def counted(self) -> dict[str, Any] | None:
        """What a match that has just ended counts for in its season."""
        result = self.result()
        if result is None or result["unfinished"] or not self.settings.get("season") or self.match is None:
            return None
        people = [place.kind == PERSON for place in self.places]
        body = {"names": self.names, "people": people, **result}
        row = {"match": self.match.number, "season": self.settings["season"], "game": self.opened["game"]}
        return {**row, "body": json.dumps(body)}

    def view(self, viewer: int | None) -> View | None:
        """The match as a seat, or a spectator, sees it."""
        if self.match is None:
            return None
        shown: View = self.match.state.view(viewer)
        return shown

    def tell(self, moments: list[Moment], viewer: int | None) -> list[Told]:
        """What a viewer is told of some steps."""
        told: list[Told] = []
        names = self.names
        seen = self._running().state.seen
        for moment in moments:
            before = seen(viewer, moment.before)
            after = seen(viewer, moment.after)
            told += self.game.package.table.tell(before, moment.seat, moment.action, after, viewer, names)
        return told

    def proof(self, secret: bytes) -> dict[str, Any]:
        """The record of a match that is over, and what `ninefold verify` needs to draw it again."""
        match = self._running()
        steps = [(seat, text) for seat, text, _ in match.steps]
        ids = [command for seat, _, command in match.steps if seat != CHANCE]
        record: dict[str, Any] = prove(match.state, steps, ids, match.commitments, secret, match.asides)
        return record

    def waiting_for(self) -> list[int]:
        """The seats that have to decide now."""
        if self.match is None or self.status != PLAYING:
            return []
        sealed = self.match.sealed
        return [seat for seat in self.match.state.actors if seat != CHANCE and seat not in sealed]

    def played_by_bot(self, seat: int) -> str | None:
        """The bot that plays for a seat now, if one does."""
        place = self.places[seat]
        if place.kind == BOT:
            return place.bot
        return STAND_IN if place.away or place.kind == OPEN else None

    @property
    def all_at_once(self) -> bool:
        return self.match is not None and actor_of(self.match.state._s) == EVERYONE


def _taken_back(before: int, gone: list[Step], inner: list[Aside], undo: Step) -> Aside:
    """What was taken back from a step on, with all that had been taken back within it, in its order."""
    commands: list[Step] = []
    draws = 0
    for at, step in enumerate([*gone, undo], before):
        for one in inner:
            if one.before == at:
                commands += one.commands
                draws += one.draws
        if step[0] == CHANCE:
            draws += 1
        else:
            commands.append(step)
    return Aside(before, tuple(commands), draws)


def _occupied(place: Place) -> str:
    if place.kind == PERSON:
        return f"{place.name} sits there"
    return "a bot sits there" if place.kind == BOT else "nobody sits there"


def rebuild(events: list[Event]) -> Table:
    """A table from its events."""
    table = Table()
    for event in events:
        try:
            table.apply(event)
        except IllegalMove as error:
            raise RecordError(f"event {table.seq} of the table cannot be played: {error}") from None
    return table
