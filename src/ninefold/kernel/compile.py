"""The kernel decorator and its cache: plain functions over records, compiled by Numba.

Nothing here knows a game. With NUMBA_DISABLE_JIT=1 the same functions run interpreted, and with
NUMBA_BOUNDSCHECK=1 every index is checked; the tests compare all three, byte for byte.
"""

from __future__ import annotations

import atexit
import dis
import hashlib
import os
import re
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path
from types import FunctionType
from typing import Any, TypeVar

import numba
from numba.core import config as _config
from numba.core.caching import FunctionCache

Function = TypeVar("Function", bound=Callable[..., Any])

config: Any = _config  # its attributes are made at run time

COMPILED = not config.DISABLE_JIT
PACKAGE = Path(__file__).resolve().parent.parent
KEPT_CACHES = 4  # a few versions side by side, so that switching between checkouts does not recompile


# What is only ever run as Python: no kernel lies there, and none is made from what does.
PLAIN = ("game/*/table.py", "game/*/lessons.py", "engine/[!r]*.py", "engine/records.py")
_bound: set[str] = set()


@cache
def digest() -> str:
    """One hash of every source that may hold or bind a kernel: Numba sees one file."""
    seen = hashlib.sha256(f"{numba.__version__} {sys.version} {config.BOUNDSCHECK}".encode())
    for part in ("kernel", "game", "engine", "simulation"):
        for path in sorted((PACKAGE / part).rglob("*.py")):
            if any(path.relative_to(PACKAGE).match(plain) for plain in PLAIN):
                continue
            seen.update(path.relative_to(PACKAGE).as_posix().encode())
            seen.update(path.read_bytes())
    return seen.hexdigest()[:16]


def cache_root() -> Path:
    """Where compiled kernels are kept: $NINEFOLD_CACHE, or the user's cache folder."""
    chosen = os.environ.get("NINEFOLD_CACHE")
    if chosen:
        return Path(chosen)
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "ninefold"


@cache
def cache_folder() -> Path:
    """The folder for this very version of the sources; a temporary one where the disk refuses."""
    try:
        folder = cache_root() / digest()
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            pass
        os.utime(folder)
    except (OSError, RuntimeError):  # a user may have no home
        spare = Path(tempfile.mkdtemp(prefix="ninefold-cache-"))
        atexit.register(shutil.rmtree, spare, ignore_errors=True)
        return spare
    _forget_old(folder)
    return folder


def _forget_old(current: Path) -> None:
    """Remove caches of older sources, and nothing else that may lie beside them."""
    ages = []
    for path in current.parent.iterdir():
        with suppress(OSError):  # another process may be forgetting too
            if re.fullmatch(r"[0-9a-f]{16}", path.name) and path.is_dir() and path != current:
                ages.append((path.stat().st_mtime, path))
    for _, path in sorted(ages, reverse=True)[KEPT_CACHES - 1 :]:
        shutil.rmtree(path, ignore_errors=True)


@contextmanager
def _our_cache() -> Iterator[None]:
    """Numba reads its cache folder when a function is decorated; a caller's own kernels keep theirs."""
    theirs = config.CACHE_DIR
    config.CACHE_DIR = str(cache_folder())
    try:
        yield
    finally:
        config.CACHE_DIR = theirs


class SoundCache(FunctionCache):
    """Numba's cache, for which a damaged file or a full disk is a reason to compile and no more."""

    def load_overload(self, *arguments: Any) -> Any:
        try:
            return super().load_overload(*arguments)
        except Exception:
            with suppress(OSError):
                self.flush()
            return None

    def save_overload(self, *arguments: Any) -> None:
        with suppress(OSError):
            super().save_overload(*arguments)


def kernel(function: Function) -> Function:
    """Compile a rules function on first use, into its callers. It must not allocate, raise or recurse."""
    return _compiled(function, forceinline=True)


def apart(function: Function) -> Function:
    """A kernel that stays a call: a long one, used seldom. Hand it a copy of the state (`borrow`), or the
    address it is given keeps the driver's own state out of registers."""
    return _compiled(function, forceinline=False)


def _compiled(function: Function, forceinline: bool) -> Function:
    names = (step.argval for step in dis.get_instructions(function) if step.opname == "LOAD_GLOBAL")
    if function.__name__ in names:
        raise TypeError(f"kernel {function.__name__} calls itself: loaded from the cache it would crash")
    if not COMPILED:
        return function
    dispatcher: Any = numba.njit(function, nogil=True, error_model="numpy", forceinline=forceinline)
    with _our_cache():
        dispatcher._cache = SoundCache(function)
    return dispatcher  # type: ignore[no-any-return]


def plain(function: Function) -> Function:
    """The Python function behind a kernel that calls no other: for numbers of any size."""
    return getattr(function, "py_func", function)


def bind(template: Any, name: str, **names: Any) -> Any:
    """A kernel made from a template whose free global names are given here.

    A closure over compiled functions is never found in Numba's cache again; a function with globals of
    its own is. So drivers are written once and bound to each game, without recompiling in every process.
    """
    if name in _bound:
        raise ValueError(f"{name} is bound already, and the cache knows kernels by name")
    _bound.add(name)
    bound = FunctionType(template.__code__, {**template.__globals__, **names}, name, template.__defaults__)
    bound.__qualname__ = name
    bound.__module__ = template.__module__
    return kernel(bound)
