"""Multiple 9 in plain Python: a referee that goes step by step, and a loop that plays many games with it.

The referee (`Multiple9`) is a second reading of the rule page, for tests to hold the package against; the
loop (`play_games`) is a yardstick for speed. Nothing here may know the package: a mistake that both share
would never be seen.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterable, Sequence

from reference.tally import Report, Result, count_games

ORDER = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K")
VALUE = {rank: place + 1 for place, rank in enumerate(ORDER)}
DECK = tuple(rank for rank in ORDER for _ in range(4))
HAND = 5
TURN_LIMIT = 10_000

Group = tuple[str, ...]
"""The ranks of cards that go down together, the highest first."""


def high_first(ranks: Iterable[str]) -> Group:
    return tuple(sorted(ranks, key=VALUE.__getitem__, reverse=True))


def total(cards: Iterable[str]) -> int:
    return sum(VALUE[rank] for rank in cards)


def all_groups() -> list[Group]:
    """One set, or two of different ranks, that total a multiple of nine, in one fixed order."""
    sets = [(rank,) * number for rank in ORDER for number in (1, 2, 3, 4)]
    pairs = [high_first(one + other) for one in sets for other in sets if one[0] != other[0]]
    found = {cards for cards in (*sets, *pairs) if total(cards) % 9 == 0}
    return sorted(found, key=lambda cards: (total(cards), len(cards), [VALUE[rank] for rank in cards]))


GROUPS = all_groups()
NEEDS = {group: (group[0], group.count(group[0]), group[-1], group.count(group[-1])) for group in GROUPS}
TOTAL = {group: total(group) for group in GROUPS}
WITH = {rank: [group for group in GROUPS if group[0] == rank] for rank in ORDER}


def groups_in(hand: Counter[str]) -> list[Group]:
    """Every group in a hand."""
    return [group for group, (a, of_a, b, of_b) in NEEDS.items() if hand[a] >= of_a and hand[b] >= of_b]


def holds(hand: Counter[str], group: Group) -> bool:
    a, of_a, b, of_b = NEEDS[group]
    return hand[a] >= of_a and hand[b] >= of_b


def without(hand: Counter[str], group: Group) -> Counter[str]:
    rest = hand.copy()
    for rank in group:
        rest[rank] -= 1
    return rest


def splits(hand: Counter[str]) -> bool:
    """Whether all cards can go down as groups."""
    return not hand.total() or leading_group(hand) is not None


def leading_group(hand: Counter[str]) -> Group | None:
    """The first group with the highest card whose removal leaves cards that can go down too."""
    if sum(VALUE[rank] * number for rank, number in hand.items()) % 9:
        return None
    highest = next(rank for rank in reversed(ORDER) if hand[rank])
    for group in WITH[highest]:
        if holds(hand, group) and splits(without(hand, group)):
            return group
    return None


class Multiple9:
    """One game, moved on by whoever holds the cards and the seats."""

    def __init__(self, players: int, undecided: str = "draw") -> None:
        if not 2 <= players <= 9:
            raise ValueError(f"Multiple 9 is for two to nine players, not {players}.")
        self.players = players
        self.undecided = undecided
        self.stock = Counter(DECK)
        self.discards: Counter[str] = Counter()
        self.hands: list[Counter[str]] = [Counter() for _ in range(players)]
        self.dealt = 0
        self.player = 0
        self.turns = 0
        self.play: list[Group] = []
        self.drew = False
        self.idle = 0
        self.last_turns = 0  # how many players have had their last turn
        self.ended_undecided = False
        self.awaits = "deal"

    @property
    def over(self) -> bool:
        return self.awaits == "over"

    def size(self, seat: int) -> int:
        return sum(self.hands[seat].values())

    # Chance

    def chance(self) -> dict[str, int]:
        """What the stock may give now, with weights."""
        if self.awaits not in ("deal", "draw"):
            return {}
        return {f"deal {rank}": number for rank, number in self.stock.items() if number}

    def deal(self, rank: str) -> None:
        if self.stock[rank] < 1:
            raise ValueError(f"There is no {rank} in the stock.")
        if self.awaits == "deal":
            self.stock[rank] -= 1
            self.hands[self.dealt % self.players][rank] += 1
            self.dealt += 1
            if self.dealt == HAND * self.players:
                self.ask_from(0)
            return
        self.expect("draw")
        self.stock[rank] -= 1
        self.hands[self.player][rank] += 1
        self.drew = True
        self.awaits = "play"

    # Going out at the deal

    def ask_from(self, seat: int) -> None:
        for asked in range(seat, self.players):
            if splits(self.hands[asked]):
                self.player = asked
                self.awaits = "out"
                return
        self.begin_turn(0)

    def go_out(self) -> None:
        self.expect("out")
        self.discards += self.hands[self.player]
        self.hands[self.player] = Counter()
        self.awaits = "over"

    def wait(self) -> None:
        self.expect("out")
        self.ask_from(self.player + 1)

    # Turns

    def begin_turn(self, seat: int) -> None:
        self.player = seat
        self.turns += 1
        self.play = []
        self.drew = False
        if not self.stock.total() and not self.last_turns:
            self.stock, self.discards = self.discards, Counter()
        self.awaits = "draw" if self.stock.total() else "play"

    def legal_play(self, play: Sequence[Group]) -> bool:
        return len(play) >= 2 or any(TOTAL[group] >= 18 for group in play)

    def layable(self) -> list[Group]:
        """The groups that may go down now."""
        hand = self.hands[self.player]
        found = groups_in(hand)
        if self.play:
            return found
        allowed = []
        for group in found:
            rest = without(hand, group)
            if TOTAL[group] >= 18 or not rest.total() or groups_in(rest):
                allowed.append(group)
        return allowed

    def may_be_done(self) -> bool:
        return not self.play or self.legal_play(self.play)

    def moves(self) -> list[str]:
        """The legal moves of the player who is asked, as texts."""
        if self.awaits == "out":
            return ["go out", "wait"]
        if self.awaits != "play":
            return []
        return [f"lay {' '.join(group)}" for group in self.layable()] + ["done"] * self.may_be_done()

    def lay(self, ranks: Iterable[str]) -> None:
        self.expect("play")
        group = high_first(ranks)
        if group not in self.layable():
            raise ValueError(f"{' '.join(group)} may not go down.")
        self.hands[self.player] = without(self.hands[self.player], group)
        self.discards += Counter(group)
        self.play.append(group)
        if not self.size(self.player):
            self.awaits = "over"

    def done(self) -> None:
        self.expect("play")
        if not self.may_be_done():
            raise ValueError("A lone nine is no play.")
        if self.undecided == "last_turn" and not self.drew:
            self.last_turns += 1
            self.idle = self.last_turns
        else:
            self.idle = 0 if self.drew or self.play else self.idle + 1
        if self.idle == self.players:
            self.ended_undecided = True
            self.awaits = "over"
        else:
            self.begin_turn((self.player + 1) % self.players)

    def step(self, text: str) -> None:
        """Apply a move or what chance did, given in words."""
        verb, *words = text.split()
        if verb == "deal":
            self.deal(words[0])
        elif verb == "lay":
            self.lay(words)
        else:
            {"done": self.done, "go": self.go_out, "wait": self.wait}[verb]()

    def expect(self, what: str) -> None:
        if self.awaits != what:
            raise ValueError(f"The game awaits {self.awaits}, not {what}.")

    # Results

    @property
    def winners(self) -> list[int]:
        if not self.over:
            return []
        left: list[tuple[int, int]] = [(self.size(seat), 0) for seat in range(self.players)]
        if self.ended_undecided and self.undecided == "draw":
            return []
        if self.ended_undecided and self.undecided == "last_turn":
            left = [(hand.total(), total(hand.elements())) for hand in self.hands]
        return [seat for seat, cards in enumerate(left) if cards == min(left)]

    @property
    def scores(self) -> list[int]:
        return [int(seat in self.winners) for seat in range(self.players)]


# Many games


Strategy = Callable[[Multiple9, random.Random], str]


def choose_random(game: Multiple9, rng: random.Random) -> str:
    moves = game.moves()
    return moves[int(rng.random() * len(moves))]


def choose_medium(game: Multiple9, _: random.Random) -> str:
    """Keep everything until all can go down; then a group with the highest card, as low as possible."""
    if game.awaits == "out":
        return "go out"
    group = leading_group(game.hands[game.player])
    return f"lay {' '.join(group)}" if group else "done"


STRATEGIES: dict[str, Strategy] = {"random": choose_random, "medium": choose_medium}


def draw(game: Multiple9, rng: random.Random) -> str:
    """Any card of the stock, all equally likely."""
    left = int(rng.random() * game.stock.total())
    for rank, number in game.stock.items():
        left -= number
        if left < 0:
            return rank
    raise ValueError("The stock is empty.")


def play_one(rng: random.Random, strategies: Sequence[Strategy], undecided: str) -> Result | None:
    """One game through the referee; None when the turn limit was reached."""
    game = Multiple9(len(strategies), undecided)
    decisions = 0
    while not game.over and game.turns <= TURN_LIMIT:
        if game.awaits in ("deal", "draw"):
            game.deal(draw(game, rng))
        else:
            game.step(strategies[game.player](game, rng))
            decisions += 1
    if not game.over:
        return None
    return Result(game.winners, game.scores, {"turns": game.turns, "decisions": decisions})


def play_games(games: int, seed: int, strategies: Sequence[str], undecided: str = "draw") -> Report:
    """Play games one after another from one stream of chance and count them."""
    rng = random.Random(seed)
    chosen = [STRATEGIES[name] for name in strategies]
    return count_games(games, len(chosen), lambda: play_one(rng, chosen, undecided))
