"""The table explains itself: brackets with words, the legend, claims that are held, moves that are forced.

No server and no game: the page is sent messages made from the types.
"""

from __future__ import annotations

from typing import Any

import pytest

from ninefold.model.view import (
    HIDDEN,
    Button,
    Choice,
    Counter,
    Group,
    Offer,
    SeatView,
    Selection,
    View,
    Zone,
    face_up,
    legend,
)
from support.browsing import DESKTOP, PHONE
from support.scripted import Script, dice, view

COST = "Not true yet: a false claim puts you out of this round."
SIZES = pytest.mark.parametrize("size", [PHONE, DESKTOP], ids=["phone", "desktop"])


def until(script: Script, moves: list[str]) -> None:
    """Wait until these moves, and no others, were made."""
    for _ in range(400):
        if script.moves() == moves:
            return
        script.page.wait_for_timeout(50)
    assert script.moves() == moves


def table_of_nines(**more: Any) -> View:
    """K and 7 in the hand; 5, 8, 10, 6 and 3 on the board; another player shows 10 and 3."""
    zones = [
        Zone("board", "row", "Board", None, [face_up(card) for card in ("5C", "8C", "10H", "6H", "3C")]),
        Zone("hand-0", "hand", "Cards", 0, [face_up("KC"), face_up("7D")]),
        Zone("hand-1", "hand", "Cards", 1, [face_up("10S"), face_up("3S")]),
        Zone("hand-2", "hand", "Cards", 2, [HIDDEN, HIDDEN]),
    ]
    groups = [
        Group("6+3 = 9", {"board": [3, 4]}, 0, 1),
        Group("K+5 = 18", {"hand-0": [0], "board": [0]}, 0, 2),
        Group("10+8 = 18", {"hand-1": [0], "board": [1]}, 1, 2),
    ]
    seats = [SeatView(0, 0, "in", hand="3 nines (K+5, 6+3)"), SeatView(1, 0, "in"), SeatView(2, 0, "in")]
    found = view(zones, groups=groups, seats=seats, goal="Most nines win.", legend=legend("K=13", "A=1"))
    found.progress = Counter("hand", "Hand 4 of 12", 3, 12)
    for name, value in more.items():
        setattr(found, name, value)
    return found


MARKED = """() => [...document.querySelectorAll('.bracket .what')].map((label) => {
  const box = label.parentElement.getBoundingClientRect();
  const words = label.getBoundingClientRect();
  const under = [...document.querySelectorAll('[data-place]')].filter((card) => {
    const one = card.getBoundingClientRect();
    return one.left >= box.left - 2 && one.right <= box.right + 2 && Math.abs(one.bottom - box.bottom) < 40;
  });
  return [label.dataset.group, under.map((card) => card.dataset.card).sort().join(' '),
    words.left >= 0 && words.right <= innerWidth];
})"""


@SIZES
def test_cards_that_belong_together_have_a_bracket_and_its_words(browser: Any, size: dict[str, int]) -> None:
    script = Script(browser, size, table_of_nines(actors=[0]))
    script.sit()
    script.page.wait_for_function(f"() => ({MARKED})().some(([label, cards]) => cards === '3C 6H')")
    marked = script.page.evaluate(MARKED)
    assert ["6+3 = 9", "3C 6H", True] in marked and ["K+5 = 18", "5C", True] in marked
    assert ["K+5 = 18", "KC", True] in marked
    assert ["10+8 = 18", "8C", True] not in marked, "over the board, the viewer's own"
    assert "3 nines (K+5, 6+3)" in script.page.inner_text(".mine"), "and in words, for everybody"
    assert script.person.wrong == []


def test_over_the_board_lie_the_brackets_of_the_player_who_shows(browser: Any) -> None:
    script = Script(browser, DESKTOP, table_of_nines(actors=[1]))
    script.sit()
    board = "document.querySelector('[data-zone=board]').getBoundingClientRect()"
    over = f"""() => [...document.querySelectorAll('.bracket')].filter((one) => {{
      const box = one.getBoundingClientRect(), board = {board};
      return box.top > board.top && box.bottom < board.bottom + 20;
    }}).map((one) => one.textContent + (one.querySelector('.what')?.dataset.group ?? ''))"""
    script.page.wait_for_function(f"() => ({over})().includes('10+8 = 18')")
    assert script.page.evaluate(over) == ["10+8 = 18"]


@SIZES
def test_goal_values_and_progress_are_at_hand(browser: Any, size: dict[str, int]) -> None:
    script = Script(browser, size, table_of_nines())
    script.sit()
    script.page.wait_for_selector(".legend")
    assert script.page.inner_text(".legend p").split("\n")[0].replace("\xa0", " ").startswith("Hand 4 of 12")
    assert "Most nines win." in script.page.inner_text(".legend p")
    assert [one.split() for one in script.page.locator(".legend li").all_inner_texts()] == [
        ["K", "13"],
        ["A", "1"],
    ]
    bar = script.page.eval_on_selector(".legend .bar i", "one => one.style.width")
    assert bar == "25%"


def choose(points: int | None = None) -> list[Offer]:
    choices = [
        Choice("lay 8 8 2", [0, 1, 3], "8+8+2 = 18", points),
        Choice("lay K 5", [2, 4], "K+5 = 18", points and points - 1),
        Choice("lay 8 A", [0, 5], "8+A = 9", points and 2),
    ]
    return [Selection("lay", "Lay a group", "hand-0", choices, alike=points is None)]


HAND = Zone("hand-0", "hand", "Hand", 0, [face_up(card) for card in ("8", "8", "K", "2", "5", "A")])


@SIZES
def test_a_group_lights_up_with_its_sum_when_a_card_is_touched(browser: Any, size: dict[str, int]) -> None:
    script = Script(browser, size, view([HAND], choose()))
    script.sit()
    script.page.wait_for_selector(".mine [data-place='2']")
    assert script.page.locator(".bracket").count() == 0, "nothing is marked before something is touched"
    script.page.click(".mine [data-place='2']")
    script.page.wait_for_selector(".bracket [data-group='K+5 = 18']")
    script.page.click(".mine [data-place='2']")
    script.page.wait_for_selector(".bracket", state="detached")
    script.page.click(".mine [data-place='1']")  # either 8 will do
    script.page.wait_for_selector(".bracket [data-group='8+8+2 = 18']")
    assert script.person.wrong == []


def test_what_a_match_is_worth_lies_on_its_cards(browser: Any) -> None:
    script = Script(browser, PHONE, view([HAND], choose(25)))
    script.sit()
    script.page.wait_for_selector(".bracket [data-group='+25']")
    shown = script.page.eval_on_selector_all(".bracket .what", "all => all.map((one) => one.dataset.group)")
    assert shown == ["+25", "+24"], "no card is under two of them"


def claims(true: bool) -> list[Offer]:
    claim = Button("claim nine", "9 of a Kind!", "n", "nine alike", None if true else COST, lit=true)
    return [claim, Button("wait", "Wait", ".")]


@SIZES
def test_a_claim_that_is_not_true_has_to_be_held(browser: Any, size: dict[str, int]) -> None:
    script = Script(browser, size, view(dice(), claims(False)))
    script.sit()
    claim = script.page.wait_for_selector(".acts .button:has-text('9 of a Kind')")
    script.page.wait_for_timeout(400)  # a finger that is on its way to something else presses nothing
    claim.click()
    script.page.wait_for_selector(f"[role=status]:has-text('{COST}')")
    assert script.moves() == [], "a tap costs nothing, and says what a claim would cost"
    seen = """() => {
      const box = document.querySelector('.cost').getBoundingClientRect();
      return document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2).className;
    }"""
    assert "cost" in script.page.evaluate(seen)
    box = claim.bounding_box()
    script.page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    script.page.mouse.down()
    until(script, ["claim nine"])
    script.page.mouse.up()
    assert script.moves() == ["claim nine"] and script.person.wrong == []


def test_on_a_keyboard_it_is_pressed_twice(browser: Any) -> None:
    script = Script(browser, DESKTOP, view(dice(), claims(False)))
    script.sit()
    script.page.wait_for_selector(".acts .button:has-text('9 of a Kind')")
    script.page.keyboard.press("n")
    script.page.wait_for_selector("[role=status]:has-text('Press again')")
    assert script.moves() == []
    script.page.keyboard.press("n")
    until(script, ["claim nine"])


def test_a_true_claim_is_lit_and_takes_one_press(browser: Any) -> None:
    script = Script(browser, PHONE, view(dice(), claims(True)))
    script.sit()
    script.page.wait_for_selector(".acts .button.now:has-text('9 of a Kind')")
    script.page.wait_for_timeout(400)
    script.page.click(".acts .button.now")
    until(script, ["claim nine"])


def test_what_is_forced_plays_itself(browser: Any) -> None:
    """Once, without a press; and never where something else can be done."""
    forced = Button("done", "Pass", "d", auto=True)
    script = Script(browser, PHONE, view(dice(), [forced], prompt="Nothing to lay."))
    script.sit()
    until(script, ["done"])
    script.show(view([HAND, *dice()], [*choose(), Button("done", "Pass", "d")]))
    script.page.wait_for_selector(".mine [data-place='2']")
    script.page.wait_for_timeout(1500)
    assert script.moves() == ["done"] and script.person.wrong == []
