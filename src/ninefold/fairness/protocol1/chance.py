"""Promised chance: draws that depend on keys committed to beforehand and on everything players did.

A source of chance for a hosted match (engine/chance.py). It keeps the hash of all commands so far, and notes
the commands that are not moves of the record but affect its draws.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from ninefold.engine.chance import ChanceBase, Step, shuffled
from ninefold.fairness.protocol1 import promises
from ninefold.kernel.fields import CHANCE
from ninefold.kernel.stream import Stream


@dataclass(frozen=True)
class Unrecorded:
    """Commands that are not moves of the record but affect its draws.

    Joining and starting, moves that were undone by agreement, and sealed moves, whose `order` is a draw of
    its own.
    """

    before: int  # the step of the record they came before
    commands: tuple[Step, ...]
    draws: int = 0  # keys of draws that were undone are never shown
    order: tuple[int, ...] = ()

    def follow(self, history: bytes) -> bytes:
        for command in self.commands:
            history = promises.follow(history, *command)
        return history


class PromisedChance(ChanceBase):
    """Chance from a secret whose keys were committed to."""

    def __init__(self, secret: bytes, begun: Unrecorded) -> None:
        self.secret = secret  # empty if this server only reads what another has drawn
        self.history = begun.follow(promises.BEGINNING)
        self.unrecorded = [begun]

    def stream(self, number: int, sealed: Sequence[Step] = ()) -> Stream:
        history = Unrecorded(0, tuple(sealed)).follow(self.history) if sealed else self.history
        return promises.stream_of(promises.key_of(self.secret, number), history)

    def draw(self, state: Any, number: int) -> int:
        return int(state.game.package.rules.sample(state.position, self.stream(number)))

    def order(self, number: int, sealed: Sequence[Step]) -> list[int]:
        return shuffled([step.seat for step in sealed], self.stream(number, sealed))

    def moved(self, step: Step) -> None:
        self.history = promises.follow(self.history, *step)

    def opened(self, before: int, sealed: Sequence[Step], order: Sequence[int]) -> None:
        opening = Unrecorded(before, tuple(sealed), 1, tuple(order))
        self.history = opening.follow(self.history)
        self.unrecorded.append(opening)

    def undone(self, kept: int, gone: Sequence[Step], step: Step) -> None:
        """Everything undone from a step on, including earlier undone parts, in order."""
        inner = [one for one in self.unrecorded if one.before > kept]
        self.unrecorded = [one for one in self.unrecorded if one.before <= kept]
        commands: list[Step] = []
        draws = 0
        for at, one in enumerate([*gone, step], kept):
            for earlier in inner:
                if earlier.before == at:
                    commands += earlier.commands
                    draws += earlier.draws
            if one.seat == CHANCE:
                draws += 1
            else:
                commands.append(one)
        self.unrecorded.append(Unrecorded(kept, tuple(commands), draws))
        self.history = promises.follow(self.history, *step)

    def copy(self) -> PromisedChance:
        other = PromisedChance.__new__(PromisedChance)
        other.secret, other.history, other.unrecorded = self.secret, self.history, list(self.unrecorded)
        return other
