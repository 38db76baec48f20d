"""One match between bots, told as it happens."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import click

from ninefold.engine.game import Game, read_seed
from ninefold.engine.players import Company
from ninefold.engine.views import tell
from ninefold.kernel.model import listing
from ninefold.simulation.warm import notice

LEVELS = ("hard", "medium", "easy", "random")


def tell_match(
    name: str,
    bots: Sequence[str] | None,
    seed: int | None,
    options: Mapping[str, object],
    record: str | None,
) -> None:
    """Play and tell one match; what each seat decides in secret is told when it is opened."""
    game = Game(name, len(bots) if bots else None, options)
    seated = bots or [LEVELS[seat % len(LEVELS)] for seat in range(game.players)]
    seed = read_seed(seed)
    company = Company(game, seated, seed)
    notice(game)
    names = [f"{bot.capitalize()} ({seat + 1})" for seat, bot in enumerate(seated)]
    click.echo(f"{game.facts.title}, {listing(names)}, seed {seed}")

    told: list[dict[str, Any]] = []

    def watch(before: Any, seat: int, action: int, after: Any) -> None:
        told.extend(tell(game, before, seat, action, after, None, names))

    state = game.start(seed=seed, watcher=watch)
    limit = game.facts.limit(game.options)
    while True:
        for event in told:
            if event["kind"] != "decided" and not event.get("quiet"):
                click.echo(f"  {event['text']}")
        told.clear()
        if state.over or state.turns > limit:
            break
        company.step(state)
    scores = ", ".join(f"{who} {score:,}" for who, score in zip(names, state.scores, strict=True))
    click.echo(f"Final scores: {scores}\n")
    if record:
        Path(record).write_text(json.dumps(state.record()), "utf-8")
