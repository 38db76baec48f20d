"""Promised chance: draws from what was committed to beforehand and from the tokens of people.

A source of chance for a hosted match (engine/chance.py). It keeps a journal of all that happened, undone
moves included, from which the proof is made.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from hashlib import sha256
from itertools import accumulate
from typing import Any, NamedTuple

from ninefold.engine.chance import Step
from ninefold.engine.log import Log
from ninefold.fairness.commitments import AHEAD, deck_commitment, key_of, places
from ninefold.fairness.decks import DeckInUse, fresh_deck
from ninefold.fairness.hashing import keyed, number_below
from ninefold.fairness.terms import BY_NUMBER, Terms, Tokens

MOST_LOTS = 1 << 10
Entry = tuple[Any, ...]  # what happened, as in a proof: see docs/fairness.md


class Source(NamedTuple):
    """What a draw is made from, besides the server's part."""

    label: bytes  # which draw it is
    pot: bytes  # the tokens

    @property
    def text(self) -> str:
        """The label as a journal has it."""
        return self.label.decode()


class Place(NamedTuple):
    """A card's place in a deck."""

    deck: DeckInUse
    place: int


class Draws:
    """What the draws of a match follow from, as far as it is public: the tokens, and the deck in use.

    A draw goes by a label that the rules fix, not by how many draws came before it: otherwise the server
    could choose a draw by what its bots do before, and after how long.
    """

    def __init__(self, terms: Terms, package: Any, by: int, command: str) -> None:
        self.tokens = Tokens(terms, by, command)
        self.redaction = package.redaction  # of a game whose cards may stay hidden; else None
        self.occasion = package.occasion
        self.numbered = terms.protocol <= BY_NUMBER
        self.decks = 0  # how many have been begun
        self.deck: DeckInUse | None = None
        self.last: tuple[tuple[object, ...], int] = (), 0  # the last occasion, and how many draws it has had
        self.undos = 0
        self.openings = 0  # of sealed moves
        self.steps: Log[tuple[DeckInUse | None, tuple[tuple[object, ...], int]]] = Log()  # both, before each
        self.caused: dict[int, tuple[bytes, int]] = {}  # by seat: its last pot, and how many draws from it

    def number(self, number: int) -> int:
        """The number that a draw goes by: how many come before it. Where everyone plays at once, these
        are only those from the same token: otherwise the server could choose a draw by choosing whom it hears
        first."""
        if not self.tokens.alone:
            return number
        pot, count = self.caused.get(self.tokens.mover, (b"", 0))
        return count if pot == self.tokens.pot else 0

    def source(self, position: Any, number: int) -> Source:
        """What the next draw is made from; `number` is how many came before it."""
        tokens = self.tokens
        if self.numbered:
            return Source(self.number(number).to_bytes(8, "big"), tokens.pot)
        kind, occasion = self._occasion(position)
        if kind == "part":
            pot = tokens.pot_of_round if tokens.alone else tokens.pot
            words: tuple[object, ...] = self.undos, *occasion, self._count(kind, occasion)
        elif kind == "own":
            pot = tokens.pot
            words = (self.number(number),) if tokens.alone else (*occasion, self._count(kind, occasion))
        else:
            pot, words = tokens.pot, (self.number(number),)
        return Source(" ".join((kind, *map(str, words))).encode(), pot)

    def _occasion(self, position: Any) -> tuple[str, tuple[int, ...]]:
        if self.occasion is None:
            return "draw", ()
        occasion = self.occasion(position)
        return ("part", occasion) if occasion else ("own", (self.openings, self.tokens.mover))

    def _count(self, kind: str, occasion: tuple[int, ...]) -> int:
        last, count = self.last
        return count if last == (kind, occasion) else 0

    def source_of_order(self, number: int) -> Source:
        """What the order of sealed moves is made from."""
        if self.numbered:
            return Source(number.to_bytes(8, "big"), self.tokens.pot)
        return Source(f"order {self.openings}".encode(), self.tokens.pot)

    def next_card(self, position: Any, number: int) -> Place:
        """The deck from which a draw takes a card, and its place there; ValueError if it may not."""
        pot, kind = self.tokens.pot, self.redaction.deck(position)
        deck = fresh_deck(self.decks, self.redaction.CARDS, pot) if kind == 1 else self.deck
        if kind < 0 or deck is None:
            raise ValueError("a card that was dealt is decided a second time")
        label = f"deck {self.undos} {deck.number} {deck.dealt}".encode()
        return Place(deck, deck.next_place(number.to_bytes(8, "big") if self.numbered else label, pot))

    def moved(self, seat: int, command: str) -> bool:
        """A step of a seat; whether it brought a token."""
        self.steps.append((self.deck, self.last))
        return self.tokens.add(seat, command)

    def drew(self, position: Any, number: int) -> Place | None:
        """A step of chance: the deck and the place it takes, if there is one."""
        self.steps.append((self.deck, self.last))
        if self.redaction:
            found = self.next_card(position, number)
            self.decks = max(self.decks, found.deck.number + 1)
            self.deck = found.deck.without(found.place)
            return found
        kind, occasion = ("own", ()) if self.numbered else self._occasion(position)
        if not self.numbered:
            self.last = (kind, occasion), self._count(kind, occasion) + 1
        if kind == "part":
            self.tokens.round_drawn()
        elif self.tokens.alone:
            self.caused = {**self.caused, self.tokens.mover: (self.tokens.pot, self.number(number) + 1)}
        return None

    def undone(self, kept: int) -> None:
        """The match goes back to a step; a deck that was begun since is never dealt from again."""
        self.undos += 1
        if kept < len(self.steps):
            self.deck, self.last = self.steps[kept]
            self.steps = Log(self.steps[:kept])

    def copy(self) -> Draws:
        other = Draws.__new__(Draws)
        other.__dict__.update(self.__dict__)
        other.tokens, other.steps = self.tokens.copy(), self.steps.copy()
        return other


class PromisedChance:
    """Chance from a secret that was committed to, and from tokens."""

    def __init__(self, secret: bytes, terms: Terms, package: Any, by: int, command: str) -> None:
        self.secret = secret  # empty if this server only reads what another has drawn
        self.terms = terms
        self.draws = Draws(terms, package, by, command)
        self.journal: Log[Entry] = Log([("start", by, command)])

    def draw(self, state: Any, number: int) -> int:
        if self.draws.redaction:
            deck, place = self.draws.next_card(state.position, number)
            return deck.card(places(self.secret, deck.cards, deck.number)[place])
        digest = digest_of(key_of(self.secret), self.draws.source(state.position, number))
        return outcome_of(state, digest, self.draws.numbered)

    def order(self, number: int, sealed: Sequence[Step]) -> list[int]:
        digest = digest_of(key_of(self.secret), self.draws.source_of_order(number))
        return order_of([step.seat for step in sealed], digest)

    def drew(self, state: Any, outcome: str, number: int) -> None:
        source = self.draws.source(state.position, number)
        place = self.draws.drew(state.position, number)
        self.journal.append(("draw", outcome, *deck_or_label(place, source, self.draws.numbered)))

    def moved(self, step: Step) -> None:
        self.draws.moved(step.seat, step.command)
        self.journal.append(("move", *step))

    def sealed(self, step: Step) -> None:
        self.draws.tokens.add(step.seat, step.command)
        self.journal.append(("seal", *step))

    def opened(self, before: int, sealed: Sequence[Step], order: Sequence[int]) -> None:  # noqa: ARG002
        self.draws.openings += 1
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


def deck_or_label(place: Place | None, source: Source, numbered: bool) -> tuple[int] | tuple[str] | tuple[()]:
    """What a journal says of a draw besides its outcome: its deck or, since protocol 5, its label."""
    if place:
        return (place.deck.number,)
    return () if numbered else (source.text,)


def digest_of(key: bytes, source: Source) -> bytes:
    """The 256 random bits of a draw."""
    return keyed(key, source.label + source.pot)


def outcome_of(state: Any, digest: bytes, numbered: bool = False) -> int:
    """The outcome that a hash draws, by their weights.

    Every unit of weight draws a lot, and the lowest wins: so which other cards are left makes no difference
    to a card that wins. If there are very many, or in early protocols, in the order of their ids.
    """
    outcomes, weights = state.outcomes()
    ends = list(accumulate(weights))
    if not numbered and ends[-1] <= MOST_LOTS:
        return lowest_lot(outcomes, weights, digest)
    place = number_below(digest, ends[-1])
    return int(next(outcome for outcome, end in zip(outcomes, ends, strict=True) if place < end))


def lowest_lot(outcomes: Sequence[int], weights: Sequence[int], digest: bytes) -> int:
    """The outcome with the lowest hash of the digest, its id and the number of a unit of its weight."""
    lots = _lots(tuple(outcomes), tuple(weights))
    marks = [sha256(digest + lot).digest() for lot in lots]
    return int.from_bytes(lots[marks.index(min(marks))][:4], "big")


@lru_cache(1 << 8)
def _lots(outcomes: tuple[int, ...], weights: tuple[int, ...]) -> list[bytes]:
    """The words for every unit of weight."""
    return [
        _lot(outcome, unit)
        for outcome, weight in zip(outcomes, weights, strict=True)
        for unit in range(weight)
    ]


@lru_cache(1 << 14)
def _lot(outcome: int, unit: int) -> bytes:
    """The words for one: the outcome and the number of the unit."""
    return outcome.to_bytes(4, "big") + unit.to_bytes(4, "big")


def order_of(seats: Sequence[int], digest: bytes) -> list[int]:
    """The order of seats that a hash draws."""
    return sorted(seats, key=lambda seat: keyed(digest, bytes((seat,))))
