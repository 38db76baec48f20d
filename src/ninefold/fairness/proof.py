"""The proof of a match's draws: what is published when it is over.

A record with a proof contains what the server committed to before the match, the tokens of people, a
journal of all that happened, undone moves included, and what the server has to show: its key or, where
cards may stay hidden for good, the places of decks that came to be seen.
"""

from __future__ import annotations

from collections import defaultdict
from typing import Any

from ninefold.engine.match import Match
from ninefold.engine.records import CHANCE_NAME, digest, open_record
from ninefold.fairness.chance import Place, PromisedChance
from ninefold.fairness.commitments import key_of, opening
from ninefold.fairness.walk import Walk, final_moves
from ninefold.kernel.fields import CHANCE


class _Places(Walk):
    """Finds the places of the cards."""

    def __init__(self, *args: Any) -> None:
        super().__init__(*args)
        self.places: dict[int, tuple[int, int]] = {}  # by entry: the deck and the place of its card

    def drawn(self, text: str, place: Place | None) -> None:  # noqa: ARG002 (they are true)
        if place:
            self.places[self.at] = place.deck.number, place.place


def prove(match: Match, secret: bytes, withheld: bool = False) -> dict[str, Any]:
    """The record of a match with its proof; the key may be withheld if the match has no end."""
    chance = match.chance
    assert isinstance(chance, PromisedChance)
    record = match.state.record()
    journal = list(chance.journal)
    walk = _Places(open_record(record), chance.terms, journal)
    walk.run()
    opened: dict[int, set[int]] = defaultdict(set)
    for at, (deck, place) in walk.places.items():
        if at in walk.shown:
            opened[deck].add(place)
        else:
            journal[at] = "draw", walk.hidden_text, deck
    moves = [
        [CHANCE_NAME if seat == CHANCE else seat, text] for seat, text in final_moves(walk.steps, journal)
    ]
    record |= {"moves": moves, "fair": _fair(chance, journal, secret, opened)}
    if withheld and "key" in record["fair"]:
        record["fair"]["key"] = ""
    record["digest"] = digest(record)
    return record


def _fair(
    chance: PromisedChance, journal: list[tuple[Any, ...]], secret: bytes, opened: dict[int, set[int]]
) -> dict[str, Any]:
    terms, redaction = chance.terms, chance.draws.redaction
    people = [dict(one) | {"anchor": anchor} for one, anchor in zip(terms.people, terms.anchors, strict=True)]
    fair: dict[str, Any] = {
        "protocol": terms.protocol,
        "table": terms.table,
        "match": terms.match,
        "alone": terms.alone,
        "commitments": list(terms.commitments),
        "seats": people,
        "journal": [list(entry) for entry in journal],
    }
    if redaction:
        decks = range(chance.draws.decks)
        return fair | {"decks": [opening(secret, redaction.CARDS, deck, opened[deck]) for deck in decks]}
    return fair | {"key": key_of(secret).hex()}
