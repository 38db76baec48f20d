"""Write the golden playthroughs, tree counts and pictures of tables anew, of all games or of those named.

The facts in docs/api.md, too. Read the difference before you commit it.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Collection
from importlib import import_module
from pathlib import Path

import ninefold as nf
from ninefold.engine.game import Game, make
from ninefold.engine.own_bots import facts
from ninefold.kernel import seen
from ninefold.kernel.seen import Fact
from ninefold.model.text import render
from ninefold.testkit import playthrough, trees

HERE = Path(__file__).parents[1]
GOLDEN = sorted((HERE / "golden").glob("*.txt"))
COUNTS = sorted((HERE / "counts").glob("*.tsv"))
TERMINAL = HERE / "golden" / "terminal"
API = HERE.parent / "docs" / "api.md"
MARK = "writes this page. -->\n"
PICTURED = 4  # own decisions before a picture is taken
HEAD = "players\toptions\tdepth\tchance\tdecisions\tends"


def read_counts(path: Path) -> list[tuple[Game, list[trees.Level]]]:
    """The games of a file of counts, each with its levels from depth 0."""
    found: dict[tuple[str, str], list[trees.Level]] = {}
    for line in path.read_text("utf-8").splitlines()[1:]:
        players, options, _, *numbers = line.split("\t")
        found.setdefault((players, options), []).append(trees.Level(*map(int, numbers)))
    return [(_game(path.stem, *key), levels) for key, levels in found.items()]


def _game(name: str, players: str, options: str) -> Game:
    values = dict(pair.split("=", 1) for pair in options.split()) if options != "-" else {}
    return make(name, players=int(players), **values)


def write_counts(path: Path) -> str:
    lines = [HEAD]
    for game, levels in read_counts(path):
        options = " ".join(f"{name}={value}" for name, value in game.options.items()) or "-"
        for depth, level in enumerate(trees.count(game, len(levels) - 1)):
            lines.append(
                f"{game.players}\t{options}\t{depth}\t{level.chance}\t{level.decisions}\t{level.ends}"
            )
    return "\n".join(lines) + "\n"


def picture_file(name: str, width: int) -> Path:
    return TERMINAL / f"{name}-{width}.txt"


def picture(name: str, width: int) -> str:
    """A table after a few decisions, as it is drawn on a screen, without Unicode, and in words."""
    from ninefold.terminal.paint import FINE, PLAIN, Canvas, paint
    from ninefold.terminal.wording import describe
    from support.sitting import any_move, sit, until_asked

    source = random.Random(9)
    table = sit(name, seed=9, players=min(4, nf.make(name).facts.players[1]))
    for _ in range(PICTURED):
        if (seat := until_asked(table)) >= 0:
            table.play(seat, any_move(table, seat, source))
    until_asked(table)
    view = table.view(0)
    height = 16 if width < 100 else 33
    parts = [
        [line.plain.rstrip() for line in paint(view, table.names, Canvas(width, height, signs))]
        for signs in (FINE, PLAIN)
    ]
    parts.append([*describe(view, table.names), render(view.prompt, table.names)])
    return f"\n{'=' * width}\n".join("\n".join(lines) for lines in parts) + "\n"


def api_page() -> str:
    """docs/api.md, with what compiled bots know in every game."""
    written = API.read_text("utf-8").partition(MARK)
    common = [fact for fact in facts("doubles").values() if fact.call.__module__ == seen.__name__]
    page = f"{written[0]}{MARK}\n{_listed(common)}"
    for name in filter(facts, nf.games()):
        module = import_module(f"ninefold.game.{name}.seen")
        _, _, more = (module.__doc__ or "").strip().partition("\n\n")
        own = [fact for fact in facts(name).values() if fact.call.__module__ == module.__name__]
        page += f"\n### {nf.make(name).facts.title}\n\n{more}{2 * bool(more) * chr(10)}{_listed(own)}"
    return page


def _listed(found: Collection[Fact]) -> str:
    lines = ["| fact | meaning |", "|---|---|"]
    for fact in found:
        takes = f"({', '.join(fact.takes)})" if fact.takes else ""
        lines.append(f"| `{fact.name}{takes}` | {fact.line} |")
    return "\n".join(lines) + "\n"


def rewrite(names: Collection[str]) -> None:
    """Write everything of these games anew."""
    for path in GOLDEN:
        if path.stem.rpartition("-")[0] in names:
            path.write_text(playthrough.again(path), "utf-8")
    for path in COUNTS:
        if path.stem in names:
            path.write_text(write_counts(path), "utf-8")
    TERMINAL.mkdir(exist_ok=True)
    for name in names:
        for width in (80, 120):
            picture_file(name, width).write_text(picture(name, width), "utf-8")
    if any(map(facts, names)):
        API.write_text(api_page(), "utf-8")


if __name__ == "__main__":
    rewrite(sys.argv[1:] or nf.games())
