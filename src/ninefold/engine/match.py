"""One hosted match: commands in, events out, and one function that applies an event.

A match knows its seats (people, bots, stand-ins), sealed moves, undo and where its chance comes from. It has
no clock, network, storage or screen: the terminal, the server, replays and tests are shells around it. A
shell that stores first plays a command on a copy, stores the events, and then keeps the copy.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

from ninefold.engine.beats import Moment
from ninefold.engine.bots import PLACEHOLDER, SeatedBots
from ninefold.engine.chance import ChanceSource, Step
from ninefold.engine.game import Game
from ninefold.engine.log import Log
from ninefold.engine.look import READY, while_looking
from ninefold.engine.state import State
from ninefold.kernel.errors import IllegalMove, NotYourTurn, RuleError
from ninefold.kernel.fields import CHANCE, EVERYONE, actor_of
from ninefold.model.events import Beat
from ninefold.model.text import player_name
from ninefold.model.view import View, forced

Holder = Literal["person", "bot", "open"]
PERSON: Holder = "person"
BOT: Holder = "bot"
OPEN: Holder = "open"
STAND_IN = "medium"  # the bot that plays for someone who is away


@dataclass(frozen=True)
class Seat:
    """A seat of a match and who plays it."""

    kind: Holder = OPEN
    name: str = ""
    bot: str | None = None
    away: bool = False  # a stand-in plays

    @property
    def played_by(self) -> str | None:
        """The bot that plays this seat now; None for a person who is present."""
        if self.kind == BOT:
            return self.bot
        return STAND_IN if self.away or self.kind == OPEN else None


# Events: everything that can happen to a match


class Moved(NamedTuple):
    """A seat made a move. `action` is its id, if known."""

    seat: int
    move: str
    command: str = ""
    action: int | None = None


class Drew(NamedTuple):
    """Chance made a move."""

    outcome: str
    action: int | None = None


class Sealed(NamedTuple):
    """A seat made a move that takes effect when all have made one."""

    seat: int
    move: str
    command: str = ""


class Opened(NamedTuple):
    """Sealed moves take effect, in an order that chance drew."""

    order: tuple[int, ...]


class Undone(NamedTuple):
    """The match goes back to step `to`. What was drawn since is never drawn again."""

    seat: int
    to: int
    command: str = ""


class Rolled(NamedTuple):
    """A seat threw the dice; the draws that follow say how they fell."""

    seat: int
    command: str = ""


class Ready(NamedTuple):
    """A seat has looked at its cards."""

    seat: int
    command: str = ""


class Go(NamedTuple):
    """Everyone is ready, or has had time to be: the round begins."""

    round: int


Event = Moved | Drew | Sealed | Opened | Undone | Rolled | Ready | Go


class Happened(NamedTuple):
    """An event that was applied, and the step of the game it made, if any."""

    event: Event
    moment: Moment | None = None


Situation = tuple[str, int, int, bytes, bytes]  # a bot, its seed, the moment, its memory, the position


class Thought(NamedTuple):
    """What a bot will do in one situation, and its memory afterwards."""

    situation: Situation
    move: str | int
    memory: bytes


class Match:
    """A match in progress."""

    def __init__(
        self,
        game: Game,
        seats: Sequence[Seat],
        chance: ChanceSource,
        *,
        number: int = 1,
        sealing: bool = False,
        by_hand: bool = False,
        look: bool = False,
        bot_seed: int | None = None,
    ) -> None:
        self.game = game
        self.seats = list(seats)
        self.chance = chance
        self.number = number
        self.realtime = game.package.realtime
        self.sealing = sealing and self.realtime is not None  # moves are sealed, and take effect together
        self.by_hand = by_hand  # people throw their own dice
        self.look = look and self.realtime is not None  # a round opens with a look at the cards
        self.going = 0  # the last round that has begun
        self.ready: frozenset[int] = frozenset()  # the seats that have looked at their cards in the next one
        self.state: State = game.start(manual=True)
        self.steps: Log[Step] = Log()
        self.draws = 0
        self.decided = [0] * game.players  # by seat: how often it has moved
        self.sealed: dict[int, Step] = {}  # by seat: a move that has not taken effect yet
        self.openings: list[int] = []  # how many steps there were when sealed moves were opened
        self.bot_seed = secrets.randbits(63) if bot_seed is None else bot_seed
        self.memories: dict[int, tuple[str, bytes]] = {}  # by seat: the bot that plays it, and its memory
        self.waits: dict[int, int] = {}  # by seat: how often its bot has waited since the last step
        self.thoughts: dict[int, Thought] = {}  # by seat: what its bot has thought of, perhaps ahead
        self._bots: SeatedBots | None = None

    def copy(self) -> Match:
        """An independent copy."""
        other = Match.__new__(Match)
        other.__dict__.update(self.__dict__)
        other.state = self.state.copy()
        other.chance = self.chance.copy()
        other.seats = list(self.seats)
        other.steps = self.steps.copy()
        other.decided = list(self.decided)
        other.sealed = dict(self.sealed)
        other.openings = list(self.openings)
        other.memories = dict(self.memories)
        other.waits = dict(self.waits)
        other.thoughts = dict(self.thoughts)
        return other

    # The only way to change a match

    def apply(self, event: Event) -> Happened:
        """Apply an event, new or stored: the only code that changes a match."""
        match event:
            case Moved(seat, move, command, action):
                self.going = self.round
                self.decided[seat] += 1
                self.sealed.pop(seat, None)
                moment = self._step(seat, move, action, command)
                self.chance.moved(self.steps[-1])
                return Happened(event, moment)
            case Drew(outcome, action):
                self.chance.drew(self.state, outcome, self.draws)
                self.draws += 1
                return Happened(event, self._step(CHANCE, outcome, action, ""))
            case Sealed(seat, move, command):
                self.sealed[seat] = Step(seat, move, command)
                self.chance.sealed(self.sealed[seat])
            case Opened(order):
                self.chance.opened(len(self.steps), self._sealed_steps(), order)
                self.openings.append(len(self.steps))
                self.going = self.round if order else self.going
                self.draws += 1
                for seat in order:
                    self.decided[seat] += 1
                self.sealed = {}
            case Rolled(seat, command):
                self.chance.rolled(seat, command)
            case Ready(seat, _):
                self.ready |= {seat}
            case Go(number):
                self.going, self.ready = number, frozenset()
                self._renew_decisions()
            case Undone(seat, to, command):
                self._undo(seat, to, command)
        return Happened(event)

    def _step(self, seat: int, move: str, action: int | None, command: str) -> Moment:
        state = self.state
        if action is None:
            action = state.admit(seat, move)
        self._remember(seat)
        before = state.tobytes()
        state.apply(seat, action)
        self.steps.append(Step(seat, move, command))
        return Moment(before, seat, action, state.tobytes())

    def _sealed_steps(self) -> list[Step]:
        return [self.sealed[seat] for seat in sorted(self.sealed)]

    def _undo(self, seat: int, to: int, command: str) -> None:
        kept, gone = self.steps[:to], self.steps[to:]
        self.chance.undone(to, gone, Step(seat, "undo", command))
        self.state, self.steps, self.sealed = self.game.start(manual=True), Log(kept), {}
        self.memories, self.waits = {}, {}
        for step in kept:
            self.state.play(step.seat, step.text)
        self.openings = [opening for opening in self.openings if opening < to]
        self.going, self.ready = min(self.going, self.round), frozenset()
        self._renew_decisions()

    def _renew_decisions(self) -> None:
        """Every open decision becomes a new one."""
        self.decided = [number + 1 for number in self.decided]

    # Commands. Each returns what happened; IllegalMove says why nothing did.

    def begin(self) -> list[Happened]:
        """Deal: let chance play until the first decision."""
        return self._draw()

    def submit(self, seat: int, move: str | int, command: str = "") -> list[Happened]:
        """Make or seal a move of a seat, or say that it is ready."""
        if self.looking:
            if move != READY:
                raise NotYourTurn(self.realtime.NOT_YET, self.realtime.LOOK_RULE)  # type: ignore[union-attr]
            return self.say_ready(seat, command)
        return self.seal(seat, move, command) if self.sealing else self.play(seat, move, command)

    def play(self, seat: int, move: str | int, command: str = "") -> list[Happened]:
        """Make a move that takes effect now, with the chance that follows."""
        action = self.state.admit(seat, move)
        moved = Moved(seat, self.state.format(seat, action), command, action)
        return [self.apply(moved), *self._draw()]

    def say_ready(self, seat: int, command: str = "") -> list[Happened]:
        """Say that a seat has looked at its cards. With the last of them, the round begins."""
        if not self.looking:
            raise NotYourTurn("the round has begun")
        if seat in self.ready:
            raise NotYourTurn("you have said so already")
        ready = self.apply(Ready(seat, command))
        return [ready, *([] if self.unready else self.go())]

    def go(self) -> list[Happened]:
        """Begin the round, even if someone is not ready."""
        return [self.apply(Go(self.round))] if self.looking else []

    def roll(self, seat: int, command: str = "") -> list[Happened]:
        """Throw the dice the match waits for. When is the player's choice, how they fall is chance's."""
        if self.roller != seat:
            raise NotYourTurn("the dice are not yours to roll now")
        return [self.apply(Rolled(seat, command)), *self._draw(thrown=True)]

    def seal(self, seat: int, move: str | int, command: str = "") -> list[Happened]:
        """Seal a move, which takes effect when everyone has made one."""
        if seat in self.sealed:
            rule = self.realtime.SEALING_RULE if self.realtime else ""
            raise NotYourTurn("your move is in; it takes effect when everyone has made theirs", rule)
        text = self.state.format(seat, self.state.admit(seat, move))
        sealed = self.apply(Sealed(seat, text, command))
        return [sealed, *([] if self.waiting_for else self.open_seals())]

    def open_seals(self) -> list[Happened]:
        """Let sealed moves take effect, one after another in an order that chance draws."""
        sealed, began = dict(self.sealed), self.round
        order = self.chance.order(self.draws, self._sealed_steps())
        happened = [self.apply(Opened(tuple(order)))]
        for seat in order:
            if self.state.over or self.round != began:
                break  # nobody chose a move for cards they had not seen
            move = move_when_opened(self.state, seat, sealed[seat].text)
            if move is not None:
                happened += self.play(seat, move, sealed[seat].command)
        return happened

    def pass_for(self, seat: int, command: str = "") -> list[Happened]:
        """Time is up for a seat in a real-time game: it passes."""
        assert self.realtime is not None
        return self.submit(seat, self.realtime.PASS_MOVE, command)

    def undo(self, seat: int, to: int, command: str = "") -> list[Happened]:
        """Undo everything from step `to` on."""
        return [self.apply(Undone(seat, to, command))]

    def let_bot(self, seat: int, command: str = "") -> list[Happened]:
        """Let the bot of a seat move; nothing happens if it only waits. RuleError if it fails."""
        move, _ = self._consult(seat)
        if self._is_free_pass(seat, move):
            self.waits[seat] = self.waits.get(seat, 0) + 1
            return []
        return self.submit(seat, move, command)

    def let_bot_anyhow(self, seat: int, command: str = "") -> tuple[list[Happened], str]:
        """As `let_bot`, but if the bot fails, make any legal move and return the reason."""
        try:
            return self.let_bot(seat, command), ""
        except (IllegalMove, RuleError) as error:
            return self.submit(seat, secrets.choice(self.state.moves(seat)), command), str(error)

    def _is_free_pass(self, seat: int, move: str | int) -> bool:
        """Whether a bot only waits, which need not be stored."""
        if self.realtime is None or self.sealing or self.on_clock(seat):
            return False
        return self.state.format(seat, self.state.admit(seat, move)) == self.realtime.PASS_MOVE

    def _draw(self, thrown: bool = False) -> list[Happened]:
        """Let chance play until a seat has to decide, or a person to throw; `thrown` dice may fall."""
        happened = []
        state = self.state
        while actor_of(state.position) == CHANCE:
            if not thrown and self.roller is not None and self.seats[self.roller].played_by is None:
                break
            thrown = False
            action = self.chance.draw(state, self.draws)
            happened.append(self.apply(Drew(state.format(CHANCE, action), action)))
        return happened

    # Bots: what they do and remember follows from the steps of the match alone

    def seed_bots(self, seed: int) -> None:
        """Give bots their seed, if the match was read back without it."""
        if seed != self.bot_seed:
            self.bot_seed, self._bots, self.memories = seed, None, {}

    def recall(self, bots: Sequence[str], seats: Sequence[int] | None = None) -> list[bytes]:
        """The memory that bots would have, had they played the seats from the first step on."""
        steps = ((step.seat, step.text) for step in self.steps)
        return SeatedBots(self.game, bots, self.bot_seed).recall(steps, seats)

    def _consult(self, seat: int) -> tuple[str | int, bytes]:
        """What the bot of a seat does now, and its memory afterwards."""
        thought = self.thoughts[seat] = self._think(seat, self._seated_bots())
        return thought.move, thought.memory

    def _think(self, seat: int, bots: SeatedBots) -> Thought:
        moment = len(self.steps) + (self.waits.get(seat, 0) << 32)
        memory = self._memory(seat, bots)
        situation = self._situation(seat, bots, moment, memory)
        known = self.thoughts.get(seat)
        if known and known.situation == situation:
            return known
        return Thought(situation, *bots.consult(self.state, seat, moment, memory))

    def _situation(self, seat: int, bots: SeatedBots, moment: int, memory: bytes) -> Situation:
        return bots.players[seat].name, self.bot_seed, moment, memory, self.state.tobytes()

    def thinks_long(self, seat: int) -> bool:
        """Whether a bot plays a seat that searches, so that a server should let it think ahead."""
        return self.seats[seat].played_by is not None and self._seated_bots().players[seat].search != ()

    def thinker(self, seat: int) -> Callable[[], Thought]:
        """What lets the bot of a seat think, in any thread; the thought goes into `thoughts`."""
        other = self.copy()
        other._bots = None  # its random numbers and memory belong to one thread
        return lambda: other._think(seat, other._seated_bots())

    def _memory(self, seat: int, bots: SeatedBots) -> bytes:
        player = bots.players[seat]
        if not player.remembers:
            return b""
        if self.memories.get(seat, ("",))[0] != player.name:  # it has just sat down
            self.memories[seat] = player.name, self.recall([one.name for one in bots.players], [seat])[seat]
        return self.memories[seat][1]

    def _remember(self, seat: int) -> None:
        """Let the bot of a seat note the decision that is about to be made there."""
        self.waits.clear()
        if seat == CHANCE:
            return
        thought = self.thoughts.pop(seat, None)  # the decision uses it up
        bots = self._seated_bots() if self.seats[seat].played_by else None
        if bots is None or not bots.players[seat].remembers:
            self.memories.pop(seat, None)  # a bot that sits down later recalls this decision, too
            return
        moment, memory = len(self.steps), self._memory(seat, bots)
        same = thought is not None and thought.situation == self._situation(seat, bots, moment, memory)
        if thought is not None and same and not bots.players[seat].search:
            memory = thought.memory
        else:
            memory = bots.note(self.state, seat, moment, memory)
        self.memories[seat] = bots.players[seat].name, memory

    def _seated_bots(self) -> SeatedBots:
        """The bots at their seats."""
        players = [seat.played_by or PLACEHOLDER for seat in self.seats]
        if self._bots is None or [one.name for one in self._bots.players] != players:
            self._bots = SeatedBots(self.game, players, self.bot_seed)
        return self._bots

    # Questions

    @property
    def over(self) -> bool:
        return self.state.over

    @property
    def names(self) -> list[str]:
        return [seat.name or player_name(number) for number, seat in enumerate(self.seats)]

    @property
    def waiting_for(self) -> list[int]:
        """The seats that have to decide now, or to say that they are ready."""
        if self.looking:
            return self.unready
        return [seat for seat in self.state.actors if seat != CHANCE and seat not in self.sealed]

    @property
    def looking(self) -> bool:
        """Whether a round has been dealt and not begun: players look at their cards. Where moves are sealed
        nobody is in a hurry, so a round begins with the first of them."""
        return self.look and not self.sealing and not self.over and self.round > self.going

    @property
    def unready(self) -> list[int]:
        """The people who still look at their cards; bots and stand-ins are always ready."""
        people = [number for number, seat in enumerate(self.seats) if seat.played_by is None]
        return [seat for seat in people if seat not in self.ready]

    def view(self, viewer: int | None) -> View:
        """The table as a viewer sees it."""
        view = self.state.picture(viewer)
        if self.realtime is None or not self.looking:
            return view
        return while_looking(view, self.unready, self.realtime)

    @property
    def roller(self) -> int | None:
        """The seat that throws the dice now, where people throw their own; None if no dice are thrown."""
        if not self.by_hand or actor_of(self.state.position) != CHANCE:
            return None
        seat = int(self.game.package.thrower(self.state.position))
        return seat if seat >= 0 else None

    @property
    def all_at_once(self) -> bool:
        return actor_of(self.state.position) == EVERYONE

    @property
    def round(self) -> int:
        """The number of the round, in games played in real time."""
        return self.realtime.round_of(self.state.position) if self.realtime else 0

    def must_speak(self, seat: int) -> bool:
        """Whether a seat's silence has a time limit (R7.1 of games in real time)."""
        return self.realtime is not None and self.realtime.on_clock(self.state.position, seat)

    def on_clock(self, seat: int) -> bool:
        """Whether the clock passes for a seat that stays silent."""
        return self.must_speak(seat) and not self.sealing

    def decision(self, seat: int) -> int:
        """A number for the decision a seat has to make now; it is never used for another one.

        Below 2**53, so that JavaScript can read it.
        """
        asked = self.round << 1 | self.on_clock(seat) if self.realtime else self.draws
        return (self.number & 0x7FF) << 42 | (self.decided[seat] & 0x1FFFFF) << 21 | asked & 0x1FFFFF

    def last_decision(self, seat: int) -> int | None:
        """The step before a seat's last decision that was not forced; for sealed moves, before the first one
        opened."""
        last, state = None, self.game.start(manual=True)
        for at, (who, action) in enumerate(self.state.steps):
            if who == seat and (len(state.moves(seat)) > 1 or not forced(state.picture(seat))):
                last = at
            state.apply(who, action)
        if last is None or not self.sealing:
            return last
        return max((opening for opening in self.openings if opening <= last), default=last)

    def beats(self, moments: Iterable[Moment], viewer: int | None, view_follows: bool = False) -> list[Beat]:
        """The beats of some steps for a viewer."""
        return self.state.perspectives.beats(moments, viewer, view_follows)


def move_when_opened(state: State, seat: int, move: str) -> str | None:
    """What a sealed move becomes when it is opened: itself, a pass if it is no longer legal, or nothing."""
    try:
        state.admit(seat, move)
    except IllegalMove:
        realtime = state.game.package.realtime
        return realtime.PASS_MOVE if realtime and seat in state.actors else None
    return move
