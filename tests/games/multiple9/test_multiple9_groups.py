"""Multiple 9, R1 and R2: the table, groups and plays; the cases of the rule page and of its source."""

from __future__ import annotations

from itertools import product
from typing import Any

import pytest

import ninefold as nf
from ninefold.kernel.cards import STANDARD
from support.multiple9 import DULL, begin, chance, dealt, discards, hand, refused, sizes, zone
from support.stories import listen


@pytest.mark.parametrize("players", range(2, 10))
def test_r1_1_two_to_nine_players(players: int) -> None:
    state = nf.make("multiple9", players=players).start(seed=players)
    assert len(state.scores) == players and sum(sizes(state)) >= 5 * players


@pytest.mark.parametrize("players", [0, 1, 10, -2, "many", 2.5, True])
def test_r1_1_other_numbers_of_players_are_refused(players: Any) -> None:
    with pytest.raises(nf.RuleError, match="2 to 9 players"):
        nf.make("multiple9", players=players)


def test_r1_1_the_deck() -> None:
    state = begin()
    assert state.chance() == {f"deal {rank}": pytest.approx(1 / 13) for rank in STANDARD.ranks}
    chance(state, "7")
    assert state.chance()["deal 7"] == pytest.approx(3 / 51)
    chance(state, "7", "7", "7")
    assert "deal 7" not in state.chance() and sum(state.chance().values()) == pytest.approx(1)
    refused(state, nf.CHANCE, "deal 7", "48 cards in the stock is dealt now; deal 7 cannot happen")


def test_r1_2_values() -> None:
    """Two cards are a group exactly where their values total 9 or 18."""
    values = {rank: place + 1 for place, rank in enumerate(STANDARD.ranks)}
    for one, other in product(STANDARD.ranks, repeat=2):
        pair = nf.multiple9.split([one, other])
        assert (pair is not None) == ((values[one] + values[other]) % 9 == 0)
    assert nf.multiple9.verdict("K Q J 10 A").total == 47


def test_r1_3_suits_never_matter() -> None:
    assert nf.multiple9.split("8S 4H 4D AC AS") == nf.multiple9.split("8 4 4 A A")
    state = begin()
    state.play(nf.CHANCE, "deal 7H")
    assert state.steps == [(nf.CHANCE, 6)]
    other = dealt("8 8 A A K", DULL[0])
    chance(other, "2")
    refused(other, 0, "lay 8H AS", "suits, which do not matter", nf.Unreadable)


def test_r1_4_only_its_holder_sees_a_hand() -> None:
    state = dealt("8 8 A A K", DULL[0])
    chance(state, "5")
    assert hand(state, 0) == "K 8 8 5 A A"
    for viewer in (1, None):
        cards = zone(state, "hand-0", viewer)["cards"]
        assert cards == [{"card": None, "up": False}] * 6
        assert [(part.id, part.value) for part in state.picture(viewer).seats[0].stats] == [("cards", 6)]
    state.play(0, "lay K 5")
    assert all(discards(state) == "K 5" for viewer in (0, 1, None))


def test_r1_4_a_draw_is_told_to_its_owner_only() -> None:
    state = dealt(DULL[0], DULL[1])
    told = {viewer: listen(state, viewer) for viewer in (0, 1, None)}
    chance(state, "5")
    assert str(told[0][0].text) == "Player 1 draws a 5." and told[0][0].cards == ["5"]
    assert [(move.source, move.target, move.cards) for move in told[0][0].moves] == [
        ("stock", "hand-0", ["5"])
    ]
    for viewer in (1, None):
        assert str(told[viewer][0].text) == "Player 1 draws a card." and told[viewer][0].cards == [None]
        moves = [(move.source, move.target, move.cards) for move in told[viewer][0].moves]
        assert moves == [("stock", "hand-0", [None])]


GROUPS = {
    "6 6 6": 18,
    "Q Q Q": 36,
    "9 9 9 9": 36,
    "8 8 A A": 18,
    "8 8 2": 18,
    "8 8 8 3": 27,
    "8 8 8 Q": 36,
    "8 8 8 8 4": 36,
    "8 8 8 8 K": 45,
    "8 8 8 8 J J": 54,
    "K K K K 10 10": 72,
    "Q Q Q Q J J J": 81,
}


@pytest.mark.parametrize(("cards", "total"), GROUPS.items())
def test_r2_2_groups_of_the_page(cards: str, total: int) -> None:
    written = sorted(cards.split(), key=STANDARD.ranks.index, reverse=True)
    assert written in nf.multiple9.groups(cards)
    said = nf.multiple9.verdict(cards)
    assert said.legal and not said.only_last and said.total == total


@pytest.mark.parametrize(
    ("cards", "total"),
    [("8 8 8 8", 32), ("8 8 8", 24), ("8 8", 16), ("K K K K", 52), ("K K K", 39), ("K K", 26)],
)
def test_r2_1_sets_of_the_source(cards: str, total: int) -> None:
    said = nf.multiple9.verdict(cards)
    assert said.total == total and not said.legal and nf.multiple9.groups(cards) == []


@pytest.mark.parametrize("cards", ["9", "6 3", "8 A", "3 3 3"])
def test_r2_3_a_nine_alone_only_as_the_last_cards(cards: str) -> None:
    said = nf.multiple9.verdict(cards)
    assert said.legal and said.only_last and said.total == 9 and "R2.5" in said.why
    assert nf.multiple9.split(cards) == [cards.split()]


@pytest.mark.parametrize(
    ("cards", "groups"),
    [
        ("6 3 9", ["6 3", "9"]),
        ("6 3 K 5", ["6 3", "K 5"]),
        ("A 6 8 Q", ["Q 6", "8 A"]),
        ("8 4 4 A A", ["8 A", "4 4 A"]),
        ("Q Q 3 8 10", ["Q Q 3", "10 8"]),
        ("8 A 9", ["8 A", "9"]),
        ("J J J 3", ["J J J 3"]),
        ("7 10 10", ["10 10 7"]),
    ],
)
def test_r2_5_legal_plays_of_the_page(cards: str, groups: list[str]) -> None:
    """R2.4 too: the aces of the fourth are in two groups."""
    said = nf.multiple9.verdict(cards)
    assert said.legal and not said.only_last
    assert sorted(" ".join(group) for group in said.groups or []) == sorted(groups)


@pytest.mark.parametrize("cards", ["3 3 5 7", "8 4 4 2"])
def test_r2_2_three_ranks_are_no_group(cards: str) -> None:
    said = nf.multiple9.verdict(cards)
    assert not said.legal and said.groups is None and said.total == 18
    assert "at most two ranks" in said.why and "R2.2" in said.why
    assert nf.multiple9.split(cards) is None


def test_r2_4_no_card_in_two_groups() -> None:
    """8 A and 10 8 share an 8; with two of them both go down."""
    assert nf.multiple9.groups("10 8 A") == [["8", "A"], ["10", "8"]]
    assert nf.multiple9.split("10 8 A") is None
    assert nf.multiple9.split("10 8 8 A") == [["10", "8"], ["8", "A"]]
    state = dealt("10 8 A K 7", DULL[1])
    chance(state, "Q")
    state.play(0, "lay 10 8")
    assert list(state.moves(0)) == ["done"]


def test_r2_5_a_multiple_alone_is_a_play() -> None:
    state = dealt("10 8 K 7 2", DULL[1])
    chance(state, "J")
    state.play(0, "lay 8 10")
    assert "done" in state.moves(0)
    state.play(0, "done")
    assert state.turns == 2 and hand(state, 0) == "K J 7 2"
