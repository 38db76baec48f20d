"""Compiling ahead: every kernel of a game once, for its smallest record, so that first use does not wait."""

from __future__ import annotations

import sys
import time
from collections.abc import Sequence

from ninefold.engine import registry
from ninefold.engine.game import Game, make
from ninefold.simulation.marks import is_cold
from ninefold.simulation.progress import shown
from ninefold.simulation.run import simulate


def notice(game: Game, quiet: bool = False) -> None:
    """Say so where a first use has to compile."""
    if not quiet and is_cold(game):
        print("First use: compiling the rules, a few seconds …", file=sys.stderr)


def warm(names: Sequence[str]) -> None:
    """Compile the kernels of these games, with a progress bar."""
    for name in names:
        start = time.perf_counter()
        with shown(len(STEPS), quiet=False, what=f"compiling {name}") as progress:
            for number, step in enumerate(STEPS):
                step(name)
                if progress:
                    progress(number + 1)
        print(f"{name}: compiled in {time.perf_counter() - start:.1f} s", file=sys.stderr)


def _match(name: str) -> None:
    """A match through the checked door: every rules function that a table calls."""
    from ninefold.testkit import laws

    game = make(name)
    for law in (laws.legal_is_what_play_accepts, laws.secrets_are_kept, laws.chance_fits_its_weights):
        law(game, 0)


def _bots(name: str) -> None:
    from ninefold.testkit import laws

    laws.bots_play_by_the_rules(make(name), 0)


def _batch(name: str) -> None:
    simulate(name, ["random"], 1, 0, players=registry.facts(name).usual_players, threads=1)


STEPS = (_batch, _match, _bots)
