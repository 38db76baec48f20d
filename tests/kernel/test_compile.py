"""Compiling: what a kernel may be, which sources it is made from, and its cache."""

from __future__ import annotations

import ast
import os
import re
import shutil
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from ninefold.kernel import compile as compiling
from ninefold.kernel import seats
from ninefold.kernel.compile import COMPILED, bind, kernel, noinline, python_function
from support.interpreter import run_python

# Compiling and its cache.


def countdown(n: int) -> int:
    return 0 if n == 0 else countdown(n - 1)


@kernel
def one_more(n: int) -> int:
    return n + 1


def offset_template(n: int) -> int:
    return one_more(n) + offset


offset = 0  # a name that is put in by `bind`


def test_a_kernel_that_calls_itself_is_refused() -> None:
    with pytest.raises(TypeError, match="kernel countdown calls itself"):
        kernel(countdown)
    with pytest.raises(TypeError, match="kernel countdown calls itself"):
        noinline(countdown)


def test_a_kernel_can_be_had_as_a_python_function() -> None:
    assert one_more(4) == 5
    assert python_function(one_more)(2**70) == 2**70 + 1


def test_a_template_is_bound_to_names_of_its_own() -> None:
    five, nine = (bind(offset_template, f"plus_{n}", [__name__], offset=n) for n in (5, 9))
    assert (five(1), nine(1), offset_template(1)) == (7, 11, 2)
    assert five.__name__ == "plus_5"


def test_a_caller_keeps_their_own_cache_folder() -> None:
    theirs = compiling.config.CACHE_DIR
    kernel(lambda n: n)
    assert theirs == compiling.config.CACHE_DIR


@pytest.mark.skipif(not COMPILED, reason="nothing is cached")
def test_a_template_bound_to_something_else_is_not_found_in_the_cache(tmp_path: Path) -> None:
    """Numba's own key has no globals; a fact sheet may turn `lowest_wins` round in a file without kernels."""
    code = "import {0} as t; print(t.bind(t.offset_template, 'plus', ['{0}'], offset={1})(1))"
    for offset in (5, 9, 5):
        found = run_python(code.format(__name__, offset), NINEFOLD_CACHE=str(tmp_path))
        assert found == f"{offset + 2}\n"


@pytest.mark.skipif(not COMPILED, reason="nothing is cached")
def test_a_copy_of_the_sources_finds_what_was_compiled(tmp_path: Path) -> None:
    """Neither the place nor the age of a file counts: a fresh clone does not compile anew."""
    code = "import small; print(small.double(4), sum(small.double.stats.cache_hits.values()))"
    source = "from ninefold.kernel.compile import kernel\n\n@kernel\ndef double(n):\n    return 2 * n\n"
    found = []
    for place in ("one", "other"):
        (tmp_path / place).mkdir()
        (tmp_path / place / "small.py").write_text(source)
        path = os.pathsep.join([str(tmp_path / place), *sys.path])
        found.append(run_python(code, PYTHONPATH=path, NINEFOLD_CACHE=str(tmp_path / "cache")))
    assert found == ["8 0\n", "8 1\n"]


# Which sources a kernel is made from.


GAMES = sorted(path.parent.name for path in compiling.PACKAGE.glob("game/*/rules.py"))
KERNELS = sorted(
    ".".join(("ninefold", *path.relative_to(compiling.PACKAGE).with_suffix("").parts))
    for path in compiling.PACKAGE.rglob("*.py")
    if re.search(r"^@(kernel|noinline|wrapping)$", path.read_text("utf-8"), re.MULTILINE)
)


@pytest.fixture
def sources(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A copy of the package, to be changed."""
    copy = tmp_path / "copy"
    for path in compiling.PACKAGE.rglob("*.py"):
        target = copy / path.relative_to(compiling.PACKAGE)
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(path, target)
    monkeypatch.setattr(compiling, "PACKAGE", copy)
    yield copy
    forget_files()


def forget_files() -> None:
    for function in (compiling._imports, compiling.digest, compiling._folder):
        function.cache_clear()


def digests() -> dict[str, str]:
    """The digest of every module that holds kernels, as the sources are now."""
    forget_files()
    return {module: compiling.digest(frozenset([compiling._source(module)])) for module in KERNELS}


def touched(path: Path) -> set[str]:
    """The modules whose kernels are compiled anew after a change in a file."""
    before = digests()
    with path.open("a") as source:
        source.write("# changed\n")
    after = digests()
    return {module for module in KERNELS if before[module] != after[module]}


@pytest.mark.parametrize("game", GAMES)
def test_a_change_in_one_game_recompiles_that_game_alone(game: str, sources: Path) -> None:
    own = {module for module in KERNELS if module.startswith(f"ninefold.game.{game}.")}
    changed = touched(sources / "game" / game / "rules.py")
    assert {f"ninefold.game.{game}.rules", f"ninefold.game.{game}.bots"} <= changed <= own
    assert f"ninefold.game.{game}.rules" not in touched(sources / "game" / game / "bots.py")


def test_a_change_in_what_all_use_recompiles_all(sources: Path) -> None:
    assert touched(sources / "kernel" / "compile.py") == set(KERNELS)
    every_game = {f"ninefold.game.{game}.{part}" for game in GAMES for part in ("rules", "bots")}
    assert every_game <= touched(sources / "kernel" / "stream.py")
    assert touched(sources / "kernel" / "drive.py") == {"ninefold.kernel.drive"}


def test_a_change_in_what_is_only_run_as_python_recompiles_nothing(sources: Path) -> None:
    """What a game shows and says, its lessons and its judge; the engine; the surfaces."""
    shown = ("view", "narration", "notation", "lessons", "realtime", "redaction", "occasions")
    parts = (*shown, "invariants", "judge")
    files = [path for part in parts for path in sources.glob(f"game/*/{part}.py")]
    for part in ("engine", "model/view", "simulation", "testkit", "server", "terminal", "scorecard"):
        files += python_in(sources / part)
    before = digests()
    for path in files:
        with path.open("a") as source:
            source.write("# changed\n")
    after = digests()
    changed = {module for module in KERNELS if before[module] != after[module]}
    assert not {module for module in changed if not module.endswith(".judge")}  # a judge may have a kernel


def python_in(place: Path) -> list[Path]:
    return sorted(place.rglob("*.py")) if place.is_dir() else [place.with_suffix(".py")]


def test_every_import_at_the_top_of_a_file_is_followed() -> None:
    """What a quick look finds is what Python's own parser finds, in every file that kernels are made from."""
    forget_files()
    reached = {compiling._source(module) for module in KERNELS}
    while more := {other for path in reached for other in compiling._imports(path)} - reached:
        reached |= more
    for path in reached:
        assert compiling._imports(path) == parsed_imports(path), path


def parsed_imports(path: Path) -> set[Path]:
    names = set()
    for node in ast.parse(path.read_text("utf-8")).body:
        if isinstance(node, ast.ImportFrom) and node.module:
            names |= {node.module, *(f"{node.module}.{alias.name}" for alias in node.names)}
        elif isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
    return {file for file in map(compiling._file_of, names) if file}


@pytest.mark.parametrize(
    "line",
    [
        "import ninefold.game.deep.inner",
        "from ninefold.game.deep import inner",
        "from ninefold.game.deep import inner as other",
        "from ninefold.game.deep import first, inner  # of two",
        "from ninefold.game.deep import (\n    first,  # (the first)\n    inner,\n)  # noqa: F401 (used)",
        "from ninefold.game.deep.inner import one, two",
        "from ninefold.game.deep.inner import (  # all of it\n    one,\n    two,\n)",
        "from ninefold.game.deep.between import three",
    ],
)
def test_imports_are_followed_however_they_are_written(line: str, sources: Path) -> None:
    deep = sources / "game" / "deep"
    deep.mkdir()
    for name in ("__init__", "first", "inner"):
        (deep / f"{name}.py").write_text("")
    (deep / "between.py").write_text("from ninefold.game.deep import inner\nthree = 3\n")
    with (sources / "kernel" / "dice.py").open("a") as source:
        source.write(f"\n{line}\n")
    assert touched(deep / "inner.py") == touched(sources / "kernel" / "dice.py")


def test_an_import_for_the_type_checker_is_not_followed(sources: Path) -> None:
    with (sources / "kernel" / "dice.py").open("a") as source:
        source.write("\nif TYPE_CHECKING:\n    from ninefold.engine.state import State\n")
    assert not touched(sources / "engine" / "state.py")


def test_a_digest_does_not_depend_on_where_the_package_lies_or_on_other_files(
    sources: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = digests()
    (sources / "kernel" / "notes.txt").write_text("no code")
    assert digests() == before
    shutil.copytree(sources, tmp_path / "elsewhere")
    monkeypatch.setattr(compiling, "PACKAGE", tmp_path / "elsewhere")
    assert digests() == before


# Where the cache lies, and what is removed from it.


HOME = ("ninefold.kernel.stream", "ninefold.kernel.drive")  # two modules of one package


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    monkeypatch.setenv("NINEFOLD_CACHE", str(tmp_path / "cache"))
    forget_files()
    yield tmp_path / "cache"
    forget_files()


def folder_anew(*modules: str) -> Path:
    forget_files()
    return compiling.cache_folder(*modules)


def test_the_cache_lies_where_it_is_told(root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """`<root>/<module>/<digest>`; what is made from several modules belongs to their package."""
    folder = compiling.cache_folder(*HOME)
    assert folder == root / "ninefold.kernel" / compiling.digest(frozenset(map(compiling._source, HOME)))
    assert folder.is_dir() and not any(folder.iterdir())
    own = compiling._own_folder(python_function(seats.has))
    assert own == root / "ninefold.kernel.seats" / digests()["ninefold.kernel.seats"]
    monkeypatch.delenv("NINEFOLD_CACHE")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "there"))
    assert compiling.cache_root() == tmp_path / "there" / "ninefold"
    monkeypatch.delenv("XDG_CACHE_HOME")
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    assert compiling.cache_root() == tmp_path / "home" / ".cache" / "ninefold"


def test_a_cache_that_cannot_be_written_is_replaced_by_a_temporary_one(
    root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A file where the folder should be, which stops even an administrator."""
    root.write_text("in the way")
    (tmp_path / "temporary").mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "temporary"))
    folder = compiling.cache_folder(*HOME)
    assert folder.is_dir() and folder.parent == tmp_path / "temporary"


class Killed(BaseException):
    """The process ends here."""


@pytest.mark.parametrize("step", ["_save_data", "_save_index"])
def test_code_is_never_that_of_another_signature(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, step: str
) -> None:
    """Two processes compile at the same time, and one is killed while it saves."""
    made: Any = compiling.SoundFiles
    files = [made(str(tmp_path), "kernel", "") for _ in range(2)]
    one, other = files
    known = one._load_index()  # nothing yet
    other.save("int", "code for int")
    with monkeypatch.context() as patched:
        patched.setattr(one, "_load_index", lambda: dict(known))
        patched.setattr(one, step, lambda *_: (_ for _ in ()).throw(Killed))
        with pytest.raises(Killed):
            one.save("float", "code for float")
    assert (other.load("int"), other.load("float")) == ("code for int", None)
    with monkeypatch.context() as patched:
        patched.setattr(one, "_load_index", lambda: dict(known))
        one.save("float", "code for float")  # its index knows nothing of what the other saved
    assert (other.load("int"), other.load("float")) == (None, "code for float")
    other.save("int", "code for int")
    assert (one.load("int"), one.load("float")) == ("code for int", "code for float")


def test_a_kernel_works_without_a_cache_it_can_write(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    code = f"import {__name__} as t; print(t.one_more(1))"
    environment = {"NINEFOLD_CACHE": str(tmp_path / "file"), "TMPDIR": str(tmp_path)}
    assert run_python(code, **environment) == "2\n"


def old_caches(place: Path, number: int) -> list[Path]:
    """Folders of earlier versions of some sources, the oldest first."""
    folders = []
    for age in range(number):
        folder = place / f"{age + 1:016x}"
        folder.mkdir(parents=True)
        (folder / "kernel.nbc").write_bytes(b"compiled")
        os.utime(folder, (1_000_000 + age, 1_000_000 + age))
        folders.append(folder)
    return folders


def test_old_versions_are_removed_the_oldest_first(root: Path) -> None:
    folders = old_caches(root / "ninefold.kernel", 6)
    (root / "ninefold.kernel" / "note.txt").write_text("not a folder")
    current = compiling.cache_folder(*HOME)
    left = {path for path in current.parent.iterdir() if path.is_dir()}
    assert left == {current, *folders[-(compiling.KEPT_CACHES - 1) :]}
    assert (current.parent / "note.txt").exists()


def test_every_module_has_versions_of_its_own(root: Path) -> None:
    others = old_caches(root / "ninefold.game.other.rules", 6)
    compiling.cache_folder(*HOME)
    assert all(folder.exists() for folder in others)


def test_a_version_in_use_is_young_again(root: Path) -> None:
    current = compiling.cache_folder(*HOME)
    os.utime(current, (1, 1))
    assert folder_anew(*HOME) == current
    assert current.stat().st_mtime > 1_000_000


def test_folders_of_others_are_never_removed(root: Path) -> None:
    """NINEFOLD_CACHE may be a folder that holds other things, a home folder for instance."""
    names = ("Documents", "Pictures", "Music", "Mail", "work", "0123456789abcdef")
    others = [place / name for place in (root, root / "ninefold.kernel") for name in names[:-1]]
    others.append(root / names[-1])
    for folder in others:
        folder.mkdir(parents=True)
    compiling.cache_folder(*HOME)
    assert all(folder.exists() for folder in others)


def test_two_processes_may_remove_at_once(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    gone = old_caches(root / "ninefold.kernel", 6)[0]
    real = Path.is_dir

    def is_dir(path: Path) -> bool:
        answer = real(path)
        if path == gone:
            shutil.rmtree(path, ignore_errors=True)  # the other process, between the look and the question
        return answer

    monkeypatch.setattr(Path, "is_dir", is_dir)
    assert compiling.cache_folder(*HOME).parent == root / "ninefold.kernel"
