"""What the tests of the plain referees share: which matches, what chance may do, trees by a referee."""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterable, Iterator
from typing import Any, Protocol, TypeVar

import pytest

import ninefold as nf
from ninefold.testkit.trees import Level
from support.golden import COUNTS, read_counts

in_blocks = pytest.mark.parametrize("block", range(6))
MANY = range(1_000, 11_000)


def seeds_of(block: int) -> range:
    return range(50 * block, 50 * (block + 1))


def counted_trees(name: str) -> pytest.MarkDecorator:
    """For each line-up in a game's file of counts: the game, and its levels from depth 0."""
    return pytest.mark.parametrize(
        ("game", "levels"),
        [entry for path in COUNTS if path.stem == name for entry in read_counts(path)],
        ids=lambda part: f"{part.players} players" if isinstance(part, nf.Game) else "",
    )


def weights(state: nf.State) -> dict[str, int]:
    """What chance may do now, in words, with its weights."""
    outcomes, numbers = state.outcomes()
    return {
        state.format(nf.CHANCE, outcome): weight for outcome, weight in zip(outcomes, numbers, strict=True)
    }


class Result(Protocol):
    """What every referee can say of a match."""

    turns: int

    @property
    def over(self) -> bool: ...

    @property
    def scores(self) -> list[int]: ...

    @property
    def winners(self) -> list[int]: ...


def same_result(state: nf.State, game: Result) -> None:
    assert state.over == game.over
    assert state.scores == game.scores
    assert state.winners == game.winners
    assert state.turns == game.turns


class Referee(Result, Protocol):
    """One whose tree can be counted."""

    def chance(self) -> dict[str, int]: ...


R = TypeVar("R", bound=Referee)


def copies(game: R, steps: Iterable[str], step: Callable[[R, str], Any]) -> Iterator[R]:
    """The position after each of some steps."""
    for text in steps:
        after = copy.deepcopy(game)
        step(after, text)
        yield after


def count(
    game: R,
    levels: list[Level],
    decides: Callable[[R], object],
    following: Callable[[R], Iterable[R]],
    depth: int = 0,
) -> None:
    """What `trees.count` does, by a plain referee."""
    level = levels[depth]
    level.ends += game.over
    level.chance += bool(game.chance())
    level.decisions += bool(decides(game))
    if depth + 1 < len(levels):
        for after in following(game):
            count(after, levels, decides, following, depth + 1)
