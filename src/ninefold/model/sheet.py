"""A game's fact sheet as types, for surfaces that let people choose a game, its options and its bots.

Made from `Facts`. Knows no game and no surface; programs never have to interpret its English texts.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from msgspec import Struct, convert, field

from ninefold.model.facts import Choice, Difficulty, Facts, Flag, Number, Numbers, Option, Span

OptionKind = Literal["number", "span", "numbers", "choice", "flag"]
OptionValue = bool | int | str

KINDS: dict[type[Option], OptionKind] = {
    Number: "number",
    Span: "span",
    Numbers: "numbers",
    Choice: "choice",
    Flag: "flag",
}


class OptionSchema(Struct, omit_defaults=True):
    """A rule that a table may set. Numbers lie from `low` to `high`; a choice is one of `choices`."""

    name: str
    label: str  # what it means
    short: str  # its name, where its value follows
    kind: OptionKind
    default: OptionValue  # with the usual number of players
    allowed: str  # the values allowed, in words
    low: int | None = None
    high: int | None = None
    choices: list[str] = []
    count: int | None = None  # how many numbers; None is one, or one for each seat


class BotSheet(Struct):
    """A bot and how it plays."""

    name: str
    line: str


class GameSheet(Struct):
    """Everything a lobby needs to know about a game."""

    name: str
    title: str
    line: str
    players: tuple[int, int]
    usual_players: int
    first_players: int  # how many a first match is proposed with
    minutes: int  # about as long as such a match takes
    difficulty: Difficulty  # to learn
    tagline: str = field(name="promise")  # what it is like to play, in one sentence
    lowest_wins: bool
    unit: str  # what scores count; empty where they only say who has won
    realtime: bool
    suggested: dict[str, OptionValue]  # options that suit an evening with friends
    options: list[OptionSchema]
    bots: list[BotSheet]
    lessons: list[str] = []  # their titles
    suggested_from: dict[str, int] = {}  # by option: the number of players from which it is suggested


def sheet_of(facts: Facts, lessons: Sequence[str] = ()) -> GameSheet:
    """A game's fact sheet, as it is sent."""
    options = [_option(option, facts.usual_players) for option in facts.options]
    made = {"options": options, "first_players": facts.first_players, "promise": facts.tagline or facts.line}
    return convert({**vars(facts), **made, "lessons": list(lessons)}, GameSheet, from_attributes=True)


def _option(option: Option, players: int) -> OptionSchema:
    found = OptionSchema(
        option.name,
        option.label,
        option.short or option.label,
        KINDS[type(option)],
        option.standard(players),
        option.allowed,
    )
    if isinstance(option, Number | Span | Numbers):
        found.low, found.high = option.low, option.high
    if isinstance(option, Numbers):
        found.count = option.count or None
    if isinstance(option, Choice):
        found.choices = list(option.choices)
    return found
