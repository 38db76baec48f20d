"""A lesson on the screen of a match, with its keys."""

from __future__ import annotations

from ninefold.engine.registry import lessons
from ninefold.model.labels import move_label
from ninefold.terminal.app import TableApp
from ninefold.terminal.classroom import Classroom
from ninefold.terminal.paint import Signs

NEXT = "next"  # how a lesson is left that has been solved, or skipped
PLAY = "play"  # how the last one is left for a first match


class LessonApp(TableApp):
    """One lesson. Its return value is NEXT, PLAY or `left`."""

    CSS = TableApp.CSS + "#prompt { max-height: 9; }"
    keys = "q leave  ? rules  / type  ! hint  > skip this lesson  ; log"

    def __init__(self, classroom: Classroom, signs: Signs) -> None:
        super().__init__(classroom, "normal", signs)
        self.last = classroom.number == len(lessons(classroom.game.name))

    def _finish(self) -> None:
        self.ended = True  # a lesson has no standings
        super()._finish()
        self.notice = (
            "Press Enter to play your first match, q to leave."
            if self.last
            else "Press Enter for the next lesson."
        )
        self.redraw()

    def _wait_key(self, sign: str) -> None:
        if self.table.over and not self.queue and not self.holding:
            if sign in ("\r", "\n", " ", "n"):
                self.exit(PLAY if self.last else NEXT)
        else:
            super()._wait_key(sign)

    def _everywhere(self, sign: str) -> bool:
        if sign == ">":
            self.exit(NEXT)
        return sign in ("<", ">") or super()._everywhere(sign)

    def _hint(self) -> None:
        if self.deciding is not None:
            found = self.table.hint(self.deciding)
            label = move_label(self.view, found.move, self.names)
            said = found.why.endswith(f"{label}.")  # by the clue, which would only repeat it
            self.say(found.why if said else f"{found.why} Try: {label}".strip())

    def _ask_orders(self) -> None:
        self.say("there is no autopilot in a lesson")

    def action_leave(self) -> None:
        self.exit("left")
