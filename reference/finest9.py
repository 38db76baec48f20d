"""Finest 9 in plain Python: a referee that goes step by step, and a loop that plays many games with it.

The referee (`Finest9`) is a second reading of the rule page, for tests to hold the package against; the
loop (`play_games`) is a yardstick for speed. Nothing here may know the package: a mistake that both share
would never be seen.
"""

from __future__ import annotations

import itertools
import random
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from reference.tally import Report, Result, count_games

ORDER = ("2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A")
SUITS = ("S", "H", "D", "C")
DECK = tuple(rank + suit for rank in ORDER for suit in SUITS)
VALUE = {rank: 11 if rank == "A" else 10 if rank in "JQK" else int(rank) for rank in ORDER}
TENS = tuple(rank for rank in ORDER if VALUE[rank] == 10)
PLACE = {rank: place for place, rank in enumerate(ORDER)}
WINDOWS = tuple(ORDER[first : first + 3] for first in range(len(ORDER) - 2))
LOW_ACE = ("A", "2", "3")
WILD = "9"
HAND = 9
TURN_LIMIT = 1000

Capture = tuple[str, ...]
"""The ranks that leave the table together, in the order 2 to ace."""


@dataclass(frozen=True)
class Options:
    nines: str = "choose"
    pairs: str = "rank"
    ace: str = "high"
    snake_eyes: bool = False
    boxcars: bool = False
    clear_bonus: int = 0
    deals: int = 1


DEFAULTS = Options()


def rank_of(card: str) -> str:
    return card[:-1]


def in_order(ranks: Iterable[str]) -> Capture:
    return tuple(sorted(ranks, key=PLACE.__getitem__))


def points(capture: Iterable[str]) -> int:
    return sum(VALUE[rank] for rank in capture)


def sets(counts: Mapping[str, int], total: int, options: Options) -> set[Capture]:
    """All cards of one rank that matches the dice, with some nines."""
    nines = counts.get(WILD, 0)
    matching = [rank for rank in ORDER if VALUE[rank] == total and rank != WILD]
    groups = [matching] if options.pairs == "value" else [[rank] for rank in matching]
    found = set()
    for group in groups:
        natural = [rank for rank in group for _ in range(counts.get(rank, 0))]
        if not natural:
            continue
        for wild in [nines] if options.nines == "all" else range(nines + 1):
            if len(natural) + wild >= 2:
                found.add(in_order(natural + [WILD] * wild))
    return found


def sequences(counts: Mapping[str, int], total: int, options: Options) -> set[Capture]:
    """Three neighbours, any of them replaced by a nine, of which a card that is no nine matches the dice."""
    found = set()
    windows = [*WINDOWS, LOW_ACE] if options.ace == "both" else WINDOWS
    any_will_do = options.boxcars and total == 12
    for window in windows:
        if not any_will_do and all(VALUE[rank] != total for rank in window):
            continue
        fillings = [(rank, WILD) if rank in counts and rank != WILD else (WILD,) for rank in window]
        for cards in itertools.product(*fillings):
            if cards.count(WILD) > counts.get(WILD, 0):
                continue
            if any_will_do or any(VALUE[rank] == total for rank in cards if rank != WILD):
                found.add(in_order(cards))
    return found


def matches(cards: Iterable[str], total: int, options: Options = DEFAULTS) -> list[Capture]:
    """Every distinct capture that ranks on the table allow for a total of the dice, in a fixed order."""
    counts = Counter(cards)
    found = sets(counts, total, options) | sequences(counts, total, options)
    if options.snake_eyes and total == 2:
        found |= {(rank,) * number for rank, number in counts.items() if number >= 2}
    return sorted(found, key=lambda capture: [PLACE[rank] for rank in capture])


class Finest9:
    """One game, moved on by whoever holds the dice, the deck and the seats."""

    def __init__(self, players: int, options: Options = DEFAULTS) -> None:
        if not 2 <= players <= 5:
            raise ValueError(f"Finest 9 is for two to five players, not {players}.")
        self.players = players
        self.options = options
        self.deck = set(DECK)
        self.tables: list[list[str]] = [[] for _ in range(players)]
        self.captured: list[list[str]] = [[] for _ in range(players)]
        self.rolling_off = list(range(players))
        self.off_totals: list[int] = []
        self.first = -1
        self.player = -1
        self.total = 0
        self.turns = 0
        self.turns_left: int | None = None
        self.captures: list[Capture] = []
        self.awaits = "roll-off"
        self.deals_done = 0
        self.before = [0] * players  # what earlier deals brought
        self.between = False  # the cards of the last deal are still on the table

    @property
    def over(self) -> bool:
        return self.awaits == "over"

    def chance(self) -> dict[str, int]:
        """What dice or deck may do now, with weights."""
        if self.awaits in ("roll-off", "roll"):
            throws = Counter(
                "roll {} {}".format(*sorted(pair)) for pair in itertools.product(range(1, 7), repeat=2)
            )
            return dict(throws)
        if self.awaits in ("deal", "draw"):
            return {f"deal {card}": 1 for card in (DECK if self.between else self.deck)}
        return {}

    def step(self, text: str) -> None:
        """Apply what chance did, given in words."""
        verb, *words = text.split()
        if verb == "roll":
            self.roll(int(words[0]), int(words[1]))
        else:
            self.deal(words[0])

    def roll(self, a: int, b: int) -> None:
        if not (1 <= a <= 6 and 1 <= b <= 6):
            raise ValueError(f"{a} {b} is no roll of two six-sided dice.")
        if self.awaits == "roll-off":
            self.roll_off(a + b)
            return
        self.expect("roll")
        if a + b == 9:
            return
        self.total = a + b
        ranks = [rank_of(card) for card in self.tables[self.player]]
        self.captures = matches(ranks, self.total, self.options)
        if self.captures:
            self.awaits = "capture"
        elif self.turns_left is None:
            self.awaits = "draw"
        else:
            self.end_turn()

    def roll_off(self, total: int) -> None:
        self.off_totals.append(total)
        if len(self.off_totals) < len(self.rolling_off):
            return
        best = max(self.off_totals)
        self.rolling_off = [
            seat for seat, rolled in zip(self.rolling_off, self.off_totals, strict=True) if rolled == best
        ]
        self.off_totals = []
        if len(self.rolling_off) == 1:
            self.first = self.rolling_off[0]
            self.awaits = "deal"

    def roller(self) -> int:
        """Who holds the dice."""
        return self.rolling_off[len(self.off_totals)] if self.awaits == "roll-off" else self.player

    def gather(self) -> None:
        """All cards back into the deck, the points written down; the next player goes first."""
        self.before = self.scores
        self.between = False
        self.deck = set(DECK)
        self.tables = [[] for _ in range(self.players)]
        self.captured = [[] for _ in range(self.players)]
        self.turns_left = None
        self.first = (self.first + 1) % self.players

    def deal(self, card: str) -> None:
        if self.between:
            self.gather()
        if card not in self.deck:
            raise ValueError(f"{card} is not in the deck.")
        if self.awaits == "deal":
            self.deck.remove(card)
            dealt = len(DECK) - len(self.deck)
            self.tables[(self.first + dealt - 1) % self.players].append(card)
            if dealt == HAND * self.players:
                self.begin_turn(self.first)
            return
        self.expect("draw")
        self.deck.remove(card)
        self.tables[self.player].append(card)
        if not self.deck:
            self.turns_left = self.players + 1  # this one ends now
        self.end_turn()

    def capture(self, ranks: Iterable[str]) -> None:
        """The player takes cards of these ranks, of each rank the earliest dealt."""
        self.expect("capture")
        wanted = in_order(ranks)
        if wanted not in self.captures:
            raise ValueError(f"{' '.join(wanted)} is no match for a {self.total}.")
        table = self.tables[self.player]
        for rank in wanted:
            card = next(card for card in table if rank_of(card) == rank)
            table.remove(card)
            self.captured[self.player].append(card)
        self.end_turn()

    def begin_turn(self, seat: int) -> None:
        self.player = seat
        self.turns += 1
        self.captures = []
        self.awaits = "roll"

    def end_turn(self) -> None:
        if self.turns_left is not None:
            self.turns_left -= 1
            if self.turns_left == 0:
                self.captures = []
                self.deals_done += 1
                self.between = self.deals_done < self.options.deals
                self.awaits = "deal" if self.between else "over"
                return
        self.begin_turn((self.player + 1) % self.players)

    def expect(self, what: str) -> None:
        if self.awaits != what:
            raise ValueError(f"The game waits for {self.awaits}, not for a {what}.")

    @property
    def scores(self) -> list[int]:
        scores = []
        for before, table, captured in zip(self.before, self.tables, self.captured, strict=True):
            score = before + points(map(rank_of, captured)) - points(map(rank_of, table))
            if (self.over or self.between) and not table:
                score += self.options.clear_bonus
            scores.append(score)
        return scores

    @property
    def winners(self) -> list[int]:
        scores = self.scores
        return [seat for seat, score in enumerate(scores) if self.over and score == max(scores)]


# Many games


Strategy = Callable[[Sequence[Capture], random.Random], Capture]


def choose_random(captures: Sequence[Capture], rng: random.Random) -> Capture:
    return captures[int(rng.random() * len(captures))]


def choose_greedy(captures: Sequence[Capture], rng: random.Random) -> Capture:
    """The most points now; of equals, any."""
    most = max(map(points, captures))
    return choose_random([capture for capture in captures if points(capture) == most], rng)


STRATEGIES: dict[str, Strategy] = {"random": choose_random, "greedy": choose_greedy}


def play_one(rng: random.Random, strategies: Sequence[Strategy], options: Options) -> Result | None:
    """One game through the referee; None when the turn limit was reached."""
    game = Finest9(len(strategies), options)
    deck = list(DECK)
    rng.shuffle(deck)
    decisions = 0
    while not game.over and game.turns <= TURN_LIMIT:
        if game.awaits == "capture":
            game.capture(strategies[game.player](game.captures, rng))
            decisions += 1
        elif game.awaits in ("deal", "draw"):
            game.deal(deck.pop())
        else:
            game.roll(int(rng.random() * 6) + 1, int(rng.random() * 6) + 1)
    if not game.over:
        return None
    return Result(game.winners, game.scores, {"turns": game.turns, "decisions": decisions})


def play_games(games: int, seed: int, strategies: Sequence[str], options: Options = DEFAULTS) -> Report:
    """Play games one after another from one stream of chance and count them."""
    rng = random.Random(seed)
    chosen = [STRATEGIES[name] for name in strategies]
    return count_games(games, len(chosen), lambda: play_one(rng, chosen, options))
