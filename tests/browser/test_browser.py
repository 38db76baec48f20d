"""The browser client, in a real Chromium: whole matches of every game, phones and desks at the same table."""

from __future__ import annotations

import random
import time
from typing import Any

import pytest

from support.browsing import DESKTOP, PHONE, Person
from support.serving import Running

SHORT: dict[str, dict[str, Any]] = {
    "baseball": {"players": 3, "options": {"turn_limit": 3}},
    "doubles": {"players": 4, "options": {"rounds": 1}},
    "finest9": {"players": 3},
    "holdem9": {"players": 4, "options": {"hands": 2}},
    "multiple9": {"players": 3},
    "nine_of_a_kind": {"players": 5, "options": {"target": 10}, "look": 60},
}


@pytest.mark.parametrize("game", SHORT)
def test_a_whole_match_on_a_phone_and_at_a_desk(server: Running, browser: Any, game: str) -> None:
    settings = SHORT[game]
    host = server.open(game, bots=["hard"] * (settings["players"] - 2), **settings)
    guest = server.join(host.code)
    people = [Person(browser, server.url, PHONE), Person(browser, server.url, DESKTOP)]
    for person, seated in zip(people, (host, guest), strict=True):
        person.sit(seated.token, host.code)
    people[0].page.click("button:has-text('Start')")
    for person in people:
        person.page.wait_for_selector(".felt")
    dice = random.Random(9)
    end = time.monotonic() + 300
    steps = 0
    while not all(person.over() for person in people):
        assert time.monotonic() < end, (steps, [person.page.inner_text("body")[-600:] for person in people])
        done = [person.do_something(dice.random()) for person in people if not person.over()]
        steps += any(done)
        if steps == 12:
            for person, size in zip(people, ("phone", "desktop"), strict=True):
                person.picture(f"{game}-{size}")
                assert not person.faults()
                _fits(person)
    for person, size in zip(people, ("phone", "desktop"), strict=True):
        person.page.wait_for_selector(".result .buttons")
        person.page.wait_for_selector("button:has-text('Replay'):not(:disabled)")
        person.picture(f"{game}-{size}-result")
        assert person.wrong == []
        person.context.close()


def _fits(person: Person) -> None:
    """Nothing is wider than the screen, and the buttons lie within it."""
    wide = "() => document.documentElement.scrollWidth - document.documentElement.clientWidth"
    assert person.page.evaluate(wide) <= 0
    assert person.page.evaluate(
        "() => [...document.querySelectorAll('.dock .button')].every((one) => {"
        " const box = one.getBoundingClientRect();"
        " const within = box.left >= 0 && box.right <= innerWidth && box.bottom <= innerHeight + 1;"
        " return box.width === 0 || within; })"
    )
