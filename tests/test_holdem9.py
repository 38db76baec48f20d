"""Multiple 9 Hold'em by its numbered rules (src/ninefold/game/holdem9/RULES.md) and its sources' cases."""

from __future__ import annotations

import json
from collections import Counter
from itertools import combinations_with_replacement, pairwise
from typing import Any

import pytest

import ninefold as nf
from ninefold.engine.views import tell
from ninefold.game.holdem9 import BREAK, FACTS, hands, rules
from ninefold.game.holdem9.knowledge import FACE_DOWN
from ninefold.kernel.cards import PLAIN
from ninefold.testkit import check

WEAK, STRONG = "2S 4S", "KS 5S"  # the worst and the best starting hand


def begin(players: int = 2, **options: object) -> nf.State:
    return nf.make("holdem9", players=players, **options).start(manual=True)


def chance(state: nf.State, cards: str) -> None:
    for card in cards.split():
        state.play(nf.CHANCE, f"deal {card}")


def deal_any(state: nf.State, cards: int = 60, kept: str = "") -> None:
    """Let chance deal the first cards there are, but for some that are kept, until somebody has to act."""
    for _ in range(cards):
        if state.actors != (nf.CHANCE,):
            return
        text = next(text for text in state.chance() if text.split()[1] not in kept.split())
        state.play(nf.CHANCE, text)


def dealt(*given: str, **options: object) -> nf.State:
    """A session in which the seats have these cards in the first hand; empty ones have any."""
    state = begin(len(given), **options)
    kept = " ".join(given)
    for place in range(2):
        for step in range(1, len(given) + 1):
            hand = given[step % len(given)].split()
            if hand:
                chance(state, hand[place])
            else:
                deal_any(state, 1, f"{kept} JS 7H 9D 2C 10C 9S")
    return state


def act(state: nf.State, *texts: str) -> None:
    """Each of the moves by whoever's turn it is."""
    for text in texts:
        state.play(state.actors[0], text)


def moves(state: nf.State) -> list[str]:
    return list(state.moves(state.actors[0]))


def ranges(state: nf.State) -> tuple[list[str], int, int]:
    """The words on offer, and the least and the most of a bet or raise (0 where there is none)."""
    seat = state.actors[0]
    offered = state.view(seat)["offers"]
    words = [
        part["move"] for part in offered if part["kind"] == "button" and part["move"].split()[-1].isalpha()
    ]
    spans = [(part["low"], part["high"]) for part in offered if part["kind"] == "number"]
    return (words, *(spans[0] if spans else (0, 0)))


def chips(state: nf.State) -> list[int]:
    return [int(number) for number in state._s.chips[: state.game.players]]


def zone(state: nf.State, name: str, seat: int | None = None) -> list[str | None]:
    found = next(part for part in state.view(seat)["zones"] if part["id"] == name)
    return [card["card"] for card in found["cards"]]


# 1: the table


@pytest.mark.parametrize("players", range(2, 11))
def test_r1_1_two_to_ten_players(players: int) -> None:
    state = nf.make("holdem9", players=players).start(seed=players)
    assert len(state.scores) == players
    dealt_to = [len(zone(state, f"hand-{seat}")) for seat in range(players)]
    assert dealt_to == [2] * players


@pytest.mark.parametrize("players", [0, 1, 11, -2, "many", 2.5, True])
def test_r1_1_other_numbers_of_players_are_refused(players: Any) -> None:
    with pytest.raises(nf.RuleError, match="2 to 10 players"):
        nf.make("holdem9", players=players)


def test_r1_1_one_deck() -> None:
    state = begin(3)
    assert state.chance() == {f"deal {card}": pytest.approx(1 / 52) for card in PLAIN.texts}
    chance(state, "7H")
    assert len(state.chance()) == 51 and "deal 7H" not in state.chance()


def test_r1_2_chips_bought_in() -> None:
    assert chips(begin(3, blinds="0/1")) == [1000, 1000, 999]
    assert chips(begin(3, stack="200/500/1000")) == [200, 495, 990]
    assert chips(begin(3, stack=[200, 500, 1000])) == [200, 495, 990]
    assert nf.make("holdem9", players=2, stack=" 70 ").options["stack"] == 70


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ({"stack": "200/500"}, "one for each of the 3 seats"),
        ({"stack": 0}, "a whole number from 1 to 1,000,000"),
        ({"stack": 99.5}, "a whole number"),
        ({"stack": "10/-5/3"}, "a whole number"),
        ({"stack": []}, "a whole number"),
        ({"stack": 1_000_001}, "1,000,000"),
        ({"blinds": "10/5"}, "not above the big one"),
        ({"blinds": "0/0"}, "at least 1"),
        ({"blinds": 10}, "2 whole numbers"),
        ({"blinds": "5/10/20"}, "2 whole numbers"),
        ({"blinds": "5/x"}, "2 whole numbers"),
        ({"ante": -1}, "ante is a whole number"),
        ({"betting": "limit"}, "no_limit or pot_limit or fixed_limit"),
        ({"hands": 1.5}, "hands is a whole number"),
        ({"hands": -1}, "hands is a whole number"),
        ({"rise": True}, "rise is a whole number"),
        ({"breaks": "maybe"}, "on or off"),
        ({"blind": "5/10"}, "did you mean blinds"),
    ],
)
def test_r1_2_bad_options_are_refused(options: dict[str, Any], told: str) -> None:
    with pytest.raises(nf.RuleError, match=told):
        nf.make("holdem9", players=3, **options)


# 2: a hand begins


def test_r2_1_the_button_moves_to_the_next_dealt_in() -> None:
    state = begin(3, hands=4)
    buttons = []
    for _ in range(4):
        buttons.append(state.view(None)["button"])
        deal_any(state)
        act(state, "fold", "fold")
    assert buttons == [0, 1, 2, 0] and state.over


def test_r2_2_blinds() -> None:
    state = begin(4, blinds="25/50")
    assert [part["bet"] for part in state.view(None)["seats"]] == [0, 25, 50, 0]
    deal_any(state)
    assert state.actors == (3,) and ranges(state) == (["fold", "call"], 100, 1000)


def test_r2_2_heads_up_the_button_pays_the_small_blind() -> None:
    state = dealt("", "")
    assert [part["bet"] for part in state.view(None)["seats"]] == [5, 10]
    assert state.actors == (0,), "and acts first before the flop"
    act(state, "call")
    assert state.actors == (1,)
    act(state, "check")
    deal_any(state)
    assert state.actors == (1,), "and last afterwards"


def test_r2_3_antes_are_no_bets() -> None:
    state = begin(3, ante=3)
    view = state.view(None)
    assert [part["paid"] for part in view["seats"]] == [3, 8, 13]
    assert [part["bet"] for part in view["seats"]] == [0, 5, 10]
    deal_any(state)
    act(state, "call")
    assert chips(state)[0] == 987


def test_r2_3_who_has_too_few_chips_is_all_in() -> None:
    state = begin(4, ante=4, stack="100/3/6/100")
    assert chips(state) == [96, 0, 0, 96]
    assert [part["bet"] for part in state.view(None)["seats"]] == [0, 0, 2, 0]
    assert [part["status"] for part in state.view(None)["seats"]] == ["waits", "all-in", "all-in", "waits"]


def test_r2_4_two_cards_one_at_a_time_from_the_left_of_the_button() -> None:
    state = begin(3)
    chance(state, "AS 2S 3S 4S 5S 6S")
    assert [sorted(map(str, zone(state, f"hand-{seat}", seat))) for seat in range(3)] == [
        ["3S", "6S"],
        ["4S", "AS"],
        ["2S", "5S"],
    ]


def test_r2_4_nobody_acts_before_the_deal() -> None:
    state = begin(3)
    before = state.tobytes()
    with pytest.raises(nf.NotYourTurn, match=r"cards are dealt first \(R2\.4\)"):
        state.play(0, "call")
    assert state.tobytes() == before


# 3: betting


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
        with pytest.raises(nf.NotYourTurn, match=r"it is seat 0's turn \(R3\.1\)"):
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
    with pytest.raises(nf.IllegalMove, match=r"10 to call or to fold \(R3\.2\)"):
        state.play(0, "check")
    assert before != state.tobytes()


def test_r3_3_nobody_bets_more_than_he_has() -> None:
    state = dealt("", "", stack="300/200")
    before = state.tobytes()
    with pytest.raises(nf.IllegalMove, match=r"seat 0 has 300 chips to bet with \(R3\.3\)"):
        state.play(0, "raise to 301")
    with pytest.raises(nf.IllegalMove, match=r"nobody can have so many chips \(R3\.3\)"):
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
    with pytest.raises(nf.IllegalMove, match=r"the smallest raise is to 60 \(R3\.4\)"):
        state.play(1, "raise to 59")
    assert state.tobytes() == before
    act(state, "call", "call")
    deal_any(state)
    assert ranges(state) == (["check"], 10, 965), "a bet is at least the big blind"
    with pytest.raises(nf.IllegalMove, match=r"the smallest bet is 10 \(R3\.4\)"):
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
    with pytest.raises(nf.Ambiguous, match="raise to 40 or raise by 40, which is raise to 50"):
        state.play(0, "raise 40")
    act(state, "raise by 40")
    assert int(state._s.highest) == 50
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
    with pytest.raises(nf.IllegalMove, match=r"nobody is left who could call any part of it \(R3\.6\)"):
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
    with pytest.raises(nf.IllegalMove, match=r"the smallest raise is to 20 \(R3\.4\)"):
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
    assert int(other._s.raises) == 4 and moves(other) == ["fold", "call"]


def test_r3_9_pot_limit() -> None:
    state = dealt("", "", "", betting="pot_limit")
    assert ranges(state) == (["fold", "call"], 20, 35), "15 in, 10 to call: raise by 25"
    with pytest.raises(nf.IllegalMove, match=r"the pot allows 35 at most \(R3\.9\)"):
        state.play(0, "raise to 36")
    act(state, "raise to 35")
    assert ranges(state) == (["fold", "call"], 60, 115), "50 in, 30 to call: raise by 80"
    short = dealt("", "", "", "", betting="pot_limit", stack="1000/1/2/1000")
    assert ranges(short) == (["fold", "call"], 12, 12), "the smallest raise is always allowed"


# 4: pots and showdown


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
    assert chips(state) == [940, 0] and int(state._s.pot) == 120
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
    assert state.view(None)["pots"] == [
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
    assert state.view(None)["pots"] == [{"size": 305, "seats": [0, 2, 3]}]
    chance(state, "JS 7H 9D")
    act(state, "check", "check", "check")
    chance(state, "2C")
    act(state, "check", "check", "check")
    chance(state, "10C")
    act(state, "check", "check", "check")
    assert [int(number) for number in state._s.won[:4]] == [101, 0, 102, 102]


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
    assert [int(number) for number in state._s.won[:4]] == [31, 32, 32, 0]
    assert state.scores == [6, 7, 7, -20]


def test_r4_5_all_in_players_show_when_no_more_betting_is_possible() -> None:
    state = dealt(STRONG, "KH KD", WEAK.replace("S", "C"), stack="1000/100/100")
    act(state, "raise to 500", "call")
    assert zone(state, "hand-1", None) == [None, None], "somebody is still to decide"
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


def test_r4_6_everybody_may_have_agreed_to_show() -> None:
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
    assert "Seat 1 turns up a card" in state.view(0)["prompt"]
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


# 5: the hand

CASES = {
    "Q 5": (3, ["Q", "10", "5", "2"]),
    "K A": (3, ["K", "10", "2", "A"]),
    "A 2": (3, ["10", "2", "2", "A"]),
    "6 9": (4, ["10", "6", "2"]),
    "10 2": (4, ["J", "2", "2"]),
    "4 4": (5, ["2"]),
    "8 2": (5, ["2", "2"]),
    "10 7": (6, ["2"]),
    "8 7": (6, []),
    "K K": (7, ["2"]),
}


@pytest.mark.parametrize("hand", CASES)
def test_r5_3_the_cases(hand: str) -> None:
    found = nf.holdem9.judge(f"J 7 9 2 10 {hand}")
    assert (found.nines, found.unused) == CASES[hand]
    used = Counter(rank for group in found.groups for rank in group)
    assert used + Counter(found.unused) == Counter(f"J 7 9 2 10 {hand}".split())


def test_r5_5_the_cases_worst_to_best() -> None:
    found = [nf.holdem9.judge(f"J 7 9 2 10 {hand}").strength for hand in CASES]
    assert found == sorted(set(found))


@pytest.mark.parametrize(
    ("group", "nines"),
    [
        ("6 6 6", 2),
        ("Q Q Q", 4),
        ("9 9 9 9", 4),
        ("8 8 A A", 2),
        ("8 8 2", 2),
        ("8 8 8 3", 3),
        ("8 8 8 Q", 4),
        ("8 8 8 8 4", 4),
        ("8 8 8 8 K", 5),
        ("8 8 8 8 J J", 6),
        ("K K K K 10 10", 8),
        ("Q Q Q Q J J J", 9),
        ("3 3 3", 1),
        ("6 3", 1),
        ("9", 1),
    ],
)
def test_r5_1_r5_2_groups_of_the_source(group: str, nines: int) -> None:
    """Filled up with cards that make no more nines of their own."""
    cards = group.split()
    rest = [rank for rank in ("K", "Q", "J", "10", "8", "7", "5", "4", "2", "A") if rank not in cards]
    best = 0
    for filling in combinations_with_replacement(rest, 7 - len(cards)):
        if max(Counter(filling).values(), default=0) <= 4:
            found = nf.holdem9.judge([*cards, *filling])
            assert found.nines >= nines
            best += found.nines == nines
    assert best, "some filling adds nothing"


def test_r5_2_no_group_has_three_ranks() -> None:
    """3-3-5-7 and 8-4-4-2 total 18 with three sets and make no two nines; 8-4-4-A-A is two groups."""
    assert nf.holdem9.judge("3 3 5 7 A A 8").nines == 1
    assert nf.holdem9.judge("8 4 4 2 A 2 J").groups == [["8", "A"]]
    assert nf.holdem9.judge("8 4 4 A A 2 2").nines == 2


def test_r5_4_worths_of_unused_ranks() -> None:
    from ninefold.game.holdem9.showing import worths

    assert worths([0]) == [14] == worths([6, 6]) and worths([7, 7]) == [16]
    assert worths([3, 3]) == [8] > worths([6]), "4 4 is better than 7"
    assert worths([1, 1, 9, 0]) == [14, 10, 4]


def test_r5_5_how_many_hands_there_are() -> None:
    assert len(hands.STRENGTH) == 49_205 and len(set(hands.STRENGTH.tolist())) == 7_279
    assert hands.BEST == 7_279 and min(hands.STRENGTH) == 1
    every = [
        hand for hand in combinations_with_replacement(range(1, 14), 7) if max(Counter(hand).values()) <= 4
    ]
    assert len(every) == 49_205
    places = {int(hands._places(sum(int(hands.KEY[value - 1]) for value in hand))) for hand in every}
    assert places == set(range(49_205)), "the index is perfect"
    found = nf.holdem9.strengths(every)
    nine = [hand for hand, strength in zip(every, found, strict=True) if strength > 7_279 - 14]
    texts = [[PLAIN.ranks[value - 1] for value in hand] for hand in nine]
    assert sum(nf.holdem9.judge(text).nines == 9 for text in texts) == 14
    top = every[int(found.argmax())]
    assert top == (11, 11, 11, 12, 12, 12, 12) and (found == 7_279).sum() == 1


def test_r5_5_the_table_against_brute_force() -> None:
    compare(every_so_many=11)


@pytest.mark.soak
def test_r5_5_the_whole_table_against_brute_force() -> None:
    compare(every_so_many=1)


def compare(every_so_many: int) -> None:
    """Hands in the order of their strengths are in the order of a judge who tries every choice of groups."""
    import plain_holdem9 as plain

    every = [
        hand for hand in combinations_with_replacement(range(1, 14), 7) if max(Counter(hand).values()) <= 4
    ][::every_so_many]
    fast = nf.holdem9.strengths(every).tolist()
    slow = [plain.strength(hand) for hand in every]
    order = sorted(range(len(every)), key=fast.__getitem__)
    for one, other in pairwise(order):
        assert (fast[one] < fast[other]) == (slow[one] < slow[other]), (every[one], every[other])
        assert (fast[one] == fast[other]) == (slow[one] == slow[other])


def test_r5_5_verdicts_name_groups_that_make_the_strength() -> None:
    import random

    chooser = random.Random(5)
    deck = [rank for rank in PLAIN.ranks for _ in range(4)]
    for _ in range(300):
        cards = chooser.sample(deck, 7)
        found = nf.holdem9.judge(cards)
        values = [[PLAIN.ranks.index(rank) + 1 for rank in group] for group in found.groups]
        assert all(sum(group) % 9 == 0 and len(set(group)) <= 2 for group in values)
        assert sum(map(sum, values)) == 9 * found.nines
        assert Counter(cards) == Counter(found.unused) + Counter(r for group in found.groups for r in group)


@pytest.mark.parametrize(
    ("cards", "told"),
    [
        ("8 8 8 8 8 2 3", "holds 4 eights, and here are 5"),
        ("8 8 8", "7 cards, not 3"),
        ("A 2 3 4 5 6 7 8", "7 cards, not 8"),
        ("A 2 3 4 5 6 X", "not a card"),
        ("8S 8S 3 4 5 6 7", "here are 2"),
        ("", "7 cards, not 0"),
    ],
)
def test_r5_5_hands_that_are_none(cards: str, told: str) -> None:
    with pytest.raises(nf.RuleError, match=told):
        nf.holdem9.judge(cards)


@pytest.mark.parametrize(
    ("values", "told"),
    [
        ([[1, 2, 3, 4, 5, 6]], "shape"),
        ([1, 2, 3, 4, 5, 6, 7], "shape"),
        ([[1, 2, 3, 4, 5, 6, 14]], "hand 0 is"),
        ([[1, 2, 3, 4, 5, 6, 7], [0, 2, 3, 4, 5, 6, 7]], "hand 1 is"),
        ([[8, 8, 8, 8, 8, 1, 2]], "five cards of one value"),
        ([[1.5, 2, 3, 4, 5, 6, 7]], "whole numbers"),
    ],
)
def test_r5_5_bulk_hands_that_are_none(values: Any, told: str) -> None:
    with pytest.raises(nf.RuleError, match=told):
        nf.holdem9.strengths(values)


# 6: the session


def test_r6_1_hands_of_a_session() -> None:
    state = begin(2, hands=3)
    for number in (1, 2, 3):
        assert int(state._s.hand) == number and not state.over
        deal_any(state)
        act(state, "fold")
    assert state.over and state.scores == [-5, 5], "the small blind folded each time: seats 0, 1, 0"


def test_r6_1_until_one_has_all_the_chips() -> None:
    game = nf.make("holdem9", players=4, hands=0, stack=50)
    state = game.start(seed=3)
    from ninefold.engine.players import Company

    Company(game, ["raise", "call", "random", "raise"], 3).play_out(state, 100_000)
    assert state.over and sorted(state.scores) == [-50, -50, -50, 150]


def test_r6_2_a_player_without_chips_is_passed_over() -> None:
    state = dealt(WEAK, "KH KD", "", "", stack="50/50/1000/1000", hands=3)
    act(state, "fold", "raise to 50", "call", "fold")
    chance(state, "JS 7H 9D 2C 10C")
    assert state.view(None)["seats"][0]["status"] == "out of chips"
    assert state.view(None)["button"] == 1 and state.actors == (nf.CHANCE,)
    deal_any(state)
    assert zone(state, "hand-0") == [] and state.actors == (1,)
    act(state, "fold", "fold")
    assert state.view(None)["button"] == 2


def test_r6_2_two_left_play_heads_up() -> None:
    state = dealt(WEAK, "KH KD", "", stack="50/50/1000", hands=3)
    act(state, "raise to 50", "call", "fold")
    chance(state, "JS 7H 9D 2C 10C")
    view = state.view(None)
    assert view["button"] == 1 and [part["bet"] for part in view["seats"]] == [0, 5, 10]


def test_r6_3_the_session_ends_when_one_has_all() -> None:
    state = dealt("KH KD", WEAK, stack=100, hands=10)
    act(state, "raise to 100", "call")
    chance(state, "JS 7H 9D 2C 10C")
    assert state.over and state.scores == [100, -100] and state.winners == [0]


def test_r6_4_scores_and_shared_wins() -> None:
    state = dealt("8S 7S", "8H 7D", "", stack="100/100/300")
    act(state, "raise to 100", "call", "fold")
    chance(state, "JS 7H 9D 2C 10C")
    assert state.over and state.scores == [5, 5, -10] and state.winners == [0, 1]
    with pytest.raises(nf.IllegalMove, match="over"):
        state.play(0, "check")


def test_r6_4_the_end_cites_its_rule() -> None:
    state = dealt("", "")
    act(state, "fold")
    assert rules.refuse(state._s, 0, rules.CALL) == 604


def test_r6_5_blinds_that_rise() -> None:
    state = begin(2, hands=7, rise=2, ante=1)
    seen = []
    for _ in range(7):
        seen.append((int(state._s.small), int(state._s.big), int(state._s.fee)))
        deal_any(state)
        act(state, "fold")
    assert seen == [(5, 10, 1)] * 2 + [(10, 20, 2)] * 2 + [(20, 40, 4)] * 2 + [(40, 80, 8)]


def test_r6_6_breaks() -> None:
    state = begin(3, hands=4, breaks=True)
    deal_any(state)
    act(state, "fold", "fold")
    asked = []
    for text in ("deal me in", "deal me in", "sit out"):
        asked.append(state.actors[0])
        assert moves(state) == ["deal me in", "sit out", "leave"]
        act(state, text)
    assert asked == [1, 2, 0], "from the left of the button"
    assert state.view(None)["seats"][0]["status"] == "sits out"
    deal_any(state)
    assert zone(state, "hand-0") == [] and chips(state)[0] == 1000
    act(state, "fold")
    asked = []
    for text in ("deal me in", "leave", "deal me in"):
        asked.append(state.actors[0])
        act(state, text)
    assert asked == [2, 0, 1] and state.view(None)["seats"][0]["status"] == "left"
    deal_any(state)
    act(state, "fold")
    assert state.actors[0] in (1, 2)
    act(state, "leave")
    assert state.over, "one player is left"
    assert state.scores[0] == 0 and sum(state.scores) == 0


def test_r6_6_words_in_their_place() -> None:
    state = begin(2, hands=2, breaks=True)
    deal_any(state)
    with pytest.raises(nf.IllegalMove, match=r"that is for between hands.*\(R6\.6\)"):
        state.play(0, "sit out")
    act(state, "fold")
    with pytest.raises(nf.IllegalMove, match=r"between hands it is deal me in.*\(R6\.6\)"):
        state.play(1, "call")
    assert BREAK == rules.DEAL_IN and FACTS.actions == BREAK + 3


def test_r6_7_a_hand_that_nobody_wants_passes() -> None:
    state = begin(2, hands=3, breaks=True)
    deal_any(state)
    act(state, "fold", "deal me in", "sit out")
    assert int(state._s.hand) == 2 and moves(state) == ["deal me in", "sit out", "leave"]
    act(state, "sit out", "sit out")
    assert state.over and int(state._s.hand) == 3


# Texts, views, bad input


@pytest.mark.parametrize(
    "text",
    ["", "bet", "raise to", "raise to ten", "raise to 20.5", "raise to -20", "jump", "bet 0", "raise to 1e3"],
)
def test_unreadable_moves(text: str) -> None:
    state = dealt("", "")
    before = state.tobytes()
    with pytest.raises(nf.Unreadable):
        state.play(0, text)
    assert state.tobytes() == before


@pytest.mark.parametrize("move", [-1, 10_000_005, 2.0, True, None])
def test_ids_that_are_none(move: Any) -> None:
    state = dealt("", "")
    with pytest.raises(nf.IllegalMove):
        state.play(0, move)


def test_cards_are_seen_by_their_owner_only() -> None:
    state = dealt("KH KD", STRONG, "8H 7D")
    for viewer in (None, 0, 1, 2):
        for owner in range(3):
            seen = zone(state, f"hand-{owner}", viewer)
            assert (None not in seen) == (viewer == owner) and len(seen) == 2


def listen(state: nf.State, viewer: int | None) -> list[str]:
    """Everything that a viewer will be told, but for what is quiet."""
    lines: list[str] = []

    def watch(before: Any, seat: int, action: int, after: Any) -> None:
        events = tell(state.game, before, seat, action, after, viewer)
        lines.extend(event["text"] for event in events if not event.get("quiet"))

    state.watchers.append(watch)
    return lines


def test_the_story_of_a_hand() -> None:
    state = begin(2, stack=100)
    told = {viewer: listen(state, viewer) for viewer in (None, 0, 1)}
    chance(state, "KH 8H KD 7D")
    act(state, "raise to 100", "call")
    chance(state, "JS 7H 9D 2C 10C")
    assert told[None] == [
        "Hand 1: Player 1 has the button.",
        "Player 1 pays the small blind, 5.",
        "Player 2 pays the big blind, 10.",
        "Player 1 raises to 100 and is all-in.",
        "Player 2 calls 90 and is all-in.",
        "Player 2 shows K♦ K♥.",
        "Player 1 shows 8♥ 7♦.",
        "The flop is J♠ 7♥ 9♦.",
        "The turn is 2♣.",
        "The river is 10♣.",
        "Player 2 wins 200 with 7 nines (K K 10, J 7, 9), unused 2.",
        "Player 1 has no chips left.",
        "Player 1 has 0 chips: lost 100.",
        "Player 2 has 200 chips: won 100.",
        "The session is over: Player 2 wins.",
    ]
    assert [line for line in told[0] if line not in told[None]] == ["Player 1 holds 8♥ 7♦."]
    assert [line for line in told[1] if line not in told[None]] == ["Player 2 holds K♦ K♥."]


@pytest.mark.parametrize(
    "options",
    [
        {"players": 2, "stack": 60},
        {"players": 3, "stack": "20/50/100", "hands": 4, "breaks": True, "ante": 2},
        {"players": 5, "stack": 80, "hands": 2, "betting": "fixed_limit", "show_folded": True},
        {"players": 4, "stack": 60, "hands": 3, "betting": "pot_limit", "rise": 1},
    ],
    ids=str,
)
def test_laws(options: dict[str, Any]) -> None:
    check(nf.make("holdem9", **options), matches=1)


@pytest.mark.parametrize("number", range(5))
def test_lessons_can_be_played(number: int) -> None:
    from ninefold.engine.registry import lessons

    lesson = lessons("holdem9")[number]
    state = begin(lesson.players, **lesson.options)
    for seat, text in lesson.script():
        state.play(seat, text)
    assert state.actors == (lesson.seat,)
    offered = moves(state)
    assert set(lesson.answers) <= set(offered) and len(lessons("holdem9")) == 5
