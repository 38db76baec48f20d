"""Bots by name, and bots that play the seats of a match: compiled or written in Python, used the same way."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.metadata import entry_points
from typing import TYPE_CHECKING, Any

import numpy as np

from ninefold.engine import bot_files, registry
from ninefold.engine.lazy_view import LazyView
from ninefold.engine.own_bots import ILLEGAL, OwnBot
from ninefold.kernel.errors import IllegalMove, NinefoldError, RuleError, suggest
from ninefold.kernel.fields import EVERYONE, actor_of
from ninefold.kernel.record import record_of, typed
from ninefold.kernel.stream import FOR_BOTS, below, new_stream, seed_stream
from ninefold.kernel.temper import BOLDNESS, HABIT, NO_HABIT
from ninefold.model.cast import LEVELS, Character, character_of
from ninefold.model.facts import Bot

if TYPE_CHECKING:
    from ninefold.engine.game import Game
    from ninefold.engine.state import Moves, State

PythonBot = Callable[[Mapping[str, Any], Sequence[str], Any], Any]
SEATS = 64  # more than any table has
CANDIDATES = 24  # moves that a search compares
PLACEHOLDER = "random"  # fills a person's seat among the bots; it never moves


@dataclass(frozen=True)
class Player:
    """Who plays a seat: a compiled bot with its parameters, or a Python callable."""

    name: str
    number: int = -1
    parameters: tuple[int, ...] = ()
    call: PythonBot | None = None
    remembers: bool = False
    search: tuple[int, ...] = ()
    boldness: int = 0
    habit: int = 0
    own: OwnBot | None = None  # a compiled bot of the user's

    def fill(self, params: Any) -> None:
        """Write the parameters that the compiled bot gets, its temper among them."""
        params[: len(self.parameters)] = self.parameters
        params[BOLDNESS], params[HABIT] = self.boldness, self.habit


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


def find_bot(name: str, bot: str | PythonBot | OwnBot | Player) -> Player:
    """The bot that a name such as `hard` or `threshold:400` means, or one of the user's."""
    if isinstance(bot, Player):
        return bot
    if isinstance(bot, OwnBot):
        own = bot.for_game(name)
        return Player(own.name, parameters=own.values, remembers=own.remembers, own=own)
    if isinstance(bot, str) and (loaded := bot_files.known(bot.strip())) is not None:
        return find_bot(name, loaded)
    if not isinstance(bot, str):
        if not callable(bot):
            raise RuleError(f"a bot is a name or a callable, not {bot!r}")
        return Player(getattr(bot, "__name__", type(bot).__name__), call=bot)
    word, *given = bot.strip().split(":")
    sheet = registry.facts(name)
    for known in sheet.bots:
        if known.name == word.lower():
            return Player(
                bot.strip(),
                known.number,
                _parameters(known, given),
                remembers=known.remembers != "nothing",
                search=known.search,
            )
    added = _added_bots().get(f"{name}.{word}") or _added_bots().get(word)
    who = character_of(bot) if added is None else None
    if who is not None:
        return _play_as(name, bot.strip().lower(), who)
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


def _play_as(name: str, bot: str, who: Character) -> Player:
    """A character: the bot of their level, with their temper."""
    _, given, level = bot.partition(":")
    known = [one for one in registry.facts(name).bots if one.name in LEVELS]
    plays = next((one for one in known if one.name == (level if given else who.level)), None)
    if plays is None:
        levels = suggest(level, [one.name for one in known], "levels")
        raise RuleError(f"{who.name} plays at a level, as in {who.id}:hard, not {level!r}; {levels}")
    remembers = plays.remembers != "nothing" or who.habit != NO_HABIT
    return Player(bot, plays.number, (), None, remembers, plays.search, who.boldness, who.habit)


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
        self.seed = seed
        self.stream = new_stream(seed, number, FOR_BOTS)
        self._calls = [one.call() if isinstance(one.call, type) else one.call for one in self.players]
        self._random = random.Random(f"{seed} {number}")

    def choose(self, state: State, seat: int) -> str | int:
        """Choose a move for the bot of a seat."""
        player = self.players[seat]
        if player.call is not None:
            return self._call(player, state, seat)
        if player.search:
            return self._search(player, state, seat)
        if player.own is not None:
            return self._ask_own(player, player.own, state, seat)
        return int(self.game.package.ask_bot(state.position, seat, self.slots[seat], self.stream))

    def _ask_own(self, player: Player, own: OwnBot, state: State, seat: int) -> int:
        """The move of a compiled bot of the user's."""
        try:
            return own.ask(self.game, state.position, seat, self.slots[seat], self.stream)
        except NinefoldError:
            raise
        except Exception as error:
            if str(error) != ILLEGAL:
                raise RuleError(f"bot {player.name} at seat {seat} failed: {error}") from error
            return int(self.slots[seat].bot)  # for the state to refuse

    def _search(self, player: Player, state: State, seat: int) -> int:
        """Choose between a bot's own move and others by playing them on."""
        from ninefold.engine.search import Laboratory, weigh

        memories = [b""] * self.game.players
        tried = self.consider(state, seat)
        memories[seat] = self.slots[seat].memory.tobytes()
        seed = below(self.stream, 1 << 31)
        if len(tried) == 1:
            return tried[0]
        laboratory = Laboratory(self.game, state.position, seat, player, memories, seed)
        usual = self.game.facts.usual_players  # at larger tables every world takes longer
        stages = [worlds * usual // max(usual, self.game.players) for worlds in player.search]
        return weigh(laboratory, tried, stages).choice

    def consider(self, state: State, seat: int) -> list[int]:
        """The moves that a search should compare, the bot's own first."""
        slot, consider = self.slots[seat], self.game.package.consider
        if consider is not None:
            found, worths = np.zeros(self.game.facts.actions, np.int64), np.zeros(self.game.facts.actions)
            number = consider(state.position, seat, slot.memory, slot.spans, found, worths)
            return [int(action) for action in found[:number]]
        own = int(self.game.package.ask_bot(state.position, seat, slot, self.stream))
        return list(dict.fromkeys([own, *candidates(state, seat, CANDIDATES, below(self.stream, 1 << 31))]))

    def consult(self, state: State, seat: int, moment: int, memory: bytes) -> tuple[str | int, bytes]:
        """The move of a seat's bot at a moment of a match, and its memory afterwards.

        It depends on nothing else, so a match that is resumed or undone gets the same moves again.
        """
        self._set_to(seat, moment, memory)
        move = self.choose(state, seat)
        return move, bytes(self.slots[seat].memory)

    def note(self, state: State, seat: int, moment: int, memory: bytes) -> bytes:
        """The memory of a seat's bot after a decision; as `consult`, but nothing is searched."""
        self._set_to(seat, moment, memory)
        player = self.players[seat]
        if player.own is not None:
            self._ask_own(player, player.own, state, seat)
        elif player.call is None:
            self.game.package.ask_bot(state.position, seat, self.slots[seat], self.stream)
        return bytes(self.slots[seat].memory)

    def _set_to(self, seat: int, moment: int, memory: bytes) -> None:
        number = moment * SEATS + seat
        seed_stream(self.stream, np.uint64(self.seed), number, FOR_BOTS)
        if self.players[seat].call is not None:
            self._random = random.Random(f"{self.seed} {number}")
        remembered = self.slots[seat].memory
        remembered[:] = np.frombuffer(memory or bytes(remembered.nbytes), remembered.dtype)

    def recall(self, steps: Iterable[tuple[int, str]], seats: Sequence[int] | None = None) -> list[bytes]:
        """The memory of each seat's bot, or of some, after some steps of a match, as if it had made them."""
        state, memories = self.game.start(manual=True), [b""] * self.game.players
        asked = range(self.game.players) if seats is None else seats
        asked = [seat for seat in asked if self.players[seat].remembers]
        if not asked:
            return memories
        for moment, (seat, move) in enumerate(steps):
            if seat in asked:
                memories[seat] = self.note(state, seat, moment, memories[seat])
            state.play(seat, move)
        return memories

    def _call(self, player: Player, state: State, seat: int) -> str | int:
        """Choose a move for a Python bot, which sees its seat's view and nothing else."""
        call: Any = self._calls[seat]
        try:
            move: str | int = call(LazyView(state, seat), state.moves(seat), self._random)
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


def candidates(state: State, seat: int, most: int, seed: int) -> list[int]:
    """Some legal moves of a seat."""
    return pick(state.moves(seat), most, seed)


def pick(moves: Moves, most: int, seed: int) -> list[int]:
    """Some moves: all if there are few, else the first ones, the last one and some at random."""
    if len(moves) <= most:
        return list(moves.actions)
    places = [0, 1, 2, len(moves) - 1, *np.random.default_rng(seed).integers(0, len(moves), most).tolist()]
    return [moves.action(place) for place in dict.fromkeys(places)][:most]


def bot_slots(game: Game, players: Sequence[Player]) -> Any:
    """What compiled bots get besides the position: one row for each seat."""
    from ninefold.kernel.drive import slot_type

    rows = np.zeros(len(players), slot_type(game.facts.spans)).view(np.recarray)
    for row, player in zip(rows, players, strict=True):
        row.bot = player.number
        row.address = player.own.address(game) if player.own else 0
        player.fill(row.params)
    return rows
