"""The catalogue of games: finds and loads them, and fills in defaults.

A game is a package in ninefold.game with the modules described in model/contract.py; it needs no other
registration. What a package must have is checked when it is first used. Defaults for what it may leave out
are here, and nowhere else.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from pkgutil import iter_modules
from threading import RLock
from types import ModuleType
from typing import TYPE_CHECKING, Any, NamedTuple

from ninefold.kernel.errors import RuleError, suggest
from ninefold.model.facts import Facts
from ninefold.model.panel import Panel
from ninefold.model.sheet import GameSheet, sheet_of

if TYPE_CHECKING:
    from ninefold.kernel.device import Launcher
    from ninefold.model.contract import (
        Bots,
        Invariants,
        Narration,
        Notation,
        RealTime,
        Redaction,
        Rules,
        Views,
    )
    from ninefold.model.events import Event
    from ninefold.model.judge import Question
    from ninefold.model.lessons import Lesson
    from ninefold.model.view import Order

HOME = "ninefold.game"

REQUIRED = {
    "rules": ["FIELDS", "begin", "legal", "refuse", "play", "outcomes", "sample", "chance", "redeal"],
    "notation": ["format_move", "parse_move", "explain_refusal"],
    "view": ["view", "offers"],
    "narration": ["narrate"],
    "bots": ["decide"],
}
FOR_EVERYONE = ["ask", "awaited"]
FOR_REAL_TIME = [
    "PASS_MOVE",
    "SEALING_RULE",
    "LOOK_RULE",
    "NOT_YET",
    "LOOK_PROMPTS",
    "on_clock",
    "round_of",
]
FOR_REDACTION = ["CARDS", "UNSEEN", "deck", "redact", "redact_unfinished"]


@dataclass(frozen=True)
class Package:
    """A game's modules and functions as the engine uses them, defaults included."""

    facts: Facts
    rules: Rules
    notation: Notation
    views: Views
    narration: Narration
    invariants: Invariants
    bots: Bots
    realtime: RealTime | None
    orders: Callable[[Any, int], list[Order]]
    result: Callable[[Any], Event] | None  # None: the winners and their score, by the engine
    redact: Callable[[Any, Any, Any], None] | None
    redaction: Redaction | None  # what it belongs to
    mask_hidden: Callable[[Any, int], None] | None
    unseen: Callable[[Any, int], bool] | None
    thrower: Callable[[Any], int]
    occasion: Callable[[Any], tuple[int, ...]] | None  # of a draw; None: draws are numbered through the match
    observe: Callable[[Any, int, Any], int] | None
    consider: Callable[..., int] | None
    scores: Callable[[Any, Any], None]
    winners: Callable[[Any, Any], None]
    tally: Callable[[Any, Any], None]
    ask: Callable[[Any, Any], int]
    awaited: Callable[[Any, Any], int]
    ask_bot: Callable[..., int]
    play_out: Callable[..., int]
    batch: Callable[..., None]
    try_worlds: Callable[..., None]


class WithOwn(NamedTuple):
    """The drivers for line-ups with a compiled bot of the user's."""

    play_out: Callable[..., int]
    batch: Callable[..., None]


class OnCard(NamedTuple):
    """The drivers for a CUDA card."""

    play: Launcher
    add_up: Launcher


def games() -> list[str]:
    """The names of all games, in order."""
    return list(_names())


@cache
def _names() -> tuple[str, ...]:
    """The names of the packages in ninefold.game, without loading them."""
    folder = import_module(HOME).__path__
    return tuple(sorted(part.name for part in iter_modules(folder) if part.ispkg))


def forget_names() -> None:
    """Search for games again, because one was added."""
    _names.cache_clear()


def facts(name: str) -> Facts:
    """A game's fact sheet, without loading its kernels."""
    if not isinstance(name, str) or name not in _names():
        raise RuleError(f"there is no game {name!r}; {suggest(str(name), games(), 'games')}")
    sheet = import_module(f"{HOME}.{name}").FACTS
    assert isinstance(sheet, Facts)
    return sheet


def find_game(text: str) -> str:
    """The name of the game meant by any spelling of its name or title, or by a part that only one has."""
    wanted = _letters(text)
    spellings = {name: {_letters(name), _letters(facts(name).title)} for name in games()}
    exact = [name for name, spelled in spellings.items() if wanted in spelled]
    found = exact or [name for name, spelled in spellings.items() if any(wanted in one for one in spelled)]
    return found[0] if wanted and len(found) == 1 else facts(text).name


def spelled_in(words: Sequence[str]) -> int:
    """How many of the first words are the title of a game, written as it is: 2 of `Finest 9 Ann Bob`.

    Or its name, word by word: 4 of `nine of a kind`.
    """
    titles = {_letters(facts(name).title) for name in games()}
    names = [name.split("_") for name in games()]
    written = [word.casefold() for word in words]
    ends = [
        end
        for end in range(1, len(words) + 1)
        if _letters("".join(words[:end])) in titles or written[:end] in names
    ]
    return max(ends, default=0)


def _letters(text: str) -> str:
    return "".join(sign for sign in text.casefold() if sign.isalnum())


def package(name: str) -> Package:
    """A game's modules, loaded, checked and bound to the drivers; only once, in any thread."""
    with _loading:
        return _package(name)


_loading = RLock()


def kernel_modules(name: str) -> tuple[str, ...]:
    """The modules with a game's kernels."""
    return f"{HOME}.{name}.rules", f"{HOME}.{name}.bots"


@cache
def _package(name: str) -> Package:
    from ninefold.model import contract

    sheet = facts(name)
    parts: dict[str, Any] = {part: import_module(f"{HOME}.{name}.{part}") for part in REQUIRED}
    parts["realtime"] = import_module(f"{HOME}.{name}.realtime") if sheet.realtime else None
    parts["redaction"] = redaction = import_module(f"{HOME}.{name}.redaction") if sheet.redacts else None
    check(sheet, parts)
    rules = parts["rules"]
    return Package(
        facts=sheet,
        rules=rules,
        notation=parts["notation"],
        views=parts["view"],
        narration=parts["narration"],
        invariants=optional(name, "invariants") or contract.no_invariants,
        bots=parts["bots"],
        realtime=parts["realtime"],
        orders=getattr(parts["view"], "orders", contract.orders),
        result=getattr(parts["narration"], "result", None),
        redact=redaction.redact if redaction else None,
        redaction=redaction,
        mask_hidden=getattr(rules, "mask_hidden", None),
        unseen=getattr(rules, "unseen", None),
        thrower=getattr(rules, "thrower", contract.thrower),
        occasion=getattr(optional(name, "occasions"), "occasion", None),
        observe=getattr(rules, "observe", None),
        consider=getattr(parts["bots"], "consider", None),
        **_drivers(sheet, rules, parts["bots"]),
    )


def _drivers(sheet: Facts, rules: Any, bots: Any) -> dict[str, Any]:
    """The shared drivers, bound to a game and compiled."""
    from ninefold.kernel import drive
    from ninefold.kernel.compile import bind

    name, home = sheet.name, kernel_modules(sheet.name)
    sign = -1 if sheet.lowest_wins else 1
    scores = getattr(rules, "scores", None) or bind(drive.scores_template, f"{name}_scores", home)
    winners = getattr(rules, "winners", None) or bind(
        drive.winners_template, f"{name}_winners", home, scores=scores, SIGN=sign
    )
    tally = getattr(rules, "tally", drive.no_tally)
    ask = rules.ask if sheet.everyone else drive.the_actor
    ask_bot = bind(drive.ask_bot_template, f"{name}_ask_bot", home, bots=bots)
    play_on = bind(drive.play_on_template, f"{name}_play_on", home, rules=rules, ask=ask, ask_bot=ask_bot)
    play_out = bind(drive.play_out_template, f"{name}_play_out", home, play_on=play_on)
    used = {"rules": rules, "scores": scores, "winners": winners, "tally": tally}
    return {
        "scores": scores,
        "winners": winners,
        "tally": tally,
        "ask": ask,
        "awaited": rules.awaited if sheet.everyone else drive.only_the_actor,
        "ask_bot": ask_bot,
        "play_out": play_out,
        "batch": bind(drive.batch_template, f"{name}_batch", home, play_on=play_on, **used),
        "try_worlds": bind(
            drive.try_worlds_template,
            f"{name}_try_worlds",
            home,
            rules=rules,
            play_out=play_out,
            scores=scores,
            winners=winners,
            SIGN=sign,
            BY_SCORE=int(sheet.by_score),
        ),
    }


@cache
def with_own(name: str) -> WithOwn:
    """The drivers that also call compiled bots of the user's; only compiled if there is one."""
    from ninefold.kernel import drive
    from ninefold.kernel.compile import bind

    with _loading:
        known, home = package(name), kernel_modules(name)
        rules = known.rules
        ask_bot = bind(drive.ask_anyone_template, f"{name}_ask_anyone", home, ask_bot=known.ask_bot)
        used = {"rules": rules, "scores": known.scores, "winners": known.winners, "tally": known.tally}
        play_on = bind(
            drive.play_on_template, f"{name}_play_on_own", home, rules=rules, ask=known.ask, ask_bot=ask_bot
        )
        return WithOwn(
            bind(drive.play_out_template, f"{name}_play_out_own", home, play_on=play_on),
            bind(drive.batch_template, f"{name}_batch_own", home, play_on=play_on, **used),
        )


@cache
def on_card(name: str, capacity: int, bots: tuple[int, ...]) -> OnCard:
    """The drivers for a CUDA card and some bots; NinefoldError says what is missing."""
    from ninefold.kernel import device

    device.card()
    from ninefold.kernel import device_drive as drive
    from ninefold.kernel.fields import layout

    known, home = package(name), kernel_modules(name)
    few = bots if len(bots) <= 2 else ()
    template = {0: drive.ask_any_template, 1: drive.ask_one_template, 2: drive.ask_two_template}[len(few)]
    first, last = (few[0], few[-1]) if few else (0, 0)
    kind = "_".join(map(str, (capacity, *few)))
    ask_bot = device.part(template, f"{name}_ask_{kind}", bots=known.bots, ONE=first, OTHER=last)
    play = device.bind(
        drive.games_template,
        f"{name}_games_{kind}",
        home,
        rules=known.rules,
        scores=known.scores,
        winners=known.winners,
        tally=known.tally,
        ask=known.ask,
        ask_bot=ask_bot,
        POSITION=drive.aligned(layout(known.rules.FIELDS, capacity)),
        SEATS=capacity,
        SPANS=known.facts.spans,
        SERIES=capacity + 2 + len(known.facts.tallies),
    )
    return OnCard(play, device.bind(drive.sums_template, "sums", ()))


def check(sheet: Facts, parts: Mapping[str, object]) -> None:
    """Whether a game's modules have all that they must have; TypeError names what is missing."""
    from ninefold.kernel.fields import COMMON, Field, Sees, layout

    wanted = {part: list(names) for part, names in REQUIRED.items()}
    wanted["rules"] += FOR_EVERYONE * sheet.everyone
    wanted["realtime"] = FOR_REAL_TIME * sheet.realtime
    wanted["redaction"] = FOR_REDACTION * sheet.redacts
    missing = [
        f"{part}.{name}" for part, names in wanted.items() for name in names if not hasattr(parts[part], name)
    ]
    if missing:
        raise TypeError(f"{sheet.title} lacks {', '.join(missing)}")
    rules: Any = parts["rules"]
    if hasattr(rules, "observe") != (sheet.observation is not None):
        raise TypeError(
            f"{sheet.title} needs both rules.observe and the fact sheet's observation, or neither"
        )
    unmarked = [field for field in rules.FIELDS if not isinstance(field, Field) or field.sees not in Sees]
    if unmarked:
        raise TypeError(f"{sheet.title} has fields that do not say who may see them: {unmarked}")
    if rules.FIELDS[: len(COMMON)] != COMMON:
        raise TypeError(f"the position of {sheet.title} must begin with {[field.name for field in COMMON]}")
    if any(field.sees is Sees.GAME for field in rules.FIELDS) and not hasattr(rules, "mask_hidden"):
        raise TypeError(f"{sheet.title} has fields marked Sees.GAME, so it needs the function `mask_hidden`")
    for capacity in sheet.capacities:
        layout(rules.FIELDS, capacity)


# What a game offers besides matches


@cache
def commands() -> dict[str, tuple[str, str]]:
    """What games add to the command line: the module of each command, and a line for the help."""
    return {
        command: (f"{HOME}.{name}.{command}_command", line)
        for name in games()
        for command, line in facts(name).commands.items()
    }


def optional(name: str, part: str) -> Any:
    """A module of a game, or None."""
    module = f"{HOME}.{name}.{part}"
    return import_module(module) if find_spec(module) else None


def lessons(name: str) -> tuple[Lesson, ...]:
    """The staged positions that teach a game."""
    facts(name)
    module = optional(name, "lessons")
    return module.LESSONS if module else ()


def sheet(name: str) -> GameSheet:
    """A game's fact sheet, for surfaces that let people choose one."""
    return sheet_of(facts(name), [lesson.title for lesson in lessons(name)])


def panel(name: str) -> Panel:
    """Whom the game's bots have to hold up against; without a panel of its own, each other."""
    facts(name)
    module = optional(name, "panel")
    return module.PANEL if module else Panel()


def variants(name: str) -> dict[str, tuple[Any, ...]]:
    """Values of the game's options that a study tries; empty where the obvious ones do."""
    facts(name)
    module = optional(name, "variants")
    return dict(module.VALUES) if module else {}


def rules_page(name: str) -> str:
    """The game's numbered rules, as Markdown."""
    return (_folder(name) / "RULES.md").read_text("utf-8")


def howto_page(name: str) -> str:
    """How the game is played, on one page for people, as Markdown with pictures."""
    return (_folder(name) / "HOWTO.md").read_text("utf-8")


def picture(name: str) -> bytes:
    """The game's picture, as SVG."""
    return (_folder(name) / "picture.svg").read_bytes()


def _folder(name: str) -> Path:
    return Path(__file__).resolve().parent.parent / "game" / facts(name).name


def preview(name: str) -> bytes | None:
    """The same picture as a JPEG for messengers, if there is one."""
    facts(name)
    found = Path(__file__).resolve().parent.parent / "game" / name / "preview.jpg"
    return found.read_bytes() if found.is_file() else None


def judge(name: str) -> ModuleType:
    """The game's judge, which answers questions about the rules."""
    title = facts(name).title
    module: ModuleType | None = optional(name, "judge")
    if module is None:
        raise RuleError(f"{title} has no judge; ninefold rules {name} shows its rules")
    public = [*getattr(module, "__all__", [])]
    if public:
        module.__dict__["__dir__"] = lambda: public  # what `dir(nf.doubles)` and completion list
    return module


def question(name: str) -> Question:
    """The question that the game's judge answers."""
    found: Question = judge(name).QUESTION
    return found
