"""The arithmetic of nines that Multiple 9 and Multiple 9 Hold'em share."""

from __future__ import annotations

from itertools import combinations_with_replacement

import pytest

from ninefold.game import nines
from ninefold.kernel.cards import STANDARD


def test_every_group_is_there_once() -> None:
    """A group is one or two sets of one to four cards with a total that nine divides: 154 of them."""
    wanted = {
        tuple(sorted(cards, reverse=True))
        for size in range(1, 9)
        for cards in combinations_with_replacement(range(13), size)
        if len(set(cards)) <= 2
        and max(cards.count(rank) for rank in set(cards)) <= 4
        and sum(rank + 1 for rank in cards) % 9 == 0
    }
    assert len(nines.GROUPS) == 154
    assert set(nines.GROUPS) == wanted


@pytest.mark.parametrize("text", ["6 6 6", "9 9 9 9", "8 8 A A", "K K K K 10 10", "Q Q Q Q J J J", "8 A"])
def test_groups_are_written_from_the_highest_rank_down(text: str) -> None:
    assert text in nines.TEXTS


def test_a_packed_hand_holds_a_group_when_it_has_all_its_cards() -> None:
    hand = STANDARD.read_hand("8 8 A A 4 9 9 9 9 K")
    packed = nines.pack(hand)
    assert sorted(nines.unpack(packed)) == sorted(hand)
    for group, word in zip(nines.GROUPS, nines.PACKED, strict=True):
        expected = all(group.count(rank) <= hand.count(rank) for rank in group)
        assert nines.holds(packed, word) == expected
    assert [nines.number_of(packed, rank) for rank in (0, 7, 8, 1)] == [2, 2, 4, 0]
