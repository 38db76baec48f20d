"""Write the golden playthroughs, tree counts and pictures of tables anew; read the difference before
committing."""

from __future__ import annotations

import random
from pathlib import Path

import ninefold as nf
from ninefold.engine.game import Game, make
from ninefold.terminal.paint import FINE, PLAIN, Look, describe, paint
from ninefold.testkit import playthrough, trees
from sitting import any_move, sit, until_asked

HERE = Path(__file__).parent
GOLDEN = sorted((HERE / "golden").glob("*.txt"))
COUNTS = sorted((HERE / "counts").glob("*.tsv"))
TERMINAL = HERE / "golden" / "terminal"
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
    source = random.Random(9)
    match = sit(name, seed=9, players=min(4, nf.make(name).facts.players[1]))
    for _ in range(PICTURED):
        if (seat := until_asked(match)) >= 0:
            match.play(seat, any_move(match, seat, source))
    until_asked(match)
    view = match.view(0)
    height = 16 if width < 100 else 33
    parts = [
        [line.plain.rstrip() for line in paint(view, match.names, Look(width, height, signs))]
        for signs in (FINE, PLAIN)
    ]
    parts.append([*describe(view, match.names), view["prompt"]])
    return f"\n{'=' * width}\n".join("\n".join(lines) for lines in parts) + "\n"


if __name__ == "__main__":
    for path in GOLDEN:
        path.write_text(playthrough.again(path), "utf-8")
    for path in COUNTS:
        path.write_text(write_counts(path), "utf-8")
    TERMINAL.mkdir(exist_ok=True)
    for name in nf.games():
        for width in (80, 120):
            picture_file(name, width).write_text(picture(name, width), "utf-8")
