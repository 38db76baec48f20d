"""A second, plain referee (reference/multiple9.py) plays the same matches of Multiple 9 move by move."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator

import pytest

import ninefold as nf
from ninefold.game import nines
from ninefold.game.multiple9.fields import DEAL, DRAW, OUT, PLAY
from ninefold.testkit import trees
from ninefold.testkit.trees import Level
from reference import multiple9 as plain
from reference.multiple9 import ORDER, Multiple9
from support.referees import MANY, copies, count, counted_trees, in_blocks, same_result, seeds_of, weights

WAITS = {DEAL: "deal", OUT: "out", DRAW: "draw", PLAY: "play"}
LONGEST = 40  # turns of a match that are compared; one between players at random may take thousands


def cards(packed: int) -> Counter[str]:
    return Counter(ORDER[rank] for rank in nines.unpack(int(packed)))


def same_position(state: nf.State, game: Multiple9) -> None:
    """Everything both sides can say about where the match stands."""
    s = state.position
    seats = range(state.game.players)
    same_result(state, game)
    assert cards(s.stock) == +game.stock and cards(s.discards) == +game.discards
    assert int(s.stock_left) == game.stock.total()
    for seat in seats:
        assert cards(s.hands[seat]) == +game.hands[seat]
        assert int(s.sizes[seat]) == game.size(seat)
    if state.over:
        assert (int(s.idle) == game.players) == game.ended_undecided
        return
    assert WAITS[int(s.phase)] == game.awaits
    if game.awaits in ("out", "play"):
        assert state.actors == (game.player,)
        assert list(state.moves(game.player)) == game.moves()
        assert all(not state.moves(seat) for seat in seats if seat != game.player)
        return
    assert state.actors == (nf.CHANCE,)
    assert int(s.player) == (game.dealt % game.players if game.awaits == "deal" else game.player)
    assert weights(state) == game.chance()


def play_both(seed: int, longest: int = LONGEST) -> str:
    """One match on both sides; how it ended."""
    chooser = random.Random(seed)
    players = chooser.randint(2, 9)
    undecided = chooser.choice(["draw", "fewest", "last_turn"])
    state = nf.make("multiple9", players=players, undecided=undecided).start(manual=True)
    game = Multiple9(players, undecided)
    lays = [chooser.choice([0.0, 0.1, 0.5, 0.9]) for _ in range(players)]  # how readily each puts down
    eager = chooser.random() < 0.3  # deals that can go out are drawn on purpose
    same_position(state, game)
    while not state.over and state.turns <= longest:
        if game.awaits in ("deal", "draw"):
            weights = game.chance()
            outcome = chooser.choices(sorted(weights), [weights[text] for text in sorted(weights)])[0]
            if eager and "deal 9" in weights and chooser.random() < 0.5:
                outcome = "deal 9"
            game.step(outcome)
            state.play(nf.CHANCE, outcome)
        else:
            moves = game.moves()
            groups = [move for move in moves if move.startswith("lay")]
            move = chooser.choice(moves)
            if game.awaits == "play" and groups:
                move = chooser.choice(groups) if chooser.random() < lays[game.player] else moves[-1]
            game.step(move)
            verb, *words = move.split()
            chooser.shuffle(words)
            state.play(state.actors[0], " ".join([verb, *words]) if verb == "lay" else move)
        same_position(state, game)
    if not state.over:
        return "long"
    return "undecided" if game.ended_undecided else "at the deal" if state.turns == 0 else "won"


@in_blocks
def test_300_matches_move_by_move(block: int) -> None:
    ends = Counter(play_both(seed) for seed in seeds_of(block))
    assert ends["won"] and ends["undecided"], ends


@pytest.mark.soak
def test_10_000_matches_move_by_move() -> None:
    ends = Counter(play_both(seed, 60) for seed in MANY)
    assert all(ends[end] > 100 for end in ("won", "undecided", "at the deal")), ends


def some_hand(chooser: random.Random) -> list[str]:
    """Any number of cards, often of few ranks: those are harder to split."""
    ranks = chooser.sample(ORDER, chooser.choice([4, 6, 8, 10, 13]))
    deck = [rank for rank in ranks for _ in range(4)]
    return chooser.sample(deck, chooser.randint(1, min(len(deck), 47)))


def test_any_hand_splits_or_not() -> None:
    """The search in nines.py and plain recursion agree on hands of every size, up to all that can be held."""
    chooser = random.Random(9)
    known: dict[tuple[int, ...], bool] = {}

    def splits(numbers: tuple[int, ...]) -> bool:
        if numbers not in known:
            hand = Counter(dict(zip(ORDER, numbers, strict=True)))
            high = next((rank for rank in reversed(ORDER) if hand[rank]), None)
            known[numbers] = high is None or any(
                splits(tuple(rest[rank] for rank in ORDER))
                for rest in (
                    plain.without(hand, group) for group in plain.WITH[high] if plain.holds(hand, group)
                )
            )
        return known[numbers]

    found: Counter[bool] = Counter()
    tried = 0
    while tried < 1_500:
        hand = Counter(some_hand(chooser))
        if plain.total(hand.elements()) % 9:
            continue
        tried += 1
        expected = splits(tuple(hand[rank] for rank in ORDER))
        found[expected] += 1
        packed = nines.pack(ORDER.index(rank) for rank in hand.elements())
        assert bool(nines.splits(packed)) == expected, hand
    assert min(found.values()) > 200, found


def test_every_group_in_any_hand() -> None:
    chooser = random.Random(5)
    for _ in range(1_500):
        hand = some_hand(chooser)
        expected = [" ".join(group) for group in plain.groups_in(Counter(hand))]
        assert [" ".join(group) for group in nf.multiple9.groups(hand)] == expected


def count_all(game: Multiple9, levels: list[Level]) -> None:
    def following(game: Multiple9) -> Iterator[Multiple9]:
        return copies(game, game.chance() or game.moves(), Multiple9.step)

    count(game, levels, lambda game: game.awaits in ("out", "play"), following)


@counted_trees("multiple9")
def test_tree_counts_agree(game: nf.Game, levels: list[Level]) -> None:
    counted = [Level() for _ in levels]
    count_all(Multiple9(game.players, **game.options), counted)
    assert counted == levels


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_trees_of_rich_hands_agree(seed: int) -> None:
    """From a turn with many cards in hand and few in the stock, three steps deep."""
    chooser = random.Random(seed)
    state = nf.make("multiple9", players=2).start(manual=True)
    game = Multiple9(2)
    while game.awaits != "play" or game.stock.total() > seed:
        text = (
            "deal 9"
            if "deal 9" in state.moves(state.actors[0])
            else chooser.choice(state.moves(state.actors[0]))
        )
        if game.awaits in ("play", "out"):
            text = game.moves()[-1]
        state.play(state.actors[0], text)
        game.step(text)
    ours, theirs = ([Level() for _ in range(3)] for _ in range(2))
    trees._count(state, ours, 0)
    count_all(game, theirs)
    assert ours == theirs
    assert sum(level.decisions for level in ours) > 50
