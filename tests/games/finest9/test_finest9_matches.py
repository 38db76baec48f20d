"""Finest 9, R4: what may be captured; the cases of the rule page and of its source."""

from __future__ import annotations

import pytest

import ninefold as nf
from ninefold.game.finest9 import matching
from ninefold.kernel.cards import STANDARD
from support.finest9 import HIGH, chance, dealt, listed, rolled

CASES = [
    ("5 5", 5, {"5 5": 10}),
    ("5 5", 10, {}),
    ("7 7 7", 7, {"7 7 7": 21}),
    ("9 9 7", 7, {"7 9": 16, "7 9 9": 25}),
    ("5 6 7", 6, {"5 6 7": 18}),
    ("Q K A", 10, {"Q K A": 31}),
    ("Q K A", 11, {"Q K A": 31}),
    ("4 5 6", 8, {}),
    ("9 6 8", 7, {}),
    ("9 6 8", 6, {"6 9": 15, "6 8 9": 23}),
    ("5 6 7 9", 6, {"6 9": 15, "5 6 7": 18, "5 6 9": 20, "6 7 9": 22}),
    ("J Q", 10, {}),
    ("7 8 9 10", 10, {"9 10": 19, "8 9 10": 27}),
    *[("9 9", total, {}) for total in range(2, 13)],
]


@pytest.mark.parametrize(("cards", "total", "expected"), CASES)
def test_cases_of_the_rule_page(cards: str, total: int, expected: dict[str, int]) -> None:
    """R4.1 to R4.7 in the table of the page."""
    found = {" ".join(capture.ranks): capture.points for capture in nf.finest9.matches(cards, total)}
    assert found == expected


def test_case_jack_and_queen_by_value() -> None:
    assert nf.finest9.matches("J Q", 10, pairs="value") == [(["J", "Q"], 20)]


def test_r4_1_only_your_own_cards() -> None:
    state = dealt("7S 2S 2H 2D 4S 4H 4D KS KH", "7H 7D 3S 3H 3D 5S 5H 5D AS")
    chance(state, "roll 3 4")
    assert state.actors == (nf.CHANCE,), "the one 7 of seat 0 does not pair with those of seat 1"


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("capture 7 7 7 7", "you have only three sevens"),
        ("capture 7 7 9 9", "you have only one nine"),
        ("capture 7 K", "you have no kings"),
    ],
)
def test_r4_1_cards_one_does_not_have(text: str, sentence: str) -> None:
    state = rolled("7D 2S 7S 6H 9C 8S 7H 3D 3S", "3 4")
    with pytest.raises(nf.IllegalMove, match=sentence + r" \(R4\.1\)"):
        state.play(0, text)


def test_r4_2_a_set_is_all_cards_of_its_rank() -> None:
    state = rolled("7D 2S 7S KH 9C QS 7H 3D 3S", "3 4")
    assert list(state.moves(0)) == ["capture 7 7 7", "capture 7 7 7 9"]
    with pytest.raises(nf.IllegalMove, match=r"all your sevens, and you have three \(R4\.2\)"):
        state.play(0, "capture 7 7")


def test_r4_2_the_value_must_be_rolled() -> None:
    state = rolled("7D 2S 7S KH 9C QS 7H 3D 3S", "1 2")
    with pytest.raises(nf.IllegalMove, match=r"the dice show 3 \(R4\.2\)"):
        state.play(0, "capture 7 7 7")
    assert listed("5 5", 10) == listed("4 6", 10) == []


def test_r4_3_a_card_alone_is_no_match() -> None:
    for rank in STANDARD.ranks:
        assert all(listed(rank, total) == [] for total in range(2, 13))
    state = rolled("7D 2S 7S KH 9C QS 7H 3D 4S", "1 2")
    assert list(state.moves(0)) == ["capture 3 9", "capture 2 3 4", "capture 2 3 9", "capture 3 4 9"]
    with pytest.raises(nf.IllegalMove, match=r"R4\.3"):
        state.play(0, "capture 3")


def test_r4_4_as_many_nines_as_one_likes() -> None:
    assert listed("6 6 9 9 9 9", 6)[:5] == ["6 6", "6 6 9", "6 6 9 9", "6 6 9 9 9", "6 6 9 9 9 9"]
    assert listed("6 9 9 9 9", 6) == ["6 9", "6 9 9", "6 9 9 9", "6 9 9 9 9"], "alone it needs one"


@pytest.mark.parametrize(
    ("cards", "totals"),
    [
        ("2 3 4", (2, 3, 4)),
        ("10 J Q", (10,)),
        ("J Q K", (10,)),
        ("Q K A", (10, 11)),
        ("8 10 9", (8, 10)),
        ("K A 2", ()),
        ("A 2 3", ()),
        ("2 4 6", ()),
        ("7 8 10", ()),
    ],
)
def test_r4_5_sequences(cards: str, totals: tuple[int, ...]) -> None:
    order = "2 3 4 5 6 7 8 9 10 J Q K A".split()  # noqa: SIM905 (shorter so)
    in_order = " ".join(sorted(cards.split(), key=order.index))
    assert tuple(total for total in range(2, 13) if in_order in listed(cards, total)) == totals


def test_r4_5_neither_a_set_nor_a_sequence() -> None:
    state = rolled("7D 2S 7S KH 9C QS 7H 3D 4S", "1 2")
    for text in ("capture 3 4", "capture 3 4 7", "capture 2 3 4 9", "capture 3 3 9"):
        with pytest.raises(nf.IllegalMove, match=r"R4\.[15]\)"):
            state.play(0, text)


def test_r4_6_a_nine_may_stand_for_any_rank() -> None:
    assert listed("5 6 9", 5) == ["5 9", "5 6 9"]
    assert listed("5 7 9", 5) == ["5 9", "5 7 9"], "in the middle"
    assert listed("5 6 7 9", 5) == ["5 9", "5 6 7", "5 6 9", "5 7 9"], "also for one that is held"
    assert listed("6 7 9", 6) == ["6 9", "6 7 9"] and listed("7 8 9", 8) == ["8 9", "7 8 9"], "or for itself"
    assert listed("5 5 9 9", 5) == ["5 5", "5 5 9", "5 5 9 9", "5 9 9"], "two of them, with one of the fives"


def test_r4_7_a_nine_never_matches_the_dice() -> None:
    assert listed("6 8 9", 7) == listed("9 9 9", 7) == listed("2 9 9", 3) == []
    state = rolled("6D 8S 9S KH KC KS AH AD AS", "3 4")
    assert state.actors == (nf.CHANCE,)
    busy = rolled("6D 8S 9S 7H 7C KS AH AD AS", "3 4")
    with pytest.raises(nf.IllegalMove, match=r"none of its cards is worth 7.*R4\.7"):
        busy.play(0, "capture 6 8 9")


def test_r4_8_the_same_cards_are_one_move() -> None:
    """A 7 with two 9s is a set and a sequence; it is listed once, under the lower number."""
    state = rolled("7D 9S 9H KH QC 2S 3H 4D JS", "3 4")
    assert list(state.moves(0)) == ["capture 7 9", "capture 7 9 9"]
    assert state.moves(0).actions == [5 * 6 + 1, 5 * 6 + 2]
    twin = matching.SEQUENCE + matching.SEQUENCES.index((6, 8, 8))
    with pytest.raises(nf.IllegalMove, match=r"R4\.8"):
        state.play(0, twin)
    state.play(0, "capture 9 7 9")
    assert state.steps[-1] == (0, 32)


def test_r4_8_every_text_is_its_own() -> None:
    for total in range(2, 13):
        found = listed("2 3 4 5 5 6 7 7 8 9 9 9 10 10 J Q K A A", total, boxcars=True, snake_eyes=True)
        assert len(set(found)) == len(found)


def test_r4_9_a_twelve_matches_nothing() -> None:
    assert listed("2 3 4 5 6 7 8 9 9 9 9 10 10 J Q K A A", 12) == []
    state = rolled("6D 6S 9S KH KC KS AH AD AS", HIGH)
    assert state.actors == (nf.CHANCE,) and len(state.chance()) == 34


def test_r4_10_the_ranks_worth_ten_are_sets_of_their_own() -> None:
    assert listed("10 10 J J Q K K", 10) == ["10 10", "J J", "K K", "10 J Q", "J Q K"]
    state = rolled("10D 10S 9S JH JC 2S 3H 4D 5S", "4 6")
    with pytest.raises(nf.IllegalMove, match=r"different ranks \(R4\.10\)"):
        state.play(0, "capture 10 10 J J")
