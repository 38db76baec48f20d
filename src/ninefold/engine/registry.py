"""The catalogue of games and bots: the one place that names games.

A game is a package in ninefold.game with `FACTS`, `rules`, `table`, `bots` and `judge`. What a package
must bring is checked when it is first used.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cache
from importlib import import_module
from importlib.metadata import entry_points
from pathlib import Path
from threading import RLock
from types import ModuleType
from typing import TYPE_CHECKING, Any

from ninefold.kernel.errors import RuleError
from ninefold.kernel.facts import Bot, Facts

if TYPE_CHECKING:
    from ninefold.kernel.lessons import Lesson

CATALOGUE = ("baseball", "doubles", "finest9", "holdem9", "multiple9", "nine_of_a_kind")

RULES = [
    *("FIELDS", "begin", "legal", "refuse", "play", "outcomes", "sample"),
    *("chance", "scores", "winners", "redeal", "observe", "tally"),
]
FOR_EVERYONE = ["ask", "awaited"]
TABLE = ["say", "read", "why", "sound", "view", "offers", "orders", "tell"]

PythonBot = Callable[[Mapping[str, Any], Sequence[str], Any], Any]


@dataclass(frozen=True)
class Package:
    """A game's modules, as the engine uses them."""

    facts: Facts
    rules: ModuleType
    table: ModuleType
    bots: ModuleType
    ask_bot: Callable[..., int]
    play_out: Callable[..., int]
    batch: Callable[..., None]


@dataclass(frozen=True)
class Player:
    """Who plays a seat: a compiled bot with its parameters, or a Python callable."""

    name: str
    number: int = -1
    parameters: tuple[int, ...] = ()
    call: PythonBot | None = None
    slow: bool = False  # played through views and the checked door, as Python bots are


def games() -> list[str]:
    """The names of all games, in order."""
    return sorted(CATALOGUE)


def facts(name: str) -> Facts:
    """A game's fact sheet, without loading its kernels."""
    if not isinstance(name, str) or name not in CATALOGUE:
        raise RuleError(f"there is no game {name!r}; {_instead(str(name), games(), 'games')}")
    sheet = import_module(f"ninefold.game.{name}").FACTS
    assert isinstance(sheet, Facts)
    return sheet


def package(name: str) -> Package:
    """A game's modules, loaded, checked and bound to the drivers; once, whichever thread asks first."""
    with _loading:
        return _package(name)


_loading = RLock()


@cache
def _package(name: str) -> Package:
    from ninefold.kernel import drive
    from ninefold.kernel.compile import bind

    sheet = facts(name)
    rules, table, bots = (
        import_module(f"ninefold.game.{name}.{part}") for part in ("rules", "table", "bots")
    )
    _check(sheet, rules, table, bots)
    ask = rules.ask if sheet.everyone else drive.the_actor
    ask_bot = bind(drive.ask_bot_template, f"{name}_ask_bot", bots=bots)
    play_out = bind(drive.play_out_template, f"{name}_play_out", rules=rules, ask=ask, ask_bot=ask_bot)
    batch = bind(drive.batch_template, f"{name}_batch", rules=rules, play_out=play_out)
    return Package(sheet, rules, table, bots, ask_bot, play_out, batch)


def _check(sheet: Facts, rules: ModuleType, table: ModuleType, bots: ModuleType) -> None:
    from ninefold.kernel.fields import COMMON, Field, Sees, layout

    wanted = {rules: RULES + FOR_EVERYONE * sheet.everyone, table: TABLE, bots: ["decide"]}
    missing = [
        f"{module.__name__}.{part}"
        for module in wanted
        for part in wanted[module]
        if not hasattr(module, part)
    ]
    if missing:
        raise TypeError(f"{sheet.title} lacks {', '.join(missing)}")
    unmarked = [field for field in rules.FIELDS if not isinstance(field, Field) or field.sees not in Sees]
    if unmarked:
        raise TypeError(f"{sheet.title} has fields that do not say who may see them: {unmarked}")
    if rules.FIELDS[: len(COMMON)] != COMMON:
        raise TypeError(f"the record of {sheet.title} must begin with {[field.name for field in COMMON]}")
    if any(field.sees is Sees.GAME for field in rules.FIELDS) and not hasattr(rules, "hide"):
        raise TypeError(f"{sheet.title} has fields that its own `hide` must blank, and no `hide`")
    for capacity in sheet.capacities:
        layout(rules.FIELDS, capacity)


def lessons(name: str) -> tuple[Lesson, ...]:
    """The staged positions that teach a game."""
    facts(name)
    found: tuple[Lesson, ...] = import_module(f"ninefold.game.{name}.lessons").LESSONS
    return found


def rules_page(name: str) -> str:
    """The game's numbered rules, as Markdown."""
    facts(name)
    return (Path(__file__).resolve().parent.parent / "game" / name / "RULES.md").read_text("utf-8")


def judge(name: str) -> ModuleType:
    """The game's judge: rules asked without a match."""
    facts(name)
    return import_module(f"ninefold.game.{name}.judge")


@cache
def _added_bots() -> dict[str, Any]:
    """Python bots that other packages add, as `game.bot` or, for every game, `bot`."""
    return {entry.name: entry for entry in entry_points(group="ninefold.bots")}


def bot_names(name: str) -> list[str]:
    """The names of the bots that can sit down at a game."""
    own = [bot.name for bot in facts(name).bots]
    added = [
        key.removeprefix(f"{name}.") for key in _added_bots() if "." not in key or key.startswith(f"{name}.")
    ]
    return own + sorted(set(added) - set(own))


def player(name: str, bot: str | PythonBot | Player) -> Player:
    """The bot that a name such as `hard` or `threshold:400` means, or a Python callable as one."""
    if isinstance(bot, Player):
        return bot
    if not isinstance(bot, str):
        if not callable(bot):
            raise RuleError(f"a bot is a name or a callable, not {bot!r}")
        return Player(getattr(bot, "__name__", type(bot).__name__), call=bot)
    word, *given = bot.strip().split(":")
    for known in facts(name).bots:
        if known.name == word.lower():
            return Player(bot.strip(), known.number, _parameters(known, given))
    added = _added_bots().get(f"{name}.{word}") or _added_bots().get(word)
    if added is None or given:
        raise RuleError(f"{facts(name).title} has no bot {bot!r}; {_instead(word, bot_names(name), 'bots')}")
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


def _instead(word: str, known: Sequence[str], kind: str) -> str:
    near = get_close_matches(word, known, 1)
    return (f"did you mean {near[0]}? " if near else "") + f"the {kind} are {', '.join(known)}"


def settings(
    sheet: Facts, players: int | str | None, given: Mapping[str, object]
) -> tuple[int, dict[str, Any]]:
    """The number of players and every option's canonical value; RuleError says what is allowed."""
    from ninefold.kernel.facts import whole

    low, high = sheet.players
    seats = sheet.usual_players if players is None else whole(players)
    if seats is None or not low <= seats <= high:
        raise RuleError(f"{sheet.title} is for {low} to {high:,} players, not {players!r}")
    known = [option.name for option in sheet.options]
    for name in given:
        if name not in known:
            raise RuleError(f"{sheet.title} has no option {name!r}; {_instead(name, known, 'options')}")
    values = {
        option.name: option.value(given.get(option.name, option.standard(seats))) for option in sheet.options
    }
    fault = sheet.check(seats, values)
    if fault:
        raise RuleError(fault)
    return seats, values
