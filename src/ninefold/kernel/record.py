"""A record as Python holds it: one stretch of bytes that kernels are handed and code can ask by name.

NumPy's own records take microseconds for a field, a copy or a call of a kernel, because all of that is done
in Python or field by field. These lie in a `bytearray` that they know, so that a copy is a copy of bytes, and
their fields are properties. What is shown of a position is not changed any more: there the fields are read
once, as plain numbers.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from operator import itemgetter
from struct import Struct
from typing import Any

import numpy as np


class Record(np.void):  # type: ignore[misc]
    """One record. `data` are its bytes, by which kernels change it."""

    __slots__ = ("data",)
    LAYOUT: np.dtype[Any]  # one object for all records alike: kernels know them by it
    PLAIN: np.dtype[Any]  # as NumPy's own records
    SHOWN: np.dtype[Any]
    FILL: Callable[[Any, tuple[Any, ...]], None]  # gives a shown record its fields
    data: bytearray  # type: ignore[assignment]

    def copy(self) -> Any:  # type: ignore[override]
        """The same record, to be changed apart from this one."""
        return record_of(bytearray(self.data), self.LAYOUT)

    def tobytes(self, order: Any = "C") -> bytes:  # noqa: ARG002 (NumPy's shape)
        return bytes(self.data)


class Shown(Record):  # type: ignore[misc]
    """A record that does not change any more; `notes` is for what has been worked out from it."""

    __slots__ = ("notes",)
    notes: dict[str, Any]


@cache
def typed(layout: np.dtype[Any]) -> np.dtype[Any]:
    """The same layout, of records as they are held here."""
    if issubclass(layout.type, Record):
        return layout.type.LAYOUT
    names = layout.names or ()
    plain = np.dtype((np.void, layout))
    fields = {name: property(itemgetter(name), _setter(name)) for name in names}
    held: Any = type("Record", (Record,), {"__slots__": (), **fields})
    seen: Any = type("Shown", (Shown,), {"__slots__": names})
    held.PLAIN = seen.PLAIN = plain
    held.LAYOUT = seen.LAYOUT = np.dtype((held, plain))
    held.SHOWN = seen.SHOWN = np.dtype((seen, plain))
    held.FILL = seen.FILL = staticmethod(_filler(names))
    return held.LAYOUT  # type: ignore[no-any-return]


def _filler(names: Sequence[str]) -> Any:
    """A function that sets all of some attributes at once, which takes half as long as one by one."""
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
    """The first field of a record that begins with a word."""
    return _first(record.data)[0]  # type: ignore[no-any-return]


def record_of(data: bytearray, layout: np.dtype[Any]) -> Any:
    """The record in some bytes, which are not copied; its layout must be a `typed` one."""
    record: Record = np.frombuffer(data, layout)[0]
    record.data = data
    return record


def shown(data: bytearray, kind: type[Record]) -> Shown:
    """The record in some bytes that nothing changes from here on, as one that is quicker to ask."""
    found: Any = np.frombuffer(data, kind.SHOWN)[0]
    found.data = data
    found.notes = {}
    # Not read from `found` itself: its arrays would hold on to it, and it to them.
    kind.FILL(found, np.frombuffer(data, kind.PLAIN).item())
    return found  # type: ignore[no-any-return]
