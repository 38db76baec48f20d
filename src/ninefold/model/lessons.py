"""Lessons: positions that teach a game by playing it. Plain data, for any surface.

The learner sits at `seat`; the others are called as in `seat_names`, so that a text can speak of Ada.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from typing import Annotated

from msgspec import Meta, Struct

from ninefold.kernel.fields import CHANCE
from ninefold.model.events import Beat
from ninefold.model.text import Text
from ninefold.model.view import View

OTHERS = ("Ada", "Bo", "Cleo", "Dex", "Esme", "Fitz", "Gus", "Hana", "Inka")  # from the learner's left on


@dataclass(frozen=True)
class Lesson:
    """A position, what it teaches, and what to do in it."""

    title: str
    text: str
    task: str
    after: str  # shown when it is solved
    answers: tuple[str, ...] = ()  # the moves that solve it, `*` for any ending; without any, every move does
    steps: tuple[str, ...] = ()  # to the position: `roll 3 4` is chance, `1: stay` is seat 1
    shown: int = 0  # how many of these steps are played before the learner's eyes
    then: tuple[str, ...] = ()  # the steps that follow a right answer
    clue: str = ""  # what is said after a wrong move
    wrong: Mapping[str, str] = field(default_factory=dict)  # by move: what is said instead
    seat: int = 0
    players: int = 2
    options: Mapping[str, object] = field(default_factory=dict)

    def solves(self, move: str) -> bool:
        """Whether a move is what the lesson is about."""
        return not self.answers or any(fnmatchcase(move, answer) for answer in self.answers)

    def explain(self, move: str) -> str:
        """What is said after a move that is possible, and not what the lesson is about."""
        said = (text for like, text in self.wrong.items() if fnmatchcase(move, like))
        return next(said, self.clue)

    def seat_names(self, learner: str) -> list[str]:
        """What the players are called."""
        return [
            OTHERS[(seat - self.seat) % self.players - 1] if seat != self.seat else learner
            for seat in range(self.players)
        ]


def script(steps: tuple[str, ...]) -> Iterator[tuple[int, str]]:
    """Steps as (seat, text)."""
    for step in steps:
        who, colon, text = step.partition(": ")
        yield (int(who), text) if colon else (CHANCE, step)


def deal(cards: str) -> tuple[str, ...]:
    """The steps that deal these cards one after another."""
    return tuple(f"deal {card}" for card in cards.split())


class LessonPage(Struct):
    """A lesson as it is sent: what is said, and the table, which `beats` lead to from `before`."""

    game: str
    number: int
    lessons: int  # how many the game has
    title: str
    text: str
    task: str
    names: list[str]  # of the players; the learner's is empty
    realtime: bool
    before: View
    beats: list[Beat]
    view: View
    answer: str  # a move that solves it
    clue: str


class LessonAnswer(Struct):
    """What comes of a move in a lesson. If it does not solve it, nothing has happened on the table."""

    solved: bool
    text: Text
    beats: list[Beat]
    view: View | None


class LessonMove(Struct, forbid_unknown_fields=True):
    """A learner's move."""

    move: Annotated[str, Meta(min_length=1, max_length=400)]
