"""Baseball, R1 and R2: the table, the shoe, what each looks at before the first turn."""

from __future__ import annotations

import json
from typing import Any

import pytest

import ninefold as nf
from ninefold.game.baseball.notation import PLACE_NAMES as PLACES
from ninefold.kernel import shoe
from ninefold.kernel.cards import WITH_JOKERS
from support.baseball import begin, column, go, hand, refused, table, top, unseen, weights, zone


@pytest.mark.parametrize(("players", "decks"), [(2, 1), (3, 1), (4, 2), (6, 2), (7, 3), (9, 3)])
def test_r1_1_one_deck_for_three_players(players: int, decks: int) -> None:
    game = nf.make("baseball", players=players)
    assert game.options == {"decks": decks, "innings": 1, "clear_jokers": True, "turn_limit": 0}
    state = begin(players)
    assert zone(state, "shoe")["count"] == 54 * decks - 9 * players - 1
    assert zone(state, "discards")["count"] == 1


@pytest.mark.parametrize("players", [1, 10, 0, -2, "many", 2.5, True])
def test_r1_1_impossible_numbers_of_players_are_refused(players: Any) -> None:
    with pytest.raises(nf.RuleError, match="2 to 9 players"):
        nf.make("baseball", players=players)


def test_r1_1_a_shoe_must_hold_nine_cards_a_player_and_one_more() -> None:
    assert nf.make("baseball", players=5, decks=1).options["decks"] == 1, "46 of 54 cards"
    with pytest.raises(nf.RuleError, match=r"6 players need 55 cards.*decks=1 gives 54.*decks=2 or more"):
        nf.make("baseball", players=6, decks=1)
    assert nf.make("baseball", players=6, decks=2).options["decks"] == 2


@pytest.mark.parametrize(
    "options",
    [
        {"decks": 0},
        {"decks": 17},
        {"decks": "two"},
        {"innings": 0},
        {"innings": 1_001},
        {"clear_jokers": "maybe"},
        {"clear_jokers": 2},
        {"turn_limit": -1},
        {"turn_limit": 1.5},
        {"rounds": 9},
    ],
)
def test_impossible_options_are_refused(options: dict[str, Any]) -> None:
    with pytest.raises(nf.RuleError, match=next(iter(options))):
        nf.make("baseball", players=2, **options)


POINTS = {
    "A": 1,
    "2": 2,
    "3": 3,
    "4": 4,
    "5": 5,
    "6": 6,
    "7": 7,
    "8": 8,
    "9": 9,
    "10": 10,
    "J": 15,
    "Q": 25,
    "K": 0,
    "JK": -2,
}


def test_r1_2_points() -> None:
    assert {rank: nf.baseball.points(rank) for rank in POINTS} == POINTS
    assert nf.baseball.points("K K 3 JK 7 Q 2 A A") == 37
    assert nf.baseball.points(["KH", "QS", "10d"]) == 35
    assert nf.baseball.points("") == 0
    with pytest.raises(nf.RuleError, match="'Z' is not a card"):
        nf.baseball.points("K Z")


@pytest.mark.parametrize("rank", POINTS)
def test_r1_2_points_in_a_match(rank: str) -> None:
    card = rank if rank == "JK" else f"{rank}D"
    assert go(table(), f"flip r3c3={card}").scores == [POINTS[rank], 0]


def test_r1_3_suits_mean_nothing_and_jokers_are_no_wild_cards() -> None:
    state = go(table(own="7S 7D", up="both", decks=1), "draw=7C, put r3c1=5S")
    assert column(state, 0) == ["-", "-", "-"], "three sevens of different suits"
    state = go(table(own="7S 7D", up="both", decks=1), "draw=JK, put r3c1=5S")
    assert column(state, 0) == ["7S", "7D", "JK"]


def test_r2_1_nobody_has_seen_the_cards() -> None:
    state = begin(3)
    for viewer in (0, 1, 2, None):
        for seat in range(3):
            assert hand(state, seat, viewer) == ["?"] * 9
            assert zone(state, f"hand-{seat}")["columns"] == 3
            assert zone(state, f"hand-{seat}")["places"] == list(PLACES)
    assert " ".join(PLACES) == "r1c1 r1c2 r1c3 r2c1 r2c2 r2c3 r3c1 r3c2 r3c3"


def test_r2_2_the_first_discard_is_any_card_of_the_shoe() -> None:
    state = nf.make("baseball", players=4).start(manual=True)
    assert state.actors == (nf.CHANCE,) and state.turns == 0
    expected = dict.fromkeys(weights(state), 2) | {"JK": 4}
    assert weights(state) == expected and len(expected) == 53
    assert state.chance()["deal JK"] == pytest.approx(4 / 108)
    state.play(nf.CHANCE, "deal KD")
    assert top(state) == "KD" and state.actors == (0,)
    state.play(0, "look r1c1")
    assert weights(state) == expected | {"KD": 1}


def test_r2_3_each_looks_at_two_cards_in_the_order_of_seats() -> None:
    state = begin(3)
    for seat in range(3):
        assert state.actors == (seat,)
        assert state.moves(seat) == [f"look {place}" for place in PLACES]
        go(state, f"look r2c2=4{'SHD'[seat]}")
        assert state.moves(seat) == [f"look {place}" for place in PLACES if place != "r2c2"]
        refused(state, seat, "look r2c2", "R2.3")
        refused(state, seat, "flip r2c2", "R2.3")
        refused(state, (seat + 1) % 3, "look r1c1", "R2.3")
        go(state, f"look r3c3=5{'SHD'[seat]}, turn up none")
    assert state.actors == (0,) and "draw" in state.moves(0)


@pytest.mark.parametrize(
    ("word", "shown"),
    [("none", ["?", "?"]), ("first", ["KH", "?"]), ("second", ["?", "QD"]), ("both", ["KH", "QD"])],
)
def test_r2_4_none_either_or_both_are_turned_up(word: str, shown: list[str]) -> None:
    state = go(begin(), "look r1c1=KH, look r2c3=QD")
    assert state.moves(0) == ["turn up none", "turn up first", "turn up second", "turn up both"]
    refused(state, 0, "look r1c2", "R2.4")
    refused(state, 0, "draw", "R2.4")
    refused(state, 1, "look r1c2", "R2.3")
    go(state, f"turn up {word}")
    for viewer in (1, None):
        assert [hand(state, 0, viewer)[place] for place in (0, 5)] == shown
    own = [card if card != "?" else down for card, down in zip(shown, ["(KH)", "(QD)"], strict=True)]
    assert [hand(state, 0, 0)[place] for place in (0, 5)] == own


def test_r2_4_a_card_looked_at_stays_known_to_its_owner_alone() -> None:
    state = go(begin(3), "look r1c1=KH, look r1c2=JK, turn up none, look r1c1=3C, look r1c2=4C, turn up none")
    for viewer in (1, 2, None):
        assert hand(state, 0, viewer)[:2] == ["?", "?"]
        text = json.dumps(state.view(viewer))
        assert "KH" not in text and "JK" not in text
        looked = [card.get("seen_by") for card in zone(state, "hand-0", viewer)["cards"]]
        assert looked == [0, 0] + [None] * 7, "that they were looked at is seen by all"
    assert hand(state, 0, 0)[:2] == ["(KH)", "(JK)"] and hand(state, 1, 0)[:2] == ["?", "?"]
    king = WITH_JOKERS.read("KH")
    assert shoe.copies(state.position.unseen, 1, king) == 0
    assert unseen(state, 0).count(king) == 0
    assert unseen(state, 1).count(king) == 1, "for seat 1 it may lie anywhere"
