"""A recorded match to look at step by step, from any seat, forwards and back, full screen."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rich.text import Text
from textual import events
from textual.app import ComposeResult
from textual.containers import VerticalScroll
from textual.widgets import Static

from ninefold.engine.records import replay
from ninefold.engine.views import tell
from ninefold.kernel.model import Event, View
from ninefold.terminal.house import HouseApp
from ninefold.terminal.match import Step, Viewer
from ninefold.terminal.paint import DIM, FINE, STRONG, Look, Signs, named, paint
from ninefold.terminal.screens import rules_page_of

KEYS = "Left Right step  PgUp PgDn ten  Home End  v other eyes  f what if  ? rules  q leave"


class Film:
    """Every position of a recorded match."""

    def __init__(self, record: Mapping[str, Any], names: Sequence[str] = ()) -> None:
        self._moments: list[tuple[Any, int, int, Any]] = []
        self.state = replay(
            record,
            upto=len(record["moves"]),
            manual=True,
            watcher=lambda before, seat, action, after: self._moments.append(
                (before, seat, action, after.copy())
            ),
        )
        self.game = self.state.game
        self.names = list(names) or [f"Player {seat + 1}" for seat in range(self.game.players)]
        self.steps: list[Step] = [
            (seat, str(self.game.package.table.say(before, seat, action)))
            for before, seat, action, _ in self._moments
        ]

    def __len__(self) -> int:
        return len(self._moments)

    def view(self, at: int, viewer: Viewer) -> View:
        """The table after `at` steps."""
        shown = self.state.copy()
        if at < len(self):
            shown._s = self._moments[at][0]
        return shown.view(viewer)

    def told(self, at: int, viewer: Viewer) -> list[Event]:
        """What a viewer was told of step number `at`, from 1."""
        before, seat, action, after = self._moments[at - 1]
        return tell(self.game, before, seat, action, after, viewer, self.names)


class FilmApp(HouseApp[tuple[int, Viewer]]):
    """A recorded match, full screen. Its return value is where, and as whom, somebody wants to play on."""

    CSS = """
    #title { height: 1; background: $primary; color: $text; }
    #scroll { height: 1fr; scrollbar-size-vertical: 1; }
    #told { height: 4; }
    #keys { height: 1; color: $text-muted; }
    """

    def __init__(self, film: Film, eyes: Sequence[Viewer], signs: Signs = FINE) -> None:
        super().__init__(signs)
        self.film = film
        self.eyes = list(eyes)
        self.at = 0

    def compose(self) -> ComposeResult:
        yield Static(id="title", markup=False)
        with VerticalScroll(id="scroll", can_focus=False):
            yield Static(id="table", markup=False)
        yield Static(id="told", markup=False)
        yield Static(KEYS, id="keys", markup=False)

    def on_mount(self) -> None:
        self.redraw()

    def on_resize(self) -> None:
        self.call_after_refresh(self.redraw)

    def redraw(self) -> None:
        view = self.film.view(self.at, self.eyes[0])
        look = Look(width=self.size.width - 1, height=self.size.height - 6, signs=self.signs)
        title = Text(f" {view['title']}", STRONG).append(
            f"  {view['phase']}  step {self.at} of {len(self.film)}"
        )
        eyes = self.eyes[0]
        title.append(f"  seen by {'a spectator' if eyes is None else self.film.names[eyes]}")
        told = self.film.told(self.at, self.eyes[0]) if self.at else []
        lines = Text("\n".join(event["text"] for event in told[-3:]) or "—", STRONG)
        lines.append(f"\n{named(view['prompt'], self.film.names)}", DIM)
        self.query_one("#title", Static).update(title)
        self.query_one("#table", Static).update(Text("\n").join(paint(view, self.film.names, look)))
        self.query_one("#told", Static).update(lines)

    def on_key(self, event: events.Key) -> None:
        if len(self.screen_stack) > 1:
            return
        steps = {"left": -1, "right": 1, "space": 1, "pageup": -10, "pagedown": 10}
        steps |= {"home": -len(self.film), "end": len(self.film)}
        if event.key in steps:
            self.at = min(max(0, self.at + steps[event.key]), len(self.film))
        match event.character:
            case "q":
                self.exit(None)
            case "v":
                self.eyes = [*self.eyes[1:], self.eyes[0]]
            case "f":
                self.exit((self.at, self.eyes[0]))
            case "?":
                self.push_screen(rules_page_of(self.film.game.name))
        self.redraw()
