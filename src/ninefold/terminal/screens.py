"""Screens over the table: a curtain between players, a page to read, standing orders."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Literal

from rich.console import RenderableType
from textual import events
from textual.app import ComposeResult
from textual.containers import VerticalScroll
from textual.screen import ModalScreen, Screen
from textual.widgets import Input, OptionList, Static

from ninefold.model.events import Event
from ninefold.model.text import render
from ninefold.model.view import Order
from ninefold.terminal.actions import StandingOrder
from ninefold.terminal.console import WIDEST
from ninefold.terminal.margins import is_listed
from ninefold.terminal.pages import all_rules, how_to_play
from ninefold.terminal.paint import Signs

Draw = Callable[[int], RenderableType]  # what there is to read, for a number of columns
AWAY = ("escape", "q", "enter", "question_mark", "semicolon")


class Curtain(Screen[None]):
    """Hides the table until the next player has the screen to themselves."""

    CSS = "Curtain { align: center middle; } Curtain Static { width: auto; text-align: center; }"

    def __init__(self, name: str) -> None:
        super().__init__()
        self.who = name

    def compose(self) -> ComposeResult:
        yield Static(
            f"Pass the screen to {self.who}.\n\n{self.who}: press Enter when nobody else is looking.",
            markup=False,
        )

    def on_key(self, event: events.Key) -> None:
        event.stop()
        if event.key == "enter":
            self.dismiss(None)


class Page(ModalScreen[str]):
    """Something to read, made for a width; any of a few keys closes it. There may be more behind one key."""

    CSS = "Page VerticalScroll { padding: 0 1; background: $surface; } Page #foot { height: 1; }"
    CLOSES = "Esc closes"

    def __init__(self, text: Draw, more: Draw | None = None, at_end: bool = False) -> None:
        super().__init__()
        self.text = text
        self.more = more
        self.at_end = at_end

    def compose(self) -> ComposeResult:
        with VerticalScroll():
            yield Static(id="text", markup=False)  # one text: a widget for each paragraph takes seconds
        yield Static(id="foot", markup=False)

    def on_mount(self) -> None:
        self.query_one(VerticalScroll).focus()
        self._draw()
        if self.at_end:
            self.query_one(VerticalScroll).scroll_end(animate=False)

    def on_resize(self) -> None:
        self._draw()

    def _draw(self) -> None:
        width = min(WIDEST, self.app.size.width - 4)
        self.query_one("#text", Static).update(self.text(width))
        self.query_one("#foot", Static).update(self.foot())

    def foot(self) -> str:
        """What keys do."""
        more = ", a: all the rules" if self.more else ""
        return f"Arrows scroll{more}, {self.CLOSES}"

    def on_key(self, event: events.Key) -> None:
        if event.key in AWAY:
            event.stop()
            self.dismiss("")
        elif event.key == "a" and self.more:
            self.text, self.more = self.more, None
            self._draw()
            self.query_one(VerticalScroll).scroll_home(animate=False)


class RoundPage(Page):
    """How a round came out, until Enter says that it has been read: the winners first."""

    CLOSES = "Enter continues"

    def __init__(self, ends: Sequence[Event], names: Sequence[str], viewer: int | None = None) -> None:
        order = sorted(ends, key=lambda event: (not event.hold, event.deed is None))
        self.lines = [render(event.text, names, viewer) for event in order]
        super().__init__(lambda _: "\n\n".join(self.lines))


def rules_page_of(game: str, signs: Signs) -> Page:
    """How a game is played, and all its rules behind it."""
    return Page(lambda width: how_to_play(game, width, signs), more=lambda _: all_rules(game))


def log_page(log: Sequence[Event], names: Sequence[str], viewer: int | None) -> Page:
    """Everything that has happened, as the viewer may know it."""
    lines = [render(event.text, names, viewer) for event in log if is_listed(event)]
    return Page(lambda _: "\n".join(lines) or "Nothing has happened yet.", at_end=True)


class Orders(ModalScreen[StandingOrder | Literal["off"] | None]):
    """Choose a standing order and its number, if it has one; or `off`, to end the current one."""

    CSS = """
    Orders { align: center middle; background: $background 60%; }
    Orders OptionList { width: 60; height: auto; max-height: 12; }
    Orders Input { width: 60; display: none; }
    """

    def __init__(self, orders: Sequence[Order], names: Sequence[str]) -> None:
        super().__init__()
        self.orders = list(orders)
        self.names = names
        self.chosen: Order | None = None

    def compose(self) -> ComposeResult:
        labels = [render(order.label, self.names) + ("…" if order.ask else "") for order in self.orders]
        yield OptionList(*labels, "Autopilot off")
        yield Input(placeholder="How much?", type="integer", max_length=18)

    def on_mount(self) -> None:
        menu = self.query_one(OptionList)
        menu.border_title = "Autopilot (Esc goes back)"
        menu.focus()

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        if event.option_index == len(self.orders):
            self.dismiss("off")
            return
        self.chosen = self.orders[event.option_index]
        if not self.chosen.ask:
            self.dismiss(StandingOrder(self.chosen))
            return
        self.query_one(Input).display = True
        self.query_one(Input).focus()

    def on_input_submitted(self, event: Input.Submitted) -> None:
        event.stop()
        if self.chosen and event.value.isdigit():
            self.dismiss(StandingOrder(self.chosen, int(event.value)))

    def on_key(self, event: events.Key) -> None:
        if event.key == "escape":
            event.stop()
            self.dismiss(None)
