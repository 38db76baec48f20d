"""A second, plain referee (bench/plain_holdem9.py) plays the same sessions of Hold'em move by move."""

from __future__ import annotations

import copy
import random
from dataclasses import asdict

import pytest

import ninefold as nf
from golden import COUNTS, read_counts
from ninefold.game.holdem9 import rules
from ninefold.game.holdem9.cards import board_cards, members, pots
from ninefold.kernel.cards import PLAIN
from ninefold.testkit.trees import Level
from plain_holdem9 import Holdem9, Options

WAITS = {rules.HOLE: "hole", rules.BOARD: "board"}


def texts(cards: list[int]) -> list[str]:
    return [PLAIN.text(card) for card in cards]


def same_position(state: nf.State, game: Holdem9) -> None:
    """Everything both sides can say about where the session stands."""
    s = state._s
    assert state.over == game.over
    assert state.turns == game.turns
    assert state.winners == game.winners
    assert state.scores == game.scores
    assert int(s.hand) == game.hand
    assert texts(board_cards(s)) == game.board
    assert s.won[: game.players].tolist() == game.won
    for seat, player in enumerate(game.seats):
        assert int(s.chips[seat]) == player.chips
        assert int(s.bets[seat]) == player.bet
        assert int(s.paid[seat]) == player.paid
        assert sorted(texts(members(s.hole[seat]))) == sorted(player.cards)
        assert int(s.shown) >> seat & 1 == (
            player.shown if game.awaits != "hole" else int(s.shown) >> seat & 1
        )
        assert int(s.gone) >> seat & 1 == player.left
    if state.over:
        return
    assert int(s.button) == game.button
    if game.actor is not None:
        assert state.actors == (game.actor,)
        expected = game.moves()
        moves = state.moves(game.actor)
        assert len(moves) == len(expected)
        assert list(moves[:3]) == expected[:3] and list(moves[-2:]) == expected[-2:]
        assert all(not state.moves(seat) for seat in range(game.players) if seat != game.actor)
        if game.awaits == "bet":
            assert pots(s) == [pot for pot in game.pots() if pot[0]]
        return
    assert state.actors == (nf.CHANCE,)
    assert WAITS[int(s.phase)] == game.awaits
    outcomes, weights = state._outcomes()
    said = {state.say(nf.CHANCE, outcome): weight for outcome, weight in zip(outcomes, weights, strict=True)}
    assert said == game.chance()


def some_options(chooser: random.Random, players: int) -> Options:
    big = chooser.choice([1, 2, 10, 10, 10, 25])
    deep = chooser.choice([1, 3, 10, 30, 100])
    stacks = [chooser.randint(1, deep * big + 5) for _ in range(players)]
    return Options(
        stack="/".join(map(str, stacks)) if chooser.random() < 0.8 else chooser.choice([200, 1000]),
        blinds=f"{chooser.randint(0, big)}/{big}",
        ante=chooser.choice([0, 0, 0, 1, 3, big]),
        betting=chooser.choice(["no_limit", "no_limit", "pot_limit", "fixed_limit"]),
        hands=chooser.choice([1, 1, 2, 5, 12]),
        rise=chooser.choice([0, 0, 1, 3]),
        breaks=chooser.random() < 0.25,
        show_folded=chooser.random() < 0.15,
    )


def some_move(chooser: random.Random, moves: list[str]) -> str:
    """Often a word, so that hands last; often the smallest raise, so that raises follow raises."""
    drawn = chooser.random()
    if drawn < 0.5 and moves[0] != "deal me in":
        words = [move for move in moves if move in ("check", "call")]
        return chooser.choice(words)
    if drawn < 0.7:
        return moves[min(len(moves) - 1, 2)]
    return chooser.choice(moves) if drawn < 0.95 else moves[-1]


def play_both(seed: int) -> None:
    chooser = random.Random(seed)
    players = chooser.randint(2, 10)
    options = some_options(chooser, players)
    state = nf.make("holdem9", players=players, **asdict(options)).start(manual=True)
    game = Holdem9(players, options)
    same_position(state, game)
    while not state.over:
        if game.actor is not None:
            text = some_move(chooser, game.moves())
            seat = game.actor
            game.act(text)
            state.play(seat, text)
        else:
            outcome = chooser.choice(sorted(game.chance()))
            game.deal(outcome.split()[1])
            state.play(nf.CHANCE, outcome)
        same_position(state, game)
    assert nf.replay(state.record()) == state


@pytest.mark.parametrize("block", range(6))
def test_300_sessions_move_by_move(block: int) -> None:
    for seed in range(50 * block, 50 * (block + 1)):
        play_both(seed)


@pytest.mark.soak
def test_10_000_sessions_move_by_move() -> None:
    for seed in range(1_000, 11_000):
        play_both(seed)


def step(game: Holdem9, text: str) -> None:
    if game.actor is None:
        game.deal(text.split()[1])
    else:
        game.act(text)


def count(game: Holdem9, levels: list[Level], depth: int, deal: bool = True) -> None:
    """What trees.count does, by the plain referee; without `deal`, cards end the tree."""
    level = levels[depth]
    level.ends += game.over
    level.decisions += game.actor is not None
    level.chance += bool(game.chance())
    if depth + 1 < len(levels):
        for text in (game.chance() if deal else {}) or game.moves():
            after = copy.deepcopy(game)
            step(after, text)
            count(after, levels, depth + 1, deal)


def count_bets(state: nf.State, levels: list[Level], depth: int) -> None:
    """The same by ours."""
    level = levels[depth]
    level.ends += state.over
    level.chance += state.actors == (nf.CHANCE,)
    for seat in state.actors:
        level.decisions += seat >= 0
        for text in state.moves(seat) if seat >= 0 and depth + 1 < len(levels) else []:
            after = state.copy()
            after.play(seat, text)
            count_bets(after, levels, depth + 1)


@pytest.mark.parametrize(
    ("players", "options", "depth"),
    [
        (2, Options(stack=9, blinds="1/2"), 7),
        (3, Options(stack="4/9/6", blinds="1/2"), 6),
        (4, Options(stack="3/2/5/7", blinds="1/2", ante=1), 9),
        (3, Options(stack="30/12/21", blinds="1/2", betting="pot_limit"), 4),
        (4, Options(stack="30/9/21/15", blinds="1/2", betting="fixed_limit"), 8),
        (2, Options(stack=6, blinds="1/2", hands=3, breaks=True), 6),
    ],
    ids=str,
)
def test_trees_of_betting_agree(players: int, options: Options, depth: int) -> None:
    """From the deal to the flop, every move at every table: raises, all-ins, folds, ends."""
    state = nf.make("holdem9", players=players, **asdict(options)).start(manual=True)
    game = Holdem9(players, options)
    while game.actor is None:
        text = sorted(game.chance())[7]
        state.play(nf.CHANCE, text)
        step(game, text)
    ours, theirs = ([Level() for _ in range(depth)] for _ in range(2))
    count_bets(state, ours, 0)
    count(game, theirs, 0, deal=False)
    assert ours == theirs
    assert sum(level.decisions + level.chance + level.ends for level in ours) > 20


@pytest.mark.parametrize(
    ("game", "levels"),
    [entry for path in COUNTS if path.stem == "holdem9" for entry in read_counts(path)],
    ids=lambda part: f"{part.players} players" if isinstance(part, nf.Game) else "",
)
def test_tree_counts_agree(game: nf.Game, levels: list[Level]) -> None:
    counted = [Level() for _ in levels]
    count(Holdem9(game.players, Options(**game.options)), counted, 0)
    assert counted == levels
