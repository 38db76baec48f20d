"""Finest 9, R1 to R3: the table, who goes first, and what a turn is."""

from __future__ import annotations

from typing import Any

import pytest

import ninefold as nf
from ninefold.kernel.cards import STANDARD
from support.finest9 import HIGH, LOW, PLAINEST, begin, chance, dealt, detail, rolled, stats, zone


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_r1_1_two_to_five_players(players: int) -> None:
    state = nf.make("finest9", players=players).start(seed=players)
    assert len(state.scores) == players
    assert sum(len(zone(state, f"table-{seat}")) for seat in range(players)) >= 9 * players


@pytest.mark.parametrize("players", [0, 1, 6, -2, "many", 2.5, True])
def test_r1_1_other_numbers_of_players_are_refused(players: Any) -> None:
    with pytest.raises(nf.RuleError, match="2 to 5 players"):
        nf.make("finest9", players=players)


def test_r1_1_the_deck_and_the_dice() -> None:
    state = begin()
    assert sum(state.chance().values()) == pytest.approx(1)
    assert state.chance()["roll 3 4"] == pytest.approx(2 / 36) and len(state.chance()) == 21
    chance(state, f"roll {HIGH}", f"roll {LOW}")
    assert state.chance() == {f"deal {card}": pytest.approx(1 / 52) for card in STANDARD.texts}
    chance(state, "deal 7H")
    assert len(state.chance()) == 51 and "deal 7H" not in state.chance()


@pytest.mark.parametrize(
    ("rank", "value"),
    [
        *((str(number), number) for number in (2, 3, 4, 5, 6, 7, 8, 10)),
        ("J", 10),
        ("Q", 10),
        ("K", 10),
        ("A", 11),
    ],
)
def test_r1_2_values(rank: str, value: int) -> None:
    for total in (2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12):
        expected = [([rank, rank], 2 * value)] if total == value else []
        assert nf.finest9.matches(f"{rank} {rank}", total) == expected


def test_r1_3_nines_are_wild_and_worth_nine() -> None:
    for total, rank in ((2, "2"), (8, "8"), (10, "K"), (11, "A")):
        (capture,) = nf.finest9.matches(f"{rank} 9", total)
        assert capture.points == total + 9


def test_r2_1_the_highest_total_goes_first() -> None:
    state = begin(3)
    chance(state, "roll 2 3", "roll 4 5")
    assert state.actors == (nf.CHANCE,) and detail(state, "roller") == 2, "a 9 is not rolled again here"
    chance(state, "roll 4 4")
    assert detail(state, "first") == 1
    assert state.turns == 0, "the roll-off is no turn"


def test_r2_2_ties_roll_again_among_themselves() -> None:
    state = begin(4)
    chance(state, "roll 5 5", "roll 1 2", "roll 4 6", "roll 4 5")
    order = []
    for dice in ("2 2", "1 3", "3 3", "1 2"):
        order.append(detail(state, "roller"))
        chance(state, f"roll {dice}")
    assert order == [0, 2, 0, 2], "seats 1 and 3 are out of it; 0 and 2 tie once more"
    assert detail(state, "first") == 0


def test_r2_3_nine_cards_one_at_a_time_from_the_first_player() -> None:
    state = begin(3)
    chance(state, f"roll {LOW}", f"roll {HIGH}", f"roll {LOW}")
    order = [f"{rank}{suit}" for rank in ("2", "5", "8", "J", "A", "3", "6") for suit in "SHDC"][:27]
    for number, card in enumerate(order):
        assert state.turns == 0
        chance(state, f"deal {card}")
        assert card in zone(state, f"table-{(1 + number) % 3}")
    assert [len(zone(state, f"table-{seat}")) for seat in range(3)] == [9, 9, 9]
    assert state.turns == 1 and detail(state, "roller") == 1
    assert "roll 3 4" in state.chance()


def test_r2_3_no_capture_before_the_deal() -> None:
    with pytest.raises(nf.NotYourTurn, match=r"R2\.3"):
        begin().play(0, "capture 7 9")


def test_r3_1_turns_go_round() -> None:
    state = begin(3)
    chance(state, f"roll {LOW}", f"roll {HIGH}", f"roll {LOW}")
    while state.turns == 0:
        chance(state, next(iter(state.chance())))
    order = []
    for _ in range(7):
        order.append((detail(state, "roller"), state.turns))
        chance(state, f"roll {HIGH}")
        chance(state, next(iter(state.chance())))
    assert order == [(1, 1), (2, 2), (0, 3), (1, 4), (2, 5), (0, 6), (1, 7)]


def test_r3_1_out_of_turn() -> None:
    state = dealt(*PLAINEST)
    chance(state, "roll 1 1")
    assert state.actors == (0,)
    with pytest.raises(nf.NotYourTurn, match=r"Player 1's turn \(R3\.1\)"):
        state.play(1, "capture 3 3 3")
    with pytest.raises(nf.NotYourTurn, match=r"R3\.1"):
        state.play(1, 10)


def test_r3_2_a_nine_is_rolled_again() -> None:
    state = dealt(*PLAINEST)
    for dice in ("3 6", "4 5", "3 6"):
        chance(state, f"roll {dice}")
        assert state.actors == (nf.CHANCE,) and detail(state, "roller") == 0 and state.turns == 1
        assert len(state.chance()) == 21
    chance(state, "roll 1 1")
    assert state.actors == (0,) and state.turns == 1


def test_r3_2_no_capture_before_the_roll() -> None:
    with pytest.raises(nf.NotYourTurn, match=r"R3\.2"):
        dealt(*PLAINEST).play(0, "capture 2 2 2")


def test_r3_3_one_match_must_be_taken_also_where_there_is_only_one() -> None:
    state = dealt(*PLAINEST)
    chance(state, "roll 2 2")
    assert list(state.moves(0)) == ["capture 4 4 4"] and state.chance() == {}
    state.play(0, "capture 4 4 4")
    assert state.actors == (nf.CHANCE,) and detail(state, "roller") == 1 and state.turns == 2


def test_r3_4_no_match_draws_a_card() -> None:
    state = dealt(*PLAINEST)
    chance(state, "roll 5 6")
    assert len(state.chance()) == 34 and state.turns == 1
    with pytest.raises(nf.NotYourTurn, match=r"R3\.4"):
        state.play(0, "capture 2 2 2")
    chance(state, "deal KH")
    assert "KH" in zone(state, "table-0") and len(zone(state, "table-0")) == 10
    assert detail(state, "roller") == 1 and state.turns == 2
    assert state.scores == [-36 - 10, -48]


def test_r3_5_captured_cards_score_their_values() -> None:
    state = dealt(*PLAINEST)
    chance(state, "roll 3 3")
    state.play(0, "capture 6 6 6")
    assert zone(state, "captured-0") == ["6S", "6H", "6D"] and len(zone(state, "table-0")) == 6
    assert state.picture(None).seats[0].score == 0
    assert stats(state, 0) == {"captured": 18, "on_table": 18}


def test_r3_6_the_earliest_dealt_go() -> None:
    state = rolled("7D 2S 7S 6H 9C 8S 7H 9H 9S", "2 4")
    state.play(0, "capture 6 7 8")
    assert zone(state, "captured-0") == ["6H", "7D", "8S"]
    assert zone(state, "table-0") == ["2S", "7S", "7H", "9C", "9H", "9S"], (
        "those of a rank as they were dealt"
    )
    other = rolled("7D 2S 7S 6H 9C 8S 7H 9H 9S", "3 4")
    other.play(0, "capture 7 7 7 9 9")
    assert sorted(zone(other, "captured-0")) == sorted(["7S", "7H", "7D", "9C", "9H"])
    assert zone(other, "table-0") == ["2S", "6H", "8S", "9S"]


def test_r3_6_a_card_drawn_later_is_dealt_later() -> None:
    state = rolled("7D 2S 2H 6H KC 8S KH KS 3D", "5 6")
    for own, other in (("7C", "4C"), ("7S", "4D")):
        chance(state, f"deal {own}", f"roll {HIGH}", f"deal {other}", f"roll {HIGH}")
    chance(state, "deal 5C", f"roll {HIGH}", "deal QC", "roll 3 5")
    state.play(0, "capture 6 7 8")
    assert zone(state, "captured-0") == ["6H", "7D", "8S"]
    assert zone(state, "table-0")[-5:] == ["7C", "7S", "KC", "KH", "KS"]


def test_r3_6_suits_may_be_named_but_not_chosen() -> None:
    hand = "7D 2S 7S 6H 9C 8S 7H 9H 9S"
    state = rolled(hand, "2 4")
    before = state.tobytes()
    with pytest.raises(nf.IllegalMove, match=r"takes 6♥ 7♦ 8♠ \(R3\.6\)"):
        state.play(0, "capture 6 7S 8")
    assert state.tobytes() == before
    state.play(0, "capture 6H 7♦ 8")
    assert zone(state, "captured-0") == ["6H", "7D", "8S"]
