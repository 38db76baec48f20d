"""Advice for a seat: what `hard` would do there, checked in playouts, and why.

Uses only what the seat may know. The move and a few others are played on in many worlds (engine/search.py);
the reason compares what they lead to: matches won or, where that is what counts, the score.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from ninefold.engine.bots import SeatedBots, candidates, find_bot
from ninefold.engine.search import Laboratory, Weighed, weigh
from ninefold.engine.state import State
from ninefold.model.labels import move_label

ADVISER = "hard"
STAGES = (40, 110, 150)  # worlds
FEWEST = 20  # with fewer, the figures mean nothing
OTHERS = 3  # moves that are compared with the bot's own
SECONDS = 0.25


@dataclass(frozen=True)
class Advice:
    """A move and the reason for it: what this and other moves lead to, over `worlds` deals."""

    move: str
    why: str
    shares: dict[str, float]
    worlds: int


def advise(
    state: State,
    seat: int,
    seed: int,
    clock: Callable[[], float] = time.monotonic,
    memories: Sequence[bytes] | None = None,
    names: Sequence[str] = (),
) -> Advice:
    """Advise a seat that has to decide. `memories` are those that `hard` bots would have at all seats.

    `names` are those of the players, where the reason is for people.
    """
    game = state.game
    known = list(memories or [b""] * game.players)
    adviser = next(bot for bot in game.facts.bots if bot.name == ADVISER)
    if adviser.remembers != "public":  # what rivals remember is not for this seat to know
        known = [memory if other == seat else b"" for other, memory in enumerate(known)]
    bots = SeatedBots(game, [ADVISER] * game.players, seed)
    action = state.admit(seat, bots.consult(state, seat, 0, known[seat])[0])
    close = bots.consider(state, seat) if game.package.consider else []
    others = [one for one in dict.fromkeys([*close, *_a_few(state, seat, seed)]) if one != action][:OTHERS]
    tried = [action, *others]
    laboratory = Laboratory(game, state.position, seat, find_bot(game.name, ADVISER), known, seed)
    found = weigh(laboratory, tried, STAGES if others else (), SECONDS, clock)
    means = {state.format(seat, one): mean for one, mean in zip(tried, found.means, strict=True)}
    move = state.format(seat, found.choice if found.worlds[0] >= FEWEST else action)
    return Advice(move, _reason(state, seat, move, means, found, names), means, found.worlds[0])


def _a_few(state: State, seat: int, seed: int) -> list[int]:
    """Other moves to compare: what weaker bots would do, and some more at random."""
    names = {bot.name for bot in state.game.facts.bots}
    found: list[int] = []
    for bot in ("medium", "easy"):
        if bot in names:
            choice = SeatedBots(state.game, [bot] * state.game.players, seed).choose(state, seat)
            if isinstance(choice, int):
                found.append(choice)
    return list(dict.fromkeys([*found, *candidates(state, seat, OTHERS + 2, seed)]))


def _reason(
    state: State, seat: int, move: str, means: dict[str, float], found: Weighed, names: Sequence[str]
) -> str:
    """Why a move is advised, in one or two short sentences."""
    if len(means) == 1:
        return "It is the only move."
    if found.worlds[0] < FEWEST:
        return "There was no time to compare it with other moves."
    if not state.game.facts.by_score and max(means.values()) < 0.01:
        return "It is hard to win from here, whatever you do."
    other = max((one for one in means if one != move), key=lambda one: means[one])
    view = state.picture(seat)
    best, next_best = (move_label(view, one, names) for one in (move, other))
    written = f"{best} {_worth(state, means[move])} from here"
    lead = means[move] - means[other]  # the adviser's own move stays where another leads by chance
    if lead < _noise(state, found):
        return f"{written}. {next_best[:1].upper()}{next_best[1:]} may be as good."
    return f"{written}, {next_best} {_short(state, means[other])}."


def _worth(state: State, mean: float) -> str:
    if state.game.facts.by_score:
        noun = state.game.facts.unit.partition(" ")[0] or "points"
        return f"brings {mean:+,.0f} {noun} on average"
    return f"wins {mean:.0%} of matches"


def _short(state: State, mean: float) -> str:
    return f"brings {mean:+,.0f}" if state.game.facts.by_score else f"wins {mean:.0%}"


def _noise(state: State, found: Weighed) -> float:
    """A difference of two means that may well be luck."""
    worlds = max(1, min(found.worlds))
    spread = float(np.ptp(found.means)) if state.game.facts.by_score else 0.7
    return 2.0 * spread / math.sqrt(worlds)
