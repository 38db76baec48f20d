"""`ninefold` alone, in a terminal: a menu of what to do next, and a form for a new match or score card."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import NamedTuple

from rich.cells import cell_len
from textual import events
from textual.app import ComposeResult
from textual.containers import Horizontal, VerticalScroll
from textual.screen import ModalScreen
from textual.widgets import Input, OptionList, Static
from textual.widgets.option_list import Option

from ninefold.engine import registry
from ninefold.kernel.errors import NinefoldError, RuleError
from ninefold.model.cast import LEVELS
from ninefold.model.facts import Facts, Flag, option_text
from ninefold.model.facts import Option as GameOption
from ninefold.scorecard import GAME as CARD
from ninefold.terminal import saves
from ninefold.terminal.base_app import BaseApp
from ninefold.terminal.screens import rules_page_of
from ninefold.terminal.seating import own_name
from ninefold.terminal.wording import as_sentence

Command = list[str]
Choices = list[tuple[str, Command]]
Answer = Callable[[Mapping[str, str]], Command]  # makes a command of what was typed
KEYS = "Arrows and Enter choose, Esc goes back, q leaves. All commands: ninefold -h"
EFFORT = ("easy", "medium", "hard")
MANY = 100  # players
FORM_KEYS = "Tab and arrows: next field   Enter: go   Esc: back"


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

    def offer(self, choices: Choices) -> None:
        """Show a list of choices."""
        self.choices = list(choices)
        menu = self.query_one("#list", OptionList)
        menu.clear_options()
        menu.add_options([Option(label) for label, _ in self.choices])
        menu.highlighted = 0
        menu.focus()

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        match self.choices[event.option_index][1]:
            case [name] if name in registry.games():
                self.offer(more_choices(name))
            case ["play", name] if name in registry.games():
                self.push_screen(Form(*new_match(name)), self._chosen)
            case ["score", name]:
                self.push_screen(Form(*new_card(name)), self._chosen)
            case ["rules", name]:
                self.push_screen(rules_page_of(name, self.signs))
            case ["serve", "--host"]:
                self.offer(network_choices())
            case command:
                self.exit(command)

    def _chosen(self, command: Command | None) -> None:
        if command:
            self.exit(command)

    def on_key(self, event: events.Key) -> None:
        if len(self.screen_stack) > 1:
            return
        if event.key == "escape":
            self.offer(first_choices())
        elif event.character == "q":
            self.exit([])


def first_choices() -> Choices:
    """A match to continue, the games, and everything else."""
    choices: Choices = []
    with suppress(NinefoldError):
        left = saves.read_saved(saves.locate("", unfinished=True))
        choices.append((f"Continue {left.title}, started {left.begun}", ["play", "--resume"]))
    sheets = [registry.facts(name) for name in registry.games()]
    if not saves.saved():
        first = min(sheets, key=lambda sheet: EFFORT.index(sheet.difficulty))
        choices.append((f"New here? Learn {first.title} in two minutes", ["learn", first.name]))
    choices += [(_described(sheet), [sheet.name]) for sheet in sheets]
    return [
        *choices,
        (f"Keep score for {registry.facts(CARD).title} with real dice", ["score", CARD]),
        ("Play in the browser, on this computer", ["serve"]),
        ("Play in the browser, with phones in the room…", ["serve", "--host"]),
        ("Matches played here", ["history"]),
        ("All commands", ["--help"]),
    ]


def _described(sheet: Facts) -> str:
    """A game in two lines: for how many, how long and how hard, and what it is like."""
    low, high = sheet.players
    most = f"{low}–{high}" if high < MANY else f"{low} or more"
    figures = f"{most} players · {sheet.minutes} min · {sheet.difficulty}"
    return f"{sheet.title.ljust(20)}{figures}\n  {sheet.tagline or sheet.line}"


def more_choices(name: str) -> Choices:
    """What can be done with a game."""
    title = registry.facts(name).title
    card: Choices = [("Keep score with real dice", ["score", name])] if name == CARD else []
    return [
        (f"Learn {title} in a few minutes", ["learn", name]),
        (f"Play {title}…", ["play", name]),
        *card,
        (f"The rules of {title}", ["rules", name]),
        (f"Watch bots play {title}", ["demo", name]),
    ]


def network_choices() -> Choices:
    """Asked before anything listens on the whole network."""
    return [
        ("Only on this computer", ["serve"]),
        (
            "Open it to everyone on this network: anyone with the link can play",
            ["serve", "--host", "0.0.0.0"],
        ),
    ]


RELAXED = Flag("relaxed", "", False)


class Question(NamedTuple):
    """What a form asks for: a few words, all that is to say about it, and what stands there at first."""

    name: str
    about: str
    value: str


class Form(ModalScreen[Command]):
    """A few questions whose answers make a command; what is wrong with them is said before it runs.

    Each is one row; what there is to say about the chosen one stands below.
    """

    CSS = """
    Form { background: $background; }
    Form #heading { text-style: bold; padding: 0 1; height: 2; }
    Form VerticalScroll { height: 1fr; scrollbar-size-vertical: 1; }
    Form Horizontal { height: 1; }
    Form Horizontal Static { padding: 0 1 0 3; }
    Form Input { width: 1fr; height: 1; border: none; padding: 0 1; }
    Form Input:focus { background: $primary; }
    Form #about { height: 2; padding: 0 1; }
    Form #wrong { height: auto; max-height: 3; padding: 0 1; color: $text-error; }
    Form #keys { height: 1; color: $text-muted; }
    """

    def __init__(self, title: str, questions: Mapping[str, Question], answer: Answer) -> None:
        super().__init__()
        self.heading = title
        self.questions = dict(questions)
        self.answer = answer

    def compose(self) -> ComposeResult:
        yield Static(self.heading, id="heading", markup=False)
        with VerticalScroll(can_focus=False):
            for key, question in self.questions.items():
                with Horizontal():
                    yield Static(question.name, markup=False)
                    yield Input(question.value, id=f"f-{key}", select_on_focus=False)
        yield Static(id="about", markup=False)
        yield Static(id="wrong", markup=False)
        yield Static(FORM_KEYS, id="keys", markup=False)

    def on_mount(self) -> None:
        width = 4 + max(cell_len(question.name) for question in self.questions.values())
        for row in self.query("Horizontal > Static"):
            row.styles.width = width
        self.query(Input).first().focus()

    def on_descendant_focus(self) -> None:
        """Say what the chosen field is for, and how many there are."""
        keys = list(self.questions)
        if isinstance(self.focused, Input) and self.focused.id:
            key = self.focused.id.removeprefix("f-")
            said = self.questions[key].about
            self.query_one("#about", Static).update(f"{keys.index(key) + 1} of {len(keys)}: {said}")

    def on_key(self, event: events.Key) -> None:
        if event.key == "escape":
            event.stop()
            self.dismiss(None)
        elif event.key in ("down", "up"):
            event.stop()
            (self.focus_next if event.key == "down" else self.focus_previous)()

    def on_input_submitted(self, event: Input.Submitted) -> None:
        event.stop()
        given = {name: self.query_one(f"#f-{name}", Input).value.strip() for name in self.questions}
        try:
            self.dismiss(self.answer(given))
        except NinefoldError as error:
            self.query_one("#wrong", Static).update(as_sentence(str(error)))


def new_match(name: str) -> tuple[str, dict[str, Question], Answer]:
    """What to ask before a match, and the command that the answers make."""
    sheet = registry.facts(name)
    low, high = sheet.players
    usual = sheet.first_players
    proposed = sheet.settings(usual, sheet.suggestions(usual))[1]
    questions = {
        "names": Question("Names", "Who plays at this screen? Put commas between names.", own_name()),
        "players": Question("Players", f"How many, bots included: {low} to {high:,}?", str(usual)),
        "bots": Question("Bots", f"How good are they: {', '.join(LEVELS[:-1])} or {LEVELS[-1]}?", "medium"),
    }
    if sheet.realtime:
        question = "Shall everyone choose first, and all moves happen at once: yes or no?"
        questions["pulse"] = Question("Relaxed", question, "no")
    for option in sheet.options:
        about = f"{option.label} ({_allowed(option)})."
        value = option_text(proposed[option.name])
        questions[option.name] = Question(option.short or option.label, about, value)

    def command(given: Mapping[str, str]) -> Command:
        people = _names(given["names"])
        options = {option.name: given[option.name] for option in sheet.options}
        players, values = sheet.settings(given["players"], options)
        without = sheet.settings(players, sheet.suggestions(players))[1]  # what `play` takes by itself
        if len(people) > players:
            raise RuleError(f"{len(people)} people do not fit at a table for {players}")
        bots = ["--level", given["bots"]] if len(people) < players else []
        changed = [f"{key}={option_text(value)}" for key, value in values.items() if value != without[key]]
        rules = [part for pair in changed for part in ("-o", pair)]
        relaxed = ["--pulse"] if RELAXED.value(given.get("pulse", "no")) else []
        return ["play", name, *people, "--players", str(players), *bots, *relaxed, *rules]

    return f"A new match of {sheet.title}", questions, command


def _allowed(option: GameOption) -> str:
    """What an option allows, without an example that its label gives."""
    parts = option.allowed.split(" or ")
    return " or ".join(part for part in parts if not ("such as" in part and "such as" in option.label))


def new_card(name: str) -> tuple[str, dict[str, Question], Answer]:
    """What to ask before a score card, and the command that the answers make."""
    questions = {
        "names": Question("Players", "Who plays? Names in seating order, with commas between them.", ""),
        "rounds": Question("Rounds", "How many? A number, or a range such as 8-12 to hide the end.", "10"),
    }

    def command(given: Mapping[str, str]) -> Command:
        if not (people := _names(given["names"])):
            raise RuleError("type the names of the players, such as Ann, Bob, Cy")
        return ["score", name, *people, "--rounds", given["rounds"] or "10"]

    return f"A new score card for {registry.facts(name).title}", questions, command


def _names(text: str) -> list[str]:
    return [" ".join(name.split()) for name in text.split(",") if name.strip()]
