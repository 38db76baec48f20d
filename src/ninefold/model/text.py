"""Texts: sentences with their parameters, so that a surface fills in names and a translation can follow.

A text is a plain string, or a message: a template in English, the seats whose names it needs, and the rest of
its parameters. Games write texts; only surfaces, which know the players' names, turn them into strings.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from msgspec import Struct, convert


class Message(Struct, omit_defaults=True):
    """`{who} rolls {total}.` with `who` a seat and `total` a number. A list reads `A, B and C`."""

    text: str
    seats: dict[str, int | list[int]] = {}
    args: dict[str, Argument] = {}

    def __str__(self) -> str:
        return render(self)


Text = str | Message
Argument = int | str | Message | list[Text]


def message(text: str, seats: Mapping[str, int | list[int]] | None = None, /, **args: Argument) -> Message:
    """A message; `seats` are the parameters that stand for players."""
    return Message(text, dict(seats or {}), args)


def player_name(seat: int) -> str:
    """The name of a seat if no name is known."""
    return f"Player {seat + 1}"


def render(text: Text | Mapping[str, Any], names: Sequence[str] = ()) -> str:
    """A text as a string, with the names of the players; also takes a text from the JSON of a view."""
    if isinstance(text, str):
        return text
    if not isinstance(text, Message):
        text = convert(text, Message)
    values = {key: _shown(value, names) for key, value in text.args.items()}
    for key, seats in text.seats.items():
        called = [_name(seat, names) for seat in (seats if isinstance(seats, list) else [seats])]
        values[key] = join(called)
    return text.text.format_map(values)


def _name(seat: int, names: Sequence[str]) -> str:
    return names[seat] if seat < len(names) else player_name(seat)


def _shown(value: Argument, names: Sequence[str]) -> str:
    if isinstance(value, int):
        return f"{value:,}"
    if isinstance(value, list):
        return join([render(part, names) for part in value])
    return render(value, names)


def join(words: Sequence[str]) -> str:
    """`A`, `A and B`, `A, B and C`."""
    if len(words) < 2:
        return "".join(words)
    return ", ".join(words[:-1]) + " and " + words[-1]


# Words that several games need

NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine")
ORDINALS = ("no", "first", "second", "third", "fourth", "fifth")


def count_of(number: int, what: str = "card") -> str:
    """`no cards`, `one card`, `12 cards`."""
    word = NUMBERS[number] if 0 <= number < len(NUMBERS) else f"{number:,}"
    return f"{word} {what}{'' if number == 1 else 's'}"


def winners_text(winners: Sequence[int], best: int | None = None, unit: str = "") -> Message:
    """`Ann wins with 90`, `Ann and Bob share the win`: a part of a sentence, without a full stop."""
    verb = "wins" if len(winners) == 1 else "share the win"
    if best is None:
        return message(f"{{winners}} {verb}", {"winners": list(winners)})
    points = f" {unit}{'' if abs(best) == 1 else 's'}" if unit else ""
    return message(f"{{winners}} {verb} with {{best}}{points}", {"winners": list(winners)}, best=best)


def rule_text(rule: int) -> str:
    """`R3.4` for rule number 304."""
    return f"R{rule // 100}.{rule % 100}"
