"""Baseball by its numbered rules (src/ninefold/game/baseball/RULES.md) and the cases of its sources."""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest

import ninefold as nf
from ninefold.cli import main
from ninefold.engine.players import Company
from ninefold.engine.views import seen, tell
from ninefold.game.baseball import record, rules
from ninefold.game.baseball.table import PLACES
from ninefold.kernel import shoe
from ninefold.kernel.cards import WITH_JOKERS
from ninefold.kernel.stream import new_stream
from ninefold.testkit import check

# Scripts: the seat to move plays `draw`, `flip r1c1` and so on; what follows `=` is what chance then brings.
# With sixteen decks any card may come again and again.

PASS = "draw=6C, discard"


def begin(players: int = 2, first: str = "9C", **options: Any) -> nf.State:
    """A match after its first discard."""
    state = nf.make("baseball", players=players, **options).start(manual=True)
    state.play(nf.CHANCE, first)
    return state


def go(state: nf.State, script: str) -> nf.State:
    for step in script.split(","):
        move, *cards = step.split("=")
        if move.strip():
            state.play(state.actors[0], move.strip())
        for card in cards:
            state.play(nf.CHANCE, card.strip())
    return state


def table(
    players: int = 2, first: str = "9C", own: str = "10S 10H", up: str = "none", **options: Any
) -> nf.State:
    """A match before its first turn. All have looked at r1c1 and r2c1; the others have seen 8S and 8H."""
    state = begin(players, first, **{"decks": 16, **options})
    for seat in range(players):
        one, other = own.split() if seat == 0 else ("8S", "8H")
        go(state, f"look r1c1={one}, look r2c1={other}, turn up {up if seat == 0 else 'none'}")
    return state


def last_card(players: int = 2, **options: Any) -> nf.State:
    """Seat 0 to move, with A to 8 up and only r3c3 face down; the others have drawn and discarded."""
    state = table(players, **options)
    for place in PLACES[:8]:
        fill(state, place)
        for seat in range(1, players):
            go(state, f"draw=5{'SHDC'[seat % 4]}, discard")
    return state


def fill(state: nf.State, place: str) -> None:
    """The seat to move draws a spade and puts it there: an ace at r1c1, a two at r1c2, and so on."""
    card = f"{'A23456789'[PLACES.index(place)]}S"
    known = place in ("r1c1", "r2c1")
    go(state, f"draw={card}, put {place}" + ("" if known else "=QH"))


def cards(text: str) -> list[str]:
    return text.split()


def hand(state: nf.State, seat: int, viewer: int | None = None) -> list[str]:
    """A hand as a viewer sees it: `KH` up, `(KH)` down and known, `?` unseen, `-` cleared."""
    found = []
    for card in zone(state, f"hand {seat}", viewer)["cards"]:
        text = card["card"] or "?"
        found.append("-" if card.get("gap") else text if card["up"] or text == "?" else f"({text})")
    return found


def column(state: nf.State, seat: int, number: int = 1, viewer: int | None = None) -> list[str]:
    return hand(state, seat, viewer)[number - 1 :: 3]


def zone(state: nf.State, name: str, viewer: int | None = None) -> dict[str, Any]:
    found: list[dict[str, Any]] = [zone for zone in state.view(viewer)["zones"] if zone["id"] == name]
    return found[0] if found else {}


def top(state: nf.State) -> str | None:
    shown = zone(state, "discards")["cards"]
    return str(shown[0]["card"]) if shown else None


def refused(state: nf.State, seat: int, move: str | int, rule: str) -> None:
    """The move is refused with a sentence that cites the rule, and nothing has changed."""
    before = state.tobytes(), state.steps
    with pytest.raises(nf.IllegalMove) as caught:
        state.play(seat, move)
    assert (state.tobytes(), state.steps) == before
    assert caught.value.rule == rule and f"({rule})" in str(caught.value)


def weights(state: nf.State) -> dict[str, int]:
    outcomes, numbers = state._outcomes()
    texts = [state.say(nf.CHANCE, card).split()[1] for card in outcomes]
    return dict(zip(texts, numbers, strict=True))


# 1 The table


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


# 2 The deal


def test_r2_1_nobody_has_seen_the_cards() -> None:
    state = begin(3)
    for viewer in (0, 1, 2, None):
        for seat in range(3):
            assert hand(state, seat, viewer) == ["?"] * 9
            assert zone(state, f"hand {seat}")["columns"] == 3
            assert zone(state, f"hand {seat}")["places"] == list(PLACES)
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
        looked = [card.get("seen_by") for card in zone(state, "hand 0", viewer)["cards"]]
        assert looked == [0, 0] + [None] * 7, "that they were looked at is seen by all"
    assert hand(state, 0, 0)[:2] == ["(KH)", "(JK)"] and hand(state, 1, 0)[:2] == ["?", "?"]
    king = WITH_JOKERS.read("KH")
    assert shoe.copies(state._s.unseen, 1, king) == 0
    assert shoe.copies(seen(state.game, state._s, 0).unseen, 1, king) == 0
    assert shoe.copies(seen(state.game, state._s, 1).unseen, 1, king) == 1, "for seat 1 it may lie anywhere"


# 3 A turn


def test_r3_1_a_turn_is_flip_take_or_draw() -> None:
    state = table()
    assert state.moves(0) == [f"flip {p}" for p in PLACES] + [f"take {p}" for p in PLACES] + ["draw"]
    assert state.turns == state.view(0)["turn"] == 1
    refused(state, 1, "draw", "R3.1")
    refused(state, 0, "look r1c1", "R2.3")
    refused(state, 0, "turn up both", "R2.4")
    for number, move in enumerate(
        ["flip r3c3=5S", "take r1c1", "draw=2D, discard", "draw=2D, put r1c1"], start=1
    ):
        go(state, move)
        assert state.actors == (number % 2,) and state.turns == number + 1


def test_r3_2_flip() -> None:
    state = table(own="10S 10H", decks=1)
    go(state, "flip r1c1")
    assert hand(state, 0)[0] == "10S", "one that was looked at needs no chance"
    go(state, PASS)
    refused(state, 0, "flip r1c1", "R3.2")
    go(state, "flip r2c2")
    assert state.actors == (nf.CHANCE,)
    assert not {"9C", "10S", "10H", "8S", "8H", "6C"} & set(weights(state)) and weights(state)["JK"] == 2
    go(state, "=KS")
    assert hand(state, 0)[4] == "KS" and top(state) == "6C", "a flip leaves the discards alone"


def test_r3_3_take() -> None:
    state = table(first="KC", own="10S 10H")
    go(state, "take r1c1")
    assert hand(state, 0)[0] == "KC" and top(state) == "10S", "known to its owner: no chance"
    go(state, "take r3c3=QH")
    assert hand(state, 1)[8] == "10S" and top(state) == "QH", "unseen: chance says what it was"
    go(state, "take r1c1")
    assert hand(state, 0)[0] == "QH" and top(state) == "KC", "a face-up card can be replaced too"
    assert zone(state, "discards")["count"] == 1


def test_r3_4_only_the_drawer_sees_the_card() -> None:
    state = go(table(3, decks=2), "draw=KS")
    assert zone(state, "shoe")["count"] == 108 - 27 - 2
    assert zone(state, "drawn", 0)["cards"] == [{"card": "KS", "up": False}]
    for viewer in (1, 2, None):
        assert zone(state, "drawn", viewer)["cards"] == [{"card": None, "up": False}]
        assert "KS" not in json.dumps(state.view(viewer))
    refused(state, 0, "draw", "R3.5")
    refused(state, 0, "flip r1c1", "R3.5")
    refused(state, 0, "take r1c1", "R3.5")
    refused(state, 1, "discard", "R3.1")


def test_r3_4_nothing_to_discard_or_put_before_a_draw() -> None:
    state = table()
    refused(state, 0, "discard", "R3.4")
    refused(state, 0, "put r1c1", "R3.4")


def test_r3_5_discard_or_put() -> None:
    state = go(table(), "draw=KS")
    assert state.moves(0) == ["discard"] + [f"put {place}" for place in PLACES]
    kept = state.copy()
    go(state, "discard")
    assert top(state) == "KS" and zone(state, "discards")["count"] == 2
    go(kept, "put r2c2")
    assert zone(kept, "drawn")["cards"] == [{"card": "KS", "up": True}], "put, it is seen by all"
    go(kept, "=JC")
    assert hand(kept, 0)[4] == "KS" and top(kept) == "JC" and zone(kept, "drawn") == {}


def test_r3_6_a_cleared_place_stays_empty() -> None:
    state = go(table(own="7S 7D", up="both"), f"draw=7C, put r3c1=5S, {PASS}")
    assert hand(state, 0) == ["-", "?", "?"] * 3
    assert state.moves(0)[:6] == [f"flip r{row}c{column}" for row in (1, 2, 3) for column in (2, 3)]
    refused(state, 0, "flip r1c1", "R3.6")
    refused(state, 0, "take r2c1", "R3.6")
    go(state, "draw=AS")
    refused(state, 0, "put r3c1", "R3.6")


# 4 Columns


def test_r4_1_a_flip_that_completes_a_column() -> None:
    state = go(table(own="7S 7D", up="both"), "flip r3c1=7C")
    assert hand(state, 0) == ["-", "?", "?"] * 3
    assert zone(state, "discards")["count"] == 4 and top(state) == "7C", "from the top row to the bottom one"
    assert state.scores[0] == 0


def test_r4_1_a_known_card_counts_only_face_up() -> None:
    state = go(table(own="7S 7H", up="first"), f"draw=7D, put r3c1=QS, {PASS}")
    assert column(state, 0) == ["7S", "?", "7D"], "the one in the middle lies face down still"
    go(state, "flip r2c1")
    assert column(state, 0) == ["-"] * 3 and top(state) == "7D"


def test_r4_1_jokers_are_a_rank() -> None:
    state = go(table(own="JK JK", up="both"), "flip r3c1=JK")
    assert column(state, 0) == ["-"] * 3 and state.scores[0] == 0


def test_r4_1_option_clear_jokers_off() -> None:
    state = go(table(own="JK JK", up="both", clear_jokers=False), "flip r3c1=JK")
    assert column(state, 0) == ["JK"] * 3 and state.scores[0] == -6
    state = go(table(own="7S 7D", up="both", clear_jokers=False), "flip r3c1=7D")
    assert column(state, 0) == ["-"] * 3, "other ranks clear as ever"


def test_r4_1_rows_do_not_clear() -> None:
    state = go(table(own="7S 10D", up="both"), f"flip r1c2=7H, {PASS}, flip r1c3=7C")
    assert hand(state, 0)[:3] == ["7S", "7H", "7C"]


def test_r4_2_with_a_replacement_the_three_go_first() -> None:
    """The source: the three cards are placed first, and the replaced card ends on top."""
    state = go(table(own="7S 7D", up="both"), "draw=7C, put r3c1=QS")
    assert column(state, 0) == ["-"] * 3 and top(state) == "QS"
    assert zone(state, "discards")["count"] == 1 + 3 + 1
    go(state, "take r1c1")
    assert hand(state, 1)[0] == "QS", "and it is there to be taken"


def test_r4_2_the_same_with_a_card_taken() -> None:
    state = go(table(own="7S 7D", up="both"), "draw=2C, discard, draw=7C, discard, take r3c1=QS")
    assert column(state, 0) == ["-"] * 3 and top(state) == "QS"
    assert zone(state, "discards")["count"] == 3 - 1 + 3 + 1


def test_r4_2_the_same_in_place_of_a_card_known_to_its_owner_alone() -> None:
    state = go(table(own="7S QD", up="first"), f"draw=7H, put r3c1=2S, {PASS}, draw=7D, put r2c1")
    assert column(state, 0) == ["-"] * 3 and top(state) == "QD"


def test_r4_3_cards_turned_up_together_come_row_by_row_then_columns_clear() -> None:
    state = go(last_card(), "flip r3c3=KS, take r1c2")
    coming = []
    for card in cards("QH JD 4D JD KC KD JC"):  # r1c2 first: what the taken 5H has replaced
        coming.append(PLACES[int(state._s.spot)])
        assert "-" not in hand(state, 1), "nothing clears before all are up"
        state.play(nf.CHANCE, card)
    assert coming == ["r1c2", "r1c3", "r2c2", "r2c3", "r3c1", "r3c2", "r3c3"]
    assert hand(state, 1) == ["8S", "5H", "-", "8H", "4D", "-", "KC", "KD", "-"]
    assert top(state) == "JC" and state.over


def test_r4_3_columns_clear_from_left_to_right() -> None:
    state = go(last_card(), "flip r3c3=KS, draw=8D, put r3c1=QH")
    assert column(state, 1) == ["8S", "?", "8D"], "8S has come up; 8H will when its row does"
    for card in cards("JD KD JC KC JH KH"):
        state.play(nf.CHANCE, card)
    assert hand(state, 1) == ["-"] * 9 and state.over
    assert top(state) == "KH", "the third column was the last to go"
    assert state._s.columns == 3 and state.scores[1] == 0


# 5 The end


def test_r5_1_gone_out_r5_2_one_more_turn_each_r5_3_the_end() -> None:
    state = last_card()
    assert state.actors == (0,) and state.view(0)["out"] is None
    go(state, "flip r3c3=KS")
    assert state.view(1)["out"] == 0 and state.actors == (1,)
    assert state.view(None)["phase"] == "Last turns"
    assert [seat["status"] for seat in state.view(1)["seats"]] == ["gone out", "last turn"]
    assert "last turn" in state.view(1)["prompt"]
    refused(state, 0, "draw", "R3.1")
    go(state, "draw=KD, put r1c1")
    for card in cards("JH 2C 3C 4C AC QS 2D"):
        assert state.actors == (nf.CHANCE,), "the rest is turned up"
        state.play(nf.CHANCE, card)
    assert state.over and not state.actors and not state.moves(1)
    assert hand(state, 1) == ["KD", "JH", "2C", "8H", "3C", "4C", "AC", "QS", "2D"]
    assert state.scores == [36, 0 + 15 + 2 + 8 + 3 + 4 + 1 + 25 + 2]
    assert state.winners == [0]
    assert int(rules.refuse(state._s, 1, record.DRAW)) == 503
    with pytest.raises(nf.IllegalMove, match="over"):
        state.play(1, "draw")


def test_r5_1_going_out_by_replacing_the_last_face_down_card() -> None:
    state = go(last_card(), "take r3c3=QS")
    assert state.view(None)["out"] == 0 and top(state) == "QS"


def test_r5_1_not_before_the_end_of_the_turn() -> None:
    """A draw leaves the hand as it is: with a face-down card nobody has gone out, however often they draw."""
    state = last_card()
    for _ in range(3):
        go(state, f"{PASS}, {PASS}")
    assert state.view(None)["out"] is None and state.actors == (0,)


def test_r5_1_with_an_empty_hand_too() -> None:
    state = table(3, own="AS KS")
    for card, place in zip(cards("AS AH AD KS KH KD 2S 2H 2D"), (0, 3, 6, 1, 4, 7, 2, 5, 8), strict=True):
        known = PLACES[place] in ("r1c1", "r2c1")
        go(state, f"draw={card}, put {PLACES[place]}" + ("" if known else "=QD"))
        if place != 8:
            go(state, f"{PASS}, {PASS}")
    assert hand(state, 0) == ["-"] * 9 and state.scores[0] == 0
    assert state.view(None)["out"] == 0 and state.actors == (1,)


@pytest.mark.parametrize("players", [2, 3, 5])
def test_r5_2_everybody_else_has_exactly_one_more_turn(players: int) -> None:
    state = last_card(players)
    turns = state.turns
    go(state, "flip r3c3=KS")
    order = []
    while not state.over:
        seat = state.actors[0]
        if seat == nf.CHANCE:
            state.play(seat, next(iter(state.chance())))
        else:
            order.append(seat)
            state.play(seat, "take r1c1")
    assert order == list(range(1, players)) and state.turns == turns + players - 1
    assert all(not int(down) for down in state._s.left & ~state._s.up)


def test_r5_4_equal_lowest_share_the_win() -> None:
    state = go(last_card(), "flip r3c3=KS, draw=KD, put r1c1")
    for card in cards("8S 10C 5D 5C KC KH KH"):
        state.play(nf.CHANCE, card)
    assert state.scores == [36, 36] and state.winners == [0, 1]


def test_r5_4_the_lowest_wins_wherever_it_sits() -> None:
    state = go(last_card(), "flip r3c3=QS, draw=KD, put r1c1")
    for card in cards("8S 10C 5D 5C KC KH KH"):
        assert state.winners == []
        state.play(nf.CHANCE, card)
    assert state.scores == [61, 36] and state.winners == [1]


def test_r5_5_option_turn_limit() -> None:
    state = table(3, turn_limit=2)
    for _ in range(6):
        assert not state.over
        go(state, PASS)
    coming = []
    while not state.over:
        coming.append((int(state._s.mover), PLACES[int(state._s.spot)]))
        state.play(nf.CHANCE, "3D" if state._s.spot % 2 else "KD")
    unseen = [place for place in PLACES if place not in ("r1c1", "r2c1")]
    assert coming == [(seat, place) for seat in range(3) for place in unseen], "in seat order, row by row"
    assert state.turns == 6 and state.view(None)["out"] is None
    assert int(state._s.ended_limit) == 1 and int(state._s.ended_out) == 0


def test_r5_5_no_extra_turns_where_somebody_has_just_gone_out() -> None:
    state = last_card(3, turn_limit=9)
    turns = state.turns
    go(state, "flip r3c3=KS")
    assert state.actors == (1,) and state.view(1)["out"] == 0
    go(state, f"{PASS}=2D=2D=2H=3H=4H=5H=6H")
    assert state.actors == (2,)
    go(state, f"{PASS}=2D=2D=2H=3H=4H=5H=6H")
    assert state.over and state.turns == turns + 2 == 27

    state = table(3, turn_limit=9)  # now seat 1 goes out in its ninth turn: seat 2 has one more, seat 0 none
    for place in PLACES[:8]:
        go(state, "draw=6D, discard")
        fill(state, place)
        go(state, PASS)
    go(state, f"{PASS}, flip r3c3=KS")
    assert state.view(None)["out"] == 1 and state.actors == (2,)
    go(state, f"{PASS}=2D=2D=2H=3H=4H=5H=6H")
    assert state.actors == (nf.CHANCE,) and state._s.mover == 0, "seat 0 turns up, and has no turn"
    go(state, "=2D=2D=2H=3H=4H=5H=6H")
    assert state.over and state.turns == 27


# 6 The shoe


def short_shoe() -> nf.State:
    """Five players and one deck: eight cards in the shoe, all drawn and discarded; seat 3 to move."""
    state = begin(5, "KC", decks=1)
    for seat in range(5):
        go(state, f"look r1c1={'A23456789'[seat]}S, look r1c2={'A23456789'[seat]}H, turn up none")
    assert zone(state, "shoe")["count"] == 8
    for card in cards("JS JH JD JC QS QH QD QC"):
        go(state, f"draw={card}, discard")
    return state


def test_r6_1_the_discards_become_the_shoe() -> None:
    state = short_shoe()
    assert zone(state, "shoe")["count"] == 0 and zone(state, "discards")["count"] == 9
    assert "draw" in state.moves(3) and "take r1c1" in state.moves(3)
    go(state, "draw")
    assert weights(state) == dict.fromkeys(cards("KC JS JH JD JC QS QH QD QC"), 1), "the top card included"
    assert zone(state, "shoe")["count"] == 9 and zone(state, "discards")["count"] == 0 and top(state) is None
    go(state, "=QD")
    assert top(state) is None, "no discard until the next one"
    refused(state, 3, "take r1c1", "R3.5")
    go(state, "discard")
    assert top(state) == "QD" and zone(state, "discards")["count"] == 1 and zone(state, "shoe")["count"] == 8


def test_r6_2_face_down_cards_come_from_the_original_shoe() -> None:
    state = go(short_shoe(), "draw=QD, discard, flip r2c2")
    public = {"KC", "JS", "JH", "JD", "JC", "QS", "QH", "QD", "QC"}
    assert not public & set(weights(state)), "what went round is in the new shoe, or on the discards"
    assert sum(weights(state).values()) == 45 - 10, "as many as there are places that nobody has looked at"
    assert not {"AS", "5H"} & set(weights(state)), "nor what somebody has looked at"
    go(state, "=10D, draw")
    assert set(weights(state)) == public - {"QD"}, "draws come from the new shoe"
    go(state, "=KC, put r3c3")
    assert "10D" not in weights(state) and sum(weights(state).values()) == 34


def test_r6_2_a_second_time_round() -> None:
    state = short_shoe()
    for card in cards("JS JH JD JC QS QH QD QC KC"):
        go(state, f"draw={card}, discard")
    assert zone(state, "shoe")["count"] == 0
    go(state, "draw")
    assert int(state._s.reshuffles) == 2 and sum(weights(state).values()) == 9


def test_r6_1_there_is_always_something_to_take_and_to_draw() -> None:
    state = short_shoe()
    for _ in range(5):
        go(state, "take r1c1")
        assert zone(state, "discards")["count"] == 9, "every card taken was replaced by one from a hand"


# 7 A series


def test_r7_1_innings_add_up_and_the_first_seat_moves_on() -> None:
    state = nf.make("baseball", players=3, innings=4, turn_limit=1, decks=16).start(manual=True)
    totals = [0, 0, 0]
    for inning in range(4):
        assert sum(weights(state).values()) == 54 * 16, "a full shoe"
        state.play(nf.CHANCE, "9C")
        assert state.view(None)["phase"].startswith(f"Inning {inning + 1} of 4")
        assert state.actors == (inning % 3,) and state.view(None)["first"] == inning % 3
        assert state.scores == totals and all(hand(state, seat) == ["?"] * 9 for seat in range(3))
        for _ in range(3):
            go(state, "look r1c1=KS, look r1c2=KH, turn up both")
        assert state.actors == (inning % 3,)
        for _ in range(3):
            seat = state.actors[0]
            go(state, f"flip r1c3={2 + seat}D")
        for _ in range(18):
            assert state.actors == (nf.CHANCE,)
            state.play(nf.CHANCE, "KC" if state._s.spot % 2 else "AC")
        totals = [total + 2 + seat + 3 for seat, total in enumerate(totals)]
        assert state.scores == totals, "the last hands lie there until the next card is dealt"
        assert state.over == (inning == 3)
    assert state.scores == [20, 24, 28] and state.winners == [0]


# Moves as text


@pytest.mark.parametrize(
    ("text", "move"),
    [
        ("flip r3c2", "flip r3c2"),
        ("FLIP R3C2", "flip r3c2"),
        ("flip 3,2", "flip r3c2"),
        ("flip 32", "flip r3c2"),
        ("turn over r1c1", "flip r1c1"),
        ("take to r1c1", "take r1c1"),
        ("take for 2 3", "take r2c3"),
        (" draw ", "draw"),
        ("d", "draw"),
    ],
)
def test_moves_are_read_in_many_spellings(text: str, move: str) -> None:
    state = table()
    state.play(0, text)
    assert state.steps[-1] == (0, table().moves(0).action(list(table().moves(0)).index(move)))


def test_turn_up_by_place() -> None:
    state = go(begin(), "look r1c1=KH, look r2c3=QD")
    assert state.game.package.table.read(state._s, 0, "turn up r2c3") == record.TURN_UP + record.SECOND
    assert state.game.package.table.read(state._s, 0, "turn up r1c1") == record.TURN_UP + record.FIRST
    with pytest.raises(nf.Unreadable):
        state.play(0, "turn up r3c3")


def test_a_place_alone_is_enough_where_only_one_move_has_it() -> None:
    state = begin()
    go(state, "r1c1=KH, r2c1=QD, turn up both")
    assert hand(state, 0)[0] == "KH"
    state = table(own="7S 7H", up="both")
    with pytest.raises(nf.Ambiguous, match="flip r3c3 or take r3c3"):
        state.play(0, "r3c3")
    go(state, "r1c1")
    assert hand(state, 0)[0] == "9C", "a face-up card can only be replaced"
    go(state, "draw=AS, r1c1")
    assert hand(state, 1)[0] == "AS"
    with pytest.raises(nf.Unreadable, match="say what to do there"):
        state.play(1, "r1c1")


@pytest.mark.parametrize(
    "text", ["", "stay", "flip", "flip r4c1", "put r1c9", "turn up all", "flip r0c1", "look r1", "draw r1c1"]
)
def test_unreadable_moves(text: str) -> None:
    state = table()
    before = state.tobytes()
    with pytest.raises(nf.Unreadable) as caught:
        state.play(0, text)
    assert state.tobytes() == before and len(str(caught.value)) > 20


@pytest.mark.parametrize("text", ["KX", "roll 3 4", "deal", "deal KS KH", "11H"])
def test_unreadable_cards(text: str) -> None:
    state = go(table(), "draw")
    with pytest.raises(nf.Unreadable):
        state.play(nf.CHANCE, text)


def test_impossible_cards() -> None:
    state = go(table(decks=1), "draw")
    for text in ("deal 9C", "10S", "reveal 8H"):
        with pytest.raises(nf.IllegalMove, match="no such card left"):
            state.play(nf.CHANCE, text)
    assert list(state.chance()) == sorted(
        state.chance(), key=lambda text: state.game.package.table.read(state._s, -1, text)
    )
    state.play(nf.CHANCE, "deal 9D")
    with pytest.raises(nf.NotYourTurn):
        state.play(nf.CHANCE, "deal 9S")


@pytest.mark.parametrize("move", [42, -1, True, 3.5, None])
def test_impossible_ids(move: Any) -> None:
    state = table()
    with pytest.raises(nf.IllegalMove, match="0 to 41"):
        state.play(0, move)


def test_ids_are_pinned() -> None:
    """Records and learned policies depend on them."""
    game = nf.make("baseball")
    s = game.record()
    texts = [game.package.table.say(s, 0, action) for action in range(game.facts.actions)]
    expected = [f"look {place}" for place in PLACES] + [
        f"turn up {word}" for word in ("none", "first", "second", "both")
    ]
    expected += [f"flip {place}" for place in PLACES] + [f"take {place}" for place in PLACES]
    assert texts == [*expected, "draw", "discard", *(f"put {place}" for place in PLACES)]


# Views, offers, stories


def walk(game: nf.Game, seed: int, habit: float) -> Iterator[nf.State]:
    """The positions of a match whose players draw and discard more often than by chance."""
    dice, luck = random.Random(seed), new_stream(seed)
    state = game.start(manual=True)
    while not state.over:
        yield state
        seat = state.actors[0]
        if seat == nf.CHANCE:
            state.play(seat, int(game.package.rules.sample(state._s, luck)))
            continue
        moves = list(state.moves(seat))
        waiting = [move for move in moves if move in ("draw", "discard")]
        state.play(seat, dice.choice(waiting if waiting and dice.random() < habit else moves))
    yield state


def test_offers_are_the_moves() -> None:
    for state in walk(nf.make("baseball", players=3), 5, 0.2):
        for seat in state.actors if state.actors != (nf.CHANCE,) else ():
            view = state.view(seat)
            offered = [part["move"] for part in view["offers"] if part["kind"] == "button"]
            places = [
                choice for part in view["offers"] if part["kind"] == "cards" for choice in part["choices"]
            ]
            offered += [choice["move"] for choice in places]
            assert sorted(offered) == sorted(view["moves"]) == sorted(state.moves(seat))
            assert all(choice["move"].endswith(PLACES[choice["cards"][0]]) for choice in places)
            assert view["prompt"] and not state.view((seat + 1) % 3)["offers"]


def test_scores_tell_nothing_that_lies_face_down() -> None:
    state = go(begin(), "look r1c1=QH, look r1c2=QD, turn up first")
    for viewer in (0, 1, None):
        assert state.view(viewer)["scores"] == [25, 0]
        assert [seat["face_down"] for seat in state.view(viewer)["seats"]] == [8, 9]


def test_stories_name_cards_to_those_who_may_know_them() -> None:
    state = nf.make("baseball", players=2, decks=16).start(manual=True)
    told: dict[Any, list[dict[str, Any]]] = {0: [], 1: [], None: []}

    def watch(before: Any, seat: int, action: int, after: Any) -> None:
        for viewer, events in told.items():
            events.extend(tell(state.game, before, seat, action, after, viewer))

    state.watchers.append(watch)
    go(
        state,
        "=9C, look r1c1=KH, look r2c1=QD, turn up first, look r1c1=2C, look r1c2=3C, turn up none, draw=AS",
    )
    texts = {viewer: [event["text"] for event in events] for viewer, events in told.items()}
    assert texts[None] == [
        "Player 1 begins. The first discard is the 9♣.",
        "Player 1 looks at r1c1.",
        "Player 1 looks at r2c1.",
        "Player 1 turns up the K♥ at r1c1.",
        "Player 2 looks at r1c1.",
        "Player 2 looks at r1c2.",
        "Player 2 leaves both cards face down.",
        "Player 1 draws from the shoe.",
    ]
    assert "Player 1 sees the Q♦ at r2c1." in texts[0] and "Player 1 drew the A♠." in texts[0]
    assert "Player 2 sees the 2♣ at r1c1." in texts[1] and "Q♦" not in json.dumps(
        texts[1], ensure_ascii=False
    )


def told(state: nf.State, script: str, viewer: int | None = None) -> list[str]:
    """What a viewer is told while a script is played."""
    texts: list[str] = []
    state.watchers.append(
        lambda before, seat, action, after: texts.extend(
            event["text"] for event in tell(state.game, before, seat, action, after, viewer)
        )
    )
    go(state, script)
    return texts


def test_stories_of_replacements_and_columns() -> None:
    state = table(own="7S QD", up="first")
    assert told(state, f"draw=7H, put r3c1=2S, {PASS}, draw=7D, put r2c1", 1) == [
        "Player 1 draws from the shoe.",
        "Player 1 puts the 7♥ at r3c1 and discards the 2♠.",
        "Player 2 draws from the shoe.",
        "Player 2 drew the 6♣.",
        "Player 2 discards the 6♣.",
        "Player 1 draws from the shoe.",
        "Player 1 puts the 7♦ at r2c1 and discards the Q♦.",
        "Column 1 of Player 1 is cleared: three sevens go to the discards.",
    ]
    assert told(table(own="7S 7D", up="both"), "draw=7C, discard, take r1c1") == [
        "Player 1 draws from the shoe.",
        "Player 1 discards the 7♣.",
        "Player 2 takes the 7♣ for r1c1 and discards the 8♠.",
    ]


def test_stories_of_the_end() -> None:
    state = last_card()
    assert told(state, "flip r3c3=KS, draw=8D, put r3c1=JK=JD=KD=JC=KC=JH=KH") == [
        "Player 1 turns up the K♠ at r3c3.",
        "Player 1 has gone out. Everybody else has one more turn.",
        "Player 2 draws from the shoe.",
        "Player 2 puts the 8♦ at r3c1 and discards the joker.",
        "Player 2 turns up the 8♠ at r1c1.",
        "Player 2 turns up the J♦ at r1c2.",
        "Player 2 turns up the K♦ at r1c3 and the 8♥ at r2c1.",
        "Player 2 turns up the J♣ at r2c2.",
        "Player 2 turns up the K♣ at r2c3.",
        "Player 2 turns up the J♥ at r3c2.",
        "Player 2 turns up the K♥ at r3c3.",
        "Column 1 of Player 2 is cleared: three eights go to the discards.",
        "Column 2 of Player 2 is cleared: three jacks go to the discards.",
        "Column 3 of Player 2 is cleared: three kings go to the discards.",
        "The game is over: Player 2 wins with 0 points.",
    ]


def test_stories_of_the_shoe_and_of_innings() -> None:
    assert told(short_shoe(), "draw=QD, discard")[:2] == [
        "The shoe is empty: the 9 discards are mixed and become the new shoe.",
        "Player 4 draws from the shoe.",
    ]
    state = table(2, turn_limit=1, innings=2)
    texts = told(state, f"{PASS}, {PASS}" + "=KD" * 14 + "=2C")
    assert "All have had their turns: all cards are turned up." in texts
    assert texts[-2:] == [
        "Inning 1 is over: Player 1 20 and Player 2 16.",
        "Inning 2 of 2: Player 2 begins. The first discard is the 2♣.",
    ]


# Secrets, with shoes that run out


def test_secrets_are_kept_over_thousands_of_positions_and_reshuffles() -> None:
    """States that differ only in what a seat may not see give that seat equal views, reshuffles included."""
    luck = new_stream(1)
    positions = reshuffles = changed = 0
    for seed, (players, options) in enumerate(
        [(5, {"decks": 1}), (5, {"decks": 1, "innings": 2}), (2, {}), (3, {}), (4, {}), (9, {"decks": 2})]
    ):
        game = nf.make("baseball", players=players, **options)
        hide, redeal = game.package.rules.hide, game.package.rules.redeal
        for number in range(3):
            for state in walk(game, 100 * seed + number, 0.7 if players in (5, 9) else 0.3):
                positions += 1
                for viewer in [*range(players), -1]:
                    other, mine, theirs = state._s.copy(), state._s.copy(), None
                    redeal(other, viewer, luck)
                    changed += other.tobytes() != mine.tobytes()
                    theirs = other.copy()
                    hide(mine, viewer)
                    hide(theirs, viewer)
                    assert mine.tobytes() == theirs.tobytes()
                    if positions % 40 == 0:
                        assert not game.package.table.sound(other)
                        twin = state.copy()
                        twin._s = other
                        seat = None if viewer < 0 else viewer
                        assert twin.view(seat) == state.view(seat)
            reshuffles += int(state._s.reshuffles)
    assert positions > 3_000 and reshuffles > 20 and changed > positions


def test_a_redeal_is_any_of_the_cards_not_seen_and_equally_likely() -> None:
    """After a reshuffle, what others looked at is of the original shoe, and what they drew of the new one."""
    state = go(short_shoe(), "draw=QD")
    luck = new_stream(3)
    looked: Counter[str] = Counter()
    drawn: Counter[str] = Counter()
    for _ in range(4_000):
        other = state._s.copy()
        state.game.package.rules.redeal(other, 0, luck)
        looked[WITH_JOKERS.texts[other.cards[3, 0]]] += 1
        drawn[WITH_JOKERS.texts[other.drawn]] += 1
        assert [WITH_JOKERS.texts[card] for card in other.cards[0, :2]] == ["AS", "AH"], "its own it knows"
    assert set(drawn) == {"KC", "JS", "JH", "JD", "JC", "QS", "QH", "QD", "QC"}
    public = {"AS", "AH", "KC", "JS", "JH", "JD", "JC", "QS", "QH", "QD", "QC"}
    assert set(looked) == set(WITH_JOKERS.texts) - public
    assert all(abs(number - 4_000 / 9) < 5 * (4_000 / 9) ** 0.5 for number in drawn.values())
    expected = {text: 4_000 / 43 * (2 if text == "JK" else 1) for text in looked}
    assert all(abs(looked[text] - mean) < 5 * mean**0.5 for text, mean in expected.items())


@pytest.mark.parametrize(
    "settings",
    [
        {"players": 5, "decks": 1},
        {"players": 3, "innings": 2, "clear_jokers": False},
        {"players": 4, "turn_limit": 2, "innings": 2},
        {"players": 6, "decks": 2},
        {"players": 2, "decks": 16},
    ],
)
def test_laws_under_options(settings: dict[str, Any]) -> None:
    check(nf.make("baseball", **settings), matches=1, seed=3)


def test_the_law_of_soundness_can_fail() -> None:
    sound = nf.make("baseball").package.table.sound
    state = go(table(), "flip r1c1")
    assert sound(state._s) == []
    for field, value in (("top", 30), ("in_shoe", 3), ("out", 1), ("drawn", 5)):
        broken = state._s.copy()
        setattr(broken, field, value)
        assert sound(broken), field
    for change in (
        lambda s: s.up.__setitem__(0, 3),
        lambda s: s.pile.__setitem__(0, 0),
        lambda s: s.cards.__setitem__((0, 0), 4),
    ):
        broken = state._s.copy()
        change(broken)
        assert sound(broken)


# Bots and simulations


def duel(strong: str, weak: str, players: int, games: int) -> float:
    """The share of games that one strong bot wins against weak ones, its seat moving round the table."""
    won = 0.0
    for seat in range(players):
        seated = [strong if other == seat else weak for other in range(players)]
        result = nf.simulate("baseball", seated, games // players, seed=seat)
        assert result.unfinished == 0
        won += result.wins[seat]
    return won / (games // players * players)


@pytest.mark.parametrize(("strong", "weak"), [("easy", "random"), ("medium", "easy"), ("hard", "medium")])
@pytest.mark.parametrize("players", [2, 4])
def test_each_level_beats_the_one_below(strong: str, weak: str, players: int) -> None:
    games = 6_000 if strong == "hard" else 20_000
    even = 1 / players
    error = (even * (1 - even) / games) ** 0.5
    assert duel(strong, weak, players, games) > even + 8 * error


@pytest.mark.parametrize(
    ("bots", "options"),
    [
        (["medium"] * 4, {}),
        (["hard"] * 2, {}),
        (["random", "easy", "medium", "hard"], {}),
        (["hard", "medium", "hard", "medium", "easy"], {"decks": 1}),
        (["hard", "random"], {"decks": 16}),
        (["medium", "hard"], {"innings": 9}),
        (["hard", "medium", "easy"], {"turn_limit": 4, "innings": 2}),
        (["medium"] * 9, {"decks": 2}),
        (["random"] * 9, {}),
        (["hard", "hard", "random"], {"clear_jokers": False}),
    ],
)
def test_no_mix_of_bots_leaves_a_game_unfinished(bots: list[str], options: dict[str, Any]) -> None:
    games = 1_500 if "hard" in bots else 5_000
    result = nf.simulate("baseball", bots, games // (options.get("innings", 1)), seed=11, **options)
    assert result.unfinished == 0
    longest = 25 if "random" not in bots else 200
    assert result.length.turns.highest <= longest * len(bots) * options.get("innings", 1)


def test_a_waiting_table_is_cut_off_by_the_limit() -> None:
    """Drawing and discarding is always legal: the simulation counts such games and leaves them out."""

    def wait(view: Any, moves: Any, rng: Any) -> str:
        liked = [move for move in moves if move in ("draw", "discard", "turn up none")]
        return str((liked or list(moves))[0])

    result = nf.simulate("baseball", [wait, wait], games=2, seed=1)
    assert result.unfinished == 2 and result.limit == 1_000
    assert nf.simulate("baseball", [wait, wait], games=1, seed=1, turn_limit=5).unfinished == 0


def test_what_a_simulation_counts() -> None:
    result = nf.simulate("baseball", ["hard", "medium"] * 2, games=300, seed=2, innings=3, turn_limit=9)
    assert list(result.tallies) == [
        "columns cleared",
        "shoe reshuffles",
        "games ended by going out",
        "games ended by the turn limit",
        "games in which going out was lowest",
    ]
    out, limit = (result.tallies[f"games ended by {how}"].mean for how in ("going out", "the turn limit"))
    assert out + limit == pytest.approx(3) and 0 < limit < 3
    assert 0 < result.tallies["games in which going out was lowest"].mean < out
    assert result.tallies["columns cleared"].mean > 1
    shoes = {
        bot: nf.simulate("baseball", [bot] * 5, games=200, seed=2, decks=1).tallies["shoe reshuffles"].mean
        for bot in ("random", "medium")
    }
    assert shoes["random"] < 0.2 and shoes["medium"] > 1, "medium draws more often"


def test_bots_choose_from_views_of_the_same_kind() -> None:
    """A bot asked at the table plays as it does in a simulation, and every one plays to the end."""
    game = nf.make("baseball", players=4)
    state = game.start(seed=5)
    Company(game, ["hard", "medium", "easy", "random"], 5).play_out(state, 1_000)
    assert state.over and len(state.scores) == 4
    assert nf.replay(state.record()).scores == state.scores


# The judge


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
            "   7  2  3\n   7  4  5\n   7  6  8\nColumn 1 (7) clears (R4.1): 28 points left of 49.\n",
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
