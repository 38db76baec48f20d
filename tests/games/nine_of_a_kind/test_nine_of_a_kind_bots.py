"""9 of a Kind's bots, and how quickly its moves are listed."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import ninefold as nf
from ninefold.engine.bots import SeatedBots
from ninefold.game.nine_of_a_kind import FACTS
from ninefold.testkit.fairness import is_even
from support.nine_hands import (
    BLOCKER,
    HEARTS,
    SPADES,
    at_table,
    dealt,
    hand,
    rules,
    shuffled_hands,
)


def test_random_is_uniform_over_the_moves() -> None:
    state = at_table(chicken=True)
    for seat, move in (
        (0, "offer AS"),
        (1, "answer 0 9R"),
        (0, "offer 2S"),
        (1, "offer 5R 5P"),
        (2, f"offer {hand(state, 2)[0]}"),
    ):
        state.play(seat, move)
    company = SeatedBots(state.game, ["random"] * 5, 3)
    moves = state.moves(0).actions
    drawn = [int(company.choose(state, 0)) for _ in range(200 * len(moves))]
    assert set(drawn) == set(moves)
    assert is_even([drawn.count(move) for move in moves])


@pytest.mark.parametrize("bot", ["easy", "medium", "hard"])
def test_bots_claim_what_they_have(bot: str) -> None:
    for mine, word in ((HEARTS, "claim nine"), (BLOCKER, "claim blocked")):
        state = dealt(mine)
        assert state.format(0, int(SeatedBots(state.game, [bot] * 5, 1).choose(state, 0))) == word
    state = dealt(HEARTS, SPADES)
    state.play(0, "claim nine")
    company = SeatedBots(state.game, [bot] * 5, 1)
    assert state.format(1, int(company.choose(state, 1))) == "claim nine"
    assert state.format(2, int(company.choose(state, 2))) == "wait"


@pytest.mark.parametrize(("players", "games"), [(5, 60), (7, 60)])
def test_each_level_beats_the_one_below(players: int, games: int) -> None:
    """With certainty: the margin is many times its interval. Random tables end by Chicken! only."""
    levels: list[tuple[str, str, dict[str, Any]]] = [
        ("easy", "random", {"chicken": True}),
        ("medium", "easy", {}),
        ("hard", "medium", {}),
    ]
    for better, worse, options in levels:
        bots = [better, *[worse] * (players - 1)]
        result = nf.simulate("nine_of_a_kind", bots, games=games, seed=2, threads=1, **options)
        assert result.unfinished == 0
        assert result.share(0) - 1 / players > 2 * result.margin(0), f"{better}, {worse}: {result.share(0)}"


@pytest.mark.parametrize("players", [5, 7, 9])
def test_medium_and_hard_finish_rounds(players: int) -> None:
    for bot, most in (("medium", 700), ("hard", 300)):
        result = nf.simulate("nine_of_a_kind", [bot] * players, games=20, seed=4, threads=1)
        assert result.unfinished == 0
        rounds = result.tallies["rounds"].mean
        assert result.tallies["trades between players"].mean / rounds < most
        assert 3 <= rounds <= 25


def test_legal_is_quick() -> None:
    """A call takes well under 5 µs on average: the best of many short runs, for the machine may be busy."""
    import time

    import numba

    legal = rules.legal

    @numba.njit
    def ask_everyone(s: Any, out: Any, times: int) -> int:
        total = 0
        for _ in range(times):
            for seat in range(9):
                total += legal(s, seat, out)
        return total

    state = shuffled_hands(1, 9)
    company = SeatedBots(state.game, ["medium"] * 9, 1)
    out = np.empty((FACTS.spans, 2), np.int64)
    quickest = []
    for _ in range(30):
        for _ in range(5):
            company.step(state)
        ask_everyone(state.position, out, 1)
        runs = []
        for _ in range(5):
            start = time.perf_counter()
            ask_everyone(state.position, out, 20)
            runs.append(time.perf_counter() - start)
        quickest.append(min(runs) / 180)
    assert sum(quickest) / len(quickest) < 5e-6
