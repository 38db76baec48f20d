"""A process at the other end of a terminal: type at it, and read what stands on its screen."""

from __future__ import annotations

import fcntl
import os
import pty
import re
import select
import signal
import struct
import subprocess
import sys
import termios
import time
from collections.abc import Callable

import pyte

NINEFOLD = [sys.executable, "-m", "ninefold"]
BUTTON = re.compile(r"\[([\w.])\] ")
PATIENCE = 120.0  # seconds; only a failing test waits so long
_FOREIGN = re.compile(rb"\x1b\[[<>=][0-9;]*[a-zA-Z]|\x1b\[[0-9;?]*\$[a-z]|\x1bP.*?\x1b\\", re.S)


def take_terminal() -> None:
    """As a shell in a window of its own would start it, whatever this process has blocked or ignores."""
    signal.pthread_sigmask(signal.SIG_SETMASK, [])
    for number in (signal.SIGHUP, signal.SIGINT, signal.SIGWINCH, signal.SIGTSTP, signal.SIGCONT):
        signal.signal(number, signal.SIG_DFL)
    os.setsid()
    fcntl.ioctl(0, termios.TIOCSCTTY, 0)


def _own_environment() -> dict[str, str]:
    """Ours, but for what would tell the process another size than its window has."""
    return {name: value for name, value in os.environ.items() if name not in ("COLUMNS", "LINES")}


class Screen:
    """`ninefold …` in a terminal of a certain size."""

    def __init__(self, *arguments: str, size: tuple[int, int] = (80, 24), **environment: str) -> None:
        self.terminal, inner = pty.openpty()
        self._shape(inner, size)
        self.before = termios.tcgetattr(inner)
        self.process = subprocess.Popen(
            [*NINEFOLD, *arguments],
            stdin=inner,
            stdout=inner,
            stderr=inner,
            env={**_own_environment(), "TERM": "xterm-256color", "LANG": "C.UTF-8", **environment},
            preexec_fn=take_terminal,
        )
        self.inner = inner
        self.drawn = pyte.Screen(*size)
        self._stream = pyte.ByteStream(self.drawn)
        self.seen = b""

    def _shape(self, terminal: int, size: tuple[int, int]) -> None:
        fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", size[1], size[0], 0, 0))

    # What stands there

    @property
    def rows(self) -> list[str]:
        return [row.rstrip() for row in self.drawn.display]

    @property
    def text(self) -> str:
        return "\n".join(self.rows)

    @property
    def keys(self) -> list[str]:
        """The keys of the buttons to be seen."""
        return BUTTON.findall(self.text)

    def look(self, seconds: float = 0.0) -> bool:
        """Take in what has come, until nothing more comes for so long; whether more may come."""
        while select.select([self.terminal], [], [], seconds)[0]:
            try:
                data = os.read(self.terminal, 1 << 16)
            except OSError:
                return False
            if not data:
                return False
            self.seen += data
            self._stream.feed(_FOREIGN.sub(b"", data))
        return True

    def wait(self, wanted: str | Callable[[], object], seconds: float = PATIENCE) -> None:
        """Wait until a pattern stands on the screen, or something is true."""
        met = wanted if callable(wanted) else lambda: re.search(wanted, self.text)
        end = time.monotonic() + seconds
        while not met():
            assert time.monotonic() < end, f"waited for {wanted} in vain:\n{self.text}"
            select.select([self.terminal], [], [], 0.1)
            if not self.look(0.004):
                assert met(), f"{wanted} did not come before the end:\n{self.text}"

    # What is done to it

    def type(self, text: str) -> None:
        os.write(self.terminal, text.encode())

    def press(self, text: str, wanted: str | Callable[[], object]) -> None:
        """Type something and wait for what it brings."""
        self.type(text)
        self.wait(wanted)

    def click(self, column: int, row: int) -> None:
        """A click of the left button, columns and rows from 0."""
        self.type(f"\x1b[<0;{column + 1};{row + 1}M\x1b[<0;{column + 1};{row + 1}m")

    def find(self, text: str) -> tuple[int, int]:
        """The column and row at which something stands."""
        for row, line in enumerate(self.drawn.display):
            if text in line:
                return line.index(text), row
        raise AssertionError(f"{text!r} is not there:\n{self.text}")

    def resize(self, size: tuple[int, int]) -> None:
        self.drawn.resize(size[1], size[0])
        self.drawn.reset()
        self._shape(self.inner, size)
        os.killpg(self.process.pid, signal.SIGWINCH)

    def end(self) -> int:
        """Wait for the process to end; its status. The terminal is as it was before."""
        finish = time.monotonic() + PATIENCE
        while self.process.poll() is None and time.monotonic() < finish:
            self.look(0.01)
        status = self.process.wait(1)
        self.look()
        self.after = termios.tcgetattr(self.inner)
        os.close(self.inner)
        os.close(self.terminal)
        return status

    def kill(self) -> None:
        """Pull the plug."""
        os.kill(self.process.pid, signal.SIGKILL)
        self.process.wait()
        self.look()
        os.close(self.inner)
        os.close(self.terminal)
