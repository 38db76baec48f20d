"""The stage, in a real Chromium: what happens is shown beat by beat, and what may be done next comes last.

No server and no game: messages are made here, from the server's types.
"""

from __future__ import annotations

from collections.abc import Callable
from copy import deepcopy
from typing import Any

import pytest

from ninefold.model.events import WHOLE, Beat, Changes, Event, Movement, apply_changes, changes_between
from ninefold.model.text import message
from ninefold.model.view import Button, Counter, Group, Offer, Scene, View, Zone, builtins, face_up, legend
from ninefold.server.tables.messages import Frame, MatchResult, ReplayPage, TableEvent, Update
from support.browsing import ASIDE, DESKTOP, PHONE, WIDE, sizes
from support.node import in_node, installed
from support.scripted import CODE, Script, seat, table, view

OFFERS: list[Offer] = [Button("stay", "Stay", "s"), Button("cash out", "Cash out", "c")]


def at(total: int, sevens: int, dice: tuple[int, int], number: int = 1, **more: Any) -> View:
    """A table with two dice, a total that grows, and a fourth seven that ends the round."""
    shown = view(
        [Zone("dice", "dice", "Last roll", None, dice=[*dice])],
        list(OFFERS),
        counters=[Counter("total", "Total", total), Counter("sevens", "Sevens", sevens, 4)],
        phase=message("Round {number}", number=number),
        waiting_for="everyone",
        actors=[0, 1, 2],
    )
    for name, value in more.items():
        setattr(shown, name, value)
    return shown


def roll(one: int, other: int, total: int) -> Event:
    text = message("Bob rolls {one} and {other}. The total is {total}.", one=one, other=other, total=total)
    return Event("roll", text, 1, dice=[one, other], amount=one + other)


LOOKS = [at(6, 3, (2, 4)), at(11, 3, (1, 4)), at(0, 0, (3, 4), 2), at(8, 0, (6, 2), 2)]
BUST = Event("bust", "Bob rolls 3 and 4: the fourth seven!", 1, hold=True, dice=[3, 4], amount=11)
EVENTS = [[roll(1, 4, 11)], [BUST, Event("round", "Round 2 begins.")], [roll(6, 2, 8)]]


def update(looks: list[View], events: list[list[Event]], seq: int = 2, **more: Any) -> Update:
    """One message with a beat for each step, as the server would send it."""
    steps = zip(looks, looks[1:], deepcopy(events), strict=False)
    beats = [Beat(some, changes_between(before, after)) for before, after, some in steps]
    beats[-1].changes = None
    return Update(seq, [TableEvent(seq, "moved", beats)], more.pop("table", table()), looks[-1], 7)


# What stands on the screen, every time something changes.
WATCH = """() => {
  const text = (where) => document.querySelector(where)?.textContent.trim() ?? '';
  const look = () => ({
    caption: text('[data-caption]'), moment: text('[data-moment]'), phase: text('.title p'),
    total: text('.main strong'), broken: !!document.querySelector('.main .broken'),
    dice: [...document.querySelectorAll('.die')].map((one) => one.ariaLabel.slice(-1)).join(''),
    red: !!document.querySelector('.felt.tense'),
    offers: document.querySelectorAll('.dock .acts > .button:not(:disabled)').length,
    felt: document.querySelector('.felt')?.getBoundingClientRect().height,
    seats: [...document.querySelectorAll('.seat-panel')].map((one) => one.getBoundingClientRect().y),
  });
  window.seen = [];
  window.began = performance.now();
  const keep = () => {
    const now = look(), last = window.seen.at(-1);
    if (JSON.stringify(now) === JSON.stringify(last?.[1])) return;
    window.seen.push([performance.now() - window.began, now]);
  };
  new MutationObserver(keep).observe(document.body,
    {childList: true, subtree: true, characterData: true, attributes: true});
  keep();
}"""
Seen = list[tuple[float, dict[str, Any]]]
# How long the dice on the table were in the air, in milliseconds.
THROW = "() => parseInt(document.querySelector('.die').style.getPropertyValue('--throw'))"


def scripted(browser: Any, size: dict[str, int], shown: View, **more: Any) -> Script:
    script = Script(browser, size, shown, **{"speed": "normal"} | more)
    script.sit()
    script.page.wait_for_selector(".felt")
    script.page.evaluate(WATCH)
    return script


ENDED = (
    "() => document.querySelector('.main strong').textContent.trim() === '8'"
    " && document.querySelectorAll('.dock .acts > .button').length > 1"
)


def seen(script: Script, until: str = ENDED) -> Seen:
    script.page.wait_for_function(until)
    found: Seen = script.page.evaluate("() => window.seen")
    return found


def first(found: Seen, test: Callable[[dict[str, Any]], bool]) -> float:
    return next(at for at, look in found if test(look))


@pytest.mark.parametrize("size", sizes(PHONE, DESKTOP))
def test_beats_are_played_in_order_and_offers_come_last(browser: Any, size: dict[str, int]) -> None:
    script = scripted(browser, size, LOOKS[0])
    script.send(update(LOOKS, EVENTS))
    found = seen(script)
    said = [look["caption"] for _, look in found]
    told = list(dict.fromkeys(words for words in said if words))
    assert told == [
        "Bob rolls…",
        "Bob rolls 1 and 4. The total is 11.",
        "Bob rolls 3 and 4: the fourth seven!",
        "Round 2 begins.",
        "Bob rolls 6 and 2. The total is 8.",
    ]
    # A total never comes before its dice have landed.
    for dice, total in (("14", "11"), ("62", "8")):
        flying = next(number for number, (_, look) in enumerate(found) if look["dice"] == dice)
        assert found[flying][1]["caption"] == "Bob rolls…"
        assert all(look["total"] != total for _, look in found[: flying + 1])
        landed = next(look for _, look in found[flying:] if look["caption"] != "Bob rolls…")
        assert total in landed["caption"]
    # The fourth seven lies on the table, with what it cost, before the next round is shown.
    bust = [look for _, look in found if look["caption"].endswith("fourth seven!")]
    assert all(look["phase"].startswith("Round 1") and look["total"] == "11" for look in bust)
    assert any(look["moment"] and look["broken"] for look in bust)
    begins = first(found, lambda look: look["phase"].startswith("Round 2"))
    assert begins > first(found, lambda look: bool(look["moment"]))
    assert any(look["red"] for _, look in found if look["phase"].startswith("Round 1"))
    assert not any(look["red"] for at, look in found if at > begins + 50)
    # Nothing can be pressed while they play, and then what is asked is shown with them.
    offered = [at for at, look in found if look["caption"] and look["offers"]]
    assert offered[0] >= first(found, lambda look: look["total"] == "8")
    assert script.person.wrong == []
    script.person.context.close()


@pytest.mark.parametrize("size", sizes(ASIDE, WIDE))
def test_nothing_moves_under_a_finger(browser: Any, size: dict[str, int]) -> None:
    """Between beats neither the table nor the players move, whatever is asked and said."""
    looks = deepcopy(LOOKS)
    looks[1].seats = [seat(0), seat(1, "decided", "has decided, after thinking for a long time"), seat(2)]
    script = scripted(browser, size, looks[0])
    corner = (
        "() => JSON.stringify([...document.querySelectorAll('.acts .button')]"
        ".map((one) => one.getBoundingClientRect()))"
    )
    before = script.page.evaluate(corner)
    script.send(update(looks, EVENTS))
    found = seen(script)
    assert any(look["moment"] for _, look in found)
    for part in ("felt", "seats"):
        values = [look[part] if part == "seats" else [look[part]] for _, look in found]
        assert all(max(column) - min(column) <= 2 for column in zip(*values, strict=True)), (part, values)
    assert script.page.evaluate(corner) == before  # the same buttons come back where they were
    script.person.context.close()


def test_skip_goes_to_what_is_asked_and_a_tap_to_the_next_beat(browser: Any) -> None:
    script = scripted(browser, PHONE, LOOKS[0], speed="slow")
    script.send(update(LOOKS, EVENTS))
    script.page.wait_for_selector("[data-caption]:has-text('The total is 11')")
    script.page.click(".felt .centre")
    script.page.wait_for_selector("[data-caption]:has-text('fourth seven')")
    script.page.keyboard.press("Space")
    script.page.wait_for_selector("[data-caption]:has-text('Round 2 begins')")
    script.page.click(".skip")
    script.page.wait_for_selector(".acts .button:has-text('Stay')")
    stood = {look["caption"] for _, look in script.page.evaluate("() => window.seen")}
    assert "Bob rolls 6 and 2. The total is 8." in stood
    assert "rolls 6 and 2" in script.page.inner_text("[data-caption]")
    assert script.page.locator(".skip.gone").count() == 1


def test_instant_shows_where_it_leads_and_the_log_all_of_it(browser: Any) -> None:
    script = scripted(browser, DESKTOP, LOOKS[0], speed="instant", motion="no-preference")
    script.send(update(LOOKS, EVENTS))
    found = seen(script, "() => document.querySelector('.main strong').textContent.trim() === '8'")
    assert {look["total"] for _, look in found} == {"6", "8"}
    assert not any(look["moment"] for _, look in found)
    assert script.page.locator(".side li").count() == 4
    # Spoken once each, in order.
    assert script.page.inner_text("[data-live]").split("\n")[-1] == "Your turn."
    assert script.page.locator("[data-live] p:has-text('fourth seven')").count() == 1


def test_the_speed_is_chosen_in_the_menu_and_kept(browser: Any) -> None:
    script = scripted(browser, DESKTOP, LOOKS[0])
    script.page.click("[aria-label=Menu]")
    script.page.click("dialog >> text=Settings")
    script.page.select_option("label:has-text('Speed') select", "fast")
    script.page.keyboard.press("Escape")
    script.send(update(LOOKS[:2], EVENTS[:1]))
    script.page.wait_for_function("() => document.querySelector('.main strong').textContent.trim() === '11'")
    assert script.page.evaluate(THROW) == 315  # of 700
    assert '"speed":"fast"' in script.page.evaluate("() => localStorage.getItem('ninefold preferences')")


def test_a_long_queue_is_caught_up_with(browser: Any) -> None:
    looks = [at(number, 0, (1, 1 + number % 6)) for number in range(61)]
    events = [[roll(1, 1 + number % 6, number)] for number in range(1, 61)]
    script = scripted(browser, PHONE, looks[0])
    script.send(update(looks, events))
    script.page.wait_for_function("() => seen.some(([, look]) => look.caption.includes('The total is 2'))")
    assert script.page.evaluate(THROW) < 350  # of 700, and of a minute and a quarter for all
    script.page.evaluate("() => document.querySelector('.skip:not(.gone)')?.click()")
    script.page.wait_for_selector(".acts .button:has-text('Stay')")


def test_a_hidden_page_does_not_fall_behind(browser: Any) -> None:
    script = scripted(browser, PHONE, LOOKS[0], speed="slow")
    script.send(update(LOOKS, EVENTS))
    script.page.wait_for_selector("[data-caption]:has-text('The total is 11')")
    script.page.evaluate(
        "() => { Object.defineProperty(document, 'hidden', { value: true });"
        " document.dispatchEvent(new Event('visibilitychange')); }"
    )
    found = seen(script)
    assert not any(look["moment"] for _, look in found)  # it would be held
    assert script.page.locator("[data-live] p:has-text('fourth seven')").count() == 1


def test_where_everybody_plays_at_once_nothing_waits(browser: Any) -> None:
    live = table(realtime=True)
    script = scripted(browser, PHONE, LOOKS[0], table=live, motion="no-preference")
    for seq, number in enumerate((11, 12, 13), start=2):
        big = Event("claim", f"Bob claims {number}!", 1, hold=True)
        after = at(number, 0, (1, 4))
        after.offers = [Button(f"stay {number}", "Stay", "s")]
        script.page.evaluate(WATCH)
        script.send(update([LOOKS[0], after], [[big]], seq=seq, table=live))
        found = seen(
            script, f"() => document.querySelector('[data-caption]').textContent.includes('{number}')"
        )
        claimed = [look for _, look in found if f"claims {number}" in look["caption"]]
        assert {look["offers"] for look in claimed} == {1}


def test_where_everybody_plays_at_once_a_round_is_counted_in_peace(browser: Any) -> None:
    """How it came out stays until it is tapped; what has begun behind it is shown, and asked, after that."""
    live = table(realtime=True)
    script = scripted(browser, PHONE, LOOKS[0], table=live)
    claim = Event("claim", "Bob calls: Blocked!", 1, hold=True)
    over = Event("round over", "Round 1 is over.", hold=True)
    held = Event("held", "Ann holds 10.", 0, cards=["7S", "7H", "9C"], costs=[2], amount=10)
    score = Event("score", "Bob scores 20.", 1, cards=["AS"], amount=20, deed="scoring 20")
    later = at(2, 0, (2, 2), 2, offers=[Button("trade", "Trade", "t")])
    script.send(update([LOOKS[0], at(1, 0, (1, 1), 2)], [[claim, over, held, score]], table=live))
    script.page.wait_for_selector(".round-end")
    script.send(update([later, later], [[Event("offer", "Cleo offers one card.", 2)]], 3, table=live))
    heads = script.page.locator(".round-end h2").all_inner_texts()
    rows = script.page.locator(".round-end li")
    assert heads == ["Bob calls: Blocked!", "Round 1 is over."]
    assert ["Bob" in rows.nth(0).inner_text(), "+20" in rows.nth(0).inner_text()] == [True, True]
    assert rows.count() == 2 and rows.nth(1).locator(".dear").count() == 1
    assert script.page.locator(".acts .button:has-text('Trade')").count() == 0
    script.page.wait_for_function(
        "() => { document.querySelector('.round-end .button')?.click();"
        " return !document.querySelector('.round-end'); }"
    )
    script.page.wait_for_selector(".acts .button:has-text('Trade')")
    script.page.wait_for_selector("[data-caption]:has-text('Cleo offers')")


def test_reduced_motion_has_the_same_beats_and_no_flights(browser: Any) -> None:
    script = Script(browser, DESKTOP, at(0, 0, (1, 1)), speed="normal")
    script.sit()
    script.page.wait_for_selector(".felt")
    script.page.evaluate(
        "() => { window.ghosts = 0; new MutationObserver((all) => { for (const one of all)"
        " for (const node of one.addedNodes) if (node.className === 'ghost') window.ghosts++; })"
        ".observe(document.body, {childList: true}); }"
    )
    hand = Zone("hand-0", "hand", "Hand", 0, [face_up("7S")])
    pile = Zone("deck", "pile", "Deck", None, count=3)
    after = at(0, 0, (1, 1), zones=[pile, hand])
    drawn = Event(
        "draw", "Ann draws 7♠.", 0, cards=["7S"], moves=[Movement("deck", "hand-0", ["7S"], [-1], [0])]
    )
    script.send(update([at(0, 0, (1, 1)), after], [[drawn]]))
    script.page.wait_for_selector("[data-caption]:has-text('draws')")
    assert script.page.locator(".acts .button").count() == 0  # not before the beat is over
    script.page.wait_for_selector(".acts .button:has-text('Stay')")
    assert script.page.evaluate("() => window.ghosts") == 0


def test_parts_of_a_beat_come_with_their_events(browser: Any) -> None:
    """A showdown: hands are turned one after another, and only then the pot goes to the winner."""

    def showdown(shown: tuple[bool, bool], pot: int, stack: int) -> View:
        hands = [
            Zone(f"hand-{who}", "hand", "Hand", who, [face_up("9S")] if up else [])
            for who, up in zip((1, 2), shown, strict=True)
        ]
        chips = [
            Zone("pot", "chips", "Pot", None, count=pot),
            Zone("stack-2", "chips", "Chips", 2, count=stack),
        ]
        return at(0, 0, (1, 1), zones=[*hands, *chips], counters=[])

    looks = [showdown((False, False), 90, 10), showdown((True, True), 0, 100)]
    looks[0].seats[0].marks, looks[1].seats[1].marks = ["dealer"], ["dealer"]
    looks[1].phase = message("Hand {number}", number=2)
    shows = [Event("show", f"{who} shows.", who, hold=True, cards=["9S"]) for who in (1, 2)]
    win = Event(
        "win", "Cleo wins 90.", 2, hold=True, amount=90, moves=[Movement("pot", "stack-2", amount=90)]
    )
    script = scripted(browser, DESKTOP, looks[0])
    script.send(update(looks, [[*shows, win]]))
    cards = "[data-zone=hand-1] [data-card='9S']", "[data-zone=hand-2] [data-card='9S']"
    script.page.wait_for_selector(cards[0])
    assert script.page.locator(cards[1]).count() == 0
    script.page.wait_for_selector(cards[1])
    assert "90" in script.page.inner_text("[data-zone=pot]")
    script.page.wait_for_selector("[data-zone=stack-2]:has-text('100')")
    # The next hand begins when this one has been seen to its end.
    script.page.wait_for_selector("[data-moment]:has-text('wins 90')")
    assert script.page.inner_text(".phase") == "Round 1"
    assert script.page.locator("[data-seat='0'] .dealer").count() == 1
    script.page.wait_for_selector(".acts .button:has-text('Stay')")
    assert script.page.inner_text(".phase") == "Hand 2"
    assert (
        script.page.locator("[data-seat='1'] .dealer").count() == script.page.locator(".dealer").count() == 1
    )


def test_the_result_comes_after_the_last_beat(browser: Any) -> None:
    script = scripted(browser, PHONE, LOOKS[0])
    script.api[f"/api/tables/{CODE}/replay"] = ReplayPage(1, 0, 1, [Frame(2, [], LOOKS[0])], None)
    over = at(11, 3, (1, 4), over=True, winners=[1], offers=[])
    end = Event("end", "Bob wins with 11.", 1, hold=True)
    done = table(status="over", result=MatchResult([0, 11, 0], [1], False))
    script.send(update([LOOKS[0], over], [[roll(1, 4, 11), end]], table=done))
    script.page.wait_for_selector(".result")
    found: Seen = script.page.evaluate("() => window.seen")
    told = [look["caption"] for _, look in found if look["caption"]]
    assert list(dict.fromkeys(told))[:3] == [
        "Bob rolls…",
        "Bob rolls 1 and 4. The total is 11.",
        "Bob wins with 11.",
    ]
    assert any("Bob wins" in look["moment"] for _, look in found)


def test_a_second_click_does_not_reach_what_came_under_it(browser: Any) -> None:
    script = scripted(browser, DESKTOP, LOOKS[0], speed="instant")
    decided = at(6, 3, (2, 4), offers=[Button("cash out", "Cash out", "c")])
    decided.seats = [seat(0, "decided", "decided"), seat(1), seat(2)]
    stay = script.page.locator(".acts .button:has-text('Stay')")
    where = stay.bounding_box()
    assert where
    # A second click as soon as the buttons are others, which is too soon to be meant.
    script.page.evaluate(
        "() => new MutationObserver((_, observer) => {"
        " const [one, other] = document.querySelectorAll('.acts > .button');"
        " if (!one?.disabled || other.disabled) return;"
        " observer.disconnect();"
        " other.dispatchEvent(new MouseEvent('click', {detail: 2, bubbles: true}));"
        "}).observe(document.body, {subtree: true, childList: true, attributes: true})"
    )
    stay.click()
    script.send(update([LOOKS[0], decided], [[Event("decided", "Ann: stay.", 0)]]))
    script.page.wait_for_selector(".acts .button:has-text('Stay'):disabled")
    assert stay.bounding_box() == where  # it stays in its place, and cannot be pressed
    script.page.mouse.click(where["x"] + where["width"] - 4, where["y"] + 9)
    script.page.wait_for_timeout(50)
    assert script.moves() == ["stay"]
    script.page.wait_for_timeout(400)
    script.page.click(".acts .button:has-text('Cash out')")
    script.page.wait_for_timeout(50)
    assert script.moves() == ["stay", "cash out"]


def test_the_replay_is_played_on_the_same_stage(browser: Any) -> None:
    over = at(0, 0, (3, 4), over=True, winners=[1], offers=[])
    script = Script(
        browser,
        DESKTOP,
        over,
        speed="normal",
        table=table(status="over", result=MatchResult([0, 0, 0], [1], False)),
    )
    frames = [Frame(number, [], LOOKS[0]) for number in (1,)]
    frames += [
        Frame(number + 2, some, look)
        for number, (some, look) in enumerate(zip(EVENTS, LOOKS[1:], strict=True))
    ]
    script.api[f"/api/tables/{CODE}/replay"] = ReplayPage(1, 0, len(frames), frames, None)
    script.sit()
    script.page.click("button:has-text('Replay'):not(:disabled)")
    script.page.evaluate(WATCH)
    script.page.click("[aria-label=Play]")
    script.page.wait_for_selector("[data-moment]:has-text('fourth seven')")
    found: Seen = script.page.evaluate("() => window.seen")
    assert (
        first(found, lambda look: look["total"] == "11") - first(found, lambda look: look["dice"] == "14")
        > 500
    )
    assert "fourth seven" in script.page.inner_text("[aria-label='Log of the replay'] .now >> nth=0")
    script.page.click("[aria-label=Pause]")
    script.page.click("[aria-label='Next step']")
    script.page.click("[aria-label='Previous step']")
    script.page.wait_for_selector(".main strong:text-is('11')")
    assert script.person.wrong == []


CHANGES = [
    Changes(),
    changes_between(LOOKS[0], LOOKS[2]),
    Changes(
        zones=[Zone("new", "pile", "New", None, count=2)], gone=["dice"], seats=[seat(1, "out", "out", 5)]
    ),
    Changes(phase="Later", prompt="", counters=[]),
    Changes(
        groups=[Group("K+5 = 18", {"hand-0": [0, 1]}, 0)],
        legend=legend("K=13"),
        goal="Most nines win.",
        progress=Counter("round", "Round 2", 1, 3),
    ),
]


def test_changes_are_applied_as_the_model_does() -> None:
    if not installed():
        pytest.skip("the browser client is not installed here: run `make client`")
    parts = ("zones", "seats", *WHOLE)
    scene = Scene(**{part: getattr(LOOKS[0], part) for part in parts})
    found = in_node("beats.ts", "applyChanges", [[builtins(LOOKS[0]), builtins(one)] for one in CHANGES])
    wanted = [builtins(apply_changes(scene, one)) for one in CHANGES]
    assert [{part: one[part] for part in parts} for one in found] == [
        {part: one[part] for part in parts} for one in wanted
    ]
