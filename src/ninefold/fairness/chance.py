"""Promised chance: draws from what was committed to beforehand and from the tokens of people.

A source of chance for a hosted match (engine/chance.py). It keeps a journal of all that happened, undone
moves included, from which the proof is made.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate
from typing import Any

from ninefold.engine.chance import Step
from ninefold.engine.log import Log
from ninefold.fairness.commitments import AHEAD, deck_commitment, key_of, places
from ninefold.fairness.decks import DeckInUse, fresh_deck
from ninefold.fairness.hashing import keyed, number_below
from ninefold.fairness.terms import Terms, Tokens

Entry = tuple[Any, ...]  # what happened, as in a proof: see docs/fairness.md


class Draws:
    """What the draws of a match follow from, as far as it is public: the tokens, and the deck in use."""

    def __init__(self, terms: Terms, redaction: Any, by: int, command: str) -> None:
        self.tokens = Tokens(terms, by, command)
        self.redaction = redaction  # of a game whose cards may stay hidden; else None
        self.decks = 0  # how many have been begun
        self.deck: DeckInUse | None = None
        self.steps: Log[DeckInUse | None] = Log()  # the deck before each step of the match
        self.caused: dict[int, tuple[bytes, int]] = {}  # by seat: its last pot, and how many draws from it

    def number(self, number: int) -> int:
        """The number that a draw goes by: it comes after so many others. Where everyone plays at once, these
        are only those from the same token: otherwise the server could choose a draw by choosing whom it hears
        first."""
        if not self.tokens.alone:
            return number
        pot, count = self.caused.get(self.tokens.mover, (b"", 0))
        return count if pot == self.tokens.pot else 0

    def next_card(self, position: Any, number: int) -> tuple[DeckInUse, int]:
        """The deck from which a draw takes a card, and its place there; ValueError if it may not."""
        pot, kind = self.tokens.pot, self.redaction.deck(position)
        deck = fresh_deck(self.decks, self.redaction.CARDS, pot) if kind == 1 else self.deck
        if kind < 0 or deck is None:
            raise ValueError("a card that was dealt is decided a second time")
        return deck, deck.next_place(number, pot)

    def moved(self, seat: int, command: str) -> bool:
        """A step of a seat; whether it brought a token."""
        self.steps.append(self.deck)
        return self.tokens.add(seat, command)

    def drew(self, position: Any, number: int) -> tuple[DeckInUse, int] | None:
        """A step of chance: the deck and the place it takes, if there is one."""
        self.steps.append(self.deck)
        if self.tokens.alone:
            self.caused = {**self.caused, self.tokens.mover: (self.tokens.pot, self.number(number) + 1)}
        if not self.redaction:
            return None
        deck, place = self.next_card(position, number)
        self.decks = max(self.decks, deck.number + 1)
        self.deck = deck.without(place)
        return deck, place

    def undone(self, kept: int) -> None:
        """The match goes back to a step; a deck that was begun since is never dealt from again."""
        if kept < len(self.steps):
            self.deck = self.steps[kept]
            self.steps = Log(self.steps[:kept])

    def copy(self) -> Draws:
        other = Draws.__new__(Draws)
        other.__dict__.update(self.__dict__)
        other.tokens, other.steps = self.tokens.copy(), self.steps.copy()
        return other


class PromisedChance:
    """Chance from a secret that was committed to, and from tokens."""

    def __init__(self, secret: bytes, terms: Terms, redaction: Any, by: int, command: str) -> None:
        self.secret = secret  # empty if this server only reads what another has drawn
        self.terms = terms
        self.draws = Draws(terms, redaction, by, command)
        self.journal: Log[Entry] = Log([("start", by, command)])

    def draw(self, state: Any, number: int) -> int:
        if self.draws.redaction:
            deck, place = self.draws.next_card(state.position, number)
            return deck.card(places(self.secret, deck.cards, deck.number)[place])
        return outcome_of(state, self._digest(number))

    def order(self, number: int, sealed: Sequence[Step]) -> list[int]:
        return order_of([step.seat for step in sealed], self._digest(number))

    def _digest(self, number: int) -> bytes:
        draws = self.draws
        return digest_of(key_of(self.secret), draws.number(number), draws.tokens.pot)

    def drew(self, state: Any, outcome: str, number: int) -> None:
        place = self.draws.drew(state.position, number)
        self.journal.append(("draw", outcome, place[0].number) if place else ("draw", outcome))

    def moved(self, step: Step) -> None:
        self.draws.moved(step.seat, step.command)
        self.journal.append(("move", *step))

    def sealed(self, step: Step) -> None:
        self.draws.tokens.add(step.seat, step.command)
        self.journal.append(("seal", *step))

    def opened(self, before: int, sealed: Sequence[Step], order: Sequence[int]) -> None:  # noqa: ARG002
        self.journal.append(("open", list(order)))

    def rolled(self, seat: int, command: str) -> None:
        self.draws.tokens.add(seat, command)
        self.journal.append(("roll", seat, command))

    def undone(self, kept: int, gone: Sequence[Step], step: Step) -> None:  # noqa: ARG002
        self.draws.undone(kept)
        self.journal.append(("undo", step.seat, kept, step.command))

    def missing_commitments(self, have: int) -> list[str]:
        """Commitments to the next decks, where there are any: always some ahead of the draws."""
        if not self.draws.redaction:
            return []
        wanted = range(have, self.draws.decks + AHEAD)
        return [deck_commitment(self.secret, self.draws.redaction.CARDS, deck) for deck in wanted]

    def promised(self, commitment: str) -> None:
        """A commitment was published."""
        self.journal.append(("promise", commitment))

    def copy(self) -> PromisedChance:
        other = PromisedChance.__new__(PromisedChance)
        other.__dict__.update(self.__dict__)
        other.draws, other.journal = self.draws.copy(), self.journal.copy()
        return other


def digest_of(key: bytes, number: int, pot: bytes) -> bytes:
    """The 256 random bits of a draw."""
    return keyed(key, number.to_bytes(8, "big") + pot)


def outcome_of(state: Any, digest: bytes) -> int:
    """The outcome that a hash draws: in the order of their ids, by their weights."""
    outcomes, weights = state.outcomes()
    ends = list(accumulate(weights))
    place = number_below(digest, ends[-1])
    return int(next(outcome for outcome, end in zip(outcomes, ends, strict=True) if place < end))


def order_of(seats: Sequence[int], digest: bytes) -> list[int]:
    """The order of seats that a hash draws."""
    return sorted(seats, key=lambda seat: keyed(digest, bytes((seat,))))
