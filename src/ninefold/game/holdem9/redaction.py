"""Removes secrets: cards that were dealt and never shown leave the record when a hand is over.

It also says which cards come from one deck, so that their fairness can be proved without showing the others.
"""

from __future__ import annotations

from typing import Any

from ninefold.game.holdem9.fields import FACE_DOWN, HOLE, SHOW, board_cards, dealt_in, hand_ended
from ninefold.kernel.cards import STANDARD
from ninefold.kernel.fields import CHANCE

CARDS, UNSEEN = STANDARD.size, FACE_DOWN  # outcomes below CARDS are cards of one deck


def deck(s: Any) -> int:
    """1 if the next card is the first of a fresh deck, 0 if not, -1 if it has been dealt already."""
    if s.phase == SHOW:
        return -1
    return int(s.phase == HOLE and s.dealt == 0)


def redact(before: Any, after: Any, steps: Any) -> None:
    """When a hand is over, replace cards that were dealt but not shown by unseen cards (R4.6)."""
    if hand_ended(before, after):
        _hide(dealt_in(before), 2 * len(dealt_in(before)), int(after.shown), board_cards(after), steps)


def redact_unfinished(s: Any, steps: Any) -> None:
    """The same for a hand that was not played to its end."""
    if s.seated:
        _hide(
            dealt_in(s),
            int(s.dealt),
            int(s.shown) if s.dealt else 0,
            board_cards(s) if s.dealt else [],
            steps,
        )


def _hide(seats: list[int], left: int, shown: int, board: list[int], steps: Any) -> None:
    order = 2 * seats
    for place in range(len(steps) - 1, -1, -1):
        if left == 0:
            return
        seat, action = steps[place]
        if seat != CHANCE:
            continue
        if board:  # cards turned up at the showdown come after it
            if action == board[-1]:
                board.pop()
            continue
        left -= 1
        if not shown >> order[left] & 1:
            steps[place] = (CHANCE, UNSEEN)
