"""One answer for every mode: a digest of all positions of some matches, printed by a process.

Run once compiled, once interpreted (NUMBA_DISABLE_JIT=1) and once with checked bounds
(NUMBA_BOUNDSCHECK=1), the digests must be equal.
"""

from __future__ import annotations

import hashlib

from ninefold.engine.bots import SeatedBots
from ninefold.engine.game import Game, make
from ninefold.engine.registry import facts, games

TURNS = 80  # of each match; interpreted rules are a hundred times slower


def digest(game: Game, matches: int, seed: int) -> str:
    """The hash of every position of some matches between the game's bots, but for those that search."""
    seen = hashlib.sha256()
    bots = [bot.name for bot in game.facts.bots if not bot.search]
    for number in range(matches):
        seated = [bots[(seat + number) % len(bots)] for seat in range(game.players)]
        state = game.start(seed=seed + number)
        state.watchers.append(lambda _before, _seat, _action, after: seen.update(after.tobytes()))
        SeatedBots(game, seated, seed, number).play_out(state, min(TURNS, game.facts.limit(game.options)))
    return seen.hexdigest()


def main() -> None:
    """Print a digest for every game, at few and at more players."""
    for name in games():
        low, high = facts(name).players
        for players in sorted({min(high, low + 2), min(high, 20)}):
            print(name, players, digest(make(name, players=players), 2, 7))


if __name__ == "__main__":
    main()
