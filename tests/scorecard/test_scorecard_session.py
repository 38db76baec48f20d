"""The score card as people meet it: in a pipe, in a terminal of 80 by 24, with a plug that is pulled."""

from __future__ import annotations

import fcntl
import json
import os
import pty
import random
import re
import resource
import select
import shlex
import signal
import struct
import subprocess
import sys
import termios
import time
from pathlib import Path
from typing import Any

import pytest

from ninefold.files.journal import read as read_journal
from ninefold.scorecard import storage
from ninefold.scorecard.card import Card
from ninefold.scorecard.entries import step_from
from ninefold.scorecard.reading import Enter, read
from ninefold.scorecard.screen import TerminalScreen
from ninefold.scorecard.session import on_resize
from ninefold.scorecard.steps import take
from ninefold.scorecard.wording import status_lines
from support.screen import take_terminal

SCORE = [sys.executable, "-m", "ninefold", "score"]


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("NINEFOLD_DATA", str(tmp_path / "data"))
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def piped(text: str, *arguments: str, status: int = 0) -> subprocess.CompletedProcess[str]:
    done = subprocess.run(
        [*SCORE, *arguments], input=text, capture_output=True, text=True, timeout=300, check=False
    )
    assert done.returncode == status, done
    assert "Traceback" not in done.stderr
    return done


def cards(home: Path) -> list[Path]:
    return sorted((home / "data" / "scorecards").glob("*.jsonl"))


def card_at(path: Path) -> Card:
    return storage.card_from(read_journal(path), path)


# In a pipe


def test_the_card_rolls_when_there_are_no_dice(home: Path) -> None:
    done = piped("roll\nroll\nq\n", "doubles", "Ann", "Bob")
    assert len(re.findall(r"(Ann|Bob) rolls [1-6] and", done.stdout)) == 2
    assert len(card_at(cards(home)[0]).entries) == 2


def test_a_whole_game_in_a_pipe(home: Path) -> None:
    done = piped(
        "34\n8\n55\n  \na\nz\nbob\nd3\n7\n7\n7\nc ann\n16\n",
        "doubles",
        "Ann",
        "Bob",
        "--rounds",
        "2",
        "--file",
        "c",
    )
    assert done.stderr == ""
    late = "Round 2 of 2. Total 525, sevens 3 of 4 (the next one ends the round)."
    assert done.stdout.splitlines() == [
        "Doubles, 2 rounds: Ann and Bob.",
        "Round 1 of 2. Total 0, sevens 0 of 4. Ann rolls next. Still in: everyone.",
        "Scores: Ann 0 and Bob 0.",
        "Ann rolls 3 and 4, a seven: +75.",
        "Round 1 of 2. Total 75, sevens 1 of 4. Bob rolls next. Still in: everyone.",
        "Scores: Ann 0 and Bob 0.",
        "8 might be doubles: type d4 for double fours, else s8 (or 26 or 35)",
        "DOUBLES! Bob rolls 5 and 5: 75 becomes 150.",
        "Round 1 of 2. Total 150, sevens 1 of 4. Ann rolls next. Still in: everyone.",
        "Scores: Ann 0 and Bob 0.",
        "Round 1 of 2. Total 150, sevens 1 of 4. Ann rolls next. Still in: everyone.",
        "Scores: Ann 0 and Bob 0.",
        "Ann cashes out 150.",
        "Round 1 of 2. Total 150, sevens 1 of 4. Bob rolls next. Still in: Bob.",
        "Scores: Ann 150 and Bob 0.",
        "I don't understand 'z': type a roll such as 34, or a name to cash out (? for help)",
        "Bob cashes out 150.",
        "Round 1 is over: 150 for Ann and Bob.",
        "Round 2 of 2. Total 0, sevens 0 of 4. Ann rolls next. Still in: everyone.",
        "Scores: Ann 150 and Bob 150.",
        "DOUBLES! Ann rolls 3 and 3 on the first roll: 300.",
        "Round 2 of 2. Total 300, sevens 0 of 4. Bob rolls next. Still in: everyone.",
        "Scores: Ann 150 and Bob 150.",
        "Bob rolls a seven: +75.",
        "Round 2 of 2. Total 375, sevens 1 of 4. Ann rolls next. Still in: everyone.",
        "Scores: Ann 150 and Bob 150.",
        "Ann rolls a seven: +75.",
        "Round 2 of 2. Total 450, sevens 2 of 4. Bob rolls next. Still in: everyone.",
        "Scores: Ann 150 and Bob 150.",
        "THIRD SEVEN! Bob rolls a seven: +75. The next seven ends the round.",
        f"{late} Ann rolls next. Still in: everyone.",
        "Scores: Ann 150 and Bob 150.",
        "Ann cashes out 525.",
        f"{late} Bob rolls next. Still in: Bob.",
        "Scores: Ann 675 and Bob 150.",
        "FOURTH SEVEN! Bob rolls 1 and 6: 525 is lost.",
        "Round 2 is over: 525 for Ann, nothing for Bob.",
        "That was the last round. Ann wins with 675.",
        "Final standings",
        "         Score   R1   R2",
        "  1 Ann    675  150  525",
        "  2 Bob    150  150    0",
        "Ann wins with 675.",
        "Saved. Continue with: ninefold score --resume c",
    ]


def test_it_goes_on_where_it_was(home: Path) -> None:
    piped("34\n55\nann\n", "doubles", "Ann", "Bob", "Uncle Jo")
    done = piped("undo 2\nredo\n", "--resume")
    assert "Continuing with Ann, Bob and Uncle Jo: 10 rounds, 3 entries so far." in done.stdout
    assert "Total 150, sevens 1 of 4. Uncle Jo rolls next. Still in: Bob and Uncle Jo." in done.stdout
    assert "Undone: the cash-out of Ann, the roll of 5 and 5." in done.stdout
    assert "Redone: the roll of 5 and 5." in done.stdout
    done = piped("", "--resume", "uncle")
    assert "Total 150, sevens 1 of 4. Uncle Jo rolls next. Still in: everyone." in done.stdout
    assert re.fullmatch(
        r"\S+-ann-bob-uncle  round 1 of 10  Ann, Bob and Uncle Jo\n", piped("", "--list").stdout
    )


def test_names_are_asked_for(home: Path) -> None:
    done = piped("Ann, Bob, Uncle Jo\n34\n", "doubles")
    assert done.stdout.startswith("Doubles, 10 rounds: Ann, Bob and Uncle Jo.\n")
    assert "Ann, Bob and Cleo." in piped("", "doubles", "Ann,Bob", "Cleo").stdout


def test_people_come_and_go(home: Path) -> None:
    done = piped(
        "34\njoin Zoe\nleave bob\nann\n12\nreturn bob\nzoe\nann\nrename bob Robert\n", "doubles", "Ann", "Bob"
    )
    assert "Zoe joins with 0, from the next round." in done.stdout
    assert "Bob leaves with 0 and is skipped from now on." in done.stdout
    assert "Round 1 is over: 75 for Ann, nothing for Bob." in done.stdout
    assert "Bob is back with 0, from the next round." in done.stdout
    assert "Scores: Ann 78, Robert 0 and Zoe 3." in done.stdout


def test_a_correction_says_what_changes(home: Path) -> None:
    text = "33\nall\n34\nfix 1.1 44\nshow 1\nfix 1.1 delete\nfix 1.2 ann\nfix! 1.2 ann\nfix 1 bob=99\nundo\n"
    out = piped(text, "doubles", "Ann", "Bob").stdout
    assert "Corrected. Ann 300 -> 400; Bob 300 -> 400." in out
    assert "1.1   Ann rolls 4 and 4: total 400  DOUBLES\n1.2   Ann and Bob cash out 400\n" in out
    assert (
        "1.2 (the cash-out of Ann and Bob) is not possible there: There is nothing to cash out before" in out
    )
    why = "Then round 1 would not be over, and Bob would score nothing in it."
    assert f"{why} Nothing changed; type fix! 1.2 ann" in out
    assert "Corrected. Bob 400 -> 0." in out
    assert "Round 1 corrected: Bob 99." in out
    assert "Undone: the corrected scores of round 1." in out


def test_of_many_who_got_nothing_there_are_no_names(home: Path) -> None:
    many = [f"P{number}" for number in range(1, 14)]
    out = piped("33\np1 p2\n7\n7\n7\n7\n7\n7\n7\n7\n", "doubles", *many).stdout
    assert "Round 1 is over: 300 for P1 and P2, nothing for the others." in out
    assert "Round 2 is over: nothing for anyone." in out


def test_a_correction_says_what_it_changed(home: Path) -> None:
    out = piped("33\n45\nfix 1.2 35\nfix 1.1 1 2\n", "doubles", "Ann", "Bob").stdout
    assert "Corrected. Total 309 -> 308." in out and "Corrected. Total 308 -> 11." in out


def test_a_page_longer_than_the_screen_goes_on_at_enter(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ninefold.scorecard.screen._size", lambda: (80, 24))
    card = Card.new([f"P{number}" for number in range(1, 31)], 1, 1)
    for typed in ("33", "all"):
        asked = read(typed, card)
        assert isinstance(asked, Enter)
        card = take(card, asked, lambda _: 0).card
    at, screen = card.position, TerminalScreen(sys.stdout, "test")
    screen.show([], at)
    assert "... and 16 more: type scores" in capsys.readouterr().out
    screen.scores(at)
    first = capsys.readouterr().out
    screen.go_on(at)
    rest = capsys.readouterr().out
    assert "Enter shows the rest" in first and "P1 " in first and "P30" not in first
    assert "Enter goes back" in rest and "P30" in rest
    assert max(first.count("\n"), rest.count("\n")) <= 24
    screen.go_on(at)
    assert "The end" in capsys.readouterr().out


def test_scores_leave_as_files(home: Path) -> None:
    out = piped(
        "33\nall\nexport s.csv\nexport s.json\nexport s.pdf\nexport no/s.csv\n", "doubles", "Ann", "Bob"
    ).stdout
    assert Path("s.csv").read_text() == "place,player,score,round 1\n1,Ann,300,300\n1,Bob,300,300\n"
    assert json.loads(Path("s.json").read_text())["players"][1]["rounds"] == [300]
    assert "a .csv or .json file" in out
    assert "Cannot write no/s.csv: no such file or directory." in out
    assert piped("", "--export", "csv", "-").stdout == Path("s.csv").read_text()
    assert piped("", "--export", "json", "t.json").stdout == "Exported to t.json\n"
    assert Path("t.json").read_text() == Path("s.json").read_text()
    assert sorted(path.name for path in home.iterdir()) == ["data", "s.csv", "s.json", "t.json"]


def test_a_hidden_end_is_drawn_after_the_round_r2_4(home: Path) -> None:
    out = piped("12\na\n" * 3, "doubles", "Ann", "--rounds", "1-3").stdout
    (path,) = cards(home)
    card = card_at(path)
    assert card.position.over
    last = card.position.number
    assert card.draws == {**dict.fromkeys(range(1, last), False), **({last: True} if last < 3 else {})}
    assert out.count("The draw says: play on.") == last - 1


def test_no_letters_but_plain_ones_in_a_pipe(home: Path) -> None:
    out = piped("34\n44\n?\nchart\nscores\nshow\nall\nchart\n", "doubles", "Ann", "Bob").stdout
    assert out.isascii()
    assert "\x1b" not in out
    assert "\a" not in out
    assert "> " not in out.replace("-> ", "")


def test_the_game_may_be_spelled_as_it_is_called(home: Path) -> None:
    assert "Ann rolls 3 and 4" in piped("34\n", "Doubles", "Ann").stdout


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ([], "which game"),
        (["chess"], "only Doubles has a score card, not 'chess'"),
        (["baseball", "Ann"], "only Doubles has a score card, not 'baseball'"),
        (["doubles", "Ann", "ann"], "both be called 'Ann'"),
        (["doubles", "Ann", "--rounds", "0"], "rounds are a number"),
        (["doubles", "Ann", "--rounds", "12-8"], "rounds are a number"),
        (["doubles", "all"], "nobody can be called 'all'"),
        (["doubles", "a\x1b[0m"], "cannot be displayed"),
        (["doubles", "--bogus"], "No such option"),
        (["doubles", "Ann", "--rounds"], "requires an argument"),
        (["--resume"], "there is no card in"),
        (["--resume", "zed"], "no card called 'zed'"),
        (["--resume", "no/such.jsonl"], "there is no card no/such.jsonl"),
        (["doubles", "Ann", "--resume"], "leave out names"),
        (["--resume", "--rounds", "3"], "leave out --rounds"),
        (["--list", "--resume"], "use --list by itself"),
        (["--export", "pdf", "x"], "'pdf' is not one of"),
        (["--export", "csv", "x"], "there is no card in"),
        (["doubles"], "no players"),
        (["doubles", "Ann", "--file", "/dev/null"], "already exists"),
        (["doubles", "Ann", "--file", "/dev/null/x"], "there is no folder /dev/null"),
        (["doubles", "Ann", "--file", "nowhere/x.card"], "there is no folder nowhere"),
        (["doubles", "Ann", "--file", "/proc/nothing/x"], "cannot create the score card"),
    ],
)
def test_wrong_use_is_one_line_and_status_2(home: Path, arguments: list[str], sentence: str) -> None:
    done = piped("", *arguments, status=2)
    assert sentence in done.stderr
    assert done.stderr.count("\n") == 1
    assert done.stdout == ""


def test_help_shows_an_example_and_is_quick(home: Path) -> None:
    out = piped("", "--help").stdout
    assert 'ninefold score doubles Ann Bob "Uncle Jo"' in out
    code = "import sys, ninefold.scorecard.command as c; print('numba' in sys.modules, 'rich' in sys.modules)"
    assert subprocess.check_output([sys.executable, "-c", code], text=True) == "False False\n"


def test_damage_is_one_line_and_the_file_is_untouched(home: Path) -> None:
    piped("34\n55\n12\n", "doubles", "Ann", "--file", "card")
    lines = Path("card").read_bytes().splitlines(keepends=True)
    broken = b"".join([*lines[:2], b"?" + lines[2], *lines[3:]])
    Path("card").write_bytes(broken)
    done = piped("34\n", "--resume", "card", status=2)
    assert done.stderr == "ninefold: the file card is damaged in line 3; it was not changed\n"
    assert Path("card").read_bytes() == broken


def test_a_cut_off_last_line_is_told(home: Path) -> None:
    piped("34\n55\n", "doubles", "Ann", "--file", "card")
    Path("card").write_bytes(Path("card").read_bytes()[:-5])
    out = piped("12\n", "--resume", "card").stdout
    assert "The last line of the file was cut off and ignored: check the last entry." in out
    assert card_at(Path("card")).position.total == 78


def test_a_full_disk_refuses_and_the_session_goes_on(home: Path) -> None:
    piped("12\n", "doubles", "Ann", "--file", "card")
    room = Path("card").stat().st_size + 100

    def full() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (room, room))

    done = subprocess.run(
        [*SCORE, "--resume", "card"],
        input="13\n14\n15\nall\n",
        capture_output=True,
        text=True,
        preexec_fn=full,
        check=False,
    )
    assert done.returncode == 0
    assert done.stdout.count("Not saved: file too large; nothing changed.") == 2
    assert done.stdout.count("Total ") == 3
    assert card_at(Path("card")).position.total == 3 + 4 + 5
    assert "Total 12," in piped("", "--resume", "card").stdout


def test_a_folder_that_cannot_be_written(home: Path) -> None:
    folder = Path("locked") if os.geteuid() else Path("/sys")  # permissions do not bind the superuser
    if folder.name == "locked":
        folder.mkdir(mode=0o500)
    told = piped("", "doubles", "Ann", "--file", str(folder / "card"), status=2).stderr
    assert "permission denied" in told or "read-only file system" in told


def test_nobody_listening_is_no_error(home: Path) -> None:
    command = (
        f"(for i in $(seq 200); do echo 12; done) | {shlex.join(SCORE)} doubles Ann --file card | head -n 1"
    )
    done = subprocess.run(["bash", "-c", command], capture_output=True, text=True, timeout=300, check=False)
    assert done.stdout == "Doubles, 10 rounds: Ann alone.\n"
    assert done.stderr == ""
    card_at(Path("card"))


def test_a_screen_that_cannot_be_written(home: Path) -> None:
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            [*SCORE, "doubles", "Ann"],
            input="12\n",
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
        )
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1
    assert "No space left" in done.stderr


def test_bytes_that_are_no_text(home: Path) -> None:
    done = subprocess.run(
        [*SCORE, "doubles", "Ann"], input=b"\xff\xfe\n12\n", capture_output=True, check=False
    )
    assert done.returncode == 0
    assert b"Total 3," in done.stdout


# In a terminal


SIZE = ("COLUMNS", "LINES")  # of the terminal that the tests run in, if it says so


def test_a_change_of_size_is_seen_though_it_came_while_a_key_was_read() -> None:
    """The handler of a signal runs late where something else is being done; a second signal comes then."""
    drawn = []
    with on_resize(lambda: drawn.append(time.monotonic())):
        os.kill(os.getpid(), signal.SIGWINCH)
        end = time.monotonic() + 20
        while len(drawn) < 2 and time.monotonic() < end:
            time.sleep(0.01)
        first = len(drawn)
        os.kill(os.getpid(), signal.SIGWINCH)
        while len(drawn) < 4 and time.monotonic() < end:
            time.sleep(0.01)
    assert (first, len(drawn)) == (2, 4)
    assert drawn[1] > drawn[0] and signal.set_wakeup_fd(-1) == -1


def test_of_many_players_all_that_happened_is_shown(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ninefold.scorecard.screen._size", lambda: (80, 24))
    card = Card.new([f"Ann{number}" for number in range(1, 14)], 3, 3)
    screen = TerminalScreen(sys.stdout, "test")
    for typed in ("34", "56", "all"):
        asked = read(typed, card)
        assert isinstance(asked, Enter)
        taken = take(card, asked, lambda _: 0)
        card = taken.card
        screen.show(taken.lines, card.position)
    rows = re.sub(r"\x1b\[[0-9;]*[a-zA-Z]", "", capsys.readouterr().out.split("\x1b[J")[-1]).split("\n")
    shown = " ".join(" ".join(rows).split())
    assert "Round 1 is over: 86 for Ann1, " in shown and " and 3 more. 34 roll " in shown
    assert "Ann13 86 86 in" in shown and len(rows) <= 24


class Terminal:
    """A process at the other end of a terminal of 80 by 24."""

    def __init__(self, *arguments: str, **environment: str) -> None:
        self.screen, inner = pty.openpty()
        fcntl.ioctl(inner, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
        self.process = subprocess.Popen(
            [*SCORE, *arguments],
            stdin=inner,
            stdout=inner,
            stderr=inner,
            env={name: value for name, value in os.environ.items() if name not in SIZE} | environment,
            preexec_fn=take_terminal,
        )
        os.close(inner)
        self.seen = ""

    def type(self, text: str) -> None:
        os.write(self.screen, text.encode())

    def look(self, seconds: float = 0.0) -> bool:
        """Take in what has come; whether more may come."""
        while select.select([self.screen], [], [], seconds)[0]:
            try:
                data = os.read(self.screen, 65536)
            except OSError:
                return False
            if not data:
                return False
            self.seen += data.decode(errors="replace")
            seconds = 0.0
        return True

    def wait(self, pattern: str, start: int = 0, seconds: float = 20) -> None:
        end = time.monotonic() + seconds
        while not re.search(pattern, self.seen[start:]):
            assert time.monotonic() < end, (pattern, self.seen[start:])
            if not self.look(0.1):
                assert re.search(pattern, self.seen[start:]), (pattern, self.seen[start:])

    def enter(self, text: str, pattern: str) -> str:
        """Type a line and wait until something is on the new screen; that screen."""
        start = len(self.seen)
        self.type(text + "\n")
        self.wait(pattern, start)
        return self.seen[start:]

    def end(self) -> int:
        end = time.monotonic() + 20
        while self.look(0.05) and self.process.poll() is None and time.monotonic() < end:
            pass
        status = self.process.wait(60)
        self.look()
        os.close(self.screen)
        return status


def test_a_short_game_in_a_terminal(home: Path) -> None:
    term = Terminal("doubles", "Ann", "Bob", "Uncle Jo", "--rounds", "2", "--bell")
    term.wait("Ann rolls> ")
    screen = term.enter("d3", "Bob rolls> ")
    assert "\x1b[1;30;42m DOUBLES! Ann rolls 3 and 3 on the first roll: 300." in screen
    assert "\a" in screen
    rows = screen.split("\x1b[J")[-1].split("\n")
    assert len(rows) <= 24
    assert all(len(re.sub(r"\x1b\[[0-9;]*m|[\r\a]", "", row)) <= 80 for row in rows)
    term.enter("34", "Uncle Jo rolls> ")
    term.enter("25", "Ann rolls> ")
    screen = term.enter("16", "Bob rolls> ")
    assert "THIRD SEVEN! Ann rolls 1 and 6: +75. The next seven ends the round." in screen
    assert "[7] [7] [7] [ ]" in screen
    assert "which one" not in term.enter("ann uncle", "Bob rolls> ").lower()
    screen = term.enter("7", "Uncle Jo rolls> ")
    assert "FOURTH SEVEN! Bob rolls a seven: 525 is lost." in screen
    assert "Round 2 of 2" in screen
    assert "A ROLL" in term.enter("?", "Enter goes back")
    term.enter("", "Uncle Jo rolls> ")
    term.enter("undo", r"Undone[^>]*Bob rolls> ")
    term.enter("redo", r"Redone[^>]*Uncle Jo rolls> ")
    term.enter("12", "Ann rolls> ")
    screen = term.enter("all", "game over> ")
    assert "Ann and Uncle Jo share the win with 528." in screen
    assert "Final standings" in screen
    term.type("quit\n")
    assert term.end() == 0
    assert term.seen.rstrip().splitlines()[-1].startswith("Saved. Continue with: ninefold score --resume ")
    assert [card_at(path).position.scores for path in cards(home)] == [{0: 528, 1: 3, 2: 528}]


def test_the_card_follows_the_size_of_the_window(home: Path) -> None:
    term = Terminal("doubles", "Ann", "Bob")
    term.wait("Ann rolls> ")
    term.enter("34", "Bob rolls> ")
    term.type("2")
    term.wait("> 2$")
    start = len(term.seen)

    def fits() -> bool:
        shown = term.seen[start:].split("\x1b[J")[-1]
        rows = [re.sub(r"\x1b\[[0-9;?]*[a-zA-Z]|[\r\a]", "", row) for row in shown.split("\n")]
        return "TOTAL" in shown and len(rows) <= 12 and all(len(row) <= 50 for row in rows)

    fcntl.ioctl(term.screen, termios.TIOCSWINSZ, struct.pack("HHHH", 12, 50, 0, 0))
    end = time.monotonic() + 60
    while not fits() and time.monotonic() < end:
        term.look(0.1)
    assert fits(), term.seen[start:]
    term.enter("5", "Ann rolls> ")
    term.type("quit\n")
    assert term.end() == 0
    (path,) = cards(home)
    assert card_at(path).position.total == 150, "what had been typed was kept"


@pytest.mark.parametrize("environment", [{"NO_COLOR": "1"}, {"TERM": "dumb"}])
def test_no_colour_where_none_is_wanted(home: Path, environment: dict[str, str]) -> None:
    term = Terminal("doubles", "Ann", **environment)
    term.wait("> $")
    term.enter("34", r"Total 75[^>]*> $")
    term.type("\x04")
    assert term.end() == 0
    assert "\x1b[3" not in term.seen
    assert "\x1b[J" not in term.seen
    assert "Saved. Continue with" in term.seen


def test_control_c_keeps_the_card(home: Path) -> None:
    term = Terminal("doubles", "Ann", "Bob")
    term.wait("Ann rolls> ")
    term.enter("34", "Bob rolls> ")
    for _ in range(5):  # a key that comes before the line is read from may be lost
        term.type("\x03")
        end = time.monotonic() + 10
        while "Saved. Continue with" not in term.seen and time.monotonic() < end and term.look(0.05):
            pass
        if "Saved. Continue with" in term.seen:
            break
    assert term.end() == 130
    assert "Saved. Continue with" in term.seen
    assert "Traceback" not in term.seen
    assert card_at(cards(home)[0]).position.total == 75


def test_names_are_asked_for_again_in_a_terminal(home: Path) -> None:
    term = Terminal("doubles", "--plain")
    term.wait("Who is playing")
    term.enter("Ann, ann", r"both be called 'Ann'.*\s+Who is playing")
    term.enter("Ann, Bob", r"rolls next[^>]*> $")
    term.type("\x04")
    assert term.end() == 0


def test_a_second_window_is_refused(home: Path) -> None:
    term = Terminal("doubles", "Ann", "--file", "card")
    term.wait("Ann rolls> ")
    done = piped("34\n", "--resume", "card", status=2)
    assert (
        done.stderr
        == "ninefold: the score card card is open in another window; use it there, or close it first\n"
    )
    assert piped("", "--export", "csv", "-", "--resume", "card").stdout == "place,player,score\n1,Ann,0\n"
    term.type("\x04")
    assert term.end() == 0
    piped("34\n", "--resume", "card")


# A pulled plug


def lines_for(source: random.Random, count: int) -> list[str]:
    rolls = ["12", "13", "24", "35", "36", "56", "s8", "34", "d1", "7"]
    others = ["ann", "bob", "all", "undo", "undo 2", "redo", "join Zoe", "leave zoe", "b", "fix 1.1 12"]
    return [source.choice(rolls if source.random() < 0.7 else others) for _ in range(count)]


def statuses_of(lines: list[dict[str, Any]]) -> list[str]:
    """What a card says after its opening and after each stored line."""
    card = Card.new(lines[0]["names"], *lines[0]["rounds"])
    said = []
    for line in [None, *lines[1:]]:
        if line is not None:
            draws = {int(number): last for number, last in line.get("draws", {}).items()}
            card = card.after(step_from(line), draws=draws)
        said.append("Final standings" if card.position.over else status_lines(card.position)[0])
    return said


def acknowledged(seen: str) -> list[str]:
    whole = seen.replace("\r", "")
    return re.findall(r"^(?:Round \d+ of .*Total .*|Final standings)$", whole[: whole.rfind("\n") + 1], re.M)


def pulled_plug(home: Path, kills: int, seed: int) -> int:
    """Kill the process at random moments: what it has acknowledged is there, and there it goes on."""
    source = random.Random(seed)
    path = home / "plug"
    entered = 0
    begin = ["doubles", "Ann", "Bob", "Cleo", "--rounds", "3-9000", "--plain", "--file", str(path)]
    said: list[str] = []
    for turn in range(kills):
        term = Terminal(*(begin if turn == 0 else ["--plain", "--resume", str(path)]))
        term.wait(r"> $")
        opened = len(term.seen)
        assert acknowledged(term.seen) == (said[-1:] or statuses_of(read_journal(path).lines))
        before = len(read_journal(path).lines)
        term.type("".join(f"{line}\n" for line in lines_for(source, 40)))
        if source.random() < 0.8:
            term.wait(r"Scores: |Final standings", opened)
        deadline = time.monotonic() + source.choice((0.005, 0.02, 0.05, 0.3)) * source.random()
        while time.monotonic() < deadline:
            term.look(0.002)
        os.kill(term.process.pid, signal.SIGKILL)
        assert term.end() == -signal.SIGKILL
        said = statuses_of(read_journal(path).lines)
        told = acknowledged(term.seen[opened:])
        assert told == said[before : before + len(told)]
        entered += len(told)
    return entered


def test_nothing_acknowledged_is_lost_when_the_plug_is_pulled(home: Path) -> None:
    assert pulled_plug(home, kills=15, seed=9) > 15


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(20))
def test_nothing_acknowledged_is_lost_however_often(home: Path, seed: int) -> None:
    pulled_plug(home, kills=50, seed=seed)


def test_the_page_of_the_manual_tells_the_truth(home: Path) -> None:
    page = (Path(__file__).parents[2] / "docs" / "scorecard.md").read_text()
    told = page.split("```")[1].strip().splitlines()
    typed = [line[2:] for line in told if line.startswith("> ")]
    said = [line for line in told if not line.startswith(("> ", "$ "))]
    out = piped(
        "".join(f"{line}\n" for line in typed), *told[0].split()[3:], "--file", "x"
    ).stdout.splitlines()
    assert out[:-1] == said[:-1]
