"""Timing: when bots move, dice roll by themselves, a round begins, a claim closes, or sealed moves open.

No threads, no sleeping and no clock of its own: the shell passes the time, in seconds from any start. It asks
what is due, does it, and waits until the next thing is due or a player moves. Players' clocks and absence are
the server's.
"""

from __future__ import annotations

import math
import random
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

from ninefold.engine.match import Match
from ninefold.kernel.errors import RuleError
from ninefold.model.cast import pace_of

CLAIM_WINDOW = 1.5  # seconds in which claims count as made together (R7.1 of 9 of a Kind)
SEAL_TIMEOUT = 20.0  # seconds after which a seat without a sealed move passes
ROLL_TIMEOUT = 15.0  # seconds after which dice that a person should throw roll by themselves
LOOK_LIMIT = 60  # seconds after which a round begins, even if someone still looks at the cards (R7.4)
LONGEST = 3_600.0
# Seconds a bot takes for a move when players take turns.
PACES = {"slow": 1.6, "normal": 0.8, "fast": 0.25, "instant": 0.0}
# The shortest and the longest time a bot takes in real time: for a move, and in a claim window.
TEMPOS = {
    "slow": ((2.5, 7.0), (0.8, 1.9)),
    "normal": ((0.8, 2.6), (0.4, 1.2)),
    "fast": ((0.3, 1.2), (0.15, 0.5)),
    "instant": ((0.01, 0.05), (0.01, 0.05)),
}


class Due(NamedTuple):
    """Something to do at a given time: a bot moves, a seat passes or rolls, a round begins, seals open."""

    at: float
    kind: Literal["bot", "pass", "roll", "go", "open"]
    seat: int = -1


@dataclass
class Clock:
    """The clock of one match."""

    pace: str | Mapping[int, str] = "normal"  # of all bots, or by seat
    claim_window: float = CLAIM_WINDOW
    seal_timeout: float = SEAL_TIMEOUT
    roll_timeout: float = ROLL_TIMEOUT
    look_limit: float = LOOK_LIMIT
    tick: float = 0.0  # in real time bots act at whole ticks, so that their moves are sent together
    rng: random.Random = field(default_factory=random.Random)

    def __post_init__(self) -> None:
        paces = [self.pace] if isinstance(self.pace, str) else self.pace.values()
        for pace in paces:
            if pace not in PACES:
                raise RuleError(f"pace is {' or '.join(PACES)}, not {pace!r}")
        for value, what in ((self.claim_window, "the claim window"), (self.seal_timeout, "the seal timeout")):
            if not 0 <= value <= LONGEST:
                raise RuleError(f"{what} is a number of seconds from 0 to {LONGEST:.0f}, not {value!r}")
        self._asked: dict[int, tuple[int, float]] = {}  # by seat: its decision, and since when it is awaited
        self._answers: dict[int, float] = {}  # by seat: when its bot decides
        self._sealing: tuple[int, float] | None = None  # which sealing this is, and since when
        self._looking: tuple[int, float] | None = None  # the round whose cards are looked at, and since when
        self._phase = self.rng.uniform(0.0, self.tick)  # so that not all tables tick at once

    def restart(self) -> None:
        """Do not count time that passed while nobody was there."""
        self._asked.clear()
        self._sealing = self._looking = None

    def asked_since(self, match: Match, seat: int, now: float) -> float:
        """Since when a seat's decision has been awaited."""
        decision = match.decision(seat)
        asked = self._asked.get(seat)
        if asked is None or asked[0] != decision:
            asked = self._asked[seat] = (decision, now)
            self._answers[seat] = self._answer_at(match, seat, now)
        return asked[1]

    def ask_again(self, seat: int) -> None:
        """A bot chose to wait: let it think again."""
        self._asked.pop(seat, None)

    def elapsed(self, match: Match, now: float) -> dict[int, float]:
        """For how many seconds each decision has been awaited."""
        asked = {seat: self._asked.get(seat) for seat in match.waiting_for}
        return {
            seat: round(now - one[1], 1)
            for seat, one in asked.items()
            if one is not None and one[0] == match.decision(seat)
        }

    def schedule(self, match: Match, now: float) -> list[Due]:
        """Everything scheduled now, the earliest first."""
        found = [due for seat in match.waiting_for if (due := self._due(match, seat, now))]
        others = self._roll_due(match, now), self._go_due(match, now), self._seals_due(match, now)
        found += [due for due in others if due]
        return sorted(found, key=lambda due: (due.at, due.seat))

    def too_late(self, match: Match, seat: int, now: float) -> bool:
        """Whether a claim window has closed, by our clock alone."""
        asked = self._asked.get(seat)
        if not match.on_clock(seat) or asked is None or asked[0] != match.decision(seat):
            return False
        return now > asked[1] + self.claim_window

    def _due(self, match: Match, seat: int, now: float) -> Due | None:
        since = self.asked_since(match, seat, now)
        closes = since + self.claim_window if match.on_clock(seat) else math.inf
        if match.seats[seat].played_by and self._answers[seat] <= closes:
            return Due(self._answers[seat], "bot", seat)
        return Due(closes, "pass", seat) if closes < math.inf else None

    def _roll_due(self, match: Match, now: float) -> Due | None:
        """When dice roll by themselves, so that nobody blocks a table: at once if their player is away."""
        seat = match.roller
        if seat is None:
            return None
        since = self.asked_since(match, seat, now)
        return Due(since if match.seats[seat].played_by else since + self.roll_timeout, "roll", seat)

    def _go_due(self, match: Match, now: float) -> Due | None:
        """When a round begins: once everyone is ready, or when people have waited for others long enough."""
        if not match.looking:
            self._looking = None
            return None
        if self._looking is None or self._looking[0] != match.round:
            self._looking = (match.round, now)
        if not match.unready:
            return Due(now, "go")
        return None if _alone(match) else Due(self._looking[1] + self.look_limit, "go")

    def _answer_at(self, match: Match, seat: int, now: float) -> float:
        """When a bot decides."""
        pace = self.pace if isinstance(self.pace, str) else self.pace.get(seat, "normal")
        own = pace_of(match.seats[seat].played_by)
        if match.realtime is None:
            return now + PACES[pace] * own * (not match.all_at_once)
        if match.on_clock(seat):
            own = 1.0  # everyone has to be in time
        answer = now + own * self.rng.uniform(*TEMPOS[pace][match.on_clock(seat)])
        if not self.tick or pace == "instant":
            return answer
        return self._phase + self.tick * math.ceil((answer - self._phase) / self.tick)

    def _seals_due(self, match: Match, now: float) -> Due | None:
        """When sealed moves are opened even if not everyone has sealed one."""
        waited_for = match.sealed or any(match.must_speak(seat) for seat in match.waiting_for)
        if not match.sealing or match.over or not waited_for or _alone(match):
            self._sealing = None
            return None
        which = sum(match.decided)
        if self._sealing is None or self._sealing[0] != which:
            self._sealing = (which, now)
        first = match.look and match.round > match.going  # of a round: there are cards to look at
        timeout = max(self.seal_timeout, self.look_limit) if first else self.seal_timeout
        return Due(self._sealing[1] + timeout, "open")


def _alone(match: Match) -> bool:
    """Whether there is one person only, for whom nobody waits: where bots play, time does not press."""
    return sum(seat.played_by is None for seat in match.seats) == 1
