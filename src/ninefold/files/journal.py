"""An append-only file of JSON lines that survives a power cut: when `append` returns, the line is on disk.

Every line ends in a checksum that includes the line before, so a damaged, lost or duplicated line is
detected. Knows nothing about games or players: the caller decides what the lines mean and what the file is
called.
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
    """A line could not be stored; the file is unchanged."""


class BusyError(NinefoldError):
    """Another process has this file open."""


def reason(error: OSError) -> str:
    """The system's own explanation of an error."""
    return (error.strerror or str(error)).lower()


def path_words(path: Path) -> str:
    """A path as text that can be displayed."""
    return _UNSEEN.sub("?", str(path).encode("utf-8", "replace").decode())


def _sealed(data: dict[str, Any], check: int) -> tuple[bytes, int]:
    body = json.dumps(data, ensure_ascii=False, separators=(",", ":")).encode()[:-1]
    check = zlib.crc32(body, check)
    return body + b',"check":"%08x"}\n' % check, check


def _opened(line: bytes, check: int) -> tuple[dict[str, Any], int] | None:
    """The content of a line and its checksum; None if it is damaged."""
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
    """The content of a journal: its lines, and where an incomplete last line begins, if there is one."""

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
                    break  # incomplete: the line was never acknowledged
                what = f"is not a {kind}" if number == 1 else f"is damaged in line {number}"
                raise RecordError(f"the file {path_words(path)} {what}; it was not changed")
            data, self.check = found
            self.lines.append(data)
            self.good += len(line) + 1
        if not self.lines:
            raise RecordError(f"the file {path_words(path)} is empty, so it is not a {kind}")
        self.torn = self.good < len(content)
        self.unfinished = self.good > len(content)  # only the newline is missing


def read(path: Path, kind: str = "file") -> Pages:
    """Read the lines of a journal, which may be open elsewhere, without changing the file."""
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
        """Create a file with a first line; NotSavedError if it cannot be created or already exists."""
        line, _ = _sealed(first, 0)
        try:
            if not path.parent.is_dir():
                path.parent.mkdir(parents=True)
            number = os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), 0o644)
        except OSError as error:
            raise NotSavedError(f"cannot create the {kind} {path_words(path)}: {reason(error)}") from None
        file = FileIO(number, "r+")
        try:
            _lock(file, path, kind)
            _write(file, line)
            _sync_folder(path.parent)
        except OSError as error:
            file.close()
            path.unlink(missing_ok=True)
            raise NotSavedError(f"cannot create the {kind} {path_words(path)}: {reason(error)}") from None
        return cls(path, file, Pages(line, path, kind))

    @classmethod
    def open(cls, path: Path, kind: str = "file") -> Journal:
        """Open an existing journal; RecordError if it is damaged, BusyError if it is open elsewhere."""
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
        """Store a line; if that fails, NotSavedError, and the file is unchanged."""
        line, check = _sealed(data, self._check)
        try:
            if os.fstat(self._file.fileno()).st_nlink == 0:
                raise OSError(0, "its file has been removed")
            if self._dirty:
                self._repair()
            self._file.seek(self._size)
            self._dirty = True
            _write(self._file, line)
        except OSError as error:
            self._roll_back()
            raise NotSavedError(reason(error)) from None
        self._dirty = False
        self._size += len(line)
        self._check = check

    def _repair(self) -> None:
        """Remove an incomplete line."""
        if self._unfinished:
            self._file.seek(self._size - 1)
            _write(self._file, b"\n")
            self._unfinished = False
        self._file.truncate(self._size)
        self._dirty = False

    def _roll_back(self) -> None:
        try:
            self._repair()
            os.fsync(self._file.fileno())
        except OSError:
            self._dirty = True  # retried before the next line

    def close(self) -> None:
        """Close the file, for others to open."""
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
                f"the {kind} {path_words(path)} is open in another window; use it there, or close it first"
            ) from None


def _sync_folder(folder: Path) -> None:
    """Make a new file's name durable too, if the system can."""
    if sys.platform != "win32":
        number = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(number)
        except OSError:
            pass
        finally:
            os.close(number)
