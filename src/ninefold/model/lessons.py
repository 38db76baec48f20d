"""Lessons: positions that teach a game by playing it. Plain data, for any surface."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from ninefold.kernel.fields import CHANCE


@dataclass(frozen=True)
class Lesson:
    """A position, what it teaches, and what to do in it."""

    title: str
    text: str
    task: str
    after: str  # shown when it is solved
    answers: tuple[str, ...] = ()  # the moves that solve it; if there are none, every move does
    steps: tuple[str, ...] = ()  # to the position: `roll 3 4` is chance, `1: stay` is seat 1
    clue: str = ""
    seat: int = 0
    players: int = 2
    options: Mapping[str, object] = field(default_factory=dict)

    @property
    def hint(self) -> str:
        """What is said after a wrong move."""
        return f"{self.clue} Type: {self.answers[0]}".strip() if self.answers else self.clue

    def script(self) -> Iterator[tuple[int, str]]:
        """The steps as (seat, text)."""
        for step in self.steps:
            who, colon, text = step.partition(": ")
            yield (int(who), text) if colon else (CHANCE, step)


def deal(cards: str) -> tuple[str, ...]:
    """The steps that deal these cards one after another."""
    return tuple(f"deal {card}" for card in cards.split())
