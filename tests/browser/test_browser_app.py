"""Ninefold as an app, in a real Chromium: it can be installed, and keeps score without a connection."""

from __future__ import annotations

import re
import shutil
import struct
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from fastapi import Request, Response

from ninefold.server.http import pages
from support.browsing import FLAGS, PHONE, Person, built
from support.pictures import ICON, icons, previews, said, source_of
from support.proxy import Proxy, proxied
from support.serving import Running

READY = "() => navigator.serviceWorker.ready.then(({active}) => active.state === 'activated')"
CACHED = """async () => {
  const names = await caches.keys();
  const kept = await Promise.all(names.map((name) => caches.open(name).then((cache) => cache.keys())));
  return [names, kept.flat().map(({url}) => new URL(url).pathname)];
}"""


@pytest.fixture
def proxy(server: Running) -> Iterator[Proxy]:
    """A connection to the server that can be cut."""
    with proxied(server.url) as made:
        yield made


@pytest.fixture
def phone(proxy: Proxy, browser: Any) -> Iterator[Person]:
    person = Person(browser, proxy.url, PHONE, service_workers="allow")
    yield person
    assert person.wrong == []
    person.context.close()


def _installed(phone: Person) -> None:
    phone.page.goto("/")
    phone.page.wait_for_function(READY)


def test_it_can_be_installed(server: Running, browser: Any) -> None:
    """Chromium itself says what is missing; the one without a window finds nothing wrong with any page."""
    whole = shutil.which("chromium")
    if not whole:
        pytest.skip("no whole Chromium here")
    with browser.browser_type.launch(executable_path=whole, args=FLAGS) as one:
        person = Person(one, server.url, PHONE, service_workers="allow")
        _installed(person)
        devtools = person.context.new_cdp_session(person.page)
        found = devtools.send("Page.getAppManifest")
        assert found["errors"] == [] and found["url"].endswith("/static/ninefold.webmanifest")
        wrong = devtools.send("Page.getInstallabilityErrors")["installabilityErrors"]
        assert [one for one in wrong if one["errorId"] != "in-incognito"] == []  # as contexts of tests are
        assert person.wrong == []


def test_the_manifest_names_what_there_is(server: Running) -> None:
    if not built():
        pytest.skip("the browser client is not built here: run `make client`")
    manifest = server.http.get("/static/ninefold.webmanifest")
    assert manifest.headers["content-type"].startswith("application/manifest+json")
    sheet = manifest.json()
    assert sheet["display"] == "standalone" and sheet["start_url"] == sheet["scope"] == "/"
    sizes = {(one["sizes"], one.get("purpose", "any")) for one in sheet["icons"]}
    assert {("192x192", "any"), ("512x512", "any"), ("512x512", "maskable"), ("any", "any")} == sizes
    for icon in sheet["icons"]:
        answer = server.http.get(icon["src"])
        assert answer.headers["content-type"].startswith(icon["type"])
        if icon["type"] == "image/png":
            assert "{}x{}".format(*struct.unpack(">II", answer.content[16:24])) == icon["sizes"]
    for shortcut in sheet["shortcuts"]:
        assert server.http.get(shortcut["url"]).status_code == 200


@pytest.mark.parametrize("path", [*icons(), *previews()], ids=lambda path: f"{path.parent.name}-{path.name}")
def test_pictures_are_drawn_from_their_sources(path: Path) -> None:
    """`make pictures` after a change of an icon or of a game's picture."""
    sources = previews().get(path) or [ICON]
    assert said(path.read_bytes()) == source_of(*sources), "run `make pictures`"


def test_the_score_card_works_without_a_connection(proxy: Proxy, phone: Person) -> None:
    _installed(phone)
    page = phone.page
    proxy.cut()
    page.goto("/card")
    page.fill("[aria-label='Player 1']", "Ann")
    page.fill("[aria-label='Player 2']", "Bob")
    page.click("button:has-text('Start')")
    for face in (3, 3, 3, 4):
        page.click(f".dice button[aria-label='{face}']")
    page.wait_for_selector(".total:text-is('375')")
    page.click(".cash button:has-text('Ann')")
    page.click("text=Cash out")
    page.wait_for_selector("text=Ann cashes out 375.")
    page.reload()
    page.wait_for_selector("tfoot td:has-text('375')")
    for face in (6, 6, 5, 2):
        page.click(f".dice button[aria-label='{face}']")
    page.click("button:has-text('Undo')")
    page.wait_for_selector("text=Undone: the roll of 5 and 2.")
    page.wait_for_selector(".total:text-is('750')")
    page.fill("[aria-label='Type an entry']", "fix 1.1 35")
    page.click("text=Enter")
    page.wait_for_selector("text=Rolls and cash-outs work without one.")
    phone.picture("card-offline-phone")
    assert not phone.faults()
    proxy.mend()
    page.click("text=Enter")
    page.wait_for_selector("text=Corrected")
    page.wait_for_selector("tfoot td:has-text('83')")  # 8 and 75: the server has played everything again


def test_home_without_a_connection_says_what_works(proxy: Proxy, phone: Person) -> None:
    _installed(phone)
    proxy.cut()
    phone.page.goto("/")
    phone.page.wait_for_selector("[role=alert]:has-text('You’re offline')")
    assert not phone.faults()
    phone.picture("home-offline-phone")
    phone.page.click("[role=alert] >> text=score card")
    phone.page.wait_for_selector("h1:has-text('Score card')")
    proxy.mend()
    phone.page.click("a.brand")
    phone.page.wait_for_selector(".tile")


def test_a_table_without_a_connection_says_so_and_comes_back(
    server: Running, proxy: Proxy, phone: Person
) -> None:
    _installed(phone)
    host = server.open("doubles", players=2, bots=["easy"])
    phone.sit(host.token, host.code)
    phone.page.wait_for_selector("button:has-text('Start')")
    proxy.cut()
    phone.page.reload()
    phone.page.wait_for_selector("text=Can’t reach this table yet")
    proxy.mend()
    phone.page.wait_for_selector("button:has-text('Start')")
    # The browser says by itself that a socket has failed.
    phone.wrong[:] = [one for one in phone.wrong if not one.startswith("WebSocket connection to")]


def test_only_files_of_the_build_are_kept(server: Running, phone: Person) -> None:
    _installed(phone)
    host = server.open("doubles", players=2, bots=["easy"])
    phone.sit(host.token, host.code)
    phone.page.click("button:has-text('Start')")
    phone.page.wait_for_selector(".felt")
    names, kept = phone.page.evaluate(CACHED)
    assert len(names) == 1
    assert "/" in kept and all(one == "/" or one.startswith("/static/") for one in kept)
    size = sum(len(server.http.get(path).content) for path in kept)
    assert size < 600_000


def test_another_build_takes_the_place_of_the_old(phone: Person, monkeypatch: pytest.MonkeyPatch) -> None:
    _installed(phone)
    ((old,), _) = phone.page.evaluate(CACHED)
    found = pages._file

    def built_anew(request: Request, name: str) -> Response:
        request.scope["headers"] = []  # so that it comes as it is
        answer = found(request, name)
        if name == "worker.js":
            number = old.removeprefix("ninefold ").encode()
            return Response(bytes(answer.body).replace(number, b"anew"), media_type="text/javascript")
        return answer

    monkeypatch.setattr(pages, "_file", built_anew)
    phone.page.goto("/card")
    phone.page.wait_for_function("() => caches.keys().then((all) => `${all}` === 'ninefold anew')")
    phone.page.reload()
    phone.page.wait_for_selector("legend")


HIDE = """(hidden) => {
  Object.defineProperty(document, 'hidden', {configurable: true, get: () => hidden});
  document.dispatchEvent(new Event('visibilitychange'));
}"""


def test_who_looks_elsewhere_is_told_when_it_is_their_turn(
    server: Running, proxy: Proxy, browser: Any
) -> None:
    host = server.open("doubles", players=2, name="Ann")
    guest = server.join(host.code)
    phone = Person(browser, proxy.url, PHONE, service_workers="allow")
    page = phone.page
    phone.context.add_init_script(
        "Notification.requestPermission = async () => { window.asked = true; return 'granted'; };"
        "Object.defineProperty(Notification, 'permission', {get: () => window.asked || "
        "localStorage.getItem('ninefold preferences')?.includes('\"notify\":true') ? 'granted' : 'default'});"
        "ServiceWorkerRegistration.prototype.showNotification = async (title, {body, data}) => "
        "{ window.shown = [...window.shown ?? [], [title, body, data]]; };"
    )
    _installed(phone)
    phone.sit(host.token, host.code)
    page.click("button:has-text('Start')")
    page.wait_for_selector(".felt")
    assert not page.evaluate("() => window.asked")  # nobody is asked before they want it
    page.click("[aria-label=Menu]")
    page.click("dialog >> text=Settings")
    page.check("label:has-text('Notify me') input")
    page.wait_for_function("() => localStorage.getItem('ninefold preferences').includes('\"notify\":true')")
    phone.picture("settings-phone")
    assert not phone.faults()
    page.keyboard.press("Escape")
    page.click(".dock button:has-text('Stay')")
    page.wait_for_function("() => !document.title.includes('Your turn')")
    page.evaluate(HIDE, True)
    with guest.connect() as bob:
        bob.ask({"type": "move", "move": "stay", "decision": bob.heard[-1]["decision"]})
        page.wait_for_function("() => document.title.startsWith('● Your turn')")
        page.wait_for_function("() => window.shown")
    ((title, body, there),) = page.evaluate("() => window.shown")
    assert title == "Doubles: your turn" and there == f"/t/{host.code}"
    assert re.fullmatch(r"Stay, or cash out [\d,]+\?", body)
    assert phone.wrong == []
    phone.context.close()


def test_settings_are_in_one_place(server: Running, browser: Any) -> None:
    """The same on a page and at a table: how things look, move and sound, and what one is told of."""
    person = Person(browser, server.url, PHONE)
    page = person.page
    wanted = ["Speed of cards and dice", "Theme", "Text size", "Sound", "Roll for me"]
    wanted += ["Tips in my first match of a game", "Notify me when it’s my turn"]
    page.goto("/")
    page.wait_for_selector(".tile")
    page.click("[aria-label=Settings]")
    page.check("label:has-text('Sound') input")
    page.select_option("label:has-text('Speed') select", "slow")
    _lists(page, wanted)
    host = server.open("doubles", players=2, bots=["easy"])
    person.sit(host.token, host.code)
    page.click("button:has-text('Start')")
    page.click("[aria-label=Menu]")
    page.click("dialog >> text=Settings")
    _lists(page, wanted)
    assert page.is_checked("label:has-text('Sound') input")
    assert page.input_value("label:has-text('Speed') select") == "slow"
    assert person.wrong == []
    person.context.close()


def _lists(page: Any, wanted: list[str]) -> None:
    for label in wanted:
        page.wait_for_selector(f"dialog label:has-text('{label}')")


LOOKS = """(wanted) => JSON.stringify(wanted) === JSON.stringify([
  getComputedStyle(document.body).backgroundColor, getComputedStyle(document.body).fontSize,
  [...document.querySelectorAll('[name=theme-color]')].filter((one) => matchMedia(one.media).matches)
    .map((one) => one.content)])"""
DAY, NIGHT = ["rgb(244, 238, 226)", "16px", ["#f4eee2"]], ["rgb(27, 24, 21)", "20px", ["#1b1815"]]


def test_light_dark_and_the_size_of_words_are_chosen_and_kept(server: Running, browser: Any) -> None:
    phone = Person(browser, server.url, PHONE, color_scheme="light")
    page = phone.page
    page.goto("/")
    page.wait_for_selector(".tile")
    page.wait_for_function(LOOKS, arg=DAY)
    page.click("[aria-label=Settings]")
    page.select_option("label:has-text('Theme') select", "dark")
    page.select_option("label:has-text('Text size') select", "larger")
    page.wait_for_function(LOOKS, arg=NIGHT)
    assert not phone.faults()
    for path, there in (("/", ".tile"), ("/card", "legend"), ("/matches", "#called")):
        page.goto(path)
        page.wait_for_selector(there)
        page.wait_for_function(LOOKS, arg=NIGHT)
        assert page.evaluate("() => document.documentElement.scrollWidth") <= PHONE["width"], path
        assert not phone.faults()
    page.evaluate("() => localStorage.setItem('ninefold preferences', '{\"theme\": \"light\"}')")
    page.emulate_media(color_scheme="dark")
    page.reload()
    page.wait_for_selector("#called")
    page.wait_for_function(LOOKS, arg=DAY)
    assert phone.wrong == []
    phone.context.close()
