"""Hands of 9 of a Kind judged without a match."""

from __future__ import annotations

import json
from typing import Any

import pytest

import ninefold as nf
from support.nine_hands import (
    BLOCKER,
    HEARTS,
)


@pytest.mark.parametrize("cards", ["7S", HEARTS + " AS", "7S 7S " + HEARTS[6:], "7 8 9", "10S", 7, ""])
def test_the_judge_refuses_what_is_no_hand(cards: Any) -> None:
    with pytest.raises(nf.RuleError):
        nf.nine_of_a_kind.held(cards)


@pytest.mark.parametrize(
    ("arguments", "answer"),
    [
        (
            ["AS AH AD AC AR AP 9S 9H 9D"],
            "Collects nines; the rest costs 6 points (R5.1).\n7 cards away from a blocker: keep A● 9♠.\n",
        ),
        (
            HEARTS.split(),
            "9 of a Kind: all nine Hearts (R4.1).\n8 cards away from a blocker: keep A♥.\n",
        ),
        (
            [BLOCKER],
            "Blocked: one card of every rank and of every suit (R4.2).\n"
            "Collects Clubs; the rest costs 36 points (R5.1).\n",
        ),
    ],
)
def test_the_judge_on_the_command_line(
    arguments: list[str], answer: str, capsys: pytest.CaptureFixture[str]
) -> None:
    from ninefold.cli import main

    assert main(["judge", "nine_of_a_kind", *arguments]) == 0
    assert capsys.readouterr().out == answer
    assert main(["judge", "nine_of_a_kind", "--json", *arguments]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["points"] == nf.nine_of_a_kind.held(" ".join(arguments)).points


def test_the_judge_says_what_is_wrong_in_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    from ninefold.cli import main

    for arguments in (["7S"], ["Z"], []):
        assert main(["judge", "nine_of_a_kind", *arguments]) == 2
        out, err = capsys.readouterr()
        assert out == "" and err.startswith("ninefold: ") and err.count("\n") == 1
