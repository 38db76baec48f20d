"""The forms of the menu: every question can be seen and answered, however small the window is."""

from __future__ import annotations

import asyncio

import pytest
from textual.containers import VerticalScroll
from textual.widgets import Input, Static

import ninefold as nf
from ninefold.engine import registry
from ninefold.terminal.home import Form, Home, new_card, new_match
from ninefold.terminal.paint import FINE


def walk(form: Form, size: tuple[int, int], fits: bool) -> None:
    """Go through all questions; the chosen one is in sight, and explained."""

    async def go() -> None:
        app = Home(FINE)
        async with app.run_test(size=size) as pilot:
            app.push_screen(form)
            await pilot.pause()
            window = form.query_one(VerticalScroll)
            assert (window.max_scroll_y == 0) == fits
            for number, (key, question) in enumerate(form.questions.items(), 1):
                assert isinstance(form.focused, Input) and form.focused.id == f"f-{key}"
                assert window.region.contains_region(form.focused.region)
                assert form.focused.value == question.value
                about = str(form.query_one("#about", Static).content)
                assert about == f"{number} of {len(form.questions)}: {question.about}"
                assert form.query_one("#about").region.bottom <= size[1]
                await pilot.press("down")
                await pilot.pause()

    asyncio.run(go())


@pytest.mark.parametrize("name", nf.games())
@pytest.mark.parametrize("size", [(80, 24), (60, 9)])
def test_every_question_before_a_match_can_be_reached(name: str, size: tuple[int, int]) -> None:
    form = Form(*new_match(name))
    asks = 3 + len(registry.facts(name).options) + registry.facts(name).realtime
    assert len(form.questions) == asks
    room = size[1] - 2 - 2 - 1 - 1  # the heading, what is said of a question or its answer, the keys
    walk(form, size, fits=asks <= room)


def test_a_score_card_is_asked_for_in_a_form_too() -> None:
    walk(Form(*new_card("doubles")), (40, 12), fits=True)


@pytest.mark.parametrize("name", nf.games())
def test_what_a_form_proposes_makes_a_command(name: str) -> None:
    _, questions, command = new_match(name)
    made = command({key: question.value for key, question in questions.items()})
    assert made[:2] == ["play", name] and "-o" not in made
