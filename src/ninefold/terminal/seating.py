"""Who sits at a table in the terminal: people by name, then bots."""

from __future__ import annotations

import os

from ninefold.engine.bot_files import read_bots
from ninefold.engine.cast import MIXED, at_level, choose_bots
from ninefold.engine.match import BOT, PERSON, Seat
from ninefold.engine.registry import facts
from ninefold.kernel.errors import RuleError
from ninefold.model.cast import character_of, level_of

LONGEST = 20  # letters of a name


def seat_of(name: str, bot: str | None = None) -> Seat:
    """A seat of a person, or of a bot."""
    return Seat(BOT if bot else PERSON, name, bot)


def seat_all(
    game: str, people: list[str], bots: str | None, players: int | None, seed: int, level: str = ""
) -> list[Seat]:
    """People first, then bots: those asked for, or characters up to the number of players."""
    people = [" ".join(name.split()) for name in people] or [own_name()]
    _check_names(people)
    if players is not None:
        facts(game).settings(players, {})  # refuses a number that cannot play it
    usual = max(facts(game).first_players, len(people))
    asked = [at_level(bot, level) for bot in _asked(len(people), bots, players, usual)]
    return [*map(seat_of, people), *(seat_of(*bot) for bot in choose_bots(game, asked, seed, people))]


def _check_names(people: list[str]) -> None:
    for name in people:
        if not name or not name.isprintable() or len(name) > LONGEST:
            raise RuleError(
                f"a name has 1 to {LONGEST} letters that can be displayed, unlike {name[: 2 * LONGEST]!r}"
            )
    if len({name.casefold() for name in people}) < len(people):
        raise RuleError("two players have the same name; give each their own")


def _asked(people: int, bots: str | None, players: int | None, usual: int) -> list[str]:
    """The bots at the table; one that was asked for alone has more of its kind beside it."""
    asked = read_bots(bots) if bots else []
    if not bots:
        asked = [MIXED] * ((players or usual) - people)
    elif players is not None and len(asked) == 1:
        others = asked[0] if character_of(asked[0]) is None else f"{MIXED}:{level_of(asked[0])}"
        asked += [others] * (players - people - 1)
    if players is not None and len(asked) + people != players:
        who = "1 person" if people == 1 else f"{people} people"
        raise RuleError(f"{who} and {len(asked)} bots do not make {players} players")
    return asked


def own_name() -> str:
    """The name of a person who gave none: $NINEFOLD_NAME, or the name of the account."""
    if chosen := os.environ.get("NINEFOLD_NAME", "").strip():
        return chosen
    import getpass

    try:
        account = getpass.getuser()
    except (OSError, KeyError, ImportError):
        account = "root"
    return "Guest" if account == "root" else account.capitalize()
