"""Doubles' bots."""

from __future__ import annotations

import pytest

import ninefold as nf
from ninefold.engine.bots import SeatedBots
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
    "rival", ["wait:0", "wait:1", "wait:2", "wait:3", "wait:5", "threshold:400", "threshold:3000"]
)
def test_hard_beats_every_simple_plan(rival: str) -> None:
    result = nf.simulate("doubles", ["hard", rival], games=4_000, seed=3)
    assert result.share(0) > 0.65


def test_hard_plays_for_the_win_in_the_last_round() -> None:
    """Alone in, behind: any total that wins is taken at once, any that does not is played on."""
    for rival, expected in ((195, "cash out"), (225, "stay"), (1025, "stay")):
        state = begin(players=2, rounds=1)
        rolls(state, "3 4", "3 4", "3 4")
        state.position.scores[1] = rival
        seats.drop(state.position.inside, 1)
        seats.drop(state.position.undecided, 1)
        company = SeatedBots(state.game, ["hard", "never"], 1)
        company.slots[0].memory[0] = state.position.rolls
        assert state.format(0, int(company.choose(state, 0))) == expected


def test_hard_never_cashes_before_the_third_seven() -> None:
    result = nf.simulate("doubles", ["hard"] * 3, games=300, seed=1)
    assert result.tallies["rounds lost to a fourth seven"].mean > 0
    state = begin(players=2)
    company = SeatedBots(state.game, ["hard", "hard"], 1)
    roll(state, "6 6")
    for _ in range(30):
        all_stay(state)
        roll(state, "6 6")
    assert state.format(0, int(company.choose(state, 0))) == "stay"


def test_clones_do_not_tie() -> None:
    for bot in ("easy", "medium", "hard"):
        result = nf.simulate("doubles", [bot] * 4, games=400, seed=1)
        assert all(summary.mean > 0 for summary in result.scores), bot
        assert result.wins_squared[0] > 0.5 * result.wins[0], f"{bot} shares most wins"
