"""A match between people at one screen and bots: who plays, what happened, undo. Saved before it is shown.

Knows no screen. A step becomes visible (a frame) only once its line is on the disk; where that cannot be
done nothing has happened.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from time import monotonic
from typing import Any

from ninefold.engine.advice import Advice, advise
from ninefold.engine.game import Game
from ninefold.engine.live import LONGEST, Live
from ninefold.engine.players import Company
from ninefold.engine.records import CHANCE_NAME, FORMAT, replay
from ninefold.engine.state import State, Watcher
from ninefold.engine.views import tell
from ninefold.kernel.errors import IllegalMove, NinefoldError, RecordError
from ninefold.kernel.fields import CHANCE
from ninefold.kernel.model import Event, View

Step = tuple[int, str]
Viewer = int | None  # a person's seat, or a spectator
Save = Callable[[dict[str, Any]], None]
Close = Callable[[], None]
ABSENT = "random"  # what a person's place is called among the bots; it is never asked


@dataclass(frozen=True)
class Seat:
    """Who sits there: a person, or a bot."""

    name: str
    bot: str | None = None


@dataclass(frozen=True)
class Frame:
    """What a viewer is told of one step, and the table as the viewer sees it then."""

    events: list[Event]
    view: View


@dataclass(frozen=True)
class Moment:
    """A step that has been made and not yet saved."""

    step: Step
    told: dict[Viewer, list[Event]]
    position: Any  # the record after it


class Match:
    """One match. People act through `play`, bots through `step_bot`; every person has a log and frames."""

    def __init__(
        self, game: Game, seats: Sequence[Seat], seed: int, save: Save, close: Close = lambda: None
    ) -> None:
        self.game = game
        self.seats = list(seats)
        self.names = [seat.name for seat in seats]
        self.people = [number for number, seat in enumerate(seats) if seat.bot is None]
        self.viewers: list[Viewer] = [*self.people, None]
        self.state: State
        self.close = close
        # `live` or `pulse` where all act whenever they like: bots that never stop would leave nobody a turn
        self.timing = "pulse" if self.real_time else ""
        self._save = save
        self._seed = seed
        self._sitting = 0
        self._tempo = "normal"
        self._live: Live | None = None
        self._clear()

    def _clear(self) -> None:
        """Nothing has happened yet, and the bots remember nothing."""
        self.steps: list[Step] = []
        self._openings: list[int] = []  # the numbers of steps after which sealed moves were opened
        self.logs: dict[Viewer, list[Event]] = {viewer: [] for viewer in self.viewers}
        self._unseen: dict[Viewer, list[Moment]] = {viewer: [] for viewer in self.viewers}
        self._moments: list[Moment] = []
        bots = [seat.bot or ABSENT for seat in self.seats]
        self._company = Company(self.game, bots, self._seed, self._sitting)

    # Beginning and going on

    def begin(self) -> None:
        """Deal, save what was dealt, and show it."""
        self.state = self.game.start(seed=self._seed, watcher=self._watcher())
        self._keep()
        self._wind()

    def go_on(self, lines: Iterable[dict[str, Any]]) -> None:
        """Take up a saved match from its lines; its further chance is new."""
        steps, openings = _read_lines(lines)
        self._replay(steps, len(steps))
        self._openings = openings

    def fork(self, steps: Sequence[Step]) -> None:
        """Begin with the steps of another match, as this match's own."""
        self._replay(steps, 0)

    def _replay(self, steps: Sequence[Step], saved: int) -> None:
        """Play steps again, of which the first `saved` are on the disk; chance goes on from there."""
        self._sitting += 1
        self._clear()
        self.state = replay(self._record(steps), upto=len(steps), watcher=self._watcher())
        if self._moments[saved:]:
            self._save(self._line(self._moments[saved:]))
        self._publish()
        for viewer in self.viewers:
            self._unseen[viewer].clear()
        self._wind()

    # Time

    @property
    def real_time(self) -> bool:
        """Whether the game is one in which people act whenever they like."""
        return hasattr(self.game.package.table, "IDLE")

    def keep_time(self, timing: str, tempo: str = "normal") -> None:
        """Let bots act by the clock (`live`), or let all seal a move and open them together (`pulse`)."""
        self.timing = timing
        self._tempo = tempo
        self._wind()

    def _wind(self) -> None:
        if self.timing:
            bots = {number: seat.bot for number, seat in enumerate(self.seats) if seat.bot}
            now = monotonic() if self.timing == "live" else 0.0
            self._live = Live(
                self.state, bots, self._seed, now, pace=self.timing, tempo=self._tempo, beat=LONGEST
            )

    def tick(self, now: float) -> bool:
        """Let happen what is due by the clock; whether anything was."""
        live = self._live
        due = live.due() if live else None
        if live is None or due is None or due > now or self.over:
            return False
        self._attempt(lambda: live.advance(now))
        return True

    def _record(self, steps: Sequence[Step]) -> dict[str, Any]:
        return record_of(self.game, steps)

    def _watcher(self) -> Watcher:
        """Notes down every step, and what each viewer is told of it."""

        def watch(before: Any, seat: int, action: int, after: Any) -> None:
            text = str(self.game.package.table.say(before, seat, action))
            told = {
                viewer: tell(self.game, before, seat, action, after, viewer, self.names)
                for viewer in self.viewers
            }
            self._moments.append(Moment((seat, text), told, after.copy()))

        return watch

    # What may happen next

    @property
    def over(self) -> bool:
        return self.state.over

    @property
    def awaited(self) -> list[int]:
        """The people whose decision is awaited."""
        sealed = self._live.sealed if self._live else ()
        return [seat for seat in self.state.actors if seat in self.people and seat not in sealed]

    @property
    def next_bot(self) -> int | None:
        """The bot that moves, or seals its move, next. Where all decide at once, bots do so before people."""
        if self.timing == "live":
            return None
        done = self._live.sealed if self._live else ()
        return next((seat for seat in self.state.actors if seat not in (*self.people, *done)), None)

    def view(self, viewer: Viewer) -> View:
        return self.state.view(viewer)

    # What happens

    def play(self, seat: int, move: str) -> None:
        """A person's move. IllegalMove says why not; where it cannot be saved it has not happened."""
        live = self._live
        if live is None:
            self._attempt(lambda: self.state.play(seat, move))
        else:
            now = monotonic() if self.timing == "live" else live.now
            self._attempt(lambda: live.submit(seat, move, now))

    def step_bot(self) -> None:
        """Let the next bot move."""
        seat = self.next_bot
        assert seat is not None
        if self._live:
            due = self._live.due()
            assert due is not None
            self.tick(due)
            return
        move = self._company.choose(self.state, seat)
        self._attempt(lambda: self.state.play(seat, move))

    def _attempt(self, change: Callable[[], object]) -> None:
        before = self.state.copy()
        before.watchers = self.state.watchers
        try:
            change()
            self._keep()
        except NinefoldError:
            self.state = before
            self._moments.clear()
            self._wind()
            raise

    def _keep(self) -> None:
        """Save the steps just made, and only then show them."""
        if self._moments:  # a sealed move has not happened yet
            self._save(self._line(self._moments))
            self._openings.append(len(self.steps))
        self._publish()

    def _line(self, moments: Sequence[Moment]) -> dict[str, Any]:
        line = _line([moment.step for moment in moments])
        if self.state.over:
            line |= {"scores": self.state.scores, "winners": self.state.winners}
        return line

    def _publish(self) -> None:
        for moment in self._moments:
            self.steps.append(moment.step)
            for viewer, events in moment.told.items():
                self.logs[viewer] += events
                self._unseen[viewer].append(moment)
        self._moments.clear()

    def take_frames(self, viewer: Viewer) -> list[Frame]:
        """The frames that this viewer has not been shown yet."""
        shown = self.state.copy()
        frames = []
        for moment in self._unseen[viewer]:
            shown._s = moment.position
            frames.append(Frame(moment.told[viewer], shown.view(viewer)))
        self.skip_frames(viewer)
        return frames

    def skip_frames(self, viewer: Viewer) -> None:
        """This viewer is shown the table as it is now."""
        self._unseen[viewer].clear()

    # Undo, hints, questions

    def why_no_undo(self, seat: int) -> str | None:
        """Why the last decision of a person cannot be taken back, or None where it can."""
        at = self._last_of(seat)
        if at is None:
            return "you have not decided anything yet"
        if len(self.people) == 1:
            return None  # alone against bots nobody is wronged
        since = self.steps[at:]
        if any(who == CHANCE for who, _ in since):
            return "dice or cards have come since"
        if any(who != seat for who, _ in since):
            return "somebody else has moved since"
        if self._showed_something(seat, at):
            return "others have seen a card by it"
        return None

    def _last_of(self, seat: int) -> int | None:
        """Where a person's last decision began: of sealed moves, before the first of those opened with it."""
        last = max((at for at, (who, _) in enumerate(self.steps) if who == seat), default=None)
        if last is None or self.timing != "pulse":
            return last
        return max((opening for opening in self._openings if opening <= last), default=last)

    def _showed_something(self, seat: int, at: int) -> bool:
        """Whether a card has come to light to somebody else since a step."""
        then = replay(self._record(self.steps[:at]), upto=at, manual=True)
        others = [viewer for viewer in self.viewers if viewer != seat]
        return any(_cards(self.view(other)) - _cards(then.view(other)) for other in others)

    def undo(self, seat: int) -> None:
        """Take back a person's last decision and all that came after it."""
        why = self.why_no_undo(seat)
        if why:
            raise IllegalMove(f"undo is not possible: {why}")
        at = self._last_of(seat)
        assert at is not None
        openings = [opening for opening in self._openings if opening < at]
        self._save({"undo": at})
        self._replay(self.steps[:at], at)
        self._openings = openings

    def hint(self, seat: int) -> Advice:
        """What the `hard` bot would do in this person's place, from what this person can see, and why."""
        return advise(self.state, seat, self._seed + len(self.steps))

    def check(self, seat: int, move: str) -> None:
        """Raise IllegalMove where a move could not be played now; nothing happens either way."""
        self.state.copy().play(seat, move)


def _line(steps: Sequence[Step]) -> dict[str, Any]:
    return {"steps": [[CHANCE_NAME if who == CHANCE else who, text] for who, text in steps]}


def _cards(view: View) -> set[tuple[str, int, str]]:
    """The cards that lie open to a viewer: zone, place, card."""
    return {
        (zone["id"], place, card["card"])
        for zone in view["zones"]
        for place, card in enumerate(zone.get("cards", []))
        if card["card"] is not None
    }


def read_steps(lines: Iterable[dict[str, Any]]) -> list[Step]:
    """The steps of a saved match, those taken back left out."""
    return _read_lines(lines)[0]


def _read_lines(lines: Iterable[dict[str, Any]]) -> tuple[list[Step], list[int]]:
    """The steps of a saved match, and how many there were before each of its lines."""
    steps: list[Step] = []
    openings: list[int] = []
    for line in lines:
        if "undo" in line:
            del steps[line["undo"] :]
            openings = [opening for opening in openings if opening < line["undo"]]
            continue
        openings.append(len(steps))
        steps += [(CHANCE if who == CHANCE_NAME else who, text) for who, text in line.get("steps", [])]
    return steps, openings


def record_of(game: Game, steps: Sequence[Step]) -> dict[str, Any]:
    """The record of a match that goes on."""
    return {
        "format": FORMAT,
        "game": game.name,
        "version": game.facts.version,
        "players": game.players,
        "options": dict(game.options),
        "moves": _line(steps)["steps"],
    }


def read_seats(given: Sequence[dict[str, Any]]) -> list[Seat]:
    """Seats from a saved match; RecordError where they make no sense."""
    try:
        return [Seat(str(seat["name"]), seat.get("bot")) for seat in given]
    except (TypeError, KeyError, AttributeError):
        raise RecordError("the saved match does not say who plays") from None
