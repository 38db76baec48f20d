"""Multiple 9 Hold'em: moves as text, what a seat sees and is told, laws and lessons."""

from __future__ import annotations

from typing import Any

import pytest

import ninefold as nf
from ninefold.testkit import check
from support.holdem9 import STRONG, act, begin, chance, dealt, zone
from support.stories import listen, texts


@pytest.mark.parametrize(
    "text",
    ["", "bet", "raise to", "raise to ten", "raise to 20.5", "raise to -20", "jump", "bet 0", "raise to 1e3"],
)
def test_unreadable_moves(text: str) -> None:
    state = dealt("", "")
    before = state.tobytes()
    with pytest.raises(nf.Unreadable):
        state.play(0, text)
    assert state.tobytes() == before


@pytest.mark.parametrize("move", [-1, 10_000_005, 2.0, True, None])
def test_ids_that_are_none(move: Any) -> None:
    state = dealt("", "")
    with pytest.raises(nf.IllegalMove):
        state.play(0, move)


def test_cards_are_seen_by_their_owner_only() -> None:
    state = dealt("KH KD", STRONG, "8H 7D")
    for viewer in (None, 0, 1, 2):
        for owner in range(3):
            seen = zone(state, f"hand-{owner}", viewer)
            assert (None not in seen) == (viewer == owner) and len(seen) == 2


def test_the_story_of_a_hand() -> None:
    state = begin(2, stack=100)
    heard = {viewer: listen(state, viewer) for viewer in (None, 0, 1)}
    chance(state, "KH 8H KD 7D")
    act(state, "raise to 100", "call")
    chance(state, "JS 7H 9D 2C 10C")
    told = {viewer: texts([e for e in events if not e.quiet]) for viewer, events in heard.items()}
    assert told[None] == [
        "Hand 1: Player 1 is dealer.",
        "Player 1 pays the small blind, 5.",
        "Player 2 pays the big blind, 10.",
        "Player 1 raises to 100 and is all-in.",
        "Player 2 calls 90 and is all-in.",
        "Player 2 shows K♦ K♥.",
        "Player 1 shows 8♥ 7♦.",
        "The flop is J♠ 7♥ 9♦.",
        "The turn is 2♣.",
        "The river is 10♣.",
        "Player 2 wins 200 with 7 nines (K+K+10, J+7, 9), unused 2.",
        "Player 1 has no chips left.",
        "Player 1 has 0 chips: lost 100.",
        "Player 2 has 200 chips: won 100.",
        "Player 2 wins with 100 chips gained, 200 more than Player 1.",
    ]
    assert [line for line in told[0] if line not in told[None]] == ["Player 1 holds 8♥ 7♦."]
    assert [line for line in told[1] if line not in told[None]] == ["Player 2 holds K♦ K♥."]


def test_presets_are_numbers() -> None:
    """Half the pot, the pot and all one has are data of the bet, not moves whose labels must be read."""
    state = dealt("", "", "", stack=200)
    act(state, "raise to 40")
    offer = state.view(1)["offers"][-1]
    assert (offer["verb"], offer["low"], offer["high"]) == ("raise to", 70, 200)
    assert [(preset["value"], preset["label"]) for preset in offer["presets"]] == [
        (85, "½ pot"),
        (130, "Pot"),
        (200, "All-in"),
    ]


@pytest.mark.parametrize(
    "options",
    [
        {"players": 2, "stack": 60},
        {"players": 3, "stack": "20/50/100", "hands": 4, "breaks": True, "ante": 2},
        {"players": 5, "stack": 80, "hands": 2, "betting": "fixed_limit", "show_folded": True},
        {"players": 4, "stack": 60, "hands": 3, "betting": "pot_limit", "rise": 1},
    ],
    ids=str,
)
def test_laws(options: dict[str, Any]) -> None:
    check(nf.make("holdem9", **options), matches=1)
