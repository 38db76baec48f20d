"""The table, in a real Chromium: everything is in sight at every size, holds still, and can be touched.

No server and no game: messages are made here, from the server's types.
"""

from __future__ import annotations

from typing import Any

import pytest

from ninefold.model.text import message
from ninefold.model.view import (
    HIDDEN,
    Button,
    Card,
    Choice,
    Counter,
    Number,
    Offer,
    Preset,
    SeatView,
    Selection,
    View,
    Zone,
    face_up,
)
from ninefold.server.tables.messages import MatchResult, Presence, SeatInfo, TableView
from support.browsing import ASIDE, DESKTOP, PHONE, WIDE
from support.node import in_node, installed
from support.scripted import Script, table, view

TABLET = {"width": 820, "height": 1180}
SIZES = [PHONE, ASIDE, TABLET, DESKTOP, WIDE]
IDS = ["phone", "aside", "tablet", "desktop", "wide"]
PLACES = [f"r{row}c{column}" for row in (1, 2, 3) for column in (1, 2, 3)]


def grids(players: int) -> list[Zone]:
    """Two piles, and nine cards for everyone."""
    piles = [Zone("deck", "pile", "Deck", None, count=40)]
    piles.append(Zone("heap", "pile", "Heap", None, [face_up("7S")], 9))
    cards = [face_up("KH"), *[HIDDEN] * 8]
    return piles + [
        Zone(f"grid-{seat}", "grid", "Cards", seat, cards, columns=3, places=PLACES)
        for seat in range(players)
    ]


def bets(players: int) -> list[Zone]:
    """Five places in the middle, a pot, and two cards, chips and a bet for everyone."""
    found = [Zone("board", "row", "Board", None, [face_up("7S"), face_up("KD")], slots=5)]
    found.append(Zone("pot", "chips", "Pot", None, count=1234))
    for seat in range(players):
        cards = [face_up("9S"), face_up("10H")] if seat == 0 else [HIDDEN] * 2
        found.append(Zone(f"hand-{seat}", "hand", "Cards", seat, cards, slots=2))
        found.append(Zone(f"stack-{seat}", "chips", "Chips", seat, count=1000 * seat + 55))
        found.append(Zone(f"bet-{seat}", "chips", "Bet", seat, count=375))
    return found


def offers_of(players: int, held: int = 0) -> list[Zone]:
    """A pile, nine cards for everyone, and a place for what they offer."""
    found = [Zone("centre", "pile", "Centre", None, count=36)]
    mine = [face_up(card) for card in ("AS", "2H", "3D", "4C", "5S", "6H", "7D", "8C", "9S")]
    for seat in range(players):
        found.append(Zone(f"hand-{seat}", "hand", "Hand", seat, mine if seat == 0 else [HIDDEN] * 9))
        cards = [HIDDEN] * (held if seat else 0)
        offer = Zone(f"offer-{seat}", "row", "Open offer", seat, cards, slots=3, held_in=f"hand-{seat}")
        found.append(offer)
    return found


def rows(players: int) -> list[Zone]:
    """Dice, a deck, and cards in a row and a heap for everyone."""
    found = [Zone("dice", "dice", "Dice", None, dice=[3, 4]), Zone("deck", "pile", "Deck", None, count=9)]
    cards = [face_up(card) for card in ("2C", "2H", "4S", "6H", "8S", "10C", "JD", "JH", "QH", "AC")]
    for seat in range(players):
        found.append(Zone(f"row-{seat}", "row", "On the table", seat, cards))
        found.append(Zone(f"heap-{seat}", "pile", "Captured", seat, cards[:2], 12))
    return found


def groups(players: int, laid: int = 0, left: int = 5) -> list[Zone]:
    """Two piles, a hand for everyone, and what the player at seat 1 has laid before them."""
    found = [Zone("deck", "pile", "Deck", None, count=20), Zone("heap", "pile", "Heap", None, count=0)]
    for seat in range(players):
        hand = [face_up(rank) for rank in "Q65229"] if seat == 0 else [HIDDEN] * (left if seat == 1 else 5)
        cards = [face_up(rank) for rank in ("10", "8", "J", "7", "9", "Q")[: laid if seat == 1 else 0]]
        found.append(Zone(f"hand-{seat}", "hand", "Hand", seat, hand, len(hand)))
        found.append(Zone(f"laid-{seat}", "row", "Laid", seat, cards, slots=3))
    return found


def dice(_: int) -> list[Zone]:
    return [Zone("dice", "dice", "Last roll", None, dice=[3, 4])]


TABLES = {
    "grids": (grids, 9),
    "bets": (bets, 10),
    "offers": (offers_of, 9),
    "rows": (rows, 5),
    "dice": (dice, 12),
}
LONG = "Maximiliane von und zu Tannenberg"


def names(players: int) -> list[str]:
    return ["Ann", LONG, *(f"Medium {seat}" for seat in range(2, players))]


def seats(players: int) -> TableView:
    return table(players=players, seats=[SeatInfo("person", name, None, False) for name in names(players)])


def looks(zones: list[Zone], players: int, offers: list[Offer] | None = None, **more: Any) -> View:
    """A view of a table with so many players."""
    facts = [SeatView(seat, 12_345 * seat, "waiting", "waits") for seat in range(players)]
    facts[-1].marks = ["dealer"]
    scores = [one.score for one in facts]
    counters = [Counter("total", "Total", 250), Counter("sevens", "Sevens", 2, 4)]
    if any(zone.kind == "grid" for zone in zones):
        del counters[0]  # beside a grid there is room for one
    return view(zones, offers, players=players, seats=facts, scores=scores, counters=counters, **more)


def sit(browser: Any, size: dict[str, int], shown: View, **more: Any) -> Script:
    script = Script(browser, size, shown, table=more.pop("table", seats(shown.players)), **more)
    script.sit()
    script.page.wait_for_selector(".felt .centre", state="attached")
    return script


# Things that are not wholly in sight, or lie over each other.
CUT = """() => {
  const felt = document.querySelector('.felt').getBoundingClientRect(), found = [];
  const inside = (box, out) => box.left >= out.left - 1 && box.right <= out.right + 1
    && box.top >= out.top - 1 && box.bottom <= out.bottom + 1;
  const parts = '.felt :is(.seat-panel, .zone, .card, .die, .main strong, .counters, .more)';
  for (const part of document.querySelectorAll(parts)) {
    const box = part.getBoundingClientRect();
    if (!box.width || getComputedStyle(part).visibility === 'hidden') continue;
    if (!inside(box, felt)) found.push([part.dataset.zone ?? part.className, box.toJSON()]);
  }
  const boxes = [...document.querySelectorAll('.felt :is(.seat-panel, .centre > *, .hands)')]
    .map((one) => [one.className, one.getBoundingClientRect()]).filter(([, box]) => box.width);
  boxes.forEach(([name, one], at) => boxes.slice(at + 1).forEach(([other, two]) => {
    if (Math.min(one.right, two.right) - Math.max(one.left, two.left) > 2
      && Math.min(one.bottom, two.bottom) - Math.max(one.top, two.top) > 2) found.push([name, other]);
  }));
  for (const name of document.querySelectorAll('.felt .name'))
    if (name.scrollWidth > name.clientWidth + 1 && name.title.length < 20) found.push(name.title);
  if (document.documentElement.scrollWidth > innerWidth) found.push('page');
  return found;
}"""


# Sizes follow from what is measured: they have been the same for two frames.
STEADY = """() => new Promise((done) => {
  const sizes = () => document.querySelector('.layout')?.getAttribute('style');
  const before = sizes();
  requestAnimationFrame(() => requestAnimationFrame(() => done(!!before && sizes() === before)));
})"""


@pytest.mark.parametrize("size", SIZES, ids=IDS)
@pytest.mark.parametrize("kind", TABLES)
def test_everything_on_the_table_is_in_sight(browser: Any, size: dict[str, int], kind: str) -> None:
    """From two players to as many as there can be."""
    zones, most = TABLES[kind]

    def seen(players: int) -> View:
        return looks(zones(players), players, [Button("go", "Go", "g")])

    script = sit(browser, size, seen(2))
    for seq, players in enumerate((2, 3, 4, most), start=2):
        script.table = seats(players)
        script.show(seen(players), seq=seq)
        script.page.wait_for_function(
            "(players) => document.querySelectorAll('.felt .seat-panel').length === players", arg=players
        )
        script.page.wait_for_function(STEADY)
        script.person.picture(f"table-{kind}-{players}-{size['width']}")
        assert script.page.evaluate(CUT) == [], players
    assert script.person.wrong == []
    script.person.context.close()


@pytest.mark.parametrize("kind", ["grids", "rows", "bets"])
def test_a_large_screen_is_full_of_the_game(browser: Any, kind: str) -> None:
    zones, _ = TABLES[kind]
    script = sit(browser, WIDE, looks(zones(4), 4))
    wide = "(where) => Math.min(...[...document.querySelectorAll(where)].map((one) => one.offsetWidth))"
    assert script.page.evaluate(wide, ".seat-panel .card") >= 48
    assert script.page.evaluate(wide, ".mine .hands .card") >= 90
    # The others sit around the table: at the left, across and at the right.
    boxes = [script.page.locator(f"[data-seat='{seat}']").bounding_box() for seat in (1, 2, 3)]
    left, top, right = (box or {} for box in boxes)
    assert left["x"] < 40 and right["x"] > 1050 and top["y"] < left["y"]


def test_the_leaders_of_a_crowd_are_shown_and_the_rest_listed(browser: Any) -> None:
    players = 30
    shown = looks(dice(0), players, actors=list(range(players)), waiting_for="everyone")
    shown.scores[3] = 1
    shown.seats[3].marks = ["roller"]
    script = sit(browser, PHONE, shown)
    assert script.page.evaluate(CUT) == []
    there = [int(one.get_attribute("data-seat")) for one in script.page.locator("[data-seat]").all()]
    assert sorted(there) == [0, 3, *range(20, 30)]  # the viewer, the roller, the best ten
    script.page.click("text=and 18 more")
    listed = script.page.locator("dialog li, [role=dialog] li").all_inner_texts()
    assert len(listed) == players and listed[0].startswith("Medium 29")


# Touching what one sees


def asked(*offers: Offer) -> View:
    return looks(grids(3), 3, [*offers])


def test_a_pile_is_a_button(browser: Any) -> None:
    script = sit(
        browser, PHONE, asked(Button("draw", "Draw a card", "d", zone="deck"), Button("go", "Go", "g"))
    )
    button = script.page.get_by_role("button", name="Draw a card")
    assert button.count() == 2  # the pile, and the one in reach of a thumb
    assert script.page.locator("[data-zone=heap] .touch").count() == 0
    script.page.focus("[data-zone=deck] .touch")
    script.page.keyboard.press("Enter")
    script.page.wait_for_function("() => true")
    assert script.moves() == ["draw"]
    assert not script.person.faults()


def test_a_pile_touched_first_says_what_a_card_is_for(browser: Any) -> None:
    flip = Selection(
        "flip", "Flip", "grid-0", [Choice(f"flip {place}", [at]) for at, place in enumerate(PLACES)]
    )
    take = Selection(
        "take", "Take", "grid-0", [Choice(f"take {place}", [at]) for at, place in enumerate(PLACES)]
    )
    take.source = "heap"
    script = sit(browser, DESKTOP, asked(flip, take))
    script.page.click(".mine [data-place='4']")
    assert script.page.locator(".acts .button.main").all_inner_texts() == ["Flip\nF", "Take\nT"]
    script.page.keyboard.press("Escape")
    script.page.click("[data-zone=heap] .touch")
    assert script.page.get_attribute("[data-zone=heap] .touch", "aria-pressed") == "true"
    script.page.click(".mine [data-place='7']")
    script.page.wait_for_function("() => !document.querySelector('.armed')")
    assert script.moves() == ["take r3c2"]


def test_one_touch_is_enough_where_nothing_can_go_wrong_else_two(browser: Any) -> None:
    flip = Selection("flip", "Flip", "grid-0", [Choice("flip r1c1", [0]), Choice("flip r1c2", [1])])
    look = Selection("look", "Look", "grid-0", [Choice("look r3c3", [8])], direct=True)
    script = sit(browser, PHONE, asked(flip, look, Button("go", "Go", "g")))
    answered = "() => document.querySelector('.dock .button[aria-disabled=false]')"
    script.page.tap(".mine [data-place='1']")
    assert script.moves() == []
    script.page.tap(".mine [data-place='1']")
    script.page.wait_for_function(answered)
    assert script.moves() == ["flip r1c2"]
    script.page.tap(".mine [data-place='8']")
    script.page.wait_for_function(answered)
    assert script.moves() == ["flip r1c2", "look r3c3"]


def test_a_choice_that_may_cost_a_lot_is_held_down(browser: Any) -> None:
    dear = Choice("flip r1c2", [1], confirm="This ends the round.")
    flip = Selection("flip", "Flip", "grid-0", [Choice("flip r1c1", [0]), dear], direct=True)
    script = sit(browser, PHONE, asked(flip))
    for _ in range(2):
        script.page.tap(".mine [data-place='1']")
        script.page.wait_for_timeout(50)
    assert script.moves() == []
    script.page.tap(".mine [data-place='1']")  # twice put it back
    hold = script.page.locator("[data-hold='flip r1c2']")
    hold.dispatch_event("click")  # by keyboard: once to be told, once more to do it
    script.page.wait_for_selector("text=This ends the round.")
    hold.dispatch_event("click")
    for _ in range(100):
        if script.moves():
            break
        script.page.wait_for_timeout(50)
    assert script.moves() == ["flip r1c2"]
    assert script.person.wrong == []


def test_places_have_names_that_people_understand(browser: Any) -> None:
    look = Selection("look", "Look", "grid-0", [Choice(f"look {PLACES[8]}", [8])])
    script = sit(browser, PHONE, asked(look))
    assert script.page.locator(".mine [aria-label*='bottom right']").count() == 1
    said = script.page.evaluate(
        "() => document.body.innerText + [...document.querySelectorAll('[aria-label], [title]')]"
        ".map((one) => `${one.ariaLabel} ${one.title}`).join()"
    )
    assert "r3c3" not in said and "r1c1" not in said


def test_what_another_player_offers_is_touched(browser: Any) -> None:
    give = message("Trade one card with {who}", {"who": 1})
    choices = [Choice("answer 1 AS", [0]), Choice("answer 1 2H", [1])]
    answer = Selection("answer 1", give, "hand-0", choices, seat=1, source="offer-1")
    script = sit(browser, PHONE, looks(offers_of(5, held=1), 5, [answer]))
    script.page.tap(".mine [data-place='1']")
    script.page.tap("[data-zone=offer-1] .touch")
    script.page.wait_for_function("() => true")
    assert script.moves() == ["answer 1 2H"]


# Holding still

STILL = """() => Object.fromEntries(
  [...document.querySelectorAll('[data-seat], .felt [data-zone]:not(.chips), .mine .card, .acts .button')]
    .filter((one) => one.offsetWidth).map((one) => {
      const box = one.getBoundingClientRect();
      const { seat, zone, place } = one.dataset;
      const name = [seat, zone, place, one.getAttribute('aria-keyshortcuts'), one.classList[0]].join();
      return [name, [box.x, box.y]];
    }))"""


@pytest.mark.parametrize("size", SIZES, ids=IDS)
def test_offers_come_and_go_and_nothing_moves(browser: Any, size: dict[str, int]) -> None:
    claim = [Button("claim", "9 of them!", "n"), Button("wait", "Wait", ".")]
    choices = [Choice("answer 1 AS", [0])]
    answer = Selection("answer 1", "Trade", "hand-0", choices, seat=1, source="offer-1")
    offer = Selection("offer", "Offer", "hand-0", [Choice("offer AS", [0])])
    live = seats(6)
    live.realtime = True
    script = sit(browser, size, looks(offers_of(6), 6, [offer, *claim]), table=live)
    script.page.click(".mine [data-place='0']")
    script.page.wait_for_selector(".mine .picked")
    script.page.wait_for_function(
        "() => document.getAnimations().every((one) => one.playState !== 'running')"
    )
    before = script.page.evaluate(STILL)
    for seq, held in enumerate((1, 3, 0, 2), start=2):
        after = looks(offers_of(6, held), 6, [offer, *([answer] if held else []), *claim])
        after.seats[2].status, after.seats[2].status_text = "deciding", "thinks about it for a long time"
        script.show(after, seq=seq)
        script.page.wait_for_function(
            f"() => document.querySelectorAll('[data-zone=offer-1] [data-card]').length === {held}"
        )
        now = script.page.evaluate(STILL)
        moved = {
            name: (before[name], now[name]) for name in before if name in now and far(before[name], now[name])
        }
        assert moved == {}
    script.person.context.close()


# How much of each card can be seen beside the next, as a share of a small card.
OPEN = """() => { const cards = [...document.querySelectorAll('[data-zone=laid-1] [data-card]')]
    .map((one) => one.getBoundingClientRect());
  const panel = document.querySelector('[data-seat="1"]').getBoundingClientRect();
  return cards.map((one, at) => { const next = cards[at + 1];
    if (one.right > panel.right || one.bottom > panel.bottom + 6 || one.left < panel.left) return 0;
    const beside = next && Math.abs(next.top - one.top) < 2;
    const open = beside ? Math.min(one.width, next.left - one.left) : one.width;
    return open / Math.min(22, one.width); }); }"""
READABLE = 0.62  # shows its rank


@pytest.mark.parametrize("players", [3, 4, 5])
@pytest.mark.parametrize("size", SIZES, ids=IDS)
def test_groups_that_a_player_has_laid_can_be_read(browser: Any, size: dict[str, int], players: int) -> None:
    shown = [looks(groups(players, *laid), players) for laid in ((), (3, 3), (6, 1), (6, 0))]
    script = sit(browser, size, shown[0])
    for seq, after in enumerate(shown[1:], start=2):
        cards = len(after.zones[5].cards or [])
        script.show(after, seq=seq)
        script.page.wait_for_function(
            f"() => document.querySelectorAll('[data-zone=laid-1] [data-card]').length === {cards}"
        )
        assert min(script.page.evaluate(OPEN)) >= READABLE, cards
    script.person.context.close()


def far(one: list[float], other: list[float]) -> bool:
    return max(abs(a - b) for a, b in zip(one, other, strict=True)) > 2


def growing(players: int, cards: int) -> list[Zone]:
    """Dice, a deck, and a row for everyone, as long as it happens to be."""
    found = [Zone("dice", "dice", "Dice", None, dice=[3, 4]), Zone("deck", "pile", "Deck", None, count=9)]
    row = [face_up(f"{rank}{suit}") for suit in "SH" for rank in (2, 3, 4, 5, 6, 7, 8, 10)][:cards]
    for seat in range(players):
        found.append(Zone(f"row-{seat}", "row", "On the table", seat, row))
        found.append(Zone(f"heap-{seat}", "pile", "Captured", seat, row[:2], 2))
    return found


@pytest.mark.parametrize("players", [3, 5])
@pytest.mark.parametrize("size", SIZES, ids=IDS)
def test_rows_that_grow_resize_nothing(browser: Any, size: dict[str, int], players: int) -> None:
    """From before the deal on, panels and cards keep their sizes."""
    sizes = """() => [...document.querySelectorAll('.seat-panel')].map((one) => one.offsetHeight)
      .concat(['own', 'other', 'common'].map((one) =>
        parseFloat(document.querySelector('.layout').style.getPropertyValue(`--w-${one}`))))"""
    script = sit(browser, size, looks(growing(players, 0), players))
    before = script.page.evaluate(sizes)
    for seq, cards in enumerate((9, 10, 12, 14, 16, 3), start=2):
        script.show(looks(growing(players, cards), players), seq=seq)
        script.page.wait_for_function(
            f"() => document.querySelectorAll('.mine .hands [data-card]').length === {cards}"
        )
        assert script.page.evaluate(sizes) == before, cards
    script.person.context.close()


@pytest.mark.parametrize("size", SIZES, ids=IDS)
def test_a_question_moves_nothing(browser: Any, size: dict[str, int]) -> None:
    """Between turns, with buttons, with a number to choose, and with chips and cards that come and go."""
    bet = Number(
        "raise to", "Raise to", 40, 500, 1, [Preset(120, "½ pot"), Preset(240, "Pot"), Preset(500, "All-in")]
    )
    buttons: list[Offer] = [Button("fold", "Fold", "f"), Button("call", "Call 1,250", "c")]
    script = sit(browser, size, looks(bets(6), 6, actors=[2]))
    before = script.page.evaluate(STILL)
    gone = bets(6)
    gone[2].cards, gone[4].count = [], 0
    for seq, after in enumerate((looks(bets(6), 6, [*buttons, bet]), looks(gone, 6, buttons)), start=2):
        script.show(after, seq=seq)
        script.page.wait_for_selector(".acts .button:has-text('Fold')")
        now = script.page.evaluate(STILL)
        moved = {
            name: (before[name], now[name]) for name in before if name in now and far(before[name], now[name])
        }
        assert moved == {}
        within = "() => [...document.querySelectorAll('.dock :is(button, input)')].every((one) => {" + (
            " const box = one.getBoundingClientRect();"
            " const inside = box.left >= 0 && box.right <= innerWidth && box.bottom <= innerHeight + 1;"
            " return !box.width || inside; })"
        )
        assert script.page.evaluate(within)
    script.person.context.close()


def test_the_dealer_and_the_empty_places_are_drawn(browser: Any) -> None:
    script = sit(browser, WIDE, looks(bets(4), 4))
    assert script.page.locator("[data-seat='3'] .dealer").count() == 1
    assert script.page.locator(".dealer").count() == 1
    assert script.page.locator("[data-zone=board] .slot").count() == 5
    assert script.page.locator("[data-zone=board] .outline").count() == 3
    assert script.page.locator("[data-seat='1'] .score").count() == 0  # chips are the one number
    front = script.page.locator("[data-zone=bet-1]").bounding_box()
    plate = script.page.locator("[data-seat='1']").bounding_box()
    assert front and plate and front["x"] >= plate["x"] + plate["width"]  # toward the middle


def test_the_own_place_is_whole_with_a_clock_and_on_the_last_turn(browser: Any) -> None:
    live = seats(4)
    live.settings.clock = 30
    shown = looks(grids(4), 4, [Button("go", "Go", "g")])
    shown.seats[0].status, shown.seats[0].status_text = "last_turn", "last turn"
    for size in (PHONE, ASIDE):
        script = sit(browser, size, shown, table=live)
        assert script.page.evaluate(CUT) == []
        assert "You" in script.page.inner_text(".mine .seat-panel")
        assert "last turn" in script.page.inner_text(".mine .seat-panel")
        script.person.context.close()


def test_the_phase_is_whole_when_someone_watches(browser: Any) -> None:
    script = sit(browser, PHONE, looks(dice(0), 3, phase=message("Round {a} of {b}", a=1, b=10)))
    script.send(Presence([0, 1, 2], 3, {}))
    script.page.wait_for_selector(".watch")
    assert script.page.inner_text(".phase") == "Round 1 of 10"
    assert script.page.evaluate(
        "() => { const p = document.querySelector('.phase'); return p.scrollWidth <= p.clientWidth; }"
    )


def test_the_result_is_not_pressed_by_the_last_move(browser: Any) -> None:
    script = sit(browser, PHONE, looks(dice(0), 3, [Button("go", "Go", "g")]))
    script.page.tap(".acts .button")
    ended = seats(3)
    ended.status, ended.result = "over", MatchResult([1, 2, 3], [2], False)
    script.table = ended
    script.show(looks(dice(0), 3, over=True, winners=[2]))
    script.page.wait_for_selector(".over[inert] .result")
    script.page.wait_for_selector(".over:not([inert]) .result")


@pytest.mark.parametrize(("width", "height"), [(360, 466), (486, 276), (820, 900), (950, 520), (1590, 800)])
def test_sizes_follow_from_the_felt_and_the_shape_alone(width: int, height: int) -> None:
    if not installed():
        pytest.skip("the browser client is not installed here: run `make client`")
    shape = {
        "others": 3,
        "other": {"fixed": 3.15, "spare": 0, "open": 0, "rows": 3, "front": False},
        "own": {"cards": 9, "rows": 3, "grid": 3},
        "common": {"across": 3.1, "widest": 1.55, "lanes": 2, "dice": False, "piles": True, "pot": False},
        "main": False,
        "bets": False,
    }
    sizes, larger = in_node(
        "arrange.ts", "arrange", [[width, height, shape], [1.3 * width, 1.3 * height, shape]]
    )
    assert sizes["round"] == (width >= 700)
    assert 24 <= sizes["own"] <= larger["own"] and 12 <= sizes["other"] <= larger["other"]


def test_a_card_that_a_player_holds_lies_over_the_place(browser: Any) -> None:
    """A card drawn beside a grid makes no place larger."""
    held = [Zone("drawn", "hand", "Drawn card", 1, [Card(None, up=False)])]
    script = sit(browser, DESKTOP, looks(grids(3), 3))
    before = script.page.evaluate(STILL)
    script.show(looks([*grids(3), *held], 3))
    script.page.wait_for_selector("[data-seat='1'] [data-zone=drawn]")
    now = script.page.evaluate(STILL)
    assert all(not far(before[name], now[name]) for name in before if name in now)
