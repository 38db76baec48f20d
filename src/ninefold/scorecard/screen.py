"""Output: plain lines for pipes, logs and screen readers, or a drawn screen for a terminal.

Both get the same lines and the same position. Neither reads input, and neither knows the file.
"""

from __future__ import annotations

import shutil
import sys
from collections.abc import Callable, Sequence
from typing import TextIO

from rich.cells import cell_len
from rich.console import Console
from rich.text import Text

from ninefold.scorecard.card import Position
from ninefold.scorecard.entries import Player
from ninefold.scorecard.names import People
from ninefold.scorecard.report import chart, final_page, left, right, round_rows, score_table
from ninefold.scorecard.wording import SEVENS, Line, amount, round_words, status_lines, winner_words


class PlainScreen:
    """Plain lines, one after another, with nothing but letters in them."""

    def __init__(self, out: TextIO, prompt: str = "") -> None:
        self._out = out
        self._prompt = prompt

    def show(self, lines: Sequence[Line], at: Position, changed: bool = True) -> None:
        """Show what happened, and the new position."""
        position = final_page(at) if at.over else status_lines(at)
        self.page([*(line.text for line in lines), *(position if changed else ())])

    def page(self, lines: Sequence[str]) -> None:
        """Show a longer text."""
        self.write(lines)

    def go_on(self, at: Position) -> None:
        """What an empty line shows: the card as it is."""
        self.show([], at)

    def scores(self, at: Position) -> None:
        self.page(score_table(at))

    def chart(self, at: Position) -> None:
        self.page(chart(at))

    def redraw(self, typed: str) -> None:
        """The window has another size: draw everything again, up to what is being typed.

        Lines that are printed stay as they are.
        """

    def prompt(self, at: Position) -> str:  # noqa: ARG002 (the lines above have said who rolls)
        return self._prompt

    def write(self, lines: Sequence[str], before: str = "") -> None:
        """Write lines as they are."""
        self._out.write(before + "".join(f"{line}\n" for line in lines))
        self._out.flush()


_STYLES = {
    "doubles": "1;30;42",
    "warning": "1;30;43",
    "bust": "1;37;41",
    "good": "32",
    "refused": "33",
    "aside": "2",
}
_LOUD = ("doubles", "warning", "bust")
_BARS = ("30;46", "30;42", "30;43", "30;45", "30;44", "30;47")


def _paint(text: str, style: str) -> str:
    return f"\x1b[{style}m{text}\x1b[0m" if style and text else text


def _size() -> tuple[int, int]:
    columns, lines = shutil.get_terminal_size()
    return max(columns, 20), max(lines, 8)


def _big(text: str) -> list[str]:
    """A number three lines high."""
    from textual.renderables.digits import Digits

    console = Console(width=sum(3 if sign.isdigit() else 1 for sign in text))
    lines = console.render_lines(Digits(text, "bold"))
    return ["".join(segment.text for segment in line) for line in lines]


class TerminalScreen(PlainScreen):
    """Draws the card again after every entry, sized to the window."""

    def __init__(self, out: TextIO, title: str, bell: bool = False) -> None:
        super().__init__(out)
        self._title = title
        self._bell = bell
        self._fancy = (out.encoding or "").lower().replace("-", "").startswith("utf")
        self._log: list[Line] = []
        self._fresh = 0  # how many lines at the end of the log are new
        self._asides: list[Line] = []
        self._rest: list[str] = []  # what did not fit on a page
        self._again: Callable[[], None] = lambda: None  # draws what is on the screen once more

    def show(self, lines: Sequence[Line], at: Position, changed: bool = True) -> None:
        self._rest = []
        self._asides = [] if changed else list(lines)
        if changed:
            self._log = (self._log + list(lines))[-100:]
            self._fresh = len(lines)
        ring = self._bell and changed and any(line.tone in _LOUD for line in lines)
        self._draw(self._drawn(at), "\a" if ring else "")
        self._again = lambda: self._draw(self._drawn(at))

    def redraw(self, typed: str) -> None:
        self._again()
        self.write([], typed)

    def page(self, lines: Sequence[str]) -> None:
        """Show a longer text, as much of it as fits; Enter shows the rest."""
        self._again = lambda: self.page(lines)
        room = _size()[1] - 3
        self._rest = list(lines[room:]) if len(lines) > room else []
        hint = "Enter shows the rest" if self._rest else "Enter goes back to the card"
        self._draw([*lines[:room], "", _paint(f"{hint}; or type the next entry.", "2")])

    def go_on(self, at: Position) -> None:
        if self._rest:
            self.page(self._rest)
        else:
            self.show([], at)

    def scores(self, at: Position) -> None:
        self.page(score_table(at, _size()[0]))
        self._again = lambda: self.scores(at)

    def chart(self, at: Position) -> None:
        self.page(self._chart(at))
        self._again = lambda: self.chart(at)

    def _chart(self, at: Position) -> list[str]:
        return chart(at, _size()[0], lambda text, number: _paint(text, _BARS[number % len(_BARS)]))

    def prompt(self, at: Position) -> str:
        if at.over:
            return "game over> "
        return "> " if at.roller is None else f"{at.names[at.roller]} rolls> "

    def _draw(self, lines: Sequence[str], ring: str = "") -> None:
        self.write(lines, ("\x1b[H\x1b[2J\x1b[3J" if sys.platform == "win32" else "\x1b[H\x1b[J") + ring)

    def _drawn(self, at: Position) -> list[str]:
        width, height = _size()
        rows = self._bar(at, width)
        if at.over:
            body = self._final(at, width, max(3, height - len(rows) - 6))
            hint = f"undo   show 2   fix 2.5 36   export scores.csv   rounds {at.number + 1} plays on   quit"
            rows += [_paint(f" {winner_words(at)} ".ljust(width), _STYLES["doubles"]), "", *body]
        else:
            hint = "34 roll   d5 doubles   7 seven   a name cashes out   all   undo   ? help"
            compact = width < 60 or not self._fancy or len(at.names) > height - 14
            rows += ["", *self._total(at, compact), ""]
            rows += [*self._table(at, width, height - len(rows) - 6), ""]
        said = self._said(width, self._make_room(rows, width, height))
        rows += [""] * (height - len(rows) - len(said) - 3) + said  # the prompt keeps its place
        return [*rows, _paint(left(hint, width - 1).rstrip(), "2")]

    def _make_room(self, rows: list[str], width: int, height: int) -> int:
        """How many lines the messages get; the card's empty lines go first if new ones need them."""
        new = sum(len(self._rows(line, width)) for line in self._new())
        for at in reversed([at for at, row in enumerate(rows) if not row]):
            if height - len(rows) - 3 < new:
                del rows[at]
        return height - len(rows) - 3

    def _new(self) -> list[Line]:
        """What has just happened, or an answer to what was asked."""
        return self._asides or self._log[len(self._log) - self._fresh :]

    def _bar(self, at: Position, width: int) -> list[str]:
        start = f" DOUBLES   {round_words(at) if not at.over else 'The end'}"
        room = width - cell_len(start) - 2
        title = f"{self._title}, saved" if cell_len(self._title) + 7 < room else ""
        return [_paint(f"{start} {right(title, room)} ", "7")]

    def _final(self, at: Position, width: int, room: int) -> list[str]:
        """The standings, and the chart if all of it fits."""
        table, bars = final_page(at, width)[:-1], self._chart(at)
        if len(table) + len(bars) < room:
            return [*table, "", *bars]
        if len(table) <= room:
            return table
        return [*table[: room - 1], f"... and {len(table) - room + 1:,} more: type scores"]

    def _total(self, at: Position, compact: bool) -> list[str]:
        number = amount(at.total)
        boxes = " ".join("[7]" if count < at.sevens else "[ ]" for count in range(SEVENS))
        edge = at.sevens == SEVENS - 1
        alarm = "1;31" if edge else "1"
        note = _paint("the next seven ends the round", "1;31") if edge else ""
        if compact or len(number) > 13:
            return [f"  TOTAL {_paint(number, '1')}    SEVENS {_paint(boxes, alarm)} {note}"]
        digits = [_paint(row, "1;36") for row in _big(number)]
        return [
            f"  TOTAL  {digits[0]}   SEVENS",
            f"         {digits[1]}   {_paint(boxes, alarm)}",
            f"         {digits[2]}   {note}",
        ]

    def _now(self, at: Position, player: Player) -> tuple[str, str]:
        """A player's standing in this round, and its style."""
        if player in at.inside:
            return "in", "1"
        if player in at.gains:
            return f"+{amount(at.gains[player])}", "32"
        return ("left" if player in at.away else "next round"), "2"

    def _table(self, at: Position, width: int, room: int) -> list[str]:
        if len(at.names) + 1 > room:
            return self._grid(at, width, room)
        names = min(max(*map(cell_len, at.names.values()), 6), 20)
        total = max(5, *(cell_len(amount(score)) for score in at.scores.values()))
        titles, *rounds = round_rows(at, list(at.names), width - (names + total + 5 + 14))
        head = f"{'':{3 + names}}  {right('Score', total)}{titles}  this round"
        rows = [_paint(head, "2")]
        keys = People(at.present).keys()
        best = max(at.scores.values())
        pointer = _paint(" \u25b6 " if self._fancy else " > ", "1;36")
        for (player, name), gains in zip(at.names.items(), rounds, strict=True):
            mark = pointer if player == at.roller else "   "
            score = right(amount(at.scores[player]), total)
            score = _paint(score, "1") if at.scores[player] == best > 0 else score
            now, style = self._now(at, player)
            shown, key = left(name, names), keys.get(player, 0)
            # The letters that are enough to type are underlined.
            shown = _paint(shown[:key], "1;4") + shown[key:] if player in at.inside else _paint(shown, "2")
            rows.append(f"{mark}{shown}  {score}{gains}  {_paint(now, style)}")
        return rows

    def _grid(self, at: Position, width: int, room: int) -> list[str]:
        """Many players side by side: names, scores and who is in; if too many, only those who roll next."""
        total = max(cell_len(amount(score)) for score in at.scores.values())
        column = 3 + 12 + 1 + total + 5
        across = max(1, width // column)
        roller, seats = at.roller, list(at.names)
        shown = seats
        if len(seats) > max(1, room) * across:
            start = seats.index(roller) if roller is not None else 0
            shown = (seats[start:] + seats[:start])[: max(1, room - 1) * across]
        cells = []
        for player in shown:
            mark = " > " if player == roller else "   "
            state = "in" if player in at.inside else "out"
            cell = f"{mark}{left(at.names[player], 12)} {right(amount(at.scores[player]), total)} {state:<4}"
            cells.append(_paint(cell, "" if player in at.inside else "2"))
        deep = -(-len(cells) // across)
        rows = ["".join(cells[row::deep]) for row in range(deep)]
        if len(shown) < len(seats):
            rows.append(f"   {len(at.inside):,} of {len(seats):,} are in; scores lists the leaders")
        return rows

    def _said(self, width: int, room: int) -> list[str]:
        """The latest messages: new ones in full (important ones as banners), older ones if they fit."""
        split = len(self._log) - (0 if self._asides else self._fresh)
        new = [row for line in self._new() for row in self._rows(line, width)]
        old = [row for line in self._log[:split] for row in self._rows(Line(line.text, "aside"), width)]
        room = max(1, room)
        return new[:room] if len(new) >= room else (old + new)[-room:]

    def _rows(self, line: Line, width: int) -> list[str]:
        style = _STYLES.get(line.tone, "")
        parts = _wrapped(line.text, width - 2)
        if line.tone in _LOUD:
            return [_paint(left(f" {part}", width), style) for part in parts]
        return [" " + _paint(part, style) for part in parts]


def _wrapped(text: str, width: int) -> list[str]:
    return [line.plain.rstrip() for line in Text(text).wrap(Console(), width)]
