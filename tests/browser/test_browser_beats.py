"""Real matches on real pages: every roll, reveal, bust and win is seen, in order, on every size of screen.

Each test plays a part of a match and then reads the log of all that stood on the page.
"""

from __future__ import annotations

import time
from typing import Any

import pytest
from msgspec import to_builtins
from msgspec.structs import replace

from ninefold.model.events import Beat, Event
from ninefold.model.view import Button, Counter, Order
from ninefold.server.tables.messages import SeatInfo, TableEvent, Update
from support.browsing import ASIDE, DESKTOP, PHONE, WIDE, sizes
from support.node import in_node, installed
from support.performing import DONE, PLAYERS, Look, Performance, loud, performance, plain, words_of
from support.scripted import Script


def show(browser: Any, size: dict[str, int], name: str, motion: str = "reduce") -> tuple[list[Look], Script]:
    """Play a part of a match at a quick pace; all that the page showed."""
    given = performance(name)
    script = Script(browser, size, given.view, table=given.table(), speed="fast", motion=motion)
    script.sit()
    script.page.wait_for_selector(".felt")
    last = loud(given)[-1]

    def until() -> None:
        script.page.wait_for_function(DONE, arg=words_of(last))

    return given.play(script, until), script


def shown_with(found: list[Look], event: Event) -> list[Look]:
    return [look for look in found if plain(look["caption"]) == words_of(event)]


def check_order(found: list[Look], given: Performance) -> None:
    """What happens is said in its order, and what may be done is shown after all of it."""
    said = [plain(look["caption"]) for look in found]
    at = -1
    for event in loud(given):
        assert words_of(event) in said[at + 1 :] or words_of(event) == said[at], words_of(event)
        at = said.index(words_of(event), max(at, 0))
    first = next(number for number, look in enumerate(found) if look["caption"])
    offered = [look for look in found[first:] if look["offers"]]
    last = plain(found[-1]["caption"])
    assert all(plain(look["caption"]) == last for look in offered), [look["caption"] for look in offered]


def in_the_air(found: list[Look], event: Event) -> Look:
    """What was seen while the dice of a roll were in the air: who rolls, and no result."""
    who = "You roll…" if event.seat == 0 else f"{PLAYERS[event.seat or 0]} rolls…"
    first = found.index(shown_with(found, event)[0])
    return next(look for look in reversed(found[:first]) if look["caption"] == who)


def check_rolls(found: list[Look], given: Performance) -> None:
    """Every roll of every player is thrown first, and lies on the table while it is said."""
    for event in (one for one in given.events if one.dice):
        looks = shown_with(found, event)
        assert looks, words_of(event)
        assert in_the_air(found, event)["moment"] == ""
        assert all(look["dice"] == "".join(map(str, event.dice)) for look in looks[1:-1] or looks)


@pytest.mark.parametrize("size", sizes(PHONE, WIDE))
def test_doubles_shows_every_roll_and_the_bust(browser: Any, size: dict[str, int]) -> None:
    given = performance("bust")
    found, script = show(browser, size, "bust")
    check_order(found, given)
    check_rolls(found, given)
    total: int | None = None
    for event in (one for one in given.events if one.dice):
        # A total never precedes its dice: the old one while they fly, the new one when they lie.
        looks = [in_the_air(found, event), *shown_with(found, event)]
        counted = [int(look["total"].replace(",", "")) for look in looks]
        assert counted == sorted(counted)
        assert total in (None, counted[0])
        assert counted[-1] - counted[0] == (0 if event.hold else event.amount)
        total = 0 if event.hold else counted[-1]
    bust = next(event for event in given.events if event.kind == "bust")
    looks = shown_with(found, bust)
    assert any(look["broken"] and look["moment"] for look in looks)
    assert all(look["phase"].startswith("Round 1") for look in looks if look["moment"])
    assert all(look["total"] == looks[0]["total"] for look in looks if look["moment"])
    assert script.person.wrong == []
    script.person.context.close()


@pytest.mark.parametrize("size", sizes(ASIDE, DESKTOP))
def test_holdem_shows_every_hand_of_the_showdown(browser: Any, size: dict[str, int]) -> None:
    given = performance("showdown")
    found, script = show(browser, size, "showdown")
    check_order(found, given)
    shows = [event for event in given.events if event.kind == "show"]
    assert len(shows) >= 2
    win = next(event for event in given.events if event.kind == "win")
    seen_at = [found.index(shown_with(found, event)[0]) for event in (*shows, win)]
    assert seen_at == sorted(seen_at)
    for event in shows:
        mine = f"-{event.seat}"  # zones of a seat are named after it
        assert any(
            set(event.cards) <= set(cards.split())
            for look in shown_with(found, event)
            for zone, cards in look["cards"].items()
            if zone.endswith(mine)
        ), words_of(event)
    assert any(look["moment"] for look in shown_with(found, win))
    script.person.context.close()


def test_what_a_hand_makes_is_shown_with_it() -> None:
    """At a showdown each player's nines are bracketed as their cards turn, not when all have been seen."""
    if not installed():
        pytest.skip("the browser client is not installed here: run `make client`")
    given = performance("showdown")
    part = next(part for part in given.parts if any(event.kind == "show" for event in part.events))
    before = given.parts[given.parts.index(part) - 1].view
    assert len(part.beats) == 1
    [steps] = in_node("beats.ts", "stepsOf", [[to_builtins(one) for one in (before, *part.beats, part.view)]])
    shows = [step for step in steps if step["event"] and step["event"]["kind"] == "show"]
    assert len(shows) >= 2
    for at, step in enumerate(shows):
        for seat in (other["event"]["seat"] for other in shows[: at + 1]):
            groups = [one for one in to_builtins(part.view.groups) if one["seat"] == seat]
            assert [one for one in step["view"]["groups"] if one["seat"] == seat] == groups
            assert step["view"]["seats"][seat]["hand"] == to_builtins(part.view.seats[seat].hand)
    first = shows[0]["view"]
    waiting = [step["event"]["seat"] for step in shows[1:] if step["event"]["seat"] != 0]
    assert waiting
    assert all(first["seats"][seat]["hand"] is None for seat in waiting)


@pytest.mark.parametrize("size", sizes(PHONE, DESKTOP))
def test_finest_nine_shows_every_roll_and_capture(browser: Any, size: dict[str, int]) -> None:
    given = performance("capture")
    found, script = show(browser, size, "capture")
    check_order(found, given)
    check_rolls(found, given)
    capture = next(event for event in given.events if event.kind == "capture")
    row = f"table-{capture.seat}"
    before = [look for look in found if plain(look["caption"]) != words_of(capture)]
    after = shown_with(found, capture)[-1]
    assert any(all(card in look["cards"].get(row, "") for card in capture.cards) for look in before)
    assert not any(card in after["cards"].get(row, "").split() for card in capture.cards)
    script.person.context.close()


@pytest.mark.parametrize("size", sizes(PHONE, ASIDE))
@pytest.mark.parametrize("name", ["payday", "column", "lay", "out"])
def test_other_big_moments_are_seen_in_order(browser: Any, size: dict[str, int], name: str) -> None:
    given = performance(name)
    found, script = show(browser, size, name)
    check_order(found, given)
    check_rolls(found, given)
    for event in (one for one in given.events if one.hold):
        assert any(look["moment"] for look in shown_with(found, event)), words_of(event)
    assert script.person.wrong == []
    script.person.context.close()


@pytest.mark.parametrize("size", sizes(PHONE, DESKTOP))
def test_parcels_cross_the_table(browser: Any, size: dict[str, int]) -> None:
    """Where everyone plays at once each trade flies at once, and what may be done stays."""
    given = performance("trade")
    script = Script(browser, size, given.view, table=given.table(), speed="normal", motion="no-preference")
    script.sit()
    script.page.wait_for_selector(".felt")
    given.play(script, lambda: script.page.wait_for_function("() => window.flown > 0"))
    trade = next(event for event in given.events if event.kind == "trade")
    script.page.wait_for_function(DONE, arg=words_of(trade))
    assert script.person.wrong == []
    script.person.context.close()


def test_those_who_are_out_watch_at_a_good_pace() -> None:
    if not installed():
        pytest.skip("the browser client is not installed here: run `make client`")
    roll = {
        "event": {"kind": "roll", "text": "", "dice": [1, 2]},
        "throws": 700,
        "length": 1250,
        "big": False,
    }
    bust = {**roll, "big": True, "length": 3200}
    words = {"event": {"kind": "stay", "text": ""}, "throws": 0, "length": 650, "big": False}
    found = in_node("beats.ts", "watched", [[roll], [bust], [words]])
    assert [one["length"] for one in found] == [600, 3200, 400]
    assert found[0]["throws"] < 600


def moved(script: Script, times: int) -> None:
    """Wait until the page has made as many moves: an order answers as slowly as a person would."""
    for _ in range(600):
        if len(script.moves()) >= times:
            return
        script.page.wait_for_timeout(50)
    pytest.fail(f"the page made {script.moves()}")


def test_autopilot_ends_with_its_round(browser: Any) -> None:
    def at(sevens: int) -> Any:
        orders = [Order("third", "Stay until the third seven", "stay", "sevens", 3)]
        shown = performance("bust").parts[0].view
        counters = [Counter("sevens", "Sevens", sevens, 4)]
        return replace(
            shown, offers=[Button("stay", "Stay", "s")], orders=orders, counters=counters, actors=[0]
        )

    script = Script(browser, DESKTOP, at(1), table=performance("bust").table())
    script.sit()
    script.page.click("text=Autopilot")
    script.page.click("text=Stay until the third seven")
    script.page.wait_for_selector("text=Stop")
    for number, sevens in ((2, 2), (3, 0)):
        moved(script, number - 1)
        script.send(Update(number, [TableEvent(number, "moved", [])], script.table, at(sevens), 100 + number))
    script.page.wait_for_selector("text=Stop", state="detached")
    assert script.moves() == ["stay", "stay"]
    script.person.context.close()


def test_autopilot_takes_as_long_as_a_person_would_where_people_watch(browser: Any) -> None:
    """An answer that comes at once would tell them that it is an order's, and so what it is."""
    order = Order("third", "Stay until the third seven", "stay", "sevens", 3)
    shown = replace(
        performance("bust").parts[0].view,
        offers=[Button("stay", "Stay", "s")],
        orders=[order],
        counters=[Counter("sevens", "Sevens", 1, 4)],
        actors=[0],
    )
    script = Script(browser, DESKTOP, shown, table=performance("bust").table())
    script.table.seats = [SeatInfo("person", name, None, False) for name in PLAYERS]
    script.sit()
    script.page.click("text=Autopilot")
    asked = [time.monotonic()]
    script.page.click("text=Stay until the third seven")
    for number in (2, 3, 4):
        moved(script, number - 1)
        asked.append(time.monotonic())
        script.send(Update(number, [TableEvent(number, "moved", [])], script.table, shown, 100 + number))
    moved(script, 4)
    answered = [at for at, said in zip(script.times, script.heard, strict=True) if said["type"] == "move"]
    thought = [then - at for at, then in zip(asked, answered, strict=True)]
    assert min(thought) > 0.49, thought
    assert len({round(one, 2) for one in thought}) > 1  # and not always as long
    script.person.context.close()


def test_a_move_that_plays_itself_takes_a_while_where_people_watch(browser: Any) -> None:
    """A pass that always came after the same moment would tell that there was nothing else to play."""
    pressed = replace(performance("bust").parts[0].view, offers=[], actors=[1])
    asked = replace(pressed, offers=[Button("done", "Pass", "d", auto=True)], actors=[0])
    script = Script(browser, DESKTOP, pressed, table=performance("bust").table())
    script.table.seats = [SeatInfo("person", name, None, False) for name in PLAYERS]
    script.sit()
    script.page.wait_for_selector(".felt")
    begun = time.monotonic()
    script.send(Update(2, [TableEvent(2, "moved", [])], script.table, asked, 100))
    moved(script, 1)
    (answered,) = [at for at, said in zip(script.times, script.heard, strict=True) if said["type"] == "move"]
    assert answered - begun > 0.69
    script.person.context.close()


def test_autopilot_goes_on_when_others_decide_at_the_same_moment(browser: Any) -> None:
    """Bots answer at once: that they have decided is still being shown when the order is to be obeyed."""
    order = Order("third", "Stay until the third seven", "stay", "sevens", 3)
    shown = replace(
        performance("bust").parts[0].view,
        waiting_for="everyone",
        offers=[Button("stay", "Stay", "s")],
        orders=[order],
        counters=[Counter("sevens", "Sevens", 1, 4)],
        actors=[0, 1, 2],
    )
    seats = [
        SeatInfo("person" if seat == 0 else "bot", name, None, False) for seat, name in enumerate(PLAYERS)
    ]
    script = Script(browser, DESKTOP, shown, table=performance("bust").table(), speed="normal")
    script.table.seats = seats
    script.sit()
    script.page.click("text=Autopilot")
    script.page.click("text=Stay until the third seven")
    script.page.wait_for_selector("text=Stop")
    moved(script, 1)
    later = replace(shown, actors=[0])
    decided = [Event("decided", f"{PLAYERS[seat]} has decided.", seat) for seat in (1, 2)]
    script.send(Update(2, [TableEvent(2, "moved", [])], script.table, shown, 100))
    script.send(Update(3, [TableEvent(3, "moved", [Beat(decided)])], script.table, later, 100))
    script.page.wait_for_function("() => document.querySelector('.dock .asked:not(.still) .mine')")
    moved(script, 2)
    assert script.moves() == ["stay", "stay"]
    script.person.context.close()


# Rolling


def waiting(browser: Any, roller: int, size: dict[str, int] = PHONE, **more: Any) -> Script:
    """A table that waits for a seat's throw; at seat 0, Ann."""
    match = performance("bust").view
    script = Script(browser, size, match, table=replace_table(roller), **more)
    script.sit()
    script.page.wait_for_selector(".felt")
    return script


def replace_table(roller: int | None) -> Any:
    found = performance("bust").table()
    found.rolling = roller
    found.settings.rolls = "hand"
    return found


HANDS = ("tap", "click", "space", "button", "letter", "shake")
SHAKE = """() => { for (const x of [20, -22, 21])
  dispatchEvent(Object.assign(new Event('devicemotion'), {acceleration: {x, y: 0, z: 0}})); }"""


@pytest.mark.parametrize("how", HANDS)
def test_a_person_throws_their_own_dice(browser: Any, how: str) -> None:
    script = waiting(browser, 0)
    page = script.page
    page.wait_for_selector("button.throw")
    assert page.inner_text(".prompt").endswith("Your roll.")
    if how == "tap":
        page.tap("button.throw")
    elif how == "click":
        page.click("button.throw")
    elif how == "button":
        page.click(".acts .button:has-text('Roll')")
    elif how == "shake":
        page.evaluate(SHAKE)
    else:
        page.keyboard.press("Space" if how == "space" else "r")
    page.wait_for_selector(".acts .pending")
    page.keyboard.press("r")  # a second press means nothing
    rolls = [said for said in script.heard if said["type"] == "roll"]
    assert [said["decision"] for said in rolls] == [5]
    # The dice fall as the server says, and only then anything can be done.
    part = performance("bust").parts[2]
    script.table = replace_table(None)
    performance("bust").send(script, part, 2)
    page.wait_for_selector("button.throw", state="detached")
    assert script.moves() == []
    script.person.context.close()


def test_others_see_who_rolls_and_cannot(browser: Any) -> None:
    script = waiting(browser, 1, DESKTOP)
    page = script.page
    page.wait_for_selector(".dice.held")
    assert page.inner_text(".prompt") == "Bob rolls…"
    assert page.locator("button.throw").count() == 0
    assert page.locator("[data-seat='1'].acts").count() == 1
    page.keyboard.press("Space")
    page.evaluate(SHAKE)
    page.wait_for_timeout(50)
    assert not [said for said in script.heard if said["type"] == "roll"]
    # They lie on Bob's side of the table.
    away = (
        "(seat) => { const box = (one) => document.querySelector(one).getBoundingClientRect();"
        " const [dice, panel] = [box('.dice .throw'), box(`[data-seat='${seat}']`)];"
        " return Math.hypot(dice.x + dice.width / 2 - panel.x - panel.width / 2,"
        " dice.y + dice.height / 2 - panel.y - panel.height / 2); }"
    )
    page.wait_for_function(f"() => ({away})('1') < ({away})('2')")
    script.person.context.close()


def test_roll_for_me_is_a_setting_and_is_kept(browser: Any) -> None:
    script = waiting(browser, 0, DESKTOP)
    page = script.page
    page.click("[aria-label=Menu]")
    page.click("dialog >> text=Settings")
    page.check("label:has-text('Roll for me') input")
    page.wait_for_function(
        "() => localStorage.getItem('ninefold preferences').includes('\"rollForMe\":true')"
    )
    page.reload()
    page.wait_for_selector(".felt")
    page.wait_for_function("() => document.querySelector('.acts .pending')")
    assert len([said for said in script.heard if said["type"] == "roll"]) == 2
    script.person.context.close()


# Sound and vibration

SPY = """
  window.heard = [];
  navigator.vibrate = (length) => { window.heard.push(`buzz ${length}`); return true; };
  class Audio_ {
    currentTime = 0; sampleRate = 100; destination = {};
    #node(name) {
      const node = {connect: (other) => other, start: () => window.heard.push(name), stop() {}, gain: {},
        frequency: {}, getChannelData: () => []};
      for (const part of ['gain', 'frequency'])
        node[part] = {value: 0, setValueAtTime() {}, linearRampToValueAtTime() {},
          exponentialRampToValueAtTime() {}};
      return node;
    }
    resume() {}
    createOscillator() { return this.#node('tone'); }
    createGain() { return this.#node('gain'); }
    createBiquadFilter() { return this.#node('filter'); }
    createBufferSource() { return this.#node('noise'); }
    createBuffer() { return this.#node('buffer'); }
  }
  window.AudioContext = Audio_;
"""
LOUD = """localStorage.setItem('ninefold preferences',
  JSON.stringify({speed: 'fast', offered: true, sound: %s, vibration: %s}));"""


def heard(browser: Any, sound: bool, vibration: bool = True) -> list[str]:
    given = performance("bust")
    script = Script(browser, PHONE, given.view, table=given.table(), speed="fast")
    script.person.context.add_init_script(SPY)
    script.person.context.add_init_script(LOUD % (str(sound).lower(), str(vibration).lower()))
    script.sit()
    script.page.wait_for_selector(".felt")
    script.page.click(".title")  # a page has to be touched before a phone buzzes
    given.play(script, lambda: script.page.wait_for_function(DONE, arg=words_of(loud(given)[-1])))
    found: list[str] = script.page.evaluate("() => window.heard")
    assert script.person.wrong == []
    script.person.context.close()
    return found


def test_what_happens_is_heard_and_felt(browser: Any) -> None:
    found = heard(browser, sound=True)
    assert "noise" in found
    assert "tone" in found
    rolls = [event for event in performance("bust").events if event.dice]
    assert found.count("buzz 20") >= len(rolls)
    assert found.count("buzz 20,60,40") == 1  # the fourth seven


def test_nothing_is_heard_unless_it_is_wanted(browser: Any) -> None:
    found = heard(browser, sound=False, vibration=False)
    assert found == []


def test_sound_is_offered_once(browser: Any) -> None:
    script = waiting(browser, 0, DESKTOP)
    page = script.page
    page.evaluate("() => localStorage.setItem('ninefold preferences', '{\"speed\": \"fast\"}')")
    page.reload()
    page.click("button:has-text('Sound on')")
    page.wait_for_selector("[aria-label=Mute]")
    assert page.locator("button:has-text('Sound on')").count() == 0
    page.reload()
    page.wait_for_selector("[aria-label=Mute]")
    page.wait_for_selector("button.throw")
    assert page.locator("button:has-text('Sound on')").count() == 0
    script.person.context.close()
