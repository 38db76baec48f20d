"""Write the golden playthroughs and tree counts anew; read the difference before committing."""

from __future__ import annotations

from pathlib import Path

from ninefold.engine.game import Game, make
from ninefold.testkit import playthrough, trees

HERE = Path(__file__).parent
GOLDEN = sorted((HERE / "golden").glob("*.txt"))
COUNTS = sorted((HERE / "counts").glob("*.tsv"))
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


if __name__ == "__main__":
    for path in GOLDEN:
        path.write_text(playthrough.again(path), "utf-8")
    for path in COUNTS:
        path.write_text(write_counts(path), "utf-8")
