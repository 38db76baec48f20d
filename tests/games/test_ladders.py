"""Every game's ladder: in no line-up of its panel do weaker bots win more than their even share.

The same check for all games, with fixed seeds. A line-up fails where chance is no explanation.
"""

from __future__ import annotations

import pytest

import ninefold as nf
from ninefold.engine import registry
from ninefold.model.panel import LEVELS
from ninefold.simulation.panel import faults, meetings, panel_of
from ninefold.simulation.tournament import play

MORE = 8  # times as many games as in the sample


@pytest.mark.parametrize("game", nf.games())
def test_a_panel_names_bots_and_tables_that_there_are(game: str) -> None:
    panel, sheet = registry.panel(game), registry.facts(game)
    bots = [bot.name for bot in sheet.bots]
    assert panel.levels == tuple(level for level in LEVELS if level in bots)
    assert sheet.usual_players in panel.tables[:2]
    assert all(sheet.players[0] <= players <= sheet.players[1] for players in panel.tables)
    for rival, least in panel.rivals.items():
        assert rival.partition(":")[0] in bots and least in panel.levels
    numbers = {bot.name: bot.number for bot in sheet.bots}
    for rival in (*panel.rivals, *panel.exploiters):  # strategies of their own, not other names for levels
        assert numbers[rival.partition(":")[0]] not in {numbers[level] for level in panel.levels}
        assert rival not in panel.exploiters or rival not in panel.rivals


@pytest.mark.parametrize("game", nf.games())
def test_the_ladder_holds_in_a_sample_of_the_panel(game: str) -> None:
    panel = panel_of(game)
    mixed = [table for players in panel.tables[:2] for table in panel.mixed_tables(players)]
    lineups = list(dict.fromkeys([*meetings(game, small=True), *mixed]))
    found = play(game, lineups, panel.sample, seed=20, threads=1, options=panel.options)
    assert faults(panel, found) == []


@pytest.mark.soak
@pytest.mark.parametrize("game", nf.games())
def test_the_ladder_holds_in_the_whole_panel(game: str) -> None:
    panel = panel_of(game)
    found = play(game, meetings(game), MORE * panel.sample, seed=21, options=panel.options)
    assert faults(panel, found) == []
