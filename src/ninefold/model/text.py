"""Texts: sentences with their parameters, so that a surface fills in names and a translation can follow.

A text is a plain string, or a message: a template in English, the seats whose names it needs, and the rest of
its parameters. Games write texts; only surfaces, which know the players' names and who is looking, turn them
into strings.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from msgspec import Struct, convert


class Message(Struct, omit_defaults=True):
    """`{who} rolls {total}.` with `who` a seat and `total` a number. A list reads `A, B and C`.

    What a player reads about themselves may differ: `{who|You} {who|rolls|roll} {total}.` reads
    `Ann rolls 7.` or `You roll 7.`
    """

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


PARAMETER = re.compile(r"\{\{|\}\}|\{(\w+)(?:\|([^|{}]*))?(?:\|([^|{}]*))?\}")


def render(text: Text | Mapping[str, Any], names: Sequence[str] = (), viewer: int | None = None) -> str:
    """A text, or one from the JSON of a view, as a string with the names of the players, for one of them."""
    if isinstance(text, str):
        return text
    if not isinstance(text, Message):
        text = convert(text, Message)
    seats, args = text.seats, text.args

    def filled(found: re.Match[str]) -> str:
        key, other, own = found.groups()
        if key is None:
            return found[0][0]
        if key not in seats:
            return _shown(args[key], names, viewer)
        who = seats[key]
        called = who if isinstance(who, list) else [who]
        if own is not None:
            return own if called == [viewer] else other
        return join([other if other and seat == viewer else _name(seat, names) for seat in called])

    return PARAMETER.sub(filled, text.text)


def _name(seat: int, names: Sequence[str]) -> str:
    return names[seat] if seat < len(names) else player_name(seat)


def _shown(value: Argument, names: Sequence[str], viewer: int | None) -> str:
    if isinstance(value, int):
        return f"{value:,}"
    if isinstance(value, list):
        return join([render(part, names, viewer) for part in value])
    return render(value, names, viewer)


def join(words: Sequence[str], last: str = "and") -> str:
    """`A`, `A and B`, `A, B and C`."""
    if len(words) < 2:
        return "".join(words)
    return f"{', '.join(words[:-1])} {last} {words[-1]}"


# Words that several games need

NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine")
LISTED = 3  # more winners than these are counted, not named
ORDINALS = ("no", "first", "second", "third", "fourth", "fifth")


def count_of(number: int, what: str = "card") -> str:
    """`no cards`, `one card`, `12 cards`."""
    word = NUMBERS[number] if 0 <= number < len(NUMBERS) else f"{number:,}"
    return f"{word} {what}{'' if number == 1 else 's'}"


def winners_text(winners: Sequence[int], best: int | None = None, unit: str = "") -> Message:
    """`Ann wins with 90 points`, `Ann and Bob share the win`: a part of a sentence, without a full stop."""
    many = len(winners) > LISTED
    alone = len(winners) == 1
    named = "{winners|You}" if alone else "{winners}"
    who = count_of(len(winners), "player").capitalize() if many else named
    seats: dict[str, int | list[int]] = {} if many else {"winners": list(winners)}
    text = f"{who} {'{winners|wins|win}' if alone else 'share the win'}"
    if best is None:
        return message(text, seats)
    noun, _, rest = unit.partition(" ")
    noun = noun.removesuffix("s") if abs(best) == 1 else noun
    return message(f"{text} with {{best}} {noun} {rest}".rstrip(), seats, best=best)


def rule_text(rule: int) -> str:
    """`R3.4` for rule number 304."""
    return f"R{rule // 100}.{rule % 100}"
