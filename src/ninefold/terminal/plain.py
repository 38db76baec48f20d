"""Play as plain lines: complete for screen readers, pipes and terminals that can do nothing else."""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass
from itertools import islice

from ninefold.engine.registry import rules_page
from ninefold.kernel.errors import NinefoldError
from ninefold.kernel.model import Part, View, obey
from ninefold.terminal.asking import every_move
from ninefold.terminal.match import Match
from ninefold.terminal.paint import describe, named

SHOWN = 30  # moves listed at once
HELP = """Type a move as it is listed, or its number. Besides:
  moves          all that you can do now
  table          the table as you see it
  log            what has happened so far
  why MOVE       whether you can do it, and which rule says so
  hint           what the hard bot would do in your place
  order N [NUM]  give a standing order (orders lists them; order off ends it)
  undo           take back your last decision
  rules          the rules of the game
  quit           leave; the match is saved, `ninefold play --resume` goes on with it"""


@dataclass
class Order:
    """A standing order that a person has given."""

    part: Part
    number: int | None = None

    def move(self, view: View) -> str | None:
        current = next((part for part in view["orders"] if part["id"] == self.part["id"]), None)
        return obey(current, view, self.number) if current else None


class PlainTable:
    """The people of a match, asked line by line."""

    def __init__(self, match: Match, read: Callable[[str], str], say: Callable[[str], None]) -> None:
        self.match = match
        self.read = read
        self.say = say
        self.orders: dict[int, Order] = {}
        self.at: int | None = None  # whose eyes the screen is for
        self.described: list[str] = []
        self.told: dict[int | None, int] = dict.fromkeys(match.viewers, 0)

    def run(self) -> bool:
        """Play until the match is over (True) or somebody leaves (False)."""
        match = self.match
        if len(match.people) == 1:
            self.at = match.people[0]
        if not match.people:
            self.at = None
        while not match.over:
            if match.next_bot is not None:
                match.step_bot()
                continue
            seat = match.awaited[0]
            try:
                self._face(seat)
                if not self._ask(seat):
                    return False
            except EOFError:
                return False
        self._tell()
        scores = ", ".join(
            f"{name} {score:,}" for name, score in zip(match.names, match.state.scores, strict=True)
        )
        self.say(f"Final scores: {scores}.")
        return True

    def _face(self, seat: int) -> None:
        """Pass the screen on where somebody else is to see it."""
        if self.at != seat:
            self._tell()
            if self.match.game.facts.hidden:
                self.read(f"Pass the screen to {self.match.names[seat]} and press Enter. ")
                if sys.stdout.isatty():
                    self.say("\n" * 60)
            self.at = seat
            self.described = []
        self._tell()

    def _tell(self) -> None:
        """What has happened since this person was last told."""
        log = self.match.logs[self.at]
        start = min(self.told[self.at], len(log))
        for event in log[start:]:
            if not event.get("quiet"):
                self.say(event["text"])
        self.told[self.at] = len(log)

    def _ask(self, seat: int) -> bool:
        view = self.match.view(seat)
        standing = self.orders.get(seat)
        if standing and (move := standing.move(view)):
            self.match.play(seat, move)
            return True
        lines = describe(view, self.match.names)
        for line in lines:
            if line not in self.described:  # what has not changed need not be heard again
                self.say(line)
        self.described = lines
        self._list(view, SHOWN)
        while True:
            prompt = named(view["prompt"], self.match.names)
            line = self.read(f"{self.match.names[seat]}: {prompt} > ").strip()
            if line.lower() in ("quit", "q", "exit"):
                return False
            try:
                if self._answer(seat, view, line):
                    return True
            except NinefoldError as error:
                text = named(str(error), self.match.names)
                self.say(text[:1].upper() + text[1:] + ("" if text.endswith((".", "?", "!")) else "."))

    def _list(self, view: View, most: int) -> None:
        moves = list(islice(every_move(view), most + 1))
        for number, (move, label) in enumerate(moves[:most], 1):
            plain = "" if not label or label.lower() == move else f"  ({label})"
            self.say(f"  {number}. {move}{plain}")
        if len(moves) > most:
            self.say("  … and more: `moves` lists them all.")

    def _answer(self, seat: int, view: View, line: str) -> bool:
        """Deal with a line; True where the person has decided or the position has changed."""
        word, _, rest = line.partition(" ")
        match word.lower():
            case "":
                return False
            case "help" | "?":
                self.say(HELP)
            case "moves":
                self._list(view, 10_000)
            case "table":
                for text in describe(view, self.match.names):
                    self.say(text)
            case "log":
                for event in self.match.logs[seat]:
                    self.say(event["text"])
            case "rules":
                self.say(rules_page(self.match.game.name).rstrip())
            case "hint":
                found = self.match.hint(seat)
                self.say(f"The hard bot would play: {found.move}. {found.why}")
            case "why":
                self.match.check(seat, rest)
                self.say(f"You can: {rest} is possible now.")
            case "undo":
                self.match.undo(seat)
                self.orders.pop(seat, None)
                self.told[seat] = len(self.match.logs[seat])
                self.say("Taken back.")
                return True
            case "orders" | "order":
                return self._order(seat, view, rest)
            case _:
                self.match.play(seat, self._move(view, line))
                return True
        return False

    def _move(self, view: View, line: str) -> str:
        """A move by its number in the list, or as it was typed."""
        if line.isdigit():
            chosen = next(islice(every_move(view), max(0, int(line) - 1), None), None)
            if int(line) >= 1 and chosen and not chosen[0].endswith(" N"):
                return chosen[0]
        return line

    def _order(self, seat: int, view: View, rest: str) -> bool:
        words = rest.split()
        if words[:1] == ["off"]:
            self.orders.pop(seat, None)
            self.say("No standing order any more.")
            return False
        if not words or not words[0].isdigit() or not 1 <= int(words[0]) <= len(view["orders"]):
            for number, part in enumerate(view["orders"], 1):
                self.say(f"  order {number}{' NUMBER' if part['ask'] else ''}: {part['label']}")
            if not view["orders"]:
                self.say("This game has no standing orders.")
            return False
        part = view["orders"][int(words[0]) - 1]
        bound = int(words[1]) if len(words) > 1 and words[1].isdigit() else None
        if part["ask"] and bound is None:
            self.say(f"{part['label']} needs a number: order {words[0]} 400.")
            return False
        self.orders[seat] = Order(part, bound)
        self.say(f"{part['label']}{f' {bound:,}' if bound is not None else ''}: until `order off`.")
        return True
