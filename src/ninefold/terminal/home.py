"""`ninefold` alone, in a terminal: a menu of what to do next."""

from __future__ import annotations

from collections.abc import Sequence

from textual import events
from textual.app import ComposeResult
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from ninefold.engine import registry
from ninefold.kernel.errors import NinefoldError
from ninefold.terminal import saves
from ninefold.terminal.base_app import BaseApp

Command = list[str]
LEVELS = ("easy", "medium", "hard")
KEYS = "Arrows and Enter choose, Esc goes back, q leaves. All commands: ninefold -h"


class Home(BaseApp[Command]):
    """A menu whose choices are commands; its return value is the one chosen."""

    CSS = """
    #title { height: 2; padding: 0 1; text-style: bold; }
    OptionList { height: 1fr; border: none; }
    #keys { height: 1; color: $text-muted; }
    """

    def compose(self) -> ComposeResult:
        yield Static("Ninefold: card and dice games built around the number nine", id="title", markup=False)
        yield OptionList(id="list", markup=False)
        yield Static(KEYS, id="keys", markup=False)

    def on_mount(self) -> None:
        self.offer(first_choices())

    def offer(self, choices: Sequence[tuple[str, Command]]) -> None:
        """Show a list of choices; the name of a game opens another list."""
        self.choices = list(choices)
        menu = self.query_one(OptionList)
        menu.clear_options()
        menu.add_options([Option(label) for label, _ in self.choices])
        menu.highlighted = 0
        menu.focus()

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        _, command = self.choices[event.option_index]
        if len(command) == 1 and command[0] in registry.games():
            self.offer(more_choices(command[0]))
        else:
            self.exit(command)

    def on_key(self, event: events.Key) -> None:
        if event.key == "escape":
            self.offer(first_choices())
        elif event.character == "q":
            self.exit([])


def first_choices() -> list[tuple[str, Command]]:
    """A match to continue, the games, and everything else."""
    choices: list[tuple[str, Command]] = []
    try:
        path = saves.locate("", unfinished=True)
        left = saves.look(path)
        choices.append((f"Continue {left.title}, started {left.begun}", ["play", "--resume"]))
    except NinefoldError:
        pass
    for name in registry.games():
        sheet = registry.facts(name)
        choices.append((f"{sheet.title}: {sheet.line}", [name]))
    return [
        *choices,
        ("Play in the browser, with friends and phones in the room", ["serve", "--host", "0.0.0.0"]),
        ("Matches played here", ["history"]),
        ("All commands", ["--help"]),
    ]


def more_choices(name: str) -> list[tuple[str, Command]]:
    """What can be done with a game."""
    sheet = registry.facts(name)
    seats = str(sheet.usual_players)
    play = [
        (f"Play {sheet.title} against {level} bots", ["play", name, "--bots", level, "--players", seats])
        for level in LEVELS
    ]
    return [
        (f"Learn {sheet.title} in a few minutes", ["learn", name]),
        *play,
        (f"Play {sheet.title} with two people at this screen, and bots", ["play", name, "Ann", "Ben"]),
        (f"The rules of {sheet.title}", ["rules", name]),
        (f"Watch bots play {sheet.title}", ["demo", name]),
    ]
