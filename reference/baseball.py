"""Baseball in plain Python: a referee that goes step by step, and a loop that plays many games through it.

The referee (`Baseball`) is a second reading of the rule page, for tests to hold
the package against; the loop (`play_games`) is a yardstick for speed.  Nothing
here may know the package: a mistake that both share would never be seen.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence

from reference.tally import Report, Result, count_games

RANKS = ["A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K"]
SUITS = ["S", "H", "D", "C"]
JOKER = "JK"
DECK = [rank + suit for rank in RANKS for suit in SUITS] + [JOKER, JOKER]
POINTS = {rank: number for number, rank in enumerate(RANKS, start=1)}
POINTS.update({"J": 15, "Q": 25, "K": 0, JOKER: -2})

PLACES = [f"r{row}c{column}" for row in (1, 2, 3) for column in (1, 2, 3)]
WORDS = ["none", "first", "second", "both"]

TURNS_PER_GAME = 1000
TYPICAL = 7  # points of a card that nobody has seen
PATIENCE = 15
BAD = 10**6


def rank_of(card: str) -> str:
    return card if card == JOKER else card[:-1]


POINTS_OF = {card: POINTS[rank_of(card)] for card in DECK}


class Place:
    """One place of a hand. A face-down card that nobody has looked at is not decided: its card is None."""

    def __init__(self) -> None:
        self.card: str | None = None
        self.up = False
        self.gone = False

    @property
    def down(self) -> bool:
        return not self.up and not self.gone


Hand = list[Place]


class Baseball:
    """A series of games.  `awaits` says what comes next: a card, a look, a choice what to turn up, a turn,
    what to do with the card drawn, or nothing more."""

    def __init__(
        self,
        players: int,
        decks: int | None = None,
        innings: int = 1,
        clear_jokers: bool = True,
        turn_limit: int = 0,
    ) -> None:
        self.players = players
        self.decks = -(-players // 3) if decks is None else decks
        if not 2 <= players <= 9:
            raise ValueError("Baseball is for 2 to 9 players.")
        if 54 * self.decks < 9 * players + 1:
            raise ValueError("There must be nine cards for each player and one more.")
        self.innings = innings
        self.clear_jokers = clear_jokers
        self.turn_limit = turn_limit
        self.totals = [0] * players
        self.inning = 0
        self.first = -1
        self.turns = 0
        self.decisions = 0
        self.columns = 0
        self.reshuffles = 0
        self.winners: list[int] = []
        self.start_game()

    # What there is to see

    @property
    def over(self) -> bool:
        return self.awaits == "over"

    def points(self, seat: int) -> int:
        """What lies face up before a player."""
        return sum(POINTS_OF[place.card] for place in self.hands[seat] if place.up and place.card is not None)

    @property
    def scores(self) -> list[int]:
        return [self.totals[seat] + self.points(seat) for seat in range(self.players)]

    def moves(self) -> list[str]:
        """What the player to move may do."""
        hand = self.hands[self.seat]
        if self.awaits == "look":
            return [f"look {PLACES[i]}" for i in range(9) if i not in self.looks]
        if self.awaits == "turn up":
            return [f"turn up {word}" for word in WORDS]
        if self.awaits == "turn":
            moves = [f"flip {PLACES[i]}" for i in range(9) if hand[i].down]
            if self.discards:
                moves += [f"take {PLACES[i]}" for i in range(9) if not hand[i].gone]
            return [*moves, "draw"]
        if self.awaits == "drawn":
            return ["discard"] + [f"put {PLACES[i]}" for i in range(9) if not hand[i].gone]
        return []

    def outcomes(self) -> dict[str, int]:
        """Which card may come next, and how many there are of each."""
        if self.awaits != "card":
            return {}
        stock = self.recycled if self.wanted == "draw" and self.recycled is not None else self.unseen
        return {card: number for card, number in stock.items() if number}

    # One game of the series

    def start_game(self) -> None:
        self.inning += 1
        self.first = (self.first + 1) % self.players
        self.unseen = Counter(DECK * self.decks)
        self.recycled: Counter[str] | None = None
        self.shoe = 54 * self.decks - 9 * self.players - 1
        self.discards: list[str] = []
        self.hands: list[Hand] = [[Place() for _ in range(9)] for _ in range(self.players)]
        self.out: int | None = None
        self.turns_here = 0
        self.drawn: str | None = None
        self.taken: str | None = None
        self.spot = -1
        self.seat = self.first
        self.looks: list[int] = []
        self.closing = False
        self.want("first discard")

    def want(self, what: str) -> None:
        """Wait for a card, and remember what it is for."""
        self.wanted = what
        self.awaits = "card"

    def deal(self, card: str) -> None:
        """Chance gives the card that is wanted."""
        if not self.outcomes().get(card):
            raise ValueError(f"{card} cannot come now.")
        if self.wanted == "draw" and self.recycled is not None:
            self.recycled[card] -= 1
        else:
            self.unseen[card] -= 1
        wanted = self.wanted
        hand = self.hands[self.seat]
        if wanted == "first discard":
            self.discards.append(card)
            self.awaits = "look"
        elif wanted == "look":
            hand[self.spot].card = card
            self.after_look()
        elif wanted == "flip":
            hand[self.spot].card = card
            self.after_flip()
        elif wanted == "draw":
            self.shoe -= 1
            self.drawn = card
            self.awaits = "drawn"
        elif wanted == "replaced":
            hand[self.spot].card = card
            self.after_replacing()
        elif wanted == "turn up":
            hand[self.spot].card = card
            self.turn_up_hand()

    # The players' moves

    def play(self, move: str) -> None:
        """The player to move does it."""
        if move not in self.moves():
            raise ValueError(f"{move} is not possible now.")
        self.decisions += 1
        verb, _, where = move.partition(" ")
        if verb == "look":
            self.look(PLACES.index(where))
        elif verb == "turn":
            self.turn_up(where.removeprefix("up "))
        elif verb == "flip":
            self.flip(PLACES.index(where))
        elif verb == "take":
            self.taken = self.discards.pop()
            self.replace(PLACES.index(where))
        elif verb == "draw":
            self.draw()
        elif verb == "discard":
            assert self.drawn is not None
            self.discards.append(self.drawn)
            self.drawn = None
            self.end_turn()
        else:
            self.taken, self.drawn = self.drawn, None
            self.replace(PLACES.index(where))

    def look(self, i: int) -> None:
        self.spot = i
        self.looks.append(i)
        self.want("look")

    def after_look(self) -> None:
        self.awaits = "look" if len(self.looks) < 2 else "turn up"

    def turn_up(self, word: str) -> None:
        first, second = self.looks
        if word in ("first", "both"):
            self.hands[self.seat][first].up = True
        if word in ("second", "both"):
            self.hands[self.seat][second].up = True
        self.looks = []
        self.seat = (self.seat + 1) % self.players
        if self.seat == self.first:
            self.start_turn()
        else:
            self.awaits = "look"

    def start_turn(self) -> None:
        self.turns += 1
        self.turns_here += 1
        self.awaits = "turn"

    def flip(self, i: int) -> None:
        self.spot = i
        if self.hands[self.seat][i].card is None:
            self.want("flip")
        else:
            self.after_flip()

    def after_flip(self) -> None:
        self.hands[self.seat][self.spot].up = True
        self.clear_column(self.seat, self.spot % 3)
        self.end_turn()

    def draw(self) -> None:
        if self.shoe == 0:
            self.recycled = Counter(self.discards)
            self.shoe = len(self.discards)
            self.discards = []
            self.reshuffles += 1
        self.want("draw")

    def replace(self, i: int) -> None:
        self.spot = i
        if self.hands[self.seat][i].card is None:
            self.want("replaced")
        else:
            self.after_replacing()

    def after_replacing(self) -> None:
        place = self.hands[self.seat][self.spot]
        old = place.card
        assert old is not None and self.taken is not None
        place.card, self.taken = self.taken, None
        place.up = True
        self.clear_column(self.seat, self.spot % 3)
        self.discards.append(old)
        self.end_turn()

    def clear_column(self, seat: int, column: int) -> None:
        places = self.hands[seat][column::3]
        if not all(place.up for place in places):
            return
        ranks = {rank_of(place.card) for place in places if place.card is not None}
        if len(ranks) != 1 or (ranks == {JOKER} and not self.clear_jokers):
            return
        self.columns += 1
        for place in places:
            assert place.card is not None
            self.discards.append(place.card)
            place.card, place.up, place.gone = None, False, True

    # The end of a turn, of a game, of the series

    def end_turn(self) -> None:
        if self.out is None:
            if not any(place.down for place in self.hands[self.seat]):
                self.out = self.seat
            self.next_turn()
        else:
            self.turn_up_hand()

    def turn_up_hand(self) -> None:
        """The player's face-down cards come up row by row, then columns clear from left to right."""
        for i, place in enumerate(self.hands[self.seat]):
            if place.down:
                if place.card is None:
                    self.spot = i
                    self.want("turn up")
                    return
                place.up = True
        for column in range(3):
            self.clear_column(self.seat, column)
        if self.closing:
            self.next_hand()
        else:
            self.next_turn()

    def next_turn(self) -> None:
        if self.turns_here == self.turn_limit * self.players:
            self.closing = True
            self.seat = self.first
            self.turn_up_hand()
            return
        self.seat = (self.seat + 1) % self.players
        if self.seat == self.out:
            self.end_game()
        else:
            self.start_turn()

    def next_hand(self) -> None:
        self.seat = (self.seat + 1) % self.players
        if self.seat == self.first:
            self.end_game()
        else:
            self.turn_up_hand()

    def end_game(self) -> None:
        if self.inning < self.innings:
            self.totals = self.scores
            self.start_game()
            return
        best = min(self.scores)
        self.winners = [seat for seat, score in enumerate(self.scores) if score == best]
        self.awaits = "over"


# Many games


def choose_at_random(game: Baseball, rng: random.Random) -> str:
    """Any move, all equally likely."""
    moves = game.moves()
    return moves[int(rng.random() * len(moves))]


def choose_medium(game: Baseball, _: random.Random) -> str:
    """The package's medium bot, told here once more: put every card where it saves most points."""
    if game.awaits == "look":
        return f"look {PLACES[len(game.looks)]}"
    if game.awaits == "turn up":
        return "turn up both"
    hand = game.hands[game.seat]
    late = game.out is None and game.turns_here > PATIENCE * game.players
    if game.awaits == "turn" and late:
        return f"flip {PLACES[next(i for i in range(9) if hand[i].down)]}"
    card = game.drawn if game.awaits == "drawn" else game.discards[-1]
    assert card is not None
    place, saved = best_place(game, hand, card, late)
    if game.awaits == "drawn":
        return f"put {PLACES[place]}" if saved > 0 else "discard"
    return f"take {PLACES[place]}" if saved >= 4 else "draw"


def best_place(game: Baseball, hand: Hand, card: str, late: bool) -> tuple[int, int]:
    """The place where a card saves most; the last face-down one only if going out looks like winning."""
    rank, points = rank_of(card), POINTS_OF[card]
    down = [i for i in range(9) if hand[i].down]
    values = [0 if place.gone else value_of(place) for place in hand]
    own = sum(values)
    may_go_out = len(down) == 1 and game.out is None and not late
    most_to_go_out = lowest_rival(game) - 6 if may_go_out else BAD
    best, saved = -1, -BAD
    for i in range(9):
        if hand[i].gone:
            continue
        others = [hand[(i + 3) % 9], hand[(i + 6) % 9]]
        completes = all(
            other.up and other.card is not None and rank_of(other.card) == rank for other in others
        )
        if completes and (rank != JOKER or game.clear_jokers):
            here = values[i] + 2 * points
        else:
            here = values[i] - points
        if here > saved and (down != [i] or own - here <= most_to_go_out):
            best, saved = i, here
    return best, saved


def value_of(place: Place) -> int:
    return TYPICAL if place.card is None else POINTS_OF[place.card]


def lowest_rival(game: Baseball) -> int:
    """What the best of the others may expect, as far as anyone sees."""
    return min(
        game.points(seat) + TYPICAL * sum(place.down for place in game.hands[seat])
        for seat in range(game.players)
        if seat != game.seat
    )


CHOOSERS = {"random": choose_at_random, "medium": choose_medium}


def play_one(rng: random.Random, strategies: Sequence[str], decks: int, innings: int) -> Result | None:
    """One game to its end; None when the turn limit was reached."""
    game = Baseball(len(strategies), decks, innings)
    choosers = [CHOOSERS[strategy] for strategy in strategies]
    while not game.over:
        if game.awaits == "card":
            cards = game.outcomes()
            game.deal(rng.choices(list(cards), list(cards.values()))[0])
        elif game.turns > TURNS_PER_GAME * innings:
            return None
        else:
            game.play(choosers[game.seat](game, rng))
    counts = {
        "turns": game.turns,
        "decisions": game.decisions,
        "columns cleared": game.columns,
        "shoe reshuffles": game.reshuffles,
    }
    return Result(game.winners, game.scores, counts)


def play_games(games: int, seed: int, strategies: Sequence[str], decks: int, innings: int = 1) -> Report:
    """Play games one after another from one stream of chance and count them."""
    rng = random.Random(seed)
    return count_games(games, len(strategies), lambda: play_one(rng, strategies, decks, innings))
