"""Captures of Finest 9 judged without a match."""

from __future__ import annotations

from typing import Any

import pytest

import ninefold as nf


@pytest.mark.parametrize("total", [1, 13, 0, -7, "seven", 7.5, True, None])
def test_the_judge_refuses_totals(total: Any) -> None:
    with pytest.raises(nf.RuleError, match="2 to 12"):
        nf.finest9.matches("7 7", total)


@pytest.mark.parametrize("cards", ["7 7 7 7 7", "7 X", "JK", "7S 7S", 7])
def test_the_judge_refuses_cards(cards: Any) -> None:
    with pytest.raises(nf.RuleError):
        nf.finest9.matches(cards, 7)


def test_the_judge_takes_suits_lists_and_nothing() -> None:
    assert nf.finest9.matches("7♥ 9c, 9S", 7) == nf.finest9.matches(["9", "7", "9"], 7)
    assert nf.finest9.matches("", 7) == []
    assert nf.finest9.matches("7 7", 9) == [], "R3.2: a 9 is rolled again"


@pytest.mark.parametrize(
    ("arguments", "answer"),
    [
        (["9 9 7", "7"], "7 9: 16 points\n7 9 9: 25 points\n"),
        (["9", "9", "7", "7"], "7 9: 16 points\n7 9 9: 25 points\n"),
        (["4 5 6", "8"], "No match: draw a card, or pass if the deck is empty (R3.4, R5.2).\n"),
        (["9 9", "9"], "A 9 is rolled again (R3.2).\n"),
        (["J Q", "10", "-o", "pairs=value"], "J Q: 20 points\n"),
        (
            ["9 9 7", "7", "--json"],
            '[{"ranks": ["7", "9"], "points": 16}, {"ranks": ["7", "9", "9"], "points": 25}]\n',
        ),
    ],
)
def test_the_judge_on_the_command_line(
    arguments: list[str], answer: str, capsys: pytest.CaptureFixture[str]
) -> None:
    from ninefold.cli import main

    assert main(["judge", "finest9", *arguments]) == 0
    assert capsys.readouterr().out == answer


@pytest.mark.parametrize(
    "arguments", [["9 9 7", "13"], ["9 9 7"], ["9 9 7", "7", "-o", "nines"], ["Z", "7"], []]
)
def test_the_judge_says_what_is_wrong_in_one_line(
    arguments: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    from ninefold.cli import main

    assert main(["judge", "finest9", *arguments]) == 2
    out, err = capsys.readouterr()
    assert out == "" and err.startswith("ninefold: ") and err.count("\n") == 1
