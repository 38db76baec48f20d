"""The chances of Hold'em hands, and the bots that live by them."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pytest

import ninefold as nf
from ninefold.cli import main
from ninefold.game.holdem9.chart import CHART
from ninefold.game.holdem9.odds import chart
from ninefold.kernel.cards import STANDARD
from reference import holdem9 as plain


def test_the_river_is_counted_by_hand() -> None:
    """On a full board all 990 hands of two cards are tried by the plain referee."""
    board, mine = ["J", "7", "9", "2", "10"], ["8", "7"]
    deck = [rank for rank in plain.RANKS for _ in range(4)]
    for rank in [*board, *mine]:
        deck.remove(rank)
    own = plain.hand_strength([f"{rank}S" for rank in board + mine])
    rest = [
        plain.hand_strength([f"{rank}S" for rank in [*board, deck[a], deck[b]]])
        for a in range(len(deck))
        for b in range(a)
    ]
    (found,) = nf.holdem9.odds("8 7", board="J 7 9 2 10", players=2).hands
    assert found.win == pytest.approx(sum(own > other for other in rest) / 990)
    assert found.tie == pytest.approx(sum(own == other for other in rest) / 990)


def test_several_known_hands_share_everything() -> None:
    found = nf.holdem9.odds("K K", "8 7", "4 4", board="J 7 9")
    assert found.exact and sum(hand.equity for hand in found.hands) == pytest.approx(1)
    twins = nf.holdem9.odds("8 7", "8 7", board="J 7 9")
    assert [hand.tie for hand in twins.hands] == [1, 1]


@pytest.mark.parametrize(
    ("hands", "board", "players"),
    [
        (["K K"], "", 2),
        (["K K"], "", 3),
        (["9 2"], "J 7 9", 4),
        (["K K", "8 7"], "J 7 9", 4),
        (["5 4"], "K Q 4", 5),
    ],
)
def test_exact_and_drawn_agree(hands: list[str], board: str, players: int) -> None:
    exact = nf.holdem9.odds(*hands, board=board, players=players)
    drawn = nf.holdem9.odds(*hands, board=board, players=players, samples=200_000, seed=3)
    assert exact.exact and not drawn.exact and "drawn at random" in drawn.method
    for one, other in zip(exact.hands, drawn.hands, strict=True):
        assert abs(one.equity - other.equity) < 2.5 * other.margin


def test_many_unknown_hands_are_drawn_and_seeds_repeat() -> None:
    one = nf.holdem9.odds("K K", players=9, seed=4)
    assert not one.exact and one == nf.holdem9.odds("K K", players=9, seed=4)
    assert one != nf.holdem9.odds("K K", players=9, seed=5)


@pytest.mark.parametrize(
    ("hands", "options", "told"),
    [
        ([], {}, "at least one hand"),
        (["K K K"], {}, "2 cards, not 3"),
        (["K K", "K K"], {"board": "K 2 3"}, "4 kings"),
        (["KS KS"], {}, "has one KS, not 2"),
        (["K K"], {"board": "2 3"}, "3, 4 or 5 cards"),
        (["K K"], {"players": 1}, "from 2 to 10"),
        (["K K"], {"players": 11}, "from 2 to 10"),
        (["K K"], {"samples": 0}, "samples is a whole number"),
        (["K K"], {"samples": 10, "seed": -1}, "a seed is"),
    ],
)
def test_odds_that_cannot_be_asked(hands: list[str], options: dict[str, Any], told: str) -> None:
    with pytest.raises(nf.RuleError, match=told):
        nf.holdem9.odds(*hands, **options)


def test_the_chart_is_fair_and_is_what_bots_use() -> None:
    found = dict(chart())
    assert len(found) == 91
    ways = {cards: 6 if len(set(cards.split())) == 1 else 16 for cards in found}
    assert sum(ways[cards] * equity for cards, equity in found.items()) / 1326 == pytest.approx(0.5)
    for cards, equity in found.items():
        high, low = (STANDARD.ranks.index(rank) for rank in cards.split())
        assert CHART[high][low] == round(1000 * equity)


def test_the_command(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert main(["odds", "K K", "8 7", "--board", "J 7 9"]) == 0
    assert "exact, from all 990 deals" in capsys.readouterr().out
    assert main(["odds", "K K", "--players", "3", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["hands"][0]["equity"] == pytest.approx(0.57843, abs=1e-5)
    assert main(["odds", "--chart", "--plot", str(tmp_path / "chart.png")]) == 0
    assert (tmp_path / "chart.png").stat().st_size > 1_000
    assert main(["odds", "--chart"]) == 0
    assert "Best: K 5 72.6" in capsys.readouterr().out
    assert main(["odds", "K K", "--chart"]) == 2
    assert main(["odds", "Z Z"]) == 2
    assert main(["judge", "holdem9", "K", "K", "J", "7", "9", "2", "10"]) == 0
    assert "7 nines (K+K+10, J+7, 9), unused 2 (R5.3)." in capsys.readouterr().out
    assert main(["judge", "holdem9", "--json", "QQQQJJJ"]) == 0
    assert json.loads(capsys.readouterr().out)["strength"] == 7279


LADDER = [("easy", "random"), ("medium", "easy"), ("hard", "medium"), ("hard", "call"), ("hard", "raise")]


def edge(better: str, other: str, players: int, hands: int) -> tuple[float, float]:
    """Big blinds a hundred hands that a bot wins, and the standard error; the same deals from every seat."""
    means, errors = [], []
    for seat in range(players):
        seated = [better if place == seat else other for place in range(players)]
        result = nf.simulate("holdem9", bots=seated, games=hands, seed=9)
        means.append(result.scores[seat].mean)
        errors.append(result.scores[seat].sd ** 2 / hands)
    return 10 * sum(means) / players, 10 * sum(errors) ** 0.5 / players


@pytest.mark.parametrize(("better", "other"), LADDER)
def test_bots_in_order(better: str, other: str) -> None:
    won, error = edge(better, other, 2, 30_000)
    assert won > 2 * error, f"{better} wins {won:.1f} ± {error:.1f} big blinds a hundred hands"


@pytest.mark.soak
@pytest.mark.parametrize(("better", "other"), LADDER)
@pytest.mark.parametrize("players", [4, 6])
def test_bots_in_order_at_larger_tables(better: str, other: str, players: int) -> None:
    won, error = edge(better, other, players, 100_000)
    assert won > 3 * error, f"{better} wins {won:.1f} ± {error:.1f} big blinds a hundred hands"


def test_a_bot_plays_on_with_cards_it_does_not_know() -> None:
    from ninefold.engine.bots import SeatedBots

    game = nf.make("holdem9", players=2)
    chooser = random.Random(1)
    for bot in ("easy", "medium", "hard"):
        state = game.start(manual=True)
        for _ in range(4):
            state.play(nf.CHANCE, "deal ??")
        move = SeatedBots(game, [bot, bot], chooser.randrange(99)).choose(state, 0)
        assert state.format(0, int(move)) == "fold"
