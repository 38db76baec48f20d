"""The browser client, in a real Chromium: the paths people take, and what may go wrong."""

from __future__ import annotations

import gzip
from importlib import resources
from typing import Any

import pytest

from support.browsing import DESKTOP, PHONE, Person, built
from support.serving import Running


def test_what_is_sent_to_a_browser_is_small() -> None:
    if not built():
        pytest.skip("the browser client is not built here: run `make client`")
    files = resources.files("ninefold.server").joinpath("static", "app").iterdir()
    # Pictures are for those who install it, and for messengers.
    sent = [file for file in files if not file.name.endswith((".png", ".jpg"))]
    size = sum(len(gzip.compress(file.read_bytes())) for file in sent)
    assert size < 150_000, size


def test_a_newcomers_path(server: Running, browser: Any) -> None:
    """Open the page, play with bots and a friend who has the link, see the result and the replay."""
    host, friend = Person(browser, server.url, PHONE), Person(browser, server.url, DESKTOP)
    host.page.goto("/")
    host.click(".tile:has-text('Doubles')")
    _quick(host)
    host.click("text=Invite friends")
    link = host.page.input_value("#address")
    host.picture("lobby-phone")
    assert not host.faults()

    friend.page.goto(link)
    friend.page.wait_for_selector("text=Sit down")
    assert not friend.faults()
    friend.click("text=Sit down")
    friend.page.wait_for_selector("text=Waiting for")

    host.page.wait_for_selector("li.person >> nth=1")
    host.click("button:has-text('Start')")
    for person in (host, friend):
        person.page.wait_for_selector("text=Autopilot")
        person.click("text=Autopilot")
        person.click("text=Stay to the end of the round")
    for person in (host, friend):
        person.page.wait_for_selector(".result", timeout=240_000)
        person.page.wait_for_selector(".reason")
    host.click("button:has-text('Replay')")
    host.page.wait_for_selector("[aria-label='Step of the match']")
    host.click("[aria-label='Next step']")
    assert not host.faults()
    host.picture("replay-phone")
    host.click("text=Done")
    assert (host.clicks, friend.clicks) == (8, 3)

    host.page.click("text=Play again")  # the same people, once more
    friend.page.wait_for_selector(".felt")
    host.page.goto("/matches")
    assert "Doubles" in host.page.inner_text("main")
    assert not host.faults()
    assert host.wrong == friend.wrong == []


def test_a_friend_takes_over_from_a_bot(server: Running, browser: Any) -> None:
    """Begin against bots, invite a second browser by the link, finish, see the result and the replay."""
    host, friend = Person(browser, server.url, PHONE), Person(browser, server.url, PHONE)
    host.page.goto("/")
    host.click(".tile:has-text('Doubles')")
    _quick(host)
    host.click("text=Play against bots now")
    host.page.wait_for_selector(".felt")
    host.click("[aria-label='Menu']")
    host.click("text=Invite players")
    link = host.page.input_value("#address")
    friend.page.goto(link)
    friend.page.wait_for_selector("text=You can take over from a bot")
    friend.picture("join-phone")
    friend.click("text=Ask to join")
    host.page.keyboard.press("Escape")
    host.click("text=Let in")
    friend.page.wait_for_selector("text=Autopilot")
    for person in (host, friend):
        person.click("text=Autopilot")
        person.click("text=Stay to the end of the round")
    for person in (host, friend):
        person.page.wait_for_selector(".result", timeout=240_000)
    friend.click("button:has-text('Replay')")
    friend.page.wait_for_selector("[aria-label='Step of the match']")
    assert (host.clicks, friend.clicks) == (7, 4)
    assert host.wrong == friend.wrong == []


@pytest.mark.parametrize(("kept", "proposed"), [("Ann", "Ann 2"), ("Willow", None)])
def test_nobody_is_proposed_a_name_that_is_taken(
    server: Running, browser: Any, kept: str, proposed: str | None
) -> None:
    """A name of one's own gets a number at this table; one that the page made up becomes another."""
    link = f"/t/{server.open('doubles', name=kept.lower()).code}"
    friend = Person(browser, server.url, PHONE)
    friend.page.goto("/")
    friend.page.evaluate("name => localStorage.setItem('ninefold name', JSON.stringify(name))", kept)
    friend.page.goto(link)
    name = friend.page.input_value("label:has-text('Your name') input")
    assert name == proposed if proposed else name not in ("", kept)
    friend.click("text=Sit down")
    friend.page.wait_for_selector("text=Waiting for")
    assert friend.page.evaluate("localStorage.getItem('ninefold name')") == f'"{kept}"'
    assert friend.wrong == []


def _quick(person: Person) -> None:
    """Options that make the test short; a person would not open them."""
    person.page.click("summary")
    person.page.locator("label:has-text('Rounds') input").fill("1")
    person.page.locator("label:has-text('Bot speed') select").select_option("instant")


def test_against_bots_in_two_clicks(server: Running, browser: Any) -> None:
    person = Person(browser, server.url, PHONE)
    person.page.goto("/")
    person.click(".tile:has-text('Finest 9')")
    person.picture("setup-phone")
    assert not person.faults()
    person.click("text=Play against bots now")
    person.page.wait_for_selector(".felt")
    assert person.clicks == 2
    assert person.wrong == []


def test_a_connection_that_breaks_in_mid_turn(server: Running, browser: Any) -> None:
    host = server.open("doubles", players=2, bots=["never"], options={"rounds": 3})
    with host.connect() as client:
        client.do("start")
    person = Person(browser, server.url, PHONE)
    person.sit(host.token, host.code)
    person.page.wait_for_selector("button:has-text('Stay')")
    seen = person.page.inner_text(".counters")
    person.page.reload()
    person.page.wait_for_selector("button:has-text('Stay')")
    assert person.page.inner_text(".counters") == seen

    # A server that closes the connection: the page reconnects, and sends again what was not answered.
    live = next(one for one in server.handlers.tables.tables.values() if one.code == host.code)
    for connection in list(live.connections):
        connection.drop(1001, "restarting")
    person.page.click("button:has-text('Stay')")
    person.page.wait_for_function("() => /Rolls this round\\s*[2-9]/.test(document.body.innerText)")
    assert live.table.match is not None
    assert sum(seat == 0 for seat, *_ in live.table.match.steps) == 1  # one effect
    assert person.page.locator(".side li:text-is('Ann: stay.')").count() <= 1
    assert person.wrong == []


def test_a_spectator_sees_no_hand_and_cannot_move(server: Running, browser: Any) -> None:
    host = server.open("nine_of_a_kind", players=5, bots=["easy"] * 4, spectators=True, pace="slow")
    with host.connect() as client:
        client.do("start")
    person = Person(browser, server.url, DESKTOP)
    person.page.goto(f"/t/{host.code}")
    person.page.click("text=Just watch")
    person.page.wait_for_selector(".felt")
    assert person.page.locator(".felt .card:not(.down):not(.gap)").count() == 0
    assert person.page.locator(".dock .acts .button").count() == 0
    person.picture("spectator-desktop")
    assert not person.faults()
    assert person.wrong == []


def test_a_forged_key_opens_no_seat(server: Running, browser: Any) -> None:
    host = server.open("doubles", players=3)
    person = Person(browser, server.url, PHONE)
    person.sit("A" * 43, host.code)
    person.page.wait_for_selector("[role=alert]")
    assert person.page.evaluate("(code) => localStorage.getItem(`ninefold table ${code}`)", host.code) is None
    person.page.click("text=Sit down")  # and may still join like anyone else
    person.page.wait_for_selector("text=At the table")


def test_a_recovery_link_brings_the_seat_to_another_device(server: Running, browser: Any) -> None:
    host = server.open("doubles", players=2, bots=["easy"])
    person = Person(browser, server.url, PHONE)
    person.page.goto(f"/t/{host.code}#seat={host.asked['recovery']}")
    person.page.wait_for_selector("text=Ann (you)")
    assert "#" not in person.page.url


def test_why_not_and_the_rule_that_says_so(server: Running, browser: Any) -> None:
    host = server.open("nine_of_a_kind", players=5, bots=["easy"] * 4, pace="slow")
    with host.connect() as client:
        client.do("start")
    person = Person(browser, server.url, PHONE)
    person.sit(host.token, host.code)
    person.page.wait_for_selector(".mine button.lit")
    person.page.click("[aria-label=Menu]")
    person.page.click("summary:has-text('Advanced')")
    person.page.fill("#typed", "answer 0 AS")
    person.page.click("button:text-is('Play')")
    person.page.wait_for_selector(".moved")
    assert "possible" in person.page.inner_text(".moved")
    assert not person.faults()
    person.page.keyboard.press("Escape")
    person.page.wait_for_selector("dialog", state="detached")
    person.page.keyboard.press("?")
    person.page.wait_for_selector(".rules")
    assert not person.faults()


# What was tapped in a hurry is not meant for it: it is tapped until it goes.
GO_ON = """() => {
  document.querySelector('.round-end .button')?.click();
  return !document.querySelector('.round-end');
}"""


def test_a_round_from_the_look_at_the_cards_to_all_hands_laid_open(server: Running, browser: Any) -> None:
    options = {"chicken": True}  # which ends a round at once
    host = server.open("nine_of_a_kind", players=5, bots=["easy"] * 3, look=600, pace="slow", options=options)
    guest = server.join(host.code)
    person = Person(browser, server.url, PHONE)
    page = person.page
    with guest.connect() as client:
        person.sit(host.token, host.code)
        page.click("button:text-is('Start')")
        page.wait_for_selector(".dock button:has-text('Ready')")
        assert page.locator(".mine button.lit").count() == 0, "nothing can be traded yet"
        suits = (
            "() => [...document.querySelectorAll('.hands [data-card]')].map((one) => one.dataset.card.at(-1))"
        )
        page.click(".dock button:has-text('Sort by suit')")
        page.wait_for_selector(".dock button:has-text('Sort by rank')")
        found = page.evaluate(suits)
        assert found == sorted(found, key="RPXWLSHDC".index) and len(found) == 9
        assert page.locator(".seat-panel .check").count() == 3, "bots are ready"
        page.click(".dock button:has-text('Ready')")
        page.wait_for_selector(".seat-panel.me .check")
        assert not person.faults()
        client.do("ready")
        page.wait_for_selector("[data-moment]:has-text('Go!')")
        page.wait_for_selector(".mine button.lit")
        assert page.evaluate(suits) == found, "the hand stays as it was sorted"
        decision = client.now["decision"]
        assert client.ask({"type": "move", "move": "chicken", "decision": decision})["ok"]
        page.wait_for_selector(".round-end")
        assert page.locator(".round-end li .cards").count() == 5 and page.locator(".round-end .dear").count()
        person.picture("round-end-phone")
        assert not person.faults()
        client.do("ready")  # others do not end it
        assert page.locator(".round-end").count() == 1
        page.wait_for_function(GO_ON)
        page.wait_for_selector(".dock button:has-text('Ready')")
        assert person.wrong == []


def test_everything_by_keyboard(server: Running, browser: Any) -> None:
    host = server.open("baseball", players=2, bots=["easy"])
    with host.connect() as client:
        client.do("start")
    person = Person(browser, server.url, DESKTOP)
    person.sit(host.token, host.code)
    page = person.page
    for place in (0, 4):  # look at two cards
        page.wait_for_selector(".mine button.lit")
        page.focus(f".mine [data-place='{0}']")
        for key in ["ArrowDown", "ArrowRight"] * (place == 4):
            page.keyboard.press(key)
        page.keyboard.press("Enter")
        page.wait_for_function(
            "(n) => document.querySelectorAll('.mine .secret').length === n", arg=1 + (place == 4)
        )
    page.wait_for_selector("button:has-text('Keep both secret')")
    page.keyboard.press("n")
    page.wait_for_selector("button:has-text('Draw from the deck')")
    page.keyboard.press("d")
    page.wait_for_selector("button:has-text('Discard')")
    page.keyboard.press("x")
    live = page.locator("[data-live]")
    page.wait_for_function("() => /You discard/.test(document.querySelector('[data-live]').textContent)")
    assert live.get_attribute("aria-live") == "polite"
    assert person.wrong == []


# When a word first stands in another browser.
WATCH_FOR = """(word) => { window.seen = new Promise((seen) => {
  const look = () => document.querySelector('.felt').textContent.includes(word) && seen(Date.now());
  new MutationObserver(look).observe(document.body, {childList: true, subtree: true, characterData: true});
}); }"""


def test_friends_talk_agree_and_react(server: Running, browser: Any) -> None:
    host = server.open("doubles", players=2, options={"rounds": 2})
    guest = server.join(host.code)
    one, other = Person(browser, server.url, PHONE), Person(browser, server.url, DESKTOP)
    one.sit(host.token, host.code)
    other.sit(guest.token, host.code)
    one.page.click("button:has-text('Start')")
    for person in (one, other):
        person.page.wait_for_selector("button:has-text('Stay')")
    other.page.click("[role=tab]:has-text('Chat')")
    other.page.fill("[placeholder='Say something']", "Good luck")
    other.page.click("[aria-label=Send]")
    one.page.click("[aria-label^=Chat]")
    one.page.wait_for_selector("text=Good luck")
    assert not one.faults()
    one.page.keyboard.press("Escape")
    one.page.click("[aria-label=Hint]")
    one.page.wait_for_selector("text=Play it")
    other.page.evaluate(WATCH_FOR, "ready")
    began = one.page.evaluate("() => { document.querySelector('.note .main').click(); return Date.now(); }")
    spent = other.page.evaluate("() => window.seen") - began
    print(f"seen by the other after {spent} ms")
    assert spent < 1000  # under 100 ms on an idle machine
    one.page.click("[aria-label=Menu]")
    one.page.click("text=Undo my last move")
    other.page.wait_for_selector("text=asks to undo the last move")
    other.picture("undo-desktop")
    other.page.click("button:has-text('Agree')")
    one.page.wait_for_selector("button:has-text('Stay')")
    one.page.click("[aria-label=Menu]")
    one.page.click("button:has-text('React')")
    one.page.click("[aria-label='React with 🎉']")
    other.page.wait_for_selector(".emoji:has-text('🎉')")
    assert one.wrong == other.wrong == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_serious_on_any_page(server: Running, browser: Any, scheme: str) -> None:
    person = Person(browser, server.url, PHONE, color_scheme=scheme)
    for address, there in (
        ("/", ".tile"),
        ("/matches", "h1"),
        ("/card", "h1"),
        ("/t/NOSUCH", "h1"),
        ("/season/NOSUCH", "h1"),
    ):
        person.page.goto(address)
        person.page.wait_for_selector(there)
        assert not person.faults(), address
        person.picture(f"page{address.replace('/', '-')}{scheme}")
    host = server.open("baseball", players=3, bots=["easy"] * 2)
    with host.connect() as client:
        client.do("start")
    person.sit(host.token, host.code)
    person.page.wait_for_selector(".mine button.lit")
    assert not person.faults()


def test_the_first_view_of_a_table_comes_at_once(server: Running, browser: Any) -> None:
    host = server.open("finest9", players=4, bots=["easy"] * 3)
    with host.connect() as client:
        client.do("start")
    person = Person(browser, server.url, PHONE)
    person.sit(host.token, host.code)
    person.page.wait_for_selector(".felt .card")
    person.page.reload()  # as on a second evening: from the address to the cards
    person.page.wait_for_selector(".felt .card")
    spent = person.page.evaluate("() => performance.now()")
    print(f"first view after {spent:.0f} ms")
    assert spent < 5000  # under 1 s on an idle machine


def test_a_phone_is_the_score_card_of_a_real_table(server: Running, browser: Any) -> None:
    person = Person(browser, server.url, PHONE)
    page = person.page
    page.goto("/card")
    page.fill("[aria-label='Player 1']", "Ann")
    page.fill("[aria-label='Player 2']", "Bob")
    page.click("button:has-text('Start')")
    page.wait_for_selector(".dice")
    keys = page.locator(".dice").bounding_box()
    for face in (3, 3, 3, 4):
        page.click(f".dice button[aria-label='{face}']:not(:disabled)")
    page.wait_for_selector(".total:text-is('375')")
    page.click("summary")
    page.click(".entry:has-text('1.2')")  # it was a three and a five
    for face in (3, 5):
        page.click(f".dice button[aria-label='{face}']:not(:disabled)")
    page.wait_for_selector(".total:text-is('308')")
    page.click(".entry:has-text('1.2')")
    for face in (3, 4):
        page.click(f".dice button[aria-label='{face}']:not(:disabled)")
    page.wait_for_selector(".total:text-is('375')")
    assert page.locator(".dice").bounding_box() == keys  # whatever is said, the keys stay where they are
    page.click(".cash button:has-text('Ann')")
    page.click(".cash button:has-text('Bob')")
    page.click("text=Cash out")
    page.wait_for_selector("text=Round 2 of 10")
    page.fill("[aria-label='Type an entry']", "fix 1.1 35")
    page.click("text=Enter")
    page.wait_for_selector("text=Corrected")
    page.reload()  # nothing is lost
    page.wait_for_selector("tfoot td:has-text('83')")
    person.picture("card-phone")
    assert not person.faults()
    page.fill("[aria-label='Type an entry']", "zzz")
    page.click("text=Enter")
    page.wait_for_selector(".wrong")
    assert person.wrong == []


def test_a_season_by_its_link(server: Running, browser: Any) -> None:
    person = Person(browser, server.url, PHONE)
    page = person.page
    page.goto("/matches")
    page.fill("#called", "Winter at the lake")
    page.click("button:has-text('Create')")
    page.wait_for_selector("h1:has-text('Winter at the lake')")
    season = page.url
    page.click("main a.button.main")
    page.click(".tile:has-text('Doubles')")
    _quick(person)
    page.locator("label:has-text('Season') select").select_option("Winter at the lake")
    page.click("text=Play against bots now")
    page.click("text=Autopilot")
    page.click("text=Stay to the end of the round")
    page.wait_for_selector(".result", timeout=240_000)
    other = Person(browser, server.url, DESKTOP)
    other.page.goto(season)
    other.page.wait_for_selector("tbody tr")
    other.picture("season-desktop")
    assert not other.faults()
    assert person.wrong == other.wrong == []


def test_who_only_watched_sits_down_for_the_next_match(server: Running, browser: Any) -> None:
    host = server.open("doubles", players=2, bots=["easy"], options={"rounds": 1}, spectators=True)
    with host.connect() as client:
        client.do("start")
    one, friend = Person(browser, server.url, DESKTOP), Person(browser, server.url, PHONE)
    friend.page.goto(f"/t/{host.code}")
    friend.page.click("text=Just watch")
    friend.page.wait_for_selector(".felt")
    one.sit(host.token, host.code)
    one.page.click("text=Autopilot")
    one.page.click("text=Stay to the end of the round")
    one.page.click("text=Change seats")
    one.page.click("[aria-label^='Change who plays seat 2']")
    one.page.click("text=Leave the seat free")
    friend.page.click("text=Sit down for the next match")
    friend.page.click("text=Sit down")
    one.page.wait_for_selector("li.person >> nth=1")
    one.page.click("button:has-text('Start')")
    friend.page.wait_for_selector("button:has-text('Stay')")
    assert one.wrong == friend.wrong == []
