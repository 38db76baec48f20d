"""Lessons: every game is taught, every position can be reached, the answers are right and others are not."""

from __future__ import annotations

import io
import sys

import pytest

import ninefold as nf
from ninefold.cli import main
from ninefold.engine.registry import lessons, rules_page
from ninefold.model.lessons import Lesson
from ninefold.terminal.tutorial import Tutorial, stage

LESSONS = [
    pytest.param(name, lesson, id=f"{name}-{number}")
    for name in nf.games()
    for number, lesson in enumerate(lessons(name), 1)
]


def taught(name: str, lesson: Lesson, typed: list[str]) -> tuple[bool, list[str]]:
    """A lesson with what someone types; whether it came to its end, and what was said."""
    said: list[str] = []
    lines = iter(typed)

    def read(prompt: str) -> str:
        line = next(lines, None)
        if line is None:
            raise EOFError
        return line

    tutorial = Tutorial(name, read, said.append, lambda view, names: None)
    return tutorial._teach(lesson), said


@pytest.mark.parametrize("name", nf.games())
def test_every_game_is_taught(name: str) -> None:
    assert len(lessons(name)) >= 3
    assert rules_page(name).strip()


@pytest.mark.parametrize(("name", "lesson"), LESSONS)
def test_a_lesson_is_whole(name: str, lesson: Lesson) -> None:
    state = stage(lesson, name).state
    assert lesson.seat in state.actors
    for text in (lesson.title, lesson.text, lesson.task, lesson.after):
        assert text == text.strip() != ""
    moves = list(state.moves(lesson.seat))
    assert moves
    for answer in lesson.answers:
        assert answer in moves
    assert lesson.hint or not lesson.answers
    done, said = taught(name, lesson, [(lesson.answers or moves)[0]])
    assert done
    assert said[-1] == lesson.after


@pytest.mark.parametrize(("name", "lesson"), LESSONS)
def test_another_move_is_met_with_the_hint(name: str, lesson: Lesson) -> None:
    others = [
        move for move in stage(lesson, name).state.moves(lesson.seat)[:40] if move not in lesson.answers
    ]
    if not lesson.answers or not others:
        return
    for move in others[:5]:
        done, said = taught(name, lesson, [move])
        assert not done
        assert lesson.hint in said[-1]
    done, said = taught(name, lesson, ["gibberish", "hint", "help", "moves", "", "skip"])
    assert done
    assert lesson.hint in said
    assert any("gibberish" in line for line in said)


@pytest.mark.parametrize("name", nf.games())
def test_the_whole_course_in_a_pipe(
    name: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LANG", "C.UTF-8")
    answers = [
        (lesson.answers or stage(lesson, name).state.moves(lesson.seat))[0] for lesson in lessons(name)
    ]
    monkeypatch.setattr(sys, "stdin", io.StringIO("".join(f"{answer}\n" for answer in answers)))
    assert main(["learn", name]) == 0
    out, err = capsys.readouterr()
    assert err == ""
    for number, lesson in enumerate(lessons(name), 1):
        assert f"{number}. {lesson.title}" in out
        assert lesson.after in out
    assert f"Play it: ninefold play {name}." in out
    monkeypatch.setattr(sys, "stdin", io.StringIO("quit\n"))
    assert main(["learn", name, "--plain"]) == 0
    assert "Play it:" not in capsys.readouterr()[0]
