"""Hold'em's `hard` does not pay everything off, and `expert` plays what was trained."""

from __future__ import annotations

import math
import random
from itertools import pairwise
from math import comb
from typing import Any

import numpy as np
import pytest

import ninefold as nf
from ninefold.engine.bots import SeatedBots
from ninefold.game.holdem9 import blueprint
from ninefold.game.holdem9.abstraction import ACTIONS, SITUATIONS, board_place, full_deck
from ninefold.game.holdem9.expert import LAST, RERAISED
from ninefold.game.holdem9.strategy import choose_weights
from ninefold.game.holdem9.training import boards_of, train
from support.holdem9_small import deck_of, exploitability

NONE, ME, RIVAL = 0, 1, 2


def duel(one: str, other: str, hands: int, seed: int = 5) -> tuple[float, float]:
    """Big blinds a hundred hands that a bot wins against another, and half the 95 % interval."""
    means, variance = [], 0.0
    for seat in (0, 1):
        bots = [one, other] if seat == 0 else [other, one]
        result = nf.simulate("holdem9", bots, games=hands // 2, seed=seed + seat)
        means.append(result.scores[seat].mean)
        variance += result.scores[seat].sd ** 2 / (hands // 2) / 4
    return 10 * sum(means) / 2, 19.6 * math.sqrt(variance)


@pytest.mark.parametrize("exploiter", ["hard:30", "hard:20:100"])
def test_hard_is_not_beaten_by_a_simple_change_of_itself(exploiter: str) -> None:
    won, margin = duel(exploiter, "hard", 40_000)
    assert won - margin < 10, f"{exploiter} wins {won:.1f} ± {margin:.1f} big blinds a hundred hands"


@pytest.mark.parametrize("other", ["hard", "hard:0:12", "medium"])
def test_expert_beats_the_others(other: str) -> None:
    won, margin = duel("expert", other, 40_000)
    assert won > margin, f"expert wins {won:.1f} ± {margin:.1f} big blinds a hundred hands against {other}"


LINES = [  # moves of both players after the deal, and what seat 1 then remembers
    ("call, check, deal", {0: NONE}, False),
    ("raise to 30, call, deal", {0: RIVAL}, False),
    ("call, raise to 40, call, deal", {0: ME}, False),
    ("raise to 30, raise to 90, call, deal", {0: ME}, True),
    ("raise to 30, raise to 90, raise to 200, call, deal", {0: RIVAL}, True),
    ("call, check, deal, bet 20, call, deal", {0: NONE, 1: ME}, False),
    ("call, check, deal, check, bet 20, call, deal", {0: NONE, 1: RIVAL}, False),
    (
        "raise to 30, call, deal, check, check, deal, bet 50, raise to 150, call, deal",
        {1: NONE, 2: RIVAL},
        False,
    ),
]


@pytest.mark.parametrize(("line", "bettors", "reraised"), LINES)
def test_expert_remembers_who_bet(line: str, bettors: dict[int, int], reraised: bool) -> None:
    state = nf.make("holdem9", players=2).start(manual=True)
    players = SeatedBots(state.game, ["call", "expert"], 1)
    deal(state, 3)
    for move in line.split(", "):
        if move == "deal":
            deal(state, 3)
            continue
        if state.actors == (1,):
            players.choose(state, 1)
        state.play(state.actors[0], move)
    assert state.actors == (1,)
    players.choose(state, 1)
    memory = players.slots[1].memory
    assert {street: int(memory[LAST + street]) for street in bettors} == bettors
    assert bool(memory[RERAISED]) == reraised


def deal(state: nf.State, seed: int) -> None:
    chooser = random.Random(seed)
    while state.actors == (nf.CHANCE,):
        state.play(nf.CHANCE, chooser.choice(sorted(state.chance())))


@pytest.mark.parametrize("players", [2, 3])
@pytest.mark.parametrize("betting", ["no_limit", "pot_limit", "fixed_limit"])
@pytest.mark.parametrize("stack", ["15", "60", "3000/100/900", "100000"])
def test_expert_plays_at_any_table(players: int, betting: str, stack: str) -> None:
    parts = stack.split("/")
    stacks = "/".join((parts * players)[:players]) if len(parts) > 1 else stack
    bots = ["expert", "random", "expert"][:players]
    result = nf.simulate(
        "holdem9", bots, games=60, seed=2, players=players, hands=20, stack=stacks, betting=betting, ante=1
    )
    assert result.unfinished == 0
    for number in range(3):
        game = nf.make("holdem9", players=players, hands=20, stack=stacks, betting=betting)
        state = game.start(number)
        SeatedBots(game, bots, number).play_out(state, 2_000)  # refuses an illegal move
        assert state.over


def test_a_style_shifts_the_table() -> None:
    bold, _ = share_of_raises("expert:400")
    usual, _ = share_of_raises("expert")
    meek, _ = share_of_raises("expert:25")
    assert bold > usual > meek


def share_of_raises(bot: str) -> tuple[float, int]:
    game = nf.make("holdem9", players=2)
    raises = 0
    for number in range(400):
        state = game.start(number)
        move = SeatedBots(game, [bot, bot], number).choose(state, 0)
        raises += state.format(0, int(move)).startswith("raise")
    return raises / 400, 400


def test_the_table_is_whole() -> None:
    cells, weights = blueprint.CELLS, np.hstack([blueprint.PASSIVE, blueprint.ACTIVE])
    assert len(cells) == SITUATIONS and cells.min() == 0 and weights.shape[1] == ACTIONS
    assert (weights.sum(axis=1) > 0).all()
    assert len(blueprint.content()) < 1_500_000


def test_every_board_has_a_place_of_its_own() -> None:
    for cards, number in ((3, 455), (4, 1_820), (5, 6_175)):
        places = {board_place(board, cards) for board in boards_of(cards, full_deck())}
        assert len(places) == number and max(places) < comb(12 + cards, cards)


def weights_for(price: float, raises: int = 1) -> Any:
    """What the table does on a river against a bet of a part of the pot, for a middling hand."""
    out = np.zeros(ACTIONS)
    pot = 1_000
    owed = round(price * pot)
    choose_weights(blueprint.TABLE, 3, 0, raises, owed, pot + owed, 8 * (pot + 2 * owed), owed, 0, 30, out)
    return out / out.sum()


def test_answers_change_gradually_with_the_size_of_a_bet() -> None:
    folds = [weights_for(price)[0] for price in np.arange(0.02, 2.5, 0.02)]
    assert max(abs(a - b) for a, b in pairwise(folds)) < 0.2
    assert weights_for(0.02)[0] < 0.15  # almost nothing to pay: folding gives bluffs away


@pytest.mark.soak
def test_training_comes_close_to_an_equilibrium_of_a_small_game() -> None:
    copies, stack = {4: 4, 5: 4, 7: 4}, 60
    found = [
        exploitability(copies, stack, *train(walks, 1, deck_of(copies), stack))
        for walks in (60, 6_000, 200_000)
    ]
    assert found[0] > 1.5 * found[1] > 2 * found[2]
    assert found[2] < 0.2


@pytest.mark.soak
def test_training_is_reproducible() -> None:
    deck = deck_of({4: 4, 5: 4, 7: 4})
    assert np.array_equal(train(600, 3, deck, 60)[1], train(600, 3, deck, 60)[1])
