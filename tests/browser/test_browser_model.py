"""The browser client alone, in a real Chromium, against messages made here: what it makes of the table model.

No server and no game: the page's files come from where they were built, its messages from the server's types.
"""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest

from ninefold.model.events import Beat, Event, Movement
from ninefold.model.sheet import BotSheet, GameSheet, OptionSchema
from ninefold.model.text import message
from ninefold.model.view import (
    GAP,
    HIDDEN,
    Button,
    Choice,
    Counter,
    Number,
    Offer,
    Preset,
    Selection,
    Zone,
    face_up,
)
from ninefold.server.tables.messages import (
    VERSION,
    Answer,
    Frame,
    GameList,
    MatchResult,
    Refused,
    ReplayPage,
    Summary,
    TableEvent,
    Update,
)
from support.browsing import DESKTOP, PHONE
from support.scripted import CODE, NAMES, URL, Script, dice, seat, table, view


def test_texts_name_players_and_group_digits(browser: Any) -> None:
    shown = view(
        dice(),
        prompt=message("{who} leads with {score}. {all} wait.", {"who": 1, "all": [0, 2]}, score=12345),
        counters=[Counter("total", message("Total of {who}", {"who": 2}), 1234567)],
        seats=[
            seat(0),
            seat(1, "decided", "has decided", 12345),
            seat(2, "folded", message("folded to {who}", {"who": 1})),
        ],
    )
    missed = Update(
        1, [TableEvent(1, "moved", [Beat([Event("roll", message("{who} rolls.", {"who": 1}), 1)])])]
    )
    script = Script(browser, DESKTOP, shown, before=[missed])
    script.sit()
    script.page.wait_for_selector(".felt")
    words = script.page.inner_text("body")
    assert "Bob leads with 12,345. Ann and Cleo wait." in words
    assert "Total of Cleo" in words and "1,234,567" in words
    assert "has decided" in script.page.inner_text("section[aria-label=Bob]")
    assert script.page.locator("section[aria-label=Bob] .status svg").count() == 1  # done, by its status
    assert "folded to Bob" in script.page.inner_text("section[aria-label=Cleo].out")
    assert script.page.inner_text(".side li") == "Bob rolls."  # though its name came later
    assert "offline" in script.page.inner_text("section[aria-label=Cleo]")
    assert script.person.wrong == []


def test_cards_of_one_rank_are_interchangeable(browser: Any) -> None:
    """Of two sevens either may be taken: both are lit, and both make the move."""
    row = Zone(
        "table-0", "row", "On the table", 0, [face_up(card) for card in ("6H", "7S", "7D", "8C", "KC")]
    )
    choices = [Choice("capture 6 7 8", [0, 1, 3], "6 7 8")]
    offer = Selection("capture", "Take", "table-0", choices, alike=True)
    script = Script(browser, PHONE, view([row], [offer]))
    script.sit()
    script.page.wait_for_selector(".mine button.lit")
    assert script.page.locator(".mine button.lit").count() == 4
    for place in (0, 2, 3):
        script.page.click(f".mine [data-place='{place}']")
    script.page.click(".acts .button.main")
    assert script.moves() == ["capture 6 7 8"]
    assert not script.person.faults()


def test_the_card_that_came_last_lies_on_top(browser: Any) -> None:
    """Also where the rules keep no order, and the pile comes sorted."""

    def pile(*cards: str) -> list[Zone]:
        return [Zone("discards", "pile", "Discards", None, [face_up(card) for card in cards], len(cards))]

    script = Script(browser, PHONE, view(pile("9")))
    script.sit()
    on_top = ".stack .card[aria-label='{}']"
    script.page.wait_for_selector(on_top.format(9))
    script.show(view(pile("9", "5", "4")), Event("lay", "Five and four.", 1), seq=2)
    script.page.wait_for_selector(on_top.format(4))
    script.show(view(pile("9", "5", "4")), Event("pass", "Nothing.", 1), seq=3)
    script.page.wait_for_selector(".caption:has-text('Nothing.')")
    assert script.page.locator(on_top.format(4)).count() == 1
    script.show(view(pile("9", "5")), Event("take", "One is taken.", 1), seq=4)
    script.page.wait_for_selector(on_top.format(9))


def test_a_stray_key_gives_nothing_up(browser: Any) -> None:
    """What is final is asked for again on a keyboard; a click plays it at once."""
    offers: list[Offer] = [Button("fold", "Fold", "f", final=True), Button("call", "Call 10", "c")]
    script = Script(browser, DESKTOP, view(dice(), offers))
    script.answers["move"] = Answer("", False, error="no_match", text="not here")
    script.sit()
    script.page.wait_for_selector("button:has-text('Fold')")
    script.page.keyboard.press("f")
    script.page.wait_for_selector(".note:has-text('Fold? Press F again.')")
    assert not script.person.faults()
    assert script.moves() == []
    script.page.keyboard.press("f")
    script.page.wait_for_selector(".note.bad")
    assert script.moves() == ["fold"] and not script.page.locator("text=Press F again").count()
    script.page.wait_for_timeout(400)  # a click too soon after a change is no click
    script.page.click("button:has-text('Fold')")
    script.page.wait_for_selector(".note.bad")
    assert script.moves() == ["fold", "fold"]


def test_a_number_has_its_presets(browser: Any) -> None:
    offers: list[Offer] = [
        Button("fold", "Fold", "f"),
        Button("all-in", message("All in ({chips})", chips=500), "a"),
        Number("raise to", "Raise to", 40, 500, 1, [Preset(120, "Half the pot"), Preset(240, "The pot")]),
    ]
    script = Script(browser, PHONE, view(dice(), offers))
    script.sit()
    script.page.click(".presets button:text-is('The pot')")
    script.page.click(".number .line .button")
    script.page.wait_for_function("() => true")
    assert script.moves() == ["raise to 240"]
    assert script.page.locator(".acts > .button").count() == 2  # a button is no preset, whatever it says
    assert script.person.wrong == []


def test_a_refusal_names_the_rule_and_the_sentence_is_shown_as_it_came(browser: Any) -> None:
    script = Script(browser, PHONE, view(dice(), [Button("pay", "Pay", "p")]))
    script.answers["move"] = Answer("", False, error="illegal", text="Bob has to pay first", rule="R3.4")
    script.sit()
    script.page.click(".acts .button:has-text('Pay')")
    script.page.wait_for_selector("[role=alert]")
    assert script.page.inner_text("[role=alert] p").split("\n")[0].startswith("Bob has to pay first.")
    assert script.page.inner_text("[role=alert] .rule") == "Rule R3.4"


def test_cards_for_a_player_are_offered_at_their_seat(browser: Any) -> None:
    hand = Zone("hand-0", "hand", "Your hand", 0, [face_up("7S"), face_up("7H")])
    give = message("Give {who} one card", {"who": 2})
    offer = Selection(
        "answer 2", give, "hand-0", [Choice("answer 2 7S", [0]), Choice("answer 2 7H", [1])], seat=2
    )
    script = Script(browser, PHONE, view([hand], [offer]))
    script.sit()
    script.page.click(".mine [data-place='1']")
    assert script.page.inner_text(".acts .button.main .what") == "Give Cleo one card: 7♥"
    script.page.click("section[aria-label=Cleo] .answer")
    script.page.wait_for_function("() => true")
    assert script.moves() == ["answer 2 7H"]


WATCH_FLIGHTS = """() => {
  const animate = Element.prototype.animate;
  window.flights = [];
  Element.prototype.animate = function (frames, timing) {
    if (this.className === "ghost") window.flights.push([frames[0].transform, frames.at(-1).transform].map(
      (one) => one.match(/-?[0-9.]+px/g).map(parseFloat)));
    return animate.call(this, frames, timing);
  };
}"""


def centre(script: Script, where: str) -> tuple[float, float]:
    """The upper left corner of an element."""
    box = script.page.locator(where).bounding_box()
    assert box
    return box["x"], box["y"]


def grid(owner: int, cards: dict[int, str]) -> Zone:
    places = [f"r{row}c{column}" for row in (1, 2, 3) for column in (1, 2, 3)]
    shown = [face_up(cards[at]) if at in cards else HIDDEN for at in range(9)]
    return Zone(f"grid-{owner}", "grid", "Cards", owner, shown, columns=3, places=places)


@pytest.mark.parametrize("owner", [0, 1])
@pytest.mark.parametrize("size", [PHONE, DESKTOP])
def test_cards_fly_to_their_place_in_a_grid(browser: Any, owner: int, size: dict[str, int]) -> None:
    """Two alike cards lie in the grid: only the place says which one is meant."""
    shoe, pile = Zone("shoe", "pile", "Shoe", None, count=30), Zone("discards", "pile", "Discards", None)
    pile.cards, pile.count = [face_up("2C")], 1
    shown = view([shoe, pile, grid(owner, {0: "KH", 4: "7S"})])
    script = Script(browser, size, shown, motion="no-preference")
    script.sit()
    script.page.wait_for_selector(".felt .grid")
    script.page.evaluate(WATCH_FLIGHTS)
    left = centre(script, f"[data-zone=grid-{owner}] [data-place='4']")
    after = view(
        [
            Zone("shoe", "pile", "Shoe", None, count=29),
            Zone("discards", "pile", "Discards", None, [face_up("7S"), face_up("2C")], 2),
            grid(owner, {0: "KH", 4: "KH"}),
        ]
    )
    put = Movement("shoe", f"grid-{owner}", ["KH"], [-1], [4])
    away = Movement(f"grid-{owner}", "discards", ["7S"], [4], [0])
    script.show(after, Event("put", "A card is replaced.", owner, moves=[put, away]))
    script.page.wait_for_function("() => window.flights.length === 2")
    (_, landed), (start, end) = script.page.evaluate("() => window.flights")
    assert landed == pytest.approx(centre(script, f"[data-zone=grid-{owner}] [data-place='4']"), abs=1)
    assert start == pytest.approx(left, abs=1)
    assert end == pytest.approx(centre(script, "[data-zone=discards] [data-card]"), abs=1)
    assert script.person.wrong == []


def test_a_pile_is_never_gone_while_a_card_comes(browser: Any) -> None:
    def pile(top: str) -> list[Zone]:
        cards = [face_up(top), *[face_up("2C")] * 3]
        return [
            Zone("pile", "pile", "Pile", None, cards, 4),
            Zone("row-0", "row", "Cards", 0, [face_up("9H")]),
        ]

    script = Script(browser, DESKTOP, view(pile("KD")), motion="no-preference", speed="slow")
    script.sit()
    script.page.wait_for_selector("[data-zone=pile] [data-card]")
    x, y = centre(script, "[data-zone=pile] [data-card]")
    moves = [Movement("row-0", "pile", ["7S"])]
    script.show(view(pile("7S")), Event("put", "A card comes.", 0, moves=moves))
    script.page.wait_for_selector("[data-zone=pile] [data-card='7S']", state="attached")
    covers = """([x, y]) => [...document.querySelectorAll('.ghost')].some((one) => {
      const box = one.getBoundingClientRect();
      const there = Math.abs(box.x - x) < 2 && Math.abs(box.y - y) < 2;
      return there && getComputedStyle(one).opacity === '1'; })"""
    script.page.wait_for_function(covers, arg=[x, y])
    script.page.wait_for_selector(".ghost", state="detached")
    script.person.context.close()


def test_chips_fly_and_what_leaves_the_table_does_not(browser: Any) -> None:
    zones = [Zone("pot", "chips", "Pot", None, count=10), Zone("bet-0", "chips", "Bet", 0, count=30)]
    script = Script(browser, DESKTOP, view(zones), motion="no-preference")
    script.sit()
    script.page.wait_for_selector("[data-zone=pot]")
    script.page.evaluate(WATCH_FLIGHTS)
    start = centre(script, "[data-zone=bet-0] .chip")
    after = [Zone("pot", "chips", "Pot", None, count=40), Zone("bet-0", "chips", "Bet", 0, count=0)]
    moves = [Movement("bet-0", "pot", amount=30), Movement("hand-2", None, ["7S"])]
    script.show(view(after), Event("pot", "The bets go to the pot.", amount=30, moves=moves))
    script.page.wait_for_selector("[data-zone=pot] b:text-is('40')")
    found = script.page.evaluate("() => window.flights")
    assert found == [
        [pytest.approx(start, abs=1), pytest.approx(centre(script, "[data-zone=pot] .chip"), abs=1)]
    ]


@pytest.mark.parametrize(("lowest_wins", "order"), [(True, [1, 0, 2]), (False, [1, 2, 0])])
def test_the_ranking_follows_from_what_wins(browser: Any, lowest_wins: bool, order: list[int]) -> None:
    scores = [20, 90, 80] if not lowest_wins else [20, 10, 80]
    result = MatchResult(scores, [1], False)
    shown = view(dice(), over=True, scores=scores, winners=[1], lowest_wins=lowest_wins)
    script = Script(browser, PHONE, shown, table=table(status="over", result=result))
    frames = [Frame(2, [Event("end", message("{who} wins.", {"who": 1}))], shown)]
    script.api[f"/api/tables/{CODE}/replay"] = ReplayPage(1, 0, 1, frames, None)
    script.sit()
    script.page.wait_for_selector(".result li")
    names = script.page.locator(".result li .name").all_inner_texts()
    assert [name.removesuffix(" (you)") for name in names] == [NAMES[seat] for seat in order]
    script.page.click("button:has-text('Replay')")
    assert script.page.inner_text(".story") == "Bob wins."
    assert script.person.wrong == []


@pytest.mark.parametrize("size", [PHONE, DESKTOP], ids=["phone", "desktop"])
def test_a_steep_chart_reads(browser: Any, size: dict[str, int]) -> None:
    """Where scores double, all but the last rounds would lie on the floor of an even scale."""
    lines = [[0, 0, 40, 40, 250, 250, 13_673], [0, 6, 30, 30, 30, 90, 1_610], [0, 6, 6, 6, 6, 20, 20]]
    steps = [list(scores) for scores in zip(*lines, strict=True)]
    shown = view(dice(), over=True, scores=steps[-1], winners=[0])
    script = Script(
        browser, size, shown, table=table(status="over", result=MatchResult(steps[-1], [0], False))
    )
    script.api[f"/api/tables/{CODE}/summary"] = Summary(1, 0, "", [], steps)
    script.sit()
    script.page.wait_for_selector("figure svg")
    marks = script.page.locator("figure .scale").all_text_contents()
    assert marks == ["0", "10", "100", "1,000", "10,000"]
    ys = [float(one.get_attribute("y")) for one in script.page.locator("figure .scale").all()]
    assert all(below - above > 17 for below, above in pairwise(ys))  # no two on each other
    script.page.locator("figure").scroll_into_view_if_needed()
    script.person.picture(f"chart-steep-{size['width']}")
    assert script.person.wrong == []


def test_options_are_shown_by_their_kind(browser: Any) -> None:
    options = [
        OptionSchema("rounds", "Rounds", "Rounds", "span", 10, "a whole number or a range", 1, 100),
        OptionSchema(
            "nines", "Nines: which", "Nines", "choice", "all", "choose or all", choices=["choose", "all"]
        ),
        OptionSchema("jokers", "Jokers", "Jokers", "flag", True, "on or off"),
        OptionSchema(
            "say", "Say", "Say", "number", 3, "hop or skip", 1, 9
        ),  # no choice, whatever the words are
    ]
    bots = [BotSheet(name, "plays") for name in ("easy", "medium", "hard")]
    script = Script(browser, PHONE, None)
    script.api["/api/games"] = GameList(
        [
            GameSheet(
                *("coins", "Coins", "heads or tails", (1, 9), 3, 3, 10, "easy", "Call it in the air."),
                lowest_wins=False,
                unit="points",
                realtime=False,
                suggested={"rounds": 4},
                options=options,
                bots=bots,
            )
        ],
        [],
    )
    page = script.page
    page.goto("/")
    page.click(".tile:has-text('Coins')")
    page.click("summary")
    assert page.input_value("label:has-text('Rounds') input") == "4"  # what is suggested
    assert page.locator("label:has-text('Nines') option").all_inner_texts() == ["choose", "all"]
    assert page.is_checked("label:has-text('Jokers') input")
    assert page.input_value("label:has-text('Say') input") == "3"
    assert script.person.wrong == []


def test_preferences_of_before_are_still_known(browser: Any) -> None:
    script = Script(browser, DESKTOP, view(dice()))
    script.page.goto("/")
    script.page.evaluate("() => localStorage.setItem('ninefold wishes', '{\"sound\": true, \"log\": true}')")
    script.sit()
    script.page.click("[aria-label=Mute]")
    script.page.reload()
    script.page.wait_for_selector("[aria-label='Turn sound on']")


def test_a_lost_connection_is_said_and_comes_back(browser: Any) -> None:
    script = Script(browser, PHONE, view([Zone("hand-0", "hand", "Hand", 0, [GAP])]))
    script.sit()
    script.page.wait_for_selector(".felt")
    script.page.evaluate("() => Object.defineProperty(document, 'hidden', { value: true })")
    script.socket.close()
    script.page.wait_for_selector("text=Connection lost. Reconnecting…")
    script.page.wait_for_selector(".offline", state="detached")
    assert [said["type"] for said in script.heard].count("hello") == 2


def test_a_page_that_is_older_than_the_server_offers_to_reload(browser: Any) -> None:
    """After a connection that was lost the server may be another one."""
    script = Script(browser, PHONE, view([Zone("hand-0", "hand", "Hand", 0, [GAP])]))
    script.sit()
    script.page.wait_for_selector(".felt")
    with script.page.expect_response(URL + "/"):
        script.socket.close()  # and comes back as it was
    script.page.wait_for_selector(".offline", state="detached")
    assert not script.page.locator("text=newer version").count()
    script.api["/"] = "/static/index-Bc34ef_2.js"
    script.socket.close()
    script.page.wait_for_selector(
        ".note:has-text('There is a newer version of Ninefold. Your seat is kept.')"
    )
    assert not script.person.faults()
    del script.api["/"]
    script.page.click(".note button:has-text('Reload')")
    script.page.wait_for_selector(".note", state="detached")
    script.page.wait_for_selector(".felt")


def test_no_hint_while_others_are_waited_for(browser: Any) -> None:
    shown = view(dice(), [Button("stay", "Stay", "s"), Button("cash", "Cash out", "c", final=True)])
    script = Script(browser, DESKTOP, shown)
    script.sit()
    script.page.wait_for_selector("[aria-label=Hint]")
    script.table = table(sealed=[0])
    script.show(shown)
    script.page.wait_for_selector("text=Waiting for the others…")
    assert not script.page.locator("[aria-label=Hint]").count()
    script.page.keyboard.press("h")
    script.page.keyboard.press("c")
    script.page.wait_for_selector("[role=alert]:has-text('Cash out? Press C again.')")
    assert "hint" not in [said["type"] for said in script.heard]


def test_an_old_page_loads_itself_again_once_and_then_says_so(browser: Any) -> None:
    script = Script(browser, PHONE, view([Zone("hand-0", "hand", "Hand", 0, [GAP])]))
    script.sit()
    script.page.wait_for_selector(".felt")
    assert [said["version"] for said in script.heard if said["type"] == "hello"] == [VERSION]
    script.refused = Refused("version", "there is a newer version of Ninefold; please reload")
    script.socket.close()
    script.page.wait_for_selector("text=newer version")
    assert [said["type"] for said in script.heard].count("hello") == 3  # before, after, and loaded again
    script.refused = None
    script.page.click("button:has-text('Reload')")
    script.page.wait_for_selector(".felt")
    script.heard.clear()
    script.refused = Refused("version", "there is a newer version of Ninefold; please reload")
    script.socket.close()
    script.page.wait_for_selector("text=newer version")
    assert [said["type"] for said in script.heard].count("hello") == 2  # the next time it tries again
