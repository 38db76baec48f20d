"""What a score card is made of: entries (a roll, a cash-out, a player) and steps (do, undo, redo, splice).

Plain values with a JSON form and nothing else. card.py decides whether an entry fits the game, and
reading.py how it is typed.
"""

from __future__ import annotations

from typing import Annotated, Any, TypeAlias

from msgspec import Meta, Struct, convert, to_builtins

Player: TypeAlias = int  # a number that stays the same for a whole card; names may change
Face: TypeAlias = Annotated[int, Meta(ge=1, le=6)]
Steps: TypeAlias = Annotated[int, Meta(ge=1)]


class _Value(Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    pass


class Roll(_Value, frozen=True):
    """Two dice."""

    one: Face
    other: Face

    @property
    def dice(self) -> tuple[int, int]:
        return self.one, self.other


class Sum(_Value, frozen=True):
    """A roll of which only the sum is known, and that it was not doubles."""

    total: Annotated[int, Meta(ge=3, le=11)]

    @property
    def dice(self) -> tuple[int, int]:
        """Any two dice with that sum."""
        one = max(1, self.total - 6)
        return one, self.total - one


class Cash(_Value, frozen=True):
    """Players who cash out, all at once."""

    players: Annotated[tuple[Player, ...], Meta(min_length=1)]


class Join(_Value, frozen=True):
    """A new player sits down, after the others."""

    player: Player
    name: str


class Leave(_Value, frozen=True):
    """A player leaves and keeps the score."""

    player: Player


class Return(_Value, frozen=True):
    """A player who left is back."""

    player: Player


class Rename(_Value, frozen=True):
    """A player has another name from now on."""

    player: Player
    name: str


class Next(_Value, frozen=True):
    """This player has the dice now."""

    player: Player


class Rounds(_Value, frozen=True):
    """The game has this many rounds from now on."""

    last: int


class Correct(_Value, frozen=True):
    """What players scored in a finished round, corrected by hand."""

    round: int
    gains: tuple[tuple[Player, int], ...]


class Close(_Value, frozen=True):
    """A round closed by hand in a correction: players who are still in score nothing."""


Entry: TypeAlias = Roll | Sum | Cash | Join | Leave | Return | Rename | Next | Rounds | Correct | Close
_KINDS: dict[str, type[Entry]] = {kind.__name__.lower(): kind for kind in Entry.__args__}


class Do(_Value, frozen=True):
    """Add an entry."""

    entry: Entry


class Undo(_Value, frozen=True):
    """Undo the last steps."""

    steps: Steps


class Redo(_Value, frozen=True):
    """Redo what was undone."""

    steps: Steps


class Splice(_Value, frozen=True):
    """Replace `cut` entries from number `at` on by others: a correction."""

    at: int
    cut: int
    put: tuple[Entry, ...]


Step: TypeAlias = Do | Undo | Redo | Splice


def entry_json(entry: Entry) -> dict[str, Any]:
    """An entry as JSON: one key that says what it is, with its value, or a list of its values."""
    values = to_builtins(entry)
    return {type(entry).__name__.lower(): values if len(values) > 1 else values[0] if values else True}


def entry_from(data: Any) -> Entry:
    """Read an entry from JSON; ValueError if it is not one."""
    if not isinstance(data, dict) or len(data) != 1:
        raise ValueError("an entry is an object with one key")
    ((name, value),) = data.items()
    if name not in _KINDS:
        raise ValueError(f"there is no entry called {name}")
    kind = _KINDS[name]
    if len(kind.__struct_fields__) < 2:
        value = [value] if kind.__struct_fields__ else []
    try:
        return convert(value, kind)
    except ValueError as error:
        raise ValueError(f"the entry {name} cannot be read: {error}") from None


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
        case {"do": entry}:
            return Do(entry_from(entry))
        case {"undo": steps}:
            return convert([steps], Undo)
        case {"redo": steps}:
            return convert([steps], Redo)
        case {"splice": [int(at), int(cut), list(put)]} if at >= 0 and cut >= 0:
            return Splice(at, cut, tuple(entry_from(entry) for entry in put))
    raise ValueError("this is not a step of a score card")
