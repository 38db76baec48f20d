"""Lessons: every game is taught within two minutes, every position can be reached, answers are explained."""

from __future__ import annotations

import io
import re
import sys
from collections.abc import Iterator

import pytest

import ninefold as nf
from ninefold.cli import main
from ninefold.engine.lessons import answer, page, stage
from ninefold.engine.registry import lessons, rules_page
from ninefold.model.lessons import Lesson
from ninefold.model.text import render
from ninefold.model.view import Number, View
from ninefold.terminal.actions import Action, actions, selections
from ninefold.terminal.classroom import Classroom
from ninefold.terminal.paint import Place
from ninefold.terminal.tutorial import Tutorial

LESSONS = [
    pytest.param(name, number, id=f"{name}-{number}")
    for name in nf.games()
    for number in range(1, len(lessons(name)) + 1)
]
TWO_MINUTES = 120.0
PER_WORD = 60 / 200  # seconds, at reading speed
PER_DECISION = 3.0
MOST_WORDS = 50  # to read before a move


def said(lesson: Lesson) -> list[str]:
    return [lesson.title, lesson.text, lesson.task, lesson.after]


def words(text: str) -> int:
    return len(re.findall(r"[^\s“”]+", text))


@pytest.mark.parametrize("name", nf.games())
def test_a_game_is_learnt_in_two_minutes(name: str) -> None:
    taught = lessons(name)
    assert 3 <= len(taught) <= 5
    assert rules_page(name).strip()
    read = sum(words(text) for lesson in taught for text in said(lesson))
    assert PER_WORD * read + PER_DECISION * len(taught) <= TWO_MINUTES
    assert all(words(f"{lesson.text} {lesson.task}") <= MOST_WORDS for lesson in taught)


@pytest.mark.parametrize(("name", "number"), LESSONS)
def test_a_lesson_is_whole(name: str, number: int) -> None:
    lesson, state = lessons(name)[number - 1], stage(name, number).state
    before = state.tobytes()
    assert lesson.seat in state.actors
    for text in (*said(lesson), lesson.clue, *lesson.wrong.values()):
        assert text == text.strip()
        assert not re.search(r"\bR\d|\bseat\b|Player \d| - |'", text), "spoken English, and names"
    assert all(said(lesson)) and (lesson.clue or not lesson.answers)
    for move in lesson.answers or state.moves(lesson.seat)[:5]:
        if "*" not in move:
            found = answer(name, number, move)
            assert found.solved and found.text == lesson.after and found.view
    assert page(name, number).answer in state.moves(lesson.seat)
    assert state.tobytes() == before, "nothing is kept"


@pytest.mark.parametrize(("name", "number"), LESSONS)
def test_another_move_is_explained(name: str, number: int) -> None:
    lesson, state = lessons(name)[number - 1], stage(name, number).state
    for move in state.moves(lesson.seat)[:40]:
        found = answer(name, number, move)
        assert found.solved == lesson.solves(move)
        if not found.solved:
            assert render(found.text) in (lesson.clue, *lesson.wrong.values())
            assert found.beats == [] and found.view is None
    refused = answer(name, number, "gibberish")
    assert not refused.solved and refused.text
    for like in lesson.wrong:
        assert any(lesson.explain(move) == lesson.wrong[like] for move in state.moves(lesson.seat)), like


def test_lessons_that_there_are_not() -> None:
    for number in (0, 99):
        with pytest.raises(nf.RuleError, match="there is no lesson"):
            page("doubles", number)


def taught(name: str, number: int, typed: list[str]) -> tuple[bool, list[str]]:
    """A lesson in the terminal with what someone types; whether it came to its end, and what was said."""
    heard: list[str] = []
    lines = iter(typed)

    def read(prompt: str) -> str:
        line = next(lines, None)
        if line is None:
            raise EOFError
        return line

    def show(view: View, names: list[str]) -> None:
        pass

    return Tutorial(name, read, heard.append, show)._teach(number, lessons(name)[number - 1]), heard


def test_a_lesson_that_is_typed() -> None:
    done, heard = taught("finest9", 3, ["gibberish", "hint", "help", "moves", "", "capture 7 9 9", "skip"])
    assert done
    assert any("gibberish" in line for line in heard)
    assert f"Not quite. {lessons('finest9')[2].clue}" in heard
    assert any(line.endswith("Type: capture 7 9") for line in heard)
    assert taught("finest9", 3, ["capture 7 9"])[1][-1] == lessons("finest9")[2].after
    assert not taught("finest9", 3, ["quit"])[0]


@pytest.mark.parametrize("name", nf.games())
def test_the_whole_course_in_a_pipe(
    name: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LANG", "C.UTF-8")
    typed = "".join(f"{page(name, number).answer}\n" for number in range(1, len(lessons(name)) + 1))
    monkeypatch.setattr(sys, "stdin", io.StringIO(typed))
    assert main(["learn", name]) == 0
    out, err = capsys.readouterr()
    assert err == ""
    for number, lesson in enumerate(lessons(name), 1):
        assert f"{number}. {lesson.title}" in out
        assert lesson.after in out
    assert f"Play your first match: ninefold play {name}\n" in out
    monkeypatch.setattr(sys, "stdin", io.StringIO("quit\n"))
    assert main(["learn", name, "--plain"]) == 0
    assert "Play your first match" not in capsys.readouterr()[0]


@pytest.mark.parametrize(("name", "number"), LESSONS)
def test_a_lesson_is_played_with_the_keys_of_a_match(name: str, number: int) -> None:
    lesson = lessons(name)[number - 1]
    table = Classroom(name, number, "Ann")
    assert table.awaited == [lesson.seat] and not table.over
    view = table.view(lesson.seat)
    assert lesson.text in str(view.prompt) and lesson.task in str(view.prompt)
    wanted = [move for move in table.state.moves(lesson.seat) if lesson.solves(move)]
    keys = {action.move: action.key for action in reachable(view, table.names)}
    numbers = [offer.verb for offer in view.offers if isinstance(offer, Number)]
    solving = [move for move in wanted if move in keys or move.rpartition(" ")[0] in numbers]
    assert solving, "no key solves it"
    for move in set(keys) - set(wanted) - set(numbers):
        with pytest.raises(nf.IllegalMove, match=r"^Not quite\. .*[.!?]$"):
            table.play(lesson.seat, move)
    assert not table.over and not table.take_frames(lesson.seat)
    table.play(lesson.seat, solving[0])
    assert table.over and not table.awaited
    (frame,) = table.take_frames(lesson.seat)
    assert frame.view.prompt == lesson.after and frame.events


def reachable(view: View, names: list[str]) -> Iterator[Action]:
    """The actions that have a key, whatever cards are picked."""
    picks = {frozenset[Place]()}
    for offer in selections(view):
        picks |= {frozenset((offer.zone, place) for place in choice.cards) for choice in offer.choices}
    for pointed in picks:
        yield from actions(view, pointed, names)
