"""The notation of Doubles: moves to text and back, and why a move is refused."""

from __future__ import annotations

from typing import Any

from ninefold.game.doubles import rules
from ninefold.kernel import dice
from ninefold.kernel.errors import Unreadable
from ninefold.kernel.fields import CHANCE
from ninefold.model.text import Text, message

MOVES = ("stay", "cash out")
SPELLINGS = {
    **dict.fromkeys(("stay", "s", "stay in", "wait"), rules.STAY),
    **dict.fromkeys(("cash out", "c", "cash", "cash-out", "cashout", "out"), rules.CASH_OUT),
}
REFUSALS = {
    401: "decisions come between rolls, and the dice have not been rolled yet",
    403: "{player} has chosen stay, and can only change that to cash out before everyone has decided",
    404: "{player} has chosen to cash out, and that is final",
    405: "{player} is out of this round and comes back in the next one",
    502: "the game is over",
}


def format_move(s: Any, seat: int, action: int) -> str:
    """The text of a move, or of an outcome of chance."""
    if seat != CHANCE:
        return MOVES[action]
    if action < dice.OUTCOMES:
        return dice.roll_text(action)
    return "end" if action == rules.END else "go on"


def parse_move(s: Any, seat: int, text: str) -> int:
    """The move or outcome that a text names, legal or not."""
    words = " ".join(text.lower().split())
    if seat != CHANCE:
        if words in SPELLINGS:
            return SPELLINGS[words]
        raise Unreadable(f"{text!r} is not a move of Doubles: type stay or cash out")
    if words in ("end", "go on"):
        return rules.END if words == "end" else rules.GO_ON
    faces = dice.read_dice(words.removeprefix("roll"))
    if faces is None:
        raise Unreadable(f"{text!r} is not a roll: type two dice from 1 to 6, such as roll 3 4")
    return dice.ROLLS.index(faces)


def explain_refusal(s: Any, seat: int, action: int, rule: int) -> Text:
    """The sentence for a refused move."""
    if seat == CHANCE:
        return "chance now decides between end and go on" if s.closing else "the dice are rolled now"
    return message(REFUSALS[rule], {"player": seat})
