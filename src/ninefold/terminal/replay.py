"""Step through a recorded match full screen, move by move, forwards and back, from any seat."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from typing import TYPE_CHECKING

from rich.cells import cell_len
from rich.text import Text
from textual import events
from textual.app import ComposeResult
from textual.containers import VerticalScroll
from textual.widgets import Static

from ninefold.model.text import render
from ninefold.model.view import View
from ninefold.terminal.base_app import BaseApp
from ninefold.terminal.margins import latest as latest_lines
from ninefold.terminal.paint import DIM, FINE, STRONG, Canvas, Signs, paint
from ninefold.terminal.screens import rules_page_of
from ninefold.terminal.table import Viewer

if TYPE_CHECKING:
    from ninefold.terminal.history_command import Replay

KEYS = "Left Right move  PgUp PgDn ten  Home End  v seat  f play on  ? rules  q leave"


class ReplayApp(BaseApp[tuple[int, Viewer]]):
    """A recorded match, full screen. Its return value is the step and the seat to play on from, if any."""

    CSS = """
    #title { height: 1; background: $primary; color: $text; }
    #scroll { height: 1fr; scrollbar-size-vertical: 1; }
    #events { height: 4; }
    #keys { height: 1; color: $text-muted; }
    """

    def __init__(self, replay: Replay, viewers: Sequence[Viewer], signs: Signs = FINE) -> None:
        super().__init__(signs)
        self.replay = replay
        self.viewers = list(viewers)  # the first is the one now
        self.at = 0

    def compose(self) -> ComposeResult:
        yield Static(id="title", markup=False)
        with VerticalScroll(id="scroll", can_focus=False):
            yield Static(id="table", markup=False)
        yield Static(id="events", markup=False)
        yield Static(KEYS, id="keys", markup=False)

    def on_mount(self) -> None:
        self.redraw()

    def on_resize(self) -> None:
        self.call_after_refresh(self.redraw)

    def redraw(self) -> None:
        viewer, names = self.viewers[0], self.replay.names
        view = self.replay.view(self.at, viewer)
        canvas = Canvas(width=self.size.width - 1, height=self.size.height - 6, signs=self.signs)
        stops = self.replay.stops(viewer)
        number = bisect_left(stops, self.at)
        earlier = range(stops[max(0, number - 1)] + 1, self.at + 1)
        latest = [event for step in earlier for event in self.replay.events(step, viewer)]
        lines = latest_lines(latest, len(latest), names, viewer, self.size.width, 3)
        if not lines:
            lines = Text("The match begins." if number == 0 else "—", STRONG)
        lines.append(f"\n{render(view.prompt, names)}", DIM)
        self.query_one("#title", Static).update(self._title(view, number, len(stops) - 1))
        self.query_one("#table", Static).update(Text("\n").join(paint(view, names, canvas)))
        self.query_one("#events", Static).update(lines)

    def _title(self, view: View, number: int, last: int) -> Text:
        """Which move this is, and who sees it; the step of the record, and the phase, if there is room."""
        viewer, names = self.viewers[0], self.replay.names
        seen = f"  seen by {'a spectator' if viewer is None else names[viewer]}"
        move, step = f"  move {number} of {last}", f"  step {self.at}"
        phase = f"  {render(view.phase, names)}"
        title = Text(f" {view.title}", STRONG)
        for parts in ((phase, move, step, seen), (phase, move, seen), (move, seen)):
            if title.cell_len + cell_len("".join(parts)) <= self.size.width:
                break
        return title.append("".join(parts))

    def _go(self, moves: int) -> None:
        """Go forward by some moves, or back."""
        stops = self.replay.stops(self.viewers[0])
        number = bisect_left(stops, self.at)
        if moves < 0 or stops[number] == self.at:  # else the next move is where `number` is
            number += moves
        else:
            number += moves - 1
        self.at = stops[min(max(0, number), len(stops) - 1)]

    def on_key(self, event: events.Key) -> None:
        if len(self.screen_stack) > 1:
            return
        end = len(self.replay.moments)
        moves = {"left": -1, "right": 1, "space": 1, "pageup": -10, "pagedown": 10}
        moves |= {"home": -end, "end": end}
        if event.key in moves:
            self._go(moves[event.key])
        match event.character:
            case "q":
                self.exit(None)
            case "v":
                self.viewers = [*self.viewers[1:], self.viewers[0]]
            case "f":
                self.exit((self.at, self.viewers[0]))
            case "?":
                self.push_screen(rules_page_of(self.replay.state.game.name, self.signs))
        self.redraw()
