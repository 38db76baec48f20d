"""A Ray cluster as an executor: Ray runs tasks on its machines, and starts those that were lost again.

Nothing here schedules. Every machine needs the same Ninefold, which each task checks.
"""

from __future__ import annotations

import hashlib
import os
import socket
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future
from contextlib import contextmanager, suppress
from functools import cache
from typing import Any

from ninefold.kernel.compile import PACKAGE
from ninefold.kernel.errors import NinefoldError, RuleError
from ninefold.simulation.executors import Pace, Place, TaskResult, Worker, pack, play_parts

AUTO, LOCAL = "auto", "local"
ANSWER = 5.0  # seconds to wait for a machine
AGAIN = 20  # times that a task is started again when its process or machine is lost
NEWS = 5.0  # seconds after which the size of the cluster is asked again
GREETING = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + bytes(
    (0, 0, 0, 4, 0, 0, 0, 0, 0)
)  # of gRPC, which Ray speaks
SETTINGS = b"\x04"  # the kind of the first answer
QUIET = {"include_dashboard": False, "log_to_driver": False, "configure_logging": False}


class Cluster:
    """The machines of a cluster, connected to for as long as this is open."""

    def __init__(self, recipe: Callable[[], Worker], address: str, most: int) -> None:
        self._ray = _ray()
        packed = pack(recipe)
        self._connection = connected(address)
        self._connection.__enter__()
        self._most = most
        self._packed = self._ray.put(packed)
        self._task = self._ray.remote(num_cpus=1, max_retries=AGAIN, scheduling_strategy="SPREAD")(task)
        self._tasks: dict[Future[Any], Any] = {}
        self._asked, self._cores = 0.0, 1
        self._pace = Pace()
        self.size = 0  # cores at once

    @property
    def concurrency(self) -> int:
        """Two tasks for every core, so that none waits for the next one and a cluster that grows sees why."""
        if time.monotonic() - self._asked > NEWS:
            self._cores = max(1, min(self._most, int(self._ray.cluster_resources().get("CPU", 1))))
            self.size = max(self.size, self._cores)
            self._asked = time.monotonic()
        return self._cores if self._cores == self._most else 2 * self._cores

    def task_size(self, left: int) -> int:
        return self._pace.task_size(left, self._cores)

    def submit(self, parts: Sequence[Any]) -> Future[Any]:
        reference = self._task.remote(self._packed, sources(), parts)
        future: Future[Any] = reference.future()
        self._tasks[future] = reference
        return future

    def receive(self, future: Future[Any]) -> TaskResult:
        try:
            result: TaskResult = future.result()
        except Exception as error:
            raise _failure(error) from error
        del self._tasks[future]
        return self._pace.note(result)

    def under_way(self) -> int:
        return 0

    def stop(self, running: Iterable[Future[Any]]) -> list[Future[Any]]:
        """Keep what has arrived; the rest is cancelled."""
        here = [future for future in running if future.done() and future.exception() is None]
        for future, reference in self._tasks.items():
            if future not in here:
                with suppress(Exception):
                    self._ray.cancel(reference)
        return here

    def close(self) -> list[Any]:
        self._connection.__exit__(None, None, None)
        return []


def task(packed: bytes, expected: str, parts: Sequence[Any]) -> TaskResult:
    """What a machine of the cluster does."""
    if sources() != expected:
        raise RuleError(
            f"machine {socket.gethostname()} of the cluster has another Ninefold: install the same version "
            f"on all machines, and start their Ray anew"
        )
    return play_parts(packed, parts)


@cache
def sources() -> str:
    """A hash of Ninefold's sources: two machines that have the same one play the same games."""
    seen = hashlib.sha256()
    for path in sorted(PACKAGE.rglob("*.py")):
        seen.update(path.relative_to(PACKAGE).as_posix().encode())
        seen.update(path.read_bytes())
    return seen.hexdigest()[:16]


def _ray() -> Any:
    try:
        import ray
    except ImportError:
        raise NinefoldError(
            "a cluster needs Ray: install ninefold[ray] (pip install 'ninefold[ray]')"
        ) from None
    return ray


@contextmanager
def connected(address: str | None) -> Iterator[None]:
    """A connection to a cluster for several jobs; one that the caller has is used, and stays open.

    `auto` is the cluster that runs on this machine, or that RAY_ADDRESS names; without one, Ray is started.
    """
    if address is None:
        yield
        return
    ray = _ray()
    if ray.is_initialized():
        yield
        return
    _connect(ray, address)
    try:
        yield
    finally:
        ray.shutdown()


def cores(place: Place) -> int:
    """The cores that will play: of this machine, or of the cluster that is connected."""
    if place.cluster is None:
        return place.threads
    return max(1, min(place.threads, int(_ray().cluster_resources().get("CPU", 1))))


def _connect(ray: Any, address: str) -> None:
    if address not in (AUTO, LOCAL):
        _reach(address)
    try:
        if address != LOCAL:
            try:
                ray.init(address=address, log_to_driver=False, configure_logging=False)
                return
            except ConnectionError:
                if address != AUTO:
                    raise
        print("No Ray cluster is running: starting Ray on this machine …", file=sys.stderr)
        ray.init(address=LOCAL, **QUIET)
    except (Exception, SystemExit) as error:
        said = str(error).strip().splitlines()
        raise NinefoldError(f"the Ray cluster at {address} cannot be used: {' '.join(said[:2])}") from error


def _reach(address: str) -> None:
    """Refuse an address where nobody answers: Ray itself would wait for minutes."""
    host, _, port = address.rpartition("://")[2].rpartition(":")
    what = f"a cluster's address is HOST:PORT, such as 10.0.0.5:6379, or ray://HOST:10001, not {address!r}"
    if not host or not port.isdecimal() or not 0 < int(port) < 65536:
        raise RuleError(what)
    try:
        with socket.create_connection((host.strip("[]"), int(port)), ANSWER) as connection:
            connection.settimeout(ANSWER)
            connection.sendall(GREETING)
            answer = connection.recv(4)
    except OSError as error:
        raise NinefoldError(
            f"no Ray cluster answers at {address} ({error.strerror or error}); "
            f"`ray start --head` prints the address of the one that it starts"
        ) from None
    if answer[3:] != SETTINGS and "RAY_USE_TLS" not in os.environ:
        raise NinefoldError(f"what answers at {address} is not a Ray cluster")


def _failure(error: BaseException) -> NinefoldError:
    """What went wrong on the cluster, as a sentence."""
    cause = getattr(error, "cause", None) or error
    if isinstance(cause, NinefoldError):
        return cause
    name = type(cause).__name__
    if isinstance(cause, ImportError) or "No module named 'ninefold" in str(cause):
        return NinefoldError(
            "a machine of the cluster has no Ninefold: install the same version on all machines"
        )
    if name in ("WorkerCrashedError", "NodeDiedError", "OutOfMemoryError", "LocalRayletDiedError"):
        return NinefoldError(
            f"the cluster lost the same games {AGAIN + 1} times ({name}); a bot may crash it"
        )
    said = str(cause).strip().splitlines() or [""]
    return NinefoldError(f"the cluster failed: {name}: {said[-1]}")
