"""Matches of Baseball by script, and what lies on their tables, for its tests."""

from __future__ import annotations

from typing import Any

import pytest

import ninefold as nf
from ninefold.engine.views import masked
from ninefold.game.baseball.notation import PLACE_NAMES as PLACES
from ninefold.kernel import shoe

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
    for card in zone(state, f"hand-{seat}", viewer)["cards"]:
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


def unseen(state: nf.State, viewer: int) -> list[int]:
    """The cards that a viewer has not seen of the original shoe, but for jokers."""
    words = masked(state.game, state.position, viewer).unseen
    return [card for word in words for card in range(shoe.JOKER) if word >> card & 1]


def refused(state: nf.State, seat: int, move: str | int, rule: str) -> None:
    """The move is refused with a sentence that cites the rule, and nothing has changed."""
    before = state.tobytes(), state.steps
    with pytest.raises(nf.IllegalMove) as caught:
        state.play(seat, move)
    assert (state.tobytes(), state.steps) == before
    assert caught.value.rule == rule and f"({rule})" in str(caught.value)


def weights(state: nf.State) -> dict[str, int]:
    outcomes, numbers = state.outcomes()
    texts = [state.format(nf.CHANCE, card).split()[1] for card in outcomes]
    return dict(zip(texts, numbers, strict=True))


def short_shoe() -> nf.State:
    """Five players and one deck: eight cards in the shoe, all drawn and discarded; seat 3 to move."""
    state = begin(5, "KC", decks=1)
    for seat in range(5):
        go(state, f"look r1c1={'A23456789'[seat]}S, look r1c2={'A23456789'[seat]}H, turn up none")
    assert zone(state, "shoe")["count"] == 8
    for card in cards("JS JH JD JC QS QH QD QC"):
        go(state, f"draw={card}, discard")
    return state
