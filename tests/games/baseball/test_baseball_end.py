"""Baseball, R5 to R7: going out, a shoe that runs out, and a series of games."""

from __future__ import annotations

import pytest

import ninefold as nf
from ninefold.game.baseball import fields, rules
from ninefold.game.baseball.notation import PLACE_NAMES as PLACES
from support.baseball import (
    PASS,
    cards,
    fill,
    go,
    hand,
    last_card,
    refused,
    short_shoe,
    table,
    top,
    weights,
    zone,
)


def test_r5_1_gone_out_r5_2_one_more_turn_each_r5_3_the_end() -> None:
    state = last_card()
    assert state.actors == (0,) and state.view(0)["details"]["out"] is None
    go(state, "flip r3c3=KS")
    assert state.view(1)["details"]["out"] == 0 and state.actors == (1,)
    assert nf.render(state.view(None)["phase"]).endswith("(last turns)")
    assert [seat["status"] for seat in state.view(1)["seats"]] == ["gone_out", "last_turn"]
    assert "last turn" in str(state.picture(1).prompt)
    refused(state, 0, "draw", "R3.1")
    go(state, "draw=KD, put r1c1")
    for card in cards("JH 2C 3C 4C AC QS 2D"):
        assert state.actors == (nf.CHANCE,), "the rest is turned up"
        state.play(nf.CHANCE, card)
    assert state.over and not state.actors and not state.moves(1)
    assert hand(state, 1) == ["KD", "JH", "2C", "8H", "3C", "4C", "AC", "QS", "2D"]
    assert state.scores == [36, 0 + 15 + 2 + 8 + 3 + 4 + 1 + 25 + 2]
    assert state.winners == [0]
    assert int(rules.refuse(state.position, 1, fields.DRAW)) == 503
    with pytest.raises(nf.IllegalMove, match="over"):
        state.play(1, "draw")


def test_r5_1_going_out_by_replacing_the_last_face_down_card() -> None:
    state = go(last_card(), "take r3c3=QS")
    assert state.view(None)["details"]["out"] == 0 and top(state) == "QS"


def test_r5_1_not_before_the_end_of_the_turn() -> None:
    """A draw leaves the hand as it is: with a face-down card nobody has gone out, however often they draw."""
    state = last_card()
    for _ in range(3):
        go(state, f"{PASS}, {PASS}")
    assert state.view(None)["details"]["out"] is None and state.actors == (0,)


def test_r5_1_with_an_empty_hand_too() -> None:
    state = table(3, own="AS KS")
    for card, place in zip(cards("AS AH AD KS KH KD 2S 2H 2D"), (0, 3, 6, 1, 4, 7, 2, 5, 8), strict=True):
        known = PLACES[place] in ("r1c1", "r2c1")
        go(state, f"draw={card}, put {PLACES[place]}" + ("" if known else "=QD"))
        if place != 8:
            go(state, f"{PASS}, {PASS}")
    assert hand(state, 0) == ["-"] * 9 and state.scores[0] == 0
    assert state.view(None)["details"]["out"] == 0 and state.actors == (1,)


@pytest.mark.parametrize("players", [2, 3, 5])
def test_r5_2_everyone_else_has_exactly_one_more_turn(players: int) -> None:
    state = last_card(players)
    turns = state.turns
    go(state, "flip r3c3=KS")
    order = []
    while not state.over:
        seat = state.actors[0]
        if seat == nf.CHANCE:
            state.play(seat, next(iter(state.chance())))
        else:
            order.append(seat)
            state.play(seat, "take r1c1")
    assert order == list(range(1, players)) and state.turns == turns + players - 1
    assert all(not int(down) for down in state.position.left & ~state.position.up)


def test_r5_4_equal_lowest_share_the_win() -> None:
    state = go(last_card(), "flip r3c3=KS, draw=KD, put r1c1")
    for card in cards("8S 10C 5D 5C KC KH KH"):
        state.play(nf.CHANCE, card)
    assert state.scores == [36, 36] and state.winners == [0, 1]


def test_r5_4_the_lowest_wins_wherever_it_sits() -> None:
    state = go(last_card(), "flip r3c3=QS, draw=KD, put r1c1")
    for card in cards("8S 10C 5D 5C KC KH KH"):
        assert state.winners == []
        state.play(nf.CHANCE, card)
    assert state.scores == [61, 36] and state.winners == [1]


def test_r5_5_option_turn_limit() -> None:
    state = table(3, turn_limit=2)
    for _ in range(6):
        assert not state.over
        go(state, PASS)
    coming = []
    while not state.over:
        coming.append((int(state.position.mover), PLACES[int(state.position.spot)]))
        state.play(nf.CHANCE, "3D" if state.position.spot % 2 else "KD")
    unseen = [place for place in PLACES if place not in ("r1c1", "r2c1")]
    assert coming == [(seat, place) for seat in range(3) for place in unseen], "in seat order, row by row"
    assert state.turns == 6 and state.view(None)["details"]["out"] is None
    assert int(state.position.ended_limit) == 1 and int(state.position.ended_out) == 0


def test_r5_5_no_extra_turns_where_someone_has_just_gone_out() -> None:
    state = last_card(3, turn_limit=9)
    turns = state.turns
    go(state, "flip r3c3=KS")
    assert state.actors == (1,) and state.view(1)["details"]["out"] == 0
    go(state, f"{PASS}=2D=2D=2H=3H=4H=5H=6H")
    assert state.actors == (2,)
    go(state, f"{PASS}=2D=2D=2H=3H=4H=5H=6H")
    assert state.over and state.turns == turns + 2 == 27

    state = table(3, turn_limit=9)  # now seat 1 goes out in its ninth turn: seat 2 has one more, seat 0 none
    for place in PLACES[:8]:
        go(state, "draw=6D, discard")
        fill(state, place)
        go(state, PASS)
    go(state, f"{PASS}, flip r3c3=KS")
    assert state.view(None)["details"]["out"] == 1 and state.actors == (2,)
    go(state, f"{PASS}=2D=2D=2H=3H=4H=5H=6H")
    assert state.actors == (nf.CHANCE,) and state.position.mover == 0, "seat 0 turns up, and has no turn"
    go(state, "=2D=2D=2H=3H=4H=5H=6H")
    assert state.over and state.turns == 27


def test_r6_1_the_discards_become_the_shoe() -> None:
    state = short_shoe()
    assert zone(state, "shoe")["count"] == 0 and zone(state, "discards")["count"] == 9
    assert "draw" in state.moves(3) and "take r1c1" in state.moves(3)
    go(state, "draw")
    assert weights(state) == dict.fromkeys(cards("KC JS JH JD JC QS QH QD QC"), 1), "the top card included"
    assert zone(state, "shoe")["count"] == 9 and zone(state, "discards")["count"] == 0 and top(state) is None
    go(state, "=QD")
    assert top(state) is None, "no discard until the next one"
    refused(state, 3, "take r1c1", "R3.5")
    go(state, "discard")
    assert top(state) == "QD" and zone(state, "discards")["count"] == 1 and zone(state, "shoe")["count"] == 8


def test_r6_2_face_down_cards_come_from_the_original_shoe() -> None:
    state = go(short_shoe(), "draw=QD, discard, flip r2c2")
    public = {"KC", "JS", "JH", "JD", "JC", "QS", "QH", "QD", "QC"}
    assert not public & set(weights(state)), "what went round is in the new shoe, or on the discards"
    assert sum(weights(state).values()) == 45 - 10, "as many as there are places that nobody has looked at"
    assert not {"AS", "5H"} & set(weights(state)), "nor what someone has looked at"
    go(state, "=10D, draw")
    assert set(weights(state)) == public - {"QD"}, "draws come from the new shoe"
    go(state, "=KC, put r3c3")
    assert "10D" not in weights(state) and sum(weights(state).values()) == 34


def test_r6_2_a_second_time_round() -> None:
    state = short_shoe()
    for card in cards("JS JH JD JC QS QH QD QC KC"):
        go(state, f"draw={card}, discard")
    assert zone(state, "shoe")["count"] == 0
    go(state, "draw")
    assert int(state.position.reshuffles) == 2 and sum(weights(state).values()) == 9


def test_r6_1_there_is_always_something_to_take_and_to_draw() -> None:
    state = short_shoe()
    for _ in range(5):
        go(state, "take r1c1")
        assert zone(state, "discards")["count"] == 9, "every card taken was replaced by one from a hand"


def test_r7_1_innings_add_up_and_the_first_seat_moves_on() -> None:
    state = nf.make("baseball", players=3, innings=4, turn_limit=1, decks=16).start(manual=True)
    totals = [0, 0, 0]
    for inning in range(4):
        assert sum(weights(state).values()) == 54 * 16, "a full shoe"
        state.play(nf.CHANCE, "9C")
        progress = state.picture(None).progress
        assert progress and str(progress.label) == f"Inning {inning + 1} of 4"
        assert state.actors == (inning % 3,) and state.view(None)["details"]["first"] == inning % 3
        assert state.scores == totals and all(hand(state, seat) == ["?"] * 9 for seat in range(3))
        for _ in range(3):
            go(state, "look r1c1=KS, look r1c2=KH, turn up both")
        assert state.actors == (inning % 3,)
        for _ in range(3):
            seat = state.actors[0]
            go(state, f"flip r1c3={2 + seat}D")
        for _ in range(18):
            assert state.actors == (nf.CHANCE,)
            state.play(nf.CHANCE, "KC" if state.position.spot % 2 else "AC")
        totals = [total + 2 + seat + 3 for seat, total in enumerate(totals)]
        assert state.scores == totals, "the last hands lie there until the next card is dealt"
        assert state.over == (inning == 3)
    assert state.scores == [20, 24, 28] and state.winners == [0]
