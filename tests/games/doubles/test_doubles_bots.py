"""Doubles' bots."""

from __future__ import annotations

import numpy as np
import pytest

import ninefold as nf
from ninefold.engine.bots import SeatedBots
from ninefold.game.doubles.habits import (
    HABITS,
    LEFT_IN,
    SCORES,
    counted,
    counts,
    learn,
    note,
    place_of,
)
from ninefold.kernel import seats
from support.doubles import all_stay, begin, roll, rolls


@pytest.mark.parametrize("players", [2, 4])
def test_each_level_beats_the_one_below(players: int) -> None:
    """With certainty: the margin is many times its interval."""
    for better, worse in (("hard", "medium"), ("medium", "easy"), ("easy", "random")):
        result = nf.simulate("doubles", [better, *[worse] * (players - 1)], games=4_000, seed=2)
        fair = 1 / players
        assert result.share(0) - fair > 5 * result.margin(0), f"{better} against {worse}: {result.share(0)}"


@pytest.mark.parametrize(
    ("rival", "least"),
    [
        *(
            ("wait:0", 0.9),
            ("wait:1", 0.85),
            ("wait:2", 0.85),
            ("wait:3", 0.8),
            ("wait:5", 0.75),
            ("wait:8", 0.6),
        ),
        *(("threshold:400", 0.9), ("threshold:3000", 0.7), ("medium", 0.86)),
    ],
)
def test_hard_beats_every_simple_plan(rival: str, least: float) -> None:
    result = nf.simulate("doubles", ["hard", rival], games=4_000, seed=3)
    assert result.share(0) > least, result.share(0)


@pytest.mark.parametrize(
    ("rival", "most"),
    [("random", 0.02), ("threshold:400", 0.25), *((f"wait:{wait}", 0.25) for wait in (*range(9), 10, 12))],
)
def test_simple_plans_do_not_win_their_share_among_three_hard(rival: str, most: float) -> None:
    """They won up to 99 % while copies of `hard` waited for each other."""
    result = nf.simulate("doubles", [rival, "hard", "hard", "hard"], games=8_000, seed=4)
    assert result.share(0) <= most, result.share(0)


@pytest.mark.parametrize("wait", [0, 3, 5, 6, 8, 10, 12])
def test_expert_finds_out_how_long_a_rival_waits(wait: int) -> None:
    """With six waits and more it once won 72 %, because it could not tell them apart."""
    result = nf.simulate("doubles", ["expert", f"wait:{wait}"], games=1_500, seed=5)
    assert result.share(0) > 0.9, result.share(0)


def test_hard_plays_for_the_win_in_the_last_round() -> None:
    """Alone in, behind: any total that wins is taken at once, any that does not is played on."""
    for rival, expected in ((195, "cash out"), (225, "stay"), (1025, "stay")):
        state = begin(players=2, rounds=1)
        rolls(state, "3 4", "3 4", "3 4")
        state.position.scores[1] = rival
        seats.drop(state.position.inside, 1)
        seats.drop(state.position.undecided, 1)
        players = SeatedBots(state.game, ["hard", "never"], 1)
        players.slots[0].memory[0] = state.position.rolls
        assert state.format(0, int(players.choose(state, 0))) == expected


def test_hard_never_cashes_before_the_third_seven() -> None:
    result = nf.simulate("doubles", ["hard"] * 3, games=300, seed=1)
    assert result.tallies["rounds lost to a fourth seven"].mean > 0
    state = begin(players=2)
    players = SeatedBots(state.game, ["hard", "hard"], 1)
    roll(state, "6 6")
    for _ in range(30):
        all_stay(state)
        roll(state, "6 6")
    assert state.format(0, int(players.choose(state, 0))) == "stay"


def test_clones_do_not_tie() -> None:
    for bot in ("easy", "medium", "hard"):
        result = nf.simulate("doubles", [bot] * 4, games=400, seed=1)
        assert all(summary.mean > 0 for summary in result.scores), bot
        assert result.wins_squared[0] > 0.5 * result.wins[0], f"{bot} shares most wins"


@pytest.mark.parametrize("players", [2, 3, 4])
def test_patience_does_not_beat_experts(players: int) -> None:
    """It once won 60 % against one of them, 41 % against two, and 32 % against three."""
    result = nf.simulate("doubles", ["patience", *["expert"] * (players - 1)], games=2_000, seed=3)
    assert result.share(0) < 1 / players, result.share(0)


@pytest.mark.parametrize("bot", ["hard", "expert"])
def test_copies_do_not_wait_for_each_other_for_ever(bot: str) -> None:
    for players in (2, 4):
        result = nf.simulate("doubles", [bot] * players, games=1_000, seed=1)
        assert sum(result.wins_squared) > 0.95 * result.games  # without points all would share the win


def test_bots_note_whether_a_rival_scored_after_they_had_cashed_out() -> None:
    """The bot at seat 0 cashes out at 225; seat 1 goes on to 450 and seat 2 to the fourth seven."""
    state = begin(players=3)
    rolls(state, "3 4", "3 4", "3 4")
    memory = np.zeros(32, np.int64)
    learn(state.position, 0, 0, memory)
    for seat, move in enumerate(("cash out", "stay", "stay")):
        state.play(seat, move)
    roll(state, "1 1")
    state.play(1, "cash out")
    state.play(2, "stay")
    rolls(state, "3 4")
    learn(state.position, 0, -1, memory)
    assert [memory[HABITS + rival] >> LEFT_IN & 255 for rival in (1, 2)] == [0x11, 0x01]


@pytest.mark.parametrize(("players", "told_apart"), [(2, True), (6, True), (7, False)])
def test_bots_tell_long_waits_apart_at_small_tables(players: int, told_apart: bool) -> None:
    memory = np.zeros(32, np.int64)
    last = players - 1
    for late in range(9):
        note(memory, last, place_of(late, players), late == 8)
    assert counts(memory, last, place_of(8, players)) == ((1, 1) if told_apart else (4, 1))
    assert counts(memory, last, place_of(4, players)) == (1, 0)
    assert counted(memory, last, players) == (9, 1)
    assert not memory[SCORES:].any() and (memory[HABITS:SCORES] != 0).sum() == (2 if told_apart else 1)
    for _ in range(20):
        for late in range(14):
            note(memory, last, place_of(late, players), True)
    assert counted(memory, last, players)[0] == 15 * (14 if told_apart else 6)
