"""Which bots meet whom: the line-ups of a tournament, and those of a panel. Names only; nothing is played."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations, islice, permutations

from ninefold.model.panel import Panel

Lineup = tuple[str, ...]
MIXED = 12  # mixed tables of one size, at most


def tournament(bots: Sequence[str], tables: Sequence[int]) -> list[Lineup]:
    """Everyone against everyone: pairs, and at larger tables one among others alike, and mixed tables."""
    found: list[Lineup] = []
    for players in tables:
        if players == 2:
            found += combinations(bots, 2)
        else:
            found += (alone(one, other, players) for one, other in permutations(bots, 2))
            found += mixed(bots, players)
    return list(dict.fromkeys(found))


def panel(panel: Panel, small: bool = False) -> list[Lineup]:
    """The line-ups of a panel; the small sample has neighbours only, and the first two sizes of tables."""
    found: list[Lineup] = []
    for players in panel.tables[:2] if small else panel.tables:
        for weak, strong in pairs(panel, small):
            found += [alone(weak, strong, players), alone(strong, weak, players)]
            if players > 3 and not small:
                found.append((weak, strong) * (players // 2) + (weak,) * (players % 2))
        if players > 2:
            found += mixed(panel.levels, players)
        if not small:
            found += panel.mixed_tables(players)
    return list({tuple(sorted(lineup)): lineup for lineup in found}.values())


def pairs(panel: Panel, neighbours: bool) -> Iterator[tuple[str, str]]:
    """Who has to be weaker than whom."""
    yield from (
        (weak, strong)
        for at, weak in enumerate(panel.levels)
        for strong in panel.levels[at + 1 : at + 2 if neighbours else None]
    )
    for rival, least in panel.rivals.items():
        first = panel.levels.index(least)
        yield from ((rival, strong) for strong in panel.levels[first : first + 1 if neighbours else None])


def alone(one: str, other: str, players: int) -> Lineup:
    """One bot among others alike."""
    return (one, *[other] * (players - 1))


def mixed(bots: Sequence[str], players: int) -> list[Lineup]:
    """Tables with as many kinds as possible; the strongest sit twice where bots are too few."""
    if len(bots) < 3:
        return []
    if len(bots) >= players:
        return list(islice(combinations(bots, players), MIXED))
    twice = players - len(bots)
    return [tuple(bots) + tuple(bots[-1 - at % len(bots)] for at in range(twice))]
