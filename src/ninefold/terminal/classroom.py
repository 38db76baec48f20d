"""A lesson as a table: its position is staged, and only what the lesson is about solves it.

Nothing of it is saved, and nobody else moves.
"""

# ruff: noqa: ARG002 (methods of Table, for one seat)

from __future__ import annotations

from msgspec.structs import replace

from ninefold.engine.advice import Advice
from ninefold.engine.game import Game
from ninefold.engine.lessons import answer, find_lesson, page, stage
from ninefold.engine.state import State
from ninefold.kernel.errors import IllegalMove
from ninefold.model.events import Event
from ninefold.model.text import render
from ninefold.model.view import View
from ninefold.terminal.seating import seat_of
from ninefold.terminal.table import Frame, Table, Viewer
from ninefold.terminal.wording import as_sentence


class Classroom(Table):
    """One lesson of a game. It is over when it is solved."""

    def __init__(self, game: str, number: int, learner: str) -> None:
        lesson = find_lesson(game, number)
        bots = [None if seat == lesson.seat else "medium" for seat in range(lesson.players)]
        seats = [seat_of(name, bot) for name, bot in zip(lesson.seat_names(learner), bots, strict=True)]
        super().__init__(Game(game, lesson.players, lesson.options), seats, 0, lambda _: None)
        self.lesson = lesson
        self.number = number
        self.staged = stage(game, number)
        self.after: View | None = None  # once it is solved
        self.events = [event for beat in self.staged.beats for event in beat.events]
        self.frames: list[Frame] = []

    @property
    def state(self) -> State:
        return self.staged.state

    @property
    def over(self) -> bool:
        return self.after is not None

    @property
    def awaited(self) -> list[int]:
        return [] if self.over else [self.lesson.seat]

    @property
    def next_bot(self) -> int | None:
        return None

    @property
    def realtime(self) -> bool:
        return False

    def view(self, viewer: Viewer) -> View:
        """The table as the learner sees it, with the lesson around it."""
        shown = page(self.game.name, self.number)
        view = self.after or shown.view
        where = f"{self.number} of {shown.lessons}: {shown.title}"
        says = self.lesson.after if self.over else f"{shown.text}\n{shown.task}"
        return replace(view, title=f"Learn {view.title}", phase=where, prompt=says)

    def log(self, viewer: Viewer) -> list[Event]:
        return list(self.events)

    def take_frames(self, viewer: Viewer) -> list[Frame]:
        frames, self.frames = self.frames, []
        return frames

    def skip_frames(self, viewer: Viewer) -> None:
        self.frames = []

    def obey(self, seat: int) -> bool:
        return False  # even the only move is the learner's

    def play(self, seat: int, move: str) -> None:
        """Answer with a move; IllegalMove explains one that is not what the lesson is about."""
        found = answer(self.game.name, self.number, move)
        if not found.solved:
            raise IllegalMove(f"Not quite. {as_sentence(render(found.text, self.names))}")
        self.after = found.view
        events = [event for beat in found.beats for event in beat.events]
        self.frames.append(Frame(events, self.view(seat)))

    def why_no_undo(self, seat: int) -> str | None:
        return "a lesson goes on"

    def hint(self, seat: int) -> Advice:
        """The answer, and what the lesson says to those who are wrong."""
        shown = page(self.game.name, self.number)
        return Advice(shown.answer, shown.clue, {}, 0)
