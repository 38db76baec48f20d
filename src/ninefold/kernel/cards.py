"""Cards: decks, ranks and suits, how they are written and read, and draws from a stock held as numbers.

Nothing here knows a game: each game decides what a rank is worth and whether suits matter. A stock is counts
or bits per card, never an ordered list, so that nothing is decided before it is seen.

A card's number is rank-major (`card // suits` is its rank, the ace being 0); jokers come last.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from ninefold.kernel import intrinsics
from ninefold.kernel.compile import kernel
from ninefold.kernel.errors import RuleError
from ninefold.kernel.stream import below

Card = int
Rank = int


@dataclass(frozen=True)
class Suit:
    """A suit: the letter it is typed with, a symbol one column wide, and its name after `of` or a number."""

    letter: str
    symbol: str
    many: str


ROCK = Suit("R", "●", "Rock")
PAPER = Suit("P", "▤", "Paper")
SCISSORS = Suit("X", "✂", "Scissors")
WATER = Suit("W", "≈", "Water")
LIZARD = Suit("L", "§", "Lizards")
SPADES = Suit("S", "♠", "Spades")
HEARTS = Suit("H", "♥", "Hearts")
DIAMONDS = Suit("D", "♦", "Diamonds")
CLUBS = Suit("C", "♣", "Clubs")

SUITS = (ROCK, PAPER, SCISSORS, WATER, LIZARD, SPADES, HEARTS, DIAMONDS, CLUBS)
RANKS = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K")
JOKER = "JK"
RANK_NAMES = (
    {"A": "ace", "2": "two", "3": "three", "4": "four", "5": "five", "6": "six", "7": "seven"}
    | {"8": "eight", "9": "nine", "10": "ten", "J": "jack", "Q": "queen", "K": "king"}
    | {JOKER: "joker"}
)

_SUIT_OF = {suit.letter: suit for suit in SUITS}
_RANK_OF = {**{rank: rank for rank in (*RANKS, JOKER)}, "1": "A", "T": "10", "JOKER": JOKER}
_TYPED = str.maketrans(
    {suit.symbol: suit.letter for suit in SUITS}
    | {"♤": "S", "♡": "H", "♢": "D", "♧": "C"}
    | dict.fromkeys("\ufe0e\ufe0f")  # variation selectors: how a symbol is drawn, not which one
)
_BETWEEN = re.compile(r"[\s,+·/–-]+")
_LETTERS = "".join(_SUIT_OF)
_ONE = re.compile(rf"(10|JOKER|JK|[A1-9TJQK])([{_LETTERS}]?)")
# Cards without a space between them: `1` could be half of a value such as 12, and `JK` two cards.
_NEXT = re.compile(rf"(10|[A2-9TJQK])([{_LETTERS}]?)")
_RUN = re.compile(rf"(?:{_NEXT.pattern})+")

Written = tuple[str, str]  # the text of a rank, the letter of a suit or nothing


@dataclass(frozen=True)
class Deck:
    """The cards of one deck. A shoe is several of them, as `decks` copies of each card."""

    name: str
    ranks: tuple[str, ...]
    suits: tuple[Suit, ...]
    jokers: int = 0

    @cached_property
    def size(self) -> int:
        return len(self.ranks) * len(self.suits) + self.jokers

    @cached_property
    def kinds(self) -> int:
        """How many ranks there are, the joker's among them."""
        return len(self.ranks) + (self.jokers > 0)

    @cached_property
    def texts(self) -> tuple[str, ...]:
        """The text of every card, in the order of their numbers."""
        suited = [rank + suit.letter for rank in self.ranks for suit in self.suits]
        return (*suited, *[JOKER] * self.jokers)

    @cached_property
    def _numbers(self) -> dict[str, Card]:
        # Backwards, so that JK is the first joker.
        return {text: card for card, text in reversed(list(enumerate(self.texts)))}

    def rank(self, card: Card) -> Rank:
        return min(card // len(self.suits), len(self.ranks))

    def suit(self, card: Card) -> int:
        """The index of a card's suit in `suits`, -1 for a joker."""
        return card % len(self.suits) if self.rank(card) < len(self.ranks) else -1

    def copies(self, rank: Rank) -> int:
        """How many cards of a rank one deck has."""
        return len(self.suits) if rank < len(self.ranks) else self.jokers

    def text(self, card: Card) -> str:
        """The canonical text of a card, `10H`."""
        self._know(card, self.size, "card")
        return self.texts[card]

    def rank_text(self, rank: Rank) -> str:
        self._know(rank, self.kinds, "rank")
        return (*self.ranks, JOKER)[rank]

    def hand_text(self, ranks: Iterable[Rank]) -> str:
        """Ranks as they are written in moves, `8 8 A A`."""
        return " ".join(self.rank_text(rank) for rank in ranks)

    def texts_of(self, cards: Iterable[Card]) -> tuple[str | None, ...]:
        """Cards as programs write them; None for a number of no card, which the reader may not know."""
        texts = self.texts
        return tuple([texts[card] if 0 <= card < len(texts) else None for card in cards])

    def drawn(self, *cards: Card) -> str:
        """Cards with their symbols, `10♥ A♠`."""
        return " ".join([self._drawn(card) for card in cards])

    def _drawn(self, card: Card) -> str:
        text = self.text(card)
        return text if self.suit(card) < 0 else text[:-1] + self.suits[self.suit(card)].symbol

    def rank_words(self, rank: Rank, number: int = 1) -> str:
        """A rank in words, singular or plural by `number`: `six`, `sixes`."""
        name = RANK_NAMES[self.rank_text(rank)]
        if number == 1:
            return name
        return name + ("es" if name.endswith("x") else "s")

    def read(self, text: str) -> Card:
        """The card that `text` names; RuleError says what it should look like."""
        return self._cards(self._one(text))[0]

    def read_rank(self, text: str) -> Rank:
        """The rank that `text` names, whatever its suit."""
        return self._ranks(self._one(text))[0]

    def read_hand(self, text: str | Iterable[str], decks: int = 1) -> list[Rank]:
        """The ranks of cards written as `8 4 4 A A` or `KK`; suits may be given and are checked, not kept."""
        written = self._written(text)
        ranks = self._ranks(written)
        self._check_copies(self._cards(pair for pair in written if pair[1]), decks)
        self._check_ranks(ranks, decks)
        return ranks

    def read_cards(self, text: str | Iterable[str], decks: int = 1) -> list[Card]:
        """The cards written as `7R 7P AS`; every card but a joker needs its suit."""
        cards = self._cards(self._written(text))
        self._check_copies(cards, decks)
        return cards

    def _check_copies(self, cards: Sequence[Card], decks: int) -> None:
        """Refuse more copies of a card, or of a rank, than there are."""
        for card, number in Counter(cards).items():
            if number > decks and self.suit(card) >= 0:
                holds = f"{_some(decks)} {self.texts[card]}"
                raise RuleError(f"{self._source(decks)} has {holds}, not {number}")
        self._check_ranks([self.rank(card) for card in cards], decks)

    def _check_ranks(self, ranks: Sequence[Rank], decks: int) -> None:
        for rank, number in Counter(ranks).items():
            most = self.copies(rank) * decks
            if number > most:
                holds = f"{most} {self.rank_words(rank, most)}"
                raise RuleError(f"{self._source(decks)} has {holds}, not {number}")

    def _source(self, decks: int) -> str:
        return f"the {self.name}" if decks == 1 else f"a shoe of {decks} decks"

    def _one(self, text: str) -> list[Written]:
        written = self._written(text)
        if len(written) != 1:
            raise self._unreadable(text)
        return written

    def _written(self, text: str | Iterable[str]) -> list[Written]:
        """The ranks and suits in a text; all are in this deck."""
        found: list[Written] = []
        for typed in _tokens(text):
            token = _plain(typed)
            one = _ONE.fullmatch(token)
            if one:
                found.append((_RANK_OF[one[1]], one[2]))
            elif _RUN.fullmatch(token) and JOKER not in token:
                found += [(_RANK_OF[rank], suit) for rank, suit in _NEXT.findall(token)]
            elif _RUN.fullmatch(token):
                raise RuleError(
                    f"{_quoted(typed)} could be the joker JK or a J and a K: put spaces between the cards"
                )
            else:
                raise self._unreadable(typed)
        for rank, suit in found:
            self._check_known(rank, suit)
        return found

    def _check_known(self, rank: str, suit: str) -> None:
        if rank == JOKER and suit:
            raise RuleError(f"'JK{suit}' is not a card: a joker has no suit (for J and K write J K{suit})")
        if rank == JOKER and not self.jokers:
            raise RuleError(f"JK is a joker, and the {self.name} has none (for a jack and a king write J K)")
        if rank != JOKER and rank not in self.ranks:
            raise RuleError(f"the {self.name} has no {rank}, only {self._rank_list}")
        if suit and suit not in self._letters:
            missing = _SUIT_OF[suit].many
            raise RuleError(f"'{rank}{suit}': the {self.name} has no {missing}, only {self._suit_list}")

    def _ranks(self, written: Iterable[Written]) -> list[Rank]:
        return [len(self.ranks) if rank == JOKER else self.ranks.index(rank) for rank, _ in written]

    def _cards(self, written: Iterable[Written]) -> list[Card]:
        cards = []
        jokers = 0
        for rank, suit in written:
            if rank == JOKER:  # one after another, so that two jokers are two cards
                cards.append(self._numbers[JOKER] + jokers % self.jokers)
                jokers += 1
            elif suit:
                cards.append(self._numbers[rank + suit])
            else:
                raise RuleError(f"'{rank}' needs a suit, one of {self._suit_list}: {rank}{self._letters[0]}")
        return cards

    @property
    def _letters(self) -> str:
        return "".join(suit.letter for suit in self.suits)

    @property
    def _suit_list(self) -> str:
        return " ".join(self._letters)

    @property
    def _rank_list(self) -> str:
        return " ".join((*self.ranks, JOKER) if self.jokers else self.ranks)

    def _unreadable(self, text: object) -> RuleError:
        example = self.ranks[-4] + self._letters[1]
        return RuleError(
            f"{_quoted(text)} is not a card: write a rank ({self._rank_list}) and a suit "
            f"({self._suit_list}), such as {example}"
        )

    def _know(self, number: int, size: int, what: str) -> None:
        if not 0 <= number < size:
            raise RuleError(f"{what} {number} is not one of the {size} of the {self.name}")


STANDARD = Deck("52-card deck", RANKS, (SPADES, HEARTS, DIAMONDS, CLUBS))
WITH_JOKERS = Deck("54-card deck", RANKS, STANDARD.suits, jokers=2)
NINE_SUITS = Deck("81-card deck", RANKS[:9], SUITS)


def check_number(cards: Sequence[object], least: int, most: int | None = None, what: str = "a hand") -> None:
    """Refuse too few or too many cards: exactly `least`, or `least` to `most`."""
    top = least if most is None else most
    if least <= len(cards) <= top:
        return
    wanted = f"{_some(least)} card{'s' * (least != 1)}" if top == least else f"{least} to {top} cards"
    raise RuleError(f"{what} is {wanted}, not {len(cards)}")


def _some(number: int) -> str:
    return "one" if number == 1 else str(number)


def _tokens(text: str | Iterable[str]) -> list[str]:
    if not isinstance(text, str):
        parts = list(text) if isinstance(text, Iterable) else [text]
        if not all(isinstance(part, str) for part in parts):
            raise RuleError(f"cards are written as text, such as '8 4 4 A A', not {_quoted(text)}")
        text = " ".join(parts)
    return [token for token in _BETWEEN.split(text) if token]


def _plain(token: str) -> str:
    """Upper-case a card, ASCII only: otherwise a long s and a Kelvin sign would become a suit and a rank."""
    token = token.translate(_TYPED)
    return token.upper() if token.isascii() else token


def _quoted(text: object) -> str:
    shown = repr(text)
    return shown if len(shown) <= 42 else f"{shown[:40]}…{shown[0]}"


# Draws. A count or a bit for each card that remains; the caller removes the card drawn.


count = intrinsics.count_bits  # how many cards a word of bits holds


@kernel
def pick(counts: Any, n: int) -> int:
    """The index of the n-th card, from 0, of all those counted."""
    left = n
    for index in range(counts.size - 1):
        left -= int(counts[index])
        if left < 0:
            return index
    return counts.size - 1  # type: ignore[no-any-return]


@kernel
def draw(counts: Any, total: int, stream: Any) -> int:
    """Draw from counts whose sum is `total`, at least 1: index i with probability counts[i] / total."""
    return pick(counts, below(stream, total))


@kernel
def nth_card(bits: int, n: int) -> Card:
    """The n-th card, from 0, of the more than n that a word of bits holds."""
    return intrinsics.nth_bit(bits, n)


@kernel
def draw_card(bits: int, stream: Any) -> Card:
    """Draw evenly from the cards of a word of bits, at least one."""
    return nth_card(bits, below(stream, count(bits)))


@kernel
def count_wide(words: Any) -> int:
    """How many cards an array of words holds (for more than 64; its set functions are those of seats.py)."""
    total = 0
    for word in range(words.size):
        total += count(words[word])
    return total


@kernel
def nth_card_wide(words: Any, n: int) -> Card:
    """The n-th card, from 0, of the more than n that an array of words holds."""
    left = n
    for word in range(words.size - 1):
        here = count(words[word])
        if left < here:
            return (word << 6) + nth_card(words[word], left)
        left -= here
    last = words.size - 1
    return (last << 6) + nth_card(words[last], left)  # type: ignore[no-any-return]


@kernel
def draw_card_wide(words: Any, stream: Any) -> Card:
    """Draw evenly from the cards of an array of words, at least one."""
    return nth_card_wide(words, below(stream, count_wide(words)))
