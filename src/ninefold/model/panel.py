"""Panels: whom a game's bots have to hold up against. Plain data; measuring is the simulation's business."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

LEVELS = ("random", "easy", "medium", "hard", "expert")  # weakest first; a game has some of them


@dataclass(frozen=True)
class Panel:
    """The bots and the sizes of tables at which a game's ladder is checked.

    The rule: of those who share a table, the weakest win no more than their even share, and the strongest no
    less. `rivals` are simple plans that people may have, and exploiters; each comes with the lowest level
    that is stronger than it. `exploiters` are known to beat a level, or come near to it: what they win is
    published, and the rule does not hold for them. Without `levels`, they are all that the game has; without
    `tables`, there are two players and the usual number.
    """

    levels: tuple[str, ...] = ()
    rivals: Mapping[str, str] = field(default_factory=dict)
    tables: tuple[int, ...] = ()
    options: Mapping[str, object] = field(default_factory=dict)
    sample: int = 150  # games of each line-up that are enough for a quick look
    remark: str = ""  # what is known about the top of the ladder
    exploiters: tuple[str, ...] = ()

    def weaker(self, one: str, other: str) -> bool:
        """Whether one bot has to be weaker than another."""
        if other not in self.levels or one == other:
            return False
        least = self.rivals.get(one)
        if least is not None:
            return self.levels.index(other) >= self.levels.index(least)
        return one in self.levels and self.levels.index(one) < self.levels.index(other)

    def mixed_tables(self, players: int) -> list[tuple[str, ...]]:
        """Mixed tables of four and more: the top three levels, with one of them again or with a rival."""
        top = [level for level in self.levels if level != "random"][-3:]
        if players < 4 or len(top) < 3:
            return []
        again = [(*top, *[level] * (players - 3)) for level in top]
        return again + [(rival, *top, *top[-1:] * (players - 4)) for rival in self.rivals]

    def weakest(self, bots: Iterable[str]) -> str | None:
        """The bot that has to be weaker than all others at a table, if there is one."""
        bots = set(bots)
        return next((one for one in bots if all(self.weaker(one, other) for other in bots - {one})), None)

    def strongest(self, bots: Iterable[str]) -> str | None:
        """The bot that has to be stronger than all others at a table, if there is one."""
        bots = set(bots)
        return next((one for one in bots if all(self.weaker(other, one) for other in bots - {one})), None)
