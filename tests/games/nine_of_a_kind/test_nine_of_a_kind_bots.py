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
    players = SeatedBots(state.game, ["random"] * 5, 3)
    moves = state.moves(0).actions
    drawn = [int(players.choose(state, 0)) for _ in range(200 * len(moves))]
    assert set(drawn) == set(moves)
    assert is_even([drawn.count(move) for move in moves])


@pytest.mark.parametrize("bot", ["easy", "medium", "hard", "expert"])
def test_bots_claim_what_they_have(bot: str) -> None:
    for mine, word in ((HEARTS, "claim nine"), (BLOCKER, "claim blocked")):
        state = dealt(mine)
        assert state.format(0, int(SeatedBots(state.game, [bot] * 5, 1).choose(state, 0))) == word
    state = dealt(HEARTS, SPADES)
    state.play(0, "claim nine")
    players = SeatedBots(state.game, [bot] * 5, 1)
    assert state.format(1, int(players.choose(state, 1))) == "claim nine"
    assert state.format(2, int(players.choose(state, 2))) == "wait"


@pytest.mark.parametrize(
    ("players", "games"), [(5, 120), *(pytest.param(n, 600, marks=pytest.mark.soak) for n in (5, 7, 9))]
)
def test_each_level_beats_the_one_below_but_not_always(players: int, games: int) -> None:
    """One among others alike wins more than its share, and no more than 85 % of games of two would be."""
    for better, worse in (("expert", "hard"), ("hard", "medium"), ("medium", "easy")):
        bots = [better, *[worse] * (players - 1)]
        result = nf.simulate("nine_of_a_kind", bots, games=games, seed=2, threads=1, rotate=True)
        assert result.unfinished == 0
        share, margin = result.share(0), result.margin(0)
        assert share - 1 / players > margin, f"{better}, {worse}: {share}"
        least = share - margin
        assert least / (1 - least) * (players - 1) < 85 / 15, f"{better}, {worse}: {share}"


def test_matches_end_at_tables_of_random_players() -> None:
    """Their false claims end nearly every round; whoever trades has to be quick."""
    for bot in ("easy", "medium", "hard", "expert"):
        result = nf.simulate("nine_of_a_kind", [bot, *["random"] * 4], games=6, seed=2, threads=1)
        assert result.unfinished == 0 and result.share(0) == 1, bot


@pytest.mark.parametrize("players", [5, 7, 9])
def test_bots_finish_rounds(players: int) -> None:
    for bot, most in (("easy", 700), ("medium", 500), ("hard", 300), ("expert", 300)):
        result = nf.simulate("nine_of_a_kind", [bot] * players, games=20, seed=4, threads=1)
        assert result.unfinished == 0
        rounds = result.tallies["rounds"].mean
        assert result.tallies["trades between players"].mean / rounds < most
        assert 3 <= rounds <= 25


def test_rounds_end_in_nine_of_a_kind_as_well_as_blocked() -> None:
    """At a table of `easy`; better players leave nobody the time for nine of a kind."""
    game = nf.make("nine_of_a_kind", players=5)
    endings = set()
    for number in range(20):
        state = game.start(seed=5, number=number)
        players = SeatedBots(game, ["easy"] * 5, 5, number)
        while state.position.round_number == 1:
            players.step(state)
        endings.add(int(state.position.ending))
        if len(endings) == 2:
            break
    assert endings == {rules.NINE, rules.BLOCKED}


@pytest.mark.soak
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
    players = SeatedBots(state.game, ["medium"] * 9, 1)
    out = np.empty((FACTS.spans, 2), np.int64)
    quickest = []
    for _ in range(30):
        for _ in range(5):
            players.step(state)
        ask_everyone(state.position, out, 1)
        runs = []
        for _ in range(5):
            start = time.perf_counter()
            ask_everyone(state.position, out, 20)
            runs.append(time.perf_counter() - start)
        quickest.append(min(runs) / 180)
    assert sum(quickest) / len(quickest) < 5e-6
