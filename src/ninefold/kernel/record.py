"""A position as Python holds it: bytes that kernels work on, with fields that Python can read by name.

"Record" here is NumPy's word for a structured row, not the JSON of a match. NumPy's own rows take
microseconds for reading a field, a copy or a kernel call. These keep their bytes in a `bytearray`, so that a
copy is a copy of bytes, and their fields are properties. Positions that are only shown are frozen: their
fields are read once, as Python numbers and lists.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from operator import itemgetter
from struct import Struct
from typing import Any

import numpy as np


class Record(np.void):  # type: ignore[misc]
    """One position. Kernels change its bytes, `data`."""

    __slots__ = ("data",)
    LAYOUT: np.dtype[Any]  # the same object for all positions of a type: kernels identify the type by it
    NUMPY: np.dtype[Any]  # for NumPy's own rows
    FROZEN: np.dtype[Any]
    FILL: Callable[[Any, Sequence[Any]], None]  # sets the fields of a frozen position
    data: bytearray  # type: ignore[assignment]

    def copy(self) -> Any:  # type: ignore[override]
        """An independent copy."""
        return record_of(bytearray(self.data), self.LAYOUT)

    def tobytes(self, order: Any = "C") -> bytes:  # noqa: ARG002 (NumPy's shape)
        return bytes(self.data)


class FrozenRecord(Record):  # type: ignore[misc]
    """A position that no longer changes; `notes` caches what was worked out from it."""

    __slots__ = ("notes",)
    notes: dict[str, Any]


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
    held.NUMPY = seen.NUMPY = plain
    held.LAYOUT = seen.LAYOUT = np.dtype((held, plain))
    held.FROZEN = seen.FROZEN = np.dtype((seen, plain))
    held.FILL = seen.FILL = staticmethod(_filler(names))
    return held.LAYOUT  # type: ignore[no-any-return]


def _filler(names: Sequence[str]) -> Any:
    """A function that sets several attributes at once, in half the time."""
    made: dict[str, Any] = {}
    targets = "".join(f"found.{name}, " for name in names)
    exec(f"def fill(found, values): {targets} = values", made)  # as named tuples are made
    return made["fill"]


def _setter(name: str) -> Any:
    def set_field(record: Any, value: Any) -> None:
        record[name] = value

    return set_field


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
    found.notes = {}
    # Not read from `found` itself: its arrays would refer to it, and it to them.
    values = np.frombuffer(data, kind.NUMPY).item()
    kind.FILL(found, [value if type(value) is int else value.tolist() for value in values])
    return found  # type: ignore[no-any-return]
