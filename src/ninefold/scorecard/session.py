"""One session with a score card: read a line, plan the step, store it, and only then take and show it.

Only connects the parts: reading, planning, storage and display are in other modules.
"""

from __future__ import annotations

import shlex
from collections.abc import Callable
from pathlib import Path

from ninefold.files.journal import Journal, NotSavedError
from ninefold.kernel.errors import IllegalMove, NinefoldError
from ninefold.scorecard.card import Card, Chance, Plan
from ninefold.scorecard.entries import Do, Redo, Step, Undo
from ninefold.scorecard.fixing import work_out
from ninefold.scorecard.reading import HELP, Asked, Correction, Enter, Export, Request, Show, read
from ninefold.scorecard.report import export
from ninefold.scorecard.screen import Screen
from ninefold.scorecard.storage import folder, line_of
from ninefold.scorecard.wording import (
    Line,
    Tone,
    difference,
    entry_words,
    event_lines,
    round_listing,
    rounds_words,
)


class Session:
    """A card, its file and its screen."""

    def __init__(self, card: Card, journal: Journal, screen: Screen, chance: Chance) -> None:
        self.card = card
        self.journal = journal
        self.screen = screen
        self.chance = chance

    def run(self, typed: Callable[[str], str], opening: list[Line]) -> None:
        """Read lines until the person quits or the input ends."""
        self.screen.show(opening, self.card.position)
        while True:
            try:
                line = typed(self.screen.prompt(self.card.position))
            except EOFError:
                return
            if not self.handle(line):
                return

    def handle(self, line: str) -> bool:
        """Handle a typed line; False when the person quits."""
        try:
            asked = read(line, self.card.position, self.card.fresh_player)
            if asked == Request("quit"):
                return False
            self._answer(asked, line)
        except NotSavedError as error:
            self._refuse(f"Not saved: {error}; nothing changed. Try again when there is space.")
        except NinefoldError as error:
            text = str(error)
            self._refuse(text[:1].upper() + text[1:] + ("" if text[-1:] in ".)?!" else "."))
        return True

    def _refuse(self, text: str) -> None:
        self.screen.show([Line(text, Tone.REFUSED)], self.card.position, changed=False)

    def _answer(self, asked: Asked, line: str) -> None:
        match asked:
            case Enter(entry, remark):
                plan = self._take(Do(entry))
                assert plan.event is not None
                aside = [Line(remark, Tone.ASIDE)] if remark else []
                self.screen.show(event_lines(plan.event, plan.position) + aside, plan.position)
            case Undo() | Redo():
                self._undo_or_redo(asked)
            case Correction():
                self._fix(asked, line)
            case Show(number, fixing):
                self._show_round(number, fixing)
            case Export(path):
                self._export(Path(path).expanduser())
            case Request("help"):
                self.screen.page(HELP.splitlines(), self.card.position)
            case Request("scores"):
                self.screen.scores(self.card.position)
            case Request("chart"):
                self.screen.chart(self.card.position)
            case _:
                self.screen.show([], self.card.position)

    def _take(self, step: Step, draws: dict[int, bool] | None = None) -> Plan:
        """Plan a step, store it, take it, in this order."""
        plan = self.card.plan(step, self.chance, draws)
        self.journal.append(line_of(plan))
        self.card.commit(plan)
        return plan

    def _undo_or_redo(self, step: Undo | Redo) -> None:
        before = self.card.position
        plan = self._take(step)
        names = {**before.names, **plan.position.names}
        touched = [change.cut if isinstance(step, Undo) else change.put for change in plan.changes]
        simple = all(len(change.cut) + len(change.put) == 1 for change in plan.changes)
        words = [entry_words(entry, names) for entries in touched for entry in entries]
        what = (
            (", ".join(words[:5]) + (f" and {len(words) - 5} more" if len(words) > 5 else ""))
            if simple
            else ""
        )
        done = "Undone" if isinstance(step, Undo) else "Redone"
        self.screen.show([Line(f"{done}: {what or 'a correction'}.", Tone.GOOD)], plan.position)

    def _fix(self, asked: Correction, line: str) -> None:
        fixed = work_out(self.card, asked.fix, self.chance)
        if fixed.unfit and not asked.sure:
            more = f"; and {len(fixed.unfit) - 3} more" if len(fixed.unfit) > 3 else ""
            again = "fix!" + " ".join(line.split())[3:]
            raise IllegalMove(
                f"Then {'; '.join(fixed.unfit[:3])}{more}. "
                f"Nothing changed; type {again} to do it anyway and drop what does not fit."
            )
        if not fixed.step.cut and not fixed.step.put:
            raise IllegalMove("The card already says that; nothing changed")
        before = self.card.position
        plan = self._take(fixed.step, fixed.draws)
        changed = difference(before, plan.position)
        lines = [Line(f"Corrected. {'; '.join(changed[:12]) or 'No score changed'}.", Tone.GOOD)]
        if fixed.unfit:
            lines.append(Line(f"Dropped, because it no longer fits: {'; '.join(fixed.unfit[:5])}."))
        self.screen.show(lines, plan.position)

    def _show_round(self, number: int | None, fixing: bool) -> None:
        at = self.card.position
        number = at.number if number is None else number
        if not 1 <= number <= at.number:
            raise IllegalMove(f"There is no round {number} yet; this is round {at.number}")
        lines = round_listing(self.card, number)
        if fixing:
            one = f"fix {number}.1"
            lines.append(f"Now type {one} 36, {one} delete, {one} insert bob, or fix {number} bob=400.")
        self.screen.page(lines, at)

    def _export(self, path: Path) -> None:
        if path.exists() and path.resolve() == self.journal.path.resolve():
            raise IllegalMove("That is the card's own file; choose another name")
        export(self.card.position, path)
        self.screen.show([Line(f"Exported to {path}", Tone.GOOD)], self.card.position, changed=False)

    def resume_words(self) -> str:
        """How to come back to this card."""
        path = self.journal.path
        ours = path.parent.resolve() == folder().resolve()
        return f"ninefold score --resume {shlex.quote(path.stem if ours else str(path))}"


def opening_lines(card: Card, resumed: bool, torn: bool) -> list[Line]:
    """The first lines of a session."""
    at = card.position
    count = len(at.names)
    who = at.listed(at.names) if count > 1 else f"{at.listed(at.names)} alone"
    lines = [Line(f"Doubles, {rounds_words(at.low, at.high)}: {who}.")]
    if resumed:
        lines[0] = Line(
            f"Continuing with {who}: {rounds_words(at.low, at.high)}, {len(card.entries):,} entries so far."
        )
        recent = [line for _, _, event in card.events()[-3:] for line in event_lines(event, at)]
        lines += [Line(f"Earlier: {line.text}", Tone.ASIDE) for line in recent[-4:]]
    if torn:
        lines.append(
            Line("The last line of the file was cut off and ignored: check the last entry.", Tone.REFUSED)
        )
    return lines
