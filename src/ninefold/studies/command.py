"""The command `ninefold study`."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ninefold.model.facts import read_options
from ninefold.simulation.arguments import cluster_option, game_name

if TYPE_CHECKING:
    from ninefold.studies.plan import Plan
    from ninefold.studies.report import Study

ALL = "all"


@click.command(epilog="Example: ninefold study finest9 --compare nines=choose,all")
@click.argument("game", callback=lambda *asked: ALL if asked[-1] == ALL else game_name(*asked))
@click.option("--players", type=int, default=None, help="Seats at the table (default: the usual number).")
@click.option(
    "--bots", default=None, help="Bots of the ladder, comma-separated (default: the game's levels)."
)
@click.option(
    "--set", "--option", "-o", "pairs", multiple=True, metavar="NAME=VALUE", help="An option of the game."
)
@click.option(
    "--compare",
    multiple=True,
    metavar="NAME=A,B",
    help="Compare values of an option, instead of all options.",
)
@click.option("--only", default=None, help="Some parts: games,drama,decisions,ladder,luck,options.")
@click.option(
    "--precision", default=None, metavar="P%", help="Play until shares of wins are known within ± P %."
)
@click.option(
    "--seconds", default=None, metavar="S", help="Take about so long (default: 120, without a precision)."
)
@click.option(
    "--games",
    default=None,
    metavar="N",
    help="Play this many games in each part, or PART=N,… (a report says which, to repeat it).",
)
@click.option("--seed", type=int, default=None, help="Repeat the same games.")
@click.option("--threads", type=int, default=None, help="CPU cores to use (default: all).")
@cluster_option
@click.option(
    "--out",
    type=click.Path(),
    default=None,
    metavar="PATH",
    help="Write to a file (.html, .md, .json), or all of it to a folder (default: GAME-study.html).",
)
@click.option("--json", "json_", is_flag=True, help="Print the report as JSON.")
@click.option("--markdown", is_flag=True, help="Print the report as Markdown.")
@click.option("--quiet", "-q", is_flag=True, help="No progress bar.")
def study(
    game: str,
    players: int | None,
    bots: str | None,
    pairs: tuple[str, ...],
    compare: tuple[str, ...],
    only: str | None,
    precision: str | None,
    seconds: str | None,
    games: str | None,
    seed: int | None,
    threads: int | None,
    cluster: str | None,
    out: str | None,
    json_: bool,
    markdown: bool,
    quiet: bool,
) -> None:
    """Study a game: a report with length, fairness, drama, bots, luck, and what every option does.

    GAME may be `all`, with a folder as --out. Ctrl-C writes the report so far.
    """
    from ninefold.engine import registry
    from ninefold.engine.bot_files import read_bots
    from ninefold.simulation.cluster import connected, cores
    from ninefold.simulation.progress import parts_shown
    from ninefold.simulation.warmup import notice
    from ninefold.studies.run import make_plan, run

    if game == ALL and (out is None or Path(out).suffix):
        raise click.UsageError("`study all` needs a folder: --out docs/studies")
    names = registry.games() if game == ALL else [registry.facts(game).name]
    known = None if bots is None else read_bots(bots)
    parts = None if only is None else [part.strip() for part in only.split(",")]
    plans = [
        make_plan(
            name,
            known,
            players=players,
            seed=seed,
            precision=precision,
            seconds=seconds,
            threads=threads,
            cluster=cluster,
            compare=dict(_comparison(one) for one in compare),
            only=parts,
            games=_numbers(games),
            settings=read_options(pairs),
        )
        for name in names
    ]
    for plan in plans:
        with connected(cluster):
            notice(plan.game, quiet)
            if not quiet:
                click.echo(forecast(plan, cores(plan.place)), err=True)
            with parts_shown(plan.game.facts.title, quiet) as plan.progress:
                found = run(plan)
        _give(found, out, json_, markdown)
        if found.interrupted:
            sys.exit(130)


def forecast(plan: Plan, cores: int) -> str:
    """What a study will take, before it begins."""
    if plan.numbers:
        takes = "the games that were asked for"
    else:
        takes = f"wins of each seat within ± {100 * plan.precision:g} %"
        if plan.seconds is not None:
            on = f"{cores:,} core{'s' if cores > 1 else ''}"
            takes += f", or as well as {_minutes(plan.seconds)} on {on} allow"
    return f"Studying {plan.game.facts.title}: {takes}. Ctrl-C writes the report so far."


def _minutes(seconds: float) -> str:
    return f"{seconds:g} seconds" if seconds < 100 else f"{seconds / 60:.3g} minutes"


def _numbers(given: str | None) -> Any:
    return dict(read_options(given.split(","))) if given and "=" in given else given


def _comparison(pair: str) -> tuple[str, object]:
    ((name, values),) = read_options([pair]).items()
    return name, values


def _give(found: Study, out: str | None, json_: bool, markdown: bool) -> None:
    from ninefold.studies.glance import glance

    if json_ or markdown:
        click.echo(found.json() if json_ else found.markdown(), nl=json_)
    if out is None and (json_ or markdown):
        return
    files = found.save(out or f"{found.game}-study.html")
    if not json_ and not markdown:
        figures = glance(found)
        wide = max((len(one.label) for one in figures), default=0)
        for one in figures:
            click.echo(f"{one.label.rjust(wide)}  {one.value.ljust(8)} {one.interval}")
    early = " (stopped early: what was known by then)" if found.interrupted else ""
    click.echo(f"Report: {files[0]}{early}", err=json_ or markdown)
