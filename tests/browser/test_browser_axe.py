"""What axe finds: nothing at all. On phones on every page and in every game, upright and on its side; at a
desk from home to the score card."""

from __future__ import annotations

from typing import Any

import pytest

from ninefold.engine import registry
from support.browsing import ASIDE, DESKTOP, PHONE, Person
from support.serving import Running

SIZES = pytest.mark.parametrize("size", [PHONE, ASIDE], ids=["upright", "aside"])
ANY = ("minor", "moderate", "serious", "critical")
FLIES = "() => document.querySelector('.ghost')"


# A colour that changes is passed on from an element to those within, one after another.
SETTLED = """async () => {
  const changing = () => document.getAnimations().filter((one) => one instanceof CSSTransition);
  const frame = () => new Promise(requestAnimationFrame);
  for (await frame(); changing().length; await frame())
    await Promise.all(changing().map((one) => one.finished.catch(() => null)));
}"""


def _clean(person: Person, where: str, schemes: tuple[str, ...] = ("light", "dark")) -> None:
    for scheme in schemes:
        person.page.emulate_media(color_scheme=scheme)
        person.page.evaluate(SETTLED)  # colours change in a moment
        assert not person.faults(ANY), (where, scheme)
    person.picture(f"axe-{where.replace('/', '-')}-{person.page.viewport_size['width']}")


@SIZES
def test_every_page(server: Running, browser: Any, size: dict[str, int]) -> None:
    table = server.open("doubles", players=3, spectators=True).code
    person = Person(browser, server.url, size, has_touch=True)
    for address, there in (
        ("/", ".tile"),
        ("/matches", "#called"),
        ("/card", "legend"),
        (f"/t/{table}", "text=Just watch"),
        ("/t/NOSUCH", "h1:has-text('Table not found')"),
        ("/season/NOSUCH", "h1:has-text('Season not found')"),
        ("/nowhere", "h1:has-text('Page not found')"),
    ):
        person.page.goto(address)
        person.page.wait_for_selector(there)
        _clean(person, address)
    person.page.goto("/")
    person.page.click(".tile >> nth=0")
    person.page.click("summary")
    _clean(person, "setup")
    assert person.wrong == []
    person.context.close()


@SIZES
@pytest.mark.parametrize("game", registry.games())
def test_every_game_and_its_drawers(server: Running, browser: Any, game: str, size: dict[str, int]) -> None:
    players = registry.facts(game).usual_players
    host = server.open(game, players=players, bots=["easy"] * (players - 1), pace="slow")
    person = Person(browser, server.url, size, has_touch=True)
    person.sit(host.token, host.code)
    person.page.wait_for_selector("text=At the table")
    if game == "doubles":
        _clean(person, "lobby")
    person.page.click("button:has-text('Start')")
    person.page.wait_for_selector(".felt")
    _clean(person, game)
    # Only the rules are another page in each game.
    for label in ("Rules", "Game log", "Chat", "Menu") if game == "doubles" else ("Rules",):
        person.page.click(f"[aria-label='{label}']")
        person.page.wait_for_selector("dialog[open]")
        if label == "Menu":
            for part in person.page.locator("dialog summary").all():
                part.click()
        _clean(person, f"{game}-{label}", ("light",) if size is PHONE else ("dark",))
        person.page.keyboard.press("Escape")
        person.page.wait_for_selector("dialog", state="detached")
    assert person.wrong == []
    person.context.close()


@pytest.mark.parametrize("size", [PHONE, DESKTOP], ids=["phone", "desk"])
def test_the_way_of_a_newcomer(server: Running, browser: Any, size: dict[str, int]) -> None:
    """Home, settings, a lesson, a lobby, a table, a result with its details, and the score card."""
    person = Person(browser, server.url, size)
    page = person.page
    page.goto("/")
    page.wait_for_selector(".tile")
    _clean(person, "home")
    page.click("[aria-label=Settings]")
    page.wait_for_selector("dialog[open]")
    _clean(person, "settings")
    page.goto("/learn/doubles")
    page.wait_for_selector(".dock .prompt.mine")
    _clean(person, "lesson")
    page.click(".dock .button:has-text('Cash out')")
    page.wait_for_selector("[role=alert]:has-text('Not quite.')")
    _clean(person, "lesson-wrong", ("light",))
    page.click(".dock .button:has-text('Stay')")
    page.wait_for_selector(".after .button:not(:disabled)")
    _clean(person, "lesson-solved", ("dark",))
    host = server.open("doubles", players=3, bots=["easy"], options={"rounds": 1})
    person.sit(host.token, host.code)
    page.wait_for_selector("text=At the table")
    _clean(person, "lobby")
    page.click("button:has-text('Start')")
    page.wait_for_selector(".felt")
    _clean(person, "table")
    person.play_until(".result", 60.0)
    page.click("section[aria-label='Fair draws'] summary")
    page.wait_for_selector(".highlights")
    page.wait_for_selector("button:has-text('Share'):not(:disabled)")
    _clean(person, "result")
    page.goto("/card")
    page.fill("[aria-label='Player 1']", "Ann")
    page.fill("[aria-label='Player 2']", "Bob")
    _clean(person, "card")
    page.click("button:has-text('Start')")
    page.wait_for_selector(".dice")
    _clean(person, "card-in-use")
    assert person.wrong == []
    person.context.close()


@pytest.mark.parametrize("game", ["baseball"])
def test_while_cards_fly(server: Running, browser: Any, game: str) -> None:
    players = registry.facts(game).usual_players
    host = server.open(game, players=players, bots=["easy"] * (players - 1), pace="fast")
    person = Person(browser, server.url, PHONE, has_touch=True, reduced_motion="no-preference", speed="slow")
    person.sit(host.token, host.code)
    person.page.click("button:has-text('Start')")
    person.page.wait_for_function(FLIES)
    assert [one for one in person.faults(ANY) if not one.startswith("color-contrast")] == []  # things fade in
    assert person.page.evaluate("() => !document.querySelector('.ghost button, button.ghost')")
    assert person.wrong == []
    person.context.close()
