"""Multiple 9, R5 and R6: the end, its option, and the worked game of the rule page."""

from __future__ import annotations

import json

import pytest

import ninefold as nf
from ninefold.game import nines
from support.multiple9 import DULL, chance, dealt, hand, nine_texts, refused, sizes, without_stock, zone


def test_r5_1_the_first_without_cards_wins_at_once() -> None:
    state = dealt("K K 5 5 2", DULL[0])
    chance(state, "7")
    for move in ("lay 7 2", "lay K K 5 5"):
        assert not state.over and state.winners == [] and state.scores == [0, 0]
        state.play(0, move)
    assert state.over and state.actors == () and state.winners == [0] and state.scores == [1, 0]
    with pytest.raises(nf.IllegalMove, match="over"):
        state.play(0, "done")


def test_r5_2_undecided_after_a_round_without_cards() -> None:
    state = without_stock(*DULL)
    for _ in range(3):
        assert not state.over
        state.play(state.actors[0], "done")
    assert state.over and state.winners == [] and state.scores == [0, 0, 0]
    assert sum(sizes(state)) == 52


def test_r5_2_putting_down_begins_the_round_anew() -> None:
    state = without_stock(*DULL)
    state.play(state.actors[0], "done")
    state.play(state.actors[0], "done")
    seat = state.actors[0]
    move = next(move for move in state.moves(seat) if move not in nine_texts() and len(move.split()) == 3)
    state.play(seat, move)
    state.play(seat, "done")
    for _ in range(2):
        state.play(nf.CHANCE, next(iter(state.chance())))
        state.play(state.actors[0], "done")
    for _ in range(3):
        assert not state.over
        assert state.actors[0] >= 0, "no card to draw again"
        state.play(state.actors[0], "done")
    assert state.over and state.winners == []


def test_r5_3_cards_left_are_reported() -> None:
    state = dealt("K K 5 5 2", DULL[0])
    chance(state, "7")
    state.play(0, "lay 7 2")
    state.play(0, "lay K K 5 5")
    assert sizes(state) == [0, 5]
    result = nf.simulate("multiple9", bots=["medium"] * 4, games=200, seed=1)
    text = json.dumps(result.json())
    assert "cards left in all hands" in text and "games that ended undecided" in text


def test_r6_1_the_fewest_cards_win_an_undecided_game() -> None:
    state = without_stock(*DULL, undecided="fewest")
    while not state.over:
        assert state.winners == []
        state.play(state.actors[0], "done")
    assert sizes(state) == [18, 17, 17]
    assert state.winners == [1, 2] and state.scores == [0, 1, 1]


def test_r6_1_does_not_touch_a_game_that_is_won() -> None:
    state = dealt("Q Q 3 8 10", DULL[2], undecided="fewest")
    state.play(0, "go out")
    assert state.winners == [0] and state.scores == [1, 0]


def lay_any(state: nf.State) -> int:
    """Put down the first play of one group that is legal; returns how many cards it had."""
    seat = state.actors[0]
    move = next(move for move in state.moves(seat) if move not in nine_texts() and move != "done")
    state.play(seat, move)
    state.play(seat, "done")
    return len(move.split()) - 1


def test_r6_2_everyone_has_one_last_turn_and_its_cards_stay_down() -> None:
    state = without_stock(*DULL, undecided="last_turn")
    first = state.actors[0]
    lay_any(state)
    for _ in range(2):
        assert not state.over and state.actors[0] not in (first, nf.CHANCE)
        assert zone(state, "stock")["count"] == 0, "what was put down does not come back"
        state.play(state.actors[0], "done")
    assert state.over and state.winners == [first], "the only one who put cards down"


def test_r6_2_cards_put_down_before_the_last_turns_come_back() -> None:
    state = dealt(*DULL, undecided="last_turn")
    while zone(state, "stock")["count"] or state.actors[0] < 0:
        seat = state.actors[0]
        state.play(seat, next(iter(state.chance())) if seat < 0 else "done")
    cards = lay_any(state)
    assert state.actors == (nf.CHANCE,) and zone(state, "stock")["count"] == cards


def test_r6_3_equal_numbers_are_decided_by_the_lowest_total() -> None:
    state = without_stock(*DULL, undecided="last_turn")
    totals = [nines.total(nines.unpack(int(hand))) for hand in state.position.hands[:3]]
    assert zone(state, "hand-1", None)["cards"][0]["card"] is None
    for _ in range(3):
        state.play(state.actors[0], "done")
    assert sizes(state) == [18, 17, 17] and totals[1] != totals[2]
    assert state.winners == [1 if totals[1] < totals[2] else 2]
    shown = [card["card"] for card in zone(state, "hand-1", None)["cards"]]
    assert len(shown) == 17 and all(shown), "hands that are compared are shown to everyone"


def test_r6_3_equal_in_both_share_the_win() -> None:
    state = without_stock(*DULL, undecided="last_turn")
    s = state.position
    s.hands[2] = s.hands[1]
    for _ in range(3):
        state.play(state.actors[0], "done")
    assert state.winners == [1, 2] and state.scores == [0, 1, 1]


@pytest.mark.parametrize("given", ["most", 1, True, None, ""])
def test_other_values_of_the_option_are_refused(given: object) -> None:
    with pytest.raises(nf.RuleError, match="draw or fewest"):
        nf.make("multiple9", undecided=given)
    with pytest.raises(nf.RuleError, match="no option"):
        nf.make("multiple9", decided=given)


def test_the_worked_game() -> None:
    state = dealt("7 K J 10 10", "5 A 6 8 9")
    chance(state, "3")
    assert {"lay J 7", "lay 10 10 7"} <= set(state.moves(0))
    state.play(0, "lay 7 10 10")
    state.play(0, "done")
    assert hand(state, 0) == "K J 3"
    chance(state, "A")
    state.play(1, "lay 8 A")
    refused(state, 1, "done", r"R4\.4")
    state.play(1, "lay 9")
    state.play(1, "done")
    assert hand(state, 1) == "6 5 A"
    chance(state, "5")
    state.play(0, "lay K 5")
    state.play(0, "done")
    assert hand(state, 0) == "J 3"
    chance(state, "3")
    refused(state, 1, "lay 6 3", r"R4\.5")
    assert list(state.moves(1)) == ["done"]
    state.play(1, "done")
    chance(state, "J")
    assert hand(state, 0) == "J J 3" and list(state.moves(0)) == ["done"]
    state.play(0, "done")
    chance(state, "K")
    state.play(1, "lay 5 K")
    state.play(1, "lay 6 3")
    state.play(1, "done")
    assert hand(state, 1) == "A"
    chance(state, "J")
    state.play(0, "lay J J J 3")
    assert state.over and state.winners == [0] and state.scores == [1, 0] and sizes(state) == [0, 1]
    assert nf.replay(state.record()) == state
