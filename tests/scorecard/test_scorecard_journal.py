"""The score card's file: torn tails, damage, locks, full disks; and the folder of saved cards."""

from __future__ import annotations

import errno
import io
import os
import random
from pathlib import Path
from typing import Any

import pytest

from ninefold.files import journal
from ninefold.files.journal import BusyError, Journal, NotSavedError, read
from ninefold.kernel.errors import RecordError, RuleError
from ninefold.scorecard import storage
from ninefold.scorecard.card import Card
from ninefold.scorecard.entries import Roll
from ninefold.scorecard.reading import Enter
from ninefold.scorecard.screen import PlainScreen
from ninefold.scorecard.session import Session
from ninefold.scorecard.steps import take

FIRST = {"first": "line", "name": "José 👩‍🚀"}


@pytest.fixture
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("NINEFOLD_DATA", str(tmp_path))
    return tmp_path / "scorecards"


def written(path: Path, count: int = 5) -> bytes:
    book = Journal.create(path, FIRST)
    for number in range(count):
        book.append({"n": number})
    book.close()
    return path.read_bytes()


def test_a_line_cut_off_at_any_byte_is_left_out(tmp_path: Path) -> None:
    whole = written(tmp_path / "card")
    ends = [index + 1 for index, byte in enumerate(whole) if byte == 10]
    path = tmp_path / "cut"
    for cut in range(ends[0], len(whole) + 1):
        path.write_bytes(whole[:cut])
        complete = sum(end <= cut + 1 for end in ends) - 1  # a line is complete without its newline too
        book = Journal.open(path)
        assert book.lines == [FIRST, *({"n": number} for number in range(complete))]
        assert book.torn == (cut not in ends and cut + 1 not in ends)
        assert path.read_bytes() == whole[:cut]
        book.append({"n": 99})
        book.close()
        assert read(path).lines == [FIRST, *({"n": number} for number in range(complete)), {"n": 99}]


def test_a_cut_off_first_line_is_no_card(tmp_path: Path) -> None:
    whole = written(tmp_path / "card", 0)
    path = tmp_path / "cut"
    for cut in range(len(whole) - 1):
        path.write_bytes(whole[:cut])
        with pytest.raises(RecordError, match="not a score card"):
            Journal.open(path, "score card")


@pytest.mark.parametrize(
    "rubbish", [b"\0" * 50, b'{"n":5', b"rubbish\n", b"\xff\xfe", b'{"n":5,"check":"00000000"}\n']
)
def test_rubbish_at_the_end_is_left_out(tmp_path: Path, rubbish: bytes) -> None:
    path = tmp_path / "card"
    whole = written(path)
    path.write_bytes(whole + rubbish)
    book = Journal.open(path)
    assert book.torn
    assert len(book.lines) == 6
    book.append({"n": 5})
    book.close()
    assert path.read_bytes().startswith(whole)
    assert len(read(path).lines) == 7


def test_a_damaged_middle_names_its_line_and_touches_nothing(tmp_path: Path) -> None:
    path = tmp_path / "card"
    whole = written(path)
    lines = whole.splitlines(keepends=True)
    broken = {
        3: b"".join([*lines[:2], lines[2].replace(b"1", b"7", 1), *lines[3:]]),
        2: b"".join([lines[0], *lines[2:]]),  # lost
        4: b"".join([*lines[:3], lines[2], *lines[3:]]),  # doubled
    }
    for number, content in broken.items():
        path.write_bytes(content)
        with pytest.raises(RecordError, match=f"is damaged in line {number}; it was not changed"):
            Journal.open(path)
        assert path.read_bytes() == content


def test_every_flipped_byte_is_noticed(tmp_path: Path) -> None:
    path = tmp_path / "card"
    whole = written(path, 3)
    last = whole.rstrip(b"\n").rindex(b"\n") + 1
    for index in range(last - 1):  # up to the newline before the last line, which may be torn
        path.write_bytes(whole[:index] + bytes([whole[index] ^ 1]) + whole[index + 1 :])
        with pytest.raises(RecordError):
            read(path)


def test_a_second_writer_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "card"
    book = Journal.create(path, FIRST)
    with pytest.raises(BusyError, match="open in another window"):
        Journal.open(path)
    assert read(path).lines == [FIRST]
    book.close()
    Journal.open(path).close()


def test_no_file_is_overwritten(tmp_path: Path) -> None:
    path = tmp_path / "card"
    path.write_text("precious")
    with pytest.raises(NotSavedError, match="file exists"):
        Journal.create(path, FIRST)
    assert path.read_text() == "precious"


class Disk:
    """A disk that writes so many bytes and then refuses."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.room: int | None = None
        real_write, real_sync = journal._write, os.fsync

        def write(file: io.FileIO, line: bytes) -> None:
            if self.room is not None and len(line) > self.room:
                file.write(line[: self.room])
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
            real_write(file, line)

        monkeypatch.setattr(journal, "_write", write)
        monkeypatch.setattr(os, "fsync", real_sync)


def test_a_full_disk_refuses_and_leaves_the_file_as_it_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "card"
    disk = Disk(monkeypatch)
    book = Journal.create(path, FIRST)
    book.append({"n": 0})
    before = path.read_bytes()
    for room in (0, 1, 10, 20):
        disk.room = room
        with pytest.raises(NotSavedError, match="no space left"):
            book.append({"n": 1})
        assert path.read_bytes() == before
    disk.room = None
    book.append({"n": 1})
    book.close()
    assert [line.get("n") for line in read(path).lines[1:]] == [0, 1]


def test_what_cannot_be_taken_back_at_once_is_before_the_next_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "card"
    disk = Disk(monkeypatch)
    book = Journal.create(path, FIRST)

    def broken(_: Any) -> None:
        raise OSError(errno.EIO, os.strerror(errno.EIO))

    with monkeypatch.context() as worse:
        worse.setattr(book, "_repair", lambda: broken(None))
        disk.room = 5
        with pytest.raises(NotSavedError):
            book.append({"n": 1})
    disk.room = None
    book.append({"n": 2})
    book.close()
    assert read(path).lines == [FIRST, {"n": 2}]


def test_a_removed_file_is_noticed(tmp_path: Path) -> None:
    path = tmp_path / "card"
    book = Journal.create(path, FIRST)
    path.unlink()
    with pytest.raises(NotSavedError, match="has been removed"):
        book.append({"n": 1})
    book.close()


def test_an_entry_that_is_not_saved_changes_nothing(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    disk = Disk(monkeypatch)
    book, card = storage.begin(["Ann", "Bob"], 1, 3, None)
    out = io.StringIO()
    session = Session(card, book, PlainScreen(out), random.Random(1).randrange)
    for line in ("34", "all"):
        disk.room = 3
        before = session.card
        assert session.handle(line)
        assert (
            out.getvalue()
            == "Not saved: no space left on device; nothing changed. Try again when there is space.\n"
        )
        assert session.card is before
        assert not before.draws
        disk.room = None
        assert session.handle(line)
        assert session.card is not before
        out.truncate(0)
        out.seek(0)
    book.close()
    assert storage.card_from(read(book.path), book.path).position == session.card.position


def test_cards_are_found_by_name(data: Path, tmp_path: Path) -> None:
    with pytest.raises(RuleError, match="no card in"):
        storage.locate("")
    paths = []
    for names in (["Ann", "Bob"], ["Ann", "Cleo"], ["Ann", "Bob"]):
        book, _ = storage.begin(names, 10, 10, None)
        book.close()
        paths.append(book.path)
        os.utime(book.path, (1000 * len(paths), 1000 * len(paths)))
    assert len(set(paths)) == 3
    assert storage.locate("") == paths[2]
    assert storage.locate("cleo") == paths[1]
    assert storage.locate(paths[0].stem) == paths[0]
    assert storage.locate(str(paths[0])) == paths[0]
    with pytest.raises(RuleError, match="could be any of 3 cards"):
        storage.locate("ann")
    with pytest.raises(RuleError, match="no card called 'zed'"):
        storage.locate("zed")
    assert [card.players for card in storage.listing()] == ["Ann and Bob", "Ann and Cleo", "Ann and Bob"]


def test_a_line_that_makes_no_sense_is_named(tmp_path: Path) -> None:
    path = tmp_path / "card.jsonl"
    book, card = storage.begin(["Ann"], 10, 10, path)
    book.append(storage.line_of(card, take(card, Enter(Roll(1, 2)))))
    book.append({"do": {"cash": [7]}})
    book.close()
    with pytest.raises(RecordError, match="is corrupt in line 3"):
        storage.card_from(read(path), path)


def test_another_version_says_so(tmp_path: Path) -> None:
    path = tmp_path / "card.jsonl"
    Journal.create(path, {"ninefold": "scorecard", "version": 7}).close()
    with pytest.raises(RecordError, match="has version 7"):
        storage.card_from(read(path), path)


def test_where_cards_lie(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NINEFOLD_DATA", "/a")
    assert storage.folder() == Path("/a/scorecards")
    monkeypatch.delenv("NINEFOLD_DATA")
    monkeypatch.setenv("XDG_DATA_HOME", "/b")
    assert storage.folder() == Path("/b/ninefold/scorecards")
    monkeypatch.delenv("XDG_DATA_HOME")
    monkeypatch.setenv("HOME", "/c")
    assert storage.folder() == Path("/c/.local/share/ninefold/scorecards")


def test_the_card_is_not_needed_to_read_a_header(tmp_path: Path) -> None:
    book, card = storage.begin(["Ann", "Uncle Jo"], 8, 12, tmp_path / "new" / "folder" / "x.card")
    book.close()
    assert isinstance(card, Card)
    first = read(book.path).lines[0]
    assert (first["game"], first["rounds"], first["names"]) == ("doubles", [8, 12], ["Ann", "Uncle Jo"])
