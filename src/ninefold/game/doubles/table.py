"""Doubles as people see it: texts of moves, the view of a seat, and what has just happened in words.

Handed only records from which everything a viewer may not know has been blanked.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ninefold.game.doubles import rules
from ninefold.kernel import dice, model, seats
from ninefold.kernel.errors import Unreadable
from ninefold.kernel.fields import CHANCE, EVERYONE, NOBODY

MOVES = ("stay", "cash out")
SPELLINGS = {
    **dict.fromkeys(("stay", "s", "stay in", "wait"), rules.STAY),
    **dict.fromkeys(("cash out", "c", "cash", "cash-out", "cashout", "out"), rules.CASH_OUT),
}
ORDINALS = ("no", "first", "second", "third", "fourth")

WHY = {
    401: "decisions come between rolls, and the dice have not been rolled yet",
    403: "seat {seat} has said stay; until all have decided it may only change that to cash out",
    404: "seat {seat} has said cash out, and that is final",
    405: "seat {seat} is out of this round and comes back in the next one",
    502: "the game is over",
}


def say(s: Any, seat: int, action: int) -> str:
    """The text of a move, or of an outcome of chance."""
    if seat != CHANCE:
        return MOVES[action]
    if action < dice.OUTCOMES:
        return dice.roll_text(action)
    return "end" if action == rules.END else "go on"


def read(s: Any, seat: int, text: str) -> int:
    """The move or outcome that a text names, legal or not."""
    words = " ".join(text.lower().split())
    if seat != CHANCE:
        if words in SPELLINGS:
            return SPELLINGS[words]
        raise Unreadable(f"{text!r} is not a move of Doubles: say stay or cash out")
    if words in ("end", "go on"):
        return rules.END if words == "end" else rules.GO_ON
    faces = dice.read_dice(words.removeprefix("roll"))
    if faces is None:
        raise Unreadable(f"{text!r} is not a roll: say two dice from 1 to 6, such as roll 3 4")
    return dice.ROLLS.index(faces)


def why(s: Any, seat: int, action: int, rule: int) -> str:
    """The sentence for a refused move."""
    if seat == CHANCE:
        return "the dice are rolled now" if not s.closing else "chance says end or go on now"
    return WHY[rule].format(seat=seat)


def sound(s: Any) -> list[str]:
    """What must always hold; the testkit asks after every move."""
    everyone = range(int(s.players))
    checks = {
        "a total below nothing": s.total < 0,
        "more than four sevens": not 0 <= s.sevens <= rules.LAST_SEVEN,
        "somebody undecided who is out": any(
            seats.has(s.undecided, seat) and not seats.has(s.inside, seat) for seat in everyone
        ),
        "somebody undecided yet cashing out": any(
            seats.has(s.undecided, seat) and seats.has(s.cashing, seat) for seat in everyone
        ),
        "a sealed decision after all were opened": s.actor != EVERYONE and bool(s.cashing.any()),
        "more rounds than agreed": s.round_number > s.rounds_high,
        "a score above the ceiling": bool((s.scores > rules.CEILING).any()),
    }
    return [fault for fault, present in checks.items() if present]


def round_name(s: Any) -> str:
    """`Round 3 of 10`, or `Round 3` where the last one is hidden."""
    hidden = s.rounds_low != s.rounds_high
    return f"Round {s.round_number}" + ("" if hidden else f" of {s.rounds_high}")


def view(s: Any, seat: int | None) -> model.View:
    """The parts of the table model that are Doubles' own."""
    rolled = [dice.ROLLS[int(s.last_roll)]] if s.last_roll >= 0 else []
    return {
        "phase": round_name(s),
        "prompt": _prompt(s, seat),
        "zones": [model.zone("dice", "dice", "Last roll", dice=[face for roll in rolled for face in roll])],
        "counters": [
            model.counter("total", "Total", int(s.total)),
            model.counter("sevens", "Sevens", int(s.sevens), rules.LAST_SEVEN),
            model.counter("rolls", "Rolls this round", int(s.rolls)),
        ],
        "seats": [_seat(s, other) for other in range(int(s.players))],
        "roller": int(s.roller) if s.actor != NOBODY else None,
    }


def _seat(s: Any, seat: int) -> model.Part:
    inside = bool(seats.has(s.inside, seat))
    decided = inside and s.actor == EVERYONE and not seats.has(s.undecided, seat)
    return {
        "seat": seat,
        "score": int(s.scores[seat]),
        "status": "decided" if decided else "in" if inside else "out",
    }


def _prompt(s: Any, seat: int | None) -> str:
    if s.actor == NOBODY:
        return "The game is over."
    if s.actor == CHANCE:
        return "Was that the last round?" if s.closing else "The dice are rolled."
    if seat is None or not seats.has(s.inside, seat):
        return "Those still in decide: stay or cash out."
    if seats.has(s.cashing, seat):
        return f"You cash out {s.total:,} as soon as everybody has decided."
    if not seats.has(s.undecided, seat):
        return "You stay, unless you change your mind before everybody has decided."
    danger = " The next seven ends the round." if s.sevens == rules.LAST_SEVEN - 1 else ""
    return f"Stay, or cash out {s.total:,}?{danger}"


def offers(s: Any, seat: int, moves: Any) -> list[model.Part]:
    """The legal moves as buttons."""
    labels = {rules.STAY: ("Stay", "s"), rules.CASH_OUT: (f"Cash out {s.total:,}", "c")}
    return [model.button(MOVES[action], *labels[action]) for action in moves.actions]


def orders(s: Any, seat: int) -> list[model.Part]:
    """Nobody wants to say `stay` two hundred times a game."""
    return [
        model.order("third seven", "Stay until the third seven", "stay", ("sevens", rules.LAST_SEVEN - 1)),
        model.order(
            "cash at",
            "Cash out at a total of",
            "stay",
            ("total", None),
            "cash out",
            model.number("cash at", "Total", 1, rules.CEILING),
        ),
        model.order("whole round", "Stay to the end of the round", "stay", ("sevens", rules.LAST_SEVEN)),
    ]


def tell(
    before: Any, seat: int, action: int, after: Any, viewer: int | None, names: Sequence[str]
) -> list[model.Event]:
    """What a viewer is told of one step."""
    if seat == CHANCE:
        return _tell_chance(before, action, after, names)
    if after.actor == EVERYONE:
        if seat == viewer:
            return [model.event("decided", f"{names[seat]}: {MOVES[action]}.", seat)]
        if not seats.has(before.undecided, seat):
            return []  # a change of mind can only be to cash out, and that is sealed (R4.2)
        return [model.event("decided", f"{names[seat]} has decided.", seat)]
    return _tell_settled(before, after, names)


def _tell_chance(before: Any, action: int, after: Any, names: Sequence[str]) -> list[model.Event]:
    if action == rules.END:
        return [model.event("end", f"That was the last round: {_result(after, names)}")]
    if action == rules.GO_ON:
        return [model.event("round", f"The game goes on. {round_name(after)} begins.")]
    one, other = dice.ROLLS[action]
    rolled = f"{names[before.roller]} rolls {one} and {other}"
    sevens = int(before.sevens) + (one + other == 7)
    lost = sevens == rules.LAST_SEVEN
    if lost:
        still_in = [names[seat] for seat in range(int(before.players)) if seats.has(before.inside, seat)]
        text = f"{rolled}: the fourth seven! The round is over; nothing for {model.listing(still_in)}."
    elif one == other:
        text = f"{rolled}: DOUBLES! The total is {after.total:,}."
    elif one + other == 7:
        text = f"{rolled}: the {ORDINALS[sevens]} seven. The total is {after.total:,}."
    else:
        text = f"{rolled}. The total is {after.total:,}."
    told = [model.event("roll", text, int(before.roller), dice=[one, other], to="dice")]
    return told + (_tell_next(after, names) if lost else [])


def _tell_settled(before: Any, after: Any, names: Sequence[str]) -> list[model.Event]:
    """All sealed decisions are opened at once; who cashed is seen from the scores and the seats."""
    rounds_on = after.round_number != before.round_number or after.actor == NOBODY or after.closing
    told = []
    for seat in range(int(before.players)):
        was_in = seats.has(before.inside, seat)
        if was_in and (rounds_on or not seats.has(after.inside, seat)):
            text = f"{names[seat]} cashes out {before.total:,} and has {after.scores[seat]:,}."
            told.append(model.event("cash out", text, seat, amount=int(before.total)))
    if not told:
        told.append(model.event("stay", "Everybody stays."))
    return told + (_tell_next(after, names) if rounds_on else [])


def _tell_next(after: Any, names: Sequence[str]) -> list[model.Event]:
    if after.actor == NOBODY:
        return [model.event("end", f"The game is over: {_result(after, names)}")]
    if after.closing:
        return [model.event("round", f"Round {after.round_number} is over. Was it the last?")]
    return [model.event("round", f"{round_name(after)} begins; {names[after.roller]} rolls.")]


def _result(s: Any, names: Sequence[str]) -> str:
    players = range(int(s.players))
    best = max(int(s.scores[seat]) for seat in players)
    first = [names[seat] for seat in players if s.scores[seat] == best]
    return f"{model.listing(first)} {'wins' if len(first) == 1 else 'share the win'} with {best:,}."
