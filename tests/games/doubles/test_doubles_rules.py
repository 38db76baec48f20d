"""Doubles by its numbered rules, R1 to R5 (src/ninefold/game/doubles/RULES.md)."""

from __future__ import annotations

import math
from typing import Any

import pytest

import ninefold as nf
from ninefold.game.doubles import rules
from ninefold.kernel.dice import ROLLS
from support.doubles import all_stay, begin, counter, roll, roller, rolls
from support.stories import listen, texts


@pytest.mark.parametrize("players", [1, 2, 9, 200, 10_000])
def test_r1_1_any_number_of_players(players: int) -> None:
    state = nf.make("doubles", players=players, rounds=1).start(seed=1)
    assert state.actors == tuple(range(players))
    while not state.over:
        for seat in state.actors:
            state.play(seat, "cash out")
    assert len(set(state.scores)) == 1 and len(state.winners) == players


@pytest.mark.parametrize("players", [0, -1, 16_385, "many", 2.5, True, None, 10**30])
def test_r1_1_impossible_numbers_of_players_are_refused(players: Any) -> None:
    if players is None:
        assert nf.make("doubles", players=None).players == 4
        return
    with pytest.raises(nf.RuleError, match="1 to 16,384 players"):
        nf.make("doubles", players=players)


def test_r1_2_one_total_for_all() -> None:
    """The source's first example: 5 and 3 make 8, then 2 and 1 make 11."""
    state = begin()
    roll(state, "5 3")
    assert counter(state, "total") == 8
    all_stay(state)
    roll(state, "2 1")
    assert counter(state, "total") == 11


def test_r2_1_ten_rounds_unless_agreed() -> None:
    assert nf.make("doubles").options == {"rounds": 10}
    state = begin(rounds=3)
    for number in (1, 2, 3):
        assert str(state.picture(0).phase) == f"Round {number} of 3"
        assert (counter(state, "total"), counter(state, "sevens")) == (0, 0)
        roll(state, "1 2")
        all_stay(state, 0, 1)
    assert state.over


def test_r2_2_who_rolls() -> None:
    state = begin(players=3, rounds=3)
    order = []
    for faces, cashing in [("1 2", []), ("1 2", [2]), ("1 2", []), ("1 2", [0]), ("1 2", [1])]:
        order.append(roller(state))
        roll(state, faces)
        all_stay(state, *cashing)
    assert order == [0, 1, 0, 1, 1], "seat 2 is passed over, then seat 0"
    assert roller(state) == 2, "the player after the last roller begins round 2"
    for _ in range(3):
        rolls(state, "3 4")
        all_stay(state)
    roll(state, "3 4")
    assert str(state.picture(None).phase) == "Round 3 of 3" and roller(state) == 0


def test_r2_3_a_turn_is_a_roll() -> None:
    state = begin()
    rolls(state, "1 2", "1 2", "5 6")
    assert state.turns == state.view(None)["turn"] == 3


def test_r2_4_a_hidden_last_round() -> None:
    """After round k ≥ low the game ends with probability 1/(high − k + 1), and surely after the high end."""
    state = begin(players=1, rounds="2-4")
    chances = {}
    for number in (1, 2, 3, 4):
        assert str(state.picture(0).phase) == f"Round {number}", "the number of rounds is not shown"
        roll(state, "1 2")
        state.play(0, "cash out")
        if not state.over and set(state.chance()) == {"end", "go on"}:
            chances[number] = state.chance()["end"]
            state.play(nf.CHANCE, "go on")
    assert chances == {2: pytest.approx(1 / 3), 3: pytest.approx(1 / 2)}
    assert state.over


def test_r2_4_every_last_round_is_equally_likely() -> None:
    result = nf.simulate("doubles", ["threshold:1"], games=30_000, seed=5, rounds="8-12")
    rounds = result.tallies["rounds"]
    assert (rounds.lowest, rounds.highest) == (8, 12)
    assert rounds.mean == pytest.approx(10, abs=4.9 * math.sqrt(2 / 30_000))
    assert rounds.sd**2 == pytest.approx(2, abs=0.05)


@pytest.mark.parametrize(
    "rounds", [0, -3, "x", "", "12-8", "8-", "-8", "1-2-3", 2.5, True, 1_000_001, None, [1, "b"]]
)
def test_r2_4_bad_rounds_are_refused(rounds: Any) -> None:
    with pytest.raises(nf.RuleError, match="option rounds is a whole number from 1 to 1,000,000 or a range"):
        nf.make("doubles", rounds=rounds)


@pytest.mark.parametrize(
    ("given", "kept"), [("6", 6), ("8-12", "8-12"), ("8–12", "8-12"), ((8, 12), "8-12"), ("7-7", 7)]
)
def test_r2_4_ways_to_write_rounds(given: Any, kept: Any) -> None:
    assert nf.make("doubles", rounds=given).options == {"rounds": kept}


@pytest.mark.parametrize("face", range(1, 7))
def test_r3_1_first_doubles(face: int) -> None:
    state = begin()
    roll(state, f"{face} {face}")
    assert counter(state, "total") == 100 * face


def test_r3_2_later_doubles() -> None:
    state = begin()
    rolls(state, "3 4", "2 2", "6 6")
    assert counter(state, "total") == 300


def test_r3_3_sevens() -> None:
    for dice in ("1 6", "2 5", "3 4"):
        state = begin()
        roll(state, dice)
        assert (counter(state, "total"), counter(state, "sevens")) == (75, 1)


def test_r3_4_the_fourth_seven() -> None:
    state = begin(rounds=2)
    rolls(state, "3 4", "3 4", "3 4")
    assert (counter(state, "total"), counter(state, "sevens")) == (225, 3)
    all_stay(state, 1)
    roll(state, "1 6")
    assert state.scores == [0, 225]
    assert str(state.picture(None).phase) == "Round 2 of 2" and state.actors == (nf.CHANCE,), (
        "nobody was asked"
    )


def test_r3_5_other_rolls() -> None:
    for first, second in ROLLS:
        if first != second and first + second != 7:
            state = begin()
            roll(state, f"{second} {first}")
            assert counter(state, "total") == first + second


def test_r3_chance_is_36_equally_likely_pairs() -> None:
    state = begin()
    assert state.chance() == {f"roll {a} {b}": (1 if a == b else 2) / 36 for a, b in ROLLS}


def test_r4_1_everyone_in_decides_after_every_roll() -> None:
    state = begin(players=3)
    assert state.actors == (nf.CHANCE,) and list(state.moves(0)) == []
    roll(state, "5 6")
    assert list(state.actors) == [0, 1, 2]
    assert all(list(state.moves(seat)) == ["stay", "cash out"] for seat in range(3))


def test_r4_1_no_decision_before_the_roll() -> None:
    with pytest.raises(nf.NotYourTurn, match=r"R4\.1"):
        begin().play(0, "stay")


def test_r4_2_decisions_are_sealed() -> None:
    one, other = begin(players=3), begin(players=3)
    for state, move in ((one, "stay"), (other, "cash out")):
        roll(state, "5 6")
        state.play(1, move)
    assert one != other
    assert one.actors == other.actors == (0, 2)
    for seat in (0, 2, None):
        assert one.view(seat) == other.view(seat)
        assert one.view(seat)["seats"][1]["status"] == "decided"
    assert one.view(1) != other.view(1)


def test_r4_2_a_change_of_mind_is_not_told() -> None:
    """It can only be to cash out, so a second "has decided" would give it away."""
    state = begin(players=3)
    roll(state, "5 6")
    heard = {viewer: listen(state, viewer) for viewer in (0, 1, 2, None)}
    state.play(1, "stay")
    state.play(1, "cash out")
    told = {viewer: texts(events) for viewer, events in heard.items()}
    assert told[0] == told[2] == told[None] == ["Player 2 has decided."]
    assert told[1] == ["Player 2: stay.", "Player 2: cash out."]


def test_r4_2_opened_together() -> None:
    state = begin(players=3)
    roll(state, "5 6")
    state.play(2, "cash out")
    assert state.scores == [0, 0, 0]
    state.play(0, "stay")
    state.play(1, "cash out")
    assert state.scores == [0, 11, 11]


def test_r4_3_stay_may_become_cash_out() -> None:
    state = begin(players=3)
    roll(state, "5 6")
    state.play(0, "stay")
    assert list(state.moves(0)) == ["cash out"]
    assert state.actors == (1, 2)
    with pytest.raises(nf.IllegalMove, match=r"R4\.3"):
        state.play(0, "stay")
    state.play(0, "cash out")
    assert state.actors == (1, 2) and list(state.moves(0)) == []
    all_stay(state)
    assert state.scores == [11, 0, 0]


def test_r4_4_cash_out_is_final() -> None:
    state = begin(players=3)
    roll(state, "5 6")
    state.play(0, "cash out")
    for move in ("stay", "cash out"):
        with pytest.raises(nf.NotYourTurn, match=r"R4\.4"):
            state.play(0, move)


def test_r4_5_a_player_who_is_out_waits() -> None:
    state = begin(players=2)
    roll(state, "5 6")
    all_stay(state, 0)
    roll(state, "5 6")
    assert state.actors == (1,)
    with pytest.raises(nf.NotYourTurn, match=r"R4\.5"):
        state.play(0, "stay")


def test_r5_1_a_round_ends_when_all_have_cashed_out() -> None:
    state = begin(rounds=2)
    roll(state, "5 6")
    all_stay(state, 0, 1)
    assert str(state.picture(None).phase) == "Round 2 of 2" and counter(state, "total") == 0


def test_r5_2_the_highest_score_wins_and_ties_share() -> None:
    state = begin(players=3, rounds=1)
    roll(state, "5 6")
    all_stay(state, 0)
    assert state.winners == []
    roll(state, "5 6")
    all_stay(state, 1, 2)
    assert (state.scores, state.winners, state.actors) == ([11, 22, 22], [1, 2], ())
    with pytest.raises(nf.IllegalMove, match="over"):
        state.play(0, "stay")


def test_r5_2_nobody_cashes() -> None:
    state = begin(players=2, rounds=1)
    rolls(state, "3 4", "3 4", "3 4", "3 4")
    assert (state.scores, state.winners) == ([0, 0], [0, 1])


def test_r5_3_saturation() -> None:
    state = begin(players=2, rounds=2)
    roll(state, "6 6")
    for _ in range(70):
        all_stay(state)
        roll(state, "6 6")
    assert counter(state, "total") == 2**62
    for dice in ("1 2", "3 4", "6 6"):
        all_stay(state)
        roll(state, dice)
        assert counter(state, "total") == 2**62
    all_stay(state, 0, 1)
    roll(state, "6 6")
    all_stay(state, 0, 1)
    assert state.scores == [2**62, 2**62]


def test_r5_3_no_saturation_too_early() -> None:
    assert rules.add_up(2**62 - 75, 75) == 2**62
    assert rules.add_up(2**62 - 76, 75) == 2**62 - 1
    assert rules.add_up(2**61, 2**61) == 2**62
    assert rules.add_up(2**61 + 1, 75) == 2**61 + 76
    assert rules.add_up(2**62, 2**62) == 2**62
