"""What is on the screen of a match: the table, what happened last, what can be done, and a line to type in.

Draws what it is given. Knows no keys, and does not play.
"""

from __future__ import annotations

from time import monotonic

from rich.text import Text
from textual.app import ComposeResult
from textual.containers import Horizontal, VerticalScroll
from textual.widgets import Input, Static

from ninefold.model.events import Event
from ninefold.model.text import render
from ninefold.model.view import View
from ninefold.terminal.actions import Action, actions, advice, lit, places
from ninefold.terminal.base_app import BaseApp
from ninefold.terminal.buttons import buttons
from ninefold.terminal.margins import heading, latest
from ninefold.terminal.paint import FINE, LIT, STRONG, Canvas, Place, Signs, paint, signs_of
from ninefold.terminal.sorting import by_suit
from ninefold.terminal.table import Table
from ninefold.terminal.wording import as_sentence

WIDE = 110  # columns from which the log is shown beside the table
SORT = "s"  # the key that sorts a hand, in games in which suits are collected
ROLL = "r"  # the key that rolls one's own dice
NOTICED = 8.0  # seconds that a notice stays where others act meanwhile
KEYS = "q leave  ? rules  / type  ! hint  Backspace undo  , autopilot  <> pace  ; log"


class TableScreen(BaseApp[str]):
    """The parts of the screen, and how they are drawn."""

    keys = KEYS
    CSS = """
    Screen { layout: vertical; background: $background; }
    Static { link-style: none; link-color: $text; link-background: transparent; link-style-hover: bold; }
    #title { height: 1; background: $primary; color: $text; }
    #middle { height: 1fr; }
    #scroll { width: 1fr; height: 1fr; scrollbar-size-vertical: 1; }
    #side { width: 40; height: 1fr; padding: 0 0 0 2; }
    #below { height: auto; max-height: 6; }
    #prompt { height: auto; min-height: 2; max-height: 4; }
    #actions { height: auto; min-height: 2; max-height: 5; }
    #entry { height: 1; border: none; display: none; padding: 0; }
    #keys { height: 1; color: $text-muted; }
    """

    def __init__(self, table: Table, pace: str, signs: Signs = FINE) -> None:
        super().__init__(signs)
        self.table = table
        self.names = table.names
        self.pace = pace
        self.viewer: int | None = table.people[0] if len(table.people) == 1 else None
        self.view: View = table.view(self.viewer)
        self.history: list[Event] = []
        self.news = 0  # how many events at the end of the history have just happened
        self.holding = False  # a big moment is on the screen
        self.cursor: Place | None = None
        self.picked: frozenset[Place] = frozenset()
        self.deciding: int | None = None  # the person who has to decide now
        self.rolling: int | None = None  # the person whose dice are awaited
        self.notice = ""
        self.noticed = 0.0  # when
        self.by_suit = False  # how the hand is sorted, where suits are collected
        self._shown: dict[str, Text] = {}

    def compose(self) -> ComposeResult:
        yield Static(id="title", markup=False)
        with Horizontal(id="middle"):
            with VerticalScroll(id="scroll", can_focus=False):
                yield Static(id="table", markup=False)
            yield Static(id="side", markup=False)
        yield Static(id="below", markup=False)
        yield Static(id="prompt", markup=False)
        yield Static(id="actions", markup=False)
        yield Input(id="entry", select_on_focus=False)
        yield Static(self.keys, id="keys", markup=False)

    # What is said and offered

    def say(self, text: str) -> None:
        """A sentence below the table."""
        self.notice = as_sentence(text)
        self.noticed = monotonic()
        self.redraw()

    def notice_is_old(self) -> bool:
        """Whether a notice has stayed, in real time, as long as it takes to read it."""
        return bool(self.notice) and monotonic() > self.noticed + NOTICED + len(self.notice) / 15

    def see(self, view: View) -> None:
        self.view = by_suit(view) if self.by_suit and self.table.realtime else view

    @property
    def pointed(self) -> frozenset[Place]:
        if self.picked:
            return self.picked
        return frozenset([self.cursor]) if self.cursor else frozenset()

    def actions_here(self) -> list[Action]:
        here = actions(self.view, self.pointed, self.names, SORT if self.table.realtime else "")
        return [one for one in here if not (one.idle and self.table.live)]  # doing nothing needs no key then

    def _sorting(self) -> list[Action]:
        """How the hand can be sorted: not a move, and always there."""
        if not self.table.realtime or self.deciding is None:
            return []
        return [Action(SORT, "Sort by rank" if self.by_suit else "Sort by suit", "")]

    def _throwing(self) -> list[Action]:
        """To roll one's own dice: not a move, since chance decides how they fall."""
        return [] if self.rolling is None else [Action(ROLL, "Roll the dice", "")]

    def _advice(self, here: list[Action], asked: bool) -> str:
        """What keys do besides those of the actions."""
        if asked:
            return advice(self.view, here)
        if self.holding:
            return "Any key continues."
        if self.rolling is not None:
            return "(or Enter)"
        return "" if self.table.over or self.table.live else "Any key skips ahead."

    # Drawing

    def redraw(self) -> None:
        view = self.view
        wide = self.size.width >= WIDE
        self.query_one("#side").display = wide
        self.query_one("#below").display = not wide
        asked = self.deciding is not None
        here = self.actions_here() if asked else []
        turn = self.rolling if self.deciding is None else self.deciding
        whose = "" if turn is None or len(self.table.people) == 1 else f"{self.names[turn]}: "
        prompt = Text(f"{whose}{render(view.prompt, self.names)}", STRONG)
        if self.notice:
            prompt.append(f"\n{self.notice}", LIT)
        keys = buttons(
            [*here, *self._sorting(), *self._throwing()], self._advice(here, asked), self.size.width
        )
        width, height = self.size
        asking = max(2, self._lines(prompt)) + max(2, self._lines(keys))
        news = self.history[-self.news :] if self.holding else []  # a big moment is shown in full
        log = max(1, self._lines(latest(news, 0, self.names, self.viewer, width, 6)))
        room = height - 2 - (asking if wide else max(6, asking + log))  # what is longer shortens the table
        canvas = Canvas(
            width=width - (43 if wide else 1),
            height=room,
            signs=self.signs,
            faces=signs_of(self.table.match.seats) if self.signs is FINE else {},
            cursor=self.cursor if asked else None,
            picked=self.picked,
            lit=lit(view) if asked else frozenset(),
            click={place: f"app.pick({place[0]!r}, {place[1]})" for place in places(view)} if asked else {},
        )
        table = paint(view, self.names, canvas)
        self._put("#title", heading(view, self.names, self.pace, None if self.table.live else turn))
        self._put("#table", Text("\n").join(table))
        if len(table) > room:  # the viewer's own cards come last, and must stay visible
            self.query_one("#scroll").scroll_end(animate=False)
        spare = height - 2 - asking - len(table)
        columns, rows = (38, height - 2 - asking) if wide else (width, max(1, min(6, spare)))
        text = latest(self.history, self.news, self.names, self.viewer, columns, rows)
        self._put("#side" if wide else "#below", text)
        self._put("#prompt", prompt)
        self._put("#actions", keys)

    def _put(self, where: str, text: Text) -> None:
        """Update a text if it has changed: laying out the screen takes time."""
        old = self._shown.get(where)
        if old == text and old.spans == text.spans:
            return
        self._shown[where] = text
        same_size = old is not None and [len(line) for line in old.split("\n")] == [
            len(line) for line in text.split("\n")
        ]
        self.query_one(where, Static).update(text, layout=not same_size)

    def _lines(self, text: Text) -> int:
        """How many lines a text takes at full width."""
        return len(text.wrap(self.console, self.size.width)) if text else 0
