"""Saved matches: where they are, what they are called, starting one and resuming one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from ninefold.engine.game import Game, read_seed
from ninefold.engine.match import Seat
from ninefold.engine.registry import facts
from ninefold.files.journal import Journal, NotSavedError, path_words, read, reason
from ninefold.files.paths import data_folder
from ninefold.kernel.errors import NinefoldError, RecordError, RuleError
from ninefold.model.text import join
from ninefold.terminal.save_format import VERSION, Step, first_line, read_seats, read_steps, record_of
from ninefold.terminal.table import Table

ENDING = ".match"
KIND = "saved match"


def folder() -> Path:
    """The folder with the saved matches."""
    return data_folder("matches")


def begin(game: Game, seats: Sequence[Seat], seed: int | None) -> tuple[Table, Path]:
    """A new match in a new file, not yet dealt."""
    now = datetime.now().astimezone()
    first = first_line(game, seats, now.isoformat(timespec="seconds"))
    journal = _create(f"{now:%Y-%m-%d}-{game.name}", first)
    return _table(game, seats, seed, journal), journal.path


def _table(game: Game, seats: Sequence[Seat], seed: int | None, journal: Journal) -> Table:
    """A table whose match is kept in a journal."""

    def save(line: dict[str, Any]) -> None:
        try:
            journal.append(line)
        except NotSavedError as error:
            raise NotSavedError(f"the match cannot be saved, so nothing has happened: {error}") from None

    return Table(game, seats, read_seed(seed), save, journal.close)


def _create(stem: str, first: dict[str, Any]) -> Journal:
    for number in range(1, 100_000):
        path = folder() / f"{stem}-{number}{ENDING}"
        if not path.exists():
            return Journal.create(path, first, KIND)
    raise NotSavedError(f"there are too many matches called {stem} in {path_words(folder())}")


def resume(path: Path) -> Table:
    """Resume a saved match."""
    journal = Journal.open(path, KIND)
    try:
        header = _header(journal.lines[0], path)
        table = _table(_game(header), read_seats(header["seats"]), None, journal)
        table.resume(journal.lines[1:])
    except NinefoldError:
        journal.close()
        raise
    except (TypeError, ValueError, KeyError, AttributeError):
        journal.close()
        raise RecordError(f"the match {path_words(path)} is corrupt; the file was not changed") from None
    return table


def _header(line: dict[str, Any], path: Path) -> dict[str, Any]:
    if line.get("ninefold") != "match" or "seats" not in line or "game" not in line:
        raise RecordError(f"the file {path_words(path)} is not a {KIND}")
    if line.get("version") != VERSION:
        raise RecordError(
            f"the match {path_words(path)} has version {line.get('version')}; this program reads {VERSION}"
        )
    return line


def _game(header: dict[str, Any]) -> Game:
    game = Game(header["game"], len(header["seats"]), header["options"])
    if header["rules"] != game.facts.version:
        raise RecordError(
            f"the match was started under version {header['rules']} of the rules of {game.facts.title}; "
            f"this program has version {game.facts.version}"
        )
    return game


@dataclass(frozen=True)
class Saved:
    """A saved match, read without opening it for play; needs no compiled rules."""

    path: Path
    header: dict[str, Any]
    seats: list[Seat]
    steps: list[Step]
    scores: list[int] | None  # None while it is not finished
    winners: list[int]

    @property
    def title(self) -> str:
        return facts(self.header["game"]).title

    @property
    def begun(self) -> str:
        return str(self.header.get("begun", ""))[:16].replace("T", " ")

    @property
    def over(self) -> bool:
        return self.scores is not None

    @property
    def result(self) -> str:
        """How it ended, in words."""
        if not self.over:
            return "not finished"
        names = [self.seats[seat].name for seat in self.winners]
        return f"{join(names)} won" if names else "nobody won"

    def record(self) -> dict[str, Any]:
        """The match as a record to be replayed."""
        return record_of(_game(self.header), self.steps)


def look(path: Path) -> Saved:
    """Read a saved match from its file."""
    lines = read(path, KIND).lines
    header = _header(lines[0], path)
    facts(header["game"])
    try:
        last = lines[-1]
        scores, winners = last.get("scores"), last.get("winners", [])
        seats = read_seats(header["seats"])
        if any(not isinstance(seat, int) or not 0 <= seat < len(seats) for seat in winners):
            raise ValueError(winners)
        return Saved(path, header, seats, read_steps(lines[1:]), scores, winners)
    except (TypeError, ValueError, KeyError, AttributeError):
        raise RecordError(f"the match {path_words(path)} is corrupt") from None


def saved() -> list[Path]:
    """The files of all matches, the latest first."""
    place = folder()
    try:
        found = [(path.stat().st_mtime_ns, path) for path in place.glob(f"*{ENDING}")]
    except OSError as error:
        raise RecordError(f"cannot read the folder {path_words(place)}: {reason(error)}") from None
    return [path for _, path in sorted(found, reverse=True)]


def locate(name: str, unfinished: bool = False) -> Path:
    """Find a match by its file, its name or a part of its name; `` is the latest one that is not over."""
    if name and Path(name).is_file():
        return Path(name)
    found = [path for path in saved() if name.lower() in path.stem.lower()]
    exact = [path for path in found if path.stem.lower() == name.lower()]
    if len(exact) == 1:
        return exact[0]
    if unfinished and (not name or len(found) > 1):
        found = [path for path in found if not _over(path)]
    if name and len(found) > 1:
        names = ", ".join(path.stem for path in found[:4])
        raise RuleError(f"{name!r} could be any of {len(found)} matches ({names}); type more of the name")
    if not found:
        what = f"called {name!r}" if name else "to resume" if unfinished else "yet"
        raise RuleError(
            f"there is no match {what} in {path_words(folder())}; start one with: ninefold play doubles"
        )
    return found[0]


def _over(path: Path) -> bool:
    try:
        return look(path).over
    except NinefoldError:
        return True  # damaged, or of other rules: not one to resume by default


def standings(matches: Sequence[Saved]) -> list[tuple[str, int, int]]:
    """For every game: its title, the finished matches, and how many of them a person won."""
    played: Counter[str] = Counter()
    won: Counter[str] = Counter()
    for match in matches:
        if match.over:
            played[match.title] += 1
            won[match.title] += any(match.seats[seat].bot is None for seat in match.winners)
    return [(title, number, won[title]) for title, number in sorted(played.items())]
