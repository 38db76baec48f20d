"""Tips in a person's first match of a game, in a real Chromium.

No server: messages are made here, from the server's types.
"""

from __future__ import annotations

from typing import Any

import pytest

from ninefold.model.view import Button, Choice, Selection, View, Zone, face_up
from support.browsing import ASIDE, DESKTOP, PHONE, WIDE
from support.scripted import Script, view

PREFERENCES = 'localStorage.setItem(\'ninefold preferences\', \'{"speed": "instant", "offered": true}\')'
COACH = ".coach:not(.gone)"
# What a tip lies over that can be tapped.
COVERED = """() => { const tip = document.querySelector('.coach:not(.gone)').getBoundingClientRect();
  return [...document.querySelectorAll('.match button:not(.coach), .match a, .match input')]
    .filter((one) => one.offsetParent).filter((one) => { const box = one.getBoundingClientRect();
      return box.left < tip.right && tip.left < box.right && box.top < tip.bottom && tip.top < box.bottom; })
    .map((one) => one.ariaLabel ?? one.textContent); }"""


def first_match() -> View:
    """A hand of nine, a pile that can be touched, and a button."""
    cards = [face_up(card) for card in ("AS", "2H", "3D", "4C", "5S", "6H", "7D", "8C", "9S")]
    zones = [Zone("deck", "pile", "Deck", None, count=30)]
    for owner in range(3):
        zones.append(Zone(f"hand-{owner}", "hand", "Hand", owner, cards))
    put = Selection("put", "Put", "hand-0", [Choice("put AS", [0]), Choice("put 2H", [1])])
    draw = Button("draw", "Draw a card", "d", zone="deck")
    return view(zones, [put, draw], goal="Fewest cards win.", groups=[])


def sit(browser: Any, size: dict[str, int], *more: str) -> Script:
    script = Script(browser, size, first_match())
    for line in (PREFERENCES, *more):
        script.person.context.add_init_script(f"try {{ {line} }} catch {{ /* no storage */ }}")
    script.sit()
    script.page.wait_for_selector(".felt .centre", state="attached")
    return script


@pytest.mark.parametrize("size", [PHONE, ASIDE, DESKTOP, WIDE], ids=["phone", "aside", "desktop", "wide"])
def test_three_tips_and_none_again(browser: Any, size: dict[str, int]) -> None:
    script = sit(browser, size)
    page, said = script.page, []
    for _ in range(3):
        page.wait_for_selector(COACH)
        assert page.evaluate(COVERED) == []
        assert page.inner_text(".scene [role=status].unseen") == page.inner_text(COACH)
        said.append(page.inner_text(COACH))
        page.click(COACH)
        page.wait_for_selector(".coach", state="detached")
    assert said == [
        "Your goal: Fewest cards win.",
        "Your turn. What you can do is below: Put, Draw a card.",
        "What glows can be tapped: your cards, Deck.",
    ]
    page.wait_for_timeout(900)
    assert page.locator(".coach").count() == 0
    page.reload()
    page.wait_for_selector(".felt .centre", state="attached")
    page.wait_for_timeout(900)
    assert page.locator(".coach").count() == 0
    assert script.moves() == []
    assert script.person.wrong == []
    script.person.context.close()


@pytest.mark.parametrize(
    "known",
    [
        "localStorage.setItem('ninefold learned', '[\"coins\"]')",
        "localStorage.setItem('ninefold matches', '[{\"game\": \"coins\"}]')",
    ],
)
def test_who_knows_the_game_gets_none(browser: Any, known: str) -> None:
    script = sit(browser, PHONE, known)
    script.page.wait_for_timeout(900)
    assert script.page.locator(".coach").count() == 0
    script.person.context.close()


def test_a_move_puts_a_tip_away(browser: Any) -> None:
    script = sit(browser, PHONE)
    script.page.wait_for_selector(COACH)
    script.page.click(".acts .button:has-text('Draw')")
    script.page.wait_for_selector(".coach:has-text('Your goal')", state="detached")
    script.person.context.close()
