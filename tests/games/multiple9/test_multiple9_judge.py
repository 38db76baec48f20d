"""Hands of Multiple 9 judged without a match."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections import Counter

import pytest

import ninefold as nf
from ninefold.kernel.cards import STANDARD


def test_best_is_what_the_source_calls_better() -> None:
    play = nf.multiple9.best("7 K J 10 10 3")
    assert play.groups == [["10", "10", "7"]] and play.rest == ["K", "J", "3"]
    second = nf.multiple9.best("5 A 6 8 9 A")
    assert sorted(second.groups) == [["8", "A"], ["9"]] and second.rest == ["6", "5", "A"]


def test_best_counts_the_cards_that_would_let_the_rest_go_out() -> None:
    play = nf.multiple9.best("K 5 4 9")
    assert len(play.rest) == 1 and play.outs == ["5"], "a K or a 4, and both wait for a 5"
    assert nf.multiple9.best("Q Q 3 8 10") == ([["Q", "Q", "3"], ["10", "8"]], [], [])
    assert nf.multiple9.best("6 3 K") == ([], ["K", "6", "3"], ["5"]), "a lone nine may not go down"
    assert nf.multiple9.best("8 10 8 9") == ([["10", "8"], ["9"]], ["8"], ["A", "10"])


def test_best_is_the_best_of_all_plays() -> None:
    """Against every play there is, tried one by one."""
    import random

    chooser = random.Random(3)
    deck = [rank for rank in STANDARD.ranks for _ in range(4)]
    tried = 0
    while tried < 60:
        cards = chooser.sample(deck, chooser.randint(4, 8))
        plays = all_plays(cards)
        found = nf.multiple9.best(cards)
        assert Counter(found.rest) + Counter(card for group in found.groups for card in group) == Counter(
            cards
        )
        if not plays:
            assert found.groups == []
            continue
        tried += 1
        best = max(plays, key=lambda rest: (outs(rest, cards), -len(rest)))
        assert (outs(tuple(found.rest), cards), -len(found.rest)) == (outs(best, cards), -len(best)), cards


def outs(rest: tuple[str, ...], cards: list[str]) -> int:
    if not rest:
        return 1_000
    unseen = Counter(dict.fromkeys(STANDARD.ranks, 4)) - Counter(cards)
    return sum(number for rank, number in unseen.items() if nf.multiple9.split([*rest, rank]) is not None)


def all_plays(cards: list[str]) -> set[tuple[str, ...]]:
    """What every legal play of some cards leaves."""
    left: set[tuple[str, ...]] = set()
    seen = set()
    todo: list[tuple[tuple[str, ...], tuple[int, ...]]] = [(tuple(sorted(cards)), ())]
    while todo:
        rest, totals = todo.pop()
        if (rest, totals) in seen:
            continue
        seen.add((rest, totals))
        if totals and (len(totals) > 1 or totals[0] > 9 or not rest):
            left.add(rest)
        for group in nf.multiple9.groups(list(rest)) if rest else []:
            after = Counter(rest) - Counter(group)
            total = sum(STANDARD.ranks.index(rank) + 1 for rank in group)
            todo.append((tuple(sorted(after.elements())), (*totals[:1], total)))
    return left


def run_cli(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "ninefold", *arguments], capture_output=True, text=True, env={**os.environ}
    )


def test_the_judge_answers_like_a_referee(capsys: pytest.CaptureFixture[str]) -> None:
    from ninefold.cli import main

    def asked(*arguments: str) -> str:
        assert main(["judge", "multiple9", *arguments]) == 0
        return capsys.readouterr().out

    assert asked("8 4 4 A A") == "Legal: 4 4 A makes 9 and 8 A makes 9 (R2.5).\n"
    assert asked("6", "3").startswith("Only as the last cards: 6 3 makes 9")
    assert asked("8 4 4 2").startswith(
        "Not legal: the total of 18 is right, but a group has at most two ranks"
    )
    assert asked("K K K").startswith("Not legal: K K K total 39, between 36 and 45")
    seen = asked("7 K J 10 10 3")
    assert (
        "the K and 3 are in no group" in seen
        and "The best play is to put down 10 10 7 and keep K J 3." in seen
    )
    assert asked("--hand", "8 10 8 7 9").startswith(
        "Groups in the hand: 9, 10 8.\nThe best play is to put down 10 8 and 9"
    )
    answer = json.loads(asked("--json", "8 4 4 A A"))
    assert answer["legal"] and answer["groups"] == [["4", "4", "A"], ["8", "A"]] and answer["total"] == 18


def test_the_judge_on_the_command_line() -> None:
    bad = run_cli("judge", "multiple9", "8 8 8 8 8")
    assert bad.returncode == 2 and "has 4 eights" in bad.stderr and "Traceback" not in bad.stderr
