"""Bots of your own that are compiled: `@nf.bot("doubles")` in front of a function `(seen, moves, rng)`.

The function gets the facts that its game names (kernel/seen.py), never the position, so it cannot know what
its seat may not know. It is compiled when it is first used; drivers call it by its address, so that is all
that has to be compiled.
"""

from __future__ import annotations

import dis
import inspect
import re
from collections.abc import Callable, Sequence
from functools import cache
from types import FunctionType
from typing import TYPE_CHECKING, Any

from ninefold.engine import registry
from ninefold.kernel.errors import RuleError, suggest

if TYPE_CHECKING:
    from ninefold.engine.game import Game

_TELLING = re.compile(r"(Untyped global|Unknown|Invalid use|Cannot|No |Use of|Name|Unsupported|Type)")
GIVEN = ("seen", "moves", "rng")
MEMORY = "memory"
ILLEGAL = "the bot chose a move that is not legal"
MOST_PARAMETERS = 6  # the others of a slot's parameters are a temper


class OwnBot:
    """A function that plays one game, compiled when it is first used."""

    def __init__(self, game: str, function: Any, values: Sequence[int] | None = None) -> None:
        self.game = registry.find_game(game)
        self.function = function
        self.word = getattr(function, "__name__", type(function).__name__)
        names = list(inspect.signature(function).parameters.values()) if inspect.isfunction(function) else []
        self._check(names)
        self.remembers = any(one.name == MEMORY for one in names)
        self.parameters = {one.name: one.default for one in names if one.name not in (*GIVEN, MEMORY)}
        self.values = tuple(self.parameters.values() if values is None else values)
        self._made: dict[int, tuple[Any, int]] = {}

    def _check(self, names: Sequence[inspect.Parameter]) -> None:
        """Refuse what cannot be a bot."""
        begins = [one.name for one in names[:3]] == list(GIVEN)
        others = [one for one in names[3:] if one.name != MEMORY]
        whole = all(isinstance(one.default, int) for one in others)
        if not begins or not whole or len(others) > MOST_PARAMETERS:
            raise RuleError(
                f"a compiled bot is a function (seen, moves, rng), perhaps with memory and up to "
                f"{MOST_PARAMETERS} whole numbers such as at=400 after them, not {self.word!r}"
            )

    @property
    def name(self) -> str:
        given = self.values != tuple(self.parameters.values())
        return ":".join([self.word, *map(str, self.values)]) if given else self.word

    def __call__(self, *_: Any) -> Any:
        raise TypeError(f"{self.word} is a compiled bot: pass it to nf.simulate, nf.tournament or a table")

    def __repr__(self) -> str:
        return f"<bot {self.name} for {self.game}>"

    def __reduce__(self) -> tuple[Any, ...]:
        return OwnBot, (self.game, self.function, self.values)

    def with_values(self, given: Sequence[str]) -> OwnBot:
        """The same bot with the numbers that follow its name: `careful:500`."""
        if len(given) > len(self.parameters):
            takes = ", ".join(self.parameters) or "no numbers"
            raise RuleError(f"bot {self.word} takes {takes} after its name, not {':'.join(given)!r}")
        values = list(self.parameters.values())
        for place, text in enumerate(given):
            if not re.fullmatch(r"-?[0-9]{1,18}", text):
                raise RuleError(f"bot {self.word} takes whole numbers after its name, not {text!r}")
            values[place] = int(text)
        return OwnBot(self.game, self.function, values)

    def for_game(self, name: str) -> OwnBot:
        if name != self.game:
            titles = registry.facts(self.game).title, registry.facts(name).title
            raise RuleError(f"bot {self.word} plays {titles[0]}, not {titles[1]}")
        return self

    def address(self, game: Game) -> int:
        """Where the compiled bot is, for a driver."""
        return self._compiled(game)[1]

    def ask(self, game: Game, s: Any, seat: int, slot: Any, stream: Any) -> int:
        """Its move, as a driver would get it."""
        return int(self._compiled(game)[0](s, seat, slot, stream))

    def _compiled(self, game: Game) -> tuple[Any, int]:
        if game.capacity not in self._made:
            self._made[game.capacity] = _compile(self, game)
        return self._made[game.capacity]


def bot(game: str) -> Callable[[Any], OwnBot]:
    """Compile a function into a bot for one game: write `@nf.bot("doubles")` in front of it.

    The function takes `seen` (what its seat may know, by name: docs/api.md), `moves` (the ids of its legal
    moves) and `rng`, and returns the id of a move. It may take `memory` (32 numbers, zero at the start of a
    match) and whole numbers with defaults, which can follow the bot's name after a colon.
    """
    if not isinstance(game, str):
        raise RuleError('name the game that the bot plays, as in @nf.bot("doubles")')
    name = registry.find_game(game)
    return lambda function: OwnBot(name, function)


@cache
def facts(name: str) -> dict[str, Any]:
    """What a seat of a game may know, by name; empty for a game that names nothing."""
    from ninefold.kernel.seen import facts_of

    module = registry.optional(name, "seen")
    return facts_of(module, registry.facts(name).actions) if module else {}


@cache
def _seen_by(name: str) -> Any:
    from ninefold.kernel.compile import COMPILED

    title, known = registry.facts(name).title, facts(name)
    if not known:
        raise RuleError(f"{title} has no module `seen`, which compiled bots need")
    if COMPILED:
        from ninefold.kernel.seen_types import seen_type

        return seen_type(title, known)
    from ninefold.kernel.seen import Seen

    return lambda s, seat: Seen(title, known, s, seat)


@cache
def _unlisted(name: str) -> Any:
    """A kernel that wraps the moves of a game whose rules find them without a list; None for others."""
    from ninefold.kernel.compile import COMPILED

    rules: Any = registry.package(name).rules
    count, nth = getattr(rules, "count_moves", None), getattr(rules, "nth_move", None)
    if not COMPILED or count is None or nth is None:
        return None
    from ninefold.kernel.seen_types import Unlisted, unlisted_moves

    sheet = registry.facts(name)
    return unlisted_moves(Unlisted(sheet.title, count, nth, rules.legal, rules.refuse, sheet.actions))


def _compile(own: OwnBot, game: Game) -> tuple[Any, int]:
    """The bot behind the checks that a driver cannot make, and its address."""
    from ninefold.kernel.compile import COMPILED
    from ninefold.kernel.seen import is_among

    rules: Any = game.package.rules
    names: dict[str, Any] = {
        "seen_by": _seen_by(own.game),
        "moves_of": _unlisted(own.game),
        "legal": rules.legal,
        "refuse": rules.refuse,
        "is_among": is_among,
        "ACTIONS": game.facts.actions,
    }
    if not COMPILED:
        from ninefold.kernel.seen import Ids, Random

        names |= {"list_moves": lambda slot, n: Ids(slot.spans, n), "random_of": Random, "moves_of": None}
        return _adapter(own, names | {"choose": own.function}), 0
    return _machine_code(own, game, names)


def _machine_code(own: OwnBot, game: Game, names: dict[str, Any]) -> tuple[Any, int]:
    import numba
    from numba.core.errors import NumbaError

    from ninefold.kernel.calling import address_of
    from ninefold.kernel.drive import slot_type
    from ninefold.kernel.record import record_of, typed
    from ninefold.kernel.seen_types import list_moves, random_of
    from ninefold.kernel.stream import new_stream

    choose = _with_helpers(own.function, {})
    names |= {"list_moves": list_moves, "random_of": random_of, "choose": choose}
    made = numba.njit(_adapter(own, names), nogil=True)
    layout = slot_type(game.facts.spans)
    slot = record_of(bytearray(layout.itemsize), typed(layout))
    kinds = tuple(numba.typeof(one) for one in (game.new_position(), 0, slot, new_stream()))
    try:
        return made, address_of(made, kinds)
    except NumbaError as error:
        raise RuleError(_why_not(own, error)) from None
    except (TypeError, ValueError, NotImplementedError) as error:
        raise RuleError(f"bot {own.word} cannot be compiled: {error}") from None


def _adapter(own: OwnBot, names: dict[str, Any]) -> Any:
    """A function with the arguments of a driver around the bot; an illegal move is an exception."""
    wants = {step.argval for step in dis.get_instructions(own.function) if "LOAD_FAST" in step.opname}
    listed = any("moves" in (one if isinstance(one, tuple) else (one,)) for one in wants)
    order = list(inspect.signature(own.function).parameters)[3:]
    numbers = {name: f"slot.params[{place}]" for place, name in enumerate(own.parameters)}
    more = "".join(f", {name}={numbers.get(name, 'slot.memory')}" for name in order)
    # A bot that asks for its moves has had them listed, and the list costs less than the rules do.
    # In a game that finds its moves one by one, none are listed before the bot asks for all.
    unlisted = listed and names["moves_of"] is not None
    listed = listed and not unlisted
    good = "is_among(slot.spans, n, move)" if listed else "0 <= move < ACTIONS and refuse(s, seat, move) == 0"
    moves = "moves_of(s, seat, slot)" if unlisted else "list_moves(slot, n)"
    lines = [
        "def adapter(s, seat, slot, stream):",
        f" n = {'legal(s, seat, slot.spans)' if listed else '0'}",
        f" move = choose(seen_by(s, seat), {moves}, random_of(stream){more})",
        f" if not ({good}):",
        "  slot.bot = move",
        f"  raise ValueError({ILLEGAL!r})",
        " return move",
    ]
    exec("\n".join(lines), names)  # as named tuples are made
    return names["adapter"]


def _with_helpers(function: Any, made: dict[Any, Any]) -> Any:
    """The function compiled, and with it the plain functions that it calls; indices are checked."""
    import numba

    if function in made:
        raise RuleError(f"function {function.__name__} calls itself, which a compiled bot cannot do")
    made[function] = None
    used = {name for code in _codes(function.__code__) for name in code.co_names}
    helpers = {
        name: made.get(value) or _with_helpers(value, made)
        for name, value in function.__globals__.items()
        if name in used and isinstance(value, FunctionType)
    }
    plain = FunctionType(
        function.__code__,
        {**function.__globals__, **helpers},
        function.__name__,
        function.__defaults__,
        function.__closure__,
    )
    plain.__kwdefaults__ = function.__kwdefaults__
    made[function] = numba.njit(plain, nogil=True, boundscheck=True)
    return made[function]


def _codes(code: Any) -> list[Any]:
    inner = [one for one in code.co_consts if inspect.iscode(one)]
    return [code, *[found for one in inner for found in _codes(one)]]


def _why_not(own: OwnBot, error: Exception) -> str:
    """What is wrong, and in which line, in one sentence."""
    text = re.sub(r"\x1b\[[0-9;]*m", "", str(error))
    path = own.function.__code__.co_filename
    lines = re.findall(rf'File "{re.escape(path)}", line (\d+)', text)
    lines = lines or re.findall(rf"{re.escape(path)} \((\d+)\)", text)
    where = f", line {lines[-1]}" if lines else ""
    unknown = re.search(r"Unknown attribute '(\w+)' of type Seen", text)
    if unknown:
        known = list(facts(own.game))
        title = registry.facts(own.game).title
        return (
            f"bot {own.word}{where}: a seat of {title} sees no {unknown[1]!r}; "
            f"{suggest(unknown[1], known, 'facts')}"
        )
    if "unicode_type" in text and not lines:
        return f"bot {own.word} returns a text: a compiled bot returns the id of a move, such as moves[0]"
    return f"bot {own.word} cannot be compiled{where}: {_first_words(text)}"


def _first_words(text: str) -> str:
    """The line of Numba's message that says what is wrong."""
    lines = [line.strip() for line in text.splitlines()]
    line = next((line for line in lines if _TELLING.match(line)), "")
    return (line or "it is not in the subset of Python that Numba compiles")[:200]
