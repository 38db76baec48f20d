"""A second, plain referee (reference/holdem9.py) plays the same sessions of Hold'em move by move."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator
from dataclasses import asdict

import pytest

import ninefold as nf
from ninefold.game.holdem9.fields import BOARD, HOLE, board_cards
from ninefold.game.holdem9.pots import standing_pots
from ninefold.kernel.bits import members
from ninefold.kernel.cards import STANDARD
from ninefold.testkit.trees import Level
from reference.holdem9 import Holdem9, Options
from support.referees import MANY, copies, count, counted_trees, in_blocks, same_result, seeds_of, weights

WAITS = {HOLE: "hole", BOARD: "board"}


def texts(cards: Iterable[int]) -> list[str]:
    return [STANDARD.text(card) for card in cards]


def same_position(state: nf.State, game: Holdem9) -> None:
    """Everything both sides can say about where the session stands."""
    s = state.position
    same_result(state, game)
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
            assert standing_pots(s) == [pot for pot in game.pots() if pot[0]]
        return
    assert state.actors == (nf.CHANCE,)
    assert WAITS[int(s.phase)] == game.awaits
    assert weights(state) == game.chance()


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


@in_blocks
def test_300_sessions_move_by_move(block: int) -> None:
    for seed in seeds_of(block):
        play_both(seed)


@pytest.mark.soak
def test_10_000_sessions_move_by_move() -> None:
    for seed in MANY:
        play_both(seed)


def step(game: Holdem9, text: str) -> None:
    if game.actor is None:
        game.deal(text.split()[1])
    else:
        game.act(text)


def count_all(game: Holdem9, levels: list[Level], deal: bool = True) -> None:
    """Without `deal`, cards end the tree."""

    def following(game: Holdem9) -> Iterator[Holdem9]:
        return copies(game, (game.chance() if deal else {}) or game.moves(), step)

    count(game, levels, lambda game: game.actor is not None, following)


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
    count_all(game, theirs, deal=False)
    assert ours == theirs
    assert sum(level.decisions + level.chance + level.ends for level in ours) > 20


@counted_trees("holdem9")
def test_tree_counts_agree(game: nf.Game, levels: list[Level]) -> None:
    counted = [Level() for _ in levels]
    count_all(Holdem9(game.players, Options(**game.options)), counted)
    assert counted == levels
