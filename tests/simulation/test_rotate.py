"""Simulations with rotated seats: everyone sits everywhere equally often, and results are those of bots."""

from __future__ import annotations

import json
from itertools import pairwise
from typing import Any

import pytest

import ninefold as nf
from ninefold.engine.bots import SeatedBots
from ninefold.simulation.run import chunks

BOTS = ["hard", "medium", "threshold:400"]


def first_mover(view: Any, moves: Any, rng: Any) -> str:
    return str(moves[0])


def figures(result: nf.Result) -> dict[str, Any]:
    return {key: value for key, value in result.to_dict().items() if key not in ("seconds", "threads")}


@pytest.mark.parametrize(("games", "turns"), [(1, 4), (7, 4), (64, 3), (1_000, 3), (100_001, 2), (9, 200)])
def test_every_game_is_played_once_and_turns_alternate(games: int, turns: int) -> None:
    parts = list(chunks(games, turns))
    counts = [sum(part.size for part in parts if part.turn == turn) for turn in range(turns)]
    assert counts == [len(range(turn, games, turns)) for turn in range(turns)]
    numbers = sorted((part.first, part.first + part.size) for part in parts)
    assert all(end <= start for (_, end), (start, _) in pairwise(numbers))


def test_the_games_are_those_of_plain_simulations_with_the_bots_moved_up() -> None:
    """Played again one by one, at every turn of the table."""
    game = nf.make("baseball", players=3)
    bots = ["hard", "easy", "random"]
    wins, points = [0.0] * 3, [0.0] * 3
    for part in chunks(30, 3):
        seated = [bots[(seat - part.turn) % 3] for seat in range(3)]
        for number in range(part.first, part.first + part.size):
            state = game.start(seed=4, number=number)
            SeatedBots(game, seated, 4, number).play_out(state, 1_000)
            for seat in range(3):
                points[(seat - part.turn) % 3] += state.scores[seat] / 30
            for seat in state.winners:
                wins[(seat - part.turn) % 3] += 1 / len(state.winners)
    for threads in (1, 2):
        result = nf.simulate("baseball", bots, games=30, seed=4, rotate=True, threads=threads)
        assert result.bots == bots and result.rotated
        assert result.wins == pytest.approx(wins)
        assert [score.mean for score in result.scores] == pytest.approx(points)


def test_python_bots_are_moved_as_well() -> None:
    mixed = nf.simulate("doubles", [first_mover, "easy"], games=20, seed=3, rounds=2, rotate=True)
    compiled = nf.simulate("doubles", ["never", "easy"], games=20, seed=3, rounds=2, rotate=True)
    assert mixed.wins == compiled.wins
    assert [score.quantiles for score in mixed.scores] == [score.quantiles for score in compiled.scores]


def test_rotation_takes_the_advantage_of_a_seat_away() -> None:
    """Equal bots in Baseball: the first seat wins far more than the last one, each bot the same."""
    plain = nf.simulate("baseball", ["hard"], games=6_000, seed=1, players=4)
    turned = nf.simulate("baseball", ["hard"], games=6_000, seed=1, players=4, rotate=True)
    assert plain.share(0) - plain.share(3) > 0.04
    assert max(abs(turned.share(bot) - 0.25) for bot in range(4)) < 0.02


def test_rotated_results_do_not_depend_on_threads() -> None:
    results = [
        nf.simulate("doubles", BOTS, games=2_000, seed=9, rotate=True, threads=threads) for threads in (1, 3)
    ]
    assert figures(results[0]) == figures(results[1])
    assert figures(results[0]) != figures(nf.simulate("doubles", BOTS, games=2_000, seed=9))


def test_a_table_of_rotated_results_has_no_seats() -> None:
    turned = nf.simulate("doubles", BOTS, games=300, seed=1, rotate=True)
    assert "Seats rotated" in turned.table() and "seat  bot" not in turned.table()
    assert json.loads(turned.json())["rotated"] is True
    plain = nf.simulate("doubles", BOTS, games=300, seed=1)
    assert "seat  bot" in plain.table() and json.loads(plain.json())["rotated"] is False


def test_a_result_as_columns() -> None:
    """What pandas and polars take: lists of one length, plain values."""
    result = nf.simulate("doubles", BOTS, games=300, seed=1, rotate=True)
    columns = result.to_frame()
    assert {len(column) for column in columns.values()} == {3}
    assert columns["bot"] == BOTS and columns["wins"] == result.wins
    assert columns["share"] == [result.share(bot) for bot in range(3)]
    assert columns["score_0.5"] == [score.median for score in result.scores]
    json.dumps(columns, allow_nan=False)
    assert json.loads(result.json()) == json.loads(json.dumps(result.to_dict(), default=float))
    nothing = nf.simulate("doubles", BOTS, games=3, seed=1, limit=1)
    assert nothing.to_frame()["score_mean"] == [None] * 3
