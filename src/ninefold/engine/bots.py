"""Bots by name, and bots that play the seats of a match: compiled or written in Python, used the same way."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.metadata import entry_points
from typing import TYPE_CHECKING, Any

import numpy as np

from ninefold.engine import registry
from ninefold.kernel.errors import IllegalMove, RuleError, suggest
from ninefold.kernel.fields import EVERYONE, actor_of
from ninefold.kernel.record import record_of, typed
from ninefold.kernel.stream import FOR_BOTS, new_stream
from ninefold.model.facts import Bot

if TYPE_CHECKING:
    from ninefold.engine.game import Game
    from ninefold.engine.state import State

PythonBot = Callable[[Mapping[str, Any], Sequence[str], Any], Any]
PLACEHOLDER = "random"  # fills a person's seat among the bots; it never moves


@dataclass(frozen=True)
class Player:
    """Who plays a seat: a compiled bot with its parameters, or a Python callable."""

    name: str
    number: int = -1
    parameters: tuple[int, ...] = ()
    call: PythonBot | None = None


@cache
def _added_bots() -> dict[str, Any]:
    """Python bots that other packages add, as `game.bot` or, for every game, `bot`."""
    return {entry.name: entry for entry in entry_points(group="ninefold.bots")}


def bot_names(name: str) -> list[str]:
    """The names of the bots that can play a game."""
    own = [bot.name for bot in registry.facts(name).bots]
    added = [
        key.removeprefix(f"{name}.") for key in _added_bots() if "." not in key or key.startswith(f"{name}.")
    ]
    return own + sorted(set(added) - set(own))


def find_bot(name: str, bot: str | PythonBot | Player) -> Player:
    """The bot that a name such as `hard` or `threshold:400` means, or a Python callable as one."""
    if isinstance(bot, Player):
        return bot
    if not isinstance(bot, str):
        if not callable(bot):
            raise RuleError(f"a bot is a name or a callable, not {bot!r}")
        return Player(getattr(bot, "__name__", type(bot).__name__), call=bot)
    word, *given = bot.strip().split(":")
    sheet = registry.facts(name)
    for known in sheet.bots:
        if known.name == word.lower():
            return Player(bot.strip(), known.number, _parameters(known, given))
    added = _added_bots().get(f"{name}.{word}") or _added_bots().get(word)
    if added is None or given:
        instead = suggest(word, bot_names(name), "bots")
        raise RuleError(f"{sheet.title} has no bot {bot!r}; {instead}")
    try:
        call = added.load()
    except Exception as error:
        raise RuleError(f"bot {word} cannot be loaded: {type(error).__name__}: {error}") from error
    if not callable(call):
        raise RuleError(f"bot {word} cannot be called: it is {call!r}")
    return Player(bot.strip(), call=call)


def _parameters(bot: Bot, given: Sequence[str]) -> tuple[int, ...]:
    if len(given) > len(bot.parameters):
        takes = f"at most {len(bot.parameters)} number" if bot.parameters else "no number"
        raise RuleError(f"bot {bot.name} takes {takes} after its name, not {':'.join(given)!r}")
    values = []
    for place, parameter in enumerate(bot.parameters):
        if place >= len(given):
            values.append(int(parameter.default))
            continue
        try:
            values.append(parameter.value(given[place]))
        except RuleError:
            raise RuleError(
                f"bot {bot.name} takes {parameter.allowed} after the colon, not {given[place]!r}"
            ) from None
    return tuple(values)


class SeatedBots:
    """The bots of one match, with their own memory and random numbers."""

    def __init__(self, game: Game, bots: Sequence[Any], seed: int, number: int = 0) -> None:
        self.players = [find_bot(game.name, bot) for bot in bots]
        self.game = game
        rows = bot_slots(game, self.players)
        self.slots = [record_of(bytearray(row.tobytes()), typed(rows.dtype)) for row in rows]
        self.stream = new_stream(seed, number, FOR_BOTS)
        self._random = random.Random(f"{seed} {number}")

    def choose(self, state: State, seat: int) -> str | int:
        """Choose a move for the bot of a seat."""
        player = self.players[seat]
        if player.call is not None:
            return self._call(player, state, seat)
        return int(self.game.package.ask_bot(state.position, seat, self.slots[seat], self.stream))

    def _call(self, player: Player, state: State, seat: int) -> str | int:
        """Choose a move for a Python bot, which sees its seat's view and nothing else."""
        assert player.call is not None
        try:
            move: str | int = player.call(state.view(seat), state.moves(seat), self._random)
        except Exception as error:
            raise RuleError(
                f"bot {player.name} at seat {seat} failed: {type(error).__name__}: {error}"
            ) from error
        return move

    def play_out(self, state: State, limit: int) -> int:
        """Play a match to its end or past turn `limit`; returns the number of decisions."""
        decisions = 0
        while not state.over and state.turns <= limit:
            self.step(state)
            decisions += 1
        return decisions

    def step(self, state: State) -> None:
        """Let the next seat move, in the order a simulation uses."""
        everyone = actor_of(state.position) == EVERYONE
        asked = int(self.game.package.ask(state.position, self.stream)) if everyone else state.actors[0]
        move = self.choose(state, asked)
        try:
            state.play(asked, move)
        except IllegalMove as error:
            name = self.players[asked].name
            raise RuleError(f"bot {name} at seat {asked} played {move!r}: {error}") from error


def bot_slots(game: Game, players: Sequence[Player]) -> Any:
    """What compiled bots get besides the position: one row for each seat."""
    from ninefold.kernel.drive import slot_type

    rows = np.zeros(len(players), slot_type(game.facts.spans)).view(np.recarray)
    for row, player in zip(rows, players, strict=True):
        row.bot = player.number
        row.params[: len(player.parameters)] = player.parameters
    return rows
