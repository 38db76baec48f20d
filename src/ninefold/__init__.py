"""Ninefold: six card and dice games built around the number nine. `import ninefold as nf` is the library.

Names are loaded when first used, so that importing the package costs next to nothing.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ninefold.engine.game import Game, make
    from ninefold.engine.own_bots import bot
    from ninefold.engine.records import replay
    from ninefold.engine.registry import games
    from ninefold.engine.state import State
    from ninefold.kernel.errors import (
        Ambiguous,
        IllegalMove,
        NinefoldError,
        NotYourTurn,
        RecordError,
        RuleError,
        Unreadable,
    )
    from ninefold.kernel.fields import CHANCE, EVERYONE, NOBODY
    from ninefold.model.text import render
    from ninefold.simulation.result import Result
    from ninefold.simulation.run import simulate
    from ninefold.simulation.tournament import Tournament, tournament
    from ninefold.studies.report import Study
    from ninefold.studies.run import study
    from ninefold.terminal.saves import load

__version__ = "0.2.0"

_HOMES = {
    "ninefold.engine.game": ("Game", "make"),
    "ninefold.engine.own_bots": ("bot",),
    "ninefold.engine.records": ("replay",),
    "ninefold.engine.registry": ("games",),
    "ninefold.engine.state": ("State",),
    "ninefold.kernel.errors": (
        "Ambiguous",
        "IllegalMove",
        "NinefoldError",
        "NotYourTurn",
        "RecordError",
        "RuleError",
        "Unreadable",
    ),
    "ninefold.kernel.fields": ("CHANCE", "EVERYONE", "NOBODY"),
    "ninefold.model.text": ("render",),
    "ninefold.simulation.result": ("Result",),
    "ninefold.simulation.run": ("simulate",),
    "ninefold.simulation.tournament": ("Tournament", "tournament"),
    "ninefold.studies.report": ("Study",),
    "ninefold.studies.run": ("study",),
    "ninefold.terminal.saves": ("load",),
}
_HOME = {name: module for module, names in _HOMES.items() for name in names}

__all__ = [
    "CHANCE",
    "EVERYONE",
    "NOBODY",
    "Ambiguous",
    "Game",
    "IllegalMove",
    "NinefoldError",
    "NotYourTurn",
    "RecordError",
    "Result",
    "RuleError",
    "State",
    "Study",
    "Tournament",
    "Unreadable",
    "bot",
    "games",
    "load",
    "make",
    "render",
    "replay",
    "simulate",
    "study",
    "tournament",
]


def __getattr__(name: str) -> Any:
    """A public name, or a game's judge under the game's name (`nf.doubles.roll`)."""
    if name in _HOME:
        value = getattr(import_module(_HOME[name]), name)
    else:
        registry = import_module("ninefold.engine.registry")
        if name not in registry.games():
            raise AttributeError(f"module 'ninefold' has no attribute {name!r}")
        value = registry.judge(name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted([*__all__, *import_module("ninefold.engine.registry").games(), "__version__"])
