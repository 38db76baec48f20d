"""A CUDA card as an executor: it plays many chunks of games at once, as the processor would.

The card plays the games and adds them up chunk by chunk, in order, so its sums are those of a processor to
the last digit. What comes back are the sums; memory on the card does not grow with the number of games.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from functools import partial
from threading import Lock
from typing import Any

import numpy as np

from ninefold.engine.bots import Player, bot_slots
from ninefold.engine.game import Game
from ninefold.engine.registry import on_card
from ninefold.kernel import device, statistics
from ninefold.kernel.errors import NinefoldError, RuleError
from ninefold.simulation.executors import TaskResult
from ninefold.simulation.run import Chunk, Tally, empty_histogram

DEVICES = ("cuda",)
MOST_SEATS = 64  # a set of winners is one word
FIRST_GAMES = 1 << 17  # of the first task, enough for every thread of a card
MOST_BYTES = 1 << 30  # on the card, for what comes of the games of one task,
SHARE = 8  # and at most this part of its memory
TASK = 0.4  # seconds that a task should take, so that Ctrl-C and the progress bar do not wait
GROWTH = 8  # how much larger than the last task one may be
LANES = 2  # tasks under way: while one is added up and brought back, the card plays the other
HISTOGRAMS = 32  # side by side, so that chunks seldom wait for one another
WORD = 8
COLUMNS, EXTRA = 3, 2  # as in kernel/device_drive.py, which only loads where there is a card


def check(game: Game, players: Sequence[Player], name: str) -> None:
    """Refuse what a card cannot play, and a card that is not there."""
    if name not in DEVICES:
        raise RuleError(f"a device is {' or '.join(DEVICES)}, not {name!r}")
    for player in players:
        if player.call:
            raise RuleError(f"bot {player.name} is a Python function, which no card can run: {_INSTEAD}")
        if player.own:
            raise RuleError(f"bot {player.name} is one of your own, which no card can run: {_INSTEAD}")
        if player.search:
            raise RuleError(f"bot {player.name} searches, which no card can run: {_INSTEAD}")
    if game.players > MOST_SEATS:
        raise RuleError(f"a card plays tables of up to {MOST_SEATS} seats, not of {game.players:,}")
    device.card()


_INSTEAD = "choose a built-in bot such as hard, or leave the device out"


class Card:
    """What a card needs to play games: positions, bots, and room for what comes of them."""

    def __init__(self, game: Game, players: Sequence[Player], seed: int, limit: int, size: int) -> None:
        from ninefold.kernel import device_drive

        self._game, self._seed, self._limit, self._size = game, seed, limit, size
        cuda = device.card()
        kinds = tuple(sorted({player.number for player in players}))
        self._drivers = on_card(game.name, game.capacity, kinds)
        position = np.zeros(1, device_drive.aligned(game.layout))
        rows = np.zeros(game.players, device_drive.PLAYER)
        given = game.new_position()
        for field in game.layout.names or ():
            position[0][field] = given[field]
        for row, slot in zip(rows, bot_slots(game, players), strict=True):
            row["bot"], row["params"] = slot["bot"], slot["params"]
        histogram, self._bits = empty_histogram(game)
        self._series = len(histogram)
        self._given, self._players = cuda.to_device(position), cuda.to_device(rows)
        self._histograms = cuda.to_device(np.zeros((HISTOGRAMS, *histogram.shape), np.int64))
        self._bytes = min(MOST_BYTES, device.room() // SHARE)
        lane = partial(_Lane, cuda, game.players, self._series, size)
        self._lanes = [lane() for _ in range(LANES)]
        self._allocating = Lock()

    @property
    def first(self) -> int:
        """Chunks to begin with."""
        return max(1, FIRST_GAMES // self._size)

    @property
    def most(self) -> int:
        """Chunks for which there is room."""
        return max(1, self._bytes // (WORD * (EXTRA + self._series)) // self._size)

    def prepare(self) -> None:
        self.play([Chunk(0, 0)])

    def play(self, chunks: Sequence[Chunk]) -> TaskResult:
        """Play some chunks of games; their sums. As many threads as there are lanes may call it."""
        begun = time.perf_counter()
        lane = self._lanes.pop()
        try:
            with self._allocating:
                lane.make_room(len(chunks))
            self._start(lane, np.array(chunks, np.int64).reshape(len(chunks), -1))
            sums = lane.fetch()
        finally:
            self._lanes.append(lane)
        tallies = [self._tally(*each) for each in zip(chunks, *sums, strict=False)]
        return TaskResult(tallies, None, time.perf_counter() - begun)

    def _start(self, lane: _Lane, parts: Any) -> None:
        """Let the card play, and add up after that."""
        count, size, stream = len(parts), np.int64(self._size), lane.stream
        lane.fill(parts)
        rules = np.uint64(self._seed), np.int64(self._limit)
        work = lane.parts, np.int64(count), size, lane.rows
        threads = min(count * self._size, device.threads())
        self._drivers.play.start(stream, threads, self._given, self._players, *rules, *work, lane.ticket)
        sums = lane.counts, lane.wins, lane.moments, self._histograms
        self._drivers.add_up.start(stream, count * self._series, *work, np.int64(self._bits), *sums)

    def _tally(self, chunk: Chunk, counts: Any, wins: Any, moments: Any) -> Tally:
        tally = Tally(self._game.players, self._series)
        tally.counts[:], tally.wins[:], tally.moments[:] = counts, wins, moments
        if chunk.turn:
            tally.turn_back(chunk.turn)
        return tally

    def gathered(self) -> tuple[Any, Any]:
        """The histogram: the places that are not empty, and what is there."""
        flat = self._histograms.copy_to_host().sum(axis=0).reshape(-1)
        places = np.flatnonzero(flat)
        return places, flat[places]


class _Lane:
    """What a task has to itself on the card: a stream, and room for its games and their sums.

    It is kept for the next task: to give memory back, a card stops everything.
    """

    def __init__(self, cuda: Any, seats: int, series: int, size: int) -> None:
        self._cuda, self._seats, self._series, self._size = cuda, seats, series, size
        self.stream = cuda.stream()
        self.ticket = cuda.device_array(1, np.int64)
        self._parts = np.zeros((0, 0), np.int64)

    def make_room(self, count: int) -> None:
        """For at least this many parts."""
        if count <= len(self._parts):
            return
        self._parts = np.zeros((count, COLUMNS), np.int64)
        self.parts: Any = None  # what there was is given back first
        self.counts: Any = None
        self.wins: Any = None
        self.moments: Any = None
        self.rows: Any = None
        new = self._cuda.device_array
        self.parts = new((count, COLUMNS), np.int64)
        self.counts = new((count, statistics.COUNTS), np.int64)
        self.wins = new((count, 2, self._seats), np.float64)
        self.moments = new((count, self._series, statistics.MOMENTS), np.float64)
        self.rows = new((EXTRA + self._series, count * self._size), np.int64)

    def fill(self, parts: Any) -> None:
        """Send the parts of a task."""
        self._parts[: len(parts)] = parts
        self.parts.copy_to_device(self._parts, stream=self.stream)
        self.ticket.copy_to_device(np.zeros(1, np.int64), stream=self.stream)

    def fetch(self) -> list[Any]:
        """The sums of its parts, in order, when the card has them."""
        found = [array.copy_to_host(stream=self.stream) for array in (self.counts, self.wins, self.moments)]
        self.stream.synchronize()
        return found


class Device:
    """Plays on one card."""

    concurrency, size = LANES + 1, 1

    def __init__(self, recipe: Callable[[], Any]) -> None:
        with _in_words():
            self._card = recipe()
            self._card.prepare()
        self._share: int = self._card.first
        self._failed = False
        self._pool = ThreadPoolExecutor(LANES)

    def task_size(self, left: int) -> int:
        return min(left, self._share)

    def submit(self, parts: Sequence[Any]) -> Future[TaskResult]:
        return self._pool.submit(self._card.play, parts)

    def receive(self, future: Future[TaskResult]) -> TaskResult:
        self._failed = True
        with _in_words():
            result = future.result()
        self._failed = False
        if len(result.outcomes) == self._share or result.seconds > TASK:
            fit = int(len(result.outcomes) * min(GROWTH, TASK / max(result.seconds, 1e-9)))
            self._share = max(1, min(self._card.most, fit))
        return result

    def under_way(self) -> int:
        return 0

    def stop(self, running: Iterable[Future[TaskResult]]) -> list[Future[TaskResult]]:
        """A task that has begun is played to its end; it takes less than a second, as a rule."""
        return [future for future in running if not future.cancel()]

    def close(self) -> list[Any]:
        self._pool.shutdown()
        return [] if self._failed else [self._card.gathered()]


@contextmanager
def _in_words() -> Iterator[None]:
    """What goes wrong on a card, as a sentence."""
    try:
        yield
    except NinefoldError:
        raise
    except Exception as error:
        said = str(error).strip().splitlines() or [""]
        raise NinefoldError(f"the CUDA card failed: {type(error).__name__}: {said[-1]}") from error
