"""The proof of a match's draws: what is published when it is over, and how anyone can check it.

A record with a proof contains the commitments made before the draws, the ids of all commands, and the keys of
the draws. Cards that were never shown stay secret: their keys are not published, and neither are those of
later draws from the same deck, because they would reveal something about the missing cards.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from ninefold.engine.chance import Step, shuffled
from ninefold.engine.match import Match, move_when_opened
from ninefold.engine.records import CHANCE_NAME, digest, open_record
from ninefold.engine.state import State
from ninefold.fairness.protocol1 import promises
from ninefold.fairness.protocol1.chance import PromisedChance, Unrecorded
from ninefold.kernel.errors import IllegalMove, RecordError
from ninefold.kernel.fields import CHANCE


def prove(match: Match, commitments: Sequence[str], secret: bytes) -> dict[str, Any]:
    """The record of a finished match with its proof."""
    assert isinstance(match.chance, PromisedChance)
    unrecorded, steps = match.chance.unrecorded, list(match.steps)
    record = match.state.record()
    numbers = _numbers([step.seat for step in steps], unrecorded)
    hidden = [numbers[at] for at in _hidden(record, steps)]
    hidden += _taken_back(steps, unrecorded)
    record["ids"] = [step.command for step in steps if step.seat != CHANCE]
    record["fair"] = {
        "commitments": list(commitments),
        "segments": promises.reveal(secret, match.draws, hidden),
        "asides": [_written(one) for one in unrecorded],
    }
    record["digest"] = digest(record)
    return record


def _written(one: Unrecorded) -> dict[str, Any]:
    found = {"before": one.before, "commands": [list(step) for step in one.commands], "draws": one.draws}
    return found | ({"order": list(one.order)} if one.order else {})


def _numbers(seats: Sequence[int], unrecorded: Sequence[Unrecorded]) -> list[int]:
    """The numbers of the draws in the record; undone draws are left out."""
    numbers: list[int] = []
    others = 0
    for at, seat in enumerate(seats):
        others += sum(one.draws for one in unrecorded if one.before == at)
        if seat == CHANCE:
            numbers.append(len(numbers) + others)
    return numbers


def _taken_back(steps: Sequence[Step], unrecorded: Sequence[Unrecorded]) -> Iterator[int]:
    """The numbers of the draws that were undone."""
    number = 0
    for at in range(len(steps) + 1):
        for one in unrecorded:
            if one.before == at:
                if not one.order:
                    yield from range(number, number + one.draws)
                number += one.draws
        if at < len(steps) and steps[at].seat == CHANCE:
            number += 1


def _hidden(record: Mapping[str, Any], steps: Sequence[Step]) -> Iterator[int]:
    """The draws that the record hides, or that came from a deck with hidden cards missing."""
    shown, true = open_record(record), open_record(record)
    number = 0
    for (_, text), (who, actual, _) in zip(record["moves"], steps, strict=True):
        if who == CHANCE:
            if text != actual or len(shown.outcomes()[0]) != len(true.outcomes()[0]):
                yield number
            number += 1
        shown.play(who, text)
        true.play(who, actual)


def verify(record: Mapping[str, Any]) -> tuple[int, int, int]:
    """Check the proof of a record that can be replayed: how many draws it has, how many were repeated, and
    how many stretches were undone. RecordError names the first step that is wrong."""
    draws = sum(who == CHANCE_NAME for who, _ in record["moves"])
    unrecorded = _read_unrecorded(record)
    keys = _keys(record, draws + sum(one.draws for one in unrecorded))
    orders = sum(bool(one.order) for one in unrecorded)
    undone = sum(not one.order for one in unrecorded) - 1  # the first of them is the start
    return draws + orders, _Check(record, keys, unrecorded).run(), undone


def _read_unrecorded(record: Mapping[str, Any]) -> list[Unrecorded]:
    try:
        found = [
            Unrecorded(
                int(one["before"]),
                tuple(Step(int(seat), str(text), str(command)) for seat, text, command in one["commands"]),
                one["draws"],
                tuple(int(seat) for seat in one.get("order", ())),
            )
            for one in record["fair"].get("asides", [])
        ]
        if any(type(one.draws) is not int or not 0 <= one.draws < 1 << 20 for one in found):
            raise ValueError("a number of draws is not a number")
        if any(one.order and one.draws != 1 for one in found):
            raise ValueError("an order is one draw")
        begun, *others = found
        if begun.before or begun.draws or not {step.text for step in begun.commands} <= {"sit", "start"}:
            raise ValueError("it does not say how the match began")
        if any(
            not one.order and (len(one.commands) < 2 or one.commands[-1].text != "undo") for one in others
        ):
            raise ValueError("only what was undone, or sealed, may be missing from the moves")
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        raise RecordError(f"the record's proof is broken: {error}") from None
    return found


def _keys(record: Mapping[str, Any], draws: int) -> list[bytes | None]:
    try:
        shown, promised = record["fair"]["segments"], record["fair"]["commitments"]
        if len(promised) < len(shown) or len(shown) * promises.SEGMENT < draws:
            raise ValueError("it has too few segments")
        segments = zip(shown, promised, strict=False)
        return [key for one, root in segments for key in promises.check_segment(one, root)]
    except (KeyError, TypeError, ValueError) as error:
        raise RecordError(f"the record's proof is broken: {error}") from None


class _Check:
    """Repeats the draws of a recorded match from its keys."""

    def __init__(
        self, record: Mapping[str, Any], keys: Sequence[bytes | None], unrecorded: Sequence[Unrecorded]
    ) -> None:
        self.state = open_record(record)
        self.moves = record["moves"]
        self.keys = keys
        self.unrecorded = unrecorded
        self.history = promises.BEGINNING
        self.number = self.checked = 0
        self.withheld = False  # a key was rightly kept secret, and later ones of its deck may be too
        self.redaction = self.state.game.package.redaction
        self.expected: deque[Step] = deque()  # sealed moves that take effect next, in their order
        self.round = 0
        ids = record.get("ids")
        if not isinstance(ids, list) or len(ids) != sum(who != CHANCE_NAME for who, _ in self.moves):
            raise RecordError("the record's proof is broken: every command needs its id")
        self.ids = iter(ids)

    def run(self) -> int:
        """The number of draws that were repeated."""
        for at, (who, text) in enumerate(self.moves, 1):
            self._unrecorded_before(at - 1, at)
            if who == CHANCE_NAME:
                self._draw(text, at)
                continue
            command = str(next(self.ids))
            self._check_order(Step(who, text, command), at)
            self.history = promises.follow(self.history, who, text, command)
            _play(self.state, who, text, at)
        self._unrecorded_before(len(self.moves), len(self.moves))
        return self.checked

    def _unrecorded_before(self, step: int, at: int) -> None:
        for one in self.unrecorded:
            if one.before == step:
                self.history = one.follow(self.history)
                if one.order:
                    self._open(one, at)
                self.number += one.draws

    def _open(self, one: Unrecorded, at: int) -> None:
        """Check the order of sealed moves, which is a draw like any other."""
        key = self.keys[self.number]
        sealed = {step.seat: step for step in one.commands}
        if key is None or sorted(one.order) != sorted(sealed) or len(sealed) != len(one.commands):
            raise RecordError(f"the record's proof is broken: the order of moves before step {at} is missing")
        drawn = shuffled(sealed, promises.stream_of(key, self.history))
        if tuple(drawn) != one.order:
            raise RecordError(f"the moves from step {at} on are not in the order that their key draws")
        self.checked += 1
        self.expected = deque(sealed[seat] for seat in one.order)
        self.round = self._round()

    def _check_order(self, step: Step, at: int) -> None:
        """Check that a sealed move takes effect in the order drawn."""
        while self.expected and self._round() == self.round:
            sealed = self.expected.popleft()
            move = move_when_opened(self.state, sealed.seat, sealed.text)
            if move is None:
                continue
            if step != Step(sealed.seat, move, sealed.command):
                raise RecordError(f"step {at} of the record is not the sealed move whose turn it was")
            return

    def _round(self) -> int:
        realtime = self.state.game.package.realtime
        return realtime.round_of(self.state.position) if realtime else 0

    def _draw(self, text: str, at: int) -> None:
        key = self.keys[self.number]
        self.number += 1
        if self.redaction and self.redaction.deck(self.state.position) == 1:
            self.withheld = False  # a fresh deck
        if key is None:
            self.withheld = self.withheld or self._is_unseen(text)
            if not self.withheld:  # only hidden draws may lack a key
                raise RecordError(f"the record's proof is broken: the key of step {at} is missing")
            _play(self.state, CHANCE, text, at)
            return
        before = self.state.position.copy()
        action = self.state.draw(promises.stream_of(key, self.history))
        drawn = self.state.game.package.notation.format_move(before, CHANCE, action)
        if drawn != text:
            raise RecordError(f"step {at} of the record is {text}, but its key draws {drawn}")
        self.checked += 1

    def _is_unseen(self, text: str) -> bool:
        try:
            parse = self.state.game.package.notation.parse_move
            return self.state.is_unseen(parse(self.state.position, CHANCE, text))
        except IllegalMove:
            return False


def _play(state: State, seat: int, text: str, at: int) -> None:
    try:
        state.play(seat, text)
    except IllegalMove as error:
        raise RecordError(f"step {at} of the record cannot be played: {error}") from None
