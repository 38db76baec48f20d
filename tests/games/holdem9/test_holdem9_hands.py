"""Multiple 9 Hold'em, R5: which hand is better; the cases of the rule page."""

from __future__ import annotations

from collections import Counter
from itertools import combinations_with_replacement, pairwise
from typing import Any

import pytest

import ninefold as nf
from ninefold.game.holdem9 import hands
from ninefold.game.holdem9.verdict import in_words, tie_break
from ninefold.kernel.cards import STANDARD

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
    from ninefold.game.holdem9.verdict import worths

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
    places = {int(hands.place_of(sum(int(hands.KEY[value - 1]) for value in hand))) for hand in every}
    assert places == set(range(49_205)), "the index is perfect"
    found = nf.holdem9.strengths(every)
    nine = [hand for hand, strength in zip(every, found, strict=True) if strength > 7_279 - 14]
    texts = [[STANDARD.ranks[value - 1] for value in hand] for hand in nine]
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
    from reference import holdem9 as plain

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
    deck = [rank for rank in STANDARD.ranks for _ in range(4)]
    for _ in range(300):
        cards = chooser.sample(deck, 7)
        found = nf.holdem9.judge(cards)
        values = [[STANDARD.ranks.index(rank) + 1 for rank in group] for group in found.groups]
        assert all(sum(group) % 9 == 0 and len(set(group)) <= 2 for group in values)
        assert sum(map(sum, values)) == 9 * found.nines
        assert Counter(cards) == Counter(found.unused) + Counter(r for group in found.groups for r in group)


@pytest.mark.parametrize(
    ("cards", "told"),
    [
        ("8 8 8 8 8 2 3", "has 4 eights, not 5"),
        ("8 8 8", "7 cards, not 3"),
        ("A 2 3 4 5 6 7 8", "7 cards, not 8"),
        ("A 2 3 4 5 6 X", "not a card"),
        ("8S 8S 3 4 5 6 7", "has one 8S, not 2"),
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


def test_r5_3_what_decides_between_equal_nines_is_said() -> None:
    made = {hole: nf.holdem9.judge(f"J 7 9 2 10 {hole}") for hole in CASES}
    assert tie_break(made["K A"], made["Q 5"]) == "unused cards worth more"  # both leave four ranks
    assert tie_break(made["A 2"], made["K A"]) == "fewer ranks unused"
    assert tie_break(made["8 7"], made["10 7"]) == "fewer ranks unused"
    assert tie_break(made["6 9"], made["A 2"]) == ""  # more nines say it all
    assert tie_break(made["A 2"], made["A 2"]) == ""


def test_r5_4_unused_cards_are_read_out_in_the_order_in_which_they_count() -> None:
    """An ace counts 14 and two threes 6, so that is how people hear them."""
    lines = nf.holdem9.judge("K 10 2 A 3 3 5")
    assert in_words(lines) == "2 nines (K+5), unused A 10 3 3 2"
