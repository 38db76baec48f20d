"""Finest 9, R6: its options, and its laws under them."""

from __future__ import annotations

from typing import Any

import pytest

import ninefold as nf
from ninefold.engine.bots import SeatedBots
from ninefold.game.finest9 import FACTS, matching
from ninefold.model.text import render
from ninefold.testkit import check
from support.finest9 import HIGH, NAMES, begin, chance, detail, drained, listed, rolled, shown_scores, zone
from support.stories import events_for


def test_r6_1_all_nines() -> None:
    assert listed("7 7 9 9", 7, nines="all") == ["7 7 9 9", "7 9 9"]
    assert listed("7 9", 7, nines="all") == ["7 9"]
    assert listed("7 9 9 9", 7, nines="all") == ["7 9 9 9", "7 9 9"], "the sequence is not bound to it"
    assert listed("7 7", 7, nines="all") == ["7 7"]
    assert listed("5 6 7 9 9", 6, nines="all") == ["6 9 9", "5 6 7", "5 6 9", "6 7 9"]
    state = rolled("7D 7S 9S 9H KC 2S 3H 4D 5S", "3 4", nines="all")
    with pytest.raises(nf.IllegalMove, match=r"all your 9s \(R6\.1\)"):
        state.play(0, "capture 7 7 9")


def test_r6_2_tens_by_value() -> None:
    assert listed("10 J J K", 10, pairs="value") == ["10 J J K"]
    assert listed("10 9 9", 10, pairs="value") == ["9 10", "9 9 10"]
    assert listed("J Q K", 10, pairs="value") == ["J Q K"], "set and sequence are one move"
    assert listed("J Q 9", 10, pairs="value") == ["J Q", "9 J Q"]
    assert listed("J Q Q K", 10, pairs="value") == ["J Q Q K", "J Q K"]
    assert listed("Q K A A", 10, pairs="value") == ["Q K", "Q K A"]
    assert listed("7 7 J Q", 7, pairs="value") == ["7 7"]
    state = rolled("10D 10S 9S JH JC 2S 3H 4D 5S", "4 6", pairs="value")
    with pytest.raises(nf.IllegalMove, match=r"a set takes all of them \(R6\.2\)"):
        state.play(0, "capture 10 10")


def test_r6_2_with_r6_1() -> None:
    assert listed("10 J 9 9", 10, pairs="value", nines="all") == ["9 9 10 J", "9 9 10", "9 9 J", "9 10 J"]
    assert listed("Q 9 9", 10, pairs="value", nines="all") == ["9 9 Q"]


def test_r6_3_the_low_ace() -> None:
    assert listed("A 2 3", 2, ace="both") == listed("A 2 3", 3, ace="both") == ["2 3 A"]
    assert nf.finest9.matches("A 2 3", 11, ace="both") == [(["2", "3", "A"], 16)]
    assert listed("A 3 9", 3, ace="both") == ["3 9", "3 9 A"]
    assert listed("K A 2", 11, ace="both") == [] and listed("Q K A", 11, ace="both") == ["Q K A"]
    state = rolled("AD 2S 3S KH KC 5S 6H 3D 5D", "1 2")
    with pytest.raises(nf.IllegalMove, match=r"ace is high: .*R4\.5"):
        state.play(0, "capture A 2 3")


def test_r6_4_snake_eyes() -> None:
    assert listed("7 7 K 9 9 4", 2, snake_eyes=True) == ["7 7", "9 9"]
    assert listed("2 2 9", 2, snake_eyes=True) == ["2 2", "2 2 9"]
    assert listed("2 2 9 9", 2, snake_eyes=True, nines="all") == ["2 2", "2 2 9 9", "9 9", "2 9 9"]
    assert listed("A A A Q Q", 2, snake_eyes=True) == ["A A A", "Q Q"]
    assert listed("7 7", 3, snake_eyes=True) == listed("7 7", 2) == []
    assert nf.finest9.matches("9 9 9", 2, snake_eyes=True) == [(["9", "9", "9"], 27)]


def test_r6_5_boxcars() -> None:
    assert listed("5 6 7", 12, boxcars=True) == ["5 6 7"]
    assert listed("9 9 9 9", 12, boxcars=True) == ["9 9 9"]
    assert listed("K 9 9", 12, boxcars=True) == ["9 9 K"]
    assert listed("A 2 3", 12, boxcars=True) == []
    assert listed("A 2 3", 12, boxcars=True, ace="both") == ["2 3 A"]
    assert listed("6 6 J J", 12, boxcars=True) == [], "sets do not match a 12"
    assert listed("5 6 7", 12) == []


def test_r6_6_the_bonus_for_a_clear_table() -> None:
    """It comes at the end and not before. A clear table is rare, so matches are tried until there is one."""
    options = {"snake_eyes": True, "boxcars": True}
    for seed in range(40, 5_000):
        plain = nf.make("finest9", players=2, **options).start(seed=seed)
        SeatedBots(plain.game, ["medium", "medium"], seed).play_out(plain, 1_000)
        clear = [not zone(plain, f"table-{seat}") for seat in range(2)]
        if any(clear):
            break
    record = plain.record()
    state = begin(2, clear_bonus=20, **options)
    for who, text in record["moves"]:
        assert shown_scores(state) == [seat.score for seat in state.picture(None).seats]
        state.play(nf.CHANCE if who == "chance" else who, text)
    assert state.scores == [
        score + 20 * is_clear for score, is_clear in zip(plain.scores, clear, strict=True)
    ]
    assert state.winners == [seat for seat in range(2) if state.scores[seat] == max(state.scores)]


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"nines": "some"}, "option nines is choose or all"),
        ({"nines": True}, "option nines is choose or all"),
        ({"pairs": "suit"}, "option pairs is rank or value"),
        ({"ace": "low"}, "option ace is high or both"),
        ({"snake_eyes": "maybe"}, "option snake_eyes is on or off"),
        ({"boxcars": 2}, "option boxcars is on or off"),
        ({"clear_bonus": -1}, "option clear_bonus is a whole number from 0"),
        ({"clear_bonus": 10_000}, "option clear_bonus is a whole number from 0"),
        ({"deals": 0}, "option deals is a whole number from 1 to 9"),
        ({"jokers": 2}, "no option 'jokers'"),
    ],
)
def test_bad_options_are_refused(options: dict[str, Any], sentence: str) -> None:
    with pytest.raises(nf.RuleError, match=sentence):
        nf.make("finest9", **options)
    with pytest.raises(nf.RuleError, match=sentence):
        nf.finest9.matches("7 7", 7, **options)


def test_options_in_words() -> None:
    game = nf.make("finest9", snake_eyes="on", boxcars="off", clear_bonus="20", nines="ALL")
    assert game.options == {
        "nines": "all",
        "pairs": "rank",
        "ace": "high",
        "snake_eyes": True,
        "boxcars": False,
        "clear_bonus": 20,
        "deals": 1,
    }


@pytest.mark.parametrize(
    ("players", "options"),
    [
        (2, {"nines": "all", "boxcars": True}),
        (3, {"pairs": "value", "ace": "both"}),
        (5, {"snake_eyes": True, "boxcars": True, "clear_bonus": 20, "ace": "both", "pairs": "value"}),
        (4, {"deals": 3, "clear_bonus": 20}),
    ],
)
def test_laws(players: int, options: dict[str, Any]) -> None:
    check(nf.make("finest9", players=players, **options), matches=1, seed=50)


def test_the_fact_sheet_counts_what_there_is() -> None:
    assert FACTS.actions == matching.ACTIONS == 113
    assert len(matching.SEQUENCES) == len(set(matching.SEQUENCES)) == 43


def play_deal(state: nf.State) -> None:
    """Play one deal to its end with the first of everything."""
    number, steps = state.position.deal_number, 0
    while not state.over and not (state.position.ended and state.position.deal_number == number):
        steps += 1
        if state.actors[0] >= 0:
            state.play(state.actors[0], state.moves(state.actors[0])[0])
        else:
            chance(state, sorted(state.chance())[5 * steps % len(state.chance())])


def test_r6_7_deals_add_up_and_the_first_turn_passes_on() -> None:
    state = drained(deals=3)
    assert state.position.first == 0
    play_deal(state)
    first = list(state.scores)
    assert not state.over and state.position.ended and shown_scores(state) == first
    assert len(state.chance()) == 52, "the next card comes from a full deck"
    for number in (2, 3):
        before = list(state.scores)
        chance(state, sorted(state.chance())[0])
        assert detail(state, "first") == (number - 1) % 2 and state.position.deal_number == number
        dealt = shown_scores(state)
        assert list(state.scores) == [had + has for had, has in zip(before, dealt, strict=True)]
        play_deal(state)
    assert state.over and nf.replay(state.record()).scores == state.scores
    best = max(state.scores)
    assert state.winners == [seat for seat, score in enumerate(state.scores) if score == best]


def test_r6_7_each_deal_has_its_bonus() -> None:
    state = drained(deals=2, clear_bonus=20)
    play_deal(state)
    before = list(state.scores)
    clear = [20 * (not zone(state, f"table-{seat}")) for seat in range(2)]
    assert before == [one + bonus for one, bonus in zip(shown_scores(state), clear, strict=True)]
    chance(state, sorted(state.chance())[0])
    assert list(state.position.totals[:2]) == before


def test_r6_7_is_told_and_shown() -> None:
    state = drained(deals=2)
    play_deal(state)
    picture = state.picture(0)
    assert render(picture.phase) == "The end of deal 1"
    assert picture.progress and render(picture.progress.label) == "Deal 1 of 2 · Turns left: 0"
    before = list(state.scores)
    (opening, *_) = events_for(state, 0, (-1, sorted(state.chance())[0]))
    assert render(opening.text, NAMES, 0) == "Deal 2 of 2: Bob goes first."
    hand = state.picture(0).seats[0].hand
    assert hand is not None and render(hand).startswith(f"Had {before[0]} · Taken 0 · Left ")
    assert "Deal 2 of 2 · Deck: " in render(state.picture(0).progress.label)  # type: ignore[union-attr]


def test_a_deal_ends_with_what_it_brought_and_how_the_match_stands() -> None:
    state = drained(deals=2)
    chance(state, f"roll {HIGH}")
    events = events_for(state, 0, (-1, f"roll {HIGH}"))
    assert [event.kind for event in events] == ["roll", "score", "score", "deal over"]
    assert events[-1].hold
    mine, other = state.scores
    stands = f"you {mine} and Bob {other}" if mine > other else f"Bob {other} and you {mine}"
    assert render(events[-1].text, NAMES, 0) == f"Deal 1 of 2 is over: {stands}."


def test_one_deal_is_the_rule_and_three_are_proposed() -> None:
    assert nf.make("finest9").options["deals"] == 1
    assert FACTS.suggestions(3) == {"deals": 3}
