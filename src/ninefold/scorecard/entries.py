"""What a score card is made of: entries (a roll, a cash-out, a player) and steps (do, undo, redo, splice).

Plain values with a JSON form and nothing else. card.py decides whether an entry fits the game, and
reading.py how it is typed.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, TypeAlias

Player: TypeAlias = int  # a number that stays the same for a whole card; names may change


@dataclass(frozen=True, slots=True)
class Roll:
    """Two dice. If only the sum is known (`exact` is false), they stand for any pair with that sum."""

    one: int
    other: int
    exact: bool = True


@dataclass(frozen=True, slots=True)
class Cash:
    """Players who cash out, all at once."""

    players: tuple[Player, ...]


@dataclass(frozen=True, slots=True)
class Join:
    """A new player sits down, after the others."""

    player: Player
    name: str


@dataclass(frozen=True, slots=True)
class Leave:
    """A player leaves and keeps the score."""

    player: Player


@dataclass(frozen=True, slots=True)
class Return:
    """A player who left is back."""

    player: Player


@dataclass(frozen=True, slots=True)
class Rename:
    """A player has another name from now on."""

    player: Player
    name: str


@dataclass(frozen=True, slots=True)
class Next:
    """This player has the dice now."""

    player: Player


@dataclass(frozen=True, slots=True)
class Rounds:
    """The game has this many rounds from now on."""

    last: int


@dataclass(frozen=True, slots=True)
class Correct:
    """What players scored in a finished round, corrected by hand."""

    round: int
    gains: tuple[tuple[Player, int], ...]


@dataclass(frozen=True, slots=True)
class Close:
    """A round closed by hand in a correction: players who are still in score nothing."""


Entry: TypeAlias = Roll | Cash | Join | Leave | Return | Rename | Next | Rounds | Correct | Close


@dataclass(frozen=True, slots=True)
class Do:
    """Add an entry."""

    entry: Entry


@dataclass(frozen=True, slots=True)
class Undo:
    """Undo the last steps."""

    steps: int


@dataclass(frozen=True, slots=True)
class Redo:
    """Redo what was undone."""

    steps: int


@dataclass(frozen=True, slots=True)
class Splice:
    """Replace `cut` entries from number `at` on by others: a correction."""

    at: int
    cut: int
    put: tuple[Entry, ...]


Step: TypeAlias = Do | Undo | Redo | Splice


def entry_json(entry: Entry) -> dict[str, Any]:
    """An entry as JSON: one key that says what it is."""
    match entry:
        case Roll(one, other, exact):
            return {"roll": [one, other]} if exact else {"sum": one + other}
        case Cash(players):
            return {"cash": list(players)}
        case Join(player, name):
            return {"join": [player, name]}
        case Leave(player):
            return {"leave": player}
        case Return(player):
            return {"return": player}
        case Rename(player, name):
            return {"rename": [player, name]}
        case Next(player):
            return {"next": player}
        case Rounds(last):
            return {"rounds": last}
        case Correct(number, gains):
            return {"correct": [number, [list(gain) for gain in gains]]}
        case Close():
            return {"close": True}


def entry_from(data: dict[str, Any]) -> Entry:
    """Read an entry from JSON; ValueError if it is not one."""
    if not isinstance(data, dict) or len(data) != 1:
        raise ValueError("an entry is an object with one key")
    ((kind, value),) = data.items()
    match kind, value:
        case "roll", [int(one), int(other)] if 1 <= one <= 6 and 1 <= other <= 6:
            return Roll(one, other)
        case "sum", int(total) if 3 <= total <= 11:
            return roll_of_sum(total)
        case "cash", list(players) if players and all(map(_is_number, players)):
            return Cash(tuple(players))
        case "join", [int(player), str(name)]:
            return Join(player, name)
        case "leave", int(player):
            return Leave(player)
        case "return", int(player):
            return Return(player)
        case "rename", [int(player), str(name)]:
            return Rename(player, name)
        case "next", int(player):
            return Next(player)
        case "rounds", int(last):
            return Rounds(last)
        case "correct", [int(number), list(gains)]:
            return Correct(number, tuple(_gain(gain) for gain in gains))
        case "close", True:
            return Close()
    raise ValueError(f"there is no entry called {kind}")


def step_json(step: Step) -> dict[str, Any]:
    """A step as JSON."""
    match step:
        case Do(entry):
            return {"do": entry_json(entry)}
        case Undo(steps):
            return {"undo": steps}
        case Redo(steps):
            return {"redo": steps}
        case Splice(at, cut, put):
            return {"splice": [at, cut, [entry_json(entry) for entry in put]]}


def step_from(data: dict[str, Any]) -> Step:
    """Read a step from JSON; ValueError if it is not one."""
    match data:
        case {"do": dict(entry)}:
            return Do(entry_from(entry))
        case {"undo": int(steps)} if steps > 0:
            return Undo(steps)
        case {"redo": int(steps)} if steps > 0:
            return Redo(steps)
        case {"splice": [int(at), int(cut), list(put)]} if at >= 0 and cut >= 0:
            return Splice(at, cut, tuple(entry_from(entry) for entry in put))
    raise ValueError("this is not a step of a score card")


def roll_of_sum(total: int) -> Roll:
    """A roll of which only the sum is known, and that it was not doubles."""
    one = max(1, total - 6)
    return Roll(one, total - one, exact=False)


def _is_number(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _gain(value: object) -> tuple[Player, int]:
    match value:
        case [int(player), int(gain)]:
            return player, gain
    raise ValueError("a correction names a player and a score")
