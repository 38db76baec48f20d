"""A progress bar on stderr, if that is a terminal."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any


@contextmanager
def shown(total: int, quiet: bool, what: str = "games") -> Iterator[Callable[[int], None] | None]:
    """A function that reports how many are done, or None if nobody is watching."""
    with _opened(quiet, what, total, counts=True) as update:
        yield update and (lambda done: update(completed=done))


@contextmanager
def parts_shown(what: str, quiet: bool) -> Iterator[Callable[[str, float], None] | None]:
    """The same for work in parts: it reports the part, and how much of everything is done."""
    with _opened(quiet, what, 1.0, counts=False) as update:
        yield update and (lambda part, done: update(completed=done, description=f"{what}: {part}"))


@contextmanager
def _opened(quiet: bool, what: str, total: float, counts: bool) -> Iterator[Callable[..., None] | None]:
    if quiet or not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    done: Any = MofNCompleteColumn() if counts else TextColumn("{task.percentage:.0f} %")
    columns = (TextColumn("{task.description}"), BarColumn(), done, TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(what, total=total)
        yield lambda **changes: bar.update(task, **changes)
