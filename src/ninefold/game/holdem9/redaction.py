"""Removes secrets: cards that were dealt and never shown leave the record when a hand is over."""

from __future__ import annotations

from typing import Any

from ninefold.game.holdem9.record import FACE_DOWN, board_cards, dealt_in, hand_ended
from ninefold.kernel.fields import CHANCE


def redact(before: Any, after: Any, steps: Any) -> None:
    """When a hand is over, replace cards that were dealt but not shown by unseen cards (R4.6)."""
    if not hand_ended(before, after):
        return
    order = 2 * dealt_in(before)
    board = board_cards(after)
    left = len(order)
    for place in range(len(steps) - 1, -1, -1):
        seat, action = steps[place]
        if seat != CHANCE:
            continue
        if board:  # cards turned up at the showdown come after it
            if action == board[-1]:
                board.pop()
            continue
        left -= 1
        if not int(after.shown) >> order[left] & 1:
            steps[place] = (CHANCE, FACE_DOWN)
        if left == 0:
            return
