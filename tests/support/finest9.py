"""Matches of Finest 9 with chosen dice and cards, for its tests."""

from __future__ import annotations

from typing import Any

import ninefold as nf
from ninefold.engine.bots import SeatedBots
from ninefold.kernel.cards import STANDARD

LOW, HIGH = "1 1", "6 6"


PLAINEST = ["2S 2H 2D 4S 4H 4D 6S 6H 6D", "3S 3H 3D 5S 5H 5D 8S 8H 8D"]


def begin(players: int = 2, **options: object) -> nf.State:
    return nf.make("finest9", players=players, **options).start(manual=True)


def chance(state: nf.State, *texts: str) -> None:
    for text in texts:
        state.play(nf.CHANCE, text)


def dealt(*hands: str, **options: object) -> nf.State:
    """A match in which seat 0 goes first and the seats have these cards, nine each."""
    state = begin(len(hands), **options)
    chance(state, f"roll {HIGH}", *[f"roll {LOW}"] * (len(hands) - 1))
    for cards in zip(*(hand.split() for hand in hands), strict=True):
        chance(state, *(f"deal {card}" for card in cards))
    return state


def rolled(hand: str, dice: str, **options: object) -> nf.State:
    """Seat 0 of two with this hand has rolled these dice; the other has cards that nobody asks for."""
    mine = hand.split()
    rest = [card for card in STANDARD.texts if card not in mine]
    state = dealt(hand, " ".join(rest[:9]), **options)
    chance(state, f"roll {dice}")
    return state


def zone(state: nf.State, name: str, seat: int | None = None) -> list[str]:
    found = next(part for part in state.view(seat)["zones"] if part["id"] == name)
    return [card["card"] for card in found["cards"]]


def detail(state: nf.State, name: str) -> Any:
    return state.view(None)["details"][name]


def stats(state: nf.State, seat: int) -> dict[str, int]:
    return {part.id: part.value for part in state.picture(None).seats[seat].stats}


def shown_scores(state: nf.State) -> list[int]:
    """What the cards that everyone sees add up to."""
    shown = [stats(state, seat) for seat in range(state.game.players)]
    return [part["captured"] - part["on_table"] for part in shown]


def listed(cards: str, total: int, **options: object) -> list[str]:
    return [" ".join(capture.ranks) for capture in nf.finest9.matches(cards, total, **options)]


def drained(**options: object) -> nf.State:
    """Two players have rolled nothing but twelves, so that all 34 cards were drawn; seat 0 is next."""
    state = dealt("2S 2H 4S 4H 6S 6H 8S 8H QS", "3S 3H 5S 5H 7S 7H 10S JS KS", **options)
    for _ in range(34):
        chance(state, f"roll {HIGH}")
        chance(state, sorted(state.chance())[0])
    return state


NAMES = ["Ann", "Bob", "Cy"]


def choice(bot: str, state: nf.State, seed: int = 1) -> str:
    seat = state.actors[0]
    players = SeatedBots(state.game, [bot] * state.game.players, seed)
    return state.format(seat, int(players.choose(state, seat)))
