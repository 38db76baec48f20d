"""The command `ninefold tournament`."""

from __future__ import annotations

import sys

import click

from ninefold.model.facts import read_options
from ninefold.simulation.arguments import amount, game_name, result_options, run_options


@click.command(epilog="Example: ninefold tournament doubles --bots easy,medium,hard,wait:2 --games 5k")
@click.argument("game", callback=game_name)
@click.option(
    "--bots",
    default=None,
    help="Bots, comma-separated, such as hard,my_bots.py:careful (default: the game's levels).",
)
@click.option(
    "--players", type=int, default=None, help="Seats at each table (default: two, and the usual number)."
)
@click.option(
    "--games", type=amount, metavar="N", default="1k", show_default=True, help="Games of each line-up."
)
@click.option("--panel", is_flag=True, help="Everything that the game's levels have to hold up against.")
@run_options
@result_options
def tournament(
    game: str,
    bots: str | None,
    players: int | None,
    games: int,
    panel: bool,
    seed: int | None,
    limit: int | None,
    threads: int | None,
    cluster: str | None,
    pairs: tuple[str, ...],
    plot: str | None,
    json_: bool,
    quiet: bool,
) -> None:
    """Let bots meet at tables of two and more, with rotated seats, and rate them.

    With --panel, the exit status is 3 if a weaker bot wins more than its even share among stronger ones, or a
    stronger one less among weaker ones.
    """
    from ninefold.engine.bot_files import read_bots
    from ninefold.engine.game import make
    from ninefold.simulation import panel as panels
    from ninefold.simulation.progress import shown
    from ninefold.simulation.tournament import invite, play
    from ninefold.simulation.warmup import notice

    if panel and (bots or players is not None):
        raise click.UsageError("--panel has its own bots and tables; leave out --bots and --players")
    names = None if bots is None else read_bots(bots)
    known, meetings = ({}, panels.meetings(game)) if panel else invite(game, names, players)
    options = {**(panels.panel_of(game).options if panel else {}), **read_options(pairs)}
    notice(make(game, len(meetings[0]), **options), quiet)
    with shown(len(meetings) * games, quiet) as progress:
        found = play(
            game,
            meetings,
            games,
            seed,
            limit,
            threads,
            options,
            progress,
            keep=True,
            known=known,
            cluster=cluster,
        )
    broken = panels.faults(panels.panel_of(game), found) if panel else []
    click.echo(found.json() if json_ else found.table())
    if panel and not json_:
        click.echo("")
        click.echo("\n".join(broken) or f"The ladder holds in all {len(found.played):,} line-ups.")
    if plot:
        found.plot(plot)
    if found.interrupted:
        sys.exit(130)
    if broken:
        sys.exit(3)
