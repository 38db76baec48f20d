"""Finest 9 by its numbered rules (src/ninefold/game/finest9/RULES.md) and the worked cases of its sources."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from typing import Any

import pytest

import ninefold as nf
from ninefold.engine.players import Company
from ninefold.game.finest9 import FACTS, matching
from ninefold.kernel.cards import PLAIN
from ninefold.testkit import check

LOW, HIGH = "1 1", "6 6"
PLAINEST = ["2S 2H 2D 4S 4H 4D 6S 6H 6D", "3S 3H 3D 5S 5H 5D 8S 8H 8D"]


def begin(players: int = 2, **options: object) -> nf.State:
    return nf.make("finest9", players=players, **options).start(manual=True)


def chance(state: nf.State, *texts: str) -> None:
    for text in texts:
        state.play(nf.CHANCE, text)


def dealt(*hands: str, **options: object) -> nf.State:
    """A match in which seat 0 goes first and the seats have these cards, nine each."""
    state = begin(len(hands), **options)
    chance(state, f"roll {HIGH}", *[f"roll {LOW}"] * (len(hands) - 1))
    for cards in zip(*(hand.split() for hand in hands), strict=True):
        chance(state, *(f"deal {card}" for card in cards))
    return state


def rolled(hand: str, dice: str, **options: object) -> nf.State:
    """Seat 0 of two with this hand has rolled these dice; the other has cards that nobody asks for."""
    mine = hand.split()
    rest = [card for card in PLAIN.texts if card not in mine]
    state = dealt(hand, " ".join(rest[:9]), **options)
    chance(state, f"roll {dice}")
    return state


def zone(state: nf.State, name: str, seat: int | None = None) -> list[str]:
    found = next(part for part in state.view(seat)["zones"] if part["id"] == name)
    return [card["card"] for card in found["cards"]]


def listed(cards: str, total: int, **options: object) -> list[str]:
    return [" ".join(capture.ranks) for capture in nf.finest9.matches(cards, total, **options)]


# 1: the table


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_r1_1_two_to_five_players(players: int) -> None:
    state = nf.make("finest9", players=players).start(seed=players)
    assert len(state.scores) == players
    assert sum(len(zone(state, f"table-{seat}")) for seat in range(players)) >= 9 * players


@pytest.mark.parametrize("players", [0, 1, 6, -2, "many", 2.5, True])
def test_r1_1_other_numbers_of_players_are_refused(players: Any) -> None:
    with pytest.raises(nf.RuleError, match="2 to 5 players"):
        nf.make("finest9", players=players)


def test_r1_1_the_deck_and_the_dice() -> None:
    state = begin()
    assert sum(state.chance().values()) == pytest.approx(1)
    assert state.chance()["roll 3 4"] == pytest.approx(2 / 36) and len(state.chance()) == 21
    chance(state, f"roll {HIGH}", f"roll {LOW}")
    assert state.chance() == {f"deal {card}": pytest.approx(1 / 52) for card in PLAIN.texts}
    chance(state, "deal 7H")
    assert len(state.chance()) == 51 and "deal 7H" not in state.chance()


@pytest.mark.parametrize(
    ("rank", "value"),
    [
        *((str(number), number) for number in (2, 3, 4, 5, 6, 7, 8, 10)),
        ("J", 10),
        ("Q", 10),
        ("K", 10),
        ("A", 11),
    ],
)
def test_r1_2_values(rank: str, value: int) -> None:
    for total in (2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12):
        expected = [([rank, rank], 2 * value)] if total == value else []
        assert nf.finest9.matches(f"{rank} {rank}", total) == expected


def test_r1_3_nines_are_wild_and_worth_nine() -> None:
    for total, rank in ((2, "2"), (8, "8"), (10, "K"), (11, "A")):
        (capture,) = nf.finest9.matches(f"{rank} 9", total)
        assert capture.points == total + 9


# 2: before the first turn


def test_r2_1_the_highest_total_goes_first() -> None:
    state = begin(3)
    chance(state, "roll 2 3", "roll 4 5")
    assert state.actors == (nf.CHANCE,) and state.view(None)["roller"] == 2, "a 9 is not rolled again here"
    chance(state, "roll 4 4")
    assert state.view(None)["first"] == 1
    assert state.turns == 0, "the roll-off is no turn"


def test_r2_2_ties_roll_again_among_themselves() -> None:
    state = begin(4)
    chance(state, "roll 5 5", "roll 1 2", "roll 4 6", "roll 4 5")
    order = []
    for dice in ("2 2", "1 3", "3 3", "1 2"):
        order.append(state.view(None)["roller"])
        chance(state, f"roll {dice}")
    assert order == [0, 2, 0, 2], "seats 1 and 3 are out of it; 0 and 2 tie once more"
    assert state.view(None)["first"] == 0


def test_r2_3_nine_cards_one_at_a_time_from_whoever_goes_first() -> None:
    state = begin(3)
    chance(state, f"roll {LOW}", f"roll {HIGH}", f"roll {LOW}")
    order = [f"{rank}{suit}" for rank in ("2", "5", "8", "J", "A", "3", "6") for suit in "SHDC"][:27]
    for number, card in enumerate(order):
        assert state.turns == 0
        chance(state, f"deal {card}")
        assert card in zone(state, f"table-{(1 + number) % 3}")
    assert [len(zone(state, f"table-{seat}")) for seat in range(3)] == [9, 9, 9]
    assert state.turns == 1 and state.view(None)["roller"] == 1
    assert "roll 3 4" in state.chance()


def test_r2_3_no_capture_before_the_deal() -> None:
    with pytest.raises(nf.NotYourTurn, match=r"R2\.3"):
        begin().play(0, "capture 7 9")


# 3: a turn


def test_r3_1_turns_go_round() -> None:
    state = begin(3)
    chance(state, f"roll {LOW}", f"roll {HIGH}", f"roll {LOW}")
    while state.turns == 0:
        chance(state, next(iter(state.chance())))
    order = []
    for _ in range(7):
        order.append((state.view(None)["roller"], state.turns))
        chance(state, f"roll {HIGH}")
        chance(state, next(iter(state.chance())))
    assert order == [(1, 1), (2, 2), (0, 3), (1, 4), (2, 5), (0, 6), (1, 7)]


def test_r3_1_out_of_turn() -> None:
    state = dealt(*PLAINEST)
    chance(state, "roll 1 1")
    assert state.actors == (0,)
    with pytest.raises(nf.NotYourTurn, match=r"seat 0's turn \(R3\.1\)"):
        state.play(1, "capture 3 3 3")
    with pytest.raises(nf.NotYourTurn, match=r"R3\.1"):
        state.play(1, 10)


def test_r3_2_a_nine_is_rolled_again() -> None:
    state = dealt(*PLAINEST)
    for dice in ("3 6", "4 5", "3 6"):
        chance(state, f"roll {dice}")
        assert state.actors == (nf.CHANCE,) and state.view(None)["roller"] == 0 and state.turns == 1
        assert len(state.chance()) == 21
    chance(state, "roll 1 1")
    assert state.actors == (0,) and state.turns == 1


def test_r3_2_no_capture_before_the_roll() -> None:
    with pytest.raises(nf.NotYourTurn, match=r"R3\.2"):
        dealt(*PLAINEST).play(0, "capture 2 2 2")


def test_r3_3_one_match_must_be_taken_also_where_there_is_only_one() -> None:
    state = dealt(*PLAINEST)
    chance(state, "roll 2 2")
    assert list(state.moves(0)) == ["capture 4 4 4"] and state.chance() == {}
    state.play(0, "capture 4 4 4")
    assert state.actors == (nf.CHANCE,) and state.view(None)["roller"] == 1 and state.turns == 2


def test_r3_4_no_match_draws_a_card() -> None:
    state = dealt(*PLAINEST)
    chance(state, "roll 5 6")
    assert len(state.chance()) == 34 and state.turns == 1
    with pytest.raises(nf.NotYourTurn, match=r"R3\.4"):
        state.play(0, "capture 2 2 2")
    chance(state, "deal KH")
    assert "KH" in zone(state, "table-0") and len(zone(state, "table-0")) == 10
    assert state.view(None)["roller"] == 1 and state.turns == 2
    assert state.scores == [-36 - 10, -48]


def test_r3_5_captured_cards_score_their_values() -> None:
    state = dealt(*PLAINEST)
    chance(state, "roll 3 3")
    state.play(0, "capture 6 6 6")
    assert zone(state, "captured-0") == ["6S", "6H", "6D"] and len(zone(state, "table-0")) == 6
    seat = state.view(None)["seats"][0]
    assert (seat["captured"], seat["on_table"], seat["score"]) == (18, 18, 0)


def test_r3_6_the_earliest_dealt_go() -> None:
    state = rolled("7D 2S 7S 6H 9C 8S 7H 9H 9S", "2 4")
    state.play(0, "capture 6 7 8")
    assert zone(state, "captured-0") == ["6H", "7D", "8S"]
    assert zone(state, "table-0") == ["2S", "7S", "7H", "9C", "9H", "9S"], (
        "those of a rank as they were dealt"
    )
    other = rolled("7D 2S 7S 6H 9C 8S 7H 9H 9S", "3 4")
    other.play(0, "capture 7 7 7 9 9")
    assert sorted(zone(other, "captured-0")) == sorted(["7S", "7H", "7D", "9C", "9H"])
    assert zone(other, "table-0") == ["2S", "6H", "8S", "9S"]


def test_r3_6_a_card_drawn_later_is_dealt_later() -> None:
    state = rolled("7D 2S 2H 6H KC 8S KH KS 3D", "5 6")
    for own, other in (("7C", "4C"), ("7S", "4D")):
        chance(state, f"deal {own}", f"roll {HIGH}", f"deal {other}", f"roll {HIGH}")
    chance(state, "deal 5C", f"roll {HIGH}", "deal QC", "roll 3 5")
    state.play(0, "capture 6 7 8")
    assert zone(state, "captured-0") == ["6H", "7D", "8S"]
    assert zone(state, "table-0")[-5:] == ["7C", "7S", "KC", "KH", "KS"]


def test_r3_6_suits_may_be_named_but_not_chosen() -> None:
    hand = "7D 2S 7S 6H 9C 8S 7H 9H 9S"
    state = rolled(hand, "2 4")
    before = state.tobytes()
    with pytest.raises(nf.IllegalMove, match=r"takes 6♥ 7♦ 8♠ \(R3\.6\)"):
        state.play(0, "capture 6 7S 8")
    assert state.tobytes() == before
    state.play(0, "capture 6H 7♦ 8")
    assert zone(state, "captured-0") == ["6H", "7D", "8S"]


# 4: matches; the cases of the rule page and of its source

CASES = [
    ("5 5", 5, {"5 5": 10}),
    ("5 5", 10, {}),
    ("7 7 7", 7, {"7 7 7": 21}),
    ("9 9 7", 7, {"7 9": 16, "7 9 9": 25}),
    ("5 6 7", 6, {"5 6 7": 18}),
    ("Q K A", 10, {"Q K A": 31}),
    ("Q K A", 11, {"Q K A": 31}),
    ("4 5 6", 8, {}),
    ("9 6 8", 7, {}),
    ("9 6 8", 6, {"6 9": 15, "6 8 9": 23}),
    ("5 6 7 9", 6, {"6 9": 15, "5 6 7": 18, "5 6 9": 20, "6 7 9": 22}),
    ("J Q", 10, {}),
    ("7 8 9 10", 10, {"9 10": 19, "8 9 10": 27}),
    *[("9 9", total, {}) for total in range(2, 13)],
]


@pytest.mark.parametrize(("cards", "total", "expected"), CASES)
def test_cases_of_the_rule_page(cards: str, total: int, expected: dict[str, int]) -> None:
    """R4.1 to R4.7 in the table of the page."""
    found = {" ".join(capture.ranks): capture.points for capture in nf.finest9.matches(cards, total)}
    assert found == expected


def test_case_jack_and_queen_by_value() -> None:
    assert nf.finest9.matches("J Q", 10, pairs="value") == [(["J", "Q"], 20)]


def test_r4_1_only_your_own_cards() -> None:
    state = dealt("7S 2S 2H 2D 4S 4H 4D KS KH", "7H 7D 3S 3H 3D 5S 5H 5D AS")
    chance(state, "roll 3 4")
    assert state.actors == (nf.CHANCE,), "the one 7 of seat 0 does not pair with those of seat 1"


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("capture 7 7 7 7", "there are three sevens before you"),
        ("capture 7 7 9 9", "there is one nine before you"),
        ("capture 7 K", "there are no kings before you"),
    ],
)
def test_r4_1_cards_one_does_not_have(text: str, sentence: str) -> None:
    state = rolled("7D 2S 7S 6H 9C 8S 7H 3D 3S", "3 4")
    with pytest.raises(nf.IllegalMove, match=sentence + r" \(R4\.1\)"):
        state.play(0, text)


def test_r4_2_a_set_is_all_cards_of_its_rank() -> None:
    state = rolled("7D 2S 7S KH 9C QS 7H 3D 3S", "3 4")
    assert list(state.moves(0)) == ["capture 7 7 7", "capture 7 7 7 9"]
    with pytest.raises(nf.IllegalMove, match=r"all three sevens before you \(R4\.2\)"):
        state.play(0, "capture 7 7")


def test_r4_2_the_value_must_be_rolled() -> None:
    state = rolled("7D 2S 7S KH 9C QS 7H 3D 3S", "1 2")
    with pytest.raises(nf.IllegalMove, match=r"the dice show 3 \(R4\.2\)"):
        state.play(0, "capture 7 7 7")
    assert listed("5 5", 10) == listed("4 6", 10) == []


def test_r4_3_a_card_alone_is_no_match() -> None:
    for rank in PLAIN.ranks:
        assert all(listed(rank, total) == [] for total in range(2, 13))
    state = rolled("7D 2S 7S KH 9C QS 7H 3D 4S", "1 2")
    assert list(state.moves(0)) == ["capture 3 9", "capture 2 3 4", "capture 2 3 9", "capture 3 4 9"]
    with pytest.raises(nf.IllegalMove, match=r"R4\.3"):
        state.play(0, "capture 3")


def test_r4_4_as_many_nines_as_one_likes() -> None:
    assert listed("6 6 9 9 9 9", 6)[:5] == ["6 6", "6 6 9", "6 6 9 9", "6 6 9 9 9", "6 6 9 9 9 9"]
    assert listed("6 9 9 9 9", 6) == ["6 9", "6 9 9", "6 9 9 9", "6 9 9 9 9"], "alone it needs one"


@pytest.mark.parametrize(
    ("cards", "totals"),
    [
        ("2 3 4", (2, 3, 4)),
        ("10 J Q", (10,)),
        ("J Q K", (10,)),
        ("Q K A", (10, 11)),
        ("8 10 9", (8, 10)),
        ("K A 2", ()),
        ("A 2 3", ()),
        ("2 4 6", ()),
        ("7 8 10", ()),
    ],
)
def test_r4_5_sequences(cards: str, totals: tuple[int, ...]) -> None:
    order = "2 3 4 5 6 7 8 9 10 J Q K A".split()  # noqa: SIM905 (shorter so)
    in_order = " ".join(sorted(cards.split(), key=order.index))
    assert tuple(total for total in range(2, 13) if in_order in listed(cards, total)) == totals


def test_r4_5_neither_a_set_nor_a_sequence() -> None:
    state = rolled("7D 2S 7S KH 9C QS 7H 3D 4S", "1 2")
    for text in ("capture 3 4", "capture 3 4 7", "capture 2 3 4 9", "capture 3 3 9"):
        with pytest.raises(nf.IllegalMove, match=r"R4\.[15]\)"):
            state.play(0, text)


def test_r4_6_a_nine_may_stand_for_any_rank() -> None:
    assert listed("5 6 9", 5) == ["5 9", "5 6 9"]
    assert listed("5 7 9", 5) == ["5 9", "5 7 9"], "in the middle"
    assert listed("5 6 7 9", 5) == ["5 9", "5 6 7", "5 6 9", "5 7 9"], "also for one that is held"
    assert listed("6 7 9", 6) == ["6 9", "6 7 9"] and listed("7 8 9", 8) == ["8 9", "7 8 9"], "or for itself"
    assert listed("5 5 9 9", 5) == ["5 5", "5 5 9", "5 5 9 9", "5 9 9"], "two of them, with one of the fives"


def test_r4_7_a_nine_never_matches_the_dice() -> None:
    assert listed("6 8 9", 7) == listed("9 9 9", 7) == listed("2 9 9", 3) == []
    state = rolled("6D 8S 9S KH KC KS AH AD AS", "3 4")
    assert state.actors == (nf.CHANCE,)
    busy = rolled("6D 8S 9S 7H 7C KS AH AD AS", "3 4")
    with pytest.raises(nf.IllegalMove, match=r"no card of it is worth 7.*R4\.7"):
        busy.play(0, "capture 6 8 9")


def test_r4_8_the_same_cards_are_one_move() -> None:
    """A 7 with two 9s is a set and a sequence; it is listed once, under the lower number."""
    state = rolled("7D 9S 9H KH QC 2S 3H 4D JS", "3 4")
    assert list(state.moves(0)) == ["capture 7 9", "capture 7 9 9"]
    assert state.moves(0).actions == [5 * 6 + 1, 5 * 6 + 2]
    twin = matching.SEQUENCE + matching.SEQUENCES.index((6, 8, 8))
    with pytest.raises(nf.IllegalMove, match=r"R4\.8"):
        state.play(0, twin)
    state.play(0, "capture 9 7 9")
    assert state.steps[-1] == (0, 32)


def test_r4_8_every_text_is_its_own() -> None:
    for total in range(2, 13):
        found = listed("2 3 4 5 5 6 7 7 8 9 9 9 10 10 J Q K A A", total, boxcars=True, snake_eyes=True)
        assert len(set(found)) == len(found)


def test_r4_9_a_twelve_matches_nothing() -> None:
    assert listed("2 3 4 5 6 7 8 9 9 9 9 10 10 J Q K A A", 12) == []
    state = rolled("6D 6S 9S KH KC KS AH AD AS", HIGH)
    assert state.actors == (nf.CHANCE,) and len(state.chance()) == 34


def test_r4_10_the_ranks_worth_ten_are_sets_of_their_own() -> None:
    assert listed("10 10 J J Q K K", 10) == ["10 10", "J J", "K K", "10 J Q", "J Q K"]
    state = rolled("10D 10S 9S JH JC 2S 3H 4D 5S", "4 6")
    with pytest.raises(nf.IllegalMove, match=r"ranks of their own \(R4\.10\)"):
        state.play(0, "capture 10 10 J J")


# 5: the end


def play_to_the_end(state: nf.State, choose: int = 0) -> list[tuple[int, int]]:
    """Play on with the first card left and dice in turn; (seat, cards left) of every turn begun."""
    dice = [f"{a} {b}" for a in range(1, 7) for b in range(a, 7)]
    turns: list[tuple[int, int]] = []
    number = 0
    while not state.over:
        view = state.view(None)
        if len(turns) < state.turns:
            turns.append((view["roller"], view["counters"][0]["value"]))
        if state.actors[0] >= 0:
            state.play(state.actors[0], state.moves(state.actors[0])[choose])
        elif "roll 1 1" in state.chance():
            chance(state, f"roll {dice[(number := number + 1) % 21]}")
        else:
            chance(state, sorted(state.chance())[number % len(state.chance())])
    return turns


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_r5_1_one_more_turn_for_everybody_after_the_last_card(players: int) -> None:
    state = begin(players)
    chance(state, f"roll {LOW}", f"roll {HIGH}", *[f"roll {LOW}"] * (players - 2))
    for _ in range(9 * players):
        chance(state, next(iter(state.chance())))
    turns = play_to_the_end(state)
    last = [seat for seat, left in turns if left == 0]
    drawer = next(seat for seat, left in reversed(turns) if left > 0)
    assert last == [(drawer + step) % players for step in range(1, players + 1)]
    assert state.turns == len(turns) and state.actors == () and state.chance() == {}
    with pytest.raises(nf.IllegalMove, match="over"):
        state.play(0, "capture 7 9")


def drained(**options: object) -> nf.State:
    """Two players have rolled nothing but twelves, so that all 34 cards were drawn; seat 0 is next."""
    state = dealt("2S 2H 4S 4H 6S 6H 8S 8H QS", "3S 3H 5S 5H 7S 7H 10S JS KS", **options)
    for _ in range(34):
        chance(state, f"roll {HIGH}")
        chance(state, sorted(state.chance())[0])
    return state


def test_r5_2_without_a_match_in_the_last_turns_one_passes() -> None:
    state = drained()
    assert state.view(None)["counters"][0]["value"] == 0 and state.view(None)["counters"][1]["value"] == 2
    assert (state.turns, state.view(None)["roller"]) == (35, 0)
    chance(state, f"roll {HIGH}")
    assert (state.turns, state.view(None)["roller"], state.actors) == (36, 1, (nf.CHANCE,))
    chance(state, "roll 3 6", "roll 4 5", f"roll {HIGH}")
    assert state.over and state.turns == 36, "a 9 is rolled again in the last turn, too"


def test_r5_2_with_a_match_one_takes_it_in_the_last_turns() -> None:
    state = drained()
    chance(state, "roll 1 1")
    assert state.actors == (0,)
    state.play(0, state.moves(0)[0])
    assert state.turns == 36 and len(zone(state, "captured-0")) >= 2


def test_r5_3_the_score() -> None:
    state = drained()
    assert sum(state.scores) == -380, "all 52 cards lie on the tables"
    chance(state, "roll 1 1")
    captured = state.moves(0)[0]
    before = state.scores
    state.play(0, captured)
    gained = sum(int(rank) for rank in captured.removeprefix("capture ").split())
    assert state.scores == [before[0] + 2 * gained, before[1]], "off the table, and into the heap"
    chance(state, f"roll {HIGH}")
    for seat in state.view(None)["seats"]:
        assert seat["score"] == seat["captured"] - seat["on_table"] == state.scores[seat["seat"]]


def test_r5_4_the_highest_score_wins_and_equal_scores_share() -> None:
    seen = set()
    for seed in range(400):
        state = nf.make("finest9", players=2).start(seed=seed)
        Company(state.game, ["random", "random"], seed).play_out(state, 1_000)
        best = [seat for seat, score in enumerate(state.scores) if score == max(state.scores)]
        assert state.winners == best
        seen.add(tuple(best))
        if len(seen) == 3:
            return
    raise AssertionError(f"no tie in 400 matches: {seen}")


# 6: options


def test_r6_1_all_nines() -> None:
    assert listed("7 7 9 9", 7, nines="all") == ["7 7 9 9", "7 9 9"]
    assert listed("7 9", 7, nines="all") == ["7 9"]
    assert listed("7 9 9 9", 7, nines="all") == ["7 9 9 9", "7 9 9"], "the sequence is not bound to it"
    assert listed("7 7", 7, nines="all") == ["7 7"]
    assert listed("5 6 7 9 9", 6, nines="all") == ["6 9 9", "5 6 7", "5 6 9", "6 7 9"]
    state = rolled("7D 7S 9S 9H KC 2S 3H 4D 5S", "3 4", nines="all")
    with pytest.raises(nf.IllegalMove, match=r"every 9 before you \(R6\.1\)"):
        state.play(0, "capture 7 7 9")


def test_r6_2_tens_by_value() -> None:
    assert listed("10 J J K", 10, pairs="value") == ["10 J J K"]
    assert listed("10 9 9", 10, pairs="value") == ["9 10", "9 9 10"]
    assert listed("J Q K", 10, pairs="value") == ["J Q K"], "set and sequence are one move"
    assert listed("J Q 9", 10, pairs="value") == ["J Q", "9 J Q"]
    assert listed("J Q Q K", 10, pairs="value") == ["J Q Q K", "J Q K"]
    assert listed("Q K A A", 10, pairs="value") == ["Q K", "Q K A"]
    assert listed("7 7 J Q", 7, pairs="value") == ["7 7"]
    state = rolled("10D 10S 9S JH JC 2S 3H 4D 5S", "4 6", pairs="value")
    with pytest.raises(nf.IllegalMove, match=r"all of them go \(R6\.2\)"):
        state.play(0, "capture 10 10")


def test_r6_2_with_r6_1() -> None:
    assert listed("10 J 9 9", 10, pairs="value", nines="all") == ["9 9 10 J", "9 9 10", "9 9 J", "9 10 J"]
    assert listed("Q 9 9", 10, pairs="value", nines="all") == ["9 9 Q"]


def test_r6_3_the_low_ace() -> None:
    assert listed("A 2 3", 2, ace="both") == listed("A 2 3", 3, ace="both") == ["2 3 A"]
    assert nf.finest9.matches("A 2 3", 11, ace="both") == [(["2", "3", "A"], 16)]
    assert listed("A 3 9", 3, ace="both") == ["3 9", "3 9 A"]
    assert listed("K A 2", 11, ace="both") == [] and listed("Q K A", 11, ace="both") == ["Q K A"]
    state = rolled("AD 2S 3S KH KC 5S 6H 3D 5D", "1 2")
    with pytest.raises(nf.IllegalMove, match=r"ace is high only.*R4\.5"):
        state.play(0, "capture A 2 3")


def test_r6_4_snake_eyes() -> None:
    assert listed("7 7 K 9 9 4", 2, snake_eyes=True) == ["7 7", "9 9"]
    assert listed("2 2 9", 2, snake_eyes=True) == ["2 2", "2 2 9"]
    assert listed("2 2 9 9", 2, snake_eyes=True, nines="all") == ["2 2", "2 2 9 9", "9 9", "2 9 9"]
    assert listed("A A A Q Q", 2, snake_eyes=True) == ["A A A", "Q Q"]
    assert listed("7 7", 3, snake_eyes=True) == listed("7 7", 2) == []
    assert nf.finest9.matches("9 9 9", 2, snake_eyes=True) == [(["9", "9", "9"], 27)]


def test_r6_5_boxcars() -> None:
    assert listed("5 6 7", 12, boxcars=True) == ["5 6 7"]
    assert listed("9 9 9 9", 12, boxcars=True) == ["9 9 9"]
    assert listed("K 9 9", 12, boxcars=True) == ["9 9 K"]
    assert listed("A 2 3", 12, boxcars=True) == []
    assert listed("A 2 3", 12, boxcars=True, ace="both") == ["2 3 A"]
    assert listed("6 6 J J", 12, boxcars=True) == [], "sets do not match a 12"
    assert listed("5 6 7", 12) == []


def test_r6_6_the_bonus_for_a_clear_table() -> None:
    """It comes at the end and not before. A clear table is rare, so matches are tried until there is one."""
    options = {"snake_eyes": True, "boxcars": True}
    for seed in range(40, 5_000):
        plain = nf.make("finest9", players=2, **options).start(seed=seed)
        Company(plain.game, ["medium", "medium"], seed).play_out(plain, 1_000)
        clear = [not zone(plain, f"table-{seat}") for seat in range(2)]
        if any(clear):
            break
    record = plain.record()
    state = begin(2, clear_bonus=20, **options)
    for who, text in record["moves"]:
        assert all(seat["score"] == seat["captured"] - seat["on_table"] for seat in state.view(None)["seats"])
        state.play(nf.CHANCE if who == "chance" else who, text)
    assert state.scores == [
        score + 20 * is_clear for score, is_clear in zip(plain.scores, clear, strict=True)
    ]
    assert state.winners == [seat for seat in range(2) if state.scores[seat] == max(state.scores)]


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"nines": "some"}, "option nines is choose or all"),
        ({"nines": True}, "option nines is choose or all"),
        ({"pairs": "suit"}, "option pairs is rank or value"),
        ({"ace": "low"}, "option ace is high or both"),
        ({"snake_eyes": "maybe"}, "option snake_eyes is on or off"),
        ({"boxcars": 2}, "option boxcars is on or off"),
        ({"clear_bonus": -1}, "option clear_bonus is a whole number from 0"),
        ({"clear_bonus": 10_000}, "option clear_bonus is a whole number from 0"),
        ({"jokers": 2}, "no option 'jokers'"),
    ],
)
def test_bad_options_are_refused(options: dict[str, Any], sentence: str) -> None:
    with pytest.raises(nf.RuleError, match=sentence):
        nf.make("finest9", **options)
    with pytest.raises(nf.RuleError, match=sentence):
        nf.finest9.matches("7 7", 7, **options)


def test_options_in_words() -> None:
    game = nf.make("finest9", snake_eyes="on", boxcars="off", clear_bonus="20", nines="ALL")
    assert game.options == {
        "nines": "all",
        "pairs": "rank",
        "ace": "high",
        "snake_eyes": True,
        "boxcars": False,
        "clear_bonus": 20,
    }


# Laws over options; the catalogue's tests hold the default game to them


@pytest.mark.parametrize(
    ("players", "options"),
    [
        (2, {"nines": "all", "boxcars": True}),
        (3, {"pairs": "value", "ace": "both"}),
        (5, {"snake_eyes": True, "boxcars": True, "clear_bonus": 20, "ace": "both", "pairs": "value"}),
    ],
)
def test_laws(players: int, options: dict[str, Any]) -> None:
    check(nf.make("finest9", players=players, **options), matches=1, seed=50)


def test_the_fact_sheet_counts_what_there_is() -> None:
    assert FACTS.actions == matching.ACTIONS == 113
    assert len(matching.SEQUENCES) == len(set(matching.SEQUENCES)) == 43


# Texts and bad input


@pytest.mark.parametrize(
    "text",
    [
        "capture 7 9 9",
        "capture 9 7 9",
        "CAPTURE 9 9 7",
        "take 7 9 9",
        "c 7,9,9",
        "7 9 9",
        "799",
        " capture  7 9 9 ",
    ],
)
def test_spellings(text: str) -> None:
    state = rolled("7D 9S 9H KH QC 2S 3H 4D 5S", "3 4")
    state.play(0, text)
    assert state.steps[-1] == (0, 32)


@pytest.mark.parametrize(
    ("seat", "move", "error"),
    [
        (0, "jump", nf.Unreadable),
        (0, "", nf.Unreadable),
        (0, "capture", nf.Unreadable),
        (0, "capture 1X", nf.Unreadable),
        (0, "capture 7 JK", nf.Unreadable),
        (0, "roll 3 4", nf.Unreadable),
        (0, "capture 7 7 7 7 7", nf.Unreadable),
        (0, "capture 7S 7S", nf.Unreadable),
        (0, "capture 7", nf.IllegalMove),
        (0, "capture 2 3", nf.IllegalMove),
        (0, "capture 2 3 4", nf.IllegalMove),
        (0, "capture 9 9", nf.IllegalMove),
        (0, 113, nf.IllegalMove),
        (0, -1, nf.IllegalMove),
        (0, 0, nf.IllegalMove),
        (0, 32.0, nf.IllegalMove),
        (0, True, nf.IllegalMove),
        (0, None, nf.IllegalMove),
        (1, "capture 7 9", nf.NotYourTurn),
        (1, "capture 2 2 5", nf.NotYourTurn),
        (2, "capture 7 9", nf.IllegalMove),
        (nf.CHANCE, "roll 3 4", nf.NotYourTurn),
        (nf.CHANCE, "deal 7S", nf.NotYourTurn),
    ],
)
def test_bad_moves_change_nothing(seat: Any, move: Any, error: type[Exception]) -> None:
    state = rolled("7D 9S 9H KH QC 2S 3H 4D 5S", "3 4")
    before = state.tobytes(), state.steps
    with pytest.raises(error) as caught:
        state.play(seat, move)
    assert (state.tobytes(), state.steps) == before
    assert type(caught.value) is error and len(str(caught.value)) > 10


@pytest.mark.parametrize("outcome", ["roll 0 4", "roll 3", "7 8 9", "deal 7S", "capture 7 9", "", 21, 73, -1])
def test_bad_rolls_change_nothing(outcome: Any) -> None:
    state = dealt(*PLAINEST)
    before = state.tobytes()
    with pytest.raises(nf.IllegalMove):
        state.play(nf.CHANCE, outcome)
    assert state.tobytes() == before


@pytest.mark.parametrize("outcome", ["roll 3 4", "deal 2S", "deal 7", "deal JK", "deal 14H", 0, 25, 73])
def test_bad_deals_change_nothing(outcome: Any) -> None:
    state = dealt(*PLAINEST)
    chance(state, f"roll {HIGH}")
    before = state.tobytes()
    with pytest.raises(nf.IllegalMove):
        state.play(nf.CHANCE, outcome)
    assert state.tobytes() == before


# Views and stories


def test_the_view_offers_every_capture_with_its_cards() -> None:
    state = rolled("7D 2S 7S 6H 9C 8S 7H 9H 9S", "3 4")
    view = state.view(0)
    assert view["prompt"] == "You rolled 3 and 4: 7. Take a match."
    (offer,) = view["offers"]
    row = zone(state, offer["zone"], 0)
    assert [choice["move"] for choice in offer["choices"]] == list(state.moves(0)) == view["moves"]
    for choice in offer["choices"]:
        after = state.copy()
        after.play(0, choice["move"])
        assert sorted(row[at] for at in choice["cards"]) == sorted(zone(after, "captured-0"))
        assert after.view(None)["seats"][0]["captured"] == choice["points"]
        assert choice["label"] == f"{choice['move'].removeprefix('capture ')} for {choice['points']} points"
    other = state.view(1)
    assert other["offers"] == [] and other["prompt"] == "Seat 0 rolled 3 and 4: 7, and takes a match."
    assert json.loads(json.dumps(view)) == view


def test_the_view_never_shows_the_order_of_the_deck() -> None:
    state = dealt(*PLAINEST)
    for view in (state.view(0), state.view(None)):
        (deck,) = [part for part in view["zones"] if part["id"] == "deck"]
        assert deck["count"] == 34 and "cards" not in deck


def told(state: nf.State, *steps: tuple[int, str]) -> list[dict[str, Any]]:
    from ninefold.engine.views import tell

    events: list[dict[str, Any]] = []
    names = ["Ann", "Bob", "Cy"][: state.game.players]

    def watch(before: Any, seat: int, action: int, after: Any) -> None:
        events.extend(tell(state.game, before, seat, action, after, None, names))

    state.watchers.append(watch)
    for seat, text in steps:
        state.play(seat, text)
    state.watchers.clear()
    return events


def test_stories() -> None:
    state = begin(3)
    events = told(state, *[(-1, f"roll {dice}") for dice in ("5 5", "1 2", "4 6", "2 2", "1 1")])
    assert [event["text"] for event in events] == [
        "Ann rolls 5 and 5: 10.",
        "Bob rolls 1 and 2: 3.",
        "Cy rolls 4 and 6: 10.",
        "Ann and Cy tie and roll again.",
        "Ann rolls 2 and 2: 4.",
        "Cy rolls 1 and 1: 2.",
        "Ann goes first.",
    ]
    state = dealt(*PLAINEST)
    events = told(
        state, (-1, "roll 3 6"), (-1, "roll 1 3"), (0, "capture 4 4 4"), (-1, "roll 5 6"), (-1, "deal 9C")
    )
    assert [event["text"] for event in events] == [
        "Ann rolls 3 and 6: 9, and rolls again.",
        "Ann rolls 1 and 3: 4.",
        "Ann captures 4♠ 4♥ 4♦ for 12 points.",
        "Bob rolls 5 and 6: 11. No match.",
        "Bob draws 9♣.",
    ]
    assert (events[2]["from"], events[2]["to"], events[2]["cards"]) == (
        "table-0",
        "captured-0",
        ["4S", "4H", "4D"],
    )
    assert (events[4]["from"], events[4]["to"], events[4]["cards"]) == ("deck", "table-1", ["9C"])


def test_stories_of_the_end() -> None:
    state = drained()
    texts = [event["text"] for event in told(state, (-1, f"roll {HIGH}"), (-1, f"roll {HIGH}"))]
    assert texts[0] == "Ann rolls 6 and 6: 12. No match, and no card to draw: a pass."
    first, second = state.scores
    assert texts[2:4] == [
        f"Ann: 0 captured, {-first} left on the table, makes {first}.",
        f"Bob: 0 captured, {-second} left on the table, makes {second}.",
    ]
    assert texts[4].startswith("The game is over: ") and str(max(state.scores)) in texts[4]


# The judge


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


# Bots


def choice(bot: str, state: nf.State, seed: int = 1) -> str:
    seat = state.actors[0]
    company = Company(state.game, [bot] * state.game.players, seed)
    return state.say(seat, int(company.choose(state, seat)))


def test_random_is_uniform_over_the_moves() -> None:
    state = rolled("5D 6H 7H 9S KH QC 2S 3H AD", "2 4")
    company = Company(state.game, ["random", "random"], 3)
    drawn = [state.say(0, int(company.choose(state, 0))) for _ in range(4_000)]
    assert set(drawn) == set(state.moves(0)) and len(set(drawn)) == 4
    assert all(abs(drawn.count(move) - 1_000) < 5 * 27.4 for move in state.moves(0))


def test_easy_takes_the_most_points_and_any_of_equals() -> None:
    state = rolled("5D 6H 7H 9S KH QC 2S 3H AD", "2 4")
    assert choice("easy", state) == choice("greedy", state) == "capture 6 7 9"
    equal = rolled("10S 10H JS JH KS 2H 3H 5S 6H", "4 6")
    assert {choice("easy", equal, seed) for seed in range(40)} == {"capture 10 10", "capture J J"}


def test_medium_keeps_its_nines_until_the_end() -> None:
    hand = "7D 7S 9S 9H KC 2S 3H 4D 5S"
    assert choice("easy", rolled(hand, "3 4")) == "capture 7 7 9 9"
    assert choice("medium", rolled(hand, "3 4")) == "capture 7 7"
    state = drained()
    chance(state, "roll 1 1")
    best = max(nf.finest9.matches(zone(state, "table-0"), 2), key=lambda capture: capture.points)
    assert choice("medium", state) == "capture " + " ".join(best.ranks)


def test_hard_knows_the_last_turn_and_the_bonus() -> None:
    """In its last turn it takes what ends highest: the most points, or a clear table where that pays more."""
    for bonus in (0, 500):
        for seed in range(200):
            state = nf.make("finest9", players=2, clear_bonus=bonus).start(seed=seed)
            company = Company(state.game, ["medium", "medium"], seed)
            while not state.over:
                seat = state.actors[0]
                if state.view(None)["counters"][-1]["id"] == "turns left" and len(state.moves(seat)) > 1:
                    results = {}
                    for move in state.moves(seat):
                        after = state.copy()
                        after.play(seat, move)
                        row = zone(after, f"table-{seat}")
                        results[move] = after.view(None)["seats"][seat]["score"] + (
                            bonus if not row and not after.over else 0
                        )
                    assert results[choice("hard", state)] == max(results.values())
                company.step(state)


@pytest.mark.parametrize("players", [2, 4])
def test_easy_and_medium_beat_the_level_below(players: int) -> None:
    """With certainty: the margin is many times its interval."""
    for better, worse in (("medium", "easy"), ("easy", "random")):
        result = nf.simulate("finest9", [better, *[worse] * (players - 1)], games=40_000, seed=2)
        assert result.share(0) - 1 / players > 3 * result.margin(0), f"{better}, {worse}: {result.share(0)}"


def test_hard_beats_medium() -> None:
    result = nf.simulate("finest9", ["hard", "medium", "medium", "medium"], games=6_000, seed=2)
    assert result.share(0) - 1 / 4 > result.margin(0), result.share(0)


@pytest.mark.soak
@pytest.mark.parametrize(("players", "games"), [(2, 60_000), (4, 100_000)])
def test_hard_beats_medium_with_certainty(players: int, games: int) -> None:
    result = nf.simulate("finest9", ["hard", *["medium"] * (players - 1)], games=games, seed=2)
    assert result.share(0) - 1 / players > 2.5 * result.margin(0), result.share(0)


HARD_MATCH = """
import ninefold as nf
from ninefold.engine.players import Company
state = nf.make("finest9", players=2, boxcars=True).start(seed=3)
Company(state.game, ["hard", "hard"], 3).play_out(state, 15)
print([step for step in state.steps if step[0] >= 0], state.scores)
"""


def test_hard_thinks_alike_in_every_mode() -> None:
    """Playing on in its head, it must not touch the match; interpreted, records are passed otherwise."""
    command = [sys.executable, "-W", "error", "-c", HARD_MATCH]
    answers = {
        subprocess.run(command, env={**os.environ, **mode}, capture_output=True, text=True, check=True).stdout
        for mode in ({}, {"NUMBA_DISABLE_JIT": "1"})
    }
    assert len(answers) == 1 and answers.pop().count("(") >= 4


def test_a_simulation_counts() -> None:
    result = nf.simulate("finest9", ["medium", "easy", "random"], games=2_000, seed=1)
    assert result.unfinished == 0 and sum(result.wins) == pytest.approx(2_000)
    left = result.tallies["cards left on the tables"]
    assert 0 <= left.lowest < left.mean < left.highest <= 52
    assert result.tallies["nines left on the tables"].highest <= 4
    assert 1 / 3 < result.tallies["wins of whoever went first"].mean < 0.5
    assert result.length.turns.lowest >= 25 + 3, "25 draws, and a last turn each"
