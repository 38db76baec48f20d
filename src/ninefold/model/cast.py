"""The cast: characters who play at tables, each with a name, a temper, a pace and a face.

A character plays at a level: `ada:hard` is Ada, who decides as `hard` does, in her own way. Plain data, which
knows no game: what a temper changes in play is up to the bots of each game.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from msgspec import Struct

from ninefold.kernel.temper import COPYCAT, NO_HABIT, STUBBORN

Temper = Literal["steady", "cautious", "bold", "stubborn", "copycat"]
LEVELS = ("easy", "medium", "hard", "expert")
USUAL = "medium"


@dataclass(frozen=True)
class Character:
    """Someone who plays. `sign` and `colour` are the face where there is room for one letter only."""

    name: str
    line: str
    temper: Temper
    levels: tuple[str, str]  # from the lowest to the highest where they are at home
    sign: str
    colour: str
    boldness: int = 0  # from -2 to 2
    pace: float = 1.0  # how long they think, compared with others

    @property
    def id(self) -> str:
        return self.name.lower()

    @property
    def habit(self) -> int:
        return {"stubborn": STUBBORN, "copycat": COPYCAT}.get(self.temper, NO_HABIT)

    @property
    def level(self) -> str:
        """The level they play at if nobody says another."""
        return USUAL if self.distance(USUAL) == 0 else self.levels[0]

    def distance(self, level: str) -> int:
        """How far a level is from those where they are at home."""
        low, high = (LEVELS.index(one) for one in self.levels)
        at = LEVELS.index(level)
        return max(low - at, at - high, 0)


CAST = (
    Character("Ada", "Careful. Takes what is safe.", "cautious", ("easy", "hard"), "♠", "#7fa8f5", -1, 1.1),
    Character("Bo", "A gambler who wants it all.", "bold", ("easy", "medium"), "♥", "#f0788c", 2, 0.7),
    Character("Cleo", "Does what worked for you.", "copycat", ("easy", "hard"), "♦", "#e8a23d", 0, 1.0),
    Character("Dex", "Quick and daring.", "bold", ("medium", "expert"), "▲", "#f08a4b", 1, 0.6),
    Character("Esme", "Would rather not risk it.", "cautious", ("medium", "expert"), "●", "#5fc0c2", -2, 1.4),
    Character("Fitz", "Has a plan, and keeps to it.", "stubborn", ("easy", "hard"), "■", "#b8a57f"),
    Character("Gus", "In no hurry at all.", "cautious", ("easy", "medium"), "♣", "#86c766", -1, 1.7),
    Character("Hana", "Calm, and hard to read.", "steady", ("medium", "expert"), "◆", "#c49ae6"),
    Character("Inka", "Brave to the last.", "bold", ("hard", "expert"), "★", "#f1c15d", 2, 0.9),
    Character("Juno", "Watches, then follows.", "copycat", ("medium", "expert"), "◐", "#9ab8e0", 0, 1.2),
    Character("Kip", "Learning, and loving it.", "steady", ("easy", "medium"), "▼", "#b5d64f", 0, 0.8),
    Character("Lotta", "Never gives up.", "stubborn", ("medium", "expert"), "✚", "#e48ac2", 0, 1.3),
)
BY_ID = {one.id: one for one in CAST}


class CharacterSheet(Struct):
    """A character, for surfaces that let people choose one. The face is drawn from the `id`."""

    id: str
    name: str
    line: str
    temper: Temper
    levels: list[str]  # where they are at home; they can be seated at any other
    pace: float


def cast_sheets() -> list[CharacterSheet]:
    """The cast, as it is sent."""
    return [
        CharacterSheet(
            one.id,
            one.name,
            one.line,
            one.temper,
            [level for level in LEVELS if one.distance(level) == 0],
            one.pace,
        )
        for one in CAST
    ]


def character_of(bot: str | None) -> Character | None:
    """The character of a bot such as `ada:hard`; None for a plain bot or none."""
    return BY_ID.get(bot.partition(":")[0].strip().lower()) if bot else None


def level_of(bot: str | None) -> str:
    """The level of a bot such as `hard` or `ada:hard`; empty for a bot that is none of the levels."""
    word, _, given = (bot or "").strip().lower().partition(":")
    who = BY_ID.get(word)
    if who is not None:
        return given or who.level
    return word if word in LEVELS else ""


def pace_of(bot: str | None) -> float:
    """How long a bot thinks, compared with others."""
    who = character_of(bot)
    return who.pace if who else 1.0
