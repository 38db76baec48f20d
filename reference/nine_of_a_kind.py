"""9 of a Kind in plain Python: a referee that goes step by step, and a loop that plays many games with it.

The referee (`NineOfAKind`) is a second reading of the rule page, for tests to hold the package against; the
loop (`play_games`) is a yardstick for speed. Nothing here may know the package: a mistake that both share
would never be seen.
"""

from __future__ import annotations

import itertools
import math
import random
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from reference.tally import Report, Result, count_games

RANKS = "A23456789"
SUITS = "RPXWLSHDC"
DECK = tuple(rank + suit for rank in RANKS for suit in SUITS)
PLACE = {card: place for place, card in enumerate(DECK)}
PIPS = {card: RANKS.index(card[0]) + 1 for card in DECK}
HAND = 9
SEVEN = 7
TURN_LIMIT = 100_000

Parcel = tuple[str, ...]


@dataclass(frozen=True)
class Options:
    target: int = 300
    chicken: bool = False
    forfeit: str = "free"


DEFAULTS = Options()


def is_parcel(cards: Sequence[str]) -> bool:
    """One to three cards, all of one suit or all of one rank."""
    if not 1 <= len(cards) <= 3:
        return False
    return len({card[0] for card in cards}) == 1 or len({card[1] for card in cards}) == 1


def parcels(hand: Iterable[str], size: int) -> list[Parcel]:
    """Every parcel of a size that can be made of a hand."""
    ordered = sorted(hand, key=PLACE.__getitem__)
    return [cards for cards in itertools.combinations(ordered, size) if is_parcel(cards)]


def largest(hand: Iterable[str]) -> int:
    """The most cards of one suit or of one rank."""
    return max(Counter(letter for card in hand for letter in card).values())


def held(hand: Iterable[str]) -> int:
    """The pips outside the suit or rank that is best for the holder."""
    cards = list(hand)
    inside: Counter[str] = Counter()
    for card in cards:
        for letter in card:
            inside[letter] += PIPS[card]
    return sum(PIPS[card] for card in cards) - max(inside.values(), default=0)


def is_nine(hand: Iterable[str]) -> bool:
    return largest(hand) == HAND


def is_blocked(hand: Iterable[str]) -> bool:
    cards = list(hand)
    return len({card[0] for card in cards}) == len({card[1] for card in cards}) == len(cards) == HAND


class NineOfAKind:
    """One game, moved on by whoever holds the deck and the seats."""

    def __init__(self, players: int, options: Options = DEFAULTS) -> None:
        if not 5 <= players <= 9:
            raise ValueError(f"9 of a Kind is for five to nine players, not {players}.")
        self.players = players
        self.options = options
        self.scores = [0] * players
        self.rounds = 0
        self.turns = 0
        self.begin_round()

    def begin_round(self) -> None:
        self.rounds += 1
        self.centre = set(DECK)
        self.hands: list[set[str]] = [set() for _ in range(self.players)]
        self.inside = set(range(self.players))
        self.offers: dict[int, Parcel] = {}
        self.may_use_centre: set[int] = set()
        self.owed = [0] * self.players
        self.laid: Parcel = ()
        self.drawer = -1
        self.draws = 0
        self.silent: set[int] = set()
        self.claimants: list[int] = []
        self.trades = 0
        self.awaits = "deal"

    @property
    def over(self) -> bool:
        return self.awaits == "over"

    @property
    def actors(self) -> list[int]:
        """Whose word is awaited."""
        return sorted(
            self.silent if self.awaits == "unison" else self.inside if self.awaits == "trade" else []
        )

    # Chance

    def chance(self) -> dict[str, int]:
        if self.awaits in ("deal", "draw"):
            return {f"deal {card}": 1 for card in self.centre}
        return {}

    def step(self, text: str) -> None:
        """Apply what chance did, given in words."""
        card = text.removeprefix("deal ")
        if self.awaits not in ("deal", "draw") or card not in self.centre:
            raise ValueError(f"{text} cannot happen now.")
        self.centre.remove(card)
        if self.awaits == "deal":
            dealt = sum(map(len, self.hands))
            self.hands[dealt % self.players].add(card)
            if dealt + 1 == HAND * self.players:
                self.await_trades()
            return
        self.hands[self.drawer].add(card)
        self.draws -= 1
        if self.draws == 0:
            self.centre.update(self.laid)
            self.laid = ()
            self.await_trades()

    def await_trades(self) -> None:
        self.awaits = "trade"
        self.turns += 1

    # Moves

    def moves(self, seat: int) -> list[str]:
        """What a seat may do, in words."""
        if self.awaits == "unison":
            return ["claim nine", "wait"] if seat in self.silent else []
        if self.awaits != "trade" or seat not in self.inside:
            return []
        by_size = {size: [" ".join(p) for p in parcels(self.hands[seat], size)] for size in (1, 2, 3)}
        found = [f"offer {cards}" for size in (1, 2, 3) for cards in by_size[size]]
        if seat in self.may_use_centre:
            found += [f"centre {c}" for size in (1, 2, 3) if len(self.centre) >= size for c in by_size[size]]
        for other, offer in self.offers.items():
            if other != seat:
                found += [f"answer {other} {cards}" for cards in by_size[len(offer)]]
        if seat in self.offers:
            found.append("withdraw")
        found += ["claim nine", "claim blocked"]
        if self.options.chicken:
            found.append("chicken")
        return [*found, "wait"]

    def play(self, seat: int, text: str) -> None:
        """Apply a move of `moves(seat)`."""
        verb, *words = text.split()
        if self.awaits == "unison":
            self.speak(seat, text)
        elif verb == "offer":
            self.offers[seat] = tuple(words)
            self.await_trades()
        elif verb == "withdraw":
            del self.offers[seat]
            self.await_trades()
        elif verb == "answer":
            self.answer(seat, int(words[0]), tuple(words[1:]))
        elif verb == "centre":
            self.trade_with_centre(seat, tuple(words))
        elif verb == "claim":
            self.claim(seat, words[0])
        elif verb == "chicken":
            self.call_chicken(seat)
        else:
            self.await_trades()

    def answer(self, seat: int, other: int, parcel: Parcel) -> None:
        theirs = self.offers.pop(other)
        self.offers.pop(seat, None)
        self.hands[seat].difference_update(parcel)
        self.hands[other].difference_update(theirs)
        self.hands[seat].update(theirs)
        self.hands[other].update(parcel)
        self.may_use_centre |= {seat, other}
        self.trades += 1
        self.await_trades()

    def trade_with_centre(self, seat: int, parcel: Parcel) -> None:
        self.offers.pop(seat, None)
        self.may_use_centre.remove(seat)
        self.hands[seat].difference_update(parcel)
        self.laid = parcel
        self.drawer = seat
        self.draws = len(parcel)
        self.awaits = "draw"

    def claim(self, seat: int, what: str) -> None:
        hand = self.hands[seat]
        if what == "nine" and is_nine(hand):
            self.claimants = [seat]
            self.offers = {}
            self.silent = self.inside - {seat}
            self.awaits = "unison"
            self.turns += 1
        elif what == "blocked" and is_blocked(hand):
            self.pay([seat])
        else:
            self.forfeit(seat)

    def forfeit(self, seat: int) -> None:
        if self.options.forfeit == "counts":
            self.owed[seat] = held(self.hands[seat])
        self.offers.pop(seat, None)
        self.centre |= self.hands[seat]
        self.hands[seat] = set()
        self.inside.remove(seat)
        if len(self.inside) < 2:
            self.end_round()
        else:
            self.await_trades()

    def speak(self, seat: int, text: str) -> None:
        self.silent.remove(seat)
        if text == "claim nine" and is_nine(self.hands[seat]):
            self.claimants.append(seat)
        if self.silent:
            self.turns += 1
        else:
            self.pay(self.claimants)

    def pay(self, winners: Sequence[int]) -> None:
        total = sum(held(self.hands[seat]) for seat in self.inside if seat not in winners) + sum(self.owed)
        for seat in winners:
            self.scores[seat] += total
        self.end_round()

    def call_chicken(self, caller: int) -> None:
        points = {seat: held(self.hands[seat]) for seat in self.inside}
        prize = math.ceil(sum(points.values()) / 2)
        if largest(self.hands[caller]) >= SEVEN and points[caller] == min(points.values()):
            earners = [caller]
        else:
            del points[caller]
            earners = [seat for seat in points if points[seat] == min(points.values())]
        for seat in earners:
            self.scores[seat] += prize
        self.end_round()

    def end_round(self) -> None:
        if max(self.scores) >= self.options.target:
            self.awaits = "over"
            self.offers = {}
            self.silent = set()
        else:
            self.begin_round()

    @property
    def winners(self) -> list[int]:
        best = max(self.scores)
        return [seat for seat, score in enumerate(self.scores) if self.over and score == best]


# Many games


def play_one(rng: random.Random, players: int, options: Options) -> Result | None:
    """One game through the referee, every move any of those there are; None at the turn limit."""
    game = NineOfAKind(players, options)
    while not game.over and game.turns <= TURN_LIMIT:
        if game.awaits == "deal":
            deck = rng.sample(DECK, len(DECK))
            for card in deck[: HAND * players]:
                game.step(f"deal {card}")
        elif game.awaits == "draw":
            game.step(f"deal {rng.choice(list(game.centre))}")
        else:
            seat = rng.choice(game.actors)
            game.play(seat, rng.choice(game.moves(seat)))
    if not game.over:
        return None
    counts = {"turns": game.turns, "decisions": game.turns, "rounds": game.rounds}
    return Result(game.winners, game.scores, counts)


def play_games(games: int, seed: int, players: int, options: Options = DEFAULTS) -> Report:
    """Play games one after another from one stream of chance and count them."""
    rng = random.Random(seed)
    return count_games(games, players, lambda: play_one(rng, players, options))
