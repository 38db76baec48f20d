"""Hands of Baseball judged without a match."""

from __future__ import annotations

import pytest

import ninefold as nf
from ninefold.cli import main


def test_judge_hand() -> None:
    laid = nf.baseball.hand("K K 3 / K 7 3 / K A 3")
    assert laid == ([["K", "K", "3"], ["K", "7", "3"], ["K", "A", "3"]], [1, 3], 8)
    assert nf.baseball.hand("K K 3 JK 7 Q 2 A A").cleared == []
    assert nf.baseball.hand("JK 2 3 JK 4 5 JK 7 8").points == 29
    assert nf.baseball.hand("JK 2 3 JK 4 5 JK 7 8", clear_jokers=False) == (
        [["JK", "2", "3"], ["JK", "4", "5"], ["JK", "7", "8"]],
        [],
        23,
    )
    assert nf.baseball.hand("7 Q/7 2/7 3").points == 30, "a hand from which a column has gone"
    for cards in ("K K", "K K 3 / K 7 / K A", "K K K K / 1 2 3 4 / 5 6 7 8"):
        with pytest.raises(nf.RuleError):
            nf.baseball.hand(cards)


@pytest.mark.parametrize(
    ("asked", "answer"),
    [
        (["K K 3 JK 7 Q 2 A A"], "   K  K  3\n  JK  7  Q\n   2  A  A\n37 points (R1.2); no column clears.\n"),
        (["Q", "Q"], "50 points (R1.2).\n"),
        (
            ["7 2 3 / 7 4 5 / 7 6 8"],
            "   7  2  3\n   7  4  5\n   7  6  8\nColumn 1 (7) clears (R4.1): 28 points remain (49 before).\n",
        ),
        (["--json", "A A"], '{"sum": 2, "points": 2}\n'),
        (
            ["JK / JK / JK", "--clear-jokers", "off"],
            "  JK\n  JK\n  JK\n-6 points (R1.2); no column clears.\n",
        ),
    ],
)
def test_judge_command(asked: list[str], answer: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["judge", "baseball", *asked]) == 0
    assert capsys.readouterr().out == answer


def test_judge_command_refuses_in_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["judge", "baseball", "K 2 / 3 4 / 5"]) == 2
    assert capsys.readouterr().err.startswith("ninefold: a hand has three rows")
