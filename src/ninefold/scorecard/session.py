"""One session with a score card: read a line, plan the step, store it, and only then take and show it.

Only connects the parts: reading, planning, storage and display are in other modules.
"""

from __future__ import annotations

import os
import shlex
import signal
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from random import SystemRandom

from ninefold.files.journal import Journal, NotSavedError, path_words
from ninefold.kernel.errors import IllegalMove, NinefoldError
from ninefold.scorecard.card import Card, Chance
from ninefold.scorecard.reading import HELP, Request, Show, read
from ninefold.scorecard.report import export
from ninefold.scorecard.screen import PlainScreen
from ninefold.scorecard.steps import take
from ninefold.scorecard.storage import folder, line_of
from ninefold.scorecard.wording import Line, event_lines, round_listing, rounds_words, sentence

_DICE = SystemRandom()
_MOMENT = 0.1  # seconds


@contextmanager
def on_resize(redraw: Callable[[], None]) -> Iterator[None]:
    """Do something whenever the window of a terminal gets another size."""
    number = getattr(signal, "SIGWINCH", None)
    if number is None or threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(number, lambda *_: redraw())
    ends = os.pipe()
    os.set_blocking(ends[1], False)
    noted = signal.set_wakeup_fd(ends[1], warn_on_full_buffer=False)
    nudging = threading.Thread(target=_nudge, args=(ends[0], number, threading.get_ident()), daemon=True)
    nudging.start()
    try:
        yield
    finally:
        signal.set_wakeup_fd(noted)
        signal.signal(number, before)
        os.write(ends[1], _END)
        nudging.join()
        for end in ends:
            os.close(end)


_END = b"\0"  # no signal has this number


def _nudge(noted: int, number: int, thread: int) -> None:
    """Send a signal that has come once more, a moment later.

    One that comes just as a key is read does not interrupt the waiting for the next key, so that nothing
    would be drawn until then.
    """
    own = 0
    while (sign := os.read(noted, 1)) not in (_END, b""):
        if sign[0] != number:
            continue
        if own:
            own -= 1
            continue
        time.sleep(_MOMENT)
        own += 1
        signal.pthread_kill(thread, number)


def _typed() -> str:
    """What stands in the line that is being typed."""
    with suppress(ImportError):
        import readline

        return readline.get_line_buffer()
    return ""


class Session:
    """A card, its file and its screen."""

    def __init__(self, card: Card, journal: Journal, screen: PlainScreen, chance: Chance) -> None:
        self.card = card
        self.journal = journal
        self.screen = screen
        self.chance = chance
        self.asking: str | None = None  # the prompt at which a line is awaited

    def run(self) -> None:
        """Read lines until the person quits or the input ends."""
        self.screen.show(self.opening(), self.card.position)
        with on_resize(self._redraw):
            while True:
                try:
                    line = self._ask()
                except EOFError:
                    return
                if not self.handle(line):
                    return

    def _ask(self) -> str:
        self.asking = self.screen.prompt(self.card.position)
        try:
            return input(self.asking)
        finally:
            self.asking = None

    def _redraw(self) -> None:
        """Draw the screen again, and what has been typed so far."""
        if self.asking is not None:
            self.screen.redraw(self.asking + _typed())

    def handle(self, line: str) -> bool:
        """Handle a typed line; False when the person quits."""
        try:
            match read(line, self.card):
                case Request("quit"):
                    return False
                case Request("roll"):
                    self.handle(f"{_DICE.randint(1, 6)} {_DICE.randint(1, 6)}")
                case Request(word, file):
                    self._answer(word, file)
                case Show(number, fixing):
                    self._show_round(number or self.card.position.number, fixing)
                case asked:
                    taken = take(self.card, asked, self.chance)
                    self.journal.append(line_of(self.card, taken))
                    self.card = taken.card
                    self.screen.show(taken.lines, self.card.position)
        except NotSavedError as error:
            self._aside(
                Line(f"Not saved: {error}; nothing changed. Try again when there is space.", "refused")
            )
        except NinefoldError as error:
            self._aside(Line(sentence(error), "refused"))
        return True

    def _aside(self, line: Line) -> None:
        self.screen.show([line], self.card.position, changed=False)

    def _answer(self, word: str, file: str) -> None:
        at = self.card.position
        match word:
            case "help":
                self.screen.page(HELP.splitlines())
            case "scores":
                self.screen.scores(at)
            case "chart":
                self.screen.chart(at)
            case "export":
                path = Path(file).expanduser()
                export(at, path, own=self.journal.path)
                self._aside(Line(f"Exported to {path_words(path)}", "good"))
            case _:
                self.screen.go_on(at)

    def _show_round(self, number: int, fixing: bool) -> None:
        now = self.card.position.number
        if not 1 <= number <= now:
            raise IllegalMove(f"There is no round {number} yet; this is round {now}")
        lines = round_listing(self.card, number)
        if fixing:
            one = f"fix {number}.1"
            lines.append(f"Now type {one} 36, {one} delete, {one} insert bob, or fix {number} bob=400.")
        self.screen.page(lines)

    def resume_words(self) -> str:
        """How to come back to this card."""
        path = self.journal.path
        ours = path.parent.resolve() == folder().resolve()
        return (
            f"Saved. Continue with: ninefold score --resume {shlex.quote(path.stem if ours else str(path))}"
        )

    def opening(self) -> list[Line]:
        """The first lines of a session."""
        at = self.card.position
        who = at.listed(at.names) + ("" if len(at.names) > 1 else " alone")
        rounds = rounds_words(at.low, at.high)
        lines = [Line(f"Doubles, {rounds}: {who}.")]
        if len(self.journal.lines) > 1:
            count = f"{len(self.card.entries):,} entries so far"
            recent = [*self.card.events(at.number - 1), *self.card.events(at.number)][-3:]
            earlier = [line.text for event in recent for line in event_lines(event, at)][-4:]
            lines = [Line(f"Continuing with {who}: {rounds}, {count}.")]
            lines += [Line(f"Earlier: {text}", "aside") for text in earlier]
        if self.journal.torn:
            lost = "The last line of the file was cut off and ignored: check the last entry."
            lines.append(Line(lost, "refused"))
        return lines
