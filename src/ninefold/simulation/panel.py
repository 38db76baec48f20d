"""Checks a game's ladder: that no line-up of its panel turns it upside down.

The rule is in `model/panel.py`. A line-up breaks it only where chance is no explanation, because hundreds of
line-ups are looked at.
"""

from __future__ import annotations

from collections.abc import Sequence

from ninefold.engine import registry
from ninefold.model.panel import Panel
from ninefold.simulation import lineups
from ninefold.simulation.lineups import Lineup
from ninefold.simulation.tournament import Played, Tournament, levels, tables

DOUBT = 2.0  # halves of the 95 % interval by which a line-up has to miss its even share: one in 10,000 does


def panel_of(name: str) -> Panel:
    """A game's panel, without the levels that search, which take too long."""
    found = registry.panel(name)
    quick = tuple(level for level in found.levels or levels(name) if level in levels(name))
    return Panel(
        levels=quick,
        rivals={rival: least for rival, least in found.rivals.items() if least in quick},
        tables=found.tables or tables(registry.facts(name), None),
        options=found.options,
        sample=found.sample,
        remark=found.remark,
    )


def meetings(name: str, small: bool = False) -> list[Lineup]:
    """The line-ups of a game's panel."""
    return lineups.panel(panel_of(name), small)


def faults(panel: Panel, found: Tournament) -> list[str]:
    """The line-ups that turn the ladder upside down, each as a sentence."""
    sentences = []
    for one in found.played:
        if one.standings:
            sentences += [sentence for sentence in _faults(panel, one, found.by_score) if sentence]
    return sentences


def _faults(panel: Panel, one: Played, by_score: bool) -> Sequence[str]:
    bots = {standing.bot for standing in one.standings}
    if len(bots) < 2:
        return []
    sentences = []
    for bot, sign, word in ((panel.weakest(bots), 1, "more"), (panel.strongest(bots), -1, "less")):
        if bot is not None:
            edge, margin = one.edge(bot, by_score)
            if sign * edge > DOUBT * margin:
                amount = f"{edge:+.1f}" if by_score else f"{100 * edge:+.1f} points"
                sentences.append(f"{', '.join(one.bots)}: {bot} gets {word} than its even share ({amount})")
    return sentences
