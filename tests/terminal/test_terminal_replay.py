"""A replay goes from one thing that a person is told to the next, in every game and from every seat."""

from __future__ import annotations

from typing import Any

import pytest

import ninefold as nf
from ninefold.engine.bots import SeatedBots
from ninefold.model.events import DECIDED
from ninefold.terminal.history_command import Replay, replay_record
from ninefold.terminal.margins import is_listed


def recorded(name: str, steps: int = 120) -> dict[str, Any]:
    """The record of some steps between medium bots."""
    state = nf.make(name).start(seed=4)
    bots = SeatedBots(state.game, ["medium"] * state.game.players, 4)
    while not state.over and len(state.record()["moves"]) < steps:
        bots.step(state)
    return state.record()


@pytest.mark.parametrize("name", nf.games())
def test_every_stop_of_a_replay_tells_something_and_nothing_is_left_out(name: str) -> None:
    replay = replay_record(recorded(name))
    for viewer in (None, 0):
        stops = replay.stops(viewer)
        assert stops[0] == 0 and stops[-1] == len(replay.moments)
        assert stops == sorted(set(stops))
        told = [at for at in range(1, stops[-1] + 1) if any(map(is_listed, replay.events(at, viewer)))]
        assert set(told) <= set(stops)
        assert set(stops[1:-1]) <= set(told)
        assert len(stops) < len(replay.moments)  # a deal is no move


def test_a_replay_does_not_stop_where_somebody_has_decided_in_secret() -> None:
    replay = replay_record(recorded("doubles"))
    kinds = [{event.kind for event in replay.events(at, None)} for at in replay.stops(None)[1:-1]]
    assert {DECIDED} not in kinds
    assert kinds[:4] == [{"roll"}, {"stay"}, {"roll"}, {"stay"}]


def test_the_stops_of_a_match_without_moves_are_its_beginning() -> None:
    record = nf.make("doubles").start(seed=4, manual=True).record()
    replay: Replay = replay_record(record)
    assert replay.stops(None) == [0]
