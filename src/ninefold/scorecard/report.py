"""The table of scores as text, as a chart and as a file. Knows positions, but no rules and no saved cards."""

from __future__ import annotations

import csv
import io
import json
import os
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path

from rich.cells import cell_len, set_cell_size

from ninefold.files.journal import path_words, reason
from ninefold.kernel.errors import RuleError
from ninefold.scorecard.card import Position
from ninefold.scorecard.entries import Player
from ninefold.scorecard.names import shown
from ninefold.scorecard.wording import amount, standings, winner_words

_MARKS = "123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
_MOST_ROWS = 200
_EARLIER = "  ..."


def right(text: str, width: int) -> str:
    """Right-align text in a column, measured as a terminal does."""
    return " " * (width - cell_len(text)) + text


def left(text: str, width: int) -> str:
    """Left-align text in a column, cut if it is too long."""
    return set_cell_size(text, width)


def round_rows(at: Position, players: Sequence[Player], room: int) -> list[str]:
    """The latest rounds that fit: a row of titles, then a row of points for each player.

    Dots stand for earlier rounds.
    """
    columns: list[list[str]] = []
    used, fits = 0, True
    for this in reversed(at.past):
        gains = [this.gain(player) for player in players]
        cells = [f"R{this.number}", *("-" if gain is None else amount(gain) for gain in gains)]
        size = max(map(cell_len, cells))
        used += size + 2
        if not (fits := used <= room):
            used -= size + 2
            break
        columns.insert(0, [f"  {right(cell, size)}" for cell in cells])
    if not fits:
        while columns and used + len(_EARLIER) > room:
            used -= cell_len(columns.pop(0)[0])
        if len(_EARLIER) <= room:
            columns.insert(0, [_EARLIER, *(" " * len(_EARLIER) for _ in players)])
    return ["".join(column[row] for column in columns) for row in range(len(players) + 1)]


def score_table(at: Position, width: int = 80) -> list[str]:
    """Places, names, scores, and as many of the latest rounds as fit."""
    ranked = standings(at)[:_MOST_ROWS]
    names = min(max(cell_len(at.names[player]) for _, player in ranked), 20)
    total = max(5, *(cell_len(amount(at.scores[player])) for _, player in ranked))
    titles, *rounds = round_rows(at, [player for _, player in ranked], width - (4 + names + 2 + total + 8))
    lines = [f"{'':{4 + names}}  {right('Score', total)}{titles}"]
    for (place, player), gains in zip(ranked, rounds, strict=True):
        gone = "  (left)" if player in at.away else ""
        score = right(amount(at.scores[player]), total)
        lines.append(f"{right(place, 3)} {left(at.names[player], names)}  {score}{gains}{gone}")
    if len(at.names) > _MOST_ROWS:
        lines.append(f"... and {len(at.names) - _MOST_ROWS:,} more; export scores.csv writes them all")
    return lines


def final_page(at: Position, width: int = 80) -> list[str]:
    """The standings at the end."""
    return ["Final standings", *score_table(at, width), winner_words(at)]


def chart(
    at: Position, width: int = 80, paint: Callable[[str, int], str] = lambda text, _: text
) -> list[str]:
    """A bar for each player, marked with the rounds in which they scored."""
    if not at.past or not any(at.scores.values()):
        return ["There are no scores to chart yet."]
    ranked = [player for _, player in standings(at)][:40]
    best = max(at.scores.values())
    names = min(max(cell_len(at.names[player]) for player in ranked), 16)
    room = max(10, width - names - cell_len(amount(best)) - 5)
    lines = [f"Scores by round: a 1 is points from round 1 (full width is {amount(best)})"]
    if len(at.past) > 9:
        lines[0] += f", {_MARKS[9]} from round 10"
    for player in ranked:
        reached, drawn, bar = 0, 0, ""
        for number, this in enumerate(at.past):
            reached += this.gains.get(player, 0)
            end = (2 * reached * room + best) // (2 * best)
            bar += paint(_MARKS[number % len(_MARKS)] * (end - drawn), number)
            drawn = end
        lines.append(
            f"{left(at.names[player], names)} |{bar}{' ' * (room - drawn)}| {amount(at.scores[player])}"
        )
    if len(at.names) > len(ranked):
        lines.append(f"... and {len(at.names) - len(ranked):,} more")
    return lines


def csv_text(at: Position) -> str:
    """One row per player: place, name, total, then each round; empty for players who were not in it."""
    out = io.StringIO()
    table = csv.writer(out, lineterminator="\n")
    table.writerow(["place", "player", "score", *(f"round {this.number}" for this in at.past)])
    for place, player in standings(at):
        gains = [this.gain(player) for this in at.past]
        table.writerow([place.rstrip("="), at.names[player], at.scores[player], *gains])
    return out.getvalue()


def json_text(at: Position) -> str:
    """The same as a JSON object for programs."""
    players = [
        {
            "place": int(place.rstrip("=")),
            "player": at.names[player],
            "score": at.scores[player],
            "left": player in at.away,
            "rounds": [this.gain(player) for this in at.past],
        }
        for place, player in standings(at)
    ]
    rounds = [{"round": this.number, "rolls": this.rolls, "fourth seven": this.busted} for this in at.past]
    whole = {"game": "doubles", "over": at.over, "players": players, "rounds": rounds}
    return json.dumps(whole, ensure_ascii=False, indent=1) + "\n"


WRITERS = {"csv": csv_text, "json": json_text}


def export(at: Position, path: Path, own: Path, kind: str = "") -> None:
    """Write the table to a file, completely or not at all; RuleError if that fails. `own` is the card's."""
    kind = kind or path.suffix.lower().lstrip(".")
    if kind not in WRITERS:
        raise RuleError(
            f"scores are exported to a .csv or .json file, such as scores.csv, not {shown(path.name)}"
        )
    if path.exists() and path.resolve() == own.resolve():
        raise RuleError("that is the card's own file; choose another name")
    text = WRITERS[kind](at)
    aside = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        if path.exists() and not path.is_file():
            path.write_text(text, encoding="utf-8")  # a device or a pipe
            return
        aside.write_text(text, encoding="utf-8", newline="")
        aside.replace(path)
    except OSError as error:
        with suppress(OSError):
            aside.unlink()
        raise RuleError(f"cannot write {path_words(path)}: {reason(error)}") from None
