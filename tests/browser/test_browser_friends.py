"""Friends at one table, in a real Chromium: connections that freeze or are slow, and players who drop out."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from support.browsing import DESKTOP, PHONE, Person
from support.proxy import Proxy, proxied
from support.serving import Running

SIZES = pytest.mark.parametrize("size", [PHONE, DESKTOP], ids=["phone", "desktop"])


@pytest.fixture
def proxy(server: Running) -> Iterator[Proxy]:
    with proxied(server.url) as found:
        yield found


def _moves(server: Running, code: str) -> int:
    """The moves of the first seat that have taken effect."""
    session = next(one for one in server.handlers.tables.tables.values() if one.code == code)
    return sum(seat == 0 for seat, *_ in session.table.running.steps)


def _started(
    server: Running, url: str, browser: Any, size: dict[str, int], **more: Any
) -> tuple[Person, str]:
    host = server.open("doubles", players=2, bots=["never"], **more)
    with host.connect() as client:
        client.do("start")
    person = Person(browser, url, size)
    person.sit(host.token, host.code)
    person.page.wait_for_selector("button:has-text('Stay')")
    return person, host.code


@SIZES
def test_a_frozen_connection_is_noticed_and_a_tap_is_kept(
    server: Running, proxy: Proxy, browser: Any, size: dict[str, int]
) -> None:
    person, code = _started(server, proxy.url, browser, size)
    page = person.page
    before = page.locator("button:has-text('Stay')").bounding_box()
    proxy.freeze()
    page.click("button:has-text('Stay')")
    page.wait_for_selector("button.pending:has-text('Stay')[aria-busy=true]")
    page.wait_for_selector("text=Sending…")
    page.wait_for_selector("text=Connection lost. Reconnecting…", timeout=40_000)
    page.wait_for_selector("text=What you did is kept and sent again.")
    assert page.locator("button:has-text('Stay')").bounding_box() == before  # the banner moves nothing
    assert page.locator("button.pending").count() == 1
    person.picture(f"frozen-{size['width']}")
    assert not person.faults()
    assert _moves(server, code) == 0
    proxy.thaw()
    page.wait_for_selector(".offline", state="detached")
    page.wait_for_function("() => /Rolls this round\\s*[2-9]/.test(document.body.innerText)")
    assert _moves(server, code) == 1  # delivered, once
    assert person.wrong == []
    person.context.close()


def test_a_silent_connection_that_froze_is_noticed_without_a_tap(
    server: Running, proxy: Proxy, browser: Any
) -> None:
    person, _ = _started(server, proxy.url, browser, PHONE)
    proxy.freeze()
    person.page.wait_for_selector("text=Connection lost. Reconnecting…", timeout=40_000)
    proxy.thaw()
    person.page.wait_for_selector(".offline", state="detached")
    assert person.wrong == []
    person.context.close()


def test_a_tap_that_comes_too_late_is_refused_in_words(server: Running, proxy: Proxy, browser: Any) -> None:
    host = server.open("doubles", players=2, bots=["never"])
    with host.connect() as client:
        client.do("start")
        person = Person(browser, proxy.url, PHONE)
        person.sit(host.token, host.code)
        person.page.wait_for_selector("button:has-text('Stay')")
        proxy.freeze()
        person.page.click("button:has-text('Stay')")
        client.play_out(lambda _: "stay", most=1)  # the same seat, on another device
        proxy.thaw()
        person.page.wait_for_selector(".dock [role=alert]:has-text('so this wasn’t played')")
    person.picture("too-late-phone")
    assert not person.page.locator(".pending").count()
    assert _moves(server, host.code) == 1
    person.context.close()


@SIZES
def test_a_pressed_button_waits_visibly_on_a_slow_connection(
    server: Running, proxy: Proxy, browser: Any, size: dict[str, int]
) -> None:
    person, code = _started(server, proxy.url, browser, size)
    proxy.delay = 0.7
    person.page.click("button:has-text('Stay')")
    person.page.wait_for_selector("button.pending:has-text('Stay')")
    person.page.wait_for_selector("text=Sending…")
    person.picture(f"pending-{size['width']}")
    person.page.locator("button.pending").dispatch_event("click")  # impatient: nothing more happens
    person.page.wait_for_function("() => /Rolls this round\\s*[2-9]/.test(document.body.innerText)")
    assert not person.page.locator("[role=alert]").count()
    assert _moves(server, code) == 1
    assert person.wrong == []
    person.context.close()


@SIZES
def test_who_is_offline_is_said_and_anyone_may_let_a_bot_play(
    server: Running, browser: Any, size: dict[str, int]
) -> None:
    host = server.open("doubles", players=3, name="Anna")
    bob, cleo = server.join(host.code, "Bob"), server.join(host.code, "Cleo")
    with host.connect() as client:
        client.do("start")
        with bob.connect():
            person = Person(browser, server.url, size)
            person.sit(cleo.token, host.code)
            person.page.wait_for_selector("button:has-text('Stay')")
        page = person.page
        page.wait_for_selector(".note:has-text('Bob is offline')")
        assert "Wait, or let a bot play?" in page.inner_text(".note")
        page.wait_for_function("() => /Bob is offline \\(\\d+s\\)/.test(document.body.innerText)")
        assert "Bob is offline." in page.inner_text("[data-live]")
        person.picture(f"offline-{size['width']}")
        assert not person.faults()
        page.click(".note button:has-text('Let a bot play')")
        page.wait_for_selector(".note", state="detached")
        _read(person, "Bob is offline. A bot plays for them.")
        with bob.connect():
            _read(person, "Bob is back.")
    assert person.wrong == []
    person.context.close()


def _read(person: Person, line: str) -> None:
    """Find a line in the log."""
    if person.page.viewport_size["width"] < 1000:
        person.page.click("[aria-label='Game log']")
    person.page.wait_for_selector(f"ol[aria-label='Game log']:visible li:has-text('{line}')")
    person.page.keyboard.press("Escape")
    person.page.wait_for_selector("dialog", state="detached")


def test_waiting_is_a_choice_too(server: Running, browser: Any) -> None:
    host = server.open("doubles", players=2, name="Anna")
    bob = server.join(host.code, "Bob")
    with bob.connect():
        person = Person(browser, server.url, PHONE)
        person.sit(host.token, host.code)
        person.page.click("button:has-text('Start')")
        person.page.wait_for_selector("button:has-text('Stay')")
    person.page.click(".note button:has-text('Wait')")
    person.page.wait_for_selector(".note", state="detached")
    assert person.page.locator(".seat-panel:has-text('offline')").count() == 1  # still said, in a word
    with bob.connect():
        person.page.wait_for_selector(".seat-panel:has-text('offline')", state="detached")
        _read(person, "Bob is online again.")
    person.context.close()


def test_a_clock_that_runs_out_is_explained(server: Running, browser: Any) -> None:
    host = server.open("doubles", players=2, name="Anna", clock=600)
    bob = server.join(host.code, "Bob")
    anna, other = Person(browser, server.url, PHONE), Person(browser, server.url, DESKTOP)
    anna.sit(host.token, host.code)
    other.sit(bob.token, host.code)
    anna.page.click("button:has-text('Start')")
    for person in (anna, other):
        person.page.wait_for_selector("button:has-text('Stay')")
    session = next(one for one in server.handlers.tables.tables.values() if one.code == host.code)
    asked = session.runner.clock._asked
    asked[0] = (asked[0][0], asked[0][1] - 600)  # ten minutes ago
    other.page.click("[role=tab]:has-text('Chat')")
    other.page.fill("[placeholder='Say something']", "Anna?")
    other.page.click("[aria-label=Send]")
    other.page.click("[role=tab]:has-text('Log')")
    _read(other, "Anna’s time is up. A bot plays for them.")
    anna.page.wait_for_selector("text=Your time is up. A bot plays for you.")
    anna.picture("time-up-phone")
    assert not anna.faults()
    anna.page.click("text=Take my seat back")
    _read(other, "Anna is back.")
    assert anna.wrong == other.wrong == []


def test_the_log_opens_at_its_newest_line(server: Running, browser: Any) -> None:
    host = server.open("doubles", players=2, name="Anna", bots=["hard"])
    with host.connect() as client:
        client.do("start")
        client.play_out(lambda _: "stay", most=30)
    person = Person(browser, server.url, PHONE)
    person.sit(host.token, host.code)
    person.page.wait_for_selector(".felt")
    person.page.click("[aria-label='Game log']")
    person.page.wait_for_selector("dialog li >> nth=20")
    person.page.wait_for_function("""() => { const list = document.querySelector('dialog ol');
        return list.scrollHeight > list.clientHeight + 40
          && list.scrollTop + list.clientHeight > list.scrollHeight - 4; }""")
    person.picture("log-phone")
    person.page.evaluate("() => { document.querySelector('dialog ol').scrollTop = 0; }")
    person.page.wait_for_timeout(50)  # the event of the scrolling
    assert person.page.evaluate("() => document.querySelector('dialog ol').scrollTop") == 0
    person.context.close()


@SIZES
def test_who_comes_by_a_link_learns_what_game_it_is(
    server: Running, browser: Any, size: dict[str, int]
) -> None:
    host = server.open("doubles", players=3, name="Anna", options={"rounds": 3})
    person = Person(browser, server.url, size)
    person.page.goto(f"/t/{host.code}")
    person.page.wait_for_selector("text=3 players, about")
    shown = person.page.inner_text("main")
    assert "Anna is at this table. 2 seats free." in shown
    assert "minutes" in shown and "Rounds: 3" in shown
    person.picture(f"join-{size['width']}")
    assert not person.faults()
    person.page.click("button:has-text('Rules')")
    person.page.wait_for_selector(".rules h3")
    assert not person.faults()
    assert person.wrong == []
    person.context.close()


def test_a_hint_is_short_and_shown_beside_a_refusal(server: Running, browser: Any) -> None:
    host = server.open("doubles", players=2, bots=["never"])
    with host.connect() as client:
        client.do("start")
    person = Person(browser, server.url, PHONE)
    person.sit(host.token, host.code)
    page = person.page
    page.wait_for_selector("button:has-text('Stay')")
    page.click("[aria-label=Hint]")
    page.wait_for_selector(".note:has-text('Play it')")
    page.keyboard.press("u")  # nothing to undo yet: a refusal
    page.wait_for_selector(".note.bad")
    assert page.is_visible(".note:has-text('Play it')")
    words = page.inner_text(".note:has-text('Play it') p").split()
    assert 3 <= len(words) <= 20, words
    note, mine = page.locator(".notes").bounding_box(), page.locator(".felt .mine").bounding_box()
    assert note and mine and note["y"] + note["height"] <= mine["y"]  # my cards stay in sight
    person.picture("hint-phone")
    assert not person.faults()
    page.click(".note:has-text('Play it') >> text=Play it")
    page.wait_for_function("() => /Rolls this round\\s*[2-9]/.test(document.body.innerText)")
    assert person.wrong == []
    person.context.close()


@pytest.mark.parametrize(("touch", "words"), [(True, "Tap cards to choose."), (False, "Choose cards.")])
def test_how_to_choose_cards_depends_on_the_pointer(
    server: Running, browser: Any, touch: bool, words: str
) -> None:
    host = server.open("nine_of_a_kind", players=5, bots=["easy"] * 4, pace="slow", pulse=True)
    person = Person(browser, server.url, DESKTOP, has_touch=touch, is_mobile=touch)
    person.sit(host.token, host.code)
    person.page.wait_for_selector("dd:has-text('relaxed')")  # what is not as usual is said before it begins
    person.page.click("button:text-is('Start')")
    person.page.wait_for_selector(f".advice:has-text('{words}')")
    person.page.wait_for_selector(".dock button:has-text('Wait')")  # where others do wait for it
    person.context.close()


def test_shortcuts_are_written_down(server: Running, browser: Any) -> None:
    person, _ = _started(server, server.url, browser, DESKTOP)
    person.page.click("[aria-label=Menu]")
    person.page.click("summary:has-text('Keyboard shortcuts')")
    keys = person.page.locator("dialog kbd").all_inner_texts()
    assert {"H", "U", "?", "Space", "Esc"} <= set(keys)
    person.picture("shortcuts-desktop")
    assert not person.faults()
    person.context.close()


def test_screen_readers_hear_of_others_decisions_once_at_most(server: Running, browser: Any) -> None:
    host = server.open("doubles", players=4, bots=["never"] * 3)
    with host.connect() as client:
        client.do("start")
    person = Person(browser, server.url, DESKTOP)
    person.sit(host.token, host.code)
    person.page.click("button:has-text('Stay')")
    person.page.wait_for_function("() => /rolls/.test(document.querySelector('[data-live]').textContent)")
    assert person.page.inner_text("[data-live]").count("has decided") <= 1
    person.context.close()
