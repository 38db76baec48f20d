"""Play as plain lines: everything a match needs, for screen readers, pipes and simple terminals."""

from __future__ import annotations

import sys
from collections.abc import Callable
from itertools import islice

from ninefold.engine.registry import rules_page
from ninefold.kernel.errors import NinefoldError
from ninefold.model.labels import move_label
from ninefold.model.text import render
from ninefold.model.view import View
from ninefold.terminal.actions import StandingOrder, every_move
from ninefold.terminal.console import page_folded
from ninefold.terminal.ending import moments, standings
from ninefold.terminal.margins import is_listed
from ninefold.terminal.pages import in_plain_lines
from ninefold.terminal.table import Table
from ninefold.terminal.wording import describe, error_text, hint_words

SHOWN = 30  # moves listed at once
HELP = """Type a move as it is listed, or its number. You can also type:
  moves          list everything you can do now
  table          show the table as you see it
  log            show what has happened so far
  MOVE?          ask whether a move is allowed, and which rule says so (or: why MOVE)
  hint           show what the hard bot would do in your place
  order N [NUM]  start the autopilot (`orders` lists what it can do, `order off` stops it)
  undo           undo your last decision
  rules          show how the game is played; `rules all` shows every rule
  quit           leave; the match is saved, and `ninefold play --resume` continues it"""


class LineTable:
    """A match played line by line."""

    def __init__(self, table: Table, read: Callable[[str], str], say: Callable[[str], None]) -> None:
        self.table = table
        self.names = table.names
        self.read = read
        self.say = say
        self.at: int | None = None  # who is looking at the screen
        self.described: list[str] = []
        self.heard: dict[int | None, int] = dict.fromkeys(table.viewers, 0)

    def run(self) -> bool:
        """Play until the match is over (True) or a person leaves (False)."""
        table = self.table
        if len(table.people) == 1:
            self.at = table.people[0]
        while not table.over:
            if table.next_bot is not None:
                table.step_bot()
                continue
            seat = table.awaited[0]
            try:
                self._face(seat)
                if not self._ask(seat):
                    return False
            except EOFError:
                return False
        self._tell()
        for why, words in moments(table, self.at):
            self.say(f"{why}: {words}")
        unit = table.game.facts.unit
        lines = standings(table.view(None), self.names, unit)
        between = " " if unit else ": "
        self.say(f"Final scores: {', '.join(name + between + score for _, __, name, score in lines)}.")
        return True

    def _face(self, seat: int) -> None:
        """Ask to pass the screen if another person has to see it."""
        if self.at != seat:
            self._tell()
            if self.table.game.facts.hidden:
                self.read(f"Pass the screen to {self.names[seat]} and press Enter. ")
                if sys.stdout.isatty():
                    self.say("\n" * 60)
            self.at = seat
            self.described = []
        self._tell()

    def _tell(self) -> None:
        """Print what has happened since this person last looked."""
        log = self.table.log(self.at)
        for event in log[min(self.heard[self.at], len(log)) :]:
            if is_listed(event):
                self.say(render(event.text, self.names, self.at))
        self.heard[self.at] = len(log)

    def _ask(self, seat: int) -> bool:
        if self.table.obey(seat):
            return True
        view = self.table.view(seat)
        lines = describe(view, self.names)
        for line in lines:
            if line not in self.described:  # do not repeat what has not changed
                self.say(line)
        self.described = lines
        self._list(view, SHOWN)
        prompt = f"{self.names[seat]}: {render(view.prompt, self.names)} > "
        while True:
            line = self.read(prompt).strip()
            if line.lower() in ("quit", "q", "exit"):
                return False
            try:
                if self._answer(seat, view, line):
                    return True
            except NinefoldError as error:
                self.say(error_text(error, self.names))

    def _list(self, view: View, most: int) -> None:
        moves = list(islice(every_move(view, self.names), most + 1))
        for number, (move, label) in enumerate(moves[:most], 1):
            plain = "" if not label or label.lower() == move else f"  ({label})"
            self.say(f"  {number}. {move}{plain}")
        if len(moves) > most:
            self.say("  … and more: `moves` lists them all.")

    def _answer(self, seat: int, view: View, line: str) -> bool:
        """Handle a line; True if the person has decided or the position has changed."""
        word, _, rest = line.partition(" ")
        match word.lower():
            case "":
                return False
            case "help" | "?":
                self.say(HELP)
            case "moves":
                self._list(view, 10_000)
            case "table":
                for text in describe(view, self.names):
                    self.say(text)
            case "log":
                for event in filter(is_listed, self.table.log(seat)):
                    self.say(render(event.text, self.names, seat))
            case "rules":
                every = rest.strip().lower() == "all"
                self.say(
                    page_folded((rules_page if every else in_plain_lines)(self.table.game.name)).rstrip()
                )
            case "hint":
                found = self.table.hint(seat)
                self.say(hint_words(move_label(view, found.move, self.names), found, found.move))
            case "why":
                self.table.state.admit(seat, self.table.as_typed(seat, rest))
                self.say(f"Yes: {rest} is possible now.")
            case _ if line.endswith("?"):
                return self._answer(seat, view, f"why {line.rstrip('? ')}")
            case "undo":
                self.table.undo(seat)
                self.heard[seat] = len(self.table.log(seat))
                self.say("Undone.")
                return True
            case "orders" | "order":
                return self._order(seat, view, rest)
            case _:
                self.table.play(seat, self.table.as_typed(seat, self._move(view, line)))
                return True
        return False

    def _move(self, view: View, line: str) -> str:
        """A move by its number in the list, or as it was typed."""
        if line.isdecimal() and len(line) < 6 and int(line) >= 1:
            chosen = next(islice(every_move(view, self.names), int(line) - 1, None), None)
            if chosen and not chosen[0].endswith(" N"):
                return chosen[0]
        return line

    def _order(self, seat: int, view: View, rest: str) -> bool:
        words = rest.split()
        if words[:1] == ["off"]:
            self.table.orders.pop(seat, None)
            self.say("The autopilot is off.")
            return False
        if not words or not words[0].isdecimal() or not 1 <= int(words[0]) <= len(view.orders):
            self._list_orders(view)
            return False
        order = view.orders[int(words[0]) - 1]
        label = render(order.label, self.names)
        bound = int(words[1]) if len(words) > 1 and words[1].isdecimal() else None
        if order.ask and bound is None:
            self.say(f"{label} needs a number: order {words[0]} 400.")
            return False
        self.table.orders[seat] = StandingOrder(order, bound)
        self.say(f"Autopilot: {self.table.orders[seat].words(self.names)}. `order off` stops it.")
        return True

    def _list_orders(self, view: View) -> None:
        for number, order in enumerate(view.orders, 1):
            asks = " NUMBER" if order.ask else ""
            self.say(f"  order {number}{asks}: {render(order.label, self.names)}")
        if not view.orders:
            self.say("This game has no autopilot.")
