"""How a game is played, and its rules, as pages for the terminal. Knows no game."""

from __future__ import annotations

from rich.console import Group, RenderableType
from rich.markdown import Markdown
from rich.padding import Padding
from rich.text import Text

from ninefold.engine.registry import howto_page, rules_page
from ninefold.model.howto import HowToText, PictureRow, read_howto
from ninefold.terminal.paint import PLAIN, Canvas, Signs, face, picture

MARGIN = 2  # columns before a picture


def how_to_play(game: str, width: int, signs: Signs) -> Group:
    """How a game is played, on one page with pictures."""
    parts: list[RenderableType] = []
    for part in read_howto(howto_page(game)):
        if isinstance(part, HowToText):
            parts.append(Markdown(part.text))
        else:
            drawn = picture(part.rows, Canvas(width - 2 * MARGIN, signs=signs))
            parts.append(Padding(Text("\n").join(drawn), (1, MARGIN)))
    return Group(*parts)


def in_plain_lines(game: str) -> str:
    """How a game is played, for screen readers and pipes: pictures in words."""
    parts = read_howto(howto_page(game))
    return "\n\n".join(
        part.text if isinstance(part, HowToText) else "\n".join(map(_in_words, part.rows)) for part in parts
    )


def _in_words(row: PictureRow) -> str:
    dice = [f"dice {' and '.join(map(str, row.dice))}"] if row.dice else []
    cards = [" ".join("down" if card.card is None else face(card, PLAIN)[0] for card in row.cards)]
    shown = "; ".join([*dice, *(cards if row.cards else [])])
    return f"  {shown}: {row.words}" if row.words else f"  {shown}"


def all_rules(game: str) -> Markdown:
    """The numbered rules of a game."""
    return Markdown(rules_page(game))
