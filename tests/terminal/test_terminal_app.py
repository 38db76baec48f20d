"""The full-screen table in a real terminal: whole matches by keyboard, the mouse, signals, a pulled plug."""

from __future__ import annotations

import asyncio
import os
import random
import re
import shutil
import signal
import termios
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

import ninefold as nf
from ninefold.engine.registry import facts
from ninefold.model.text import render
from ninefold.terminal import saves
from ninefold.terminal.app import TableApp
from ninefold.terminal.seating import seat_of
from ninefold.terminal.table import Table
from support.screen import Screen
from support.sitting import lineup

SIZES = [(80, 24), (120, 40)]
OVER = "n: play another|The game is over"  # the page that ends a match, or the table below it
PAGE = "Enter continues"  # at the foot of the page that ends a round
ASKED = r"\[[\w.]\] "


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("NINEFOLD_DATA", str(tmp_path))
    for variable in ("NO_COLOR", "LC_ALL", "LC_CTYPE", "COLORTERM"):
        monkeypatch.delenv(variable, raising=False)
    return tmp_path / "matches"


@pytest.fixture
def opened() -> Iterator[list[Screen]]:
    """Screens that are to be closed, whatever happens."""
    screens: list[Screen] = []
    yield screens
    for screen in screens:
        if screen.process.poll() is None:
            screen.kill()


def play(opened: list[Screen], *arguments: str, size: tuple[int, int] = (80, 24), **env: str) -> Screen:
    screen = Screen("play", *arguments, size=size, **env)
    opened.append(screen)
    return screen


def matches(home: Path) -> list[Path]:
    return sorted(home.glob("*.match"))


def lines(home: Path) -> int:
    """How many lines have been saved in the only match there is."""
    (path,) = matches(home)
    return path.read_bytes().count(b"\n")


def settled(screen: Screen) -> bool:
    return bool(screen.keys) or PAGE in screen.text or over(screen)


def over(screen: Screen) -> bool:
    """A key that was meant for the table may have closed the page that ends a match."""
    return bool(re.search(OVER, screen.text))


def act(screen: Screen, home: Path, source: random.Random) -> None:
    """Do something that is offered, by keys alone; a key that comes too late does no harm."""
    kept = lines(home)
    if PAGE in screen.text:
        screen.type("\r")
    elif any(key.isdigit() for key in screen.keys) and source.random() < 0.3:
        screen.type(source.choice(["\x1b[C", "\x1b[D", "\t"]) + "\r")  # the card that the cursor comes to
    elif screen.keys:
        screen.type(source.choice(screen.keys))
    end = time.monotonic() + 0.5
    while lines(home) == kept and time.monotonic() < end:
        screen.look(0.01)
    screen.wait(lambda: settled(screen))
    screen.look(0.03)


def in_two_sizes() -> list[Any]:
    """Every game in a small terminal; in a large one a single game, the others in the long tests."""
    rows = []
    for name in nf.games():
        large = () if name == "baseball" else pytest.mark.soak
        rows += [pytest.param(name, SIZES[0], id=f"{name}-80x24")]
        rows += [pytest.param(name, SIZES[1], id=f"{name}-120x40", marks=large)]
    return rows


@pytest.mark.parametrize(("name", "size"), in_two_sizes())
def test_a_whole_match_by_keyboard(
    opened: list[Screen], home: Path, name: str, size: tuple[int, int]
) -> None:
    source = random.Random(5)
    options = {option.name for option in facts(name).options}
    short = ["-o", "hands=1"] if "hands" in options else []
    screen = play(opened, name, "Ann", *lineup(name), *short, "--seed", "3", "--pace", "instant", size=size)
    screen.wait(lambda: settled(screen))
    while not over(screen):
        assert "Ann (you)" in screen.text or PAGE in screen.text
        assert all(len(row) <= size[0] for row in screen.rows)
        act(screen, home, source)
    screen.type("q")
    assert screen.end() == 0
    (path,) = matches(home)
    found = saves.read_saved(path)
    assert found.over
    for score in found.scores or []:
        assert f"{score:,}" in screen.seen.decode(errors="replace")
    assert b"Traceback" not in screen.seen


def test_what_is_offered_can_be_read_and_asked_for(opened: list[Screen], home: Path) -> None:
    screen = play(opened, "baseball", "Ann", "--seed", "4", "--pace", "instant")
    screen.wait(ASKED)
    screen.press("?", "Arrows scroll, a: all the rules, Esc closes")
    assert "Swap the high ones for low ones" in screen.text and "a joker: −2" in screen.text
    screen.press("a", "R1.1")
    screen.press("\x1b", ASKED)
    screen.press(";", "Arrows scroll, Esc closes")
    assert "You begin. The first discard is" in screen.text
    screen.press(";", ASKED)
    screen.press("!", r"The hard bot would play: Peek at this\s+card \([a-z ]+\)\.\s+It wins \d+%")
    screen.press(",", "This game has no autopilot")
    screen.press("/", "Type a move, or end it with")
    screen.press("take r1c1?\r", r"(?s)Take r1c1 is not possible: at the\s+start")
    screen.press("/", "Type a move, or end it with")
    screen.press("look r1c1?\r", "Yes: look r1c1 is possible now")
    screen.press("/", "Type a move, or end it with")
    screen.press("fly\r", "'fly' is not a move of Baseball")
    screen.press("\x7f", "Undo is not possible: you have not decided anything yet")
    screen.press("/", "Type a move, or end it with")
    screen.press("look r1c1\r", "Peek at one more of your cards")
    assert "You see the" in screen.text
    screen.press("\x7f", "Undone")
    assert "Peek at two of your cards" in screen.text
    screen.press("<", "pace fast")
    screen.press(">", "pace instant")
    screen.type("q")
    assert screen.end() == 0
    assert "Saved. Continue with: ninefold play --resume" in screen.text


def test_a_standing_order_plays_on_by_itself(opened: list[Screen], home: Path) -> None:
    screen = play(opened, "doubles", "Ann", "--bots", "never", "--seed", "6", "--pace", "instant")
    screen.wait(ASKED)
    screen.press(",", "Stay until the third seven")
    screen.press("\x1b", ASKED)
    screen.press(",", "Stay until the third seven")
    screen.press("\r", r"Sevens [3-9] of 4|Round 2")
    assert lines(home) > 6
    screen.wait(ASKED)
    screen.press(",", "Cash out at a total of")
    screen.press("\x1b[B\r", "How much")
    while "How much" in screen.text:  # a key that comes before the field listens is lost
        screen.type("1")
        screen.look(0.3)
    screen.press("\r", rf"(?s)Round [2-9].*(\[s\]|over)|{OVER}")
    screen.type("q")
    assert screen.end() == 0


def test_pauses_can_be_skipped(opened: list[Screen], home: Path) -> None:
    screen = play(opened, "finest9", "Ann", "--seed", "1", "--pace", "slow")
    screen.wait("Any key skips ahead|" + ASKED)
    for _ in range(4):
        if screen.keys:
            kept, end = lines(home), time.monotonic() + 60
            while lines(home) == kept:  # a key that comes with those that skipped is taken for one of them
                assert time.monotonic() < end, screen.text
                screen.type(screen.keys[0])
                screen.look(0.5)
        screen.press(" ", lambda: settled(screen))
        if over(screen):
            break
    screen.type("q")
    assert screen.end() == 0


def test_a_false_claim_has_to_be_pressed_twice(opened: list[Screen], home: Path) -> None:
    """R4.3 of 9 of a Kind: it costs the round, so one key is not enough."""
    screen = play(opened, "nine_of_a_kind", "Ann", *lineup("nine_of_a_kind"), "--seed", "2", size=(120, 40))
    screen.wait(r"\[n\] 9 of a Kind!")
    kept = lines(home)
    screen.type("n")
    screen.wait("Press n again")
    assert lines(home) == kept
    screen.type("n")
    screen.wait("out of this round|make a false claim")


def test_an_autopilot_that_has_done_its_work_says_so(opened: list[Screen], home: Path) -> None:
    screen = play(opened, "doubles", "Ann", "--players", "1", "-o", "rounds=2", "--pace", "instant")
    screen.wait(ASKED)
    screen.press(",", "Cash out at a total of…")
    screen.press("\x1b[B\r", "How much")
    screen.press("3\r", r"(?s)Round 2 of 2.*Autopilot off: Cash out at a total of 3\.")
    assert "A comma stops it" not in screen.text
    screen.press("q", "Saved")
    assert screen.end() == 0


def test_a_field_for_a_number_takes_no_letters(opened: list[Screen], home: Path) -> None:
    screen = play(opened, "holdem9", "Ann", "--seed", "4", "--pace", "instant")
    screen.wait(r"\[r\] Raise to…")
    screen.press("r", "type a number from")
    screen.press("fa1fa5", lambda: screen.rows[-1] == "15")
    screen.press("\r", "Raise to 15 is not possible")
    screen.press("\x1b", "q leave")  # the field has given its place back
    screen.press("q", "Saved")
    assert screen.end() == 0


def test_the_mouse_clicks_buttons_and_cards(opened: list[Screen], home: Path) -> None:
    screen = play(opened, "baseball", "Ann", "--seed", "4", "--pace", "instant")
    screen.wait(ASKED)
    column, row = screen.find("╭")
    screen.click(column + 3, row + 1)
    screen.wait("Peek at one more")
    screen.click(column + 11, row + 1)
    screen.wait("Keep both secret")
    column, row = screen.find("Keep both secret")
    screen.click(column + 2, row)
    screen.wait(lambda: "Keep both secret" not in screen.text)
    screen.type("q")
    assert screen.end() == 0


def follow(screen: Screen, size: tuple[int, int]) -> None:
    """Change the window until the screen has followed; a busy machine may miss one change of several."""
    for _ in range(10):
        screen.resize(size)
        with suppress(AssertionError):
            screen.wait(lambda: "Ann (you)" in screen.text and "q leave" in screen.text, seconds=12)
            return
    raise AssertionError(f"the screen does not follow to {size}:\n{screen.text}")


def test_it_follows_the_size_of_the_window(opened: list[Screen], home: Path) -> None:
    screen = play(opened, "baseball", "Ann", "--seed", "4", "--pace", "instant")
    screen.wait(ASKED)
    for size in ((120, 40), (60, 20), (200, 60), (80, 24)):
        follow(screen, size)
        assert all(len(row) <= size[0] for row in screen.rows)
    screen.press("1", "Peek at one more")
    screen.resize((30, 8))  # too small to be of use, and yet no reason to fail
    screen.look(0.3)
    screen.resize((80, 24))
    screen.wait("Peek at one more")
    screen.type("q")
    assert screen.end() == 0


# Signals and poor terminals


@pytest.mark.parametrize("where", ["table", "entry", "page"])
def test_control_c_leaves_a_saved_match_and_a_sane_terminal(
    opened: list[Screen], home: Path, where: str
) -> None:
    screen = play(opened, "doubles", "Ann", "--seed", "4", "--pace", "instant")
    screen.wait(ASKED)
    screen.press("s", "(?s)Everyone stays.*" + ASKED)
    if where != "table":
        screen.press("/" if where == "entry" else "?", "Type a move" if where == "entry" else "Esc closes")
    screen.type("\x03")
    assert screen.end() == 0
    assert "Saved. Continue with" in screen.text
    assert screen.after[3] & termios.ECHO == screen.before[3] & termios.ECHO
    assert screen.after[3] & termios.ICANON == screen.before[3] & termios.ICANON
    assert b"\x1b[?1049l" in screen.seen
    assert screen.seen.rindex(b"\x1b[?1000l") > screen.seen.rindex(b"\x1b[?1000h")
    assert screen.seen.rindex(b"\x1b[?25h") > screen.seen.rindex(b"\x1b[?25l")
    (path,) = matches(home)
    assert not saves.read_saved(path).over
    saves.resume(path).close()


def test_control_z_suspends_and_comes_back(opened: list[Screen], home: Path) -> None:
    screen = play(opened, "doubles", "Ann", "--seed", "4", "--pace", "instant")
    screen.wait(ASKED)
    screen.type("\x1a")
    end = time.monotonic() + 20
    while Path(f"/proc/{screen.process.pid}/stat").read_text().rsplit(")", 1)[1].split()[0] != "T":
        assert time.monotonic() < end
        screen.look(0.02)
    screen.look(0.1)
    assert termios.tcgetattr(screen.inner)[3] & termios.ECHO
    screen.drawn.reset()
    start = len(screen.seen)
    os.kill(screen.process.pid, signal.SIGCONT)
    screen.wait(ASKED)
    assert b"\x1b[?1049h" in screen.seen[start:]
    kept = lines(home)
    screen.press("s", lambda: lines(home) > kept)
    screen.type("q")
    assert screen.end() == 0


def test_no_colour_where_none_is_wanted(opened: list[Screen], home: Path) -> None:
    screen = play(opened, "finest9", "Ann", "--seed", "4", "--pace", "instant", NO_COLOR="1")
    screen.wait(ASKED)
    screen.type("q")
    assert screen.end() == 0
    for code in re.findall(rb"\x1b\[([0-9;]*)m", screen.seen):
        numbers = [int(number or 0) for number in code.split(b";")]
        assert all(number < 30 or number in (39, 49) for number in numbers), code


@pytest.mark.parametrize("name", nf.games())
def test_only_ascii_where_nothing_else_is_understood(opened: list[Screen], home: Path, name: str) -> None:
    screen = play(opened, name, "Zoë", "--seed", "4", "--pace", "instant", LANG="C")
    screen.wait(lambda: settled(screen))
    act(screen, home, random.Random(1))
    screen.press("?", "Arrows scroll")
    screen.press("\x1b", lambda: settled(screen))
    assert "Zoe (you)" in screen.text
    screen.type("q")
    assert screen.end() == 0
    assert screen.seen.isascii()


def test_a_dumb_terminal_gets_plain_lines(opened: list[Screen], home: Path) -> None:
    screen = play(opened, "doubles", "Ann", "--seed", "4", TERM="dumb")
    screen.wait("(?m)> ?$")
    screen.press("stay\n", r"(?sm)Everyone stays.*> ?$")
    screen.type("quit\n")
    assert screen.end() == 0
    assert b"\x1b" not in screen.seen
    assert "Saved. Continue with" in screen.text


def test_a_terminal_that_goes_away_loses_nothing(opened: list[Screen], home: Path) -> None:
    screen = play(opened, "doubles", "Ann", "--seed", "4", "--pace", "instant")
    screen.wait(ASKED)
    os.killpg(screen.process.pid, signal.SIGHUP)
    screen.process.wait(20)
    (path,) = matches(home)
    saves.resume(path).close()


# Several people, and the menu


def test_a_curtain_between_two_people_with_secrets(opened: list[Screen], home: Path) -> None:
    screen = play(opened, "baseball", "Ann", "Ben", "--players", "2", "--seed", "4", "--pace", "instant")
    screen.wait("(Ann|Ben), your turn")  # nobody has seen a card
    first = "Ann" if "Ann, your turn" in screen.text else "Ben"
    second = "Ben" if first == "Ann" else "Ann"
    screen.press("1", "Peek at one more")
    screen.press("8", "Keep both secret")
    seen = re.findall(r"You see the (\S+?)[ .]", screen.text)
    assert seen
    screen.press("n", rf"Pass the screen to {second}\.")
    assert not any(card in screen.text for card in seen)
    screen.type("x1")
    screen.look(0.1)
    assert "Pass the screen" in screen.text
    screen.press("\r", rf"{second} \(you\)")
    assert not any(f"({card})" in screen.text for card in seen)
    screen.type("q")
    assert screen.end() == 0


def test_a_screen_without_secrets_is_not_hidden(opened: list[Screen], home: Path) -> None:
    """In Doubles two people decide one after the other, and nobody sees what the first has chosen."""
    screen = play(opened, "doubles", "Ann", "Ben", "--players", "2", "--seed", "4", "--pace", "instant")
    screen.wait("Ann, your turn")
    screen.press("s", "Ben, your turn")
    assert "Pass the screen" not in screen.text and "has decided" not in screen.text
    assert "Ben: Stay, or cash out" in screen.text
    for _ in range(20):  # pressed too soon, it is still the key of the one before
        screen.type("s")
        with suppress(AssertionError):
            screen.wait("(?s)Ann, your turn.*Everyone stays", seconds=5)
            break
    screen.wait("Everyone stays")
    screen.type("q")
    assert screen.end() == 0


def test_a_key_pressed_twice_is_no_move_of_the_next_person(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ninefold.terminal.app.SKIPPED", 1_000.0)  # seconds, however slow the machine is
    seats = [seat_of("Ann"), seat_of("Ben")]
    table = Table(nf.make("doubles", players=2), seats, 4, lambda line: None)
    table.begin()
    app = TableApp(table, "instant")

    async def go() -> None:
        async with app.run_test(size=(80, 24)) as pilot:
            await pilot.pause()
            assert app.deciding == 0
            await pilot.press("s", "s")
            assert app.deciding == 1
            await pilot.press("c")
            assert app.deciding == 0

    asyncio.run(go())
    assert [step for step in table.steps if step[0] != "chance"] == [[0, "stay"], [1, "cash out"]]


def test_lessons_have_the_keys_of_a_match(opened: list[Screen], home: Path) -> None:
    screen = Screen("learn", "multiple9")
    opened.append(screen)
    screen.wait(r"\[d\] Pass")
    assert "Learn Multiple 9  1 of 5: Groups" in screen.text and "10 and 8" not in screen.text
    screen.press("d", "Not quite. You may pass, but not yet")
    screen.press("!", r"Try: 10\+8 = 18")
    screen.press("?", "Suits never matter")
    screen.press("\x1b", r"\[1\] 10\+8 = 18")
    screen.press("\x7f", "Undo is not possible")
    screen.press("1", "10 and 8 are gone")
    screen.press("\r", "2 of 5: A nine needs company")
    for number in (3, 4, 5):
        screen.press(">", f"{number} of 5: ")
    screen.press("d", "(?s)Waiting wins more often.*Press Enter to play your first match")
    assert not matches(home)
    screen.press("\r", r"(?s)Multiple 9  Turn.*\(you\)|wins: no cards left")  # before one's first turn, even
    screen.type("q")
    assert screen.end() == 0
    assert len(matches(home)) == 1


def test_the_last_lesson_says_where_the_match_is(opened: list[Screen], home: Path) -> None:
    screen = Screen("learn", "multiple9")
    opened.append(screen)
    for number in (1, 2, 3, 4):
        screen.wait(f"{number} of 5: ")
        screen.type(">")
    screen.wait("5 of 5: ")
    screen.press("d", "Press Enter to play")
    screen.press("q", "You know Multiple 9 now")
    assert screen.end() == 0
    assert not matches(home)


def test_the_menu_starts_a_match_resumes_it_and_comes_back(opened: list[Screen], home: Path) -> None:
    screen = Screen(NINEFOLD_NAME="Ann")
    opened.append(screen)
    screen.wait("Baseball  ")
    assert "Continue " not in screen.text and "New here? Learn Doubles" in screen.text
    screen.press("\x1b[B\r", "Learn Baseball")
    screen.press("\x1b[B\x1b[B\r", "Arrows scroll, a: all the rules")  # the page that ? opens at a table
    assert "Swap the high ones for low ones" in screen.text
    screen.press("\x1b", "Learn Baseball in a few")
    screen.press("\x1b", "1 or more players")
    screen.press("\x1b[B\x1b[B\r", "Learn Doubles in a few")
    screen.press("\x1b[B\r", "A new match of Doubles")
    screen.press(",B,C,D,E\r", "5 people do not fit at a table for 4")
    screen.press("\x1b", "Learn Doubles in a few")
    screen.press("\r", lambda: "A new match" in screen.text and "5 people" not in screen.text)
    screen.press("\r", ASKED)
    assert "Ann (you)" in screen.text
    screen.press("q", "Continue Doubles, started")
    screen.press("\r", ASKED)  # the file has been let go: the same process takes it up again
    assert "Ann (you)" in screen.text
    screen.press("q", "Continue Doubles, started")
    screen.type("q")
    assert screen.end() == 0


@pytest.mark.skipif(not shutil.which("less"), reason="there is no pager")
def test_a_long_answer_of_the_menu_says_how_to_go_on_and_back(
    opened: list[Screen], home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for variable in ("LESS", "PAGER", "MANPAGER"):
        monkeypatch.delenv(variable, raising=False)
    screen = Screen()
    opened.append(screen)
    screen.wait("All commands")
    screen.press("\x1b[F", "All commands")
    screen.press("\r", "Space shows more, q goes back to the menu")
    assert "Usage: ninefold" in screen.text
    screen.press("q", "New here")
    screen.type("q")
    assert screen.end() == 0


def test_a_replay_goes_back_and_forth_and_forks(opened: list[Screen], home: Path) -> None:
    screen = play(opened, "doubles", "Ann", "--players", "1", "-o", "rounds=1", "--pace", "instant")
    screen.wait(ASKED)
    screen.press("c", OVER)
    screen.type("q")
    assert screen.end() == 0
    replay = Screen("replay", "doubles")
    opened.append(replay)
    replay.wait("move 0 of 2")
    replay.press("\x1b[C", "move 1 of 2")
    assert "Ann rolls" in replay.text
    replay.press("\x1b[F", "move 2 of 2")
    replay.press("\x1b[H", "move 0 of 2")
    replay.press("v", "seen by Ann")
    replay.press("?", "Esc closes")
    replay.press("\x1b", "move 0 of 2")
    replay.press("\x1b[C", "move 1 of 2")
    replay.press("f", ASKED)
    replay.type("q")
    assert replay.end() == 0
    assert len(matches(home)) == 2


# A pulled plug


def pulled_plug(opened: list[Screen], home: Path, name: str, kills: int, seed: int) -> int:
    """Kill at random moments: what the screen has shown is in the file, and there it goes on."""
    source = random.Random(seed)
    acted = 0
    for turn in range(kills):
        begin = [name, "Ann", *lineup(name), "--seed", str(seed)] if turn == 0 else ["--resume"]
        screen = play(opened, *begin, "--pace", "instant", size=(120, 40))
        screen.wait(lambda screen=screen: settled(screen))  # type: ignore[misc]
        (path,) = matches(home)
        for _ in range(source.randrange(1, 6)):
            if over(screen):
                break
            screen.type(source.choice(screen.keys or ["\r"]))
            acted += 1
            if source.random() < 0.8:
                screen.look(source.random() * 0.2)
        screen.kill()
        match = saves.resume(path)
        told = [render(event.text, match.names, 0) for event in match.log(0)]
        match.close()
        log = " ".join(" ".join(row[80:].split()) for row in screen.rows[1:-5])
        for sentence in filter(None, re.split(r"(?<=\.) (?=[A-Z])", " ".join(log.split()))):
            assert any(sentence in text or text in sentence for text in told), sentence
        if match.over:
            break
    return acted


@pytest.mark.parametrize("name", nf.games())
def test_nothing_shown_is_lost_when_the_plug_is_pulled(opened: list[Screen], home: Path, name: str) -> None:
    assert pulled_plug(opened, home, name, kills=2, seed=7) >= 2


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(20))
@pytest.mark.parametrize("name", nf.games())
def test_nothing_shown_is_lost_however_often(opened: list[Screen], home: Path, name: str, seed: int) -> None:
    pulled_plug(opened, home, name, kills=8, seed=seed)
