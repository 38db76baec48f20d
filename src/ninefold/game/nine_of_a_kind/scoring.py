"""Scoring of 9 of a Kind: what everyone holds at the end of a round, and who earns it (R5 and R6)."""

from __future__ import annotations

from typing import Any

from ninefold.game.nine_of_a_kind.hands import best_collection, hand_word, longest
from ninefold.game.nine_of_a_kind.parcels import SIDE
from ninefold.kernel import seats
from ninefold.kernel.compile import kernel, noinline

LEAST_FOR_CHICKEN = 7  # R6.2


@kernel
def clear_results(s: Any) -> None:
    for seat in range(SIDE):
        s.held[seat] = 0
        s.named[seat] = -1
        s.gained[seat] = 0
        for word in range(2):
            s.laid_open[seat, word] = 0


@noinline
def count_held(s: Any) -> int:
    """Let everyone who is in name a suit or rank; the points held are those of all other cards."""
    clear_results(s)
    total = 0
    for seat in range(s.players):
        if seats.has(s.inside, seat):
            collection, points = best_collection(s, seat)
            s.named[seat] = collection
            s.held[seat] = points
            for word in range(2):
                s.laid_open[seat, word] = hand_word(s, seat, word)  # R5.6
            total += points
    return total


@kernel
def gain(s: Any, seat: int, points: int) -> None:
    s.gained[seat] = points
    s.scores[seat] += points


@noinline
def pay_winners(s: Any, blocked: bool) -> None:
    """Give the points that all others hold to those who share the win."""
    count_held(s)
    total = 0
    for seat in range(s.players):
        if seats.has(s.sharing, seat):
            s.held[seat] = 0
            if blocked:
                s.named[seat] = -1
        elif not seats.has(s.inside, seat):
            s.held[seat] = s.owed[seat]  # R5.4
        total += s.held[seat]
    for seat in range(s.players):
        if seats.has(s.sharing, seat):
            gain(s, seat, total)  # R5.2, R5.3


@noinline
def pay_chicken(s: Any, caller: int) -> None:
    """Give half of all points held to the caller, or to those others who hold the fewest."""
    prize = (count_held(s) + 1) // 2  # R6.1
    least = -1
    for seat in range(s.players):
        rival = seat != caller and seats.has(s.inside, seat)
        if rival and (least < 0 or s.held[seat] < least):
            least = s.held[seat]
    if longest(s, caller) >= LEAST_FOR_CHICKEN and s.held[caller] <= least:
        gain(s, caller, prize)  # R6.2
        return
    for seat in range(s.players):
        if seat != caller and seats.has(s.inside, seat) and s.held[seat] == least:
            gain(s, seat, prize)  # R6.3
