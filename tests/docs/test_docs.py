"""What we show is what we run: the README and the examples execute, and links lead somewhere."""

from __future__ import annotations

import ast
import hashlib
import inspect
import re
import shlex
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from typing import Any

import click
import pytest
from click.testing import CliRunner

import ninefold as nf
from ninefold.cli import cli
from support.golden import api_page

ROOT = Path(__file__).parents[2]
PAGES = sorted(
    [
        *ROOT.glob("*.md"),
        *ROOT.glob("docs/*.md"),
        *ROOT.glob("bench/*.md"),
        *ROOT.glob("src/ninefold/game/*/RULES.md"),
        *ROOT.glob("src/ninefold/game/*/HOWTO.md"),
    ]
)
README = (ROOT / "README.md").read_text("utf-8")
API = (ROOT / "docs" / "api.md").read_text("utf-8")


@pytest.mark.parametrize("block", re.findall(r"```python\n(.*?)```", README + API, re.S))
def test_python_in_the_pages(block: str, tmp_path: Path) -> None:
    subprocess.run(
        [sys.executable, "-W", "error", "-c", block], check=True, cwd=tmp_path, capture_output=True
    )


def test_commands_in_the_readme(tmp_path: Path) -> None:
    """Every `$ ninefold …` works, in order, and prints what is shown below it."""
    console = "".join(re.findall(r"```console\n(.*?)```", README, re.S))
    for command, shown in re.findall(r"^\$ ninefold (.*)\n((?:[^$].*\n)*)", console, re.M):
        line = f'"{sys.executable}" -m ninefold {command}'
        result = subprocess.run(line, shell=True, cwd=tmp_path, capture_output=True, text=True, check=True)
        assert shown in result.stdout, command


@pytest.mark.parametrize("line", re.findall(r"`ninefold( [^`]+)`", README))
def test_commands_in_the_text_of_the_readme(line: str) -> None:
    """Each can be typed as it stands; where something is left out, the command says what."""
    name, *rest = line.split()
    command = cli.get_command(click.Context(cli), name)
    assert command is not None, name
    with suppress(click.MissingParameter):
        command.make_context(name, rest)


SCALE = (ROOT / "docs" / "scale.md").read_text("utf-8")


@pytest.mark.parametrize("block", re.findall(r"```python\n(.*?)```", SCALE, re.S))
def test_python_in_the_page_about_scale(block: str) -> None:
    """With few games, on this machine: whether the names are right, and what is played."""
    here: dict[str, Any] = {}
    for call in [node for node in ast.walk(ast.parse(block)) if isinstance(node, ast.Call)]:
        function = getattr(nf, ast.unparse(call.func).removeprefix("nf."))
        known = inspect.signature(function).parameters
        given = {one.arg: one.value for one in call.keywords if one.arg}
        assert {"cluster", "device"} & given.keys() and given.keys() <= known.keys()
        values = {name: eval(ast.unparse(one)) for name, one in given.items()}
        few = {"games": 20} if function is nf.simulate else {"precision": "25%", "only": ["games"]}
        assert few.keys() & values.keys(), "the page says how many"
        values = {name: one for name, one in (values | few).items() if name not in ("cluster", "device")}
        here[function.__name__] = function(*(ast.literal_eval(one) for one in call.args), **values)
    assert here


@pytest.mark.parametrize("line", re.findall(r"^ninefold (.*)$", SCALE, re.M))
def test_commands_in_the_page_about_scale(line: str) -> None:
    """Each can be typed as it stands; here it plays few games on this machine."""
    name, *rest = shlex.split(line, comments=True)
    command = cli.get_command(click.Context(cli), name)
    assert command is not None and command.make_context(name, list(rest))
    elsewhere = next(at for at, word in enumerate(rest) if word in ("--cluster", "--device"))
    few = [*rest[:elsewhere], "--games", "20", "--seed", "1", "--quiet"]
    done = CliRunner().invoke(cli, [name, *few])
    assert done.exit_code == 0 and "20 games" in done.output, done.output


def test_what_make_is_asked_for_is_there() -> None:
    found = set(re.findall(r"^(\w+):", (ROOT / "Makefile").read_text("utf-8"), re.M))
    pages = README + (ROOT / "CONTRIBUTING.md").read_text("utf-8")
    asked = set(re.findall(r"(?:^|`)make (\w+)", pages, re.M))
    assert {"run", "test", "pictures"} <= asked <= found


def test_the_first_screen_of_the_readme() -> None:
    """What it is in two sentences, a picture, the two commands, and where to go next: on one screen."""
    first = README.split("\n## ")[0]
    assert first.count("\n") < 40 and "](docs/table.jpg)" in first
    assert len(re.findall(r"[.!?](?:\s|$)", first.split("\n\n")[1])) == 2
    for anchor in re.findall(r"\]\(#([\w-]+)\)", README):
        assert f"\n## {anchor.replace('-', ' ')}\n" in README.lower(), anchor


EXAMPLES = sorted((ROOT / "examples").glob("*.py"))
ALONE = [path for path in EXAMPLES if "sys.argv" not in path.read_text("utf-8")]  # the others want a server


@pytest.mark.parametrize("path", ALONE, ids=lambda path: path.stem)
def test_examples_run(path: Path, tmp_path: Path) -> None:
    result = subprocess.run(
        [sys.executable, "-W", "error", str(path)], cwd=tmp_path, capture_output=True, text=True, check=True
    )
    assert result.stdout


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_lead_somewhere(page: Path) -> None:
    for target in re.findall(r"\]\((?!https?:)([^)#]+)\)", page.read_text("utf-8")):
        assert (page.parent / target).exists(), f"{page.name}: {target}"


def test_the_page_of_the_api_is_complete() -> None:
    """All public names and all facts of compiled bots are on it; `make golden` lists the facts anew."""
    missing = [name for name in nf.__all__ if not re.search(rf"\b{name}\b", API)]
    assert not missing
    assert api_page() == API


def test_the_picture_is_rendered_from_its_text() -> None:
    """`make diagrams` after a change of docs/architecture.dot."""
    source = (ROOT / "docs" / "architecture.dot").read_bytes()
    assert hashlib.sha256(source).hexdigest() in (ROOT / "docs" / "architecture.svg").read_text("utf-8")


def test_every_dependency_says_why() -> None:
    import tomllib

    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    page = (ROOT / "docs" / "dependencies.md").read_text("utf-8")
    wanted = [
        *project["dependencies"],
        *(item for extra in project["optional-dependencies"].values() for item in extra),
    ]
    for requirement in wanted:
        name = re.split(r"[<>=!\[ ]", requirement)[0]
        assert name in page, f"{name} has no line in docs/dependencies.md"
