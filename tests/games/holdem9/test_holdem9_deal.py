"""Multiple 9 Hold'em, R1 and R2: the table, the blinds and the deal."""

from __future__ import annotations

from typing import Any

import pytest

import ninefold as nf
from ninefold.kernel.cards import STANDARD
from support.holdem9 import act, begin, bets, chance, chips, deal_any, dealer, dealt, ranges, statuses, zone


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
    assert state.chance() == {f"deal {card}": pytest.approx(1 / 52) for card in STANDARD.texts}
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
        ({"blinds": "10/5"}, "at most the big blind"),
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


def test_r2_1_the_button_moves_to_the_next_dealt_in() -> None:
    state = begin(3, hands=4)
    buttons = []
    for _ in range(4):
        buttons.append(dealer(state))
        deal_any(state)
        act(state, "fold", "fold")
    assert buttons == [0, 1, 2, 0] and state.over


def test_r2_2_blinds() -> None:
    state = begin(4, blinds="25/50")
    assert bets(state) == [0, 0, 0, 0], "they are shown with the first card"
    deal_any(state)
    assert bets(state) == [0, 25, 50, 0]
    assert state.actors == (3,) and ranges(state) == (["fold", "call"], 100, 1000)


def test_r2_2_heads_up_the_button_pays_the_small_blind() -> None:
    state = dealt("", "")
    assert bets(state) == [5, 10]
    assert state.actors == (0,), "and acts first before the flop"
    act(state, "call")
    assert state.actors == (1,)
    act(state, "check")
    deal_any(state)
    assert state.actors == (1,), "and last afterwards"


def test_r2_3_antes_are_no_bets() -> None:
    state = begin(3, ante=3)
    deal_any(state)
    assert state.picture(None).details["paid"] == [3, 8, 13] and bets(state) == [0, 5, 10]
    act(state, "call")
    assert chips(state)[0] == 987


def test_r2_3_who_has_too_few_chips_is_all_in() -> None:
    state = begin(4, ante=4, stack="100/3/6/100")
    assert chips(state) == [96, 0, 0, 96]
    deal_any(state, 1)
    assert bets(state) == [0, 0, 2, 0]
    assert statuses(state) == ["waiting", "all_in", "all_in", "waiting"]


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
