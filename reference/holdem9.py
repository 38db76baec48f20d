"""Multiple 9 Hold'em in plain Python: a referee that goes step by step, and a loop of many hands with it.

The referee (`Holdem9`) is a second reading of the rule page, for tests to hold the package against; the
loop (`play_games`) is a yardstick for speed. Nothing here may know the package: a mistake that both share
would never be seen.
"""

from __future__ import annotations

import itertools
import random
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache

from reference.tally import Report, Result, count_games

RANKS = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K")
SUITS = ("S", "H", "D", "C")
DECK = tuple(rank + suit for rank in RANKS for suit in SUITS)
VALUE = {rank: place + 1 for place, rank in enumerate(RANKS)}
FACE_DOWN = "??"
STREETS = (0, 3, 4, 5)  # cards on the board in each betting round
TURN_LIMIT = 1000

Strength = tuple[int, int, tuple[int, ...]]
"""Nines, the number of unused ranks below zero, the worths of those ranks: greater is better."""


# The hand


def is_group(cards: Sequence[int]) -> bool:
    """One or two sets whose total is a multiple of nine."""
    return 0 < len(set(cards)) <= 2 and sum(cards) % 9 == 0


@cache
def choices(values: tuple[int, ...]) -> frozenset[tuple[int, ...]]:
    """What may be left over of sorted cards when groups are taken out in every possible way."""
    if not values:
        return frozenset([()])
    first, rest = values[0], values[1:]
    found = {tuple(sorted((first, *left))) for left in choices(rest)}  # the first card is not used
    for size in range(len(rest) + 1):
        for partners in set(itertools.combinations(rest, size)):
            if is_group((first, *partners)):
                others = list(rest)
                for card in partners:
                    others.remove(card)
                found |= choices(tuple(others))
    return frozenset(found)


def worth_of(unused: Sequence[int], nines: int) -> Strength:
    worths = sorted(((14 if v == 1 else v) * n for v, n in Counter(unused).items()), reverse=True)
    return nines, -len(worths), tuple(worths)


@cache
def strength(values: tuple[int, ...]) -> Strength:
    """How good seven cards are, given as sorted values."""
    total = sum(values)
    best = max(worth_of(left, (total - sum(left)) // 9) for left in choices(values))
    return (best[0], 1, ()) if values == (11, 11, 11, 12, 12, 12, 12) else best  # it beats every other hand


def hand_strength(cards: Sequence[str]) -> Strength:
    return strength(tuple(sorted(VALUE[card[:-1]] for card in cards)))


# The table


@dataclass(frozen=True)
class Options:
    stack: int | str = 1000
    blinds: str = "5/10"
    ante: int = 0
    betting: str = "no_limit"
    hands: int = 1
    rise: int = 0
    breaks: bool = False
    show_folded: bool = False

    def stacks(self, players: int) -> list[int]:
        parts = [int(part) for part in str(self.stack).split("/")]
        return parts * players if len(parts) == 1 else parts


DEFAULTS = Options()


@dataclass
class Player:
    """One seat: what it holds and what it has done in this hand."""

    chips: int
    cards: list[str] = field(default_factory=list)
    bet: int = 0  # in this betting round
    paid: int = 0  # in this hand
    dealt_in: bool = False
    folded: bool = False
    to_act: bool = False
    may_raise: bool = False
    shown: bool = False
    left: bool = False
    sits_out: bool = False

    @property
    def contends(self) -> bool:
        return self.dealt_in and not self.folded

    @property
    def can_bet(self) -> bool:
        return self.contends and self.chips > 0

    def pay(self, amount: int) -> int:
        amount = min(amount, self.chips)
        self.chips -= amount
        self.paid += amount
        return amount


class Holdem9:
    """One session, moved on by whoever holds the deck and the seats."""

    def __init__(self, players: int, options: Options = DEFAULTS) -> None:
        if not 2 <= players <= 10:
            raise ValueError(f"Hold'em is for two to ten players, not {players}.")
        self.options = options
        self.stacks = options.stacks(players)
        self.seats = [Player(chips) for chips in self.stacks]
        self.hand = 0
        self.button = players - 1  # so that seat 0 is next
        self.turns = 0
        self.actor: int | None = None
        self.awaits = ""
        self.board: list[str] = []
        self.won = [0] * players
        self.start_hand()

    # Who is who

    @property
    def players(self) -> int:
        return len(self.seats)

    @property
    def over(self) -> bool:
        return self.awaits == "over"

    def clockwise(self, seat: int) -> Iterator[int]:
        """All seats from the left of one, that one last."""
        return ((seat + step) % self.players for step in range(1, self.players + 1))

    def next_dealt_in(self, seat: int) -> int:
        return next(other for other in self.clockwise(seat) if self.seats[other].dealt_in)

    def contenders(self) -> list[int]:
        return [seat for seat, player in enumerate(self.seats) if player.contends]

    # A hand

    def start_hand(self) -> None:
        self.hand += 1
        for player in self.seats:
            player.dealt_in = player.chips > 0 and not player.left and not player.sits_out
            player.sits_out = False
        if sum(player.dealt_in for player in self.seats) < 2:
            for player in self.seats:
                player.dealt_in = False
            self.next_hand()
            return
        for player in self.seats:
            player.folded = player.shown = player.to_act = player.may_raise = False
            player.bet = player.paid = 0
        self.new_deal = True
        self.button = self.next_dealt_in(self.button)
        self.post()
        self.deck = set(DECK)
        self.street = 0
        first = self.next_dealt_in(self.button)
        order = [first]
        while len(order) < sum(player.dealt_in for player in self.seats):
            order.append(self.next_dealt_in(order[-1]))
        self.to_deal = order + order
        self.awaits = "hole"
        self.actor = None

    def post(self) -> None:
        """Antes, then the blinds; heads-up the button has the small one."""
        doublings = min(24, (self.hand - 1) // self.options.rise) if self.options.rise else 0
        small, big = (int(part) << doublings for part in self.options.blinds.split("/"))
        self.big = big
        for player in self.seats:
            if player.dealt_in:
                player.pay(self.options.ante << doublings)
        heads_up = sum(player.dealt_in for player in self.seats) == 2
        small_seat = self.button if heads_up else self.next_dealt_in(self.button)
        big_seat = self.next_dealt_in(small_seat)
        for seat, blind in ((small_seat, small), (big_seat, big)):
            self.seats[seat].bet = self.seats[seat].pay(blind)
        self.last_to_speak = big_seat

    def chance(self) -> dict[str, int]:
        if self.awaits in ("hole", "board"):
            return {f"deal {card}": 1 for card in self.deck}
        return {}

    def deal(self, card: str) -> None:
        self.expect("hole", "board")
        self.deck.remove(card)
        if self.awaits == "board":
            self.board.append(card)
            if len(self.board) == STREETS[self.street]:
                self.start_round()
            return
        if self.new_deal:
            self.new_deal = False
            self.board = []
            self.won = [0] * self.players
            for player in self.seats:
                player.cards = []
        self.seats[self.to_deal.pop(0)].cards.append(card)
        if not self.to_deal:
            self.start_round()

    # Betting

    @property
    def highest(self) -> int:
        return max(player.bet for player in self.seats)

    @property
    def pot(self) -> int:
        return sum(player.paid for player in self.seats)

    def start_round(self) -> None:
        self.full_raise = self.big
        if self.options.betting == "fixed_limit" and self.street >= 2:
            self.full_raise = 2 * self.big
        self.raises = 1 if self.street == 0 else 0
        if self.street > 0:
            self.last_to_speak = self.button
        for player in self.seats:
            player.to_act = player.may_raise = player.can_bet
        self.ask_next(self.last_to_speak)

    def ask_next(self, seat: int) -> None:
        """The next who has to act; without one the round is over."""
        for other in self.clockwise(seat):
            player = self.seats[other]
            if not player.to_act:
                continue
            if player.bet == self.highest and not self.callers(other):
                player.to_act = False  # it could only check
                continue
            self.actor = other
            self.awaits = "bet"
            self.turns += 1
            return
        self.end_round()

    def callers(self, seat: int) -> list[int]:
        """Opponents who could call some of a raise."""
        return [
            other
            for other, player in enumerate(self.seats)
            if other != seat and player.can_bet and player.bet + player.chips > self.highest
        ]

    def raise_range(self, seat: int) -> range:
        """The amounts that a seat may raise to."""
        player = self.seats[seat]
        all_in = player.bet + player.chips
        if not player.may_raise or all_in <= self.highest or not self.callers(seat):
            return range(0)
        least = self.highest + self.full_raise
        most = all_in
        if self.options.betting == "pot_limit":
            most = max(least, self.highest + self.pot + self.highest - player.bet)
        if self.options.betting == "fixed_limit":
            if self.raises == 4:
                return range(0)
            most = least
        return range(min(least, all_in), min(most, all_in) + 1)

    def moves(self) -> list[str]:
        """What the actor may do, in words."""
        if self.awaits == "break":
            return ["deal me in", "sit out", "leave"]
        if self.awaits != "bet" or self.actor is None:
            return []
        verb = "raise to" if self.highest else "bet"
        first = ["fold", "call"] if self.seats[self.actor].bet < self.highest else ["check"]
        return first + [f"{verb} {amount}" for amount in self.raise_range(self.actor)]

    def act(self, text: str) -> None:
        assert self.actor is not None
        player = self.seats[self.actor]
        word, *rest = text.split()
        if self.awaits == "break":
            self.answer(text)
            return
        self.expect("bet")
        player.to_act = player.may_raise = False
        if word == "fold":
            player.folded = True
            if len(self.contenders()) == 1:
                self.end_round()
                return
        elif word in ("check", "call"):
            player.bet += player.pay(self.highest - player.bet)
        else:
            self.raise_to(player, int(rest[-1]))
        self.ask_next(self.actor)

    def raise_to(self, player: Player, amount: int) -> None:
        size = amount - self.highest
        player.bet += player.pay(amount - player.bet)
        full = size >= self.full_raise
        if full:
            self.full_raise = size
            self.raises += 1
        for other in self.seats:
            if other is not player and other.can_bet:
                other.to_act = True
                other.may_raise = other.may_raise or full

    def end_round(self) -> None:
        self.actor = None
        self.give_back_uncalled()
        for player in self.seats:
            player.bet = 0
            player.to_act = player.may_raise = False
        contenders = self.contenders()
        if len(contenders) == 1:
            self.won[contenders[0]] = self.pot
            self.seats[contenders[0]].chips += self.pot
            self.end_hand()
            return
        if len([seat for seat in contenders if self.seats[seat].chips]) <= 1:
            for seat in contenders:
                if self.seats[seat].chips == 0:
                    self.seats[seat].shown = True
        if self.street == 3:
            self.showdown()
            return
        self.street += 1
        self.awaits = "board"

    def give_back_uncalled(self) -> None:
        second, most = sorted(player.paid for player in self.seats)[-2:]
        for player in self.seats:
            if player.paid == most > second:
                player.paid = second
                player.chips += most - second

    def pots(self) -> list[tuple[int, list[int]]]:
        """Each pot with its contenders, the main pot first."""
        found = []
        below = 0
        for level in sorted({self.seats[seat].paid for seat in self.contenders()}):
            size = sum(min(player.paid, level) - min(player.paid, below) for player in self.seats)
            found.append((size, [seat for seat in self.contenders() if self.seats[seat].paid >= level]))
            below = level
        return found

    def showdown(self) -> None:
        contenders = self.contenders()
        hands = {seat: hand_strength(self.seats[seat].cards + self.board) for seat in contenders}
        for seat in contenders:
            self.seats[seat].shown = True
        for size, entitled in self.pots():
            best = max(hands[seat] for seat in entitled)
            winners = [
                seat for seat in self.clockwise(self.button) if seat in entitled and hands[seat] == best
            ]
            share, odd = divmod(size, len(winners))
            for place, seat in enumerate(winners):
                self.won[seat] += share + (place < odd)
        for seat, chips in enumerate(self.won):
            self.seats[seat].chips += chips
        self.end_hand()

    # Between hands

    def end_hand(self) -> None:
        for player in self.seats:
            player.paid = 0
            if self.options.show_folded and player.dealt_in:
                player.shown = True
            if not player.shown:
                player.cards = []
        self.next_hand()

    def next_hand(self) -> None:
        staying = [seat for seat, player in enumerate(self.seats) if player.chips and not player.left]
        if self.hand == self.options.hands or len(staying) < 2:
            self.awaits = "over"
            self.actor = None
        elif self.options.breaks:
            self.to_ask = [seat for seat in self.clockwise(self.button) if seat in staying]
            self.ask_about_next_hand()
        else:
            self.start_hand()

    def ask_about_next_hand(self) -> None:
        self.actor = None
        if sum(player.chips > 0 and not player.left for player in self.seats) < 2:
            self.awaits = "over"
            return
        if not self.to_ask:
            self.start_hand()
            return
        self.actor = self.to_ask.pop(0)
        self.awaits = "break"
        self.turns += 1

    def answer(self, text: str) -> None:
        assert self.actor is not None
        player = self.seats[self.actor]
        player.sits_out = text == "sit out"
        player.left = text == "leave"
        self.ask_about_next_hand()

    def expect(self, *what: str) -> None:
        if self.awaits not in what:
            raise ValueError(f"The game waits for {self.awaits}, not for {what}.")

    @property
    def scores(self) -> list[int]:
        return [player.chips - stack for player, stack in zip(self.seats, self.stacks, strict=True)]

    @property
    def winners(self) -> list[int]:
        scores = self.scores
        return [seat for seat, score in enumerate(scores) if self.over and score == max(scores)]


# Many hands


def random_move(game: Holdem9, rng: random.Random) -> str:
    """Any legal move, all equally likely, without writing them all down."""
    assert game.actor is not None
    amounts = game.raise_range(game.actor)
    first = ["fold", "call"] if game.seats[game.actor].bet < game.highest else ["check"]
    place = int(rng.random() * (len(first) + len(amounts)))
    return first[place] if place < len(first) else f"raise to {amounts[place - len(first)]}"


def play_one(rng: random.Random, players: int, options: Options) -> Result | None:
    """One session through the referee, everyone moving at random; None at the turn limit."""
    game = Holdem9(players, options)
    deck: list[str] = []
    while not game.over and game.turns <= TURN_LIMIT:
        if game.awaits == "bet":
            game.act(random_move(game, rng))
        else:
            if len(game.deck) == len(DECK):
                deck = rng.sample(DECK, len(DECK))
            game.deal(deck.pop())
    if not game.over:
        return None
    return Result(game.winners, game.scores, {"turns": game.turns, "decisions": game.turns})


def play_games(games: int, seed: int, players: int, options: Options = DEFAULTS) -> Report:
    """Play sessions one after another from one stream of chance and count them."""
    rng = random.Random(seed)
    return count_games(games, players, lambda: play_one(rng, players, options))
