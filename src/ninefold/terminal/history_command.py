"""`ninefold history` and `ninefold replay`: list past matches, and step through one."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import click

from ninefold.engine import records
from ninefold.engine.beats import Moment
from ninefold.engine.state import State
from ninefold.kernel.errors import NinefoldError, RecordError, RuleError
from ninefold.model.events import Event
from ninefold.model.text import join, player_name, render
from ninefold.model.view import View, builtins
from ninefold.terminal import saves
from ninefold.terminal.console import folded, full_screen, own_signs, say_line, write_file
from ninefold.terminal.margins import is_listed
from ninefold.terminal.play_command import sit_down
from ninefold.terminal.seating import seat_of
from ninefold.terminal.table import Viewer


@click.command(epilog="Example: ninefold history --json")
@click.option("--json", "json_", is_flag=True, help="As JSON.")
def history(json_: bool) -> None:
    """List the matches played here and how they ended."""
    found, damaged = [], []
    for path in saves.saved():
        try:
            found.append(saves.read_saved(path))
        except NinefoldError as error:
            damaged.append((path, str(error)))
    if json_:
        _print_json([_history_row(match) for match in found])
        return
    if not found and not damaged:
        click.echo("No matches yet. Start one with: ninefold play doubles")
    width = max((len(match.path.stem) for match in found), default=0)
    for match in found:
        who = ", ".join(seat.name for seat in match.seats)
        name = match.path.stem
        begun = match.begun[11:] if name.startswith(match.begun[:10]) else match.begun  # not the day twice
        line = f"{name.ljust(width)}  {begun}  {match.result}  ({who})"
        click.echo(folded(line, hang=width + 2))
    for path, why in damaged:
        click.echo(f"{path.stem}: {why}", err=True)
    for title, number, won in saves.standings(found):
        click.echo(f"{title}: {number} finished, people won {won}")


def _history_row(match: saves.Saved) -> dict[str, Any]:
    return {
        "name": match.path.stem,
        "file": str(match.path),
        "game": match.header["game"],
        "begun": match.header.get("begun"),
        "seats": match.header["seats"],
        "over": match.over,
        "forked": match.forked,
        "undone": match.undone,
        "scores": match.scores,
        "winners": match.winners,
        "steps": len(match.steps),
    }


def _print_json(answer: object) -> None:
    click.echo(json.dumps(answer, indent=2, ensure_ascii=False))


@dataclass(frozen=True)
class Replay:
    """Every position of a recorded match, with what else a saved match knows."""

    record: dict[str, Any]
    state: State  # at the end
    moments: list[Moment]
    names: list[str]
    bots: list[str | None]
    playing: list[int] = field(default_factory=list)  # the people, while the match is not over
    _stops: dict[Viewer, list[int]] = field(default_factory=dict)

    def stops(self, viewer: Viewer) -> list[int]:
        """The numbers of steps after which the log has a line for a viewer: what a person calls a move.

        A deal is part of what follows it, and so are decisions that nobody sees before all have decided.
        """
        if viewer not in self._stops:
            listed = [
                at for at in range(1, len(self.moments)) if any(map(is_listed, self.events(at, viewer)))
            ]
            self._stops[viewer] = list(dict.fromkeys([0, *listed, len(self.moments)]))
        return self._stops[viewer]

    def story(self, viewer: Viewer) -> list[tuple[Event, str]]:
        """All events for a viewer, each with its sentence."""
        events = [
            event for moment in self.moments for event in self.state.perspectives.events(moment, viewer)
        ]
        return [(event, render(event.text, self.names)) for event in events]

    def view(self, at: int, viewer: Viewer) -> View:
        """The table after `at` steps."""
        state = self.state
        return (state if at == len(self.moments) else state.at(self.moments[at].before)).picture(viewer)

    def events(self, at: int, viewer: Viewer) -> list[Event]:
        """The events of step number `at` (from 1) for a viewer."""
        return self.state.perspectives.events(self.moments[at - 1], viewer)


@click.command(
    epilog="""\b
Examples:
  ninefold replay 2026-11-15-baseball-1      step through a match of the history
  ninefold replay match.json --seat Ann      a record, as Ann saw it
  ninefold replay baseball-1 --fork 40       what if: play on from its 40th step
  ninefold replay baseball-1 --record m.json the match as a record
"""
)
@click.argument("file")
@click.option(
    "--seat",
    "who",
    default=None,
    metavar="PLAYER",
    help="Show it as this player saw it, by name or by number from 0 (default: as a spectator).",
)
@click.option(
    "--fork",
    type=int,
    default=None,
    metavar="STEP",
    help="Play on from a step of the record, against bots.",
)
@click.option("--json", "json_", is_flag=True, help="The events as JSON.")
@click.option(
    "--record",
    type=click.Path(dir_okay=False),
    default=None,
    help="Write the record of the match here.",
)
@click.option("--plain", is_flag=True, help="Print it as lines.")
def replay(
    file: str, who: str | None, fork: int | None, json_: bool, record: str | None, plain: bool
) -> None:
    """Look at a recorded match, move by move (`-` reads a record from standard input)."""
    drawn = full_screen() and not plain and file != "-"
    match = find_record(file)
    if record is not None:
        if match.playing:
            raise RecordError("the match is not over: its record would show hidden cards")
        write_file(record, json.dumps(match.record))
        return
    seat = None if who is None else _seat_of(who, match.names)
    if match.playing and seat is not None and match.playing != [seat]:
        raise RecordError("the match is not over: until then it can only be viewed as a spectator")
    if fork is not None:
        _play_on(match, fork, seat, plain)
    elif drawn and not json_:
        _step_through(match, seat)
    else:
        _print(match, seat, json_)


def _seat_of(who: str, names: Sequence[str]) -> int:
    """The seat of a player, who is named or given by the number of the seat."""
    known = [name.casefold() for name in names]
    if who.casefold() in known:
        return known.index(who.casefold())
    if who.isdecimal() and int(who) < len(names):
        return int(who)
    raise RecordError(f"{who!r} did not play in this match; the players are {join(names)}")


def find_record(name: str) -> Replay:
    """A record by its file or the name of a saved match; RecordError if it is damaged."""
    found = saves.find(name)
    return replay_record(found.record, found.names, found.bots, found.playing)


def replay_record(record: dict[str, Any], names: Any = (), bots: Any = (), playing: Any = ()) -> Replay:
    """Replay a record, keeping every position."""
    moments: list[Moment] = []

    def watch(before: Any, seat: int, action: int, after: Any) -> None:
        moments.append(Moment(before.tobytes(), seat, action, after.tobytes()))

    state = records.replay(record, watcher=watch)
    seats = range(state.game.players)
    names, bots = names or [player_name(seat) for seat in seats], bots or [None for _ in seats]
    return Replay(record, state, moments, names, bots, list(playing))


def _print(match: Replay, seat: int | None, json_: bool) -> None:
    """The events of a match and its result, as JSON or as lines."""
    state, story = match.state, match.story(seat)
    if json_:
        rows = [builtins(event) | {"text": text} for event, text in story]
        _print_json({"events": rows, "scores": state.scores, "winners": state.winners, "over": state.over})
        return
    for event, text in story:
        if is_listed(event):
            say_line(text)
    if not state.over:
        click.echo(f"The record ends here, with scores {state.scores}.")


def _step_through(match: Replay, seat: int | None) -> None:
    from ninefold.terminal.replay import ReplayApp

    seats: list[int | None] = [None, *range(match.state.game.players)]
    if match.playing:  # while a match is not over, nobody may see the cards of others
        seats = [match.playing[0]] if len(match.playing) == 1 else [None]
    viewers = sorted(seats, key=lambda viewer: viewer != seat)
    if chosen := ReplayApp(match, viewers, own_signs()).run():
        _play_on(match, *chosen, plain=False)


def _play_on(match: Replay, step: int, seat: int | None, plain: bool) -> None:
    """What if: a new match that begins with the first steps of another, against bots."""
    steps = match.record["moves"]
    if not 0 <= step <= len(steps):
        raise RuleError(f"the match has steps 0 to {len(steps)}, not {step}")
    own = seat if seat is not None else match.bots.index(None) if None in match.bots else 0
    bots = [None if at == own else bot or "medium" for at, bot in enumerate(match.bots)]
    table, _ = saves.begin(match.state.game, [*map(seat_of, match.names, bots)], None, forked=True)
    table.fork(steps[:step])
    sit_down(table, "normal", plain)
