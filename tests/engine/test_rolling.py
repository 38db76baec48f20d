"""People throw their own dice: the match waits for them, and the draws are those of one that does not."""

from __future__ import annotations

import random
from dataclasses import replace
from typing import Any

import pytest

import ninefold as nf
from ninefold.engine.chance import SeededChance
from ninefold.engine.clock import ROLL_TIMEOUT, Clock, Due
from ninefold.engine.match import BOT, PERSON, Happened, Match, Rolled, Seat
from ninefold.engine.registry import package
from ninefold.fairness.proof import prove
from ninefold.fairness.verify import verify
from ninefold.kernel.errors import NotYourTurn
from support.promises import promised_chance

SECRET = bytes(range(32))
DICE = [game for game in nf.games() if package(game).thrower.__module__ != "ninefold.model.contract"]


def hosted(game: str, by_hand: bool, people: int = 9, **options: Any) -> Match:
    made = nf.make(game, **options)
    seats = [
        Seat(PERSON, f"P{at}") if at < people else Seat(BOT, f"B{at}", "easy") for at in range(made.players)
    ]
    chance = promised_chance(made, SECRET)
    return Match(made, seats, chance, by_hand=by_hand, bot_seed=1)


def moved(match: Match, rng: random.Random) -> list[Happened]:
    seat = rng.choice(match.waiting_for)
    moves = match.state.moves(seat)
    return match.submit(seat, moves[rng.randrange(len(moves))], f"c{len(match.steps)}")


def played(match: Match, seed: int) -> list[Happened]:
    """A whole match, everybody throwing as soon as they may."""
    rng = random.Random(seed)
    happened = match.begin()
    while not match.over:
        roller = match.roller
        happened += moved(match, rng) if roller is None else match.roll(roller, f"r{match.draws}")
    return happened


def test_the_dice_games_say_who_throws() -> None:
    assert DICE == ["doubles", "finest9"]


@pytest.mark.parametrize("game", DICE)
def test_dice_thrown_by_hand_fall_as_they_would_have(game: str) -> None:
    """The same draws, record and proof; only that the match waited."""
    by_hand, automatic = hosted(game, True), hosted(game, False)
    happened = played(by_hand, 5)
    played(automatic, 5)
    assert list(by_hand.steps) == list(automatic.steps)
    assert by_hand.state == automatic.state
    rolls = [one.event for one in happened if isinstance(one.event, Rolled)]
    assert len(rolls) > 10
    assert {roll.seat for roll in rolls} == set(range(by_hand.game.players))
    records = [prove(one, one.chance.secret) for one in (by_hand, automatic)]  # type: ignore[attr-defined]
    assert records[0]["moves"] == records[1]["moves"]
    assert all(verify(record).checked == by_hand.draws for record in records)
    # And what was stored gives the same match again.
    again = hosted(game, True)
    for one in happened:
        again.apply(one.event)
    assert (again.state, list(again.steps), again.draws) == (
        by_hand.state,
        list(by_hand.steps),
        by_hand.draws,
    )


@pytest.mark.parametrize("game", DICE)
def test_a_match_waits_only_for_people_who_are_there(game: str) -> None:
    match = hosted(game, True, people=1)
    match.begin()
    waited = set()
    rng = random.Random(3)
    for _ in range(300):
        if match.over:
            break
        if match.roller is None:
            moved(match, rng)
            continue
        waited.add(match.roller)
        match.roll(match.roller)
    assert waited == {0}
    alone = hosted(game, True, people=1)
    alone.seats[0] = replace(alone.seats[0], away=True)
    alone.begin()
    assert alone.roller is None


def test_only_the_roller_rolls_and_each_roll_is_a_decision_of_its_own() -> None:
    match = hosted("doubles", True, players=3)
    assert match.begin() == []
    assert (match.roller, match.waiting_for) == (0, [])
    for seat in (1, 2):
        with pytest.raises(NotYourTurn):
            match.roll(seat)
    asked = match.decision(0)
    assert [type(one.event).__name__ for one in match.roll(0)] == ["Rolled", "Drew"]
    assert match.decision(0) != asked
    assert match.roller is None
    with pytest.raises(NotYourTurn):
        match.roll(0)
    decided = match.decision(1)
    for seat in (0, 1, 2):
        match.submit(seat, "stay")
    assert match.roller == 1
    assert match.decision(1) not in (asked, decided)


def test_a_bot_that_comes_next_throws_with_the_move_before() -> None:
    match = hosted("doubles", True, people=1, players=2)
    match.begin()
    match.roll(0)
    happened = match.submit(0, "stay") + match.submit(1, "stay")
    assert [type(one.event).__name__ for one in happened] == ["Moved", "Moved", "Drew"]


def test_dice_roll_by_themselves_in_the_end() -> None:
    clock, match = Clock(), hosted("doubles", True, players=2)
    match.begin()
    assert clock.schedule(match, 100.0) == [Due(100.0 + ROLL_TIMEOUT, "roll", 0)]
    assert clock.schedule(match, 107.0) == [Due(100.0 + ROLL_TIMEOUT, "roll", 0)]
    match.seats[0] = replace(match.seats[0], away=True)
    assert clock.schedule(match, 108.0)[0] == Due(100.0, "roll", 0)
    match.roll(0)
    assert all(due.kind != "roll" for due in clock.schedule(match, 109.0))


@pytest.mark.parametrize("game", nf.games())
def test_without_the_setting_nothing_waits(game: str) -> None:
    made = nf.make(game)
    match = Match(made, [Seat(PERSON, "P") for _ in range(made.players)], SeededChance(1))
    match.begin()
    assert match.roller is None
    assert match.waiting_for
