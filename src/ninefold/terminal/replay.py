"""Step through a recorded match full screen, forwards and back, from any seat."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from rich.text import Text
from textual import events
from textual.app import ComposeResult
from textual.containers import VerticalScroll
from textual.widgets import Static

from ninefold.model.text import render
from ninefold.terminal.base_app import BaseApp
from ninefold.terminal.paint import DIM, FINE, STRONG, Canvas, Signs, paint
from ninefold.terminal.screens import rules_page_of
from ninefold.terminal.table import Viewer

if TYPE_CHECKING:
    from ninefold.terminal.history_command import Replay

KEYS = "Left Right step  PgUp PgDn ten  Home End  v seat  f play on  ? rules  q leave"


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
        self.last = len(replay.moments)

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
        title = Text(f" {view.title}", STRONG)
        title.append(f"  {render(view.phase, names)}  step {self.at} of {self.last}")
        title.append(f"  seen by {'a spectator' if viewer is None else names[viewer]}")
        latest = [render(event.text, names) for event in self.replay.events(self.at, viewer)]
        lines = Text("\n".join(latest[-3:]) or "—", STRONG)
        lines.append(f"\n{render(view.prompt, names)}", DIM)
        self.query_one("#title", Static).update(title)
        self.query_one("#table", Static).update(Text("\n").join(paint(view, names, canvas)))
        self.query_one("#events", Static).update(lines)

    def on_key(self, event: events.Key) -> None:
        if len(self.screen_stack) > 1:
            return
        steps = {"left": -1, "right": 1, "space": 1, "pageup": -10, "pagedown": 10}
        steps |= {"home": -self.last, "end": self.last}
        if event.key in steps:
            self.at = min(max(0, self.at + steps[event.key]), self.last)
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
