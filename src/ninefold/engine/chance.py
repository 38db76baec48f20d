"""Where the chance of a hosted match comes from: a seed here, promised keys on a server (fairness/)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple, Protocol

from ninefold.kernel.stream import FOR_CHANCE, below, new_stream


class Step(NamedTuple):
    """A move or an outcome of chance (seat CHANCE) as text, and the id of the command that made it."""

    seat: int
    text: str
    command: str = ""


class ChanceSource(Protocol):
    """Gives the random numbers of each draw, which may depend on what players did."""

    def stream(self, number: int, sealed: Sequence[Step] = ()) -> Any:
        """The random numbers of a draw; `sealed` are the moves whose order it draws, if any."""
        ...

    def moved(self, step: Step) -> None:
        """A seat has moved."""
        ...

    def opened(self, before: int, sealed: Sequence[Step], order: Sequence[int]) -> None:
        """Sealed moves were opened after `before` steps; their order was a draw."""
        ...

    def undone(self, kept: int, gone: Sequence[Step], step: Step) -> None:
        """Steps were undone by agreement; `step` is the command that did it."""
        ...

    def copy(self) -> ChanceSource: ...


class SeededChance:
    """Chance from a seed: the same seed, the same match."""

    def __init__(self, seed: int, number: int = 0) -> None:
        self._stream = new_stream(seed, number, FOR_CHANCE)

    def stream(self, number: int, sealed: Sequence[Step] = ()) -> Any:  # noqa: ARG002 (one stream for all)
        return self._stream

    def moved(self, step: Step) -> None:
        pass

    def opened(self, before: int, sealed: Sequence[Step], order: Sequence[int]) -> None:
        pass

    def undone(self, kept: int, gone: Sequence[Step], step: Step) -> None:
        pass

    def copy(self) -> SeededChance:
        other = SeededChance.__new__(SeededChance)
        other._stream = self._stream.copy()
        return other


def shuffled(seats: Iterable[int], stream: Any) -> list[int]:
    """Shuffle seats with a stream; all orders are equally likely."""
    order = sorted(seats)
    for last in range(len(order) - 1, 0, -1):
        other = int(below(stream, last + 1))
        order[last], order[other] = order[other], order[last]
    return order
