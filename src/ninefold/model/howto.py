"""How a game is played, for people: a page of text with pictures, read from Markdown.

A picture is a fenced block called `picture`, a row to a line: cards and dice, then a bar and words, if there
are any, such as `⚂⚃ 7♥ 7♦ | all your sevens`. `▒` is a card face down. So the page can be read as it is, too.
"""

from __future__ import annotations

import re

from msgspec import Struct

from ninefold.kernel.cards import RANKS, SUITS
from ninefold.kernel.errors import RuleError
from ninefold.model.view import HIDDEN, Card, face_up

DICE = "⚀⚁⚂⚃⚄⚅"
DOWN = "▒"
_FENCED = re.compile(r"^```picture\n(.*?)^```$\n?", re.M | re.S)
_LETTERS = {suit.symbol: suit.letter for suit in SUITS}


class PictureRow(Struct):
    """Dice and cards side by side, and what is said of them."""

    dice: list[int]
    cards: list[Card]
    words: str


class HowToText(Struct, tag_field="kind", tag="text"):
    """A piece of text, as Markdown."""

    text: str


class HowToPicture(Struct, tag_field="kind", tag="picture"):
    """Cards and dice, row by row."""

    rows: list[PictureRow]


HowToPart = HowToText | HowToPicture


class RulesPage(Struct):
    """How a game is played, and its numbered rules, as Markdown."""

    title: str
    howto: list[HowToPart]
    text: str


def read_howto(page: str) -> list[HowToPart]:
    """The parts of a page, in order."""
    parts: list[HowToPart] = []
    for at, piece in enumerate(_FENCED.split(page)):
        if at % 2:
            parts.append(HowToPicture([_row(line) for line in piece.splitlines() if line.strip()]))
        elif piece.strip():
            parts.append(HowToText(piece.strip()))
    return parts


def _row(line: str) -> PictureRow:
    things, _, words = line.partition("|")
    shown = things.split()
    dice = [DICE.index(sign) + 1 for thing in shown if thing[0] in DICE for sign in thing]
    cards = [_card(thing) for thing in shown if thing[0] not in DICE]
    return PictureRow(dice, cards, words.strip())


def _card(thing: str) -> Card:
    if thing.strip(DOWN) == "":
        return HIDDEN
    rank, suit = (thing[:-1], _LETTERS[thing[-1]]) if thing[-1] in _LETTERS else (thing, "")
    if rank not in RANKS and thing != "JK":
        raise RuleError(f"{thing!r} in a picture is neither a card nor dice")
    return face_up(rank + suit)
