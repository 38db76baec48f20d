"""Baseball's moves and cards as text, and input that is neither."""

from __future__ import annotations

from typing import Any

import pytest

import ninefold as nf
from ninefold.game.baseball import fields
from ninefold.game.baseball.notation import PLACE_NAMES as PLACES
from support.baseball import begin, go, hand, table


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
    assert state.admit(0, "turn up r2c3") == fields.TURN_UP + fields.SECOND
    assert state.admit(0, "turn up r1c1") == fields.TURN_UP + fields.FIRST
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
    with pytest.raises(nf.Unreadable, match="type what to do there"):
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
        state.chance(), key=lambda text: state.game.package.notation.parse_move(state.position, -1, text)
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
    s = game.new_position()
    texts = [game.package.notation.format_move(s, 0, action) for action in range(game.facts.actions)]
    expected = [f"look {place}" for place in PLACES] + [
        f"turn up {word}" for word in ("none", "first", "second", "both")
    ]
    expected += [f"flip {place}" for place in PLACES] + [f"take {place}" for place in PLACES]
    assert texts == [*expected, "draw", "discard", *(f"put {place}" for place in PLACES)]
