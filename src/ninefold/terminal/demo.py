"""`ninefold demo`: matches between bots, described as they happen."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

import click

from ninefold.engine import registry
from ninefold.engine.beats import Moment
from ninefold.engine.bot_files import read_bots
from ninefold.engine.bots import SeatedBots
from ninefold.engine.cast import choose_bots
from ninefold.engine.game import Game, read_seed
from ninefold.engine.records import digest
from ninefold.engine.state import State
from ninefold.model.events import Event
from ninefold.model.facts import read_options
from ninefold.model.text import join, render
from ninefold.simulation.arguments import game_name
from ninefold.simulation.warmup import notice
from ninefold.terminal.console import write_file

LEVELS = ("mixed:hard", "mixed:medium", "mixed:easy")


@click.command(epilog="Example: ninefold demo doubles --bots hard,medium --seed 4")
@click.argument("game", nargs=-1, callback=game_name)
@click.option("--bots", default=None, help="Bots, comma-separated, one per seat.")
@click.option("--seed", type=int, default=None, help="Repeat the same match.")
@click.option("--option", "-o", "pairs", multiple=True, metavar="NAME=VALUE", help="An option of the game.")
@click.option(
    "--record", type=click.Path(dir_okay=False), default=None, help="Write the record of the match here."
)
def demo(
    game: tuple[str, ...], bots: str | None, seed: int | None, pairs: tuple[str, ...], record: str | None
) -> None:
    """Watch bots play one match of a game, or of every game."""
    seated = None if bots is None else read_bots(bots)
    for name in game or registry.games():
        tell_match(name, seated, seed, read_options(pairs), record)


def _worth_telling(state: State, moment: Moment) -> list[Event]:
    """The events to print for a step; a decision stays secret until everyone has decided."""
    events = state.perspectives.events(moment, None)
    seats = state.perspectives.at(None, moment.after).scene.seats
    secret = moment.seat >= 0 and seats[moment.seat].status == "decided"
    return [event for event in events if not event.quiet and not secret]


def tell_match(
    name: str,
    bots: Sequence[str] | None,
    seed: int | None,
    options: Mapping[str, object],
    record: str | None,
) -> None:
    """Play one match and print what happens."""
    game = Game(name, len(bots) if bots else None, options)
    seed = read_seed(seed)
    players = choose_bots(name, bots or [LEVELS[seat % len(LEVELS)] for seat in range(game.players)], seed)
    seated = SeatedBots(game, [player.bot for player in players], seed)
    notice(game)
    names = [player.name for player in players]
    click.echo(f"{game.facts.title}, {join(names)}, seed {seed}")

    moments: list[Moment] = []

    def watch(before: Any, seat: int, action: int, after: Any) -> None:
        moments.append(Moment(before.tobytes(), seat, action, after.tobytes()))

    state = game.start(seed=seed, watcher=watch)
    limit = game.facts.limit(game.options)
    while True:
        for moment in moments:
            for event in _worth_telling(state, moment):
                click.echo(f"  {render(event.text, names)}")
        moments.clear()
        if state.over or state.turns > limit:
            break
        seated.step(state)
    scores = ", ".join(f"{who} {score:,}" for who, score in zip(names, state.scores, strict=True))
    click.echo(f"Final scores: {scores}\n")
    if record:
        named = {**state.record(), "names": names}
        write_file(record, json.dumps(named | {"digest": digest(named)}))
