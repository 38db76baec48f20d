"""Draws a view as lines of styled text. Knows the table model and no game, no keyboard and no screen.

Colour is never the only sign: a suit has its symbol, the cursor and picked cards a mark under them, and whose
turn it is an arrow. `plain` signs keep to ASCII.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from rich.cells import cell_len
from rich.style import Style
from rich.text import Text

from ninefold.kernel.cards import SUITS
from ninefold.kernel.model import Part, View

_SEAT = re.compile(r"\b[Ss]eat (\d+)")
Place = tuple[str, int]  # a zone's name and a place in it


@dataclass(frozen=True)
class Signs:
    """What things are drawn with."""

    suits: dict[str, str]
    dice: Sequence[str]
    down: str
    gap: str
    turn: str
    dot: str
    box: str  # top left, top right, bottom left, bottom right, edge, side
    here: str  # under the card the cursor is at
    picked: str
    times: str


FINE = Signs(
    {suit.letter: suit.symbol for suit in SUITS}, "⚀⚁⚂⚃⚄⚅", "▒▒", "··", "▶", "·", "╭╮╰╯─│", "▲", "●", "×"
)
PLAIN = Signs(
    {suit.letter: suit.letter for suit in SUITS}, "123456", "##", "..", ">", "-", "++++-|", "^", "*", "x"
)

_ALIKE = {
    sign: plain
    for plain, signs in {
        "-": "–—−·─━",
        "+": "╭╮╰╯┌┐└┘├┤┬┴┼",
        "|": "│┃",
        "=": "▇▆▅▄▃▂▁",
        "#": "▒█",
        "'": "‘’",
        '"': "“”«»",
        "*": "•●",
        ">": "▶",
        "^": "▲",
        ".": "…",
        "x": "×",
    }.items()
    for sign in signs
} | {suit.symbol: suit.letter for suit in SUITS}

RED = Style(color="red", bold=True)
DARK = Style(bold=True)
DIM = Style(dim=True)
STRONG = Style(bold=True)
LIT = Style(color="green", bold=True)
_SUIT_STYLES = {
    "H": RED,
    "D": Style(color="bright_red", bold=True),
    "R": Style(color="yellow", bold=True),
    "P": Style(color="white", bold=True),
    "X": Style(color="magenta", bold=True),
    "W": Style(color="cyan", bold=True),
    "L": Style(color="green", bold=True),
    "C": Style(color="bright_blue", bold=True),
}


@dataclass
class Look:
    """How the table is to be drawn, and what the person is pointing at."""

    width: int = 80
    height: int = 24
    signs: Signs = FINE
    cursor: Place | None = None
    picked: frozenset[Place] = frozenset()
    lit: frozenset[Place] = frozenset()  # places that a move can be made with
    click: Mapping[Place, str] = field(default_factory=dict)  # what a click on a card does


@dataclass
class Block:
    """Lines that belong together."""

    lines: list[Text] = field(default_factory=list)

    @property
    def width(self) -> int:
        return max((line.cell_len for line in self.lines), default=0)


def face(card: Part, signs: Signs) -> tuple[str, Style]:
    """A card in a few signs: `10♥`, `▒▒` face down, `(10♥)` face down and known to the viewer."""
    if card.get("gap"):
        return signs.gap, DIM
    text = card["card"]
    if text is None:
        return signs.down, DIM
    suit = text[-1] if len(text) > 1 and text[-1] in signs.suits and text != "JK" else ""
    shown = text[: len(text) - len(suit)] + signs.suits.get(suit, "")
    return (shown if card["up"] else f"({shown})"), _SUIT_STYLES.get(suit, DARK)


# What is drawn as boxes, the most first: what is common, the viewer's own, that of the others
_DETAIL = ((True, True, True), (True, True, False), (False, True, False), (False, False, False))


def paint(view: View, names: Sequence[str], look: Look) -> list[Text]:
    """The whole table for a viewer, no wider than `look.width`; boxed cards as far as the height allows."""
    for common, own, others in _DETAIL:
        lines = _common(view, look, common)
        seats = [_seat(view, seat, names, look, others) for seat in _order(view) if seat != view["seat"]]
        lines += _flow(seats, look.width)
        if view["seat"] is not None:
            lines += _seat(view, view["seat"], names, look, own).lines
        if len(lines) <= look.height:
            break
    return lines


def _order(view: View) -> list[int]:
    """Seats in the order of play, beginning after the viewer's."""
    first = 0 if view["seat"] is None else view["seat"] + 1
    return [(first + step) % view["players"] for step in range(view["players"])]


def _flow(blocks: Sequence[Block], width: int) -> list[Text]:
    """Blocks side by side as far as they fit, then in a new row."""
    lines: list[Text] = []
    row: list[Block] = []
    for block in [*blocks, None]:
        taken = sum(one.width + 3 for one in row)
        if block is None or (row and taken + block.width > width):
            lines += _beside(row)
            row = []
        if block is not None:
            row.append(block)
    return lines


def _beside(row: Sequence[Block]) -> list[Text]:
    lines = []
    for number in range(max((len(block.lines) for block in row), default=0)):
        line = Text()
        for block in row:
            part = block.lines[number] if number < len(block.lines) else Text()
            line.append_text(part)
            line.append(" " * (block.width + 3 - part.cell_len))
        line.rstrip()
        lines.append(line)
    return lines


# The parts


def _common(view: View, look: Look, boxed: bool) -> list[Text]:
    """What belongs to nobody: counters, dice, piles, a board."""
    line = Text()
    for counter in view["counters"]:
        goal = "" if counter["goal"] is None else f" of {counter['goal']:,}"
        _join(line, look).append(f"{counter['label']} ").append(f"{counter['value']:,}{goal}", STRONG)
    lines = _wrapped(line, look.width)
    small = Text()
    for zone in view["zones"]:
        if zone["owner"] is not None:
            continue
        block = _zone(zone, look, boxed and zone["kind"] != "pile")
        if len(block.lines) == 1 and small.cell_len + block.width + 3 <= look.width:
            _join(small, look).append_text(block.lines[0])
        else:
            lines += block.lines
    return [*lines, *([small] if small else [])]


def _wrapped(line: Text, width: int) -> list[Text]:
    """A line of parts, broken between them where it is too long."""
    if not line:
        return []
    if line.cell_len <= width:
        return [line]
    from rich.console import Console

    return list(line.wrap(Console(width=width), width))


def _join(line: Text, look: Look) -> Text:
    return line.append(f" {look.signs.dot} ", DIM) if line else line


def _seat(view: View, seat: int, names: Sequence[str], look: Look, boxed: bool) -> Block:
    """One player: name, score, what they do, and their zones."""
    facts = view["seats"][seat]
    acts = seat in view["actors"]
    head = Text(f"{look.signs.turn if acts else ' '} ")
    you = " (you)" if seat == view["seat"] else ""
    head.append(f"{names[seat]}{you}", LIT if acts else STRONG).append(f"  {facts['score']:,}", STRONG)
    if facts.get("status"):
        head.append(f"  {facts['status']}", DIM)
    if view["over"] and seat in view["winners"]:
        head.append("  wins", LIT)
    zones = [_zone(zone, look, boxed) for zone in view["zones"] if zone["owner"] == seat]
    if boxed:
        zones.sort(key=lambda zone: -len(zone.lines))  # a card that comes and goes moves nothing else
    inner = [Text("  ").append_text(line) for line in _flow(zones, look.width - 2)]
    return Block([*_wrapped(head, look.width), *inner])


def _zone(zone: Part, look: Look, boxed: bool) -> Block:
    label = Text(f"{zone['label']} ", DIM)
    cards = zone.get("cards", [])
    if zone["kind"] == "dice":
        return _big_dice(zone, label, look) if boxed else Block([label.append(_dice(zone, look), STRONG)])
    if zone["kind"] == "pile":
        label.append(f"{zone['count']:,}", STRONG)
        if cards and len(cards) <= 8:
            label.append("  ").append_text(_row(zone, 0, len(cards), look))
        return Block([label])
    if "columns" in zone:
        return _grid(zone, look, boxed)
    if not cards:
        number = zone.get("count", zone.get("value", "none"))
        return Block([label.append(f"{number:,}" if isinstance(number, int) else str(number), STRONG)])
    if all(card["card"] is None and not card.get("gap") for card in cards):
        return Block([label.append(f"{look.signs.down} {look.signs.times} {len(cards)}", STRONG)])
    return _cards(zone, label, look, boxed)


def _dice(zone: Part, look: Look) -> str:
    shown = [
        (f"{look.signs.dice[die - 1]} " if look.signs is FINE else "") + str(die) for die in zone["dice"]
    ]
    return "  ".join(shown) if zone["dice"] else "none"


# Where the pips of a die are, in three rows of three
_PIPS = ("    o    ", "o       o", "o   o   o", "o o   o o", "o o o o o", "o oo oo o")


def _big_dice(zone: Part, label: Text, look: Look) -> Block:
    """Dice as one sees them on a table."""
    lines = [label] + [Text() for _ in range(5 if zone["dice"] else 0)]
    left, right, low_left, low_right, edge, side = list(look.signs.box)
    for die in zone["dice"]:
        pips = _PIPS[die - 1].replace("o", look.signs.picked)
        rows = [" ".join(pips[at : at + 3]) for at in (0, 3, 6)]
        drawn = [left + edge * 7 + right, *(f"{side} {row} {side}" for row in rows)]
        for line, text in zip(lines[1:], [*drawn, low_left + edge * 7 + low_right], strict=True):
            line.append(text + "  ", STRONG)
    return Block(lines)


def _cards(zone: Part, label: Text, look: Look, boxed: bool) -> Block:
    """Cards in a row, boxed or in one line of text, broken where the row is full."""
    number = len(zone["cards"])
    wide = max(cell_len(face(card, look.signs)[0]) for card in zone["cards"])
    room = look.width - 2
    if boxed:
        wide = max(wide, 3)
        fit = max(1, room // (wide + 4))
        rows = [_boxes(zone, at, min(number, at + fit), wide, look) for at in range(0, number, fit)]
        return Block([label, *(line for row in rows for line in row)])
    fit = max(
        1, (room - (label.cell_len if number * (wide + 1) < room - label.cell_len else 0)) // (wide + 1)
    )
    lines: list[Text] = []
    for at in range(0, number, fit):
        lines += _marked(zone, at, min(number, at + fit), look)
    if label.cell_len + lines[0].cell_len <= room and number <= fit:
        pad = Text(" " * label.cell_len)
        return Block([label.copy().append_text(lines[0]), *(pad + line for line in lines[1:])])
    return Block([label, *lines])


def _row(zone: Part, start: int, end: int, look: Look) -> Text:
    line = Text()
    for place in range(start, end):
        text, style = face(zone["cards"][place], look.signs)
        line.append(text, _touch(style, zone, place, look)).append(" ")
    line.rstrip()
    return line


def _marked(zone: Part, start: int, end: int, look: Look) -> list[Text]:
    """Cards in a line of text, and a line of marks where the person points at one of them."""
    line, marks = Text(), Text()
    for place in range(start, end):
        text, style = face(zone["cards"][place], look.signs)
        line.append(text, _touch(style, zone, place, look)).append(" ")
        marks.append(_mark(zone, place, look).ljust(cell_len(text) + 1), LIT)
    line.rstrip()
    marks.rstrip()
    return [line, marks] if marks else [line]


def _mark(zone: Part, place: int, look: Look) -> str:
    here = look.signs.here if look.cursor == (zone["id"], place) else ""
    return here + (look.signs.picked if (zone["id"], place) in look.picked else "")


def _touch(style: Style, zone: Part, place: int, look: Look) -> Style:
    """How a card is styled by what can be done with it; a click on it says where it was."""
    at = (zone["id"], place)
    if look.cursor == at:
        style += Style(reverse=True)
    elif at in look.lit:
        style += Style(underline=True)
    if at in look.click:
        style += Style(meta={"@click": look.click[at]})
    return style


def _boxes(zone: Part, start: int, end: int, wide: int, look: Look) -> list[Text]:
    """Cards as boxes of three lines; a mark lies in the lower edge."""
    top, middle, low = Text(), Text(), Text()
    for place in range(start, end):
        text, style = face(zone["cards"][place], look.signs)
        frame = _touch(Style(), zone, place, look)
        left, right, low_left, low_right, edge, side = list(
            " " * 6 if zone["cards"][place].get("gap") else look.signs.box
        )
        mark = _mark(zone, place, look)
        top.append(left + edge * (wide + 1) + right, frame).append(" ")
        middle.append(side, frame).append(_centred(text, wide + 1), style + frame).append(side, frame)
        middle.append(" ")
        low.append(low_left + mark.center(wide + 1, edge) + low_right, frame + (LIT if mark else Style()))
        low.append(" ")
    return [top, middle, low]


def _centred(text: str, width: int) -> str:
    left = (width - cell_len(text)) // 2
    return " " * left + text + " " * (width - cell_len(text) - left)


def _grid(zone: Part, look: Look, boxed: bool) -> Block:
    columns = zone["columns"]
    number = len(zone["cards"])
    wide = max(cell_len(face(card, look.signs)[0]) for card in zone["cards"])
    lines: list[Text] = []
    for at in range(0, number, columns):
        if boxed:
            lines += _boxes(zone, at, at + columns, max(wide, 4), look)
            continue
        line = Text()
        for place in range(at, at + columns):
            text, style = face(zone["cards"][place], look.signs)
            mark = _mark(zone, place, look).rjust(2)
            line.append(mark, LIT).append(text, _touch(style, zone, place, look))
            line.append(" " * (max(wide, 4) - cell_len(text)))
        lines.append(line)
    return Block(lines)


def named(text: str, names: Sequence[str]) -> str:
    """A sentence of a view with the players' names for `seat N`."""
    return _SEAT.sub(lambda found: names[int(found[1])] if int(found[1]) < len(names) else found[0], text)


def ascii_of(text: str) -> str:
    """A text in ASCII that takes as much room: suits by letters, no accents, `?` for what is strange."""
    return text if text.isascii() else "".join(map(_letter, text))


def _letter(sign: str) -> str:
    if sign.isascii():
        return sign
    plain = _ALIKE.get(sign) or unicodedata.normalize("NFKD", sign)[0]
    return plain if plain.isascii() else "?" * cell_len(sign)


def describe(view: View, names: Sequence[str]) -> list[str]:
    """The table in words, a line for each thing, for screen readers and pipes."""
    lines = [f"{view['title']}, {view['phase']}."]
    for counter in view["counters"]:
        goal = "" if counter["goal"] is None else f" of {counter['goal']:,}"
        lines.append(f"{counter['label']}: {counter['value']:,}{goal}.")
    for zone in view["zones"]:
        if zone["owner"] is None:
            lines.append(f"{zone['label']}: {_words(zone)}.")
    for seat in [*(seat for seat in _order(view) if seat != view["seat"]), view["seat"]]:
        if seat is None:
            continue
        facts = view["seats"][seat]
        who = "You" if seat == view["seat"] else names[seat]
        status = f", {facts['status']}" if facts.get("status") else ""
        zones = "; ".join(
            f"{zone['label']}: {_words(zone)}" for zone in view["zones"] if zone["owner"] == seat
        )
        lines.append(f"{who}: {facts['score']:,}{status}{'; ' if zones else ''}{zones}.")
    return lines


def _words(zone: Part) -> str:
    """What a zone holds, in words."""
    cards = zone.get("cards", [])
    if zone["kind"] == "dice":
        return " and ".join(str(die) for die in zone["dice"] if die) or "none"
    if zone["kind"] == "pile":
        shown = f", {' '.join(face(card, PLAIN)[0] for card in cards)}" if 0 < len(cards) <= 8 else ""
        return f"{zone['count']:,} card{'s' * (zone['count'] != 1)}{shown}"
    if "columns" in zone:
        columns = zone["columns"]
        rows = [cards[at : at + columns] for at in range(0, len(cards), columns)]
        return " / ".join(" ".join(_word(card) for card in row) for row in rows)
    if not cards:
        number: Any = zone.get("count", zone.get("value", "none"))
        return f"{number:,}" if isinstance(number, int) else str(number)
    if all(card["card"] is None and not card.get("gap") for card in cards):
        return f"{len(cards)} face down"
    return " ".join(_word(card) for card in cards)


def _word(card: Part) -> str:
    if card.get("gap"):
        return "empty"
    return "down" if card["card"] is None else face(card, PLAIN)[0]
