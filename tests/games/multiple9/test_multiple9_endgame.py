"""The search of `expert` against a plain solver (reference/multiple9_end.py)."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

import ninefold as nf
from ninefold.engine.bots import SeatedBots
from ninefold.game import nines
from ninefold.game.multiple9 import expert
from ninefold.game.multiple9.fields import DRAW_GAME, FEWEST
from reference import multiple9_end as plain
from reference.multiple9 import ORDER, Group, splits


def two_hands(chooser: Random, cards: int) -> tuple[Counter[str], Counter[str]]:
    """Two hands that cannot go out, of cards that often form groups."""
    while True:
        deck = [rank for rank in ORDER for _ in range(4)]
        chooser.shuffle(deck)
        mine, theirs = Counter(deck[:cards]), Counter(deck[cards : 2 * cards + chooser.randint(-1, 1)])
        if not splits(mine) and not splits(theirs):
            return mine, theirs


def packed(hand: Counter[str]) -> int:
    return nines.pack(ORDER.index(rank) for rank in hand.elements())


def number_of(group: Group) -> int:
    return nines.GROUPS.index(tuple(ORDER.index(rank) for rank in group))


def play_numbers(mine: Counter[str], most: int) -> list[tuple[int, int]]:
    """The plays that the search goes through."""
    found: list[tuple[int, int]] = []
    first, second = expert.next_play(packed(mine), -1, -1, most)
    while first >= 0:
        found.append((int(first), int(second)))
        first, second = expert.next_play(packed(mine), first, second, most)
    return found


@pytest.mark.parametrize("most", [4, 5])
def test_the_plays_that_are_searched(most: int) -> None:
    chooser = Random(most)
    for _ in range(60):
        mine, _ = two_hands(chooser, chooser.randint(4, 20))
        expected = {tuple(sorted(map(number_of, play))) for play in plain.plays(mine, most)}
        found = play_numbers(mine, most)
        assert len(found) == len(set(found))
        assert {play if play[1] >= 0 else play[:1] for play in found} == expected


@pytest.mark.parametrize("undecided", [DRAW_GAME, FEWEST])
def test_values_are_exact(undecided: int) -> None:
    chooser, fewest, seen = Random(undecided), undecided == FEWEST, set()
    for _ in range(8):
        mine, theirs = two_hands(chooser, chooser.randint(5, 7))
        ours = packed(mine), packed(theirs)
        assert expert.best_turn(*ours, undecided) == pytest.approx(float(plain.turn(mine, theirs, fewest)))
        for play in plain.plays(mine, 5)[:3]:
            down = nines.pack(ORDER.index(rank) for group in play for rank in group)
            for again, value in ((0, expert.worth_once), (1, expert.worth_twice)):
                expected = float(plain.worth(mine, theirs, play, fewest, again))
                assert value(ours[0] - down, ours[1], down, undecided) == pytest.approx(expected)
                seen.add(round(expected, 3))
    assert len(seen) > 3


@pytest.mark.parametrize("undecided", [DRAW_GAME, FEWEST])
@pytest.mark.parametrize("last", [False, True])
def test_the_best_play_is_chosen(undecided: int, last: bool) -> None:
    chooser, fewest = Random(9), undecided == FEWEST
    chosen = Counter[bool]()
    while chosen.total() < 8:
        mine, theirs = two_hands(chooser, chooser.randint(5, 7))
        plays = plain.plays(mine, 5)
        if not 0 < len(plays) <= expert.BEST:
            continue
        values = {
            tuple(sorted(map(number_of, play))): plain.worth(mine, theirs, play, fewest, 1) for play in plays
        }
        answer = plain.best(theirs, mine, fewest)
        end = plain.settled(theirs, mine, fewest)
        leaving = (
            plain.settled(mine, theirs, fewest) if last else -max(end, answer or -1 if answer != 0 else 0)
        )
        first, second = expert.best_play(packed(mine), packed(theirs), undecided, last)
        play = tuple(part for part in (int(first), int(second)) if part >= 0)
        assert values.get(play, leaving) == max(leaving, *values.values())
        chosen[bool(play)] += 1
    assert min(chosen[True], chosen[False]) > 0, chosen


def test_expert_plays_like_hard_until_both_hands_are_known() -> None:
    game, searched = nf.make("multiple9", players=2), 0
    for seed in range(12):
        state = game.start(seed=seed)
        best, hard = SeatedBots(game, ["expert"] * 2, seed), SeatedBots(game, ["hard"] * 2, seed)
        while not state.over:
            seat, s = state.actors[0], state.position
            known = s.stock_left == 0 and not s.drew
            searched += known
            move = best.choose(state, seat)
            assert known or s.turnovers or move == hard.choose(state, seat)
            state.play(seat, move)
    assert searched > 0


def test_expert_beats_hard_between_two() -> None:
    shares = [0.0, 0.0]
    for first in (0, 1):
        bots = ["expert", "hard"] if first == 0 else ["hard", "expert"]
        result = nf.simulate("multiple9", bots, 400, seed=30 + first)
        assert result.unfinished == 0
        for seat, wins in enumerate(result.wins):
            shares[(seat + first) % 2] += wins
    assert shares[0] > shares[1], shares
