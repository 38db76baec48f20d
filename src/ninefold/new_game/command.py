"""`ninefold new-game`: write a small, playable, tested game into the source tree, as a starting point.

The template is a coin game in ordinary files beside this one, with @name@ and @title@ as placeholders.
Nothing has to be registered: a package in ninefold.game is a game.
"""

from __future__ import annotations

import keyword
import re
from pathlib import Path

import click

import ninefold
from ninefold.engine import registry
from ninefold.kernel.errors import RuleError

PACKAGE = Path(ninefold.__file__).resolve().parent
TEMPLATE = Path(__file__).resolve().parent / "template"


def targets(name: str) -> dict[str, Path]:
    """Where in the source tree each file of the template goes."""
    tree = PACKAGE.parents[1]
    found = {
        f"game/{path.name}": PACKAGE / "game" / name / path.name.removesuffix(".txt")
        for path in sorted((TEMPLATE / "game").iterdir())
    }
    found["tests/test_game.py.txt"] = tree / "tests" / "games" / name / f"test_{name}.py"
    found["tests/playthrough.txt"] = tree / "tests" / "golden" / f"{name}-1.txt"
    found["tests/counts.tsv.txt"] = tree / "tests" / "counts" / f"{name}.tsv"
    return found


def write_game(name: str, title: str) -> list[Path]:
    """Write the files of a new game; RuleError if the name is taken or there is no source tree."""
    check_name(name)
    files = targets(name)
    for source, path in files.items():
        text = (TEMPLATE / source).read_text("utf-8")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text.replace("@name@", name).replace("@title@", title), "utf-8")
    registry.forget_names()
    return list(files.values())


def check_name(name: str) -> None:
    """Raise RuleError if a game of this name cannot be written."""
    if not (PACKAGE.parents[1] / "pyproject.toml").is_file():
        raise RuleError("a new game is written into the source tree; install Ninefold from a checkout first")
    if not re.fullmatch(r"[a-z][a-z0-9_]*", name) or keyword.iskeyword(name):
        raise RuleError(f"a game's name is a lower-case word such as coin_toss, not {name!r}")
    beside = PACKAGE / "game" / f"{name}.py"
    if name in dir(ninefold) or any(path.exists() for path in (beside, *targets(name).values())):
        raise RuleError(f"the name {name} is taken")


@click.command("new-game", epilog="Example: ninefold new-game coin_toss --title 'Coin Toss'")
@click.argument("name")
@click.option("--title", default=None, help="The title people see; made from the name by default.")
def new_game(name: str, title: str | None) -> None:
    """Write a small game to start from: rules, view, texts, bots, lessons and tests.

    CONTRIBUTING.md says what to do with it.
    """
    files = write_game(name, title or name.replace("_", " ").title())
    for path in files:
        click.echo(path.relative_to(PACKAGE.parents[1]))
    click.echo(f"\nIt works already: ninefold play {name}. RULES.md and rules.py come first.")
