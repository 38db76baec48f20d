"""`ninefold history` and `ninefold replay`: list past matches, and step through one."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ninefold.kernel.errors import NinefoldError, RecordError, RuleError
from ninefold.terminal.console import full_screen, own_signs, say_line

if TYPE_CHECKING:
    from ninefold.terminal.saves import Saved


@click.command(epilog="Example: ninefold history --json")
@click.option("--json", "json_", is_flag=True, help="As JSON.")
def history(json_: bool) -> None:
    """List the matches played here and how they ended."""
    from ninefold.terminal import saves

    found, damaged = [], []
    for path in saves.saved():
        try:
            found.append(saves.look(path))
        except NinefoldError as error:
            damaged.append((path, str(error)))
    if json_:
        _history_json(found)
        return
    if not found and not damaged:
        click.echo("No matches yet. Start one with: ninefold play doubles")
    width = max((len(match.path.stem) for match in found), default=0)
    for match in found:
        who = ", ".join(seat.name for seat in match.seats)
        click.echo(f"{match.path.stem.ljust(width)}  {match.begun}  {match.result}  ({who})")
    for path, why in damaged:
        click.echo(f"{path.stem}: {why}", err=True)
    for title, number, won in saves.standings(found):
        click.echo(f"{title}: {number} finished, {won} won by people")


def _history_json(found: Sequence[Saved]) -> None:
    rows = [
        {
            "name": match.path.stem,
            "file": str(match.path),
            "game": match.header["game"],
            "begun": match.header.get("begun"),
            "seats": match.header["seats"],
            "over": match.over,
            "scores": match.scores,
            "winners": match.winners,
            "steps": len(match.steps),
        }
        for match in found
    ]
    click.echo(json.dumps(rows, indent=2, ensure_ascii=False))


@dataclass(frozen=True)
class Recorded:
    """A record to look at, with what else a saved match knows."""

    record: dict[str, Any]
    names: list[str] = field(default_factory=list)
    bots: list[str | None] = field(default_factory=list)
    playing: list[int] = field(default_factory=list)  # the people, while the match is not over


@click.command(
    epilog="""\b
Examples:
  ninefold replay 2026-11-15-baseball-1      step through a match of the history
  ninefold replay match.json --seat 0        a record, as seat 0 saw it
  ninefold replay baseball-1 --fork 40       what if: play on from its 40th step
"""
)
@click.argument("file")
@click.option("--seat", type=int, default=None, help="Show it as this seat saw it (default: as a spectator).")
@click.option("--fork", type=int, default=None, metavar="STEP", help="Play on from a step, against bots.")
@click.option("--json", "json_", is_flag=True, help="The events as JSON.")
@click.option("--plain", is_flag=True, help="Print it as lines.")
def replay(file: str, seat: int | None, fork: int | None, json_: bool, plain: bool) -> None:
    """Look at a recorded match, move by move (`-` reads a record from standard input)."""
    from ninefold.engine import records

    drawn = full_screen() and not plain and file != "-"
    found = find_record(file)
    state = records.replay(found.record)
    if seat is not None and not 0 <= seat < state.game.players:
        raise RecordError(f"the match has seats 0 to {state.game.players - 1}, not {seat}")
    if found.playing and seat is not None and found.playing != [seat]:
        raise RecordError("the match is not over: until then it can only be viewed as a spectator")
    if fork is not None:
        _play_on(found, fork, seat, plain)
    elif json_:
        _print_json(found, seat)
    elif drawn:
        _step_through(found, seat)
    else:
        _print_lines(found, seat)


def find_record(name: str) -> Recorded:
    """A record by its file or the name of a saved match."""
    from ninefold.engine import records
    from ninefold.terminal import saves

    path = Path(name)
    is_name = name != "-" and path.name == name and not path.suffix and not path.exists()
    if not is_name and path.suffix != saves.ENDING:
        return Recorded(records.load(name))
    saved = saves.look(saves.locate(name))
    people = [] if saved.over else [seat for seat, who in enumerate(saved.seats) if who.bot is None]
    names, bots = [who.name for who in saved.seats], [who.bot for who in saved.seats]
    return Recorded(saved.record(), names, bots, people)


def _print_json(found: Recorded, seat: int | None) -> None:
    from ninefold.engine import records
    from ninefold.model.text import render
    from ninefold.model.view import builtins

    state = records.replay(found.record)
    events = [
        builtins(event) | {"text": render(event.text, found.names)}
        for event in records.narration(found.record, seat)
    ]
    answer = {"events": events, "scores": state.scores, "winners": state.winners, "over": state.over}
    click.echo(json.dumps(answer, indent=2, ensure_ascii=False))


def _print_lines(found: Recorded, seat: int | None) -> None:
    from ninefold.engine import records
    from ninefold.model.text import render

    for event in records.narration(found.record, seat):
        if not event.quiet:
            say_line(render(event.text, found.names))
    state = records.replay(found.record)
    if not state.over:
        click.echo(f"The record ends here, with scores {state.scores}.")


def _step_through(found: Recorded, seat: int | None) -> None:
    from ninefold.terminal.replay import Replay, ReplayApp

    match = Replay(found.record, found.names)
    seats: list[int | None] = [None, *range(match.game.players)]
    if found.playing:  # while a match is not over, nobody may see the cards of others
        seats = [found.playing[0]] if len(found.playing) == 1 else [None]
    viewers = sorted(seats, key=lambda viewer: viewer != seat)
    chosen = ReplayApp(match, viewers, own_signs()).run()
    if chosen:
        _play_on(found, *chosen, plain=False)


def _play_on(found: Recorded, step: int, seat: int | None, plain: bool) -> None:
    """What if: a new match that begins with the first steps of another, against bots."""
    from ninefold.engine.game import Game
    from ninefold.model.text import player_name
    from ninefold.terminal import saves
    from ninefold.terminal.play_command import sit_down
    from ninefold.terminal.save_format import read_steps, seat_of

    steps = read_steps([{"steps": found.record["moves"]}])
    if not 0 <= step <= len(steps):
        raise RuleError(f"the match has steps 0 to {len(steps)}, not {step}")
    game = Game(found.record["game"], found.record["players"], found.record["options"])
    own = seat if seat is not None else next((at for at, bot in enumerate(found.bots) if bot is None), 0)
    names = found.names or [player_name(at) for at in range(game.players)]
    bots = found.bots or [None] * game.players
    seats = [seat_of(name, None if at == own else bots[at] or "medium") for at, name in enumerate(names)]
    table, _ = saves.begin(game, seats, None)
    table.fork(steps[:step])
    sit_down(table, "normal", plain)
