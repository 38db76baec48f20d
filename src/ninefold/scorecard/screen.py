"""Output: plain lines for pipes, logs and screen readers, or a drawn screen for a terminal.

Both get the same lines and the same position. Neither reads input, and neither knows the file.
"""

from __future__ import annotations

import shutil
import sys
from collections.abc import Sequence
from typing import Protocol, TextIO

from rich.cells import cell_len

from ninefold.scorecard.card import Position
from ninefold.scorecard.entries import Player
from ninefold.scorecard.names import People
from ninefold.scorecard.report import chart, final_page, gain_words, left, right, score_table
from ninefold.scorecard.wording import SEVENS, Line, Tone, amount, round_words, status_lines, winner_words


class Screen(Protocol):
    """What a session needs to show."""

    def show(self, lines: Sequence[Line], at: Position, changed: bool = True) -> None:
        """Show what happened, and the new position."""

    def page(self, lines: Sequence[str], at: Position) -> None:
        """Show a longer text."""

    def scores(self, at: Position) -> None:
        """Show all scores."""

    def chart(self, at: Position) -> None:
        """Draw the scores."""

    def prompt(self, at: Position) -> str:
        """The prompt."""

    def leave(self, lines: Sequence[str]) -> None:
        """The last lines of a session."""


class PlainScreen:
    """Plain lines, one after another, with nothing but letters in them."""

    def __init__(self, out: TextIO, prompting: bool) -> None:
        self._out = out
        self._prompt = "> " if prompting else ""

    def _print(self, lines: Sequence[str]) -> None:
        self._out.write("".join(f"{line}\n" for line in lines))
        self._out.flush()

    def show(self, lines: Sequence[Line], at: Position, changed: bool = True) -> None:
        said = [line.text for line in lines]
        if changed and at.over:
            said += final_page(at)
        elif changed:
            said += status_lines(at)
        self._print(said)

    def page(self, lines: Sequence[str], at: Position) -> None:  # noqa: ARG002 (a page stands by itself)
        self._print(lines)

    def scores(self, at: Position) -> None:
        self._print(score_table(at))

    def chart(self, at: Position) -> None:
        self._print(chart(at))

    def prompt(self, at: Position) -> str:  # noqa: ARG002 (the lines above have said who rolls)
        return self._prompt

    def leave(self, lines: Sequence[str]) -> None:
        self._print(lines)


_DIGITS = {
    "0": "### # # # # # # ###", "1": "##   #   #   #  ###", "2": "###   # ### #   ###",
    "3": "###   # ###   # ###", "4": "# # # # ###   #   #", "5": "### #   ###   # ###",
    "6": "### #   ### # # ###", "7": "###   #   #   #   #", "8": "### # # ### # # ###",
    "9": "### # # ###   # ###",
}  # fmt: skip
_HALVES = {(False, False): " ", (True, False): "▀", (False, True): "▄", (True, True): "█"}
_STYLES = {
    Tone.PLAIN: "", Tone.DOUBLES: "1;30;42", Tone.WARNING: "1;30;43", Tone.BUST: "1;37;41", Tone.GOOD: "32",
    Tone.REFUSED: "33", Tone.ASIDE: "2",
}  # fmt: skip
_LOUD = (Tone.DOUBLES, Tone.WARNING, Tone.BUST)
_BARS = ("30;46", "30;42", "30;43", "30;45", "30;44", "30;47")


def big(text: str) -> list[str]:
    """A number three lines high."""
    rows = ["", "", ""]
    for sign in text:
        if sign not in _DIGITS:
            rows = [row + end for row, end in zip(rows, ("  ", "  ", "▄ "), strict=True)]
            continue
        pixels = [_DIGITS[sign][4 * row : 4 * row + 3] for row in range(5)] + ["   "]
        for row in range(3):
            pairs = zip(pixels[2 * row], pixels[2 * row + 1], strict=True)
            rows[row] += "".join(_HALVES[upper == "#", lower == "#"] for upper, lower in pairs) + " "
    return rows


class TerminalScreen:
    """Draws the card again after every entry, sized to the window."""

    def __init__(self, out: TextIO, title: str, bell: bool = False) -> None:
        self._out = out
        self._title = title
        self._bell = bell
        self._fancy = (out.encoding or "").lower().replace("-", "").startswith("utf")
        self._log: list[Line] = []
        self._fresh = 0  # how many lines at the end of the log are new
        self._asides: list[Line] = []

    def _paint(self, text: str, style: str) -> str:
        return f"\x1b[{style}m{text}\x1b[0m" if style and text else text

    def _size(self) -> tuple[int, int]:
        columns, lines = shutil.get_terminal_size()
        return max(columns, 20), max(lines, 8)

    def show(self, lines: Sequence[Line], at: Position, changed: bool = True) -> None:
        if changed:
            self._log = (self._log + list(lines))[-100:]
            self._fresh = len(lines)
            self._asides = []
        else:
            self._asides = list(lines)
        ring = self._bell and changed and any(line.tone in _LOUD for line in lines)
        self._show(self._drawn(at), ring)

    def page(self, lines: Sequence[str], at: Position) -> None:  # noqa: ARG002 (every screen's shape)
        self._show([*lines, "", self._paint("Enter goes back to the card; or type the next entry.", "2")])

    def scores(self, at: Position) -> None:
        self.page(score_table(at, self._size()[0]), at)

    def chart(self, at: Position) -> None:
        self.page(self._chart(at), at)

    def _chart(self, at: Position) -> list[str]:
        return chart(at, self._size()[0], lambda text, number: self._paint(text, _BARS[number % len(_BARS)]))

    def leave(self, lines: Sequence[str]) -> None:
        self._out.write("".join(f"{line}\n" for line in lines))
        self._out.flush()

    def prompt(self, at: Position) -> str:
        if at.over:
            return "game over> "
        return "> " if at.roller is None else f"{at.names[at.roller]} rolls> "

    def _show(self, lines: Sequence[str], ring: bool = False) -> None:
        home = "\x1b[H\x1b[2J\x1b[3J" if sys.platform == "win32" else "\x1b[H\x1b[J"
        self._out.write(home + ("\a" if ring else "") + "".join(f"{line}\n" for line in lines))
        self._out.flush()

    def _drawn(self, at: Position) -> list[str]:
        width, height = self._size()
        rows = self._bar(at, width)
        if at.over:
            body = [*final_page(at, width)[:-1], "", *self._chart(at)]
            room = max(3, height - len(rows) - 6)
            body = body if len(body) <= room else body[:room]
            hint = f"undo   show 2   fix 2.5 36   export scores.csv   rounds {at.number + 1} plays on   quit"
            rows += [self._paint(f" {winner_words(at)} ".ljust(width), _STYLES[Tone.DOUBLES]), "", *body]
        else:
            hint = "34 roll   d5 doubles   7 seven   a name cashes out   all   undo   ? help"
            compact = width < 60 or not self._fancy or len(at.names) > height - 14
            rows += ["", *self._total(at, compact), ""]
            rows += [*self._table(at, width, height - len(rows) - 6), ""]
        said = self._said(width, height - len(rows) - 3)
        rows += [""] * (height - len(rows) - len(said) - 3) + said  # the prompt keeps its place
        return [*rows, self._paint(left(hint, width - 1).rstrip(), "2")]

    def _bar(self, at: Position, width: int) -> list[str]:
        start = f" DOUBLES   {round_words(at) if not at.over else 'The end'}"
        room = width - cell_len(start) - 2
        title = f"{self._title}, saved" if cell_len(self._title) + 7 < room else ""
        return [self._paint(f"{start} {right(title, room)} ", "7")]

    def _total(self, at: Position, compact: bool) -> list[str]:
        number = amount(at.total)
        boxes = " ".join("[7]" if count < at.sevens else "[ ]" for count in range(SEVENS))
        edge = at.sevens == SEVENS - 1
        alarm = "1;31" if edge else "1"
        note = self._paint("the next seven ends the round", "1;31") if edge else ""
        if compact or len(number) > 13:
            return [f"  TOTAL {self._paint(number, '1')}    SEVENS {self._paint(boxes, alarm)} {note}"]
        digits = [self._paint(row, "1;36") for row in big(number)]
        return [
            f"  TOTAL  {digits[0]}   SEVENS",
            f"         {digits[1]}   {self._paint(boxes, alarm)}",
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
        spare = width - (names + total + 5 + 14)
        shown: list[tuple[int, int]] = []
        for number in range(len(at.past), 0, -1):
            size = max(len(f"R{number}"), *(cell_len(gain_words(at, number, player)) for player in at.names))
            if (spare := spare - size - 2) < 0:
                break
            shown.insert(0, (number, size))
        head = f"   {left('', names)}  {right('Score', total)}"
        head += "".join(f"  {right(f'R{number}', size)}" for number, size in shown) + "  this round"
        rows = [self._paint(head.rstrip(), "2")]
        keys = People(at.present).keys()
        best = max(at.scores.values())
        for player, name in at.names.items():
            pointer = (
                self._paint(" \u25b6 " if self._fancy else " > ", "1;36") if player == at.roller else "   "
            )
            score = right(amount(at.scores[player]), total)
            score = self._paint(score, "1") if at.scores[player] == best > 0 else score
            gains = "".join(f"  {right(gain_words(at, number, player), size)}" for number, size in shown)
            now, style = self._now(at, player)
            called = self._keyed(left(name, names), keys.get(player, 0), player in at.inside)
            rows.append(f"{pointer}{called}  {score}{gains}  {self._paint(now, style)}")
        return rows

    def _keyed(self, name: str, key: int, inside: bool) -> str:
        """A name, with the letters underlined that are enough to type."""
        if not inside:
            return self._paint(name, "2")
        return self._paint(name[:key], "1;4") + name[key:]

    def _grid(self, at: Position, width: int, room: int) -> list[str]:
        """Many players side by side: names, scores and who is in; if too many, only those who roll next."""
        total = max(cell_len(amount(score)) for score in at.scores.values())
        column = 3 + 12 + 1 + total + 5
        across = max(1, width // column)
        fits = max(1, room) * across
        seats = list(at.names)
        roller = at.roller
        if len(seats) > fits:
            fits = max(1, room - 1) * across
            start = seats.index(roller) if roller is not None else 0
            shown = (seats[start:] + seats[:start])[:fits]
        else:
            shown = seats
        cells = []
        for player in shown:
            mark = " > " if player == roller else "   "
            state = "in" if player in at.inside else "out"
            cell = f"{mark}{left(at.names[player], 12)} {right(amount(at.scores[player]), total)} {state:<4}"
            cells.append(self._paint(cell, "" if player in at.inside else "2"))
        deep = -(-len(cells) // across)
        rows = ["".join(cells[row::deep]) for row in range(deep)]
        if len(shown) < len(seats):
            rows.append(f"   {len(at.inside):,} of {len(seats):,} are in; scores lists the leaders")
        return rows

    def _said(self, width: int, room: int) -> list[str]:
        """The latest messages: new ones in full (important ones as banners), older ones if they fit."""
        split = len(self._log) - (0 if self._asides else self._fresh)
        new = [row for line in [*self._log[split:], *self._asides] for row in self._rows(line, width)]
        old = [
            " " + self._paint(part, "2")
            for line in self._log[:split]
            for part in _wrapped(line.text, width - 2)
        ]
        room = max(1, room)
        return new[:room] if len(new) >= room else (old + new)[-room:]

    def _rows(self, line: Line, width: int) -> list[str]:
        parts = _wrapped(line.text, width - 2)
        if line.tone in _LOUD:
            return [self._paint(left(f" {part}", width), _STYLES[line.tone]) for part in parts]
        return [" " + self._paint(part, _STYLES[line.tone]) for part in parts]


def _wrapped(text: str, width: int) -> list[str]:
    rows = [""]
    for word in text.split(" "):
        if rows[-1] and cell_len(rows[-1]) + 1 + cell_len(word) > width:
            rows.append(word)
        else:
            rows[-1] = f"{rows[-1]} {word}" if rows[-1] else word
    return rows
