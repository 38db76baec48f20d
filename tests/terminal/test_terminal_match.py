"""A match at the terminal: saved before it is shown, taken up again, taken back, forked, and never in two
windows at once."""

from __future__ import annotations

import json
import random
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import ninefold as nf
from ninefold.engine.game import Game
from ninefold.files.journal import BusyError, Journal, NotSavedError, read
from ninefold.kernel.errors import IllegalMove, NinefoldError, RuleError
from ninefold.terminal import saves
from ninefold.terminal.save_format import read_steps
from ninefold.terminal.seating import seat_all
from ninefold.terminal.table import Table
from support.sitting import any_move, go_on, seats, sit, until_asked


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("NINEFOLD_DATA", str(tmp_path))
    return tmp_path / "matches"


def begun(name: str, people: int = 1, seed: int = 5) -> tuple[Table, Path]:
    seated = seats(name, people)
    match, path = saves.begin(Game(name, len(seated), {}), seated, seed)
    match.begin()
    return match, path


def unseen(match: Table, viewer: int | None) -> int:
    """How many steps a viewer has not been shown."""
    return len(match.moments) - match._shown[viewer]


def everything(match: Table) -> tuple[Any, ...]:
    """All that a match shows or keeps."""
    frames = {viewer: unseen(match, viewer) for viewer in match.viewers}
    logs = {viewer: match.log(viewer) for viewer in match.viewers}
    return match.state.tobytes(), list(match.steps), logs, frames, match.awaited, match.over


# Saving


@pytest.mark.parametrize("name", nf.games())
def test_a_step_is_on_the_disk_before_it_is_shown(name: str) -> None:
    shown: list[tuple[int, int]] = []
    kept: list[int] = []

    def save(line: dict[str, Any]) -> None:
        kept.append(len(line["steps"]))
        if match is not None:
            shown.append((len(match.steps), unseen(match, 0)))

    match: Table | None = None
    match = sit(name, save=save)
    for _ in range(20):
        if match.over:
            break
        before, frames = len(match.steps), unseen(match, 0)
        saved = len(shown)
        go_on(match, random.Random(3), 1)
        if len(shown) == saved:  # a move was sealed, and nothing has happened yet
            assert (len(match.steps), unseen(match, 0)) == (before, frames)
            continue
        assert shown[-1] == (before, frames)
        assert len(match.steps) == before + kept[-1]
        assert unseen(match, 0) == frames + kept[-1]


@pytest.mark.parametrize("name", nf.games())
def test_a_save_that_fails_leaves_everything_as_it_was(name: str) -> None:
    full = False

    def save(line: dict[str, Any]) -> None:
        if full:
            raise NotSavedError("no space left on device")

    match = sit(name, save=save)
    source = random.Random(4)
    for _ in range(12):
        if match.over:
            break
        go_on(match, source, 1)
        before, full = everything(match), True
        if not match.over:
            with pytest.raises(NotSavedError):
                go_on(match, source)  # moves that are sealed are not saved before they open
            assert everything(match) == before
        if match.why_no_undo(0) is None:
            with pytest.raises(NotSavedError):
                match.undo(0)
            assert everything(match) == before
        full = False


def test_a_full_disk_is_told_in_one_sentence(home: Path) -> None:
    match, path = begun("doubles")
    path.unlink()
    with pytest.raises(NotSavedError, match="cannot be saved, so nothing has happened: its file has been"):
        until_asked(match)
    match.close()


@pytest.mark.parametrize("name", nf.games())
def test_a_match_goes_on_where_it_was_left(name: str) -> None:
    match, path = begun(name, people=2)
    source = random.Random(8)
    while True:
        go_on(match, source, source.randrange(1, 60))
        before = everything(match)
        match.close()
        again = saves.resume(path)
        assert everything(again)[:3] == before[:3]
        if not match.realtime:  # who has sealed a move that had not opened is asked again
            assert everything(again)[4:] == before[4:]
        assert not any(again.take_frames(viewer) for viewer in again.viewers)
        match = again
        if match.over:
            break
    found = saves.look(path)
    assert found.over
    assert (found.scores, found.winners) == (match.state.scores, match.state.winners)
    match.close()


@pytest.mark.parametrize("name", nf.games())
def test_a_file_cut_off_anywhere_is_a_match_that_ends_there(name: str) -> None:
    match, path = begun(name)
    go_on(match, random.Random(2), 30)
    match.close()
    steps, content, lines = match.steps, path.read_bytes(), read(path).lines
    source = random.Random(11)
    first = content.index(b"\n") + 1
    for cut in sorted(source.sample(range(first, len(content)), 12)):
        path.write_bytes(content[:cut])
        again = saves.resume(path)
        kept = len(read_steps(lines[1 : content[:cut].count(b"\n")]))
        assert again.steps[:kept] == steps[:kept]  # what was cut off comes anew, and may come otherwise
        again.close()


# Taking back


@pytest.mark.parametrize("name", nf.games())
def test_alone_against_bots_everything_can_be_taken_back(name: str) -> None:
    match, path = begun(name)
    source = random.Random(6)
    positions: list[bytes] = []
    while len(positions) < 6 and (seat := until_asked(match)) >= 0:
        positions.append(match.state.tobytes())
        match.play(seat, any_move(match, seat, source))
    while positions:
        assert match.why_no_undo(0) is None
        match.undo(0)
        assert match.state.tobytes() == positions.pop()
        assert match.awaited == [0]
        assert saves.look(path).steps == match.steps
    with pytest.raises(IllegalMove, match="you have not decided anything yet"):
        match.undo(0)
    match.close()


@pytest.mark.parametrize("name", nf.games())
def test_a_match_that_is_taken_back_is_not_over(name: str) -> None:
    match, path = begun(name)
    go_on(match, random.Random(1))
    assert saves.look(path).over
    match.undo(0)
    assert not match.over
    assert not saves.look(path).over
    assert saves.locate("", unfinished=True) == path
    match.close()


def test_with_others_at_the_table_only_what_nobody_has_seen() -> None:
    match = sit("doubles", people=3)
    for seat in (0, 1, 2):
        assert match.why_no_undo(seat) == "you have not decided anything yet"
    match.play(0, "stay")
    assert match.why_no_undo(0) is None
    match.undo(0)
    match.play(0, "stay")
    match.play(1, "stay")
    assert match.why_no_undo(0) == "another player has moved since then"
    assert match.why_no_undo(1) is None
    match.play(2, "stay")
    for seat in (0, 1, 2):
        assert match.why_no_undo(seat) == "dice were rolled or cards drawn since then"
        with pytest.raises(
            IllegalMove, match="undo is not possible: dice were rolled or cards drawn since then"
        ):
            match.undo(seat)


def test_what_others_have_seen_cannot_be_taken_back() -> None:
    for move, why in (("turn up none", None), ("turn up first", "it showed other players a card")):
        match = sit("baseball", people=2, players=2)
        first = match.awaited[0]
        match.play(first, "look r1c1")
        assert match.why_no_undo(first) == "dice were rolled or cards drawn since then"
        match.play(first, "look r2c2")
        match.play(first, move)
        assert match.why_no_undo(first) == why


# What if, hints, questions


@pytest.mark.parametrize("name", nf.games())
def test_a_fork_begins_with_the_same_steps(name: str) -> None:
    match, _ = begun(name)
    go_on(match, random.Random(9))
    match.close()
    for length in {0, 1, len(match.steps) // 2, len(match.steps) - 1, len(match.steps)}:
        other, path = saves.begin(match.game, match.seats, None)
        other.fork(match.steps[:length])
        assert other.steps[:length] == match.steps[:length]
        assert other.awaited or other.next_bot is not None or other.over
        found = saves.look(path)
        assert found.steps == other.steps
        assert found.over == other.over
        other.close()
        again = saves.resume(path)
        assert everything(again)[:3] == everything(other)[:3]
        again.close()


@pytest.mark.parametrize("name", nf.games())
def test_a_hint_is_a_move_one_could_make_and_changes_nothing(name: str) -> None:
    match = sit(name)
    for _ in range(6):
        if (seat := until_asked(match)) < 0:
            break
        before = everything(match)
        advised = match.hint(seat).move
        match.check(seat, advised)
        assert everything(match) == before
        match.play(seat, advised)


def test_a_question_cites_the_rule() -> None:
    match = sit("baseball", people=2, players=2)
    before = everything(match)
    with pytest.raises(IllegalMove) as refused:
        match.check(match.awaited[0], "take r1c1")
    assert refused.value.rule == "R2.3"
    assert everything(match) == before


# Files that are none


def header(path: Path, **changed: Any) -> None:
    """The same match with another first line."""
    lines = read(path).lines
    path.unlink()
    journal = Journal.create(path, {**lines[0], **changed}, "saved match")
    for line in lines[1:]:
        journal.append(line)
    journal.close()


@pytest.mark.parametrize(
    ("changed", "sentence"),
    [
        ({"ninefold": "scorecard"}, "is not a saved match"),
        ({"version": 2}, "has version 2; this program reads 1"),
        ({"game": "chess"}, "there is no game 'chess'"),
        ({"rules": 99}, "started under version 99 of the rules of Doubles"),
        ({"seats": [{"name": "Ann", "bot": "gandalf"}] * 3}, "gandalf"),
        ({"seats": [1, 2, 3]}, "does not say who plays"),
        ({"seats": 5}, "is corrupt; the file was not changed"),
        ({"options": {"rounds": "many"}}, "rounds"),
        ({"options": 7}, ""),
    ],
)
def test_a_file_of_another_kind_is_refused(changed: dict[str, Any], sentence: str) -> None:
    match, path = begun("doubles")
    match.close()
    header(path, **changed)
    content = path.read_bytes()
    with pytest.raises(NinefoldError) as refused:
        saves.resume(path)
    assert sentence in str(refused.value)
    assert "\n" not in str(refused.value)
    assert path.read_bytes() == content
    Journal.open(path).close()


@pytest.mark.parametrize(
    "line",
    [
        {"steps": 5},
        {"steps": [5]},
        {"steps": [[0, "fly"]]},
        {"steps": [["chance", "roll 9 9"]]},
        {"steps": [[7, "stay"]]},
        {"undo": "x"},
        {"steps": [[0, 7]]},
        {"steps": None},
    ],
)
def test_steps_that_make_no_sense_are_refused(line: dict[str, Any]) -> None:
    match, path = begun("doubles")
    match._save(line)
    match.close()
    with pytest.raises(NinefoldError) as refused:
        saves.resume(path)
    assert "\n" not in str(refused.value)


def test_damage_is_noticed_and_the_file_left_alone() -> None:
    match, path = begun("baseball")
    go_on(match, random.Random(1), 10)
    match.close()
    content = bytearray(path.read_bytes())
    content[len(content) // 2] ^= 1
    path.write_bytes(content)
    with pytest.raises(NinefoldError, match=r"is damaged in line \d+; it was not changed"):
        saves.resume(path)
    assert path.read_bytes() == content
    path.write_bytes(b"\x89PNG\r\n")
    with pytest.raises(NinefoldError, match="is not a saved match"):
        saves.resume(path)


def test_one_bad_file_does_not_hide_the_others(home: Path) -> None:
    match, path = begun("doubles")
    go_on(match, random.Random(1))
    match.close()
    bad, bad_path = begun("doubles")
    bad.close()
    header(bad_path, game="chess")
    (home / "x.match").write_text("nothing")
    done = ninefold("history")
    assert path.stem in done.stdout
    assert done.stderr.count("\n") == 2
    assert [row["name"] for row in json.loads(ninefold("history", "--json").stdout)] == [path.stem]


# Two windows


def ninefold(*arguments: str, status: int = 0) -> subprocess.CompletedProcess[str]:
    done = subprocess.run(
        [sys.executable, "-m", "ninefold", *arguments],
        capture_output=True,
        text=True,
        input="",
        timeout=60,
        check=False,
    )
    assert done.returncode == status, done
    assert "Traceback" not in done.stderr
    return done


def test_a_match_is_open_in_one_window_only() -> None:
    match, path = begun("doubles")
    with pytest.raises(BusyError):
        saves.resume(path)
    done = ninefold("play", "--resume", status=2)
    assert done.stderr == (
        f"ninefold: the saved match {path} is open in another window; use it there, or close it first\n"
    )
    match.close()
    assert "Doubles" in ninefold("play", "--resume").stdout


def test_two_matches_of_a_day_have_names_of_their_own() -> None:
    paths = []
    for _ in range(3):
        match, path = begun("doubles")
        match.close()
        paths.append(path)
    assert len(set(paths)) == 3
    assert saves.locate("doubles-2") == paths[1]
    assert saves.locate("") == paths[2]
    with pytest.raises(RuleError, match="could be any of 3 matches"):
        saves.locate("doubles")
    for path in paths[:2]:
        match = saves.resume(path)
        go_on(match, random.Random(0))
        match.close()
    assert saves.locate("doubles", unfinished=True) == paths[2]
    with pytest.raises(RuleError, match="no match called 'chess'"):
        saves.locate("chess")


# Who sits down


def test_people_sit_down_first_and_bots_fill_the_seats() -> None:
    def called(*arguments: Any) -> list[tuple[str, str | None]]:
        return [(seat.name, seat.bot) for seat in seat_all(*arguments)]

    assert called(["Ann"], None, None, 3) == [("Ann", None), ("Medium 1", "medium"), ("Medium 2", "medium")]
    assert called(["Ann", "Ben"], "hard", None, 4)[2:] == [("Hard 1", "hard")]
    assert called(["Ann"], "hard", 3, 4)[1:] == [("Hard 1", "hard"), ("Hard 2", "hard")]
    assert called(["Easy 1"], "easy,threshold:400", None, 4)[1:] == [
        ("Easy bot 1", "easy"),
        ("Threshold 2", "threshold:400"),
    ]
    assert called([" Ann  Lee "], None, 1, 4) == [("Ann Lee", None)]


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ((["Ann", "ann"], None, None, 4), "two players have the same name"),
        ((["Ann"], "hard,easy", 5, 4), "1 person and 2 bots do not make 5 players"),
        ((["Ann", "Ben", "Cy"], None, 2, 4), "3 people and 0 bots do not make 2 players"),
        ((["a\x1b[0m"], None, None, 4), "letters that can be displayed"),
        ((["x" * 100], None, None, 4), "a name has 1 to 20 letters"),
        (([" "], None, None, 4), "a name has 1 to 20 letters"),
    ],
)
def test_seats_that_do_not_add_up(arguments: Any, sentence: str) -> None:
    with pytest.raises(RuleError, match=sentence):
        seat_all(*arguments)
