"""A table at one screen: a match between people and bots that is saved before it is shown.

A shell around engine/match.py. Every command is played on a copy of the match, and the copy is kept once it
is saved; if saving fails, nothing has happened. Knows a file only as a function that saves a line, and knows
no screen. A line holds the steps of one command (`{"steps": [["chance", "roll 3 4"], [0, "stay"]]}`), or how
many steps an undo has left (`{"undo": 12}`), or which round has begun (`{"go": 2}`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from time import monotonic
from typing import Any

from ninefold.engine.advice import ADVISER, Advice, advise
from ninefold.engine.beats import Moment
from ninefold.engine.bots import find_bot
from ninefold.engine.chance import SeededChance
from ninefold.engine.clock import LONGEST, Clock
from ninefold.engine.game import Game
from ninefold.engine.highlights import Part, Story
from ninefold.engine.match import Drew, Go, Happened, Match, Moved, Opened, Seat
from ninefold.engine.records import CHANCE_NAME
from ninefold.engine.state import State
from ninefold.engine.views import scores
from ninefold.kernel.errors import IllegalMove, RecordError, Unreadable
from ninefold.kernel.fields import CHANCE
from ninefold.model.cast import pace_of
from ninefold.model.events import Event
from ninefold.model.view import View, forced
from ninefold.terminal.actions import StandingOrder, with_seats

Viewer = int | None  # a person's seat, or a spectator
Line = dict[str, Any]
Step = Sequence[Any]  # a seat or "chance", and the text of its move


@dataclass(frozen=True)
class Frame:
    """The events of one step for a viewer, and the table after it."""

    events: list[Event]
    view: View


class Table:
    """One match. People act through `play`, bots through `step_bot` or, in real time, by the clock."""

    def __init__(
        self,
        game: Game,
        seats: Sequence[Seat],
        seed: int,
        save: Callable[[Line], None],
        close: Callable[[], None] = lambda: None,
        bot_seed: int | None = None,
    ) -> None:
        for seat in seats:
            if seat.bot:
                find_bot(game.name, seat.bot)
        # Only one person can play by the clock: with more, bots that never stop would leave nobody a turn.
        self.match = Match(game, seats, SeededChance(seed), sealing=True, look=True, bot_seed=bot_seed)
        self.game = game
        self.names = self.match.names
        self.people = [number for number, seat in enumerate(seats) if seat.bot is None]
        self.viewers: list[Viewer] = [*self.people, None]
        self.moments: list[Moment] = []  # one for each step
        self.orders: dict[int, StandingOrder] = {}
        self.close = close
        self.clock = Clock(seal_timeout=LONGEST)
        self._save = save
        self._seed = seed
        self._logs: dict[Viewer, list[list[Event]]] = {viewer: [] for viewer in self.viewers}
        self._shown: dict[Viewer, int] = dict.fromkeys(self.viewers, 0)  # how many moments

    # Starting and resuming

    def begin(self) -> None:
        """Deal, save what was dealt, and show it."""
        self._do(Match.begin)

    def resume(self, lines: Iterable[Line], by_hand: bool = False) -> None:
        """Continue a saved match from its lines; its further chance is new."""
        self.throw_by_hand(by_hand)
        lines = list(lines)
        steps, openings = read_lines(lines)
        self._keep(self.match, repeat(self.match, steps, openings))
        if self.match.round == next((line["go"] for line in reversed(lines) if "go" in line), 0):
            self.match.apply(Go(self.match.round))
        self._do(Match.begin)
        self.skip_all_frames()

    def fork(self, steps: Sequence[Step]) -> None:
        """Begin with the steps of another match, as this match's own."""
        self._do(lambda match: [*repeat(match, steps), *match.begin()])
        self.skip_all_frames()

    # What may happen next

    @property
    def state(self) -> State:
        return self.match.state

    @property
    def steps(self) -> list[Step]:
        """Every move and outcome of chance so far."""
        return _steps(self.match)

    @property
    def over(self) -> bool:
        return self.match.over

    @property
    def awaited(self) -> list[int]:
        """The people whose decision is awaited."""
        return [seat for seat in self.match.waiting_for if seat in self.people]

    @property
    def next_bot(self) -> int | None:
        """The bot that moves, or seals its move, next. If all decide at once, bots decide before people."""
        if self.live:
            return None
        return next((seat for seat in self.match.waiting_for if seat not in self.people), None)

    @property
    def roller(self) -> int | None:
        """The person whose dice the match waits for, where people throw their own."""
        return self.match.roller if self.match.roller in self.people else None

    def throw_by_hand(self, by_hand: bool) -> None:
        """Whether the match waits for people to throw their own dice. They fall as they would have."""
        self.match.by_hand = by_hand

    @property
    def thinking(self) -> float:
        """How long the bot that moves next thinks, compared with others."""
        return 1.0 if self.next_bot is None else pace_of(self.match.seats[self.next_bot].bot)

    def view(self, viewer: Viewer) -> View:
        return self.match.view(viewer)

    @property
    def has_secrets(self) -> bool:
        """Whether one of the people at this screen sees what another may not."""
        seen = [self.view(seat).zones for seat in self.people]
        return any(zones != seen[0] for zones in seen[1:])

    # Time

    @property
    def realtime(self) -> bool:
        """Whether people act whenever they like in this game."""
        return self.match.realtime is not None

    @property
    def live(self) -> bool:
        """Whether bots act by the clock; otherwise moves are sealed and opened together."""
        return self.realtime and not self.match.sealing

    def keep_time(self, live: bool, pace: str) -> None:
        """Let bots act by the clock at some pace, or let everyone seal a move."""
        self.match.sealing = self.realtime and not live
        self.set_pace(pace)

    def set_pace(self, pace: str) -> None:
        """Change how fast bots act by the clock; even the fastest pace leaves a person time to act."""
        self.clock = Clock("fast" if pace == "instant" else pace, seal_timeout=LONGEST)

    def advance(self, now: float) -> bool:
        """Do everything that is due by the clock; True if anything was."""
        due = False
        while self._tick(now):
            due = True
        return due

    def _tick(self, now: float) -> bool:
        schedule = self.clock.schedule(self.match, now) if self.live else []
        if not schedule or schedule[0].at > now:
            return False
        _, kind, seat = schedule[0]
        if kind == "pass":
            self._do(lambda match: match.pass_for(seat))
        elif kind == "go":
            self._do(Match.go)
        elif not self._do(lambda match: match.let_bot(seat)):
            self.clock.ask_again(seat)
        return True

    # What happens

    def play(self, seat: int, move: str) -> None:
        """Play a person's move. IllegalMove says why not; if saving fails, nothing has happened."""
        if self.live:
            self.advance(monotonic())  # first everything that was due before this move arrived
        self._do(lambda match: match.submit(seat, move))
        if self.live:
            self.clock.schedule(self.match, monotonic())  # a claim opens its window now

    def admit(self, seat: int, move: str) -> None:
        """IllegalMove says why a move is not possible now."""
        if self.match.looking:
            self.match.copy().submit(seat, move)
        else:
            self.state.admit(seat, move)

    def as_typed(self, seat: int, text: str) -> str:
        """A typed move, in which a player may be named instead of their seat."""
        try:
            self.state.admit(seat, text)
        except Unreadable:
            return with_seats(text, self.names)
        except IllegalMove:
            pass  # playing it says why
        return text

    def obey(self, seat: int) -> bool:
        """Play what a person's standing order says, or what is forced; False if there is a choice to make."""
        view, order = self.view(seat), self.orders.get(seat)
        move = (order.move(view) if order else None) or forced(view)
        if order and order.ended:
            del self.orders[seat]
        if move is not None:
            self.play(seat, move)
        return move is not None

    def roll(self, seat: int) -> None:
        """Throw a person's dice."""
        self._do(lambda match: match.roll(seat))

    def step_bot(self) -> None:
        """Let the next bot move."""
        seat = self.next_bot
        assert seat is not None
        self._do(lambda match: match.let_bot(seat))

    def _do(self, command: Callable[[Match], list[Happened]]) -> list[Happened]:
        """Play a command on a copy of the match, save what happened, and only then keep the copy."""
        draft = self.match.copy()
        happened = command(draft)
        if steps := _steps(draft, len(self.match.steps)):  # a sealed move has not happened yet
            result = {"scores": draft.state.scores, "winners": draft.state.winners} if draft.over else {}
            self._save({"steps": steps, **result})
        for one in happened:
            if isinstance(one.event, Go):
                self._save({"go": one.event.round})
        self._keep(draft, happened)
        return happened

    def _keep(self, match: Match, happened: Iterable[Happened]) -> None:
        self.match = match
        self.moments += [one.moment for one in happened if one.moment]

    # What viewers are shown

    def log(self, viewer: Viewer) -> list[Event]:
        """Everything that has happened, as this viewer may know it."""
        return [event for events in self._events(viewer) for event in events]

    def _events(self, viewer: Viewer) -> list[list[Event]]:
        log = self._logs[viewer]
        for moment in self.moments[len(log) :]:
            log.append([event for beat in self.match.beats([moment], viewer) for event in beat.events])
        return log

    def take_frames(self, viewer: Viewer) -> list[Frame]:
        """The frames that this viewer has not been shown yet."""
        log = self._events(viewer)
        frames = [
            Frame(log[at], self.state.at(self.moments[at].after).picture(viewer))
            for at in range(self._shown[viewer], len(self.moments))
        ]
        self.skip_frames(viewer)
        return frames

    def skip_frames(self, viewer: Viewer) -> None:
        """Note that this viewer has seen the table as it is now."""
        self._shown[viewer] = len(self.moments)

    def skip_all_frames(self) -> None:
        for viewer in self.viewers:
            self.skip_frames(viewer)

    def story(self, viewer: Viewer) -> Story:
        """The match so far, as this viewer knew it, to tell what stood out."""
        parts = []
        for at, (moment, events) in enumerate(zip(self.moments, self._events(viewer), strict=True)):
            before, after = (self.state.perspectives.at(viewer, one) for one in (moment.before, moment.after))
            parts.append(Part(at, before.scene.phase, events, scores(self.game, after.s)))
        return Story(parts, self.game.facts.lowest_wins, self.state.winners)

    # Undo, hints, questions

    def why_no_undo(self, seat: int) -> str | None:
        """Why a person's last decision cannot be undone, or None if it can."""
        at = self.match.last_decision(seat)
        if at is None:
            return "you have not decided anything yet"
        if len(self.people) == 1:
            return None  # alone against bots, undo is unfair to nobody
        since = self.match.steps[at:]
        if any(step.seat == CHANCE for step in since):
            return "dice were rolled or cards drawn since then"
        if any(step.seat != seat for step in since):
            return "another player has moved since then"
        if self._showed_something(seat, at):
            return "it showed other players a card"
        return None

    def _showed_something(self, seat: int, at: int) -> bool:
        """Whether another person has seen a new card since a step."""
        then = self.state.at(self.moments[at].before)
        others = [viewer for viewer in self.viewers if viewer != seat]
        return any(cards_seen(self.view(other)) - cards_seen(then.picture(other)) for other in others)

    def undo(self, seat: int) -> None:
        """Undo a person's last decision and everything that came after it."""
        to = self.match.last_decision(seat)
        if (why := self.why_no_undo(seat)) or to is None:
            raise IllegalMove(f"undo is not possible: {why}")
        draft = self.match.copy()
        draft.undo(seat, to)
        self._save({"undo": to, **({"go": draft.going} if draft.look else {})})
        self.match = draft
        self.orders.pop(seat, None)
        self.clock.restart()
        del self.moments[to:]
        for log in self._logs.values():
            del log[to:]
        self.skip_all_frames()

    def hint(self, seat: int) -> Advice:
        """What the `hard` bot would do in this person's place, from what this person can see, and why."""
        memories = self.match.recall([ADVISER] * self.match.game.players)
        seed = self._seed + len(self.moments)
        return advise(self.state, seat, seed, memories=memories, names=self.names)


def _steps(match: Match, first: int = 0) -> list[Step]:
    """The steps of a match from one on, as they are saved."""
    return [[CHANCE_NAME if step.seat == CHANCE else step.seat, step.text] for step in match.steps[first:]]


def read_lines(lines: Iterable[Line]) -> tuple[list[Step], list[int]]:
    """The steps of a saved match without those undone, and how many there were before each of its lines."""
    steps: list[Step] = []
    openings: list[int] = []
    for line in lines:
        if "undo" in line:
            del steps[line["undo"] :]
            openings = [opening for opening in openings if opening < line["undo"]]
        elif "steps" in line:
            openings.append(len(steps))
            steps += line["steps"]
    return steps, openings


def repeat(match: Match, steps: Iterable[Step], openings: Iterable[int] = ()) -> list[Happened]:
    """Replay steps, and open sealed moves where they were opened; RecordError if that is impossible."""
    opened = set(openings) if match.realtime else set()
    happened = []
    for number, (who, text) in enumerate(steps):
        if number in opened:
            happened.append(match.apply(Opened(())))
        if not isinstance(text, str):
            raise RecordError(f"a step is a seat and a text, not {[who, text]}")
        seat = CHANCE if who == CHANCE_NAME else who
        try:
            action = match.state.admit(seat, text)
        except IllegalMove as error:
            raise RecordError(f"step {number + 1} of the match cannot be played: {error}") from None
        event = Drew(text, action) if seat == CHANCE else Moved(seat, text, "", action)
        happened.append(match.apply(event))
    return happened


def outcome(events: Sequence[Event]) -> list[Event]:
    """How a round came out, if that is shown here: its end, and what hands cost and brought."""
    ends = [at for at, event in enumerate(events) if event.hold]
    found = list(events[ends[0] :]) if ends else []
    return found if any(event.costs for event in found) else []


def cards_seen(view: View) -> set[tuple[str, int, str]]:
    """The cards that a viewer can see: zone, place, card."""
    return {
        (zone.id, place, card.card)
        for zone in view.zones
        for place, card in enumerate(zone.cards or [])
        if card.card is not None
    }
