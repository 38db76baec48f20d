"""What is said below the table: it helps, it goes when it should, and it is not said twice."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

import ninefold as nf
from ninefold.engine.advice import Advice
from ninefold.terminal.app import TableApp
from ninefold.terminal.classroom import Classroom
from ninefold.terminal.lesson_app import LessonApp
from ninefold.terminal.paint import FINE
from ninefold.terminal.seating import seat_of
from ninefold.terminal.table import Table
from ninefold.terminal.wording import hint_words

Press = Callable[..., Awaitable[None]]


def sit(app: TableApp, doing: Callable[[Press], Awaitable[None]]) -> None:
    async def go() -> None:
        async with app.run_test(size=(80, 24)) as pilot:
            await pilot.pause()
            await doing(pilot.press)

    asyncio.run(go())


def table_of(name: str, players: int, **options: object) -> Table:
    seats = [seat_of("Ann"), *(seat_of(f"Bot {seat}", "medium") for seat in range(1, players))]
    table = Table(nf.make(name, players=players, **options), seats, 4, lambda line: None, bot_seed=4)
    table.begin()
    return table


def test_a_hint_names_its_move_once() -> None:
    found = Advice("x", "Swap the 2♣ in here (centre) wins 23% of matches from here, Draw wins 20%.", {}, 9)
    said = hint_words("Swap the 2♣ in here (centre)", found)
    assert said == (
        "The hard bot would play: Swap the 2♣ in here (centre). "
        "It wins 23% of matches from here, Draw wins 20%."
    )
    only = Advice("x", "It is the only move.", {}, 0)
    assert hint_words("Draw", only, "draw") == "The hard bot would play: draw. It is the only move."


def test_the_hint_of_a_lesson_does_not_repeat_itself() -> None:
    app = LessonApp(Classroom("doubles", 1, "Ann"), FINE)

    async def ask(press: Press) -> None:
        await press("!")
        assert app.notice.endswith("Stay.") and "Try" not in app.notice

    sit(app, ask)


def test_before_a_roll_there_is_nothing_to_advise() -> None:
    table = Table(nf.make("doubles", players=1), [seat_of("Ann")], 4, lambda line: None)
    table.throw_by_hand(True)
    table.begin()
    app = TableApp(table, "normal")

    async def ask(press: Press) -> None:
        for key in ("!", "/", ","):
            app.notice = ""
            await press(key)
            assert app.notice == "Roll the dice first." and app.rolling == 0

    sit(app, ask)


def test_a_warning_that_is_gone_has_to_be_read_again() -> None:
    app = TableApp(table_of("holdem9", 2), "instant")

    async def all_in(press: Press) -> None:
        moves = app.table.steps
        for _ in range(2):
            await press("a")
            assert "Press a again to do it." in app.notice
            await press("escape")
        await press("a")
        app.notice = ""  # as after a while where others act
        await press("a")
        assert "Press a again to do it." in app.notice and app.table.steps == moves

    sit(app, all_in)


def test_what_to_do_at_the_end_stays_on_the_screen() -> None:
    app = TableApp(table_of("doubles", 1, rounds=1), "instant")

    async def end(press: Press) -> None:
        await press("c")
        await press("enter")  # closes the page with the standings
        await press("escape")
        assert app.table.over and "n plays another" in app.notice

    sit(app, end)
