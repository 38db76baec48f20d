"""The proof of a match's draws: what the house publishes when it is over, and how anybody checks it.

A record with a proof carries the commitments made before the draws, the ids of all commands, and the keys of
the draws. Cards that were never shown stay unshown: their keys are kept, and so are those of the draws from
a deck in which they are missing, because such a draw would tell something about them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ninefold import fair
from ninefold.engine.records import CHANCE_NAME, digest, open_record, replay
from ninefold.engine.state import State
from ninefold.kernel.errors import IllegalMove, RecordError
from ninefold.kernel.fields import CHANCE

Step = tuple[int, str]


@dataclass(frozen=True)
class Aside:
    """Commands that are no moves of the record and still count for its draws.

    Those with which people sat down and began, and moves that were taken back by agreement.
    """

    before: int  # the step of the record before which they were given
    commands: tuple[tuple[int, str, str], ...]  # seat, text and id
    draws: int = 0  # that were taken back with them; their keys are never shown

    def follow(self, history: bytes) -> bytes:
        for command in self.commands:
            history = fair.follow(history, *command)
        return history


@dataclass(frozen=True)
class Verdict:
    """What a check has found."""

    moves: int
    draws: int
    checked: int  # draws made again from their keys
    proved: bool  # whether the record carries a proof at all


def prove(
    state: State,
    steps: Sequence[Step],
    ids: Sequence[str],
    promised: Sequence[str],
    secret: bytes,
    asides: Sequence[Aside] = (),
) -> Any:
    """The record of a finished match with its proof; `steps` are those that were played, with every card."""
    record = state.record()
    numbers = _numbers([who for who, _ in steps], asides)
    draws = len(numbers) + sum(one.draws for one in asides)
    hidden = [numbers[at] for at in _hidden(record, steps)]
    hidden += set(range(draws)) - set(numbers)
    record["ids"] = list(ids)
    record["fair"] = {"commitments": list(promised), "segments": fair.reveal(secret, draws, hidden)}
    if asides:
        record["fair"]["asides"] = [
            {"before": one.before, "commands": [list(step) for step in one.commands], "draws": one.draws}
            for one in asides
        ]
    record["digest"] = digest(record)
    return record


def _numbers(seats: Sequence[int], asides: Sequence[Aside]) -> list[int]:
    """The numbers of the draws that were kept: those of draws taken back are not used again."""
    numbers: list[int] = []
    gone = 0
    for at, seat in enumerate(seats):
        gone += sum(one.draws for one in asides if one.before == at)
        if seat == CHANCE:
            numbers.append(len(numbers) + gone)
    return numbers


def _hidden(record: Mapping[str, Any], steps: Sequence[Step]) -> Iterator[int]:
    """The draws that the record does not tell, or that were made from a deck it does not tell."""
    told, true = open_record(record), open_record(record)
    number = 0
    for (_, text), (who, actual) in zip(record["moves"], steps, strict=True):
        if who == CHANCE:
            if text != actual or len(told._outcomes()[0]) != len(true._outcomes()[0]):
                yield number
            number += 1
        told.play(who, text)
        true.play(who, actual)


def verify(record: Mapping[str, Any]) -> Verdict:
    """Check a record and, where it has one, its proof. RecordError names the first step that is wrong."""
    replay(record)
    moves = record["moves"]
    draws = sum(who == CHANCE_NAME for who, _ in moves)
    if "fair" not in record:
        return Verdict(len(moves) - draws, draws, 0, False)
    asides = _asides(record)
    keys = _keys(record, draws + sum(one.draws for one in asides))
    return Verdict(len(moves) - draws, draws, _draw_again(record, keys, asides), True)


def _asides(record: Mapping[str, Any]) -> list[Aside]:
    try:
        found = [
            Aside(
                int(one["before"]),
                tuple((int(a), str(b), str(c)) for a, b, c in one["commands"]),
                one["draws"],
            )
            for one in record["fair"].get("asides", [])
        ]
        if any(type(one.draws) is not int or not 0 <= one.draws < 1 << 20 for one in found):
            raise ValueError("a number of draws is not one")
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        raise RecordError(f"the record's proof is broken: {error}") from None
    return found


def _keys(record: Mapping[str, Any], draws: int) -> list[bytes | None]:
    try:
        shown, promised = record["fair"]["segments"], record["fair"]["commitments"]
        if len(promised) < len(shown) or len(shown) * fair.SEGMENT < draws:
            raise ValueError("it has too few segments")
        segments = zip(shown, promised, strict=False)
        return [key for one, root in segments for key in fair.check_segment(one, root)]
    except (KeyError, TypeError, ValueError) as error:
        raise RecordError(f"the record's proof is broken: {error}") from None


def _draw_again(record: Mapping[str, Any], keys: Sequence[bytes | None], asides: Sequence[Aside]) -> int:
    state = open_record(record)
    ids = record.get("ids")
    if not isinstance(ids, list) or len(ids) != sum(who != CHANCE_NAME for who, _ in record["moves"]):
        raise RecordError("the record's proof is broken: every command needs its id")
    history = fair.BEGINNING
    number = checked = 0
    kept = False
    commands = iter(ids)
    for at, (who, text) in enumerate(record["moves"], 1):
        for one in asides:
            if one.before == at - 1:
                number += one.draws
                history = one.follow(history)
        if who != CHANCE_NAME:
            history = fair.follow(history, who, text, str(next(commands)))
            _play(state, who, text, at)
            continue
        key = keys[number]
        number += 1
        if key is None:
            kept = kept or _is_unseen(state, text)
            if not kept:  # only what nobody may see has a key that is not shown, and what is drawn after it
                raise RecordError(f"the record's proof is broken: the key of step {at} is missing")
            _play(state, CHANCE, text, at)
            continue
        before = state._s.copy()
        state.draw(fair.stream_of(key, history))
        drawn = str(state.game.package.table.say(before, CHANCE, state._steps[-1][1]))
        if drawn != text:
            raise RecordError(f"step {at} of the record is {text}, but its key draws {drawn}")
        checked += 1
    return checked


def _is_unseen(state: State, text: str) -> bool:
    try:
        return state._unseen(int(state.game.package.table.read(state._s, CHANCE, text)))
    except IllegalMove:
        return False


def _play(state: State, seat: int, text: str, at: int) -> None:
    try:
        state.play(seat, text)
    except IllegalMove as error:
        raise RecordError(f"step {at} of the record cannot be played: {error}") from None
