"""Matches of Doubles with dice of one's own choosing, for its tests."""

from __future__ import annotations

import ninefold as nf


def begin(players: int = 2, rounds: int | str = 10) -> nf.State:
    return nf.make("doubles", players=players, rounds=rounds).start(manual=True)


def roll(state: nf.State, dice: str) -> None:
    state.play(nf.CHANCE, f"roll {dice}")


def all_stay(state: nf.State, *cashing: int) -> None:
    """Everyone who is asked stays, but for those named, who cash out."""
    for seat in state.actors:
        state.play(seat, "cash out" if seat in cashing else "stay")


def roller(state: nf.State) -> int:
    return next(seat.seat for seat in state.picture(None).seats if "roller" in seat.marks)


def counter(state: nf.State, name: str) -> int:
    value = next(part["value"] for part in state.view(None)["counters"] if part["id"] == name)
    assert isinstance(value, int)
    return value


def rolls(state: nf.State, *dice: str) -> None:
    for number, faces in enumerate(dice):
        roll(state, faces)
        if number < len(dice) - 1:
            all_stay(state)
