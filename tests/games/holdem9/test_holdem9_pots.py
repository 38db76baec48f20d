"""Multiple 9 Hold'em, R4: pots, showdown, and cards that are never shown."""

from __future__ import annotations

import json
from collections import Counter

import pytest

import ninefold as nf
from ninefold.game.holdem9.fields import FACE_DOWN
from support.holdem9 import STRONG, WEAK, act, begin, chance, chips, deal_any, dealt, zone


def test_r4_1_the_last_one_in_takes_the_pot() -> None:
    state = dealt(STRONG, WEAK, "")
    act(state, "raise to 40", "fold", "fold")
    assert state.over and state.scores == [15, -5, -10] and state.winners == [0]
    assert zone(state, "board") == []


def test_r4_1_the_board_is_dealt_out() -> None:
    state = dealt(STRONG, "KH KD", stack=100)
    act(state, "raise to 100", "call")
    chance(state, "JS 7H 9D 2C")
    assert not state.over
    chance(state, "10C")
    assert state.over and len(zone(state, "board")) == 5
    assert state.scores == [-100, 100], (
        "9, J 7 and K K 10: seven nines, against 9, J 7, K 5 and nothing of 10"
    )


def test_r4_2_uncalled_chips_go_back() -> None:
    state = dealt("", "", stack="1000/60")
    act(state, "raise to 500", "call")
    assert chips(state) == [940, 0] and int(state.position.pot) == 120
    folded = dealt("", "", "")
    act(folded, "raise to 300", "fold", "fold")
    assert folded.scores == [15, -5, -10]
    ante = dealt("KH KD", WEAK, stack="1000/3", ante=5)
    chance(ante, "JS 7H 9D 2C 10C")
    assert ante.over and ante.scores == [3, -3], "2 of the ante came back, and the whole blind"


def test_r4_3_side_pots_go_to_their_own_winners() -> None:
    """K K takes what all paid, 8 7 the next, 4 4 the rest, and 10 2 nothing (the board of the cases)."""
    state = dealt("10S 2S", "KH KD", "8H 7S", "4H 4D", stack="300/50/120/300", blinds="0/10")
    act(state, "raise to 300", "call", "call", "call")
    assert state.picture(None).details["pots"] == [
        {"size": 200, "seats": [0, 1, 2, 3]},
        {"size": 210, "seats": [0, 2, 3]},
        {"size": 360, "seats": [0, 3]},
    ]
    chance(state, "JS 7H 9D 2C 10C")
    assert state.over and chips(state) == [0, 200, 210, 360]


def test_r4_3_pots_with_the_same_contenders_are_one() -> None:
    """Seat 1's folded 5 make no pot of their own; with 3 odd chips that would show."""
    state = dealt("8S 7S", "", "8H 7D", "8D 7C", stack=200)
    act(state, "raise to 100", "call", "fold", "call")
    assert state.picture(None).details["pots"] == [{"size": 305, "seats": [0, 2, 3]}]
    chance(state, "JS 7H 9D")
    act(state, "check", "check", "check")
    chance(state, "2C")
    act(state, "check", "check", "check")
    chance(state, "10C")
    act(state, "check", "check", "check")
    assert [int(number) for number in state.position.won[:4]] == [101, 0, 102, 102]


def test_r4_4_odd_chips_go_clockwise_from_the_button() -> None:
    """Three equal hands share 65: the two nearest clockwise of the button, seats 1 and 2, get a chip more."""
    state = dealt("8S 7S", "8H 7D", "8D 7C", "", blinds="5/5", stack=1000)
    act(state, "raise to 20", "call", "call", "call")
    chance(state, "JS 7H 9D")
    act(state, "bet 5", "call", "fold", "call")
    chance(state, "2C")
    act(state, "check", "check", "check")
    chance(state, "10C")
    act(state, "check", "check", "check")
    assert [int(number) for number in state.position.won[:4]] == [31, 32, 32, 0]
    assert state.scores == [6, 7, 7, -20]


def test_r4_5_all_in_players_show_when_no_more_betting_is_possible() -> None:
    state = dealt(STRONG, "KH KD", WEAK.replace("S", "C"), stack="1000/100/100")
    act(state, "raise to 500", "call")
    assert zone(state, "hand-1", None) == [None, None], "someone is still to decide"
    act(state, "call")
    assert zone(state, "hand-1", None) == ["KH", "KD"] or zone(state, "hand-1", None) == ["KD", "KH"]
    assert set(zone(state, "hand-2", None)) == {"2C", "4C"}
    assert zone(state, "hand-0", 1) == [None, None], "seat 0 still has chips and waits for the showdown"
    chance(state, "JS 7H 9D 2D 10C")
    assert set(zone(state, "hand-0", None)) == {"KS", "5S"}


def test_r4_5_an_all_in_player_is_not_shown_while_others_bet() -> None:
    state = dealt("", "KH KD", "", stack="1000/100/1000")
    act(state, "call", "raise to 100", "call", "call")
    deal_any(state)
    assert state.actors == (2,) and zone(state, "hand-1", None) == [None, None]


def test_r4_6_folded_cards_are_never_shown() -> None:
    state = dealt("KH KD", STRONG, "8H 7D", hands=2)
    act(state, "call", "fold", "check")
    assert zone(state, "hand-1", 1) == ["KS", "5S"], "its owner sees them while the hand lasts"
    assert zone(state, "hand-1", 0) == zone(state, "hand-1", None) == []
    chance(state, "JS 7H 9D")
    act(state, "bet 10", "fold")
    folded = {"KH", "KD", "KS", "5S", "8H", "7D"}
    seen = json.dumps([state.view(seat) for seat in (None, 0, 1, 2)]) + json.dumps(state.record())
    assert not [card for card in folded if f"{card}" in seen]
    assert Counter(action for seat, action in state.steps if seat == nf.CHANCE)[FACE_DOWN] == 6
    again = nf.replay(json.loads(json.dumps(state.record())), manual=True)
    assert again == state and again.steps == state.steps


def test_r4_6_shown_cards_stay_in_the_record_and_folded_ones_do_not() -> None:
    state = dealt("KH KD", STRONG, "8H 7D")
    act(state, "call", "fold", "check")
    chance(state, "JS 7H 9D")
    act(state, "check", "check")
    chance(state, "2C")
    act(state, "check", "check")
    during = json.dumps(state.record())
    assert "deal KS" in during, "a hand that is on can be played on from its record"
    chance(state, "10C")
    act(state, "check", "check")
    after = json.dumps(state.record())
    assert "deal KH" in after and "deal 8H" in after
    assert "deal KS" not in after and "deal 5S" not in after and after.count("deal ??") == 2
    assert nf.replay(state.record()).scores == state.scores == [15, -5, -10]


def test_r4_6_a_tampered_record_is_refused() -> None:
    state = dealt("KH KD", "8H 7D")
    act(state, "raise to 50", "fold")
    record = state.record()
    del record["digest"]
    record["scores"] = [500, -500]
    with pytest.raises(nf.RecordError, match="scores"):
        nf.replay(record)


def test_r4_6_everyone_may_have_agreed_to_show() -> None:
    state = dealt("KH KD", STRONG, show_folded=True)
    act(state, "fold")
    assert set(zone(state, "hand-0", None)) == {"KH", "KD"} and set(zone(state, "hand-1", 0)) == {"KS", "5S"}
    assert "deal KH" in json.dumps(state.record())


def test_r4_7_a_card_that_nobody_has_seen() -> None:
    state = begin(2)
    chance(state, "?? KH ?? 5H")
    assert zone(state, "hand-1", 1) == [None, None] and set(zone(state, "hand-0", 0)) == {"KH", "5H"}
    act(state, "call", "check")
    deal_any(state, 3)
    for _ in range(2):
        act(state, "check", "check")
        deal_any(state, 1)
    act(state, "check", "check")
    assert state.actors == (nf.CHANCE,) and "reveal KS" in state.chance()
    assert str(state.picture(0).prompt) == "Player 2 turns up a card."
    state.play(nf.CHANCE, "reveal KS")
    state.play(nf.CHANCE, "reveal 5S")
    assert state.over and state.scores == [0, 0]
    assert nf.replay(state.record()) == state


def test_r4_7_only_hole_cards_and_only_where_chance_is_played_by_hand() -> None:
    state = dealt("", "")
    act(state, "call", "check")
    with pytest.raises(nf.IllegalMove, match=r"deal \?\? cannot happen"):
        state.play(nf.CHANCE, "deal ??")
    with pytest.raises(nf.Unreadable):
        state.play(nf.CHANCE, "deal 5X")
