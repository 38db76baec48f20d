"""A second, plain referee (reference/finest9.py) plays the same matches of Finest 9 move by move."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import asdict

import pytest

import ninefold as nf
from ninefold.game.finest9 import rules
from ninefold.game.finest9.rows import row
from ninefold.kernel.bits import members
from ninefold.kernel.cards import STANDARD
from ninefold.testkit import trees
from ninefold.testkit.trees import Level
from reference import finest9 as plain
from reference.finest9 import Finest9, Options
from support.referees import MANY, copies, count, counted_trees, in_blocks, same_result, seeds_of, weights

WAITS = {rules.ROLL_OFF: "roll-off", rules.DEAL: "deal", rules.TURN: "roll", rules.DRAW: "draw"}


def texts(cards: int) -> list[str]:
    return sorted(STANDARD.text(card) for card in members(cards))


def same_position(state: nf.State, game: Finest9) -> None:
    """Everything both sides can say about where the match stands."""
    s = state.position
    seats = range(state.game.players)
    same_result(state, game)
    assert texts(s.deck) == sorted(game.deck)
    for seat in seats:
        assert texts(s.tables[seat]) == sorted(game.tables[seat])
        assert texts(s.captured[seat]) == sorted(game.captured[seat])
        shown = [STANDARD.text(card) for card in row(s, seat)]
        dealt = sorted(game.tables[seat], key=lambda card: plain.PLACE[plain.rank_of(card)])
        assert shown == dealt, "of one rank, the earliest dealt comes first"
    if state.over:
        return
    if game.awaits == "capture":
        assert state.actors == (game.player,)
        moves = [f"capture {' '.join(capture)}" for capture in game.captures]
        assert sorted(state.moves(game.player)) == sorted(moves)
        assert all(not state.moves(seat) for seat in seats if seat != game.player)
        return
    assert state.actors == (nf.CHANCE,)
    assert WAITS[int(s.phase)] == game.awaits
    if game.awaits != "deal":
        assert int(s.player) == game.roller()
    assert weights(state) == game.chance()


def some_options(chooser: random.Random) -> Options:
    return Options(
        nines=chooser.choice(["choose", "choose", "all"]),
        pairs=chooser.choice(["rank", "rank", "value"]),
        ace=chooser.choice(["high", "high", "both"]),
        snake_eyes=chooser.random() < 0.4,
        boxcars=chooser.random() < 0.4,
        clear_bonus=chooser.choice([0, 0, 20, 400]),
        deals=chooser.choice([1, 1, 1, 2, 3]),
    )


def play_both(seed: int) -> None:
    chooser = random.Random(seed)
    players = chooser.randint(2, 5)
    options = some_options(chooser)
    state = nf.make("finest9", players=players, **asdict(options)).start(manual=True)
    game = Finest9(players, options)
    same_position(state, game)
    while not state.over:
        if game.awaits == "capture":
            # Often the smallest, so that hands grow; else any, in any order of its ranks.
            capture = list(game.captures[0] if chooser.random() < 0.3 else chooser.choice(game.captures))
            game.capture(capture)
            chooser.shuffle(capture)
            state.play(state.actors[0], "capture " + " ".join(capture))
        else:
            weights = game.chance()
            outcome = chooser.choices(sorted(weights), [weights[text] for text in sorted(weights)])[0]
            game.step(outcome)
            state.play(nf.CHANCE, outcome)
        same_position(state, game)


@in_blocks
def test_300_matches_move_by_move(block: int) -> None:
    for seed in seeds_of(block):
        play_both(seed)


@pytest.mark.soak
def test_10_000_matches_move_by_move() -> None:
    for seed in MANY:
        play_both(seed)


def test_any_cards_at_any_roll() -> None:
    """The judge and the plain referee list the same captures for hands far richer than matches deal."""
    chooser = random.Random(9)
    deck = [rank for rank in plain.ORDER for _ in plain.SUITS]
    for _ in range(4_000):
        options = some_options(chooser)
        ranks = chooser.sample(
            chooser.choice([deck, deck[20:], [*deck[24:], *deck[:8]]]), chooser.randint(0, 20)
        )
        total = chooser.choice([2, 3, 4, 5, 6, 7, 8, 10, 10, 11, 12, 12])
        found = [tuple(capture.ranks) for capture in nf.finest9.matches(ranks, total, **asdict(options))]
        assert sorted(found) == sorted(plain.matches(ranks, total, options)), (ranks, total, options)
        assert len(set(found)) == len(found)


@pytest.mark.parametrize("seed", [1, 2])
def test_trees_near_the_end_agree(seed: int) -> None:
    """From a roll with one card in the deck, four steps deep: captures, the last card, last turns, ends."""
    chooser = random.Random(seed)
    options = Options(boxcars=True, snake_eyes=True)
    state = nf.make("finest9", players=2, **asdict(options)).start(manual=True)
    game = Finest9(2, options)
    while len(game.deck) > 1 or game.awaits != "roll":
        seat = state.actors[0]
        text = chooser.choice(list(state.moves(seat)))
        state.play(seat, text)
        step(game, text)
    ours, theirs = ([Level() for _ in range(5)] for _ in range(2))
    trees._count(state, ours, 0)
    count_all(game, theirs)
    assert ours == theirs
    assert sum(level.decisions for level in ours) and ours[4].chance and ours[4].ends


def step(game: Finest9, text: str) -> None:
    if text.startswith("capture "):
        game.capture(text.split()[1:])
    else:
        game.step(text)


def following(game: Finest9) -> Iterator[Finest9]:
    captures = [f"capture {' '.join(capture)}" for capture in game.captures]
    return copies(game, game.chance() or captures, step)


def count_all(game: Finest9, levels: list[Level]) -> None:
    count(game, levels, lambda game: game.awaits == "capture", following)


@counted_trees("finest9")
def test_tree_counts_agree(game: nf.Game, levels: list[Level]) -> None:
    counted = [Level() for _ in levels]
    count_all(Finest9(game.players, Options(**game.options)), counted)
    assert counted == levels
