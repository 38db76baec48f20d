"""Saved cards: where they are, what they are called, and a card from its journal and back.

Knows files and cards; knows no screen and reads nothing that was typed.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from datetime import datetime
from pathlib import Path
from typing import Any, NamedTuple

from ninefold.files.journal import Journal, NotSavedError, Pages, path_words, read, reason
from ninefold.files.paths import data_folder
from ninefold.kernel.errors import NinefoldError, RecordError, RuleError
from ninefold.scorecard.card import Card
from ninefold.scorecard.entries import step_from, step_json
from ninefold.scorecard.names import check_names, fold, shown
from ninefold.scorecard.steps import Taken

VERSION = 1
KIND = "score card"
ENDING = ".jsonl"


def folder() -> Path:
    """The folder with the saved cards."""
    return data_folder("scorecards")


def _slug(names: Sequence[str], day: str) -> str:
    words = [word for name in names[:3] for word in fold(name).split()[:1]]
    clean = ["".join(sign for sign in word if sign.isalnum())[:12] for word in words]
    return "-".join([day, *filter(None, clean)])


def begin(names: Sequence[str], low: int, high: int, path: Path | None) -> tuple[Journal, Card]:
    """A new card in a new file: at `path`, or in the folder under the day and the first names."""
    now = datetime.now().astimezone()
    first = {
        "ninefold": "scorecard",
        "version": VERSION,
        "game": "doubles",
        "begun": now.isoformat(timespec="seconds"),
        "rounds": [low, high],
        "names": list(names),
    }
    if path is not None:
        if path.exists():
            raise RuleError(
                f"{path_words(path)} already exists: continue it with --resume {path_words(path)}"
            )
        return Journal.create(path, first, KIND), Card.new(names, low, high)
    stem = _slug(names, now.strftime("%Y-%m-%d"))
    for count in range(1, 10_000):
        place = folder() / f"{stem}{f'-{count}' if count > 1 else ''}{ENDING}"
        if not place.exists():
            try:
                return Journal.create(place, first, KIND), Card.new(names, low, high)
            except NotSavedError:
                if not place.exists():
                    raise  # else another card has begun at the same moment
    raise NotSavedError(f"there are too many cards called {shown(stem)} in {path_words(folder())}")


def card_from(pages: Pages | Journal, path: Path) -> Card:
    """Read a card from the lines of a journal; RecordError names the line that cannot be read."""
    lines = pages.lines
    match lines[0]:
        case {
            "ninefold": "scorecard",
            "version": 1,
            "game": "doubles",
            "rounds": [int(low), int(high)],
            "names": names,
        }:
            pass
        case {"ninefold": "scorecard", "version": int(version)} if version != VERSION:
            raise RecordError(
                f"the card {path_words(path)} has version {version}; this program reads {VERSION}"
            )
        case _:
            raise RecordError(f"the file {path_words(path)} is not a score card; it was not changed")
    try:
        number = 1
        card = Card.new(check_names(names), low, high)
        for line in lines[1:]:
            number += 1
            draws = {int(after): bool(last) for after, last in line.get("draws", {}).items()}
            card = card.after(step_from(line), draws=draws)
    except (NinefoldError, ValueError, TypeError, AttributeError) as error:
        raise RecordError(f"the card {path_words(path)} is corrupt in line {number}: {error}") from None
    return card


def line_of(card: Card, taken: Taken) -> dict[str, Any]:
    """The journal's line for a step taken from a card."""
    line = step_json(taken.step)
    draws = {str(after): last for after, last in taken.card.draws.items() if after not in card.draws}
    return {**line, "draws": draws} if draws else line


def saved() -> list[Path]:
    """All saved cards, the latest first."""
    place = folder()
    try:
        found = [(path.stat().st_mtime_ns, path) for path in place.glob(f"*{ENDING}") if path.stat().st_size]
    except OSError as error:
        raise RecordError(f"cannot read the folder {path_words(place)}: {reason(error)}") from None
    return [path for _, path in sorted(found, reverse=True)]


def locate(name: str) -> Path:
    """Find a card by its file, its name or a part of its name; `` is the latest."""
    cards = saved()
    if not name:
        if not cards:
            raise RuleError(
                f"there is no card in {path_words(folder())}; start one with: ninefold score doubles Ann Bob"
            )
        return cards[0]
    if (path := Path(name)).is_file():
        return path
    if os.sep in name or name.endswith(ENDING):
        raise RuleError(f"there is no card {path_words(path)}")
    exact = [card for card in cards if fold(card.stem) == fold(name)]
    found = exact or [card for card in cards if fold(name) in fold(card.stem)]
    if len(found) == 1:
        return found[0]
    if found:
        names = ", ".join(card.stem for card in found[:4])
        raise RuleError(f"{shown(name)} could be any of {len(found)} cards ({names}); type more of the name")
    raise RuleError(f"there is no card called {shown(name)}; ninefold score --list lists them")


class Saved(NamedTuple):
    """A saved card in a list."""

    name: str
    players: str
    state: str


def listing() -> list[Saved]:
    """All saved cards in words, the latest first."""
    found: list[Saved] = []
    for path in saved():
        try:
            card = card_from(read(path, KIND), path)
        except NinefoldError as error:
            found.append(Saved(path.stem, "", str(error)))
            continue
        at = card.position
        last = str(at.high) if at.low == at.high else f"{at.low}-{at.high}"
        state = f"finished after round {at.number}" if at.over else f"round {at.number} of {last}"
        found.append(Saved(path.stem, at.listed(at.names, most=5), state))
    return found
