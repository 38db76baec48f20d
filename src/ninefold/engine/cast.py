"""Who sits at a table: the bots that were asked for, with names, all different.

People ask for characters (`ada`, `ada:hard`), for any at a level (`mixed:hard`), or for plain bots by name
(`hard`, `threshold:400`). The same seed always gives the same bots.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple

from ninefold.engine import bot_files, registry
from ninefold.engine.bots import find_bot
from ninefold.kernel.errors import RuleError, suggest
from ninefold.model.cast import CAST, LEVELS, USUAL, Character, character_of

MIXED = "mixed"


class Seated(NamedTuple):
    """A bot at a table: how people call it, and which bot it is."""

    name: str
    bot: str


def choose_bots(
    game: str,
    asked: Iterable[str],
    seed: str | int,
    taken: Iterable[str] = (),
    alike: Callable[[str, str], bool] = lambda one, other: one.casefold() == other.casefold(),
) -> list[Seated]:
    """The bots asked for, with names that nobody could take for one another or for one that is taken."""
    wanted = [one.strip().lower() if character_of(one) else one.strip() for one in asked]
    used = list(taken)

    def is_free(name: str) -> bool:
        return not any(alike(name, other) for other in used)

    explicit = {who.id for one in wanted if (who := character_of(one))}
    draw = random.Random(f"cast {game} {seed}")
    queues: dict[str, Iterator[str]] = {}
    found = []
    for bot in wanted:
        level = mixed_level(game, bot)
        if level:
            if level not in queues:
                queues[level] = _names([who for who in _order(level, draw) if who.id not in explicit])
            name = next(name for name in queues[level] if is_free(name))
            bot = f"{name.split()[0].lower()}:{level}"
        else:
            find_bot(game, bot)
            name = _name(bot, is_free)
        used.append(name)
        found.append(Seated(name, bot))
    return found


def mixed_level(game: str, bot: str) -> str | None:
    """The level of a `mixed` bot, as the game has it; None for any other bot."""
    word, _, given = bot.strip().lower().partition(":")
    if word != MIXED:
        return None
    level = given or USUAL
    if level not in LEVELS:
        raise RuleError(f"there is no level {given!r}; {suggest(given, LEVELS, 'levels')}")
    return nearest_level(game, level)


def nearest_level(game: str, level: str) -> str:
    """This level or, if a game lacks it, the next one below."""
    known = [bot.name for bot in registry.facts(game).bots]
    below = LEVELS[: LEVELS.index(level) + 1]
    return next((one for one in reversed(below) if one in known), USUAL)


def _order(level: str, draw: random.Random) -> list[Character]:
    """The whole cast: those at home at a level first, and different tempers one after another."""
    cast = list(CAST)
    draw.shuffle(cast)
    cast.sort(key=lambda who: who.distance(level))
    before = Counter[str]()
    rank = {}
    for who in cast:
        rank[who.id] = (who.distance(level), before[who.temper])
        before[who.temper] += 1
    return sorted(cast, key=lambda who: rank[who.id])


def _names(order: Sequence[Character]) -> Iterator[str]:
    """The names to give: everyone once before anyone twice."""
    yield from (who.name for who in order)
    for number in range(2, 10_000):
        yield from (f"{who.name} {number}" for who in order or CAST)


def _name(bot: str, is_free: Callable[[str], bool]) -> str:
    """The name of a bot that was asked for by name."""
    who = character_of(bot)
    if who is None:
        word = (bot_files.word_of(bot) or "").replace("_", " ").capitalize()
        word = word or f"{bot.partition(':')[0].strip().capitalize()} bot"
        return next(name for name in _numbered(word) if is_free(name))
    if not is_free(who.name):
        raise RuleError(f"{who.name} is at the table already")
    return who.name


def _numbered(word: str) -> Iterator[str]:
    yield word
    yield from (f"{word} {number}" for number in range(2, 10_000))


def at_level(bot: str, level: str) -> str:
    """A bot asked for without a level, at this one if there is one; others stay as they are."""
    open_level = bot.strip().lower() == MIXED or (character_of(bot) is not None and ":" not in bot)
    return f"{bot.strip()}:{level}" if open_level and level else bot
