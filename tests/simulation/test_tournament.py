"""Tournaments: who meets whom, honest ratings, and results that one more bot does not change."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner

import ninefold as nf
from ninefold.cli import cli, main
from ninefold.model.panel import Panel
from ninefold.simulation import lineups, ratings
from ninefold.simulation.panel import faults
from ninefold.simulation.tournament import play

BOTS = ["easy", "medium", "wait:2"]


@pytest.fixture(scope="module")
def doubles() -> nf.Tournament:
    return nf.tournament("doubles", BOTS, games=300, seed=5)


def test_pairs_one_among_others_alike_and_mixed_tables(doubles: nf.Tournament) -> None:
    sizes = [len(one.bots) for one in doubles.played]
    assert sizes == [2] * 3 + [4] * 7
    assert all(one.games == 300 and one.unfinished == 0 for one in doubles.played)
    assert doubles.find(["medium", "easy", "easy", "easy"])
    mixed = doubles.find(["easy", "medium", "wait:2", "wait:2"])
    assert mixed and mixed.of("wait:2").seats == 2
    for one in doubles.played:
        assert sum(standing.share * standing.seats for standing in one.standings) == pytest.approx(1)
        assert one.even == pytest.approx(1 / len(one.bots))


def test_a_line_up_is_the_rotated_simulation_of_its_seed(doubles: nf.Tournament) -> None:
    for one in doubles.played[::4]:
        again = nf.simulate("doubles", one.bots, games=300, seed=one.seed, rotate=True)
        for standing in one.standings:
            places = [place for place, bot in enumerate(again.bots) if bot == standing.bot]
            shares = [again.share(place) for place in places]
            assert standing.share == pytest.approx(sum(shares) / len(shares))


def test_one_more_bot_changes_nothing_for_the_others(doubles: nf.Tournament) -> None:
    more = nf.tournament("doubles", [*BOTS, "never"], games=300, seed=5, players=2)
    for one in doubles.played:
        if len(one.bots) == 2:
            assert more.find(one.bots) == one
    assert nf.tournament("doubles", BOTS, games=300, seed=6, players=2).played != doubles.played[:3]


def test_the_ratings_order_the_bots(doubles: nf.Tournament) -> None:
    by_bot = {one.bot: one for one in doubles.ratings}
    assert by_bot["medium"].rating == ratings.ANCHOR and by_bot["medium"].margin == 0
    assert by_bot["easy"].rating + by_bot["easy"].margin < by_bot["medium"].rating
    assert [one.rating for one in doubles.ratings] == sorted(by_bot[b].rating for b in by_bot)[::-1]


def test_what_it_tells(doubles: nf.Tournament, tmp_path: Path) -> None:
    table = doubles.table()
    assert "10 line-ups of 300 games" in table and "2 players, games won, %" in table
    assert "one of the bot on the left among 3 of the one above (even: 25.0)" in table
    told = json.loads(doubles.json())
    assert told["played"][0]["standings"][0]["bot"] == "easy" and told == json.loads(
        json.dumps(doubles.to_dict())
    )
    frame = doubles.to_frame()
    assert {len(column) for column in frame.values()} == {2 * 3 + 2 * 6 + 3}
    doubles.plot(tmp_path / "a.svg")
    assert (tmp_path / "a.svg").stat().st_size > 1_000
    with pytest.raises(nf.NinefoldError, match="could not be written"):
        doubles.plot(tmp_path / "no" / "such.png")


def test_chips_count_where_scores_do() -> None:
    found = nf.tournament("holdem9", ["call", "hard"], games=400, seed=2, players=2)
    rated = {one.bot: one.rating for one in found.ratings}
    (one,) = found.played
    assert found.by_score and found.anchor == "call" and rated["call"] == 0
    assert rated["hard"] == pytest.approx(one.of("hard").score - one.of("call").score)
    assert "chips" in found.table()


def test_python_bots_may_play() -> None:
    def first(view: Any, moves: Any, rng: Any) -> Any:
        return moves[0]

    found = nf.tournament("doubles", [first, "easy"], games=10, seed=1, players=2, rounds=2)
    assert [one.bot for one in found.ratings] == ["easy", "first"] and found.options == {"rounds": 2}


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ({"bots": ["hard"]}, "at least two different bots"),
        ({"bots": ["hard", "hard"]}, "at least two different bots"),
        ({"bots": "hard,easy"}, "bots are several names"),
        ({"bots": ["hard", "hrad"]}, "did you mean hard"),
        ({"players": 1}, "tables of at least two players"),
        ({"players": 0}, "is for 1 to"),
        ({"games": 0}, "games is a whole number"),
        ({"colour": 1}, "no option 'colour'"),
    ],
)
def test_bad_input(arguments: dict[str, Any], sentence: str) -> None:
    with pytest.raises(nf.RuleError, match=sentence):
        nf.tournament("doubles", **arguments)


# Ratings


def results(strengths: Any, games: int, source: Any) -> tuple[Any, Any]:
    """Tables of three kinds of size, with wins drawn by the model itself."""
    rows = [[1, 1, 0, 0], [0, 1, 1, 0], [1, 0, 0, 1], [1, 3, 0, 0], [0, 0, 1, 3], [1, 1, 1, 1], [2, 0, 2, 0]]
    seats = np.array(rows, float)
    likely = seats * 10 ** (strengths / 400)
    likely /= likely.sum(axis=1, keepdims=True)
    return seats, np.array([source.multinomial(games, row) for row in likely], float)


def test_ratings_find_what_made_the_results_and_their_intervals_contain_it() -> None:
    """Of 300 repeats, the 95 % intervals of three bots contain the truth in 93 to 97 %."""
    truth = np.array([0.0, 150.0, -80.0, 300.0])
    source, inside = np.random.default_rng(1), 0
    for _ in range(300):
        found, margin = ratings.elo(*results(truth, 400, source), anchor=0)
        inside += int((np.abs(found - ratings.ANCHOR - truth)[1:] <= margin[1:]).sum())
    assert 0.93 <= inside / 900 <= 0.97


def test_two_players_have_the_rating_of_their_odds() -> None:
    found, margin = ratings.elo(np.ones((1, 2)), np.array([[300.0, 100.0]]), anchor=1)
    assert found[0] - found[1] == pytest.approx(400 * math.log10(3), abs=1)
    assert margin[0] == pytest.approx(1.96 * ratings.ELO / math.sqrt(400 * 0.75 * 0.25), rel=0.01)


def test_a_bot_that_never_wins_has_a_finite_rating_and_leaves_the_others_alone() -> None:
    seats = np.array([[1, 1, 0], [0, 1, 1]], float)
    found, margin = ratings.elo(seats, np.array([[500.0, 500, 0], [0, 500, 0]]), anchor=1)
    assert abs(found[0] - found[1]) < 1 and margin[0] < 30
    assert found[2] < found[1] - 500 and np.isfinite(found).all() and margin[2] > 200


def test_scores_are_rated_by_their_differences() -> None:
    seats = np.array([[1, 1, 0], [0, 1, 1], [1, 0, 1]], float)
    truth = np.array([0.0, 4.0, 10.0])
    scores = np.where(seats > 0, 100 + truth - (seats * truth).sum(axis=1, keepdims=True) / 2, 0)
    found, margin = ratings.by_score(seats, scores, np.ones((3, 3)), anchor=0)
    assert found == pytest.approx(truth) and 0 < margin[1] < 2


# Panels


def test_the_rule_of_a_panel() -> None:
    panel = Panel(("easy", "medium", "hard"), {"wait:1": "medium"}, (2,))
    assert panel.weakest(["hard", "medium", "hard"]) == "medium"
    assert panel.strongest(["easy", "wait:1"]) is None and panel.weakest(["easy", "wait:1"]) is None
    assert panel.weakest(["wait:1", "medium", "hard"]) == "wait:1"
    assert panel.strongest(["wait:1", "easy", "hard"]) == "hard"
    assert set(lineups.pairs(panel, neighbours=True)) == {
        ("easy", "medium"),
        ("medium", "hard"),
        ("wait:1", "medium"),
    }
    assert len(list(lineups.pairs(panel, neighbours=False))) == 5


def test_a_ladder_upside_down_is_noticed() -> None:
    """`never` is no better than easy, whatever a panel says."""
    found = play("doubles", [("never", "easy"), ("easy", "never", "never", "never")], 100, 1)
    assert faults(Panel(("never", "easy")), found) == []
    told = faults(Panel(("easy", "never")), found)
    assert len(told) == 4 and "easy gets more than its even share" in told[0]


# The command


def test_the_command() -> None:
    words = ["doubles", "--bots", "easy, medium", "--players", "2", "--games", "200", "--seed", "4", "-q"]
    done = CliRunner().invoke(cli, ["tournament", *words])
    assert done.exit_code == 0 and "1 line-ups of 200 games" in done.output, done.output
    told = json.loads(CliRunner().invoke(cli, ["tournament", *words, "--json", "-o", "rounds=3"]).output)
    assert told["options"] == {"rounds": 3} and told["seed"] == 4


def test_the_command_checks_a_panel() -> None:
    done = CliRunner().invoke(cli, ["tournament", "finest9", "--panel", "--games", "40", "--seed", "1", "-q"])
    assert done.exit_code == 0 and "The ladder holds in all" in done.output, done.output


def test_wrong_use_is_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    for words in (["doubles", "--panel", "--bots", "easy"], ["chess"], ["doubles", "--bots", "easy"]):
        assert main(["tournament", *words]) == 2
        out, err = capsys.readouterr()
        assert out == "" and err.startswith("ninefold: ") and err.count("\n") == 1


def test_ctrl_c_gives_the_result_so_far(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Interrupted in the second of three line-ups."""

    def interrupted(done: int) -> None:
        if done > 250_000:
            raise KeyboardInterrupt

    @contextmanager
    def watched(*_: object) -> Iterator[Any]:
        yield interrupted

    monkeypatch.setattr("ninefold.simulation.progress.shown", watched)
    words = ["doubles", "--bots", "easy,medium,wait:1", "--players", "2", "--games", "200k", "--seed", "1"]
    assert main(["tournament", *words, "--json"]) == 130
    told = json.loads(capsys.readouterr().out)
    assert told["interrupted"] and told["played"][0]["games"] == 200_000
    assert len(told["played"]) == 2 and 0 < told["played"][1]["games"] < 200_000
