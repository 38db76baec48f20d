"""Draws a view as lines of styled text. Knows the table model and no game, no keyboard and no screen.

Colour is never the only sign: a suit has its symbol, the cursor and picked cards a mark under them, and whose
turn it is an arrow. `plain` signs keep to ASCII.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from rich.cells import cell_len
from rich.style import Style
from rich.text import Text

from ninefold.kernel.cards import SUITS
from ninefold.model.text import render
from ninefold.model.view import Card, View, Zone

Place = tuple[str, int]  # a zone's name and a place in it


@dataclass(frozen=True)
class Signs:
    """The characters to draw with."""

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
    """How to draw the table, and what the person is pointing at."""

    width: int = 80
    height: int = 24
    signs: Signs = FINE
    cursor: Place | None = None
    picked: frozenset[Place] = frozenset()
    lit: frozenset[Place] = frozenset()  # places that are part of a move
    click: Mapping[Place, str] = field(default_factory=dict)  # what a click on a card does
    names: Sequence[str] = ()  # of the players


@dataclass
class Block:
    """Lines that belong together."""

    lines: list[Text] = field(default_factory=list)

    @property
    def width(self) -> int:
        return max((line.cell_len for line in self.lines), default=0)


def face(card: Card, signs: Signs) -> tuple[str, Style]:
    """A card in a few signs: `10♥`, `▒▒` face down, `(10♥)` face down and known to the viewer."""
    if card.gap:
        return signs.gap, DIM
    text = card.card
    if text is None:
        return signs.down, DIM
    suit = text[-1] if len(text) > 1 and text[-1] in signs.suits and text != "JK" else ""
    shown = text[: len(text) - len(suit)] + signs.suits.get(suit, "")
    return (shown if card.up else f"({shown})"), _SUIT_STYLES.get(suit, DARK)


# What is drawn as boxes, from most to least: shared zones, the viewer's own, those of others
_DETAIL = ((True, True, True), (True, True, False), (False, True, False), (False, False, False))


def paint(view: View, names: Sequence[str], look: Look) -> list[Text]:
    """The whole table for a viewer, no wider than `look.width`; boxed cards as far as the height allows."""
    look = replace(look, names=names)
    for common, own, others in _DETAIL:
        lines = _common(view, look, common)
        seats = [_seat(view, seat, look, others) for seat in seats_in_order(view) if seat != view.seat]
        lines += _flow(seats, look.width)
        if view.seat is not None:
            lines += _seat(view, view.seat, look, own).lines
        if len(lines) <= look.height:
            break
    return lines


def seats_in_order(view: View) -> list[int]:
    """Seats in the order of play, beginning after the viewer's."""
    first = 0 if view.seat is None else view.seat + 1
    return [(first + step) % view.players for step in range(view.players)]


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
    """Shared parts: counters, dice, piles, a board."""
    line = Text()
    for counter in view.counters:
        goal = "" if counter.goal is None else f" of {counter.goal:,}"
        label = render(counter.label, look.names)
        _join(line, look).append(f"{label} ").append(f"{counter.value:,}{goal}", STRONG)
    lines = _wrapped(line, look.width)
    small = Text()
    for zone in view.zones:
        if zone.owner is not None:
            continue
        block = _zone(zone, look, boxed and zone.kind != "pile")
        if len(block.lines) == 1 and small.cell_len + block.width + 3 <= look.width:
            _join(small, look).append_text(block.lines[0])
        else:
            lines += block.lines
    return [*lines, *([small] if small else [])]


def _wrapped(line: Text, width: int) -> list[Text]:
    """A line of parts, broken between parts if it is too long."""
    if not line:
        return []
    if line.cell_len <= width:
        return [line]
    from rich.console import Console

    return list(line.wrap(Console(width=width), width))


def _join(line: Text, look: Look) -> Text:
    return line.append(f" {look.signs.dot} ", DIM) if line else line


def _seat(view: View, seat: int, look: Look, boxed: bool) -> Block:
    """One player: name, score, what they do, and their zones."""
    player = view.seats[seat]
    acts = seat in view.actors
    head = Text(f"{look.signs.turn if acts else ' '} ")
    you = " (you)" if seat == view.seat else ""
    head.append(f"{look.names[seat]}{you}", LIT if acts else STRONG).append(f"  {player.score:,}", STRONG)
    if status := render(player.status_text, look.names):
        head.append(f"  {status}", DIM)
    if view.over and seat in view.winners:
        head.append("  wins", LIT)
    zones = [_zone(zone, look, boxed) for zone in view.zones if zone.owner == seat]
    if boxed:
        zones.sort(key=lambda zone: -len(zone.lines))  # a card that comes and goes must not move the rest
    inner = [Text("  ").append_text(line) for line in _flow(zones, look.width - 2)]
    return Block([*_wrapped(head, look.width), *inner])


def _zone(zone: Zone, look: Look, boxed: bool) -> Block:
    label = Text(f"{render(zone.label, look.names)} ", DIM)
    cards = zone.cards or []
    if zone.kind == "dice":
        return _big_dice(zone, label, look) if boxed else Block([label.append(_dice(zone, look), STRONG)])
    if zone.kind == "pile":
        label.append(f"{zone.count or 0:,}", STRONG)
        if cards and len(cards) <= 8:
            label.append("  ").append_text(_row(zone, cards, look))
        return Block([label])
    if zone.columns is not None:
        return _grid(zone, cards, zone.columns, look, boxed)
    if not cards:
        return Block([label.append("none" if zone.count is None else f"{zone.count:,}", STRONG)])
    if all(card.card is None and not card.gap for card in cards):
        return Block([label.append(f"{look.signs.down} {look.signs.times} {len(cards)}", STRONG)])
    return _cards(zone, cards, label, look, boxed)


def _dice(zone: Zone, look: Look) -> str:
    shown = [
        (f"{look.signs.dice[die - 1]} " if look.signs is FINE else "") + str(die) for die in zone.dice or []
    ]
    return "  ".join(shown) if shown else "none"


# Where the pips of a die are, in three rows of three
_PIPS = ("    o    ", "o       o", "o   o   o", "o o   o o", "o o o o o", "o oo oo o")


def _big_dice(zone: Zone, label: Text, look: Look) -> Block:
    """Dice drawn with their pips."""
    lines = [label] + [Text() for _ in range(5 if zone.dice else 0)]
    left, right, low_left, low_right, edge, side = list(look.signs.box)
    for die in zone.dice or []:
        pips = _PIPS[die - 1].replace("o", look.signs.picked)
        rows = [" ".join(pips[at : at + 3]) for at in (0, 3, 6)]
        drawn = [left + edge * 7 + right, *(f"{side} {row} {side}" for row in rows)]
        for line, text in zip(lines[1:], [*drawn, low_left + edge * 7 + low_right], strict=True):
            line.append(text + "  ", STRONG)
    return Block(lines)


def _cards(zone: Zone, cards: Sequence[Card], label: Text, look: Look, boxed: bool) -> Block:
    """Cards in a row, boxed or as text, wrapped when the row is full."""
    number = len(cards)
    wide = max(cell_len(face(card, look.signs)[0]) for card in cards)
    room = look.width - 2
    if boxed:
        wide = max(wide, 3)
        fit = max(1, room // (wide + 4))
        rows = [
            _boxes(zone, cards, range(at, min(number, at + fit)), wide, look) for at in range(0, number, fit)
        ]
        return Block([label, *(line for row in rows for line in row)])
    fit = max(
        1, (room - (label.cell_len if number * (wide + 1) < room - label.cell_len else 0)) // (wide + 1)
    )
    lines: list[Text] = []
    for at in range(0, number, fit):
        lines += _marked(zone, cards, range(at, min(number, at + fit)), look)
    if label.cell_len + lines[0].cell_len <= room and number <= fit:
        pad = Text(" " * label.cell_len)
        return Block([label.copy().append_text(lines[0]), *(pad + line for line in lines[1:])])
    return Block([label, *lines])


def _row(zone: Zone, cards: Sequence[Card], look: Look) -> Text:
    line = Text()
    for place, card in enumerate(cards):
        text, style = face(card, look.signs)
        line.append(text, _touch(style, zone, place, look)).append(" ")
    line.rstrip()
    return line


def _marked(zone: Zone, cards: Sequence[Card], places: range, look: Look) -> list[Text]:
    """Cards in a line of text, with a line of marks if the person points at one of them."""
    line, marks = Text(), Text()
    for place in places:
        text, style = face(cards[place], look.signs)
        line.append(text, _touch(style, zone, place, look)).append(" ")
        marks.append(_mark(zone, place, look).ljust(cell_len(text) + 1), LIT)
    line.rstrip()
    marks.rstrip()
    return [line, marks] if marks else [line]


def _mark(zone: Zone, place: int, look: Look) -> str:
    here = look.signs.here if look.cursor == (zone.id, place) else ""
    return here + (look.signs.picked if (zone.id, place) in look.picked else "")


def _touch(style: Style, zone: Zone, place: int, look: Look) -> Style:
    """The style of a card, from what can be done with it, and what a click on it does."""
    at = (zone.id, place)
    if look.cursor == at:
        style += Style(reverse=True)
    elif at in look.lit:
        style += Style(underline=True)
    if at in look.click:
        style += Style(meta={"@click": look.click[at]})
    return style


def _boxes(zone: Zone, cards: Sequence[Card], places: range, wide: int, look: Look) -> list[Text]:
    """Cards as boxes of three lines; a mark lies in the lower edge."""
    top, middle, low = Text(), Text(), Text()
    for place in places:
        text, style = face(cards[place], look.signs)
        frame = _touch(Style(), zone, place, look)
        left, right, low_left, low_right, edge, side = list(" " * 6 if cards[place].gap else look.signs.box)
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


def _grid(zone: Zone, cards: Sequence[Card], columns: int, look: Look, boxed: bool) -> Block:
    number = len(cards)
    wide = max(cell_len(face(card, look.signs)[0]) for card in cards)
    lines: list[Text] = []
    for at in range(0, number, columns):
        if boxed:
            lines += _boxes(zone, cards, range(at, at + columns), max(wide, 4), look)
            continue
        line = Text()
        for place in range(at, at + columns):
            text, style = face(cards[place], look.signs)
            mark = _mark(zone, place, look).rjust(2)
            line.append(mark, LIT).append(text, _touch(style, zone, place, look))
            line.append(" " * (max(wide, 4) - cell_len(text)))
        lines.append(line)
    return Block(lines)


def ascii_of(text: str) -> str:
    """A text in ASCII of the same width: letters for suits, no accents, `?` for anything else."""
    return text if text.isascii() else "".join(map(_letter, text))


def _letter(sign: str) -> str:
    if sign.isascii():
        return sign
    plain = _ALIKE.get(sign) or unicodedata.normalize("NFKD", sign)[0]
    return plain if plain.isascii() else "?" * cell_len(sign)
