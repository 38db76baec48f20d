"""A walk through the journal of a match, undone stretches included, to make a proof or to check one."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Sequence
from typing import Any

from ninefold.engine.chance import Step
from ninefold.engine.match import move_when_opened
from ninefold.engine.state import State
from ninefold.fairness.chance import Draws, Entry, Place, Source, deck_or_label
from ninefold.fairness.terms import Terms
from ninefold.kernel.errors import IllegalMove, RecordError
from ninefold.kernel.fields import CHANCE

STAND_IN_CARD = 0  # for a card that the record hides, while it is found out whether it may


class Walk:
    """A match as its journal tells it. Subclasses look at the draws."""

    def __init__(self, state: State, terms: Terms, journal: Sequence[Entry]) -> None:
        self.state = state  # before its first step, chance played by hand
        self.journal = journal
        self.redaction = state.game.package.redaction
        _, by, command = journal[0]
        self.draws = Draws(terms, state.game.package, by, command)
        self.number = 0  # of the next draw
        self.source = Source(b"", b"")  # of the draw at hand
        self.at = 0  # the entry of the journal
        self.steps: list[tuple[int, str, int]] = []  # of the match as it stands, with their entries
        self.marks: list[tuple[int, int]] = []  # the same as ids, without what is to be hidden
        self.shown: set[int] = set()  # entries of draws that everyone may know
        self.signed: set[int] = set()  # entries of moves that brought a token
        self.undone = 0  # stretches that were undone
        self.undone_draws = 0
        realtime = state.game.package.realtime
        self.sealing = realtime is not None and not terms.alone  # every move is sealed first
        self.sealed: dict[int, Step] = {}
        self.expected: deque[Step] = deque()  # sealed moves that take effect next, in their order
        self.round = 0

    def run(self) -> None:
        """RecordError names the entry that is impossible."""
        for at, entry in enumerate(self.journal):
            self.at = at
            if at:
                self._take(*entry)
        if self.state.actors != (CHANCE,):  # otherwise the record was cut off in the middle of a deal
            self._check_opened()
        self._note_shown()

    def _take(self, kind: str, *rest: Any) -> None:
        match kind:
            case "draw":
                self._draw(*rest)
            case "move":
                step = Step(*rest)
                self._check_order(step)
                self._step(step.seat, step.text)
                if self.draws.moved(step.seat, step.command):
                    self.signed.add(self.at)
            case "seal":
                self._seal(Step(*rest))
            case "open":
                self._open(*rest)
            case "roll":
                self._roll(*rest)
            case "undo":
                self._undo(*rest)
            case "promise":
                pass
            case _:
                raise self.error(f"nothing is called {kind}")

    def error(self, why: str) -> RecordError:
        return RecordError(f"the record's proof is broken at entry {self.at} of its journal: {why}")

    @property
    def hidden_text(self) -> str:
        """What a record says of a card that was never shown."""
        assert self.redaction
        fresh = self.state.game.start(manual=True)
        return fresh.format(CHANCE, self.redaction.UNSEEN)

    # What a subclass looks at

    def drawn(self, text: str, place: Place | None) -> None:
        """A draw, before it is applied; `self.source` is what it was made from."""

    def ordered(self, order: Sequence[int]) -> None:
        """Sealed moves are opened in this order."""

    # Entries

    def _draw(self, text: str, *named: int | str) -> None:
        if self.state.actors != (CHANCE,):
            raise self.error(f"it is not time to draw {text}")
        self.source = self.draws.source(self.state.position, self.number)
        try:
            place = self.draws.drew(self.state.position, self.number)
        except ValueError as error:
            raise self.error(str(error)) from None
        if named != deck_or_label(place, self.source, self.draws.numbered):
            raise self.error(f"{text} comes from another deck, or was drawn for something else")
        self.drawn(text, place)
        self.number += 1
        self._step(CHANCE, text)

    def _step(self, seat: int, text: str) -> None:
        state = self.state
        action = self._admit(seat, text)
        before = state.position.copy() if self.redaction else None
        state.apply(seat, action)
        self.steps.append((seat, text, self.at))
        if self.redaction:
            hidden = seat == CHANCE and action == self.redaction.UNSEEN
            self.marks.append((seat, STAND_IN_CARD if hidden else action))
            self.redaction.redact(before, state.position, self.marks)

    def _admit(self, seat: int, text: str) -> int:
        try:
            return self.state.admit(seat, text)
        except IllegalMove as error:
            raise self.error(f"{text} cannot be played: {error}") from None

    def _note_shown(self) -> None:
        """Which draws everyone has seen, or will see, in the match as it stands."""
        if not self.redaction:
            return
        marks = list(self.marks)
        self.redaction.redact_unfinished(self.state.position, marks)
        for (_, _, at), (_, action) in zip(self.steps, marks, strict=True):
            if action != self.redaction.UNSEEN:
                self.shown.add(at)

    def _undo(self, seat: int, to: int, _: str) -> None:
        if self.state.game.facts.realtime:
            raise self.error("nothing can be undone where everyone plays at once")
        if not 0 <= to < len(self.steps) or self.steps[to][0] != seat:
            raise self.error(f"seat {seat} made no move at step {to} that could be undone")
        self._note_shown()
        self.undone += 1
        self.undone_draws += sum(who == CHANCE for who, _, _ in self.steps[to:])
        kept, at = self.steps[:to], self.at
        self.state = self.state.game.start(manual=True)
        self.steps, self.marks, self.sealed = [], [], {}
        for who, text, self.at in kept:
            self._step(who, text)
        self.at = at
        self.draws.undone(to)
        self.expected.clear()

    def _roll(self, seat: int, command: str) -> None:
        if int(self.state.game.package.thrower(self.state.position)) != seat:
            raise self.error(f"seat {seat} had no dice to throw")
        self.draws.tokens.add(seat, command)

    # Sealed moves

    def _seal(self, step: Step) -> None:
        self._check_opened()
        if not self.sealing:
            raise self.error("no moves are sealed in this match")
        if step.seat in self.sealed:
            raise self.error(f"seat {step.seat} sealed two moves")
        self._admit(step.seat, step.text)
        self.sealed[step.seat] = step
        self.draws.tokens.add(step.seat, step.command)

    def _open(self, order: Sequence[int]) -> None:
        self._check_opened()
        if not self.sealed or not set(self.state.actors) <= set(self.sealed):
            raise self.error("moves were opened before everyone had sealed one")
        if sorted(order) != sorted(self.sealed):
            raise self.error("the order of sealed moves is not that of those who sealed one")
        self.ordered(order)
        self.number += 1
        self.draws.openings += 1
        self.expected = deque(self.sealed[seat] for seat in order)
        self.sealed = {}
        self.round = self._round()

    def _check_order(self, step: Step) -> None:
        """Check that moves take effect as they were sealed, in the order drawn."""
        if self.sealing and step != self._next_opened():
            raise self.error("it is not the sealed move whose turn it was")

    def _check_opened(self) -> None:
        """Check that no sealed move was left out."""
        left = self._next_opened()
        if left is not None:
            raise self.error(f"the move that seat {left.seat} had sealed did not take effect")

    def _next_opened(self) -> Step | None:
        """The next of the opened moves that takes effect, as what it has become by now."""
        while self.expected and self._round() == self.round and not self.state.over:
            sealed = self.expected.popleft()
            move = move_when_opened(self.state, sealed.seat, sealed.text)
            if move is not None:
                return Step(sealed.seat, move, sealed.command)
        self.expected.clear()
        return None

    def _round(self) -> int:
        realtime = self.state.game.package.realtime
        return realtime.round_of(self.state.position) if realtime else 0


def final_moves(steps: Iterable[tuple[int, str, int]], journal: Sequence[Entry]) -> list[tuple[int, str]]:
    """The moves and draws of a match without what was undone, as its journal tells them."""
    return [(seat, journal[at][1] if seat == CHANCE else text) for seat, text, at in steps]
