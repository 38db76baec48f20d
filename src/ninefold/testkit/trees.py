"""Tree counts: how many positions of each kind there are at each depth, as chess engines count moves.

If several seats may act, only the first one moves, so that orders are not counted twice.
"""

from __future__ import annotations

from dataclasses import dataclass

from ninefold.engine.game import Game
from ninefold.engine.state import State
from ninefold.kernel.fields import CHANCE


@dataclass
class Level:
    """The positions at one depth."""

    chance: int = 0
    decisions: int = 0
    ends: int = 0


def count(game: Game, depth: int) -> list[Level]:
    """Positions at depths 0 to `depth`; every move and every outcome of chance is a step."""
    levels = [Level() for _ in range(depth + 1)]
    _count(game.start(manual=True), levels, 0)
    return levels


def _count(state: State, levels: list[Level], depth: int) -> None:
    level = levels[depth]
    if state.over:
        level.ends += 1
        return
    seat = state.actors[0]
    if seat == CHANCE:
        level.chance += 1
    else:
        level.decisions += 1
    if depth + 1 == len(levels):
        return
    for action in state.moves(seat).actions:
        after = state.copy()
        after.play(seat, action)
        _count(after, levels, depth + 1)
