"""Advice for a seat: what the `hard` bot would do there, and why.

Uses only what the seat may know. Everything else is dealt again, many times. Each time `medium` bots finish
the match, once after the bot's move and once after each of a few others. The reason given is the share of
matches won.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from ninefold.engine.bots import SeatedBots, bot_slots, find_bot
from ninefold.engine.state import State
from ninefold.kernel.stream import FOR_BOTS, FOR_CHANCE, new_stream

ADVISER = "hard"
PLAYED_ON_BY = "medium"
WORLDS = 300  # at most, for each move
FEWEST = 20  # with fewer, the figures mean nothing
OTHERS = 3  # moves that are compared with the bot's own
SECONDS = 0.25


@dataclass(frozen=True)
class Advice:
    """A move and the reason for it: the shares of wins after this and other moves, over `worlds` deals."""

    move: str
    why: str
    shares: dict[str, float]
    worlds: int


def advise(state: State, seat: int, seed: int, clock: Callable[[], float] = time.monotonic) -> Advice:
    """Advise a seat that has to decide."""
    game = state.game
    company = SeatedBots(game, [ADVISER] * game.players, seed)
    choice = company.choose(state, seat)
    action = state.admit(seat, choice)
    others = [one for one in _a_few(state, seat, seed) if one != action][:OTHERS]
    won, worlds = _try([action, *others], state, seat, seed, clock)
    shares = {state.format(seat, one): won[at] / max(worlds, 1) for at, one in enumerate([action, *others])}
    move = state.format(seat, action)
    return Advice(move, _reason(game, move, shares, worlds), shares, worlds)


def _a_few(state: State, seat: int, seed: int) -> list[int]:
    """Other moves to compare: what weaker bots would do, and some more at random."""
    moves = state.moves(seat)
    names = {bot.name for bot in state.game.facts.bots}
    found: list[int] = []
    for bot in ("medium", "easy"):
        if bot in names:
            choice = SeatedBots(state.game, [bot] * state.game.players, seed).choose(state, seat)
            if isinstance(choice, int):
                found.append(choice)
    places = np.random.default_rng(seed).permutation(min(len(moves), 10_000))
    found += [moves.action(int(place)) for place in places[: OTHERS + 2]]
    return list(dict.fromkeys(found))


def _try(
    actions: list[int], state: State, seat: int, seed: int, clock: Callable[[], float]
) -> tuple[list[float], int]:
    """Wins after each of some moves, and how often each was tried."""
    game = state.game
    rules, limit = game.package.rules, game.facts.limit(game.options)
    company = bot_slots(game, [find_bot(game.name, PLAYED_ON_BY)] * game.players)
    dealer, out = new_stream(seed, 0, FOR_CHANCE), np.zeros(game.players, np.int64)
    won, worlds, end = [0.0] * len(actions), 0, float("inf")
    while worlds < WORLDS and clock() < end:
        world = state.position.copy()
        rules.redeal(world, seat, dealer)
        for at, action in enumerate(actions):
            s = world.copy()
            rules.play(s, seat, action)
            chance_stream, bot_stream = (
                new_stream(seed, worlds + 1, kind) for kind in (FOR_CHANCE, FOR_BOTS)
            )
            game.package.play_out(s, company, chance_stream, bot_stream, limit)
            out[:] = 0
            game.package.winners(s, out)
            won[at] += float(out[seat]) / max(1, int(out.sum()))
        end = min(end, clock() + SECONDS)  # the first move may have to load the bots
        worlds += 1
    return won, worlds


def _reason(game: Any, move: str, shares: dict[str, float], worlds: int) -> str:
    line = next(bot.line for bot in game.facts.bots if bot.name == ADVISER)
    if len(shares) == 1:
        return "It is the only move."
    if worlds < FEWEST:
        return f"The {ADVISER} bot {line}."
    other = max((one for one in shares if one != move), key=lambda one: shares[one])
    tried = f"Played on {worlds} times from what you can see, {move} wins {shares[move]:.0%}"
    if abs(shares[other] - shares[move]) < 2 * (0.5 / worlds) ** 0.5:
        return f"{tried}, {other} {shares[other]:.0%}: there is little difference. The {ADVISER} bot {line}."
    if shares[other] > shares[move]:
        return f"{tried}, {other} {shares[other]:.0%} among weaker players; but the {ADVISER} bot {line}."
    return f"{tried}, {other} {shares[other]:.0%}."
