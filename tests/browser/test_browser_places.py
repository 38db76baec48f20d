"""What a player's place says where it is narrow, in a real Chromium with tables of real matches.

No server: the page is sent what a match looks like.
"""

from __future__ import annotations

from typing import Any

import pytest

import ninefold as nf
from ninefold.game.finest9.rules import TURN
from ninefold.game.holdem9.view import FLOP
from ninefold.model.view import Button, Counter, View
from ninefold.server.tables.messages import SeatInfo
from support.browsing import ASIDE, DESKTOP, PHONE, WIDE, sizes
from support.finest9 import dealt, drained
from support.performing import perform
from support.scripted import Script, dice, seat, table, view

PEOPLE = ("Ann", "Bob", "Cleo", "Dan", "Eva", "Fay")
OTHERS = ".seat-panel:not(.me)"
# Words in the place of a player: each part of them, and whether all of it can be read there.
READ = """([places, where]) => [...document.querySelectorAll(places)].map((panel) => {
  const home = panel.getBoundingClientRect();
  return [...panel.querySelectorAll(where)].map((one) => {
    const box = one.getBoundingClientRect();
    const over = one.closest('.standing');
    const cut = over ? over.getBoundingClientRect() : home;
    const inside = box.width > 0 && box.left >= home.left - 1 && box.right <= home.right + 1
      && box.top >= cut.top - 1 && box.bottom <= cut.bottom + 1;
    return [one.textContent.trim(), inside];
  });
})"""


def sit(browser: Any, size: dict[str, int], shown: View) -> Script:
    seats = [SeatInfo("bot", name, "medium", False) for name in PEOPLE[: shown.players]]
    seats[0] = SeatInfo("person", PEOPLE[0], None, False)
    named = {"game": shown.game, "title": shown.title, "players": shown.players, "seats": seats}
    script = Script(browser, size, shown, table=table(**named))
    script.sit()
    script.page.wait_for_selector(".seat-panel:not(.me)")
    return script


def told(view: View, other: int) -> list[str]:
    hand = view.seats[other].hand
    assert hand is not None
    return nf.render(hand).split(" · ")


@pytest.mark.parametrize("size", sizes(PHONE, ASIDE, DESKTOP))
def test_taken_and_left_are_read_at_every_place(browser: Any, size: dict[str, int]) -> None:
    state = nf.make("finest9", players=3, deals=3).start(seed=4)
    for _ in range(6):  # so that rows grow
        state.play(state.actors[0], state.moves(state.actors[0])[0])
    shown = state.picture(0)
    script = sit(browser, size, shown)
    parts = script.page.evaluate(READ, [OTHERS, ".part"])
    order = [
        int(number)
        for number in script.page.evaluate(
            "() => [...document.querySelectorAll('.seat-panel:not(.me)')].map((one) => one.dataset.seat)"
        )
    ]
    for other, found in zip(order, parts, strict=True):
        assert [words for words, _ in found] == told(shown, other)
        assert all(inside for _, inside in found), (other, found)
    assert script.page.inner_text(".mine .status") == nf.render(shown.seats[0].hand or "")
    assert script.person.wrong == []


@pytest.mark.parametrize("size", sizes(PHONE, ASIDE, DESKTOP))
def test_earlier_deals_are_read_there_too(browser: Any, size: dict[str, int]) -> None:
    state = drained(deals=2)
    steps = 0
    while state.position.deal_number == 1 or state.position.phase < TURN:
        steps += 1
        if state.actors[0] >= 0:
            state.play(state.actors[0], state.moves(state.actors[0])[0])
        else:
            state.play(nf.CHANCE, sorted(state.chance())[5 * steps % len(state.chance())])
    script = sit(browser, size, state.picture(0))
    script.page.wait_for_selector(".mine .part")
    for places in (OTHERS, ".seat-panel.me"):
        ((before, taken, left),) = script.page.evaluate(READ, [places, ".part"])
        assert before[0].startswith("Had -") and taken[0].startswith("Taken ")
        assert left[0].startswith("Left ")
        assert before[1] and taken[1] and left[1], places


@pytest.mark.parametrize("size", sizes(PHONE, ASIDE, DESKTOP, WIDE))
def test_who_has_folded_is_said_where_their_cards_were(browser: Any, size: dict[str, int]) -> None:
    state = nf.make("holdem9", players=6, hands=12).start(seed=5)
    while len(state.actors) and state.actors[0] != 0:
        state.play(state.actors[0], "fold" if "fold" in state.moves(state.actors[0]) else "check")
    shown = state.picture(0)
    folded = [one.seat for one in shown.seats if one.status == "folded"]
    script = sit(browser, size, shown)
    for other in range(1, 6):
        words = script.page.locator(f".seat-panel[data-seat='{other}'] .gone").all_inner_texts()
        assert words == (["folded"] if other in folded else []), other
    assert all(inside for found in script.page.evaluate(READ, [OTHERS, ".gone"]) for _, inside in found)


def test_the_pot_is_one_number(browser: Any) -> None:
    state = nf.make("holdem9", players=3).start(seed=5)
    shown = state.picture(state.actors[0])
    script = sit(browser, PHONE, shown)
    pot = script.page.inner_text("[data-zone='pot'] b").replace(",", "")
    assert pot == "15" and f"Pot {pot} " in script.page.inner_text(".prompt")


@pytest.mark.parametrize("size", sizes(PHONE, ASIDE))
def test_how_many_nines_an_open_hand_makes_is_beside_it(browser: Any, size: dict[str, int]) -> None:
    state = nf.make("holdem9", players=6, hands=12, stack=100).start(seed=2)
    while not any("shown" in one.marks for one in state.picture(0).seats):
        moves = list(state.moves(state.actors[0]))
        chosen = "raise to 100" if "raise to 100" in moves else "call" if "call" in moves else moves[0]
        state.play(state.actors[0], chosen)
    shown = state.picture(0)
    script = sit(browser, size, shown)
    others = [one.seat for one in shown.seats if one.seat and "shown" in one.marks]
    for other in (one for one in others if one not in shown.winners):
        words = script.page.inner_text(f".seat-panel[data-seat='{other}'] .status")
        assert words.split(" (")[0] in nf.render(shown.seats[other].hand or "")
        box = script.page.locator(f".seat-panel[data-seat='{other}'] .status").bounding_box()
        cards = script.page.locator(f".seat-panel[data-seat='{other}'] .is-hand").bounding_box()
        assert box and cards and box["width"] > 30
        beside = box["x"] + box["width"] <= cards["x"] + 1 or cards["x"] + cards["width"] <= box["x"] + 1
        under = box["y"] + box["height"] <= cards["y"] + 1 or cards["y"] + cards["height"] <= box["y"] + 1
        assert beside or under, "it lies on no card"


def test_who_has_decided_is_offered_no_hint(browser: Any) -> None:
    stay, cash = Button("stay", "Stay", "s"), Button("cash out", "Cash out 75", "c")
    undecided = view(dice(), [stay, cash], actors=[0, 1])
    script = Script(browser, PHONE, undecided)
    script.sit()
    script.page.wait_for_selector("button[aria-label='Hint']")
    decided = view(dice(), [cash], actors=[0, 1], seats=[seat(0, "decided"), seat(1), seat(2)])
    script.show(decided)
    script.page.wait_for_selector("button[aria-label='Hint']", state="detached")
    assert script.page.locator(".dock button:has-text('Cash out')").is_enabled()


@pytest.mark.parametrize("size", sizes(PHONE, ASIDE, DESKTOP))
def test_the_board_stays_whatever_the_pot_is(browser: Any, size: dict[str, int]) -> None:
    state = nf.make("holdem9", players=3, stack=100_000).start(seed=5)
    while len(state.picture(0).zones[0].cards or []) < FLOP:
        moves = list(state.moves(state.actors[0]))
        state.play(state.actors[0], "call" if "call" in moves else "check")
    shown = state.picture(0)
    script = sit(browser, size, shown)
    lies = """() => [...document.querySelectorAll('[data-zone=board] .slot')].map((one) => {
      const box = one.getBoundingClientRect();
      return [Math.round(box.x), Math.round(box.y)];
    })"""
    script.page.wait_for_selector("[data-zone=board] [data-card]")
    before = script.page.evaluate(lies)
    for seq, pot in ((2, 0), (3, 123_456)):
        later = state.picture(0)
        later.counters = [Counter("pot", "Pot", pot), Counter("big blind", "Big blind", 10)]
        script.show(later, seq=seq)
        script.page.wait_for_function(
            f"() => document.querySelector('[data-zone=pot] b').textContent.replace(',', '') === '{pot}'"
        )
        after = script.page.evaluate(lies)
        assert len(after) == 5 and all(
            abs(one - other) <= 2
            for spot, place in zip(before, after, strict=True)
            for one, other in zip(spot, place, strict=True)
        )


def test_what_a_roll_brings_covers_no_digit(browser: Any) -> None:
    """`×2` rises over the total, which has another digit by then."""
    found = perform(
        "doubles",
        lambda events: any(
            "DOUBLES" in nf.render(one.text) and one.amount and one.amount > 50 for one in events
        ),
        before=1,
        after=0,
    )
    script = Script(browser, PHONE, found.view, motion="no-preference", table=found.table())
    script.sit()
    script.page.wait_for_selector(".main strong")
    script.page.evaluate(
        """() => { window.met = []; const look = () => {
          const sign = document.querySelector('.ghost.burst > *')?.getBoundingClientRect();
          const words = document.createRange();
          words.selectNodeContents(document.querySelector('.main strong'));
          const digits = words.getBoundingClientRect();
          const low = digits.top + digits.height * 0.15; // what is above the digits is empty
          const across = sign?.right > digits.left && sign.left < digits.right;
          if (sign) window.met.push(sign.bottom > low && across);
          requestAnimationFrame(look);
        }; look(); }"""
    )
    for number, part in enumerate(found.parts, start=2):
        found.send(script, part, number)
    script.page.wait_for_function("() => window.met.length > 5")
    script.page.wait_for_function("() => !document.querySelector('.ghost.burst')")
    assert not any(script.page.evaluate("() => window.met"))


def test_before_the_roll_it_says_what_to_hope_for(browser: Any) -> None:
    state = dealt("2S 3S 7S 7H 9S JS QS KS AS", "2H 3H 4H 5H 6H 8H 10H JH QH")
    shown = state.picture(0)
    seats = [SeatInfo("person", name, None, False) for name in PEOPLE[:2]]
    waits = table(game=shown.game, players=2, seats=seats, rolling=0)
    script = Script(browser, PHONE, shown, table=waits)
    script.sit()
    script.page.wait_for_selector("button.throw")
    asked = script.page.inner_text(".prompt").split("\n")[-1]
    assert asked == nf.render(shown.prompt) and asked.startswith("Your roll. Hope for 2 (+")
    assert "7 (+23)" in asked and "10 (+31)" in asked
