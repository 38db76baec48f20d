"""A newcomer on a phone, once for every game: from home through its lessons to a first match."""

from __future__ import annotations

import re
from typing import Any

import pytest

from ninefold.engine.registry import facts, games, lessons
from support.browsing import PHONE, Person
from support.serving import Running

# What solves the lessons: cards and piles in brackets, buttons without. A wrong answer is marked `!`.
SOLVED = {
    "baseball": (
        "[centre]",
        "!Keep both secret; Reveal both",
        "[Swap the Q] [bottom left]",
        "[bottom right] [bottom right]",
    ),
    "doubles": ("!Cash out 11; Stay", "Stay", "Cash out 525", "Stay"),
    "finest9": ("[7 of Spades] [7 of Clubs] Take", "Take 5 6 7", "!Take 7 9 9; Take 7 9 ·", "Take Q K A"),
    "holdem9": ("!Fold; Call 5", "Check", "Raise to", "Call 50", "Fold"),
    "multiple9": ("!Pass; 10+8", "6+3", "8+A", "Go out", "Pass"),
    "nine_of_a_kind": (
        "![9 of Clubs] Offer; [7 of Hearts] [7 of Diamonds] Offer",
        "[9 of Clubs] [Swap]",
        "[7 of Hearts] [7 of Diamonds] [Swap]",
        "9 of a Kind!",
        "Blocked!",
    ),
}
MOST_CLICKS = 20  # from home to the first match, a wrong answer included
NOTE_REMATCH = """() => new MutationObserver(() => {
  if (!document.querySelector('.result')) window.rematches = true;
}).observe(document.body, { childList: true, subtree: true })"""
AT_A_TABLE = ".felt:visible, .result:visible"  # a match of Multiple 9 can be over before one's first turn


# Where a match against the easiest bots takes longer than a test may, it is played to the end of its first
# round, and as a whole among the long tests.
LONG = {"nine_of_a_kind"}
SHORT_OF_A_MATCH = 60.0  # seconds, on a machine that does something else as well; 1 to 7 on an idle one
PER_WORD = 60 / 200  # seconds, at reading speed
PER_DECISION = 3.0
TWO_MINUTES = 120.0
READ = """() => [...document.querySelectorAll('.coach p:not(.hidden)')]
  .map((one) => one.innerText.trim()).filter(Boolean)"""


def press(person: Person, what: str) -> int:
    """Press some things one after another; how many."""
    steps = re.findall(r"\[(.+?)\] ?|([^\[]+)", what)
    for card, button in steps:
        if card:
            person.click(f".felt button[aria-label*='{card}']")
        else:
            person.click(f'.dock .acts .button:has-text("{button.strip()}")')
    return len(steps)


def learn(person: Person, game: str) -> None:
    """Take all lessons of a game within two minutes of reading and deciding, wrong answers included."""
    page, taught, spent = person.page, lessons(game), 0.0
    for number, lesson in enumerate(taught, 1):
        page.wait_for_selector(f"h1:has-text('{lesson.title}')")
        page.wait_for_selector(f"text=of {len(taught)} · {facts(game).title}")
        page.wait_for_selector(".dock .prompt.mine")
        if number == 1:
            assert not person.faults()
        read = {lesson.title, *page.evaluate(READ)}
        decisions = 0
        for step in SOLVED[game][number - 1].split("; "):
            decisions += press(person, step.removeprefix("!"))
            if step.startswith("!"):
                page.wait_for_selector("[role=alert]:has-text('Not quite.')")
                read |= {*page.evaluate(READ)}
        page.wait_for_selector(f"text={lesson.after[:40]}")
        read |= {*page.evaluate(READ)}
        words = sum(len(text.split()) for text in read)
        seconds = words * PER_WORD + decisions * PER_DECISION
        print(f"{game} {number}: {words} words, {decisions} decisions, {seconds:.0f} s")
        spent += seconds
        person.click(".after .button:not(:disabled)")
    assert spent <= TWO_MINUTES


@pytest.mark.parametrize("game", games())
def test_a_newcomer(server: Running, browser: Any, game: str) -> None:
    """Home, lessons, a first match against the easiest bots to its end, what came of it, and another one."""
    person = Person(browser, server.url, PHONE)
    page = person.page
    page.goto("/")
    person.click(f"a[href='/learn/{game}']")
    learn(person, game)
    page.wait_for_selector(f"text=You know {facts(game).title}")
    assert not person.faults()
    person.click("text=Play your first match")
    assert page.input_value("[name=level]:checked") == "easy"
    in_a_hurry(person)
    person.click("dialog button:has-text('Play')")
    page.wait_for_selector(AT_A_TABLE)
    assert person.clicks <= MOST_CLICKS
    if game in LONG:
        person.play_until(".round-end", SHORT_OF_A_MATCH)
    else:
        person.play_until(".result", SHORT_OF_A_MATCH)
        ended(person)
    assert person.wrong == []
    person.context.close()


@pytest.mark.soak
@pytest.mark.parametrize("game", sorted(LONG))
def test_a_long_first_match_to_its_end(server: Running, browser: Any, game: str) -> None:
    person = Person(browser, server.url, PHONE)
    person.page.goto("/")
    person.click(f".tile:has-text('{facts(game).title}')")
    in_a_hurry(person)
    person.click("dialog button:has-text('Play')")
    person.page.wait_for_selector(AT_A_TABLE)
    person.play_until(".result", 1200.0)
    ended(person)
    assert person.wrong == []
    person.context.close()


def in_a_hurry(person: Person) -> None:
    """Bots that do not think, as one can choose; this is no click of a newcomer's."""
    person.page.click("summary:has-text('Options')")
    person.page.locator("label:has-text('Bot speed') select").select_option("instant")


def ended(person: Person) -> None:
    """The result says who won and that the draws were promised; another match is one press away."""
    page = person.page
    page.wait_for_selector(".result h2")
    page.wait_for_selector("section[aria-label='Fair draws'] summary:has-text('promised beforehand')")
    assert not person.faults()
    page.evaluate(NOTE_REMATCH)
    person.click("button:has-text('Play again')")
    page.wait_for_function("() => !document.querySelector('.result') || window.rematches")
    if not page.is_visible(".result"):  # else the rematch was over before one's first turn
        assert "win" not in page.inner_text("[data-caption]"), "that was the match before"


def test_who_is_new_is_led_to_a_lesson_and_then_to_the_level_they_chose(
    server: Running, browser: Any
) -> None:
    person = Person(browser, server.url, PHONE)
    page = person.page
    page.goto("/")
    person.click("text=Start with")
    page.wait_for_selector("text=1 of")
    game = page.url.rpartition("/")[2].partition("#")[0]
    for number in range(1, 1 + len(lessons(game))):
        page.wait_for_selector(f"text={number} of")
        person.click("[aria-label='Skip this lesson']")
    person.click("text=Play your first match")
    page.click("dialog label:has([name=level][value=hard])")
    page.wait_for_selector("[name=level][value=hard]:checked", state="attached")
    person.click("dialog button:has-text('Play')")
    page.wait_for_selector(AT_A_TABLE)
    page.goto("/")
    person.click(f".tile:has-text('{facts(game).title}')")
    assert page.input_value("[name=level]:checked") == "hard"
    assert person.wrong == []
    person.context.close()
