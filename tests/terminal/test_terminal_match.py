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
from ninefold.model.view import forced
from ninefold.terminal import saves
from ninefold.terminal.seating import seat_all
from ninefold.terminal.table import Table, read_lines
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
        go_on(match, source, source.randrange(1, 60 + len(match.steps)))  # long matches not for ever
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
    found = saves.read_saved(path)
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
        kept = len(read_lines(lines[1 : content[:cut].count(b"\n")])[0])
        assert again.steps[:kept] == steps[:kept]  # what was cut off comes anew, and may come otherwise
        again.close()


# Taking back


@pytest.mark.parametrize("name", nf.games())
def test_alone_against_bots_everything_can_be_taken_back(name: str) -> None:
    match, path = begun(name)
    source = random.Random(6)
    positions: list[bytes] = []
    while len(positions) < 6 and (seat := until_asked(match)) >= 0:
        if not forced(match.view(seat)):
            positions.append(match.state.tobytes())
        match.play(seat, any_move(match, seat, source))
    while positions:
        assert match.why_no_undo(0) is None
        match.undo(0)
        assert match.state.tobytes() == positions.pop()
        assert match.awaited == [0]
        assert saves.read_saved(path).steps == match.steps
    with pytest.raises(IllegalMove, match="you have not decided anything yet"):
        match.undo(0)
    match.close()


@pytest.mark.parametrize("name", nf.games())
def test_a_match_that_is_taken_back_is_not_over(name: str) -> None:
    match, path = begun(name)
    go_on(match, random.Random(1))
    assert saves.read_saved(path).over
    match.undo(0)
    assert not match.over
    assert not saves.read_saved(path).over
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
        other, path = saves.begin(match.game, match.match.seats, None)
        other.fork(match.steps[:length])
        assert other.steps[:length] == match.steps[:length]
        assert other.awaited or other.next_bot is not None or other.over
        found = saves.read_saved(path)
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
        match.state.admit(seat, advised)
        assert everything(match) == before
        match.play(seat, advised)


def test_a_question_cites_the_rule() -> None:
    match = sit("baseball", people=2, players=2)
    before = everything(match)
    with pytest.raises(IllegalMove) as refused:
        match.state.admit(match.awaited[0], "take r1c1")
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
    def called(
        people: list[str], bots: str | None, players: int | None, level: str = ""
    ) -> list[tuple[str, str | None]]:
        return [(seat.name, seat.bot) for seat in seat_all("doubles", people, bots, players, 7, level)]

    seated = called(["Ann"], None, None)
    assert seated[0] == ("Ann", None) and len({name for name, _ in seated}) == 4
    assert all(bot == f"{name.lower()}:medium" for name, bot in seated[1:])
    assert called(["Ann"], None, None) == seated  # the same seed, the same bots
    assert all(bot.endswith(":hard") for _, bot in called(["Ann"], None, None, level="hard")[1:] if bot)
    assert called(["Ann"], "ada,Bo:hard", None)[1:] == [("Ada", "ada"), ("Bo", "bo:hard")]
    assert called(["Ann"], "ada,bo:hard", None, level="easy")[1:] == [("Ada", "ada:easy"), ("Bo", "bo:hard")]
    kips = called(["Ann"], "kip", 4)[1:]
    assert kips[0] == ("Kip", "kip") and [bot and bot.split(":")[1] for _, bot in kips[1:]] == ["medium"] * 2
    assert called(["Ann", "Ben"], "hard", None)[2:] == [("Hard bot", "hard")]
    assert called(["Ann"], "hard", 3)[1:] == [("Hard bot", "hard"), ("Hard bot 2", "hard")]
    assert called(["Easy bot"], "easy,threshold:400", None)[1:] == [
        ("Easy bot 2", "easy"),
        ("Threshold bot", "threshold:400"),
    ]
    assert called([" Ann  Lee "], None, 1) == [("Ann Lee", None)]


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ((["Ann", "ann"], None, None), "two players have the same name"),
        ((["Ann"], "hard,easy", 5), "1 person and 2 bots do not make 5 players"),
        ((["Ann", "Ben", "Cy"], None, 2), "3 people and 0 bots do not make 2 players"),
        ((["a\x1b[0m"], None, None), "letters that can be displayed"),
        ((["x" * 100], None, None), "a name has 1 to 20 letters"),
        ((["Ann"], "ada,ada", None), "Ada is at the table already"),
        ((["Ada"], "ada", None), "Ada is at the table already"),
        ((["Ann"], "ada:grand", None), "Ada plays at a level, as in ada:hard, not 'grand'"),
        (([" "], None, None), "a name has 1 to 20 letters"),
    ],
)
def test_seats_that_do_not_add_up(arguments: Any, sentence: str) -> None:
    people, bots, players = arguments
    with pytest.raises(RuleError, match=sentence):
        seat_all("doubles", people, bots, players, 7)


# Bots remember


def coming(match: Table) -> list[tuple[int, str]]:
    """What each bot would do now."""
    found = []
    for seat in match.match.waiting_for:
        if match.match.seats[seat].played_by:
            moved = [one.event for one in match.match.copy().let_bot(seat)]
            found.append((seat, getattr(moved[0], "move", "") if moved else "waits"))
    return found


def remembered(match: Table) -> list[bytes]:
    """What each bot remembers, and what `hard` would remember in the place of a person, for hints."""
    return match.match.recall([seat.played_by or "hard" for seat in match.match.seats])


@pytest.mark.parametrize("name", nf.games())
def test_bots_do_the_same_after_a_match_is_taken_up_again(name: str) -> None:
    game = Game(name, None, {})
    strongest = "expert" if "expert" in {bot.name for bot in game.facts.bots} else "hard"
    levels = ["medium", strongest, "hard"]
    bots = ",".join(f"mixed:{levels[at % 3]}" for at in range(game.players - 1))
    for seed in (3, 4):
        match, path = saves.begin(game, seat_all(name, ["Ann"], bots, game.players, seed), seed)
        match.begin()
        source = random.Random(seed)
        for _ in range(4):
            go_on(match, source, source.randrange(1, 25))
            if match.match.sealed or match.over:
                continue
            before = coming(match), remembered(match)
            match.close()
            match = saves.resume(path)
            assert (coming(match), remembered(match)) == before
        match.close()


def past_the_third_seven(seed: int) -> Table:
    """A match that waits for Ann's decision, two rolls past the third seven, against one who waits six."""
    seats = seat_all("doubles", ["Ann"], "wait:6", None, seed)
    match, _ = saves.begin(Game("doubles", 2, {"rounds": 40}), seats, seed)
    match.begin()
    since = 0
    while not (match.state.position.sevens == 3 and since >= 2) and not match.over:
        if match.next_bot is not None:
            match.step_bot()
        else:
            match.play(0, "stay")
            since = since + 1 if match.state.position.sevens == 3 else 0
    return match


def test_a_bot_that_waits_still_knows_for_how_long_after_undo_and_in_a_fork() -> None:
    tried = 0
    for seed in range(6):
        match = past_the_third_seven(seed)
        if match.over:
            continue
        tried += 1
        while match.next_bot is not None:
            match.step_bot()
        match.undo(0)
        assert {move for _, move in coming(match)} <= {"stay"}
        fork, _ = saves.begin(match.game, match.match.seats, seed + 50)
        fork.fork(match.steps)
        assert coming(fork) == coming(match)
        fork.close()
        match.close()
    assert tried >= 3


def test_a_save_says_nothing_about_cards_to_come_and_old_ones_can_be_read() -> None:
    match, path = begun("baseball", seed=12)
    first, *lines = read(path, saves.KIND).lines
    assert first["bots"] != 12 and match.match.bot_seed == first["bots"]
    match.close()
    del first["bots"]  # as version 0.1 wrote it
    path = path.with_name("old.match")
    journal = Journal.create(path, first, saves.KIND)
    for line in lines:
        journal.append(line)
    journal.close()
    seeds = set()
    for _ in range(2):
        again = saves.resume(path)
        seeds.add(again.match.bot_seed)
        again.close()
    assert len(seeds) == 1


def test_a_match_leaves_the_terminal_as_a_record(tmp_path: Path) -> None:
    table, path = begun("doubles", people=0, seed=3)
    while not table.over:
        table.step_bot()
    table.close()
    out = tmp_path / "out.json"
    ninefold("replay", path.stem, "--record", str(out))
    record = json.loads(out.read_text("utf-8"))
    assert record["names"] == table.names
    assert nf.load(out) == nf.load(path.stem) == nf.replay(record) == table.state
    assert "is complete" in ninefold("verify", path.stem).stdout


def test_a_match_that_is_not_over_gives_no_record(tmp_path: Path) -> None:
    table, path = begun("holdem9")
    table.close()
    assert "not over" in ninefold("replay", path.stem, "--record", str(tmp_path / "r.json"), status=2).stderr
    assert not (tmp_path / "r.json").exists()
