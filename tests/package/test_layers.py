"""Layers: who may import whom, look inside a State and name a game; and that nothing heavy loads early."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import ninefold

PACKAGE = Path(ninefold.__file__).parent
LAYERS = [  # lower layers first: a module imports only from its own layer and from those before it
    "kernel",
    "model",
    "game",
    "engine",
    "testkit",
    "simulation",
    "studies",
    "files",
    "fairness",
    "scorecard",
    "terminal",
    "server.tables",
    "server.storage",
    "server.runtime",
    "server.cluster",
    "server.http",
    "server.command",
    "client",
    "new_game",
    "judging",
    "cli",
]
FREE = {"__init__", "__main__", "server.__init__"}
SOURCES = sorted(PACKAGE.rglob("*.py"))


def module_of(path: Path) -> str:
    return ".".join(path.relative_to(PACKAGE).with_suffix("").parts)


def layer(module: str) -> str:
    """The layer of a module, given without `ninefold.`: its folder, or its folder in the server."""
    parts = module.split(".")
    return ".".join(parts[:2] if parts[0] == "server" else parts[:1])


def imports(path: Path) -> set[str]:
    """The modules of ours that a file imports, wherever in it, without `ninefold.`."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module:
            assert node.level == 0, f"{path} imports relatively"
            whole = node.module in ("ninefold", "ninefold.server")  # then the names are modules
            found |= {f"{node.module}.{alias.name}" for alias in node.names} if whole else {node.module}
        elif isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
    return {name.partition(".")[2] for name in found if name.startswith("ninefold.")}


def crossings(path: Path) -> Iterator[str]:
    """The imports of a file that lead to a higher layer."""
    own = layer(module_of(path))
    if own in FREE:
        return
    for name in imports(path):
        target = layer(name)
        if target in LAYERS and LAYERS.index(target) > LAYERS.index(own):
            yield f"{module_of(path)} imports {name}"


def test_modules_import_only_from_their_own_layer_and_lower_ones() -> None:
    assert not [fault for path in SOURCES for fault in crossings(path)]


def test_every_module_is_in_a_layer() -> None:
    assert {layer(module_of(path)) for path in SOURCES} - FREE <= set(LAYERS)


@pytest.mark.parametrize(
    ("module", "line"),
    [
        ("engine/extra.py", "from ninefold.server.tables import table"),
        ("game/doubles/extra.py", "def f():\n    from ninefold.engine.game import Game"),
        ("server/storage/extra.py", "from ninefold.server.runtime.session import TableSession"),
        ("server/tables/extra.py", "from ninefold.server import storage"),
        ("server/http/extra.py", "import ninefold.cli"),
    ],
)
def test_a_crossing_is_noticed(
    module: str, line: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys.modules[__name__], "PACKAGE", tmp_path)
    path = tmp_path / module
    path.parent.mkdir(parents=True)
    path.write_text(line)
    assert len(list(crossings(path))) == 1


def test_the_testkit_is_for_tests() -> None:
    """What people run is not made of tests: nothing but the testkit imports the testkit."""
    for path in SOURCES:
        if layer(module_of(path)) != "testkit":
            assert not [name for name in imports(path) if layer(name) == "testkit"], path


# Privates of State

STATES = {"state", "other", "shown", "match"}  # what variables of that type, or near it, are called


def privates(text: str) -> list[str]:
    """Private attributes of states that a source uses: by the name of the variable, or by its type."""
    tree = ast.parse(text)
    names = STATES | {
        node.arg
        for node in ast.walk(tree)
        if isinstance(node, ast.arg)
        and node.annotation
        and "State" in ast.unparse(node.annotation).split(".")
    }
    found = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and re.match(r"_[a-z]", node.attr):
            holder = node.value
            called = holder.id if isinstance(holder, ast.Name) else getattr(holder, "attr", "")
            if called in names or called == "_state":
                found.append(f"{called}.{node.attr}")
    return found


def test_nobody_outside_the_engine_looks_inside_a_state() -> None:
    outside = [path for path in SOURCES if layer(module_of(path)) != "engine"]
    assert not {module_of(path): found for path in outside if (found := privates(path.read_text("utf-8")))}


def test_a_look_inside_a_state_is_noticed() -> None:
    look = "def f(a: State, x):\n    a._log\n    self.state._stream\n    x._log\n    state.moves(0)"
    assert privates(look) == ["a._log", "state._stream"]


# Games


def test_a_game_imports_no_other_game() -> None:
    for path in (PACKAGE / "game").glob("*/*.py"):
        for name in imports(path):
            part = (name.split(".") + [""] * 2)[2]
            if name.startswith("ninefold.game.") and (PACKAGE / "game" / part).is_dir():
                assert part == path.parent.name, f"{path} imports {name}"


def test_games_leave_the_command_line_to_others() -> None:
    """Only a command of a game's own, in a file that says so, may talk to the command line."""
    for path in SOURCES:
        if layer(module_of(path)) in ("kernel", "model", "game", "engine") and "_command" not in path.stem:
            assert not re.search(
                r"^ *(import|from) click|\bprint\(", path.read_text("utf-8"), re.MULTILINE
            ), path


GAMES = {path.parent.name for path in PACKAGE.glob("game/*/rules.py")}
NAMED = {  # where a game is named all the same, and why
    "scorecard": "the score card is one of Doubles by its nature",
    "server.tables.messages": "the message for the score card says which game it is for",
}


def games_named(path: Path) -> set[str]:
    """The games that a source imports from, or has the name of in a string of its own."""
    own = set(re.findall(r"^game\.(\w+)\.", module_of(path)))
    named = {part for name in imports(path) if name.startswith("game.") for part in name.split(".")[1:2]}
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            named |= {node.value, *re.findall(r"ninefold\.game\.(\w+)", node.value)}
    return (named & GAMES) - own


def test_no_game_is_named_outside_its_package() -> None:
    """The browser client is held to the same in test_client_source.py."""
    found = {module_of(path) for path in SOURCES if games_named(path)}
    assert {layer(name) if layer(name) in NAMED else name for name in found} == set(NAMED)


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


def test_what_a_game_shows_holds_no_kernel() -> None:
    """Editing a view must not recompile a game: no kernel is written there, and none imports from there."""
    python = {"notation", "view", "narration", "invariants", "lessons", "realtime", "redaction", "occasions"}
    for path in SOURCES:
        compiled = re.search(r"@kernel|@noinline|\bbind\(", path.read_text("utf-8"))
        if path.parent.parent.name == "game" and path.stem in python:
            assert not compiled, path
        if compiled and path.stem != "judge":  # its own kernels are for nobody else
            shown = {
                name for name in imports(path) if re.fullmatch(rf"game\.\w+\.({'|'.join(python)})", name)
            }
            assert not shown, path
