"""Sessions of Multiple 9 Hold'em with chosen cards, for its tests."""

from __future__ import annotations

import ninefold as nf

WEAK, STRONG = "2S 4S", "KS 5S"  # the worst and the best starting hand


def begin(players: int = 2, **options: object) -> nf.State:
    return nf.make("holdem9", players=players, **options).start(manual=True)


def chance(state: nf.State, cards: str) -> None:
    for card in cards.split():
        state.play(nf.CHANCE, f"deal {card}")


def deal_any(state: nf.State, cards: int = 60, kept: str = "") -> None:
    """Let chance deal the first cards there are, but for some that are kept, until someone has to act."""
    for _ in range(cards):
        if state.actors != (nf.CHANCE,):
            return
        text = next(text for text in state.chance() if text.split()[1] not in kept.split())
        state.play(nf.CHANCE, text)


def dealt(*given: str, **options: object) -> nf.State:
    """A session in which the seats have these cards in the first hand; empty ones have any."""
    state = begin(len(given), **options)
    kept = " ".join(given)
    for place in range(2):
        for step in range(1, len(given) + 1):
            hand = given[step % len(given)].split()
            if hand:
                chance(state, hand[place])
            else:
                deal_any(state, 1, f"{kept} JS 7H 9D 2C 10C 9S")
    return state


def act(state: nf.State, *texts: str) -> None:
    """Each of the moves by whoever's turn it is."""
    for text in texts:
        state.play(state.actors[0], text)


def moves(state: nf.State) -> list[str]:
    return list(state.moves(state.actors[0]))


def ranges(state: nf.State) -> tuple[list[str], int, int]:
    """The words on offer, and the least and the most of a bet or raise (0 where there is none)."""
    seat = state.actors[0]
    offered = state.view(seat)["offers"]
    words = [part["move"] for part in offered if part["kind"] == "button"]
    spans = [(part["low"], part["high"]) for part in offered if part["kind"] == "number"]
    return (words, *(spans[0] if spans else (0, 0)))


def chips(state: nf.State) -> list[int]:
    return [int(number) for number in state.position.chips[: state.game.players]]


def bets(state: nf.State) -> list[int | None]:
    """The bets that lie on the table."""
    return [zone.count for zone in state.picture(None).zones if zone.id.startswith("bet-")]


def dealer(state: nf.State) -> int:
    return next(part.seat for part in state.picture(None).seats if "dealer" in part.marks)


def statuses(state: nf.State) -> list[str]:
    return [part.status for part in state.picture(None).seats]


def zone(state: nf.State, name: str, seat: int | None = None) -> list[str | None]:
    found = next(part for part in state.view(seat)["zones"] if part["id"] == name)
    return [card["card"] for card in found["cards"]]
