"""Fields of a position: type, shape and who may see them. A position is a flat row of signed integers.

Every field must say who may see it. A layout with hidden padding or an unsigned field is refused, so that
equal positions have equal bytes.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from functools import cache
from typing import Any

import numpy as np

from ninefold.kernel.record import FrozenRecord, first_word, record_of, typed

CHANCE = -1
EVERYONE = -2
NOBODY = -3

SEATS = -1  # stands for the game's capacity in a shape
SEAT_BITS = -2  # stands for the words of a set of seats (see seats.py)


class Sees(Enum):
    """Who may see a field."""

    ALL = "all"
    OWNER = "owner"  # by the first axis, or the seat's own bit of a set of seats
    NOBODY = "nobody"
    GAME = "game"  # the game's own `mask_hidden(s, seat)` blanks what the seat may not see


@dataclass(frozen=True)
class Field:
    name: str
    type: str
    sees: Sees
    shape: tuple[int, ...] = ()


def public(*names: str) -> tuple[Field, ...]:
    """Fields of one number each that everyone may see."""
    return tuple(Field(name, "i8", Sees.ALL) for name in names)


COMMON = public("actor", "players", "turns")


def _size(length: int, capacity: int) -> int:
    if length == SEATS:
        return capacity
    if length == SEAT_BITS:
        return -(-capacity // 64)
    return length


def layout(fields: Sequence[Field], capacity: int) -> np.dtype[Any]:
    """The NumPy type of a game's positions, for `capacity` seats."""
    return _layout(tuple(fields), capacity)


@cache
def _layout(fields: tuple[Field, ...], capacity: int) -> np.dtype[Any]:
    parts = []
    for field in fields:
        _check(field)
        shape = tuple(_size(length, capacity) for length in field.shape)
        parts.append((field.name, field.type, shape) if shape else (field.name, field.type))
    record = np.dtype(parts, align=True)
    if record.itemsize != sum(record[name].itemsize for name in record.names or ()):
        raise TypeError("there is padding between the fields: order them from wide to narrow")
    return typed(record)


def _check(field: Field) -> None:
    if np.dtype(field.type).kind != "i":
        raise TypeError(f"field {field.name} is {field.type}: a position holds signed integers only")
    if hasattr(np.record, field.name) or hasattr(FrozenRecord, field.name):
        raise TypeError(f"field {field.name} has the name of a method of NumPy records")
    if field.sees is Sees.OWNER and field.shape[:1] not in ((SEATS,), (SEAT_BITS,)):
        raise TypeError(f"field {field.name} is visible to its owner: its first axis must be the seats")
    if SEAT_BITS in field.shape and (field.type != "i8" or field.shape != (SEAT_BITS,)):
        raise TypeError(f"field {field.name} is a set of seats: its type is i8 and it has one axis")


def actor_of(s: Any) -> int:
    """Who has to act: the first of the common fields."""
    return first_word(s)


def blank(dtype: np.dtype[Any]) -> Any:
    """A new position of zeros."""
    return record_of(bytearray(dtype.itemsize), typed(dtype))


def mask_fields(s: Any, fields: Sequence[Field], seat: int) -> None:
    """Blank everything in `s` that its marks hide from `seat` (-1: a spectator)."""
    for field in fields:
        if field.sees is Sees.NOBODY:
            s[field.name] = 0
        elif field.sees is Sees.OWNER:
            _keep_own(s, field, seat)


def _keep_own(s: Any, field: Field, seat: int) -> None:
    values = s[field.name]
    if seat < 0:
        values[...] = 0
    elif field.shape[0] == SEAT_BITS:
        own = values[seat >> 6] & (np.int64(1) << np.int64(seat & 63))
        values[...] = 0
        values[seat >> 6] = own
    else:
        own_row = values[seat].copy()
        values[...] = 0
        values[seat] = own_row
