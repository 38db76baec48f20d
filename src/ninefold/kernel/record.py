"""A position as Python holds it: bytes that kernels work on, with fields that Python can read by name.

"Record" here is NumPy's word for a structured row, not the JSON of a match. NumPy's own rows take
microseconds for reading a field, a copy or a kernel call. These keep their bytes in a `bytearray`, so that a
copy is a copy of bytes, and their fields are properties. Positions that are only shown are frozen: their
fields are Python numbers and lists, read at most once.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from math import prod
from operator import itemgetter
from struct import Struct
from typing import Any

import numpy as np


class Record(np.void):  # type: ignore[misc]
    """One position. Kernels change its bytes, `data`."""

    __slots__ = ("data",)
    LAYOUT: np.dtype[Any]  # the same object for all positions of a type: kernels identify the type by it
    FROZEN: np.dtype[Any]
    FILL: Callable[[Any, bytearray], None]  # sets the fields of a frozen position
    data: bytearray  # type: ignore[assignment]

    def copy(self) -> Any:  # type: ignore[override]
        """An independent copy."""
        return record_of(bytearray(self.data), self.LAYOUT)

    def tobytes(self, order: Any = "C") -> bytes:  # noqa: ARG002 (NumPy's shape)
        return bytes(self.data)


class FrozenRecord(Record):  # type: ignore[misc]
    """A position that no longer changes."""

    __slots__ = ()

    def __getattr__(self, name: str) -> Any:
        """A field with rows, read when it is first needed: they are large, and many of them never are."""
        if name not in (self.LAYOUT.names or ()):
            raise AttributeError(name)
        rows = self[name].tolist()
        setattr(self, name, rows)
        return rows


@cache
def typed(layout: np.dtype[Any]) -> np.dtype[Any]:
    """The same layout, for positions as they are held here."""
    if issubclass(layout.type, Record):
        return layout.type.LAYOUT
    names = layout.names or ()
    plain = np.dtype((np.void, layout))
    fields = {name: property(itemgetter(name), _setter(name)) for name in names}
    held: Any = type("Record", (Record,), {"__slots__": (), **fields})
    seen: Any = type("FrozenRecord", (FrozenRecord,), {"__slots__": names})
    held.LAYOUT = seen.LAYOUT = np.dtype((held, plain))
    held.FROZEN = seen.FROZEN = np.dtype((seen, plain))
    held.FILL = seen.FILL = staticmethod(_filler(layout))
    return held.LAYOUT  # type: ignore[no-any-return]


def _filler(layout: np.dtype[Any]) -> Any:
    """A function that sets the numbers and lists of a frozen position, several times as fast as NumPy."""
    lines, kinds, place = ["def fill(found, data):", "values = unpack(data)"], "=", 0
    for name in layout.names or ():
        field = layout[name]
        if len(field.shape) > 1:
            kinds += f"{field.itemsize}x"
            continue
        size = prod(field.shape)
        value = f"list(values[{place}:{place + size}])" if field.shape else f"values[{place}]"
        lines.append(f"found.{name} = {value}")
        kinds += f"{size}{CODES[field.base.itemsize]}"
        place += size
    made: dict[str, Any] = {"unpack": Struct(kinds).unpack}
    exec("\n ".join(lines), made)  # as named tuples are made
    return made["fill"]


def _setter(name: str) -> Any:
    def set_field(record: Any, value: Any) -> None:
        record[name] = value

    return set_field


CODES = {1: "b", 2: "h", 4: "i", 8: "q"}  # of the signed numbers of some bytes
_first = Struct("=q").unpack_from


def first_word(record: Record) -> int:
    """The first field of a position that begins with a 64-bit word."""
    return _first(record.data)[0]  # type: ignore[no-any-return]


def record_of(data: bytearray, layout: np.dtype[Any]) -> Any:
    """The position in some bytes, which are not copied; its layout must be a `typed` one."""
    record: Record = np.frombuffer(data, layout)[0]
    record.data = data
    return record


def frozen(data: bytearray, kind: type[Record]) -> FrozenRecord:
    """The position in some bytes that no longer change, with fields that are quick to read."""
    found: Any = np.frombuffer(data, kind.FROZEN)[0]
    found.data = data
    kind.FILL(found, data)
    return found  # type: ignore[no-any-return]
