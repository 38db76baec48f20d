"""Compiles every kernel of a game ahead of time, so that the first move of a match is quick.

Kernels are compiled when they are first called, for positions of one capacity. So a short match through State
and one simulated game are enough; nothing here knows which functions a game has.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path

import numpy as np

from ninefold.engine import registry
from ninefold.engine.bots import SeatedBots
from ninefold.engine.game import Game, make
from ninefold.kernel.compile import COMPILED, cache_folder
from ninefold.kernel.stream import new_stream
from ninefold.simulation.progress import shown

DECISIONS = 20  # of the short match; chance and every seat have had their turn by then

# Which games have been compiled on this machine: an empty file beside their kernels


def is_cold(game: Game, device: str | None = None) -> bool:
    """Whether the first use of a game, with this many players, has to compile."""
    return COMPILED and not _mark(game, device).exists()


def mark_warm(game: Game, device: str | None = None) -> None:
    with suppress(OSError):
        _mark(game, device).touch()


def _mark(game: Game, device: str | None) -> Path:
    folder = cache_folder(*registry.kernel_modules(game.name), "ninefold.kernel.drive")
    return folder / f"{game.capacity}{device or ''}.warm"


def notice(game: Game, quiet: bool = False, device: str | None = None) -> None:
    """Print a notice if the first use has to compile."""
    if not quiet and is_cold(game, device):
        long = "up to a minute" if device else "about 20 s"
        print(f"First use: compiling the rules. Only this once, {long} …", file=sys.stderr)


# Compiling


def warm(names: Sequence[str]) -> None:
    """Compile the kernels of these games for their usual numbers of players, with a progress bar."""
    for name in names:
        start = time.perf_counter()
        print(f"{name}: compiling the rules, only this once. It takes about 20 s.", file=sys.stderr)
        with shown(len(STEPS), quiet=False, what=f"compiling {name}") as progress:
            for number, step in enumerate(STEPS):
                step(make(name))
                if progress:
                    progress(number + 1)
        print(f"{name}: compiled in {time.perf_counter() - start:.1f} s", file=sys.stderr)


def _batch(game: Game) -> None:
    """What a simulation calls."""
    from ninefold.simulation.run import simulate  # which marks what it has compiled

    simulate(game.name, ["random"], 1, 0, players=game.players, threads=1, **game.options)


def _match(game: Game) -> None:
    """What a table calls: moves of people and bots, views, and manual chance."""
    state = game.start(manual=True)
    state.chance()
    state.is_unseen(0)
    state.manual = False
    state.let_chance()
    bots = SeatedBots(game, [game.facts.bots[0].name] * game.players, 0)
    for _ in range(DECISIONS):
        if state.over:
            break
        seat = state.actors[0]
        state.picture(seat)
        state.play(seat, state.moves(seat).action(0))
        if not state.over:
            bots.step(state)


def _copies(game: Game) -> None:
    """What a search and a simulation with Python bots call besides."""
    state = game.start(seed=0)
    game.package.rules.redeal(state.position, 0, new_stream(0))
    game.package.winners(state.position, np.zeros(game.players, np.int64))
    game.package.tally(state.position, np.zeros(len(game.facts.tallies), np.int64))


STEPS: tuple[Callable[[Game], None], ...] = (_batch, _match, _copies)
