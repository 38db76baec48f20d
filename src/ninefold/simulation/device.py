"""A CUDA card as a crew: it plays many chunks of games at once, as the processor would.

The card plays the games and adds them up chunk by chunk, in order, so its sums are those of a processor to
the last digit. What comes back are the sums; memory on the card does not grow with the number of games.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any

import numpy as np

from ninefold.engine.bots import Player, bot_slots
from ninefold.engine.game import Game
from ninefold.engine.registry import on_card
from ninefold.kernel import device, statistics
from ninefold.kernel.errors import NinefoldError, RuleError
from ninefold.simulation.crew import Parcel
from ninefold.simulation.run import Chunk, Tally, empty_histogram

DEVICES = ("cuda",)
MOST_SEATS = 64  # a set of winners is one word
FIRST_GAMES = 1 << 17  # of the first task, enough for every thread of a card
MOST_BYTES = 1 << 28  # on the card, for what comes of the games of one task
TASK = 0.4  # seconds that a task should take, so that Ctrl-C and the progress bar do not wait
HISTOGRAMS = 32  # side by side, so that chunks seldom wait for one another
WORD = 8


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
        self._cuda = device.card()
        kinds = tuple(sorted({player.number for player in players}))
        self._drivers = on_card(game.name, game.capacity, kinds)
        self._columns = device_drive.COLUMNS
        position = np.zeros(1, device_drive.aligned(game.layout))
        rows = np.zeros(game.players, device_drive.PLAYER)
        given = game.new_position()
        for field in game.layout.names or ():
            position[0][field] = given[field]
        for row, slot in zip(rows, bot_slots(game, players), strict=True):
            row["bot"], row["params"] = slot["bot"], slot["params"]
        histogram, self._bits = empty_histogram(game)
        self._series = len(histogram)
        self._start, self._players = self._cuda.to_device(position), self._cuda.to_device(rows)
        self._histograms = self._cuda.to_device(np.zeros((HISTOGRAMS, *histogram.shape), np.int64))
        self._rows: Any = None

    @property
    def first(self) -> int:
        """Chunks to begin with."""
        return max(1, FIRST_GAMES // self._size)

    @property
    def most(self) -> int:
        """Chunks for which there is room."""
        return max(1, MOST_BYTES // (WORD * (2 + self._series)) // self._size)

    def prepare(self) -> None:
        self.play([Chunk(0, 0)])

    def play(self, chunks: Sequence[Chunk]) -> Parcel:
        """Play some chunks of games; their sums."""
        begun = time.perf_counter()
        parts = np.array(chunks, np.int64).reshape(len(chunks), self._columns)
        size, games = self._size, len(chunks) * self._size
        rows = self._room(games)
        sums = [
            self._cuda.device_array((len(chunks), *shape), kind)
            for shape, kind in (
                ((statistics.COUNTS,), np.int64),
                ((2, self._game.players), np.float64),
                ((self._series, statistics.MOMENTS), np.float64),
            )
        ]
        there = self._cuda.to_device(parts)
        seed, limit = np.uint64(self._seed), np.int64(self._limit)
        ticket = self._cuda.to_device(np.zeros(1, np.int64))
        first = (self._start, self._players, seed, there, np.int64(size), limit, ticket, rows)
        then = (there, np.int64(size), rows, np.int64(self._bits), *sums, self._histograms)
        self._drivers.play.start(min(games, device.threads()), *first)
        self._drivers.add_up.start(len(chunks) * self._series, *then)
        counts, wins, moments = (array.copy_to_host() for array in sums)
        tallies = [self._tally(*each) for each in zip(chunks, counts, wins, moments, strict=True)]
        return Parcel(tallies, None, time.perf_counter() - begun)

    def _room(self, games: int) -> Any:
        """An array on the card for what comes of some games."""
        if self._rows is None or self._rows.shape[1] < games:
            self._rows = None
            self._rows = self._cuda.device_array((2 + self._series, games), np.int64)
        return self._rows

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


class Device:
    """The crew of one card: while it plays a task, the sums of the last one are taken."""

    hands, size = 2, 1

    def __init__(self, recipe: Callable[[], Any]) -> None:
        with _in_words():
            self._card = recipe()
            self._card.prepare()
        self._share: int = self._card.first
        self._failed = False
        self._pool = ThreadPoolExecutor(1)

    def share(self, left: int) -> int:
        return min(left, self._share)

    def submit(self, parts: Sequence[Any]) -> Future[Parcel]:
        return self._pool.submit(self._card.play, parts)

    def receive(self, future: Future[Parcel]) -> Parcel:
        self._failed = True
        with _in_words():
            parcel = future.result()
        self._failed = False
        if parcel.seconds > 2 * TASK:
            self._share = max(1, self._share // 2)
        elif parcel.seconds < TASK / 2 and len(parcel.outcomes) == self._share:
            self._share = min(self._card.most, 2 * self._share)
        return parcel

    def under_way(self) -> int:
        return 0

    def stop(self, running: Iterable[Future[Parcel]]) -> list[Future[Parcel]]:
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
