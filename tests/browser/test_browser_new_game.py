"""A seventh game in the browser, without a line of client code: a match against bots, up to its result."""

from __future__ import annotations

import random
import time
from pathlib import Path
from typing import Any

from support.browsing import PHONE, Person
from support.checkout import WAIT, Checkout


def test_a_new_game_is_played_in_the_browser(browser: Any, tmp_path: Path) -> None:
    checkout = Checkout(tmp_path)
    checkout.run(["ninefold", "new-game", "coin_toss", "--title", "Coin Toss"])
    with checkout.serving() as url:
        person = Person(browser, url, PHONE)
        person.page.goto("/")
        person.click(".tile:has-text('Coin Toss')")
        person.page.click("summary")
        person.page.locator("label:has-text('Turns for every player') input").fill("2")
        person.page.locator("label:has-text('Bot speed') select").select_option("instant")
        person.click("text=Play against bots now")
        person.page.wait_for_selector(".felt")
        coin, end = random.Random(9), time.monotonic() + 4 * WAIT
        while not person.over():
            assert time.monotonic() < end, person.page.inner_text("body")[-600:]
            person.do_something(coin.random())
        person.page.wait_for_selector(".result .reason")
        person.picture("new-game")
        assert person.wrong == []
