"""Doubles by its numbered rules (src/ninefold/game/doubles/RULES.md) and the worked cases of its sources."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import pytest

import ninefold as nf
from ninefold.engine.players import Company
from ninefold.engine.views import tell
from ninefold.game.doubles import rules
from ninefold.game.doubles.bots import chance_to_win
from ninefold.kernel import seats
from ninefold.kernel.dice import ROLLS, WEIGHT
from ninefold.kernel.model import obey


def begin(players: int = 2, rounds: int | str = 10) -> nf.State:
    return nf.make("doubles", players=players, rounds=rounds).start(manual=True)


def roll(state: nf.State, dice: str) -> None:
    state.play(nf.CHANCE, f"roll {dice}")


def all_stay(state: nf.State, *cashing: int) -> None:
    """Everybody who is asked stays, but for those named, who cash out."""
    for seat in state.actors:
        state.play(seat, "cash out" if seat in cashing else "stay")


def counter(state: nf.State, name: str) -> int:
    value = next(part["value"] for part in state.view(None)["counters"] if part["id"] == name)
    assert isinstance(value, int)
    return value


def rolls(state: nf.State, *dice: str) -> None:
    for number, faces in enumerate(dice):
        roll(state, faces)
        if number < len(dice) - 1:
            all_stay(state)


# 1 and 2: the table, rounds


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
        assert state.view(0)["phase"] == f"Round {number} of 3"
        assert (counter(state, "total"), counter(state, "sevens")) == (0, 0)
        roll(state, "1 2")
        all_stay(state, 0, 1)
    assert state.over


def test_r2_2_who_rolls() -> None:
    state = begin(players=3, rounds=3)
    order = []
    for faces, cashing in [("1 2", []), ("1 2", [2]), ("1 2", []), ("1 2", [0]), ("1 2", [1])]:
        order.append(state.view(None)["roller"])
        roll(state, faces)
        all_stay(state, *cashing)
    assert order == [0, 1, 0, 1, 1], "seat 2 is passed over, then seat 0"
    assert state.view(None)["roller"] == 2, "the player after the last roller begins round 2"
    for _ in range(3):
        rolls(state, "3 4")
        all_stay(state)
    roll(state, "3 4")
    assert state.view(None)["phase"] == "Round 3 of 3" and state.view(None)["roller"] == 0


def test_r2_3_a_turn_is_a_roll() -> None:
    state = begin()
    rolls(state, "1 2", "1 2", "5 6")
    assert state.turns == state.view(None)["turn"] == 3


def test_r2_4_a_hidden_last_round() -> None:
    """After round k ≥ low the game ends with probability 1/(high − k + 1), and surely after the high end."""
    state = begin(players=1, rounds="2-4")
    chances = {}
    for number in (1, 2, 3, 4):
        assert state.view(0)["phase"] == f"Round {number}", "the number of rounds is not shown"
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


# 3: rolls


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
    assert state.view(None)["phase"] == "Round 2 of 2" and state.actors == (nf.CHANCE,), "nobody was asked"


def test_r3_5_other_rolls() -> None:
    for first, second in ROLLS:
        if first != second and first + second != 7:
            state = begin()
            roll(state, f"{second} {first}")
            assert counter(state, "total") == first + second


def test_r3_chance_is_36_equally_likely_pairs() -> None:
    state = begin()
    assert state.chance() == {f"roll {a} {b}": (1 if a == b else 2) / 36 for a, b in ROLLS}


# 4: decisions


def test_r4_1_everybody_in_decides_after_every_roll() -> None:
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
    told: dict[int | None, list[str]] = {viewer: [] for viewer in (0, 1, 2, None)}

    def watch(before: Any, seat: int, action: int, after: Any) -> None:
        for viewer, texts in told.items():
            texts += [event["text"] for event in tell(state.game, before, seat, action, after, viewer)]

    state.watchers.append(watch)
    state.play(1, "stay")
    state.play(1, "cash out")
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


def test_r4_5_whoever_is_out_waits() -> None:
    state = begin(players=2)
    roll(state, "5 6")
    all_stay(state, 0)
    roll(state, "5 6")
    assert state.actors == (1,)
    with pytest.raises(nf.NotYourTurn, match=r"R4\.5"):
        state.play(0, "stay")


# 5: the end


def test_r5_1_a_round_ends_when_all_have_cashed_out() -> None:
    state = begin(rounds=2)
    roll(state, "5 6")
    all_stay(state, 0, 1)
    assert state.view(None)["phase"] == "Round 2 of 2" and counter(state, "total") == 0


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


# The cases of the rule page


def test_case_five_players() -> None:
    """Total 325 and two sevens; 400, 800 and 1600; 800, 0, 400, 0, 0 at the end of the round."""
    state = begin(players=5)
    rolls(state, "1 6", "2 5", "6 6", "1 4", "4 6", "4 6")
    assert (counter(state, "total"), counter(state, "sevens")) == (325, 2)
    all_stay(state)
    roll(state, "3 4")
    assert (counter(state, "total"), counter(state, "sevens")) == (400, 3)
    all_stay(state, 2)
    roll(state, "5 5")
    assert counter(state, "total") == 800
    all_stay(state, 0)
    roll(state, "1 1")
    assert counter(state, "total") == 1600
    all_stay(state)
    roll(state, "6 1")
    assert state.scores == [800, 0, 400, 0, 0]


@pytest.mark.parametrize("total", [0, 75, 400, 12_345])
def test_case_one_more_roll_is_worth_14_3(total: int) -> None:
    """With three sevens down the expected total after one more roll is the total + 14/3."""
    mean = Fraction(0)
    for (first, second), weight in zip(ROLLS, WEIGHT, strict=True):
        after = nf.doubles.roll(total, 3, False, (first, second))
        mean += Fraction(int(weight) * after.total, 36)
    assert mean == total + Fraction(14, 3)


def test_judge_agrees_with_the_engine_on_every_roll() -> None:
    for first, second in ROLLS:
        for sevens in range(4):
            state = begin(players=1, rounds=2)
            rolls(state, *["3 4"] * sevens, "1 2")
            total = counter(state, "total")
            state.play(0, "stay")
            roll(state, f"{first} {second}")
            judged = nf.doubles.roll(total, sevens, False, f"{first}{second}")
            if judged.ended:
                assert (judged.total, judged.sevens) == (0, 4) and state.view(0)["phase"] == "Round 2 of 2"
            else:
                assert (judged.total, judged.sevens) == (counter(state, "total"), counter(state, "sevens"))


def test_judge_counts_without_limit() -> None:
    assert nf.doubles.roll(0, 0, True, "roll 3 4") == (75, 1, False)
    assert nf.doubles.roll(2**100, 3, False, "55").total == 2**101


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ((0, 0, True, "7 1"), "two dice from 1 to 6"),
        ((0, 0, True, "3"), "two dice"),
        ((0, 0, True, (3, 4, 5)), "two dice"),
        ((0, 0, True, ()), "two dice"),
        ((10, 4, False, "3 4"), "0 to 3 sevens"),
        ((10, -1, False, "3 4"), "0 to 3 sevens"),
        ((-1, 0, False, "3 4"), "never below"),
        ((1.5, 0, False, "3 4"), "a whole number"),
        (("a", 0, False, "3 4"), "a whole number"),
        ((5, None, False, "3 4"), "0 to 3 sevens"),
        ((5, 0, False, 34), "two dice"),
        ((10, 0, True, "3 4"), "before the first roll"),
        ((0, 1, True, "3 4"), "before the first roll"),
    ],
)
def test_judge_refuses(arguments: tuple[Any, ...], sentence: str) -> None:
    with pytest.raises(nf.RuleError, match=sentence):
        nf.doubles.roll(*arguments)


# Texts and bad input


@pytest.mark.parametrize("text", ["stay", "STAY", " stay ", "s", "wait", "stay in"])
def test_spellings_of_stay(text: str) -> None:
    state = begin()
    roll(state, "1 2")
    state.play(0, text)
    assert state.steps[-1] == (0, rules.STAY)


@pytest.mark.parametrize("text", ["cash out", "Cash Out", "cash", "c", "out", "cash  out", "cashout"])
def test_spellings_of_cash_out(text: str) -> None:
    state = begin()
    roll(state, "1 2")
    state.play(0, text)
    assert state.steps[-1] == (0, rules.CASH_OUT)


@pytest.mark.parametrize(
    ("seat", "move", "error"),
    [
        (0, "jump", nf.Unreadable),
        (0, "", nf.Unreadable),
        (0, "roll 3 4", nf.Unreadable),
        (0, 2, nf.IllegalMove),
        (0, -1, nf.IllegalMove),
        (0, True, nf.IllegalMove),
        (0, 1.0, nf.IllegalMove),
        (0, None, nf.IllegalMove),
        (2, "stay", nf.IllegalMove),
        (-2, "stay", nf.IllegalMove),
        ("0", "stay", nf.IllegalMove),
        (nf.CHANCE, "roll 3 4", nf.NotYourTurn),
    ],
)
def test_bad_moves_change_nothing(seat: Any, move: Any, error: type[Exception]) -> None:
    state = begin()
    roll(state, "1 2")
    before = state.tobytes(), state.steps
    with pytest.raises(error):
        state.play(seat, move)
    assert (state.tobytes(), state.steps) == before


@pytest.mark.parametrize(
    "outcome", ["roll 0 4", "roll 3", "roll 7 7", "7", "end", "go on", "stay", "", 21, 23, -1]
)
def test_bad_chance_changes_nothing(outcome: Any) -> None:
    state = begin()
    before = state.tobytes()
    with pytest.raises(nf.IllegalMove):
        state.play(nf.CHANCE, outcome)
    assert state.tobytes() == before


def test_chance_is_not_the_callers_unless_asked_for() -> None:
    state = nf.make("doubles", players=2).start(seed=1)
    with pytest.raises(nf.NotYourTurn):
        state.play(nf.CHANCE, "roll 3 4")


# Standing orders


def test_standing_orders() -> None:
    """Orders belong to the surfaces; the table model offers them and says what they would play."""
    state = begin()
    roll(state, "3 4")
    view = state.view(0)
    until_third, cash_at, whole_round = view["orders"]
    assert obey(until_third, view) == "stay"
    assert obey(cash_at, view, 400) == "stay" and obey(cash_at, view, 75) == "cash out"
    assert obey(cash_at, view) is None, "no total was named"
    all_stay(state)
    rolls(state, "3 4", "3 4")
    view = state.view(0)
    assert obey(until_third, view) is None, "the third seven: the person is asked again"
    assert obey(whole_round, view) == "stay"
    state.play(0, "stay")
    assert obey(whole_round, state.view(0)) is None, "nothing more to say before the next roll"


# Bots


@pytest.mark.parametrize("players", [2, 4])
def test_each_level_beats_the_one_below(players: int) -> None:
    """With certainty: the margin is many times its interval."""
    for better, worse in (("hard", "medium"), ("medium", "easy"), ("easy", "random")):
        result = nf.simulate("doubles", [better, *[worse] * (players - 1)], games=4_000, seed=2)
        fair = 1 / players
        assert result.share(0) - fair > 5 * result.margin(0), f"{better} against {worse}: {result.share(0)}"


@pytest.mark.parametrize(
    "rival", ["wait:0", "wait:1", "wait:2", "wait:3", "wait:5", "threshold:400", "threshold:3000"]
)
def test_hard_beats_every_simple_plan(rival: str) -> None:
    result = nf.simulate("doubles", ["hard", rival], games=4_000, seed=3)
    assert result.share(0) > 0.75


def test_hard_plays_for_the_win_in_the_last_round() -> None:
    """Alone in, behind: any total that wins is taken at once, any that does not is played on."""
    for rival, expected in ((195, "cash out"), (225, "stay"), (1025, "stay")):
        state = begin(players=2, rounds=1)
        rolls(state, "3 4", "3 4", "3 4")
        state._s.scores[1] = rival
        seats.drop(state._s.inside, 1)
        seats.drop(state._s.undecided, 1)
        company = Company(state.game, ["hard", "never"], 1)
        company._desks[0].memory[0] = state._s.rolls
        assert state.say(0, int(company.choose(state, 0))) == expected


def test_hard_never_cashes_before_the_third_seven() -> None:
    result = nf.simulate("doubles", ["hard"] * 3, games=300, seed=1)
    assert result.tallies["rounds lost to a fourth seven"].mean > 0
    state = begin(players=2)
    company = Company(state.game, ["hard", "hard"], 1)
    roll(state, "6 6")
    for _ in range(30):
        all_stay(state)
        roll(state, "6 6")
    assert state.say(0, int(company.choose(state, 0))) == "stay"


@pytest.mark.parametrize("rounds", [0, 1, 3, 9])
def test_chance_to_win_is_fair_and_grows(rounds: int) -> None:
    leads = [-50_000, -1_000, -7, 0, 7, 1_000, 50_000]
    values = [chance_to_win(lead, rounds) for lead in leads]
    assert values == sorted(values)
    assert [a + b for a, b in zip(values, reversed(values), strict=True)] == pytest.approx([1] * 7)


def test_identical_deterministic_bots_tie() -> None:
    result = nf.simulate("doubles", ["medium"] * 4, games=200, seed=1)
    assert result.wins == [50.0] * 4
