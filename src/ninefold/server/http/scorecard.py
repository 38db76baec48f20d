"""The score card of a real table, as a pure function: names and what was typed in, the standing out.

The page keeps the entries, and adds up rolls and cash-outs by itself, so that it works without a connection.
It asks here for what else can be typed in. The server keeps nothing. It does only so much for one card: a
correction plays again what follows it, so that a short list of corrections could be a lot of work.
"""

from __future__ import annotations

from typing import Any

from ninefold.kernel.errors import IllegalMove, NinefoldError, RuleError
from ninefold.scorecard.card import Card
from ninefold.scorecard.entries import Redo, Undo
from ninefold.scorecard.names import check_names
from ninefold.scorecard.reading import Enter, Fix, Request, Show, read
from ninefold.scorecard.steps import take
from ninefold.scorecard.wording import Line, amount, round_listing, sentence
from ninefold.server.tables.messages import Sheet

MOST_WORK = 40_000  # entries that are played for one card, again and again for every correction


def add_up(sheet: Sheet) -> dict[str, Any]:
    """Where the game stands after the entries; those that do not fit are left out, and the last says why."""
    card = Card.new(check_names(sheet.players), sheet.rounds, sheet.rounds)
    kept: list[str] = []
    lines: list[Line] = []
    refused = None
    work = 0
    for text in sheet.entries:
        try:
            asked = read(text, card)
            if isinstance(asked, Request | Show):
                raise IllegalMove(
                    "I don't understand that: type a roll such as 34, a name to cash out, undo or fix 2.1 36"
                )
            work += _work(card, asked)
            if work > MOST_WORK:
                raise TooMuch("this card has too many corrections; please begin a new one")
            card, _, lines = take(card, asked)
            kept.append(text)
            refused = None
        except TooMuch:
            raise
        except NinefoldError as error:
            refused = sentence(error)
    return {"kept": kept, "lines": [line._asdict() for line in lines], "refused": refused, **_standing(card)}


class TooMuch(RuleError):  # noqa: N818 (what it is)
    """A card that would keep the server busy for too long."""


def _work(card: Card, asked: Enter | Undo | Redo | Fix) -> int:
    """About how many entries have to be played to take a step."""
    if isinstance(asked, Enter):
        return 1
    if isinstance(asked, Fix):
        return 2 * len(card.entries) + 1  # to see what no longer fits, and then to make it so
    touched = min(change.at for change in card.changes(asked))
    begun = max(start for start, _ in card.rounds if start <= touched)
    return len(card.entries) - begun + 1


def _standing(card: Card) -> dict[str, Any]:
    """Numbers as texts, since a total that is doubled often enough is more than a page can count."""
    at = card.position
    best = max(at.scores.values(), default=0)
    return {
        "round": at.number,
        "rounds": at.high,
        "total": amount(at.total),
        "sevens": at.sevens,
        "rolls": at.rolls,
        "roller": None if at.roller is None else at.names[at.roller],
        "rolled": None if at.last is None else at.names[at.last],
        "over": at.over,
        "players": [
            {
                "name": name,
                "score": amount(at.scores[player]),
                "part": player in at.part,
                "in": player in at.inside,
                "away": player in at.away,
                "gain": amount(at.gains[player]) if player in at.gains else None,
                "leads": at.scores[player] == best and best > 0,
            }
            for player, name in at.names.items()
        ],
        "past": [
            {
                "round": one.number,
                "busted": one.busted,
                "gains": [None if gain is None else amount(gain) for gain in map(one.gain, at.names)],
            }
            for one in at.past
        ],
        "entries": round_listing(card, at.number)[:200],
    }
