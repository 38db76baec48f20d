"""Multiple 9: moves and cards that cannot be read."""

from __future__ import annotations

from typing import Any

import pytest

import ninefold as nf
from support.multiple9 import DULL, begin, chance, dealt, discards, refused


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("lay", "names no cards"),
        ("", "names no cards"),
        ("lay 8 8 8 8 8", "has 4 eights"),
        ("lay JK", "joker"),
        ("lay 14 4", "not a card"),
        ("lay eight ace", "not a card"),
        ("discard 8 A", "not a card"),
        ("lay ♥", "not a card"),
        ("stay", "not a card"),
        ("lay 8♥ A", "suits"),
    ],
)
def test_unreadable_moves(text: str, sentence: str) -> None:
    state = dealt("8 8 A A K", DULL[0])
    chance(state, "5")
    refused(state, 0, text, sentence, nf.Unreadable)


@pytest.mark.parametrize(
    "text", ["lay 8 8 A A", "LAY a 8 A 8", "8 8 1 1", "lay 8,8,A,A", "lay 88AA", "put down 8+8+A+A"]
)
def test_other_spellings(text: str) -> None:
    state = dealt("8 8 A A K", DULL[0])
    chance(state, "5")
    state.play(0, text)
    assert discards(state) == "8 8 A A"


@pytest.mark.parametrize("move", [-1, 157, 2**70, True, 1.5, None])
def test_numbers_that_are_no_move(move: Any) -> None:
    state = dealt("8 8 A A K", DULL[0])
    chance(state, "5")
    refused(state, 0, move, "0 to 156")


@pytest.mark.parametrize("text", ["deal 14", "deal", "roll 3 4", "7 8", "deal JK"])
def test_unreadable_chance(text: str) -> None:
    refused(begin(), nf.CHANCE, text, "is not a card", nf.Unreadable)


@pytest.mark.parametrize(
    ("cards", "sentence"),
    [
        ("8 8 8 8 8", "has 4 eights, not 5"),
        ("8S 8S", "has one 8S"),
        ("", "1 to 52 cards, not 0"),
        ("8 X", "not a card"),
        ("JK 8", "joker"),
        (7, "written as text"),
    ],
)
@pytest.mark.parametrize("ask", ["groups", "split", "best", "verdict"])
def test_the_judge_refuses_hands_that_cannot_be(ask: str, cards: Any, sentence: str) -> None:
    with pytest.raises(nf.RuleError, match=sentence):
        getattr(nf.multiple9, ask)(cards)
