"""Baseball's bots, and what a simulation counts."""

from __future__ import annotations

from typing import Any

import pytest

import ninefold as nf
from ninefold.engine.bots import SeatedBots
from ninefold.engine.search import Laboratory


def duel(strong: str, weak: str, players: int, games: int) -> float:
    """The share of games that one strong bot wins against weak ones, its seat moving round the table."""
    won = 0.0
    for seat in range(players):
        seated = [strong if other == seat else weak for other in range(players)]
        result = nf.simulate("baseball", seated, games // players, seed=seat)
        assert result.unfinished == 0
        won += result.wins[seat]
    return won / (games // players * players)


@pytest.mark.parametrize(("strong", "weak"), [("easy", "random"), ("medium", "easy"), ("hard", "medium")])
@pytest.mark.parametrize("players", [2, 4])
def test_each_level_beats_the_one_below(strong: str, weak: str, players: int) -> None:
    games = 6_000 if strong == "hard" else 20_000
    even = 1 / players
    error = (even * (1 - even) / games) ** 0.5
    assert duel(strong, weak, players, games) > even + 8 * error


@pytest.mark.parametrize(
    ("bots", "options"),
    [
        (["medium"] * 4, {}),
        (["hard"] * 2, {}),
        (["random", "easy", "medium", "hard"], {}),
        (["hard", "medium", "hard", "medium", "easy"], {"decks": 1}),
        (["hard", "random"], {"decks": 16}),
        (["medium", "hard"], {"innings": 9}),
        (["hard", "medium", "easy"], {"turn_limit": 4, "innings": 2}),
        (["medium"] * 9, {"decks": 2}),
        (["random"] * 9, {}),
        (["hard", "hard", "random"], {"clear_jokers": False}),
    ],
)
def test_no_mix_of_bots_leaves_a_game_unfinished(bots: list[str], options: dict[str, Any]) -> None:
    games = 1_500 if "hard" in bots else 5_000
    result = nf.simulate("baseball", bots, games // (options.get("innings", 1)), seed=11, **options)
    assert result.unfinished == 0
    longest = 25 if "random" not in bots else 200
    assert result.length.turns.highest <= longest * len(bots) * options.get("innings", 1)


def test_expert_compares_a_few_moves_and_begins_with_what_hard_would_do() -> None:
    game = nf.make("baseball", players=2)
    state, seen = game.start(seed=3), set()
    expert, hard = SeatedBots(game, ["expert"] * 2, 3), SeatedBots(game, ["hard"] * 2, 3)
    while not state.over:
        seat = state.actors[0]
        tried = expert.consider(state, seat)
        assert tried[0] == hard.choose(state, seat)
        assert len(set(tried)) == len(tried) <= 10 and set(tried) <= set(state.moves(seat).actions)
        seen.add(len(tried) > 1)
        hard.step(state)
    assert seen == {False, True}


def test_expert_plays_the_same_again_in_any_number_of_threads() -> None:
    results = [
        nf.simulate("baseball", ["expert", "hard"], games=4, seed=8, threads=threads) for threads in (1, 2)
    ]
    assert results[0].wins == results[1].wins and results[0].length == results[1].length
    assert results[0].unfinished == 0


def test_expert_switches_only_to_moves_that_do_better() -> None:
    """In fresh worlds, the moves it prefers to those of `hard` win more often."""
    game = nf.make("baseball", players=2)
    gains: list[float] = []
    for seed in range(40, 48):
        state = game.start(seed=seed)
        expert, hard = SeatedBots(game, ["expert"] * 2, seed), SeatedBots(game, ["hard"] * 2, seed)
        while not state.over:
            seat = state.actors[0]
            own, other = int(hard.choose(state, seat)), int(expert.choose(state, seat))
            if own != other:
                fresh = Laboratory(game, state.position, seat, hard.players[seat], [b""] * 2, seed + 1_000)
                values = fresh.try_worlds([own, other], 10_000, 200)
                gains.append(float(values[:, 1].mean() - values[:, 0].mean()))
            state.play(seat, own)
    assert len(gains) > 6 and sum(gains) / len(gains) > 0.005, gains


@pytest.mark.soak
def test_expert_beats_hard_in_4_000_games() -> None:
    assert duel("expert", "hard", 2, 4_000) > 0.515


def test_a_waiting_table_is_cut_off_by_the_limit() -> None:
    """Drawing and discarding is always legal: the simulation counts such games and leaves them out."""

    def wait(view: Any, moves: Any, rng: Any) -> str:
        liked = [move for move in moves if move in ("draw", "discard", "turn up none")]
        return str((liked or list(moves))[0])

    result = nf.simulate("baseball", [wait, wait], games=2, seed=1)
    assert result.unfinished == 2 and result.limit == 1_000
    assert nf.simulate("baseball", [wait, wait], games=1, seed=1, turn_limit=5).unfinished == 0


def test_what_a_simulation_counts() -> None:
    result = nf.simulate("baseball", ["hard", "medium"] * 2, games=300, seed=2, innings=3, turn_limit=9)
    assert list(result.tallies) == [
        "columns cleared",
        "shoe reshuffles",
        "games ended by going out",
        "games ended by the turn limit",
        "games in which going out was lowest",
    ]
    out, limit = (result.tallies[f"games ended by {how}"].mean for how in ("going out", "the turn limit"))
    assert out + limit == pytest.approx(3) and 0 < limit < 3
    assert 0 < result.tallies["games in which going out was lowest"].mean < out
    assert result.tallies["columns cleared"].mean > 1
    shoes = {
        bot: nf.simulate("baseball", [bot] * 5, games=200, seed=2, decks=1).tallies["shoe reshuffles"].mean
        for bot in ("random", "medium")
    }
    assert shoes["random"] < 0.2 and shoes["medium"] > 1, "medium draws more often"


def test_bots_choose_from_views_of_the_same_kind() -> None:
    """A bot asked at the table plays as it does in a simulation, and every one plays to the end."""
    game = nf.make("baseball", players=4)
    state = game.start(seed=5)
    SeatedBots(game, ["hard", "medium", "easy", "random"], 5).play_out(state, 1_000)
    assert state.over and len(state.scores) == 4
    assert nf.replay(state.record()).scores == state.scores
