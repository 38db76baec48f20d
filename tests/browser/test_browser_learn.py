"""A newcomer on a phone, once for every game: from home through its lessons to a first match."""

from __future__ import annotations

import re
from typing import Any

import pytest

from ninefold.engine.registry import facts, games, lessons
from support.browsing import PHONE, Person
from support.serving import Running

# What solves the lessons: cards and piles in brackets, buttons without. A wrong answer is marked `!`.
SOLVED = {
    "baseball": (
        "[centre]",
        "!Keep both secret; Reveal both",
        "[Swap the Q] [bottom left]",
        "[bottom right] [bottom right]",
    ),
    "doubles": ("!Cash out 11; Stay", "Stay", "Cash out 525", "Stay"),
    "finest9": ("[7 of Spades] [7 of Clubs] Take", "Take 5 6 7", "!Take 7 9 9; Take 7 9 ·", "Take Q K A"),
    "holdem9": ("!Fold; Call 5", "Check", "Raise to", "Call 50", "Fold"),
    "multiple9": ("!Pass; 10+8", "6+3", "8+A", "Go out", "Pass"),
    "nine_of_a_kind": (
        "![9 of Clubs] Offer; [7 of Hearts] [7 of Diamonds] Offer",
        "[9 of Clubs] [Swap]",
        "[7 of Hearts] [7 of Diamonds] [Swap]",
        "9 of a Kind!",
        "Blocked!",
    ),
}
MOST_CLICKS = 20  # from home to the first match, a wrong answer included


def press(person: Person, what: str) -> None:
    """Press some things one after another."""
    for card, button in re.findall(r"\[(.+?)\] ?|([^\[]+)", what):
        if card:
            person.click(f".felt button[aria-label*='{card}']")
        else:
            person.click(f'.dock .acts .button:has-text("{button.strip()}")')


@pytest.mark.parametrize("game", games())
def test_a_newcomer(server: Running, browser: Any, game: str) -> None:
    person = Person(browser, server.url, PHONE)
    page, taught = person.page, lessons(game)
    page.goto("/")
    person.click(f"a[href='/learn/{game}']")
    for number, lesson in enumerate(taught, 1):
        page.wait_for_selector(f"h1:has-text('{lesson.title}')")
        page.wait_for_selector(f"text=of {len(taught)} · {facts(game).title}")
        page.wait_for_selector(".dock .prompt.mine")
        if number == 1:
            assert not person.faults()
        for step in SOLVED[game][number - 1].split("; "):
            press(person, step.removeprefix("!"))
            if step.startswith("!"):
                page.wait_for_selector("[role=alert]:has-text('Not quite.')")
        page.wait_for_selector(f"text={lesson.after[:40]}")
        person.click(".after .button:not(:disabled)")
    page.wait_for_selector(f"text=You know {facts(game).title}")
    assert not person.faults()
    person.click("text=Play your first match")
    person.click("dialog button:has-text('Play')")
    page.wait_for_selector(".felt")
    page.wait_for_selector(".dock")
    assert person.clicks <= MOST_CLICKS
    assert person.wrong == []
    person.context.close()
