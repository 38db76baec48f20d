"""`ninefold learn GAME`: short lessons, each a position to play: by the keys of a match, or line by line."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence

import click

from ninefold.engine.lessons import answer, page, stage
from ninefold.engine.registry import facts, lessons
from ninefold.model.lessons import Lesson
from ninefold.model.text import render
from ninefold.model.view import View
from ninefold.simulation.arguments import game_name
from ninefold.terminal.actions import every_move
from ninefold.terminal.console import folded, full_screen, own_signs, read_line, say_line
from ninefold.terminal.wording import as_sentence, describe

Show = Callable[[View, list[str]], None]
MOST = 12  # moves listed
YOU = "Ann"  # what the learner is called
HELP = "Type a move. `moves` lists them, `hint` helps, `skip` starts the next lesson, `quit` leaves."


@click.command(epilog="Example: ninefold learn finest9")
@click.argument("game", callback=game_name)
@click.option("--plain", is_flag=True, help="Describe the table in words.")
@click.pass_context
def learn(context: click.Context, game: str, plain: bool) -> None:
    """Learn a game by playing a few positions, with explanations."""
    if full_screen() and not plain:
        from ninefold.terminal.lesson_app import PLAY
        from ninefold.terminal.play_command import play

        if _learn_by_keys(game) == PLAY:
            context.invoke(play, game=game)
    else:
        Tutorial(game, read_line, say_line, _describe).run()


def _learn_by_keys(game: str) -> str:
    """Run the lessons on the screen of a match, with its keys; returns how the last one was left."""
    from ninefold.terminal.classroom import Classroom
    from ninefold.terminal.lesson_app import NEXT, PLAY, LessonApp

    last = len(lessons(game))
    for number in range(1, last + 1):
        room = Classroom(game, number, YOU)
        app = LessonApp(room, own_signs())
        left = app.run()
        if app.return_code:
            sys.exit(app.return_code)
        if left == PLAY:
            return PLAY
        if number == last and (room.over or left == NEXT):
            say_line(folded(_goodbye(game)))
        if left != NEXT:
            break
    return "left"


def _goodbye(game: str) -> str:
    return (
        f"You know {facts(game).title} now. Play your first match: ninefold play {game}\n"
        f"How to play, on one page: ninefold rules {game}"
    )


def _describe(view: View, names: Sequence[str]) -> None:
    for line in describe(view, names):
        say_line(line)


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
        self.say(f"\n{_goodbye(self.game)}")
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
