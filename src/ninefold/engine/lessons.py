"""Lessons played: stages their positions, and says what comes of a move in them.

Nothing is kept between two calls, and nothing is random: the same move always has the same answer.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import NamedTuple

from ninefold.engine.beats import Moment
from ninefold.engine.game import Game
from ninefold.engine.registry import facts, lessons
from ninefold.engine.state import State
from ninefold.kernel.errors import IllegalMove, RuleError
from ninefold.model.events import Beat
from ninefold.model.lessons import Lesson, LessonAnswer, LessonPage, script
from ninefold.model.text import message
from ninefold.model.view import View


class Staged(NamedTuple):
    """A lesson's position, and what leads to it: the table before, and beats that end in it."""

    state: State
    before: View
    beats: list[Beat]


def find_lesson(game: str, number: int) -> Lesson:
    """A game's lesson by its number, from 1."""
    known = lessons(game)
    if not 1 <= number <= len(known):
        raise RuleError(f"{facts(game).title} has {len(known)} lessons; there is no lesson {number}")
    return known[number - 1]


@lru_cache(128)
def stage(game: str, number: int) -> Staged:
    """A lesson's position. Only to look at: a move is played on a copy."""
    lesson = find_lesson(game, number)
    state = Game(game, lesson.players, lesson.options).start(manual=True)
    hidden = len(lesson.steps) - lesson.shown
    _play(state, lesson.steps[:hidden])
    before = state.picture(lesson.seat)
    moments = _play(state, lesson.steps[hidden:])
    return Staged(state, before, state.perspectives.beats(moments, lesson.seat, view_follows=True))


def page(game: str, number: int) -> LessonPage:
    """A lesson as a surface shows it."""
    lesson, staged = find_lesson(game, number), stage(game, number)
    view = staged.state.picture(lesson.seat)
    return LessonPage(
        game,
        number,
        len(lessons(game)),
        lesson.title,
        lesson.text,
        lesson.task,
        lesson.seat_names(""),
        facts(game).realtime,
        staged.before,
        staged.beats,
        view,
        next(iter(lesson.answers), view.moves[0]),
        lesson.clue,
    )


def answer(game: str, number: int, move: str) -> LessonAnswer:
    """What comes of a move; one that the rules forbid is explained, too."""
    lesson, state = find_lesson(game, number), stage(game, number).state.copy()
    try:
        action = state.admit(lesson.seat, move)
    except IllegalMove as error:
        why = message("{why}. {clue}", why=error.sentence, clue=lesson.clue or lesson.task)
        return LessonAnswer(False, why, [], None)
    text = state.format(lesson.seat, action)
    if not lesson.solves(text):
        return LessonAnswer(False, lesson.explain(text), [], None)
    moments = _play(state, (f"{lesson.seat}: {text}", *lesson.then))
    beats = state.perspectives.beats(moments, lesson.seat, view_follows=True)
    return LessonAnswer(True, lesson.after, beats, state.picture(lesson.seat))


def _play(state: State, steps: Iterable[str]) -> list[Moment]:
    moments = []
    for seat, text in script(tuple(steps)):
        before, action = state.tobytes(), state.admit(seat, text)
        state.apply(seat, action)
        moments.append(Moment(before, seat, action, state.tobytes()))
    return moments
