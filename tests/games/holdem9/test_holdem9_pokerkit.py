"""The betting of Multiple 9 Hold'em beside PokerKit's: the same seats to act, raises and chips.

PokerKit knows other hands, so it is handed a hand type of its own: seven cards as the plain referee judges
them. All its pots, uncalled bets and payouts are then to be compared as they are. Where our page rules
otherwise (short all-ins, fixed-limit raises before the flop, odd chips, who is asked), the difference is
looked for, and each has a test of its own at the end.
"""

from __future__ import annotations

import random
from collections.abc import Iterable
from functools import total_ordering
from typing import Any

import pytest

import ninefold as nf
from ninefold.kernel.cards import STANDARD
from reference import holdem9 as plain

pokerkit = pytest.importorskip("pokerkit", reason="PokerKit is a test dependency (extra `dev`)")


@total_ordering
class Nines:
    """Seven cards as a hand type of PokerKit's."""

    low = False

    def __init__(self, strength: plain.Strength) -> None:
        self.strength = strength

    @classmethod
    def from_game(cls, hole: Iterable[Any], board: Iterable[Any] = ()) -> Nines:
        cards = [*hole, *board]
        if len(cards) != 7:
            raise ValueError("a hand has seven cards")
        ranks = [card.rank.value.replace("T", "10") for card in cards]
        return cls(plain.hand_strength([f"{rank}S" for rank in ranks]))

    def __lt__(self, other: Nines) -> bool:
        return self.strength < other.strength

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Nines) and self.strength == other.strength

    def __hash__(self) -> int:
        return hash(self.strength)


STRUCTURES = {"no_limit": "NO_LIMIT", "pot_limit": "POT_LIMIT", "fixed_limit": "FIXED_LIMIT"}
AUTOMATIC = (
    "ANTE_POSTING",
    "BET_COLLECTION",
    "BLIND_OR_STRADDLE_POSTING",
    "CARD_BURNING",
    "HOLE_CARDS_SHOWING_OR_MUCKING",
    "HAND_KILLING",
    "CHIPS_PUSHING",
    "CHIPS_PULLING",
)


def theirs(stacks: list[int], blinds: tuple[int, int], ante: int, betting: str) -> Any:
    """A hand of PokerKit's, whose player 0 is the seat left of the button."""
    most = 4 if betting == "fixed_limit" else None
    large = 2 if betting == "fixed_limit" else 1
    sizes = ((2, 0, 1), (0, 3, 1), (0, 1, large), (0, 1, large))
    streets = tuple(
        pokerkit.Street(
            False, (False,) * hole, board, False, pokerkit.Opening.POSITION, size * blinds[1], most
        )
        for hole, board, size in sizes
    )
    return pokerkit.State(
        tuple(getattr(pokerkit.Automation, name) for name in AUTOMATIC),
        pokerkit.Deck.STANDARD,
        (Nines,),
        streets,
        getattr(pokerkit.BettingStructure, STRUCTURES[betting]),
        True,
        ante,
        blinds,
        0,
        stacks[1:] + stacks[:1],
        len(stacks),
    )


def card_of(card: int) -> str:
    return STANDARD.text(card).replace("10", "T")[0] + STANDARD.text(card)[-1].lower()


class Both:
    """One hand at both tables."""

    def __init__(self, seed: int, betting: str | None = None) -> None:
        self.chooser = random.Random(seed)
        self.players = self.chooser.randint(2, 8)
        big = self.chooser.choice([2, 10, 20])
        deep = self.chooser.choice([2, 5, 20, 100])
        self.stacks = [self.chooser.randint(1, deep * big) for _ in range(self.players)]
        self.ante = self.chooser.choice([0, 0, 1, big // 2])
        self.betting = betting or self.chooser.choice(list(STRUCTURES))
        self.ours = nf.make(
            "holdem9",
            players=self.players,
            stack=self.stacks,
            blinds=f"{big // 2}/{big}",
            ante=self.ante,
            betting=self.betting,
        ).start(manual=True)
        self.theirs = theirs(self.stacks, (big // 2, big), self.ante, self.betting)
        self.deck = self.chooser.sample(range(52), 52)
        self.full = True  # whether every raise of the round was a full one
        self.differed = 0

    def seat(self, index: int) -> int:
        return (index + 1) % self.players

    def deal(self) -> None:
        holes = self.deck[: 2 * self.players]
        for card in holes:
            self.ours.play(nf.CHANCE, f"deal {STANDARD.text(card)}")
        for index in range(self.players):
            self.theirs.deal_hole("".join(card_of(card) for card in holes[index :: self.players]))

    def board(self) -> None:
        """The same cards to the board of both."""
        number = 3 if not self.theirs.board_cards else 1
        done = 2 * self.players + len(list(self.theirs.get_board_cards(0)))
        cards = self.deck[done : done + number]
        for card in cards:
            self.ours.play(nf.CHANCE, f"deal {STANDARD.text(card)}")
        self.theirs.deal_board("".join(card_of(card) for card in cards))
        self.full = True

    def play(self) -> None:
        self.deal()
        while self.theirs.status:
            if self.theirs.actor_index is None:
                self.board()
                continue
            if self.seat(self.theirs.actor_index) not in self.ours.actors:
                self.only_a_check()
                continue
            self.decide()
        assert self.ours.over
        self.compare_chips()

    def only_a_check(self) -> None:
        """R3.7: we do not ask who could only check; PokerKit does, and offers nothing else."""
        assert self.theirs.checking_or_calling_amount == 0
        assert self.theirs.min_completion_betting_or_raising_to_amount is None
        self.theirs.check_or_call()

    def decide(self) -> None:
        ours, other = self.ours, self.theirs
        seat = self.seat(other.actor_index)
        spans = ours.moves(seat).spans
        own = (spans[1][0] - 1, spans[1][1] - 1) if len(spans) > 1 else (None, None)
        their = (
            other.min_completion_betting_or_raising_to_amount,
            other.max_completion_betting_or_raising_to_amount,
        )
        assert min(other.checking_or_calling_amount, other.stacks[other.actor_index]) == min(
            int(ours.position.highest - ours.position.bets[seat]), int(ours.position.chips[seat])
        )
        assert (spans[0][0] == 0) == (other.checking_or_calling_amount > 0), "a fold faces a bet"
        if own != their:
            self.explain(seat, own)
        choice = self.chooser.random()
        words = list(ours.moves(seat)[:2])
        if own[0] is not None and their[0] is not None and choice < 0.45:
            self.raise_to(seat, self.chooser.choice([own[0], own[0], own[1], self.chooser.randint(*own)]))
        elif choice < 0.9 or words[0] != "fold":
            ours.play(seat, 1)
            other.check_or_call()
        else:
            ours.play(seat, 0)
            other.fold()

    def raise_to(self, seat: int, amount: int) -> None:
        s = self.ours.position
        self.full &= amount - int(s.highest) >= int(s.full_raise)
        self.ours.play(seat, 1 + amount)
        self.theirs.complete_bet_or_raise_to(amount)

    def explain(self, seat: int, own: tuple[Any, Any]) -> None:
        """Raises may differ after a short all-in (R3.5, R3.8) and by the count before the flop (R3.8)."""
        self.differed += 1
        s = self.ours.position
        counted = self.betting == "fixed_limit" and (int(s.street) == 0 or not self.full)
        if own[0] is None:
            closed = not int(s.fresh) >> seat & 1
            assert (closed and not self.full) or (counted and int(s.raises) == 4)
        else:
            assert counted, "we offer a raise that PokerKit does not"

    def compare_chips(self) -> None:
        """Equal to the chip, but for odd chips: PokerKit gives all of a pot's to one winner (R4.4)."""
        found = [int(chips) for chips in self.ours.position.chips[: self.players]]
        their = [self.theirs.stacks[(seat - 1) % self.players] for seat in range(self.players)]
        won = [seat for seat in range(self.players) if self.ours.position.won[seat]]
        assert sum(found) == sum(their) == sum(self.stacks)
        if found != their:
            assert len(won) > 1
            assert all(abs(a - b) < 2 * len(won) for a, b in zip(found, their, strict=True))
            assert all(
                a == b for seat, (a, b) in enumerate(zip(found, their, strict=True)) if seat not in won
            )


@pytest.mark.parametrize("block", range(4))
def test_300_hands_beside_pokerkit(block: int) -> None:
    for seed in range(75 * block, 75 * (block + 1)):
        Both(seed).play()


@pytest.mark.soak
def test_5_000_hands_beside_pokerkit() -> None:
    differed = 0
    for seed in range(1_000, 6_000):
        both = Both(seed)
        both.play()
        differed += both.differed
    assert differed, "the differences that the page makes do come up"


# Where the page rules otherwise


class Hand(Both):
    """A hand at both tables, with given stacks; moves are played at both."""

    def __init__(self, stacks: list[int], betting: str = "no_limit", deck: str = "") -> None:
        self.players, self.stacks, self.betting = len(stacks), stacks, betting
        self.ours = nf.make("holdem9", players=len(stacks), stack=stacks, betting=betting).start(manual=True)
        self.theirs = theirs(stacks, (5, 10), 0, betting)
        first = STANDARD.read_cards(deck)
        self.deck = first + [card for card in range(52) if card not in first]
        self.full = True
        self.deal()

    def act(self, *moves: str | int) -> None:
        for move in moves:
            seat = self.ours.actors[0]
            if isinstance(move, int):
                self.raise_to(seat, move)
                continue
            self.ours.play(seat, move)
            self.theirs.fold() if move == "fold" else self.theirs.check_or_call()

    def offered(self) -> tuple[bool, bool]:
        """Whether the actor may raise, here and there."""
        assert self.seat(self.theirs.actor_index) == self.ours.actors[0]
        here = len(self.ours.moves(self.ours.actors[0]).spans) > 1
        return here, self.theirs.min_completion_betting_or_raising_to_amount is not None


def test_r3_5_short_all_ins_add_up_there_and_not_here() -> None:
    hand = Hand([150, 210, 1000, 1000])
    hand.act(100, 150, 210, "call")
    assert hand.offered() == (False, True)


def test_r3_5_a_limper_before_a_short_all_in() -> None:
    """PokerKit takes an all-in for 3 more than the big blind as a raise that reopens; the page does not."""
    hand = Hand([13, 1000, 1000, 1000])
    hand.act("call", 13, "call", "call")
    assert hand.offered() == (False, True)


def test_r3_8_raises_before_the_flop() -> None:
    hand = Hand([1000, 1000], "fixed_limit")
    hand.act(20, 30, 40)
    assert hand.offered() == (False, True), "there the big blind is not counted as the bet"
    hand.act("call")
    hand.board()
    hand.act(10, 20, 30, 40)
    assert hand.offered() == (False, False), "after the flop it is the same"


def test_r3_8_a_short_all_in_counts_there_and_not_here() -> None:
    hand = Hand([1000, 1000, 1000, 35], "fixed_limit")
    hand.act("call", "call", "call", "check")
    hand.board()
    hand.act(10, 20, 25, 35)
    assert hand.offered() == (True, False)


def test_r4_4_odd_chips_one_each_here_and_all_to_one_there() -> None:
    """Seats 0, 2 and 3 split 305; seat 2 is the nearest clockwise of the button, then 3."""
    hand = Hand([100, 1000, 100, 100], deck="AS 8H 8D 8S 2S 7D 7C 7S JS 7H 9D 2C 10C")
    hand.act(100, "call", "fold", "call")
    for _ in range(3):
        hand.board()
    assert hand.ours.position.chips[:4].tolist() == [101, 995, 102, 102]
    assert hand.theirs.stacks == [995, 103, 101, 101]


def test_r3_7_who_could_only_check_is_asked_there() -> None:
    hand = Hand([7, 1000, 1000])
    hand.act("call", "fold")
    assert hand.ours.actors == (nf.CHANCE,) and hand.seat(hand.theirs.actor_index) == 2
    hand.only_a_check()
    assert hand.theirs.actor_index is None
