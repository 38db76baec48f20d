"""9 of a Kind: its options, its laws, moves as text, and bad input."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import ninefold as nf
from ninefold.testkit import check
from support.nine_hands import (
    at_table,
    begin,
    shuffled_hands,
    totals,
)


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"target": 0}, "option target is a whole number from 1"),
        ({"target": "lots"}, "option target is a whole number"),
        ({"target": 10**9}, "option target is a whole number"),
        ({"chicken": "maybe"}, "option chicken is on or off"),
        ({"forfeit": "half"}, "option forfeit is free or counts"),
        ({"unison": 2}, "no option 'unison'"),
        ({"pace": "pulse"}, "no option 'pace'"),
    ],
)
def test_bad_options_are_refused(options: dict[str, Any], sentence: str) -> None:
    with pytest.raises(nf.RuleError, match=sentence):
        nf.make("nine_of_a_kind", **options)


def test_options_in_words() -> None:
    game = nf.make("nine_of_a_kind", target="500", chicken="on", forfeit="COUNTS")
    assert game.options == {"target": 500, "chicken": True, "forfeit": "counts"}
    assert nf.make("nine_of_a_kind").options == {"target": 300, "chicken": False, "forfeit": "free"}


@pytest.mark.parametrize(
    ("players", "options"),
    [(6, {"chicken": True, "forfeit": "counts", "target": 60})],
)
def test_laws(players: int, options: dict[str, Any]) -> None:
    check(nf.make("nine_of_a_kind", players=players, **options), matches=1, seed=50)


def test_a_dealt_hand_as_the_page_says() -> None:
    """27.5 points and 18 parcels on average."""
    points, moves = [], []
    for seed in range(150):
        state = shuffled_hands(seed)
        points += totals(state)
        moves += [len(state.moves(seat)) - 3 for seat in range(5)]
    assert np.mean(points) == pytest.approx(27.5, abs=0.9) and np.mean(moves) == pytest.approx(18, abs=0.7)


@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        ("offer 7S 7H", "offer 7S 7H"),
        ("OFFER 7h 7s", "offer 7S 7H"),
        ("offer 7♥ 7♠", "offer 7S 7H"),
        ("o 7S7H", "offer 7S 7H"),
        ("offer 7S, 7H", "offer 7S 7H"),
        ("answer 1 7S", "answer 1 7S"),
        ("a 1 7s", "answer 1 7S"),
        ("9 of a Kind!", "claim nine"),
        ("nine", "claim nine"),
        ("Claim  Nine", "claim nine"),
        ("Blocked!", "claim blocked"),
        ("pass", "wait"),
        ("  wait ", "wait"),
    ],
)
def test_spellings(text: str, canonical: str) -> None:
    state = at_table()
    state.play(1, "offer 9R")
    state.play(0, text)
    assert state.format(*state.steps[-1]) == canonical


@pytest.mark.parametrize(
    ("seat", "move", "error"),
    [
        (0, "jump", nf.Unreadable),
        (0, "", nf.Unreadable),
        (0, "offer 7Z", nf.Unreadable),
        (0, "offer 7", nf.Unreadable),
        (0, "offer 10S", nf.Unreadable),
        (0, "offer JK", nf.Unreadable),
        (0, "offer 7S 7S", nf.Unreadable),
        (0, "answer", nf.Unreadable),
        (0, "answer 7S", nf.Unreadable),
        (0, "answer Bob 7S", nf.Unreadable),
        (0, "deal 7S", nf.Unreadable),
        (0, "claim", nf.Unreadable),
        (0, 22_415, nf.IllegalMove),
        (0, -1, nf.IllegalMove),
        (0, 1.5, nf.IllegalMove),
        (0, True, nf.IllegalMove),
        (0, None, nf.IllegalMove),
        (5, "wait", nf.IllegalMove),
        (nf.CHANCE, "deal 7S", nf.NotYourTurn),
    ],
)
def test_bad_moves_change_nothing(seat: Any, move: Any, error: type[Exception]) -> None:
    state = at_table()
    before = state.tobytes(), state.steps
    with pytest.raises(error) as caught:
        state.play(seat, move)
    assert (state.tobytes(), state.steps) == before
    assert type(caught.value) is error and len(str(caught.value)) > 10


@pytest.mark.parametrize("outcome", ["deal AR", "deal 7", "roll 3 4", "deal 10S", "", 0, 81, -1])
def test_bad_deals_change_nothing(outcome: Any) -> None:
    state = begin()
    state.play(nf.CHANCE, "deal AR")
    before = state.tobytes()
    with pytest.raises(nf.IllegalMove):
        state.play(nf.CHANCE, outcome)
    assert state.tobytes() == before
