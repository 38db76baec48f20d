"""Several processes that act as one server: one port, one database, and pipes to notify each other.

Every process has a pipe into which the others write which tables have changed. The main process serves
nobody: it starts the others, restarts one that has died, and stops all of them. If it dies, they stop too.
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

ENV_VAR = "NINEFOLD_SIBLING"  # its number and pipes, for each process
EVERYTHING = "*"  # sent instead of notifications that did not fit
WHOLE = 4096  # bytes that a pipe takes in one piece, even with several writers
CHECK_EVERY = 0.1  # seconds between checks that all are alive
YOUNG = 10.0  # seconds: a process that fails sooner will fail again
SLOW = 4.8  # seconds after which processes that have not stopped by themselves are killed

log = logging.getLogger("ninefold.server")


class ServerProcesses:
    """The other processes of this server, as one of them sees it."""

    def __init__(self, own: int, read_fd: int, write_fds: Sequence[int]) -> None:
        self._own = own
        self._read_fd = read_fd
        self._write_fds = write_fds
        self._owed: set[int] = set()  # processes that missed a notification
        self._writing = threading.Lock()  # the writer's thread and the event loop both write

    @classmethod
    def given(cls) -> ServerProcesses | None:
        """The peers of this process, from its environment; None if it is alone."""
        words = os.environ.pop(ENV_VAR, "").split()
        if not words:
            return None
        own, read_fd, life, *write_fds = map(int, words)
        threading.Thread(target=_end_with, args=(life,), name="life", daemon=True).start()
        return cls(own, read_fd, write_fds)

    def notify(self, lines: Sequence[str], include_self: bool = False) -> None:
        """Notify the others. One whose pipe is full learns later that it missed something."""
        with self._writing:
            for number in range(len(self._write_fds)):
                if number != self._own or include_self:
                    self._send(number, lines)

    def _send(self, number: int, lines: Sequence[str]) -> None:
        said = [EVERYTHING, *lines] if number in self._owed else lines
        self._owed.discard(number)
        try:
            for piece in _pieces(said):
                os.write(self._write_fds[number], piece)
        except OSError:  # its pipe is full, or it is gone
            self._owed.add(number)

    async def listen(self) -> AsyncIterator[str]:
        """Read what the others write."""
        heard = asyncio.StreamReader()
        pipe = os.fdopen(os.dup(self._read_fd), "rb", 0)
        transport, _ = await asyncio.get_running_loop().connect_read_pipe(
            lambda: asyncio.StreamReaderProtocol(heard), pipe
        )
        try:
            while words := await heard.readline():
                yield words.decode().rstrip("\n")
        finally:
            transport.close()
            pipe.close()


def _pieces(lines: Sequence[str]) -> list[bytes]:
    """Lines in pieces that fit into one write."""
    pieces = [b""]
    for line in lines:
        words = line.encode() + b"\n"
        if len(pieces[-1]) + len(words) > WHOLE:
            pieces.append(b"")
        pieces[-1] += words
    return pieces


def _end_with(life: int) -> None:
    """Stop when the main process does."""
    os.read(life, 1)
    os.kill(os.getpid(), signal.SIGTERM)


class Parent:
    """Starts the processes of a server and keeps them alive."""

    def __init__(self, count: int, arguments: Sequence[str], kept: Sequence[int]) -> None:
        self._arguments = arguments
        self._kept = kept  # sockets to keep open as long as any process lives
        self._pipes = [os.pipe() for _ in range(count)]
        self._life = os.pipe()
        for _, write_fd in self._pipes:
            os.set_blocking(write_fd, False)
        self._stopping = False
        self._begun = [0.0] * count
        self._running: list[subprocess.Popen[Any]] = []

    def start(self) -> None:
        self._running = [self._start(number) for number in range(len(self._pipes))]

    def _start(self, number: int) -> subprocess.Popen[Any]:
        self._begun[number] = time.monotonic()
        read_fd, write_fds = self._pipes[number][0], [write_fd for _, write_fd in self._pipes]
        given = [number, read_fd, self._life[0], *write_fds]
        return subprocess.Popen(
            [sys.executable, "-m", "ninefold", "serve", *self._arguments],
            env={**os.environ, ENV_VAR: " ".join(map(str, given))},
            pass_fds=[*given[1:], *self._kept],
        )

    def keep_alive(self) -> int:
        """Run until stopped, or until restarting is pointless; returns the exit status."""
        for one in (signal.SIGTERM, signal.SIGINT):
            signal.signal(one, self._stop)
        status = 0
        while not self._stopping:
            time.sleep(CHECK_EVERY)
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
        until = time.monotonic() + SLOW
        for process in self._running:
            try:
                process.wait(max(0.0, until - time.monotonic()))
            except subprocess.TimeoutExpired:
                process.kill()
