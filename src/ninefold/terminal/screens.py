"""Screens over the table: a curtain between players, a page to read, standing orders."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from textual import events
from textual.app import ComposeResult
from textual.containers import VerticalScroll
from textual.screen import ModalScreen, Screen
from textual.widgets import Input, OptionList, Static

from ninefold.engine.registry import rules_page
from ninefold.model.events import Event
from ninefold.model.text import render
from ninefold.model.view import Order
from ninefold.terminal.actions import StandingOrder

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


class Page(ModalScreen[None]):
    """Something to read; any of a few keys closes it."""

    CSS = "Page VerticalScroll { padding: 0 1; background: $surface; } Page #foot { height: 1; }"

    def __init__(self, text: str, markdown: bool) -> None:
        super().__init__()
        self.text = text
        self.markdown = markdown

    def compose(self) -> ComposeResult:
        from rich.markdown import Markdown  # one renderable: a widget for every paragraph takes seconds

        with VerticalScroll():
            yield Static(Markdown(self.text) if self.markdown else self.text, markup=False)
        yield Static("Arrows scroll, Esc closes", id="foot", markup=False)

    def on_mount(self) -> None:
        self.query_one(VerticalScroll).focus()
        if not self.markdown:
            self.query_one(VerticalScroll).scroll_end(animate=False)

    def on_key(self, event: events.Key) -> None:
        if event.key in AWAY:
            event.stop()
            self.dismiss(None)


def rules_page_of(game: str) -> Page:
    """The numbered rules of a game."""
    return Page(rules_page(game), markdown=True)


def log_page(log: Sequence[Event], names: Sequence[str]) -> Page:
    """Everything that has happened, as the viewer may know it."""
    lines = [render(event.text, names) for event in log]
    return Page("\n".join(lines) or "Nothing has happened yet.", markdown=False)


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
