"""A second, plain referee (reference/nine_of_a_kind.py) plays the same matches move by move."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import asdict

import pytest

import ninefold as nf
from ninefold.game.nine_of_a_kind import rules
from ninefold.game.nine_of_a_kind.notation import hand_cards
from ninefold.kernel.cards import NINE_SUITS
from ninefold.testkit import trees
from ninefold.testkit.trees import Level
from reference import nine_of_a_kind as plain
from reference.nine_of_a_kind import NineOfAKind, Options
from support.referees import MANY, copies, count, counted_trees, in_blocks, same_result, seeds_of, weights

TEXTS = NINE_SUITS.texts
WAITS = {rules.DEAL: "deal", rules.TRADE: "trade", rules.DRAW: "draw", rules.WINDOW: "unison"}


def same_position(state: nf.State, game: NineOfAKind, number: int) -> None:
    """Everything both sides can say about where the match stands."""
    s = state.position
    everyone = range(state.game.players)
    same_result(state, game)
    assert int(s.round_number) == game.rounds
    if state.over:
        assert state.actors == ()
        return
    assert WAITS[int(s.phase)] == game.awaits
    assert int(s.trades) == game.trades
    assert state.actors == ((nf.CHANCE,) if game.awaits in ("deal", "draw") else tuple(game.actors))
    fresh = int(s.fresh[0])
    for seat in everyone:
        assert [TEXTS[card] for card in hand_cards(s, seat)] == sorted(
            game.hands[seat], key=plain.PLACE.__getitem__
        )
        assert int(s.open_size[seat]) == len(game.offers.get(seat, ()))
        assert bool(fresh >> seat & 1) == (seat in game.may_use_centre & game.inside)
    assert weights(state) == game.chance()
    if game.awaits == "unison" or number % 4 == 0:  # listing them all is slow in plain Python
        for seat in everyone if game.awaits == "unison" else (number % state.game.players,):
            assert sorted(state.moves(seat)) == sorted(game.moves(seat))


def some_options(chooser: random.Random) -> Options:
    return Options(
        target=chooser.choice([1, 40, 120, 300]),
        chicken=chooser.random() < 0.5,
        forfeit=chooser.choice(["free", "counts"]),
    )


def arranged(chooser: random.Random, game: NineOfAKind, kind: int) -> str:
    """A card of a deal that gives seats 0 and 2 nine of a suit, or seat 1 a blocked hand, for true claims."""
    dealt = sum(map(len, game.hands))
    place = dealt // game.players
    diagonal = [rank + suit for rank, suit in zip(plain.RANKS, plain.SUITS, strict=True)]
    hands = {1: {0: [r + "H" for r in plain.RANKS], 2: [r + "P" for r in plain.RANKS]}, 2: {1: diagonal}}
    wanted = hands.get(kind, {})
    if dealt % game.players in wanted:
        return wanted[dealt % game.players][place]
    return chooser.choice(sorted(game.centre - {card for hand in wanted.values() for card in hand}))


def pick(chooser: random.Random, game: NineOfAKind, seat: int) -> str:
    """A move: any, but claims seldom where they are false and often where they are true."""
    moves = game.moves(seat)
    hand = game.hands[seat]
    if game.awaits == "trade" and chooser.random() < 0.5:
        if plain.is_nine(hand):
            return "claim nine"
        if plain.is_blocked(hand):
            return "claim blocked"
    answers = [move for move in moves if move.startswith(("answer", "centre"))]
    if answers and chooser.random() < 0.4:
        return chooser.choice(answers)
    move = chooser.choice(moves)
    if move.startswith(("claim", "chicken")) and game.awaits == "trade" and chooser.random() < 0.7:
        return "wait"
    return move


def play_both(seed: int, steps: int = 200) -> tuple[int, int]:
    """How many rounds were won, and how many decisions were in a window."""
    chooser = random.Random(seed)
    players = chooser.randint(5, 9)
    options = some_options(chooser)
    state = nf.make("nine_of_a_kind", players=players, **asdict(options)).start(manual=True)
    game = NineOfAKind(players, options)
    same_position(state, game, 0)
    won = total = windows = 0
    kind = chooser.randrange(3)
    for number in range(steps):
        if game.over:
            break
        if game.awaits in ("deal", "draw"):
            dealing = game.awaits == "deal"
            outcome = (
                f"deal {arranged(chooser, game, kind)}" if dealing else chooser.choice(sorted(game.chance()))
            )
            game.step(outcome)
            state.play(nf.CHANCE, outcome)
        else:
            kind = chooser.randrange(3)
            windows += game.awaits == "unison"
            seat = chooser.choice(game.actors)
            move = pick(chooser, game, seat)
            game.play(seat, move)
            state.play(seat, move)
        won += sum(game.scores) > total
        total = sum(game.scores)
        if game.awaits != "deal" or number % 7 == 0:
            same_position(state, game, number)
    return won, windows


@in_blocks
def test_300_matches_move_by_move(block: int) -> None:
    results = [play_both(seed) for seed in seeds_of(block)]
    assert sum(won for won, _ in results) > 10 and sum(windows for _, windows in results) > 50


@pytest.mark.soak
def test_10_000_matches_move_by_move() -> None:
    for seed in MANY:
        play_both(seed)


def test_points_of_any_hand() -> None:
    chooser = random.Random(9)
    for _ in range(3_000):
        suits = chooser.sample(plain.SUITS, chooser.randint(2, 9))
        ranks = chooser.sample(plain.RANKS, chooser.randint(5, 9))
        deck = [rank + suit for rank in ranks for suit in suits]
        hand = chooser.sample(deck, 9)
        assert nf.nine_of_a_kind.held(hand).points == plain.held(hand)


def step(game: NineOfAKind, text: str) -> None:
    if game.actors:
        game.play(game.actors[0], text)
    else:
        game.step(text)


def following(game: NineOfAKind) -> Iterator[NineOfAKind]:
    moves = game.moves(game.actors[0]) if game.actors else game.chance()
    return copies(game, moves, step)


def count_all(game: NineOfAKind, levels: list[Level]) -> None:
    count(game, levels, lambda game: game.actors, following)


@pytest.mark.parametrize("seed", [1, 2])
def test_trees_in_the_middle_of_a_round_agree(seed: int) -> None:
    """Two steps deep from a position with open offers: trades, the centre, claims, chicken."""
    chooser = random.Random(seed)
    options = Options(target=30, chicken=True, forfeit="counts")
    state = nf.make("nine_of_a_kind", players=5, **asdict(options)).start(manual=True)
    game = NineOfAKind(5, options)
    while game.trades < 3 or len(game.offers) < 2 or game.awaits != "trade" or 0 not in game.may_use_centre:
        seat = state.actors[0] if game.chance() else chooser.choice(game.actors)
        text = chooser.choice(
            [move for move in state.moves(seat) if not move.startswith(("claim", "chicken"))]
        )
        state.play(seat, text)
        if seat == nf.CHANCE:
            game.step(text)
        else:
            game.play(seat, text)
    ours, theirs = ([Level() for _ in range(3)] for _ in range(2))
    trees._count(state, ours, 0)
    count_all(game, theirs)
    assert ours == theirs and ours[2].chance > 100 and ours[2].decisions > 100 and ours[1].ends


@counted_trees("nine_of_a_kind")
def test_tree_counts_agree(game: nf.Game, levels: list[Level]) -> None:
    counted = [Level() for _ in levels]
    count_all(NineOfAKind(game.players, Options(**game.options)), counted)
    assert counted == levels
