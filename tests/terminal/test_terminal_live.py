"""Games in which all act at once, in the terminal: sealed moves that open together, and the clock."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from time import monotonic
from typing import Any

import pytest

import ninefold as nf
from ninefold.files.journal import NotSavedError
from ninefold.terminal import saves
from ninefold.terminal.seating import seat_of
from ninefold.terminal.table import Table

SEATS = [seat_of("Ann"), *(seat_of(f"Bot {number}", "medium") for number in range(4))]


@pytest.fixture
def kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[Table, Path]]:
    monkeypatch.setenv("NINEFOLD_DATA", str(tmp_path))
    match, path = saves.begin(nf.make("nine_of_a_kind", players=5), SEATS, 3)
    match.begin()
    yield match, path
    match.close()


def seal_bots(match: Table) -> None:
    while match.next_bot is not None:
        match.step_bot()


def test_moves_are_sealed_and_open_together(kept: tuple[Table, Path]) -> None:
    match, path = kept
    dealt = len(match.steps)
    for pulse in range(1, 4):
        seal_bots(match)
        assert len(match.steps) == dealt and match.awaited == [0], "nothing happens before Ann has sealed"
        match.play(0, "wait")
        moved = [seat for seat, _ in match.steps[dealt:] if seat != "chance"]
        assert sorted(moved) == [0, 1, 2, 3, 4], f"everyone moves once in pulse {pulse}"
        dealt = len(match.steps)
        assert saves.look(path).steps == match.steps


def test_what_has_opened_is_there_again_and_what_is_sealed_is_asked_again(kept: tuple[Table, Path]) -> None:
    match, path = kept
    seal_bots(match)
    match.play(0, "wait")
    seal_bots(match)
    steps, state = list(match.steps), match.state.tobytes()
    match.close()
    again = saves.resume(path)
    assert (again.steps, again.state.tobytes()) == (steps, state)
    assert again.next_bot is not None, "sealed moves had not happened"
    again.undo(0)
    first = next(at for at, (who, _) in enumerate(steps) if who != "chance")
    assert again.steps == steps[:first], "all that opened together is taken back together"
    again.close()


def test_a_pulse_that_cannot_be_saved_has_not_happened() -> None:
    lines: list[dict[str, Any]] = []
    full = False

    def save(line: dict[str, Any]) -> None:
        if full:
            raise NotSavedError("no space left on device")
        lines.append(line)

    match = Table(nf.make("nine_of_a_kind", players=5), SEATS, 3, save)
    match.begin()
    seal_bots(match)
    before = (list(match.steps), match.state.tobytes(), match.log(0))
    full = True
    with pytest.raises(NotSavedError):
        match.play(0, "wait")
    assert (match.steps, match.state.tobytes(), match.log(0)) == before
    full = False
    seal_bots(match)
    match.play(0, "wait")
    assert len(match.steps) > len(before[0])


def test_live_bots_act_by_the_clock_while_a_person_thinks(kept: tuple[Table, Path]) -> None:
    match, path = kept
    match.keep_time(True, "fast")
    assert match.next_bot is None and match.awaited == [0]
    dealt = len(match.steps)
    now = monotonic()
    assert not match.advance(now), "no bot is as quick as that"
    assert match.advance(now + 30)
    bots = {seat for seat, _ in match.steps[dealt:]} - {"chance"}
    assert bots and 0 not in bots
    assert saves.look(path).steps == match.steps
    assert match.take_frames(0), "and Ann is shown what they did"
