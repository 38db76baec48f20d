"""Saved matches: where they are, what they are called, starting one and resuming one.

The first line of a file says which game it is and who plays; table.py describes the others.
"""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path

from ninefold.engine import records
from ninefold.engine.bot_files import admit
from ninefold.engine.game import Game, read_seed
from ninefold.engine.match import Seat
from ninefold.engine.records import FORMAT
from ninefold.engine.registry import facts
from ninefold.engine.state import State
from ninefold.files.journal import Journal, NotSavedError, path_words, read, reason
from ninefold.files.paths import data_folder
from ninefold.kernel.errors import NinefoldError, RecordError, RuleError
from ninefold.model.text import join
from ninefold.terminal.seating import seat_of
from ninefold.terminal.table import Line, Step, Table, read_lines

ENDING = ".match"
KIND = "saved match"
VERSION = 1


def folder() -> Path:
    """The folder with the saved matches."""
    return data_folder("matches")


def begin(game: Game, seats: Sequence[Seat], seed: int | None, forked: bool = False) -> tuple[Table, Path]:
    """A new match in a new file, not yet dealt; a forked one begins with the moves of another."""
    now = datetime.now().astimezone()
    first = {
        "ninefold": "match",
        "version": VERSION,
        "game": game.name,
        "rules": game.facts.version,
        "options": dict(game.options),
        "begun": now.isoformat(timespec="seconds"),
        "seats": [{"name": seat.name, "bot": seat.bot} for seat in seats],
        **({"forked": True} if forked else {}),
    }
    seed = read_seed(seed)
    first["bots"] = _bot_seed(f"bots {seed}")  # it says nothing about cards and dice to come
    journal = _create(f"{now:%Y-%m-%d}-{game.name}", first)
    return _table(game, seats, seed, journal), journal.path


def _bot_seed(text: str) -> int:
    """A seed for bots, from which the text cannot be found."""
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:6])


def _read_seats(given: Sequence[Line]) -> list[Seat]:
    try:
        return [seat_of(str(seat["name"]), seat.get("bot")) for seat in given]
    except (TypeError, KeyError, AttributeError):
        raise RecordError("the saved match does not say who plays") from None


def _table(game: Game, seats: Sequence[Seat], seed: int | None, journal: Journal) -> Table:
    """A table whose match is kept in a journal."""

    def save(line: Line) -> None:
        try:
            journal.append(line)
        except NotSavedError as error:
            raise NotSavedError(f"the match cannot be saved, so nothing has happened: {error}") from None

    first = journal.lines[0]
    bot_seed = first.get("bots", _bot_seed(json.dumps(first)))  # matches of version 0.1 do not say
    return Table(game, seats, read_seed(seed), save, journal.close, bot_seed)


def _create(stem: str, first: Line) -> Journal:
    for number in range(1, 100_000):
        path = folder() / f"{stem}-{number}{ENDING}"
        if not path.exists():
            try:
                return Journal.create(path, first, KIND)
            except NotSavedError:
                if not path.exists():
                    raise  # else another match has begun at the same moment
    raise NotSavedError(f"there are too many matches called {stem} in {path_words(folder())}")


def resume(path: Path, by_hand: bool = False) -> Table:
    """Resume a saved match, in which people may throw their own dice."""
    journal = Journal.open(path, KIND)
    try:
        header = _header(journal.lines[0], path)
        game, seats = _game(header), _read_seats(header["seats"])
        for seat in seats:
            admit(seat.bot or "")
        table = _table(game, seats, None, journal)
        table.resume(journal.lines[1:], by_hand)
    except NinefoldError:
        journal.close()
        raise
    except (TypeError, ValueError, KeyError, AttributeError):
        journal.close()
        raise RecordError(f"the match {path_words(path)} is corrupt; the file was not changed") from None
    return table


def _header(line: Line, path: Path) -> Line:
    if line.get("ninefold") != "match" or "seats" not in line or "game" not in line:
        raise RecordError(f"the file {path_words(path)} is not a {KIND}")
    if line.get("version") != VERSION:
        raise RecordError(
            f"the match {path_words(path)} has version {line.get('version')}; this program reads {VERSION}"
        )
    return line


def _game(header: Line) -> Game:
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
    header: Line
    seats: list[Seat]
    steps: list[Step]
    scores: list[int] | None  # None while it is not finished
    winners: list[int]
    undone: int  # how many times someone undid a move

    @property
    def forked(self) -> bool:
        """Whether it was a what-if, played on from another match."""
        return bool(self.header.get("forked"))

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
        won = f"{join(names)} won" if names else "nobody won"
        how = [*(["with undo"] if self.undone else []), *(["a what-if"] if self.forked else [])]
        return f"{won}, {' and '.join(how)}" if how else won

    def record(self) -> Line:
        """The match as a record to be replayed."""
        game = _game(self.header)
        record = {
            "format": FORMAT,
            "game": game.name,
            "version": game.facts.version,
            "players": game.players,
            "options": dict(game.options),
            "names": [seat.name for seat in self.seats],
            "moves": self.steps,
        }
        return record | {"digest": records.digest(record)}


def read_saved(path: Path) -> Saved:
    """Read a saved match from its file."""
    lines = read(path, KIND).lines
    header = _header(lines[0], path)
    facts(header["game"])
    try:
        last = lines[-1]
        scores, winners = last.get("scores"), last.get("winners", [])
        seats = _read_seats(header["seats"])
        if any(not isinstance(seat, int) or not 0 <= seat < len(seats) for seat in winners):
            raise ValueError(winners)
        undone = sum("undo" in line for line in lines[1:])
        return Saved(path, header, seats, read_lines(lines[1:])[0], scores, winners, undone)
    except (TypeError, ValueError, KeyError, AttributeError):
        raise RecordError(f"the match {path_words(path)} is corrupt") from None


@dataclass(frozen=True)
class Found:
    """A recorded match, with what is known of its players."""

    record: Line
    names: list[str] = field(default_factory=list)  # none where they are not known
    bots: list[str | None] = field(default_factory=list)
    playing: list[int] = field(default_factory=list)  # the people, while the match is not over


def find(name: str) -> Found:
    """A match by the file of its record (`-` is standard input), or by the name or file of a saved match."""
    path = Path(name)
    is_name = name != "-" and path.name == name and not path.suffix and not path.exists()
    if not is_name and path.suffix != ENDING:
        record = records.load(name)
        return Found(record, records.names(record))
    match = read_saved(locate(name))
    people = [] if match.over else [seat for seat, who in enumerate(match.seats) if who.bot is None]
    record = match.record()
    return Found(record, record["names"], [who.bot for who in match.seats], people)


def load(name: str | Path) -> State:
    """The state at the end of a recorded match: a record's file, or a match played in the terminal."""
    return records.replay(find(str(name)).record)


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
        return read_saved(path).over
    except NinefoldError:
        return True  # damaged, or of other rules: not one to resume by default


def standings(matches: Sequence[Saved]) -> list[tuple[str, int, int]]:
    """For every game: its title, the finished matches, and how many of them a person won without undo.

    What-ifs do not count.
    """
    played: Counter[str] = Counter()
    won: Counter[str] = Counter()
    for match in matches:
        if match.over and not match.forked:
            played[match.title] += 1
            people = any(match.seats[seat].bot is None for seat in match.winners)
            won[match.title] += people and not match.undone
    return [(title, number, won[title]) for title, number in sorted(played.items())]
