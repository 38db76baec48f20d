"""Play as plain lines, through pipes: whole matches, bad input, early ends, history, replays."""

from __future__ import annotations

import io
import json
import random
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

import ninefold as nf
from ninefold.cli import main
from ninefold.engine.registry import facts
from ninefold.model.events import DECIDED
from ninefold.model.text import render
from ninefold.terminal import saves
from ninefold.terminal.lines import LineTable
from ninefold.terminal.margins import is_listed
from support.sitting import any_move, go_on, lineup, sit

NINEFOLD = [sys.executable, "-m", "ninefold"]


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("NINEFOLD_DATA", str(tmp_path))
    monkeypatch.setenv("LANG", "C.UTF-8")
    monkeypatch.delenv("LC_ALL", raising=False)
    return tmp_path / "matches"


@pytest.fixture
def piped(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Piped:
    return Piped(capsys, monkeypatch)


class Piped:
    """The command line with lines on its standard input, run in this process."""

    def __init__(self, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
        self.capsys = capsys
        self.monkeypatch = monkeypatch

    def __call__(self, text: str, *arguments: str, status: int = 0) -> tuple[str, str]:
        self.monkeypatch.setattr(sys, "stdin", io.StringIO(text))
        found = main(list(arguments))
        out, err = self.capsys.readouterr()
        assert found == status, (out[-500:], err)
        return out, err


def only(home: Path) -> Path:
    (path,) = home.glob("*.match")
    return path


@pytest.mark.parametrize("name", nf.games())
def test_a_whole_match_by_numbers(piped: Piped, home: Path, name: str) -> None:
    out, err = piped("1\n" * 3000, "play", name, "Ann", *lineup(name), "--seed", "3")
    assert err == ""
    found = saves.read_saved(only(home))
    assert found.over
    final = out.split("Final scores: ")[1]
    for seat, score in zip(found.seats, found.scores or [], strict=True):
        told = rf"[+]?{score:,}" if facts(name).unit else r"(no|\d) cards? left"
        assert re.search(rf"{seat.name}:? {told}\b", final), final


@pytest.mark.parametrize("name", nf.games())
def test_what_is_heard_in_lines_is_what_the_log_says(name: str) -> None:
    match = sit(name)
    source = random.Random(2)
    heard: list[str] = []

    def read(prompt: str) -> str:
        assert prompt.startswith("Ann: ")
        return any_move(match, 0, source)

    assert LineTable(match, read, heard.append).run()
    told = [render(event.text, match.names, 0) for event in match.log(0) if is_listed(event)]
    assert [line for line in heard if line in told] == told
    assert heard[-1].startswith("Final scores: ")


def test_what_can_be_asked(piped: Piped, home: Path) -> None:
    asked = "help\nmoves\ntable\nlog\nrules\nhint\ntake r1c1?\nwhy look r1c1\nundo\norders\n\nfly\n99\nlook\n"
    out, _ = piped(asked, "play", "baseball", "Ann", "--players", "2", "--seed", "1")
    for line in (
        "MOVE?          ask whether a move is allowed, and which rule says so (or: why MOVE)",
        "The hard bot would play: look r",
        "Take r1c1 is not possible: at the start, each player in turn looks at two of their own cards",
        "Yes: look r1c1 is possible now.",
        "Undo is not possible: you have not decided anything yet.",
        "This game has no autopilot.",
        "'fly' is not a move of Baseball",
        "# Baseball",
        "'99' ",
    ):
        assert line in out, line
    assert saves.read_saved(only(home)).steps[-1][1].startswith("deal")


def test_the_match_goes_on_after_the_end_of_the_input(piped: Piped, home: Path) -> None:
    out, err = piped("1\n1\n", "play", "doubles", "Ann", "--seed", "3")
    assert err == "Saved. Continue with: ninefold play --resume\n"
    steps = saves.read_saved(only(home)).steps
    assert [text for who, text in steps if who == 0] == ["stay", "stay"]
    out, _ = piped("undo\nquit\n", "play", "--resume")
    assert "Undone." in out
    assert len(saves.read_saved(only(home)).steps) < len(steps)


def test_standing_orders_in_lines(piped: Piped, home: Path) -> None:
    out, _ = piped(
        "orders\norder 9\norder 2\norder 1\norder off\nquit\n", "play", "doubles", "Ann", "--bots", "never"
    )
    assert "  order 2 NUMBER: Cash out at a total of" in out
    assert "Cash out at a total of needs a number: order 2 400." in out
    assert "Autopilot: Stay until the third seven. `order off` stops it." in out
    assert "The autopilot is off." in out


def test_two_people_pass_the_screen(piped: Piped, home: Path) -> None:
    typed = "\nlook r1c1\nlook r1c2\nturn up none\n" * 2
    out, _ = piped(typed, "play", "baseball", "Ann", "Ben", "--players", "2", "--seed", "1")
    first, second = out.split("Pass the screen to ")[1:3]
    names = {first.split()[0], second.split()[0]}
    assert names == {"Ann", "Ben"}
    one, other = first.split()[0], second.split()[0]
    assert "You see the" in first
    assert f"{one} sees the" not in second
    assert f"{other} sees the" not in first
    assert "You see the" in second


def test_the_input_may_end_behind_the_curtain(piped: Piped, home: Path) -> None:
    _, err = piped("", "play", "baseball", "Ann", "Ben", "--players", "2")
    assert err.startswith("Saved.")


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["play"], "which game?"),
        (["play", "chess"], "there is no game 'chess'"),
        (["play", "doubles", "Ann", "ann"], "two players have the same name"),
        (["play", "doubles", "Ann", "--bots", "gandalf"], "gandalf"),
        (["play", "baseball", "--players", "12"], "12"),
        (["play", "baseball", "--players", "0"], "0"),
        (["play", "doubles", "-o", "rounds"], "NAME=VALUE"),
        (["play", "doubles", "-o", "rounds=many"], "rounds"),
        (["play", "doubles", "-o", "sevens=3"], "sevens"),
        (["play", "doubles", "--pace", "warp"], "warp"),
        (["play", "doubles", "--seed", "x"], "x"),
        (["play", "--resume"], "there is no match to resume"),
        (["play", "--resume", "zed"], "there is no match called 'zed'"),
        (["play", "doubles", "Ann", "--resume"], "leave out names"),
        (["replay", "zed"], "there is no match called 'zed'"),
        (["replay", "zed.json"], "zed.json"),
        (["learn", "chess"], "there is no game 'chess'"),
        (["learn"], "which game? The games are baseball"),
    ],
)
def test_wrong_use_is_one_line_and_status_2(
    piped: Piped, home: Path, arguments: list[str], sentence: str
) -> None:
    out, err = piped("", *arguments, status=2)
    assert sentence in err
    assert err.count("\n") == 1
    assert err.startswith("ninefold: ")
    assert out == ""
    assert not list(home.glob("*.match"))


def test_nobody_listening_is_no_error(home: Path) -> None:
    command = f"yes 1 | head -3000 | {shlex.join(NINEFOLD)} play doubles Ann --seed 3 | head -n 2"
    done = subprocess.run(["bash", "-c", command], capture_output=True, text=True, timeout=60, check=False)
    assert done.stdout.splitlines()[1].startswith("You roll ")
    assert done.stderr == ""
    saves.resume(only(home)).close()


def test_a_full_disk_is_one_line(home: Path) -> None:
    import resource

    def full() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (1500, 1500))

    done = subprocess.run(
        [*NINEFOLD, "play", "doubles", "Ann", "--seed", "3", "--bots", "never"],
        input="1\n" * 300,
        capture_output=True,
        text=True,
        preexec_fn=full,
        timeout=60,
        check=False,
    )
    assert "Traceback" not in done.stderr
    assert done.returncode in (0, 2)
    assert (
        "cannot be saved, so nothing has happened: file too large"
        in done.stderr.lower() + done.stdout.lower()
    )
    saves.resume(only(home)).close()


# History and replays


def finished(name: str, people: int = 1) -> Path:
    match = sit(name, people, players=2)
    kept, path = saves.begin(match.game, match.match.seats, 4)
    kept.begin()
    go_on(kept, random.Random(4))
    kept.close()
    return path


@pytest.mark.parametrize("name", nf.games())
def test_history_and_replays(piped: Piped, home: Path, name: str) -> None:
    path = finished(name)
    out, _ = piped("", "history")
    assert path.stem in out
    assert "1 finished, " in out
    (row,) = json.loads(piped("", "history", "--json")[0])
    found = saves.read_saved(path)
    assert (row["over"], row["scores"], row["winners"]) == (True, found.scores, found.winners)
    told, _ = piped("", "replay", path.stem)
    assert told.splitlines()[-1]
    for seat in (None, 0, 1):
        chosen = [] if seat is None else ["--seat", str(seat)]
        answer = json.loads(piped("", "replay", path.stem, "--json", *chosen)[0])
        assert answer["over"]
        assert answer["scores"] == found.scores
        events = [event for event in answer["events"] if not event.get("quiet") and event["kind"] != DECIDED]
        texts = [event["text"] for event in events]
        assert texts == piped("", "replay", str(path), "--plain", *chosen)[0].splitlines()
    _, err = piped("", "replay", path.stem, "--seat", "9", status=2)
    assert f"'9' did not play in this match; the players are {found.seats[0].name}" in err
    by_name = piped("", "replay", path.stem, "--plain", "--seat", found.seats[1].name.upper())[0]
    assert by_name.splitlines() == texts


@pytest.mark.parametrize("name", nf.games())
def test_a_fork_is_a_match_of_its_own(piped: Piped, home: Path, name: str) -> None:
    path = finished(name)
    before = path.read_bytes()
    steps = saves.read_saved(path).steps
    _, err = piped("", "replay", path.stem, "--fork", str(len(steps) // 2))
    assert err in ("", "Saved. Continue with: ninefold play --resume\n")
    (fork,) = set(home.glob("*.match")) - {path}
    assert saves.read_saved(fork).steps[: len(steps) // 2] == steps[: len(steps) // 2]
    assert path.read_bytes() == before
    _, err = piped("", "replay", path.stem, "--fork", str(len(steps) + 1), status=2)
    assert f"the match has steps 0 to {len(steps)}" in err


def test_a_match_that_goes_on_keeps_its_secrets(piped: Piped, home: Path) -> None:
    match = sit("baseball", 2, players=2)
    kept, path = saves.begin(match.game, match.match.seats, 4)
    kept.begin()
    go_on(kept, random.Random(4), 8)
    kept.close()
    assert "sees the" not in piped("", "replay", path.stem)[0]
    _, err = piped("", "replay", path.stem, "--seat", "0", status=2)
    assert "the match is not over" in err


def test_what_is_forced_is_not_asked(piped: Piped, home: Path) -> None:
    """Where nothing can be laid, the pass is played; a person is asked only where there is a choice."""
    for seed in range(1, 9):
        out, _ = piped("1\n" * 300, "play", "multiple9", "Ann", *lineup("multiple9"), "--seed", str(seed))
        assert "Nothing to lay" not in out and "Nothing else to lay" not in out
    passes = [
        step
        for path in home.glob("*.match")
        for step in saves.read_saved(path).steps
        if list(step) == [0, "done"]
    ]
    assert passes, "and yet Ann has passed"
