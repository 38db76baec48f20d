"""Records: a match as plain data that any program can read, and its replay.

A record holds the game, its rules version, players, options and every move and chance outcome as text,
so it needs no seed. If it has a digest, that covers all of it: a record that was changed is refused.
"""

from __future__ import annotations

import hashlib
import json
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ninefold.kernel.errors import IllegalMove, RecordError, RuleError
from ninefold.kernel.fields import CHANCE

if TYPE_CHECKING:
    from ninefold.engine.state import State, Watcher

FORMAT = "ninefold record 1"
CHANCE_NAME = "chance"
LARGEST = 64 * 2**20  # bytes of a record file


class OtherRules(RecordError):  # noqa: N818 (what it is)
    """The record was made under another version of its game's rules than this one."""


def digest(record: Mapping[str, Any]) -> str:
    """The fingerprint of everything else in the record."""
    body = {key: value for key, value in record.items() if key != "digest"}
    canonical = json.dumps(body, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(canonical.encode()).hexdigest()


def load(path: str) -> dict[str, Any]:
    """Read a record from a file or from standard input (`-`); RecordError if it is not one."""
    try:
        with sys.stdin.buffer if path == "-" else Path(path).open("rb") as stream:
            text = stream.read(LARGEST + 1)
    except OSError as error:
        raise RecordError(f"{path} cannot be read: {error.strerror}") from None
    if len(text) > LARGEST:
        raise RecordError(f"{path} is larger than {LARGEST // 2**20} MiB, too large for a record")
    try:
        record = json.loads(text)
    except (ValueError, RecursionError):
        raise RecordError(f"{path} is not a record: it is not JSON") from None
    if not isinstance(record, dict):
        raise RecordError(f"{path} is not a record: it has no game and moves")
    return record


def names(record: Mapping[str, Any]) -> list[str]:
    """The players' names in a record that has them all; else none."""
    found = record.get("names")
    if not isinstance(found, list) or len(found) != record.get("players"):
        return []
    return list(found) if all(isinstance(name, str) for name in found) else []


def write(state: State) -> dict[str, Any]:
    """The record of a match so far."""
    game = state.game
    record: dict[str, Any] = {
        "format": FORMAT,
        "game": game.name,
        "version": game.facts.version,
        "players": game.players,
        "options": game.written_options,
        "moves": [[CHANCE_NAME if seat == CHANCE else seat, text] for seat, text in _texts(state)],
        "over": state.over,
        "scores": state.scores,
        "winners": state.winners,
    }
    record["digest"] = digest(record)
    return record


def _texts(state: State) -> Iterator[tuple[int, str]]:
    """The text of a step may depend on the position before it, so the match is replayed."""
    game = state.game
    s = game.new_position()
    rules = game.package.rules
    rules.begin(s)
    for seat, action in state.steps:
        yield seat, game.package.notation.format_move(s, seat, action)
        if seat == CHANCE:
            rules.chance(s, action)
        else:
            rules.play(s, seat, action)


def replay(
    record: Mapping[str, Any],
    upto: int | None = None,
    manual: bool = False,
    watcher: Watcher | None = None,
) -> State:
    """Replay a record to its end, or through its first `upto` moves; RecordError if it is damaged.

    `watcher` sees every step. The state can be played on, with new chance. If the record ends when chance has
    to play, its caller played chance, and the state that comes back is manual too.
    """
    state = open_record(record)
    state.watchers += [watcher] if watcher else []
    moves = record["moves"]
    for number, step in enumerate(moves[:upto]):
        try:
            _step(state, step)
        except IllegalMove as error:
            raise RecordError(f"move {number + 1} of the record cannot be played: {error}") from None
    if upto is None or upto >= len(moves):
        _compare(state, record)
    state.manual = manual or (upto is None and state.actors == (CHANCE,))
    state.let_chance()
    return state


def _digest_or_none(record: Mapping[str, Any]) -> str | None:
    try:
        return digest(record)
    except (TypeError, ValueError, RecursionError):
        return None  # it contains something that no record can


def open_record(record: Mapping[str, Any]) -> State:
    """The match of a record before its first move, in manual mode."""
    from ninefold.engine.game import Game

    if not isinstance(record, Mapping):
        raise RecordError(f"a record is an object with a game and its moves, not {type(record).__name__}")
    missing = [
        key for key in ("format", "game", "version", "players", "options", "moves") if key not in record
    ]
    if missing:
        raise RecordError(f"the record lacks {', '.join(missing)}")
    if record["format"] != FORMAT:
        raise RecordError(f"the record is of the format {record['format']!r}; this version reads {FORMAT!r}")
    if "digest" in record and record["digest"] != _digest_or_none(record):
        raise RecordError("the record is damaged: it does not match its digest")
    if not isinstance(record["options"], Mapping) or not isinstance(record["moves"], list):
        raise RecordError("the record is damaged: options must be an object and moves a list")
    try:
        game = Game(str(record["game"]), record["players"], record["options"])
    except RuleError as error:
        raise RecordError(f"the record cannot be played: {error}") from None
    if type(record["version"]) is not int or record["version"] != game.facts.version:
        raise OtherRules(
            f"the record was made under version {record['version']!r} of the rules of {game.facts.title}; "
            f"this is version {game.facts.version}"
        )
    return game.start(manual=True)


def _step(state: State, step: Any) -> None:
    if not isinstance(step, list | tuple) or len(step) != 2 or not isinstance(step[1], str):
        raise IllegalMove(f"a step is a seat and a text, not {step!r}")
    seat = CHANCE if step[0] == CHANCE_NAME else step[0]
    if seat == CHANCE and step[0] != CHANCE_NAME:
        raise IllegalMove(f"a step is a seat and a text, not {step!r}")
    state.play(seat, step[1])


def _compare(state: State, record: Mapping[str, Any]) -> None:
    found = {"over": state.over, "scores": state.scores, "winners": state.winners}
    for key, value in found.items():
        if key in record and record[key] != value:
            raise RecordError(f"the record says {key} {record[key]!r}, but its moves lead to {value!r}")
