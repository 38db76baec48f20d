"""A match in real time: bots at human speed, people whenever their moves arrive, words that a clock says.

For games in which everybody acts at once, and for any other. No threads, no sleeping and no clock of its own:
whoever runs it says what time it is. A terminal or a server asks `due()` when the next thing happens, waits
until then or until somebody moves, and calls `advance(now)` or `submit(seat, move, now)`. Times are seconds
from any start, as time.monotonic() gives them.

A game may say more in its table module: `IDLE` is its word for doing nothing, `hurried(s, seat)` tells
whether the clock says that word for a seat which stays silent, `era(s)` numbers the stretches (rounds) of a
match beyond which no sealed move lives.
"""

from __future__ import annotations

import random
from collections.abc import Mapping
from typing import Any

from ninefold.engine.players import Company
from ninefold.engine.state import State
from ninefold.kernel.errors import NotYourTurn, RuleError

PACES = ("live", "pulse")
UNISON = 1.5
BEAT = 20.0
LONGEST = 3_600.0
# The shortest and the longest that a bot takes for a move, and for a word when the clock is running.
TEMPOS = {
    "slow": ((2.5, 7.0), (0.8, 1.9)),
    "normal": ((1.0, 3.5), (0.4, 1.2)),
    "fast": ((0.3, 1.2), (0.15, 0.5)),
}
NOBODY_THERE = "random"  # sits, for the company's sake, where a person does; never asked


class Live:
    """A match and a clock. With `pace="pulse"` all seal a move, and these take effect in an order drawn."""

    def __init__(
        self,
        state: State,
        bots: Mapping[int, Any],
        seed: int,
        now: float = 0.0,
        *,
        pace: str = "live",
        tempo: str | Mapping[int, str] = "normal",
        unison: float = UNISON,
        beat: float = BEAT,
    ) -> None:
        self.state = state
        self.pace = _one_of(pace, PACES, "pace")
        self.unison = _seconds(unison, "unison")
        self.beat = _seconds(beat, "beat")
        self.now = float(now)
        self.bots = dict(bots)
        seats = range(state.game.players)
        if not set(self.bots) <= set(seats):
            raise RuleError(f"bots sit at the seats 0 to {len(seats) - 1}, not at {sorted(self.bots)}")
        chosen = tempo if isinstance(tempo, Mapping) else dict.fromkeys(seats, tempo)
        self._tempo = {
            seat: TEMPOS[_one_of(chosen.get(seat, "normal"), tuple(TEMPOS), "tempo")] for seat in seats
        }
        self._company = Company(state.game, [self.bots.get(seat, NOBODY_THERE) for seat in seats], seed)
        self._random = random.Random(f"{seed} live")
        self._table = state.game.package.table
        self._sealed: dict[int, int] = {}
        self._wakes: dict[int, float] = {}
        self._hurry_until: float | None = None
        self._beat_ends = self.now + self.beat
        self._schedule()

    # What a surface asks

    @property
    def sealed(self) -> tuple[int, ...]:
        """The seats that have sealed a move; what it is stays secret until it takes effect."""
        return tuple(sorted(self._sealed))

    def due(self) -> float | None:
        """When the next thing happens of itself, or None where all depends on people."""
        times = [*self._wakes.values()]
        if self._hurry_until is not None:
            times.append(self._hurry_until)
        if self.pace == "pulse" and self._idle() is not None and not self.state.over:
            times.append(self._beat_ends)
        return min(times, default=None)

    def advance(self, now: float) -> int:
        """Let everything happen that is due by `now`, each thing at its time; how many moves were made."""
        before = len(self.state._steps)
        while (when := self.due()) is not None and when <= now:
            self.now = max(self.now, when)
            self._happen()
        self.now = max(self.now, now)
        return len(self.state._steps) - before

    def submit(self, seat: int, move: str | int, now: float) -> None:
        """A person's move, taken when it arrives. IllegalMove says why not, and nothing has changed."""
        self.advance(now)
        if seat in self.bots:
            raise NotYourTurn(f"seat {seat} is played by the bot {self.bots[seat]}")
        if self.pace == "live":
            self.state.play(seat, move)
            self._schedule()
            return
        action = self.state._admit(seat, move)
        if seat in self._sealed:
            raise NotYourTurn(f"seat {seat} has sealed its move; it takes effect when all have")
        self._seal(seat, action)

    # What happens of itself

    def _happen(self) -> None:
        """The one thing that is due first."""
        seat = min(self._wakes, key=lambda one: (self._wakes[one], one), default=None)
        if seat is not None and self._wakes[seat] <= self.now:
            del self._wakes[seat]
            self._let_bot(seat)
        elif self._hurry_until is not None and self._hurry_until <= self.now:
            self._speak_for([seat for seat in self.state.actors if self._hurried(seat)])
        else:
            self._speak_for([seat for seat in self.state.actors if seat not in self._sealed])

    def _let_bot(self, seat: int) -> None:
        if seat not in self.state.actors or seat in self._sealed:
            return self._schedule()
        move = self._company.choose(self.state, seat)
        if self.pace == "pulse":
            return self._seal(seat, self.state._admit(seat, move))
        self.state.play(seat, move)
        return self._schedule()

    def _speak_for(self, silent: list[int]) -> None:
        """Time is up: whoever has not spoken does nothing."""
        for seat in silent:
            if self.pace == "pulse":
                self._sealed.setdefault(seat, self.state._admit(seat, str(self._idle())))
            elif seat in self.state.actors:
                self.state.play(seat, str(self._idle()))
        if self.pace == "pulse":
            self._open_seals()
        self._schedule()

    # Sealed moves

    def _seal(self, seat: int, action: int) -> None:
        self._sealed[seat] = action
        if all(actor in self._sealed for actor in self.state.actors):
            self._open_seals()
        self._schedule()

    def _open_seals(self) -> None:
        """Chance draws the seats one after another; one no longer legal counts as doing nothing."""
        order = sorted(self._sealed)
        self._random.shuffle(order)
        moves, self._sealed = self._sealed, {}
        began = self._era()
        refuse = self.state.game.package.rules.refuse
        for seat in order:
            if self.state.over or self._era() != began:
                break  # nobody chose for cards not yet seen
            if not refuse(self.state._s, seat, moves[seat]):
                self.state.play(seat, moves[seat])
            elif self._idle() is not None and seat in self.state.actors:
                self.state.play(seat, str(self._idle()))
        self._beat_ends = self.now + self.beat
        self._wakes.clear()

    # When

    def _schedule(self) -> None:
        """Give every bot that may act, and the clock, a time; forget those that may not."""
        actors = self.state.actors
        hurried = [seat for seat in actors if self._hurried(seat)] if self.pace == "live" else []
        if hurried and self._hurry_until is None:
            self._hurry_until = self.now + self.unison
            self._wakes.clear()  # everybody looks up
        elif not hurried:
            self._hurry_until = None
        self._wakes = {seat: when for seat, when in self._wakes.items() if seat in actors}
        for seat in self.bots:
            if seat in actors and seat not in self._wakes and seat not in self._sealed:
                self._wakes[seat] = self.now + self._random.uniform(*self._tempo[seat][bool(hurried)])

    def _idle(self) -> str | None:
        return getattr(self._table, "IDLE", None)

    def _hurried(self, seat: int) -> bool:
        ask = getattr(self._table, "hurried", None)
        return bool(ask and ask(self.state._s, seat))

    def _era(self) -> int:
        ask = getattr(self._table, "era", None)
        return int(ask(self.state._s)) if ask else 0


def _one_of(word: object, words: tuple[str, ...], what: str) -> str:
    if isinstance(word, str) and word in words:
        return word
    raise RuleError(f"{what} is {' or '.join(words)}, not {word!r}")


def _seconds(value: object, what: str) -> float:
    if isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value <= LONGEST:
        return float(value)
    raise RuleError(f"{what} is a number of seconds from 0 to {LONGEST:.0f}, not {value!r}")
