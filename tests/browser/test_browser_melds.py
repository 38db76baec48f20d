"""Groups and collections in the browser: what lies before players, what one just got, and what plays itself.

No server and no game: the page's files come from where they were built, its messages from the server's types.
"""

from __future__ import annotations

import time
from typing import Any

import pytest

from ninefold.model.events import Beat, Event
from ninefold.model.sheet import GameSheet
from ninefold.model.text import message
from ninefold.model.view import HIDDEN, Button, Card, Counter, Group, View, Zone, face_up
from ninefold.server.tables.messages import GameList, MatchResult, TableEvent, Update
from support.browsing import PHONE, sizes
from support.node import in_node, installed
from support.scripted import Script, seat, table, view

WAIT = 45.0
LAID = (("K+5 = 18", "K 5", 18), ("8+8+2 = 18", "8 8 2", 18), ("9", "9", 9))


def before(owner: int, laid: tuple[tuple[str, str, int], ...]) -> tuple[Zone, list[Group]]:
    """What lies before a player, as groups."""
    cards: list[Card] = []
    groups: list[Group] = []
    for words, ranks, value in laid:
        places = range(len(cards), len(cards) + len(ranks.split()))
        cards += [face_up(rank) for rank in ranks.split()]
        groups.append(Group(words, {f"laid-{owner}": [*places]}, owner, value))
    return Zone(f"laid-{owner}", "row", "Laid", owner, cards, slots=3), groups


def groups_laid(*laid: int, **more: Any) -> View:
    """A table at which some players have put down as many groups as `laid` says."""
    zones = [Zone("deck", "pile", "Deck", None, count=20)]
    groups: list[Group] = []
    for owner, number in enumerate(laid):
        row, found = before(owner, LAID[:number])
        back = [HIDDEN] * 7 if owner else [face_up(rank) for rank in ["Q", "7", "4", "3"]]
        zones += [Zone(f"hand-{owner}", "hand", "Hand", owner, back), row]
        groups += found
    return view(zones, groups=groups, **more)


@pytest.mark.parametrize("size", sizes(PHONE))
def test_groups_that_lie_before_players_say_what_they_make(browser: Any, size: dict[str, int]) -> None:
    script = Script(browser, size, groups_laid(1, 3, 0))
    script.sit()
    page = script.page
    page.wait_for_selector('[data-zone="laid-1"]')
    page.wait_for_function("() => document.querySelectorAll('.bundles > :not(.measure)').length === 4")
    for owner, number in ((0, 1), (1, 3)):
        row = page.locator(f'[data-zone="laid-{owner}"]')
        words = [words for words, _, _ in LAID[:number]]
        assert row.get_attribute("aria-label") == f"Laid: {', '.join(words)}"
        drawn = row.locator(".makes").evaluate_all("(all) => all.map((one) => one.dataset.sum)")
        said = row.locator(".chip-of").all_inner_texts()
        sums = [one.split(" = ")[-1] for one in words]
        assert said == words or drawn == sums, "cards with sums, or words"
        cut = row.locator(".bundles").evaluate(
            "(home) => [...home.children].filter((one) => one.className !== 'measure').some((one) => {"
            " const [a, b] = [one.getBoundingClientRect(), home.getBoundingClientRect()];"
            " return a.right > b.right + 1 || a.bottom > b.bottom + 1 || one.offsetWidth < 8; })"
        )
        assert not cut
    assert page.locator(".groups .bracket").count() == 0, "they say it themselves"


@pytest.mark.skipif(not installed(), reason="no Node here, or its packages are not installed")
def test_groups_are_drawn_as_large_as_there_is_room() -> None:
    one = [{"cards": 2, "words": "K+5 = 18"}]
    many = [{"cards": 4, "words": "10+10+8+8 = 36"}] * 5
    wide, narrow, crowded, hopeless = in_node(
        "bundles.ts",
        "bundled",
        [[one, 300, 80, 48], [one, 100, 60, 48], [many, 100, 60, 40], [many * 3, 60, 40, 40]],
    )
    assert wide["card"] == 48 and 19 <= narrow["card"] < 48
    assert crowded["card"] == 0 and crowded["type"] >= 7.5, "only words fit"
    assert hopeless == {"card": 0, "type": 7.5}
    assert in_node("bundles.ts", "sumOf", [["K+5 = 18"], ["9"]]) == ["18", "9"]


def test_a_button_that_plays_itself_does_not_look_like_a_task(browser: Any) -> None:
    script = Script(browser, PHONE, groups_laid(1, 0, 0, offers=[Button("done", "End turn", "d", auto=True)]))
    script.sit()
    script.page.wait_for_selector(".acts .button.itself:has-text('End turn')")
    end = time.monotonic() + WAIT
    while not any(said["type"] == "move" for said in script.heard) and time.monotonic() < end:
        script.page.wait_for_timeout(20)
    assert [said["move"] for said in script.heard if said["type"] == "move"] == ["done"]


def trading(cards: str, **more: Any) -> View:
    zones = [Zone("centre", "pile", "Centre", None, count=30)]
    for owner in range(3):
        hand = [HIDDEN] * 5 if owner else [face_up(card) for card in cards.split()]
        zones.append(Zone(f"hand-{owner}", "hand", "Hand", owner, hand))
    return view(zones, actors=[0, 1, 2], waiting_for="everyone", **more)


def test_what_one_got_is_said_together_and_stays_marked(browser: Any) -> None:
    live = table(realtime=True)
    script = Script(browser, PHONE, trading("AS 2S 3H 4D 5C"), table=live)
    script.sit()
    page = script.page
    page.wait_for_selector(".mine .hands [data-card]")
    assert page.locator(".fresh").count() == 0, "a hand that was dealt is nothing new"
    told = [
        Event("centre", message("{who|You} {who|swaps|swap} 3♥ 4♦.", {"who": 0}), 0),
        Event("draw", message("{who|You} {who|gets|get} 9♠.", {"who": 0}), 0),
        Event("draw", message("{who|You} {who|gets|get} 8♠.", {"who": 0}), 0),
    ]
    after = trading("AS 2S 5C 8S 9S")
    script.send(Update(2, [TableEvent(2, "moved", [Beat(told)])], live, after, 7))
    page.wait_for_selector("[data-caption]:has-text('You swap 3♥ 4♦. You get 9♠. You get 8♠.')")
    got = page.locator(".mine .hands .fresh")
    assert got.evaluate_all("(all) => all.map((one) => one.dataset.card)") == ["8S", "9S"]
    # What others do pushes neither away.
    quiet = Event("trade", "Bob and Cleo trade two cards.", 1, quiet=True)
    later = trading("AS 2S 5C 8S 9S", turn=2)
    script.send(Update(3, [TableEvent(3, "moved", [Beat([quiet])])], live, later, 8))
    marker = trading("AS 2S 5C 8S 9S", turn=3, prompt="Go on.")
    script.send(Update(4, [TableEvent(4, "moved", [Beat([quiet])])], live, marker, 9))
    page.wait_for_selector(".dock .prompt:has-text('Go on.')")
    assert "You get 8♠." in page.locator("[data-caption]").inner_text() and got.count() == 2
    lines = page.evaluate("() => document.querySelector('[data-live]').textContent")
    assert "trade two cards" not in lines


def test_a_sealed_move_that_came_too_late_is_said(browser: Any) -> None:
    relaxed = table(realtime=True)
    relaxed.settings.pulse = True
    take = Button("take", "Take it", "t")
    script = Script(browser, PHONE, trading("AS 2S 3H", offers=[take]), table=relaxed)
    script.sit()
    page = script.page
    page.click(".acts .button:has-text('Take it')")
    page.wait_for_function("() => document.querySelector('.acts .pending, .acts [aria-busy=true]')")
    opened = trading("AS 2S 3H", offers=[take], turn=2)
    first = Event("trade", "Bob was first.", 1)
    script.send(Update(2, [TableEvent(2, "moved", [Beat([first])])], relaxed, opened, 8))
    page.wait_for_selector("text=Too late: another player was quicker.")


def test_a_result_without_points_has_places(browser: Any) -> None:
    """Who won comes first; the others by what they have left, and equal ones share a place."""
    ended = groups_laid(0, 0, 0, over=True, winners=[1], scores=[0, 1, 0], actors=[], waiting_for="nobody")
    for who, cards in enumerate((4, 0, 2)):
        ended.seats[who] = seat(who, "done")
        ended.seats[who].stats = [Counter("cards", "Cards", cards)]
    over = table(status="over", result=MatchResult([0, 1, 0], [1], unfinished=False))
    script = Script(browser, PHONE, ended, table=over)
    kinds = GameSheet(
        *("coins", "Coins", "heads or tails", (1, 9), 3, 3, 10, "easy", "Call it in the air."),
        lowest_wins=False,
        unit="",
        realtime=False,
        suggested={},
        options=[],
        bots=[],
    )
    script.api["/api/games"] = GameList([kinds], [])
    script.sit()
    found = "[...document.querySelectorAll('.result .scores li')].map((one) => one.innerText.split(/\\s+/))"
    script.page.wait_for_function(f"() => {found}.length === 3 && {found}[1].at(-1) === '2'")
    rows = script.page.evaluate(f"() => {found}")
    assert [(row[0], row[-1]) for row in rows] == [("★", "0"), ("2", "2"), ("3", "4")]
