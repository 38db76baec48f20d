"""Simulation: millions of games on all cores. A seed gives the same games with any number of threads.

Games are cut into chunks by their number alone; threads take chunks as they come, and the chunks' sums
are added in order. Memory does not grow with the number of games.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from typing import Any, NamedTuple

import numpy as np

from ninefold.engine.bots import Player, SeatedBots, bot_slots, find_bot
from ninefold.engine.game import Game, read_seed
from ninefold.engine.registry import with_own
from ninefold.kernel import statistics
from ninefold.kernel.compile import COMPILED
from ninefold.kernel.errors import RuleError
from ninefold.kernel.stream import STREAM
from ninefold.model.facts import whole
from ninefold.simulation.result import Result
from ninefold.simulation.warmup import mark_warm

MOST_IN_CHUNK = 8_192
CHUNKS = 64  # at least, if there are enough games: work for every thread
FINE, COARSE = 7, 3  # bits of a histogram's resolution, for few seats and for very many
FEW_SEATS = 64
MOST_GAMES = 10**15
MOST_THREADS = 256  # each has its own histogram
NUMBERS = 2**60  # of games; with rotated seats, each turn of the table has its own stretch of them

Progress = Callable[[int], None]


class Chunk(NamedTuple):
    """Games first .. first + size - 1, played after some turns of the table."""

    first: int
    size: int
    turn: int = 0


class Tally:
    """The sums of some games: counts, shares of wins, moments of every series."""

    def __init__(self, players: int, series: int) -> None:
        self.counts = np.zeros(statistics.COUNTS, np.int64)
        self.wins = np.zeros((2, players))  # shares of wins, and their squares
        self.moments = np.zeros((series, statistics.MOMENTS))

    def add(self, other: Tally) -> None:
        self.counts += other.counts
        self.wins += other.wins
        statistics.merge(self.moments, other.moments)

    def turn_back(self, turn: int) -> None:
        """From seats to bots, after some turns of the table."""
        seats = self.wins.shape[1]
        self.wins = np.roll(self.wins, -turn, axis=1)
        self.moments[:seats] = np.roll(self.moments[:seats], -turn, axis=0)

    @property
    def done(self) -> int:
        return int(self.counts[statistics.DONE])


class Worker:
    """What one thread needs to play games: a position, streams, the bots' memory and a histogram.

    After `turn` turns of the table, the bot of seat 0 sits at seat `turn`. Results are those of bots, in the
    order in which they were given.
    """

    def __init__(self, game: Game, players: Sequence[Player], seed: int, limit: int) -> None:
        self.game, self.players, self.seed, self.limit = game, players, seed, limit
        seats = game.players
        self.series = seats + 2 + len(game.facts.tallies)
        self.bits = FINE if seats <= FEW_SEATS else COARSE
        self.histogram = np.zeros((self.series, 2 * statistics.half(self.bits)), np.int64)
        self.tally = Tally(seats, self.series)
        self._start = np.array([game.new_position()], game.new_position().dtype).view(np.recarray)
        self._work = self._start.copy().view(np.recarray)
        self._streams = np.zeros(2, STREAM).view(np.recarray)
        self._slots = bot_slots(game, players)
        self._numbers = np.zeros(self.series, np.int64)
        self._flags = np.zeros(seats, np.int64)
        self._own = any(player.own for player in players)
        self._compiled = not any(player.call or player.search for player in players)
        if self._own and not COMPILED:
            self._compiled = False
        self._turn = 0

    def play(self, chunk: Chunk) -> Tally:
        """Play some games."""
        tally = self.tally = Tally(self.game.players, self.series)
        self.turn_to(chunk.turn)
        if self._compiled:
            room = (self._work, self._start, self._streams, self._slots)
            sums = (tally.counts, tally.wins, tally.moments, self.histogram, self.bits)
            games = (np.uint64(self.seed), chunk.first, chunk.size, self.limit)
            batch = with_own(self.game.name).batch if self._own else self.game.package.batch
            try:
                batch(*room, *games, *sums, self._numbers, self._flags)
            except Exception:
                self._explain(chunk)
                raise
        else:
            self._play_in_python(chunk)
        if chunk.turn:
            tally.turn_back(chunk.turn)
        return tally

    def _explain(self, chunk: Chunk) -> None:
        """Play the game in which a bot failed once more, in Python, which says who did what."""
        number = chunk.first + int(self.tally.counts[statistics.DONE])
        players = [self.players[seat - chunk.turn] for seat in range(self.game.players)]
        state = self.game.start(self.seed, number=number)
        SeatedBots(self.game, players, self.seed, number).play_out(state, self.limit)

    def turn_to(self, turn: int) -> None:
        """Seat the bots for a turn of the table; the histogram turns with them."""
        more = turn - self._turn
        if more:
            seats = self.game.players
            self._slots[:] = np.roll(self._slots, more)
            self.histogram[:seats] = np.roll(self.histogram[:seats], more, axis=0)
            self._turn = turn

    def _play_in_python(self, chunk: Chunk) -> None:
        """The same with bots that are Python callables: through views, one match at a time."""
        game, tally = self.game, self.tally
        players = [self.players[seat - chunk.turn] for seat in range(game.players)]
        for number in range(chunk.first, chunk.first + chunk.size):
            if tally.counts[statistics.STOP]:
                return
            state = game.start(self.seed, number=number)
            decisions = SeatedBots(game, players, self.seed, number).play_out(state, self.limit)
            tally.counts[statistics.DONE] += 1
            if not state.over or state.turns > self.limit:
                tally.counts[statistics.UNFINISHED] += 1
                continue
            for seat in state.winners:
                tally.wins[0, seat] += 1 / len(state.winners)
                tally.wins[1, seat] += 1 / len(state.winners) ** 2
            self._numbers[: game.players] = state.scores
            self._numbers[game.players : game.players + 2] = decisions, state.turns
            game.package.tally(state.position, self._numbers[game.players + 2 :])
            for series, value in enumerate(self._numbers.tolist()):
                statistics.note(tally.moments, self.histogram, series, value, self.bits)

    def stop(self) -> None:
        self.tally.counts[statistics.STOP] = 1


def chunk_size(games: int) -> int:
    return min(MOST_IN_CHUNK, max(1, -(-games // CHUNKS)))


def chunks(games: int, turns: int = 1) -> Iterator[Chunk]:
    """All chunks; they depend on nothing but the number of games, and of turns of the table.

    Game n is played after n % turns turns, so that whoever interrupts has them all about equally often.
    """
    size = chunk_size(-(-games // turns))
    for first in range(0, games, size * turns):
        for turn in range(turns):
            left = (games - turn - 1 + turns) // turns - first // turns
            if left > 0:
                yield Chunk(turn * (NUMBERS // turns) + first // turns, min(size, left), turn)


class Simulation:
    """A simulation that is set up and checked, but not started."""

    def __init__(
        self,
        name: str,
        bots: Sequence[Any],
        games: int,
        seed: int | None,
        limit: int | None,
        threads: int | None,
        players: int | None,
        options: Mapping[str, object],
        rotate: bool = False,
    ) -> None:
        given = list(bots) if isinstance(bots, Iterable) and not isinstance(bots, str) else [bots]
        if not given:
            raise RuleError("a simulation needs at least one bot")
        self.game = Game(name, len(given) if players is None else players, options)
        seats = self.game.players
        if len(given) > seats:
            raise RuleError(f"{len(given)} bots do not fit on {seats} seats")
        self.players = [find_bot(name, given[seat % len(given)]) for seat in range(seats)]
        self.games = _at_least_one(games, "games", MOST_GAMES)
        standard = self.game.facts.limit(self.game.options)
        self.limit = standard if limit is None else _at_least_one(limit, "limit")
        if any(player.call for player in self.players):
            threads = 1  # Python runs one bot at a time anyway, and a bot may keep state
        self.threads = usable_cores() if threads is None else _at_least_one(threads, "threads", MOST_THREADS)
        self.seed = read_seed(seed)
        self.turns = seats if rotate else 1

    def run(self, progress: Progress | None = None, keep: bool = False) -> Result:
        """Play the games. With `keep`, an interrupt (Ctrl-C) returns the result so far."""
        crew = min(self.threads, -(-self.games // chunk_size(-(-self.games // self.turns))))
        workers = [Worker(self.game, self.players, self.seed, self.limit) for _ in range(crew)]
        workers[0].play(Chunk(0, 0))  # compiles, or loads what was compiled, before the clock starts
        total = Tally(self.game.players, workers[0].series)
        start = time.perf_counter()
        interrupted = _run(workers, chunks(self.games, self.turns), total, progress, keep)
        seconds = time.perf_counter() - start
        mark_warm(self.game)
        for worker in workers:
            worker.turn_to(0)
        histogram = workers[0].histogram
        for worker in workers[1:]:
            histogram += worker.histogram
        return Result.gather(self, crew, total, histogram, workers[0].bits, seconds, interrupted)


def simulate(
    name: str,
    bots: Sequence[Any] = ("random",),
    games: int = 10_000,
    seed: int | None = None,
    limit: int | None = None,
    threads: int | None = None,
    players: int | None = None,
    progress: Progress | None = None,
    rotate: bool = False,
    **options: object,
) -> Result:
    """Play many games between bots, one per seat, and return the result.

    With `players`, bots are repeated to fill the seats. With `rotate`, everyone moves up one seat after each
    game, and the result is that of bots, not of seats.
    """
    return Simulation(name, bots, games, seed, limit, threads, players, options, rotate).run(progress)


def _run(
    workers: list[Worker], work: Iterator[Chunk], total: Tally, progress: Progress | None, keep: bool
) -> bool:
    """Let the workers take chunks; True if the person interrupted."""
    spare = list(workers)
    todo = enumerate(work)
    running: dict[Future[Tally], tuple[int, Worker]] = {}
    finished: dict[int, Tally] = {}
    added = 0
    with ThreadPoolExecutor(len(workers)) as pool:
        try:
            while True:
                while spare and (chunk := next(todo, None)) is not None:
                    worker = spare.pop()
                    running[pool.submit(worker.play, chunk[1])] = chunk[0], worker
                if not running:
                    return False
                done, _ = wait(running, timeout=0.1, return_when=FIRST_COMPLETED)
                for future in done:
                    number, worker = running.pop(future)
                    finished[number] = future.result()
                    spare.append(worker)
                while added in finished:
                    total.add(finished.pop(added))
                    added += 1
                if progress:
                    under_way = [worker.tally for _, worker in running.values()]
                    progress(sum(tally.done for tally in (total, *finished.values(), *under_way)))
        except BaseException as reason:
            for _, worker in running.values():
                worker.stop()
            if not keep or not isinstance(reason, KeyboardInterrupt):
                raise
            for future, (number, _) in running.items():
                finished[number] = future.result()
            for number in sorted(finished):
                total.add(finished[number])
            return True


def usable_cores() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _at_least_one(value: object, what: str, most: int = 2**62) -> int:
    number = whole(value)
    if number is None or not 1 <= number <= most:
        raise RuleError(f"{what} is a whole number from 1 to {most:,}, not {value!r}")
    return number
