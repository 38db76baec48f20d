"""Bots at a table: whoever plays a seat of a match, compiled or written in Python, asked in one way."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from ninefold.engine import registry
from ninefold.kernel.errors import IllegalMove, RuleError
from ninefold.kernel.fields import EVERYONE, actor_of
from ninefold.kernel.record import record_of, typed
from ninefold.kernel.stream import FOR_BOTS, new_stream

if TYPE_CHECKING:
    from ninefold.engine.game import Game
    from ninefold.engine.state import State


class Company:
    """The bots of one match, with the memory and the random numbers that are their own."""

    def __init__(self, game: Game, bots: Sequence[Any], seed: int, number: int = 0) -> None:
        self.players = [registry.player(game.name, bot) for bot in bots]
        self._game = game
        rows = desks(game, self.players)
        self._desks = [record_of(bytearray(row.tobytes()), typed(rows.dtype)) for row in rows]
        self._stream = new_stream(seed, number, FOR_BOTS)
        self._random = random.Random(f"{seed} {number}")

    def choose(self, state: State, seat: int) -> str | int:
        """The move that the bot of a seat makes now."""
        player = self.players[seat]
        if player.call is not None:
            return self._call(player, state, seat)
        return int(self._game.package.ask_bot(state._s, seat, self._desks[seat], self._stream))

    def _call(self, player: registry.Player, state: State, seat: int) -> str | int:
        """The move of a Python bot, which is shown its seat's view and nothing else."""
        assert player.call is not None
        try:
            move: str | int = player.call(state.view(seat), state.moves(seat), self._random)
        except Exception as error:
            raise RuleError(
                f"bot {player.name} at seat {seat} failed: {type(error).__name__}: {error}"
            ) from error
        return move

    def play_out(self, state: State, limit: int) -> int:
        """Play a match to its end or into a turn past `limit`; the number of decisions taken."""
        decisions = 0
        while not state.over and state.turns <= limit:
            self.step(state)
            decisions += 1
        return decisions

    def step(self, state: State) -> None:
        """Let the next seat that a simulation would ask make its move."""
        rules = self._game.package.rules
        asked = int(rules.ask(state._s, self._stream)) if actor_of(state._s) == EVERYONE else state.actors[0]
        move = self.choose(state, asked)
        try:
            state.play(asked, move)
        except IllegalMove as error:
            name = self.players[asked].name
            raise RuleError(f"bot {name} at seat {asked} played {move!r}: {error}") from error


def desks(game: Game, players: Sequence[registry.Player]) -> Any:
    """What the bots have before them, a record a seat."""
    from ninefold.kernel.drive import desk_type

    rows = np.zeros(len(players), desk_type(game.facts.spans)).view(np.recarray)
    for row, player in zip(rows, players, strict=True):
        row.bot = player.number
        row.params[: len(player.parameters)] = player.parameters
    return rows
