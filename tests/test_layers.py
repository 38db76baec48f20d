"""The direction of imports, and that nothing heavy is imported before it is needed."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from pathlib import Path

import ninefold

PACKAGE = Path(ninefold.__file__).parent
LAYERS = [
    "kernel",
    "game",
    "engine",
    "testkit",
    "simulation",
    "journal",
    "fair",
    "proof",
    "scorecard",
    "terminal",
    "server",
    "client",
    "demo",
    "cli",
]
FREE = {"__init__", "__main__"}


def layer(module: str) -> str:
    return module.removeprefix("ninefold").removeprefix(".").split(".")[0]


def imports(path: Path) -> set[str]:
    found = set()
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module:
            assert node.level == 0, f"{path} imports relatively"
            found.add(node.module)
        elif isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
    return {name for name in found if name.split(".")[0] == "ninefold"}


def test_modules_import_only_from_the_layers_above() -> None:
    faults = []
    for path in PACKAGE.rglob("*.py"):
        own = layer(".".join(path.relative_to(PACKAGE).with_suffix("").parts))
        if own in FREE:
            continue
        for name in imports(path):
            target = layer(name)
            allowed = target == "" or LAYERS.index(target) <= LAYERS.index(own)
            if not allowed:
                faults.append(f"{path.relative_to(PACKAGE)} imports {name}")
    assert not faults


def test_a_game_imports_no_other_game() -> None:
    for path in (PACKAGE / "game").glob("*/*.py"):
        for name in imports(path):
            part = (name.split(".") + [""] * 2)[2]
            if name.startswith("ninefold.game.") and (PACKAGE / "game" / part).is_dir():
                assert part == path.parent.name, f"{path} imports {name}"


def test_no_game_is_named_outside_its_package_and_the_registry() -> None:
    names = {path.name for path in (PACKAGE / "game").iterdir() if (path / "rules.py").exists()}
    shared = [
        path
        for part in ("kernel", "engine", "simulation", "testkit")
        for path in (PACKAGE / part).rglob("*.py")
    ]
    for path in shared:
        if path.name != "registry.py":
            strings = [
                node.value
                for node in ast.walk(ast.parse(path.read_text("utf-8")))
                if isinstance(node, ast.Constant) and isinstance(node.value, str)
            ]
            assert not names & set(strings), f"{path} names a game"


def test_modules_are_short_and_say_what_they_are_for() -> None:
    for path in PACKAGE.rglob("*.py"):
        text = path.read_text("utf-8")
        assert len(text.splitlines()) <= 600, path
        assert ast.get_docstring(ast.parse(text)), f"{path} does not say what it is for"


def test_help_and_the_library_load_no_compiler() -> None:
    heavy = "[name for name in ('numba', 'numpy', 'rich') if name in sys.modules]"
    script = f"import sys, ninefold, ninefold.cli; ninefold.games(); print({heavy})"
    result = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert result.stdout.strip() == "[]"


def test_what_is_left_out_of_the_cache_key_holds_no_kernel() -> None:
    """Editing a table or a lesson must not recompile the games; so nothing compiled may depend on one."""
    from ninefold.kernel.compile import PACKAGE, PLAIN

    plain = {path for pattern in PLAIN for path in PACKAGE.glob(pattern)}
    assert {path.name for path in plain} >= {"table.py", "lessons.py", "state.py", "views.py", "records.py"}
    assert PACKAGE / "engine" / "registry.py" not in plain
    for path in plain:
        assert not re.search(r"@kernel|@apart|\bbind\(", path.read_text("utf-8")), path
    names = "|".join(".".join(path.relative_to(PACKAGE).with_suffix("").parts) for path in plain)
    for path in {*(PACKAGE / "game").rglob("*.py"), *(PACKAGE / "kernel").rglob("*.py")} - plain:
        if re.search(r"@kernel|@apart", path.read_text("utf-8")):
            assert not re.search(rf"ninefold\.({names})\b", path.read_text("utf-8")), path
