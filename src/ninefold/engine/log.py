"""A list that only grows and is cheap to copy: every command is played on a copy of the table."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Generic, TypeVar, overload

Item = TypeVar("Item")


class Log(Generic[Item]):
    """The first items of a list that copies share until they differ."""

    __slots__ = ("_items", "_length")

    def __init__(self, items: Iterable[Item] = ()) -> None:
        self._items = list(items)
        self._length = len(self._items)

    def copy(self) -> Log[Item]:
        other: Log[Item] = Log.__new__(Log)
        other._items, other._length = self._items, self._length
        return other

    def append(self, item: Item) -> None:
        if len(self._items) != self._length:  # a copy has appended already
            self._items = self._items[: self._length]
        self._items.append(item)
        self._length += 1

    def __setitem__(self, place: int, item: Item) -> None:
        self._items = self._items[: self._length]
        self._items[place] = item

    @overload
    def __getitem__(self, place: int) -> Item: ...
    @overload
    def __getitem__(self, place: slice) -> list[Item]: ...
    def __getitem__(self, place: int | slice) -> Item | list[Item]:
        if isinstance(place, slice):
            return [self._items[at] for at in range(*place.indices(self._length))]
        return self._items[range(self._length)[place]]

    def __len__(self) -> int:
        return self._length

    def __iter__(self) -> Iterator[Item]:
        return islice(self._items, self._length)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Log) and list(self) == list(other)

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"Log({list(self)!r})"
