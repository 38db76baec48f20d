"""Matches of Multiple 9 with chosen hands, for its tests."""

from __future__ import annotations

from typing import Any

import pytest

import ninefold as nf
from ninefold.game import nines

DULL = ("K 7 2 J Q", "K 7 2 J 10", "K 7 2 J 4")  # hands in which there is little to put down


def begin(players: int = 2, **options: object) -> nf.State:
    return nf.make("multiple9", players=players, **options).start(manual=True)


def chance(state: nf.State, *ranks: str) -> None:
    for rank in ranks:
        state.play(nf.CHANCE, f"deal {rank}")


def dealt(*hands: str, **options: object) -> nf.State:
    """A match in which the seats have these five cards each."""
    state = begin(len(hands), **options)
    for cards in zip(*(hand.split() for hand in hands), strict=True):
        chance(state, *cards)
    return state


def zone(state: nf.State, name: str, seat: int | None = None) -> dict[str, Any]:
    found: dict[str, Any] = next(part for part in state.view(seat)["zones"] if part["id"] == name)
    return found


def hand(state: nf.State, seat: int) -> str:
    return " ".join(card["card"] for card in zone(state, f"hand-{seat}", seat)["cards"])


def discards(state: nf.State) -> str:
    """Everything put down: on the pile, or still before its player."""
    zones = [part for part in state.view(None)["zones"] if part["id"].startswith(("discards", "laid"))]
    cards = [card["card"] for part in zones for card in part["cards"]]
    return " ".join(sorted(cards, key="A23456789 10 J Q K".find, reverse=True))


def sizes(state: nf.State) -> list[int]:
    return [seat.stats[0].value for seat in state.picture(None).seats]


def refused(state: nf.State, seat: int, move: str | int, match: str, kind: type = nf.IllegalMove) -> None:
    before = state.tobytes()
    with pytest.raises(kind, match=match):
        state.play(seat, move)
    assert state.tobytes() == before


def without_stock(*hands: str, **options: object) -> nf.State:
    """A match in which everyone has drawn and nobody put anything down, until no card was left."""
    state = dealt(*hands, **options)
    while zone(state, "stock")["count"]:
        seat = state.actors[0]
        if seat >= 0:
            state.play(seat, "wait" if "wait" in state.moves(seat) else "done")
        else:
            state.play(nf.CHANCE, next(iter(state.chance())))
    state.play(state.actors[0], "done")
    return state


def nine_texts() -> list[str]:
    return [f"lay {text}" for text, nine in zip(nines.TEXTS, nines.NINES, strict=True) if nine == 1]
