"""A second, plain referee (reference/doubles.py) plays the same matches of Doubles move by move."""

from __future__ import annotations

import random

import pytest

import ninefold as nf
from ninefold.kernel import seats
from ninefold.kernel.dice import ROLLS
from reference.doubles import Doubles
from support.referees import MANY, in_blocks, seeds_of


def same_position(state: nf.State, plain: Doubles) -> None:
    s = state.position
    players = range(state.game.players)
    assert state.over == plain.over
    assert state.scores == plain.scores
    assert state.winners == sorted(plain.winners)
    if state.over:
        assert plain.awaits == "over"
        return
    waits = "decisions" if s.actor == nf.EVERYONE else "end?" if s.closing else "roll"
    assert waits == plain.awaits
    if waits == "end?":
        return
    assert (int(s.total), int(s.sevens), int(s.rolls)) == (plain.total, plain.sevens, plain.rolls)
    assert int(s.round_number) == plain.round_number
    assert int(s.roller) == plain.roller
    assert {seat for seat in players if seats.has(s.inside, seat)} == set(plain.inside)
    if waits == "decisions":
        assert set(state.actors) == set(plain.undecided)


def play_both(seed: int) -> None:
    dice = random.Random(seed)
    players = dice.choice([1, 2, 2, 3, 4, 5, 9, 17, 40])
    low = dice.randint(1, 4)
    high = low + dice.choice([0, 0, 1, 3])
    eager = dice.choice([0.02, 0.1, 0.5])
    state = nf.make("doubles", players=players, rounds=(low, high)).start(manual=True)
    plain = Doubles(players, low, high)
    same_position(state, plain)
    while not state.over:
        if plain.awaits == "roll":
            faces = dice.randint(1, 6), dice.randint(1, 6)
            assert (min(faces), max(faces)) in ROLLS
            state.play(nf.CHANCE, f"roll {faces[0]} {faces[1]}")
            plain.roll(*faces)
        elif plain.awaits == "end?":
            k = plain.round_number
            assert state.chance()["end"] == pytest.approx(1 / (high - k + 1))
            ends = dice.random() < 1 / (high - k + 1)
            state.play(nf.CHANCE, "end" if ends else "go on")
            plain.end_or_go_on(ends)
        else:
            seat = dice.choice(state.actors)
            move = "cash out" if dice.random() < eager else "stay"
            if move == "stay" and dice.random() < 0.1 and len(state.actors) > 1:
                state.play(seat, "stay")
                plain.decide(seat, "stay")
                same_position(state, plain)
                move = "cash out"
            state.play(seat, move)
            plain.decide(seat, move)
        same_position(state, plain)


@in_blocks
def test_300_matches_move_by_move(block: int) -> None:
    for seed in seeds_of(block):
        play_both(seed)


@pytest.mark.soak
def test_10_000_matches_move_by_move() -> None:
    for seed in MANY:
        play_both(seed)
