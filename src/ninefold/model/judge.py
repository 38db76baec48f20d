"""Questions about the rules, as plain data, without a match.

A game declares one question in its `judge.py`; a surface reads the arguments by the kinds declared here, and
shows the answer. Knows no game and no surface.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

from ninefold.model.facts import Option


class Answer(NamedTuple):
    """What the rules say: lines for a person, and JSON-able data for a program."""

    lines: Sequence[str]
    data: Any


@dataclass(frozen=True)
class Argument:
    """What the question needs: a text, some words that make one text, or a whole number."""

    name: str
    kind: Literal["text", "words", "number"] = "text"


@dataclass(frozen=True)
class Question:
    """A question. `answer` takes the arguments and options by their names.

    A Flag that is off by default is turned on by its name alone. With `settings`, the game's own options may
    be given as NAME=VALUE too: `answer` gets them as `options`.
    """

    text: str  # what it answers, with the names of the arguments in capitals
    example: str  # what to type after the name of the game
    arguments: tuple[Argument, ...]
    answer: Callable[..., Answer]
    options: tuple[Option, ...] = ()
    settings: bool = False
