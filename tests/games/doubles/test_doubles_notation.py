"""Doubles' moves as text, bad input, and standing orders."""

from __future__ import annotations

from typing import Any

import pytest

import ninefold as nf
from ninefold.game.doubles import rules
from ninefold.model.view import obey
from support.doubles import all_stay, begin, roll, rolls


@pytest.mark.parametrize("text", ["stay", "STAY", " stay ", "s", "wait", "stay in"])
def test_spellings_of_stay(text: str) -> None:
    state = begin()
    roll(state, "1 2")
    state.play(0, text)
    assert state.steps[-1] == (0, rules.STAY)


@pytest.mark.parametrize("text", ["cash out", "Cash Out", "cash", "c", "out", "cash  out", "cashout"])
def test_spellings_of_cash_out(text: str) -> None:
    state = begin()
    roll(state, "1 2")
    state.play(0, text)
    assert state.steps[-1] == (0, rules.CASH_OUT)


@pytest.mark.parametrize(
    ("seat", "move", "error"),
    [
        (0, "jump", nf.Unreadable),
        (0, "", nf.Unreadable),
        (0, "roll 3 4", nf.Unreadable),
        (0, 2, nf.IllegalMove),
        (0, -1, nf.IllegalMove),
        (0, True, nf.IllegalMove),
        (0, 1.0, nf.IllegalMove),
        (0, None, nf.IllegalMove),
        (2, "stay", nf.IllegalMove),
        (-2, "stay", nf.IllegalMove),
        ("0", "stay", nf.IllegalMove),
        (nf.CHANCE, "roll 3 4", nf.NotYourTurn),
    ],
)
def test_bad_moves_change_nothing(seat: Any, move: Any, error: type[Exception]) -> None:
    state = begin()
    roll(state, "1 2")
    before = state.tobytes(), state.steps
    with pytest.raises(error):
        state.play(seat, move)
    assert (state.tobytes(), state.steps) == before


@pytest.mark.parametrize(
    "outcome", ["roll 0 4", "roll 3", "roll 7 7", "7", "end", "go on", "stay", "", 21, 23, -1]
)
def test_bad_chance_changes_nothing(outcome: Any) -> None:
    state = begin()
    before = state.tobytes()
    with pytest.raises(nf.IllegalMove):
        state.play(nf.CHANCE, outcome)
    assert state.tobytes() == before


def test_chance_is_not_the_callers_unless_asked_for() -> None:
    state = nf.make("doubles", players=2).start(seed=1)
    with pytest.raises(nf.NotYourTurn):
        state.play(nf.CHANCE, "roll 3 4")


def test_standing_orders() -> None:
    """Orders belong to the surfaces; the table model offers them and says what they would play."""
    state = begin()
    roll(state, "3 4")
    view = state.picture(0)
    until_third, cash_at, whole_round = view.orders
    assert obey(until_third, view) == "stay"
    assert obey(cash_at, view, 400) == "stay" and obey(cash_at, view, 75) == "cash out"
    assert obey(cash_at, view) is None, "no total was named"
    all_stay(state)
    rolls(state, "3 4", "3 4")
    view = state.picture(0)
    assert obey(until_third, view) is None, "the third seven: the person is asked again"
    assert obey(whole_round, view) == "stay"
    state.play(0, "stay")
    assert obey(whole_round, state.picture(0)) is None, "nothing more to say before the next roll"
