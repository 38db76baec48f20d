"""Finest 9's moves as text, and bad input."""

from __future__ import annotations

from typing import Any

import pytest

import ninefold as nf
from support.finest9 import HIGH, PLAINEST, chance, dealt, rolled


@pytest.mark.parametrize(
    "text",
    [
        "capture 7 9 9",
        "capture 9 7 9",
        "CAPTURE 9 9 7",
        "take 7 9 9",
        "c 7,9,9",
        "7 9 9",
        "799",
        " capture  7 9 9 ",
    ],
)
def test_spellings(text: str) -> None:
    state = rolled("7D 9S 9H KH QC 2S 3H 4D 5S", "3 4")
    state.play(0, text)
    assert state.steps[-1] == (0, 32)


@pytest.mark.parametrize(
    ("seat", "move", "error"),
    [
        (0, "jump", nf.Unreadable),
        (0, "", nf.Unreadable),
        (0, "capture", nf.Unreadable),
        (0, "capture 1X", nf.Unreadable),
        (0, "capture 7 JK", nf.Unreadable),
        (0, "roll 3 4", nf.Unreadable),
        (0, "capture 7 7 7 7 7", nf.Unreadable),
        (0, "capture 7S 7S", nf.Unreadable),
        (0, "capture 7", nf.IllegalMove),
        (0, "capture 2 3", nf.IllegalMove),
        (0, "capture 2 3 4", nf.IllegalMove),
        (0, "capture 9 9", nf.IllegalMove),
        (0, 113, nf.IllegalMove),
        (0, -1, nf.IllegalMove),
        (0, 0, nf.IllegalMove),
        (0, 32.0, nf.IllegalMove),
        (0, True, nf.IllegalMove),
        (0, None, nf.IllegalMove),
        (1, "capture 7 9", nf.NotYourTurn),
        (1, "capture 2 2 5", nf.NotYourTurn),
        (2, "capture 7 9", nf.IllegalMove),
        (nf.CHANCE, "roll 3 4", nf.NotYourTurn),
        (nf.CHANCE, "deal 7S", nf.NotYourTurn),
    ],
)
def test_bad_moves_change_nothing(seat: Any, move: Any, error: type[Exception]) -> None:
    state = rolled("7D 9S 9H KH QC 2S 3H 4D 5S", "3 4")
    before = state.tobytes(), state.steps
    with pytest.raises(error) as caught:
        state.play(seat, move)
    assert (state.tobytes(), state.steps) == before
    assert type(caught.value) is error and len(str(caught.value)) > 10


@pytest.mark.parametrize("outcome", ["roll 0 4", "roll 3", "7 8 9", "deal 7S", "capture 7 9", "", 21, 73, -1])
def test_bad_rolls_change_nothing(outcome: Any) -> None:
    state = dealt(*PLAINEST)
    before = state.tobytes()
    with pytest.raises(nf.IllegalMove):
        state.play(nf.CHANCE, outcome)
    assert state.tobytes() == before


@pytest.mark.parametrize("outcome", ["roll 3 4", "deal 2S", "deal 7", "deal JK", "deal 14H", 0, 25, 73])
def test_bad_deals_change_nothing(outcome: Any) -> None:
    state = dealt(*PLAINEST)
    chance(state, f"roll {HIGH}")
    before = state.tobytes()
    with pytest.raises(nf.IllegalMove):
        state.play(nf.CHANCE, outcome)
    assert state.tobytes() == before
