"""The end of a match in a real Chromium: its reason, highlights and a picture to send; faces and pictures."""

from __future__ import annotations

import gzip
import re
import struct
from pathlib import Path
from typing import Any

import pytest

from ninefold.engine import registry
from ninefold.model.cast import CAST
from ninefold.model.events import Event, Highlight
from ninefold.model.sheet import GameSheet
from ninefold.model.text import message
from ninefold.model.view import Counter, Zone, face_up
from ninefold.server.tables.messages import Frame, GameList, MatchResult, ReplayPage, SeatInfo, Summary
from support.browsing import DESKTOP, PHONE, Person
from support.node import in_node, installed
from support.scripted import CODE, NAMES, Script, dice, seat, table, view
from support.serving import Running

REASON = message("{who} won by {deed}.", {"who": 1}, deed="cashing out 9,216 in round 7")
TURN = Highlight(3, message("Round {n}", n=2), "lead", message("{who} cashes out 40.", {"who": 0}), 0)
LAST = Highlight(4, message("Round {n}", n=7), "decided", message("{who} cashes out 9,216.", {"who": 1}), 1)


def over(browser: Any, size: dict[str, int], scores: list[int], winners: list[int], **more: Any) -> Script:
    """A finished match that a page shows."""
    unit = more.pop("unit", "points")
    shown = view(dice(), over=True, scores=scores, winners=winners, **more)
    seats = [SeatInfo("person", name, None, False) for name in NAMES[:2]] + [
        SeatInfo("bot", "Cleo", "hard", False)
    ]
    ended = table(status="over", result=MatchResult(scores, winners, False), seats=seats)
    script = Script(browser, size, shown, table=ended)
    sheet = GameSheet(
        *("coins", "Coins", "heads or tails", (1, 9), 3, 3, 10, "easy", "Call it in the air."),
        *(False, unit, False, {}, [], []),
    )
    script.api["/api/games"] = GameList([sheet], [])
    rows = [[0, 0, 0], [40, 0, 0], [40, 9_216, 0], scores]
    script.api[f"/api/tables/{CODE}/summary"] = Summary(1, 0, REASON, [TURN, LAST], rows)
    frames = [Frame(2 + at, [], view(dice(), scores=row)) for at, row in enumerate(rows)]
    frames[1].events = [Event("cash out", TURN.text, 0, amount=40)]
    frames[2].events = [Event("cash out", LAST.text, 1, amount=9_216)]
    script.api[f"/api/tables/{CODE}/replay"] = ReplayPage(1, 0, len(frames), frames, None)
    script.sit()
    return script


@pytest.mark.parametrize("size", [PHONE, DESKTOP], ids=["phone", "desktop"])
def test_a_result_says_why_and_leads_to_its_highlights(browser: Any, size: dict[str, int]) -> None:
    script = over(browser, size, [40, 9_216, 0], [1])
    page = script.page
    page.wait_for_selector(".reason")
    assert page.inner_text("h2") == "Bob wins"
    assert page.inner_text(".reason") == "Bob won by cashing out 9,216 in round 7."
    assert page.inner_text(".unit") == "Points"
    first, second = page.locator(".highlights li").all_inner_texts()
    assert "New leader · Round 2" in first and "Ann cashes out 40." in first
    assert "Decided the match · Round 7" in second
    assert page.locator(".scores .portrait").count() == 3
    assert not script.person.faults()
    page.click(".highlights button >> nth=1")
    page.wait_for_selector("[aria-label='Step of the match']")
    assert page.input_value("[aria-label='Step of the match']") == "2"
    assert page.inner_text(".story") == "Bob cashes out 9,216."
    page.click("text=Done")
    page.wait_for_selector(".highlights")
    assert script.person.wrong == []


@pytest.mark.parametrize("size", [PHONE, DESKTOP], ids=["phone", "desktop"])
def test_a_picture_to_send(browser: Any, size: dict[str, int], tmp_path: Path) -> None:
    """A PNG, large enough to read on a phone and small enough to send."""
    script = over(browser, size, [40, 9_216, 0], [1])
    script.page.wait_for_selector(".reason")
    with script.page.expect_download() as saved:
        script.page.click("button:has-text('Share')")
    assert saved.value.suggested_filename == f"coins-{CODE}-1.png"
    script.page.wait_for_selector(".buttons button:has-text('Picture saved')")
    script.page.wait_for_selector("[role=status]:text-is('Picture saved.')", state="attached")
    saved.value.save_as(tmp_path / "result.png")
    content = (tmp_path / "result.png").read_bytes()
    assert content[:8] == b"\x89PNG\r\n\x1a\n"
    width, height = struct.unpack(">II", content[16:24])
    assert width == 1080 and 1080 <= height < 2400
    assert 20_000 < len(content) < 1_500_000
    assert script.person.wrong == []


def test_where_files_can_be_shared_nothing_is_saved(browser: Any) -> None:
    script = over(browser, PHONE, [40, 9_216, 0], [1])
    script.page.wait_for_selector(".reason")
    script.page.evaluate(
        """() => {
          navigator.canShare = () => true;
          navigator.share = async ({ title, files: [file] }) => {
            window.shared = [title, file.type, file.size];
          };
        }"""
    )
    script.page.click("button:has-text('Share')")
    script.page.wait_for_function("() => window.shared")
    script.page.wait_for_selector(".buttons button:has-text('Picture shared')")
    title, kind, size = script.page.evaluate("() => window.shared")
    assert (title, kind) == ("Coins: Bob wins", "image/png") and size > 20_000


def test_ties_are_counted_and_losses_have_their_sign(browser: Any) -> None:
    script = over(browser, PHONE, [50, 50, 50], [0, 1, 2])
    script.page.wait_for_selector("h2:has-text('You share the win')")
    script = over(browser, PHONE, [-30, 15, 15], [1, 2], unit="chips gained")
    script.page.wait_for_selector("h2:has-text('Bob and Cleo share the win')")
    assert script.page.inner_text(".unit") == "Chips gained"
    assert script.page.locator(".scores .score").all_inner_texts() == ["+15", "+15", "-30"]


def test_where_scores_say_nothing_what_is_left_is_shown(browser: Any) -> None:
    seats = [seat(number) for number in range(3)]
    for number, one in enumerate(seats):
        one.stats = [Counter("cards", "Cards", 3 * number % 5)]
    script = over(browser, PHONE, [1, 0, 0], [0], unit="", seats=seats)
    script.page.wait_for_selector(".stat")
    assert script.page.locator(".scores .stat").all_inner_texts() == ["Cards 0", "Cards 1", "Cards 3"]
    assert script.page.locator(".scores .score, .unit, figure").count() == 0


def test_spectators_see_the_same_result(server: Running, browser: Any) -> None:
    host = server.open(
        "doubles", players=3, bots=["hard", "easy"], options={"rounds": 2}, spectators=True, name="Anna"
    )
    with host.connect() as client:
        client.do("start")
        client.play_out(lambda view: "stay" if int(view["counters"][0]["value"]) < 200 else "cash out")
    me, spectator = Person(browser, server.url, DESKTOP), Person(browser, server.url, PHONE)
    me.sit(host.token, host.code)
    spectator.page.goto(f"/t/{host.code}")
    spectator.page.click("text=Just watch")
    for person in (me, spectator):
        person.page.wait_for_selector(".highlights li")
    mine, theirs = (person.page.inner_text(".reason") for person in (me, spectator))
    assert mine.replace("You", "Anna") == theirs != ""
    assert spectator.page.locator("text=Play again").count() == 0
    picture = spectator.page.locator(".hero .game-picture")
    assert picture.evaluate("(image) => image.complete && image.naturalWidth") == 320
    assert not spectator.faults() and me.wrong == spectator.wrong == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_every_game_shows_its_picture(server: Running, browser: Any, scheme: str) -> None:
    person = Person(browser, server.url, PHONE, color_scheme=scheme)
    person.page.goto("/")
    person.page.wait_for_selector(".tile")
    pictures = person.page.locator(".tile img")
    assert pictures.count() == len(registry.games())
    for number in range(pictures.count()):
        pictures.nth(number).scroll_into_view_if_needed()
        pictures.nth(number).evaluate("(image) => image.decode()")
        assert pictures.nth(number).evaluate("(image) => image.naturalWidth") == 320
    assert len({one.get_attribute("src") for one in pictures.all()}) == pictures.count()
    person.page.get_by_text("Join with a code").click()
    assert person.page.evaluate("() => document.activeElement.id") == "code"
    assert not person.faults() and person.wrong == []


def test_pictures_are_small_and_kept(server: Running) -> None:
    sizes = []
    for name in registry.games():
        answer = server.http.get(f"/api/games/{name}/picture.svg")
        assert answer.headers["content-type"].startswith("image/svg+xml")
        assert "max-age" in answer.headers["cache-control"]
        sizes.append(len(gzip.compress(answer.content)))
    assert sum(sizes) < 30_000
    assert server.http.get("/api/games/nowhere/picture.svg").status_code == 400


def test_court_cards_have_figures_where_there_is_room(browser: Any) -> None:
    mine = Zone("hand-0", "hand", "Hand", 0, cards=[face_up(card) for card in ("KS", "QH", "JD", "JK", "7C")])
    script = Script(browser, DESKTOP, view([mine]))
    script.sit()
    card = script.page.locator("[data-card=KS]")
    card.wait_for()
    assert script.page.locator(".figure:visible").count() == 4
    shapes = script.page.locator(".court").evaluate_all("(all) => all.map((one) => one.innerHTML)")
    assert len(set(shapes)) == 4
    card.evaluate("(one) => one.style.setProperty('--w', '34px')")
    assert not card.locator(".figure").is_visible()
    assert card.locator(".art").is_visible()  # letter and suit


# Faces


def faces(calls: list[list[object]]) -> list[str]:
    if not installed():
        pytest.skip("the browser client is not installed here: run `make client`")
    return list(in_node("faces.ts", "faceOf", calls))


def test_a_name_has_one_face_and_twelve_have_twelve() -> None:
    for names in ([who.name for who in CAST], [f"Medium {one}" for one in range(2, 14)]):
        drawn = faces([[0, name, True] for name in names])
        assert len(set(drawn)) == len(names) == 12
        assert faces([[0, f" {names[0].lower()}", True]]) == drawn[:1]
    ada, second, other = faces([[0, name, True] for name in ("Ada", "Ada 2", "Adam")])
    assert ada == second != other


def test_seats_differ_without_colours_and_letters_are_safe() -> None:
    plain = [re.sub("#[0-9a-f]{6}", "", one) for one in faces([[seat, "Ann", False] for seat in range(9)])]
    assert len(set(plain)) == 9
    bare, two, sign = faces([[0, "", False], [0, "Ann van Lee", False], [0, "<b> &", False]])
    assert ">AL</text>" in two and "></text>" in bare
    assert "<b" not in sign and "&#60;&#38;" in sign


def test_lists_of_matches_mark_the_winner_where_scores_say_only_that() -> None:
    if not installed():
        pytest.skip("the browser client is not installed here: run `make client`")
    found = in_node("words.ts", "outcome", [[["Ann", "Bob"], [12, 0]], [["Ann", "Bob"], [0, 1]]])
    assert found == ["Ann 12, Bob 0", "Ann, ★ Bob"]
