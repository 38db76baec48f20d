"""Matches of 9 of a Kind with hands of one's own choosing, for its tests."""

from __future__ import annotations

import random
from typing import Any

import ninefold as nf
from ninefold.kernel.cards import NINE_SUITS

DECK = NINE_SUITS.texts
HEARTS = "AH 2H 3H 4H 5H 6H 7H 8H 9H"
SEVENS = "7R 7P 7X 7W 7L 7S 7H 7D 7C"
BLOCKER = "AR 2P 3X 4W 5L 6S 7H 8D 9C"


def begin(players: int = 5, **options: object) -> nf.State:
    return nf.make("nine_of_a_kind", players=players, **options).start(manual=True)


def deal(state: nf.State, *hands: str) -> nf.State:
    """Deal a round in which the first seats get these hands, and the others any that are left."""
    wanted = [hand.split() for hand in hands]
    named = {card for hand in wanted for card in hand}
    others = [card for card in DECK if card not in named]
    random.Random(9).shuffle(others)
    rest = iter(others)
    while len(wanted) < state.game.players:
        wanted.append([next(rest) for _ in range(9)])
    for cards in zip(*wanted, strict=True):
        for card in cards:
            state.play(nf.CHANCE, f"deal {card}")
    return state


def dealt(*hands: str, players: int = 5, **options: Any) -> nf.State:
    return deal(begin(players, **options), *hands)


def hand(state: nf.State, seat: int) -> list[str]:
    zone = next(part for part in state.view(seat)["zones"] if part["id"] == f"hand-{seat}")
    return [card["card"] for card in zone["cards"]]


def in_centre(state: nf.State) -> int:
    return int(next(part for part in state.view(None)["zones"] if part["id"] == "centre")["count"])


def shuffled_hands(seed: int, players: int = 5) -> nf.State:
    return nf.make("nine_of_a_kind", players=players).start(seed=seed)
