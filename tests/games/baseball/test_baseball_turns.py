"""Baseball, R3 and R4: what a turn is, and columns that clear."""

from __future__ import annotations

import json

import ninefold as nf
from ninefold.game.baseball.notation import PLACE_NAMES as PLACES
from support.baseball import PASS, cards, column, go, hand, last_card, refused, table, top, weights, zone


def test_r3_1_a_turn_is_flip_take_or_draw() -> None:
    state = table()
    assert state.moves(0) == [f"flip {p}" for p in PLACES] + [f"take {p}" for p in PLACES] + ["draw"]
    assert state.turns == state.view(0)["turn"] == 1
    refused(state, 1, "draw", "R3.1")
    refused(state, 0, "look r1c1", "R2.3")
    refused(state, 0, "turn up both", "R2.4")
    for number, move in enumerate(
        ["flip r3c3=5S", "take r1c1", "draw=2D, discard", "draw=2D, put r1c1"], start=1
    ):
        go(state, move)
        assert state.actors == (number % 2,) and state.turns == number + 1


def test_r3_2_flip() -> None:
    state = table(own="10S 10H", decks=1)
    go(state, "flip r1c1")
    assert hand(state, 0)[0] == "10S", "one that was looked at needs no chance"
    go(state, PASS)
    refused(state, 0, "flip r1c1", "R3.2")
    go(state, "flip r2c2")
    assert state.actors == (nf.CHANCE,)
    assert not {"9C", "10S", "10H", "8S", "8H", "6C"} & set(weights(state)) and weights(state)["JK"] == 2
    go(state, "=KS")
    assert hand(state, 0)[4] == "KS" and top(state) == "6C", "a flip leaves the discards alone"


def test_r3_3_take() -> None:
    state = table(first="KC", own="10S 10H")
    go(state, "take r1c1")
    assert hand(state, 0)[0] == "KC" and top(state) == "10S", "known to its owner: no chance"
    go(state, "take r3c3=QH")
    assert hand(state, 1)[8] == "10S" and top(state) == "QH", "unseen: chance says what it was"
    go(state, "take r1c1")
    assert hand(state, 0)[0] == "QH" and top(state) == "KC", "a face-up card can be replaced too"
    assert zone(state, "discards")["count"] == 1


def test_r3_4_only_the_drawer_sees_the_card() -> None:
    state = go(table(3, decks=2), "draw=KS")
    assert zone(state, "shoe")["count"] == 108 - 27 - 2
    assert zone(state, "drawn", 0)["cards"] == [{"card": "KS", "up": False}]
    for viewer in (1, 2, None):
        assert zone(state, "drawn", viewer)["cards"] == [{"card": None, "up": False}]
        assert "KS" not in json.dumps(state.view(viewer))
    refused(state, 0, "draw", "R3.5")
    refused(state, 0, "flip r1c1", "R3.5")
    refused(state, 0, "take r1c1", "R3.5")
    refused(state, 1, "discard", "R3.1")


def test_r3_4_nothing_to_discard_or_put_before_a_draw() -> None:
    state = table()
    refused(state, 0, "discard", "R3.4")
    refused(state, 0, "put r1c1", "R3.4")


def test_r3_5_discard_or_put() -> None:
    state = go(table(), "draw=KS")
    assert state.moves(0) == ["discard"] + [f"put {place}" for place in PLACES]
    kept = state.copy()
    go(state, "discard")
    assert top(state) == "KS" and zone(state, "discards")["count"] == 2
    go(kept, "put r2c2")
    assert zone(kept, "drawn")["cards"] == [{"card": "KS", "up": True}], "put, it is seen by all"
    go(kept, "=JC")
    assert hand(kept, 0)[4] == "KS" and top(kept) == "JC" and zone(kept, "drawn") == {}


def test_r3_6_a_cleared_place_stays_empty() -> None:
    state = go(table(own="7S 7D", up="both"), f"draw=7C, put r3c1=5S, {PASS}")
    assert hand(state, 0) == ["-", "?", "?"] * 3
    assert state.moves(0)[:6] == [f"flip r{row}c{column}" for row in (1, 2, 3) for column in (2, 3)]
    refused(state, 0, "flip r1c1", "R3.6")
    refused(state, 0, "take r2c1", "R3.6")
    go(state, "draw=AS")
    refused(state, 0, "put r3c1", "R3.6")


def test_r4_1_a_flip_that_completes_a_column() -> None:
    state = go(table(own="7S 7D", up="both"), "flip r3c1=7C")
    assert hand(state, 0) == ["-", "?", "?"] * 3
    assert zone(state, "discards")["count"] == 4 and top(state) == "7C", "from the top row to the bottom one"
    assert state.scores[0] == 0


def test_r4_1_a_known_card_counts_only_face_up() -> None:
    state = go(table(own="7S 7H", up="first"), f"draw=7D, put r3c1=QS, {PASS}")
    assert column(state, 0) == ["7S", "?", "7D"], "the one in the middle lies face down still"
    go(state, "flip r2c1")
    assert column(state, 0) == ["-"] * 3 and top(state) == "7D"


def test_r4_1_jokers_are_a_rank() -> None:
    state = go(table(own="JK JK", up="both"), "flip r3c1=JK")
    assert column(state, 0) == ["-"] * 3 and state.scores[0] == 0


def test_r4_1_option_clear_jokers_off() -> None:
    state = go(table(own="JK JK", up="both", clear_jokers=False), "flip r3c1=JK")
    assert column(state, 0) == ["JK"] * 3 and state.scores[0] == -6
    state = go(table(own="7S 7D", up="both", clear_jokers=False), "flip r3c1=7D")
    assert column(state, 0) == ["-"] * 3, "other ranks clear as ever"


def test_r4_1_rows_do_not_clear() -> None:
    state = go(table(own="7S 10D", up="both"), f"flip r1c2=7H, {PASS}, flip r1c3=7C")
    assert hand(state, 0)[:3] == ["7S", "7H", "7C"]


def test_r4_2_with_a_replacement_the_three_go_first() -> None:
    """The source: the three cards are placed first, and the replaced card ends on top."""
    state = go(table(own="7S 7D", up="both"), "draw=7C, put r3c1=QS")
    assert column(state, 0) == ["-"] * 3 and top(state) == "QS"
    assert zone(state, "discards")["count"] == 1 + 3 + 1
    go(state, "take r1c1")
    assert hand(state, 1)[0] == "QS", "and it is there to be taken"


def test_r4_2_the_same_with_a_card_taken() -> None:
    state = go(table(own="7S 7D", up="both"), "draw=2C, discard, draw=7C, discard, take r3c1=QS")
    assert column(state, 0) == ["-"] * 3 and top(state) == "QS"
    assert zone(state, "discards")["count"] == 3 - 1 + 3 + 1


def test_r4_2_the_same_in_place_of_a_card_known_to_its_owner_alone() -> None:
    state = go(table(own="7S QD", up="first"), f"draw=7H, put r3c1=2S, {PASS}, draw=7D, put r2c1")
    assert column(state, 0) == ["-"] * 3 and top(state) == "QD"


def test_r4_3_cards_turned_up_together_come_row_by_row_then_columns_clear() -> None:
    state = go(last_card(), "flip r3c3=KS, take r1c2")
    coming = []
    for card in cards("QH JD 4D JD KC KD JC"):  # r1c2 first: what the taken 5H has replaced
        coming.append(PLACES[int(state.position.spot)])
        assert "-" not in hand(state, 1), "nothing clears before all are up"
        state.play(nf.CHANCE, card)
    assert coming == ["r1c2", "r1c3", "r2c2", "r2c3", "r3c1", "r3c2", "r3c3"]
    assert hand(state, 1) == ["8S", "5H", "-", "8H", "4D", "-", "KC", "KD", "-"]
    assert top(state) == "JC" and state.over


def test_r4_3_columns_clear_from_left_to_right() -> None:
    state = go(last_card(), "flip r3c3=KS, draw=8D, put r3c1=QH")
    assert column(state, 1) == ["8S", "?", "8D"], "8S has come up; 8H will when its row does"
    for card in cards("JD KD JC KC JH KH"):
        state.play(nf.CHANCE, card)
    assert hand(state, 1) == ["-"] * 9 and state.over
    assert top(state) == "KH", "the third column was the last to go"
    assert state.position.columns == 3 and state.scores[1] == 0
