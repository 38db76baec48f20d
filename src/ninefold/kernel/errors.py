"""What can go wrong, as sentences for a person: what was tried, which rule forbids it, what is allowed."""

from __future__ import annotations


class NinefoldError(Exception):
    """Any error of Ninefold's own; its text is one sentence fit to be shown."""


class RuleError(NinefoldError, ValueError):
    """A game, option, number of players, bot or judged hand that the rules do not know."""


class RecordError(NinefoldError, ValueError):
    """A record that is damaged or was made under another version of the rules."""


class IllegalMove(NinefoldError, ValueError):  # noqa: N818 (a fixed public name)
    """A move the rules do not allow now. Nothing has changed."""

    def __init__(self, sentence: str, rule: str = "") -> None:
        super().__init__(f"{sentence} ({rule})" if rule else sentence)
        self.rule = rule


class Unreadable(IllegalMove):
    """A move that cannot be read."""


class Ambiguous(IllegalMove):
    """A move that can be read in more than one way."""


class NotYourTurn(IllegalMove):
    """A move of a seat that is not being asked."""
