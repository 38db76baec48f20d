"""Doubles as a seat sees it: the dice, the total, who is still in, and what the seat may do."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from ninefold.game.doubles import rules
from ninefold.game.doubles.notation import MOVES
from ninefold.kernel import dice
from ninefold.kernel.bits import has
from ninefold.kernel.fields import CHANCE, EVERYONE, NOBODY
from ninefold.model.contract import Moves
from ninefold.model.text import Text, message
from ninefold.model.view import (
    Button,
    Counter,
    Number,
    Offer,
    Order,
    Scene,
    SeatView,
    Status,
    Worth,
    Zone,
    legend,
    numbered,
)

GOAL = "Highest score wins."
LEGEND = legend("7=+75", "doubles=× 2", "opening doubles=× 100", "4th seven=all is lost")
LAST_CHANCE = "loses {total}"  # what a seven does instead, once three have been rolled
TOTAL = Number("cash at", "Total", 1, rules.CEILING)
ORDERS = [
    Order("third seven", "Stay until the third seven", "stay", "sevens", rules.LAST_SEVEN - 1),
    Order("cash at", "Cash out at a total of", "stay", "total", None, "cash out", TOTAL),
    Order("whole round", "Stay to the end of the round", "stay", "sevens", rules.LAST_SEVEN),
]


def progress(s: Any) -> Counter:
    """`Round 3 of 10`, or `Round 3` if the last one is hidden."""
    last = s.rounds_high if s.rounds_low == s.rounds_high else None
    return numbered("Round", s.round_number, last, s.actor == NOBODY)


def view(s: Any, seat: int | None) -> Scene:
    """The table as a seat sees it."""
    rolled = list(dice.ROLLS[s.last_roll]) if s.last_roll >= 0 else []
    return Scene(
        phase=progress(s).label,
        prompt=_prompt(s, seat),
        zones=[Zone("dice", "dice", "Last roll", None, dice=rolled)],
        counters=[
            Counter("total", "Total", s.total),
            Counter("sevens", "Sevens", s.sevens, rules.LAST_SEVEN),
            Counter("rolls", "Rolls this round", s.rolls),
        ],
        seats=list(
            _seats(s.players, tuple(s.scores), tuple(s.inside), tuple(s.undecided), s.actor, s.roller)
        ),
        goal=GOAL,
        legend=_legend(s),
        progress=progress(s),
    )


def _legend(s: Any) -> list[Worth]:
    """What a roll does now: after three sevens, the next one costs the total."""
    if s.sevens < rules.LAST_SEVEN - 1 or s.actor == NOBODY:
        return LEGEND
    return [Worth("7", message(LAST_CHANCE, total=s.total)), *LEGEND[1:-1]]


@lru_cache(maxsize=256)
def _seats(
    players: int,
    scores: tuple[int, ...],
    inside: tuple[int, ...],
    undecided: tuple[int, ...],
    actor: int,
    roller: int,
) -> list[SeatView]:
    """The seats, made once for all who look: at a table of a hundred, a hundred people see as many seats."""
    return [
        _seat(
            seat,
            scores[seat],
            _status(has(inside, seat), actor == EVERYONE and not has(undecided, seat)),
            roller == seat and actor != NOBODY,
        )
        for seat in range(players)
    ]


def _status(is_in: bool, decided: bool) -> Status:
    if not is_in:
        return "out"
    return "decided" if decided else "in"


@lru_cache(maxsize=4096)
def _seat(seat: int, score: int, status: Status, rolls: bool) -> SeatView:
    return SeatView(seat, score, status, marks=["roller"] if rolls else [])


def _prompt(s: Any, seat: int | None) -> Text:
    if s.actor == NOBODY:
        return "The game is over."
    danger = s.sevens == rules.LAST_SEVEN - 1 and not s.closing
    cost = " One more seven and the {total} is gone." if danger else ""
    if s.actor == CHANCE:
        mine = seat == s.roller and not s.closing
        text = "Was that the last round?" if s.closing else "Your roll." if mine else "{who} rolls."
        return message(text + cost, {} if mine else {"who": s.roller}, total=s.total)
    if seat is None or not has(s.inside, seat):
        return message("Players still in decide: stay or cash out." + cost, total=s.total)
    if has(s.cashing, seat):
        return message("You cash out {total} as soon as everyone has decided.", total=s.total)
    if not has(s.undecided, seat):
        return "You stay, unless you change your mind before everyone has decided."
    return message("Stay, or cash out {total}?" + cost, total=s.total)


def offers(s: Any, seat: int, moves: Moves) -> list[Offer]:
    """The legal moves as buttons."""
    odds = "one roll in six is a seven" if s.sevens == rules.LAST_SEVEN - 1 else ""
    cash = message("Cash out {total}", total=s.total)
    labels = {
        rules.STAY: Button(MOVES[rules.STAY], "Stay", "s", odds),
        rules.CASH_OUT: Button(MOVES[rules.CASH_OUT], cash, "c", final=True),
    }
    return [labels[action] for action in moves.actions]


def orders(s: Any, seat: int) -> list[Order]:
    """Standing orders: nobody wants to press `stay` two hundred times a game."""
    return ORDERS
