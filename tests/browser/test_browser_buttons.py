"""Where buttons stand, in a real Chromium: nothing appears where something else has just been pressed.

No server: messages are made here, from the server's types.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import pytest

from ninefold.model.view import (
    Button,
    Choice,
    Counter,
    Number,
    Offer,
    Order,
    Preset,
    Selection,
    View,
    Zone,
    face_up,
)
from ninefold.server.tables.messages import TableEvent, TableView, Update
from support.browsing import ASIDE, DESKTOP, PHONE, sizes
from support.scripted import Script, dice, table, view

STAY = Button("stay", "Stay", "s")
BOX = """(words) => { const found = [...document.querySelectorAll('.dock button')].find((one) =>
    one.offsetWidth && one.textContent.trim().startsWith(words));
  const box = found?.getBoundingClientRect();
  return box ? [box.x, box.y, box.width, box.height].map(Math.round) : null; }"""


@dataclass(frozen=True)
class Box:
    x: int
    y: int
    width: int
    height: int

    @property
    def centre(self) -> tuple[float, float]:
        return self.x + self.width / 2, self.y + self.height / 2

    def near(self, other: Box) -> bool:
        """Whether it is where the other is, to two pixels."""
        mine, theirs = (
            (self.x, self.y, self.width, self.height),
            (other.x, other.y, other.width, other.height),
        )
        return all(abs(one - two) <= 2 for one, two in zip(mine, theirs, strict=True))

    def meets(self, other: Box) -> bool:
        return (
            self.x < other.x + other.width
            and other.x < self.x + self.width
            and self.y < other.y + other.height
            and other.y < self.y + self.height
        )


# The page's own time, which stands still until a test moves it on.
CLOCK = "() => { window.clock = performance.now(); performance.now = () => window.clock; }"


def box(script: Script, words: str) -> Box:
    return Box(*script.page.wait_for_function(BOX, arg=words).json_value())


def sit(browser: Any, size: dict[str, int], shown: View, **more: Any) -> Script:
    script = Script(browser, size, shown, **more)
    script.sit()
    script.page.wait_for_selector(".dock")
    return script


def deciding(total: int) -> View:
    """Two buttons that come again and again, of which one is final, and an order that names both."""
    orders = [Order("below", "Stay below", "stay", "total", 1000, then="cash out")]
    cash = Button("cash out", f"Cash out {total}", "c", final=True)
    return view(dice(), [STAY, cash], orders=orders, counters=[Counter("total", "Total", total)])


def rolls(seat: int | None) -> TableView:
    found = table(rolling=seat)
    found.settings.rolls = "hand"
    return found


@pytest.mark.parametrize("size", sizes(PHONE, DESKTOP))
def test_who_keeps_pressing_roll_gives_nothing_up(browser: Any, size: dict[str, int]) -> None:
    script = sit(browser, size, deciding(75), table=rolls(0))
    roll, autopilot = box(script, "Roll"), box(script, "Autopilot")
    number, heard = 1, 0
    for _ in range(12):
        script.page.mouse.click(*roll.centre)
        script.page.wait_for_timeout(450)
        for said in script.heard[heard:]:
            if said["type"] not in ("roll", "move"):
                continue
            number += 1
            script.table = rolls(None if said["type"] == "roll" else 0)
            event = TableEvent(number, "moved", [])
            script.send(Update(number, [event], script.table, deciding(75 * number), 7 + number))
        heard = len(script.heard)
    assert "cash out" not in script.moves()
    assert "stay" in script.moves()  # which lies there, and costs nothing
    script.table = rolls(None)
    script.send(Update(99, [TableEvent(99, "moved", [])], script.table, deciding(1_234_567), 99))
    assert not roll.meets(box(script, "Cash out"))
    assert box(script, "Stay").near(roll)
    assert box(script, "Autopilot").near(autopilot)
    assert script.person.wrong == []
    script.person.context.close()


def test_what_is_final_is_not_pressed_where_something_was_pressed_just_now(browser: Any) -> None:
    harmless = view(dice(), [Button("look", "Look", "l")])
    final = view(dice(), [Button("leave", "Leave", "v", final=True)])
    script = sit(browser, PHONE, harmless)
    place = box(script, "Look")
    script.page.evaluate(CLOCK)
    script.page.mouse.click(*place.centre)
    script.send(Update(2, [TableEvent(2, "moved", [])], script.table, final, 8))
    assert box(script, "Leave").near(place)
    for later in (400, 200):
        script.page.evaluate("later => { clock += later; }", later)
        script.page.mouse.click(*place.centre)
        script.page.wait_for_selector(".dock [role=alert]:has-text('Did you mean “Leave”? Press it again.')")
    assert script.moves() == ["look"]
    script.page.evaluate("() => { clock += 200; }")  # not long after a press that was refused
    script.page.mouse.click(*place.centre)
    for _ in range(100):
        if len(script.moves()) > 1:
            break
        script.page.wait_for_timeout(50)
    assert script.moves() == ["look", "leave"]
    script.person.context.close()


FOLD = Button("fold", "Fold", "f", final=True)


def betting(*offers: Offer) -> View:
    zones = [Zone("board", "row", "Board", None, [face_up("7S")], slots=5)]
    for owner in range(3):
        zones.append(Zone(f"hand-{owner}", "hand", "Cards", owner, [face_up("9S"), face_up("10H")], slots=2))
        zones.append(Zone(f"stack-{owner}", "chips", "Chips", owner, count=1000))
    return view(zones, [*offers])


@pytest.mark.parametrize("size", sizes(PHONE, DESKTOP, ASIDE))
def test_bets_have_their_columns(browser: Any, size: dict[str, int]) -> None:
    """Whatever is owed, and whether it can be raised, each kind of answer stays where it is."""
    presets = [Preset(60, "½ pot"), Preset(1000, "All-in")]
    raises = Number("raise", "Raise", 20, 1000, presets=presets)
    script = sit(browser, size, betting(FOLD, Button("call", "Call 5", "c"), raises))
    fold, call, more = box(script, "Fold"), box(script, "Call"), box(script, "Raise")
    asked: list[tuple[Offer, ...]] = [
        (FOLD, Button("call", "Call 1,345", "c"), raises),
        (FOLD, Button("call", "Call 995, all-in", "c")),
        (Button("check", "Check", "k"), Number("bet", "Bet", 10, 1000, presets=presets[1:])),
    ]
    for number, offers in enumerate(asked, start=2):
        script.send(
            Update(number, [TableEvent(number, "moved", [])], script.table, betting(*offers), 7 + number)
        )
        first = str(offers[0].label)
        script.page.wait_for_selector(f".dock .button:has-text('{first}')")
        for one in offers:
            place = {"Fold": fold, "Call": call, "Chec": call, "Rais": more, "Bet": more}[str(one.label)[:4]]
            assert box(script, str(one.label)[:4]).near(place), one.label
    assert script.person.wrong == []
    script.person.context.close()


def test_a_bet_that_was_pressed_waits_visibly(browser: Any) -> None:
    script = sit(
        browser, PHONE, betting(FOLD, Button("call", "Call 5", "c"), Number("raise", "Raise", 20, 1000))
    )
    script.page.click(".dock .number .button")
    script.page.wait_for_selector(".dock .number .button.pending[aria-busy=true]")
    assert not script.page.locator(".dock .acts > .button.pending").count()
    assert script.moves() == ["raise 20"]
    script.person.context.close()


@pytest.mark.parametrize("size", sizes(PHONE, DESKTOP, ASIDE))
def test_a_preset_that_does_not_fit_keeps_its_place(browser: Any, size: dict[str, int]) -> None:
    def raising(low: int, high: int) -> View:
        sums = [Preset(60, "½ pot"), Preset(120, "Pot"), Preset(300, "All-in")]
        return betting(FOLD, Button("call", "Call 5", "c"), Number("raise", "Raise", low, high, presets=sums))

    script = sit(browser, size, raising(20, 300))
    names = ("½ pot", "Pot", "All-in")
    places = [box(script, name) for name in names]
    assert "Raise 60" in script.page.inner_text(".dock")
    for number, (low, high) in enumerate([(80, 300), (200, 300), (20, 50)], start=2):
        shown = raising(low, high)
        script.send(Update(number, [TableEvent(number, "moved", [])], script.table, shown, 7 + number))
        open_ = [low <= amount <= high for amount in (60, 120, 300)]
        shut = open_.count(False)
        script.page.wait_for_function(
            f"() => document.querySelectorAll('.presets button:disabled').length === {shut}"
        )
        for name, place, fits in zip(names, places, open_, strict=True):
            assert script.page.locator(f".presets button:text-is('{name}')").is_enabled() == fits
            assert box(script, name).near(place)
    assert script.person.wrong == []
    script.person.context.close()


@pytest.mark.parametrize("size", sizes(PHONE, DESKTOP))
def test_an_answer_that_becomes_possible_moves_no_other_button(browser: Any, size: dict[str, int]) -> None:
    hand = Zone("hand-0", "hand", "Hand", 0, [face_up("7S"), face_up("7H"), face_up("2C")])
    piles = [Zone("pile", "pile", "Pile", None, count=9)]
    offer = Selection("offer", "Offer", "hand-0", [Choice("offer 7S", [0])])
    swap = Selection("swap", "Swap with Bob", "hand-0", [Choice("swap 7S", [0])], seat=1)
    script = sit(browser, size, view([hand, *piles], [offer]), table=table(realtime=True))
    script.page.click(".mine [data-place='0']")
    place = box(script, "Offer")
    script.send(Update(2, [TableEvent(2, "moved", [])], script.table, view([hand, *piles], [swap, offer]), 8))
    answer = box(script, "Swap")
    assert box(script, "Offer").near(place)
    assert not place.meets(answer)
    script.person.context.close()


@pytest.mark.parametrize("size", sizes(PHONE, DESKTOP))
def test_the_only_choice_is_the_main_one(browser: Any, size: dict[str, int]) -> None:
    row = Zone("row-0", "row", "Cards", 0, [face_up("8S"), face_up("8H"), face_up("2C")])
    take = Selection("take", "Take", "row-0", [Choice("take 8 8", [0, 1], "Take 8 8 · +16")])
    script = sit(browser, size, view([*dice(), row], [take]))
    script.page.wait_for_selector(".dock .button.main:has-text('Take 8 8')")
    script.person.context.close()
