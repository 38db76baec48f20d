"""Multiple 9 Hold'em, R6: from hand to hand."""

from __future__ import annotations

import pytest

import ninefold as nf
from ninefold.game.holdem9 import BREAK, FACTS, rules
from ninefold.game.holdem9.fields import CALL, DEAL_IN
from support.holdem9 import (
    WEAK,
    act,
    begin,
    bets,
    chance,
    chips,
    deal_any,
    dealer,
    dealt,
    moves,
    statuses,
    zone,
)


def test_r6_1_hands_of_a_session() -> None:
    state = begin(2, hands=3)
    for number in (1, 2, 3):
        assert int(state.position.hand) == number and not state.over
        deal_any(state)
        act(state, "fold")
    assert state.over and state.scores == [-5, 5], "the small blind folded each time: seats 0, 1, 0"


def test_r6_1_until_one_has_all_the_chips() -> None:
    game = nf.make("holdem9", players=4, hands=0, stack=50)
    state = game.start(seed=3)
    from ninefold.engine.bots import SeatedBots

    SeatedBots(game, ["raise", "call", "random", "raise"], 3).play_out(state, 100_000)
    assert state.over and sorted(state.scores) == [-50, -50, -50, 150]


def test_r6_2_a_player_without_chips_is_passed_over() -> None:
    state = dealt(WEAK, "KH KD", "", "", stack="50/50/1000/1000", hands=3)
    act(state, "fold", "raise to 50", "call", "fold")
    chance(state, "JS 7H 9D 2C 10C")
    assert statuses(state)[0] == "broke"
    assert dealer(state) == 1 and state.actors == (nf.CHANCE,)
    deal_any(state)
    assert zone(state, "hand-0") == [] and state.actors == (1,)
    act(state, "fold", "fold")
    assert dealer(state) == 2


def test_r6_2_two_left_play_heads_up() -> None:
    state = dealt(WEAK, "KH KD", "", stack="50/50/1000", hands=3)
    act(state, "raise to 50", "call", "fold")
    chance(state, "JS 7H 9D 2C 10C")
    deal_any(state, 1)
    assert dealer(state) == 1 and bets(state) == [0, 5, 10]


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
    assert rules.refuse(state.position, 0, CALL) == 604


def test_r6_5_blinds_that_rise() -> None:
    state = begin(2, hands=7, rise=2, ante=1)
    seen = []
    for _ in range(7):
        seen.append((int(state.position.small), int(state.position.big), int(state.position.fee)))
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
    assert statuses(state)[0] == "sitting_out"
    deal_any(state)
    assert zone(state, "hand-0") == [] and chips(state)[0] == 1000
    act(state, "fold")
    asked = []
    for text in ("deal me in", "leave", "deal me in"):
        asked.append(state.actors[0])
        act(state, text)
    assert asked == [2, 0, 1] and statuses(state)[0] == "left"
    deal_any(state)
    act(state, "fold")
    assert state.actors[0] in (1, 2)
    act(state, "leave")
    assert state.over, "one player is left"
    assert state.scores[0] == 0 and sum(state.scores) == 0


def test_r6_6_words_in_their_place() -> None:
    state = begin(2, hands=2, breaks=True)
    deal_any(state)
    with pytest.raises(nf.IllegalMove, match=r"only for the break between hands.*\(R6\.6\)"):
        state.play(0, "sit out")
    act(state, "fold")
    with pytest.raises(nf.IllegalMove, match=r"between hands the moves are deal me in.*\(R6\.6\)"):
        state.play(1, "call")
    assert BREAK == DEAL_IN and FACTS.actions == BREAK + 3


def test_r6_7_a_hand_that_nobody_wants_passes() -> None:
    state = begin(2, hands=3, breaks=True)
    deal_any(state)
    act(state, "fold", "deal me in", "sit out")
    assert int(state.position.hand) == 2 and moves(state) == ["deal me in", "sit out", "leave"]
    act(state, "sit out", "sit out")
    assert state.over and int(state.position.hand) == 3
