"""`nf.study`: plans a study, plays its parts one after another, and returns the report."""

from __future__ import annotations

import shlex
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from ninefold.engine.game import Game, read_seed
from ninefold.model.facts import option_text
from ninefold.simulation.cluster import connected
from ninefold.simulation.run import Simulation
from ninefold.studies import decisions, drama, games, ladder, luck, options, tables
from ninefold.studies.plan import (
    USUAL_PRECISION,
    USUAL_SECONDS,
    Plan,
    Progress,
    read_bots,
    read_compare,
    read_parts,
    read_precision,
    read_seconds,
)
from ninefold.studies.report import Study

STUDIES: dict[str, Callable[[Plan], Any]] = {
    "games": games.study,
    "drama": drama.study,
    "decisions": decisions.study,
    "ladder": ladder.study,
    "luck": luck.study,
    "options": options.study,
}
FIELDS = {"options": "options_swept"}  # where a part is called something else in the report


def study(
    game: str,
    bots: Sequence[Any] | None = None,
    players: int | None = None,
    seed: int | None = None,
    precision: float | str | None = None,
    seconds: float | None = None,
    threads: int | None = None,
    cluster: str | None = None,
    compare: Mapping[str, object] | None = None,
    only: Sequence[str] | None = None,
    progress: Progress | None = None,
    **settings: object,
) -> Study:
    """Study a game: length, fairness, drama, decisions, bots, luck, and what every option does.

    Without a `precision`, shares of wins are known within ± 1 % or as well as about a minute allows; with
    one, it takes as long as that takes, or at most `seconds`. `compare` has values of options to compare,
    such as `{"nines": ["choose", "all"]}`; `only` names some of the parts games, drama, decisions, ladder,
    luck and options. Ctrl-C ends the study with what is known by then.
    """
    plan = make_plan(
        game, bots, players, seed, precision, seconds, threads, cluster, compare, only, progress, settings
    )
    return run(plan)


def make_plan(
    game: str,
    bots: Sequence[Any] | None,
    players: int | None,
    seed: int | None,
    precision: float | str | None,
    seconds: float | None,
    threads: int | None,
    cluster: str | None,
    compare: Mapping[str, object] | None,
    only: Sequence[str] | None,
    progress: Progress | None,
    settings: Mapping[str, object],
) -> Plan:
    """Check everything before anything is played."""
    table = Game(game, players, settings)
    seated = read_bots(table, bots)
    fitting = [seated[at % len(seated)] for at in range(table.players)]
    place = Simulation(game, fitting, 1, 0, None, threads, table.players, settings, False, cluster).place
    wanted = USUAL_PRECISION if precision is None else read_precision(precision)
    at_most = USUAL_SECONDS if precision is None else None
    return Plan(
        game=table,
        bots=seated,
        seed=read_seed(seed),
        precision=wanted,
        seconds=read_seconds(seconds) if seconds is not None else at_most,
        place=place,
        given=dict(settings),
        compare=read_compare(table, compare or {}),
        parts=read_parts(only),
        progress=progress,
    )


def run(plan: Plan) -> Study:
    """Play all parts; after Ctrl-C, what is known by then."""
    found: dict[str, Any] = {}
    skipped = []
    start = time.perf_counter()
    with connected(plan.place.cluster):
        for part in plan.parts:
            plan.begin(part)
            try:
                outcome = STUDIES[part](plan)
            except (tables.Stopped, KeyboardInterrupt):
                plan.stopped = True
                break
            if outcome is None:
                skipped.append(part)
            else:
                found[FIELDS.get(part, part)] = outcome
            if plan.stopped:
                break
    return _report(plan, found, tuple(skipped), time.perf_counter() - start)


def _report(plan: Plan, found: dict[str, Any], skipped: tuple[str, ...], seconds: float) -> Study:
    game, facts = plan.game, plan.game.facts
    settings = "".join(
        f" -o {shlex.quote(f'{name}={option_text(value)}')}" for name, value in plan.given.items()
    )
    return Study(
        game=game.name,
        title=facts.title,
        line=facts.line,
        version=facts.version,
        players=game.players,
        options=dict(game.options),
        bots=[player.name for player in plan.players],
        seed=plan.seed,
        precision=plan.precision,
        seconds=seconds,
        interrupted=plan.stopped,
        settings=settings,
        asked=_asked(plan),
        everyone=facts.everyone,
        by_score=facts.by_score,
        lowest_wins=facts.lowest_wins,
        unit=facts.unit,
        skipped=skipped,
        **found,
    )


def _asked(plan: Plan) -> str:
    """What repeats this study on the command line."""
    asked = [
        f"--players {plan.game.players}",
        f"--seed {plan.seed}",
        f"--precision {100 * plan.precision:g}%",
    ]
    if plan.seconds is not None:
        asked.append(f"--seconds {plan.seconds:g}")
    asked += [f"--set {shlex.quote(f'{name}={option_text(value)}')}" for name, value in plan.given.items()]
    asked += [
        f"--compare {shlex.quote(f'{name}={chr(44).join(tried)}')}" for name, tried in plan.compare.items()
    ]
    return " " + " ".join(asked)
