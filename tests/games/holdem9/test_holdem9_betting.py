"""Multiple 9 Hold'em, R3: betting."""

from __future__ import annotations

import pytest

import ninefold as nf
from support.holdem9 import act, chips, deal_any, dealt, moves, ranges, zone


def test_r3_1_order_and_end_of_rounds() -> None:
    state = dealt("", "", "", "")
    order = []
    for street, texts in enumerate((["call", "call", "call", "check"], ["check"] * 4, ["check"] * 4)):
        for text in texts:
            order.append((street, state.actors[0]))
            act(state, text)
        assert state.actors == (nf.CHANCE,)
        deal_any(state)
        assert len(zone(state, "board")) == 3 + street
    assert order == [(0, 3), (0, 0), (0, 1), (0, 2), *((s, p) for s in (1, 2) for p in (1, 2, 3, 0))]


def test_r3_1_the_big_blind_may_raise_after_calls() -> None:
    state = dealt("", "", "")
    act(state, "call", "call")
    assert state.actors == (2,) and ranges(state) == (["check"], 20, 1000)
    act(state, "raise to 30")
    assert state.actors == (0,) and moves(state)[:3] == ["fold", "call", "raise to 50"]


def test_r3_1_out_of_turn() -> None:
    state = dealt("", "", "")
    before = state.tobytes()
    for text in ("call", "fold", "raise to 40", "check"):
        with pytest.raises(nf.NotYourTurn, match=r"it is Player 1's turn \(R3\.1\)"):
            state.play(1, text)
    assert state.tobytes() == before


def test_r3_2_a_fold_is_offered_only_to_a_bet() -> None:
    state = dealt("", "")
    assert moves(state)[:2] == ["fold", "call"]
    act(state, "call")
    assert moves(state)[0] == "check"
    before = state.tobytes()
    with pytest.raises(nf.IllegalMove, match=r"no bet to fold to.*\(R3\.2\)"):
        state.play(1, "fold")
    with pytest.raises(nf.IllegalMove, match=r"nothing to call.*\(R3\.2\)"):
        state.play(1, "call")
    act(state, "raise to 20")
    with pytest.raises(nf.IllegalMove, match=r"10 or fold \(R3\.2\)"):
        state.play(0, "check")
    assert before != state.tobytes()


def test_r3_3_nobody_bets_more_than_he_has() -> None:
    state = dealt("", "", stack="300/200")
    before = state.tobytes()
    with pytest.raises(nf.IllegalMove, match=r"Player 1 has 300 chips to bet with \(R3\.3\)"):
        state.play(0, "raise to 301")
    with pytest.raises(nf.IllegalMove, match=r"nobody can have that many chips \(R3\.3\)"):
        state.play(0, "raise to 99999999")
    assert state.tobytes() == before
    act(state, "raise to 300")
    assert moves(state) == ["fold", "call"], "a call for less stands"
    act(state, "call")
    assert chips(state) == [100, 0]


def test_r3_3_a_short_big_blind() -> None:
    """Others call the largest bet that is actually in: the small blind's 5, not the missing 10."""
    state = dealt("", "", "", "", stack="1000/1000/4/1000")
    assert state.actors == (3,) and ranges(state) == (["fold", "call"], 15, 1000)
    act(state, "call")
    assert chips(state)[3] == 995
    act(state, "call")
    assert state.actors == (1,) and ranges(state) == (["check"], 15, 1000)


def test_r3_4_the_smallest_raise() -> None:
    state = dealt("", "", "")
    assert ranges(state) == (["fold", "call"], 20, 1000)
    act(state, "raise to 35")
    assert ranges(state) == (["fold", "call"], 60, 1000), "by 25, as the last raise"
    before = state.tobytes()
    with pytest.raises(nf.IllegalMove, match=r"the least allowed is raise to 60 \(R3\.4\)"):
        state.play(1, "raise to 59")
    assert state.tobytes() == before
    act(state, "call", "call")
    deal_any(state)
    assert ranges(state) == (["check"], 10, 965), "a bet is at least the big blind"
    with pytest.raises(nf.IllegalMove, match=r"the least allowed is bet 10 \(R3\.4\)"):
        state.play(1, "bet 9")
    act(state, "bet 10")
    assert ranges(state) == (["fold", "call"], 20, 965)


def test_r3_4_every_amount_is_a_move_of_its_own() -> None:
    state = dealt("", "", stack=40)
    assert moves(state) == ["fold", "call", *(f"raise to {amount}" for amount in range(20, 41))]
    assert state.moves(0).actions == [0, 1, *range(21, 42)]


def test_r3_4_less_than_a_raise_is_all_in_or_nothing() -> None:
    state = dealt("", "", stack="17/1000")
    assert moves(state) == ["fold", "call", "raise to 17"]


def test_r3_4_bets_and_raises_go_by_their_names() -> None:
    state = dealt("", "", "")
    for text, kind in (("bet 40", nf.IllegalMove), ("raise 40", nf.Ambiguous)):
        with pytest.raises(kind):
            state.play(0, text)
    with pytest.raises(nf.Ambiguous, match="raise to 40, or raise by 40 to 50"):
        state.play(0, "raise 40")
    act(state, "raise by 40")
    assert int(state.position.highest) == 50
    act(state, "fold", "call")
    deal_any(state)
    with pytest.raises(nf.IllegalMove, match=r"no bet to raise.*\(R3\.4\)"):
        state.play(2, "raise to 40")
    act(state, "ALL IN")
    assert chips(state)[2] == 0
    act(state, "all-in")
    assert chips(state)[0] == 0


def test_r3_5_a_short_all_in_does_not_reopen() -> None:
    """Seat 3 raises to 100, seat 0 calls, seat 1 is all-in for 150: those two may only call or fold."""
    state = dealt("", "", "", "", stack="1000/150/1000/1000")
    act(state, "raise to 100", "call", "raise to 150")
    assert state.actors == (2,) and ranges(state) == (["fold", "call"], 240, 1000), (
        "who has not acted may raise"
    )
    act(state, "call")
    for seat in (3, 0):
        assert state.actors == (seat,) and moves(state) == ["fold", "call"]
        with pytest.raises(nf.IllegalMove, match=r"does not reopen the betting \(R3\.5\)"):
            state.play(seat, "raise to 600")
        act(state, "call")
    assert state.actors == (nf.CHANCE,)


def test_r3_5_a_full_all_in_reopens() -> None:
    state = dealt("", "", "", "", stack="1000/190/1000/1000")
    act(state, "raise to 100", "call", "raise to 190", "fold")
    assert state.actors == (3,) and ranges(state) == (["fold", "call"], 280, 1000)


def test_r3_5_short_all_ins_do_not_add_up() -> None:
    """50 and 60 more are together more than the last full raise of 90, and still no raise."""
    state = dealt("", "", "", "", stack="150/210/1000/1000")
    act(state, "raise to 100", "raise to 150", "raise to 210")
    assert state.actors == (2,) and ranges(state)[1] == 300, "measured by the last full raise, of 90"
    act(state, "call")
    assert state.actors == (3,) and moves(state) == ["fold", "call"]


def test_r3_5_a_short_opening_bet_does_not_reopen_to_who_checked() -> None:
    state = dealt("", "", "", stack="17/1000/1000")
    act(state, "call", "call", "check")
    deal_any(state)
    act(state, "check", "check")
    assert state.actors == (0,) and moves(state) == ["check", "bet 7"]
    act(state, "bet 7")
    assert state.actors == (1,) and moves(state) == ["fold", "call"]


def test_r3_6_a_raise_that_nobody_could_call_is_no_move() -> None:
    state = dealt("", "", "", stack="1000/1000/100")
    act(state, "fold", "call", "raise to 100")
    assert state.actors == (1,) and moves(state) == ["fold", "call"]
    with pytest.raises(nf.IllegalMove, match=r"nobody is left who could call \(R3\.6\)"):
        state.play(1, "raise to 200")
    deeper = dealt("", "", stack="1000/100")
    assert ranges(deeper)[2] == 1000, "more than the other has may be bet"


def test_r3_7_who_could_only_check_is_not_asked() -> None:
    state = dealt("", "", stack="3/1000")
    assert state.actors == (nf.CHANCE,), (
        "the small blind is all-in, and the big blind has nobody to bet against"
    )
    one_caller = dealt("", "", "", stack="30/1000/30")
    act(one_caller, "raise to 30", "call", "call")
    assert one_caller.actors == (nf.CHANCE,)
    deal_any(one_caller)
    assert one_caller.over


def test_r3_8_fixed_limit_sizes() -> None:
    state = dealt("", "", betting="fixed_limit")
    assert moves(state) == ["fold", "call", "raise to 20"]
    act(state, "call", "check")
    sizes = []
    for _ in range(3):
        deal_any(state)
        sizes.append(moves(state))
        act(state, "check", "check")
    assert sizes == [["check", "bet 10"], ["check", "bet 20"], ["check", "bet 20"]]
    refused = dealt("", "", betting="fixed_limit")
    with pytest.raises(nf.IllegalMove, match=r"the least allowed is raise to 20 \(R3\.4\)"):
        refused.play(0, "raise to 15")
    with pytest.raises(nf.IllegalMove, match=r"the limit is fixed: raise to 20 \(R3\.8\)"):
        refused.play(0, "raise to 30")


def test_r3_8_one_bet_and_three_raises() -> None:
    state = dealt("", "", betting="fixed_limit")
    act(state, "raise to 20", "raise to 30", "raise to 40")
    assert moves(state) == ["fold", "call"], "before the flop the big blind was the bet"
    with pytest.raises(nf.IllegalMove, match=r"a bet and three raises \(R3\.8\)"):
        state.play(1, "raise to 50")
    act(state, "call")
    deal_any(state)
    act(state, "bet 10", "raise to 20", "raise to 30", "raise to 40")
    assert moves(state) == ["fold", "call"]


def test_r3_8_a_short_all_in_does_not_count() -> None:
    state = dealt("", "", "", stack="1000/1000/25", betting="fixed_limit")
    act(state, "raise to 20", "call", "raise to 25")
    assert moves(state) == ["fold", "call"], "nor does it reopen"
    other = dealt("", "", "", "", stack="25/1000/1000/1000", betting="fixed_limit")
    act(other, "raise to 20", "raise to 25", "raise to 35", "raise to 45")
    assert int(other.position.raises) == 4 and moves(other) == ["fold", "call"]


def test_r3_9_pot_limit() -> None:
    state = dealt("", "", "", betting="pot_limit")
    assert ranges(state) == (["fold", "call"], 20, 35), "15 in, 10 to call: raise by 25"
    with pytest.raises(nf.IllegalMove, match=r"the most the pot allows is raise to 35 \(R3\.9\)"):
        state.play(0, "raise to 36")
    act(state, "raise to 35")
    assert ranges(state) == (["fold", "call"], 60, 115), "50 in, 30 to call: raise by 80"
    short = dealt("", "", "", "", betting="pot_limit", stack="1000/1/2/1000")
    assert ranges(short) == (["fold", "call"], 12, 12), "the smallest raise is always allowed"
