"""What people say of a match: the reason for its result, and the few events that stand out.

Chosen from typed events and scores alone, so every game has them; knows no game and takes no sentence apart.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from ninefold.engine.beats import END
from ninefold.model.events import Event, Highlight, Why
from ninefold.model.text import Text, message

MOST = 3
PLAIN = 0.7  # what an event weighs that stands out; others only make up the number


class Part(NamedTuple):
    """One step of a match as a viewer knew it: where it is, the phase before it, events, scores after it."""

    at: int
    when: Text
    events: list[Event]
    scores: list[int]


class Found(NamedTuple):
    """An event that may be chosen."""

    weight: float
    step: int
    when: str
    why: Why
    event: Event


class Story:
    """A match from its first step to its last."""

    def __init__(self, parts: Sequence[Part], lowest_wins: bool, winners: Sequence[int]) -> None:
        self.parts = parts
        self.sign = -1 if lowest_wins else 1
        self.winners = winners
        self.deciding = self._deciding()

    @property
    def reason(self) -> Text:
        """Why the match ended as it did: the deed that decided it, or what its last event says."""
        if self.deciding is not None and self.deciding.deed:
            return message("{who|You} won by {deed}.", {"who": self.winners[0]}, deed=self.deciding.deed)
        ends = [event.text for part in self.parts for event in part.events if event.kind == END]
        return ends[-1] if ends else ""

    @property
    def highlights(self) -> list[Highlight]:
        """What decided the match, new leaders, and the largest and rarest events, in their order."""
        chosen: list[Found] = []
        candidates = [*self._candidates()]
        ranked = sorted(candidates, key=lambda one: -one.weight)
        loud = [one for one in ranked if one.weight >= PLAIN]
        different = (_phase_or_kind, _step_or_kind)
        some = [one for one in ranked if one.event.amount or one.event.hold or one.event.deed]
        for among, alikes in ((loud, (*different, _step_or_seat, _seat)), (some, different)):
            for alike in alikes:
                for one in among:
                    if len(chosen) < MOST and all(alike(one).isdisjoint(alike(other)) for other in chosen):
                        chosen.append(one)
        found = [(self.parts[one.step], one) for one in candidates if one in chosen]
        return [Highlight(at.at, at.when, one.why, one.event.text, one.event.seat) for at, one in found]

    def _deciding(self) -> Event | None:
        """The deed without which a single winner would not have won, if it made most of the score."""
        if len(self.winners) != 1 or not self.parts:
            return None
        winner, scores = self.winners[0], self.parts[-1].scores
        lead = min(
            (abs(scores[winner] - score) for seat, score in enumerate(scores) if seat != winner), default=0
        )
        deeds = [event for part in self.parts for event in part.events if event.deed and event.seat == winner]
        best = max(deeds, key=lambda event: event.amount or 0, default=None)
        worth = (best.amount or 0) if best else 0
        return best if worth and worth >= lead and 2 * worth >= abs(scores[winner]) else None

    def _candidates(self) -> Iterator[Found]:
        """Every event that may be chosen, with its weight."""
        events = [event for part in self.parts for event in part.events]
        counts = Counter(event.kind for event in events)
        sizes = {kind: max(abs(one.amount or 0) for one in events if one.kind == kind) for kind in counts}
        small = (
            max(sizes.values(), default=0) / 10
        )  # kinds such as blinds, of which even the largest is little
        by_deeds = any(event.deed for event in events)  # then scores count when a deed is done
        bold = any(event.hold and event.amount for event in events)  # then the rest is less
        before: list[int] = []
        for step, part in enumerate(self.parts):
            ahead, leader = self._leader(before), self._leader(part.scores)
            if not by_deeds or any(event.deed for event in part.events):
                before = part.scores
            telling = [*_telling(part.events, len(part.scores))]
            last = {event.seat: event for event in telling}
            for event in telling:
                leads = leader is not None and leader == event.seat != ahead and event is last[leader]
                leads = leads and bool(event.deed or not by_deeds)
                most, late = sizes[event.kind], step / len(self.parts)
                size = abs(event.amount or 0) / most if most > small else 0.0
                size *= 0.7 if bold and not event.hold and event.deed is None else 1
                weight = size**2 + 0.8 * event.hold + 0.4 / counts[event.kind] + 0.3 * late
                weight += 0.7 * leads * (1 if event.amount is None else size)
                decides = event is self.deciding or (leads and step == len(self.parts) - 1)
                why: Why = "decided" if decides else "lead" if leads else "big"
                yield Found(weight + 3 * decides, step, str(part.when), why, event)

    def _leader(self, scores: Sequence[int]) -> int | None:
        """The seat that is ahead of all others, if there is one."""
        best = max((self.sign * score for score in scores), default=0)
        ahead = [seat for seat, score in enumerate(scores) if self.sign * score == best]
        return ahead[0] if len(ahead) == 1 else None


# What makes two events too much alike to choose both, from strict to lenient


def _phase_or_kind(one: Found) -> set[object]:
    return {("phase", one.when), one.event.kind}


def _step_or_kind(one: Found) -> set[object]:
    return {one.step, one.event.kind}


def _step_or_seat(one: Found) -> set[object]:
    return {one.step, (one.event.kind, one.event.seat)}


def _seat(one: Found) -> set[object]:
    return {(one.event.kind, one.event.seat)}


def _telling(events: list[Event], players: int) -> Iterator[Event]:
    """What someone did or gained in a step, without the end and lists with a line for almost everyone."""
    lines = Counter(event.kind for event in events)
    for event in events:
        someones = event.seat is not None or event.amount is not None  # else the table says how it goes on
        loud = event.text and not event.quiet and event.kind != END
        if loud and someones and lines[event.kind] < max(2, players - 1):
            yield event
