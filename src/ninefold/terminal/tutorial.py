"""`ninefold learn GAME`: short lessons, each a position to play, typed line by line."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import click
from rich.console import Console

from ninefold.engine.lessons import answer, page, stage
from ninefold.engine.registry import facts, lessons
from ninefold.model.lessons import Lesson
from ninefold.model.text import render
from ninefold.model.view import View
from ninefold.simulation.arguments import game_name
from ninefold.terminal.actions import every_move
from ninefold.terminal.console import WIDEST, folded, full_screen, own_signs, read_line, say_line
from ninefold.terminal.paint import Look, paint
from ninefold.terminal.wording import as_sentence, describe

Show = Callable[[View, list[str]], None]
MOST = 12  # moves listed
YOU = "Ann"  # what the learner is called
HELP = "Type a move. `moves` lists them, `hint` helps, `skip` starts the next lesson, `quit` leaves."


@click.command(epilog="Example: ninefold learn finest9")
@click.argument("game", callback=game_name)
@click.option("--plain", is_flag=True, help="Describe the table in words.")
def learn(game: str, plain: bool) -> None:
    """Learn a game by playing a few positions, with explanations."""
    drawn = full_screen() and not plain
    show = _draw if drawn else _describe
    Tutorial(game, read_line, lambda text: say_line(folded(text) if drawn else text), show).run()


def _describe(view: View, names: Sequence[str]) -> None:
    for line in describe(view, names):
        say_line(line)


def _draw(view: View, names: Sequence[str]) -> None:
    console = Console()
    for row in paint(view, names, Look(min(WIDEST, console.width), 20, own_signs())):
        console.print(row)
    console.print()


class Tutorial:
    """The lessons of one game."""

    def __init__(self, game: str, read: Callable[[str], str], say: Callable[[str], None], show: Show) -> None:
        self.game = game
        self.lessons = lessons(game)
        self.read = read
        self.say = say
        self.show = show

    def run(self) -> bool:
        """Run all lessons; False if the learner left before the end."""
        title = facts(self.game).title
        self.say(f"{title} in {len(self.lessons)} lessons. You are {YOU}. {HELP}")
        for number, lesson in enumerate(self.lessons, 1):
            self.say(f"\n{number}. {lesson.title}\n{lesson.text}\n")
            if not self._teach(number, lesson):
                return False
        more = f"Play it: ninefold play {self.game}. How to play, on one page: ninefold rules {self.game}"
        self.say(f"\nThat is {title}. {more}")
        return True

    def _teach(self, number: int, lesson: Lesson) -> bool:
        names = lesson.seat_names(YOU)
        view = stage(self.game, number).state.picture(lesson.seat)
        self.show(view, names)
        self.say(lesson.task)
        while True:
            try:
                line = self.read(f"{render(view.prompt, names)} > ").strip()
            except EOFError:
                return False
            match line.lower():
                case "":
                    continue
                case "quit" | "q":
                    return False
                case "skip":
                    return True
                case "help" | "?":
                    self.say(HELP)
                case "hint":
                    self.say(f"{lesson.clue} Type: {page(self.game, number).answer}".strip())
                case "moves":
                    for move, _ in list(every_move(view, names))[:MOST]:
                        self.say(f"  {move}")
                case _:
                    if self._answer(number, line, names):
                        return True

    def _answer(self, number: int, line: str, names: list[str]) -> bool:
        """Play a typed move; True if it solves the lesson."""
        found = answer(self.game, number, line)
        said = as_sentence(render(found.text, names))
        if not found.solved:
            self.say(f"Not quite. {said}")
            return False
        for beat in found.beats:
            for event in beat.events:
                if not event.quiet:
                    self.say(f"  {render(event.text, names)}")
        self.say(said)
        return True
