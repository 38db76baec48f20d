"""`ninefold learn GAME`: a short guided match, lesson by lesson, asked in lines and drawn as a table."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ninefold.engine.game import Game
from ninefold.engine.registry import lessons
from ninefold.engine.state import State
from ninefold.engine.views import tell
from ninefold.kernel.errors import IllegalMove
from ninefold.kernel.lessons import Lesson
from ninefold.terminal.asking import every_move
from ninefold.terminal.paint import named

Show = Callable[[dict[str, Any], list[str]], None]
MOST = 12  # moves listed
NAMES = ("Ann", "Ben", "Cleo", "Dan", "Eva", "Finn", "Gus", "Hana", "Ivo", "Jo")  # the learner is the first
HELP = "Type a move. `moves` lists them, `hint` helps, `skip` goes on to the next lesson, `quit` leaves."


class School:
    """The lessons of one game."""

    def __init__(self, game: str, read: Callable[[str], str], say: Callable[[str], None], show: Show) -> None:
        self.game = game
        self.lessons = lessons(game)
        self.read = read
        self.say = say
        self.show = show

    def run(self) -> bool:
        """All lessons; False where somebody left before the end."""
        title = Game(self.game).facts.title
        self.say(f"{title} in {len(self.lessons)} lessons. You are {NAMES[0]}. {HELP}")
        for number, lesson in enumerate(self.lessons, 1):
            self.say(f"\n{number}. {lesson.title}\n{lesson.text}\n")
            if not self._teach(lesson):
                return False
        more = f"Play it: ninefold play {self.game}. All the rules: ninefold rules {self.game}"
        self.say(f"\nThat is {title}. {more}")
        return True

    def _teach(self, lesson: Lesson) -> bool:
        state = stage(lesson, self.game)
        names = [NAMES[(seat - lesson.seat) % state.game.players] for seat in range(state.game.players)]
        view = state.view(lesson.seat)
        self.show(view, names)
        self.say(lesson.task)
        while True:
            try:
                line = self.read(f"{named(view['prompt'], names)} > ").strip()
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
                    self.say(lesson.hint or "Any of the moves will do: `moves` lists them.")
                case "moves":
                    for move, _ in list(every_move(view))[:MOST]:
                        self.say(f"  {move}")
                case _:
                    if self._answer(lesson, state, line, names):
                        return True

    def _answer(self, lesson: Lesson, state: State, line: str, names: list[str]) -> bool:
        """Take a typed move; True where it solves the lesson."""
        try:
            action = state._admit(lesson.seat, line)
        except IllegalMove as error:
            self.say(named(str(error), names) + ".")
            return False
        move = state.say(lesson.seat, action)
        if lesson.answers and move not in lesson.answers:
            self.say(f"{move} is possible, but not what this lesson is about. {lesson.hint}")
            return False
        state.manual = False
        told: list[str] = []
        state.watchers.append(
            lambda before, seat, done, after: told.extend(
                event["text"]
                for event in tell(state.game, before, seat, done, after, lesson.seat, names)
                if not event.get("quiet")
            )
        )
        state.play(lesson.seat, move)
        for text in told:
            self.say(f"  {text}")
        self.say(lesson.after)
        return True


def stage(lesson: Lesson, game: str) -> State:
    """The position of a lesson."""
    state = Game(game, lesson.players, lesson.options).start(manual=True)
    for seat, text in lesson.script():
        state.play(seat, text)
    return state
