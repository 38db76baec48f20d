"""Doubles as a seat sees it: the dice, the total, who is still in, and what the seat may do."""

from __future__ import annotations

from typing import Any

from ninefold.game.doubles import rules
from ninefold.game.doubles.notation import MOVES
from ninefold.kernel import dice
from ninefold.kernel.bits import has
from ninefold.kernel.fields import CHANCE, EVERYONE, NOBODY
from ninefold.model.contract import Moves
from ninefold.model.text import Message, Text, message
from ninefold.model.view import Button, Counter, Number, Offer, Order, Scene, SeatView, Zone


def round_name(s: Any) -> Message:
    """`Round 3 of 10`, or `Round 3` if the last one is hidden."""
    if s.rounds_low != s.rounds_high:
        return message("Round {number}", number=s.round_number)
    return message("Round {number} of {rounds}", number=s.round_number, rounds=s.rounds_high)


def view(s: Any, seat: int | None) -> Scene:
    """The table as a seat sees it."""
    rolled = list(dice.ROLLS[s.last_roll]) if s.last_roll >= 0 else []
    return Scene(
        phase=round_name(s),
        prompt=_prompt(s, seat),
        zones=[Zone("dice", "dice", "Last roll", None, dice=rolled)],
        counters=[
            Counter("total", "Total", s.total),
            Counter("sevens", "Sevens", s.sevens, rules.LAST_SEVEN),
            Counter("rolls", "Rolls this round", s.rolls),
        ],
        seats=[_seat(s, other) for other in range(s.players)],
    )


def _seat(s: Any, seat: int) -> SeatView:
    rolls = s.roller == seat and s.actor != NOBODY
    found = SeatView(seat, s.scores[seat], "out", "out", marks=["roller"] if rolls else [])
    if has(s.inside, seat):
        decided = s.actor == EVERYONE and not has(s.undecided, seat)
        found.status = found.status_text = "decided" if decided else "in"
    return found


def _prompt(s: Any, seat: int | None) -> Text:
    if s.actor == NOBODY:
        return "The game is over."
    if s.actor == CHANCE:
        return "Was that the last round?" if s.closing else message("{who} rolls.", {"who": s.roller})
    if seat is None or not has(s.inside, seat):
        return "Players still in decide: stay or cash out."
    if has(s.cashing, seat):
        return message("You cash out {total} as soon as everyone has decided.", total=s.total)
    if not has(s.undecided, seat):
        return "You stay, unless you change your mind before everyone has decided."
    danger = " The next seven ends the round." if s.sevens == rules.LAST_SEVEN - 1 else ""
    return message(f"Stay, or cash out {{total}}?{danger}", total=s.total)


def offers(s: Any, seat: int, moves: Moves) -> list[Offer]:
    """The legal moves as buttons."""
    labels = {
        rules.STAY: Button(MOVES[rules.STAY], "Stay", "s"),
        rules.CASH_OUT: Button(MOVES[rules.CASH_OUT], message("Cash out {total}", total=s.total), "c"),
    }
    return [labels[action] for action in moves.actions]


def orders(s: Any, seat: int) -> list[Order]:
    """Standing orders: nobody wants to press `stay` two hundred times a game."""
    total = Number("cash at", "Total", 1, rules.CEILING)
    return [
        Order("third seven", "Stay until the third seven", "stay", "sevens", rules.LAST_SEVEN - 1),
        Order("cash at", "Cash out at a total of", "stay", "total", None, "cash out", total),
        Order("whole round", "Stay to the end of the round", "stay", "sevens", rules.LAST_SEVEN),
    ]
