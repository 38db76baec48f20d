"""Draws a view as lines of styled text. Knows the table model and no game, no keyboard and no screen.

Colour is never the only sign: a suit has its symbol, the cursor and picked cards a mark under them, and whose
turn it is an arrow. `plain` signs keep to ASCII.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import zip_longest

from rich.cells import cell_len
from rich.console import Console
from rich.style import Style
from rich.text import Text

from ninefold.engine.match import Seat
from ninefold.engine.registry import facts
from ninefold.kernel.cards import NINE_SUITS, STANDARD, SUITS
from ninefold.model.cast import character_of
from ninefold.model.howto import PictureRow
from ninefold.model.text import render
from ninefold.model.view import STATUS_WORDS, Card, Counter, Mark, SeatView, Status, View, Zone

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

_ALIKE = str.maketrans(
    "–—−·─━╭╮╰╯┌┐└┘├┤┬┴┼│┃▇▆▅▄▃▂▁▒█‘’“”«»•●▶→▲…×",
    '------+++++++++++++||=======##\'\'""""**>>^.x',
) | str.maketrans({suit.symbol: suit.letter for suit in SUITS})

MARKS: dict[Mark, str] = {"dealer": "dealer", "roller": "rolls"}
DIM = Style(dim=True)
STRONG = Style(bold=True)
LIT = Style(color="green", bold=True)
ALARM = Style(color="red", bold=True, reverse=True)
NONE = "–"  # in a place where nothing lies
COMMONPLACE: tuple[Status, ...] = ("in", "waiting", "trading")  # what goes without saying
_COLOURS = {"H": "red", "D": "bright_red", "C": "bright_blue", "R": "yellow", "P": "white"}
_COLOURS |= {"X": "magenta", "W": "cyan", "L": "green"}
_SUIT_STYLES = {suit: Style(color=colour, bold=True) for suit, colour in _COLOURS.items()}
Lines = list[Text]


@dataclass
class Canvas:
    """How to draw the table, and what the person is pointing at."""

    width: int = 80
    height: int = 24
    signs: Signs = FINE
    cursor: Place | None = None
    picked: frozenset[Place] = frozenset()
    lit: frozenset[Place] = frozenset()  # places that are part of a move
    click: Mapping[Place, str] = field(default_factory=dict)  # what a click on a card does
    names: Sequence[str] = ()  # of the players
    faces: Mapping[int, Text] = field(default_factory=dict)  # by seat: a sign for a character


def signs_of(seats: Iterable[Seat]) -> dict[int, Text]:
    """By seat: the face of a character where there is room for one sign."""
    cast = {at: who for at, seat in enumerate(seats) if (who := character_of(seat.bot))}
    return {at: Text(who.sign, who.colour) for at, who in cast.items()}


def face(card: Card, signs: Signs) -> tuple[str, Style]:
    """A card in a few signs: `10♥`, `▒▒` face down, `(10♥)` face down and known to the viewer."""
    if card.gap:
        return signs.gap, DIM
    text = card.card
    if text is None:
        return signs.down, DIM
    suit = text[-1] if len(text) > 1 and text[-1] in signs.suits and text != "JK" else ""
    shown = text[: len(text) - len(suit)] + signs.suits.get(suit, "")
    return (shown if card.up else f"({shown})"), _SUIT_STYLES.get(suit, STRONG)


# What is drawn as boxes, from most to least: shared zones, the viewer's own, those of others
_DETAIL = ((True, True, True), (True, True, False), (False, True, False), (False, False, False))


def paint(view: View, names: Sequence[str], canvas: Canvas) -> Lines:
    """The whole table for a viewer, no wider than `canvas.width`; boxed cards as far as the height allows."""
    canvas = replace(canvas, names=names)
    for common, own, others in _DETAIL:
        top = _common(view, canvas, common)
        seats = [_seat(view, seat, canvas, others) for seat in seats_in_order(view) if seat != view.seat]
        lines = _flow(seats, canvas.width)
        if view.seat is not None:
            lines += _seat(view, view.seat, canvas, own)
        if len(top) + len(lines) <= canvas.height:
            break
    legend = _legend(view, canvas)
    if len(top) + len(legend) + len(lines) <= canvas.height:
        top += legend
    lines = top + lines
    for line in lines:
        line.rstrip()
        if canvas.signs is PLAIN:
            line.plain = ascii_of(line.plain)
    return lines


def seats_in_order(view: View) -> list[int]:
    """Seats in the order of play, beginning after the viewer's."""
    first = 0 if view.seat is None else view.seat + 1
    return [(first + step) % view.players for step in range(view.players)]


def _width(lines: Lines) -> int:
    return max((line.cell_len for line in lines), default=0)


def _flow(blocks: Sequence[Lines], width: int) -> Lines:
    """Blocks side by side as far as they fit, then in a new row."""
    lines: Lines = []
    row: list[Lines] = []
    for block in blocks:
        if row and sum(_width(one) + 3 for one in row) + _width(block) > width:
            lines += _beside(row)
            row = []
        row.append(block)
    return lines + _beside(row)


def _beside(row: Sequence[Lines]) -> Lines:
    lines = []
    for parts in zip_longest(*row, fillvalue=Text()):
        line = Text()
        for part, block in zip(parts, row, strict=True):
            line.append("   " if line else "").append_text(part).append(" " * (_width(block) - part.cell_len))
        lines.append(line)
    return lines


# The parts


def _common(view: View, canvas: Canvas, boxed: bool) -> Lines:
    """Shared parts: counters, dice, piles, a board."""
    line = Text(render(view.progress.label, canvas.names) if view.progress else "")
    tense = is_tense(view)
    for counter in view.counters:
        goal = "" if counter.goal is None else f" of {counter.goal:,}"
        label = render(counter.label, canvas.names)
        style = ALARM if tense and _almost_full(counter) else STRONG
        _join(line, canvas).append(f"{label} ").append(f"{counter.value:,}{goal}", style)
    lines: Lines = []
    small = Text()
    for zone in view.zones:
        if zone.owner is not None or is_counted(view, zone):
            continue
        block = _zone(zone, canvas, boxed and zone.kind != "pile")
        if len(block) == 1 and small.cell_len + _width(block) + 3 <= canvas.width:
            _join(small, canvas).append_text(block[0])
        else:
            lines += block
    if line and small and line.cell_len + small.cell_len + 3 <= canvas.width:
        line, small = _join(line, canvas).append_text(small), Text()
    return [*_wrapped(line, canvas.width), *lines, *([small] if small else [])]


def is_tense(view: View) -> bool:
    """Where dice decide, the last step before a counter is full is felt by everyone."""
    return any(zone.kind == "dice" and zone.owner is None for zone in view.zones) and any(
        map(_almost_full, view.counters)
    )


def _almost_full(counter: Counter) -> bool:
    return counter.goal is not None and counter.value == counter.goal - 1 > 0


def _legend(view: View, canvas: Canvas) -> Lines:
    """What cards are worth, in one line, and what suits are called that few people know."""
    entries = worths(view, canvas.names)
    dot = f" {canvas.signs.dot} "
    called = f"{dot.join(_new_suits(view, canvas))}" if canvas.signs is FINE else ""
    return [*_wrapped(Text(dot.join(entries), DIM), canvas.width), *_wrapped(Text(called, DIM), canvas.width)]


def worths(view: View, names: Sequence[str]) -> list[str]:
    """The lines of the legend: `J Q K = 10`, `4th seven: all is lost`."""
    found = []
    for one in view.legend:
        value = render(one.value, names)
        between = " = " if value[:1].isdigit() or value.startswith("−") else ": "
        found.append(render(one.label, names) + between + value)
    return found


def _new_suits(view: View, canvas: Canvas) -> list[str]:
    """The suits in sight that are not those of every deck: `≈ Water`."""
    shown = {card.card[-1] for zone in view.zones for card in zone.cards or [] if card.card}
    usual = [suit.letter for suit in STANDARD.suits]
    new = [suit for suit in NINE_SUITS.suits if suit.letter not in usual]
    called = [f"{canvas.signs.suits[suit.letter]} {suit.many}" for suit in new]
    return called if shown & {suit.letter for suit in new} else []


def _wrapped(line: Text, width: int) -> Lines:
    """A line of parts, broken between parts if it is too long."""
    if line.cell_len <= width:
        return [line] if line else []
    return list(line.wrap(Console(width=width), width))


def _join(line: Text, canvas: Canvas) -> Text:
    return line.append(f" {canvas.signs.dot} ", DIM) if line else line


def marks_of(player: SeatView) -> list[str]:
    """The marks of a seat that people go by, in words."""
    return [MARKS[mark] for mark in player.marks if mark in MARKS]


def standing(view: View, seat: int, names: Sequence[str]) -> str:
    """What a player has: chips where they play for them, else points; nothing where only winning counts."""
    for zone in view.zones:
        if zone.owner == seat and zone.kind == "chips":
            return f"{zone.count or 0:,} {render(zone.label, names).lower()}"
    return f"{view.seats[seat].score:,}" if facts(view.game).unit else ""


def status_of(view: View, player: SeatView, names: Sequence[str]) -> str:
    """What a player does, unless it goes without saying."""
    usual = player.status_text == STATUS_WORDS.get(player.status, player.status)
    known = player.status in COMMONPLACE or (player.status == "deciding" and player.seat == view.seat)
    return "" if usual and known else render(player.status_text, names)


def zones_of(view: View, seat: int) -> list[Zone]:
    """The zones before a player that have something to show; the first chips are their standing."""
    own = [zone for zone in view.zones if zone.owner == seat]
    stack = next((zone for zone in own if zone.kind == "chips"), None)
    return [zone for zone in own if zone is not stack and not _is_bare(zone)]


def is_counted(view: View, zone: Zone) -> bool:
    """Whether a counter, or how far the match is, tells the number of a zone already."""
    counted = {counter.id for counter in (*view.counters, *([view.progress] if view.progress else []))}
    return zone.kind in ("chips", "pile") and zone.id in counted


def _is_bare(zone: Zone) -> bool:
    return not zone.cards and not zone.count and zone.kind in ("hand", "chips", "pile")


def _seat(view: View, seat: int, canvas: Canvas, boxed: bool) -> Lines:
    """One player: name, score, what they do, and their zones."""
    player = view.seats[seat]
    acts = seat in view.actors
    head = Text(f"{canvas.signs.turn if acts else ' '} ")
    you = " (you)" if seat == view.seat else ""
    if seat in canvas.faces:
        head.append_text(canvas.faces[seat]).append(" ")
    head.append(f"{canvas.names[seat]}{you}", LIT if acts else STRONG)
    head.append(f"  {has}" if (has := standing(view, seat, canvas.names)) else "", STRONG)
    for words in (*marks_of(player), status_of(view, player, canvas.names)):
        head.append(f"  {words}" if words else "", DIM)
    if player.hand:
        head.append(f"  {render(player.hand, canvas.names)}")
    if view.over and seat in view.winners:
        head.append("  wins", LIT)
    zones = [_zone(zone, canvas, boxed) for zone in zones_of(view, seat)]
    if boxed:
        zones.sort(key=lambda zone: -len(zone))  # a card that comes and goes must not move the rest
    inner = [Text("  ").append_text(line) for line in _flow(zones, canvas.width - 2)]
    return [*_wrapped(head, canvas.width), *inner]


def _zone(zone: Zone, canvas: Canvas, boxed: bool) -> Lines:
    label = Text(f"{render(zone.label, canvas.names)} ", DIM)
    cards = zone.cards or []
    if zone.kind == "dice":
        return _big_dice(zone, label, canvas) if boxed else [label.append(_dice(zone, canvas), STRONG)]
    if zone.kind == "pile":
        label.append(f"{zone.count or 0:,}", STRONG)
        if cards and len(cards) <= 8:
            label.append("  ").append_text(_marked(zone, cards, range(len(cards)), canvas)[0])
        return [label]
    if zone.columns is not None:
        return _grid(zone, cards, zone.columns, canvas, boxed)
    if not cards:
        kept = f"{NONE:<6}" if zone.held_in else NONE  # as wide as an offer: nothing beside it moves
        return [label.append(kept if zone.count is None else f"{zone.count:,}", STRONG)]
    if all(card.card is None and not card.gap for card in cards):
        return [label.append(f"{canvas.signs.down} {canvas.signs.times} {len(cards)}", STRONG)]
    return _cards(zone, cards, label, canvas, boxed)


def _dice(zone: Zone, canvas: Canvas) -> str:
    shown = [
        (f"{canvas.signs.dice[die - 1]} " if canvas.signs is FINE else "") + str(die)
        for die in zone.dice or []
    ]
    return "  ".join(shown) if shown else NONE


# Where the pips of a die are, in three rows of three
_PIPS = ("    o    ", "o       o", "o   o   o", "o o   o o", "o o o o o", "o oo oo o")


def _big_dice(zone: Zone, label: Text, canvas: Canvas) -> Lines:
    """Dice drawn with their pips; their place is kept while there are none."""
    lines = [label] + [Text() for _ in range(5)]
    left, right, low_left, low_right, edge, side = list(canvas.signs.box)
    for die in zone.dice or []:
        pips = _PIPS[die - 1].replace("o", canvas.signs.picked)
        rows = [" ".join(pips[at : at + 3]) for at in (0, 3, 6)]
        drawn = [left + edge * 7 + right, *(f"{side} {row} {side}" for row in rows)]
        for line, text in zip(lines[1:], [*drawn, low_left + edge * 7 + low_right], strict=True):
            line.append(text + "  ", STRONG)
    return lines


def _cards(zone: Zone, cards: Sequence[Card], label: Text, canvas: Canvas, boxed: bool) -> Lines:
    """Cards in a row, boxed or as text, wrapped when the row is full."""
    wide, room = _widest(cards, canvas), canvas.width - 2
    if boxed:
        wide = max(wide, 3)
        rows = _rows(len(cards), room // (wide + 4))
        return [label, *(line for row in rows for line in _boxes(zone, cards, row, wide, canvas))]
    beside = room - label.cell_len
    rows = _rows(len(cards), (beside if len(cards) * (wide + 1) < beside else room) // (wide + 1))
    lines = [line for row in rows for line in _marked(zone, cards, row, canvas)]
    if label.cell_len + lines[0].cell_len <= room and len(rows) == 1:
        pad = Text(" " * label.cell_len)
        return [label.append_text(lines[0]), *(pad + line for line in lines[1:])]
    return [label, *lines]


def _rows(number: int, fit: int) -> list[range]:
    """The places of some cards, as many in a row as fit."""
    fit = max(1, fit)
    return [range(at, min(number, at + fit)) for at in range(0, number, fit)]


def _widest(cards: Sequence[Card], canvas: Canvas) -> int:
    return max(cell_len(face(card, canvas.signs)[0]) for card in cards)


def _marked(zone: Zone, cards: Sequence[Card], places: range, canvas: Canvas) -> Lines:
    """Cards in a line of text, with a line of marks if the person points at one of them."""
    line, marks = Text(), Text()
    for place in places:
        text, style = face(cards[place], canvas.signs)
        line.append(text, _touch(style, zone, place, canvas)).append(" ")
        marks.append(_mark(zone, place, canvas).ljust(cell_len(text) + 1), LIT)
    line.rstrip()
    marks.rstrip()
    return [line, marks] if marks else [line]


def _mark(zone: Zone, place: int, canvas: Canvas) -> str:
    here = canvas.signs.here if canvas.cursor == (zone.id, place) else ""
    return here + (canvas.signs.picked if (zone.id, place) in canvas.picked else "")


def _touch(style: Style, zone: Zone, place: int, canvas: Canvas) -> Style:
    """The style of a card, from what can be done with it, and what a click on it does."""
    at = (zone.id, place)
    if canvas.cursor == at:
        style += Style(reverse=True)
    elif at in canvas.lit:
        style += Style(underline=True)
    if at in canvas.click:
        style += Style(meta={"@click": canvas.click[at]})
    return style


def _boxes(zone: Zone, cards: Sequence[Card], places: range, wide: int, canvas: Canvas) -> Lines:
    """Cards as boxes of three lines; a mark lies in the lower edge."""
    top, middle, low = Text(), Text(), Text()
    for place in places:
        text, style = face(cards[place], canvas.signs)
        frame = _touch(Style(), zone, place, canvas)
        left, right, low_left, low_right, edge, side = list(" " * 6 if cards[place].gap else canvas.signs.box)
        mark = _mark(zone, place, canvas)
        top.append(left + edge * (wide + 1) + right, frame).append(" ")
        middle.append(side, frame).append(_centred(text, wide + 1), style + frame).append(side, frame)
        middle.append(" ")
        low.append(low_left + mark.center(wide + 1, edge) + low_right, frame + (LIT if mark else Style()))
        low.append(" ")
    return [top, middle, low]


def _centred(text: str, width: int) -> str:
    left = (width - cell_len(text)) // 2
    return " " * left + text + " " * (width - cell_len(text) - left)


def _grid(zone: Zone, cards: Sequence[Card], columns: int, canvas: Canvas, boxed: bool) -> Lines:
    wide = max(_widest(cards, canvas), 4)
    lines: Lines = []
    for row in _rows(len(cards), columns):
        if boxed:
            lines += _boxes(zone, cards, row, wide, canvas)
            continue
        line = Text()
        for place in row:
            text, style = face(cards[place], canvas.signs)
            line.append(_mark(zone, place, canvas).rjust(2), LIT).append(
                text, _touch(style, zone, place, canvas)
            )
            line.append(" " * (wide - cell_len(text)))
        lines.append(line)
    return lines


def picture(rows: Sequence[PictureRow], canvas: Canvas) -> Lines:
    """Cards and dice of a page to read, with words beside them, or below if there is no room."""
    drawn = [_picture_row(row, canvas) for row in rows]
    at = max((_width(lines) for lines, row in zip(drawn, rows, strict=True) if row.words), default=0) + 2
    found: Lines = []
    for lines, row in zip(drawn, rows, strict=True):
        beside = at + 20 <= canvas.width  # a few words fit there
        words = Text(row.words).wrap(
            Console(width=canvas.width), canvas.width - at if beside else canvas.width
        )
        if beside and row.words:
            top = max(0, (len(lines) - len(words) + 1) // 2)
            lines += [Text() for _ in range(top + len(words) - len(lines))]
            for line, text in zip(lines[top:], words, strict=False):
                line.append(" " * (at - line.cell_len)).append_text(text)
        found += lines if beside or not row.words else [*lines, *words]
    return found


def _picture_row(row: PictureRow, canvas: Canvas) -> Lines:
    """Dice and boxed cards side by side; as text where the screen is too narrow for boxes."""
    zone = Zone("picture", "row", "", None, row.cards)
    places = range(len(row.cards))
    wide = max([3, *(cell_len(face(card, canvas.signs)[0]) for card in row.cards)])
    if len(row.dice) * 6 + len(row.cards) * (wide + 4) > canvas.width:
        line = Text("".join(f"{canvas.signs.dice[die - 1]} " for die in row.dice), STRONG)
        return [line.append_text(_marked(zone, row.cards, places, canvas)[0])]
    left, right, low_left, low_right, edge, side = list(canvas.signs.box)
    number = len(row.dice)
    dice = [
        Text(f"{left}{edge * 3}{right} " * number, STRONG),
        Text("".join(f"{side} {die} {side} " for die in row.dice), STRONG),
        Text(f"{low_left}{edge * 3}{low_right} " * number, STRONG),
    ]
    boxes = _boxes(zone, row.cards, places, wide, canvas)
    return [one.append_text(other) for one, other in zip(dice, boxes, strict=True)]


def ascii_of(text: str) -> str:
    """A text in ASCII of the same width: letters for suits, no accents, `?` for anything else."""
    return "".join(sign if sign.isascii() else _letter(sign) for sign in text.translate(_ALIKE))


def _letter(sign: str) -> str:
    plain = unicodedata.normalize("NFKD", sign)[0]
    return plain if plain.isascii() else "?" * cell_len(sign)
