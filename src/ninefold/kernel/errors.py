"""What can go wrong, as sentences for a person: what was tried, which rule forbids it, what is allowed."""

from __future__ import annotations

from collections.abc import Sequence
from difflib import get_close_matches
from typing import Any


class NinefoldError(Exception):
    """Any error of Ninefold; its text is one sentence that can be shown to people."""


class RuleError(NinefoldError, ValueError):
    """An unknown game, option or bot, or a number of players or a hand that is not allowed."""


class RecordError(NinefoldError, ValueError):
    """A record that is damaged or was made under another version of the rules."""


class IllegalMove(NinefoldError, ValueError):  # noqa: N818 (a fixed public name)
    """A move the rules do not allow now. Nothing has changed."""

    def __init__(self, sentence: Any, rule: str = "") -> None:
        """The sentence is a Text, so that a surface can render it with the players' names."""
        super().__init__(f"{sentence} ({rule})" if rule else str(sentence))
        self.sentence = sentence
        self.rule = rule


class Unreadable(IllegalMove):
    """A move that cannot be read."""


class Ambiguous(IllegalMove):
    """A move that can be read in more than one way."""


class NotYourTurn(IllegalMove):
    """A move of a seat that is not to move now."""


def suggest(word: str, known: Sequence[str], kind: str) -> str:
    """Suggest what an unknown word may have meant."""
    near = get_close_matches(word, known, 1)
    return (f"did you mean {near[0]}? " if near else "") + f"the {kind} are {', '.join(known)}"
