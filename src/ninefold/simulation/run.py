"""Simulation: millions of games on all cores, or on a cluster. A seed gives the same games anywhere.

Games are cut into chunks by their number alone. An executor (executors.py) plays chunks in any order, and the
chunks' sums are added in order. Memory does not grow with the number of games.
"""

from __future__ import annotations

import pickle
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import partial
from inspect import isfunction
from typing import Any, NamedTuple

import numpy as np

from ninefold.engine.bots import Player, SeatedBots, bot_slots, find_bot
from ninefold.engine.game import Game, read_seed
from ninefold.engine.registry import facts, with_own
from ninefold.kernel import statistics
from ninefold.kernel.compile import COMPILED
from ninefold.kernel.errors import RuleError
from ninefold.kernel.stream import STREAM
from ninefold.model.facts import whole
from ninefold.simulation.executors import Job, Place, Progress, pack, play, usable_cores
from ninefold.simulation.result import Result
from ninefold.simulation.warmup import mark_warm

MOST_IN_CHUNK = 8_192
CHUNKS = 64  # at least, if there are enough games: work for every thread
SLOW_CHUNK, SLOW_CHUNKS = 64, 1_024  # the same for bots that take milliseconds or more for a move
FINE, COARSE = 7, 3  # bits of a histogram's resolution, for few seats and for very many
FEW_SEATS = 64
MOST_GAMES = 10**15
MOST_THREADS = 256  # each has its own histogram
MOST_CORES = 100_000  # of a cluster
NUMBERS = 2**60  # of games; with rotated seats, each turn of the table has its own stretch of them


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
    """What one thread or process needs to play games: a position, streams, the bots' memory and a histogram.

    After `turn` turns of the table, the bot of seat 0 sits at seat `turn`. Results are those of bots, in the
    order in which they were given.
    """

    def __init__(
        self, game: Game, players: Sequence[Player], seed: int, limit: int, alone: bool = False
    ) -> None:
        self.game, self.players, self.seed, self.limit = game, players, seed, limit
        seats = game.players
        self.histogram, self.bits = empty_histogram(game)
        self.series = len(self.histogram)
        self.rest()
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
        # What a bot keeps between matches is as it was given at the start of each chunk, unless it is alone.
        kept = not alone and any(keeps_state(player.call) for player in players)
        self._fresh = pack(players) if kept else b""
        self._turn = 0

    def prepare(self) -> None:
        self.play(Chunk(0, 0))

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
        given = pickle.loads(self._fresh) if self._fresh else self.players
        players = [given[seat - chunk.turn] for seat in range(game.players)]
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

    @property
    def under_way(self) -> int:
        return self.tally.done

    def rest(self) -> None:
        self.tally = Tally(self.game.players, self.series)

    def stop(self) -> None:
        self.tally.counts[statistics.STOP] = 1

    def gathered(self) -> tuple[Any, Any]:
        """The histogram since the last call: the places that are not empty, and what is there."""
        self.turn_to(0)
        flat = self.histogram.reshape(-1)
        places = np.flatnonzero(flat)
        counts = flat[places]
        flat[places] = 0
        return places, counts


def empty_histogram(game: Game) -> tuple[Any, int]:
    """A row for every series, and the bits of its resolution."""
    bits = FINE if game.players <= FEW_SEATS else COARSE
    series = game.players + 2 + len(game.facts.tallies)
    return np.zeros((series, 2 * statistics.half(bits)), np.int64), bits


def chunk_size(games: int, slow: bool = False) -> int:
    most, number = (SLOW_CHUNK, SLOW_CHUNKS) if slow else (MOST_IN_CHUNK, CHUNKS)
    return min(most, max(1, -(-games // number)))


def chunks(games: int, turns: int = 1, slow: bool = False) -> Iterator[Chunk]:
    """All chunks; they depend on nothing but the number of games, and of turns of the table.

    Game n is played after n % turns turns, so that after an interrupt all turns were played equally often.
    """
    size = chunk_size(-(-games // turns), slow)
    for first in range(0, games, size * turns):
        for turn in range(turns):
            left = (games - turn - 1 + turns) // turns - first // turns
            if left > 0:
                yield Chunk(turn * (NUMBERS // turns) + first // turns, min(size, left), turn)


def chunk_count(games: int, turns: int = 1, slow: bool = False) -> int:
    """How many chunks there are."""
    size = chunk_size(-(-games // turns), slow)
    whole_rounds, rest = divmod(games, size * turns)
    return whole_rounds * turns + min(turns, rest)


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
        cluster: str | None = None,
        device: str | None = None,
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
        self.place = self._place(threads, cluster, device)
        self.seed = read_seed(seed)
        self.turns = seats if rotate else 1

    def _place(self, threads: int | None, cluster: str | None, device: str | None) -> Place:
        """Where to play. Unless asked otherwise, bots that may keep something stay in this process."""
        if device is not None:
            from ninefold.simulation.device import check

            if cluster is not None or threads is not None:
                raise RuleError("a device plays alone: choose a device, a cluster or a number of threads")
            check(self.game, self.players, device)
            return Place(1, None, device)
        if cluster is not None and not isinstance(cluster, str):
            raise RuleError(f"cluster is 'auto' or the address of a Ray cluster, not {cluster!r}")
        if threads is not None:
            most = _at_least_one(threads, "threads", MOST_CORES if cluster else MOST_THREADS)
        elif cluster is not None:
            most = MOST_CORES
        else:
            most = usable_cores() if self._can_travel() else 1
        return Place(most, cluster)

    def _can_travel(self) -> bool:
        """Whether the bots play the same in other processes, as far as one can know."""
        if not any(player.call for player in self.players):
            return True
        with suppress(RuleError):
            pack(self.players)
            return not any(keeps_state(player.call) for player in self.players)
        return False

    def run(self, progress: Progress | None = None, keep: bool = False) -> Result:
        """Play the games. With `keep`, an interrupt (Ctrl-C) returns the result so far."""
        in_python = any(player.call for player in self.players)
        slow = in_python or any(player.search for player in self.players)
        histogram, bits = empty_histogram(self.game)
        total, flat = Tally(self.game.players, len(histogram)), histogram.reshape(-1)

        def add(gathered: tuple[Any, Any]) -> None:
            places, counts = gathered
            flat[places] += counts

        alone = self.place.threads == 1 and self.place.cluster is None
        recipe: Callable[[], Any] = partial(Worker, self.game, self.players, self.seed, self.limit, alone)
        if self.place.device is not None:
            from ninefold.simulation.device import Card

            size = chunk_size(-(-self.games // self.turns))
            recipe = partial(Card, self.game, self.players, self.seed, self.limit, size)
        number = chunk_count(self.games, self.turns, slow)
        job = Job(recipe, chunks(self.games, self.turns, slow), number, total.add, add, in_python)
        report = play(job, self.place, progress, keep)
        mark_warm(self.game, self.place.device)
        return Result.gather(self, total, histogram, bits, report)


def keeps_state(call: Any) -> bool:
    """Whether a bot in Python may keep something between matches: not a class, nor a plain function."""
    return not (call is None or isinstance(call, type) or (isfunction(call) and call.__closure__ is None))


RANDOM = ("random",)
"""The bots where none are named."""


def simulate(
    name: str,
    bots: Sequence[Any] = RANDOM,
    games: int = 10_000,
    seed: int | None = None,
    limit: int | None = None,
    threads: int | None = None,
    players: int | None = None,
    progress: Progress | None = None,
    rotate: bool = False,
    cluster: str | None = None,
    device: str | None = None,
    **options: object,
) -> Result:
    """Play many games between bots, one per seat, and return the result.

    Without `bots`, `random` ones play (the command line takes `medium`), as many as usual where one alone
    cannot. With `players`, bots are repeated to fill the seats. With `rotate`, everyone moves up one seat
    after each game, and the result is that of bots, not of seats. With `cluster` ("auto", or an address), the
    machines of a Ray cluster play; with `device="cuda"`, the machine's CUDA card.
    """
    if bots is RANDOM and players is None and facts(name).players[0] > 1:
        players = facts(name).usual_players
    simulation = Simulation(
        name, bots, games, seed, limit, threads, players, options, rotate, cluster, device
    )
    return simulation.run(progress)


def _at_least_one(value: object, what: str, most: int = 2**62) -> int:
    number = whole(value)
    if number is None or not 1 <= number <= most:
        raise RuleError(f"{what} is a whole number from 1 to {most:,}, not {value!r}")
    return number
