"""Pages around the table, in a real Chromium: rules, setup, lobby, result, seasons, and finding one's way."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest

from ninefold.engine import registry
from support.browsing import DESKTOP, PHONE, Person
from support.serving import Running

LONG = "Wolfeschlegelsteinhausenbergerdo"  # 32 letters, and nowhere to break


@pytest.fixture
def phone(server: Running, browser: Any) -> Iterator[Person]:
    person = Person(browser, server.url, PHONE)
    yield person
    assert person.wrong == []
    person.context.close()


def fits(person: Person) -> None:
    """Nothing lies beside the screen."""
    wide = person.page.evaluate("() => document.documentElement.scrollWidth")
    assert wide <= person.page.viewport_size["width"], wide


@pytest.mark.parametrize("game", registry.games())
def test_how_to_play_and_all_the_rules(phone: Person, game: str) -> None:
    title = registry.facts(game).title
    tables = len(re.findall(r"^ *\|[-| ]+\|$", registry.rules_page(game), re.MULTILINE))
    page = phone.page
    page.goto("/")
    page.locator(".tile").filter(has=page.get_by_text(title, exact=True)).click()
    page.click("dialog >> text=Rules")
    page.wait_for_selector(".rules h3")
    assert page.locator(".rules .picture .row").count() >= 5
    fits(phone)
    phone.picture(f"howto-{game}-phone")
    assert not phone.faults()
    assert not page.is_visible(".rules table")  # the numbered rules are behind "All the rules"
    page.click(".rules summary")
    assert page.locator(".rules table").count() == tables
    assert page.is_visible(".rules :text('R1.1')")
    shown = page.inner_text(".rules")
    assert "|" not in shown and "**" not in shown and "`" not in shown
    fits(phone)
    assert not page.evaluate("""() => [...document.querySelectorAll('.rules .scroll')]
        .filter((one) => one.scrollWidth > one.clientWidth).map((one) => one.innerText)""")
    phone.picture(f"rules-{game}-phone")
    assert not phone.faults()


def test_an_option_that_is_refused_is_not_remembered(phone: Person) -> None:
    page = phone.page
    page.goto("/")
    page.click(".tile:has-text('Baseball')")
    page.click("summary")
    page.fill("label:has-text('Decks') input", "banana")
    page.click("text=Play against bots now")
    assert "a whole number from 1 to 16" in page.inner_text("[role=alert]")
    page.fill("label:has-text('Decks') input", "1")  # too few for nine players, as only the server knows
    for _ in range(5):
        page.click("[aria-label='More players']")
    page.click("text=Play against bots now")
    page.wait_for_selector("[role=alert]")
    assert page.is_visible("label:has-text('Decks') input")
    phone.picture("setup-refused-phone")
    page.reload()
    page.click(".tile:has-text('Baseball')")
    assert not page.locator(".changed").count()
    page.click("text=Play against bots now")
    page.wait_for_selector(".felt")


def test_options_that_are_changed_are_shown_and_can_be_put_back(phone: Person) -> None:
    page = phone.page
    page.goto("/")
    page.click(".tile:has-text('Doubles')")
    page.click("summary")
    page.fill("label:has-text('Rounds') input", "2")
    page.click("text=Play against bots now")
    page.wait_for_selector(".felt")
    page.goto("/")
    page.click(".tile:has-text('Doubles')")
    assert "2" in page.inner_text(".changed")
    assert not phone.faults()
    phone.picture("setup-changed-phone")
    page.click("text=Use the usual rules")
    assert not page.locator(".changed").count()
    page.click("summary")
    assert page.input_value("label:has-text('Rounds') input") == "5"


def test_back_closes_a_drawer_and_stays_on_the_page(server: Running, phone: Person) -> None:
    host = server.open("doubles", players=2, bots=["easy"])
    page = phone.page
    page.goto("/matches")
    phone.sit(host.token, host.code)
    page.click("button:has-text('Start')")
    page.wait_for_selector(".felt")
    for label in ("Rules", "Game log", "Menu"):
        page.click(f"[aria-label='{label}']")
        page.wait_for_selector("dialog[open]")
        page.go_back()
        page.wait_for_selector("dialog", state="detached")
        assert page.url.endswith(host.code)
    page.click("[aria-label=Menu]")  # one drawer after another, closed by its button
    page.click("text=Invite players")
    page.wait_for_selector("#address")
    page.click("[aria-label=Close]")
    page.wait_for_selector("dialog", state="detached")
    page.wait_for_function("() => !history.state?.drawer")
    page.go_back()  # and now it leads where it did before
    page.wait_for_selector("h1:has-text('Choose a game')")


def test_seasons_play_is_for_the_season(phone: Person) -> None:
    page = phone.page
    page.goto("/matches")
    page.fill("#called", "Winter")
    page.click("button:has-text('Create')")
    page.wait_for_selector("h1:has-text('Winter')")
    phone.picture("season-empty-phone")
    fits(phone)
    page.click("main a:has-text('Play')")
    assert "count for Winter" in page.inner_text("main")
    page.click(".tile:has-text('Doubles')")
    page.click("summary")
    assert page.locator("label:has-text('Season') select option:checked").inner_text() == "Winter"


@pytest.mark.parametrize("size", [PHONE, DESKTOP], ids=["phone", "desktop"])
def test_long_names_fit_and_presence_is_in_words(server: Running, browser: Any, size: dict[str, int]) -> None:
    host = server.open("doubles", players=4, name=LONG, bots=["medium"])
    server.join(host.code, LONG[::-1])
    person = Person(browser, server.url, size)
    person.sit(host.token, host.code)
    person.page.wait_for_selector("small:text-is('offline')")
    assert person.page.locator("small").first.inner_text() == "host"
    fits(person)
    for name in ("Remove", "Change", "Add a bot"):
        box = person.page.locator(f"li button:text('{name}')").first.bounding_box()
        assert box and box["x"] + box["width"] <= size["width"]
    person.picture(f"lobby-long-names-{size['width']}")
    assert not person.faults()
    assert person.wrong == []


@pytest.mark.parametrize("size", [PHONE, DESKTOP], ids=["phone", "desktop"])
def test_the_host_chooses_whom_to_play_against(server: Running, browser: Any, size: dict[str, int]) -> None:
    host = server.open("doubles", players=4, name="Ada", level="hard")
    person = Person(browser, server.url, size)
    page = person.page
    person.sit(host.token, host.code)
    page.click("[aria-label='Add a bot in seat 2']")
    page.wait_for_selector(".who-plays .one")
    names = page.locator(".who-plays strong").all_inner_texts()
    assert len(names) == 11 and not any("Ada" in name for name in names)  # that is what the host is called
    assert page.is_checked(".who-plays input[value=hard]")
    person.picture(f"lobby-who-plays-{size['width']}")
    fits(person)
    assert not person.faults()
    page.click(".who-plays label:has-text('easy')")
    page.click(".who-plays .one:has-text('Bo')")
    row = page.locator("li.bot")
    row.filter(has_text="Bo").wait_for()
    assert "easy · A gambler who wants it all." in row.inner_text()
    page.click("[aria-label='Add a bot in seat 4']")
    page.click("text=Surprise me")
    page.wait_for_selector("[aria-label^='Change who plays seat 4']")
    page.click("[aria-label^='Change who plays seat 2']")
    page.click("text=Leave the seat free")
    page.wait_for_selector("[aria-label='Add a bot in seat 2']")
    page.click("button.main:has-text('Start')")
    page.wait_for_selector(".seat-panel .level")
    seats = server.http.get(f"/api/tables/{host.code}").json()["seats"]
    assert [seat["level"] for seat in seats] == ["", "hard", "hard", "hard"]
    assert len({seat["character"] for seat in seats}) == 4
    for seat in seats[1:]:
        assert page.locator(f".seat-panel:has-text('{seat['name']}') [title='Plays at level hard']").count()
    assert person.wrong == []


def test_home_leads_back_to_the_table_first(server: Running, phone: Person) -> None:
    page = phone.page
    page.goto("/")
    page.wait_for_selector("text=Start with Doubles")  # for one who has never been here
    lobby, match = (server.open("doubles", players=2) for _ in range(2))
    over = server.open("doubles", players=1, options={"rounds": 1})
    server.join(match.code, "Ben")
    with match.connect() as client, over.connect() as alone:
        client.do("start")
        alone.do("start")
        alone.do("end")
    for seated, sign in ((match, ".felt"), (lobby, "text=At the table"), (over, ".result")):
        phone.sit(seated.token, seated.code)
        page.wait_for_selector(sign)
    page.goto("/")
    page.wait_for_selector("nav[aria-label='Your tables']")
    mine, waiting = page.locator("nav[aria-label='Your tables'] a").all_inner_texts()
    assert "Doubles with Ben" in mine and "your turn" in mine and match.code in mine
    assert "not started yet" in waiting and lobby.code in waiting
    assert not page.locator("text=New here?").count()
    places = [
        page.locator(one).first.bounding_box()
        for one in (f"nav a:has-text('{match.code}')", "#code", ".tile")
    ]
    heights = [place["y"] for place in places if place]
    assert heights == sorted(heights) and len(heights) == 3
    fits(phone)
    phone.picture("home-phone")
    assert not phone.faults()


def test_a_link_for_this_computer_alone_is_warned_about(phone: Person) -> None:
    phone.page.goto("/")
    phone.page.click(".tile:has-text('Doubles')")
    phone.page.click("text=Invite friends")
    phone.page.wait_for_selector("text=works only on this computer")  # the tests' server is at 127.0.0.1
    phone.picture("invite-phone")
    assert not phone.faults()


@pytest.mark.parametrize("size", [PHONE, DESKTOP], ids=["phone", "desktop"])
def test_a_wrong_address_leads_home(server: Running, browser: Any, size: dict[str, int]) -> None:
    person = Person(browser, server.url, size)
    answer = person.page.goto("/nowhere")
    assert answer.status == 404
    person.page.wait_for_selector("h1:has-text('Page not found')")
    person.picture(f"not-found-{size['width']}")
    assert not person.faults()
    person.page.click("main a:has-text('Home')")
    person.page.wait_for_selector("h1:has-text('Choose a game')")
    assert person.wrong == []


def test_a_rematch_without_the_host(server: Running, phone: Person) -> None:
    host = server.open("doubles", players=2, options={"rounds": 1}, name="Anna")
    friend = server.join(host.code, "Bob")
    with host.connect() as client, friend.connect() as other:
        client.do("start")
        client.do("end")
        other.do("end")
        client.do("leave")
    phone.sit(friend.token, host.code)
    phone.page.wait_for_selector("text=Anna has left.")
    phone.picture("rematch-phone")
    fits(phone)
    phone.page.click("text=Play again")
    phone.page.wait_for_selector(".felt")
    phone.page.click("[aria-label=Menu]")
    phone.page.wait_for_selector("text=While Anna is away")


def test_the_log_is_there_after_a_reload_and_for_spectators(server: Running, browser: Any) -> None:
    host = server.open("doubles", players=2, name="Anna", bots=["hard"], spectators=True)
    with host.connect() as client:
        client.do("start")
        client.play_out(lambda _: "stay", most=3)
    me, spectator = Person(browser, server.url, DESKTOP), Person(browser, server.url, DESKTOP)
    me.sit(host.token, host.code)
    spectator.page.goto(f"/t/{host.code}")
    spectator.page.click("text=Just watch")
    for person in (me, spectator):
        person.page.wait_for_selector(".side li:has-text('rolls')")
        rolls = person.page.locator(".side li:has-text('rolls')").count()
        person.page.reload()
        if person is spectator:
            person.page.click("text=Just watch")
        person.page.wait_for_selector(".side li:has-text('rolls')")
        assert person.page.locator(".side li:has-text('rolls')").count() == rolls
        assert person.wrong == []


@pytest.mark.parametrize("size", [PHONE, DESKTOP], ids=["phone", "desktop"])
def test_a_result_fits_and_has_its_log(server: Running, browser: Any, size: dict[str, int]) -> None:
    host = server.open("doubles", players=2, bots=["hard"], options={"rounds": 6}, name="Anna")
    person = Person(browser, server.url, size)
    with host.connect() as client:
        client.do("start")
        client.play_out(lambda view: "stay" if int(view["counters"][0]["value"]) < 300 else "cash out")
    person.sit(host.token, host.code)
    person.page.wait_for_selector("figure svg")
    person.picture(f"result-{size['width']}")
    fits(person)
    if size is PHONE:
        person.page.click("[aria-label='Game log']")
    person.page.wait_for_selector("li.head:visible:has-text('wins with')")
    assert not person.faults()
    assert person.wrong == []


@pytest.mark.parametrize("size", [PHONE, DESKTOP], ids=["phone", "desktop"])
def test_a_replay_has_its_phase_and_a_log_that_follows(
    server: Running, browser: Any, size: dict[str, int]
) -> None:
    host = server.open("doubles", players=2, bots=["hard"], options={"rounds": 3}, name="Anna")
    with host.connect() as client:
        client.do("start")
        client.play_out(lambda view: "stay" if int(view["counters"][0]["value"]) < 200 else "cash out")
    person = Person(browser, server.url, size)
    person.sit(host.token, host.code)
    page = person.page
    page.click("button:has-text('Replay'):not(:disabled)")
    page.wait_for_selector(".replay")
    assert "The end" not in page.inner_text("header.bar")
    for share in (0.0, 0.5, 1.0):
        last = int(page.get_attribute("[aria-label='Step of the match']", "max") or 0)
        page.fill("[aria-label='Step of the match']", str(int(share * last)))
        page.wait_for_selector(f".count:has-text('{int(share * last) + 1}/')")
        if share != 0.5:
            page.wait_for_selector(f".replay .phase:has-text('Round {3 if share else 1} of 3')")
        entries = page.locator(".past li")
        if share:
            newest = entries.last.bounding_box()
            log = page.locator(".past").bounding_box()
            assert newest and log and newest["y"] >= log["y"] - 1  # in sight, from its first word
            assert newest["y"] + newest["height"] <= log["y"] + log["height"] + 1
    assert not person.faults()
    fits(person)
    person.picture(f"replay-log-{size['width']}")
    assert person.wrong == []


def test_the_phase_is_in_full_though_someone_watches(server: Running, browser: Any, phone: Person) -> None:
    host = server.open("doubles", players=2, bots=["easy"], spectators=True)
    phone.sit(host.token, host.code)
    phone.page.click("button:has-text('Start')")
    phone.page.wait_for_selector(".felt")
    watcher = Person(browser, server.url, PHONE)
    watcher.page.goto(f"/t/{host.code}")
    watcher.page.click("text=Just watch")
    for person in (watcher, phone):
        person.page.wait_for_selector(".felt")
        assert "Round 1 of 10" in person.page.inner_text(".title p")
        assert person.page.evaluate("""() => { const one = document.querySelector('.title p');
            return one.scrollWidth <= one.clientWidth && one.scrollHeight <= one.clientHeight + 1; }""")
    phone.page.click("[aria-label=Menu]")
    phone.page.wait_for_selector("dialog >> text=1 person watching.")
    assert watcher.page.is_visible("text=You’re watching.")
    watcher.context.close()
