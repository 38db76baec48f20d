"""Where games are played: threads or processes of this machine, its CUDA card, or a Ray cluster.

Work comes in parts that depend on nothing but themselves, so a part can be played anywhere, and once more
where a machine was lost. Outcomes are taken in the order of the parts: a seed gives the same result with any
executor. Memory grows with the number of workers, not with the work. Nothing here knows what a part is.
"""

from __future__ import annotations

import itertools
import os
import pickle
import sys
import sysconfig
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Protocol

from ninefold.kernel.compile import PACKAGE_NAME
from ninefold.kernel.errors import RuleError

Progress = Callable[[int], None]

AHEAD = 8  # finished tasks, for each one under way, that may wait for one that takes long
TASK = 1.0  # seconds that a task should take where it is sent to another process
MOST_PARTS = 512  # in one task
ALONE = 1.0  # seconds that Python bots play here before other processes are started
KEPT = 4  # jobs that a process remembers
INSTALLED = {"site-packages", "dist-packages"}  # folders of packages


class Worker(Protocol):
    """Plays parts, one after another."""

    @property
    def under_way(self) -> int:
        """Games of the part that is being played, or was played last."""

    def prepare(self) -> None:
        """Compile, or load what was compiled."""

    def play(self, part: Any) -> Any:
        """Play a part. The outcome has `done`, the number of its games."""

    def gathered(self) -> Any:
        """What came of all parts since the last call and can be added in any order."""

    def rest(self) -> None:
        """Nothing is under way any more."""

    def stop(self) -> None:
        """Stop in the middle of a part; its outcome is that of the games played."""


@dataclass(frozen=True)
class Job:
    """What to play: a recipe for workers, the parts, and where their outcomes go."""

    recipe: Callable[[], Worker]
    parts: Iterator[Any]
    number: int  # of parts
    take: Callable[[Any], None]  # an outcome, in the order of the parts
    add: Callable[[Any], None]  # what was gathered, in any order
    in_python: bool = False  # threads would wait for one another


@dataclass(frozen=True)
class Place:
    """Where to play: on some threads or processes, on a cluster, or on a CUDA card."""

    threads: int
    cluster: str | None = None
    device: str | None = None


@dataclass(frozen=True)
class TaskResult:
    """What a task returns."""

    outcomes: list[Any]
    gathered: Any = None
    seconds: float = 0.0


class Executor(Protocol):
    """Plays tasks, each a few parts, several at once."""

    @property
    def size(self) -> int:
        """How many workers there are, or have been at most."""

    @property
    def concurrency(self) -> int:
        """Tasks that may be under way at once."""

    def task_size(self, left: int) -> int:
        """How many parts the next task should have, of those that are left."""

    def submit(self, parts: Sequence[Any]) -> Future[Any]: ...

    def receive(self, future: Future[Any]) -> TaskResult: ...

    def under_way(self) -> int:
        """Games played in tasks that were not received, as far as they are known."""

    def stop(self, running: Iterable[Future[Any]]) -> list[Future[Any]]:
        """Stop what is running; returns the tasks that still have a result."""

    def close(self) -> Sequence[Any]:
        """Free everything; returns what was gathered and not part of a result."""


@dataclass(frozen=True)
class Report:
    """How a job went."""

    interrupted: bool
    workers: int  # that played at once
    seconds: float  # without compiling, or connecting to a cluster


def play(job: Job, place: Place, progress: Progress | None = None, keep: bool = False) -> Report:
    """Play a job. With `keep`, an interrupt (Ctrl-C) keeps what was played so far."""
    if place.cluster is not None:
        from ninefold.simulation.cluster import Cluster

        executor: Executor = Cluster(job.recipe, place.cluster, place.threads)
    elif place.device is not None:
        from ninefold.simulation.device import Device

        executor = Device(job.recipe)
    elif job.in_python and place.threads > 1:
        executor = Threads(job.recipe, 1)
    else:
        executor = Threads(job.recipe, min(place.threads, job.number))
    run = _Run(job, progress, keep)
    start = time.perf_counter()
    if job.in_python and place.cluster is None and place.threads > 1:
        packed = pack(job.recipe)
        run.play(executor, ALONE)
        if run.left and not run.interrupted:
            from ninefold.simulation.processes import Processes

            executor = Processes(packed, place.threads)
            run.play(executor)
    else:
        run.play(executor)
    return Report(run.interrupted, executor.size, time.perf_counter() - start)


class _Run:
    """A job under way: sends its parts to an executor, and takes what comes back."""

    def __init__(self, job: Job, progress: Progress | None, keep: bool) -> None:
        self.left, self.interrupted = job.number, False
        self._job, self._progress, self._keep = job, progress, keep
        self._parts = iter(job.parts)
        self._done = self._sent = self._taken = 0
        self._finished: dict[int, list[Any]] = {}
        self._running: dict[Future[Any], int] = {}

    def play(self, executor: Executor, seconds: float | None = None) -> None:
        """Let an executor play what is left, or start tasks for some seconds only."""
        until = None if seconds is None else time.perf_counter() + seconds
        try:
            self._play(executor, until)
        except KeyboardInterrupt:
            self.interrupted = True
            still = executor.stop(self._running)
            if not self._keep:
                raise
            for future in still:
                self._receive(executor, future)
            for number in sorted(self._finished):
                self._take(number)
        except BaseException:
            executor.stop(self._running)
            raise
        finally:
            for gathered in executor.close():
                self._job.add(gathered)

    def _play(self, executor: Executor, until: float | None) -> None:
        while True:
            if until is None or time.perf_counter() < until:
                self._send(executor)
            if not self._running:
                return
            finished, _ = wait(self._running, timeout=0.1, return_when=FIRST_COMPLETED)
            for future in finished:
                self._receive(executor, future)
            while self._taken in self._finished:
                self._take(self._taken)
                self._taken += 1
            if self._progress:
                self._progress(self._done + executor.under_way())

    def _send(self, executor: Executor) -> None:
        """Keep as many tasks under way as the executor takes."""
        concurrency = executor.concurrency
        while (
            self.left and len(self._running) < concurrency and self._sent - self._taken < AHEAD * concurrency
        ):
            task = list(itertools.islice(self._parts, executor.task_size(self.left)))
            self._running[executor.submit(task)] = self._sent
            self._sent += 1
            self.left -= len(task)

    def _receive(self, executor: Executor, future: Future[Any]) -> None:
        number = self._running.pop(future)
        result = executor.receive(future)
        self._finished[number] = result.outcomes
        self._done += sum(outcome.done for outcome in result.outcomes)
        if result.gathered is not None:
            self._job.add(result.gathered)

    def _take(self, number: int) -> None:
        for outcome in self._finished.pop(number):
            self._job.take(outcome)


class Threads:
    """Threads of this process, each with a worker."""

    def __init__(self, recipe: Callable[[], Worker], concurrency: int) -> None:
        self.concurrency = self.size = concurrency
        self._workers = [recipe() for _ in range(concurrency)]
        self._workers[0].prepare()
        self._spare = list(self._workers)
        self._busy: dict[Future[Any], Worker] = {}
        self._pool = ThreadPoolExecutor(concurrency)

    def task_size(self, left: int) -> int:  # noqa: ARG002 (the shape of every executor)
        return 1

    def submit(self, parts: Sequence[Any]) -> Future[Any]:
        worker = self._spare.pop()
        future = self._pool.submit(worker.play, parts[0])
        self._busy[future] = worker
        return future

    def receive(self, future: Future[Any]) -> TaskResult:
        outcome = future.result()
        worker = self._busy.pop(future)
        worker.rest()
        self._spare.append(worker)
        return TaskResult([outcome])

    def under_way(self) -> int:
        return sum(worker.under_way for worker in self._busy.values())

    def stop(self, running: Iterable[Future[Any]]) -> list[Future[Any]]:
        for worker in self._busy.values():
            worker.stop()
        return list(running)

    def close(self) -> list[Any]:
        self._pool.shutdown()
        return [worker.gathered() for worker in self._workers]


class Pace:
    """How many parts a task should have, from the time that tasks took. It changes nothing in the result."""

    def __init__(self) -> None:
        self._each = 0.0  # seconds that a part takes

    def note(self, result: TaskResult) -> TaskResult:
        self._each = result.seconds / len(result.outcomes)
        return result

    def task_size(self, left: int, concurrency: int) -> int:
        fit = int(TASK / self._each) if self._each else 1
        return max(1, min(fit, MOST_PARTS, left // (2 * concurrency)))


# In another process

_workers: dict[bytes, Worker] = {}


def pack(value: Any) -> bytes:
    """A recipe, or bots, as bytes; what a person wrote and did not install travels by value."""
    import cloudpickle

    own = {module.__name__: module for module in list(sys.modules.values()) if _is_own(module)}.values()
    for module in own:
        cloudpickle.register_pickle_by_value(module)
    try:
        return bytes(cloudpickle.dumps(value))
    except Exception as error:
        raise RuleError(
            f"these bots cannot be sent to other processes ({type(error).__name__}: {error}); "
            f"without a cluster and with one thread they stay in this one"
        ) from error
    finally:
        for module in own:
            cloudpickle.unregister_pickle_by_value(module)


def _is_own(module: Any) -> bool:
    """Whether a module is a file of the person's, which other machines do not have."""
    file, name = getattr(module, "__file__", None), getattr(module, "__name__", "")
    if not isinstance(file, str) or name == "__main__" or name.partition(".")[0] == PACKAGE_NAME:
        return False
    if INSTALLED.intersection(Path(file).parts):  # for the user, say, or for the system below an environment
        return False
    return sys.modules.get(name) is module and not file.startswith(_installed())


@cache
def _installed() -> tuple[str, ...]:
    paths = sysconfig.get_paths()
    return tuple({paths[kind] for kind in ("stdlib", "platstdlib", "purelib", "platlib")})


def play_parts(packed: bytes, parts: Sequence[Any]) -> TaskResult:
    """Play some parts in another process."""
    worker = _worker(packed)
    start = time.perf_counter()
    outcomes = [worker.play(part) for part in parts]
    return TaskResult(outcomes, worker.gathered(), time.perf_counter() - start)


def _worker(packed: bytes) -> Worker:
    """The worker of a job, made for its first task."""
    if packed not in _workers:
        for old in list(_workers)[: 1 - KEPT]:
            del _workers[old]
        try:
            recipe = pickle.loads(packed)
        except (ImportError, AttributeError) as error:
            raise RuleError(f"a bot needs what the other process does not have: {error}") from error
        worker: Worker = recipe()
        worker.prepare()
        _workers[packed] = worker
    return _workers[packed]


def usable_cores() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
