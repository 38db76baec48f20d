"""Where the chance of a hosted match comes from: a seed here, promised draws on a server (fairness/)."""

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
    """Makes the draws of a match, and is notified of everything that they may depend on."""

    def draw(self, state: Any, number: int) -> int:
        """The outcome of a draw, by its id."""
        ...

    def order(self, number: int, sealed: Sequence[Step]) -> list[int]:
        """The order in which sealed moves take effect: a draw, too."""
        ...

    def moved(self, step: Step) -> None:
        """A seat has moved."""
        ...

    def drew(self, state: Any, outcome: str, number: int) -> None:
        """A draw is about to be applied to the state, new or stored."""
        ...

    def sealed(self, step: Step) -> None:
        """A seat has sealed a move."""
        ...

    def opened(self, before: int, sealed: Sequence[Step], order: Sequence[int]) -> None:
        """Sealed moves were opened after `before` steps; their order was a draw."""
        ...

    def rolled(self, seat: int, command: str) -> None:
        """A seat has thrown the dice."""
        ...

    def undone(self, kept: int, gone: Sequence[Step], step: Step) -> None:
        """Steps were undone by agreement; `step` is the command that did it."""
        ...

    def copy(self) -> ChanceSource: ...


class ChanceBase:
    """A source that ignores what happens; subclasses override what their draws depend on."""

    def moved(self, step: Step) -> None:
        pass

    def drew(self, state: Any, outcome: str, number: int) -> None:
        pass

    def sealed(self, step: Step) -> None:
        pass

    def opened(self, before: int, sealed: Sequence[Step], order: Sequence[int]) -> None:
        pass

    def rolled(self, seat: int, command: str) -> None:
        pass

    def undone(self, kept: int, gone: Sequence[Step], step: Step) -> None:
        pass


class SeededChance(ChanceBase):
    """Chance from a seed: the same seed, the same match."""

    def __init__(self, seed: int, number: int = 0) -> None:
        self._stream = new_stream(seed, number, FOR_CHANCE)

    def stream(self) -> Any:
        return self._stream

    def draw(self, state: Any, number: int) -> int:  # noqa: ARG002 (one stream for all)
        return int(state.game.package.rules.sample(state.position, self.stream()))

    def order(self, number: int, sealed: Sequence[Step]) -> list[int]:  # noqa: ARG002
        return shuffled([step.seat for step in sealed], self.stream())

    def copy(self) -> SeededChance:
        other = type(self).__new__(type(self))
        other.__dict__.update(self.__dict__)
        other._stream = self._stream.copy()
        return other


def shuffled(seats: Iterable[int], stream: Any) -> list[int]:
    """Shuffle seats with a stream; all orders are equally likely."""
    order = sorted(seats)
    for last in range(len(order) - 1, 0, -1):
        other = int(below(stream, last + 1))
        order[last], order[other] = order[other], order[last]
    return order
