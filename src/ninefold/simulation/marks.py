"""Which games have been compiled on this machine, so that a first use can be announced."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

from ninefold.engine.game import Game
from ninefold.kernel.compile import COMPILED, cache_folder


def _mark(game: Game) -> Path:
    return cache_folder() / f"{game.name}-{game.facts.capacity(game.players)}.warm"


def is_cold(game: Game) -> bool:
    """Whether a first use of a game, for so many seats, has to compile."""
    return COMPILED and not _mark(game).exists()


def mark_warm(game: Game) -> None:
    with suppress(OSError):
        _mark(game).touch()
