"""Decisions: how many there are to make, and how often they matter.

At random moments of matches, every move (or some, where there are many) is played on in many worlds that fit
what the seat knows (engine/search.py). One half of the worlds says which move is best and which is second;
the other half says by how much. So a lead that was luck does not count.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Any

import numpy as np

from ninefold.engine.bots import Player, pick
from ninefold.engine.game import Game
from ninefold.engine.search import Laboratory
from ninefold.engine.state import Moves
from ninefold.kernel.fields import CHANCE, NOBODY, actor_of
from ninefold.kernel.stream import FOR_BOTS, FOR_CHANCE, seed_stream
from ninefold.studies import tables
from ninefold.studies.estimate import UNKNOWN, Estimate, mean, share
from ninefold.studies.plan import Plan
from ninefold.studies.tables import HEAD, Tables

MOVES = 6  # that are compared, at most
WORLDS = 48  # half of them to choose, half to measure
FEWEST = 40  # decisions
CLEAR = 2.0  # standard errors by which the best move must lead in the second half
COLUMNS = ("legal", "compared", "second", "average", "clear", "clear_any")


@dataclass(frozen=True)
class Decisions:
    """What there is to decide, over one decision of each match."""

    forced: Estimate  # share with one legal move
    moves: Estimate  # legal ones, where there is a choice
    best_to_second: Estimate  # what the best move is worth more than the second best
    best_to_any: Estimate  # and more than one of those compared, chosen at random
    matter: Estimate  # share of all decisions in which the best is clearly ahead of the second best
    matter_any: Estimate  # and clearly ahead of the average move
    by_score: bool  # worth is in points, not in the chance to win
    worlds: int
    played: int  # matches
    seed: int


class Choices(Tables):
    """Plays matches up to a random decision, and compares what could be done there."""

    @classmethod
    def columns(cls, game: Game) -> int:  # noqa: ARG003 (the shape of all tables)
        return HEAD + len(COLUMNS)

    def row(self, number: int, turn: int) -> Any:
        head = super().row(number, turn)[:HEAD]
        found = np.zeros(len(COLUMNS))
        if head[tables.FINISHED]:
            found[:] = self._decision(number, int(head[tables.DECISIONS]), int(head[tables.TURNS]))
        return np.concatenate([head, found])

    def _decision(self, number: int, decisions: int, turns: int) -> Any:
        """A decision at a random moment; `legal` is 0 if there was none."""
        package, s, streams, slots = self.game.package, self._work[0], self._streams, self._slots
        luck = np.random.default_rng([self.seed, number])
        self._work[0] = self._start[0]
        seed_stream(streams[0], np.uint64(self.seed), number, FOR_CHANCE)
        seed_stream(streams[1], np.uint64(self.seed), number, FOR_BOTS)
        slots.memory[:] = 0
        package.rules.begin(s)
        package.play_out(s, slots, streams[0], streams[1], int(luck.integers(0, max(1, turns))) - 1)
        for _ in range(int(luck.integers(0, 1 + 2 * decisions // max(1, turns)))):
            seat = self._to_move()
            if seat < 0:
                break
            package.rules.play(s, seat, package.ask_bot(s, seat, slots[seat], streams[1]))
        seat = self._to_move()
        return self._compare(seat, number) if seat >= 0 else np.zeros(len(COLUMNS))

    def _to_move(self) -> int:
        """Let chance play; the seat that decides next, or -1."""
        package, s = self.game.package, self._work[0]
        while actor_of(s) == CHANCE:
            package.rules.chance(s, package.rules.sample(s, self._streams[0]))
        return -1 if actor_of(s) == NOBODY else int(package.ask(s, self._streams[1]))

    def _compare(self, seat: int, number: int) -> Any:
        game, slots, package = self.game, self._slots, self.game.package
        spans = np.empty((game.facts.spans, 2), np.int64)
        count = package.rules.legal(self._work[0], seat, spans)
        legal = int((spans[:count, 1] - spans[:count, 0] + 1).sum())
        found = np.zeros(len(COLUMNS))
        found[:2] = legal, 1
        if legal < 2:
            return found
        player = self.players[seat]
        bot = next((one for one in game.facts.bots if one.number == player.number), None)
        public = bot is not None and bot.remembers == "public"
        memories = [slots[at].memory.tobytes() if public or at == seat else b"" for at in range(game.players)]
        own = int(package.ask_bot(self._work[0], seat, slots[seat], self._streams[1]))
        some = pick(Moves(str, spans[:count]), MOVES, number)
        tried = list(dict.fromkeys([own, *some]))[:MOVES]
        laboratory = Laboratory(game, self._work[0], seat, player, memories, number)
        values = laboratory.try_worlds(tried, 0, WORLDS)
        found[1:] = len(tried), *gains(values)
        return found


def gains(values: Any) -> tuple[float, float, float, float]:
    """From worlds x moves: by how much the best leads the second best and the average; whether clearly."""
    half = len(values) // 2
    order = np.argsort(-values[:half].mean(axis=0), kind="stable")
    best, second = order[0], order[1]
    second_gap = values[half:, best] - values[half:, second]
    others = [at for at in range(values.shape[1]) if at != best]
    any_gap = values[half:, best] - values[half:, others].mean(axis=1)
    any_move = values[half:, best] - values[half:].mean(axis=1)
    return (
        float(second_gap.mean()),
        float(any_move.mean()),
        float(_clearly(second_gap)),
        float(_clearly(any_gap)),
    )


def _clearly(gaps: Any) -> bool:
    spread = gaps.std(ddof=1) / len(gaps) ** 0.5
    return bool(gaps.mean() > CLEAR * spread) if spread > 0 else bool(gaps.mean() > 0)


def study(plan: Plan) -> Decisions | None:
    if not tables.plays_on(plan.one):
        return None
    found = tables.sample(plan, "decisions", Choices, FEWEST, _slow)
    return _decisions(found[0], plan.game.facts.by_score, found[1]) if found else None


def _slow(plan: Plan, players: list[Player], pilot: int) -> bool:
    """Whether the fewest decisions would take too long."""
    worker = Choices(plan.game, players, pilot, plan.game.facts.limit(plan.game.options))
    worker.play(tables.Part(0, 1))  # compiles
    start = time.perf_counter()
    worker.play(tables.Part(1, 2))
    return (time.perf_counter() - start) / 2 * FEWEST / plan.cores > plan.left


def _decisions(rows: Any, by_score: bool, seed: int) -> Decisions | None:
    played = len(rows)
    rows = rows[rows[:, HEAD] > 0][:, HEAD:]
    if len(rows) < FEWEST // 2:  # some matches end before the moment chosen
        return None
    legal, second, average, clear, clear_any = (rows[:, at] for at in (0, 2, 3, 4, 5))
    open_ = legal > 1
    some = bool(open_.sum() > 1)
    return Decisions(
        forced=share((legal == 1).astype(float)),
        moves=mean(legal[open_]) if some else UNKNOWN,
        best_to_second=mean(second[open_]) if some else UNKNOWN,
        best_to_any=mean(average[open_]) if some else UNKNOWN,
        matter=share(clear),
        matter_any=share(clear_any),
        by_score=by_score,
        worlds=WORLDS,
        played=played,
        seed=seed,
    )
