"""An append-only file of JSON lines that survives a pulled plug: what `append` has taken is on the disk.

Every line ends in a checksum that runs on from the line before: a damaged, lost or doubled line is noticed.
It knows nothing of games or players: what the lines say, and what such a file is called, is the business of
whoever writes them.
"""

from __future__ import annotations

import json
import os
import re
import sys
import zlib
from io import FileIO
from pathlib import Path
from typing import Any

from ninefold.kernel.errors import NinefoldError, RecordError

if sys.platform != "win32":
    import fcntl

_CHECK = re.compile(rb',"check":"([0-9a-f]{8})"\}$')
_UNSEEN = re.compile(r"[\x00-\x1f\x7f-\x9f]")


class NotSavedError(NinefoldError):
    """A line that could not be stored; the file is as it was."""


class BusyError(NinefoldError):
    """Another process has this file open."""


def reason(error: OSError) -> str:
    """Why the system refused, in its own words."""
    return (error.strerror or str(error)).lower()


def path_words(path: Path) -> str:
    """A path fit to be shown."""
    return _UNSEEN.sub("?", str(path).encode("utf-8", "replace").decode())


def _sealed(data: dict[str, Any], check: int) -> tuple[bytes, int]:
    body = json.dumps(data, ensure_ascii=False, separators=(",", ":")).encode()[:-1]
    check = zlib.crc32(body, check)
    return body + b',"check":"%08x"}\n' % check, check


def _opened(line: bytes, check: int) -> tuple[dict[str, Any], int] | None:
    """What a line holds and the checksum to run on from; None where it is damaged."""
    if not (found := _CHECK.search(line)):
        return None
    body = line[: found.start()]
    check = zlib.crc32(body, check)
    if check != int(found[1], 16):
        return None
    try:
        data = json.loads(body + b"}")
    except ValueError:
        return None
    return (data, check) if isinstance(data, dict) else None


class Pages:
    """What a journal holds: its lines, and where a cut-off last line begins, if there is one."""

    def __init__(self, content: bytes, path: Path, kind: str) -> None:
        self.lines: list[dict[str, Any]] = []
        self.check = 0
        self.good = 0  # bytes up to the end of the last good line
        raw = content.split(b"\n")
        if raw[-1] == b"":
            raw.pop()
        for number, line in enumerate(raw, 1):
            found = _opened(line, self.check)
            if found is None:
                if number == len(raw) and number > 1:
                    break  # cut off in mid-write: the line was never acknowledged
                what = f"is not a {kind}" if number == 1 else f"is damaged in line {number}"
                raise RecordError(f"the file {path_words(path)} {what}; it was left untouched")
            data, self.check = found
            self.lines.append(data)
            self.good += len(line) + 1
        if not self.lines:
            raise RecordError(f"the file {path_words(path)} is empty and not a {kind}")
        self.torn = self.good < len(content)
        self.unfinished = self.good > len(content)  # only the newline is missing


def read(path: Path, kind: str = "file") -> Pages:
    """The lines of a journal, which may be open elsewhere; the file is not touched."""
    try:
        return Pages(path.read_bytes(), path, kind)
    except OSError as error:
        raise RecordError(f"cannot read the {kind} {path_words(path)}: {reason(error)}") from None


class Journal:
    """A journal open for writing, by this process alone."""

    def __init__(self, path: Path, file: FileIO, pages: Pages) -> None:
        self.path = path
        self._file = file
        self._check = pages.check
        self._size = pages.good
        self.lines = pages.lines
        self.torn = pages.torn
        self._dirty = pages.torn or pages.unfinished
        self._unfinished = pages.unfinished

    @classmethod
    def create(cls, path: Path, first: dict[str, Any], kind: str = "file") -> Journal:
        """A new file with a first line; NotSavedError where it cannot be made, or is there already."""
        line, _ = _sealed(first, 0)
        try:
            if not path.parent.is_dir():
                path.parent.mkdir(parents=True)
            number = os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), 0o644)
        except OSError as error:
            raise NotSavedError(f"cannot make the {kind} {path_words(path)}: {reason(error)}") from None
        file = FileIO(number, "r+")
        try:
            _lock(file, path, kind)
            _write(file, line)
            _sync_folder(path.parent)
        except OSError as error:
            file.close()
            path.unlink(missing_ok=True)
            raise NotSavedError(f"cannot make the {kind} {path_words(path)}: {reason(error)}") from None
        return cls(path, file, Pages(line, path, kind))

    @classmethod
    def open(cls, path: Path, kind: str = "file") -> Journal:
        """An existing journal; RecordError where it is damaged, BusyError where it is open elsewhere."""
        try:
            file = FileIO(path, "r+")
        except OSError as error:
            raise RecordError(f"cannot open the {kind} {path_words(path)}: {reason(error)}") from None
        try:
            _lock(file, path, kind)
            return cls(path, file, Pages(path.read_bytes(), path, kind))
        except OSError as error:
            file.close()
            raise RecordError(f"cannot open the {kind} {path_words(path)}: {reason(error)}") from None
        except NinefoldError:
            file.close()
            raise

    def append(self, data: dict[str, Any]) -> None:
        """Store a line; NotSavedError, and the file as it was, where that cannot be done."""
        line, check = _sealed(data, self._check)
        try:
            if os.fstat(self._file.fileno()).st_nlink == 0:
                raise OSError(0, "its file has been removed")
            if self._dirty:
                self._mend()
            self._file.seek(self._size)
            self._dirty = True
            _write(self._file, line)
        except OSError as error:
            self._take_back()
            raise NotSavedError(reason(error)) from None
        self._dirty = False
        self._size += len(line)
        self._check = check

    def _mend(self) -> None:
        """Cut off what was not finished."""
        if self._unfinished:
            self._file.seek(self._size - 1)
            _write(self._file, b"\n")
            self._unfinished = False
        self._file.truncate(self._size)
        self._dirty = False

    def _take_back(self) -> None:
        try:
            self._mend()
            os.fsync(self._file.fileno())
        except OSError:
            self._dirty = True  # tried again before the next line

    def close(self) -> None:
        """Let the file go."""
        self._file.close()


def _write(file: FileIO, line: bytes) -> None:
    rest = memoryview(line)
    while rest:
        rest = rest[file.write(rest) or 0 :]
    os.fsync(file.fileno())


def _lock(file: FileIO, path: Path, kind: str) -> None:
    if sys.platform != "win32":
        try:
            fcntl.flock(file.fileno(), fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise BusyError(
                f"the {kind} {path_words(path)} is open in another window; go on there, or close it"
            ) from None


def _sync_folder(folder: Path) -> None:
    """Make a new file's name durable too, where the system can."""
    if sys.platform != "win32":
        number = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(number)
        except OSError:
            pass
        finally:
            os.close(number)
