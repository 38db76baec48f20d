"""Processes of this machine as an executor: for Python bots, which threads cannot play side by side."""

from __future__ import annotations

import signal
from collections.abc import Iterable, Sequence
from concurrent.futures import Future
from typing import Any

from ninefold.kernel.errors import NinefoldError
from ninefold.simulation.executors import Pace, TaskResult, play_parts

IDLE = 10  # seconds after which a process that has nothing to do ends


class Processes:
    """A pool of processes, kept for the next job."""

    def __init__(self, packed: bytes, concurrency: int) -> None:
        from loky import get_reusable_executor

        self.concurrency = self.size = concurrency
        self._packed, self._pace = packed, Pace()
        self._pool = get_reusable_executor(
            max_workers=concurrency, timeout=IDLE, initializer=_ignore_interrupts
        )
        self._stopped = False

    def task_size(self, left: int) -> int:
        return self._pace.task_size(left, self.concurrency)

    def submit(self, parts: Sequence[Any]) -> Future[Any]:
        future: Future[Any] = self._pool.submit(play_parts, self._packed, parts)
        return future

    def receive(self, future: Future[Any]) -> TaskResult:
        from loky.process_executor import BrokenProcessPool

        try:
            result: TaskResult = future.result()
        except NinefoldError:
            raise
        except BrokenProcessPool:
            raise NinefoldError(
                "a process with Python bots was killed, perhaps for want of memory; use fewer --threads"
            ) from None
        except Exception as error:
            raise NinefoldError(f"a process with Python bots failed: {error}") from error
        return self._pace.note(result)

    def under_way(self) -> int:
        return 0

    def stop(self, running: Iterable[Future[Any]]) -> list[Future[Any]]:
        """Keep what has arrived; the rest is dropped with its processes."""
        self._stopped = True
        return [future for future in running if future.done() and future.exception() is None]

    def close(self) -> list[Any]:
        if self._stopped:
            self._pool.shutdown(wait=False, kill_workers=True)
        return []


def _ignore_interrupts() -> None:
    """Ctrl-C in a terminal reaches every process; this one is stopped by the one that started it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
