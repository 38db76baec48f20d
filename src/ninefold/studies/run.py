"""`nf.study`: plans a study, plays its parts one after another, and returns the report."""

from __future__ import annotations

import shlex
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from ninefold.engine.game import Game, read_seed
from ninefold.model.facts import option_text
from ninefold.simulation.cluster import connected, cores
from ninefold.simulation.run import Simulation
from ninefold.simulation.tournament import levels
from ninefold.studies import decisions, drama, games, ladder, luck, memory, options, tables
from ninefold.studies.plan import (
    PARTS,
    USUAL_PRECISION,
    USUAL_SECONDS,
    Plan,
    Progress,
    read_bots,
    read_compare,
    read_numbers,
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
NUMBERS: dict[str, Callable[[Any], int]] = {
    "games": lambda found: found.games,
    "drama": lambda found: found.played,
    "decisions": lambda found: found.played,
    "ladder": lambda found: found.rungs[0].games,
    "luck": lambda found: found.played,
    "options": lambda found: found.games,
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
    games: int | Mapping[str, int] | None = None,
    progress: Progress | None = None,
    **settings: object,
) -> Study:
    """Study a game: length, fairness, drama, decisions, bots, luck, and what every option does.

    Without a `precision`, shares of wins are known within ± 1 % or as well as two minutes allow; with one, it
    takes as long as that takes, or at most `seconds`. `compare` has values of options to compare, such as
    `{"nines": ["choose", "all"]}`; `only` names some of the parts games, drama, decisions, ladder, luck and
    options. `games` are those of each part, as in `{"drama": 500}`, and repeat a study exactly. Ctrl-C ends
    the study with what is known by then.
    """
    return run(
        make_plan(
            game,
            bots,
            players=players,
            seed=seed,
            precision=precision,
            seconds=seconds,
            threads=threads,
            cluster=cluster,
            compare=compare,
            only=only,
            games=games,
            progress=progress,
            settings=settings,
        )
    )


def make_plan(
    game: str,
    bots: Sequence[Any] | None = None,
    *,
    players: int | None = None,
    seed: int | None = None,
    precision: float | str | None = None,
    seconds: float | str | None = None,
    threads: int | None = None,
    cluster: str | None = None,
    compare: Mapping[str, object] | None = None,
    only: Sequence[str] | None = None,
    games: object = None,
    progress: Progress | None = None,
    settings: Mapping[str, object] | None = None,
) -> Plan:
    """Check everything before anything is played."""
    settings = settings or {}
    table = Game(game, players, settings)
    seated = read_bots(table, bots)
    fitting = [seated[at % len(seated)] for at in range(table.players)]
    place = Simulation(game, fitting, 1, 0, None, threads, table.players, settings, False, cluster).place
    wanted = USUAL_PRECISION if precision is None else read_precision(precision)
    at_most = USUAL_SECONDS if precision is None else None
    parts = read_parts(only)
    plan = Plan(
        game=table,
        bots=seated,
        seed=read_seed(seed),
        precision=wanted,
        seconds=read_seconds(seconds) if seconds is not None else at_most,
        place=place,
        given=dict(settings),
        compare=read_compare(table, compare or {}),
        parts=parts,
        numbers=read_numbers(games, parts),
        progress=progress,
    )
    memory.check(plan)
    return plan


def run(plan: Plan) -> Study:
    """Play all parts; after Ctrl-C, what is known by then."""
    found: dict[str, Any] = {}
    skipped = []
    start = time.perf_counter()
    with connected(plan.place.cluster):
        plan.cores = cores(plan.place)
        for part in plan.parts:
            plan.begin(part)
            try:
                outcome = STUDIES[part](plan)
            except (tables.Stopped, KeyboardInterrupt):
                plan.stopped = True
                break
            if outcome is not None:
                found[part] = outcome
            if plan.stopped:
                break
            if outcome is None:
                skipped.append(part)
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
        limit=plan.seconds,
        seconds=seconds,
        numbers={part: NUMBERS[part](outcome) for part, outcome in found.items()},
        counted=bool(plan.numbers),
        complete=len(found) == len(PARTS),
        interrupted=plan.stopped,
        settings=settings,
        asked=_asked(plan),
        everyone=facts.everyone,
        by_score=facts.by_score,
        lowest_wins=facts.lowest_wins,
        unit=facts.unit,
        skipped=skipped,
        **{FIELDS.get(part, part): outcome for part, outcome in found.items()},
    )


def _asked(plan: Plan) -> str:
    """What repeats this study on the command line."""
    asked = [f"--players {plan.game.players}", f"--seed {plan.seed}"]
    if plan.bots != levels(plan.name):
        named = zip(plan.bots, plan.players, strict=True)
        bots = ",".join(bot if isinstance(bot, str) else player.name for bot, player in named)
        asked.append(f"--bots {shlex.quote(bots)}")
    asked += [f"--set {shlex.quote(f'{name}={option_text(value)}')}" for name, value in plan.given.items()]
    asked += [
        f"--compare {shlex.quote(f'{name}={chr(44).join(tried)}')}" for name, tried in plan.compare.items()
    ]
    return " " + " ".join(asked)
