"""Several processes that are one server: on one port, over one database, and woken by each other.

Every process has a pipe into which the others write which tables have changed. The process that was started
serves nobody: it starts the others, starts one again that has died, and ends all of them. They end, too, when
it is gone.
"""

from __future__ import annotations

import asyncio
import logging
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import AsyncIterator, Sequence
from typing import Any

GIVEN = "NINEFOLD_SIBLING"  # what a process is told about itself and the others
EVERYTHING = "*"  # said instead of what a process could not be told
WHOLE = 4096  # bytes that a pipe takes in one piece, whoever else writes to it
LOOK = 0.1  # seconds between two looks whether all are alive
YOUNG = 10.0  # seconds: a process that fails before will fail again
SLOW = 6.0  # seconds after which a process that was asked to end is ended

log = logging.getLogger("ninefold.server")


class Siblings:
    """The other processes of this server, as one of them sees it."""

    def __init__(self, own: int, ear: int, mouths: Sequence[int]) -> None:
        self._own = own
        self._ear = ear
        self._mouths = mouths
        self._owed: set[int] = set()  # those who could not be told something
        self._speaking = threading.Lock()  # the writer's thread speaks, and the event loop's

    @classmethod
    def given(cls) -> Siblings | None:
        """What this process was told when it was started; None where it is alone."""
        words = os.environ.pop(GIVEN, "").split()
        if not words:
            return None
        own, ear, life, *mouths = map(int, words)
        threading.Thread(target=_end_with, args=(life,), name="life", daemon=True).start()
        return cls(own, ear, mouths)

    def tell(self, lines: Sequence[str], oneself: bool = False) -> None:
        """Say something to the others. One that does not listen hears later that it has missed something."""
        with self._speaking:
            for number in range(len(self._mouths)):
                if number != self._own or oneself:
                    self._tell(number, lines)

    def _tell(self, number: int, lines: Sequence[str]) -> None:
        said = [EVERYTHING, *lines] if number in self._owed else lines
        self._owed.discard(number)
        try:
            for piece in _pieces(said):
                os.write(self._mouths[number], piece)
        except OSError:  # it has no room for more, or is gone
            self._owed.add(number)

    async def listen(self) -> AsyncIterator[str]:
        """What the others say."""
        heard = asyncio.StreamReader()
        pipe = os.fdopen(os.dup(self._ear), "rb", 0)
        line = await asyncio.get_running_loop().connect_read_pipe(
            lambda: asyncio.StreamReaderProtocol(heard), pipe
        )
        try:
            while words := await heard.readline():
                yield words.decode().rstrip("\n")
        finally:
            line[0].close()
            pipe.close()


def _pieces(lines: Sequence[str]) -> list[bytes]:
    """Lines in pieces that are written whole."""
    pieces = [b""]
    for line in lines:
        words = line.encode() + b"\n"
        if len(pieces[-1]) + len(words) > WHOLE:
            pieces.append(b"")
        pieces[-1] += words
    return pieces


def _end_with(life: int) -> None:
    """End when whoever started us does."""
    os.read(life, 1)
    os.kill(os.getpid(), signal.SIGTERM)


class Parent:
    """Starts the processes of a server and keeps them alive."""

    def __init__(self, count: int, arguments: Sequence[str], kept: Sequence[int]) -> None:
        self._arguments = arguments
        self._kept = kept  # what is to stay open for as long as any of them lives
        self._pipes = [os.pipe() for _ in range(count)]
        self._life = os.pipe()
        for _, mouth in self._pipes:
            os.set_blocking(mouth, False)
        self._stopping = False
        self._begun = [0.0] * count
        self._running: list[subprocess.Popen[Any]] = []

    def start(self) -> None:
        self._running = [self._start(number) for number in range(len(self._pipes))]

    def _start(self, number: int) -> subprocess.Popen[Any]:
        self._begun[number] = time.monotonic()
        ear, mouths = self._pipes[number][0], [mouth for _, mouth in self._pipes]
        told = [number, ear, self._life[0], *mouths]
        return subprocess.Popen(
            [sys.executable, "-m", "ninefold", "serve", *self._arguments],
            env={**os.environ, GIVEN: " ".join(map(str, told))},
            pass_fds=[*told[1:], *self._kept],
        )

    def keep_alive(self) -> int:
        """Until told to stop, or until it is of no use: the exit status."""
        for one in (signal.SIGTERM, signal.SIGINT):
            signal.signal(one, self._stop)
        status = 0
        while not self._stopping:
            time.sleep(LOOK)
            for number, process in enumerate(self._running):
                ended = process.poll()
                if ended is None or self._stopping:
                    continue
                if time.monotonic() - self._begun[number] < YOUNG and ended > 0:
                    status, self._stopping = ended, True
                    break
                log.warning("a process has ended", extra={"details": {"process": number, "status": ended}})
                self._running[number] = self._start(number)
        self._end()
        return status

    def _stop(self, *_: object) -> None:
        self._stopping = True

    def _end(self) -> None:
        for process in self._running:
            if process.poll() is None:
                process.terminate()
        for process in self._running:
            try:
                process.wait(SLOW)
            except subprocess.TimeoutExpired:
                process.kill()
