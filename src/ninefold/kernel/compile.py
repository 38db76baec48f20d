"""The kernel decorator and its cache: plain functions over positions, compiled by Numba.

Nothing here knows a game. With NUMBA_DISABLE_JIT=1 the same functions run interpreted, and with
NUMBA_BOUNDSCHECK=1 every index is checked; the tests compare all three, byte for byte.
"""

from __future__ import annotations

import atexit
import dis
import hashlib
import os
import re
import secrets
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path
from types import FunctionType
from typing import Any, TypeVar

import numba
from numba.core import config as _config
from numba.core.caching import FunctionCache, IndexDataCacheFile

Function = TypeVar("Function", bound=Callable[..., Any])

config: Any = _config  # its attributes are created at run time

COMPILED = not config.DISABLE_JIT
PACKAGE = Path(__file__).resolve().parent.parent
PACKAGE_NAME = "ninefold"
KEPT_CACHES = 4  # a few versions side by side, so that switching between checkouts does not recompile


_bound: set[str] = set()
# Imports at the top of a file. Parentheses may contain comments, which may contain parentheses.
_IMPORT = re.compile(
    r"^from (ninefold[\w.]*) import (\((?:[^)#]|#.*)*\)|.*)|^import (ninefold[\w.]*)", re.MULTILINE
)


def _file_of(module: str) -> Path | None:
    """The source of one of our own modules, or None."""
    package, *parts = module.split(".")
    if package != PACKAGE_NAME:
        return None
    path = PACKAGE.joinpath(*parts)
    return next((one for one in (path.with_suffix(".py"), path / "__init__.py") if one.is_file()), None)


@cache
def _imports(path: Path) -> frozenset[Path]:
    """Our own files that a file imports when it is loaded."""
    found: set[Path | None] = set()
    for package, names, whole in _IMPORT.findall(path.read_text("utf-8")):
        found.add(_file_of(package or whole))
        words = re.findall(r"\w+", re.sub(r"#.*", "", names))
        found |= {_file_of(f"{package}.{name}") for name in words}
    return frozenset(one for one in found if one)


@cache
def digest(files: frozenset[Path]) -> str:
    """One hash of these files and all they import: everything their kernels can depend on.

    Numba's own cache looks at one file only, and would keep code after a function in another file changed.
    A change in one game, or in code that is never compiled, does not recompile the other games.
    """
    reached: set[Path] = set()
    waiting = set(files)
    while waiting:
        reached |= waiting
        waiting = {other for path in waiting for other in _imports(path)} - reached
    seen = hashlib.sha256(f"{numba.__version__} {sys.version} {config.BOUNDSCHECK}".encode())
    for name, path in sorted((_name(path), path) for path in reached):
        seen.update(name.encode())
        seen.update(path.read_bytes())
    return seen.hexdigest()[:16]


def _name(path: Path) -> str:
    """The name of a file, wherever the package is installed."""
    return path.relative_to(PACKAGE).as_posix() if path.is_relative_to(PACKAGE) else path.name


def cache_root() -> Path:
    """Where compiled kernels are kept: $NINEFOLD_CACHE, or the user's cache folder."""
    chosen = os.environ.get("NINEFOLD_CACHE")
    if chosen:
        return Path(chosen)
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "ninefold"


def cache_folder(*modules: str) -> Path:
    """The folder for kernels made from several modules, for the current version of their sources."""
    return _folder(modules[0].rpartition(".")[0] or modules[0], frozenset(map(_source, modules)))


def _source(module: str) -> Path:
    return _file_of(module) or Path(str(sys.modules[module].__file__))


@cache
def _folder(owner: str, files: frozenset[Path]) -> Path:
    """A folder for this version of some sources; a temporary one if it cannot be created."""
    try:
        folder = cache_root() / owner / digest(files)
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
    """Remove caches of older sources, and nothing else."""
    ages = []
    for path in current.parent.iterdir():
        with suppress(OSError):  # another process may be removing it too
            if re.fullmatch(r"[0-9a-f]{16}", path.name) and path.is_dir() and path != current:
                ages.append((path.stat().st_mtime, path))
    for _, path in sorted(ages, reverse=True)[KEPT_CACHES - 1 :]:
        shutil.rmtree(path, ignore_errors=True)


@contextmanager
def _cache_in(folder: Path) -> Iterator[None]:
    """Numba reads its cache folder when a function is decorated; a caller's own kernels keep theirs."""
    theirs = config.CACHE_DIR
    config.CACHE_DIR = str(folder)
    try:
        yield
    finally:
        config.CACHE_DIR = theirs


_theirs: Any = FunctionCache._impl_class


class ByDigest:
    """Where Numba keeps a kernel: in a folder named after the hash of its sources.

    The path and the age of a source file do not matter: a fresh clone, or switching branches and back, does
    not recompile. The methods are those that Numba requires.
    """

    def __init__(self, function: Any) -> None:
        self._folder = str(config.CACHE_DIR)
        self._line = function.__code__.co_firstlineno

    @classmethod
    def from_function(cls, function: Any, _file: str) -> ByDigest:
        return cls(function)

    def ensure_cache_path(self) -> None:
        Path(self._folder).mkdir(parents=True, exist_ok=True)

    def get_cache_path(self) -> str:
        return self._folder

    def get_source_stamp(self) -> str:
        return ""

    def get_disambiguator(self) -> str:
        return str(self._line)


class Implementation(_theirs):  # type: ignore[misc] # Numba has no types
    _locator_classes = (ByDigest,)


class SoundFiles(IndexDataCacheFile):
    """The files of Numba's cache, but code has a name of its own and is there before the index that names it.

    Numba counts the names. Where several processes compile at the same time, or one is killed meanwhile, an
    index could then name the code of another signature, and every later process would crash on it.
    """

    def save(self, key: Any, data: Any) -> None:
        name = self._data_name(secrets.randbits(48))
        self._save_data(name, data)
        self._save_index({**self._load_index(), key: name})


class SoundCache(FunctionCache):
    """Numba's cache, but a damaged file or a full disk only means compiling again."""

    _impl_class = Implementation

    def __init__(self, function: Any) -> None:
        super().__init__(function)
        self._cache_file = sound_files(self)

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


def sound_files(cache: Any) -> SoundFiles:
    """The files of a cache, for the same folder, function and sources."""
    return SoundFiles(cache.cache_path, cache._impl.filename_base, cache._impl.locator.get_source_stamp())


def kernel(function: Function) -> Function:
    """Compile a rules function on first use, into its callers. It must not allocate, raise or recurse."""
    return _compiled(function, _own_folder(function), forceinline=True)


def noinline(function: Function) -> Function:
    """Compile a long, rarely used function as a real call. Pass it a copy of the position (`stack_copy`):
    otherwise the driver's own position cannot stay in registers."""
    return _compiled(function, _own_folder(function), forceinline=False)


def _own_folder(function: Any) -> Path:
    return _folder(function.__module__, frozenset([Path(function.__code__.co_filename)]))


def _compiled(function: Function, folder: Path, forceinline: bool) -> Function:
    names = (step.argval for step in dis.get_instructions(function) if step.opname == "LOAD_GLOBAL")
    if function.__name__ in names:
        raise TypeError(f"kernel {function.__name__} calls itself: loaded from the cache it would crash")
    if not COMPILED:
        return function
    dispatcher: Any = numba.njit(function, nogil=True, error_model="numpy", forceinline=forceinline)
    with _cache_in(folder):
        dispatcher._cache = SoundCache(function)
    return dispatcher  # type: ignore[no-any-return]


def python_function(function: Function) -> Function:
    """The Python function behind a kernel that calls no other kernel: works with integers of any size."""
    return getattr(function, "py_func", function)


def bind(template: Any, name: str, modules: Sequence[str], **names: Any) -> Any:
    """Make a kernel from a template, with values for its free global names, which come from `modules`.

    Numba never finds a closure over compiled functions in its cache, but it does find a function with its
    own globals. So drivers are written once and bound to each game, without recompiling in every process.
    Numba's key ignores globals, so the values become part of the name in the cache.
    """
    if name in _bound:
        raise ValueError(f"{name} is already bound; kernels in the cache need different names")
    _bound.add(name)
    bound = FunctionType(template.__code__, {**template.__globals__, **names}, name, template.__defaults__)
    bound.__qualname__ = f"{name}.{_variant(names)}"
    bound.__module__ = template.__module__
    return _compiled(bound, cache_folder(*modules, template.__module__), forceinline=True)


def _variant(names: dict[str, Any]) -> str:
    """A short hash of what a template is bound to: numbers by value, functions and modules by name."""
    parts = [
        f"{key}={value if isinstance(value, int) else getattr(value, '__qualname__', value.__name__)}"
        for key, value in sorted(names.items())
    ]
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()[:8]
